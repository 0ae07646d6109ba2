/* SPDX-License-Identifier: MIT */
#include "drivers/kernels/cells.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/stats.h"
#include "solvers/engine_names.h"

enum { FEWEST = 3 }; /* samples of a cell */

bool kb_kernel_on_gpu(const kb_kernel *k) { return kb_on_gpu(k->engine); }

double kb_kernel_system_time(const kb_kernel_cell *c)
{
    return kb_median(c->samples, c->nsamples) / (double)c->n;
}

double kb_kernel_speedup(const kb_kernel_cells *all, const kb_kernel_cell *c, const char *name,
                         const char *engine)
{
    for (int i = 0; i < all->count; i++) {
        const kb_kernel_cell *base = &all->cells[i];
        const kb_kernel *k = base->kernel;
        if (base->m == c->m && !strcmp(base->matrix, c->matrix) && !strcmp(k->name, name) &&
            !strcmp(k->engine, engine) && !strcmp(k->precision, "double"))
            return kb_kernel_system_time(base) / kb_kernel_system_time(c);
    }
    return NAN;
}

static kb_kernel_cell *add(kb_kernel_cells *all)
{
    all->cells = kb_realloc(all->cells, (size_t)all->count + 1, sizeof *all->cells);
    kb_kernel_cell *c = &all->cells[all->count++];
    *c = (kb_kernel_cell){.status = "ok"};
    return c;
}

void kb_kernel_cells_free(kb_kernel_cells *all)
{
    for (int i = 0; i < all->count; i++) {
        free(all->cells[i].samples);
        free(all->cells[i].why);
    }
    free(all->cells);
    *all = (kb_kernel_cells){0};
}

/* takes why */
static void end(kb_kernel_cell *c, const char *status, char *why)
{
    c->status = status;
    free(c->why);
    c->why = why;
}

static bool alike(const kb_kernel_cell *a, const kb_kernel_cell *b)
{
    return a->kernel == b->kernel && a->nsamples && !strcmp(a->matrix, b->matrix);
}

/* On a GPU, whose kernels cannot be stopped: time of a pass [s] by the flops of the nearest cell
 * of the kernel before it, of as many systems if there is one; 0: unknown. With few systems a
 * device is not full, so that more of them take less than this. */
static double predict(const kb_kernel_cells *all, const kb_kernel_cell *c)
{
    const kb_kernel_cell *found = NULL;
    for (const kb_kernel_cell *p = all->cells; p < c; p++)
        if (alike(p, c) && (!found || found->n != c->n || p->n == c->n))
            found = p;
    if (!found || !kb_kernel_on_gpu(c->kernel))
        return 0;
    return kb_kernel_system_time(found) * (double)c->n * c->counts.flops / found->counts.flops;
}

static bool fits(kb_kernel_cell *c, const kb_system_set *set, const kb_kernel_device *device)
{
    double m = c->m, n = (double)c->n, distinct = (double)set->s.distinct;
    double need = n * (c->counts.storage + 8 * m) + distinct * 8 * (m * m + m);
    if (!kb_kernel_on_gpu(c->kernel) || need < 0.9 * (double)device->memory)
        return true;
    end(c, "skipped", kb_format("needs %.1f GiB, the device has %.1f GiB free", need / 0x1p30,
                                (double)device->memory / 0x1p30));
    return false;
}

/* one pass not timed, then the samples */
static int sample(kb_kernel_cell *c, void *run, const kb_kernel_limits *limits, kb_error *err)
{
    double seconds, start = kb_clock();
    int code = c->kernel->pass(run, &seconds, err);
    double pass = kb_clock() - start; /* filling included */
    int most = pass > 0 && pass * limits->repeats > limits->budget ? (int)(limits->budget / pass)
                                                                   : limits->repeats;
    most = most < FEWEST ? FEWEST : most;
    c->samples = kb_alloc((size_t)most, sizeof *c->samples);
    for (int i = 0; i < most && !code && !kb_interrupted(); i++) {
        code = c->kernel->pass(run, &seconds, err);
        if (!code)
            c->samples[c->nsamples++] = seconds;
    }
    return code;
}

static int check(kb_kernel_cell *c, const kb_system_set *set, void *run, kb_error *err)
{
    kb_owned double *x = kb_alloc((size_t)c->n * (size_t)c->m, sizeof *x);
    int code = c->kernel->solution(run, x, err);
    if (!code)
        c->check = kb_systems_check(set, c->n, x);
    if (!code && (c->check.differing || !isfinite(c->check.backward)))
        end(c, "wrong", c->check.differing
            ? kb_format("%ld systems differ from others of the same matrix", c->check.differing)
            : kb_strdup("a solution is not finite"));
    return code;
}

static void run_cell(kb_kernel_cell *c, const kb_system_set *set, const kb_systems *s,
                     const kb_kernel_limits *limits)
{
    void *run = NULL;
    kb_error err = {0};
    int code = c->kernel->open(c->kernel, s, &run, &err);
    code = code ? code : sample(c, run, limits, &err);
    code = code ? code : check(c, set, run, &err);
    c->kernel->close(run);
    if (code)
        end(c, code == KB_NOTHING ? "skipped" : "failed", kb_strdup(err.text));
}

kb_kernel_cell *kb_kernel_measure(kb_kernel_cells *all, const kb_kernel *kernel,
                                  const kb_system_set *set, long n, int segments, int block,
                                  const kb_kernel_limits *limits)
{
    kb_kernel_cell *c = add(all);
    kb_systems s = set->s;
    s.n = c->n = n;
    s.segments = c->segments = segments;
    s.block = c->block = block;
    c->m = s.m;
    c->kernel = kernel;
    c->matrix = set->matrix;
    kernel->count(kernel, &s, &c->counts);
    double pass = predict(all, c);
    if (pass * FEWEST > limits->budget)
        end(c, "skipped", kb_format("predicted to take %.2g s a pass (--budget)", pass));
    else if (fits(c, set, limits->device))
        run_cell(c, set, &s, limits);
    return c;
}

