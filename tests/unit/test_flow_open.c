/* SPDX-License-Identifier: MIT
 *
 * A run as it is opened, stepped and read: the limits of its options, the memory that it takes, the
 * fields by their names, steps that are tried again or taken over, and what its messages say.
 */
#include <float.h>

#include "tests/test.h"
#include "tests/unit/flow_run.h"

/* ---- limits ---- */

/* the message of a case that is opened, "" if it is */
static const char *opened(const char *name, const kb_flow_options *o, const kb_flow_engine *e)
{
    static kb_error err;
    kb_flow_options unused;
    kb_flow f;
    err = (kb_error){0};
    int code = kb_flow_open(&f, flow_case(name, &unused), o, e, &err);
    assert_true(code == KB_OK || code == KB_INVALID);
    assert_true(code || f.options.cfl == o->cfl);
    kb_flow_close(&f);
    return err.text;
}

static const kb_flow_engine *engine_of(const char *scheme, int nsp)
{
    const kb_flow_engine *e;
    assert_works(!(e = kb_flow_find_engine(scheme, "cpu-scalar", nsp, &err)));
    return e;
}

static void *no_memory(size_t size) { return (void)size, NULL; }

/* memory that is full of `filling`, `left` times; the size of the first */
static int filling, left;
static size_t first_size;
static void *some_memory(size_t size)
{
    void *memory = left-- > 0 ? aligned_alloc(64, (size + 63) / 64 * 64) : NULL;
    first_size = first_size ? first_size : size;
    return memory ? memset(memory, filling, size) : NULL;
}

/* a number at each limit, the one that a double has beyond it, and the whole message */
TEST(limits_of_options)
{
    const kb_flow_engine *e = engine_of("mp5", 1);
    kb_flow_options sod, vortex, step, contact, o;
    flow_case("sod", &sod);
    flow_case("vortex", &vortex);
    flow_case("step", &step);
    flow_case("contact", &contact);
    sod.nx = vortex.nx = vortex.ny = 4;
#define IS(name, change, text) o = name; o.change; assert_string_equal(opened(#name, &o, e), text)
    IS(sod, nx = 4, "");
    IS(sod, nx = 3, "nx = 3: the schemes need 4 cells or more");
    IS(sod, ny = 2, "ny = 2: case sod has one dimension");
    IS(vortex, ny = 4, "");
    IS(vortex, ny = 3, "ny = 3: the schemes need 4 cells or more");
    IS(sod, cfl = 1, "");
    IS(sod, cfl = nextafter(1, 2), "cfl = 1: must be above 0 and at most 1");
    IS(sod, cfl = DBL_MIN, "");
    IS(sod, cfl = 0, "cfl = 0: must be above 0 and at most 1");
    IS(sod, end = DBL_MIN, "");
    IS(sod, end = 0, "end = 0: must be above 0");
    IS(sod, end = INFINITY, "end = inf: must be above 0");
    IS(sod, noise = nextafter(1, 0), "");
    IS(sod, noise = 1, "noise = 1: must be in [0, 1)");
    IS(sod, noise = 0, "");
    IS(sod, noise = -DBL_MIN, "noise = -2.22507e-308: must be in [0, 1)");
    IS(contact, nx = 40, "case contact has 2 species, the gas 1");
    e = engine_of("mp5", 2);
    IS(contact, variables = KB_FLOW_CONSERVED,
       "variables conserved: for one ideal gas alone (case contact has 2 species)");
    IS(sod, nx = 40, "case sod has 1 species, the gas 2");
    e = engine_of("mp5_transverse", 1);
    IS(step, nx = 60,
       "scheme mp5_transverse: for cases without solid cells (case step has some)");
    kb_flow_engine full = *engine_of("mp5", 1);
    full.alloc = no_memory;
    e = &full;
    vortex.nx = 10000;
    IS(vortex, ny = 10000,
       "engine cpu-scalar: no memory for 10000 x 10000 cells (15.2 GB)");
    IS(vortex, ny = 10001, "10000 x 10001 cells: more than 100000000");
    full.engine = "gpu";
    o = sod;
    kb_error err = {0};
    kb_flow f;
    assert_int_equal(kb_flow_open(&f, flow_case("sod", &contact), &o, e, &err), KB_NOTHING);
    assert_string_equal(err.text, "engine gpu: no GPU, or no memory for 4 x 1 cells (2.6e-05 GB)");
    kb_flow_close(&f);
}

