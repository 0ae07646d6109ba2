/* SPDX-License-Identifier: MIT
 *
 * Engines whose tables are read at run time (solvers/run_time.h) against those compiled for the
 * mechanism: every method, every rate type and thermo model, species in steady state; the first
 * pass, threads, and two mechanisms at a time.
 */
#include <pthread.h>

#include "solvers/options.h"
#include "tests/unit/reference.h"
#include "tests/unit/solver_problem.h"

#define ENGINES ANY_ENGINES
enum { H2, RATE_TYPES, MODELS, MECHS };
enum { ODES = 48 };
static problem compiled[MECHS], read_now[MECHS]; /* the same states */

/* hot mixtures of every species: orders that are not whole have no derivative at C = 0 */
static void draw_states(problem *q)
{
    uint64_t random = 5;
    q->nsp = q->s->nsp;
    q->n = ODES;
    q->states = kb_alloc(ODES * (size_t)(q->nsp + 2), sizeof *q->states);
    for (int i = 0; i < ODES; i++) {
        double *s = q->states + i * (q->nsp + 2), sum = 0;
        s[0] = 1000 + 1500 * uniform(&random);
        s[1] = KB_ATM * pow(30, uniform(&random));
        for (int k = 0; k < q->nsp; k++)
            sum += s[2 + k] = 0.05 + uniform(&random);
        for (int k = 0; k < q->nsp; k++)
            s[2 + k] /= sum;
    }
}

FIXTURE(start)
{
    static const char *const mechs[MECHS][3] = {
        [H2] = {"h2", "datasets/mechanisms/h2.yaml", ""},
        [RATE_TYPES] = {"rate_types", "tests/data/rate_types.yaml", ""},
        [MODELS] = {"models", "tests/data/cantera_types.yaml", "tests/data/models.qss"}};
    for (int i = 0; i < MECHS; i++) {
        assert_works(!(compiled[i].s = kb_solvers_open(mechs[i][0], &err)));
        setenv("KB_QSS", mechs[i][2], 1);
        assert_works(!(read_now[i].s = kb_solvers_read(ENGINES, mechs[i][1], &err)));
        draw_states(&compiled[i]);
        draw_states(&read_now[i]);
    }
    return 0;
}

FIXTURE(finish)
{
    for (int i = 0; i < MECHS; i++) {
        free(compiled[i].states);
        free(read_now[i].states);
        read_now[i].s->close(read_now[i].s);
    }
    return 0;
}

static const kb_solver *run_time_of(const problem *q, const kb_solver *s)
{
    char *engine = kb_format("%s-any", s->info.engine);
    const kb_solver *any = kb_solver_find(q->s, s->info.name, engine);
    free(engine);
    return any;
}

/* largest difference in units of the tolerance; *other: ODEs with other substeps */
static double apart(const problem *q, const kb_solver *s, const kb_job *job, const answer *a,
                    const answer *b, int *other)
{
    double worst = 0, rtol = job->rtol ? job->rtol : s->info.rtol;
    double atol = job->atol ? job->atol : s->info.atol;
    *other = 0;
    for (int i = 0; i < q->n; i++) {
        *other += a->count[i].attempted != b->count[i].attempted ||
                  a->count[i].status != b->count[i].status;
        for (int k = 0; k <= q->nsp; k++) {
            double x = a->y[i * (q->nsp + 1) + k], y = b->y[i * (q->nsp + 1) + k];
            double d = fabs(x - y) / (atol + rtol * fabs(x));
            worst = d <= worst ? worst : isnan(d) ? INFINITY : d;
        }
    }
    return worst;
}

/* differences of f and iterations amplify the rounding, by which alone the engines differ */
static double bound(const kb_solver *s)
{
    return !strcmp(s->info.name, "cvode-paper") ? 1e-2 : !strcmp(s->info.name, "rkc") ? 1e-5 : 1e-6;
}

/* whether both have the solver, whose answers are then the same; adds ODEs of several substeps */
static int compare(int m, const kb_solver *s, kb_job job, int *several)
{
    const kb_solver *any = run_time_of(&read_now[m], s);
    int other;
    if (!any)
        return 0;
    answer a = solve(&compiled[m], s, job), b = solve(&read_now[m], any, job);
    assert_int_equal(a.code, KB_OK);
    assert_int_equal(b.code, KB_OK);
    double d = apart(&compiled[m], s, &job, &a, &b, &other);
    if (other || !(d <= bound(s)))
        fail_msg("%s of %s, reactor %d: %d of %d ODEs with other substeps, apart by %.1e of the "
                 "tolerance", s->info.name, compiled[m].s->mech, job.reactor, other, ODES, d);
    for (int i = 0; i < ODES; i++)
        *several += a.count[i].attempted > 1;
    release(&a);
    release(&b);
    return 1;
}

