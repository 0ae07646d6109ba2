/* SPDX-License-Identifier: MIT
 *
 * Some steps of every case by every scheme on a small grid, in four sets of options: means with
 * weights of the conserved numbers, and what the nets did, against tests/data/flow.tsv. The numbers
 * of every case, and sums over its states, against tests/data/flow-cases.tsv. KEEP=1 writes both
 * anew.
 */
#include "tests/unit/flow_run.h"
#include "tests/unit/kept.h"

static const char table[] = "tests/data/flow.tsv";
static const char *const schemes[] = {"mp5",   "mp5_paper", "weno5",         "weno5_js",
                                      "muscl", "ader_weno", "mp5_transverse"};
static const char *const cases[] = {
    "entropy", "simple", "sod", "lax", "123", "shu", "blast", "vortex", "step", "diffraction",
    "diffraction-5", "rt-linear", "rayleigh-taylor", "rayleigh-taylor-walls", "contact",
    "contact-hot", "planar"};
enum { SCHEMES = sizeof schemes / sizeof *schemes, CASES = sizeof cases / sizeof *cases,
       NUMBERS = 12 };

/* x [NUMBERS] of the state now; returns how many */
static int sums_of(const kb_flow *f, double *x)
{
    const kb_flow_grid *g = &f->stage.grid;
    int n = 0;
    x[n++] = f->t;
    x[n++] = (double)f->nets.scaled;
    x[n++] = (double)f->nets.blended;
    for (int k = 0; k < g->nsp + 3; k++) {
        double sum = 0;
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++) {
                long at = kb_flow_at(g, i, j);
                if (!f->open || f->open[at] > 0)
                    sum += f->q[0][k * g->plane + at] * (1 + sin(0.7 * i + 0.3 * j + 1));
            }
        x[n++] = sum / g->nx / g->ny;
    }
    return n;
}

/* the sets: as the case has it; the other variables, half the step without nets, or more and longer
 * steps, in which one net acts, or the longest in which both do. Returns 0 if the scheme is not for
 * the case, or no face was blended in the last set. */
static int run(const kb_flow_case *c, const char *scheme, int set, double *x)
{
    static int turn;
    kb_flow f;
    kb_flow_options o;
    if (!strcmp(scheme, "mp5_transverse") && (c->nsp > 1 || c->solid))
        return 0;
    kb_flow_defaults(c, &o);
    double size = sqrt(300. / ((double)c->nx * c->ny));
    o.nx = c->ny > 1 ? (int)fmax(6, size * c->nx) : 40;
    o.ny = c->ny > 1 ? (int)fmax(6, size * c->ny) : 1;
    o.nets = set == 1 ? 0 : set == 3 ? KB_FLOW_SCALE | KB_FLOW_BLEND : KB_FLOW_SCALE;
    o.cfl = set == 1 ? o.cfl / 2 : set == 2 ? 0.9 : set == 3 ? 0.5 : o.cfl;
    if (set && c->nsp == 1)
        o.variables = o.variables == KB_FLOW_PRIMITIVE ? KB_FLOW_CONSERVED : KB_FLOW_PRIMITIVE;
    if (set)
        o.riemann = (kb_flow_riemann)((set < 3 ? turn++ : turn + 1) % 4);
    flow_open(&f, c, &o, scheme, "cpu-scalar");
    kb_error err;
    for (int k = 0; k < (set > 1 ? 25 : 12) && !kb_flow_step(&f, 1e30, &err); k++)
        ; /* ends before an impossible state */
    int n = set < 3 || f.nets.blended ? sums_of(&f, x) : 0;
    kb_flow_close(&f);
    return n;
}

static FILE *open_table(const char *mode)
{
    FILE *f = fopen(table, mode);
    if (!f)
        fail_msg("%s", table);
    return f;
}

/* to a part in 1e9 of the largest number of the row; rounding may change a count by a few */
static void compare(FILE *in, const char *name, const double *x, int n)
{
    char word[80];
    double kept[NUMBERS], size = 0;
    if (fscanf(in, "%79s", word) != 1 || strcmp(word, name))
        fail_msg("%s: %s, expected %s", table, word, name);
    for (int k = 0; k < n; k++) {
        if (fscanf(in, "%lf", &kept[k]) != 1)
            fail_msg("%s: %s has %d numbers", table, name, k);
        size = fmax(size, k > 2 ? fabs(kept[k]) : 0);
    }
    for (int k = 0; k < n; k++) {
        double most = k > 2 ? 1e-9 * size : k > 0 ? 1 + 0.1 * kept[k] : 1e-9 * kept[k];
        if (!(fabs(x[k] - kept[k]) <= most))
            fail_msg("%s, number %d: %.11g, kept: %.11g", name, k, x[k], kept[k]);
    }
}

