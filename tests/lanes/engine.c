/* SPDX-License-Identifier: MIT
 *
 * The loop over ODEs of a CPU engine (solvers/engines/cpu.c) and its single evaluations
 * (evaluate.c) with rodas4 on H2, under the sanitizers of addresses and undefined behaviour, in
 * arrays as long as they have to be. What comes of an ODE is what comes of it alone, bit by bit: by
 * any number of ODEs and threads, both schedules, with part of a job, with the trail of its
 * attempts. A thread that finds no memory ends the job with a message.
 */
#include <omp.h>

#include "base/error.h"
#include "solvers/solver.h"
#include "solvers/states.h"
#include "tests/lanes/noted.h"
#include "tests/test.h"

extern const kb_solver kb_rodas4_sanitized;
int kb_evaluate_sanitized(const kb_evaluation *e);
int kb_gas_sanitized(const kb_gas_states *s);
int kb_micro_sanitized(const double *states, long n, kb_micro *parts);

enum { NSP = 9, NY = NSP + 1, WIDTH = NSP + 2, MOST = 9, UNTOUCHED = -7 };
/* aligned_alloc of the engine, as often as `left` says */
enum { ALWAYS = 1000000000 };
static int left = ALWAYS;
void *noted_memory(size_t alignment, size_t size)
{
    return __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED) > 0 ? aligned_alloc(alignment, size)
                                                               : NULL;
}

enum { COLD = 5, LOST = 7 }; /* states that cannot start */
static const double DT = 1e-6;

/* what is asked of all ODEs; of which each has its own dt and first substep if own is set */
typedef struct {
    kb_reactor reactor;
    const char *option; /* one that is set to value, or NULL */
    double value;
    int own;
} kind;
static const kind kinds[] = {{KB_CONST_P, NULL, 0, 0},     {KB_CONST_V, NULL, 0, 0},
                             {KB_CONST_P, NULL, 0, 1},     {KB_CONST_V, "pass", 1, 0},
                             {KB_CONST_P, "pass", 1, 1},   {KB_CONST_P, "float", 1, 0},
                             {KB_CONST_P, "drop", 1e-3, 0}};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct {
    long n;
    double *states, *y, *dts, *begin, *next_h;
    kb_count *count;
} batch;

static void *of_size(long n, size_t size)
{
    void *p = malloc((size_t)n * size);
    assert_non_null(p);
    return p;
}

/* H2 and air, some of it burnt, every one another; ODEs first .. first + n - 1 */
static batch make(long first, long n)
{
    batch b = {n, of_size(n * WIDTH, sizeof(double)), of_size(n * NY, sizeof(double)),
               of_size(n, sizeof(double)), of_size(n, sizeof(double)), of_size(n, sizeof(double)),
               of_size(n, sizeof(kb_count))};
    for (long k = 0; k < n; k++) {
        long i = first + k;
        double *s = b.states + k * WIDTH, sum = 0;
        const double Y[NSP] = {0.028, 0.2, 1e-5 * (double)i, 1e-4, 0.001 * (double)i, 1e-6, 1e-7,
                               1e-8, 0.75};
        s[0] = i == COLD ? 1 : 1005 + 70. * (double)i;
        s[1] = 1e5 * (1 + (double)(i % 4));
        for (int j = 0; j < NSP; j++)
            sum += Y[j];
        for (int j = 0; j < NSP; j++)
            s[2 + j] = i == LOST ? NAN : Y[j] / sum;
        b.dts[k] = DT * (1 - 0.03 * (double)i);
        b.begin[k] = i % 3 ? 0 : 1e-8;
        b.next_h[k] = UNTOUCHED;
        b.count[k].status = UNTOUCHED;
    }
    return b;
}

static void release(batch *b)
{
    free(b->states);
    free(b->y);
    free(b->dts);
    free(b->begin);
    free(b->next_h);
    free(b->count);
}

/* how it is done; *next: the first ODE of a job that is shared */
typedef struct {
    kb_schedule schedule;
    int threads;
    long *next;
    kb_trail *trail;
    const int *stop;
} way;

static kb_error err;

