/* SPDX-License-Identifier: MIT
 *
 * CVODE (Hindmarsh et al., ACM TOMS 31 (2005) 363; SUNDIALS 6) on the scalar engine: BDF of
 * variable order in y = (T, Y) with the exact Jacobian, started cold on each ODE. One CVODE memory
 * serves all ODEs of a thread (CVodeReInit), so that no ODE allocates.
 *
 * Tolerances: the weights of the error norm are 1/(rtol |y_i| + atol) for T and all Y alike, but
 * for the option atolt. atol is chosen for Y; beside rtol T it is negligible for T.
 */
#include "base/float_environment.h"
#include "base/thread_room.h"
#include "solvers/cvode/cvode.h"
#ifdef KB_FORCED /* the solvers of that object, as its list names them */
#include "solvers/forced_job.h"
#define kb_cvode kb_cvode_scalar_forced
#define kb_cvode_klu kb_cvode_klu_scalar_forced
#define kb_cvode_dense kb_cvode_dense_scalar_forced
#define kb_cvode_paper kb_cvode_paper_scalar_forced
#endif

#include <omp.h>

#include "solvers/cvode/worker.h"

#define MAX_SUBSTEPS 1000000L

static int status_of(const worker *a, int flag)
{
    switch (flag) {
    case CV_SUCCESS:
    case CV_TSTOP_RETURN: return KB_ODE_OK;
    case CV_TOO_MUCH_WORK: return KB_ODE_TOO_MANY;
    case CV_ERR_FAILURE:
    case CV_TOO_MUCH_ACC:
    case CV_TOO_CLOSE: return KB_ODE_STEP_SMALL;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR: return a->trouble;
    default: return KB_ODE_NEWTON;
    }
}

/* CVODE's own linear algebra counts for itself; differences are evaluations of the right-hand
 * side */
static void count_default(const worker *a, kb_count *c)
{
    long differences = 0, jac = 0, lu = 0, solve = 0;
    CVodeGetNumLinRhsEvals(a->cvode, &differences);
    CVodeGetNumJacEvals(a->cvode, &jac);
    CVodeGetNumLinSolvSetups(a->cvode, &lu);
    CVodeGetNumNonlinSolvIters(a->cvode, &solve);
    c->rhs += (int32_t)differences;
    c->jac = (int32_t)jac;
    c->lu = (int32_t)lu;
    c->solve = (int32_t)solve;
}

/* rhs holds the one that came with the first Jacobian; max_substeps bounds the accepted ones */
static void count(const worker *a, kb_count *c)
{
    long steps = 0, errors = 0, failures = 0, evaluations = 0;
    CVodeGetNumSteps(a->cvode, &steps);
    CVodeGetNumErrTestFails(a->cvode, &errors);
    CVodeGetNumStepSolveFails(a->cvode, &failures);
    CVodeGetNumRhsEvals(a->cvode, &evaluations);
    c->accepted = (int32_t)steps;
    c->rejected = (int32_t)(errors + failures);
    c->attempted = c->accepted + c->rejected;
    c->rhs = (int32_t)evaluations;
    c->jac = a->jac;
    c->lu = a->lu;
    c->solve = a->solve;
    if (is_default(a))
        count_default(a, c);
}

/* The explicit first pass of one ODE, whose evaluations count; true: it is done */
static int passes(worker *a, const kb_job *job, double dt, const double *opt, kb_count *c)
{
    kb_run run = {.dt = dt, .rtol = job->rtol, .atol = job->atol, .atolt = opt[ATOLT],
                  .reactor = job->reactor};
    kb_ode o = {.fixed = a->fixed};
#ifdef KB_FORCED
    run.reactor = kb_unforced(job->reactor);
    o.forcing = a->f0; /* which start() needs later */
    memset(a->f0, 0, N * sizeof *a->f0);
    add_forcing(a, a->f0);
#endif
    memcpy(a->pass.y, a->y, N * sizeof *a->y);
    mask done = pass_step(&run, &o, &a->pass, 1);
    memcpy(a->y, a->pass.y, N * sizeof *a->y);
    c->attempted = c->accepted = done;
    c->rhs = (int32_t)o.rhs;
    return done;
}

/* the substep after the last one, which the end of dt may have shortened */
static double next_substep(const worker *a)
{
    double next = 0, last = 0;
    CVodeGetCurrentStep(a->cvode, &next);
    CVodeGetLastStep(a->cvode, &last);
    return fmax(next, last);
}

