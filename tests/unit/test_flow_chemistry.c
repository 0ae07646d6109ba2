/* SPDX-License-Identifier: MIT
 *
 * Flow in the gas of a mechanism, with chemistry: splitting, conservation, contacts, a detonation.
 */
#include "tests/unit/flow_run.h"

#include "flow/exported.h"
#include "flow/reactive.h"
#include "mech/thermo/thermo.h"
#include "pasr/generators/common/mixture.h"

typedef struct {
    kb_mech m;
    const kb_solvers *s;
    const kb_flow_engines *e;
    double Y[KB_FLOW_SPECIES];
} gas;

static gas h2co;

static void mixture(const char *text, double *Y)
{
    kb_error err = {0};
    double X[KB_FLOW_SPECIES];
    if (kb_mole_fractions(&h2co.m, "mixture", text, X, &err))
        fail_msg("%s", err.text);
    kb_X_to_Y(&h2co.m, X, Y);
}

static int open_gas(void **state)
{
    kb_error err = {0};
    flow_one_thread(state);
    h2co.s = kb_solvers_open("h2co", &err);
    h2co.e = kb_flow_engines_open("h2co", &err);
    if (!h2co.s || !h2co.e || kb_mech_load(&h2co.m, "datasets/mechanisms/h2co.yaml", NULL, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    mixture("H2:2,O2:1,AR:7", h2co.Y);
    return 0;
}

static int close_gas(void **state)
{
    (void)state;
    kb_mech_free(&h2co.m);
    return 0;
}

static const kb_flow_engine *engine(const char *scheme, const char *name)
{
    kb_error err = {0};
    const kb_flow_engine *e = kb_flow_mechanism_engine(h2co.e, scheme, name, &err);
    if (!e)
        fail_msg("%s", err.text);
    return e;
}

static void open_chemistry(kb_flow_chemistry *c, const char *text)
{
    kb_error err = {0};
    if (kb_flow_chemistry_open(c, h2co.s, text, &err))
        fail_msg("%s", err.text);
    c->threads = 1;
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
    double rho = kb_density(&h2co.m, h->T[k], h->p, h->Y[k]);
    for (int s = 0; s < h2co.m.nspecies; s++)
        p->rho[s] = rho * h->Y[k][s];
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

/* a box at rest without gradients is one call of the solver at constant volume */
static void closed_box(void **state)
{
    const halves h = {{1400, 1400}, 0, 1e5, {h2co.Y, h2co.Y}};
    double end = 1e-4, expected[KB_FLOW_SPECIES + 1];
    kb_flow_case c = line_case(&h, end);
    kb_error err = {0};
    (void)state;
    double begin[KB_FLOW_SPECIES + 2] = {1400, 1e5};
    memcpy(begin + 2, h2co.Y, (size_t)h2co.m.nspecies * sizeof *begin);
    assert_int_equal(h2co.s->trajectory(begin, KB_CONST_V, 1e-10, 1e-16, 1, &end, expected, &err),
                     KB_OK);
    assert_true(expected[0] > 2500); /* it has burnt */
    for (int split = 0; split < 2; split++) {
        kb_flow f;
        kb_flow_chemistry chem;
        kb_flow_options o;
        kb_flow_defaults(&c, &o);
        o.nx = 8;
        open_chemistry(&chem, "rodas4:rtol=1e-8:atol=1e-14");
        chem.splitting = (kb_flow_splitting)split;
        assert_int_equal(kb_flow_open(&f, &c, &o, engine("mp5", "cpu-simd"), &err), KB_OK);
        double before[KB_FLOW_SPECIES + 3], after[KB_FLOW_SPECIES + 3];
        kb_flow_totals(&f, before);
        f.chemistry = &chem;
        while (f.t < end * (1 - 1e-12)) /* 20 steps: fewer than the CFL number allows */
            if (kb_flow_step(&f, fmin(end / 20, end - f.t), &err))
                fail_msg("%s", err.text);
        assert_int_equal(kb_flow_finish(&f, &err), KB_OK);
        const kb_flow_grid *g = &f.stage.grid;
        double T = f.w[(g->nsp + 4) * g->plane + kb_flow_at(g, 3, 0)];
        assert_near("T", T, expected[0], 1e-6);
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

/* u = 300 m/s, one turn: T ratios and gases leave a bounded error of the pressure, one T none */
static void contacts(void **state)
{
    double hot[KB_FLOW_SPECIES], helium[KB_FLOW_SPECIES] = {0};
    const int he = kb_find_species(&h2co.m, "HE");
    (void)state;
    mixture("H2O:1,AR:7", hot);
    helium[he] = 1;
    const struct { halves h; double bound; } list[] = {
        {{{298, 2800}, 300, 6670, {h2co.Y, h2co.Y}}, 2e-2},
        {{{298, 2800}, 300, 6670, {h2co.Y, hot}}, 2e-2},
        {{{298, 298}, 300, 6670, {h2co.Y, helium}}, 1e-9}};
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
            most = fmax(most, fabs(p.p / 6670 - 1));
        }
        assert_below("pressure at a contact", most, list[k].bound);
        kb_flow_close(&f);
    }
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

/* hot and cold halves that burn and mix: elements, momentum, energy; scalar and simd */
static void burning_line(void **state)
{
    const halves h = {{1500, 900}, 100, 1e5, {h2co.Y, h2co.Y}};
    kb_flow_case c = line_case(&h, 1);
    double before[KB_FLOW_SPECIES + 3], after[KB_FLOW_SPECIES + 3], T[2][60];
    double a[KB_MAX_ELEMENTS], b[KB_MAX_ELEMENTS];
    static const char *const engines[] = {"cpu-simd", "cpu-scalar"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        kb_flow f;
        kb_flow_options o;
        kb_error err = {0};
        kb_flow_chemistry chem;
        kb_flow_defaults(&c, &o);
        o.nx = 60;
        open_chemistry(&chem, "rodas4@cpu-scalar");
        assert_int_equal(kb_flow_open(&f, &c, &o, engine("mp5", engines[k]), &err), KB_OK);
        kb_flow_totals(&f, before);
        f.chemistry = &chem;
        flow_steps(&f, 10);
        assert_int_equal(kb_flow_finish(&f, &err), KB_OK);
        kb_flow_totals(&f, after);
        count_elements(before, a);
        count_elements(after, b);
        for (int e = 0; e < h2co.m.nelements; e++)
            if (a[e] > 0)
                assert_near("element", b[e], a[e], 1e-12);
        int nsp = h2co.m.nspecies;
        assert_near("momentum", after[nsp], before[nsp], 1e-12);
        assert_near("energy", after[nsp + 2], before[nsp + 2], 1e-12);
        const kb_flow_grid *g = &f.stage.grid;
        for (int i = 0; i < 60; i++)
            T[k][i] = f.w[(nsp + 4) * g->plane + kb_flow_at(g, i, 0)];
        kb_flow_close(&f);
        kb_flow_chemistry_close(&chem);
    }
    for (int i = 0; i < 60; i++)
        assert_near("T, cpu-scalar and cpu-simd", T[1][i], T[0][i], 1e-11);
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
static void planar_detonation(void **state)
{
    kb_flow_znd_start start = {.Y = h2co.Y, .nsp = h2co.m.nspecies, .shock = 0.06};
    kb_error err = {0};
    double Yb[KB_FLOW_SPECIES];
    (void)state;
    assert_int_equal(kb_cj(&h2co.m, 298, 6670, h2co.Y, &start.d, Yb, &err), KB_OK);
    start.D = 1.0005 * start.d.D;
    if (kb_znd_run(&h2co.m, h2co.s, &start.d.fresh, h2co.Y, start.D, 0.07, &start.zone, &err))
        fail_msg("%s", err.text);
    kb_flow f;
    kb_flow_case c;
    kb_flow_options o;
    kb_flow_chemistry chem;
    kb_flow_detonation_case(&c, &start, 0.2, 80e-6);
    kb_flow_defaults(&c, &o);
    o.nx = 1000;
    open_chemistry(&chem, "rodas4");
    assert_int_equal(kb_flow_open(&f, &c, &o, engine("mp5", "cpu-simd"), &err), KB_OK);
    f.chemistry = &chem;
    front r = {.end = c.end, .begin = 0.6 * c.end};
    if (kb_flow_run(&f, c.end, follow, &r, &err))
        fail_msg("%s", err.text);
    double speed = kb_flow_track_speed(&r.in), peak = r.in.peak / (double)r.in.n;
    assert_near("speed, of that of Chapman and Jouguet", speed / start.d.D, 1, 0.003);
    assert_near("peak pressure, of von Neumann's", peak / start.d.vn.p, 1, 0.015);
    assert_int_equal(chem.redone, 0);
    assert_true((double)chem.attempts / (double)chem.odes < 1.3); /* about one substep a step */
    kb_flow_close(&f);
    kb_flow_chemistry_close(&chem);
    kb_znd_free(&start.zone);
}

static void impossible_chemistry(void **state)
{
    kb_flow_chemistry c;
    kb_error err = {0};
    (void)state;
    assert_int_equal(kb_flow_chemistry_open(&c, h2co.s, "rodas44", &err), KB_INVALID);
    assert_non_null(strstr(err.text, "no solver 'rodas44' for h2co: there are"));
    assert_int_equal(kb_flow_chemistry_open(&c, h2co.s, "rodas4@gpu", &err), KB_INVALID);
    assert_non_null(strstr(err.text, "'rodas4@gpu'"));
    assert_int_equal(kb_flow_chemistry_open(&c, h2co.s, "rodas4:steps=3", &err), KB_INVALID);
    assert_non_null(strstr(err.text, "steps"));
    kb_flow_chemistry_close(&c);
    assert_int_equal(kb_flow_chemistry_open(&c, h2co.s, "cvode", &err), KB_OK);
    assert_string_equal(c.solver->info.engine, "cpu-scalar");
    kb_flow_chemistry_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_box), cmocka_unit_test(contacts), cmocka_unit_test(burning_line),
        cmocka_unit_test(planar_detonation), cmocka_unit_test(impossible_chemistry)};
    return cmocka_run_group_tests_name("flow chemistry", tests, open_gas, close_gas);
}
