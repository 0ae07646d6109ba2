/* SPDX-License-Identifier: MIT
 *
 * Errors and orders of the flow schemes where an answer is known, against values that an
 * independent program of other structure gave: within 5 %.
 */
#include "tests/test.h"
#include "tests/unit/flow_run.h"

#include "flow/gas/exact.h"

typedef struct {
    const char *problem, *scheme;
    kb_flow_variables variables;
    double cfl;
    int n[4];
    double l1[4];
} expected;

#define CONS KB_FLOW_CONSERVED
#define PRIM KB_FLOW_PRIMITIVE

static void check(const expected *e)
{
    for (int k = 0; k < 4 && e->n[k]; k++) {
        kb_flow f;
        kb_flow_options o;
        const kb_flow_case *c = flow_case(e->problem, &o);
        char what[128];
        o.variables = e->variables;
        o.nx = e->n[k];
        o.ny = o.ny > 1 ? e->n[k] : 1;
        o.cfl = e->cfl;
        flow_run(&f, c, &o, e->scheme, "cpu-simd");
        snprintf(what, sizeof what, "%s, %s, %s variables, CFL %g, %d cells", e->problem, e->scheme,
                 e->variables == CONS ? "conserved" : "primitive", e->cfl, o.nx);
        assert_near(what, kb_flow_exact_error(&f).l1, e->l1[k], 0.05);
        kb_flow_close(&f);
    }
}

static void check_all(const expected *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check(&e[i]);
}
#define CHECK(list) check_all(list, sizeof list / sizeof *list)

/* fifth order where time adds nothing; the limiter of the paper's print loses it */
TEST(entropy_wave)
{
    static const expected list[] = {
        {"entropy", "mp5", CONS, 0.05, {20, 40, 80, 160}, {3.98e-5, 1.27e-6, 3.99e-8, 1.27e-9}},
        {"entropy", "weno5", CONS, 0.05, {20, 40, 80, 160}, {4.00e-5, 1.27e-6, 3.99e-8, 1.27e-9}},
        {"entropy", "weno5_js", CONS, 0.05, {20, 40, 80, 160},
         {2.86e-4, 8.95e-6, 2.79e-7, 8.74e-9}},
        {"entropy", "mp5_paper", CONS, 0.05, {20, 40, 80, 160},
         {4.51e-3, 8.70e-4, 1.72e-4, 3.42e-5}}};
    CHECK(list);
}

/* three stages and one stage of third order; the wave is linear in primitive variables, too */
TEST(entropy_wave_in_time)
{
    static const expected list[] = {
        {"entropy", "mp5", CONS, 0.4, {20, 40, 80, 160}, {4.51e-5, 1.93e-6, 1.22e-7, 1.16e-8}},
        {"entropy", "ader_weno", CONS, 0.4, {20, 40, 80, 160},
         {6.56e-5, 3.68e-6, 2.30e-7, 1.58e-8}},
        {"entropy", "ader_weno", PRIM, 0.4, {20, 40, 80, 160},
         {6.56e-5, 3.68e-6, 2.30e-7, 1.58e-8}},
        {"entropy", "ader_weno", CONS, 0.8, {20, 40, 80, 160},
         {8.45e-5, 6.25e-6, 5.98e-7, 6.81e-8}}};
    CHECK(list);
}

/* a nonlinear wave: conserved variables keep the order, primitive ones do not */
TEST(simple_wave)
{
    static const expected list[] = {
        {"simple", "mp5", CONS, 0.05, {40, 80, 160, 320}, {8.35e-5, 4.25e-6, 1.64e-7, 5.31e-9}},
        {"simple", "mp5", PRIM, 0.05, {40, 80, 160, 320}, {1.40e-4, 2.87e-5, 6.85e-6, 1.70e-6}},
        {"simple", "mp5", CONS, 0.4, {320}, {3.08e-8}},
        {"simple", "ader_weno", CONS, 0.4, {320}, {2.01e-8}},
        {"simple", "ader_weno", PRIM, 0.4, {320}, {1.68e-6}}};
    CHECK(list);
}

