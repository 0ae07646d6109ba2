/* SPDX-License-Identifier: MIT
 *
 * The GPU engines, and their variants where they were built, against cpu-scalar: the same substeps
 * and the same states. A batch cut into slices against the whole, and one with impossible states:
 * the same bits. Without a GPU every test says that it was skipped.
 */
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "tests/test.h"
#include "solvers/engine_names.h"
#include "tests/unit/solver_options.h"

enum { STATES = 256 };

typedef struct {
    double *y;
    kb_count count[STATES];
    long slices;
} outcome;

/* states along the ignition of a mixture that every shipped mechanism has: 2 H2 + O2 + 3.76 N2 at
 * 1200 K */
static double *ignition_states(const kb_solvers *s)
{
    int n = s->nsp + 1;
    double state[64] = {1200, 101325}, times[STATES], sum = 0, *states, *y;
    for (int i = 0; i < s->nsp; i++) {
        const char *name = s->species[i];
        double X = !strcmp(name, "H2")   ? 2
                   : !strcmp(name, "O2") ? 1
                   : !strcmp(name, "N2") ? 3.76
                                         : 0;
        sum += state[2 + i] = X * s->W[i];
    }
    for (int i = 0; i < s->nsp; i++)
        state[2 + i] /= sum;
    for (int k = 0; k < STATES; k++)
        times[k] = 4e-7 * k;
    y = kb_alloc(STATES * (size_t)n, sizeof *y);
    states = kb_alloc(STATES * (size_t)(n + 1), sizeof *states);
    kb_error err;
    assert_int_equal(s->trajectory(s, state, KB_CONST_P, 1e-8, 1e-15, STATES, times, y, &err),
                     KB_OK);
    for (int k = 0; k < STATES; k++) {
        states[k * (n + 1)] = y[k * n];
        states[k * (n + 1) + 1] = 101325;
        memcpy(states + k * (n + 1) + 2, y + k * n + 1, s->nsp * sizeof *y);
    }
    free(y);
    return states;
}

typedef struct {
    kb_schedule schedule;
    double slice, cycles; /* options of the GPU engines, 0: defaults */
    double overhead;
} way;

/* the values of the solver's options for this way */
static const double *options_of(const kb_solver *s, way w)
{
    static double values[32];
    options_with(s, "slice", w.slice, values);
    set_option(s, "cycles", w.cycles, values);
    if (w.overhead)
        set_option(s, "overhead", w.overhead, values);
    return values;
}

static int run_way(const kb_solver *solver, const double *states, way w, outcome *out)
{
    kb_error err = {0};
    kb_job job = {.n = STATES,
                  .states = states,
                  .dt = 1e-6,
                  .rtol = solver->info.rtol,
                  .atol = solver->info.atol,
                  .schedule = w.schedule,
                  .options = options_of(solver, w)};
    kb_result result = {.y = out->y, .count = out->count};
    int code = solver->run(solver, &job, &result, &err);
    if (code && code != KB_NOTHING)
        fail_msg("%s on %s: %s", solver->info.name, solver->info.engine, err.text);
    out->slices = result.slices;
    return code;
}

static int run(const kb_solver *solver, const double *states, kb_schedule schedule, outcome *out)
{
    return run_way(solver, states, (way){.schedule = schedule}, out);
}

/* largest |a - b| / (|b| + 1e-6), and how many ODEs took other substeps */
static void compare(const outcome *a, const outcome *b, int n, double *worst, int *other)
{
    *worst = *other = 0;
    for (int k = 0; k < STATES; k++) {
        assert_int_equal(a->count[k].status, b->count[k].status);
        *other += a->count[k].attempted != b->count[k].attempted;
        for (int i = 0; i < n; i++) {
            double d = fabs(a->y[k * n + i] - b->y[k * n + i]) / (fabs(b->y[k * n + i]) + 1e-6);
            if (!(d <= *worst))
                *worst = d;
        }
    }
}

/* How far a method's own error at its default tolerances lets two roundings part, and in how many
 * ODEs a decision may fall otherwise. RKCK and RKF45 step at their stability limit, where a
 * decision is often close (16 of 256 seen on GRI); RKC's power method starts from a difference of
 * 1.5e-8; factors in floats are rounded at 6e-8. */
