/* SPDX-License-Identifier: MIT
 *
 * Flows without a formula for the answer: the step, the corner, planar shocks, the Rayleigh-Taylor
 * instability; and invalid input.
 */
#include "tests/test.h"
#include "tests/unit/flow_run.h"

typedef struct {
    double rho_low, rho_high, p_low, v_high;
} extent;

static extent extent_of(const kb_flow *f)
{
    extent e = {INFINITY, 0, INFINITY, 0};
    for (int j = 0; j < f->stage.grid.ny; j++)
        for (int i = 0; i < f->stage.grid.nx; i++) {
            kb_flow_point p;
            if (kb_flow_is_solid(f, i, j))
                continue;
            kb_flow_cell(f, i, j, &p);
            e.rho_low = fmin(e.rho_low, p.rho[0]);
            e.rho_high = fmax(e.rho_high, p.rho[0]);
            e.p_low = fmin(e.p_low, p.p);
            e.v_high = fmax(e.v_high, fabs(p.v));
        }
    return e;
}

/* x of the first cell of row j whose pressure is above level */
static double front(const kb_flow *f, int j, double level)
{
    for (int i = 0; i < f->stage.grid.nx; i++) {
        kb_flow_point p;
        kb_flow_cell(f, i, j, &p);
        if (p.p > level)
            return kb_flow_x(f, i);
    }
    return NAN;
}

/* bow shock on the floor and Mach stem under the roof, as an independent program puts them */
TEST(step_with_nets)
{
    static const struct {
        int nx;
        kb_flow_riemann riemann;
        kb_flow_variables variables;
        double bow, stem, low, p_low; /* 0: not known */
    } list[] = {{120, KB_FLOW_HLLC, KB_FLOW_CONSERVED, 0.31, 0.61, 0.50, 0.40},
                {60, KB_FLOW_HLLC, KB_FLOW_PRIMITIVE, 0.34, 0.64, 0, 0},
                {60, KB_FLOW_HLLC_LM, KB_FLOW_CONSERVED, 0.31, 0.61, 0.32, 0}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        kb_flow f;
        kb_flow_options o;
        const kb_flow_case *c = flow_case("step", &o);
        o.nx = list[k].nx;
        o.riemann = list[k].riemann;
        o.variables = list[k].variables;
        flow_run(&f, c, &o, "mp5", "cpu-simd");
        assert_near("bow shock", front(&f, 0, 5), list[k].bow, 0.09);
        assert_near("stem", front(&f, o.ny - 1, 5), list[k].stem, 0.06);
        if (list[k].low > 0)
            assert_near("least density", extent_of(&f).rho_low, list[k].low, 0.05);
        if (list[k].p_low > 0)
            assert_near("least pressure", extent_of(&f).p_low, list[k].p_low, 0.05);
        assert_true(f.nets.scaled > 0 && f.nets.blended > 0);
        assert_below("share of blended faces", (double)f.nets.blended / (double)f.faces, 5e-3);
        kb_flow_close(&f);
    }
}

/* heavy gas below y = 0.5, light gas from there on */
TEST(the_interface_is_of_light_gas)
{
    static const char *const names[] = {"rt-linear", "rayleigh-taylor"};
    for (int k = 0; k < 2; k++) {
        kb_flow_options o;
        kb_flow_point p;
        const kb_flow_case *c = flow_case(names[k], &o);
        for (int side = -1; side <= 1; side++) {
            c->state(c, 0.1, 0.5 + side / 1024., 0, &p);
            assert_true(p.rho[0] == (side < 0 ? 2 : 1));
        }
    }
}

/* the numbers of the message are those of the run, whose state is that before the step */
static void check_end(const kb_flow *f, const char *text)
{
    static const char words[] = "step %ld (t = %lf, dt = %lf): density, pressure or temperature of "
        "cell (%d, %d) at x = %lf, y = %lf would be impossible; before the step density = %lf, "
        "u = %lf, v = %lf, p = %lf";
    long step;
    int i, j;
    double t, dt, x, y, rho;
    kb_flow_point p, is;
    if (sscanf(text, words, &step, &t, &dt, &i, &j, &x, &y, &rho, &p.u, &p.v, &p.p) != 11)
        fail_msg("%s", text);
    kb_flow_cell(f, i, j, &is);
    assert_int_equal(step, f->step + 1);
    assert_true(!kb_flow_is_solid(f, i, j));
    const double told[] = {t, dt, x, y, rho, p.u, p.v, p.p};
    const double right[] = {f->t, f->options.cfl / f->health.rate, kb_flow_x(f, i), kb_flow_y(f, j),
                            is.rho[0], is.u, is.v, is.p};
    for (int k = 0; k < 8; k++)
        if (!(fabs(told[k] - right[k]) <= 6e-6 * fabs(right[k])))
            fail_msg("number %d of '%s' is %g", k, text, right[k]);
}