/* one direction has ghost cells, then the other; what the first has is given back */
TEST(no_memory_for_ghost_cells)
{
    static const struct {
        const char *name;
        int memories;
        const char *text;
    } of[] = {{"sod", 1, "no memory for 6 ghost cells"}, {"sod", 2, ""},
              {"vortex", 1, "no memory for 24 ghost cells"},
              {"vortex", 2, "no memory for 30 ghost cells"}, {"vortex", 3, ""}};
    kb_flow_engine some = *engine_of("mp5", 1);
    some.alloc = some_memory;
    for (int k = 0; k < 5; k++) {
        kb_flow_options o;
        flow_case(of[k].name, &o);
        o.nx = o.ny == 1 ? 4 : 5;
        o.ny = o.ny == 1 ? 1 : 4;
        left = of[k].memories;
        assert_string_equal(opened(of[k].name, &o, &some), of[k].text);
    }
}

/* What was in memory before is nowhere in a run, nor in its checkpoints */
TEST(memory_is_cleared)
{
    static const char *const names[] = {"sod", "vortex", "step"};
    kb_flow_engine some = *engine_of("mp5", 1);
    kb_error err = {0};
    some.alloc = some_memory;
    for (int k = 0; k < 6; k++) {
        kb_flow f[2];
        for (int i = 0; i < 2; i++) {
            kb_flow_options o;
            const kb_flow_case *c = flow_case(names[k / 2], &o);
            kb_flow_case foil = *c;
            o.nx = k / 2 == 2 ? 60 : 12;
            o.ny = k / 2 == 2 ? 20 : o.ny > 1 ? 9 : 1;
            foil.foil = o.blended = k % 2;
            left = 3;
            filling = i ? 0xff : 0x11;
            first_size = 0;
            if (kb_flow_open(&f[i], &foil, &o, &some, &err))
                fail_msg("%s", err.text);
            for (int step = 0; step < 3; step++)
                assert_int_equal(kb_flow_step(&f[i], 1, &err), KB_OK);
        }
        assert_memory_equal(f[0].block, f[1].block, first_size - 64 * sizeof(double));
        kb_flow_close(&f[0]);
        kb_flow_close(&f[1]);
    }
}

/* the blending net up to a CFL number of a half */
TEST(nets_by_the_step)
{
    for (int k = 0; k < 2; k++) {
        kb_flow f;
        kb_flow_options o;
        const kb_flow_case *c = flow_case("sod", &o);
        o.nx = 8;
        o.cfl = k ? nextafter(0.5, 1) : 0.5;
        flow_open(&f, c, &o, "mp5", "cpu-scalar");
        assert_int_equal(f.stage.nets, KB_FLOW_SCALE | (k ? 0 : KB_FLOW_BLEND));
        kb_flow_close(&f);
    }
}

TEST(engines_by_name)
{
    static const struct { const char *scheme, *engine; int nsp; const char *text; } list[] = {
        {"mp5", "cpu", 1, "scheme mp5 has no engine 'cpu': there are cpu-scalar cpu-simd"},
        {"mp5", "gpu", 2, "scheme mp5 has no engine 'gpu': there are cpu-scalar cpu-simd (gpu is "
                          "built where nvcc and a GPU are, or by CUDA=1)"},
        {"mp6", "cpu-simd", 2, "no scheme 'mp6' for a gas of 2 species: there are mp5 mp5_paper "
                               "weno5 weno5_js muscl ader_weno, for one gas, mp5_transverse"},
        {"mp5_transverse", "cpu-simd", 2, "no scheme 'mp5_transverse' for a gas of 2 species"}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        kb_error err = {0};
        assert_null(kb_flow_find_engine(list[k].scheme, list[k].engine, list[k].nsp, &err));
        if (strncmp(err.text, list[k].text, strlen(list[k].text)))
            fail_msg("'%s' does not begin with '%s'", err.text, list[k].text);
    }
}

/* ---- memory ---- */

static size_t asked; /* at once, at most */
static kb_flow_engine dirty;

