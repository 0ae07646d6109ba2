/* SPDX-License-Identifier: MIT
 *
 * Transport between global steps: the mixture of a pair, its partner, and a chain of steps against
 * the same made by hand.
 */
#include <unistd.h>

#include "tests/test.h"
#include "drivers/bench/chain.h"
#include "mech/thermo/thermo.h"
#include "pasr/database/recipe.h"

enum { N = 6, WIDTH = 11, OUT = 10 }; /* H2: 9 species */
static const double tau = 2e-6, dt = 1e-6;
static const kb_solvers *h2;
static double rows[N * WIDTH]; /* four at 1 atm, one at 2, one at 3 */
static char folder[] = "/tmp/kb_mix_XXXXXX", path[64], beside[64];
static kb_database db;
static kb_mix mixing;

static void put_record(const char *json)
{
    FILE *f = fopen(beside, "w");
    fputs(json, f);
    fclose(f);
}

FIXTURE(open_all)
{
    assert_works(!(h2 = kb_solvers_open("h2", &err)) || !mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.npy", folder);
    snprintf(beside, sizeof beside, "%s/a.json", folder);
    for (int i = 0; i < N; i++) {
        double *s = rows + i * WIDTH;
        s[0] = 1010 + 150 * i; /* at 1000 K h has jumps */
        s[1] = 101325.0 * (i < 4 ? 1 : i - 2);
        for (int k = 0; k < h2->nsp; k++)
            s[2 + k] = !strcmp(h2->species[k], "H2")   ? 0.0285 - 0.001 * i
                       : !strcmp(h2->species[k], "O2") ? 0.2264
                       : !strcmp(h2->species[k], "N2") ? 0.7451 + 0.001 * i
                                                       : 0;
    }
    db = (kb_database){.n = N, .columns = WIDTH, .states = rows, .path = path};
    put_record("{\"parameters\": {\"mech\": \"h2\"}}");
    assert_works(kb_mix_open(&mixing, &db, h2, tau, &err));
    return 0;
}

FIXTURE(close_all)
{
    kb_mix_close(&mixing);
    remove(beside);
    return rmdir(folder);
}

/* how far state is from the mixture of a and b, over T, p and Y */
static double away(const double *state, const double *a, const double *b)
{
    double x = 0.5 * (1 + exp(-2 * dt / tau)), far = fabs(state[1] - a[1]);
    double h = x * kb_mix_h(&mixing.m, a[0], a + 2) + (1 - x) * kb_mix_h(&mixing.m, b[0], b + 2);
    far = larger(far, fabs(kb_mix_h(&mixing.m, state[0], state + 2) - h) / 1e6);
    for (int k = 2; k < WIDTH; k++)
        far = larger(far, fabs(state[k] - x * a[k] - (1 - x) * b[k]));
    return far;
}

/* the row that state was mixed with; -1: none */
static int partner_of(const double *state, const double *before)
{
    for (int i = 0; i < N; i++)
        if (away(state, before, rows + i * WIDTH) < 1e-12)
            return i;
    return -1;
}

/* Enthalpy and mass of both are those of the pair; partners have the same pressure and change from
 * step to step. A state that has no partner stays. */
TEST(pairs)
{
    double now[N * WIDTH], other[WIDTH];
    int changes = 0, last = -1;
    for (int step = 1; step <= 8; step++) {
        memcpy(now, rows, sizeof now);
        kb_mix_step(&mixing, rows, step, dt, N, now);
        for (int i = 0; i < N; i++) {
            int k = partner_of(now + i * WIDTH, rows + i * WIDTH);
            assert_true(k >= 0 && rows[k * WIDTH + 1] == rows[i * WIDTH + 1]);
            changes += i == 0 && k != last;
            last = i == 0 ? k : last;
        }
    }
    assert_true(changes > 2);
    memcpy(other, rows, sizeof other);
    other[1] = 5e5;
    memcpy(now, other, sizeof other);
    kb_mix_step(&mixing, other, 1, dt, 1, now);
    assert_memory_equal(now, other, sizeof other);
}

/* where the database says which: with the other one of its pair at all steps, from any place in the
 * batch; another state at its pressure with any one. A row that is none is refused. */
TEST(pairs_of_the_database)
{
    const long pair[N] = {2, 3, 0, 1, 5, 4};
    double aux[3 * N], now[N * WIDTH], other[WIDTH];
    kb_owned char *beside_aux = kb_beside(path, ".aux.npy");
    kb_mix mix_pairs;
    kb_error err = {0};
    for (int i = 0; i < N; i++) {
        aux[3 * i] = aux[3 * i + 2] = i;
        aux[3 * i + 1] = (double)pair[i];
    }
    put_record("{\"parameters\": {\"mech\": \"h2\"}, \"aux\": [\"time_s\", \"pair_row\", "
               "\"age_s\"]}");
    assert_works(kb_npy_write(beside_aux, N, 3, aux, &err));
    assert_works(kb_mix_open(&mix_pairs, &db, h2, tau, &err));
    for (int step = 1; step <= 3; step++)
        for (int i = 0; i < N; i++) {
            memcpy(now, rows + i * WIDTH, WIDTH * sizeof *rows);
            kb_mix_step(&mix_pairs, rows + i * WIDTH, step, dt, 1, now);
            assert_true(away(now, rows + i * WIDTH, rows + pair[i] * WIDTH) < 1e-12);
        }
    memcpy(other, rows, sizeof other);
    other[0] += 1;
    memcpy(now, other, sizeof other);
    kb_mix_step(&mix_pairs, other, 1, dt, 1, now);
    assert_true(partner_of(now, other) >= 0);
    kb_mix_close(&mix_pairs);
    aux[3 * N - 2] = N;
    assert_works(kb_npy_write(beside_aux, N, 3, aux, &err));
    assert_int_equal(kb_mix_open(&mix_pairs, &db, h2, tau, &err), KB_INVALID);
    assert_non_null(strstr(err.text, "row 5: pair_row 6 is no row"));
    kb_mix_close(&mix_pairs);
    assert_works(kb_npy_write(beside_aux, N - 1, 3, aux, &err));
    assert_int_equal(kb_mix_open(&mix_pairs, &db, h2, tau, &err), KB_INVALID);
    assert_non_null(strstr(err.text, "a.aux.npy: 5 x 3 numbers, expected 6 rows and the 3 "
                                     "columns of the .json"));
    kb_mix_close(&mix_pairs);
    remove(beside_aux);
    put_record("{\"parameters\": {\"mech\": \"h2\"}}");
}

/* neither the place of a state nor the others decide about its partner */
TEST(whatever_the_order)
{
    double now[N * WIDTH], turned[N * WIDTH], back[N * WIDTH];
    memcpy(now, rows, sizeof now);
    kb_mix_step(&mixing, rows, 3, dt, N, now);
    for (int i = 0; i < N; i++)
        memcpy(turned + i * WIDTH, rows + (N - 1 - i) * WIDTH, WIDTH * sizeof *rows);
    memcpy(back, turned, sizeof back);
    kb_mix_step(&mixing, turned, 3, dt, N, back);
    for (int i = 0; i < N; i++)
        assert_memory_equal(now + i * WIDTH, back + (N - 1 - i) * WIDTH, WIDTH * sizeof *rows);
    memcpy(back, rows, sizeof back);
    kb_mix_step(&mixing, rows, 3, dt, 1, back);
    assert_memory_equal(now, back, WIDTH * sizeof *rows);
}

/* reaction, mixing, reaction, mixing, reaction */
TEST(chain)
{
    const kb_solver *rkc = kb_solver_find(h2, "rkc", "cpu-scalar");
    kb_job job = {.n = N, .states = rows, .dt = dt, .reactor = KB_CONST_P, .rtol = 1e-6,
                  .atol = 1e-10, .schedule = KB_STATIC, .threads = 1};
    double y[N * OUT], own[N * OUT], plain[N * OUT], s[N * WIDTH], apart = 0;
    kb_count count[N];
    kb_result r = {.y = y, .count = count}, step = {.y = own, .count = count};
    kb_chain_how how = {3, KB_CHAIN_HOST, &mixing};
    assert_int_equal(kb_chain_run(h2, rkc, &job, &how, &r, NULL), KB_OK);
    memcpy(s, rows, sizeof s);
    job.states = s;
    for (int k = 0; k < how.steps; k++) {
        for (int i = 0; i < N && k > 0; i++) {
            s[i * WIDTH] = own[i * OUT];
            memcpy(s + i * WIDTH + 2, own + i * OUT + 1, 9 * sizeof *s);
        }
        if (k > 0)
            kb_mix_step(&mixing, rows, k, dt, N, s);
        assert_int_equal(rkc->run(rkc, &job, &step, NULL), KB_OK);
    }
    assert_memory_equal(y, own, sizeof y);
    job.states = rows;
    how.mix = NULL;
    r.y = plain;
    assert_int_equal(kb_chain_run(h2, rkc, &job, &how, &r, NULL), KB_OK);
    for (int i = 0; i < N * OUT; i++)
        apart = larger(apart, fabs(plain[i] - y[i]));
    assert_true(apart > 50); /* K: mixing does something */
}

TEST(other_mechanism)
{
    kb_mix none;
    put_record("{\"parameters\": {\"mech\": \"h2co\"}}");
    assert_fails(kb_mix_open(&none, &db, h2, tau, &err), KB_INVALID, "another mechanism");
    kb_mix_close(&none);
    remove(beside);
    assert_fails(kb_mix_open(&none, &db, h2, tau, &err), KB_INVALID, "a.json");
    kb_mix_close(&none);
}

TESTS(open_all, close_all)