/* without nets the full limiter does not survive the corner; the one that the paper prints does */
TEST(step_without_nets)
{
    static const struct { const char *scheme; kb_flow_riemann riemann; kb_flow_variables variables;
                          double end; } list[] = {
        {"mp5", KB_FLOW_HLLC, KB_FLOW_CONSERVED, 0.81},
        {"mp5", KB_FLOW_HLLE, KB_FLOW_PRIMITIVE, 0.66},
        {"mp5_paper", KB_FLOW_HLLE, KB_FLOW_CONSERVED, 4}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        kb_flow f;
        kb_flow_options o;
        kb_error err = {0};
        const kb_flow_case *c = flow_case("step", &o);
        o.nets = 0;
        o.riemann = list[k].riemann;
        o.variables = list[k].variables;
        flow_open(&f, c, &o, list[k].scheme, "cpu-simd");
        int code = kb_flow_run(&f, o.end, NULL, NULL, &err);
        assert_int_equal(code, list[k].end < 4 ? KB_INVALID : KB_OK);
        assert_near(list[k].scheme, f.t, list[k].end, 0.05);
        if (code) {
            assert_non_null(strstr(err.text, "cell (2"));
            check_end(&f, err.text);
        } else {
            assert_near("least density", extent_of(&f).rho_low, 0.25, 0.05);
            assert_near("least pressure", extent_of(&f).p_low, 0.11, 0.05);
        }
        kb_flow_close(&f);
    }
}

/* scaling alone does not save a strong shock at a corner, scaling and blending do */
TEST(corner_of_mach_5)
{
    for (int nets = 0; nets < 4; nets += nets ? 2 : 1) { /* none, scaling, both */
        kb_flow f;
        kb_flow_options o;
        kb_error err = {0};
        const kb_flow_case *c = flow_case("diffraction-5", &o);
        o.nets = nets;
        o.riemann = KB_FLOW_HLLC;
        o.nx = 75;
        o.ny = 50;
        flow_open(&f, c, &o, "mp5", "cpu-simd");
        int code = kb_flow_run(&f, o.end, NULL, NULL, &err);
        if (nets < 3) {
            assert_int_equal(code, KB_INVALID);
            assert_true(f.step > 30 && f.step < 55);
        } else {
            assert_int_equal(code, KB_OK);
            assert_true(extent_of(&f).rho_low > 0.05 && extent_of(&f).p_low > 0.1);
        }
        kb_flow_close(&f);
    }
}

/* a weaker one needs none */
TEST(corner_of_mach_2_4)
{
    for (int nets = 0; nets < 4; nets += 3) {
        kb_flow f;
        kb_flow_options o;
        const kb_flow_case *c = flow_case("diffraction", &o);
        o.nets = nets;
        o.riemann = KB_FLOW_HLLC;
        flow_run(&f, c, &o, "mp5", "cpu-simd");
        assert_near("least density", extent_of(&f).rho_low, 0.38, 0.05);
        assert_near("least pressure", extent_of(&f).p_low, 0.30, 0.05);
        kb_flow_close(&f);
    }
}

/* the carbuncle: hllc lets noise grow behind a planar shock, hlle and hllc_lm do not */
TEST(planar_shock)
{
    static const struct { kb_flow_riemann riemann; double least, most; } list[] = {
        {KB_FLOW_HLLC, 5e-3, 1}, {KB_FLOW_HLLE, 0, 2e-3}, {KB_FLOW_HLLC_LM, 0, 4e-3}};
    for (int k = 0; k < 3; k++) {
        kb_flow f;
        kb_flow_options o;
        const kb_flow_case *c = flow_case("planar", &o);
        o.ny = 8;
        o.riemann = list[k].riemann;
        flow_run(&f, c, &o, "mp5", "cpu-simd");
        double v = extent_of(&f).v_high;
        if (v < list[k].least || v > list[k].most)
            fail_msg("Riemann solver %d: transverse speed %g", (int)list[k].riemann, v);
        /* it went from x = 2 to 18 */
        kb_flow_point behind, ahead;
        double sum = 0;
        for (int i = 256; i < 280; i++) {
            kb_flow_cell(&f, i, 4, &behind);
            sum += behind.p / 24;
        }
        kb_flow_cell(&f, 292, 4, &ahead);
        assert_near("pressure behind the shock", sum, 1 + 7.0 / 6 * 35, k ? 0.01 : 0.06);
        assert_near("pressure ahead of it", ahead.p, 1, 1e-6);
        kb_flow_close(&f);
    }
}

TEST(place_of_a_single_cell)
{
    kb_flow f = {.stage.grid = {.nx = 1, .ny = 1, .x0 = 0.25, .y0 = 0.5, .dx = 1, .dy = 1}};
    assert_true(kb_flow_x(&f, 0) == 0.25 && kb_flow_y(&f, 0) == 0.5);
}