/* memory that others have used: each number is a NaN */
static void *used_memory(size_t size)
{
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    asked = size > asked ? size : asked;
    return memory ? memset(memory, 0xff, size) : NULL;
}

/* Of nq conserved fields three, W, of a fused engine twice, what the options ask for, cells open to
 * the flow; rows of whole vectors that do not fall into one set of a cache. None of the planes has
 * a number that nobody wrote. */
static void check_memory(kb_flow *f, const kb_flow_case *c, const kb_flow_options *o)
{
    const kb_flow_grid *g = &f->stage.grid;
    long pitch = KB_LEFT + o->nx + KB_RIGHT, nq = c->nsp + 3, nw = c->nsp + 5;
    while (pitch % 8 || pitch % 64 == 0)
        pitch++;
    assert_int_equal(g->pitch, pitch);
    long plane = pitch * (o->ny + 2 * KB_GHOST), planes = 3 * nq;
    assert_int_equal(g->plane, plane);
    const double *block = f->block;
    for (int b = 0; b < 3; b++)
        assert_ptr_equal(f->q[b], block + b * nq * plane);
    assert_ptr_equal(f->w, block + planes * plane);
    planes += nw;
    assert_ptr_equal(f->next, dirty.fused ? block + planes * plane : f->w);
    planes += dirty.fused ? nw : 0;
    assert_ptr_equal(f->foil, c->foil ? block + planes * plane : NULL);
    planes += c->foil;
    assert_ptr_equal(f->blended, o->blended ? block + planes * plane : NULL);
    planes += 2 * o->blended;
    assert_ptr_equal(f->open, c->solid ? block + planes * plane : NULL);
    assert_int_equal(asked, ((size_t)((planes + 1) * plane) + 64) * sizeof(double));
    for (long at = 0; at < planes * plane + (c->solid ? plane + 64 : 0); at++)
        assert_false(isnan(block[at]));
}

TEST(memory_that_is_taken)
{
    static const char *const names[] = {"step", "vortex", "contact"};
    for (int k = 0; k < 3; k++)
        for (int more = 0; more < 8; more++)
            for (int nx = 4; nx < 180; nx += more ? 59 : 1) {
                kb_flow f;
                kb_flow_options o;
                kb_flow_case c = *flow_case(names[k], &o);
                dirty = *engine_of("mp5", c.nsp);
                dirty.alloc = used_memory;
                dirty.fused = more & 1;
                c.foil = more & 2;
                o.blended = more & 4;
                o.nx = nx;
                asked = 0;
                o.ny = o.ny > 1 ? 5 : 1;
                assert_works(kb_flow_open(&f, &c, &o, &dirty, &err));
                check_memory(&f, &c, &o);
                kb_flow_close(&f);
            }
}

/* ---- ghost cells ---- */

/* '#' is solid */
static const char bars[] = "#.#..#...#....";

static bool at_bar(const kb_flow_case *c, double x, double y)
{
    (void)c, (void)y;
    return bars[(int)x] == '#';
}

/* Behind either end of a run of fluid cells lie its own, mirrored; where it has fewer than three,
 * the last one again. The right end of the grid lets out. */
TEST(ghosts_between_walls)
{
    static const int all[][2] = {{0, 1}, {2, 1}, {-1, 1}, {3, 1}, {-2, 1}, {4, 1},
        {2, 3}, {5, 4}, {1, 4}, {6, 3}, {0, 4}, {7, 3}, {5, 6}, {9, 8}, {4, 7}, {10, 7}, {3, 8},
        {11, 6}, {9, 10}, {14, 13}, {8, 11}, {15, 13}, {7, 12}, {16, 13}};
    enum { N = sizeof all / sizeof *all };
    kb_flow f;
    kb_flow_options o;
    kb_flow_case c = *flow_case("sod", &o);
    o.nx = sizeof bars - 1;
    c.x1 = o.nx;
    c.solid = at_bar;
    c.edge[KB_FLOW_EAST] = KB_FLOW_OUTFLOW;
    flow_open(&f, &c, &o, "mp5", "cpu-scalar");
    assert_int_equal(f.ghosts[0].n, N);
    assert_int_equal(f.ghosts[1].n, 0);
    for (int k = 0; k < N; k++) {
        int found = 0;
        for (int i = 0; i < N; i++)
            found += f.ghosts[0].ghost[i] == kb_flow_at(&f.stage.grid, all[k][0], 0) &&
                     f.ghosts[0].source[i] == kb_flow_at(&f.stage.grid, all[k][1], 0) &&
                     f.ghosts[0].mirror[i] == (all[k][0] < o.nx);
        if (found != 1)
            fail_msg("%d times a ghost cell %d of %d", found, all[k][0], all[k][1]);
    }
    kb_flow_close(&f);
}

