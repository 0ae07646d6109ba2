/* SPDX-License-Identifier: MIT
 *
 * The step of a flow code (kb_integrate_step) and the gas (kb_properties, kb_temperature), compiled
 * and of a mechanism file: against the plain C thermodynamics of mech/thermo, and against calls of
 * kb_integrate one ODE at a time.
 */
#include "library/inside.h"
#include "mech/thermo/thermo.h"
#include "tests/test.h"
#include "tests/library/outcome.h"

enum { CELLS = 40, MOST = 64 };
#define DT 1e-5

static const char *the_name, *the_file;
static kb_mechanism *m;
static kb_mech mech;
static int nsp;

typedef struct {
    double T[CELLS], p[CELLS], Y[CELLS * MOST];
} states;

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * fabs(b)))
        fail_msg("%.15g, expected %.15g within %g", a, b, tolerance);
}

static kb_integrator *integrator(const char *method, const char *engine, int reactor)
{
    kb_integrator *it;
    good(kb_integrator_create(m, method, engine, 1e-7, 1e-11, reactor, &it));
    good(kb_integrator_set(it, "threads", 1));
    return it;
}

/* the compiled solvers of H2, and GRI 3.0 from its file without a compiler */
FIXTURE(open_mechanism)
{
    kb_error err = {0};
    setenv("KINBENCH_SOURCE", "build/tests/read", 1);
    if (kb_mechanism_open(the_name, &m) || kb_mech_load(&mech, the_file, NULL, &err))
        return -1;
    unsetenv("KINBENCH_SOURCE");
    nsp = kb_mechanism_species(m);
    return nsp <= MOST ? 0 : -1;
}

FIXTURE(close_mechanism)
{
    kb_mechanism_close(m);
    kb_mech_free(&mech);
    return 0;
}

/* hot mixtures of hydrogen and air, with some of everything */
static void set_states(states *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < CELLS; i++) {
        double *Y = s->Y + i * nsp, sum = 0;
        s->T[i] = 900 + 30 * i;
        s->p[i] = 101325 * (1 + i % 3);
        for (int k = 0; k < nsp; k++)
            Y[k] = 1e-5 * ((i + 3 * k) % 7);
        Y[kb_mechanism_find_species(m, "H2")] = 0.02 + 0.0005 * i;
        Y[kb_mechanism_find_species(m, "O2")] = 0.22;
        Y[kb_mechanism_find_species(m, "N2")] = 0;
        for (int k = 0; k < nsp; k++)
            sum += Y[k];
        Y[kb_mechanism_find_species(m, "N2")] = 1 - sum;
    }
}

/* random mixtures from 160 to 5900 K, beyond the data of species too */
static void set_any_states(states *s)
{
    uint64_t seed = 7;
    for (int i = 0; i < CELLS; i++) {
        double sum = 0;
        s->T[i] = 160 + 5740.0 * i / (CELLS - 1);
        s->p[i] = 1e5 * (1 + i);
        for (int k = 0; k < nsp; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            sum += s->Y[i * nsp + k] = (double)(seed >> 40);
        }
        for (int k = 0; k < nsp; k++)
            s->Y[i * nsp + k] /= sum;
    }
}

static void turn(const double *Y, double *by_species)
{
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < nsp; k++)
            by_species[k * CELLS + i] = Y[i * nsp + k];
}

/* ---- the gas ---- */

TEST(gas_as_mech_thermo)
{
    states s;
    double turned[CELLS * MOST], density[CELLS], h[CELLS], cp[CELLS], again[CELLS];
    set_any_states(&s);
    turn(s.Y, turned);
    kb_integrator *it = integrator("rodas4", NULL, KB_CONSTANT_VOLUME);
    good(kb_properties(it, CELLS, s.T, s.p, s.Y, density, h, cp));
    for (int i = 0; i < CELLS; i++) {
        const double *Y = s.Y + i * nsp;
        near(density[i], kb_density(&mech, s.T[i], s.p[i], Y), 1e-13);
        near(cp[i], kb_mix_cp(&mech, s.T[i], Y), 1e-12);
        assert_true(fabs(h[i] - kb_mix_h(&mech, s.T[i], Y)) <= 1e-12 * (fabs(h[i]) + 1e7));
    }
    for (int n = 1; n < 10; n++) { /* nothing behind the last cell is written */
        memset(again, 0, sizeof again);
        good(kb_properties(it, n, s.T, s.p, s.Y, NULL, again, NULL));
        assert_memory_equal(again, h, (size_t)n * sizeof *h);
        assert_true(again[n] == 0 && h[n] != 0);
    }
    good(kb_integrator_set(it, "layout", KB_SPECIES_MAJOR));
    good(kb_properties(it, CELLS, s.T, s.p, turned, NULL, again, NULL));
    assert_memory_equal(again, h, sizeof h);
    good(kb_properties(it, CELLS, s.T, s.p, turned, again, NULL, NULL));
    assert_memory_equal(again, density, sizeof density);
    kb_integrator_free(it);
}

