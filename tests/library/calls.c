/* SPDX-License-Identifier: MIT
 *
 * What libkinbench hands to a solver and takes from it, with made-up solvers that keep the job:
 * large batches packed by several threads, failed ODEs in every place, settings, threads.
 */
#include <omp.h>
#include <stdatomic.h>

#include "library/inside.h"
#include "solvers/auto.h"
#include "solvers/forced_job.h"
#include "tests/test.h"

/* n nsp is more than 1e5, from which on threads pack a batch, and no multiple of a block */
enum { NSP = 4, MANY = 30011, MOST_SOLVERS = 64 };
#define FAILS 1234.0 /* [K]: the ODEs that start there fail */
#define BEYOND 3000.0 /* [K]: from there on they end at T, Y and a sum of Y of beyond[] */
static const struct {
    double T, p, Y, more; /* p: at the start */
    bool fine, mended; /* is it a result, and if Y are repaired? */
} beyond[] = {
    {5999, 1e5, 0, 0, true, true},     {6001, 1e5, 0, 0, false, false},
    {49, 1e5, 0, 0, false, false},     {3000, 1e5, -9e-6, 0, true, true},
    {3000, 1e5, -2e-5, 0, false, true}, {3000, 1e5, -2e-3, 0, false, false},
    {3000, 1e5, 0, 9e-6, true, true},  {3000, 1e5, 0, 2e-5, false, true},
    {3000, 1e5, 0, -0.02, false, false}, {NAN, 1e5, 0, 0, false, false},
    {3000, 1e5, NAN, 0, false, false}, {3000, 1e5, INFINITY, 0, false, false},
    {3000, 9e8, 0, 0, true, true},     {5900, 9e8, 0.2, 0, false, false},
};
enum { NBEYOND = sizeof beyond / sizeof *beyond };

static atomic_int calls, most_threads, allocated;
static kb_job last; /* of the last call alone */

/* T + 1 and Y turned by one place; a failed ODE leaves numbers that nobody may see */
static int run(const kb_solver *self, const kb_job *job, kb_result *r, kb_error *err)
{
    (void)self, (void)err;
    calls++;
    if (job->threads > most_threads)
        most_threads = job->threads;
#pragma omp critical
    last = *job;
    int columns = job->reactor == kb_unforced(job->reactor) ? NSP + 2 : 2 * NSP + 3;
    for (long i = 0; i < job->n; i++) {
        const double *s = job->states + i * columns;
        double *y = r->y + i * (NSP + 1);
        bool fails = s[0] == FAILS;
        y[0] = fails ? -1 : s[0] + 1;
        for (int k = 0; k < NSP; k++)
            y[1 + k] = fails ? -2 : s[2 + (k + 1) % NSP];
        if (s[0] >= BEYOND) {
            int of = (int)(s[0] - BEYOND);
            y[0] = beyond[of].T;
            y[1] = beyond[of].Y;
            y[2] = 1 - y[1] - y[3] - y[4] + beyond[of].more;
        }
        if (r->next_h)
            r->next_h[i] = 1e-7;
        r->count[i] = (kb_count){.attempted = (int32_t)i,
                                 .status = fails ? KB_ODE_NEWTON : KB_ODE_OK};
        for (int k = 0; columns > NSP + 2 && k <= NSP; k++)
            y[k] += s[NSP + 2 + k] * job->dt;
    }
    return KB_OK;
}

static void *count_memory(size_t size)
{
    allocated++;
    return malloc(size);
}

static kb_solver made_up[MOST_SOLVERS];
static const kb_solver *list[MOST_SOLVERS];
static const double W[NSP] = {2, 32, 18, 28};
static const char *const species[NSP] = {"H2", "O2", "H2O", "N2"};
static kb_solvers solvers = {.version = KB_SOLVERS_VERSION, .mech = "made up", .nsp = NSP,
                             .species = species, .W = W, .solvers = list,
                             .memory_new = count_memory, .memory_free = free};
static kb_mechanism m = {&solvers};

