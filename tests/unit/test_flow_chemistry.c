/* SPDX-License-Identifier: MIT
 *
 * Flow in the gas of a mechanism, with chemistry: splitting, conservation, contacts, a detonation.
 */
#include "tests/test.h"
#include "tests/unit/flow_gas.h"

static flow_gas h2co;
static double fresh[KB_FLOW_SPECIES];

static int open_gas(void **state)
{
    flow_one_thread(state);
    if (flow_gas_open(&h2co, "h2co", "h2co"))
        return 1;
    flow_mixture(&h2co, "H2:2,O2:1,AR:7", fresh);
    return 0;
}

FIXTURE(close_gas)
{
    kb_mech_free(&h2co.m);
    return 0;
}

static const kb_flow_engine *engine(const char *scheme, const char *name)
{
    const kb_flow_engine *e;
    assert_works(!(e = kb_flow_mechanism_engine(h2co.e, scheme, name, &err)));
    return e;
}

/* two halves of a periodic line: T, composition and p on each, one speed */
typedef struct {
    double T[2], u, p;
    const double *Y[2];
} halves;

static void two_halves(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    const halves *h = c->data;
    int k = x > 0.25 && x < 0.75;
    (void)y, (void)t;
    flow_densities(&h2co, h->T[k], h->p, h->Y[k], p->rho);
    p->u = h->u;
    p->v = 0;
    p->p = h->p;
}

static kb_flow_case line_case(const halves *h, double end)
{
    return (kb_flow_case){.name = "halves", .x1 = 1, .nx = 100, .nsp = h2co.m.nspecies, .end = end,
                          .cfl = 0.4, .variables = KB_FLOW_PRIMITIVE, .data = h,
                          .state = two_halves};
}

/* eight cells of the case with the chemistry of this solver */
static void open_reacting(kb_flow *f, kb_flow_chemistry *chem, const kb_flow_case *c,
                          const char *solver)
{
    kb_flow_options o;
    kb_flow_defaults(c, &o);
    o.nx = 8;
    flow_chemistry(&h2co, chem, solver);
    assert_works(kb_flow_open(f, c, &o, engine("mp5", "cpu-simd"), &err));
    f->chemistry = chem;
}

/* a box at rest without gradients is one call of the solver at constant volume */
TEST(closed_box)
{
    const halves h = {{1400, 1400}, 0, 1e5, {fresh, fresh}};
    double end = 1e-4, expected[KB_FLOW_SPECIES + 1];
    kb_flow_case c = line_case(&h, end);
    kb_error err = {0};
    double begin[KB_FLOW_SPECIES + 2] = {1400, 1e5};
    memcpy(begin + 2, fresh, (size_t)h2co.m.nspecies * sizeof *begin);
    assert_int_equal(h2co.s->trajectory(h2co.s, begin, KB_CONST_V, 1e-10, 1e-16, 1, &end, expected,
                                        &err), KB_OK);
    assert_true(expected[0] > 2500); /* it has burnt */
    for (int split = 0; split < 2; split++) {
        kb_flow f;
        kb_flow_chemistry chem;
        open_reacting(&f, &chem, &c, "rodas4:rtol=1e-8:atol=1e-14");
        chem.splitting = (kb_flow_splitting)split;
        double before[KB_FLOW_SPECIES + 3], after[KB_FLOW_SPECIES + 3];
        kb_flow_totals(&f, before);
        while (f.t < end * (1 - 1e-12)) /* 20 steps: fewer than the CFL number allows */
            assert_works(kb_flow_step(&f, fmin(end / 20, end - f.t), &err));
        assert_works(kb_flow_finish(&f, &err));
        const kb_flow_grid *g = &f.stage.grid;
        double T = f.w[(g->nsp + 4) * g->plane + kb_flow_at(g, 3, 0)];
        assert_near("T", T, expected[0], 1e-6);
        double cell[KB_FLOW_SPECIES + 2], sum = 0;
        kb_flow_gather(&f, 3, 0, cell);
        for (int s = 0; s < g->nsp; s++)
            sum += cell[2 + s];
        assert_near("T of a gathered cell", cell[0], T, 0);
        assert_near("sum of its Y", sum, 1, 1e-14);
        double rho = kb_flow_density(&f, 3, 0);
        for (int s = 0; s < g->nsp; s++)
            assert_true(fabs(f.q[0][s * g->plane + kb_flow_at(g, 3, 0)] / rho - expected[1 + s]) <
                        1e-6);
        kb_flow_totals(&f, after);
        assert_near("energy", after[g->nsp + 2], before[g->nsp + 2], 1e-12);
        kb_flow_close(&f);
        kb_flow_chemistry_close(&chem);
    }
}

