/* SPDX-License-Identifier: MIT
 *
 * cvode-gpu: CVODE with a vector that holds a batch of ODEs on the GPU, as flow codes use it: one
 * BDF, one substep and one error norm for all ODEs of a batch (Balos et al., Parallel Computing 108
 * (2021) 102836). f, the exact Jacobian and the sparse LU are kinbench's, one thread an ODE; or
 * dense LU with pivoting of cuBLAS, or GMRES. A batch is one problem to CVODE: an ODE that fails
 * ends its batch. Several batches go at once, each with a CUDA stream and a thread of the host.
 *
 * Built for each mechanism with a SUNDIALS that has CUDA (solvers/mechanism.mk). With
 * KB_ON_HOST the vector is N_Vector_Serial, kernels are loops, and pivoted_lu.h stands for cuBLAS:
 * the same algorithm on cores, which the tests compare with the reference.
 */
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <thread>

#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#ifdef KB_ON_HOST
#include <nvector/nvector_serial.h>
#include "base/pivoted_lu.h"
#else
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <nvector/nvector_cuda.h>
#include <sundials/sundials_cuda_policies.hpp>
#endif

#include "solvers/cvode/own_linear.h"
#include "solvers/problem.h"
#include "solvers/plugin_api.h"

/* ---- loops over the ODEs, and memory ---- */

#ifdef KB_ON_HOST
#define KERNEL static void
#define EACH(c, n) for (long c = 0; c < n; c++)
typedef int stream; /* none */
template <class... A, class... B> static bool launch(stream, long, void (*kernel)(A...), B... args)
{
    kernel(args...);
    return true;
}
static double *array_of(N_Vector v) { return N_VGetArrayPointer(v); }
static N_Vector new_vector(long n, stream, SUNContext c) { return N_VNew_Serial(n, c); }
static bool open_stream(stream *) { return true; }
static void close_stream(stream) {}
static bool reserve(void **p, size_t size) { return (*p = calloc(1, size)) != nullptr; }
static void release(void *p) { free(p); }
static bool copy(stream, void *to, const void *from, size_t size) { return memcpy(to, from, size); }
#define NAME "cvode-lockstep"
#else
#define KERNEL static __global__ void
#define EACH(c, n)                                                                                 \
    for (long c = (long)blockIdx.x * blockDim.x + threadIdx.x; c < n;                              \
         c += (long)gridDim.x * blockDim.x)
typedef cudaStream_t stream;
template <class... A, class... B>
static bool launch(stream s, long n, void (*kernel)(A...), B... args)
{
    kernel<<<(unsigned)((n + 63) / 64), 64, 0, s>>>(args...);
    return cudaGetLastError() == cudaSuccess;
}
static double *array_of(N_Vector v) { return N_VGetDeviceArrayPointer(v); }
/* sums without atomics: the same bits each time */
static N_Vector new_vector(long n, stream s, SUNContext c)
{
    SUNCudaThreadDirectExecPolicy elements(256, s);
    SUNCudaBlockReduceExecPolicy sum(256, 0, s);
    N_Vector v = N_VNew_Cuda(n, c);
    if (v && N_VSetKernelExecPolicy_Cuda(v, &elements, &sum)) {
        N_VDestroy(v);
        return nullptr;
    }
    return v;
}
static bool open_stream(stream *s) { return cudaStreamCreate(s) == cudaSuccess; }
static void close_stream(stream s)
{
    if (s)
        cudaStreamDestroy(s);
}
static bool reserve(void **p, size_t size) { return cudaMalloc(p, size) == cudaSuccess; }
static void release(void *p) { cudaFree(p); }
static bool copy(stream s, void *to, const void *from, size_t size)
{
    return cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, s) == cudaSuccess &&
           cudaStreamSynchronize(s) == cudaSuccess;
}
#define NAME "cvode-gpu"
#endif

enum { BATCH, ORDER, LINEAR, STREAMS };
static const kb_plugin_option options[] = {
    {"batch", "ODEs that go in lockstep", 4096},
    {"order", "highest order of BDF, 1 to 5", 5},
    {"linear", "0: our LU of the exact Jacobian; 1: GMRES without a preconditioner; 2: dense LU "
               "with pivoting (cuBLAS)", 0},
    {"streams", "batches at once, 1 to 64", 1},
    {nullptr, nullptr, 0}};
static const int OURS = 0, GMRES = 1, DENSE = 2;
enum { MOST_STREAMS = 64 };

