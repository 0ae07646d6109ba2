/* SPDX-License-Identifier: MIT
 *
 * The ODE of H2 for plug-ins (solvers/plugin_ode.c): f, J and solutions against single evaluations
 * of the scalar engine, and which states are refused.
 */
#include "tests/test.h"
#include "base/error.h"
#include "solvers/plugin_ode.h"

enum { NSP = 9, N = NSP + 1 };
static const kb_solvers *h2;
static kb_plugin_ode *ode;

FIXTURE(start)
{
    assert_works(!(h2 = kb_solvers_open("h2", &err)));
    ode = h2->odes->make();
    return !ode;
}

FIXTURE(finish)
{
    h2->odes->end(ode);
    h2->odes->end(NULL);
    return 0;
}

static void set_state(double *s, double T, double p)
{
    s[0] = T;
    s[1] = p;
    for (int k = 0; k < NSP; k++)
        s[2 + k] = (k + 1) / 45.0;
}

static void near(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = larger(most, fabs(b[i]));
    for (int i = 0; i < n; i++)
        assert_true(fabs(a[i] - b[i]) <= 1e-10 * most);
}

TEST(is_the_engines_ode)
{
    static const double gamma[] = {1e-8, 1e-7};
    assert_true(ode->unknowns == N && ode->species == NSP);
    assert_memory_equal(ode->W, h2->W, NSP * sizeof *h2->W);
    for (int reactor = 0; reactor < 2; reactor++) {
        double s[N + 1], y[N], dy[N], J[N * N], x[N], own_dy[N], own_J[N * N], own_x[N];
        set_state(s, 1500 + 100 * reactor, 2e5);
        assert_int_equal(h2->odes->load(ode, (kb_reactor)reactor, s, y), KB_PLUGIN_OK);
        assert_true(y[0] == s[0] && !memcmp(y + 1, s + 2, NSP * sizeof *y));
        for (int g = 0; g < 2; g++) {
            kb_evaluation e = {.n = 1, .y = y, .p = s + 1, .reactor = (kb_reactor)reactor,
                               .gamma = gamma[g], .dy = own_dy, .J = own_J, .x = own_x};
            assert_int_equal(h2->evaluate(h2, "cpu-scalar", &e, NULL), KB_OK);
            assert_int_equal(ode->rhs(ode, y, dy), KB_PLUGIN_OK);
            near(dy, own_dy, N);
            assert_int_equal(ode->factor(ode, g ? NULL : y, gamma[g]), KB_PLUGIN_OK);
            assert_int_equal(ode->solve(ode, dy, x), KB_PLUGIN_OK);
            near(x, own_x, N);
            assert_int_equal(ode->jacobian(ode, y, J), KB_PLUGIN_OK);
            for (int i = 0; i < N; i++) { /* by columns */
                double row[N];
                for (int j = 0; j < N; j++)
                    row[j] = J[i + j * N];
                near(row, own_J + i * N, N);
            }
            /* the solve still has the factors of gamma */
            assert_int_equal(ode->solve(ode, dy, x), KB_PLUGIN_OK);
            near(x, own_x, N);
        }
    }
}

/* T of 150 to 6000 K, whose ends belong to it, p above 0; f, J and factors of others are not
 * written */
TEST(states_that_are_refused)
{
    static const struct {
        double T, p, Y;
        int code, later; /* of load; of f, which knows no p */
    } as[] = {{150, 1, 0.1, KB_PLUGIN_OK, KB_PLUGIN_OK},
              {6000, 1, 0.1, KB_PLUGIN_OK, KB_PLUGIN_OK},
              {149.99, 1, 0.1, KB_PLUGIN_BOUNDS, KB_PLUGIN_BOUNDS},
              {6000.01, 1, 0.1, KB_PLUGIN_BOUNDS, KB_PLUGIN_BOUNDS},
              {1000, 0, 0.1, KB_PLUGIN_BOUNDS, KB_PLUGIN_OK},
              {1000, 1e-300, 0.1, KB_PLUGIN_OK, KB_PLUGIN_OK},
              {1000, NAN, 0.1, KB_PLUGIN_NOT_FINITE, KB_PLUGIN_OK},
              {1e5, INFINITY, 0.1, KB_PLUGIN_NOT_FINITE, KB_PLUGIN_BOUNDS},
              {NAN, 1, 0.1, KB_PLUGIN_NOT_FINITE, KB_PLUGIN_NOT_FINITE},
              {1000, 1, INFINITY, KB_PLUGIN_NOT_FINITE, KB_PLUGIN_NOT_FINITE},
              {1000, 0, NAN, KB_PLUGIN_NOT_FINITE, KB_PLUGIN_NOT_FINITE}};
    for (size_t i = 0; i < sizeof as / sizeof *as; i++)
        for (int last = 2; last < N + 1; last += N - 2) {
            double s[N + 1], y[N], dy[N] = {-7}, J[N * N] = {-7};
            set_state(s, as[i].T, as[i].p);
            s[last] = as[i].Y;
            assert_int_equal(h2->odes->load(ode, KB_CONST_P, s, y), as[i].code);
            assert_int_equal(ode->rhs(ode, y, dy), as[i].later);
            assert_int_equal(ode->jacobian(ode, y, J), as[i].later);
            assert_true(as[i].later ? dy[0] == -7 && J[0] == -7 : dy[0] != -7 && J[0] != -7);
            assert_true(!as[i].later || ode->factor(ode, y, 1e-8) == as[i].later);
        }
}

TESTS(start, finish)