static void *no_memory(size_t size) { return (void)size, NULL; }

TEST(no_memory_for_cells)
{
    const halves h = {{1400, 1400}, 0, 1e5, {fresh, fresh}};
    kb_flow_case c = line_case(&h, 1e-4);
    kb_error err = {0};
    kb_flow f;
    kb_flow_chemistry chem;
    open_reacting(&f, &chem, &c, "rodas4");
    kb_flow_engine none = *f.engine;
    const kb_flow_engine *whole = f.engine;
    none.alloc = no_memory;
    f.engine = &none;
    size_t size = 8 * ((2 * (size_t)h2co.m.nspecies + 3) * 8 + sizeof(kb_count) + 8) +
                  (size_t)f.stage.grid.plane;
    kb_owned char *expected = kb_format("chemistry: no memory for 8 cells (%.3g GB)",
                                        1e-9 * (double)size);
    assert_int_equal(kb_flow_react(&f, 1e-6, &err), KB_INVALID);
    assert_string_equal(err.text, expected);
    f.engine = whole; /* it may be found later */
    assert_int_equal(kb_flow_react(&f, 1e-6, &err), KB_OK);
    assert_int_equal(chem.odes, 8);
    kb_flow_close(&f);
    kb_flow_chemistry_close(&chem);
}

/* the attempts of a cell as one byte, 255 at most */
TEST(cost_of_a_cell)
{
    static const char *const solver[] = {"rodas4", "ros3:rtol=1e-10:atol=1e-18"};
    const halves h = {{1400, 1400}, 0, 1e5, {fresh, fresh}};
    kb_flow_case c = line_case(&h, 1e-4);
    for (int k = 0; k < 2; k++) {
        kb_flow f;
        kb_flow_chemistry chem;
        open_reacting(&f, &chem, &c, solver[k]);
        chem.splitting = KB_FLOW_GODUNOV;
        assert_works(kb_flow_step(&f, 1e-4, &err));
        long each = chem.attempts / 8;
        assert_true(each > 0 && (k ? each > 255 : each < 255));
        assert_int_equal(kb_flow_cost(&f, 3, 0), k ? 255 : each);
        kb_flow_close(&f);
        kb_flow_chemistry_close(&chem);
    }
}

/* The polynomials of most species do not quite meet at 1000 K */
TEST(gap_at_Tmid)
{
    static const char *const engines[] = {"cpu-scalar", "cpu-simd"};
    const halves h = {{1000, 1000}, 0, 1e5, {fresh, fresh}};
    kb_flow_case c = line_case(&h, 1e-4);
    for (int e = 0; e < 2; e++) {
        kb_flow f;
        kb_flow_options o;
        kb_flow_defaults(&c, &o);
        o.nx = 401;
        assert_works(kb_flow_open(&f, &c, &o, engine("mp5", engines[e]), &err));
        flow_sweep(&f, &h2co.m, 1000, fresh);
        kb_flow_close(&f);
    }
}

/* the energy of fresh gas at T: is there a T for it? */
static bool has_T(kb_flow *f, double T)
{
    const kb_flow_grid *g = &f->stage.grid;
    long at = kb_flow_at(g, 3, 0);
    f->q[0][(g->nsp + 2) * g->plane + at] = kb_flow_density(f, 3, 0) * kb_mix_u(&h2co.m, T, fresh);
    bool fine = kb_flow_primitive_rows(f).bad < 0;
    assert_true(!fine || fabs(f->w[(g->nsp + 4) * g->plane + at] - T) < 1e-9 * T);
    return fine;
}