/* T again from wherever the search begins */
TEST(temperature_of_an_energy)
{
    static const double from[] = {300, 5999, -1, NAN};
    states s;
    set_any_states(&s);
    kb_integrator *it = integrator("rodas4", NULL, KB_CONSTANT_PRESSURE);
    for (int reactor = 0; reactor < 2; reactor++)
        for (int k = 0; k < 4; k++) {
            double energy[CELLS], T[CELLS];
            for (int i = 0; i < CELLS; i++) {
                T[i] = from[k];
                energy[i] = reactor == KB_CONSTANT_VOLUME
                                ? kb_mix_u(&mech, s.T[i], s.Y + i * nsp)
                                : kb_mix_h(&mech, s.T[i], s.Y + i * nsp);
            }
            good(kb_temperature(it, reactor, CELLS, energy, s.Y, T));
            for (int i = 0; i < CELLS; i++)
                near(T[i], s.T[i], 1e-10);
        }
    kb_integrator_free(it);
}

TEST(wrong_gas)
{
    states s;
    double x[CELLS], T[CELLS];
    set_any_states(&s);
    kb_integrator *it = integrator("rodas4", NULL, KB_CONSTANT_PRESSURE);
    good(kb_properties(it, CELLS, s.T, s.p, s.Y, NULL, x, NULL));
    memcpy(T, s.T, sizeof T);
    x[5] = 1e9;
    bad(kb_temperature(it, KB_CONSTANT_PRESSURE, CELLS, x, s.Y, T), KB_ERROR_ARGUMENT,
        "state 5: no T from 50 to 6000 K has enthalpy = 1e+09 J/kg");
    x[5] = -1e9;
    bad(kb_temperature(it, KB_CONSTANT_VOLUME, CELLS, x, s.Y, T), KB_ERROR_ARGUMENT,
        "state 5: no T from 50 to 6000 K has energy = -1e+09 J/kg");
    x[5] = NAN;
    bad(kb_temperature(it, KB_CONSTANT_PRESSURE, CELLS, x, s.Y, T), KB_ERROR_ARGUMENT, "nan J/kg");
    assert_memory_equal(T, s.T, sizeof T);
    bad(kb_temperature(it, 2, CELLS, x, s.Y, T), KB_ERROR_ARGUMENT, "reactor 2");
    bad(kb_temperature(it, 0, CELLS, NULL, s.Y, T), KB_ERROR_ARGUMENT, "energy is NULL");
    bad(kb_temperature(it, 0, CELLS, x, s.Y, NULL), KB_ERROR_ARGUMENT, "T is NULL");
    bad(kb_temperature(NULL, 0, CELLS, x, s.Y, T), KB_ERROR_ARGUMENT, "integrator is NULL");
    bad(kb_temperature(it, 0, -1, x, s.Y, T), KB_ERROR_ARGUMENT, "n = -1");
    bad(kb_properties(NULL, 1, T, s.p, s.Y, x, NULL, NULL), KB_ERROR_ARGUMENT, "is NULL");
    bad(kb_properties(it, 1, T, NULL, s.Y, x, NULL, NULL), KB_ERROR_ARGUMENT, "p is NULL");
    good(kb_properties(it, 0, NULL, NULL, NULL, NULL, NULL, NULL));
    s.Y[2 * nsp + 1] = 0.7;
    bad(kb_temperature(it, 0, CELLS, x, s.Y, T), KB_ERROR_ARGUMENT, "state 2 is impossible");
    bad(kb_properties(it, CELLS, s.T, s.p, s.Y, x, x, x), KB_ERROR_ARGUMENT,
        "state 2 is impossible");
    kb_integrator_free(it);
}

