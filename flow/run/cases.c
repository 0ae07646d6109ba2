/* SPDX-License-Identifier: MIT
 *
 * The cases: for each its domain, its state at the start and, where one is known, its exact answer.
 * docs/flow.md names the sources.
 */
#include <math.h>
#include <string.h>

#include "flow/gas/exact.h"
#include "flow/run/flow.h"

#define AIR {{1}, {2.5}}          /* gamma 1.4 */
#define MONATOMIC {{1}, {1.5}}    /* gamma 5/3 */
#define ALL(kind) {kind, kind, kind, kind}

static double gamma_of(const kb_flow_case *c) { return 1 + c->gas.R[0] / c->gas.cv[0]; }

static void set(kb_flow_point *p, double rho, double u, double v, double pressure)
{
    p->rho[0] = rho;
    p->u = u;
    p->v = v;
    p->p = pressure;
}

static void entropy_wave(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)c, (void)y;
    set(p, 1 + 0.2 * sin(M_PI * (x - t)), 1, 0, 1);
}

/* u is carried along x at the speed u + c; Newton on u = 0.2 sin(pi (x - (u + c) t)) */
static void simple_wave(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    double gamma = gamma_of(c), c0 = sqrt(gamma), rise = (gamma - 1) / 2, u = 0;
    (void)y;
    for (int i = 0; i < 50; i++) {
        double at = M_PI * (x - (c0 + (1 + rise) * u) * t);
        double change = (u - 0.2 * sin(at)) / (1 + 0.2 * cos(at) * M_PI * (1 + rise) * t);
        u -= change;
        if (fabs(change) < 1e-15)
            break;
    }
    double sound = c0 + rise * u, rho = pow(sound * sound / gamma, 1 / (gamma - 1));
    set(p, rho, u, 0, pow(rho, gamma));
}

static void riemann(const kb_flow_case *c, kb_riemann_state l, kb_riemann_state r, double x,
                    double t, kb_flow_point *p)
{
    double from = x - 0.5;
    kb_riemann_state a = t > 0 ? kb_riemann_sample(l, r, gamma_of(c), from / t) : from < 0 ? l : r;
    set(p, a.rho, a.u, 0, a.p);
}

static void sod(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)y;
    riemann(c, (kb_riemann_state){1, 0, 1}, (kb_riemann_state){0.125, 0, 0.1}, x, t, p);
}

static void lax(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)y;
    riemann(c, (kb_riemann_state){0.445, 0.698, 3.528}, (kb_riemann_state){0.5, 0, 0.571}, x, t, p);
}

static void toro123(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)y;
    riemann(c, (kb_riemann_state){1, -2, 0.4}, (kb_riemann_state){1, 2, 0.4}, x, t, p);
}

static void shu(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)c, (void)y, (void)t;
    if (x < -4)
        set(p, 27.0 / 7, 4 * sqrt(35) / 9, 0, 31.0 / 3);
    else
        set(p, 1 + 0.2 * sin(5 * x), 0, 0, 1);
}

static void blast(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)c, (void)y, (void)t;
    set(p, 1, 0, 0, x < 0.1 ? 1000 : x < 0.9 ? 0.01 : 100);
}

static void vortex(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    double gamma = gamma_of(c), beta = c->strength, turn = beta / (2 * M_PI);
    x -= t;
    y -= t;
    x -= 10 * floor((x + 5) / 10);
    y -= 10 * floor((y + 5) / 10);
    double swirl = turn * exp(0.5 * (1 - x * x - y * y));
    double T = 1 - (gamma - 1) / (2 * gamma) * swirl * swirl, rho = pow(T, 1 / (gamma - 1));
    set(p, rho, 1 - swirl * y, 1 + swirl * x, rho * T);
}

static void uniform(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)x, (void)y, (void)t;
    set(p, 1.4, c->strength, 0, 1);
}

static bool step_is_solid(const kb_flow_case *c, double x, double y)
{
    (void)c;
    return x > 0.6 && y < 0.2;
}

static bool corner_is_solid(const kb_flow_case *c, double x, double y)
{
    (void)c;
    return x < 0.5 && y < 0.5;
}

/* behind a shock of Mach number M that runs into gas at rest with rho 1.4, p 1 */
static void behind_shock(double gamma, double M, kb_flow_point *p)
{
    double rho = 1.4 * (gamma + 1) * M * M / ((gamma - 1) * M * M + 2);
    set(p, rho, 2 / (gamma + 1) * (M - 1 / M) * sqrt(gamma / 1.4), 0,
        1 + 2 * gamma / (gamma + 1) * (M * M - 1));
}

