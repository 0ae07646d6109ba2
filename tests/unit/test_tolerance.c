/* SPDX-License-Identifier: MIT
 *
 * The option atolt of every solver that controls an error: as large as atol, or 0, it changes no
 * bit; small it tightens the norm where T alone decides, also where no hydrogen is.
 */
#include "tests/test.h"
#include "tests/unit/solver_problem.h"

enum { ODES = 61, ROW = 11 };
static problem q;
static double oxygen[ODES * ROW]; /* atoms that meet: T rises, the first species stays 0 */

/* atol is so large that the error of no mass fraction counts */
static answer run(const kb_solver *s, const double *states, double atol, double atolt, double pass)
{
    double values[32];
    options_with(s, "atolt", atolt, values);
    set_option(s, "pass", pass, values);
    return solve(&q, s,
                 (kb_job){.n = ODES,
                          .states = states,
                          .dt = states ? 100 * DT : DT,
                          .rtol = 1e-7,
                          .atol = atol,
                          .options = values,
                          .schedule = KB_REFILL});
}

static double attempts(const answer *a)
{
    double sum = 0;
    for (int i = 0; i < a->n; i++) {
        assert_int_equal(a->count[i].status, KB_ODE_OK);
        sum += a->count[i].attempted;
    }
    return sum;
}

/* rkck multiplies its atol by rtol */
static void check(const kb_solver *s, const double *states)
{
    double wide = strcmp(s->info.name, "rkck") ? 1 : 1e7;
    answer plain = run(s, states, wide, 0, 0), same = run(s, states, wide, wide, 0);
    answer tight = run(s, states, wide, 1e-6 * wide, 0);
    for (int i = 0; i < ODES; i++)
        assert_same(&q, &plain, i, &same, i);
    double loose = attempts(&plain), strict = attempts(&tight);
    print_message("%s %s: %g attempts, %g with a tight tolerance of T\n", s->info.name,
                  s->info.engine, loose, strict);
    assert_true(strict > 1.02 * loose);
    release(&plain);
    release(&same);
    release(&tight);
}

/* ODEs that the explicit first pass does: no Jacobian */
static int passed(const kb_solver *s, double atolt)
{
    answer a = run(s, NULL, 1, atolt, 1);
    int n = 0;
    for (int i = 0; i < a.n; i++)
        n += a.count[i].accepted == 1 && !a.count[i].jac;
    release(&a);
    return n;
}

static void check_pass(const kb_solver *s)
{
    double values[32];
    if (!options_with(s, "pass", 1, values))
        return;
    int loose = passed(s, 0), strict = passed(s, 1e-6);
    print_message("%s %s: %d pass, %d with a tight tolerance of T\n", s->info.name,
                  s->info.engine, loose, strict);
    assert_true(strict < loose);
}

static void make_oxygen(void)
{
    memset(oxygen, 0, sizeof oxygen);
    for (int i = 0; i < ODES; i++) {
        double *s = oxygen + i * ROW;
        s[0] = 1200 + 10 * i;
        s[1] = 10 * KB_ATM;
        for (int k = 0; k < q.nsp; k++)
            s[2 + k] = !strcmp(q.s->species[k], "O")    ? 0.2
                       : !strcmp(q.s->species[k], "O2") ? 0.1
                       : !strcmp(q.s->species[k], "N2") ? 0.7
                                                        : 0;
    }
}

TEST(test_tolerance_of_temperature)
{
    int checked = 0;
    make_problem(&q, "h2", "H2:1", 1.2e-5, ODES);
    assert_int_equal(q.nsp + 2, ROW);
    make_oxygen();
    for (int i = 0; i < q.s->nsolvers; i++) {
        const kb_solver *s = q.s->solvers[i];
        double values[32];
        bool has = options_with(s, "atolt", 0, values);
        if (kb_on_gpu(s->info.engine) || strchr(s->info.engine + 4, '-'))
            continue; /* a variant */
        assert_true(has == !s->info.promise.fixed);
        if (has) {
            check(s, NULL);
            check(s, oxygen);
            check_pass(s);
        }
        checked += has;
    }
    assert_true(checked >= 2 * 11 + 4); /* methods on two engines, and CVODE */
    free_problem(&q);
}

TESTS(NULL, NULL)
