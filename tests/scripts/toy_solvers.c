/* SPDX-License-Identifier: MIT
 *
 * A file of solvers for tests of bench: two species, dY1/dt = -k(T) Y1, Y2 = 1 - Y1, T constant.
 * "cvode" is the exact solution; "euler" has errors and counts that can be worked out by hand; the
 * others end in the ways that bench must survive. TOY_HOLD=FILE (a pattern): once it is there, if
 * it is a table with 4 rows, "cvode" and "sleepy" wait until they are to stop. TOY_KERNELS=FILE
 * gets the seconds of each kernel. TOY_CLOCK: all times are made up of the evaluations, so that
 * what is printed of them is known to the byte, on a GPU half of a time its kernel's, a quarter and
 * an eighth copies; each run takes so many times as long as the one before. TOY_BROKEN: the run
 * from which on "broken" fails. With TOY_VERSION another interface version is claimed, with
 * TOY_SHA256 another mechanism; with TOY_REFERENCE_MS "cvode" takes so long for an ODE; with
 * TOY_OPTIONS "euler" has so many options; with TOY_NEEDS it claims to need that feature of a
 * processor.
 */
#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/processor.h"
#include "solvers/solver.h"

#ifdef TOY_NEEDS
const kb_feature kb_processor_needs[] = {{"sse3", 0}, {TOY_NEEDS, 1}, {"", 0}};
#endif

#ifndef TOY_REFERENCE_MS
#define TOY_REFERENCE_MS 0
#endif
#ifndef TOY_OPTIONS
#define TOY_OPTIONS 1
#endif
#ifndef TOY_SHA256
#define TOY_SHA256 "0000000000000000000000000000000000000000000000000000000000000000"
#endif
#ifndef TOY_VERSION
#define TOY_VERSION KB_SOLVERS_VERSION
#endif

static double rate(double T)
{
    return 1e6 * exp(-1000 / T); /* [1/s] */
}

static void wait_ms(double ms)
{
    struct timespec t = {0, (long)(ms * 1e6)};
    nanosleep(&t, NULL);
}

/* [s]: 1 ms an evaluation at 1000 K, of "cvode" 4 ms, shared by lanes and threads; runs differ by
 * up to 6 % */
static double made_up_time(const kb_solver *self, const kb_job *job, const kb_result *r)
{
    static int runs;
    double work = 0, each = strcmp(self->info.name, "cvode") ? 1e-3 : 4e-3;
    for (long i = 0; i < job->n; i++)
        work += r->count[i].rhs * job->states[4 * i] * 1e-3 * each;
    double slower = pow(atof(getenv("TOY_CLOCK")), runs);
    return slower * work / r->lanes / (r->threads ? r->threads : 1) *
           (1 + 0.01 * (5 * runs++ % 7));
}

static void note_kernel(double seconds)
{
    const char *path = getenv("TOY_KERNELS");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (f) {
        fprintf(f, "%g\n", seconds);
        fclose(f);
    }
}

static bool has_rows(const char *table, int rows)
{
    FILE *f = fopen(table, "r");
    int lines = 0;
    for (int c; f && (c = getc(f)) != EOF;)
        lines += c == '\n';
    if (f)
        fclose(f);
    return lines > rows;
}

/* is there what TOY_HOLD waits for? */
static bool held(void)
{
    const char *pattern = getenv("TOY_HOLD");
    glob_t found = {0};
    bool is = pattern && !glob(pattern, 0, NULL, &found) &&
              (!kb_ends_in(found.gl_pathv[0], ".csv") || has_rows(found.gl_pathv[0], 4));
    globfree(&found);
    return is;
}

/* ---- a GPU without one: kernels that no stop flag ends, and blocks of threads ---- */

/* Substeps of ODE i. "twin" is on the CPU too, but there 3 ODEs take one more: multiples of 50
 * below 150; with small tolerances or long steps others are costly. "crawl" needs more than anyone
 * can wait for, "straggler" only in its last ODE, which no probe sees. */