TEST(coldest_and_hottest_gas)
{
    static const char *const engines[] = {"cpu-scalar", "cpu-simd"};
    const halves h = {{1000, 1000}, 0, 1e5, {fresh, fresh}};
    kb_flow_case c = line_case(&h, 1e-4);
    kb_error err = {0};
    for (int e = 0; e < 2; e++) {
        kb_flow f;
        kb_flow_options o;
        kb_flow_defaults(&c, &o);
        o.nx = 8;
        assert_int_equal(kb_flow_open(&f, &c, &o, engine("mp5", engines[e]), &err), KB_OK);
        assert_true(has_T(&f, 50.01) && has_T(&f, 9999));
        assert_true(!has_T(&f, 49.99) && !has_T(&f, 10001));
        kb_flow_close(&f);
    }
}

static void near_Tmid(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)c, (void)y, (void)t;
    p->p = 1e5;
    p->u = 300;
    p->v = 0;
    flow_densities(&h2co, 1000 + 1e-3 * sin(2 * M_PI * x), p->p, fresh, p->rho);
}

/* a stream about 1000 K, whose energies pass all that no T has */
TEST(stream_at_Tmid)
{
    kb_flow_case c = line_case(NULL, 1e-4);
    kb_flow_options o;
    kb_flow f;
    c.state = near_Tmid;
    kb_flow_defaults(&c, &o);
    assert_works(kb_flow_open(&f, &c, &o, engine("mp5", "cpu-simd"), &err));
    flow_steps(&f, 200);
    double T = f.w[(f.stage.grid.nsp + 4) * f.stage.grid.plane + kb_flow_at(&f.stage.grid, 9, 0)];
    assert_true(fabs(T - 1000) < 1e-2);
    kb_flow_close(&f);
}

/* T and energy of hot and cold gas, beyond the data of its species too, are those of mech/ */
TEST(gas_is_that_of_mech)
{
    static const char *const engines[] = {"cpu-scalar", "cpu-simd"};
    static const double T[] = {210, 290, 300, 999, 1001, 3400, 3600, 4990, 5100, 6200, 9000};
    for (int e = 0; e < 2; e++)
        for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
            const halves h = {{T[i], T[i]}, 0, 1e5, {fresh, fresh}};
            kb_flow_case c = line_case(&h, 1e-4);
            kb_flow_options o;
            kb_flow f;
            kb_flow_defaults(&c, &o);
            o.nx = 16;
            assert_works(kb_flow_open(&f, &c, &o, engine("mp5", engines[e]), &err));
            const kb_flow_grid *g = &f.stage.grid;
            double rho = kb_flow_density(&f, 3, 0), u = kb_mix_u(&h2co.m, T[i], fresh);
            double size = kb_mix_cp(&h2co.m, T[i], fresh) * T[i];
            assert_true(fabs(f.q[0][(g->nsp + 2) * g->plane + kb_flow_at(g, 3, 0)] / rho - u) <
                        1e-11 * size);
            assert_near("T", f.w[(g->nsp + 4) * g->plane + kb_flow_at(g, 3, 0)], T[i], 1e-10);
            kb_flow_close(&f);
        }
}

/* u = 300 m/s, one turn: T ratios and gases leave a bounded error of the pressure, one T none */
TEST(contacts)
{
    double hot[KB_FLOW_SPECIES], helium[KB_FLOW_SPECIES] = {0};
    const int he = kb_find_species(&h2co.m, "HE");
    flow_mixture(&h2co, "H2O:1,AR:7", hot);
    helium[he] = 1;
    const struct { halves h; double bound; } list[] = {
        {{{298, 2800}, 300, 6670, {fresh, fresh}}, 2e-2},
        {{{298, 2800}, 300, 6670, {fresh, hot}}, 2e-2},
        {{{298, 298}, 300, 6670, {fresh, helium}}, 1e-9}};
    for (size_t k = 0; k < 3; k++) {
        kb_flow f;
        kb_flow_options o;
        kb_error err = {0};
        kb_flow_case c = line_case(&list[k].h, 1 / 300.0);
        double most = 0;
        kb_flow_defaults(&c, &o);
        if (kb_flow_open(&f, &c, &o, engine("mp5", "cpu-simd"), &err) ||
            kb_flow_run(&f, o.end, NULL, NULL, &err))
            fail_msg("contact %zu: %s", k, err.text);
        for (int i = 0; i < o.nx; i++) {
            kb_flow_point p;
            kb_flow_cell(&f, i, 0, &p);
            most = larger(most, fabs(p.p / 6670 - 1));
        }
        assert_below("pressure at a contact", most, list[k].bound);
        kb_flow_close(&f);
    }
}