TEST(test_methods)
{
    double values[32];
    for (int m = 0; m < MECHS; m++) {
        int compared = 0, several = 0;
        for (int i = 0; i < compiled[m].s->nsolvers; i++) {
            const kb_solver *s = compiled[m].s->solvers[i];
            double dt = (s->info.promise.jac ? 1e-8 : 1e-9) * (m == RATE_TYPES ? 0.01 : 1);
            kb_job job = {.dt = dt, .rtol = 1e-4, .atol = 1e-8, .max_substeps = 3000};
            compared += compare(m, s, job, &several);
            job.reactor = KB_CONST_V;
            job.threads = 2;
            job.options = options_with(s, "pass", 1, values);
            compared += compare(m, s, job, &several);
        }
        print_message("%s: %d answers compared, %d of %d ODEs with several substeps\n",
                      compiled[m].s->mech, compared, several, compared * ODES);
        assert_true(compared >= (m == H2 ? 64 : 16));
        assert_true(several > compared * ODES / 10);
    }
}

/* every number within 1e-9 of the largest */
static void near(const char *what, const double *a, const double *b, long n)
{
    double most = 0, d = 0;
    for (long i = 0; i < n; i++) {
        most = larger(most, fabs(a[i]));
        d = fabs(a[i] - b[i]) > d || isnan(b[i]) ? fabs(a[i] - b[i]) : d;
    }
    if (!(d <= 1e-9 * most))
        fail_msg("%s: apart by %.1e of %.1e", what, d, most);
}

TEST(test_evaluation)
{
    for (int k = 0; k < 4 * MECHS; k++) {
        const problem *q = &compiled[k / 4];
        int N = q->nsp + 1;
        double *v = kb_alloc(2 * (size_t)(N * N + N) + (size_t)N, sizeof *v);
        double *w = v + N * N + N, *y = w + N * N + N;
        y[0] = q->states[0];
        memcpy(y + 1, q->states + 2, (size_t)q->nsp * sizeof *y);
        kb_evaluation a = {.n = 1, .p = q->states + 1, .y = y, .reactor = k % 2, .dy = v,
                           .J = v + N}, b = a;
        b.dy = w;
        b.J = w + N;
        const kb_solvers *s[] = {q->s, read_now[k / 4].s};
        const char *engine = k % 4 < 2 ? "cpu-scalar" : "cpu-simd";
        assert_int_equal(s[0]->evaluate(s[0], engine, &a, NULL), KB_OK);
        assert_int_equal(s[1]->evaluate(s[1], engine, &b, NULL), KB_OK);
        near("f", a.dy, b.dy, N);
        near("J", a.J, b.J, (long)N * N);
        free(v);
    }
}

typedef struct {
    const problem *q;
    answer first;
    int other; /* answers that are not the first */
} repeats;

static answer solve_simd(const problem *q)
{
    kb_job job = {.dt = 1e-9, .threads = 2, .max_substeps = 3000};
    return solve(q, kb_solver_find(q->s, "rodas4", "cpu-simd"), job);
}

static void *solve_often(void *of)
{
    repeats *r = of;
    for (int k = 0; k < 20; k++) {
        answer a = solve_simd(r->q);
        r->other += memcmp(a.y, r->first.y, (size_t)ODES * (r->q->nsp + 1) * sizeof *a.y) != 0;
        release(&a);
    }
    return NULL;
}

/* several mechanisms on several threads at a time */
TEST(test_at_a_time)
{
    pthread_t thread[MECHS];
    repeats r[MECHS];
    for (int m = 0; m < MECHS; m++)
        r[m] = (repeats){&read_now[m], solve_simd(&read_now[m]), 0};
    for (int m = 0; m < MECHS; m++)
        assert_int_equal(pthread_create(&thread[m], NULL, solve_often, &r[m]), 0);
    for (int m = 0; m < MECHS; m++) {
        assert_int_equal(pthread_join(thread[m], NULL), 0);
        assert_int_equal(r[m].other, 0);
        release(&r[m].first);
    }
}

static void refused(const char *file, const char *why)
{
    kb_error err = {0};
    assert_null(kb_solvers_read(ENGINES, file, &err));
    if (!strstr(err.text, why))
        fail_msg("%s: %s", file, err.text);
}

TEST(test_refused)
{
    kb_choice choice = {0};
    const kb_solver *s = kb_solver_find(read_now[0].s, "rodas4", "cpu-simd");
    assert_fails(kb_solver_options(&s->info, "rodas4:float=1", &choice, &err), KB_INVALID, "float");
    refused("none.yaml", "none.yaml");
    refused("tests/data/models.qss.dat", "models.qss.dat");
    setenv("KB_QSS", "none.qss", 1);
    refused("datasets/mechanisms/h2.yaml", "none.qss");
    setenv("KB_QSS", "", 1);
}

TESTS(start, finish)