TEST(shock_tubes)
{
    static const expected list[] = {
        {"sod", "mp5", PRIM, 0.4, {100, 200, 400}, {2.56e-3, 1.49e-3, 7.35e-4}},
        {"sod", "mp5", CONS, 0.4, {100, 200, 400}, {3.22e-3, 1.80e-3, 8.94e-4}},
        {"sod", "weno5", CONS, 0.4, {100, 200, 400}, {4.12e-3, 2.27e-3, 1.12e-3}},
        {"sod", "ader_weno", CONS, 0.4, {100, 200, 400}, {3.97e-3, 2.20e-3, 1.08e-3}},
        {"sod", "mp5_paper", CONS, 0.4, {100, 200, 400}, {3.36e-3, 1.89e-3, 9.49e-4}},
        {"lax", "mp5", CONS, 0.4, {200}, {4.12e-3}},
        {"123", "weno5", PRIM, 0.4, {100}, {5.95e-3}},
        {"123", "mp5", PRIM, 0.4, {100}, {6.15e-3}},
        {"123", "weno5", CONS, 0.4, {100}, {8.7e-3}},
        {"123", "mp5", CONS, 0.4, {100}, {1.1e-2}}};
    CHECK(list);
}

TEST(sod_by_other_riemann_solvers)
{
    static const struct { kb_flow_riemann kind; double least, most; } list[] = {
        {KB_FLOW_HLLE, 1.017, 1.04}, {KB_FLOW_HLLC_LM, 0.90, 0.99}, {KB_FLOW_RUSANOV, 1.0, 1.2}};
    kb_flow f;
    kb_flow_options o;
    const kb_flow_case *c = flow_case("sod", &o);
    o.nx = 100;
    flow_run(&f, c, &o, "mp5", "cpu-simd");
    double hllc = kb_flow_exact_error(&f).l1;
    kb_flow_close(&f);
    for (size_t i = 0; i < 3; i++) {
        o.riemann = list[i].kind;
        flow_run(&f, c, &o, "mp5", "cpu-simd");
        double ratio = kb_flow_exact_error(&f).l1 / hllc;
        if (ratio < list[i].least || ratio > list[i].most)
            fail_msg("Riemann solver %d: error %.4f of that of hllc, expected %g to %g",
                     (int)list[i].kind, ratio, list[i].least, list[i].most);
        kb_flow_close(&f);
    }
}

/* in two dimensions second order, with a small constant */
TEST(vortex)
{
    static const expected list[] = {
        {"vortex", "mp5", CONS, 0.4, {32, 64}, {8.71e-4, 9.61e-5}},
        {"vortex", "mp5", PRIM, 0.4, {32, 64}, {9.88e-4, 2.26e-4}}};
    CHECK(list);
}

/* between fourth and fifth order with the correction along the faces */
TEST(vortex_with_correction)
{
    static const expected list[] = {
        {"vortex", "mp5_transverse", CONS, 0.4, {32, 64}, {7.21e-4, 4.44e-5}}};
    CHECK(list);
}

/* one direction after the other: at 64 cells 1.3 times the error of three stages, of second order
 * or better */
TEST(vortex_by_directions)
{
    double l1[2];
    kb_flow f;
    kb_flow_options o;
    const kb_flow_case *c = flow_case("vortex", &o);
    for (int k = 0; k < 2; k++) {
        o.nx = o.ny = 32 << k;
        flow_run(&f, c, &o, "ader_weno", "cpu-simd");
        l1[k] = kb_flow_exact_error(&f).l1;
        kb_flow_close(&f);
    }
    assert_below("error at 64 cells", l1[1], 1.3 * 9.61e-5);
    assert_true(log2(l1[0] / l1[1]) > 2);
}

/* waves of two gases of gamma 1.4, carried along at constant u, v and p */
static void two_waves(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    bool flat = c->y1 <= c->y0;
    *p = (kb_flow_point){.u = 1, .v = flat ? 0 : 0.5, .p = 1};
    p->rho[0] = 1 + 0.2 * sin(M_PI * (x - t));
    p->rho[1] = 0.3 + 0.1 * cos(M_PI * (x - t)) * (flat ? 1 : sin(M_PI * (y - 0.5 * t)));
}

/* third order in time in one stage, with several species and in two dimensions, too, where u and v
 * are constant */
TEST(two_gases_carried_along)
{
    kb_flow_case c = {
        .name = "two gases", .x1 = 2, .gas = {{1, 7.24}, {2.5, 18.1}}, .nsp = 2, .end = 2,
        .cfl = 0.4, .edge = {KB_FLOW_PERIODIC}, .variables = PRIM, .smooth = true, .exact = true,
        .state = two_waves};
    for (int flat = 1; flat >= 0; flat--) {
        double l1[3];
        c.y1 = flat ? 0 : 2;
        c.end = flat ? 2 : 0.5;
        for (int k = 0; k < 3; k++) {
            kb_flow f;
            kb_flow_options o;
            kb_flow_defaults(&c, &o);
            o.nx = (flat ? 40 : 20) << (k < 2 ? k : 1);
            o.ny = flat ? 1 : o.nx;
            flow_run(&f, &c, &o, k < 2 ? "ader_weno" : "mp5", "cpu-simd");
            l1[k] = kb_flow_exact_error(&f).l1;
            kb_flow_close(&f);
        }
        assert_true(log2(l1[0] / l1[1]) > 3);
        assert_below("error, against three stages", l1[1], 3 * l1[2]);
    }
}

