/* SPDX-License-Identifier: MIT
 *
 * What every flow must hold: conservation, constant states, symmetry, the same result on every
 * engine and number of threads.
 */
#include "tests/test.h"
#include "tests/unit/flow_run.h"

static const char *const schemes[] = {"mp5", "mp5_paper", "weno5", "weno5_js", "muscl",
                                      "ader_weno", "mp5_transverse", NULL};

/* a scheme that reads ghost cells in corners, or is for one gas alone */
static bool is_for(const char *scheme, const kb_flow_case *c)
{
    return strcmp(scheme, "mp5_transverse") || (c->nsp == 1 && !c->solid);
}

TEST(mass_momentum_and_energy_stay)
{
    for (int k = 0; schemes[k]; k++)
        for (int variables = 0; variables < 2; variables++)
            for (int riemann = 0; riemann < 4; riemann++) {
                double before[4], after[4];
                kb_flow f;
                kb_flow_options o;
                const kb_flow_case *c = flow_case("vortex", &o);
                o.nx = o.ny = 20;
                o.variables = (kb_flow_variables)variables;
                o.riemann = (kb_flow_riemann)riemann;
                flow_open(&f, c, &o, schemes[k], "cpu-simd");
                kb_flow_totals(&f, before);
                flow_steps(&f, 40);
                kb_flow_totals(&f, after);
                for (int i = 0; i < 4; i++)
                    assert_near(schemes[k], after[i], before[i], 1e-13);
                kb_flow_close(&f);
            }
}

/* walls keep mass and energy; the nets act */
TEST(nets_conserve)
{
    double before[4], after[4];
    kb_flow f;
    kb_flow_options o;
    kb_flow_case c = *flow_case("123", &o);
    c.edge[0] = c.edge[1] = KB_FLOW_WALL;
    o.nx = 100;
    o.variables = KB_FLOW_PRIMITIVE;
    flow_open(&f, &c, &o, "mp5", "cpu-simd");
    kb_flow_totals(&f, before);
    flow_steps(&f, 100);
    kb_flow_totals(&f, after);
    assert_true(f.nets.scaled > 0 && f.nets.blended > 0);
    assert_near("mass", after[0], before[0], 1e-13);
    assert_near("energy", after[3], before[3], 1e-13);
    kb_flow_close(&f);
}

TEST(constant_state_stays_to_the_bit)
{
    for (int k = 0; schemes[k]; k++)
        for (int riemann = 0; riemann < 4; riemann++) {
            kb_flow f;
            kb_flow_options o;
            kb_flow_case c = *flow_case("step", &o);
            c.solid = NULL;
            for (int side = 0; side < 4; side++)
                c.edge[side] = KB_FLOW_PERIODIC;
            o.nx = 23;
            o.ny = 9;
            o.riemann = (kb_flow_riemann)riemann;
            flow_open(&f, &c, &o, schemes[k], "cpu-simd");
            double q[4];
            for (int i = 0; i < 4; i++)
                q[i] = f.q[0][i * f.stage.grid.plane + kb_flow_at(&f.stage.grid, 5, 5)];
            flow_steps(&f, 30);
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < o.ny; j++)
                    for (int x = 0; x < o.nx; x++)
                        assert_true(f.q[0][i * f.stage.grid.plane +
                                           kb_flow_at(&f.stage.grid, x, j)] == q[i]);
            kb_flow_close(&f);
        }
}

/* a cell's gas in f and in g, there at (j, i) if it is turned; false: the cell is solid */
static bool both(const kb_flow *f, const kb_flow *g, bool turned, int i, int j, kb_flow_point *a,
                 kb_flow_point *b)
{
    if (kb_flow_is_solid(f, i, j))
        return false;
    kb_flow_cell(f, i, j, a);
    kb_flow_cell(g, turned ? j : i, turned ? i : j, b);
    return true;
}