/* ---- states by other quantities ---- */

TEST(states_by_energies)
{
    for (int way = 0; way < 4; way++) {
        int reactor = way / 2;
        bool by_density = way % 2;
        states a, b;
        double energy[CELLS], density[CELLS];
        kb_flow_step step = {.size = sizeof step};
        set_states(&a);
        b = a;
        for (int i = 0; i < CELLS; i++) {
            const double *Y = a.Y + i * nsp;
            density[i] = kb_density(&mech, a.T[i], a.p[i], Y);
            energy[i] = by_density ? kb_mix_u(&mech, a.T[i], Y) : kb_mix_h(&mech, a.T[i], Y);
            b.T[i] = 300;
            b.p[i] = by_density ? -1 : b.p[i];
        }
        if (by_density)
            step.density = density, step.energy = energy;
        else
            step.enthalpy = energy;
        kb_integrator *it = integrator("rodas4", NULL, reactor);
        good(kb_integrate(it, CELLS, a.T, a.p, a.Y, DT, NULL, NULL));
        good(kb_integrate_step(it, CELLS, b.T, b.p, b.Y, DT, &step));
        for (int i = 0; i < CELLS; i++) {
            near(b.T[i], a.T[i], 1e-7);
            near(b.p[i], a.p[i], 1e-7);
            for (int k = 0; k < nsp; k++)
                assert_true(fabs(a.Y[i * nsp + k] - b.Y[i * nsp + k]) <= 1e-7);
        }
        kb_integrator_free(it);
    }
}

/* Y are repaired before T is found, if that is asked for; else they are refused */
TEST(energies_of_repaired_states)
{
    states clean, noisy;
    double h[CELLS];
    kb_flow_step step = {.size = sizeof step, .enthalpy = h};
    set_states(&clean);
    noisy = clean;
    for (int i = 0; i < CELLS; i++) {
        h[i] = kb_mix_h(&mech, clean.T[i], clean.Y + i * nsp);
        noisy.T[i] = 300;
        for (int k = 0; k < nsp; k++)
            noisy.Y[i * nsp + k] *= i % 2 ? 1.004 : 0.996;
    }
    kb_integrator *it = integrator("rodas4", NULL, KB_CONSTANT_PRESSURE);
    bad(kb_integrate_step(it, CELLS, noisy.T, noisy.p, noisy.Y, DT, &step), KB_ERROR_ODES,
        "40 of 40 ODEs failed");
    good(kb_integrator_set(it, "repair", 1));
    good(kb_integrate_step(it, CELLS, noisy.T, noisy.p, noisy.Y, DT, &step));
    good(kb_integrate(it, CELLS, clean.T, clean.p, clean.Y, DT, NULL, NULL));
    for (int i = 0; i < CELLS; i++)
        near(noisy.T[i], clean.T[i], 1e-7);
    kb_integrator_free(it);
}

/* the made-up gas of rooms_apart: which room each call has had */
static struct {
    const double *from, *to;
} rooms[16];
static int nrooms;

static int note_room(const kb_solvers *self, const char *engine, const kb_gas_states *g,
                     kb_error *err)
{
    assert_true(nrooms < 16);
    rooms[nrooms].from = g->y;
    rooms[nrooms++].to = g->y + g->n * (nsp + 1);
    return m->solvers->gas(self, engine, g, err);
}