/* a density wave in free fall along x */
static void falling(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    double g = c->gravity[0] + c->gravity[1]; /* one of them, also in the turned case */
    (void)y;
    *p = (kb_flow_point){.u = 1 + g * t, .p = 1};
    p->rho[0] = 1 + 0.2 * sin(M_PI * (x - t - 0.5 * g * t * t));
}

/* one stage with gravity: second order, and the exact sums of momentum and energy */
TEST(falling_wave)
{
    const kb_flow_case c = {
        .name = "falling", .x1 = 2, .gas = {{1}, {2.5}}, .nsp = 1, .end = 1, .cfl = 0.4,
        .edge = {KB_FLOW_PERIODIC}, .gravity = {2, 0}, .smooth = true, .exact = true,
        .state = falling};
    for (int turn = 0; turn < 2; turn++) {
        double l1[2], total[4];
        for (int k = 0; k < 2; k++) {
            kb_flow f;
            kb_flow_options o;
            kb_flow_defaults(&c, &o);
            o.nx = 40 << k;
            o.turn = turn;
            flow_run(&f, &c, &o, "ader_weno", "cpu-simd");
            l1[k] = kb_flow_exact_error(&f).l1;
            kb_flow_totals(&f, total);
            assert_near("momentum", total[1 + turn], 2 * 3, 1e-12);
            assert_near("energy", total[3], 2 * (2.5 + 0.5 * 9), 1e-12);
            kb_flow_close(&f);
        }
        assert_true(log2(l1[0] / l1[1]) > 2);
    }
}

/* Between the waves and within them, seen from the left wave; a: ahead of it. A rarefaction keeps
 * p/rho^gamma and u + 2c/(gamma - 1) and has the slope x/t = u - c; a shock keeps the fluxes in its
 * own frame. */
static void check_left_wave(kb_riemann_state a, kb_riemann_state b, double s)
{
    const double gamma = 1.4;
    double c0 = sqrt(gamma * a.p / a.rho), c = sqrt(gamma * b.p / b.rho);
    if (b.p > a.p * (1 + 1e-12)) {
        double w = (b.rho * b.u - a.rho * a.u) / (b.rho - a.rho); /* of the shock */
        double flux = a.rho * (a.u - w);
        assert_true(s > w - 1e-9 * c0 && w < a.u - c0);
        assert_near("momentum", b.p + flux * (b.u - w), a.p + flux * (a.u - w), 1e-9);
        assert_near("energy", 3.5 * b.p / b.rho + 0.5 * (b.u - w) * (b.u - w),
                    3.5 * a.p / a.rho + 0.5 * (a.u - w) * (a.u - w), 1e-9);
        return;
    }
    assert_near("entropy", b.p * pow(a.rho / b.rho, gamma), a.p, 1e-10);
    assert_true(fabs(b.u + 5 * c - a.u - 5 * c0) < 1e-9 * (c0 + fabs(a.u)));
}

/* u and p rise and fall steadily, and each state follows from that ahead of its wave */
static void check_profile(kb_riemann_state l, kb_riemann_state r)
{
    double p, u, cl = sqrt(1.4 * l.p / l.rho), cr = sqrt(1.4 * r.p / r.rho);
    kb_riemann_star(l, r, 1.4, &p, &u);
    double from = fmin(l.u - 4 * cl, u - 60), to = fmax(r.u + 4 * cr, u + 60);
    for (int k = 0; k <= 4000; k++) {
        double s = from + (to - from) * k / 4000;
        kb_riemann_state at = kb_riemann_sample(l, r, 1.4, s);
        bool left = s <= u;
        double c = sqrt(1.4 * at.p / at.rho), slope = at.u + (left ? -c : c);
        bool star = fabs(at.p - p) <= 1e-10 * p, ahead = at.p == (left ? l.p : r.p);
        assert_true(!star || fabs(at.u - u) <= 1e-9 * (c + fabs(u)));
        if (!star && !ahead) /* in a fan */
            assert_true(fabs(slope - s) <= 1e-9 * (c + fabs(s)));
        if (!ahead && left)
            check_left_wave(l, at, s);
        else if (!ahead)
            check_left_wave((kb_riemann_state){r.rho, -r.u, r.p},
                            (kb_riemann_state){at.rho, -at.u, at.p}, -s);
        else if (at.p < p) /* not yet reached by the shock */
            assert_true(left ? s < l.u - cl : s > r.u + cr);
        else /* nor by the fan */
            assert_true(star || (left ? s <= l.u - cl : s >= r.u + cr));
    }
}