static int run(batch *b, const kind *k, way w, kb_result *r)
{
    const kb_solver *s = &kb_rodas4_sanitized;
    double values[32];
    int n = 0;
    for (; s->info.options[n].name; n++) {
        int it = k->option && !strcmp(s->info.options[n].name, k->option);
        values[n] = it ? k->value : s->info.options[n].value;
    }
    kb_job job = {.n = b->n, .states = b->states, .dt = DT, .reactor = k->reactor, .rtol = 1e-5,
                  .atol = 1e-11, .options = values, .schedule = w.schedule, .threads = w.threads,
                  .next = w.next, .stop = w.stop};
    if (k->own) {
        job.dts = b->dts;
        job.begin = b->begin;
    }
    *r = (kb_result){.y = b->y, .count = b->count, .trail = w.trail,
                     .next_h = k->own ? b->next_h : NULL};
    double start = omp_get_wtime();
    int code = s->run(s, &job, r, &err);
    assert_true(r->total <= omp_get_wtime() - start && r->copy_in == 0 && r->copy_out == 0);
    return code;
}

static int is_option(const char *name)
{
    const kb_option *o = kb_rodas4_sanitized.info.options;
    while (o->name && name && strcmp(o->name, name) != 0)
        o++;
    return !name || o->name;
}

/* ODE k of b as it is alone */
static void same_as_alone(const batch *b, const batch *alone, long k)
{
    assert_memory_equal(b->y + k * NY, alone[k].y, NY * sizeof(double));
    assert_memory_equal(b->count + k, alone[k].count, sizeof(kb_count));
    assert_true(b->next_h[k] == *alone[k].next_h);
}

/* the attempts of each ODE, and what they evaluated; most: how many could be kept */
static void check_trail(const kb_trail *t, const batch *b, long most)
{
    long all = 0;
    for (long k = 0; k < b->n; k++) {
        long attempts = 0, rhs = 0;
        for (long i = 0; i < t->n; i++)
            if (t->attempt[i].ode == k) {
                attempts++;
                rhs += t->attempt[i].rhs;
            }
        all += b->count[k].attempted;
        if (most > 100)
            assert_true(attempts == b->count[k].attempted && rhs == b->count[k].rhs);
    }
    assert_true(most > 100 ? !t->full && t->n == all : t->full && t->n <= most);
}

static void check_way(const kind *k, const batch *alone, long n, way w)
{
    kb_trail trail = {.most = n % 2 ? 100000 : 3};
    kb_result r;
    batch b = make(0, n);
    long first = w.next ? *w.next : 0;
    w.trail = !k->option && n > 2 ? &trail : NULL;
    assert_int_equal(run(&b, k, w, &r), KB_OK);
    for (long i = first; i < n; i++)
        same_as_alone(&b, alone, i);
    for (long i = 0; i < first; i++)
        assert_true(b.count[i].status == UNTOUCHED && b.next_h[i] == UNTOUCHED);
    assert_true(r.taken == n - first && r.threads >= 1 && r.threads <= w.threads);
    int vectors = k->option && !strcmp(k->option, "float") ? 2 : 1;
    assert_true(r.lanes == KB_LANES && r.resident == r.threads * KB_LANES * vectors);
    assert_true(r.lane_use > 0 && r.lane_use <= 1 && r.total > 0 && r.total == r.kernel);
    if (w.trail && !first)
        check_trail(&trail, &b, trail.most);
    free(trail.attempt);
    release(&b);
}

TEST(an_ODE_is_as_it_is_alone)
{
    static const int sizes[] = {1, 2, 5, MOST};
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        batch alone[MOST];
        kb_result r;
        if (!is_option(k->option))
            continue;
        for (long i = 0; i < MOST; i++) {
            alone[i] = make(i, 1);
            assert_int_equal(run(&alone[i], k, (way){KB_STATIC, 1, NULL, NULL, NULL}, &r), KB_OK);
            int status = alone[i].count->status;
            assert_true(r.lane_use == (alone[i].count->attempted ? 1.0 / KB_LANES : 1));
            assert_int_equal(status,
                             i == COLD ? KB_ODE_BOUNDS : i == LOST ? KB_ODE_NOT_FINITE : KB_ODE_OK);
            assert_true(!k->own || (status ? *alone[i].next_h == 0 : *alone[i].next_h > 0));
        }
        for (int i = 0; i < 4; i++) {
            long n = sizes[i], next = n / 2;
            for (int schedule = KB_STATIC; schedule <= KB_REFILL; schedule++)
                check_way(k, alone, n, (way){(kb_schedule)schedule, 1 + (int)n % 3, NULL, NULL,
                                             NULL});
            check_way(k, alone, n, (way){KB_REFILL, 2, &next, NULL, NULL});
        }
        for (long i = 0; i < MOST; i++)
            release(&alone[i]);
    }
}

