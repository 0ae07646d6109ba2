/* SPDX-License-Identifier: MIT
 *
 * Dense systems on one CPU core: elimination.h, compiled for each precision (KB_REAL), and LU with
 * partial pivoting in double.
 */
#include <string.h>
#include "base/pivoted_lu.h"
#include "solvers/parts/kernels_count.h"
#include "solvers/parts/kernels_host.h"

#define NAME_(a, b) a##b
#define NAME(a, b) NAME_(a, b)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static int open_batch(const kb_kernel *self, const kb_systems *s, void **run, kb_error *err)
{
    host_batch *r = *run = kb_alloc(1, sizeof *r);
    size_t m = (size_t)s->m, n = (size_t)s->n;
    (void)err;
    r->s = *s;
    r->A = kb_alloc(n * m * m, sizeof(real));
    r->b = kb_alloc(n * m, sizeof(real));
    if (!strcmp(self->name, "pivoted"))
        r->pivots = kb_alloc(m, sizeof *r->pivots);
    return KB_OK;
}

/* matrices of pivoted lie by columns */
static void fill(host_batch *r)
{
    long m = r->s.m, row = r->pivots ? 1 : m, column = r->pivots ? m : 1;
    for (long s = 0; s < r->s.n; s++) {
        const double *A = r->s.A + s % r->s.distinct * m * m, *b = r->s.b + s % r->s.distinct * m;
        real *to = (real *)r->A + s * m * m, *rhs = (real *)r->b + s * m;
        for (long i = 0; i < m; i++) {
            for (long j = 0; j < m; j++)
                to[i * row + j * column] = (real)A[i * m + j];
            rhs[i] = (real)b[i];
        }
    }
}

static int pass_dense(host_batch *r)
{
    for (long s = 0; s < r->s.n; s++) {
        dense_system d = dense_pick(r->A, r->b, r->s.m, r->s.n, s, 0);
        dense_solve(&d);
    }
    return 0;
}

/* only double has pivots */
static int pass_pivoted(host_batch *r)
{
    int m = r->s.m, worst = 0;
    double *A = r->A, *b = r->b;
    for (long s = 0; s < r->s.n; s++) {
        int singular = kb_pivoted_factor(m, A + s * m * m, r->pivots);
        kb_pivoted_solve(m, A + s * m * m, r->pivots, b + s * m);
        worst = singular ? singular : worst;
    }
    return worst;
}

static int pass(void *run, double *seconds, kb_error *err)
{
    host_batch *r = run;
    fill(r);
    double start = host_now();
    int singular = r->pivots ? pass_pivoted(r) : pass_dense(r);
    *seconds = host_now() - start;
    return singular ? kb_fail(err, KB_INVALID, "singular matrix: no pivot in column %d", singular)
                    : KB_OK;
}

static int solution(void *run, double *x, kb_error *err)
{
    const host_batch *r = run;
    const real *b = r->b;
    (void)err;
    for (long i = 0; i < r->s.n * r->s.m; i++)
        x[i] = b[i];
    return KB_OK;
}

static void count(const kb_kernel *self, const kb_systems *s, kb_kernel_counts *c)
{
    double m = s->m;
    *c = (kb_kernel_counts){.flops = count_flops(s->m), .storage = (m * m + m) * sizeof(real)};
    if (strcmp(self->name, "pivoted")) /* blocks are loaded from caches */
        c->bytes = count_thread_words(s->m, 0) * sizeof(real);
}

const kb_kernel NAME(kb_kernel_cpu_, KB_REAL) = {
    "dense", KB_ENGINE, "contiguous", TEXT(KB_REAL), 0, count, open_batch, pass, solution,
    host_close};
#ifdef KB_PIVOTED
const kb_kernel kb_kernel_pivoted = {
    "pivoted", KB_ENGINE, "contiguous", "double", 0, count, open_batch, pass, solution,
    host_close};
#endif