/* ---- steps ---- */

/* the bits of n fields, without ghost cells */
static void assert_same(const kb_flow *f, const double *a, const double *b, int n)
{
    const kb_flow_grid *g = &f->stage.grid;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < g->ny; j++)
            assert_memory_equal(a + k * g->plane + kb_flow_at(g, 0, j),
                                b + k * g->plane + kb_flow_at(g, 0, j),
                                (size_t)g->nx * sizeof *a);
}

/* less energy in a cell than its motion has */
static void spoil(kb_flow *f, int i, int j)
{
    const kb_flow_grid *g = &f->stage.grid;
    f->q[0][(g->nsp + 2) * g->plane + kb_flow_at(g, i, j)] *= -1;
}

/* with nets five times, each with half of the step, and nothing is left of them */
TEST(a_step_is_tried_six_times)
{
    for (int nets = 0; nets < 2; nets++) {
        kb_flow f;
        kb_flow_options o;
        kb_error err = {0};
        const kb_flow_case *c = flow_case("vortex", &o);
        o.nx = 8;
        o.ny = 6;
        o.nets = nets * o.nets;
        o.blended = true;
        flow_open(&f, c, &o, "mp5", "cpu-scalar");
        flow_steps(&f, 2);
        spoil(&f, 3, 2);
        size_t size = (size_t)(4 * f.stage.grid.plane);
        double *before = kb_alloc(size, sizeof *before), t = f.t, rate = f.health.rate;
        memcpy(before, f.q[0], size * sizeof *before);
        assert_int_equal(kb_flow_step(&f, 1e30, &err), KB_INVALID);
        kb_owned char *text = kb_format(
            "step 3 (t = %g, dt = %g): density, pressure or temperature of cell (", t,
            0.4 / rate / (nets ? 32 : 1));
        if (strncmp(err.text, text, strlen(text)))
            fail_msg("'%s' does not begin with '%s'", err.text, text);
        assert_non_null(strstr(err.text, nets ? " (try a smaller CFL number)"
                                              : " (the positivity nets are off)"));
        assert_true(f.retried == 5 * nets && f.step == 2 && f.t == t && f.health.bad >= 0);
        assert_true(f.nets.scaled == 0 && f.nets.blended == 0);
        assert_same(&f, f.q[0], before, 4);
        free(before);
        kb_flow_close(&f);
    }
}

/* of all stages of each direction */
TEST(faces_of_a_step)
{
    static const struct { const char *name, *scheme; int ny; long faces; } list[] = {
        {"vortex", "mp5", 5, 3 * (9 * 5 + 8 * 6)}, {"vortex", "ader_weno", 5, 9 * 5 + 8 * 6},
        {"sod", "mp5", 1, 3 * 9}, {"sod", "ader_weno", 1, 9}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        kb_flow f;
        kb_flow_options o;
        const kb_flow_case *c = flow_case(list[k].name, &o);
        o.nx = 8;
        o.ny = list[k].ny;
        flow_open(&f, c, &o, list[k].scheme, "cpu-scalar");
        flow_steps(&f, 2);
        assert_int_equal(f.faces, 2 * list[k].faces);
        kb_flow_close(&f);
    }
}

static int count_steps(void *data, const kb_flow *f, kb_error *err)
{
    int *left = data;
    (void)f;
    return --*left ? KB_OK : kb_fail(err, KB_INTERRUPTED, "enough");
}

/* a run ends within 1e-14 of its end, and where its watch says so */
TEST(end_of_a_run)
{
    for (int k = 0; k < 2; k++) {
        kb_flow f;
        kb_flow_options o;
        kb_error err = {0};
        const kb_flow_case *c = flow_case("sod", &o);
        o.nx = 8;
        flow_open(&f, c, &o, "mp5", "cpu-scalar");
        f.t = 3 * (1 - (k ? 1.6e-14 : 0.7e-14));
        assert_works(kb_flow_run(&f, 3, NULL, NULL, &err));
        assert_true(f.step == k && (!k || f.t == 3));
        f.t = 0;
        int left = 3;
        assert_int_equal(kb_flow_run(&f, 3, count_steps, &left, &err), KB_INTERRUPTED);
        assert_true(left == 0 && f.step == k + 3);
        kb_flow_close(&f);
    }
}