TEST(a_run_that_is_stopped_does_nothing)
{
    const int stop = 1;
    kb_result r;
    batch b = make(0, 3);
    assert_int_equal(run(&b, kinds, (way){KB_REFILL, 2, NULL, NULL, &stop}, &r), KB_INTERRUPTED);
    for (int i = 0; i < 3; i++)
        assert_int_equal(b.count[i].status, UNTOUCHED);
    assert_true(r.taken == 0 && r.lane_use == 1);
    release(&b);
}

/* Each thread wants memory for the method, for the first pass and for what it drops, if these are
 * asked for. One that has not all of it takes no ODE. */
TEST(threads_without_memory)
{
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        int wanted = 1 + (k->option && strcmp(k->option, "float"));
        if (!is_option(k->option))
            continue;
        for (int found = 0; found <= wanted; found++) {
            kb_result r;
            batch b = make(0, 2);
            left = found;
            int code = run(&b, k, (way){KB_REFILL, 1, NULL, NULL, NULL}, &r);
            left = ALWAYS;
            assert_int_equal(code, found < wanted ? KB_INVALID : KB_OK);
            if (code)
                assert_string_equal(err.text, "no memory for 1 of 1 threads of rodas4");
            for (int i = 0; i < 2; i++)
                assert_int_equal(b.count[i].status, code ? UNTOUCHED : KB_ODE_OK);
            release(&b);
        }
    }
}

/* the others do all ODEs, but the run has failed */
TEST(some_threads_without_memory)
{
    kb_result r;
    char expected[80];
    batch b = make(0, COLD);
    left = 1;
    int code = run(&b, kinds, (way){KB_REFILL, 3, NULL, NULL, NULL}, &r);
    left = ALWAYS;
    assert_int_equal(code, r.threads > 1 ? KB_INVALID : KB_OK);
    snprintf(expected, sizeof expected, "no memory for %d of %d threads of rodas4", r.threads - 1,
             r.threads);
    if (code)
        assert_string_equal(err.text, expected);
    for (int i = 0; i < COLD; i++)
        assert_int_equal(b.count[i].status, KB_ODE_OK);
    release(&b);
}

/* ---- single evaluations ---- */

typedef struct {
    double *y, *p, *dy, *wdot, *J, *x;
} values;

/* of the states first .. first + n - 1 */
static values evaluate(long first, long n, kb_reactor reactor, const kb_state_limits *limits,
                       int expected)
{
    batch b = make(first, n);
    values v = {of_size(n * NY, 8), of_size(n, 8),       of_size(n * NY, 8),
                of_size(n * NSP, 8), of_size(n * NY * NY, 8), of_size(n * NY, 8)};
    for (long k = 0; k < n; k++) {
        v.y[k * NY] = b.states[k * WIDTH];
        v.p[k] = b.states[k * WIDTH + 1];
        memcpy(v.y + k * NY + 1, b.states + k * WIDTH + 2, NSP * sizeof(double));
    }
    v.dy[0] = UNTOUCHED;
    kb_evaluation e = {n, v.y, v.p, reactor, 1e-7, v.dy, v.wdot, v.J, v.x, limits};
    assert_int_equal(kb_evaluate_sanitized(&e), expected);
    release(&b);
    return v;
}

static void release_values(values *v)
{
    double *all[] = {v->y, v->p, v->dy, v->wdot, v->J, v->x};
    for (int i = 0; i < 6; i++)
        free(all[i]);
}

TEST(an_evaluation_is_as_it_is_alone)
{
    for (int reactor = 0; reactor < 2; reactor++)
        for (long n = 1; n < COLD; n++) {
            values all = evaluate(0, n, (kb_reactor)reactor, NULL, KB_OK);
            for (long k = 0; k < n; k++) {
                values one = evaluate(k, 1, (kb_reactor)reactor, NULL, KB_OK);
                assert_memory_equal(all.dy + k * NY, one.dy, NY * sizeof(double));
                assert_memory_equal(all.wdot + k * NSP, one.wdot, NSP * sizeof(double));
                assert_memory_equal(all.J + k * NY * NY, one.J, NY * NY * sizeof(double));
                assert_memory_equal(all.x + k * NY, one.x, NY * sizeof(double));
                release_values(&one);
            }
            release_values(&all);
        }
}

TEST(nothing_is_written_of_refused_states)
{
    static const kb_state_limits limits = {-1e-6, 1e-6};
    values v = evaluate(COLD, 1, KB_CONST_P, &limits, KB_INVALID);
    assert_true(v.dy[0] == UNTOUCHED);
    release_values(&v);
    v = evaluate(0, 1, KB_CONST_P, &limits, KB_OK);
    assert_true(v.dy[0] != UNTOUCHED);
    release_values(&v);
}

