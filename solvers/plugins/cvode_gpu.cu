/* SPDX-License-Identifier: MIT
 *
 * cvode-gpu: CVODE with a vector that holds a batch of ODEs on the GPU, as flow codes use it: one
 * BDF, one substep and one error norm for all ODEs of a batch (Balos et al., Parallel Computing 108
 * (2021) 102836). f, the exact Jacobian and the sparse LU are kinbench's, one thread an ODE. A
 * batch is one problem to CVODE: an ODE that fails ends its batch.
 *
 * Built for each mechanism with a SUNDIALS that has CUDA (plugins.mk). With KB_ON_HOST the vector
 * is N_Vector_Serial and kernels are loops: the same algorithm on one core, which the tests compare
 * with the reference.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#ifdef KB_ON_HOST
#include <nvector/nvector_serial.h>
#else
#include <cuda_runtime.h>
#include <nvector/nvector_cuda.h>
#endif

#include "solvers/cvode/own_linear.h"
#include "solvers/problem.h"
#include "solvers/plugin_api.h"

/* ---- loops over the ODEs, and memory ---- */

#ifdef KB_ON_HOST
#define KERNEL static void
#define EACH(c, n) for (long c = 0; c < n; c++)
template <class... A, class... B> static bool launch(long, void (*kernel)(A...), B... args)
{
    kernel(args...);
    return true;
}
static double *array_of(N_Vector v) { return N_VGetArrayPointer(v); }
static N_Vector new_vector(long n, SUNContext c) { return N_VNew_Serial(n, c); }
static bool reserve(void **p, size_t size) { return (*p = calloc(1, size)) != nullptr; }
static void release(void *p) { free(p); }
static bool copy(void *to, const void *from, size_t size) { return memcpy(to, from, size); }
#define NAME "cvode-lockstep"
#else
#define KERNEL static __global__ void
#define EACH(c, n)                                                                                 \
    for (long c = (long)blockIdx.x * blockDim.x + threadIdx.x; c < n;                              \
         c += (long)gridDim.x * blockDim.x)
template <class... A, class... B> static bool launch(long n, void (*kernel)(A...), B... args)
{
    kernel<<<(unsigned)((n + 63) / 64), 64>>>(args...);
    return cudaGetLastError() == cudaSuccess;
}
static double *array_of(N_Vector v) { return N_VGetDeviceArrayPointer(v); }
static N_Vector new_vector(long n, SUNContext c) { return N_VNew_Cuda(n, c); }
static bool reserve(void **p, size_t size) { return cudaMalloc(p, size) == cudaSuccess; }
static void release(void *p) { cudaFree(p); }
static bool copy(void *to, const void *from, size_t size)
{
    return cudaMemcpy(to, from, size, cudaMemcpyDefault) == cudaSuccess;
}
#define NAME "cvode-gpu"
#endif

enum { BATCH, ORDER, LINEAR };
static const kb_plugin_option options[] = {
    {"batch", "ODEs that go in lockstep", 4096},
    {"order", "highest order of BDF, 1 to 5", 5},
    {"linear", "0: our LU of the exact Jacobian; 1: GMRES without a preconditioner", 0},
    {nullptr, nullptr, 0}};

/* a batch; vectors with element i of all ODEs side by side */
struct cells {
    long n;
    int reactor;
    double *fixed;  /* [n] */
    int *bad;       /* a status: a state where f is not defined */
    double *J, *LU; /* [NNZ x n] */
};

/* ---- kernels ---- */

KERNEL load_states(cells b, const double *states, double *y)
{
    EACH(c, b.n)
    {
        const double *s = states + c * (N + 1);
        for (int i = 0; i < N; i++)
            y[i * b.n + c] = s[i ? i + 1 : 0];
        b.fixed[c] = b.reactor ? kin_density(s[0], s[1], s + 2) : s[1];
    }
}

KERNEL evaluate(cells b, const double *y, double *dy)
{
    EACH(c, b.n)
    {
        lane Y[N], D[N];
        kb_kinetics w;
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += Y[i] = y[i * b.n + c];
        if (!(sum - sum == 0))
            *b.bad = KB_PLUGIN_NOT_FINITE;
        else if (!(Y[0] >= KB_T_LOW && Y[0] <= KB_T_HIGH))
            *b.bad = KB_PLUGIN_BOUNDS;
        else
            kin_rhs((kb_reactor)b.reactor, b.fixed[c], Y, D, &w);
        for (int i = 0; i < N; i++)
            dy[i * b.n + c] = *b.bad ? 0 : D[i];
    }
}