/* a wave of composition and temperature, at constant u and p */
static void smooth_wave(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    double share = 0.5 + 0.4 * sin(2 * M_PI * (x - 300 * t)), Y[KB_FLOW_SPECIES];
    const double *argon = c->data;
    (void)y;
    for (int s = 0; s < h2co.m.nspecies; s++)
        Y[s] = share * fresh[s] + (1 - share) * argon[s];
    flow_densities(&h2co, 600 + 400 * share, 1e5, Y, p->rho);
    p->u = 300;
    p->v = 0;
    p->p = 1e5;
}

/* primitive variables: about second order; one stage is as good as three */
TEST(wave_carried_along)
{
    static const char *const schemes[] = {"mp5", "ader_weno"};
    double argon[KB_FLOW_SPECIES], l1[2][2];
    flow_mixture(&h2co, "AR:1", argon);
    kb_flow_case c = {
        .name = "wave", .x1 = 1, .nsp = h2co.m.nspecies, .end = 1 / 300.0, .cfl = 0.4,
        .edge = {KB_FLOW_PERIODIC}, .variables = KB_FLOW_PRIMITIVE, .smooth = true, .exact = true,
        .data = argon, .state = smooth_wave};
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < 2; n++) {
            kb_flow f;
            kb_flow_options o;
            kb_error err = {0};
            kb_flow_defaults(&c, &o);
            o.nx = 40 << n;
            if (kb_flow_open(&f, &c, &o, engine(schemes[k], "cpu-simd"), &err) ||
                kb_flow_run(&f, o.end, NULL, NULL, &err))
                fail_msg("%s: %s", schemes[k], err.text);
            l1[k][n] = kb_flow_exact_error(&f).l1;
            kb_flow_close(&f);
        }
    assert_true(log2(l1[1][0] / l1[1][1]) > 1.75);
    assert_below("error, against three stages", l1[1][1], 1.2 * l1[0][1]);
}

/* atoms of each element, of the totals */
static void count_elements(const double *total, double *atoms)
{
    for (int e = 0; e < h2co.m.nelements; e++) {
        atoms[e] = 0;
        for (int s = 0; s < h2co.m.nspecies; s++)
            atoms[e] += total[s] / h2co.m.species[s].weight * h2co.m.species[s].atoms[e];
    }
}

static void assert_elements_stay(const double *before, const double *after)
{
    double a[KB_MAX_ELEMENTS], b[KB_MAX_ELEMENTS];
    count_elements(before, a);
    count_elements(after, b);
    for (int e = 0; e < h2co.m.nelements; e++)
        if (a[e] > 0)
            assert_near("element", b[e], a[e], 1e-12);
}

/* ten steps with chemistry; elements, momentum along x and energy stay. T of the row j = 0 */
static void burn(const kb_flow_case *c, const kb_flow_options *o, const char *scheme,
                 const char *name, double *T)
{
    double before[KB_FLOW_SPECIES + 3], after[KB_FLOW_SPECIES + 3];
    int nsp = h2co.m.nspecies;
    kb_flow f;
    kb_flow_chemistry chem;
    flow_chemistry(&h2co, &chem, "rodas4@cpu-scalar");
    assert_works(kb_flow_open(&f, c, o, engine(scheme, name), &err));
    kb_flow_totals(&f, before);
    f.chemistry = &chem;
    flow_steps(&f, 10);
    assert_works(kb_flow_finish(&f, &err));
    kb_flow_totals(&f, after);
    assert_elements_stay(before, after);
    assert_near("momentum", after[nsp], before[nsp], 1e-12);
    assert_near("energy", after[nsp + 2], before[nsp + 2], 1e-12);
    for (int i = 0; i < o->nx; i++)
        T[i] = f.w[(nsp + 4) * f.stage.grid.plane + kb_flow_at(&f.stage.grid, i, 0)];
    kb_flow_close(&f);
    kb_flow_chemistry_close(&chem);
}