TEST(evaluations_without_memory)
{
    kb_micro part[4];
    double y[NY] = {1000, 1}, p = 1e5, x[NY];
    kb_gas_states s = {.n = 1, .y = y, .h = x, .R = x};
    left = 0;
    values v = evaluate(0, 1, KB_CONST_P, NULL, KB_INVALID);
    assert_true(v.dy[0] == UNTOUCHED);
    assert_int_equal(kb_gas_sanitized(&s), KB_INVALID);
    assert_int_equal(kb_micro_sanitized((double[WIDTH]){1000, p, 1}, 1, part), 0);
    left = ALWAYS;
    release_values(&v);
}

/* Every lane refuses what kb_state_possible does, and nothing else. value: of T, p or a Y, which
 * another one makes up for */
static void check_limit(int state, int at, double value)
{
    static const kb_state_limits limits = {-1e-6, 1e-6};
    enum { MANY = KB_LANES + 2 };
    double y[MANY * NY] = {0}, p[MANY], dy[MANY * NY];
    for (int k = 0; k < MANY; k++) {
        y[k * NY] = 1000;
        y[k * NY + 1] = 0.5;
        y[k * NY + 2] = 0.5;
        p[k] = 1e5;
    }
    if (at == NY)
        p[state] = value;
    else
        y[state * NY + at] = value;
    if (at > 2 && at < NY && value < 0)
        y[state * NY + 1] -= value;
    bool fine = kb_state_possible(y[state * NY], p[state], y + state * NY + 1, NSP, &limits);
    for (int reactor = 0; reactor < 2; reactor++) {
        kb_evaluation e = {MANY, y, p, (kb_reactor)reactor, 0, dy, NULL, NULL, NULL, &limits};
        assert_int_equal(kb_evaluate_sanitized(&e), fine ? KB_OK : KB_INVALID);
    }
}

TEST(limits_of_states)
{
    static const double T[] = {50, 6000, 49.999999, 6000.001, NAN}, p[] = {1, 1e9, 0.999999,
                               1.000001e9, NAN};
    static const double Y[] = {0.9e-6, 1.1e-6, -1e-6, -1.1e-6, NAN};
    for (int k = 0; k < KB_LANES + 2; k++)
        for (int i = 0; i < 5; i++) {
            check_limit(k, 0, T[i]);
            check_limit(k, NY, p[i]);
            check_limit(k, NSP, Y[i]); /* the last species */
            check_limit(k, 3, Y[i]);
            check_limit(k, 1, 0.5 + Y[i]);
        }
}

/* h or e of one species alone at these two T */
static void energy_of(int species, kb_reactor reactor, const double *T, double *energy)
{
    double y[2 * NY] = {0}, h[2], R[2];
    for (int k = 0; k < 2; k++) {
        y[k * NY] = T[k];
        y[k * NY + 1 + species] = 1;
    }
    kb_gas_states s = {.n = 2, .y = y, .reactor = reactor, .h = h, .R = R};
    assert_int_equal(kb_gas_sanitized(&s), KB_OK);
    for (int k = 0; k < 2; k++)
        energy[k] = h[k] - reactor * R[k] * T[k];
}

/* Where a species' polynomials do not meet, energies between them have the T where they end */
TEST(energies_of_no_T)
{
    static const double around[] = {1000 - 1e-9, 1000 + 1e-9};
    int jumps = 0;
    for (int reactor = 0; reactor < 2; reactor++)
        for (int j = 0; j < NSP; j++) {
            double of[2], y[2 * NY] = {0}, energy[2];
            energy_of(j, (kb_reactor)reactor, around, of);
            if (of[1] - of[0] < 1e-4) /* [J/kg] by cp alone it would be 1e-5 */
                continue;
            for (int k = 0; k < 2; k++) {
                y[k * NY] = k ? 5000 : 300;
                y[k * NY + 1 + j] = 1;
                energy[k] = 0.5 * (of[0] + of[1]);
            }
            kb_gas_states s = {.n = 2, .y = y, .energy = energy, .reactor = (kb_reactor)reactor};
            assert_int_equal(kb_gas_sanitized(&s), KB_OK);
            assert_true(fabs(y[0] - 1000) < 1e-8 && fabs(y[NY] - 1000) < 1e-8);
            jumps++;
        }
    assert_true(jumps >= 4);
}

