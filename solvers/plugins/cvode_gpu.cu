/* SPDX-License-Identifier: MIT
 *
 * cvode-gpu: CVODE with a vector that holds a batch of ODEs on the GPU, as flow codes use it: one
 * BDF, one substep and one error norm for all ODEs of a batch (Balos et al., Parallel Computing 108
 * (2021) 102836). f, the exact Jacobian and the sparse LU are kinbench's, one thread an ODE; or
 * a solver of a library for batches of systems (batched.h), or GMRES or BiCGStab of SUNDIALS. A
 * batch is one problem to CVODE: an ODE that fails ends its batch. Several batches go at once, each
 * with a CUDA stream and a thread of the host.
 *
 * Built for each mechanism with a SUNDIALS that has CUDA (solvers/mechanism.mk). With
 * KB_ON_HOST the vector is N_Vector_Serial, kernels are loops, and pivoted_lu.h stands for the
 * libraries: the same algorithm on cores, which the tests compare with the reference.
 */
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <thread>

#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_spbcgs.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#ifdef KB_ON_HOST
#include <nvector/nvector_serial.h>
#include "base/pivoted_lu.h"
#else
#define DISABLE_CUSOLVER_DEPRECATED
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverSp.h>
#include <dlfcn.h>
#include <nvector/nvector_cuda.h>
#include <sundials/sundials_cuda_policies.hpp>
#ifdef KB_CUDSS
#include <cudss.h>
#endif
#ifdef KB_GINKGO
#include <ginkgo/ginkgo.hpp>
#endif
#ifdef KB_MAGMA
#include <magma_v2.h>
#endif
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
static bool set_to_zero(stream, void *p, size_t size) { return memset(p, 0, size); }
#define NAME "cvode-lockstep"
#define HAS_CUDSS 1
#define HAS_GINKGO 1
#define HAS_MAGMA 1
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
static bool set_to_zero(stream s, void *p, size_t size)
{
    return cudaMemsetAsync(p, 0, size, s) == cudaSuccess;
}
#define NAME "cvode-gpu"
#ifdef KB_CUDSS
#define HAS_CUDSS 1
#else
#define HAS_CUDSS 0
#endif
#ifdef KB_GINKGO
#define HAS_GINKGO 1
#else
#define HAS_GINKGO 0
#endif
#ifdef KB_MAGMA
#define HAS_MAGMA 1
#else
#define HAS_MAGMA 0
#endif
#endif

enum { BATCH, ORDER, LINEAR, STREAMS };
static const kb_plugin_option options[] = {
    {"batch", "ODEs that go in lockstep", 4096},
    {"order", "highest order of BDF, 1 to 5", 5},
    {"linear", "0: our LU of the exact Jacobian; 1: GMRES without a preconditioner; 2: dense LU "
               "with pivoting (cuBLAS); 3: sparse QR (cuSOLVER); 4: sparse LU (cuDSS); 5: GMRES, "
               "preconditioned by our LU; 6: BiCGStab without a preconditioner; 7: BiCGStab for "
               "each system (Ginkgo); 8: dense LU with pivoting (MAGMA)", 0},
    {"streams", "batches at once, 1 to 64", 1},
    {nullptr, nullptr, 0}};
enum { OURS, GMRES, CUBLAS, CUSOLVER, CUDSS, GMRES_LU, BICGSTAB, GINKGO, MAGMA, LINEARS };
static const int MOST_STREAMS = 64;

#include "solvers/plugins/batched.h"

/* of the sparse matrix of a library: as lu.h has it, T in units of T_UNIT [K], which makes it as
 * large as Y/W, so that pivots may be chosen by size */
enum { ENTRIES = NJAC + 4 * NSP + 4 };
static const double T_UNIT = 1e5;
struct entry {
    int place;           /* in J */
    double scale, shift; /* the entry: scale times that, and 1/gamma times this */
};

