/* SPDX-License-Identifier: MIT
 *
 * libkinbench against the solvers called directly: results bit for bit, layouts, constant volume,
 * rates, threads, and every error as a code with a text.
 */
#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"
#include "library/inside.h"
#include "solvers/auto.h"
#include "tests/library/outcome.h"

#define SOLVERS "build/mech/h2/solvers.so"
enum { CELLS = 24, MOST = 16 };

static kb_mechanism *m;
static int nsp;

typedef struct {
    double T[CELLS], p[CELLS], Y[CELLS * MOST];
} states;

static void set_states(states *s, int layout)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < CELLS; i++) {
        double part[] = {0.02 + 0.001 * i, 0.22, 1e-6 * i, 0.01};
        const char *name[] = {"H2", "O2", "H", "H2O"};
        double rest = 1;
        s->T[i] = 950 + 40 * i;
        s->p[i] = 101325 * (1 + i % 3);
        for (int j = 0; j < 5; j++) {
            int k = kb_mechanism_find_species(m, j < 4 ? name[j] : "N2");
            s->Y[layout == KB_ODE_MAJOR ? i * nsp + k : k * CELLS + i] = j < 4 ? part[j] : rest;
            rest -= j < 4 ? part[j] : 0;
        }
    }
}

static kb_integrator *integrator(const char *method, const char *engine, double rtol, int reactor)
{
    kb_integrator *it;
    if (kb_integrator_create(m, method, engine, rtol, 1e-4 * rtol, reactor, &it))
        fail_msg("%s", kb_last_error());
    return it;
}

FIXTURE(open_h2)
{
    unsetenv("XDG_CACHE_HOME"); /* no cache: make builds in the source tree */
    setenv("HOME", "none", 1);
    if (kb_mechanism_open(SOLVERS, &m))
        return -1;
    nsp = kb_mechanism_species(m);
    return nsp <= MOST ? 0 : -1;
}

FIXTURE(close_h2)
{
    kb_mechanism_close(m);
    return 0;
}

TEST(same_as_the_solver_itself)
{
    states s;
    double rows[CELLS * (MOST + 2)], y[CELLS * (MOST + 1)];
    kb_count count[CELLS];
    kb_work work[CELLS];
    int status[CELLS];
    set_states(&s, KB_ODE_MAJOR);
    for (int i = 0; i < CELLS; i++) {
        rows[i * (nsp + 2)] = s.T[i];
        rows[i * (nsp + 2) + 1] = s.p[i];
        memcpy(rows + i * (nsp + 2) + 2, s.Y + i * nsp, (size_t)nsp * sizeof *rows);
    }
    const kb_solver *solver = kb_solver_find(m->solvers, "rodas4", "cpu-simd");
    kb_job job = {.n = CELLS, .states = rows, .dt = 1e-5, .rtol = 1e-6, .atol = 1e-10,
                  .schedule = KB_REFILL, .threads = 1};
    kb_result r = {.y = y, .count = count};
    assert_int_equal(solver->run(solver, &job, &r, NULL), 0);
    kb_integrator *it = integrator("rodas4", "cpu-simd", 1e-6, KB_CONSTANT_PRESSURE);
    good(kb_integrate(it, CELLS, s.T, s.p, s.Y, 1e-5, status, work));
    for (int i = 0; i < CELLS; i++) {
        assert_true(s.T[i] == y[i * (nsp + 1)]);
        assert_memory_equal(s.Y + i * nsp, y + i * (nsp + 1) + 1, (size_t)nsp * sizeof *y);
        assert_int_equal(status[i], 0);
    }
    assert_memory_equal(work, count, sizeof work);
    assert_true(work[CELLS - 1].attempted > 1);
    kb_integrator_free(it);
}

/* the same bits as its choice by name, and one integrator for calls that are alike */
TEST(auto_is_its_choice)
{
    states a, b;
    set_states(&a, KB_ODE_MAJOR);
    set_states(&b, KB_ODE_MAJOR);
    kb_integrator *it = integrator("auto", NULL, 1e-5, KB_CONSTANT_PRESSURE);
    assert_int_equal(it->automatic->gpu, kb_gpu_there(m->solvers)); /* built for one, without it */
    kb_integrator_free(it);
    it = integrator("auto", "cpu-simd", 1e-5, KB_CONSTANT_PRESSURE);
    assert_false(it->automatic->gpu);
    good(kb_integrate(it, CELLS, a.T, a.p, a.Y, 1e-6, NULL, NULL));
    const kb_tuned *row = it->automatic->chosen->row;
    assert_string_equal(row->engine, "cpu-simd");
    kb_mechanism same = {m->solvers};
    kb_integrator *named;
    good(kb_integrator_create(&same, row->solver, row->engine, row->rtol, row->atol,
                              KB_CONSTANT_PRESSURE, &named));
    good(kb_integrate(named, CELLS, b.T, b.p, b.Y, 1e-6, NULL, NULL));
    assert_memory_equal(&a, &b, sizeof a);
    good(kb_integrate(it, CELLS, a.T, a.p, a.Y, 1e-6, NULL, NULL));
    assert_null(it->automatic->chosen->next);
    bad(kb_integrator_set(it, "h0", 1), KB_ERROR_ARGUMENT, "no setting 'h0' = 1 of auto");
    bad(kb_integrator_set(it, "refill", 0), KB_ERROR_ARGUMENT, "no setting 'refill' = 0 of auto");
    bad(kb_integrator_set(it, "threads", -1), KB_ERROR_ARGUMENT, "threads = -1");
    assert_non_null(it->automatic->chosen);
    good(kb_integrator_set(it, "threads", 1));
    assert_null(it->automatic->chosen);
    kb_integrator_free(named);
    kb_integrator_free(it);
    bad(kb_integrator_create(m, "auto:h0=1", NULL, 0, 0, KB_CONSTANT_PRESSURE, &it),
        KB_ERROR_ARGUMENT, "auto has no options");
    static const double wrong[] = {-1e-5, 2, NAN, INFINITY};
    for (int k = 0; k < 4; k++)
        bad(kb_integrator_create(m, "auto", NULL, wrong[k], 0, KB_CONSTANT_PRESSURE, &it),
            KB_ERROR_ARGUMENT, "expected an error from above 0 to 1 (0: 0.0001)");
    bad(kb_integrator_create(m, "auto", NULL, 1e-13, 0, KB_CONSTANT_PRESSURE, &it),
        KB_ERROR_ARGUMENT, "no solver on these engines was measured to hold an error of 1e-13");
    /* an error that was measured at another dt alone: refused by the call */
    int refused = 0;
    for (double error = 1e-9; error > 1e-13; error *= 0.7) {
        if (kb_integrator_create(m, "auto", "cpu-simd", error, 0, KB_CONSTANT_PRESSURE, &it))
            break;
        for (double dt = 1e-6; dt < 1e-2; dt *= 10) {
            int code = kb_integrate(it, CELLS, a.T, a.p, a.Y, dt, NULL, NULL);
            bool held = !code || code == KB_ERROR_ODES;
            refused += !held;
            assert_true(held || (code == KB_ERROR_ARGUMENT &&
                                 strstr(kb_last_error(), "was measured to hold")));
        }
        kb_integrator_free(it);
    }
    assert_true(refused > 0);
    it = integrator("auto", "nowhere", 1e-5, KB_CONSTANT_PRESSURE);
    bad(kb_integrate(it, CELLS, a.T, a.p, a.Y, 1e-6, NULL, NULL), KB_ERROR_DEVICE,
        "no solver of its table is on nowhere");
    kb_integrator_free(it);
}