/* of the rows of auto's table */
static const kb_option options[] = {{.name = "pass", .high = 1}, {.name = "float", .high = 1}, {0}};

static void add_solver(const char *name, const char *engine, const kb_option *of_it)
{
    char *alone = strndup(name, strcspn(name, ":"));
    int n = solvers.nsolvers;
    assert_true(n < MOST_SOLVERS);
    if (kb_solver_find(&solvers, alone, engine)) {
        free(alone);
        return;
    }
    made_up[n] = (kb_solver){.info = {.name = alone, .engine = engine, .rtol = 1e-6, .atol = 1e-10,
                                      .options = of_it},
                             .run = run};
    list[n] = &made_up[n];
    solvers.nsolvers++;
}

/* one without options, and every one on a CPU that auto may choose */
FIXTURE(make_solvers)
{
    static const kb_option shared[] = {{"slice", "", 0, 0, 1e15, KB_WHOLE},
                                       {"host", "", 0, 0, 1e6, KB_WHOLE}, {0}};
    add_solver("plain", "cpu-simd", NULL);
    add_solver("plain", "cpu-simd-forced", NULL);
    add_solver("plain", "gpu-thread", NULL);
    add_solver("shared", "gpu-block", shared);
    add_solver("stepping", "cpu-simd", NULL);
    made_up[solvers.nsolvers - 1].info.steps_own = true;
    for (int i = 0; i < kb_tuned_here.count; i++) {
        const kb_tuned *t = &kb_tuned_here.row[i];
        if (t->threads)
            add_solver(t->solver, t->engine, options);
    }
    return 0;
}

FIXTURE(free_solvers)
{
    for (int i = 0; i < solvers.nsolvers; i++)
        free((char *)made_up[i].info.name);
    return 0;
}

typedef struct {
    long n;
    double *T, *p, *Y;
    int *status;
    kb_work *work;
} states;

static double Y_of(long i, int k)
{
    double first = 0.1 + 0.2 * (double)(i % 1000) / 1000;
    return k == 0 ? first : k == 1 ? 0.2 : k == 2 ? 0.4 - first : 0.4;
}

static long place(const states *s, int layout, long i, int k)
{
    return layout == KB_ODE_MAJOR ? i * NSP + k : k * s->n + i;
}

static states make_states(long n, int layout)
{
    states s = {n, calloc(n, sizeof(double)), calloc(n, sizeof(double)),
                calloc(n * NSP, sizeof(double)), calloc(n, sizeof(int)),
                calloc(n, sizeof(kb_work))};
    for (long i = 0; i < n; i++) {
        s.T[i] = 1000 + (double)(i % 200);
        s.p[i] = 1e5 + (double)i;
        s.status[i] = -1;
        for (int k = 0; k < NSP; k++)
            s.Y[place(&s, layout, i, k)] = Y_of(i, k);
    }
    return s;
}

static void free_states(states *s)
{
    free(s->T);
    free(s->p);
    free(s->Y);
    free(s->status);
    free(s->work);
}

/* p of the same density after run() */
static double pressure(long i, int reactor)
{
    double before = 0, after = 0, T = 1000 + (double)(i % 200), p = 1e5 + (double)i;
    for (int k = 0; k < NSP; k++) {
        before += Y_of(i, k) / W[k];
        after += Y_of(i, (k + 1) % NSP) / W[k];
    }
    return reactor == KB_CONSTANT_VOLUME ? p * (T + 1) / T * after / before : p;
}

/* is ODE i as run() leaves it, or as it was if it failed? */
static void check_ode(const states *s, int layout, int reactor, long i, bool fails)
{
    assert_int_equal(s->status[i], fails ? KB_ODE_NEWTON : KB_ODE_OK);
    assert_true(s->T[i] == (fails ? FAILS : 1001 + (double)(i % 200)));
    assert_true(fabs(s->p[i] / (fails ? 1e5 + (double)i : pressure(i, reactor)) - 1) < 1e-14);
    assert_int_equal(s->work[i].attempted, i);
    for (int k = 0; k < NSP; k++)
        assert_true(s->Y[place(s, layout, i, k)] == Y_of(i, fails ? k : (k + 1) % NSP));
}