/* what noted.h counts of the gas, until the count is set to 0 */
static int thermos;
void noted_thermo(void) { thermos++; }

/* T is found up to 50 and 6000 K, and none beyond */
TEST(energies_of_the_coldest_and_hottest)
{
    static const double within[] = {50 * (1 + 1e-7), 6000 * (1 - 1e-7)};
    static const double beyond[] = {50 * (1 - 1e-7), 6000 * (1 + 1e-7)};
    for (int reactor = 0; reactor < 2; reactor++)
        for (int j = 0; j < NSP; j++)
            for (int found = 0; found < 2; found++) {
                double y[2 * NY] = {0}, energy[2];
                energy_of(j, (kb_reactor)reactor, found ? within : beyond, energy);
                for (int k = 0; k < 2; k++) {
                    y[k * NY] = found && !k ? 1e9 : 1200;
                    y[k * NY + 1 + j] = 1;
                }
                kb_gas_states s = {.n = 2, .y = y, .energy = energy,
                                   .reactor = (kb_reactor)reactor};
                assert_int_equal(kb_gas_sanitized(&s), KB_OK);
                for (int k = 0; k < 2; k++)
                    assert_true(found ? fabs(y[k * NY] / within[k] - 1) < 1e-10
                                      : isnan(y[k * NY]));
            }
}

TEST(no_states)
{
    double *none = of_size(0, sizeof *none);
    kb_gas_states s = {.n = 0, .y = none, .energy = none};
    assert_int_equal(kb_gas_sanitized(&s), KB_OK);
    kb_evaluation e = {.n = 0, .y = none, .p = none, .dy = none};
    assert_int_equal(kb_evaluate_sanitized(&e), KB_OK);
    free(none);
}

/* T from the energy that a state has; by Newton's iteration, in few steps */
TEST(energies)
{
    for (int reactor = 0; reactor < 2; reactor++)
        for (long n = 1; n < COLD; n++) {
            values v = evaluate(0, n, (kb_reactor)reactor, NULL, KB_OK);
            double *h = of_size(3 * n, sizeof *h), *cp = h + n, *R = cp + n;
            kb_gas_states s = {.n = n, .y = v.y, .reactor = (kb_reactor)reactor, .h = h, .cp = cp,
                               .R = R};
            assert_int_equal(kb_gas_sanitized(&s), KB_OK);
            double *one = of_size(n, sizeof *one); /* each alone */
            for (int k = 0; k < 3; k++) {
                kb_gas_states only = {.n = n, .y = v.y, .reactor = (kb_reactor)reactor};
                *(k == 0 ? &only.h : k == 1 ? &only.cp : &only.R) = one;
                assert_int_equal(kb_gas_sanitized(&only), KB_OK);
                assert_memory_equal(one, h + k * n, (size_t)n * sizeof *h);
            }
            free(one);
            double *energy = of_size(n, sizeof *energy);
            for (long k = 0; k < n; k++) {
                double T = v.y[k * NY];
                energy[k] = h[k] - reactor * R[k] * T;
                assert_true(R[k] > 280 && R[k] < 500 && cp[k] > 3 * R[k] && cp[k] < 6 * R[k]);
                v.y[k * NY] = k % 2 ? 3000 : 350;
            }
            s = (kb_gas_states){.n = n, .y = v.y, .energy = energy, .reactor = (kb_reactor)reactor};
            thermos = 0;
            assert_int_equal(kb_gas_sanitized(&s), KB_OK);
            assert_true(thermos <= 5 * (n + KB_LANES - 1) / KB_LANES);
            for (long k = 0; k < n; k++)
                assert_true(fabs(v.y[k * NY] - (1005 + 70. * (double)k)) < 1e-6);
            thermos = 0; /* from there on it is known at once */
            assert_int_equal(kb_gas_sanitized(&s), KB_OK);
            assert_true(thermos <= (n + KB_LANES - 1) / KB_LANES);
            free(energy);
            free(h);
            release_values(&v);
        }
}

/* ---- times ---- */

/* a call of KB_MICRO as noted.h has it: its events, a made-up clock, and what it works on */
static struct {
    const batch *of; /* NULL: no call is looked at */
    char events[4096];
    int count;
    long ns;
    const double *y; /* of the vector */
    double at;       /* its number + 1 */
    size_t size;     /* of A */
    double A[8192], factors[8192], dy[NY * KB_LANES];
} call;