KERNEL make_jacobian(cells b, const double *y)
{
    EACH(c, b.n)
    {
        lane Y[N], D[N], A[NNZ];
        kb_jacobian w;
        for (int i = 0; i < N; i++)
            Y[i] = y[i * b.n + c];
        jac_rhs((kb_reactor)b.reactor, b.fixed[c], Y, D, A, &w.k, &w.s);
        for (int i = 0; i < NNZ; i++)
            b.J[i * b.n + c] = A[i];
    }
}

KERNEL factor(cells b, double gi)
{
    EACH(c, b.n)
    {
        lane A[NNZ];
        for (int i = 0; i < NNZ; i++)
            A[i] = b.J[i * b.n + c];
        lu_factor(A, gi);
        for (int i = 0; i < NNZ; i++)
            b.LU[i * b.n + c] = A[i];
    }
}

/* x = (I - gamma J)^-1 r */
KERNEL solve(cells b, double gi, const double *r, double *x)
{
    EACH(c, b.n)
    {
        lane A[NNZ], z[N];
        for (int i = 0; i < NNZ; i++)
            A[i] = b.LU[i * b.n + c];
        for (int i = 0; i < N; i++)
            z[i] = gi * r[i * b.n + c];
        lu_solve(A, z, z);
        for (int i = 0; i < N; i++)
            x[i * b.n + c] = z[i];
    }
}

KERNEL store_states(cells b, const double *y, double *out)
{
    EACH(c, b.n)
    {
        for (int i = 0; i < N; i++)
            out[c * N + i] = y[i * b.n + c];
    }
}

/* ---- CVODE ---- */

struct batch {
    cells b;
    const kb_plugin_job *job;
    double gi;
    double *states, *rows;
    int trouble;
    kb_plugin_work work;
    SUNContext context;
    N_Vector y;
    SUNMatrix matrix; /* empty: the factors are in cells */
    SUNLinearSolver linear;
    void *cvode;
};

static int f(sunrealtype, N_Vector y, N_Vector dy, void *user)
{
    batch *a = (batch *)user;
    int bad = 0;
    if (*a->job->stop)
        return -1;
    a->work.rhs++;
    if (!launch(a->b.n, evaluate, a->b, (const double *)array_of(y), array_of(dy)) ||
        !copy(&bad, a->b.bad, sizeof bad))
        return -1;
    if (!bad)
        return 0;
    a->trouble = bad;
    bad = 0;
    return copy(a->b.bad, &bad, sizeof bad) ? 1 : -1;
}

static int linear_system(sunrealtype, N_Vector y, N_Vector, SUNMatrix, int jac_ok, int *current,
                         sunrealtype gamma, void *user, N_Vector, N_Vector, N_Vector)
{
    batch *a = (batch *)user;
    *current = !jac_ok;
    if (!jac_ok && !launch(a->b.n, make_jacobian, a->b, (const double *)array_of(y)))
        return -1;
    a->work.jac += !jac_ok;
    a->work.lu++;
    a->gi = 1 / gamma;
    return launch(a->b.n, factor, a->b, a->gi) ? 0 : -1;
}

static int linear_solve(SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector r, sunrealtype)
{
    batch *a = (batch *)s->content;
    a->work.solve++;
    return launch(a->b.n, solve, a->b, a->gi, (const double *)array_of(r), array_of(x)) ? 0 : -1;
}

static bool make_context(batch *a)
{
#if SUNDIALS_VERSION_MAJOR < 7
    return !SUNContext_Create(nullptr, &a->context);
#else
    return !SUNContext_Create(SUN_COMM_NULL, &a->context) &&
           !SUNContext_ClearErrHandlers(a->context);
#endif
}

static bool make_silent(batch *a)
{
#if SUNDIALS_VERSION_MAJOR < 7
    return !CVodeSetErrHandlerFn(a->cvode, kb_own_silent, nullptr);
#else
    return a->cvode;
#endif
}

static bool make_own_linear(batch *a)
{
    return !kb_own_linear(a->context, a, linear_solve, &a->linear, &a->matrix) &&
           !CVodeSetLinearSolver(a->cvode, a->linear, a->matrix) &&
           !CVodeSetLinSysFn(a->cvode, linear_system);
}

static bool make_linear(batch *a)
{
    if (a->job->options[LINEAR] == 0)
        return make_own_linear(a);
    a->linear = SUNLinSol_SPGMR(a->y, SUN_PREC_NONE, 0, a->context);
    return a->linear && !CVodeSetLinearSolver(a->cvode, a->linear, nullptr);
}