static void diffraction(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)y, (void)t;
    set(p, 1.4, 0, 0, 1);
    if (x < 0.4)
        behind_shock(gamma_of(c), c->strength, p);
}

static void planar(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)y, (void)t;
    set(p, 1.4, 0, 0, 1);
    if (x < 2)
        behind_shock(gamma_of(c), c->strength, p);
}

static void heavy_over_light(double y, kb_flow_point *p)
{
    if (y < 0.5)
        set(p, 2, 0, 0, 2 * y + 1);
    else
        set(p, 1, 0, 0, y + 1.5);
}

static void rt_linear(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    double k = 8 * M_PI, size = c->strength * exp(-k * fabs(y - 0.5));
    (void)t;
    heavy_over_light(y, p);
    p->u = (y < 0.5 ? size : -size) * sin(k * x);
    p->v = -size * cos(k * x);
}

static void rayleigh_taylor(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)t;
    heavy_over_light(y, p);
    p->v = -0.025 * sqrt(gamma_of(c) * p->p / p->rho[0]) * cos(8 * M_PI * x);
}

/* two gases in motion, u and p the same; c->strength: ratio of their temperatures */
static void contact(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    double at = x - t - floor(x - t), hot = c->strength;
    bool second = at > 0.25 && at < 0.75;
    (void)y;
    *p = (kb_flow_point){.u = 1, .p = 1};
    p->rho[second] = 1 / (c->gas.R[second] * (second ? hot : 1));
}

#define WALLS ALL(KB_FLOW_WALL)
#define TUBE .x1 = 1, .nx = 200, .nsp = 1, .gas = AIR, .edge = ALL(KB_FLOW_OUTFLOW), \
    .variables = KB_FLOW_CONSERVED, .cfl = 0.4, .exact = true
#define SHOCKED .nsp = 1, .gas = AIR, .variables = KB_FLOW_CONSERVED, .riemann = KB_FLOW_HLLC_LM, \
    .cfl = 0.4
#define TWO_GASES .x1 = 1, .nx = 100, .nsp = 2, .edge = ALL(KB_FLOW_PERIODIC), \
    .variables = KB_FLOW_PRIMITIVE, .cfl = 0.4, .exact = true, .state = contact
#define UNSTABLE .x1 = 0.25, .y1 = 1, .nx = 64, .ny = 256, .nsp = 1, .gas = MONATOMIC, \
    .gravity = {0, 1}, .variables = KB_FLOW_CONSERVED, .cfl = 0.4