static void solve_one(worker *a, const kb_job *job, const double *opt, long i, kb_result *result)
{
    kb_count *c = &result->count[i];
    double *y = result->y + i * N, t = 0;
    double dt = job->dts ? job->dts[i] : job->dt, first = job->begin ? job->begin[i] : 0, next = dt;
    memset(c, 0, sizeof *c);
#ifdef KB_FORCED
    c->status = load_forced(a, job, i);
#else
    c->status = load_state(a, job->reactor, job->states + i * (NSP + 2));
#endif
    int32_t tried = 0, done = !c->status && opt[PASS] != 0 && passes(a, job, dt, opt, c);
    if (!done)
        tried = c->rhs;
    if (!c->status && !done) {
        int flag = start(a, opt[FIRST_STEP], dt, first);
        if (!flag && opt[STOP_AT_END] != 0)
            flag = CVodeSetStopTime(a->cvode, dt);
        if (!flag)
            flag = CVode(a->cvode, dt, a->vector, &t, CV_NORMAL);
        c->status = status_of(a, flag);
        count(a, c);
        c->rhs += tried;
        next = next_substep(a);
    }
    if (result->next_h)
        result->next_h[i] = c->status ? 0 : next;
    memcpy(y, a->y, N * sizeof *y);
}

static newton_form form_of(const kb_solver *self)
{
    const char *name = self->info.name;
    return !strcmp(name, "cvode-klu")     ? NEWTON_KLU
           : !strcmp(name, "cvode-dense") ? NEWTON_DENSE
           : !strcmp(name, "cvode-paper") ? NEWTON_DEFAULT
                                          : NEWTON_SPARSE;
}

/* The time holds the loop over the ODEs, without the making of one CVODE memory for each thread. */
static int run_all(const void *tables, worker **workers, int threads, const kb_job *job,
                   const double *opt, kb_result *result)
{
    const volatile int *stop = job->stop;
    double begin = omp_get_wtime();
    int used = 0; /* OpenMP may give fewer than were asked for */
#pragma omp parallel num_threads(threads) reduction(+ : used)
    {
        KB_HOLD_ENVIRONMENT();
        kb_use_tables(tables);
        used = 1;
#pragma omp for schedule(dynamic, 1)
        for (long i = 0; i < job->n; i++)
            if (!stop || !*stop)
                solve_one(workers[omp_get_thread_num()], job, opt, i, result);
    }
    result->total = omp_get_wtime() - begin;
    result->copy_in = result->copy_out = 0;
    result->kernel = result->total;
    result->lane_use = 1;
    result->lanes = 1;
    result->threads = result->resident = used;
    return stop && *stop ? KB_INTERRUPTED : KB_OK;
}

static int check_job(const kb_job *job, const double *opt, kb_error *err)
{
    if (!(job->dt > 0 && isfinite(job->dt)))
        return kb_fail(err, KB_INVALID, "cvode: dt = %g s, expected > 0", job->dt);
    if (!(job->rtol > 0 && job->atol > 0))
        return kb_fail(err, KB_INVALID, "cvode: rtol = %g, atol = %g, expected both > 0", job->rtol,
                       job->atol);
    if (!(opt[DROP] >= 0))
        return kb_fail(err, KB_INVALID, "cvode: drop = %g, expected 0 or more", opt[DROP]);
    if (!(opt[MAX_ORDER] >= 1 && opt[MAX_ORDER] <= 5))
        return kb_fail(err, KB_INVALID, "cvode: max_order = %g, expected 1 to 5", opt[MAX_ORDER]);
    if (!(opt[NONLIN_COEF] > 0 && opt[SETUP_EVERY] >= 1 && opt[JAC_EVERY] >= 1 &&
          opt[GAMMA_CHANGE] > 0 && opt[FIRST_STEP] >= 0))
        return kb_fail(err, KB_INVALID, "cvode: nonlin_coef, setup_every, jac_every and "
                       "gamma_change must be positive, first_step not negative");
    return KB_OK;
}