/* [ns] of the first vector; a part of the second takes twice as long, and so on */
static long cost_of(char event)
{
    return event == 'm' ? 700000 : event == 'c' ? 10000000 : event == 'R' ? 300000000
         : event == 'J' ? 900000000 : event == 'F' ? 2000000000 : 50000000;
}

void noted(char event)
{
    if (!call.of)
        return;
    assert_true(call.count < (int)sizeof call.events - 1);
    call.events[call.count++] = event;
    call.ns += cost_of(event) * (long)(strchr("mc", event) ? 1 : call.at);
}

void noted_clock(struct timespec *t)
{
    noted('c');
    *t = (struct timespec){call.ns / 1000000000, call.ns % 1000000000};
}

/* the lanes are the next states, of few the last one again */
void noted_rates(char event, kb_reactor reactor, const void *fixed, const void *y)
{
    const double *p = fixed, *v = y;
    if (!call.of)
        return;
    long first = 0;
    while (first < call.of->n && call.of->states[first * WIDTH] != v[0])
        first++;
    assert_int_equal(reactor, KB_CONST_P);
    assert_true(first < call.of->n && first % KB_LANES == 0);
    for (int l = 0; l < KB_LANES; l++) {
        const double *s = call.of->states + (first + l < call.of->n ? first + l : call.of->n - 1) *
                                                WIDTH;
        assert_true(p[l] == s[1] && v[l] == s[0]);
        for (int i = 1; i < NY; i++)
            assert_true(v[i * KB_LANES + l] == s[1 + i]);
    }
    call.at = (double)(first / KB_LANES + 1);
    noted(event);
}

void noted_result(const void *A, size_t size, const void *dy)
{
    if (!call.of)
        return;
    assert_true(size <= sizeof call.A);
    call.size = size;
    memcpy(call.A, A, size);
    memcpy(call.dy, dy, sizeof call.dy);
}

/* J of the state, and its factors */
void noted_LU(const void *A, double gi)
{
    if (!call.of)
        return;
    assert_memory_equal(A, call.A, call.size);
    assert_true(gi == 1e6);
    noted('F');
}

void noted_factors(const void *A)
{
    if (call.of)
        memcpy(call.factors, A, call.size);
}

void noted_solve(const void *A, const void *b)
{
    if (!call.of)
        return;
    assert_memory_equal(A, call.factors, call.size);
    assert_memory_equal(b, call.dy, sizeof call.dy);
    noted('S');
}

static char *add(char *at, int times, const char *text)
{
    while (times--)
        at = stpcpy(at, text);
    return at;
}

/* The parts of full vectors one after another, of fewer states one. The clock is looked at before
 * and after eight of a part, and around what is no part of it: the copies of J that LU needs, which
 * J of the state comes before, and for a solve its factors. */
TEST(parts)
{
    static const struct {
        const char *name, *before, *other, *part;
        char event;
    } as[] = {{"rates", "Jm", "", "R", 'R'},
              {"rates+J", "Jm", "", "J", 'J'},
              {"LU", "Jm", "m", "mF", 'F'},
              {"solve", "JmF", "", "S", 'S'}};
    for (long n = 0; n <= 2 * KB_LANES + 1; n++) {
        kb_micro part[4];
        batch b = make(0, n);
        char expected[4096], *at = add(expected, (int)n, "m");
        long vectors = n < KB_LANES ? n > 0 : n / KB_LANES;
        for (long k = 0; k < n; k++) /* for those that cannot start */
            b.states[k * WIDTH] = 1005 + (double)k;
        if (n > LOST)
            memcpy(b.states + LOST * WIDTH + 2, b.states + 2, NSP * sizeof(double));
        call.of = &b;
        call.count = 0;
        assert_int_equal(kb_micro_sanitized(b.states, n, part), n ? 4 : 0);
        call.of = NULL;
        call.events[call.count] = 0;
        for (int k = 0; k < 4 && n; k++) {
            double mean = 0.5 * ((double)vectors + 1);
            for (long v = 0; v < vectors; v++) {
                at = add(add(at, 1, as[k].before), 1, "c");
                at = add(add(at, 8, as[k].other), 1, "c");
                at = add(add(add(at, 1, "c"), 8, as[k].part), 1, "c");
            }
            assert_string_equal(part[k].part, as[k].name);
            assert_true(fabs(part[k].seconds * KB_LANES -
                             1e-9 * (double)cost_of(as[k].event) * mean) < 1e-12);
        }
        *at = 0;
        assert_string_equal(call.events, expected);
        release(&b);
    }
}

TESTS(NULL, NULL)
