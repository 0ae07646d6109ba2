/* SPDX-License-Identifier: MIT
 *
 * Constant forcing (solvers/forced_job.h): methods and CVODE against SUNDIALS driven from here on
 * f + F, with f and J of single evaluations; cases whose answer is known; lanes keep theirs.
 */
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "solvers/engine_names.h"
#include "solvers/forced_job.h"
#include "tests/unit/solver_problem.h"

enum { STATES = 61 };
#define MIXING_TIME 1e-5 /* [s] */
static problem h2;
static const kb_solvers *any; /* of H2, read at run time */
static int on_gpu;            /* there is one */
static double *forcing, *exact_y[2]; /* STATES x (nsp + 1); by reactor, after DT */

/* ---- the exact solution ---- */

typedef struct {
    const kb_solvers *s;
    double p; /* [Pa] at constant p, else rho [kg/m^3] */
    kb_reactor reactor;
    const double *forcing;
} ode;

static void evaluate(const ode *o, const double *y, double *dy, double *J)
{
    double p = o->p, sigma = 0;
    for (int i = 0; i < o->s->nsp; i++)
        sigma += y[1 + i] / o->s->W[i];
    if (o->reactor == KB_CONST_V)
        p *= 8314.46261815324 * y[0] * sigma;
    kb_evaluation e = {.n = 1, .y = y, .p = &p, .reactor = o->reactor, .dy = dy, .J = J};
    assert_int_equal(o->s->evaluate(o->s, "cpu-scalar", &e, NULL), KB_OK);
}

static int f_of(realtype t, N_Vector y, N_Vector dy, void *user)
{
    (void)t;
    const ode *o = user;
    evaluate(o, NV_DATA_S(y), NV_DATA_S(dy), NULL);
    for (int i = 0; i < o->s->nsp + 1; i++)
        NV_Ith_S(dy, i) += o->forcing[i];
    return 0;
}

static int J_of(realtype t, N_Vector y, N_Vector dy, SUNMatrix A, void *user, N_Vector a,
                N_Vector b, N_Vector c)
{
    (void)t, (void)dy, (void)a, (void)b, (void)c;
    const ode *o = user;
    int n = o->s->nsp + 1;
    double *J = kb_alloc((size_t)n * n, sizeof *J), *f = kb_alloc((size_t)n, sizeof *f);
    evaluate(o, NV_DATA_S(y), f, J);
    for (int i = 0; i < n * n; i++)
        SM_ELEMENT_D(A, i / n, i % n) = J[i];
    free(J);
    free(f);
    return 0;
}

static void integrate(ode *o, const double *state, double *y)
{
    int n = o->s->nsp + 1, bad;
    double t, sigma = 0;
    SUNContext context;
    y[0] = state[0];
    memcpy(y + 1, state + 2, (n - 1) * sizeof *y);
    for (int i = 1; i < n; i++)
        sigma += y[i] / o->s->W[i - 1];
    o->p = o->reactor == KB_CONST_V ? state[1] / (8314.46261815324 * y[0] * sigma) : state[1];
    SUNContext_Create(NULL, &context);
    N_Vector v = N_VMake_Serial(n, y, context);
    SUNMatrix A = SUNDenseMatrix(n, n, context);
    SUNLinearSolver linear = SUNLinSol_Dense(v, A, context);
    void *c = CVodeCreate(CV_BDF, context);
    bad = CVodeInit(c, f_of, 0, v) || CVodeSStolerances(c, 1e-12, 1e-22) ||
          CVodeSetUserData(c, o) || CVodeSetLinearSolver(c, linear, A) || CVodeSetJacFn(c, J_of) ||
          CVodeSetMaxNumSteps(c, 1000000) || CVodeSetStopTime(c, DT);
    assert_int_equal(bad, 0);
    assert_true(CVode(c, DT, v, &t, CV_NORMAL) >= 0 && t == DT);
    CVodeFree(&c);
    SUNLinSolFree(linear);
    SUNMatDestroy(A);
    N_VDestroy(v);
    SUNContext_Free(&context);
}