static double reacted;

static int inert(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)self, (void)err;
    reacted += job->dt;
    for (long k = 0; k < job->n; k++) {
        result->y[2 * k] = job->states[3 * k];
        result->y[2 * k + 1] = job->states[3 * k + 2];
        result->count[k] = (kb_count){.attempted = 3};
    }
    return KB_OK;
}
static const kb_solver inert_solver = {.info = {.name = "inert", .engine = "cpu"}, .run = inert};

static int fail_all(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    int code = inert(self, job, result, err);
    for (long k = 0; k < job->n; k++)
        result->count[k].status = KB_ODE_TOO_MANY;
    return code;
}
static const kb_solver failing = {.info = {.name = "fail", .engine = "cpu"}, .run = fail_all};

/* the flow alone over dt, then what the chemistry owes; a run that was taken over has the bits of
 * the one that it was taken from, and the same step next, in both directions */
TEST(transport_and_take)
{
    for (int stages = 1; stages < 4; stages += 2) {
        const char *scheme = stages == 1 ? "ader_weno" : "mp5";
        kb_flow f, g;
        kb_flow_options o;
        kb_flow_case c = *flow_case("vortex", &o);
        kb_flow_chemistry chemistry = {.solver = &inert_solver, .fallback = &inert_solver};
        c.foil = true;
        o.nx = o.ny = 8;
        flow_open(&f, &c, &o, scheme, "cpu-scalar");
        flow_open(&g, &c, &o, scheme, "cpu-scalar");
        f.chemistry = &chemistry;
        f.owed = 0.25;
        reacted = 0;
        double dt = 2.5 * o.cfl / f.health.rate;
        assert_works(kb_flow_transport(&f, dt, &err));
        assert_true(f.step == 3 && f.t == dt && reacted == 0 && f.owed == 0.25 + dt);
        assert_ptr_equal(f.chemistry, &chemistry);
        assert_works(kb_flow_finish(&f, &err));
        assert_true(reacted == 0.25 + dt && f.owed == 0 && chemistry.attempts == 3 * 64);
        f.owed = 0.125;
        kb_flow_take(&g, &f);
        assert_true(g.t == f.t && g.step == f.step && g.owed == f.owed);
        f.chemistry = NULL;
        flow_steps(&f, 1);
        flow_steps(&g, 1);
        assert_same(&f, f.q[0], g.q[0], 4);
        assert_same(&f, f.w, g.w, 6);
        assert_same(&f, f.foil, g.foil, 1);
        assert_true(f.t == g.t && f.health.rate == g.health.rate);
        kb_flow_chemistry_close(&chemistry);
        kb_flow_close(&f);
        kb_flow_close(&g);
    }
}

/* a density or a pressure of 0 is impossible, the smallest numbers above are not */
TEST(states_that_are_possible)
{
    static const struct { double rho, E; int bad; } states[] = {
        {1, 0, 1},    {1, 1e-300, 0}, {0, 1, 1},     {1e-300, 1, 0},  {1, -1, 1},
        {-1, 1, 1},   {1, NAN, 1},    {NAN, 1, 1},   {1, INFINITY, 1}};
    static const char *const engines[] = {"cpu-scalar", "cpu-simd"};
    for (int e = 0; e < 2; e++) {
        kb_flow f;
        kb_flow_options o;
        const kb_flow_case *c = flow_case("sod", &o);
        o.nx = 11;
        flow_open(&f, c, &o, "mp5", engines[e]);
        for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
            long at = kb_flow_at(&f.stage.grid, 6, 0);
            f.q[0][at] = states[k].rho;
            f.q[0][3 * f.stage.grid.plane + at] = states[k].E;
            assert_int_equal(kb_flow_primitive_rows(&f).bad, states[k].bad ? at : -1);
        }
        kb_flow_close(&f);
    }
}