/* a batch; vectors with element i of all ODEs side by side */
struct cells {
    long n;
    int reactor;
    double *fixed;  /* [n] */
    int *bad;       /* a status: a state where f is not defined */
    double *J, *LU; /* [NNZ x n] */
    double *dense;  /* [n] matrices N x N, by columns */
    double *right;  /* [n x N] */
    double **matrices, **rights; /* [n]: where they are */
    int *pivots, *singular;      /* [n x N], [n] */
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

/* where the matrix and the right-hand side of each ODE are */
KERNEL point(cells b)
{
    EACH(c, b.n)
    {
        b.matrices[c] = b.dense + c * N * N;
        b.rights[c] = b.right + c * N;
    }
}

/* (1/gamma) I - J in (T, Y): W_i (A_ij + A_is)/W_j between species; A as in jacobian.h */
KERNEL fill_dense(cells b, double gi)
{
    EACH(c, b.n)
    {
        const double *A = b.J + c;
        double *M = b.matrices[c], corner = A[kb_lu_T_row[POS_S] * b.n];
        M[0] = A[kb_lu_T_row[POS_T] * b.n] + gi;
        for (int i = 0; i < NSP; i++)
            M[i + 1] = kb_W[i] * A[kb_lu_T_col[kb_lu_position[i]] * b.n];
        for (int j = 0; j < NSP; j++) {
            double *column = M + (j + 1) * N, rW = kb_rW[j];
            column[0] = (A[kb_lu_T_row[kb_lu_position[j]] * b.n] + corner) * rW;
            for (int i = 0; i < NSP; i++)
                column[i + 1] = kb_W[i] * A[kb_lu_s_col[kb_lu_position[i]] * b.n] * rW;
            for (int k = kb_jac_column_start[j]; k < kb_jac_column_start[j + 1]; k++) {
                int i = kb_jac_row[k];
                column[i + 1] += kb_W[i] * A[kb_jac_storage[k] * b.n] * rW;
            }
            column[j + 1] += gi;
        }
    }
}

KERNEL check_pivots(cells b)
{
    EACH(c, b.n)
    {
        if (b.singular[c])
            *b.bad = KB_PLUGIN_NEWTON;
    }
}

KERNEL load_right(cells b, double gi, const double *r)
{
    EACH(c, b.n)
    {
        for (int i = 0; i < N; i++)
            b.right[c * N + i] = gi * r[i * b.n + c];
    }
}

KERNEL store_right(cells b, double *x)
{
    EACH(c, b.n)
    {
        for (int i = 0; i < N; i++)
            x[i * b.n + c] = b.right[c * N + i];
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

/* ---- dense systems ---- */

#ifdef KB_ON_HOST
typedef int dense_library;
static bool open_dense(dense_library *, stream) { return true; }
static void close_dense(dense_library) {}
static bool factor_all(dense_library, const cells *b)
{
    for (long c = 0; c < b->n; c++)
        b->singular[c] = kb_pivoted_factor(N, b->matrices[c], b->pivots + c * N);
    return true;
}
static bool solve_all(dense_library, const cells *b)
{
    for (long c = 0; c < b->n; c++)
        kb_pivoted_solve(N, b->matrices[c], b->pivots + c * N, b->rights[c]);
    return true;
}
#else
typedef cublasHandle_t dense_library;
/* opened when it is asked for: it takes seconds, and others do not need it */
static struct {
    decltype(&cublasCreate_v2) create;
    decltype(&cublasDestroy_v2) destroy;
    decltype(&cublasSetStream_v2) set_stream;
    decltype(&cublasDgetrfBatched) factor;
    decltype(&cublasDgetrsBatched) solve;
} blas;
template <class F> static bool find(void *library, const char *name, F *function)
{
    *function = library ? (F)dlsym(library, name) : nullptr;
    return *function;
}
static bool open_dense(dense_library *d, stream s)
{
    char name[32];
    snprintf(name, sizeof name, "libcublas.so.%d", CUDART_VERSION / 1000);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return find(library, "cublasCreate_v2", &blas.create) &&
           find(library, "cublasDestroy_v2", &blas.destroy) &&
           find(library, "cublasSetStream_v2", &blas.set_stream) &&
           find(library, "cublasDgetrfBatched", &blas.factor) &&
           find(library, "cublasDgetrsBatched", &blas.solve) &&
           blas.create(d) == CUBLAS_STATUS_SUCCESS &&
           blas.set_stream(*d, s) == CUBLAS_STATUS_SUCCESS;
}
static void close_dense(dense_library d)
{
    if (d)
        blas.destroy(d);
}
static bool factor_all(dense_library d, const cells *b)
{
    return blas.factor(d, N, b->matrices, N, b->pivots, b->singular, (int)b->n) ==
           CUBLAS_STATUS_SUCCESS;
}
static bool solve_all(dense_library d, const cells *b)
{
    int info = 0;
    return blas.solve(d, CUBLAS_OP_N, N, 1, b->matrices, N, b->pivots, b->rights, N, &info,
                      (int)b->n) == CUBLAS_STATUS_SUCCESS && !info;
}
#endif

/* ---- CVODE ---- */

struct batch {
    cells b;
    stream on;
    dense_library library;
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

/* what kernels left in *b.bad, which is 0 afterwards; -1: the device failed */
static int take_bad(batch *a)
{
    int bad = 0, none = 0;
    if (!copy(a->on, &bad, a->b.bad, sizeof bad) ||
        (bad && !copy(a->on, a->b.bad, &none, sizeof none)))
        return -1;
    return bad;
}

static int f(sunrealtype, N_Vector y, N_Vector dy, void *user)
{
    batch *a = (batch *)user;
    if (*a->job->stop)
        return -1;
    a->work.rhs++;
    if (!launch(a->on, a->b.n, evaluate, a->b, (const double *)array_of(y), array_of(dy)))
        return -1;
    int bad = take_bad(a);
    a->trouble = bad > 0 ? bad : a->trouble;
    return bad > 0 ? 1 : bad;
}

static int factor_dense(batch *a)
{
    if (!launch(a->on, a->b.n, fill_dense, a->b, a->gi) || !factor_all(a->library, &a->b) ||
        !launch(a->on, a->b.n, check_pivots, a->b))
        return -1;
    int bad = take_bad(a);
    return bad > 0 ? 1 : bad;
}

static int linear_system(sunrealtype, N_Vector y, N_Vector, SUNMatrix, int jac_ok, int *current,
                         sunrealtype gamma, void *user, N_Vector, N_Vector, N_Vector)
{
    batch *a = (batch *)user;
    *current = !jac_ok;
    if (!jac_ok && !launch(a->on, a->b.n, make_jacobian, a->b, (const double *)array_of(y)))
        return -1;
    a->work.jac += !jac_ok;
    a->work.lu++;
    a->gi = 1 / gamma;
    if (a->job->options[LINEAR] == DENSE)
        return factor_dense(a);
    return launch(a->on, a->b.n, factor, a->b, a->gi) ? 0 : -1;
}

static int linear_solve(SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector r, sunrealtype)
{
    batch *a = (batch *)s->content;
    const double *right = array_of(r);
    a->work.solve++;
    if (a->job->options[LINEAR] == DENSE)
        return launch(a->on, a->b.n, load_right, a->b, a->gi, right) &&
                       solve_all(a->library, &a->b) &&
                       launch(a->on, a->b.n, store_right, a->b, array_of(x)) ? 0 : -1;
    return launch(a->on, a->b.n, solve, a->b, a->gi, right, array_of(x)) ? 0 : -1;
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
    if (a->job->options[LINEAR] != GMRES)
        return make_own_linear(a);
    a->linear = SUNLinSol_SPGMR(a->y, SUN_PREC_NONE, 0, a->context);
    return a->linear && !CVodeSetLinearSolver(a->cvode, a->linear, nullptr);
}

static bool allocate_dense(batch *a)
{
    size_t n = (size_t)a->b.n;
    return open_dense(&a->library, a->on) &&
           reserve((void **)&a->b.dense, n * N * N * sizeof(double)) &&
           reserve((void **)&a->b.right, n * N * sizeof(double)) &&
           reserve((void **)&a->b.matrices, n * sizeof(double *)) &&
           reserve((void **)&a->b.rights, n * sizeof(double *)) &&
           reserve((void **)&a->b.pivots, n * N * sizeof(int)) &&
           reserve((void **)&a->b.singular, n * sizeof(int)) &&
           launch(a->on, a->b.n, point, a->b);
}

static bool allocate(batch *a)
{
    size_t n = (size_t)a->b.n;
    int none = 0;
    return reserve((void **)&a->b.fixed, n * sizeof(double)) &&
           reserve((void **)&a->b.bad, sizeof(int)) &&
           copy(a->on, a->b.bad, &none, sizeof none) &&
           reserve((void **)&a->b.J, n * NNZ * sizeof(double)) &&
           reserve((void **)&a->b.LU, n * NNZ * sizeof(double)) &&
           reserve((void **)&a->states, n * (N + 1) * sizeof(double)) &&
           reserve((void **)&a->rows, n * N * sizeof(double)) &&
           (a->job->options[LINEAR] != DENSE || allocate_dense(a));
}

static bool make_batch(batch *a, const kb_plugin_job *job, long n)
{
    a->job = job;
    a->b.n = n;
    a->b.reactor = job->constant_volume != 0;
    if (!open_stream(&a->on) || !make_context(a) || !allocate(a) ||
        !(a->y = new_vector(n * N, a->on, a->context)))
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
    release(a->b.dense);
    release(a->b.right);
    release(a->b.matrices);
    release(a->b.rights);
    release(a->b.pivots);
    release(a->b.singular);
    release(a->states);
    release(a->rows);
    close_dense(a->library);
    close_stream(a->on);
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
    if (!copy(a->on, a->states, states, (size_t)(n * (N + 1)) * sizeof *states) ||
        !launch(a->on, n, load_states, a->b, (const double *)a->states, vector))
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
    return launch(a->on, n, store_states, a->b, (const double *)vector, a->rows) &&
           copy(a->on, y, a->rows, (size_t)(n * N) * sizeof *y);
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

/* as many batches at once as streams, and the last, which may be smaller; why: they cannot be
 * made */
struct all_batches {
    batch full[MOST_STREAMS], last;
    int streams;
    long size; /* ODEs of a full one */
    char why[256];
};

static bool is_possible(const kb_plugin_job *job, char *why, size_t size)
{
    double order = job->options[ORDER], linear = job->options[LINEAR];
    double streams = job->options[STREAMS];
    if (job->species != NSP)
        snprintf(why, size, "built for " KB_MECH_NAME " with %d species, not %d", NSP,
                 job->species);
    else if (!(job->options[BATCH] >= 1 && order >= 1 && order <= 5 &&
               (linear == OURS || linear == GMRES || linear == DENSE) && streams >= 1 &&
               streams <= MOST_STREAMS))
        snprintf(why, size, "batch must be 1 or more, order 1 to 5, linear 0, 1 or 2, streams 1 "
                 "to %d", MOST_STREAMS);
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
    const double *rows = a->rows;
    int none = 0;
    a->gi = 1e9;
    bool good = copy(a->on, a->states, a->job->states, (size_t)(a->b.n * (N + 1)) * sizeof *y) &&
                launch(a->on, a->b.n, load_states, a->b, (const double *)a->states, y) &&
                launch(a->on, a->b.n, evaluate, a->b, (const double *)y, a->rows) &&
                launch(a->on, a->b.n, make_jacobian, a->b, (const double *)y) &&
                launch(a->on, a->b.n, factor, a->b, a->gi) &&
                launch(a->on, a->b.n, solve, a->b, a->gi, rows, y) &&
                launch(a->on, a->b.n, store_states, a->b, (const double *)y, a->rows);
    if (good && a->job->options[LINEAR] == DENSE)
        good = factor_dense(a) >= 0 && launch(a->on, a->b.n, load_right, a->b, a->gi, rows) &&
               solve_all(a->library, &a->b) && launch(a->on, a->b.n, store_right, a->b, y);
    return good && copy(a->on, a->b.bad, &none, sizeof none);
}

static void *start(const kb_plugin_job *job, kb_plugin_ode *)
{
    all_batches *all = (all_batches *)calloc(1, sizeof *all);
    if (!all || !is_possible(job, all->why, sizeof all->why) ||
        !available(all->why, sizeof all->why))
        return all;
    all->size = (long)std::min(job->options[BATCH], (double)job->n);
    long n = all->size, rest = n ? job->n % n : 0, full = n ? job->n / n : 0;
    all->streams = (int)std::min((double)full, job->options[STREAMS]);
    bool good = true;
    for (int k = 0; k < all->streams && good; k++)
        good = make_batch(&all->full[k], job, n) && warm_up(&all->full[k]);
    if (!good || (rest && !make_batch(&all->last, job, rest)))
        snprintf(all->why, sizeof all->why, "CUDA, cuBLAS, SUNDIALS or memory failed (a smaller "
                 "batch=?)");
    return all;
}

static void finish(void *self)
{
    all_batches *all = (all_batches *)self;
    for (batch &b : all->full)
        free_batch(&b);
    free_batch(&all->last);
    free(all);
}

static int integrate(void *self, const kb_plugin_job *job, double *y, kb_plugin_work *work,
                     int32_t *status, char *why, int size)
{
    all_batches *all = (all_batches *)self;
    std::atomic<long> next{0};
    std::atomic<bool> good{!*all->why};
    auto run = [&](batch *a, long first) {
        if (!run_batch(a, job->states + first * (N + 1), y + first * N, work + first,
                       status + first))
            good = false;
    };
    auto stream_of = [&](batch *a) {
        for (long k; good && (k = next++) < job->n / all->size;)
            run(a, k * all->size);
    };
    snprintf(why, (size_t)size, "%s", all->why);
    if (good && job->n) {
        std::thread others[MOST_STREAMS];
        for (int k = 1; k < all->streams; k++)
            others[k] = std::thread(stream_of, &all->full[k]);
        stream_of(&all->full[0]);
        if (all->last.b.n)
            run(&all->last, job->n - all->last.b.n);
        for (int k = 1; k < all->streams; k++)
            others[k].join();
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