TEST(layouts_agree)
{
    static const int reactors[] = {KB_CONSTANT_PRESSURE, KB_CONSTANT_VOLUME};
    for (int r = 0; r < 2; r++) {
        states a, b;
        set_states(&a, KB_ODE_MAJOR);
        set_states(&b, KB_SPECIES_MAJOR);
        kb_integrator *it = integrator("radau2a", NULL, 1e-6, reactors[r]);
        good(kb_integrate(it, CELLS, a.T, a.p, a.Y, 1e-5, NULL, NULL));
        good(kb_integrator_set(it, "layout", KB_SPECIES_MAJOR));
        good(kb_integrator_set(it, "threads", 2));
        good(kb_integrate(it, CELLS, b.T, b.p, b.Y, 1e-5, NULL, NULL));
        assert_memory_equal(a.T, b.T, sizeof a.T);
        assert_memory_equal(a.p, b.p, sizeof a.p);
        for (int i = 0; i < CELLS; i++)
            for (int k = 0; k < nsp; k++)
                assert_true(a.Y[i * nsp + k] == b.Y[k * CELLS + i]);
        kb_integrator_free(it);
    }
}

/* p W / T, the density but for R */
static double density(const states *s, int i)
{
    double moles = 0;
    for (int k = 0; k < nsp; k++)
        moles += s->Y[i * nsp + k] / kb_mechanism_weight(m, k);
    return s->p[i] / (s->T[i] * moles);
}

TEST(constant_volume_keeps_the_density)
{
    states a, b;
    double most = 0;
    set_states(&a, KB_ODE_MAJOR);
    b = a;
    kb_integrator *it = integrator("rodas4", NULL, 1e-8, KB_CONSTANT_VOLUME);
    good(kb_integrate(it, CELLS, b.T, b.p, b.Y, 1e-4, NULL, NULL));
    for (int i = 0; i < CELLS; i++) {
        assert_true(fabs(density(&b, i) / density(&a, i) - 1) < 1e-13);
        most = larger(most, b.p[i] / a.p[i]);
    }
    assert_true(most > 1.5); /* something burnt */
    kb_integrator_free(it);
}

TEST(agrees_with_cvode)
{
    states a, b;
    set_states(&a, KB_ODE_MAJOR);
    b = a;
    kb_integrator *one = integrator("rodas4", NULL, 1e-8, KB_CONSTANT_PRESSURE);
    kb_integrator *two = integrator("cvode", NULL, 1e-10, KB_CONSTANT_PRESSURE);
    good(kb_integrate(one, CELLS, a.T, a.p, a.Y, 1e-5, NULL, NULL));
    good(kb_integrate(two, CELLS, b.T, b.p, b.Y, 1e-5, NULL, NULL));
    for (int i = 0; i < CELLS; i++)
        if (!(fabs(a.T[i] / b.T[i] - 1) <= 1e-6))
            fail_msg("ODE %d: %.9g and %.9g K", i, a.T[i], b.T[i]);
    kb_integrator_free(one);
    kb_integrator_free(two);
}

TEST(a_failed_ode_keeps_its_state)
{
    states a, b;
    int status[CELLS];
    set_states(&a, KB_ODE_MAJOR);
    a.T[3] = 20;
    a.Y[7 * nsp] = NAN;
    b = a;
    kb_integrator *it = integrator("rodas4", NULL, 1e-6, KB_CONSTANT_PRESSURE);
    bad(kb_integrate(it, CELLS, a.T, a.p, a.Y, 1e-5, status, NULL), KB_ERROR_ODES,
        "2 of 24 ODEs failed, the first is 3: out of bounds");
    assert_string_equal(kb_status_text(status[7]), "not finite");
    assert_memory_equal(a.Y + 3 * nsp, b.Y + 3 * nsp, (size_t)nsp * sizeof *a.Y);
    assert_memory_equal(a.Y + 7 * nsp, b.Y + 7 * nsp, (size_t)nsp * sizeof *a.Y);
    assert_true(a.T[3] == 20 && a.T[7] == b.T[7] && status[4] == 0 && a.T[4] != b.T[4]);
    good(kb_integrator_set(it, "max_substeps", 1));
    set_states(&a, KB_ODE_MAJOR);
    bad(kb_integrate(it, CELLS, a.T, a.p, a.Y, 1e-3, NULL, NULL), KB_ERROR_ODES,
        "too many substeps");
    kb_integrator_free(it);
}

