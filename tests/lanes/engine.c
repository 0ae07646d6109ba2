/* SPDX-License-Identifier: MIT
 *
 * The loop over ODEs of a CPU engine (solvers/engines/cpu.c) and its single evaluations
 * (evaluate.c) with rodas4 on H2, under the sanitizers of addresses and undefined behaviour, in
 * arrays as long as they have to be. What comes of an ODE is what comes of it alone, bit by bit: by
 * any number of ODEs and threads, both schedules, with part of a job, with the trail of its
 * attempts.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "solvers/solver.h"
#include "tests/test.h"

extern const kb_solver kb_rodas4_sanitized;
int kb_evaluate_sanitized(const kb_evaluation *e);
int kb_gas_sanitized(const kb_gas_states *s);
int kb_micro_sanitized(const double *states, long n, kb_micro *parts);

enum { NSP = 9, NY = NSP + 1, WIDTH = NSP + 2, MOST = 9, UNTOUCHED = -7 };
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

static int run(batch *b, const kind *k, way w, kb_result *r)
{
    const kb_solver *s = &kb_rodas4_sanitized;
    double values[32];
    kb_error err;
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
    return s->run(s, &job, r, &err);
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
    assert_true(r.lanes == kb_rodas4_sanitized.info.lanes && r.resident >= r.threads * r.lanes);
    assert_true(r.lane_use > 0 && r.lane_use <= 1);
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

/* T from the energy that a state has */
TEST(energies)
{
    for (int reactor = 0; reactor < 2; reactor++)
        for (long n = 1; n < COLD; n++) {
            values v = evaluate(0, n, (kb_reactor)reactor, NULL, KB_OK);
            double *h = of_size(3 * n, sizeof *h), *cp = h + n, *R = cp + n;
            kb_gas_states s = {.n = n, .y = v.y, .reactor = (kb_reactor)reactor, .h = h, .cp = cp,
                               .R = R};
            assert_int_equal(kb_gas_sanitized(&s), KB_OK);
            double *energy = of_size(n, sizeof *energy);
            for (long k = 0; k < n; k++) {
                double T = v.y[k * NY];
                energy[k] = h[k] - reactor * R[k] * T;
                assert_true(R[k] > 280 && R[k] < 500 && cp[k] > 3 * R[k] && cp[k] < 6 * R[k]);
                v.y[k * NY] = k % 2 ? 3000 : 350;
            }
            s = (kb_gas_states){.n = n, .y = v.y, .energy = energy, .reactor = (kb_reactor)reactor};
            assert_int_equal(kb_gas_sanitized(&s), KB_OK);
            for (long k = 0; k < n; k++)
                assert_true(fabs(v.y[k * NY] - (1005 + 70. * (double)k)) < 1e-6);
            free(energy);
            free(h);
            release_values(&v);
        }
}

TEST(parts)
{
    for (long n = 0; n < 4; n++) {
        kb_micro part[4];
        batch b = make(0, n);
        assert_int_equal(kb_micro_sanitized(b.states, n, part), n ? 4 : 0);
        release(&b);
    }
}

TESTS(NULL, NULL)