/* twice the integral of rho cos(kx), over that of the state at rest: the amplitude of the
 * interface */
static double amplitude(const kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid;
    double sum = 0, k = 8 * M_PI;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            sum += kb_flow_density(f, i, j) * cos(k * kb_flow_x(f, i)) * g->dy / g->nx;
    return fabs(2 * sum);
}

/* theory: e/s sinh(s t) times the jump of the density, s = sqrt(A g k) */
TEST(rayleigh_taylor_growth)
{
    static const struct { double t, ratio; } list[] = {{0.1, 1.039}, {0.5, 1.004}, {1.0, 0.963}};
    double s = sqrt(8 * M_PI / 3);
    kb_flow f;
    kb_flow_options o;
    const kb_flow_case *c = flow_case("rt-linear", &o);
    o.nx = 32;
    o.ny = 128;
    flow_open(&f, c, &o, "mp5", "cpu-simd");
    for (int k = 0; k < 3; k++) {
        assert_works(kb_flow_run(&f, list[k].t, NULL, NULL, &err));
        double theory = 1e-3 / s * sinh(s * list[k].t);
        assert_near("growth", amplitude(&f) / theory, list[k].ratio, 0.03);
    }
    kb_flow_close(&f);
}

TEST(rayleigh_taylor_symmetry)
{
    static const struct { const char *name; double low, high; } list[] = {
        {"rayleigh-taylor", 0.293, 0.746}, {"rayleigh-taylor-walls", 0.301, 0.754}};
    for (int k = 0; k < 2; k++) {
        kb_flow f;
        kb_flow_options o;
        double skew = 0, low = 1, high = 0;
        const kb_flow_case *c = flow_case(list[k].name, &o);
        o.nx = 16;
        o.ny = 64;
        flow_run(&f, c, &o, "mp5", "cpu-simd");
        for (int j = 0; j < o.ny; j++)
            for (int i = 0; i < o.nx; i++) {
                double rho = kb_flow_density(&f, i, j);
                skew = larger(skew, fabs(rho - kb_flow_density(&f, o.nx - 1 - i, j)));
                if (rho < 1.5)
                    low = fmin(low, kb_flow_y(&f, j));
                else
                    high = fmax(high, kb_flow_y(&f, j));
            }
        assert_below("asymmetry", skew, 1e-10);
        assert_near("lowest light gas", low, list[k].low, 0.03);
        assert_near("highest heavy gas", high, list[k].high, 0.02);
        kb_flow_close(&f);
    }
}

static void refused(const char *name, const char *scheme, const kb_flow_options *change,
                    const char *expected)
{
    kb_flow f;
    kb_error err = {0};
    kb_flow_options o;
    const kb_flow_case *c = flow_case(name, &o);
    if (change->nx) o.nx = change->nx;
    if (change->ny) o.ny = change->ny;
    if (change->cfl != 0) o.cfl = change->cfl;
    if (change->end != 0) o.end = change->end;
    if (change->noise != 0) o.noise = change->noise;
    if (change->variables) o.variables = change->variables;
    const kb_flow_engine *e = kb_flow_find_engine(scheme, "cpu-simd", 1, &err);
    assert_int_equal(kb_flow_open(&f, c, &o, e, &err), KB_INVALID);
    if (!strstr(err.text, expected))
        fail_msg("'%s' does not say '%s'", err.text, expected);
    kb_flow_close(&f);
}

TEST(impossible_input)
{
    kb_error err = {0};
    refused("sod", "mp5", &(kb_flow_options){.nx = 3}, "nx = 3");
    refused("sod", "mp5", &(kb_flow_options){.ny = 2}, "one dimension");
    refused("step", "mp5", &(kb_flow_options){.ny = 2}, "ny = 2");
    refused("step", "mp5", &(kb_flow_options){.nx = 100000, .ny = 100000}, "more than");
    refused("sod", "mp5", &(kb_flow_options){.cfl = -1}, "cfl = -1");
    refused("sod", "mp5", &(kb_flow_options){.cfl = NAN}, "cfl = nan");
    refused("sod", "mp5", &(kb_flow_options){.end = INFINITY}, "end = inf");
    refused("sod", "mp5", &(kb_flow_options){.noise = 1}, "noise = 1");
    refused("step", "mp5_transverse", &(kb_flow_options){0}, "solid cells (case step");
    refused("contact", "mp5", &(kb_flow_options){0}, "2 species");
    assert_null(kb_flow_case_path("soda", &err));
    assert_non_null(strstr(err.text, "no case 'soda': there are 123, blast, contact"));
    assert_null(kb_flow_find_engine("mp6", "cpu-simd", 1, &err));
    assert_null(kb_flow_find_engine("mp5", "cpu", 1, &err));
}

TESTS(flow_one_thread, NULL)