/* noise moves the densities of each cell by so much at most, and none of the fixed cells outside */
TEST(noise_is_inside)
{
    kb_flow f, g;
    kb_flow_options o;
    const kb_flow_case *c = flow_case("planar", &o);
    o.nx = 20;
    o.ny = 6;
    o.noise = 0.25;
    flow_open(&f, c, &o, "mp5", "cpu-scalar");
    o.noise = 0;
    flow_open(&g, c, &o, "mp5", "cpu-scalar");
    for (int j = 0; j < o.ny; j++)
        for (int i = -KB_GHOST; i < o.nx; i++) {
            long at = kb_flow_at(&f.stage.grid, i, j);
            double moved = fabs(f.q[0][at] / g.q[0][at] - 1);
            assert_true(i < 0 ? moved == 0 : moved > 0 && moved <= 0.25);
        }
    kb_flow_close(&f);
    kb_flow_close(&g);
}

/* cells of T_react and above react; a substep takes its share of the time */
TEST(cells_that_react)
{
    kb_flow f;
    kb_flow_options o;
    const kb_flow_case *c = flow_case("sod", &o);
    o.nx = 12;
    flow_open(&f, c, &o, "mp5", "cpu-scalar");
    const kb_flow_grid *g = &f.stage.grid;
    kb_flow_chemistry chemistry = {.solver = &inert_solver, .fallback = &inert_solver};
    f.chemistry = &chemistry;
    double *T = f.w + (g->nsp + 4) * g->plane + kb_flow_at(g, 0, 0), spent = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < o.nx; i++)
            T[i] = i == 2 ? nextafter(700, 0) : i % 2 ? 700 : 1000;
        chemistry.T_react = 700;
        assert_works(kb_flow_react(&f, 1e-3, &err));
        assert_near("time", chemistry.attempt * 3 * 11, chemistry.seconds - spent, 1e-6);
        spent = chemistry.seconds;
        assert_true(spent > 0);
    }
    assert_true(chemistry.odes == 22 && chemistry.skipped == 2 && chemistry.attempts == 66);
    for (int i = 0; i < o.nx; i++)
        assert_int_equal(kb_flow_cost(&f, i, 0), i == 2 ? 0 : 3);
    for (int i = 0; i < o.nx; i++)
        T[i] = 1000;
    chemistry.solver = &failing; /* each, first and last too, is left to the other */
    assert_works(kb_flow_react(&f, 1e-3, &err));
    assert_true(chemistry.redone == 12 && chemistry.odes == 34);
    for (int i = 0; i < o.nx; i++)
        T[i] = 1;
    assert_works(kb_flow_react(&f, 1e-3, &err));
    assert_true(chemistry.odes == 34 && chemistry.skipped == 14 && chemistry.attempt == 0);
    f.chemistry = NULL;
    kb_flow_chemistry_close(&chemistry);
    kb_flow_close(&f);
}

/* ---- what is read of it ---- */