static int run(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    double opt[sizeof options / sizeof *options] = {0};
    for (int i = 0; self->info.options[i].name; i++)
        opt[i] = job->options ? job->options[i] : self->info.options[i].value;
    int threads = job->threads > 0 ? job->threads : omp_get_num_procs();
    long most = job->max_substeps > 0 ? job->max_substeps : MAX_SUBSTEPS;
    int code = check_job(job, opt, err), missing = 0;
    code = code ? code : kb_thread_room(threads, err);
    if (code)
        return code;
    worker **workers = calloc((size_t)threads, sizeof *workers);
    if (!workers)
        return kb_fail(err, KB_INVALID, "cvode: no memory for %d threads", threads);
#pragma omp parallel num_threads(threads) reduction(+ : missing)
    {
        KB_HOLD_ENVIRONMENT();
        kb_use_tables(self->tables);
        worker *a = worker_new(form_of(self), job->rtol, job->atol, opt, job->dt, most);
        if (a)
            a->stop = job->stop;
        missing += !a;
        workers[omp_get_thread_num()] = a;
    }
    if (missing)
        code = kb_fail(err, KB_INVALID, "cvode: SUNDIALS cannot be set up (out of memory?)");
    else
        code = run_all(self->tables, workers, threads, job, opt, result);
    for (int i = 0; i < threads; i++)
        worker_free(workers[i]);
    free(workers);
    return code;
}

#ifndef KB_FORCED
int kb_cvode_trajectory(const kb_solvers *self, const double *state, kb_reactor reactor,
                        double rtol, double atol, long m, const double *t, double *out,
                        kb_error *err)
{
    kb_use_tables(self->tables);
    double opt[sizeof options / sizeof *options - 1], reached = 0;
    for (size_t i = 0; i < sizeof opt / sizeof *opt; i++)
        opt[i] = options[i].value;
    worker *a = worker_new(NEWTON_SPARSE, rtol, atol, opt, m > 0 ? t[m - 1] : 1,
                           100 * MAX_SUBSTEPS);
    if (!a)
        return kb_fail(err, KB_INVALID, "cvode: SUNDIALS cannot be set up (rtol %g, atol %g)", rtol,
                       atol);
    int code = KB_OK, bad = load_state(a, reactor, state);
    int flag = CVodeReInit(a->cvode, 0, a->vector);
    if (bad)
        code = kb_fail(err, KB_INVALID, "no trajectory from T = %g K, p = %g Pa: T must be %g to "
                       "%g K, p positive, and every mass fraction finite", state[0], state[1],
                       KB_T_LOW, KB_T_HIGH);
    for (long i = 0; i < m && !code; i++) {
        if (t[i] > 0)
            flag = CVode(a->cvode, t[i], a->vector, &reached, CV_NORMAL);
        memcpy(out + i * N, a->y, N * sizeof *out);
        if (flag < 0)
            code = kb_fail(err, KB_INVALID, "trajectory from T = %g K, p = %g Pa: CVODE failed "
                           "with flag %d before t = %g s (T = %g K)", state[0], state[1], flag,
                           t[i], a->y[0]);
    }
    worker_free(a);
    return code;
}
#endif

#define SOURCE                                                                                     \
    "CVODE 6 of SUNDIALS: Hindmarsh et al., ACM TOMS 31 (2005) 363; fixed-leading-coefficient BDF"
/* of one thread; 24 vectors of CVODE */
#ifdef KB_RUN_TIME
#define ENGINE_NAME "cpu-scalar-any"
#define BYTES(object, more) .bytes = object##_bytes
#define BYTES_OF(object, more)                                                                     \
    static size_t object##_bytes(void) { return KB_WORK_SIZE(worker) + 24 * N * 8 + (more); }
#else
#define ENGINE_NAME "cpu-scalar"
#define BYTES(object, more) .info.bytes_per_ode = sizeof(worker) + 24 * N * 8 + (more)
#define BYTES_OF(object, more)
#endif
#ifdef KB_FORCED
#undef ENGINE_NAME
#define ENGINE_NAME KB_ENGINE
#endif
#define SOLVER(object, label, text, table, more)                                                   \
    BYTES_OF(object, more)                                                                         \
    const kb_solver object = {                                                                     \
        .info = {.name = label, .engine = ENGINE_NAME, .source = SOURCE, .summary = text,          \
                 .order = 0, .rtol = 1e-8, .atol = 1e-15, .options = table, .lanes = 1,            \
                 .steps_own = 1, .promise = {.inexact = {.order = 5}}},                            \
        .run = run, BYTES(object, more)}

SOLVER(kb_cvode, "cvode", "CVODE, exact sparse Jacobian, LU without pivoting", options, 0);
SOLVER(kb_cvode_klu, "cvode-klu", "CVODE, exact sparse Jacobian, KLU", other_options, 24 * NNZ);
SOLVER(kb_cvode_dense, "cvode-dense", "CVODE, dense analytic Jacobian, LU with partial pivoting",
       other_options, 8 * N * N);
SOLVER(kb_cvode_paper, "cvode-paper", "CVODE as it is by default: dense Jacobian by finite "
       "differences, dense LU of SUNDIALS", default_options, 16 * N * N);