/* each state is drawn to another one, as by mixing: the forcing of Y adds up to 0 */
FIXTURE(make)
{
    make_problem(&h2, "h2", "H2:1", 1.2e-5, STATES);
    int n = h2.nsp + 1;
    kb_error err = {0};
    assert_works(!(any = kb_solvers_read(ANY_ENGINES, "datasets/mechanisms/h2.yaml", &err)));
    on_gpu = h2.s->gpu_available && !h2.s->gpu_available(&err);
    forcing = kb_alloc((size_t)STATES * n, sizeof *forcing);
    for (int k = 0; k < STATES; k++) {
        const double *from = h2.states + k * (n + 1),
                     *to = h2.states + (k * 7 + 30) % STATES * (n + 1);
        for (int i = 0; i < n; i++)
            forcing[k * n + i] = (to[i ? i + 1 : 0] - from[i ? i + 1 : 0]) / MIXING_TIME;
    }
    for (int r = 0; r < 2; r++) {
        exact_y[r] = kb_alloc((size_t)STATES * n, sizeof **exact_y);
        for (int k = 0; k < STATES; k++) {
            ode o = {h2.s, 0, r ? KB_CONST_V : KB_CONST_P, forcing + k * n};
            integrate(&o, h2.states + k * (n + 1), exact_y[r] + k * n);
        }
    }
    return 0;
}

FIXTURE(clear)
{
    any->close(any);
    free_problem(&h2);
    free(forcing);
    free(exact_y[0]);
    free(exact_y[1]);
    return 0;
}

/* the job on the problem's states or its own, with the forcing F of each */
static answer solve_forced(const kb_solver *s, kb_job job, const double *F)
{
    int n = h2.nsp + 1, columns = 2 * n + 1;
    const double *states = job.states ? job.states : h2.states;
    job.n = job.n ? job.n : STATES;
    double *rows = kb_alloc((size_t)job.n * (size_t)columns, sizeof *rows);
    for (long k = 0; k < job.n; k++) {
        memcpy(rows + k * columns, states + k * (n + 1), (size_t)(n + 1) * sizeof *rows);
        memcpy(rows + k * columns + n + 1, F + k * n, (size_t)n * sizeof *rows);
    }
    job.states = rows;
    job.reactor = kb_with_forcing(job.reactor);
    answer a = solve(&h2, s, job);
    free(rows);
    return a;
}

static int with_forced(const kb_solvers *s, void (*check)(const kb_solver *s))
{
    int checked = 0;
    for (int i = 0; i < s->nsolvers; i++)
        if (kb_takes_forcing(s->solvers[i]->info.engine) &&
            (!kb_on_gpu(s->solvers[i]->info.engine) || on_gpu)) {
            check(s->solvers[i]);
            checked++;
        }
    return checked;
}

static void with_every_forced(void (*check)(const kb_solver *s))
{
    /* CVODE's, and of methods on a lane and on many: rodas4, radau2a, rkck; rodas4 */
    assert_true(with_forced(h2.s, check) >= 4 + 6);
    assert_true(with_forced(any, check) >= 4 + 2);
}

/* with factors in floats steps are of that accuracy */
static bool in_floats(const kb_solver *s) { return strstr(s->info.engine, "-float") != NULL; }

/* ---- accuracy ---- */

static void accurate(const kb_solver *s)
{
    double values[32];
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < 2; r++) {
            const double *options = options_with(s, "pass", pass, values);
            if (pass && !options)
                continue;
            kb_job job = {.dt = DT, .reactor = r ? KB_CONST_V : KB_CONST_P,
                          .rtol = in_floats(s) ? 1e-6 : 1e-9, .atol = 1e-15, .options = options,
                          .schedule = KB_REFILL};
            answer a = solve_forced(s, job, forcing), exact = {.y = exact_y[r], .n = STATES};
            double off = distance(&h2, &a, &exact);
            print_message("%-12s %-18s pass %d, constant %s: %.1e\n", s->info.name, s->info.engine,
                          pass, r ? "v" : "p", off);
            assert_int_equal(a.code, KB_OK);
            at_most(s, "the error", off, in_floats(s) ? 1e-4 : 1e-6);
            release(&a);
        }
}

TEST(accuracy)
{
    with_every_forced(accurate);
}

/* the forcing is seen: without it all is elsewhere by far more than any error above */
TEST(it_matters)
{
    const kb_solver *s = kb_solver_find(h2.s, "cvode", "cpu-scalar");
    answer a = solve(&h2, s, (kb_job){.dt = DT}), exact = {.y = exact_y[0], .n = STATES};
    assert_true(distance(&h2, &a, &exact) > 0.05);
    release(&a);
}