/* Toro (2009), table 4.3: pressure and speed between the waves */
TEST(exact_riemann_solutions)
{
    static const struct { kb_riemann_state l, r; double p, u; } list[] = {
        {{1, 0, 1}, {0.125, 0, 0.1}, 0.30313, 0.92745},
        {{1, -2, 0.4}, {1, 2, 0.4}, 0.00189, 0},
        {{1, 0, 1000}, {1, 0, 0.01}, 460.894, 19.5975},
        {{1, 0, 0.01}, {1, 0, 100}, 46.0950, -6.19633},
        {{5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 1691.64, 8.68975},
        {{0.445, 0.698, 3.528}, {0.5, 0, 0.571}, 2.466098, 1.528723}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        double p, u;
        kb_riemann_star(list[i].l, list[i].r, 1.4, &p, &u);
        assert_near("p*", p, list[i].p, i == 1 ? 3e-3 : 1e-5);
        assert_true(fabs(u - list[i].u) <= 1e-5 * (1 + fabs(u)));
        check_profile(list[i].l, list[i].r);
    }
}

/* the cell of it, for x > 0.5 */
static int largest_density(const kb_flow *f)
{
    int high = f->stage.grid.nx - 1;
    for (int i = 0; i < f->stage.grid.nx; i++)
        if (kb_flow_x(f, i) > 0.5 && kb_flow_density(f, i, 0) > kb_flow_density(f, high, 0))
            high = i;
    return high;
}

/* against a run of 1600 cells, whose largest density is top, at x = place unless NAN: l1 has the
 * mean error of the density and, unless 0, its largest value */
static void against_a_fine_run(const char *name, const expected *list, int count, double top,
                               double place, double share)
{
    kb_flow fine, f;
    kb_flow_options o;
    const kb_flow_case *c = flow_case(name, &o);
    o.nx = 1600;
    flow_run(&fine, c, &o, "mp5", "cpu-simd");
    int high = largest_density(&fine);
    assert_near(name, kb_flow_density(&fine, high, 0), top, 1e-3);
    if (!isnan(place))
        assert_near(name, kb_flow_x(&fine, high), place, 1e-3);
    for (int k = 0; k < count; k++) {
        o.nx = list[k].n[0];
        o.variables = list[k].variables;
        flow_run(&f, c, &o, list[k].scheme, "cpu-simd");
        assert_near(list[k].scheme, kb_flow_fine_error(&f, &fine).l1, list[k].l1[0], share);
        if (list[k].l1[1] > 0)
            assert_near(list[k].scheme, kb_flow_density(&f, largest_density(&f), 0), list[k].l1[1],
                        2e-3);
        kb_flow_close(&f);
    }
    kb_flow_close(&fine);
}

TEST(shu_osher)
{
    static const expected list[] = {
        {"shu", "mp5", CONS, 0.4, {200}, {3.7e-2, 4.449}},
        {"shu", "weno5", CONS, 0.4, {200}, {4.7e-2, 4.391}},
        {"shu", "weno5_js", CONS, 0.4, {200}, {6.4e-2, 4.175}},
        {"shu", "mp5_paper", CONS, 0.4, {200}, {6.5e-2, 4.136}},
        {"shu", "mp5", CONS, 0.4, {400}, {1.0e-2}}};
    against_a_fine_run("shu", list, 5, 4.673, NAN, 0.05);
}

TEST(blast_waves)
{
    static const expected list[] = {
        {"blast", "mp5", CONS, 0.4, {400}, {4.0e-2, 6.42}},
        {"blast", "mp5", PRIM, 0.4, {400}, {4.7e-2, 6.21}},
        {"blast", "weno5", CONS, 0.4, {400}, {5.3e-2, 6.34}},
        {"blast", "weno5", PRIM, 0.4, {400}, {6.0e-2, 6.15}}};
    against_a_fine_run("blast", list, 4, 6.49, 0.771, 0.05);
}

TESTS(flow_one_thread, NULL)
