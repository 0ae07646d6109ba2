/* SPDX-License-Identifier: MIT
 *
 * Dense systems on one CPU core: the elimination of dense.h, compiled for each precision (KB_REAL),
 * and LAPACK's dgesv, which pivots and solves in double.
 */
#include <string.h>
#include <time.h>
#include "solvers/cvode/blas.h"
#include "solvers/linear/kernels_count.h"

#define NAME_(a, b) a##b
#define NAME(a, b) NAME_(a, b)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

typedef struct {
    kb_systems s;
    int lapack; /* its columns lie in memory as our rows do */
    real *A, *b;
    int *pivots;
} batch;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int open_batch(const kb_kernel *self, const kb_systems *s, void **run, kb_error *err)
{
    batch *r = *run = kb_alloc(1, sizeof *r);
    size_t m = (size_t)s->m, n = (size_t)s->n;
    (void)err;
    r->s = *s;
    r->lapack = !strcmp(self->name, "dgesv");
    if (r->lapack)
        kb_blas_one_thread();
    r->A = kb_alloc(n * m * m, sizeof *r->A);
    r->b = kb_alloc(n * m, sizeof *r->b);
    r->pivots = kb_alloc(m, sizeof *r->pivots);
    return KB_OK;
}

static void fill(batch *r)
{
    long m = r->s.m;
    for (long s = 0; s < r->s.n; s++) {
        const double *A = r->s.A + s % r->s.distinct * m * m, *b = r->s.b + s % r->s.distinct * m;
        real *to = r->A + s * m * m;
        for (long i = 0; i < m; i++) {
            for (long j = 0; j < m; j++)
                to[r->lapack ? j * m + i : i * m + j] = (real)A[i * m + j];
            r->b[s * m + i] = (real)b[i];
        }
    }
}

static int pass_dense(batch *r)
{
    for (long s = 0; s < r->s.n; s++) {
        dense_system d = dense_pick(r->A, r->b, r->s.m, r->s.n, s, 0);
        dense_solve(&d);
    }
    return 0;
}

#ifdef KB_DGESV
void dgesv_(const int *n, const int *nrhs, double *A, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info);

static int pass_lapack(batch *r)
{
    int m = r->s.m, one = 1, info, worst = 0;
    for (long s = 0; s < r->s.n; s++) {
        dgesv_(&m, &one, r->A + s * m * m, &m, r->pivots, r->b + s * m, &m, &info);
        worst = info ? info : worst;
    }
    return worst;
}
#endif

static int pass(void *run, double *seconds, kb_error *err)
{
    batch *r = run;
    int info;
    fill(r);
    double start = now();
#ifdef KB_DGESV
    info = r->lapack ? pass_lapack(r) : pass_dense(r);
#else
    info = pass_dense(r);
#endif
    *seconds = now() - start;
    return info ? kb_fail(err, KB_INVALID, "dgesv: info %d (singular matrix)", info) : KB_OK;
}

static int solution(void *run, double *x, kb_error *err)
{
    const batch *r = run;
    (void)err;
    for (long i = 0; i < r->s.n * r->s.m; i++)
        x[i] = r->b[i];
    return KB_OK;
}

static void close_batch(void *run)
{
    batch *r = run;
    if (!r)
        return;
    free(r->A);
    free(r->b);
    free(r->pivots);
    free(r);
}

static void count(const kb_kernel *self, const kb_systems *s, kb_kernel_counts *c)
{
    double m = s->m;
    *c = (kb_kernel_counts){.flops = count_flops(s->m), .storage = (m * m + m) * sizeof(real)};
    if (strcmp(self->name, "dgesv")) /* how LAPACK goes through memory is its own affair */
        c->bytes = count_thread_words(s->m, 0) * sizeof(real);
}

const kb_kernel NAME(kb_kernel_cpu_, KB_REAL) = {
    "dense", "cpu-scalar", "contiguous", TEXT(KB_REAL), 0, count, open_batch, pass, solution,
    close_batch};
#ifdef KB_DGESV
const kb_kernel kb_kernel_dgesv = {
    "dgesv", "cpu-scalar", "contiguous", "double", 0, count, open_batch, pass, solution,
    close_batch};
#endif