/* T of so many states are found in parts, which threads may do at once: each has room of its own */
TEST(rooms_apart)
{
    enum { N = 5 * KB_FOUND_AT_ONCE - 7 };
    kb_solvers made_up = *m->solvers;
    kb_mechanism mechanism = {&made_up};
    kb_integrator *it;
    states s;
    double *T = kb_alloc(N, sizeof *T), *p = kb_alloc(N, sizeof *p), *h = kb_alloc(N, sizeof *h);
    double *Y = kb_alloc((size_t)N * (size_t)nsp, sizeof *Y), expected[CELLS];
    kb_flow_step step = {.size = sizeof step, .enthalpy = h};
    made_up.gas = note_room;
    nrooms = 0;
    set_states(&s);
    for (int i = 0; i < N; i++) {
        const double *from = s.Y + i % CELLS * nsp;
        p[i] = s.p[i % CELLS];
        h[i] = kb_mix_h(&mech, s.T[i % CELLS], from);
        memcpy(Y + (size_t)i * (size_t)nsp, from, (size_t)nsp * sizeof *Y);
    }
    good(kb_integrator_create(&mechanism, "rodas4", NULL, 1e-7, 1e-11, KB_CONSTANT_PRESSURE, &it));
    good(kb_integrator_set(it, "threads", 1));
    good(kb_integrate_step(it, N, T, p, Y, 1e-12, &step));
    memcpy(expected, s.T, sizeof expected);
    for (int i = 0; i < N; i++)
        near(T[i], expected[i % CELLS], 1e-6);
    assert_int_equal(nrooms, 5);
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < a; b++)
            assert_true(rooms[a].from >= rooms[b].to || rooms[b].from >= rooms[a].to);
    kb_integrator_free(it);
    free(T);
    free(p);
    free(h);
    free(Y);
}

TEST(energies_without_a_temperature)
{
    states s, begin;
    int status[CELLS];
    double h[CELLS], RR[CELLS * MOST], density[CELLS];
    kb_flow_step step = {.size = sizeof step, .enthalpy = h, .status = status, .RR = RR};
    set_states(&s);
    begin = s;
    kb_integrator *it = integrator("rodas4", NULL, KB_CONSTANT_PRESSURE);
    good(kb_properties(it, CELLS, s.T, s.p, s.Y, density, h, NULL));
    h[3] = 1e9;
    h[5] = NAN;
    bad(kb_integrate_step(it, CELLS, s.T, s.p, s.Y, DT, &step), KB_ERROR_ODES,
        "2 of 40 ODEs failed, the first is 3: out of bounds");
    assert_string_equal(kb_status_text(status[5]), "not finite");
    for (int i = 3; i < 6; i += 2) {
        assert_true(s.T[i] == begin.T[i]);
        for (int k = 0; k < nsp; k++)
            assert_true(RR[i * nsp + k] == 0 && s.Y[i * nsp + k] == begin.Y[i * nsp + k]);
    }
    step = (kb_flow_step){.size = sizeof step, .density = density, .energy = h, .status = status};
    h[3] = h[5] = 0;
    density[4] = -1;
    density[6] = NAN;
    s = begin;
    bad(kb_integrate_step(it, 7, s.T, s.p, s.Y, DT, &step), KB_ERROR_ODES, "2 of 7 ODEs failed");
    assert_string_equal(kb_status_text(status[4]), "out of bounds");
    assert_true(status[6] && s.p[4] == begin.p[4]);
    kb_integrator_free(it);
}

/* ---- what is taken back ---- */

/* the same bits in every layout, and what the change of Y says */
TEST(mean_source_terms)
{
    states a, b, begin;
    double RR[CELLS * MOST], turned[CELLS * MOST], kept[CELLS * MOST], density[CELLS], cost[CELLS];
    double *columns[MOST], *columns_of_RR[MOST];
    kb_work work[CELLS];
    kb_flow_step step = {.size = sizeof step, .RR = RR, .cost = cost, .work = work};
    set_states(&a);
    begin = b = a;
    kb_integrator *it = integrator("rodas4", NULL, KB_CONSTANT_PRESSURE);
    good(kb_properties(it, CELLS, a.T, a.p, a.Y, density, NULL, NULL));
    good(kb_integrate_step(it, CELLS, a.T, a.p, a.Y, DT, &step));
    good(kb_integrate(it, CELLS, b.T, b.p, b.Y, DT, NULL, NULL));
    assert_memory_equal(&a, &b, sizeof a);
    for (int i = 0; i < CELLS; i++) {
        double sum = 0, size = 0;
        for (int k = 0; k < nsp; k++) {
            int at = i * nsp + k;
            double expected = density[i] * (a.Y[at] - begin.Y[at]) / DT;
            assert_true(fabs(RR[at] - expected) <= 1e-12 * fabs(expected));
            sum += RR[at];
            size += fabs(RR[at]);
        }
        assert_true(fabs(sum) <= 1e-9 * size);
        near(cost[i], work[i].rhs + 2 * work[i].jacobians + work[i].factorisations +
                          0.3 * work[i].solves, 1e-15);
        assert_true(cost[i] > 1);
    }
    for (int k = 0; k < nsp; k++) {
        columns[k] = turned + k * CELLS;
        columns_of_RR[k] = kept + k * CELLS;
    }
    turn(begin.Y, turned);
    b = begin;
    step = (kb_flow_step){.size = sizeof step, .Y_arrays = columns, .RR_arrays = columns_of_RR,
                     .keep = 1};
    good(kb_integrate_step(it, CELLS, b.T, b.p, NULL, DT, &step));
    assert_memory_equal(b.T, begin.T, sizeof b.T);
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < nsp; k++) {
            assert_true(turned[k * CELLS + i] == begin.Y[i * nsp + k]);
            assert_true(kept[k * CELLS + i] == RR[i * nsp + k]);
        }
    step.keep = 0;
    step.RR_arrays = NULL;
    good(kb_integrator_set(it, "layout", KB_SPECIES_MAJOR));
    good(kb_integrate_step(it, CELLS, b.T, b.p, NULL, DT, &step));
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < nsp; k++)
            assert_true(turned[k * CELLS + i] == a.Y[i * nsp + k] && b.T[i] == a.T[i]);
    kb_integrator_free(it);
}