static kb_integrator *integrator(const char *method, int reactor)
{
    kb_integrator *it;
    if (kb_integrator_create(&m, method, "cpu-simd", 1e-6, 1e-10, reactor, &it))
        fail_msg("%s", kb_last_error());
    return it;
}

static void set(kb_integrator *it, const char *name, double value)
{
    if (kb_integrator_set(it, name, value))
        fail_msg("%s", kb_last_error());
}

/* n states, of which `failing` fails (-1: none) */
static void check_batch(kb_integrator *it, long n, int layout, int reactor, long failing)
{
    states s = make_states(n, layout);
    if (failing >= 0)
        s.T[failing] = FAILS;
    int code = kb_integrate(it, n, s.T, s.p, s.Y, 1e-6, s.status, s.work);
    assert_int_equal(code, failing >= 0 ? KB_ERROR_ODES : KB_SUCCESS);
    for (long i = 0; i < n; i++)
        check_ode(&s, layout, reactor, i, i == failing);
    if (failing >= 0) {
        char says[80];
        snprintf(says, sizeof says, "1 of %ld ODEs failed, the first is %ld:", n, failing);
        assert_non_null(strstr(kb_last_error(), says));
    }
    free_states(&s);
}

/* by one thread and by several, in both layouts and reactors: every ODE gets its own result, and
 * one that fails, be it the first, the last or between, keeps its state */
TEST(batches_of_every_size)
{
    static const int reactors[] = {KB_CONSTANT_PRESSURE, KB_CONSTANT_VOLUME};
    for (int r = 0; r < 2; r++)
        for (int layout = KB_ODE_MAJOR; layout <= KB_SPECIES_MAJOR; layout++)
            for (int threads = 1; threads <= 3; threads++) {
                kb_integrator *it = integrator("plain", reactors[r]);
                set(it, "layout", layout);
                set(it, "threads", threads);
                for (long n = 1; n < 40; n += 5)
                    for (long failing = -1; failing < n; failing++)
                        check_batch(it, n, layout, reactors[r], failing);
                check_batch(it, MANY, layout, reactors[r], -1);
                check_batch(it, MANY, layout, reactors[r], 0);
                check_batch(it, MANY, layout, reactors[r], MANY - 1);
                kb_integrator_free(it);
            }
}

/* each ODE has its own, in the layout that was set; an engine that takes none says so, and so does
 * a sum that is not 0 */
TEST(forcing)
{
    enum { MORE = 3 };
    kb_integrator *other = integrator("plain", KB_CONSTANT_VOLUME), *it;
    double F_T[MORE] = {1e3, -2e4, 5}, F_Y[MORE * NSP];
    kb_flow_step step = {.size = sizeof step, .forcing_T = F_T};
    if (kb_integrator_create(&m, "plain", "cpu-simd-forced", 1e-6, 1e-10, KB_CONSTANT_VOLUME, &it))
        fail_msg("%s", kb_last_error());
    for (int layout = KB_ODE_MAJOR; layout <= KB_SPECIES_MAJOR; layout++) {
        states s = make_states(MORE, layout);
        set(it, "layout", layout);
        for (long i = 0; i < MORE; i++)
            for (int k = 0; k < NSP; k++)
                F_Y[place(&s, layout, i, k)] = (double)((i + 1) * (2 * k - NSP + 1));
        step.forcing_Y = NULL;
        assert_int_equal(kb_integrate_step(it, MORE, s.T, s.p, s.Y, 1e-3, &step),
                         KB_ERROR_ARGUMENT);
        step.forcing_Y = F_Y;
        assert_int_equal(kb_integrate_step(other, MORE, s.T, s.p, s.Y, 1e-3, &step),
                         KB_ERROR_DEVICE);
        assert_int_equal(kb_integrate_step(it, MORE, s.T, s.p, s.Y, 1e-3, &step), KB_SUCCESS);
        assert_true(last.reactor == kb_with_forcing(KB_CONST_V));
        for (long i = 0; i < MORE; i++) {
            assert_true(s.T[i] == 1001 + (double)i + F_T[i] * 1e-3);
            for (int k = 0; k < NSP; k++)
                assert_true(s.Y[place(&s, layout, i, k)] == Y_of(i, (k + 1) % NSP) +
                            (double)((i + 1) * (2 * k - NSP + 1)) * 1e-3);
        }
        for (int k = 0; k < NSP; k++) /* rounding alone */
            F_Y[place(&s, layout, 2, k)] = k ? 0 : 1e-8;
        assert_int_equal(kb_integrate_step(it, MORE, s.T, s.p, s.Y, 1e-3, &step), KB_SUCCESS);
        F_Y[place(&s, layout, 1, 2)] += 1e-3;
        assert_int_equal(kb_integrate_step(it, MORE, s.T, s.p, s.Y, 1e-3, &step),
                         KB_ERROR_ARGUMENT);
        assert_non_null(strstr(kb_last_error(), "forcing of ODE 1:"));
        F_Y[place(&s, layout, 1, 2)] = INFINITY;
        assert_int_equal(kb_integrate_step(it, MORE, s.T, s.p, s.Y, 1e-3, &step),
                         KB_ERROR_ARGUMENT);
        free_states(&s);
    }
    kb_integrator_free(it);
    kb_integrator_free(other);
}