/* largest relative difference of density and pressure; turned: of f at (i, j) from g at (j, i) */
static double difference(const kb_flow *f, const kb_flow *g, bool turned)
{
    double most = 0;
    for (int j = 0; j < f->stage.grid.ny; j++)
        for (int i = 0; i < f->stage.grid.nx; i++) {
            kb_flow_point a, b;
            if (!both(f, g, turned, i, j, &a, &b))
                continue;
            for (int s = 0; s < f->stage.grid.nsp; s++)
                most = larger(most, fabs(a.rho[s] - b.rho[s]));
            most = larger(most, fabs(a.p - b.p) / a.p);
            most = larger(most, fabs(a.u - (turned ? b.v : b.u)));
        }
    return most;
}

TEST(turned_by_90_degrees)
{
    static const struct { const char *problem, *scheme; int steps; } list[] = {
        {"sod", "mp5", 40}, {"sod", "weno5", 40}, {"sod", "ader_weno", 40}, {"vortex", "mp5", 20},
        {"vortex", "ader_weno", 21}, {"step", "ader_weno", 30},
        {"contact-hot", "ader_weno", 21}, {"vortex", "mp5_transverse", 20},
        {"rayleigh-taylor-walls", "mp5_transverse", 20},
        {"step", "mp5", 30}, {"rayleigh-taylor", "weno5", 30}, {"contact", "mp5", 20},
        {"diffraction-5", "muscl", 40}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        kb_flow f, g;
        kb_flow_options o;
        const kb_flow_case *c = flow_case(list[k].problem, &o);
        o.nx = o.ny > 1 ? 60 : 100;
        o.ny = o.ny > 1 ? 40 : 1;
        flow_open(&f, c, &o, list[k].scheme, "cpu-simd");
        o.turn = true;
        flow_open(&g, c, &o, list[k].scheme, "cpu-simd");
        flow_steps(&f, list[k].steps);
        flow_steps(&g, list[k].steps);
        assert_below(list[k].problem, difference(&f, &g, true), 1e-12);
        kb_flow_close(&f);
        kb_flow_close(&g);
    }
}

/* --- other units: powers of 2, so that each number is the same bits times one of them */

enum { LENGTH = 32, DENSITY = 1024, SPEED = 128 };

static void other_state(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    const kb_flow_case *own = c->data;
    own->state(own, x / LENGTH, y / LENGTH, t * SPEED / LENGTH, p);
    for (int s = 0; s < c->nsp; s++)
        p->rho[s] *= DENSITY;
    p->u *= SPEED;
    p->v *= SPEED;
    p->p *= (double)DENSITY * SPEED * SPEED;
}

static bool other_solid(const kb_flow_case *c, double x, double y)
{
    const kb_flow_case *own = c->data;
    return own->solid(own, x / LENGTH, y / LENGTH);
}

static kb_flow_case in_other_units(const kb_flow_case *own)
{
    kb_flow_case c = *own;
    double *const lengths[] = {&c.x0, &c.x1, &c.y0, &c.y1};
    for (int k = 0; k < 4; k++)
        *lengths[k] *= LENGTH;
    for (int d = 0; d < 2; d++)
        c.gravity[d] *= (double)SPEED * SPEED / LENGTH;
    c.end *= (double)LENGTH / SPEED;
    c.data = own;
    c.state = other_state;
    c.solid = own->solid ? other_solid : NULL;
    return c;
}

/* largest difference of g, in its units, from f in these, over the largest number of its kind */
static double apart_in_units(const kb_flow *f, const kb_flow *g)
{
    double most[3] = {0}, size[3] = {0};
    for (int j = 0; j < f->stage.grid.ny; j++)
        for (int i = 0; i < f->stage.grid.nx; i++) {
            kb_flow_point a, b;
            if (!both(f, g, false, i, j, &a, &b))
                continue;
            const double own[] = {a.u, a.v, a.p, a.rho[0], a.rho[f->stage.grid.nsp - 1]};
            const double other[] = {b.u, b.v, b.p, b.rho[0], b.rho[f->stage.grid.nsp - 1]};
            const double unit[] = {SPEED, (double)DENSITY * SPEED * SPEED, DENSITY};
            for (int k = 0; k < 5; k++) {
                int kind = k < 2 ? 0 : k < 3 ? 1 : 2;
                most[kind] = larger(most[kind], fabs(own[k] - other[k] / unit[kind]));
                size[kind] = larger(size[kind], fabs(own[k]));
            }
        }
    return larger(most[0] / size[0], larger(most[1] / size[1], most[2] / size[2]));
}