/* methods and engines that have a dt and a first substep for each ODE */
static const struct {
    const char *method, *engine;
} stepped[] = {{"rodas4", "cpu-simd"}, {"rodas4", "cpu-scalar"}, {"rodas4:pass=1", "cpu-simd"},
               {"rodas3", NULL}, {"ros3", NULL}, {"seulex", NULL}, {"radau2a", NULL},
               {"vode", NULL}, {"vode", "cpu-scalar"}, {"rkc", NULL}, {"exp4", NULL},
               {"cvode", NULL}, {"cvode:pass=1", NULL}, {"rodas4:h0=1", NULL},
               {"point_implicit:steps=500", NULL}, {"auto", NULL}};
enum { STEPPED = sizeof stepped / sizeof *stepped };

/* of a large mechanism two of them */
static bool skipped(int k)
{
    return nsp > 20 && k != 0 && strcmp(stepped[k].method, "cvode");
}

static kb_integrator *stepped_integrator(int k)
{
    kb_integrator *it;
    double rtol = !strcmp(stepped[k].method, "auto") ? 1e-4 : 1e-7;
    const char *engine = stepped[k].engine;
    good(kb_integrator_create(m, stepped[k].method, !strcmp(stepped[k].method, "auto") ? "cpu-simd"
                              : engine, rtol, 1e-11, KB_CONSTANT_PRESSURE, &it));
    good(kb_integrator_set(it, "threads", 1));
    return it;
}

/* as calls of one ODE each */
TEST(a_dt_of_each)
{
    for (int k = 0; k < STEPPED; k++) {
        states a, b;
        double dt[CELLS];
        kb_flow_step step = {.size = sizeof step, .dt = dt};
        bool choice = !strcmp(stepped[k].method, "auto"); /* by n, too */
        if (skipped(k))
            continue;
        set_states(&a);
        b = a;
        kb_integrator *it = stepped_integrator(k);
        for (int i = 0; i < CELLS; i++)
            dt[i] = DT * pow(10, -2 * (i % 4));
        good(kb_integrate_step(it, CELLS, a.T, a.p, a.Y, -1, &step));
        for (int i = 0; i < CELLS; i++) {
            good(kb_integrate(it, 1, b.T + i, b.p + i, b.Y + i * nsp, dt[i], NULL, NULL));
            near(a.T[i], b.T[i], choice ? 1e-4 : 1e-9);
            for (int j = 0; j < nsp; j++)
                assert_true(fabs(a.Y[i * nsp + j] - b.Y[i * nsp + j]) <= (choice ? 1e-4 : 1e-9));
        }
        kb_integrator_free(it);
    }
}

static double attempts(const kb_work *work)
{
    double sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += work[i].attempted;
    return sum;
}