TEST(floats)
{
    double values[32];
    const kb_solver *s = kb_solver_find(h2.s, "rodas4", "cpu-simd-forced");
    assert_non_null(s);
    const double *options = options_with(s, "float", 1, values);
    if (!options) { /* one lane */
        print_message("no engine with factors in floats here\n");
        skip();
    }
    kb_job job = {.dt = DT, .rtol = 1e-5, .atol = 1e-11, .options = options};
    answer a = solve_forced(s, job, forcing), exact = {.y = exact_y[0], .n = STATES};
    at_most(s, "the error with factors in floats", distance(&h2, &a, &exact), 1e-3);
    release(&a);
}

/* ---- known answers ---- */

/* Cold nitrogen does not react: T and Y move by F t, exactly, by any method, and the first pass
 * takes it. Y goes from nitrogen to oxygen, and the sum stays 1. */
static void inert(const kb_solver *s)
{
    int n = h2.nsp + 1, N2 = -1, O2 = -1;
    double state[64] = {300, KB_ATM}, F[64] = {0.1 / DT}, values[32];
    for (int i = 0; i < h2.nsp; i++) {
        N2 = strcmp(h2.s->species[i], "N2") ? N2 : i;
        O2 = strcmp(h2.s->species[i], "O2") ? O2 : i;
    }
    state[2 + N2] = 1;
    F[1 + N2] = -5e-10 / DT;
    F[1 + O2] = 5e-10 / DT;
    for (int pass = 0; pass < 2; pass++) {
        const double *options = options_with(s, "pass", pass, values);
        kb_job job = {.n = 1, .states = state, .dt = DT, .rtol = 1e-6, .atol = 1e-12,
                      .options = options};
        answer a = solve_forced(s, job, F);
        double sum = 0;
        assert_int_equal(a.count[0].status, KB_ODE_OK);
        assert_true(!pass || !options || (a.count[0].rhs == 2 && a.count[0].jac == 0));
        for (int i = 0; i < n; i++) {
            double y = state[i ? i + 1 : 0] + F[i] * DT;
            sum += i ? a.y[i] : 0;
            at_most(s, "a state that moves by F dt, off", fabs(a.y[i] - y),
                    i ? 1e-14 : in_floats(s) ? 1e-7 : 1e-11);
        }
        at_most(s, "the sum of Y less 1", fabs(sum - 1), 1e-14);
        release(&a);
    }
}

TEST(inert_gas)
{
    with_every_forced(inert);
}

static void none_is_zeros(const kb_solver *s)
{
    double *zeros = kb_alloc((size_t)STATES * (h2.nsp + 1), sizeof *zeros);
    memset(zeros, 0, (size_t)STATES * (h2.nsp + 1) * sizeof *zeros);
    kb_job job = {.dt = DT, .schedule = KB_REFILL};
    answer a = solve(&h2, s, job);
    answer b = solve_forced(s, job, zeros);
    for (int k = 0; k < STATES; k++)
        assert_same(&h2, &a, k, &b, k);
    release(&a);
    release(&b);
    free(zeros);
}

TEST(no_forcing)
{
    with_every_forced(none_is_zeros);
}

/* ---- each ODE has its own, in any order and on any lane ---- */

static void reversed(const kb_solver *s)
{
    int n = h2.nsp + 1;
    double values[32], *states = kb_alloc((size_t)STATES * (n + 1), sizeof *states),
           *F = kb_alloc((size_t)STATES * n, sizeof *F);
    for (int k = 0; k < STATES; k++) {
        memcpy(states + k * (n + 1), h2.states + (STATES - 1 - k) * (n + 1),
               (n + 1) * sizeof *states);
        memcpy(F + k * n, forcing + (STATES - 1 - k) * n, n * sizeof *F);
    }
    for (int schedule = KB_STATIC; schedule <= KB_REFILL; schedule++) {
        kb_job job = {.dt = DT, .schedule = schedule,
                      .options = options_with(s, "pass", 1, values)};
        answer a = solve_forced(s, job, forcing);
        job.states = states;
        answer b = solve_forced(s, job, F);
        for (int k = 0; k < STATES; k++)
            assert_same(&h2, &a, k, &b, STATES - 1 - k);
        release(&a);
        release(&b);
    }
    free(states);
    free(F);
}

TEST(order_of_odes)
{
    with_every_forced(reversed);
}

TESTS(make, clear)