/* J by differences of the rates */
TEST(jacobian_is_that_of_the_rates)
{
    static const int reactors[] = {KB_CONSTANT_PRESSURE, KB_CONSTANT_VOLUME};
    int N = nsp + 1;
    for (int r = 0; r < 2; r++) {
        kb_integrator *it = integrator("rodas4", NULL, 1e-6, reactors[r]);
        states s;
        double J[(MOST + 1) * (MOST + 1)], dT[2], dY[2 * MOST], wdot[MOST];
        set_states(&s, KB_ODE_MAJOR);
        s.T[0] = 1500;
        double *Y = s.Y, h = 1e-3, T[2] = {s.T[0] - h, s.T[0] + h}, p[2] = {s.p[0], s.p[0]};
        double twice[2 * MOST];
        if (reactors[r] == KB_CONSTANT_VOLUME) { /* of the same density */
            p[0] *= T[0] / s.T[0];
            p[1] *= T[1] / s.T[0];
        }
        memcpy(twice, Y, (size_t)nsp * sizeof *Y);
        memcpy(twice + nsp, Y, (size_t)nsp * sizeof *Y);
        good(kb_jacobian(it, 1, s.T, s.p, Y, J));
        good(kb_rates(it, 2, T, p, twice, dT, dY, NULL));
        for (int i = 0; i < nsp; i++) {
            double slope = (dY[nsp + i] - dY[i]) / (2 * h);
            assert_true(fabs(J[(i + 1) * N] - slope) <= 1e-5 * fabs(slope) + 1e-9);
        }
        assert_true(fabs(J[0] - (dT[1] - dT[0]) / (2 * h)) <= 1e-4 * fabs(J[0]));
        good(kb_rates(it, 1, s.T, s.p, Y, NULL, dY, wdot));
        for (int k = 0; k < nsp; k++) { /* wdot W = rho dY/dt */
            double rho = density(&s, 0) / 8314.46261815324;
            assert_true(fabs(wdot[k] * kb_mechanism_weight(m, k) - rho * dY[k]) <=
                        1e-12 * fabs(rho * dY[k]));
        }
        kb_integrator_free(it);
    }
}

TEST(rates_in_both_layouts)
{
    states a, b;
    double one[CELLS * MOST], two[CELLS * MOST], w1[CELLS * MOST], w2[CELLS * MOST], dT[2][CELLS];
    set_states(&a, KB_ODE_MAJOR);
    set_states(&b, KB_SPECIES_MAJOR);
    kb_integrator *it = integrator("rodas4", NULL, 1e-6, KB_CONSTANT_VOLUME);
    good(kb_rates(it, CELLS, a.T, a.p, a.Y, dT[0], one, w1));
    good(kb_integrator_set(it, "layout", KB_SPECIES_MAJOR));
    good(kb_rates(it, CELLS, b.T, b.p, b.Y, dT[1], two, w2));
    assert_memory_equal(dT[0], dT[1], sizeof dT[0]);
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < nsp; k++) {
            assert_true(one[i * nsp + k] == two[k * CELLS + i]);
            assert_true(w1[i * nsp + k] == w2[k * CELLS + i]);
        }
    kb_integrator_free(it);
}

/* eight threads, one integrator, each its own states; one of them fails, and alone hears of it */
TEST(threads_share_an_integrator)
{
    enum { THREADS = 8, CALLS = 20 };
    states expected, begin;
    int wrong = 0;
    set_states(&begin, KB_ODE_MAJOR);
    expected = begin;
    kb_integrator *it = integrator("rodas4", NULL, 1e-6, KB_CONSTANT_PRESSURE);
    good(kb_integrate(it, CELLS, expected.T, expected.p, expected.Y, 1e-5, NULL, NULL));
    kb_fail_with(0, "before");
#pragma omp parallel num_threads(THREADS) reduction(+ : wrong)
    for (int k = 0; k < CALLS; k++) {
        states s = begin;
        bool failing = omp_get_thread_num() == THREADS - 1;
        if (failing)
            s.T[0] = 1;
        int code = kb_integrate(it, CELLS, s.T, s.p, s.Y, 1e-5, NULL, NULL);
        wrong += code != (failing ? KB_ERROR_ODES : KB_SUCCESS);
        wrong += failing ? !strstr(kb_last_error(), "1 of 24")
                         : memcmp(s.Y, expected.Y, sizeof s.Y) != 0;
    }
    assert_int_equal(wrong, 0);
    assert_string_equal(kb_last_error(), "before");
    kb_integrator_free(it);
}

/* ---- drawn states ---- */