/* the first of several is the one that is named; status may be NULL */
TEST(many_failures)
{
    states s = make_states(20, KB_ODE_MAJOR);
    kb_integrator *it = integrator("plain", KB_CONSTANT_PRESSURE);
    s.T[19] = s.T[7] = s.T[8] = FAILS;
    assert_int_equal(kb_integrate(it, 20, s.T, s.p, s.Y, 1e-6, NULL, NULL), KB_ERROR_ODES);
    assert_non_null(strstr(kb_last_error(), "3 of 20 ODEs failed, the first is 7:"));
    kb_integrator_free(it);
    free_states(&s);
}

static void integrate(kb_integrator *it, long n)
{
    states s = make_states(n, it->layout);
    if (kb_integrate(it, n, s.T, s.p, s.Y, 1e-6, s.status, s.work))
        fail_msg("%s", kb_last_error());
    free_states(&s);
}

/* n ODEs that end at beyond[] by turns */
static void check_results(int reactor, int repair, long n)
{
    kb_integrator *it = integrator("stepping", reactor);
    set(it, "repair", repair);
    states s = make_states(n, KB_ODE_MAJOR);
    double *next = calloc((size_t)n, sizeof *next), *RR = calloc((size_t)n * NSP, sizeof *RR);
    for (long i = 0; i < n; i++) {
        s.T[i] = BEYOND + (double)(i % NBEYOND);
        s.p[i] = beyond[i % NBEYOND].p;
    }
    const kb_flow_step step = {.size = sizeof step, .next_substep = next, .RR = RR,
                               .status = s.status};
    assert_int_equal(kb_integrate_step(it, n, s.T, s.p, s.Y, 1e-6, &step), KB_ERROR_ODES);
    for (long i = 0; i < n; i++) {
        int of = (int)(i % NBEYOND);
        bool high = reactor == KB_CONSTANT_PRESSURE && of == NBEYOND - 1; /* p stays */
        bool fine = high || (repair ? beyond[of].mended : beyond[of].fine);
        assert_int_equal(s.status[i], fine ? KB_ODE_OK : KB_ODE_BOUNDS);
        assert_true(s.T[i] == (fine ? beyond[of].T : BEYOND + (double)of));
        assert_true(next[i] == (fine ? 1e-7 : 0));
        assert_true((RR[i * NSP] != 0) == fine);
        assert_true(s.Y[i * NSP] == (fine ? beyond[of].Y : Y_of(i, 0)));
        assert_true(fine || s.p[i] == beyond[of].p);
    }
    free(next);
    free(RR);
    free_states(&s);
    kb_integrator_free(it);
}