/* ten steps, each from the substep that the one before has left, beside ten cold ones */
TEST(a_warm_start)
{
    enum { STEPS = 10 };
    for (int k = 0; k < STEPPED; k++) {
        states a, b;
        double h[CELLS] = {0}, all[2] = {0};
        kb_work work[CELLS];
        kb_flow_step step = {.size = sizeof step, .substep = h, .next_substep = h, .work = work};
        if (!strncmp(stepped[k].method, "point_implicit", 14) ||
            !strcmp(stepped[k].method, "auto") || skipped(k))
            continue;
        set_states(&a);
        b = a;
        kb_integrator *it = stepped_integrator(k);
        for (int s = 0; s < STEPS; s++) {
            good(kb_integrate_step(it, CELLS, a.T, a.p, a.Y, DT, &step));
            all[0] += attempts(work);
            for (int i = 0; i < CELLS; i++)
                assert_true(h[i] > 0 && h[i] < 20 * DT);
            good(kb_integrate(it, CELLS, b.T, b.p, b.Y, DT, NULL, work));
            all[1] += attempts(work);
        }
        for (int i = 0; i < CELLS; i++)
            near(a.T[i], b.T[i], 1e-5);
        if (!strcmp(stepped[k].method, "rodas4") || !strcmp(stepped[k].method, "radau2a"))
            assert_true(all[0] < 0.95 * all[1]);
        kb_integrator_free(it);
    }
}

/* ODEs end at different times, and one fails: each has its own next substep */
TEST(substeps_of_failed_odes)
{
    static const char *const method[] = {"rodas4", "cvode"};
    for (int k = 0; k < 2; k++) {
        states s;
        double h[CELLS];
        kb_flow_step step = {.size = sizeof step, .next_substep = h};
        set_states(&s);
        s.T[7] = NAN;
        kb_integrator *it = integrator(method[k], NULL, KB_CONSTANT_PRESSURE);
        bad(kb_integrate_step(it, CELLS, s.T, s.p, s.Y, DT, &step), KB_ERROR_ODES, "1 of 40");
        for (int i = 0; i < CELLS; i++)
            assert_true(i == 7 ? h[i] == 0 : h[i] > 0);
        kb_integrator_free(it);
    }
}

/* ---- errors ---- */

TEST(wrong_steps)
{
    states s, begin;
    double x[CELLS], *none[MOST] = {0};
    kb_flow_step step = {.size = sizeof step};
    set_states(&s);
    begin = s;
    kb_integrator *it = integrator("rodas4", NULL, KB_CONSTANT_PRESSURE);
#define WRONG(says, ...)                                                                           \
    step = (kb_flow_step){.size = sizeof step, __VA_ARGS__};                                       \
    bad(kb_integrate_step(it, CELLS, s.T, s.p, s.Y, DT, &step), KB_ERROR_ARGUMENT, says)
    for (int i = 0; i < CELLS; i++)
        x[i] = DT;
    WRONG("density without energy", .density = x);
    WRONG("energy without density", .energy = x);
    WRONG("enthalpy and energy: expected one of them", .enthalpy = x, .density = x, .energy = x);
    WRONG("Y and Y_arrays: expected one of them", .Y_arrays = none);
    WRONG("RR and RR_arrays: expected one of them", .RR = s.Y, .RR_arrays = none);
    WRONG("RR_arrays[0], of ", .RR_arrays = none);
    WRONG("keep = 2, expected 0 or 1", .keep = 2);
    bad(kb_integrate_step(it, CELLS, s.T, s.p, NULL, DT, &step), KB_ERROR_ARGUMENT, "Y is NULL");
    step = (kb_flow_step){.size = sizeof step, .Y_arrays = none};
    bad(kb_integrate_step(it, CELLS, s.T, s.p, NULL, DT, &step), KB_ERROR_ARGUMENT,
        "Y_arrays[0], of ");
    static const double wrong[] = {-1, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        x[4] = wrong[k];
        WRONG("dt[4] = ", .dt = x);
        WRONG("substep[4] = ", .substep = x);
    }
    x[4] = 0;
    WRONG("dt[4] = 0 s, expected more than 0", .dt = x);
    x[4] = 0.99e-6 * DT;
    WRONG("dt[4] = 9.9e-12 s in a call with one of 1e-05 s, expected 1e-06 of that", .dt = x);
    bad(kb_integrate_step(it, CELLS, s.T, s.p, s.Y, 0, NULL), KB_ERROR_ARGUMENT, "dt = 0 s");
    bad(kb_integrate_step(NULL, CELLS, s.T, s.p, s.Y, DT, NULL), KB_ERROR_ARGUMENT, "NULL");
    step = (kb_flow_step){.status = NULL};
    bad(kb_integrate_step(it, CELLS, s.T, s.p, s.Y, DT, &step), KB_ERROR_ARGUMENT,
        "size = 0, expected sizeof(kb_flow_step)");
    assert_memory_equal(&s, &begin, sizeof s);
    kb_integrator_free(it);
    if (nsp > 20) /* of which few methods may be compiled */
        return;
    it = integrator("point_implicit", NULL, KB_CONSTANT_PRESSURE);
    WRONG("point_implicit has equal substeps", .substep = x);
    kb_integrator_free(it);
}