/* No limit of a scheme, of a net or of a Riemann solver is a number with a unit, except in the
 * weights of WENO 1e-40, which counts where a speed is rounding alone. */
TEST(any_units)
{
    static const char *const problems[] = {"sod", "vortex", "rayleigh-taylor", "step",
                                           "diffraction-5", "contact-hot"};
    int turn = 0;
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++)
        for (int k = 0; schemes[k]; k++, turn++) {
            kb_flow f, g;
            kb_flow_options o;
            const kb_flow_case *own = flow_case(problems[p], &o);
            if (!is_for(schemes[k], own))
                continue;
            const kb_flow_case other = in_other_units(own);
            o.nx = o.ny > 1 ? 24 : 60;
            o.ny = o.ny > 1 ? 16 : 1;
            o.riemann = (kb_flow_riemann)(turn % 4);
            if (own->nsp == 1)
                o.variables = turn / 4 % 2 ? KB_FLOW_PRIMITIVE : KB_FLOW_CONSERVED;
            flow_open(&f, own, &o, schemes[k], "cpu-simd");
            o.end *= (double)LENGTH / SPEED;
            flow_open(&g, &other, &o, schemes[k], "cpu-simd");
            flow_steps(&f, 12);
            flow_steps(&g, 12);
            bool weno = strstr(schemes[k], "weno");
            assert_below(schemes[k], apart_in_units(&f, &g), weno ? 1e-13 : 0);
            assert_true(weno || f.t * LENGTH / SPEED == g.t);
            assert_int_equal(f.nets.scaled, g.nets.scaled);
            assert_int_equal(f.nets.blended, g.nets.blended);
            kb_flow_close(&f);
            kb_flow_close(&g);
        }
}

TEST(scalar_equals_simd)
{
    static const char *const problems[] = {"sod", "vortex", "step", "diffraction-5", "contact-hot"};
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++)
        for (int k = 0; schemes[k]; k++) {
            kb_flow f, g;
            kb_flow_options o;
            const kb_flow_case *c = flow_case(problems[p], &o);
            if (!is_for(schemes[k], c))
                continue;
            o.nx = o.ny > 1 ? 43 : 101;
            o.ny = o.ny > 1 ? 21 : 1;
            flow_open(&f, c, &o, schemes[k], "cpu-simd");
            flow_open(&g, c, &o, schemes[k], "cpu-scalar");
            flow_steps(&f, 10);
            flow_steps(&g, 10);
            assert_below(problems[p], difference(&f, &g, false), 1e-11);
            /* one at the edge of its condition may differ */
            assert_true(labs(f.nets.scaled - g.nets.scaled) <= 2);
            assert_true(labs(f.nets.blended - g.nets.blended) <= 2);
            kb_flow_close(&f);
            kb_flow_close(&g);
        }
}

TEST(threads_give_the_same_bits)
{
    kb_flow f, g;
    kb_flow_options o;
    const kb_flow_case *c = flow_case("step", &o);
    o.nx = 240;
    o.ny = 80;
    flow_open(&f, c, &o, "mp5", "cpu-simd");
    flow_open(&g, c, &o, "mp5", "cpu-simd");
    flow_steps(&f, 15);
    omp_set_num_threads(3);
    flow_steps(&g, 15);
    omp_set_num_threads(1);
    assert_true(difference(&f, &g, false) == 0);
    assert_true(f.t == g.t);
    assert_int_equal(f.nets.scaled, g.nets.scaled);
    assert_int_equal(f.nets.blended, g.nets.blended);
    kb_flow_close(&f);
    kb_flow_close(&g);
}

