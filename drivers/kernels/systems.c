/* SPDX-License-Identifier: MIT */
#include "drivers/kernels/systems.h"

#include <math.h>
#include <string.h>

#include "base/owned.h"
#include "base/pivoted_lu.h"
#include "base/random.h"

static void allocate(kb_system_set *set, const char *matrix, int m, long distinct)
{
    size_t n = (size_t)distinct, size = (size_t)m;
    *set = (kb_system_set){.matrix = matrix, .first_weight = 1,
                           .A = kb_alloc(n * size * size, sizeof(double)),
                           .b = kb_alloc(n * size, sizeof(double)),
                           .reference = kb_alloc(n * size, sizeof(double))};
    set->s = (kb_systems){.m = m, .distinct = distinct, .A = set->A, .b = set->b, .segments = 1};
}

static int solve_reference(kb_system_set *set, kb_error *err)
{
    int m = set->s.m, singular = 0;
    kb_owned double *A = kb_alloc((size_t)m * m, sizeof *A);
    kb_owned int *pivots = kb_alloc(m, sizeof *pivots);
    memcpy(set->reference, set->b, (size_t)set->s.distinct * m * sizeof *A);
    for (long s = 0; s < set->s.distinct && !singular; s++) {
        for (long e = 0; e < (long)m * m; e++)
            A[e % m * m + e / m] = set->A[s * m * m + e];
        singular = kb_pivoted_factor(m, A, pivots);
        kb_pivoted_solve(m, A, pivots, set->reference + s * m);
    }
    return singular ? kb_fail(err, KB_INVALID, "a %s matrix of %d unknowns is singular: no pivot "
                              "in column %d", set->matrix, m, singular)
                    : KB_OK;
}

int kb_systems_dominant(kb_system_set *set, int m, long distinct, kb_error *err)
{
    kb_random random = {1};
    allocate(set, "dominant", m, distinct);
    for (long row = 0; row < distinct * m; row++) {
        double *a = set->A + row * m, sum = 1;
        for (int j = 0; j < m; j++) {
            a[j] = 2 * kb_random_unit(&random) - 1;
            sum += j == row % m ? 0 : fabs(a[j]);
        }
        a[row % m] = sum;
        set->b[row] = 2 * kb_random_unit(&random) - 1;
    }
    return solve_reference(set, err);
}

int kb_systems_newton(kb_system_set *set, const kb_kernels *kernels, const kb_database *db,
                      long distinct, double gamma, kb_error *err)
{
    distinct = distinct < db->n ? distinct : db->n;
    allocate(set, "newton", kernels->nsp + 1, distinct);
    kb_owned double *states = kb_alloc((size_t)distinct * db->columns, sizeof *states);
    for (long k = 0; k < distinct; k++)
        memcpy(states + k * db->columns, db->states + k * db->n / distinct * db->columns,
               db->columns * sizeof *states);
    set->packed = kb_alloc((size_t)distinct * kernels->nnz, sizeof(double));
    set->s.packed = set->packed;
    set->s.gi = 1 / gamma;
    set->first_weight = 1e-3;
    int code = kernels->newton(states, distinct, set->s.gi, set->A, set->b, set->packed);
    return code ? kb_fail(err, code, "no Newton matrices") : solve_reference(set, err);
}

void kb_systems_free(kb_system_set *set)
{
    free(set->A);
    free(set->b);
    free(set->packed);
    free(set->reference);
    *set = (kb_system_set){0};
}

/* of one system; c keeps the largest */
static void backward_errors(const double *A, const double *b, const double *x, int m,
                            double first_weight, kb_system_check *c)
{
    double worst = 0, largest = 0;
    for (int i = 0; i < m; i++) {
        double w = i ? 1 : first_weight, residual = b[i], size = fabs(b[i]);
        for (int j = 0; j < m; j++) {
            residual -= A[i * m + j] * x[j];
            size += fabs(A[i * m + j] * x[j]);
        }
        worst = fmax(worst, w * fabs(residual));
        largest = fmax(largest, w * size);
        if (size > 0)
            c->componentwise = fmax(c->componentwise, fabs(residual) / size);
    }
    if (largest > 0)
        c->backward = fmax(c->backward, worst / largest);
}

static double difference(const double *x, const double *reference, int m, double first_weight)
{
    double apart = 0, size = 0;
    for (int i = 0; i < m; i++) {
        double w = i ? 1 : first_weight;
        apart = fmax(apart, w * fabs(x[i] - reference[i]));
        size = fmax(size, w * fabs(reference[i]));
    }
    return apart / size;
}

kb_system_check kb_systems_check(const kb_system_set *set, long n, const double *x)
{
    kb_system_check c = {0};
    long m = set->s.m, distinct = set->s.distinct;
    for (long s = 0; s < n; s++) {
        double sum = 0;
        for (int i = 0; i < m; i++)
            sum += x[s * m + i];
        if (!isfinite(sum))
            c.backward = c.componentwise = c.difference = INFINITY;
        else if (s >= distinct)
            c.differing += memcmp(x + s * m, x + s % distinct * m, m * sizeof *x) != 0;
        else {
            backward_errors(set->A + s * m * m, set->b + s * m, x + s * m, (int)m,
                            set->first_weight, &c);
            c.difference = fmax(c.difference, difference(x + s * m, set->reference + s * m, (int)m,
                                                         set->first_weight));
        }
    }
    return c;
}