/* callers of an earlier header have fewer members, of a later one more */
TEST(other_sizes)
{
    states a, b;
    int status[CELLS] = {0};
    struct {
        kb_flow_step step;
        void *later;
    } more = {.step = {.size = sizeof more, .status = status}};
    set_states(&a);
    a.T[2] = NAN;
    b = a;
    kb_integrator *it = integrator("rodas4", NULL, KB_CONSTANT_PRESSURE);
    bad(kb_integrate_step(it, CELLS, a.T, a.p, a.Y, DT, &more.step), KB_ERROR_ODES, "1 of 40");
    assert_true(status[2] != 0 && status[1] == 0);
    more.later = &more;
    bad(kb_integrate_step(it, CELLS, b.T, b.p, b.Y, DT, &more.step), KB_ERROR_ARGUMENT,
        "with members that libkinbench");
    more.step.size = offsetof(kb_flow_step, status); /* which is not read */
    status[2] = -1;
    bad(kb_integrate_step(it, CELLS, b.T, b.p, b.Y, DT, &more.step), KB_ERROR_ODES, "1 of 40");
    assert_int_equal(status[2], -1);
    more.step.size = sizeof more.step.size; /* no member but this one */
    bad(kb_integrate_step(it, CELLS, b.T, b.p, b.Y, DT, &more.step), KB_ERROR_ODES, "1 of 40");
    more.step.size--;
    bad(kb_integrate_step(it, CELLS, b.T, b.p, b.Y, DT, &more.step), KB_ERROR_ARGUMENT,
        "size = 7, expected sizeof(kb_flow_step)");
    kb_integrator_free(it);
}

TEST(names_of_species)
{
    const char *names[] = {"N2", "H2", "O2"}, *wrong[] = {"H2", "Xe"}, *none[] = {NULL};
    int index[3] = {-7, -7, -7};
    bad(kb_mechanism_find_all(m, 2, wrong, index), KB_ERROR_ARGUMENT,
        "species 1, 'Xe', is not among the");
    bad(kb_mechanism_find_all(m, 1, none, index), KB_ERROR_ARGUMENT, "species 0, 'NULL'");
    bad(kb_mechanism_find_all(m, -1, names, index), KB_ERROR_ARGUMENT, "n = -1");
    bad(kb_mechanism_find_all(m, 2, NULL, index), KB_ERROR_ARGUMENT, "names");
    bad(kb_mechanism_find_all(m, 1, NULL, index), KB_ERROR_ARGUMENT, "names");
    bad(kb_mechanism_find_all(m, 1, names, NULL), KB_ERROR_ARGUMENT, "names");
    bad(kb_mechanism_find_all(NULL, 2, names, index), KB_ERROR_ARGUMENT, "NULL");
    assert_int_equal(index[0], -7);
    good(kb_mechanism_find_all(m, 0, NULL, NULL));
    good(kb_mechanism_find_all(m, 3, names, index));
    for (int i = 0; i < 3; i++)
        assert_string_equal(kb_mechanism_species_name(m, index[i]), names[i]);
}

int main(void)
{
    static const char *const opened[][2] = {
        {"build/mech/h2/solvers.so", "datasets/mechanisms/h2.yaml"},
        {"datasets/mechanisms/gri30.yaml", "datasets/mechanisms/gri30.yaml"}};
    int failed = 0;
    for (int k = 0; k < 2; k++) {
        the_name = opened[k][0];
        the_file = opened[k][1];
        failed += cmocka_run_group_tests_name(the_name, kb_tests, open_mechanism, close_mechanism);
    }
    return failed;
}