/* hot and cold halves that burn and mix, along a line and in a box: cpu-scalar and cpu-simd too */
TEST(burning_halves)
{
    static const char *const schemes[] = {"mp5", "ader_weno"};
    const halves h = {{1500, 900}, 100, 1e5, {fresh, fresh}};
    double T[2][60];
    for (int k = 0; k < 4; k++) {
        kb_flow_case c = line_case(&h, 1);
        kb_flow_options o;
        c.y1 = k / 2 ? 0.2 : 0;
        kb_flow_defaults(&c, &o);
        o.nx = k / 2 ? 30 : 60;
        o.ny = k / 2 ? 6 : 1;
        burn(&c, &o, schemes[k % 2], "cpu-simd", T[0]);
        burn(&c, &o, schemes[k % 2], "cpu-scalar", T[1]);
        for (int i = 0; i < o.nx; i++)
            assert_near("T, cpu-scalar and cpu-simd", T[1][i], T[0][i], 1e-11);
    }
}

/* the front is the last place where p falls to a level, whatever is behind it */
TEST(front_of_two_waves)
{
    const halves h = {{300, 300}, 0, 1e5, {fresh, fresh}};
    kb_flow_case c = line_case(&h, 1);
    kb_flow_options o;
    kb_flow f;
    double peak;
    kb_flow_defaults(&c, &o);
    o.nx = 60;
    assert_works(kb_flow_open(&f, &c, &o, engine("mp5", "cpu-simd"), &err));
    const kb_flow_grid *g = &f.stage.grid;
    double *p = f.w + (g->nsp + 2) * g->plane + kb_flow_at(g, 0, 0);
    assert_true(isnan(kb_flow_front(&f, 2e5, &peak))); /* none */
    for (int i = 0; i < o.nx; i++)
        p[i] = i == 10 ? 9e5 : i == 30 ? 4e5 : 1e5;
    double x = kb_flow_x(&f, 30) + 2.0 / 3 * g->dx;
    assert_near("front", kb_flow_front(&f, 2e5, &peak), x, 1e-12);
    assert_near("peak", peak, 9e5, 1e-15);
    kb_flow_close(&f);
}

/* its place and peak are of all rows; a level that is met in a centre is the front; the next rise
 * behind is none */
TEST(front_of_some_rows)
{
    const halves h = {{300, 300}, 0, 1e5, {fresh, fresh}};
    kb_flow_case c = line_case(&h, 1);
    kb_flow_options o;
    kb_flow f;
    double peak;
    c.y1 = 1;
    kb_flow_defaults(&c, &o);
    o.nx = 20;
    o.ny = 4;
    assert_works(kb_flow_open(&f, &c, &o, engine("mp5", "cpu-simd"), &err));
    const kb_flow_grid *g = &f.stage.grid;
    for (int j = 0; j < o.ny; j++) {
        double *p = f.w + (g->nsp + 2) * g->plane + kb_flow_at(g, 0, j);
        for (int i = 0; i < o.nx; i++)
            p[i] = i == 5 + j ? 3e5 + 1e5 * j : i == 6 + j && j < 2 ? 2e5 : 1e5;
        p[15] = 2e5; /* meets the level from below */
    }
    double x[] = {6, 7, 7 + 3. / 4, 8 + 4. / 5}, sum = 0;
    for (int j = 0; j < o.ny; j++)
        sum += kb_flow_x(&f, 0) + x[j] * g->dx;
    assert_near("front", kb_flow_front(&f, 2e5, &peak), sum / 4, 1e-12);
    assert_near("peak", peak, 6e5, 1e-15);
    f.w[(g->nsp + 2) * g->plane + kb_flow_at(g, 7, 2)] = 1e5;
    assert_true(isnan(kb_flow_front(&f, 2e5, &peak))); /* a row without */
    kb_flow_close(&f);
}