/* what a solver calls ok is a state of the next call, or the ODE failed */
TEST(results_are_states_of_the_next_call)
{
    static const int reactors[] = {KB_CONSTANT_PRESSURE, KB_CONSTANT_VOLUME};
    for (int r = 0; r < 2; r++)
        for (int repair = 0; repair <= 1; repair++) {
            check_results(reactors[r], repair, NBEYOND);
            check_results(reactors[r], repair, MANY);
        }
}

/* each from 0 to its most; NaN, half a one and what is beyond are refused, and change nothing */
TEST(settings_have_ends)
{
    static const struct {
        const char *name;
        int most;
    } of[] = {{"layout", KB_SPECIES_MAJOR}, {"threads", 4096}, {"block", 1024},
              {"max_substeps", INT32_MAX}, {"repair", 1}, {"refill", 1}};
    kb_integrator *it = integrator("plain", KB_CONSTANT_VOLUME);
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        double wrong[] = {-1, 0.5, of[k].most + 1.0, NAN, INFINITY, of[k].most - 0.5};
        set(it, of[k].name, 0);
        set(it, of[k].name, of[k].most);
        for (int i = 0; i < 6; i++) {
            kb_owned char *says = kb_format("%s = %g, expected a whole number from 0 to %d",
                                            of[k].name, wrong[i], of[k].most);
            assert_int_equal(kb_integrator_set(it, of[k].name, wrong[i]), KB_ERROR_ARGUMENT);
            assert_string_equal(kb_last_error(), says);
        }
    }
    assert_true(it->layout == KB_SPECIES_MAJOR && it->threads == 4096 && it->block == 1024);
    assert_true(it->max_substeps == INT32_MAX && it->repair == 1 && it->refill == 1);
    kb_integrator_free(it);
}

/* what a state may be off by: ten times the tolerances, from noise up to what a repair mends */
TEST(tolerances_and_states)
{
    static const struct {
        double rtol, atol, least, sum;
    } of[] = {{1e-12, 1e-15, -1e-9, 1e-6},   {2e-10, 3e-10, -5e-9, 1e-6},
              {2e-6, 3e-6, -5e-5, 5e-5},     {2e-5, 7e-5, -9e-4, 9e-4},
              {4e-5, 7e-5, -1e-3, 1.1e-3},   {4e-4, 5e-4, -1e-3, 9e-3},
              {1e-3, 1e-4, -1e-3, 1e-2}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        kb_integrator *it;
        assert_int_equal(kb_integrator_create(&m, "plain", NULL, of[k].rtol, of[k].atol, 0, &it),
                         0);
        assert_true(fabs(it->limits.least / of[k].least - 1) < 1e-12);
        assert_true(fabs(it->limits.sum / of[k].sum - 1) < 1e-12);
        kb_integrator_free(it);
    }
}

/* on a GPU a call has the block that was set in place of threads, and memory of the solvers: rows,
 * results and counts, for the next call, too */
TEST(settings_of_a_gpu)
{
    kb_integrator *it, *on_cpu = integrator("plain", KB_CONSTANT_VOLUME);
    if (kb_integrator_create(&m, "plain", "gpu-thread", 1e-6, 1e-10, KB_CONSTANT_VOLUME, &it))
        fail_msg("%s", kb_last_error());
    set(it, "threads", 3);
    allocated = 0;
    integrate(on_cpu, 40);
    assert_int_equal(allocated, 0);
    integrate(it, 40);
    assert_true(last.threads == 0 && allocated == 3);
    set(it, "block", 96);
    integrate(it, 40);
    assert_true(last.threads == 96 && allocated == 3);
    integrate(it, 41);
    assert_int_equal(allocated, 6);
    kb_integrator_free(it);
    kb_integrator_free(on_cpu);
}