const kb_flow_case kb_flow_cases[] = {
    {.name = "entropy", .summary = "density wave carried along, exact answer", .x1 = 2, .nx = 80,
     .gas = AIR, .nsp = 1, .end = 2, .cfl = 0.05, .edge = ALL(KB_FLOW_PERIODIC),
     .variables = KB_FLOW_CONSERVED, .exact = true, .smooth = true, .state = entropy_wave},
    {.name = "simple", .summary = "sound wave that steepens, exact answer before the shock",
     .x1 = 2, .nx = 80, .gas = AIR, .nsp = 1, .end = 0.7958, .cfl = 0.05,
     .edge = ALL(KB_FLOW_PERIODIC),
     .variables = KB_FLOW_CONSERVED, .exact = true, .smooth = true, .state = simple_wave},
    {.name = "sod", .summary = "Sod's shock tube", .end = 0.2, TUBE, .state = sod},
    {.name = "lax", .summary = "Lax's shock tube", .end = 0.13, TUBE, .state = lax},
    {.name = "123", .summary = "Toro's two rarefactions that all but leave a vacuum", .end = 0.15,
     TUBE, .state = toro123},
    {.name = "shu", .summary = "shock of Mach 3 through density waves (Shu and Osher)", .x0 = -5,
     .x1 = 5, .nx = 400, .gas = AIR, .nsp = 1, .end = 1.8, .cfl = 0.4,
     .edge = ALL(KB_FLOW_OUTFLOW), .variables = KB_FLOW_CONSERVED, .state = shu},
    {.name = "blast", .summary = "two blast waves (Woodward and Colella)", .x1 = 1, .nx = 400,
     .gas = AIR, .nsp = 1, .end = 0.038, .cfl = 0.4, .edge = WALLS, .variables = KB_FLOW_CONSERVED,
     .state = blast},
    {.name = "vortex", .summary = "vortex carried along the diagonal, exact answer", .x0 = -5,
     .x1 = 5, .y0 = -5, .y1 = 5, .nx = 64, .ny = 64, .gas = AIR, .nsp = 1, .end = 10, .cfl = 0.4,
     .edge = ALL(KB_FLOW_PERIODIC), .variables = KB_FLOW_CONSERVED, .exact = true, .smooth = true,
     .strength = 5, .state = vortex},
    {.name = "step", .summary = "Mach 3 flow over a step (Woodward and Colella)", .x1 = 3, .y1 = 1,
     .nx = 120, .ny = 40, .end = 4, SHOCKED, .strength = 3,
     .edge = {KB_FLOW_FIXED, KB_FLOW_OUTFLOW, KB_FLOW_WALL, KB_FLOW_WALL}, .state = uniform,
     .solid = step_is_solid, .corner = {0.6, 0.2}},
    {.name = "diffraction", .summary = "shock of Mach 2.4 around a corner", .x1 = 1.5, .y1 = 1,
     .nx = 150, .ny = 100, .end = 0.2, SHOCKED, .strength = 2.4,
     .edge = {KB_FLOW_FIXED, KB_FLOW_OUTFLOW, KB_FLOW_WALL, KB_FLOW_WALL}, .state = diffraction,
     .solid = corner_is_solid, .corner = {0.5, 0.5}},
    {.name = "diffraction-5", .summary = "shock of Mach 5.09 around a corner", .x1 = 1.5, .y1 = 1,
     .nx = 150, .ny = 100, .end = 0.2, SHOCKED, .strength = 5.09,
     .edge = {KB_FLOW_FIXED, KB_FLOW_OUTFLOW, KB_FLOW_WALL, KB_FLOW_WALL}, .state = diffraction,
     .solid = corner_is_solid, .corner = {0.5, 0.5}},
    {.name = "rt-linear", .summary = "first growth of a Rayleigh-Taylor instability, in theory "
     "exp(2.894 t)", .end = 1, UNSTABLE, .strength = 1e-3, .state = rt_linear,
     .edge = {KB_FLOW_PERIODIC, KB_FLOW_PERIODIC, KB_FLOW_WALL, KB_FLOW_WALL}},
    {.name = "rayleigh-taylor", .summary = "Rayleigh-Taylor instability (Shi, Zhang and Shu)",
     .end = 1.95, UNSTABLE, .state = rayleigh_taylor,
     .edge = {KB_FLOW_WALL, KB_FLOW_WALL, KB_FLOW_FIXED, KB_FLOW_FIXED}},
    {.name = "rayleigh-taylor-walls", .summary = "the same with the walls that the paper names",
     .end = 1.95, UNSTABLE, .state = rayleigh_taylor,
     .edge = {KB_FLOW_PERIODIC, KB_FLOW_PERIODIC, KB_FLOW_WALL, KB_FLOW_WALL}},
    {.name = "contact", .summary = "two gases of one temperature, like air and helium, in motion",
     .end = 1, TWO_GASES, .gas = {{1, 7.24}, {2.5, 10.86}}, .strength = 1},
    {.name = "contact-hot", .summary = "the same with a ratio of temperatures of 3", .end = 1,
     TWO_GASES, .gas = {{1, 7.24}, {2.5, 10.86}}, .strength = 3},
    {.name = "planar", .summary = "planar shock of Mach 6 in noise: does it stay planar?", .x1 = 20,
     .y1 = 1, .nx = 320, .ny = 16, .end = 16.0 / 6, SHOCKED, .strength = 6, .noise = 1e-3,
     .edge = {KB_FLOW_FIXED, KB_FLOW_OUTFLOW, KB_FLOW_PERIODIC, KB_FLOW_PERIODIC},
     .state = planar},
    {.name = NULL}};

const kb_flow_case *kb_flow_find_case(const char *name, kb_error *err)
{
    char *known = kb_strdup("");
    for (const kb_flow_case *c = kb_flow_cases; c->name; c++) {
        if (!strcmp(c->name, name)) {
            free(known);
            return c;
        }
        char *longer = kb_format("%s %s", known, c->name);
        free(known);
        known = longer;
    }
    kb_fail(err, KB_INVALID, "no case '%s': there are%s", name, known);
    free(known);
    return NULL;
}
