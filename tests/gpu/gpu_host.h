/* SPDX-License-Identifier: MIT
 *
 * Common to the tests of the host side of the GPU engines without a GPU: gpu.cu is compiled for the
 * device of fake_cuda/cuda_runtime.h, with rodas4 on H2. Each program includes it once.
 */
#pragma once

#include "solvers/forced_job.h"
#include "tests/unit/solver_problem.h"
#include "tests/gpu/fake_cuda/fake.h"

extern const kb_solver kb_rodas4_fake, kb_rodas4_fake_cached, kb_rodas4_fake_algorithm1,
    kb_rodas4_fake_forced, kb_rodas4_fake_cores, kb_rodas4_fake_apart;
kb_fake fake;
double kin_cache[(227 << 10) / sizeof(double)];

/* the solvers of the host's cores, which gpu.cu asks for by these names; ODEs they were given */
extern kb_solver kb_rodas4_simd;
extern const kb_solver kb_rodas4_scalar, kb_rodas4_scalar_forced, kb_rodas4_simd_forced;
static long given_to_scalar, given_to_simd;

enum { ODES = 1000, MOST_OPTIONS = 32 };
static problem q;
static answer whole; /* unsplit, static */

static int run_scalar(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    self = kb_solver_find(q.s, "rodas4", self->info.engine);
    given_to_scalar += job->n;
    return self->run(self, job, result, err);
}
static int run_simd(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    self = kb_solver_find(q.s, "rodas4", self->info.engine);
    given_to_simd += job->n;
    return self->run(self, job, result, err);
}
kb_solver kb_rodas4_simd = {.info.engine = "cpu-simd", .run = run_simd};
const kb_solver kb_rodas4_scalar = {.info.engine = "cpu-scalar", .run = run_scalar},
                kb_rodas4_scalar_forced = {.info.engine = "cpu-scalar-forced", .run = run_scalar},
                kb_rodas4_simd_forced = {.info.engine = "cpu-simd-forced", .run = run_simd};

static inline void new_device(void)
{
    unsetenv("KB_GPU_MEMORY");
    fake = (kb_fake){.devices = 1, .driver = 13000, .multiprocessors = 8, .memory = 1 << 30,
                     .told = 1 << 30, .shared = 227 << 10, .bandwidth = 1e9, .thread_s = 1e-7};
}

/* every block, stream and event was given back, and no error is left behind for the next call */
static inline void assert_nothing_left(void)
{
    assert_int_equal(fake.used, 0);
    assert_int_equal(fake.pinned, 0);
    assert_int_equal(fake.things, 0);
    assert_int_equal(fake.last_error, 0);
    assert_int_equal(fake.freed_early, 0);
}

typedef struct {
    double slice, cycles, overhead;
    bool as_they_come; /* costly_first=0 */
    int block;
    double carve; /* 0: the engine's choice */
    double pass;  /* 1: the explicit first pass, on 1e-8 s at rtol 1e-2 */
    double atol;  /* 0: 1e-12 */
    double host;  /* ODEs for the host's cores */
    double cores; /* 1: the host's cores do ODEs meanwhile */
} choice;

static inline double *options_of(const kb_solver *s, choice c)
{
    static double values[MOST_OPTIONS];
    options_with(s, "slice", c.slice, values);
    set_option(s, "cycles", c.cycles, values);
    set_option(s, "pass", c.pass, values);
    if (c.as_they_come)
        set_option(s, "costly_first", 0, values);
    if (c.overhead)
        set_option(s, "overhead", c.overhead, values);
    if (c.carve)
        set_option(s, "carve", c.carve, values);
    set_option(s, "host", c.host, values);
    set_option(s, "cores", c.cores, values);
    return values;
}

static const double *forced_rows; /* NULL, or states and their forcing */

static inline answer run_solver(const kb_solver *solver, choice c, kb_schedule schedule)
{
    kb_job job = {.n = ODES, .states = q.states, .dt = DT, .rtol = 1e-6, .atol = 1e-12,
                  .schedule = schedule, .threads = c.block};
    if (forced_rows) {
        job.states = forced_rows;
        job.reactor = kb_with_forcing(job.reactor);
    }
    job.options = options_of(solver, c);
    job.atol = c.atol > 0 ? c.atol : job.atol;
    if (c.pass) {
        job.dt = 1e-8;
        job.rtol = 1e-2;
        job.atol = 1e-8;
    }
    kb_error err = {0};
    answer a = {.y = kb_alloc(ODES * (size_t)(q.nsp + 1), sizeof *a.y),
                .count = kb_alloc(ODES, sizeof *a.count), .n = ODES};
    a.r = (kb_result){.y = a.y, .count = a.count};
    a.code = solver->run(solver, &job, &a.r, &err);
    if (a.code)
        fail_msg("%s", err.text);
    assert_nothing_left();
    return a;
}

static inline answer run_chosen(choice c, kb_schedule schedule)
{
    return run_solver(&kb_rodas4_fake, c, schedule);
}

static inline void assert_same_bits(const answer *a, const answer *b)
{
    for (int i = 0; i < ODES; i++)
        assert_same(&q, a, i, b, i);
}

static inline int run_solver_into(const kb_solver *solver, kb_job job, kb_error *err)
{
    answer a = {.y = kb_alloc(ODES * (size_t)(q.nsp + 1), sizeof *a.y),
                .count = kb_alloc(ODES, sizeof *a.count)};
    kb_result r = {.y = a.y, .count = a.count};
    job.n = 250;
    job.states = q.states;
    job.dt = DT;
    job.rtol = 1e-6;
    job.atol = 1e-12;
    *err = (kb_error){0};
    int code = solver->run(solver, &job, &r, err);
    release(&a);
    assert_nothing_left();
    return code;
}

static inline int run_into(kb_job job, kb_error *err)
{
    return run_solver_into(&kb_rodas4_fake, job, err);
}

static inline int start(void **state)
{
    (void)state;
    make_problem(&q, "h2", "H2:1", 1.2e-5, ODES);
    const kb_solver *simd = kb_solver_find(q.s, "rodas4", "cpu-simd");
    kb_rodas4_simd.info.options = simd->info.options;
    kb_rodas4_simd.info.lanes = simd->info.lanes;
    new_device();
    whole = run_chosen((choice){0}, KB_STATIC);
    return 0;
}

static inline int finish(void **state)
{
    (void)state;
    release(&whole);
    free_problem(&q);
    return 0;
}

static inline int fresh(void **state)
{
    (void)state;
    new_device();
    return 0;
}