TEST(settings_reach_the_solver)
{
    kb_integrator *it = integrator("plain", KB_CONSTANT_VOLUME);
    integrate(it, MANY);
    assert_true(last.n == MANY && last.dt == 1e-6 && last.rtol == 1e-6 && last.atol == 1e-10);
    assert_true(last.reactor == KB_CONST_V && last.schedule == KB_REFILL && !last.max_substeps);
    set(it, "refill", 0);
    set(it, "threads", 3);
    set(it, "max_substeps", 77);
    integrate(it, MANY);
    assert_true(last.schedule == KB_STATIC && last.threads == 3 && last.max_substeps == 77);
    set(it, "refill", 1);
    integrate(it, MANY);
    assert_int_equal(last.schedule, KB_REFILL);
    kb_integrator_free(it);
}

/* "auto" hands its settings to its choice, which has the schedule of its row */
TEST(settings_reach_the_choice)
{
    kb_integrator *it;
    if (kb_integrator_create(&m, "auto", NULL, 1e-3, 0, KB_CONSTANT_VOLUME, &it))
        fail_msg("%s", kb_last_error());
    set(it, "threads", 3);
    set(it, "max_substeps", 77);
    set(it, "layout", KB_SPECIES_MAJOR);
    check_batch(it, MANY, KB_SPECIES_MAJOR, KB_CONSTANT_VOLUME, MANY - 1);
    const kb_tuned *row = it->automatic->chosen->row;
    assert_true(last.threads == 3 && last.max_substeps == 77 && last.reactor == KB_CONST_V);
    assert_true(last.rtol == row->rtol && last.atol == row->atol);
    assert_int_equal(last.schedule, row->schedule);
    kb_integrator_free(it);
}

/* a call takes the threads that there are, within a parallel region of the caller its own alone */
TEST(threads_of_a_call)
{
    enum { CALLERS = 3 };
    kb_integrator *it = integrator("plain", KB_CONSTANT_PRESSURE);
    omp_set_num_threads(5);
    integrate(it, MANY);
    assert_int_equal(last.threads, 5);
    calls = most_threads = 0;
#pragma omp parallel num_threads(CALLERS)
    integrate(it, MANY);
    assert_int_equal(calls, CALLERS);
    assert_int_equal(most_threads, 1);
    set(it, "threads", 2);
#pragma omp parallel num_threads(CALLERS)
    integrate(it, MANY);
    assert_int_equal(most_threads, 2);
    kb_integrator_free(it);
}

/* each has a vector of ODEs at least */
TEST(threads_of_few_odes)
{
    kb_integrator *it = integrator("plain", KB_CONSTANT_PRESSURE);
    set(it, "threads", 5);
    for (int lanes = 0; lanes <= 8; lanes++)
        for (int n = 1; n <= 45; n += 1 + n / 8) {
            int width = lanes ? lanes : 1, vectors = (n + width - 1) / width;
            made_up[0].info.lanes = lanes;
            integrate(it, n);
            assert_int_equal(last.threads, vectors < 5 ? vectors : 5);
        }
    made_up[0].info.lanes = 0;
    kb_integrator_free(it);
}

/* T by enthalpy takes memory; there is none for the last ODE */
static int last_has_none(const kb_solvers *self, const char *engine, const kb_gas_states *gas,
                         kb_error *err)
{
    (void)self, (void)engine;
    bool none = gas->y[(gas->n - 1) * (NSP + 1)] == FAILS;
    return none ? kb_fail(err, KB_INVALID, "none") : KB_OK;
}

TEST(no_memory_to_find_T)
{
    kb_integrator *it = integrator("plain", KB_CONSTANT_PRESSURE);
    states s = make_states(MANY, KB_ODE_MAJOR);
    const kb_flow_step step = {.size = sizeof step, .enthalpy = s.p, .status = s.status};
    solvers.gas = last_has_none;
    for (int threads = 1; threads <= 3; threads += 2) {
        set(it, "threads", threads);
        s.T[MANY - 1] = 1000;
        assert_int_equal(kb_integrate_step(it, MANY, s.T, s.p, s.Y, 1e-6, &step), KB_SUCCESS);
        double T = s.T[0];
        s.T[MANY - 1] = FAILS;
        calls = 0;
        assert_int_equal(kb_integrate_step(it, MANY, s.T, s.p, s.Y, 1e-6, &step),
                         KB_ERROR_MEMORY);
        assert_non_null(strstr(kb_last_error(), "no memory to find T of 30011 states"));
        assert_true(calls == 0 && s.T[0] == T && s.T[MANY - 1] == FAILS);
    }
    solvers.gas = NULL;
    kb_integrator_free(it);
    free_states(&s);
}