static bool allocate(batch *a)
{
    size_t n = (size_t)a->b.n;
    return reserve((void **)&a->b.fixed, n * sizeof(double)) &&
           reserve((void **)&a->b.bad, sizeof(int)) &&
           reserve((void **)&a->b.J, n * NNZ * sizeof(double)) &&
           reserve((void **)&a->b.LU, n * NNZ * sizeof(double)) &&
           reserve((void **)&a->states, n * (N + 1) * sizeof(double)) &&
           reserve((void **)&a->rows, n * N * sizeof(double));
}

static bool make_batch(batch *a, const kb_plugin_job *job, long n)
{
    a->job = job;
    a->b.n = n;
    a->b.reactor = job->constant_volume != 0;
    if (!make_context(a) || !allocate(a) || !(a->y = new_vector(n * N, a->context)))
        return false;
    N_VConst(1, a->y);
    a->cvode = CVodeCreate(CV_BDF, a->context);
    return a->cvode && !CVodeInit(a->cvode, f, 0, a->y) && make_silent(a) &&
           !CVodeSetUserData(a->cvode, a) && !CVodeSStolerances(a->cvode, job->rtol, job->atol) &&
           make_linear(a) && !CVodeSetMaxOrd(a->cvode, (int)job->options[ORDER]) &&
           !CVodeSetMaxNumSteps(a->cvode, job->max_substeps) &&
           !CVodeSetMaxHnilWarns(a->cvode, -1);
}

static void free_batch(batch *a)
{
    if (a->cvode)
        CVodeFree(&a->cvode);
    if (a->linear && a->matrix)
        SUNLinSolFreeEmpty(a->linear);
    else if (a->linear)
        SUNLinSolFree(a->linear);
    if (a->matrix)
        SUNMatFreeEmpty(a->matrix);
    if (a->y)
        N_VDestroy(a->y);
    if (a->context)
        SUNContext_Free(&a->context);
    release(a->b.fixed);
    release(a->b.bad);
    release(a->b.J);
    release(a->b.LU);
    release(a->states);
    release(a->rows);
}

static int status_of(const batch *a, int flag)
{
    switch (flag) {
    case CV_SUCCESS:
    case CV_TSTOP_RETURN: return KB_PLUGIN_OK;
    case CV_TOO_MUCH_WORK: return KB_PLUGIN_TOO_MANY;
    case CV_ERR_FAILURE:
    case CV_TOO_MUCH_ACC:
    case CV_TOO_CLOSE: return KB_PLUGIN_STEP_SMALL;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR: return a->trouble ? a->trouble : KB_PLUGIN_NOT_FINITE;
    default: return KB_PLUGIN_NEWTON;
    }
}

/* Returns false when the device or memory fails. Each ODE has the counts of its batch. */
static bool run_batch(batch *a, const double *states, double *y, kb_plugin_work *work,
                      int32_t *status)
{
    sunrealtype t = 0;
    long steps = 0, errors = 0, failures = 0, n = a->b.n;
    double *vector = array_of(a->y);
    if (!copy(a->states, states, (size_t)(n * (N + 1)) * sizeof *states) ||
        !launch(n, load_states, a->b, (const double *)a->states, vector))
        return false;
    a->work = {};
    int flag = CVodeReInit(a->cvode, 0, a->y);
    flag = flag ? flag : CVodeSetStopTime(a->cvode, a->job->dt);
    flag = flag ? flag : CVode(a->cvode, a->job->dt, a->y, &t, CV_NORMAL);
    CVodeGetNumSteps(a->cvode, &steps);
    CVodeGetNumErrTestFails(a->cvode, &errors);
    CVodeGetNumNonlinSolvConvFails(a->cvode, &failures);
    a->work.accepted = (int32_t)steps;
    a->work.rejected = (int32_t)(errors + failures);
    a->work.attempted = a->work.accepted + a->work.rejected;
    std::fill_n(work, n, a->work);
    std::fill_n(status, n, status_of(a, flag));
    return launch(n, store_states, a->b, (const double *)vector, a->rows) &&
           copy(y, a->rows, (size_t)(n * N) * sizeof *y);
}

/* what cannot start would end its batch */
static int impossible(const double *s)
{
    double sum = 0;
    for (int i = 0; i < N + 1; i++)
        sum += s[i];
    if (!(sum - sum == 0))
        return KB_PLUGIN_NOT_FINITE;
    return s[0] > KB_T_LOW && s[0] < KB_T_HIGH && s[1] > 0 ? 0 : KB_PLUGIN_BOUNDS;
}

