/* SPDX-License-Identifier: MIT
 *
 * A kernels.so for test_roofline.sh, whose times and errors are made up: m^3 operations of a
 * nanosecond each, a tenth of that where there are lanes; runs differ by up to 6 %, and x[i] is off
 * by 1e-6 (i + 1) of it. "rows" needs more memory than the device has. TOY_WRONG: "pivoted" has
 * another answer every third time; TOY_NAN: none; TOY_CARDLESS: no device.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pivoted_lu.h"
#include "solvers/parts/kernels.h"

typedef struct {
    const kb_kernel *kernel;
    kb_systems s;
    int passes;
} toy;

static void count(const kb_kernel *self, const kb_systems *s, kb_kernel_counts *c)
{
    double m = s->m;
    *c = (kb_kernel_counts){.flops = m * m * m, .storage = 8 * m * m};
    if (strcmp(self->engine, "cpu-simd"))
        c->bytes = 8 * m * m;
    if (self->engine[0] == 'g')
        c->requests = 2 * m, c->sectors = 9 * m, c->shared = 16 * m;
    if (!strcmp(self->name, "rows"))
        c->storage = 1e9;
}

static int open(const kb_kernel *self, const kb_systems *s, void **run, kb_error *err)
{
    if (!strcmp(self->precision, "float") && s->m > 3)
        return kb_fail(err, KB_NOTHING, "at most 3 unknowns in floats");
    if (!strcmp(self->layout, "broken"))
        return kb_fail(err, KB_INVALID, "the toy is broken, \"as wanted\"");
    toy *t = calloc(1, sizeof *t);
    t->kernel = self;
    t->s = *s;
    *run = t;
    return KB_OK;
}

static int pass(void *run, double *seconds, kb_error *err)
{
    toy *t = run;
    double m = t->s.m, lanes = !strcmp(t->kernel->engine, "cpu-scalar") ? 1 : 10;
    (void)err;
    *seconds = 1e-9 * m * m * m / lanes * (double)t->s.n * (1 + 0.01 * (5 * t->passes++ % 7)) *
               (1 + 0.1 * (t->s.segments - 1));
    return KB_OK;
}

static int solution(void *run, double *x, kb_error *err)
{
    const toy *t = run;
    int m = t->s.m, pivots[1000];
    double *A = malloc((size_t)m * m * sizeof *A);
    bool odd = !strcmp(t->kernel->name, "pivoted");
    (void)err;
    for (long s = 0; s < t->s.n; s++, x += m) {
        const double *a = t->s.A + s % t->s.distinct * m * m;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                A[j * m + i] = a[i * m + j];
        memcpy(x, t->s.b + s % t->s.distinct * m, (size_t)m * sizeof *x);
        kb_pivoted_factor(m, A, pivots);
        kb_pivoted_solve(m, A, pivots, x);
        for (int i = 0; i < m; i++)
            x[i] *= 1 + 1e-6 * (i + 1);
        if (odd && getenv("TOY_WRONG") && s % 3 == 2)
            x[0] += 1;
        if (odd && getenv("TOY_NAN"))
            x[m - 1] = NAN;
    }
    free(A);
    return KB_OK;
}

/* T and Y of an ODE dy/dt = -J0 y, J0 of T */
static int newton(const double *states, long n, double gi, double *A, double *b, double *packed)
{
    for (long s = 0; s < n; s++, A += 9, b += 3, packed += 9)
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                packed[3 * i + j] = states[4 * s] * 100 / (1 + i + 2 * j);
                A[3 * i + j] = packed[3 * i + j] + (i == j ? gi : 0);
            }
            b[i] = gi * (i ? states[4 * s + 1 + i] : 1000);
        }
    return KB_OK;
}

static int device(kb_kernel_device *d, kb_error *err)
{
    if (getenv("TOY_CARDLESS"))
        return kb_fail(err, KB_NOTHING, "no card");
    *d = (kb_kernel_device){.name = "made up", .memory = 1 << 30, .shared = 1 << 16,
                            .multiprocessors = 2, .copy = 1e12, .copy_bytes = 1 << 20};
    return KB_OK;
}

#define TOY(id, n, e, l, p, only)                                                                  \
    static const kb_kernel id = {.name = n, .engine = e, .layout = l, .precision = p,              \
                                 .newton = only, .count = count, .open = open, .pass = pass,       \
                                 .solution = solution, .close = free}
TOY(dense, "dense", "cpu-scalar", "contiguous", "double", 0);
TOY(pivoted, "pivoted", "cpu-scalar", "contiguous", "double", 0);
TOY(sparse, "sparse", "cpu-simd", "interleaved", "double", 1);
TOY(broken, "dense", "cpu-simd", "broken", "double", 0);
TOY(gpu, "dense", "gpu-thread", "interleaved", "double", 0);
TOY(floats, "dense", "gpu-thread", "interleaved", "float", 0);
TOY(rows, "rows", "gpu-block", "contiguous", "double", 0);

const kb_kernels *kb_kernels_get(void)
{
    static const kb_kernel *const all[] = {&dense, &pivoted, &sparse, &broken, &gpu, &floats,
                                           &rows};
    static const kb_kernels toy = {
        .version = KB_KERNELS_VERSION, .mech = "toy", .flags = "-O1", .nsp = 2, .nnz = 9,
        .nkernels = sizeof all / sizeof *all, .kernels = all, .newton = newton, .device = device,
        .sha256 = "0000000000000000000000000000000000000000000000000000000000000000"};
    return &toy;
}