/* a batch; vectors with element i of all ODEs side by side */
struct cells {
    long n;
    int reactor;
    double *fixed;  /* [n] */
    int *bad;       /* a status: a state where f is not defined */
    double *J, *LU; /* [NNZ x n] */
    systems s;      /* of a library */
    entry *entries; /* sparse: [nnz] */
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

/* (1/gamma) I - J in (T, Y): W_i (A_ij + A_is)/W_j between species; A as in jacobian.h */
KERNEL fill_dense(cells b, double gi)
{
    EACH(c, b.n)
    {
        const double *A = b.J + c;
        double *M = b.s.values + c * N * N, corner = A[kb_lu_T_row[POS_S] * b.n];
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

/* storage index in A of row p and column q, rows and columns as positions (lu.h); -1: none */
kb_fn int place_of(int p, int q)
{
    if (q == POS_T || q == POS_S)
        return q == POS_T ? kb_lu_T_col[p] : kb_lu_s_col[p];
    if (p == POS_T || p == POS_S)
        return p == POS_T ? kb_lu_T_row[q] : kb_lu_s_row[q];
    int i = kb_lu_perm[p] - 1, j = kb_lu_perm[q] - 1;
    for (int k = kb_jac_column_start[j]; k < kb_jac_column_start[j + 1]; k++)
        if (kb_jac_row[k] == i)
            return kb_jac_storage[k];
    return -1;
}

/* by one thread */
KERNEL make_pattern(cells b)
{
    EACH(one, 1)
    {
        int n = (int)one;
        for (int p = 0; p < NNEWTON; p++) {
            b.s.row_start[p] = n;
            for (int q = 0; q < NNEWTON; q++) {
                int place = place_of(p, q);
                double scale = (p == POS_T ? 1 / T_UNIT : 1) * (q == POS_T ? T_UNIT : 1);
                if (place < 0)
                    continue;
                b.s.column[n] = q;
                b.entries[n++] = {place, scale, p == q && p != POS_S ? 1.0 : 0.0};
            }
        }
        b.s.row_start[NNEWTON] = n;
    }
}

KERNEL fill_sparse(cells b, double gi)
{
    EACH(e, b.n * ENTRIES)
    {
        long c = e % b.n, k = e / b.n;
        entry a = b.entries[k];
        b.s.values[c * ENTRIES + k] = a.scale * b.J[a.place * b.n + c] + a.shift * gi;
    }
}

KERNEL check_pivots(cells b)
{
    EACH(c, b.n)
    {
        if (b.s.singular[c])
            *b.bad = KB_PLUGIN_NEWTON;
    }
}

KERNEL load_right(cells b, double gi, const double *r)
{
    EACH(c, b.n)
    {
        double *z = b.s.right + c * b.s.size;
        for (int i = 0; i < N && !b.s.nnz; i++)
            z[i] = gi * r[i * b.n + c];
        if (b.s.nnz) {
            z[POS_T] = gi * r[c] / T_UNIT;
            z[POS_S] = 0;
            for (int i = 0; i < NSP; i++)
                z[kb_lu_position[i]] = gi * r[(i + 1) * b.n + c] * kb_rW[i];
        }
    }
}

KERNEL store_solution(cells b, double *x)
{
    EACH(c, b.n)
    {
        const double *z = b.s.x + c * b.s.size;
        for (int i = 0; i < N && !b.s.nnz; i++)
            x[i * b.n + c] = z[i];
        if (b.s.nnz) {
            x[c] = z[POS_T] * T_UNIT;
            for (int i = 0; i < NSP; i++)
                x[(i + 1) * b.n + c] = z[kb_lu_position[i]] * kb_W[i];
        }
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
    stream on;
    batched *library;
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

static int linear_of(const batch *a) { return (int)a->job->options[LINEAR]; }

static bool by_library(const batch *a)
{
    int linear = linear_of(a);
    return (linear >= CUBLAS && linear <= CUDSS) || linear == GINKGO || linear == MAGMA;
}

static bool has_factors(int linear) { return linear != CUSOLVER && linear != GINKGO; }

static int factor_by_library(batch *a)
{
    bool sparse = a->b.s.nnz;
    if (!launch(a->on, sparse ? a->b.n * ENTRIES : a->b.n, sparse ? fill_sparse : fill_dense, a->b,
                a->gi) ||
        !a->library->factor() || !launch(a->on, a->b.n, check_pivots, a->b))
        return -1;
    int bad = take_bad(a);
    return bad > 0 ? 1 : bad;
}

static bool solve_by_library(batch *a, const double *r, double *x)
{
    return launch(a->on, a->b.n, load_right, a->b, a->gi, r) && a->library->solve() &&
           launch(a->on, a->b.n, store_solution, a->b, x);
}

/* factors of (1/gamma) I - J, J as it was unless fresh */
static int factor_system(batch *a, N_Vector y, bool fresh, double gamma)
{
    if (fresh && !launch(a->on, a->b.n, make_jacobian, a->b, (const double *)array_of(y)))
        return -1;
    a->work.jac += fresh;
    a->work.lu += has_factors(linear_of(a));
    a->gi = 1 / gamma;
    if (by_library(a))
        return factor_by_library(a);
    return launch(a->on, a->b.n, factor, a->b, a->gi) ? 0 : -1;
}

static int linear_system(sunrealtype, N_Vector y, N_Vector, SUNMatrix, int jac_ok, int *current,
                         sunrealtype gamma, void *user, N_Vector, N_Vector, N_Vector)
{
    *current = !jac_ok;
    return factor_system((batch *)user, y, !jac_ok, gamma);
}

static int linear_solve(SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector r, sunrealtype)
{
    batch *a = (batch *)s->content;
    const double *right = array_of(r);
    a->work.solve++;
    a->work.lu += linear_of(a) == CUSOLVER; /* it factors at each solve */
    if (by_library(a))
        return solve_by_library(a, right, array_of(x)) ? 0 : -1;
    return launch(a->on, a->b.n, solve, a->b, a->gi, right, array_of(x)) ? 0 : -1;
}

static int set_preconditioner(sunrealtype, N_Vector y, N_Vector, int jac_ok, int *current,
                              sunrealtype gamma, void *user)
{
    *current = !jac_ok;
    return factor_system((batch *)user, y, !jac_ok, gamma);
}

static int precondition(sunrealtype, N_Vector, N_Vector, N_Vector r, N_Vector z, sunrealtype,
                        sunrealtype, int, void *user)
{
    batch *a = (batch *)user;
    const double *right = array_of(r);
    a->work.solve++;
    return launch(a->on, a->b.n, solve, a->b, a->gi, right, array_of(z)) ? 0 : -1;
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
    int linear = linear_of(a);
    if (linear == OURS || by_library(a))
        return make_own_linear(a);
    a->linear = linear == BICGSTAB ? SUNLinSol_SPBCGS(a->y, SUN_PREC_NONE, 0, a->context)
                                   : SUNLinSol_SPGMR(a->y, linear == GMRES_LU ? SUN_PREC_LEFT
                                                     : SUN_PREC_NONE, 0, a->context);
    return a->linear && !CVodeSetLinearSolver(a->cvode, a->linear, nullptr) &&
           (linear != GMRES_LU ||
            !CVodeSetPreconditioner(a->cvode, set_preconditioner, precondition));
}

static bool allocate_sparse(batch *a)
{
    systems *s = &a->b.s;
    s->size = NNEWTON;
    s->nnz = ENTRIES;
    return reserve((void **)&s->row_start, (NNEWTON + 1) * sizeof(int)) &&
           reserve((void **)&s->column, ENTRIES * sizeof(int)) &&
           reserve((void **)&a->b.entries, ENTRIES * sizeof(entry)) &&
           reserve((void **)&s->x, (size_t)(s->n * NNEWTON) * sizeof(double)) &&
           launch(a->on, 1, make_pattern, a->b);
}

static batched *new_library(int linear, const systems &s)
{
#ifdef KB_ON_HOST
    (void)linear;
    return new (std::nothrow) on_host(s);
#else
    if (linear == CUBLAS)
        return new (std::nothrow) by_cublas(s);
    if (linear == CUSOLVER)
        return new (std::nothrow) by_cusolver(s);
#ifdef KB_CUDSS
    if (linear == CUDSS)
        return new (std::nothrow) by_cudss(s);
#endif
#ifdef KB_GINKGO
    if (linear == GINKGO)
        return new (std::nothrow) by_ginkgo(s);
#endif
#ifdef KB_MAGMA
    if (linear == MAGMA)
        return new (std::nothrow) by_magma(s);
#endif
    return nullptr;
#endif
}

static bool allocate_library(batch *a)
{
    int linear = linear_of(a);
    systems *s = &a->b.s;
    s->n = a->b.n;
    s->size = N;
    if (linear != CUBLAS && linear != MAGMA && !allocate_sparse(a))
        return false;
    size_t n = (size_t)s->n, values = (size_t)(s->nnz ? s->nnz : N * N);
    if (!reserve((void **)&s->values, n * values * sizeof(double)) ||
        !reserve((void **)&s->right, n * (size_t)s->size * sizeof(double)) ||
        !reserve((void **)&s->singular, n * sizeof(int)) ||
        !set_to_zero(a->on, s->singular, n * sizeof(int)))
        return false;
    s->x = s->nnz ? s->x : s->right;
    a->library = new_library(linear, *s);
    return a->library && a->library->open(a->on);
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
           (!by_library(a) || allocate_library(a));
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
    delete a->library;
    if (a->b.s.nnz)
        release(a->b.s.x);
    release(a->b.s.row_start);
    release(a->b.s.column);
    release(a->b.entries);
    release(a->b.s.values);
    release(a->b.s.right);
    release(a->b.s.singular);
    release(a->states);
    release(a->rows);
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

/* the folder of a library that linear asks for and that was not there; nullptr: it was */
static const char *missing_folder(int linear)
{
    if (linear == CUDSS && !HAS_CUDSS)
        return "CUDSS_DIR";
    if (linear == GINKGO && !HAS_GINKGO)
        return "GINKGO_DIR";
    return linear == MAGMA && !HAS_MAGMA ? "MAGMA_DIR" : nullptr;
}

static bool is_possible(const kb_plugin_job *job, char *why, size_t size)
{
    double order = job->options[ORDER], streams = job->options[STREAMS];
    int linear = (int)job->options[LINEAR];
    if (job->species != NSP)
        snprintf(why, size, "built for " KB_MECH_NAME " with %d species, not %d", NSP,
                 job->species);
    else if (!(job->options[BATCH] >= 1 && order >= 1 && order <= 5 && linear >= 0 &&
               linear < LINEARS && linear == job->options[LINEAR] && streams >= 1 &&
               streams <= MOST_STREAMS))
        snprintf(why, size, "batch must be 1 or more, order 1 to 5, linear 0 to %d, streams 1 to "
                 "%d", LINEARS - 1, MOST_STREAMS);
    else if (missing_folder(linear))
        snprintf(why, size, "linear=%d: built without %s= (docs/adding.md)", linear,
                 missing_folder(linear));
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
    if (good && by_library(a))
        good = factor_by_library(a) >= 0 && solve_by_library(a, rows, y);
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
        snprintf(all->why, sizeof all->why, "CUDA, SUNDIALS, the library of linear=%g or memory "
                 "failed (a smaller batch=?)", job->options[LINEAR]);
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