/* the line of least squares through places at times, by hand: 2, 5 and 6 at 1, 2 and 3 */
TEST(track_of_a_front)
{
    kb_flow_track r = {0};
    kb_flow_track_add(&r, 1, 2, 30);
    assert_true(r.n == 1 && r.low == 30 && r.high == 30 && r.peak == 30);
    kb_flow_track_add(&r, 2, 5, 10);
    kb_flow_track_add(&r, 3, 6, 20);
    assert_near("speed", kb_flow_track_speed(&r), 2, 1e-14);
    assert_true(r.n == 3 && r.low == 10 && r.high == 30 && r.peak == 60);
}

typedef struct {
    double end, begin;
    kb_flow_track in;
} front;

static int follow(void *data, const kb_flow *f, kb_error *err)
{
    front *r = data;
    double peak, x = kb_flow_front(f, 3 * 6670, &peak);
    (void)err;
    if (f->t >= r->begin)
        kb_flow_track_add(&r->in, f->t - r->end, x, peak);
    return KB_OK;
}

/* from its ZND profile at 7.6 cells of 0.2 mm in an induction length */
TEST(planar_detonation)
{
    kb_flow_znd_start start = {.Y = fresh, .nsp = h2co.m.nspecies, .shock = 0.06};
    double Yb[KB_FLOW_SPECIES];
    assert_works(kb_cj(&h2co.m, 298, 6670, fresh, &start.d, Yb, &err));
    start.D = 1.0005 * start.d.D;
    assert_works(kb_znd_run(&h2co.m, h2co.s, &start.d.fresh, fresh, start.D, 0.07, &start.zone,
                 &err));
    kb_flow f;
    kb_flow_options o;
    kb_flow_case c = *flow_case("detonation", &o);
    kb_flow_chemistry chem;
    kb_flow_detonation_case(&c, &start, 0.2, 80e-6);
    kb_flow_defaults(&c, &o);
    o.nx = 1000;
    flow_chemistry(&h2co, &chem, "rodas4");
    assert_works(kb_flow_open(&f, &c, &o, engine("mp5", "cpu-simd"), &err));
    f.chemistry = &chem;
    front r = {.end = c.end, .begin = 0.6 * c.end};
    assert_works(kb_flow_run(&f, c.end, follow, &r, &err));
    double speed = kb_flow_track_speed(&r.in), peak = r.in.peak / (double)r.in.n;
    assert_near("speed, of that of Chapman and Jouguet", speed / start.d.D, 1, 0.003);
    assert_near("peak pressure, of von Neumann's", peak / start.d.vn.p, 1, 0.015);
    assert_int_equal(chem.redone, 0);
    assert_true((double)chem.attempts / (double)chem.odes < 1.3); /* about one substep a step */
    kb_flow_close(&f);
    kb_flow_chemistry_close(&chem);
    kb_znd_free(&start.zone);
}

static int spoil_last(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    long nsp = h2co.m.nspecies;
    (void)self, (void)err;
    for (long i = 0; i < job->n; i++) {
        const double *s = job->states + i * (nsp + 2);
        double *y = result->y + i * (nsp + 1);
        y[0] = s[0];
        memcpy(y + 1, s + 2, (size_t)nsp * sizeof *y);
        y[2] = i == job->n - 1 ? NAN : y[2];
        result->count[i] = (kb_count){.status = KB_ODE_OK};
    }
    return KB_OK;
}

/* a solver that calls NaN a success ends the run, in the part of chemistry that is last, too */
TEST(nan_called_good)
{
    const halves h = {{1400, 1400}, 0, 1e5, {fresh, fresh}};
    kb_flow_case c = line_case(&h, 1e-4);
    for (int split = 0; split < 2; split++) {
        kb_flow f;
        kb_flow_chemistry chem;
        kb_error err = {0};
        open_reacting(&f, &chem, &c, "rodas4");
        kb_solver good = *chem.solver, spoiling = good;
        spoiling.run = spoil_last;
        chem.solver = &good;
        chem.splitting = (kb_flow_splitting)split;
        assert_works(kb_flow_step(&f, 1e-6, &err));
        chem.solver = &spoiling;
        f.owed = 1e-6;
        assert_int_equal(kb_flow_finish(&f, &err), KB_INVALID);
        assert_non_null(strstr(err.text, "rodas4 called its result good"));
        assert_non_null(strstr(err.text, "of cell (7, 0) at x = 0.9375, y = 0 are"));
        assert_non_null(strstr(err.text, "of step 2 (t = 1e-06, dt = 1e-06 s)"));
        kb_flow_close(&f);
        kb_flow_chemistry_close(&chem);
    }
}