/* of one pressure, so thin on the right that a density is kept positive but not a pressure */
static void thin(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)c, (void)y, (void)t;
    *p = (kb_flow_point){.u = 3, .p = 1, .rho = {x < 0.5 ? 1 : 1e-4}};
}

static void one_case(FILE *f, const kb_flow_case *c, int keep)
{
    for (int s = 0; s < SCHEMES; s++)
        for (int set = 0; set < 4; set++) {
            double x[NUMBERS];
            char name[80];
            int n = run(c, schemes[s], set, x);
            snprintf(name, sizeof name, "%s,%s,%d", c->name, schemes[s], set);
            if (n && !keep)
                compare(f, name, x, n);
            if (n && keep)
                fprintf(f, "%s", name);
            for (int k = 0; keep && k < n; k++)
                fprintf(f, k + 1 < n ? "\t%.11g" : "\t%.11g\n", x[k]);
        }
}

TEST(as_it_was)
{
    int keep = getenv("KEEP") != NULL;
    FILE *f = open_table(keep ? "w" : "r");
    kb_flow_options o;
    kb_flow_case more = *flow_case("sod", &o);
    more.name = "thin";
    more.state = thin;
    more.exact = false;
    for (int k = 0; k < CASES; k++)
        one_case(f, flow_case(cases[k], &o), keep);
    one_case(f, &more, keep);
    fclose(f);
}

/* sums with weights over the states at places of the domain, and how many are solid */
static void write_states(FILE *f, const kb_flow_case *c, double t)
{
    double sum[4] = {0};
    int solid = 0;
    for (int j = 0; j < (c->y1 > c->y0 ? 13 : 1); j++)
        for (int i = 0; i < 37; i++) {
            double x = c->x0 + (c->x1 - c->x0) * (i + 0.437) / 37;
            double y = c->y0 + (c->y1 - c->y0) * (j + 0.361) / 13, w = 1 + sin(0.7 * i + 0.3 * j);
            kb_flow_point p = {0};
            c->state(c, x, y, t, &p);
            sum[0] += w * p.u;
            sum[1] += w * p.v;
            sum[2] += w * p.p;
            for (int s = 0; s < c->nsp; s++)
                sum[3] += w * p.rho[s] * (1 + s);
            solid += c->solid && c->solid(c, x, y);
        }
    fprintf(f, "t = %.9g:", t);
    for (int k = 0; k < 4; k++)
        fprintf(f, "\t%.9g", fabs(sum[k]) < 1e-12 ? 0 : sum[k]);
    fprintf(f, "\t%d\n", solid);
}

static void write_case(FILE *f, const kb_flow_case *c)
{
    fprintf(f, "%s", c->name);
    const double numbers[] = {c->x0, c->x1, c->y0, c->y1, c->end, c->cfl, c->gravity[0],
                              c->gravity[1], c->noise, c->gas.ratio, c->gas.inverse};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        fprintf(f, "\t%.9g", numbers[k]);
    const int whole[] = {c->nx, c->ny, c->nsp, c->edge[0], c->edge[1], c->edge[2], c->edge[3],
                         c->variables, c->riemann, c->exact, c->smooth, c->foil, c->nshown};
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
        fprintf(f, "\t%d", whole[k]);
    for (int s = 0; s < c->nsp; s++)
        fprintf(f, "\t%.9g\t%.9g", c->gas.R[s], c->gas.cv[s]);
    fputc('\n', f);
    write_states(f, c, 0);
    if (c->exact)
        write_states(f, c, 0.7 * c->end);
}

TEST(cases_are_as_they_were)
{
    char *now = NULL;
    size_t length;
    FILE *f = open_memstream(&now, &length);
    assert_non_null(f);
    kb_flow_options o;
    for (int k = 0; k < CASES; k++)
        write_case(f, flow_case(cases[k], &o));
    fclose(f);
    check_kept("tests/data/flow-cases.tsv", now);
    free(now);
}

TESTS(flow_one_thread, NULL)