/* each field by its name, with its unit and its number in a cell; of a run with all of them */
TEST(fields_by_name)
{
    static const char *const names[] = {"density", "pressure", "temperature", "u", "v", "foil",
                                        "substeps", "blended", "time", "Y_B", "Y_A"};
    static const char *const units[] = {"kg/m^3", "Pa", "K", "m/s", "m/s", "Pa", "1", "1", "ns",
                                        "1", "1"};
    static const int shown[] = {1, 0};
    static char b[] = "Y_B", a[] = "Y_A", *shown_names[] = {b, a};
    kb_flow f;
    kb_flow_options o;
    kb_flow_case c = *flow_case("contact", &o);
    c.foil = true;
    c.nshown = 2;
    c.shown = shown;
    c.shown_names = shown_names;
    o.nx = 6;
    o.blended = o.time = true;
    flow_open(&f, &c, &o, "mp5", "cpu-scalar");
    const kb_flow_grid *g = &f.stage.grid;
    assert_int_equal(kb_flow_fields(&f), 9); /* without chemistry */
    assert_string_equal(kb_flow_field_name(&f, 6), "blended");
    for (int k = 0; k < 9; k++)
        assert_string_equal(kb_flow_field_unit(&f, k), "1");
    kb_flow_chemistry chemistry = {.attempt = 3e-6, .cells.cost = kb_alloc((size_t)g->plane, 1)};
    f.chemistry = &chemistry;
    long at = kb_flow_at(g, 4, 0);
    const double Q[] = {0.25, 0.5}, W[] = {8, 9, 11, 12, 13, 14, 15}; /* rho_s u v p c^2 T */
    for (int s = 0; s < 2; s++)
        f.q[0][s * g->plane + at] = Q[s];
    for (int k = 0; k < 7; k++)
        f.w[k * g->plane + at] = W[k];
    f.foil[at] = 21;
    f.blended[at] = 31;
    chemistry.cells.cost[at] = 7;
    const double right[] = {0.75, 13, 15, 11, 12, 21, 7, 31, 3e3 * 7, 2. / 3, 1. / 3};
    assert_int_equal(kb_flow_fields(&f), 11);
    for (int k = 0; k < 11; k++) {
        assert_string_equal(kb_flow_field_name(&f, k), names[k]);
        assert_string_equal(kb_flow_field_unit(&f, k), units[k]);
        assert_int_equal(kb_flow_find_field(&f, names[k]), k);
        assert_near(names[k], kb_flow_field(&f, k, 4, 0), right[k], 1e-15);
    }
    assert_int_equal(kb_flow_find_field(&f, "dens"), -1);
    f.foil[at] = 12; /* of earlier steps: now it is more */
    assert_true(kb_flow_foil(&f, 4, 0) == 13);
    f.options.time = false;
    assert_int_equal(kb_flow_find_field(&f, "time"), -1);
    free(chemistry.cells.cost);
    f.chemistry = NULL;
    kb_flow_close(&f);
}

static bool corner(const kb_flow_case *c, double x, double y)
{
    (void)c;
    return x > 0.5 && y > 0.5;
}

/* against a grid of three times the columns and two times the rows; solid cells do not count */
TEST(error_against_a_fine_grid)
{
    kb_flow f, fine;
    kb_flow_options o;
    kb_flow_case c = *flow_case("vortex", &o);
    c.x0 = c.y0 = 0;
    c.x1 = c.y1 = 1;
    c.solid = corner;
    o.nx = o.ny = 4;
    flow_open(&f, &c, &o, "mp5", "cpu-scalar");
    o.nx = 12;
    o.ny = 8;
    flow_open(&fine, &c, &o, "mp5", "cpu-scalar");
    double sum = 0, largest = 0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            double mean = 0;
            for (int k = 0; k < 6; k++) {
                double rho = 1 + sin(3 * i + 5 * j + k);
                fine.q[0][kb_flow_at(&fine.stage.grid, 3 * i + k % 3, 2 * j + k / 3)] = rho;
                mean += rho / 6;
            }
            f.q[0][kb_flow_at(&f.stage.grid, i, j)] = 0.5;
            if (i > 1 && j > 1)
                continue;
            sum += fabs(mean - 0.5);
            largest = fmax(largest, fabs(mean - 0.5));
        }
    kb_flow_error e = kb_flow_fine_error(&f, &fine);
    assert_near("mean", e.l1, sum / 12, 1e-14);
    assert_near("largest", e.largest, largest, 1e-14);
    assert_true(isnan(kb_flow_field(&f, 0, 2, 2)) && !isnan(kb_flow_field(&f, 0, 1, 2)));
    double total[4];
    kb_flow_totals(&f, total);
    assert_near("mass", total[0], 12 * 0.5 / 16, 1e-14);
    kb_flow_close(&f);
    kb_flow_close(&fine);
}

/* Sod's tube in a line along x or y: 0.5 (1 + 0.125), and 0.5 (1 + 0.1)/0.4 */
TEST(totals_of_a_line)
{
    for (int turn = 0; turn < 2; turn++) {
        double total[4];
        kb_flow f;
        kb_flow_options o;
        const kb_flow_case *c = flow_case("sod", &o);
        o.nx = 8;
        o.turn = turn;
        flow_open(&f, c, &o, "mp5", "cpu-scalar");
        kb_flow_totals(&f, total);
        assert_near("mass", total[0], 0.5625, 1e-14);
        assert_true(total[1] == 0 && total[2] == 0);
        assert_near("energy", total[3], 1.375, 1e-14);
        kb_flow_close(&f);
    }
}

TESTS(flow_one_thread, NULL)