/* every fourth ODE fails, at its start; the name of the status says whose */
static int fail_fourth(const kb_job *job, kb_result *result, int status)
{
    long nsp = h2co.m.nspecies;
    for (long i = 0; i < job->n; i++) {
        const double *s = job->states + i * (nsp + 2);
        result->y[i * (nsp + 1)] = s[0];
        memcpy(result->y + i * (nsp + 1) + 1, s + 2, (size_t)nsp * sizeof *s);
        result->count[i] = (kb_count){.status = i == 3 || job->n == 1 ? status : KB_ODE_OK,
                                      .attempted = 5};
    }
    return KB_OK;
}

static int too_many(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)self, (void)err;
    return fail_fourth(job, result, KB_ODE_TOO_MANY);
}

static int no_newton(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)self, (void)err;
    return fail_fourth(job, result, KB_ODE_NEWTON);
}

/* Cell 3, which alone is left to cvode, gets its result and no other; if cvode fails too, the
 * message has the numbers of the cell. */
TEST(left_to_cvode)
{
    const halves h = {{900, 1400}, 0, 1e5, {fresh, fresh}};
    kb_flow_case c = line_case(&h, 1e-4);
    kb_flow f;
    kb_flow_chemistry chem;
    kb_error err = {0};
    open_reacting(&f, &chem, &c, "rodas4");
    kb_solver failing = *chem.solver, newton = *chem.fallback;
    failing.run = too_many;
    newton.run = no_newton;
    chem.solver = &failing;
    f.step = 41;
    double after[KB_FLOW_SPECIES + 2];
    assert_works(kb_flow_react(&f, 2e-6, &err));
    for (int i = 0; i < 8; i++) {
        kb_flow_gather(&f, i, 0, after);
        assert_true((fabs(after[0] - (i >= 2 && i < 6 ? 1400 : 900)) > 1e-6) == (i == 3));
    }
    assert_true(chem.redone == 1 && chem.odes == 8 && chem.fluid == 8 && chem.skipped == 0);
    assert_true(chem.attempts == 40);
    assert_int_equal(kb_flow_react(&f, 2e-6, &err), KB_OK); /* sums go on */
    assert_true(chem.redone == 2 && chem.odes == 16 && chem.attempts == 80);
    chem.fallback = &newton;
    assert_int_equal(kb_flow_react(&f, 2e-6, &err), KB_INVALID);
    kb_flow_gather(&f, 3, 0, after);
    kb_owned char *right = kb_format(
        "chemistry of cell (3, 0) in step 42 (T = %g K, p = %g Pa, dt = 2e-06 "
        "s): %s by rodas4, %s by cvode",
        after[0], after[1], kb_ode_status_name(KB_ODE_TOO_MANY), kb_ode_status_name(KB_ODE_NEWTON));
    assert_string_equal(err.text, right);
    kb_flow_close(&f);
    kb_flow_chemistry_close(&chem);
}

static void assert_between(const kb_flow_point *p, const kb_flow_znd_start *z, long k, double share)
{
    const kb_znd_point *a = &z->zone.at[k], *b = &z->zone.at[k + 1];
    double rho = a->rho + share * (b->rho - a->rho);
    assert_near("p", p->p, a->p + share * (b->p - a->p), 1e-9);
    assert_near("u", z->D - p->u, a->w + share * (b->w - a->w), 1e-9);
    assert_true(p->v == 0);
    for (int s = 0; s < z->nsp; s++) {
        const double *Y = z->zone.Y + k * z->nsp + s;
        assert_true(fabs(p->rho[s] / rho - Y[0] - share * (Y[z->nsp] - Y[0])) < 1e-9);
    }
}

