/* SPDX-License-Identifier: MIT
 *
 * Linear systems of one size and one pattern, a matrix for each ODE of a batch, by the libraries of
 * a GPU: dense LU with pivoting of cuBLAS and MAGMA, sparse QR of cuSOLVER, sparse LU of cuDSS,
 * BiCGStab of Ginkgo. Each but Ginkgo is opened when it is asked for: that takes seconds, and
 * others do not need it. With KB_ON_HOST pivoted_lu.h stands for them all, sparse matrices made
 * dense. Included by cvode_gpu.cu after its stream, memory and loops.
 */
#pragma once

struct systems {
    long n;                  /* matrices */
    int size, nnz;           /* unknowns; entries of a sparse matrix, 0: dense */
    double *values;          /* [n][nnz] by rows, or dense [n][size][size] by columns */
    double *right, *x;       /* [n][size]; the same if dense */
    int *row_start, *column; /* sparse: [size + 1], [nnz], from 0 */
    int *singular;           /* [n] dense: the first column without a pivot, from 1, or 0 */
};

/* functions return false if the library fails; memory and objects go with the destructor */
class batched
{
  public:
    explicit batched(const systems &all) : s(all) {}
    virtual ~batched() {}
    virtual bool open(stream) = 0;
    virtual bool factor() = 0;
    virtual bool solve() = 0; /* right -> x */

  protected:
    systems s;
};

#ifdef KB_ON_HOST
class on_host : public batched
{
    double *dense = nullptr;
    int *pivots = nullptr;
    size_t square = (size_t)s.size * (size_t)s.size;

    void expand(long c)
    {
        const double *v = s.values + c * s.nnz;
        for (int i = 0; i < s.size; i++)
            for (int k = s.row_start[i]; k < s.row_start[i + 1]; k++)
                dense[c * square + (size_t)(s.column[k] * s.size + i)] = v[k];
    }

  public:
    using batched::batched;
    ~on_host() override
    {
        if (s.nnz)
            free(dense);
        free(pivots);
    }
    bool open(stream) override
    {
        size_t n = (size_t)s.n;
        dense = s.nnz ? (double *)malloc(n * square * sizeof *dense) : s.values;
        pivots = (int *)malloc(n * (size_t)s.size * sizeof *pivots);
        return dense && pivots;
    }
    bool factor() override
    {
        if (s.nnz)
            std::fill_n(dense, (size_t)s.n * square, 0.0);
        for (long c = 0; c < s.n; c++) {
            if (s.nnz)
                expand(c);
            s.singular[c] = kb_pivoted_factor(s.size, dense + c * square, pivots + c * s.size);
        }
        return true;
    }
    bool solve() override
    {
        size_t row = (size_t)s.size;
        for (long c = 0; c < s.n; c++) {
            if (s.nnz)
                memcpy(s.x + c * row, s.right + c * row, row * sizeof *s.x);
            kb_pivoted_solve(s.size, dense + c * square, pivots + c * row, s.x + c * row);
        }
        return true;
    }
};
#else
template <class F> static bool find(void *library, const char *name, F *function)
{
    *function = library ? (F)dlsym(library, name) : nullptr;
    return *function;
}
#define FIND(library, name) find(library, #name, &name)