static long substeps(const kb_solver *self, const kb_job *job, long i)
{
    const char *name = self->info.name;
    long row = (long)((job->states[4 * i] - 500) * 0.3 + 0.5); /* of the database of 300 */
    if (!strcmp(name, "crawl"))
        return 10000000;
    if (!strcmp(name, "wave") || !strcmp(name, "tide"))
        return 2000;
    if (!strcmp(name, "straggler"))
        return row == 299 ? 1000000 : 10;
    if (job->rtol < 1e-7 || job->atol < 1e-12 || job->dt > 1e-4)
        return 1 + row / 10;
    return 1 + row % 32 + (self->info.engine[0] == 'c' && row % 50 == 0 && row < 150);
}

/* A kernel lasts 20 us for each substep of its longest ODE, of "wave" for each 64 ODEs */
static int run_kernel(const kb_solver *self, const kb_job *job, kb_result *r, kb_error *err)
{
    long allowed = job->max_substeps ? job->max_substeps : 1000000, longest = 0;
    (void)err;
    for (long i = 0; i < job->n; i++) {
        const double *s = job->states + 4 * i;
        long needed = substeps(self, job, i), took = needed < allowed ? needed : allowed;
        longest = took > longest ? took : longest;
        r->y[3 * i] = s[0];
        r->y[3 * i + 1] = s[2] * exp(-rate(s[0]) * job->dt);
        r->y[3 * i + 2] = 1 - r->y[3 * i + 1];
        r->count[i] = (kb_count){.attempted = (int32_t)took, .rhs = (int32_t)(2 * took)};
        r->count[i].status = needed > allowed ? KB_ODE_TOO_MANY : KB_ODE_OK;
    }
    r->total = r->kernel = 2e-5 * (double)longest;
    if (!strcmp(self->info.name, "wave"))
        r->total = r->kernel *= (double)job->n / 64;
    note_kernel(r->total);
    for (double ms = 1e3 * r->total; ms > 0; ms -= 500)
        wait_ms(ms < 500 ? ms : 500);
    r->lane_use = 0.5;
    r->lanes = self->info.lanes;
    r->threads = job->threads ? job->threads : 64;
    r->resident = 4 * r->threads;
    if (self->info.engine[0] == 'g' && r->timeline) { /* two slices */
        r->slices = 2;
        for (long k = 0; k < 2; k++)
            r->timeline[k] = (kb_slice){k * job->n / 2, job->n / 2, 1e-3 * (double)k, 2e-3, 3e-3,
                                        4e-3};
    }
    return KB_OK;
}

/* ---- solvers of the CPU ---- */

static int warm; /* "cold" is slow once, as is the start of threads; its times are made up */

/* Explicit Euler with as many steps as 0.1 / rtol */
static double euler(const kb_job *job, double T, double Y, kb_count *c)
{
    double factor = job->options ? job->options[0] : 1;
    int steps = (int)(factor * 0.1 / job->rtol + 0.5);
    for (int i = 0; i < steps; i++)
        Y -= job->dt / steps * rate(T) * Y;
    c->attempted = c->rhs = steps;
    c->accepted = steps;
    return Y;
}

static double solve_one(const kb_solver *self, const kb_job *job, long i, const double *s,
                        kb_count *c)
{
    const char *name = self->info.name;
    if (!strcmp(name, "euler"))
        return euler(job, s[0], s[2], c);
    c->attempted = c->accepted = 1;
    c->rhs = (int32_t)(1 + i % 4);
    bool waits = !strcmp(name, "sleepy") || !strcmp(name, "cvode");
    while (waits && job->stop && !*job->stop && held())
        wait_ms(1);
    if (!strcmp(name, "sleepy"))
        wait_ms(2);
    if (!strcmp(name, "cvode") && TOY_REFERENCE_MS)
        wait_ms(TOY_REFERENCE_MS);
    if (!strcmp(name, "failing") && i % 4 == 0) {
        c->status = i % 8 ? KB_ODE_TOO_MANY : KB_ODE_NOT_FINITE;
        return NAN;
    }
    if (!strcmp(name, "rash") && i % 4 == 0)
        return s[2]; /* as if nothing reacted */
    return s[2] * exp(-rate(s[0]) * job->dt);
}