/* contacts: none of pressure where the temperatures are the same, a bounded one where not */
TEST(contacts_between_two_gases)
{
    static const struct { const char *problem; double bound; } list[] = {{"contact", 1e-9},
                                                                         {"contact-hot", 2.5e-2}};
    for (int k = 0; k < 2; k++)
        for (int riemann = 0; riemann < 3; riemann++) {
            kb_flow f;
            kb_flow_options o;
            const kb_flow_case *c = flow_case(list[k].problem, &o);
            double most = 0;
            o.riemann = (kb_flow_riemann)riemann;
            flow_run(&f, c, &o, "mp5", "cpu-simd");
            for (int i = 0; i < o.nx; i++) {
                kb_flow_point p;
                kb_flow_cell(&f, i, 0, &p);
                most = larger(most, fabs(p.p - 1));
                assert_below("negative density", fmax(-p.rho[0], -p.rho[1]), 1e-12);
            }
            assert_below(list[k].problem, most, list[k].bound);
            kb_flow_close(&f);
        }
}

/* all blended faces; ghost cells west and south count, too */
static long blended_faces(const kb_flow *f)
{
    double sum = 0;
    for (long at = 0; at < f->stage.grid.plane; at++)
        sum += f->blended[at];
    return (long)sum;
}

/* a run that looks at each state before it steps on, also after a step that was taken back; and
 * where faces were blended */
TEST(foil_is_the_largest_pressure)
{
    static const char *const list[] = {"mp5", "ader_weno"};
    for (int k = 0; k < 4; k++) {
        kb_flow f;
        kb_flow_options o;
        kb_flow_case c = *flow_case("diffraction-5", &o);
        double high[20][30] = {{0}};
        kb_flow_point p;
        long passed = 0;
        c.foil = o.blended = true;
        o.nx = 30;
        o.ny = 20;
        flow_open(&f, &c, &o, list[k / 2], k % 2 ? "cpu-scalar" : "cpu-simd");
        for (int step = 0; step <= 40; step++) {
            for (int j = 0; j < o.ny; j++)
                for (int i = 0; i < o.nx; i++) {
                    kb_flow_cell(&f, i, j, &p);
                    high[j][i] = fmax(high[j][i], p.p);
                    assert_true(kb_flow_is_solid(&f, i, j) || kb_flow_foil(&f, i, j) == high[j][i]);
                }
            f.options.cfl = step == 20 ? 3 : 0.4;
            flow_steps(&f, 1);
        }
        for (int i = 0; i < o.nx; i++) {
            kb_flow_cell(&f, i, 15, &p);
            passed += kb_flow_foil(&f, i, 15) > 1.01 * p.p;
        }
        assert_true(passed > 0); /* the wave, in some cells of this row */
        assert_true(k / 2 || f.retried > 0);
        assert_true(f.nets.blended > 0 && blended_faces(&f) == f.nets.blended);
        kb_flow_close(&f);
    }
}

static double reacted; /* time of the chemistry */

/* a solver that changes nothing */
static int inert(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)self, (void)err;
    assert_true(job->dt > 0);
    reacted += job->dt;
    for (long k = 0; k < job->n; k++) {
        result->y[2 * k] = job->states[3 * k];
        result->y[2 * k + 1] = job->states[3 * k + 2];
        result->count[k] = (kb_count){0};
    }
    return KB_OK;
}

/* by Strang's splitting, also when it is ahead by more than half of the next step */
TEST(chemistry_and_flow_end_together)
{
    static const kb_solver solver = {.info = {.name = "inert", .engine = "cpu"}, .run = inert};
    kb_flow f;
    kb_flow_options o;
    const kb_flow_case *c = flow_case("sod", &o);
    o.nx = 50;
    flow_open(&f, c, &o, "muscl", "cpu-scalar");
    kb_flow_chemistry chemistry = {.solver = &solver, .fallback = &solver};
    f.chemistry = &chemistry;
    f.owed = -1.3e-3; /* as after a step of 5.2e-3 that was tried again with a quarter of it */
    reacted = 1.3e-3;
    for (int k = 0; k < 8; k++)
        assert_works(kb_flow_step(&f, 5e-4, &err));
    assert_works(kb_flow_finish(&f, &err));
    assert_near("time of the chemistry", reacted, f.t, 1e-12);
    f.chemistry = NULL;
    kb_flow_chemistry_close(&chemistry);
    kb_flow_close(&f);
}

TESTS(flow_one_thread, NULL)