static void *open_library(const char *format, int version)
{
    char name[512];
    snprintf(name, sizeof name, format, version);
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

KERNEL point(systems s, double **matrices, double **rights, int *pivots, int **pivot_rows)
{
    EACH(c, s.n)
    {
        matrices[c] = s.values + c * s.size * s.size;
        rights[c] = s.right + c * s.size;
        pivot_rows[c] = pivots + c * s.size;
    }
}

/* dense matrices by their addresses */
class pointed : public batched
{
  protected:
    double **matrices = nullptr, **rights = nullptr; /* [n] */
    int *pivots = nullptr, **pivot_rows = nullptr;   /* [n][size], [n] */

    bool point_at(stream on)
    {
        size_t n = (size_t)s.n;
        return reserve((void **)&matrices, n * sizeof *matrices) &&
               reserve((void **)&rights, n * sizeof *rights) &&
               reserve((void **)&pivots, n * (size_t)s.size * sizeof *pivots) &&
               reserve((void **)&pivot_rows, n * sizeof *pivot_rows) &&
               launch(on, s.n, point, s, matrices, rights, pivots, pivot_rows);
    }

  public:
    using batched::batched;
    ~pointed() override
    {
        release(matrices);
        release(rights);
        release(pivots);
        release(pivot_rows);
    }
};

class by_cublas : public pointed
{
    decltype(&::cublasCreate_v2) cublasCreate_v2;
    decltype(&::cublasDestroy_v2) cublasDestroy_v2 = nullptr;
    decltype(&::cublasSetStream_v2) cublasSetStream_v2;
    decltype(&::cublasDgetrfBatched) cublasDgetrfBatched;
    decltype(&::cublasDgetrsBatched) cublasDgetrsBatched;
    cublasHandle_t handle = nullptr;

  public:
    using pointed::pointed;
    ~by_cublas() override
    {
        if (handle)
            cublasDestroy_v2(handle);
    }
    bool open(stream on) override
    {
        void *library = open_library("libcublas.so.%d", CUDART_VERSION / 1000);
        return FIND(library, cublasCreate_v2) && FIND(library, cublasDestroy_v2) &&
               FIND(library, cublasSetStream_v2) && FIND(library, cublasDgetrfBatched) &&
               FIND(library, cublasDgetrsBatched) &&
               cublasCreate_v2(&handle) == CUBLAS_STATUS_SUCCESS &&
               cublasSetStream_v2(handle, on) == CUBLAS_STATUS_SUCCESS && point_at(on);
    }
    bool factor() override
    {
        return cublasDgetrfBatched(handle, s.size, matrices, s.size, pivots, s.singular,
                                   (int)s.n) == CUBLAS_STATUS_SUCCESS;
    }
    bool solve() override
    {
        int info = 0;
        return cublasDgetrsBatched(handle, CUBLAS_OP_N, s.size, 1, matrices, s.size, pivots, rights,
                                   s.size, &info, (int)s.n) == CUBLAS_STATUS_SUCCESS &&
               !info;
    }
};

/* it has no factors to keep: each solve factors again */
class by_cusolver : public batched
{
    decltype(&::cusolverSpCreate) cusolverSpCreate;
    decltype(&::cusolverSpDestroy) cusolverSpDestroy = nullptr;
    decltype(&::cusolverSpSetStream) cusolverSpSetStream;
    decltype(&::cusolverSpCreateCsrqrInfo) cusolverSpCreateCsrqrInfo;
    decltype(&::cusolverSpDestroyCsrqrInfo) cusolverSpDestroyCsrqrInfo = nullptr;
    decltype(&::cusolverSpXcsrqrAnalysisBatched) cusolverSpXcsrqrAnalysisBatched;
    decltype(&::cusolverSpDcsrqrBufferInfoBatched) cusolverSpDcsrqrBufferInfoBatched;
    decltype(&::cusolverSpDcsrqrsvBatched) cusolverSpDcsrqrsvBatched;
    decltype(&::cusparseCreateMatDescr) cusparseCreateMatDescr;
    decltype(&::cusparseDestroyMatDescr) cusparseDestroyMatDescr = nullptr;
    cusolverSpHandle_t handle = nullptr;
    csrqrInfo_t info = nullptr;
    cusparseMatDescr_t general = nullptr;
    void *room = nullptr;

    bool load()
    {
        void *solver = open_library("libcusolver.so.%d", CUSOLVER_VER_MAJOR);
        void *sparse = open_library("libcusparse.so.%d", CUSPARSE_VER_MAJOR);
        return FIND(solver, cusolverSpCreate) && FIND(solver, cusolverSpDestroy) &&
               FIND(solver, cusolverSpSetStream) && FIND(solver, cusolverSpCreateCsrqrInfo) &&
               FIND(solver, cusolverSpDestroyCsrqrInfo) &&
               FIND(solver, cusolverSpXcsrqrAnalysisBatched) &&
               FIND(solver, cusolverSpDcsrqrBufferInfoBatched) &&
               FIND(solver, cusolverSpDcsrqrsvBatched) && FIND(sparse, cusparseCreateMatDescr) &&
               FIND(sparse, cusparseDestroyMatDescr);
    }

  public:
    using batched::batched;
    ~by_cusolver() override
    {
        if (general)
            cusparseDestroyMatDescr(general);
        if (info)
            cusolverSpDestroyCsrqrInfo(info);
        if (handle)
            cusolverSpDestroy(handle);
        release(room);
    }
    bool open(stream on) override
    {
        size_t kept = 0, used = 0;
        return load() && cusolverSpCreate(&handle) == CUSOLVER_STATUS_SUCCESS &&
               cusolverSpSetStream(handle, on) == CUSOLVER_STATUS_SUCCESS &&
               cusolverSpCreateCsrqrInfo(&info) == CUSOLVER_STATUS_SUCCESS &&
               cusparseCreateMatDescr(&general) == CUSPARSE_STATUS_SUCCESS &&
               cusolverSpXcsrqrAnalysisBatched(handle, s.size, s.size, s.nnz, general, s.row_start,
                                               s.column, info) == CUSOLVER_STATUS_SUCCESS &&
               cusolverSpDcsrqrBufferInfoBatched(handle, s.size, s.size, s.nnz, general, s.values,
                                                 s.row_start, s.column, (int)s.n, info, &kept,
                                                 &used) == CUSOLVER_STATUS_SUCCESS &&
               reserve(&room, used);
    }
    bool factor() override { return true; }
    bool solve() override
    {
        return cusolverSpDcsrqrsvBatched(handle, s.size, s.size, s.nnz, general, s.values,
                                         s.row_start, s.column, s.right, s.x, (int)s.n, info,
                                         room) == CUSOLVER_STATUS_SUCCESS;
    }
};

#ifdef KB_CUDSS
/* pivots stay on the diagonal, as in lu.h; its own order of elimination */
class by_cudss : public batched
{
    decltype(&::cudssCreate) cudssCreate;
    decltype(&::cudssDestroy) cudssDestroy = nullptr;
    decltype(&::cudssSetStream) cudssSetStream;
    decltype(&::cudssConfigCreate) cudssConfigCreate;
    decltype(&::cudssConfigDestroy) cudssConfigDestroy = nullptr;
    decltype(&::cudssConfigSet) cudssConfigSet;
    decltype(&::cudssDataCreate) cudssDataCreate;
    decltype(&::cudssDataDestroy) cudssDataDestroy = nullptr;
    decltype(&::cudssMatrixCreateCsr) cudssMatrixCreateCsr;
    decltype(&::cudssMatrixCreateDn) cudssMatrixCreateDn;
    decltype(&::cudssMatrixDestroy) cudssMatrixDestroy = nullptr;
    decltype(&::cudssExecute) cudssExecute;
    cudssHandle_t handle = nullptr;
    cudssConfig_t config = nullptr;
    cudssData_t data = nullptr;
    cudssMatrix_t A = nullptr, b = nullptr, y = nullptr;
    bool again = false; /* there were factors before */

    bool load()
    {
        void *l = open_library(KB_CUDSS "/lib/libcudss.so.%d", CUDSS_VERSION_MAJOR);
        return FIND(l, cudssCreate) && FIND(l, cudssDestroy) && FIND(l, cudssSetStream) &&
               FIND(l, cudssConfigCreate) && FIND(l, cudssConfigDestroy) &&
               FIND(l, cudssConfigSet) && FIND(l, cudssDataCreate) && FIND(l, cudssDataDestroy) &&
               FIND(l, cudssMatrixCreateCsr) && FIND(l, cudssMatrixCreateDn) &&
               FIND(l, cudssMatrixDestroy) && FIND(l, cudssExecute);
    }
    template <class T> bool set(cudssConfigParam_t what, T value)
    {
        return cudssConfigSet(config, what, &value, sizeof value) == CUDSS_STATUS_SUCCESS;
    }
    bool configure()
    {
        return set(CUDSS_CONFIG_UBATCH_SIZE, (int)s.n) &&
               set(CUDSS_CONFIG_MATCHING_ALG, CUDSS_MATCHING_ALG_NONE) &&
               set(CUDSS_CONFIG_PIVOT_TYPE, CUDSS_PIVOT_NONE) &&
               set(CUDSS_CONFIG_PIVOT_EPSILON, 1e-100);
    }
    bool wrap()
    {
        return cudssMatrixCreateCsr(&A, s.size, s.size, s.nnz, s.row_start, nullptr, s.column,
                                    s.values, CUDA_R_32I, CUDA_R_32I, CUDA_R_64F,
                                    CUDSS_MTYPE_GENERAL, CUDSS_MVIEW_FULL,
                                    CUDSS_BASE_ZERO) == CUDSS_STATUS_SUCCESS &&
               cudssMatrixCreateDn(&b, s.size, 1, s.size, s.right, CUDA_R_64F,
                                   CUDSS_LAYOUT_COL_MAJOR) == CUDSS_STATUS_SUCCESS &&
               cudssMatrixCreateDn(&y, s.size, 1, s.size, s.x, CUDA_R_64F,
                                   CUDSS_LAYOUT_COL_MAJOR) == CUDSS_STATUS_SUCCESS;
    }
    bool execute(int phase)
    {
        return cudssExecute(handle, phase, config, data, A, y, b) == CUDSS_STATUS_SUCCESS;
    }

  public:
    using batched::batched;
    ~by_cudss() override
    {
        for (cudssMatrix_t m : {A, b, y})
            if (m)
                cudssMatrixDestroy(m);
        if (data)
            cudssDataDestroy(handle, data);
        if (config)
            cudssConfigDestroy(config);
        if (handle)
            cudssDestroy(handle);
    }
    bool open(stream on) override
    {
        return load() && cudssCreate(&handle) == CUDSS_STATUS_SUCCESS &&
               cudssSetStream(handle, on) == CUDSS_STATUS_SUCCESS &&
               cudssConfigCreate(&config) == CUDSS_STATUS_SUCCESS &&
               cudssDataCreate(handle, &data) == CUDSS_STATUS_SUCCESS && configure() && wrap() &&
               execute(CUDSS_PHASE_ANALYSIS);
    }
    bool factor() override
    {
        int phase = again ? CUDSS_PHASE_REFACTORIZATION : CUDSS_PHASE_FACTORIZATION;
        return again = execute(phase);
    }
    bool solve() override { return execute(CUDSS_PHASE_SOLVE); }
};
#endif

#ifdef KB_GINKGO
/* each system has its own BiCGStab, preconditioned by its diagonal: nothing is factored */
class by_ginkgo : public batched
{
    typedef gko::batch::matrix::Csr<double, int> matrices;
    typedef gko::batch::MultiVector<double> vectors;
    typedef gko::batch::preconditioner::Jacobi<double, int> diagonal;
    typedef gko::batch::solver::Bicgstab<double> bicgstab;
    std::unique_ptr<const vectors> b;
    std::unique_ptr<vectors> y;
    std::unique_ptr<bicgstab> solver;
    stream on_stream = nullptr;

    void make(stream on)
    {
        int device = 0;
        cudaGetDevice(&device);
        auto gpu = gko::CudaExecutor::create(device, gko::ReferenceExecutor::create(),
                                             std::make_shared<gko::CudaAllocator>(), on);
        auto n = (gko::size_type)s.n, size = (gko::size_type)s.size, nnz = (gko::size_type)s.nnz;
        gko::batch_dim<2> square(n, gko::dim<2>(size, size)), column(n, gko::dim<2>(size, 1));
        auto A = gko::share(matrices::create_const(
            gpu, square, gko::array<double>::const_view(gpu, n * nnz, s.values),
            gko::array<int>::const_view(gpu, nnz, s.column),
            gko::array<int>::const_view(gpu, size + 1, s.row_start)));
        b = vectors::create_const(gpu, column,
                                  gko::array<double>::const_view(gpu, n * size, s.right));
        y = vectors::create(gpu, column, gko::array<double>::view(gpu, n * size, s.x));
        solver = bicgstab::build()
                     .with_max_iterations(10 * s.size)
                     .with_tolerance(1e-10)
                     .with_tolerance_type(gko::batch::stop::tolerance_type::relative)
                     .with_preconditioner(diagonal::build().with_max_block_size(1u).on(gpu))
                     .on(gpu)
                     ->generate(A);
    }

  public:
    using batched::batched;
    bool open(stream on) override
    {
        try {
            make(on_stream = on);
        } catch (const std::exception &) {
            return false;
        }
        return true;
    }
    bool factor() override { return true; }
    bool solve() override
    {
        if (!set_to_zero(on_stream, s.x, (size_t)s.n * (size_t)s.size * sizeof *s.x))
            return false;
        try {
            solver->apply(b.get(), y.get());
        } catch (const std::exception &) {
            return false;
        }
        return true;
    }
};
#endif

#ifdef KB_MAGMA
class by_magma : public pointed
{
    static_assert(sizeof(magma_int_t) == sizeof(int), "MAGMA with integers of 64 bits");
    decltype(&::magma_init) magma_init;
    decltype(&::magma_queue_create_from_cuda_internal) magma_queue_create_from_cuda_internal;
    decltype(&::magma_queue_destroy_internal) magma_queue_destroy_internal = nullptr;
    decltype(&::magma_dgetrf_batched) magma_dgetrf_batched;
    decltype(&::magma_dgetrs_batched) magma_dgetrs_batched;
    magma_queue_t queue = nullptr;

    bool make_queue(stream on)
    {
        int device = 0;
        cudaGetDevice(&device);
        magma_queue_create_from_cuda_internal(device, on, nullptr, nullptr, &queue, __func__,
                                              __FILE__, __LINE__);
        return queue;
    }

  public:
    using pointed::pointed;
    ~by_magma() override
    {
        if (queue)
            magma_queue_destroy_internal(queue, __func__, __FILE__, __LINE__);
    }
    bool open(stream on) override
    {
        void *l = open_library(KB_MAGMA "/lib/libmagma.so", 0);
        return FIND(l, magma_init) && FIND(l, magma_queue_create_from_cuda_internal) &&
               FIND(l, magma_queue_destroy_internal) && FIND(l, magma_dgetrf_batched) &&
               FIND(l, magma_dgetrs_batched) && magma_init() == MAGMA_SUCCESS && make_queue(on) &&
               point_at(on);
    }
    bool factor() override
    {
        return magma_dgetrf_batched(s.size, s.size, matrices, s.size, pivot_rows, s.singular, s.n,
                                    queue) == MAGMA_SUCCESS;
    }
    bool solve() override
    {
        return magma_dgetrs_batched(MagmaNoTrans, s.size, 1, matrices, s.size, pivot_rows, rights,
                                    s.size, s.n, queue) == MAGMA_SUCCESS;
    }
};
#endif
#endif