/* all batches but the last, which may be smaller; why: they cannot be made */
struct both {
    batch full, last;
    char why[256];
};

static bool is_possible(const kb_plugin_job *job, char *why, size_t size)
{
    double order = job->options[ORDER], linear = job->options[LINEAR];
    if (job->species != NSP)
        snprintf(why, size, "built for " KB_MECH_NAME " with %d species, not %d", NSP,
                 job->species);
    else if (!(job->options[BATCH] >= 1 && order >= 1 && order <= 5 &&
               (linear == 0 || linear == 1)))
        snprintf(why, size, "batch must be 1 or more, order 1 to 5, linear 0 or 1");
    for (long i = 0; i < job->n && !*why; i++)
        if (impossible(job->states + i * (N + 1)))
            snprintf(why, size, "state %ld cannot start, and would end its batch", i);
    return !*why;
}

static bool available(char *why, size_t size)
{
#ifndef KB_ON_HOST
    int devices = 0;
    cudaError_t e = cudaGetDeviceCount(&devices);
    if (e != cudaSuccess || !devices)
        snprintf(why, size, "no CUDA device (%s)", cudaGetErrorString(e));
#endif
    (void)size;
    return !*why;
}

/* each kernel once: a device loads them at their first launch */
static bool warm_up(batch *a)
{
    double *y = array_of(a->y);
    int none = 0;
    a->gi = 1e9;
    return copy(a->states, a->job->states, (size_t)(a->b.n * (N + 1)) * sizeof *y) &&
           launch(a->b.n, load_states, a->b, (const double *)a->states, y) &&
           launch(a->b.n, evaluate, a->b, (const double *)y, a->rows) &&
           launch(a->b.n, make_jacobian, a->b, (const double *)y) &&
           launch(a->b.n, factor, a->b, a->gi) &&
           launch(a->b.n, solve, a->b, a->gi, (const double *)a->rows, y) &&
           launch(a->b.n, store_states, a->b, (const double *)y, a->rows) &&
           copy(a->b.bad, &none, sizeof none);
}

static void *start(const kb_plugin_job *job, kb_plugin_ode *)
{
    both *all = (both *)calloc(1, sizeof *all);
    if (!all || !is_possible(job, all->why, sizeof all->why) ||
        !available(all->why, sizeof all->why))
        return all;
    long n = (long)std::min(job->options[BATCH], (double)job->n), rest = n ? job->n % n : 0;
    if ((n && !(make_batch(&all->full, job, n) && warm_up(&all->full))) ||
        (rest && !make_batch(&all->last, job, rest)))
        snprintf(all->why, sizeof all->why, "CUDA, SUNDIALS or memory failed (a smaller batch=?)");
    return all;
}

static void finish(void *self)
{
    both *all = (both *)self;
    free_batch(&all->full);
    free_batch(&all->last);
    free(all);
}

static int integrate(void *self, const kb_plugin_job *job, double *y, kb_plugin_work *work,
                     int32_t *status, char *why, int size)
{
    both *all = (both *)self;
    bool good = !*all->why;
    snprintf(why, (size_t)size, "%s", all->why);
    for (long first = 0, n = 0; first < job->n && good; first += n) {
        batch *a = job->n - first >= all->full.b.n ? &all->full : &all->last;
        n = a->b.n;
        good = run_batch(a, job->states + first * (N + 1), y + first * N, work + first,
                         status + first);
        if (!good)
            snprintf(why, (size_t)size, "CUDA failed within a batch");
    }
    return !good;
}

extern "C" const kb_plugin_list *kb_plugin_get(void);
extern "C" const kb_plugin_list *kb_plugin_get(void)
{
    static kb_plugin_solver solver;
    solver.name = NAME;
    solver.summary = "CVODE, batches in lockstep, our f, J and LU";
    solver.source = "CVODE of SUNDIALS: Hindmarsh et al., ACM TOMS 31 (2005) 363";
    solver.rtol = 1e-6;
    solver.atol = 1e-12;
#ifndef KB_ON_HOST
    solver.on_gpu = 1;
#endif
    solver.options = options;
    solver.start = start;
    solver.finish = finish;
    solver.integrate_batch = integrate;
    static const kb_plugin_list list = {KB_PLUGIN_VERSION, 1, &solver};
    return &list;
}