/* "uneven": 1, 2, 3, 1, ... attempts, of 5 evaluations the first and 1 each other; told on the CPU
 * alone */
static void make_uneven(const kb_solver *self, long i, kb_result *r)
{
    kb_count *c = &r->count[i];
    c->attempted = c->accepted = (int32_t)(1 + i % 3);
    c->rhs = c->attempted + 4;
    for (int k = 0; k < c->attempted && r->trail && self->info.engine[0] == 'c'; k++) {
        kb_trail *t = r->trail;
        t->attempt = realloc(t->attempt, (size_t)(t->n + 1) * sizeof *t->attempt);
        t->attempt[t->n++] = (kb_attempt){(int32_t)i, k ? 1 : 5};
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run(const kb_solver *self, const kb_job *job, kb_result *r, kb_error *err)
{
    double start = now();
    static int broken; /* runs */
    const char *from = getenv("TOY_BROKEN");
    if (!strcmp(self->info.name, "broken") && ++broken >= (from ? atoi(from) : 1))
        return kb_fail(err, KB_INVALID, "the toy is broken, \"as wanted\"");
    if (!strcmp(self->info.engine, "gpu-thread"))
        return kb_fail(err, KB_NOTHING, "no GPU here");
    for (long i = 0; i < job->n; i++) {
        const double *s = job->states + 4 * i;
        double *y = r->y + 3 * i;
        if (job->stop && *job->stop)
            return kb_fail(err, KB_INTERRUPTED, "stopped");
        r->count[i] = (kb_count){0};
        y[0] = s[0];
        y[1] = solve_one(self, job, i, s, &r->count[i]);
        y[2] = 1 - y[1];
        if (!strcmp(self->info.name, "uneven"))
            make_uneven(self, i, r);
    }
    r->total = r->kernel = now() - start;
    if (!strcmp(self->info.name, "cold"))
        r->total = r->kernel = (warm++ ? 0 : 0.02) + 1e-8 * (double)job->n;
    r->lane_use = 1;
    r->lanes = self->info.lanes;
    r->threads = job->threads;
    if (getenv("TOY_CLOCK"))
        r->total = r->kernel = made_up_time(self, job, r);
    if (getenv("TOY_CLOCK") && self->info.engine[0] == 'g') {
        r->copy_in = r->total / 4;
        r->copy_out = r->total / 8;
        r->kernel = r->total / 2;
    }
    return KB_OK;
}

static int evaluate(const kb_solvers *self, const char *engine, const kb_evaluation *e,
                    kb_error *err)
{
    (void)self, (void)engine, (void)err;
    for (long i = 0; i < e->n; i++) {
        const double *y = e->y + 3 * i;
        double *f = e->dy + 3 * i;
        f[0] = 0;
        f[1] = -rate(y[0]) * y[1];
        f[2] = -f[1];
    }
    return KB_OK;
}

static int micro(const kb_solvers *self, const char *engine, const double *states, long n,
                 kb_micro *parts)
{
    (void)self;
    static int calls; /* of cpu-scalar: samples 2 % apart, and a first one far off */
    double off = calls < 1 ? 100 : 1 + 0.02 * (calls % 3 - 1);
    (void)states;
    calls += strcmp(engine, "cpu-simd") != 0;
    parts[0] = (kb_micro){"rates", off * 4e-6};
    parts[1] = (kb_micro){"rates+J", 5e-6};
    parts[2] = (kb_micro){"LU", 1e-9 * (double)n};
    parts[3] = (kb_micro){"solve", 1e-6};
    return strcmp(engine, "cpu-simd") ? 4 : 3;
}

static kb_option euler_options[TOY_OPTIONS + 1] = {
    {"factor", "times as many steps", 1, 1e-3, 1e6, KB_REAL}};
static const kb_option gpu_options[] = {{"factor", "unused", 1, 1e-3, 1e6, KB_REAL},
                                        {"slice", "unused", 0, 0, 1e15, KB_WHOLE}, {0}};
#define OPTIONS_OF(engine) ((engine)[0] == 'g' ? gpu_options : euler_options)

#define TOY(id, solver, where, tolerance, width) TOY_RUN(id, solver, where, tolerance, width, run)
#define TOY_RUN(id, solver, where, tolerance, width, function)                                     \
    static const kb_solver id = {                                                                  \
        .info = {.name = solver, .engine = where, .source = "paper of " solver,                    \
                 .summary = "a toy, " solver, .order = width > 1, .rtol = tolerance,               \
                 .atol = 1e-10, .options = OPTIONS_OF(where), .lanes = width,                      \
                 .bytes_per_ode = 100 * width},                                                    \
        .run = function}

TOY(cvode, "cvode", "cpu-scalar", 1e-6, 1);
TOY(euler_scalar, "euler", "cpu-scalar", 1e-3, 1);
TOY(euler_simd, "euler", "cpu-simd", 1e-3, 4);
TOY(sleepy, "sleepy", "cpu-scalar", 1e-6, 1);
TOY(cold, "cold", "cpu-scalar", 1e-6, 1);
TOY(rash, "rash", "cpu-scalar", 1e-6, 1);
TOY(failing, "failing", "cpu-scalar", 1e-6, 1);
TOY(uneven_simd, "uneven", "cpu-simd", 1e-6, 2);
TOY(uneven_gpu, "uneven", "gpu-warp", 1e-6, 2);
TOY(broken, "broken", "cpu-scalar", 1e-6, 1);
TOY(gpu, "euler", "gpu-thread", 1e-3, 32);
TOY_RUN(twin_cpu, "twin", "cpu-scalar", 1e-6, 1, run_kernel);
TOY_RUN(twin_gpu, "twin", "gpu-thread", 1e-6, 32, run_kernel);
TOY_RUN(twin_cached, "twin", "gpu-thread-cached", 1e-6, 32, run_kernel);
TOY_RUN(twin_warp, "twin", "gpu-warp", 1e-6, 1, run_kernel);
TOY_RUN(twin_block, "twin", "gpu-block", 1e-6, 1, run_kernel);
TOY_RUN(crawl, "crawl", "gpu-warp", 1e-6, 32, run_kernel);
TOY_RUN(wave, "wave", "gpu-warp", 1e-6, 32, run_kernel);
TOY_RUN(tide, "tide", "gpu-warp", 1e-6, 32, run_kernel);
TOY_RUN(straggler, "straggler", "gpu-warp", 1e-6, 32, run_kernel);

static int gpu_available(kb_error *err)
{
    (void)err;
    return KB_OK;
}

const kb_solvers *kb_solvers_get(void)
{
    static const kb_solver *const all[] = {&euler_scalar, &cvode, &euler_simd, &sleepy,
                                           &failing, &broken, &gpu, &twin_cpu, &twin_gpu,
                                           &twin_cached, &twin_warp, &twin_block, &crawl,
                                           &straggler, &wave, &tide, &cold, &rash,
                                           &uneven_simd, &uneven_gpu};
    static const char *const species[] = {"A", "B"};
    static const double W[] = {2, 2};
    static const kb_solvers toy = {
        .version = TOY_VERSION, .mech = "toy", .compiler = "cc", .flags = "-O1", .nsp = 2,
        .nrxn = 1, .gpu_available = gpu_available, .species = species, .W = W,
        .nsolvers = sizeof all / sizeof *all, .solvers = all, .evaluate = evaluate,
        .micro = micro, .memory_new = malloc, .memory_free = free,
        .sha256 = TOY_SHA256};
    for (int i = 1; i < TOY_OPTIONS; i++)
        euler_options[i] = (kb_option){kb_format("unused%d", i), "", 1, 0, 1, KB_REAL};
    return &toy;
}