typedef struct {
    double error;
    int others;
} allowance;

static allowance allowed(const char *method, const char *engine)
{
    if (!strcmp(method, "rkc"))
        return (allowance){1e-3, STATES / 2};
    if (strstr(engine, "-float"))
        return (allowance){1e-5, STATES / 50};
    return (allowance){1e-6, strncmp(method, "rk", 2) ? STATES / 50 : STATES / 5};
}

static void gpu_equals_cpu(const char *mech)
{
    const kb_solvers *s;
    assert_works(!(s = kb_solvers_open(mech, &err)));
    kb_owned double *states = ignition_states(s);
    int n = s->nsp + 1, compared = 0;
    outcome cpu = {.y = kb_alloc(STATES * (size_t)n, 8)},
            gpu = {.y = kb_alloc(STATES * (size_t)n, 8)};
    for (int k = 0; k < s->nsolvers; k++) {
        const kb_solver *g = s->solvers[k], *c = kb_solver_find(s, g->info.name, "cpu-scalar");
        if (!kb_on_gpu(g->info.engine))
            continue;
        for (int schedule = KB_STATIC; schedule <= KB_REFILL; schedule++) {
            if (run(g, states, schedule, &gpu) == KB_NOTHING)
                continue;
            double worst;
            int other;
            run(c, states, schedule, &cpu);
            compare(&gpu, &cpu, n, &worst, &other);
            print_message("%s %s %s %s: %d of %d ODEs with other substeps, largest difference "
                          "%.1e\n", mech, g->info.name, g->info.engine,
                          schedule ? "refill" : "static", other,
                          STATES, worst);
            assert_true(worst <= allowed(g->info.name, g->info.engine).error);
            assert_true(other <= allowed(g->info.name, g->info.engine).others);
            compared++;
        }
    }
    free(cpu.y);
    free(gpu.y);
    if (!compared) {
        print_message("skip - no GPU, or built without CUDA: %s\n", mech);
        skip();
    }
}

/* the states with number i are the same bits; skipped: NULL or a mark for each state */
static void assert_same(const outcome *a, const outcome *b, int n, const char *skipped,
                        const char *what)
{
    for (int k = 0; k < STATES; k++)
        if (!(skipped && skipped[k]) && (memcmp(a->y + k * n, b->y + k * n, n * sizeof *a->y) ||
                                         memcmp(&a->count[k], &b->count[k], sizeof *a->count)))
            fail_msg("%s: state %d differs", what, k);
}

static void split_is_whole(const kb_solver *s, const double *states, int n)
{
    const way cut[] = {{KB_STATIC, .slice = 64}, {KB_REFILL, .slice = 64},
                       {KB_STATIC, .slice = 192}, {KB_STATIC, .cycles = 1, .overhead = 1e-6},
                       {KB_REFILL, .cycles = 1, .overhead = 1e-6}};
    outcome whole = {.y = kb_alloc(STATES * (size_t)n, 8)},
            split = {.y = kb_alloc(STATES * (size_t)n, 8)};
    /* asked for: a card that holds fewer teams of 512 threads would cut */
    run_way(s, states, (way){KB_STATIC, .slice = STATES}, &whole);
    if (whole.slices != 1)
        fail_msg("%s on %s: %ld slices of one", s->info.name, s->info.engine, (long)whole.slices);
    for (size_t k = 0; k < sizeof cut / sizeof *cut; k++) {
        run_way(s, states, cut[k], &split);
        assert_true(split.slices > 1);
        assert_same(&split, &whole, n, NULL, s->info.name);
    }
    /* the other engines also need memory for their teams */
    if (!strncmp(s->info.engine, "gpu-thread", strlen("gpu-thread"))) {
        setenv("KB_GPU_MEMORY", n > 20 ? "150000" : "40000", 1);
        run(s, states, KB_REFILL, &split);
        unsetenv("KB_GPU_MEMORY");
        assert_true(split.slices > 1);
        assert_same(&split, &whole, n, NULL, s->info.name);
    }
    free(whole.y);
    free(split.y);
}