static double drawn(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* pure species, radicals alone, mixtures of all, fuel and air with traces of 1e-30 and sums just
 * off 1; T at the limits, at Tmid and between; 1e-3 to 1e3 atm */
static void draw_state(uint64_t *seed, int i, states *s)
{
    static const double special[] = {150.5, 1000, 5999, 200, 1000.0000001};
    double *Y = s->Y + i * nsp, sum = 0, off = i % 7 ? 1 : 1 + 9e-7;
    for (int k = 0; k < nsp; k++)
        Y[k] = i % 4 == 0 ? 0 : i % 4 == 1 ? drawn(seed) : i % 4 == 2 ? pow(10, -30 * drawn(seed))
                                                                      : 1e-30;
    if (i % 4 == 0)
        Y[(int)(drawn(seed) * nsp)] = 1;
    if (i % 4 == 3)
        for (int j = 0; j < 3; j++)
            Y[kb_mechanism_find_species(m, j == 0 ? "H2" : j == 1 ? "O2" : "N2")] = drawn(seed);
    for (int k = 0; k < nsp; k++)
        sum += Y[k];
    for (int k = 0; k < nsp; k++)
        Y[k] *= off / sum;
    s->T[i] = i % 3 ? 160 + 5000 * drawn(seed) : special[(int)(drawn(seed) * 5)];
    s->p[i] = 101325 * pow(10, 6 * drawn(seed) - 3);
}

/* state i as number n - 1 - i by species, on several threads without refill, and back */
static void integrate_turned(kb_integrator *it, const states *from, double dt, states *to,
                             int *status, kb_work *work)
{
    states s;
    int ended[CELLS];
    kb_work of[CELLS];
    for (int i = 0; i < CELLS; i++) {
        int other = CELLS - 1 - i;
        s.T[other] = from->T[i];
        s.p[other] = from->p[i];
        for (int k = 0; k < nsp; k++)
            s.Y[k * CELLS + other] = from->Y[i * nsp + k];
    }
    good(kb_integrator_set(it, "layout", KB_SPECIES_MAJOR));
    good(kb_integrator_set(it, "threads", 2));
    kb_integrate(it, CELLS, s.T, s.p, s.Y, dt, ended, of);
    for (int i = 0; i < CELLS; i++) {
        int other = CELLS - 1 - i;
        to->T[i] = s.T[other];
        to->p[i] = s.p[other];
        status[i] = ended[other];
        work[i] = of[other];
        for (int k = 0; k < nsp; k++)
            to->Y[i * nsp + k] = s.Y[k * CELLS + other];
    }
    good(kb_integrator_set(it, "layout", KB_ODE_MAJOR));
    good(kb_integrator_set(it, "threads", 1));
}

/* an ODE that fails keeps its state; of others the work adds up and mass stays, and T is within 1 %
 * of that by CVODE; most are ok */
static void check_drawn(const char *label, const states *begin, const states *end, int ok,
                        const kb_work *work, const int *status, const double *T)
{
    for (int i = 0; i < CELLS; i++) {
        const kb_work *w = &work[i];
        double sum = 0;
        for (int k = 0; k < nsp; k++)
            sum += end->Y[i * nsp + k] - begin->Y[i * nsp + k];
        bool kept = end->T[i] == begin->T[i] && end->p[i] == begin->p[i] &&
                    !memcmp(end->Y + i * nsp, begin->Y + i * nsp, (size_t)nsp * sizeof sum);
        bool adds = w->attempted == w->accepted + w->rejected && w->status == status[i];
        bool same = !T[i] || fabs(end->T[i] - T[i]) <= 1e-2 * T[i];
        if (!adds || (status[i] ? !kept : !same || w->accepted < 1 || !(fabs(sum) < 1e-6)))
            fail_msg("%s: state %d, %s: %g K, CVODE %g K, a sum of %g more", label, i,
                     kb_status_text(status[i]), end->T[i], T[i], sum);
        ok -= status[i] == 0;
    }
    assert_true(ok <= 0);
}

/* T by CVODE; 0 where it has none */
static void reference(const states *begin, double dt, int reactor, double *T)
{
    states s = *begin;
    int status[CELLS];
    kb_integrator *it = integrator("cvode:reach=1", NULL, 1e-10, reactor);
    kb_integrate(it, CELLS, s.T, s.p, s.Y, dt, status, NULL);
    for (int i = 0; i < CELLS; i++)
        T[i] = status[i] ? 0 : s.T[i];
    kb_integrator_free(it);
}

/* each method on each engine of a CPU; without error control and explicit ones are left out */
TEST(drawn_states)
{
    static const double dt[] = {1e-8, 1e-4};
    const char *method, *engine;
    uint64_t seed = 24;
    for (int r = 0; r < 2; r++) {
        states begin = {0}, end, turned;
        double T[CELLS];
        int status[2][CELLS];
        kb_work work[2][CELLS];
        for (int i = 0; i < CELLS; i++)
            draw_state(&seed, i, &begin);
        reference(&begin, dt[r], r, T);
        for (int q = 0; !kb_mechanism_solver(m, q, &method, &engine); q++) {
            char label[80];
            if (strncmp(engine, "cpu-s", 5) || strstr(engine, "-forced") ||
                !strncmp(method, "rk", 2) || !strncmp(method, "cvode", 5) ||
                !strcmp(method, "point_implicit"))
                continue;
            kb_integrator *it = integrator(method, engine, 1e-4, r);
            snprintf(label, sizeof label, "%s on %s, dt %g", method, engine, dt[r]);
            end = begin;
            good(kb_integrator_set(it, "threads", 1));
            good(kb_integrator_set(it, "max_substeps", 2000));
            kb_integrate(it, CELLS, end.T, end.p, end.Y, dt[r], status[0], work[0]);
            check_drawn(label, &begin, &end, CELLS * 3 / 4, work[0], status[0], T);
            turned = begin;
            integrate_turned(it, &begin, dt[r], &turned, status[1], work[1]);
            if (memcmp(&end, &turned, sizeof end) || memcmp(work[0], work[1], sizeof work[0]) ||
                memcmp(status[0], status[1], sizeof status[0]))
                fail_msg("%s: other results by species and turned", label);
            kb_integrator_free(it);
        }
    }
}

TEST(wrong_arguments)
{
    kb_integrator *it = NULL;
    states s;
    set_states(&s, KB_ODE_MAJOR);
    const char *const no = NULL;
    bad(kb_integrator_create(m, "rodas5", NULL, 0, 0, 0, &it), KB_ERROR_ARGUMENT, "there are");
    assert_null(it);
    bad(kb_integrator_create(m, "rodas4", "abacus", 0, 0, 0, &it), KB_ERROR_DEVICE, "cpu-scalar");
    bad(kb_integrator_create(m, "rodas4:h1=2", NULL, 0, 0, 0, &it), KB_ERROR_ARGUMENT, "h1=2");
    bad(kb_integrator_create(m, "rodas4", NULL, -1, 0, 0, &it), KB_ERROR_ARGUMENT, "rtol = -1");
    bad(kb_integrator_create(m, "rodas4", NULL, 0, 0, 7, &it), KB_ERROR_ARGUMENT, "reactor 7");
    bad(kb_integrator_create(m, no, NULL, 0, 0, 0, &it), KB_ERROR_ARGUMENT, "NULL");
    it = integrator("rodas4", "cpu-scalar", 1e-6, KB_CONSTANT_PRESSURE);
    bad(kb_integrator_set(it, "colour", 1), KB_ERROR_ARGUMENT, "colour");
    bad(kb_integrator_set(it, "threads", 1.5), KB_ERROR_ARGUMENT, "whole number");
    bad(kb_integrator_set(it, "layout", 2), KB_ERROR_ARGUMENT, "layout = 2");
    kb_integrator *cvode = integrator("cvode", NULL, 1e-6, KB_CONSTANT_PRESSURE);
    good(kb_integrator_set(cvode, "max_order", 3));
    bad(kb_integrator_set(cvode, "max_order", 6), KB_ERROR_ARGUMENT, "from 1 to 5");
    bad(kb_integrator_set(cvode, "max_order", 2.5), KB_ERROR_ARGUMENT, "a whole number");
    kb_integrator_free(cvode);
    bad(kb_integrate(it, -1, s.T, s.p, s.Y, 1e-6, NULL, NULL), KB_ERROR_ARGUMENT, "n = -1");
    bad(kb_integrate(it, 1, s.T, NULL, s.Y, 1e-6, NULL, NULL), KB_ERROR_ARGUMENT, "p is NULL");
    bad(kb_integrate(it, 1, s.T, s.p, s.Y, 0, NULL, NULL), KB_ERROR_ARGUMENT, "dt = 0");
    bad(kb_integrate(it, INT64_MAX, s.T, s.p, s.Y, 1, NULL, NULL), KB_ERROR_MEMORY, "no memory");
    bad(kb_integrate_device(it, 1, s.T, s.p, s.Y, 1e-6, NULL, NULL, NULL), KB_ERROR_DEVICE,
        "GPU engine");
    good(kb_integrate(it, 0, NULL, NULL, NULL, 1e-6, NULL, NULL));
    kb_integrator_free(it);
    kb_integrator_free(NULL);
    kb_mechanism_close(NULL);
}

TEST(wrong_mechanisms)
{
    kb_mechanism *none;
    char odd[] = "/tmp/kb_a=b,c_XXXXXX";
    assert_non_null(mkdtemp(odd));
    bad(kb_mechanism_open(odd, &none), KB_ERROR_ARGUMENT, "a path here has no = and no comma");
    rmdir(odd);
    bad(kb_mechanism_open("", &none), KB_ERROR_ARGUMENT, "empty");
    bad(kb_mechanism_open("nowhere.so", &none), KB_ERROR_ARGUMENT, "nowhere.so");
    assert_null(none);
    bad(kb_mechanism_open("h$(CC)2", &none), KB_ERROR_ARGUMENT, "a name here has no $");
    setenv("KINBENCH_SOURCE", "/nowhere", 1); /* whence no engines come */
    static const char *const files[][2] = {
        {"no/such.yaml", "no/such.yaml: No such file"}, {"Makefile,no.dat", "no.dat: No such file"},
        {"Makefile,", "Makefile,: no file beside the comma"},
        {",Makefile", ",Makefile: no file beside the comma"}, {"./", "./: Is a directory"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        bad(kb_mechanism_open(files[i][0], &none), KB_ERROR_ARGUMENT, files[i][1]);
    bad(kb_mechanism_open("h2", &none), KB_ERROR_ARGUMENT, "set KINBENCH_SOURCE");
    unsetenv("KINBENCH_SOURCE");
    good(kb_mechanism_open("h2", &none)); /* of this tree */
    assert_string_equal(kb_mechanism_name(none), "h2");
    kb_mechanism_close(none);
    assert_null(kb_mechanism_species_name(m, nsp));
    assert_int_equal(kb_mechanism_find_species(m, "Xe"), -1);
}

/* a source tree whose make prints `text` and ends with `code` */
static void make_source(const char *folder, const char *text, int code)
{
    char path[256];
    snprintf(path, sizeof path, "%s/Makefile", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "library-mechanism:\n\t@printf '%s' '$(CURDIR)'; exit %d\n", text, code);
    assert_int_equal(fclose(f), 0);
}

/* the last line of make is the path, whatever stands before it and however it ends */
TEST(what_make_says)
{
    static const char *const ends[] = {"", "\\n", " ", "\\n\\n", " \\n  \\n"};
    char folder[] = "/tmp/kb_library_XXXXXX", text[512], path[256];
    kb_mechanism *none;
    assert_non_null(mkdtemp(folder));
    setenv("KINBENCH_SOURCE", folder, 1);
    for (int lines = 0; lines < 2; lines++)
        for (int k = 0; k < 5; k++) {
            snprintf(text, sizeof text, "%s%%s/new.so%s", lines ? "cc a.c\\n \\ncc b.c\\n" : "",
                     ends[k]);
            make_source(folder, text, 0);
            snprintf(path, sizeof path, "%s/new.so: ", folder);
            signal(SIGCHLD, k % 2 ? SIG_IGN : SIG_DFL); /* of a caller that waits for no child */
            bad(kb_mechanism_open("new_mechanism", &none), KB_ERROR_ARGUMENT, path);
            signal(SIGCHLD, SIG_DFL);
            make_source(folder, text, 3);
            snprintf(path, sizeof path, "solvers MECH=new_mechanism): %s%s/new.so",
                     lines ? "cc a.c\n \ncc b.c\n" : "", folder);
            bad(kb_mechanism_open("new_mechanism", &none), KB_ERROR_ARGUMENT, path);
        }
    unsetenv("KINBENCH_SOURCE");
    snprintf(path, sizeof path, "%s/Makefile", folder);
    assert_true(remove(path) == 0 && remove(folder) == 0);
}

/* the message about a failed build whose make prints an a and n x */
static const char *told_of(const char *folder, int n)
{
    char text[700];
    kb_mechanism *none;
    snprintf(text, sizeof text, "a%*s", n, "");
    for (char *at = text; *at; at++)
        *at = *at == ' ' ? 'x' : *at;
    make_source(folder, text, 1);
    bad(kb_mechanism_open("new_mechanism", &none), KB_ERROR_ARGUMENT, "cannot be built (make");
    return strstr(kb_last_error(), "): ") + 3;
}

/* the last 600 characters but the end of their line, and all if there are no more */
TEST(what_make_says_last)
{
    char folder[] = "/tmp/kb_library_XXXXXX", path[256];
    assert_non_null(mkdtemp(folder));
    setenv("KINBENCH_SOURCE", folder, 1);
    int rest = 599 - (int)strlen(told_of(folder, 0)); /* make adds a line of its own */
    for (int more = -1; more < 2; more++) {
        const char *said = told_of(folder, rest + more);
        assert_int_equal(strlen(said), more < 0 ? 598 : 599);
        assert_int_equal(*said, more < 1 ? 'a' : 'x');
    }
    unsetenv("KINBENCH_SOURCE");
    snprintf(path, sizeof path, "%s/Makefile", folder);
    assert_true(remove(path) == 0 && remove(folder) == 0);
}

/* flock of the library, which locks nothing here; its first call ends with lock_error */
static int lock_error, locks;
int flock(int file, int operation)
{
    (void)file, (void)operation;
    errno = locks ? 0 : lock_error;
    return locks++ == 0 && lock_error ? -1 : 0;
}

/* a build waits for another one in spite of signals, and goes on where a folder has no locks */
TEST(one_build_after_another)
{
    char folder[] = "/tmp/kb_library_XXXXXX", path[256];
    static const int errors[] = {0, EINTR, ENOLCK};
    kb_mechanism *none;
    assert_non_null(mkdtemp(folder));
    setenv("KINBENCH_SOURCE", folder, 1);
    make_source(folder, "%s/new.so", 0);
    for (int k = 0; k < 3; k++) {
        lock_error = errors[k];
        locks = 0;
        snprintf(path, sizeof path, "%s/new.so: ", folder);
        bad(kb_mechanism_open("new_mechanism", &none), KB_ERROR_ARGUMENT, path);
        assert_int_equal(locks, lock_error == EINTR ? 2 : 1);
    }
    lock_error = 0;
    unsetenv("KINBENCH_SOURCE");
    snprintf(path, sizeof path, "%s/Makefile", folder);
    assert_true(remove(path) == 0 && remove(folder) == 0);
}

/* whether the solvers of a mechanism are those whose tables are read at run time */
static bool is_read(const kb_mechanism *of)
{
    const char *method, *engine;
    good(kb_mechanism_solver(of, 0, &method, &engine));
    return strstr(engine, "-any");
}

static kb_mechanism *open_text(const char *path, const char *text)
{
    kb_mechanism *opened;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
    return kb_mechanism_open(path, &opened) ? NULL : opened;
}

/* a file is read without a compiler, and the compiled solvers of the same mechanism are taken */
TEST(opens_a_file)
{
    char folder[] = "/tmp/kb_library_XXXXXX", path[64], text[20000];
    FILE *f = fopen("datasets/mechanisms/h2.yaml", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    kb_mechanism *compiled = m, *other;
    setenv("KINBENCH_SOURCE", "build/tests/read", 1);
    good(kb_mechanism_open("datasets/mechanisms/h2.yaml", &other));
    assert_false(is_read(other));
    kb_mechanism_close(other);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/made.yaml", folder);
    other = open_text(path, text);
    assert_true(other && is_read(other));
    for (int k = 0; k < 4; k++) {
        const char *engine = k % 2 ? "cpu-scalar" : NULL;
        int reactor = k / 2 ? KB_CONSTANT_VOLUME : KB_CONSTANT_PRESSURE;
        states a, b;
        set_states(&a, KB_ODE_MAJOR);
        b = a;
        kb_integrator *one = integrator("rodas4", engine, 1e-6, reactor);
        m = other;
        kb_integrator *two = integrator("rodas4", engine, 1e-6, reactor);
        m = compiled;
        good(kb_integrate(one, CELLS, a.T, a.p, a.Y, 1e-6, NULL, NULL));
        good(kb_integrate(two, CELLS, b.T, b.p, b.Y, 1e-6, NULL, NULL));
        for (int i = 0; i < CELLS; i++)
            assert_true(fabs(a.T[i] - b.T[i]) <= 1e-12 * a.T[i]);
        good(kb_rates(one, CELLS, a.T, a.p, a.Y, b.T, NULL, NULL));
        good(kb_rates(two, CELLS, a.T, a.p, a.Y, b.p, NULL, NULL));
        for (int i = 0; i < CELLS; i++)
            assert_true(fabs(b.T[i] - b.p[i]) <= 1e-9 * fabs(b.T[i]) + 1e-3);
        kb_integrator_free(one);
        kb_integrator_free(two);
    }
    kb_mechanism_close(other);
    assert_null(open_text(path, "phases: 3\n"));
    bad(KB_ERROR_ARGUMENT, KB_ERROR_ARGUMENT, "made.yaml");
    setenv("KINBENCH_SOURCE", "/nowhere", 1);
    bad(kb_mechanism_open(path, &other), KB_ERROR_ARGUMENT, "engine of any mechanism is not inst");
    unsetenv("KINBENCH_SOURCE");
    assert_true(remove(path) == 0 && remove(folder) == 0);
}

/* in a program that writes 1.5 as 1,5 */
TEST(numbers_of_another_locale)
{
    char folder[] = "/tmp/kb_library_XXXXXX", command[160], text[8];
    kb_mechanism *other;
    kb_integrator *it;
    assert_non_null(mkdtemp(folder));
    setenv("LOCPATH", folder, 1);
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>%s/said",
             folder, folder);
    bool german = !system(command) && setlocale(LC_ALL, "de_DE.UTF-8");
    if (german) {
        setenv("KINBENCH_SOURCE", "build/tests/read", 1);
        good(kb_mechanism_open("datasets/mechanisms/h2.yaml", &other));
        unsetenv("KINBENCH_SOURCE");
        kb_mechanism_close(other);
        good(kb_integrator_create(m, "rodas4:h0=1.5e-9", NULL, 0, 0, 0, &it));
        bad(kb_integrator_set(it, "threads", 1.5), KB_ERROR_ARGUMENT, "threads = 1.5,");
        kb_integrator_free(it);
        snprintf(text, sizeof text, "%g", 1.5);
        assert_string_equal(text, "1,5");
        setlocale(LC_ALL, "C");
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    unsetenv("LOCPATH");
    if (!german)
        skip();
}

TEST(lists_its_solvers)
{
    const char *method, *engine;
    int found = 0, i = 0;
    while (!kb_mechanism_solver(m, i, &method, &engine)) {
        found += !strcmp(method, "cvode") && !strcmp(engine, "cpu-scalar");
        i++;
    }
    assert_int_equal(found, 1);
    assert_int_equal(i, m->solvers->nsolvers);
}

/* each method once, also one whose name is a part of another one's: rkc, vode */
TEST(names_every_method)
{
    kb_integrator *it;
    kb_integrator_create(m, "rodas5", NULL, 0, 0, 0, &it);
    char *text = kb_format("%s", kb_last_error()), *rest = strstr(text, "(there are "), *word;
    const char *seen[64];
    int n = 0, methods = 0;
    assert_non_null(rest);
    for (rest += strlen("(there are "); (word = strsep(&rest, ", )"));)
        if (*word)
            seen[n++] = word;
    for (int i = 0; i < m->solvers->nsolvers; i++) {
        const char *name = m->solvers->solvers[i]->info.name;
        bool earlier = false;
        int times = 0;
        for (int k = 0; k < i; k++)
            earlier |= !strcmp(m->solvers->solvers[k]->info.name, name);
        for (int k = 0; k < n; k++)
            times += !strcmp(seen[k], name);
        assert_int_equal(times, 1);
        methods += !earlier;
    }
    assert_int_equal(n, methods);
    free(text);
}

/* none ends the program; all say it */
TEST(null_arguments)
{
    const char *method, *engine;
    kb_mechanism *none = NULL;
    kb_integrator *it = integrator("rodas4", "cpu-scalar", 1e-6, KB_CONSTANT_PRESSURE);
    double x[MOST] = {0};
    const int wrong = KB_ERROR_ARGUMENT;
#define SAYS(call)                                                                                 \
    kb_fail_with(0, "before");                                                                     \
    call;                                                                                          \
    bad(0, 0, "NULL")
    SAYS(assert_null(kb_mechanism_name(NULL)));
    SAYS(assert_int_equal(kb_mechanism_species(NULL), 0));
    SAYS(assert_null(kb_mechanism_species_name(NULL, 0)));
    SAYS(assert_true(kb_mechanism_weight(NULL, 0) == 0));
    SAYS(assert_int_equal(kb_mechanism_find_species(NULL, "H2"), -1));
    SAYS(assert_int_equal(kb_mechanism_solver(NULL, 0, &method, &engine), wrong));
    SAYS(assert_int_equal(kb_mechanism_solver(m, 0, NULL, &engine), wrong));
    SAYS(assert_int_equal(kb_mechanism_solver(m, 0, &method, NULL), wrong));
    SAYS(assert_int_equal(kb_mechanism_open(NULL, &none), wrong));
    SAYS(assert_int_equal(kb_mechanism_open("h2", NULL), wrong));
    SAYS(assert_int_equal(kb_integrator_create(NULL, "rodas4", NULL, 0, 0, 0, &it), wrong));
    SAYS(assert_int_equal(kb_integrator_create(m, "rodas4", NULL, 0, 0, 0, NULL), wrong));
    SAYS(assert_int_equal(kb_integrator_set(NULL, "threads", 1), wrong));
    SAYS(assert_int_equal(kb_integrator_set(it, NULL, 1), wrong));
    SAYS(assert_int_equal(kb_integrate(NULL, 1, x, x, x, 1, NULL, NULL), wrong));
    SAYS(assert_int_equal(kb_integrate(it, 1, NULL, x, x, 1, NULL, NULL), wrong));
    SAYS(assert_int_equal(kb_integrate(it, 1, x, x, NULL, 1, NULL, NULL), wrong));
    SAYS(assert_int_equal(kb_integrate_device(NULL, 1, x, x, x, 1, NULL, NULL, NULL), wrong));
    SAYS(assert_int_equal(kb_rates(NULL, 1, x, x, x, x, x, x), wrong));
    SAYS(assert_int_equal(kb_rates(it, 1, x, NULL, x, x, x, x), wrong));
    SAYS(assert_int_equal(kb_jacobian(NULL, 1, x, x, x, x), wrong));
    SAYS(assert_int_equal(kb_jacobian(it, 1, x, x, x, NULL), wrong));
    assert_int_equal(kb_mechanism_find_species(m, NULL), -1);
    kb_integrator_free(it);
}

/* State 0 of a call with one number changed: its status, and no change of it; neighbours go on */
static int status_with(kb_integrator *it, double *number, double value, states *s)
{
    int status[CELLS];
    double before = *number;
    *number = value;
    states begin = *s;
    int code = kb_integrate(it, CELLS, s->T, s->p, s->Y, 1e-6, status, NULL);
    assert_int_equal(code, status[0] ? KB_ERROR_ODES : KB_SUCCESS);
    for (int i = 1; i < CELLS; i++)
        assert_true(status[i] == 0 && s->T[i] != begin.T[i]);
    if (status[0])
        assert_memory_equal(s->Y, begin.Y, (size_t)nsp * sizeof *s->Y);
    *s = begin;
    *number = before;
    return status[0];
}

TEST(impossible_states)
{
    static const char *const solver[][2] = {{"rodas4", "cpu-simd"}, {"rkck", "cpu-scalar"},
                                            {"cvode", "cpu-scalar"}, {"auto", "cpu-simd"}};
    for (int k = 0; k < 8; k++) {
        states s;
        set_states(&s, KB_ODE_MAJOR);
        int n2 = kb_mechanism_find_species(m, "N2"), r = k % 2;
        double Y = s.Y[n2];
        kb_integrator *it = integrator(solver[k / 2][0], solver[k / 2][1], 1e-6,
                                       r ? KB_CONSTANT_VOLUME : KB_CONSTANT_PRESSURE);
        static const double T[] = {-5, 0, 49, 6001, 1e6}, p[] = {0, -1, 0.5, 1e-300, 2e9};
        for (int j = 0; j < 5; j++) {
            assert_int_equal(status_with(it, &s.T[0], T[j], &s), KB_ODE_BOUNDS);
            assert_int_equal(status_with(it, &s.p[0], p[j], &s), KB_ODE_BOUNDS);
        }
        assert_int_equal(status_with(it, &s.T[0], NAN, &s), KB_ODE_NOT_FINITE);
        assert_int_equal(status_with(it, &s.p[0], INFINITY, &s), KB_ODE_NOT_FINITE);
        assert_int_equal(status_with(it, &s.Y[n2], NAN, &s), KB_ODE_NOT_FINITE);
        assert_int_equal(status_with(it, &s.Y[n2], -0.1, &s), KB_ODE_BOUNDS);
        assert_int_equal(status_with(it, &s.Y[n2], Y + 1, &s), KB_ODE_BOUNDS);
        assert_int_equal(status_with(it, &s.Y[n2], 1e-3, &s), KB_ODE_BOUNDS);
        assert_int_equal(status_with(it, &s.Y[n2], Y + 5e-3, &s), KB_ODE_BOUNDS);
        good(kb_integrator_set(it, "repair", 1));
        assert_int_equal(status_with(it, &s.Y[n2], Y + 5e-3, &s), KB_ODE_OK);
        assert_int_equal(status_with(it, &s.Y[n2], Y + 5e-2, &s), KB_ODE_BOUNDS);
        kb_integrator_free(it);
    }
}

/* of n states number i, with `value` at `at`: refused by its number, or not */
static void rates_with(kb_integrator *it, states *s, int n, int i, double *at, double value,
                       bool refused)
{
    static double dT[CELLS], J[CELLS * (MOST + 1) * (MOST + 1)];
    double kept = *at;
    char says[40];
    snprintf(says, sizeof says, "state %d is impossible", i);
    *at = value;
    dT[0] = -77;
    int code = kb_rates(it, n, s->T, s->p, s->Y, dT, NULL, NULL);
    assert_true(!refused || dT[0] == -77);
    refused ? bad(code, KB_ERROR_ARGUMENT, says) : good(code);
    code = kb_jacobian(it, n, s->T, s->p, s->Y, J);
    refused ? bad(code, KB_ERROR_ARGUMENT, says) : good(code);
    *at = kept;
}

/* each limit in each lane of a vector, also of one that is not full */
TEST(impossible_rates)
{
    states s;
    int n2 = kb_mechanism_find_species(m, "N2"), n = CELLS - 3;
    set_states(&s, KB_ODE_MAJOR);
    for (int r = KB_CONSTANT_PRESSURE; r <= KB_CONSTANT_VOLUME; r++) {
        kb_integrator *it = integrator("rodas4", NULL, 1e-6, r);
        for (int i = 0; i < n; i++) {
            double *T = &s.T[i], *p = &s.p[i], *Y = &s.Y[i * nsp + n2];
            const struct {
                double *at, value;
                bool refused;
            } limit[] = {{T, NAN, true}, {T, INFINITY, true}, {T, -5, true}, {T, 49.9, true},
                         {T, 50, false}, {T, 6000, false}, {T, 6001, true}, {p, NAN, true},
                         {p, 0.9, true}, {p, 1, false}, {p, 1e9, false}, {p, 1.1e9, true},
                         {Y, *Y + 9e-3, false}, {Y, *Y + 1.1e-2, true}, {Y, *Y - 9e-3, false},
                         {Y, *Y - 1.1e-2, true}, {Y, NAN, true}};
            for (size_t k = 0; k < sizeof limit / sizeof *limit; k++)
                rates_with(it, &s, n, i, limit[k].at, limit[k].value, limit[k].refused);
            for (int k = 0; k < nsp; k++) /* the sum stays within its limit */
                if (s.Y[i * nsp + k] < 1e-4) {
                    rates_with(it, &s, n, i, &s.Y[i * nsp + k], -9e-4, false);
                    rates_with(it, &s, n, i, &s.Y[i * nsp + k], -1.1e-3, true);
                }
        }
        kb_integrator_free(it);
    }
}

/* what a call returns is a state of the next one, at loose tolerances too, through an ignition */
TEST(results_are_possible)
{
    static const double rtol[] = {1e-2, 1e-4};
    const char *method, *engine;
    for (int i = 0; !kb_mechanism_solver(m, i, &method, &engine); i++)
        for (int r = 0; r < 2 && !strncmp(engine, "cpu", 3); r++) {
            states s;
            if (!strncmp(method, "rk", 2) || !strcmp(method, "point_implicit"))
                continue; /* explicit: thousands of substeps; no error control */
            set_states(&s, KB_ODE_MAJOR);
            kb_integrator *it = integrator(method, engine, rtol[r], KB_CONSTANT_VOLUME);
            for (int k = 0; k < 30; k++) {
                int status[CELLS];
                kb_integrate(it, CELLS, s.T, s.p, s.Y, 2e-6, status, NULL);
                for (int j = 0; j < CELLS; j++)
                    if (status[j] == KB_ODE_BOUNDS)
                        fail_msg("%s on %s, rtol %g: call %d refuses its result", method, engine,
                                 rtol[r], k);
            }
            kb_integrator_free(it);
        }
}

TEST(impossible_tolerances)
{
    static const double wrong[] = {NAN, INFINITY, -INFINITY, -1e-6, 2, 1e300};
    static const char *const method[] = {"rodas4", "cvode", "auto"};
    kb_integrator *it;
    for (int k = 0; k < 18; k++) {
        double x = wrong[k % 6];
        bad(kb_integrator_create(m, method[k / 6], NULL, 1e-6, x, 0, &it), KB_ERROR_ARGUMENT,
            "atol = ");
        bad(kb_integrator_create(m, method[k / 6], NULL, x, 1e-10, 0, &it), KB_ERROR_ARGUMENT,
            "rtol = ");
        assert_null(strstr(kb_last_error(), "--solvers"));
    }
    bad(kb_integrator_create(m, "rodas4:atol=2", NULL, 0, 0, 0, &it), KB_ERROR_ARGUMENT,
        "atol = 2");
    bad(kb_integrator_create(m, "rodas4:h0=7", NULL, 0, 0, 0, &it), KB_ERROR_ARGUMENT,
        "'rodas4:h0=7': h0 = 7");
}

static int threads_asked;

static int note_threads(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)self, (void)err;
    threads_asked = job->threads;
    memset(result->count, 0, (size_t)job->n * sizeof *result->count);
    for (long i = 0; i < job->n; i++) {
        const double *state = job->states + i * (nsp + 2);
        double *y = result->y + i * (nsp + 1);
        y[0] = state[0];
        memcpy(y + 1, state + 2, (size_t)nsp * sizeof *y);
    }
    result->threads = job->threads;
    result->total = (double)job->n * 1e-6 / job->threads; /* 1 us an ODE */
    return KB_OK;
}

/* n = 1 starts no threads; neither do ODEs that are done before a thread has begun */
TEST(threads_by_work)
{
    static const kb_solver noting = {.info = {.name = "noting", .engine = "cpu", .lanes = 8},
                                     .run = note_threads};
    states s;
    int before = omp_get_max_threads();
    kb_integrator *it = integrator("rodas4", "cpu-simd", 1e-6, KB_CONSTANT_PRESSURE);
    it->solver = &noting;
    omp_set_num_threads(7);
    static const struct {
        int threads, first;
        long n;
        int expected;
    } of[] = {{0, 1, 1, 1}, {0, 1, 8, 1}, {0, 1, 9, 2}, {0, 1, 24, 3}, {0, 0, 24, 2}, {0, 0, 20, 1},
              {4, 0, 1, 1}, {4, 0, 24, 3}, {2, 0, 24, 2}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        set_states(&s, KB_ODE_MAJOR);
        it->cost = of[k].first ? 0 : 1e-6;
        good(kb_integrator_set(it, "threads", of[k].threads));
        good(kb_integrate(it, of[k].n, s.T, s.p, s.Y, 1e-6, NULL, NULL));
        assert_int_equal(threads_asked, of[k].expected);
        assert_true(fabs(it->cost - 1e-6) < 1e-12);
    }
    omp_set_num_threads(before);
    kb_integrator_free(it);
}

/* which has no threads of OpenMP but its own: the same results, and an end */
TEST(child_of_fork)
{
    states a, b;
    int status;
    kb_integrator *it = integrator("rodas4", "cpu-scalar", 1e-6, KB_CONSTANT_PRESSURE);
    good(kb_integrator_set(it, "threads", 3));
    set_states(&a, KB_ODE_MAJOR);
    b = a;
    good(kb_integrate(it, CELLS, a.T, a.p, a.Y, 1e-5, NULL, NULL));
    pid_t pid = fork();
    if (!pid) {
        alarm(600);
        int code = kb_integrate(it, CELLS, b.T, b.p, b.Y, 1e-5, NULL, NULL);
        _exit(code || memcmp(&a, &b, sizeof a));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    kb_integrator_free(it);
}

TEST(no_memory_is_no_end)
{
    jmp_buf here;
    static volatile int came_back;
    if (setjmp(here)) {
        came_back = 1;
    } else {
        kb_no_memory = &here;
        kb_realloc(NULL, SIZE_MAX, 2);
    }
    kb_no_memory = NULL;
    assert_true(came_back);
}

TESTS(open_h2, close_h2)
