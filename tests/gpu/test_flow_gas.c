/* SPDX-License-Identifier: MIT
 *
 * The gas of a mechanism on a GPU: the same as on the host to 1e-11 after 10 steps, without
 * chemistry and with it; what runs share is given back with the last; a grid of too many rows.
 */
#include <dlfcn.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/unit/flow_gas.h"

#ifndef FLOW_MECH /* the made-up device has its own */
#define FLOW_MECH "h2"
#define FLOW_SO "build/mech/h2/flow.so"
#endif

static flow_gas g;
static double Y[2][KB_FLOW_SPECIES]; /* fresh, burnt */

/* no library: nothing to test, said so */
static int open_gas(void **state)
{
    flow_one_thread(state);
    if (access(FLOW_SO, R_OK)) {
        printf("skip - %s is not built (make flow-gas MECH=" FLOW_MECH " CUDA=1)\n", FLOW_SO);
        return 0;
    }
    if (flow_gas_open(&g, FLOW_MECH, FLOW_SO))
        return 1;
    flow_mixture(&g, "H2:2,O2:1,N2:3.76", Y[0]);
    flow_mixture(&g, "H2O:2,N2:3.76", Y[1]);
    return 0;
}

FIXTURE(close_gas)
{
    if (g.e)
        kb_mech_free(&g.m);
    return 0;
}

/* hot fresh gas beside hotter burnt gas of twice the pressure, with a wave along y */
static void two_gases(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    int burnt = x > 0.4 && x < 0.8;
    double T = burnt ? 2400 : 1300 + 200 * sin(2 * M_PI * y);
    (void)c, (void)t;
    p->p = burnt ? 2e5 : 1e5;
    flow_densities(&g, T, p->p, Y[burnt], p->rho);
    p->u = 300;
    p->v = -200 * cos(2 * M_PI * x);
}

static const kb_flow_case square = {
    .name = "two gases", .x1 = 1, .y1 = 1, .end = 1, .cfl = 0.4, .nx = 43, .ny = 21,
    .variables = KB_FLOW_PRIMITIVE, .state = two_gases};

/* skips where there is no library, no engine or no device */
static void open_flow(kb_flow *f, const kb_flow_case *c, const kb_flow_options *o,
                      const char *scheme, const char *engine)
{
    kb_error err = {0};
    if (!g.e)
        skip();
    flow_open_or_skip(f, c, o, kb_flow_mechanism_engine(g.e, scheme, engine, &err), &err);
}

static double largest_difference(const kb_flow *f, const kb_flow *h)
{
    const kb_flow_grid *grid = &f->stage.grid;
    double most = 0;
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++) {
            long at = kb_flow_at(grid, i, j), T = (grid->nsp + 4) * grid->plane + at;
            double rho = kb_flow_density(f, i, j);
            most = larger(most, fabs(f->w[T] - h->w[T]) / f->w[T]);
            for (int s = 0; s < grid->nsp; s++) {
                long k = s * grid->plane + at;
                most = larger(most, fabs(f->q[0][k] - h->q[0][k]) / rho);
            }
        }
    return most;
}

/* rodas4 of the host as a solver that works in the memory of the engine */
static int opened, passed;

static int open_here(const kb_solver *self, const kb_job *shape, void **run, kb_error *err)
{
    (void)self, (void)err;
    assert_true(shape->n == 43 * 21);
    opened++;
    *run = &opened;
    return KB_OK;
}

static int pass_here(void *run, const kb_job *job, kb_result *result, kb_error *err)
{
    const kb_solver *host = kb_solver_find(g.s, "rodas4", "cpu-scalar");
    assert_ptr_equal(run, &opened);
    passed++;
    return host->run(host, job, result, err);
}

static void close_here(void *run)
{
    assert_ptr_equal(run, &opened);
    opened--;
}

/* ten steps on both; chemistry on each engine, NULL: none */
static void compare(const char *scheme, const kb_flow_options *o, const char *const chemistry[2],
                    const kb_solver *instead, double bound)
{
    kb_flow f, h;
    kb_flow_chemistry chem[2] = {{0}, {0}};
    kb_flow_case c = square;
    c.nsp = g.e ? g.m.nspecies : 1;
    open_flow(&h, &c, o, scheme, "gpu");
    open_flow(&f, &c, o, scheme, "cpu-scalar");
    for (int k = 0; k < 2 && chemistry[k]; k++) {
        flow_chemistry(&g, &chem[k], chemistry[k]);
        if (k && instead)
            chem[k].solver = instead;
        (k ? &h : &f)->chemistry = &chem[k];
    }
    flow_steps(&f, 10);
    flow_steps(&h, 10);
    assert_below(scheme, largest_difference(&f, &h), bound);
    assert_true(fabs(f.t - h.t) <= 1e-11 * f.t);
    assert_true(labs(f.nets.scaled - h.nets.scaled) <= 2);
    assert_true(!chemistry[0] || chem[0].odes == 10 * 43 * 21);
    assert_true(chem[0].odes == chem[1].odes && chem[0].attempts == chem[1].attempts);
    kb_flow_close(&f);
    kb_flow_close(&h);
    for (int k = 0; k < 2; k++)
        kb_flow_chemistry_close(&chem[k]);
}