/* NaN, zero temperature, zero pressure: a status, and all other states keep their bits */
static void bad_states_end_alone(const kb_solver *s, const double *good, int n)
{
    const struct {
        int state, column, status;
        double value;
    } bad[] = {{0, 0, KB_ODE_NOT_FINITE, NAN},
               {77, 0, KB_ODE_BOUNDS, 0},
               {78, 3, KB_ODE_NOT_FINITE, NAN},
               {79, 1, KB_ODE_BOUNDS, 0},
               {STATES - 1, 2, KB_ODE_NOT_FINITE, INFINITY}};
    size_t size = STATES * (size_t)(n + 1) * sizeof *good;
    kb_owned double *states = memcpy(kb_alloc(1, size), good, size);
    char marked[STATES] = {0};
    outcome clean = {.y = kb_alloc(STATES * (size_t)n, 8)},
            dirty = {.y = kb_alloc(STATES * (size_t)n, 8)};
    for (int k = 0; k < 5; k++) {
        states[bad[k].state * (n + 1) + bad[k].column] = bad[k].value;
        marked[bad[k].state] = 1;
    }
    for (int schedule = KB_STATIC; schedule <= KB_REFILL; schedule++) {
        run(s, good, schedule, &clean);
        run(s, states, schedule, &dirty);
        assert_same(&dirty, &clean, n, marked, s->info.name);
        for (int k = 0; k < 5; k++)
            assert_int_equal(dirty.count[bad[k].state].status, bad[k].status);
    }
    free(clean.y);
    free(dirty.y);
}

static volatile int stop;

static void on_alarm(int signal)
{
    (void)signal;
    stop = 1;
}

/* a kernel that would run for minutes ends when the host is asked to stop */
static void stops_at_once(const kb_solver *s, const double *states, int n)
{
    kb_error err = {0};
    kb_job job = {.n = STATES, .states = states, .dt = 1, .rtol = 1e-8, .atol = 1e-12,
                  .max_substeps = 1000000000, .stop = &stop};
    outcome out = {.y = kb_alloc(STATES * (size_t)n, 8)};
    kb_result result = {.y = out.y, .count = out.count};
    struct itimerval in = {.it_value = {.tv_usec = 300000}};
    struct timespec from, to;
    if (strcmp(s->info.name, "rkck"))
        return free(out.y);
    stop = 0;
    signal(SIGALRM, on_alarm);
    clock_gettime(CLOCK_MONOTONIC, &from);
    setitimer(ITIMER_REAL, &in, NULL);
    int code = s->run(s, &job, &result, &err);
    clock_gettime(CLOCK_MONOTONIC, &to);
    free(out.y);
    assert_int_equal(code, KB_INTERRUPTED);
    assert_true(to.tv_sec - from.tv_sec < 60);
}

/* with every GPU solver of both mechanisms */
static void with_gpu(void (*check)(const kb_solver *s, const double *states, int n))
{
    const char *mech[] = {"h2", "gri30"};
    int checked = 0;
    for (int m = 0; m < 2; m++) {
        const kb_solvers *s;
        assert_works(!(s = kb_solvers_open(mech[m], &err)));
        int n = s->nsp + 1;
        kb_owned double *states = ignition_states(s);
        outcome probe = {.y = kb_alloc(STATES * (size_t)n, 8)};
        for (int k = 0; k < s->nsolvers; k++)
            if (kb_on_gpu(s->solvers[k]->info.engine) &&
                run(s->solvers[k], states, KB_STATIC, &probe) == KB_OK) {
                check(s->solvers[k], states, n);
                checked++;
            }
        free(probe.y);
    }
    if (!checked) {
        print_message("skip - no GPU, or built without CUDA\n");
        skip();
    }
}

TEST(test_split)
{
    with_gpu(split_is_whole);
}

TEST(test_bad_states)
{
    with_gpu(bad_states_end_alone);
}

TEST(test_stop)
{
    with_gpu(stops_at_once);
}

TEST(test_h2)
{
    gpu_equals_cpu("h2");
}

TEST(test_gri30)
{
    gpu_equals_cpu("gri30");
}

TESTS(NULL, NULL)