/* ---- rows ---- */

static const char header[] =
    "schema,machine,git,dirty,mech,mech_sha256,kernel,engine,layout,precision,matrix,m,n,segments,"
    "block,repeats,time_s,time_lo_s,time_hi_s,us_per_system,flops_per_system,gflops,"
    "bytes_per_system,bandwidth_GBs,copy_GBs,copy_percent,sectors_per_request,"
    "sector_bytes_per_system,sector_GBs,shared_bytes,storage_bytes,backward_error,"
    "componentwise_error,pivoted_difference,differing,"
    "speedup_dense,speedup_pivoted,speedup_sparse_simd,status,why";

static void put_case(kb_csv *t, long row, const kb_kernel_cell *c, const kb_kernels *kernels,
                     const kb_environment *env)
{
    kb_csv_number(t, row, "schema", KB_KERNELS_SCHEMA, 0);
    kb_csv_set(t, row, "machine", env->machine);
    kb_csv_set(t, row, "git", env->git);
    kb_csv_number(t, row, "dirty", env->dirty, 0);
    kb_csv_set(t, row, "mech", kernels->mech);
    kb_csv_set(t, row, "mech_sha256", kernels->sha256);
    kb_csv_set(t, row, "kernel", c->kernel->name);
    kb_csv_set(t, row, "engine", c->kernel->engine);
    kb_csv_set(t, row, "layout", c->kernel->layout);
    kb_csv_set(t, row, "precision", c->kernel->precision);
    kb_csv_set(t, row, "matrix", c->matrix);
    kb_csv_number(t, row, "m", c->m, 0);
    kb_csv_number(t, row, "n", (double)c->n, 0);
    kb_csv_number(t, row, "segments", c->segments, 0);
    kb_csv_number(t, row, "block", c->block, 0);
    kb_csv_set(t, row, "status", c->status);
    kb_csv_set(t, row, "why", c->why ? c->why : "");
}

static void put_times(kb_csv *t, long row, const kb_kernel_cell *c)
{
    double lo, hi;
    kb_bootstrap(c->samples, c->nsamples, &lo, &hi);
    kb_csv_number(t, row, "repeats", c->nsamples, 0);
    kb_csv_number(t, row, "time_s", kb_median(c->samples, c->nsamples), 6);
    kb_csv_number(t, row, "time_lo_s", lo, 6);
    kb_csv_number(t, row, "time_hi_s", hi, 6);
    kb_csv_number(t, row, "us_per_system", 1e6 * kb_kernel_system_time(c), 6);
}

static void put_rates(kb_csv *t, long row, const kb_kernel_cell *c, const kb_kernel_device *device)
{
    const kb_kernel_counts *k = &c->counts;
    double giga = 1e-9 / kb_kernel_system_time(c), bytes = k->bytes > 0 ? k->bytes : NAN;
    kb_csv_number(t, row, "flops_per_system", k->flops, 0);
    kb_csv_number(t, row, "gflops", k->flops * giga, 6);
    kb_csv_number(t, row, "bytes_per_system", bytes, 0);
    kb_csv_number(t, row, "bandwidth_GBs", bytes * giga, 6);
    kb_csv_number(t, row, "storage_bytes", k->storage, 0);
    if (!kb_kernel_on_gpu(c->kernel))
        return;
    kb_csv_number(t, row, "copy_GBs", 1e-9 * device->copy, 6);
    kb_csv_number(t, row, "copy_percent", 100e9 * k->bytes * giga / device->copy, 6);
    kb_csv_number(t, row, "sectors_per_request", k->sectors / k->requests, 6);
    kb_csv_number(t, row, "sector_bytes_per_system", 32 * k->sectors, 6);
    kb_csv_number(t, row, "sector_GBs", 32 * k->sectors * giga, 6);
    kb_csv_number(t, row, "shared_bytes", k->shared, 0);
}

static void put_errors(kb_csv *t, long row, const kb_kernel_cells *all, const kb_kernel_cell *c)
{
    kb_csv_number(t, row, "backward_error", c->check.backward, 6);
    kb_csv_number(t, row, "componentwise_error", c->check.componentwise, 6);
    kb_csv_number(t, row, "pivoted_difference", c->check.difference, 6);
    kb_csv_number(t, row, "differing", (double)c->check.differing, 0);
    kb_csv_number(t, row, "speedup_dense", kb_kernel_speedup(all, c, "dense", "cpu-scalar"), 6);
    kb_csv_number(t, row, "speedup_pivoted", kb_kernel_speedup(all, c, "pivoted", "cpu-scalar"), 6);
    kb_csv_number(t, row, "speedup_sparse_simd", kb_kernel_speedup(all, c, "sparse", "cpu-simd"),
                  6);
}

int kb_kernel_write(const kb_kernel_cells *all, const char *path, const kb_kernels *kernels,
                    const kb_environment *env, const kb_kernel_device *device, kb_error *err)
{
    kb_csv csv;
    kb_csv_start(&csv, header);
    for (int i = 0; i < all->count; i++) {
        const kb_kernel_cell *c = &all->cells[i];
        long row = kb_csv_add(&csv);
        put_case(&csv, row, c, kernels, env);
        if (!c->nsamples)
            continue;
        put_times(&csv, row, c);
        put_rates(&csv, row, c, device);
        put_errors(&csv, row, all, c);
    }
    int code = kb_csv_write(&csv, path, err);
    kb_csv_free(&csv);
    return code;
}