/* so many that the sizes of all arrays are multiples of 2^64 */
/* a setting that does not agree with an earlier one is refused, and the earlier one stays */
TEST(settings_agree)
{
    kb_integrator *it;
    assert_int_equal(kb_integrator_create(&m, "shared", "gpu-block", 1e-6, 1e-10, 0, &it), 0);
    const char *const one[] = {"host", "slice"}, *const other[] = {"slice", "host"};
    for (int k = 0; k < 2; k++) {
        set(it, one[k], 64);
        assert_int_equal(kb_integrator_set(it, other[k], 64), KB_ERROR_ARGUMENT);
        assert_string_equal(kb_last_error(), "'shared': host = 64 and slice = 64: host is for a "
                            "batch in one slice, which the engine chooses itself");
        assert_true(it->choice.options[k] == 0 && it->choice.options[1 - k] == 64);
        set(it, one[k], 0);
        set(it, other[k], 64);
        set(it, other[k], 0);
    }
    kb_integrator_free(it);
    assert_int_equal(kb_integrator_create(&m, "shared:host=1:slice=1", "gpu-block", 1e-6, 1e-10, 0,
                                          &it), KB_ERROR_ARGUMENT);
    assert_non_null(strstr(kb_last_error(), "host = 1 and slice = 1"));
}

TEST(sizes_that_overflow)
{
    kb_integrator *it = integrator("plain", KB_CONSTANT_PRESSURE);
    states s = make_states(1, KB_ODE_MAJOR);
    assert_int_equal(kb_integrate(it, 1L << 61, s.T, s.p, s.Y, 1e-6, NULL, NULL), KB_ERROR_MEMORY);
    assert_non_null(strstr(kb_last_error(), "no memory for 2305843009213693952 states of 4"));
    kb_integrator_free(it);
    free_states(&s);
}

/* a solver without a list of options */
TEST(no_options)
{
    kb_integrator *it = integrator("plain", KB_CONSTANT_PRESSURE);
    assert_int_equal(kb_integrator_set(it, "h0", 1), KB_ERROR_ARGUMENT);
    assert_non_null(strstr(kb_last_error(), "no setting 'h0' = 1 of plain"));
    kb_integrator_free(it);
    assert_int_equal(kb_integrator_create(&m, "plain:h0=1", NULL, 0, 0, 0, &it),
                     KB_ERROR_ARGUMENT);
    assert_non_null(strstr(kb_last_error(), "wrong option at 'h0=1'"));
}

/* as on an engine of a GPU: a step has all but these */
TEST(one_dt_for_all)
{
    states s = make_states(3, KB_ODE_MAJOR);
    double x[] = {1, 1, 1};
    kb_integrator *it;
    assert_int_equal(kb_integrator_create(&m, "plain", "cpu-simd", 0, 0, 0, &it), 0);
    for (int i = 0; i < 3; i++) {
        kb_flow_step step = {.size = sizeof step, .cost = x, .dt = i == 0 ? x : NULL,
                        .substep = i == 1 ? x : NULL, .next_substep = i == 2 ? x : NULL};
        calls = 0;
        assert_int_equal(kb_integrate_step(it, 3, s.T, s.p, s.Y, 1, &step), KB_ERROR_DEVICE);
        assert_non_null(strstr(kb_last_error(), "plain on cpu-simd has one dt for all ODEs"));
        step.dt = step.substep = step.next_substep = NULL;
        assert_int_equal(calls, 0);
        assert_int_equal(kb_integrate_step(it, 3, s.T, s.p, s.Y, 1, &step), 0);
        assert_int_equal(calls, 1);
    }
    kb_integrator_free(it);
    free_states(&s);
}

TESTS(make_solvers, free_solvers)