TEST(equals_the_host)
{
    static const char *const schemes[] = {"mp5", "ader_weno", "weno5", "muscl"};
    static const char *const none[2] = {NULL, NULL};
    for (int k = 0; k < 4; k++) {
        kb_error err = {0}; /* the first one must be there, the others where they were built */
        if (k > 0 && !kb_flow_mechanism_engine(g.e, schemes[k], "gpu", &err))
            continue;
        for (int r = 0; r < 4; r++)
            for (int turned = 0; turned < 2; turned++) {
                kb_flow_options o;
                kb_flow_defaults(&square, &o);
                o.riemann = (kb_flow_riemann)r;
                o.turn = turned;
                compare(schemes[k], &o, none, NULL, 1e-11);
            }
    }
}

TEST(equals_the_host_with_chemistry)
{
    static const char *const rodas[2] = {"rodas4@cpu-scalar", "rodas4@cpu-scalar"};
    static kb_solver here;
    kb_flow_options o;
    if (!g.e)
        skip();
    kb_flow_defaults(&square, &o);
    compare("mp5", &o, rodas, NULL, 1e-11);
    here = *kb_solver_find(g.s, "rodas4", "cpu-scalar");
    here.open = open_here;
    here.pass = pass_here;
    here.close = close_here;
    compare("mp5", &o, rodas, &here, 1e-11);
    assert_true(opened == 0 && passed == 10);
}

/* a stream about 1000 K, where the polynomials of most species do not meet: its energies pass all
 * that lie between them */
static void at_Tmid(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)c, (void)y, (void)t;
    p->p = 1e5;
    flow_densities(&g, 1000 + 1e-3 * sin(2 * M_PI * x), p->p, Y[0], p->rho);
    p->u = 300;
    p->v = -200;
}

TEST(goes_on_at_Tmid)
{
    kb_flow_case c = square;
    kb_flow_options o;
    kb_flow f;
    c.state = at_Tmid;
    c.nsp = g.e ? g.m.nspecies : 1;
    kb_flow_defaults(&c, &o);
    open_flow(&f, &c, &o, "mp5", "gpu");
    flow_steps(&f, 50);
    assert_works(kb_flow_finish(&f, &err));
    const kb_flow_grid *grid = &f.stage.grid;
    assert_true(fabs(f.w[(grid->nsp + 4) * grid->plane + kb_flow_at(grid, 9, 5)] - 1000) < 1e-2);
    kb_flow_close(&f);
}

/* what the made-up device holds; NULL on a card. Its memory is the host's, beyond a card's reach */
static const long *made_up(void)
{
    void *so = g.e ? dlopen(FLOW_SO, RTLD_NOW | RTLD_NOLOAD) : NULL;
    const long *held = so ? dlsym(so, "fake_held") : NULL;
    if (so)
        dlclose(so); /* g has it open */
    return held;
}

/* of the made-up device, when all runs of the tests before are closed, and after one more */
TEST(gives_all_memory_back)
{
    static const char *const rodas[2] = {"rodas4@cpu-scalar", "rodas4@cpu-scalar"};
    const long *held = made_up();
    kb_flow_options o;
    if (!held)
        skip();
    assert_int_equal(*held, 0);
    kb_flow_defaults(&square, &o);
    compare("mp5", &o, rodas, NULL, 1e-11);
    assert_int_equal(*held, 0);
}

/* 4 rows a block, 65,535 blocks, and the faces before the first row: no memory is asked for */
TEST(too_many_rows)
{
    const kb_flow_engine *host;
    kb_flow_engine gpu;
    kb_error err = {0};
    kb_flow_options o;
    kb_flow_case c = square;
    kb_flow f;
    if (!g.e || !kb_flow_mechanism_engine(g.e, "mp5", "gpu", &err))
        skip();
    host = kb_flow_mechanism_engine(g.e, "mp5", "cpu-scalar", &err);
    gpu = *kb_flow_mechanism_engine(g.e, "mp5", "gpu", &err);
    gpu.alloc = NULL;
    assert_int_equal(host->most_rows, 0);
    assert_int_equal(gpu.most_rows, 262139);
    kb_flow_defaults(&square, &o);
    c.nsp = g.m.nspecies;
    o.nx = 4;
    o.ny = 262140;
    assert_int_equal(kb_flow_open(&f, &c, &o, &gpu, &err), KB_INVALID);
    assert_non_null(strstr(err.text, "262140 rows of cells on 1 rank: engine gpu takes 262139 on"));
}

TEST(stays_on_the_device)
{
    static const char *const rodas[2] = {"rodas4@cpu-scalar", "rodas4@gpu-thread"};
    kb_flow_options o;
    if (!g.e || made_up() || !kb_solver_find(g.s, "rodas4", "gpu-thread"))
        skip();
    kb_flow_defaults(&square, &o);
    compare("mp5", &o, rodas, NULL, 1e-9);
}

TESTS(open_gas, close_gas)
