/* SPDX-License-Identifier: MIT
 *
 * The engine variant `unsorted` against the engines: the same substeps, and results apart by
 * rounding, on made-up reactions of every rate type. Its GPU engines, and those of `cached`, are in
 * test_gpu.c. The variant `dense`: as accurate as the exact Jacobian, at the price of its
 * evaluations.
 */
#include "tests/unit/reference.h"
#include "tests/unit/solver_problem.h"

enum { ODES = 48 };
static problem q;

/* hot mixtures of every species: orders that are not whole have no derivative at C = 0 */
FIXTURE(start)
{
    uint64_t random = 5;
    q = (problem){.m = read_mech("tests/data/rate_types.yaml"), .n = ODES};
    assert_works(!(q.s = kb_solvers_open("rate_types", &err)));
    q.nsp = q.s->nsp;
    q.states = kb_alloc(ODES * (size_t)(q.nsp + 2), sizeof *q.states);
    for (int i = 0; i < ODES; i++) {
        double *s = q.states + i * (q.nsp + 2), sum = 0;
        s[0] = 1000 + 1500 * uniform(&random);
        s[1] = KB_ATM * pow(30, uniform(&random));
        for (int k = 0; k < q.nsp; k++)
            sum += s[2 + k] = 0.05 + uniform(&random);
        for (int k = 0; k < q.nsp; k++)
            s[2 + k] /= sum;
    }
    return 0;
}

FIXTURE(finish)
{
    free_problem(&q);
    return 0;
}

static void compare(const kb_solver *plain, const kb_solver *variant, kb_job job)
{
    answer a = solve(&q, plain, job), b = solve(&q, variant, job);
    int other = 0, several = 0, same = 0;
    assert_int_equal(a.code, KB_OK);
    assert_int_equal(b.code, KB_OK);
    for (int i = 0; i < q.n; i++) {
        assert_int_equal(a.count[i].status, KB_ODE_OK);
        assert_int_equal(b.count[i].status, KB_ODE_OK);
        other += a.count[i].attempted != b.count[i].attempted;
        several += a.count[i].attempted > 1;
        same += !memcmp(a.y + i * (q.nsp + 1), b.y + i * (q.nsp + 1), (q.nsp + 1) * sizeof *a.y);
    }
    double d = distance(&q, &a, &b);
    print_message("%-6s %-19s reactor %d: %d of %d ODEs with other substeps, apart by %.1e\n",
                  plain->info.name, variant->info.engine, job.reactor, other, q.n, d);
    assert_true(several > q.n / 2);
    assert_true(same < q.n / 2); /* else it would be sorted too */
    assert_true(other <= q.n / 20);
    assert_true(d <= 1e-10 || (other && d <= plain->info.rtol));
    release(&a);
    release(&b);
}

/* METHODS= may have left it out */
static bool is_built(const kb_solver *s, const char *method)
{
    if (!s)
        print_message("skipped: %s is not built\n", method);
    return s;
}

static void against_plain(const char *engine, const char *variant)
{
    const struct {
        const char *method;
        double spectral, dt;
    } cases[] = {{"rodas4", 0, 1e-9}, {"rkck", 0, 1e-10}, {"rkc", 1, 1e-10}};
    double values[32];
    int compared = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const kb_solver *a = kb_solver_find(q.s, cases[k].method, engine);
        const kb_solver *b = kb_solver_find(q.s, cases[k].method, variant);
        if (!is_built(a, cases[k].method))
            continue;
        assert_non_null(b); /* else build/mech/rate_types was built without VARIANTS=unsorted */
        for (int reactor = KB_CONST_P; reactor <= KB_CONST_V; reactor++, compared++)
            compare(a, b, (kb_job){.dt = cases[k].dt, .reactor = reactor, .max_substeps = 10000,
                                   .options = options_with(a, "spectral", cases[k].spectral,
                                                           values)});
    }
    if (!compared)
        skip();
}

TEST(test_scalar)
{
    against_plain("cpu-scalar", "cpu-scalar-unsorted");
}

TEST(test_simd)
{
    against_plain("cpu-simd", "cpu-simd-unsorted");
}

/* error of each against the exact one at a tight tolerance; a Jacobian costs an evaluation for each
 * unknown */
TEST(test_dense)
{
    static const char *const methods[] = {"rodas4", "radau2a", "vode"};
    static const char *const engines[][2] = {{"cpu-scalar", "cpu-scalar-dense"},
                                             {"cpu-simd", "cpu-simd-dense"}};
    kb_job job = {.dt = 1e-9, .max_substeps = 10000}, tight = job;
    tight.rtol = 1e-10;
    tight.atol = 1e-16;
    const kb_solver *accurate = kb_solver_find(q.s, "radau2a", "cpu-scalar");
    if (!is_built(accurate, "radau2a"))
        skip();
    answer best = solve(&q, accurate, tight);
    for (int k = 0; k < 3; k++)
        for (int e = 0; e < 2; e++) {
            const kb_solver *exact = kb_solver_find(q.s, methods[k], engines[e][0]);
            const kb_solver *dense = kb_solver_find(q.s, methods[k], engines[e][1]);
            if (!is_built(exact, methods[k]))
                continue;
            assert_non_null(dense);
            job.rtol = 1e-6;
            job.atol = 1e-12;
            answer a = solve(&q, exact, job), b = solve(&q, dense, job);
            long steps[2] = {0};
            for (int i = 0; i < q.n; i++) {
                assert_int_equal(b.count[i].status, KB_ODE_OK);
                assert_true(b.count[i].jac > 0);
                assert_true(b.count[i].rhs > b.count[i].jac * (q.nsp + 1));
                steps[0] += a.count[i].attempted;
                steps[1] += b.count[i].attempted;
            }
            double error = distance(&q, &a, &best), other = distance(&q, &b, &best);
            print_message("%-7s %-16s: %ld substeps, exact %ld; error %.1e, exact %.1e\n",
                          methods[k], engines[e][1], steps[1], steps[0], other, error);
            assert_true(labs(steps[0] - steps[1]) <= steps[0] / 50);
            assert_true(other <= 2 * error + 1e-8);
            release(&a);
            release(&b);
        }
    assert_null(kb_solver_find(q.s, "rkck", "cpu-scalar-dense"));
    release(&best);
}

TESTS(start, finish)