/* straight lines between the points of the zone, and its last point far behind the shock */
static void check_profile(const kb_flow_case *c, const kb_flow_znd_start *z)
{
    double at = z->shock + 0.05 * z->height;
    long last = z->zone.n - 2;
    kb_flow_point p = {0};
    for (long k = 0; k <= last; k++)
        for (int third = 1; third < 3; third++) {
            double x = z->zone.at[k].x + third * (z->zone.at[k + 1].x - z->zone.at[k].x) / 3;
            c->state(c, at - x, 0, 0, &p);
            assert_between(&p, z, k, third / 3.);
        }
    c->state(c, at - 2 * z->zone.at[last + 1].x, 0, 0, &p);
    assert_between(&p, z, last, 1);
}

/* what it gives a case without lengths and times: those of the reaction zone */
TEST(opened_detonation)
{
    kb_flow_options o;
    kb_flow_case c;
    kb_flow_znd_start z;
    kb_gas_state vn;
    for (int wavy = 0; wavy < 2; wavy++) {
        double height = wavy ? 0.02 : 0;
        c = *flow_case("detonation", &o);
        assert_works(kb_flow_detonation_open(&c, &z, &h2co.m, h2co.s, fresh, 298, 6670, 0, height,
                     0, &err));
        assert_works(kb_frozen_shock(&h2co.m, &z.d.fresh, fresh, z.D, &vn, &err));
        double induction = z.zone.induction, last = z.zone.at[z.zone.n - 1].x;
        assert_near("length", c.x1, 130 * induction, 1e-3);
        assert_near("shock", z.shock, fmin(0.3 * c.x1, 40 * induction), 1e-3);
        assert_near("end", c.end, 0.93 * (c.x1 - z.shock) / z.d.D, 1e-9);
        assert_near("speed", z.D, 1.0005 * z.d.D, 1e-12);
        assert_true(last >= 1.1 * z.shock + 0.1 * height && c.foil == (wavy == 1));
        for (int k = 0; k < 12; k++) {
            double y = height * k / 12, phase = 2 * M_PI * k / 12, rho = 0;
            double at = z.shock + 0.05 * height * (cos(phase) + 0.5 * sin(2 * phase));
            kb_flow_point p = {0};
            c.state(&c, at * (1 + 1e-9), y, 0, &p);
            assert_true(p.p == 6670 && p.u == 0 && p.v == 0);
            c.state(&c, at * (1 - 1e-9), y, 0, &p);
            for (int s = 0; s < c.nsp; s++)
                rho += p.rho[s];
            assert_near("p behind the shock", p.p, vn.p, 1e-4);
            assert_near("density behind the shock", rho, vn.rho, 1e-4);
            assert_near("speed behind the shock", p.u, z.D * (1 - z.d.fresh.rho / vn.rho), 1e-4);
        }
        check_profile(&c, &z);
        kb_znd_free(&z.zone);
    }
}

TEST(impossible_chemistry)
{
    kb_flow_chemistry c;
    kb_error err = {0};
    assert_int_equal(kb_flow_chemistry_open(&c, h2co.s, "rodas44", &err), KB_INVALID);
    kb_owned char *first = kb_format("no solver 'rodas44' for h2co: there are %s@%s ",
                                     h2co.s->solvers[0]->info.name,
                                     h2co.s->solvers[0]->info.engine);
    assert_non_null(strstr(err.text, first));
    assert_fails(kb_flow_chemistry_open(&c, h2co.s, "rodas4@gpu", &err), KB_INVALID,
                 "'rodas4@gpu'");
    assert_fails(kb_flow_chemistry_open(&c, h2co.s, "rodas4:steps=3", &err), KB_INVALID, "steps");
    kb_flow_chemistry_close(&c);
    assert_works(kb_flow_chemistry_open(&c, h2co.s, "cvode", &err));
    assert_string_equal(c.solver->info.engine, "cpu-scalar");
    kb_flow_chemistry_close(&c);
}

TESTS(open_gas, close_gas)
