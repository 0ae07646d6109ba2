/* SPDX-License-Identifier: MIT
 *
 * Partially stirred reactor: pairs, mixing, streams, conservation, the same bytes whatever the
 * threads and the other conditions.
 */
#include "tests/test.h"
#include "mech/thermo/equilibrium.h"
#include "pasr/generators/common/mixture.h"
#include "pasr/generators/common/streams.h"
#include "tests/unit/pasr_case.h"

static double element_mass(const double *Y, int e)
{
    double sum = 0;
    for (int i = 0; i < mech.nspecies; i++)
        sum += mech.species[i].atoms[e] * Y[i] / mech.species[i].weight;
    return sum;
}

/* premixed inflow and pilot have the same elements and enthalpy: so has every particle, always */
TEST(conserves)
{
    kb_pasr r = small(KB_PREMIXED);
    kb_output o;
    kb_error err = {0};
    int columns = mech.nspecies + 2;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &o, &err), KB_OK);
    assert_int_equal(o.n, 2 * 21 * 20);
    long burning = 0;
    for (long i = 0; i < o.n; i++) {
        const double *row = o.states + i * columns;
        const double *first = o.states + i / (21 * 20) * 21 * 20 * columns;
        double sum = 0;
        for (int j = 2; j < columns; j++)
            sum += row[j];
        assert_true(fabs(sum - 1) <= 1e-12);
        double h = kb_mix_h(&mech, row[0], row + 2), h0 = kb_mix_h(&mech, first[0], first + 2);
        assert_true(fabs(h - h0) <= 1e-6); /* J/kg, of 1e5 */
        assert_true(row[1] == KB_ATM);
        for (int e = 0; e < mech.nelements; e++)
            assert_true(fabs(element_mass(row + 2, e) - element_mass(first + 2, e)) <= 1e-13);
        burning += row[0] < first[0] - 100;
    }
    assert_true(burning > 50); /* fresh gas came in */
    kb_output_free(&o);
    kb_recipe_free(&kb_pasr_form, &r);
}

static kb_pasr_work begin(const kb_pasr *r, const kb_solvers *s, const kb_march_how *how)
{
    kb_pasr_work w = {.r = r, .m = &mech, .s = s, .how = how};
    assert_works(kb_pasr_begin(&w, &err));
    return w;
}

/* mean over condition 0 of h [0] and of Y [1 ...] */
static void means(const kb_pasr_work *w, double *mean)
{
    memset(mean, 0, (size_t)(w->columns - 1) * sizeof *mean);
    for (long i = 0; i < w->n; i++) {
        mean[0] += w->h[i] / (double)w->n;
        for (int j = 2; j < w->columns; j++)
            mean[j - 1] += w->rows[i * w->columns + j] / (double)w->n;
    }
}

TEST(flow_and_mixing)
{
    kb_pasr r = small(KB_NON_PREMIXED);
    r.particles = 60;
    kb_march_how how = {0};
    kb_pasr_work w = begin(&r, solvers, &how);
    double before[32], after[32], decay = exp(-0.2);
    int seen[60], fresh = 0;
    for (int step = 0; step < 10; step++) {
        kb_pasr_flow(&w, 0);
        memset(seen, 0, sizeof seen);
        for (long i = 0; i < w.n; i++)
            seen[w.place[i]]++;
        for (long i = 0; i < w.n; i++)
            assert_int_equal(seen[i], 1);
        for (long i = 0; i < w.n; i++)
            fresh += w.rows[i * w.columns] == 600;
        means(&w, before);
        long p = w.place[0], q = w.place[1];
        double h = w.h[p] - w.h[q], Y = w.rows[p * w.columns + 2] - w.rows[q * w.columns + 2];
        assert_int_equal(kb_pasr_mix(&w, 0, NULL), KB_OK);
        assert_true(fabs(w.h[p] - w.h[q] - h * decay) <= 1e-14 * fabs(w.h[p]) + 1e-9);
        Y *= decay;
        assert_true(fabs(w.rows[p * w.columns + 2] - w.rows[q * w.columns + 2] - Y) <= 1e-15);
        means(&w, after);
        assert_true(fabs(before[0] - after[0]) <= 1e-12 * fabs(before[0]) + 1e-9);
        for (int j = 1; j < w.columns - 1; j++)
            assert_true(fabs(before[j] - after[j]) <= 1e-14);
        double T = w.rows[p * w.columns];
        assert_true(fabs(kb_mix_h(&mech, T, w.rows + p * w.columns + 2) - w.h[p]) <= 1e-6);
    }
    assert_true(fresh >= 10 * 3); /* 6 a step come in, one in ten of them as pilot */
    kb_pasr_end(&w);
    kb_recipe_free(&kb_pasr_form, &r);
}

/* however many particles have come in, each stream has had its share of them within one */
TEST(shares_are_kept)
{
    kb_pasr r = small(KB_NON_PREMIXED);
    r.particles = 60;
    kb_march_how how = {0};
    kb_pasr_work w = begin(&r, solvers, &how);
    const kb_pasr_stream *stream = w.condition[1].stream;
    size_t Y_size = (size_t)mech.nspecies * sizeof(double);
    long fresh[KB_PASR_STREAMS] = {0}, all = 0;
    for (int step = 0; step < 200; step++) {
        for (long i = w.n; i < 2 * w.n; i++)
            w.rows[i * w.columns] = -1; /* those that stay */
        kb_pasr_flow(&w, 1);
        for (long i = w.n; i < 2 * w.n; i++)
            for (int k = 0; k < 3 && w.rows[i * w.columns] > 0; k++)
                fresh[k] += !memcmp(w.rows + i * w.columns + 2, stream[k].row + 2, Y_size);
        all = fresh[0] + fresh[1] + fresh[2];
        assert_int_equal(all, 6 * (step + 1)); /* 3 pairs */
        for (int k = 0; k < 3; k++)
            assert_true(fabs((double)fresh[k] - stream[k].share * (double)all) < 1);
    }
    assert_true(fresh[0] > 20); /* the fuel */
    kb_pasr_end(&w);
    kb_recipe_free(&kb_pasr_form, &r);
}

/* the streams' shares add up to 1, and their mixture is the premixed gas */
TEST(streams)
{
    kb_pasr r = small(KB_NON_PREMIXED), premixed = small(KB_PREMIXED);
    kb_march_how how = {0};
    r.phi = premixed.phi = 0.7;
    r.pilot = 0.1;
    kb_pasr_work w = begin(&r, solvers, &how), v = begin(&premixed, solvers, &how);
    const kb_pasr_condition *c = &w.condition[0];
    assert_int_equal(c->nstreams, 3);
    assert_true(c->stream[2].share == 0.1);
    double share = 0, h = 0;
    for (int i = 0; i < 3; i++) {
        share += c->stream[i].share;
        h += c->stream[i].share * c->stream[i].h;
    }
    assert_true(fabs(share - 1) <= 1e-14);
    assert_true(fabs(h - c->h) <= 1e-9 * fabs(c->h));
    for (int j = 2; j < w.columns; j++) {
        double Y = c->stream[0].share / 0.9 * c->stream[0].row[j] +
                   c->stream[1].share / 0.9 * c->stream[1].row[j];
        assert_true(fabs(Y - v.condition[0].stream[0].row[j]) <= 1e-14);
    }
    kb_pasr_end(&w);
    kb_pasr_end(&v);
    kb_recipe_free(&kb_pasr_form, &r);
    kb_recipe_free(&kb_pasr_form, &premixed);
}

/* what is said of each condition is so in its rows */
TEST(conditions_are_of_their_rows)
{
    kb_pasr r = small(KB_NON_PREMIXED);
    kb_march_how how = {0};
    kb_output o;
    int columns = mech.nspecies + 2;
    long next = 0;
    assert_works(run_with(&r, solvers, how, &o, &err));
    json_t *all = json_object_get(o.results, "conditions"), *one;
    assert_int_equal(json_array_size(all), 2);
    size_t c;
    json_array_foreach(all, c, one)
    {
        long first = (long)json_integer_value(json_object_get(one, "first_row"));
        long rows = (long)json_integer_value(json_object_get(one, "rows"));
        double low = INFINITY, high = 0;
        assert_int_equal(first, next);
        for (long i = first; i < first + rows; i++) {
            low = fmin(low, o.states[i * columns]);
            high = fmax(high, o.states[i * columns]);
        }
        assert_true(json_real_value(json_object_get(one, "T_min_K")) == low);
        assert_true(json_real_value(json_object_get(one, "T_max_K")) == high);
        assert_true(json_real_value(json_object_get(one, "T0_K")) == r.T0.v[c]);
        next = first + rows;
    }
    assert_int_equal(next, o.n);
    kb_output_free(&o);
    kb_recipe_free(&kb_pasr_form, &r);
}

/* a mixture without a temperature, of particles and of streams */
TEST(no_temperature)
{
    kb_pasr r = small(KB_NON_PREMIXED);
    kb_march_how how = {0};
    kb_pasr_work w = begin(&r, solvers, &how);
    w.h[w.n + 3] = 1e12;
    assert_works(kb_pasr_settle(&w, w.n + 2, &err));
    assert_fails(kb_pasr_settle(&w, w.n + 3, &err), KB_INVALID,
                 "step 0, condition 1, particle 3: no temperature has the enthalpy 1e+12");
    double mixed[16], hot[16];
    const double *air = w.condition[0].stream[1].row;
    memcpy(hot, w.condition[0].stream[0].row, (size_t)w.columns * sizeof *hot);
    hot[0] = 1e9;
    assert_works(kb_mix_streams(&mech, hot, air, 0, mixed, &err));
    assert_fails(kb_mix_streams(&mech, hot, air, 0.25, mixed, &err), KB_INVALID,
                 "no temperature for the unburnt mixture at z = 0.25");
    kb_pasr_end(&w);
    kb_recipe_free(&kb_pasr_form, &r);
}

TEST(same_bytes)
{
    static const char *const expected[] = {
        "8af3133ae80c03f1510b11192b9fc00753012e8c1759398a56d152ce614a1e5f",
        "ae1ae466218829bb1ecf0151fb13f4b846c5bffde0e922c102deee7ab23ef3ad"};
    for (int inflow = 0; inflow < 2; inflow++) {
        kb_pasr r = small(inflow);
        assert_same_bytes(run_pasr, &r, expected[inflow]);
        kb_recipe_free(&kb_pasr_form, &r);
    }
}

/* with rodas4; other rounding of another CPU's vector exp moves them by less than 1e-5 */
TEST(reference_means)
{
    static const double expected[] = {1659.39567, 1864.283174};
    kb_pasr r = small(KB_PREMIXED);
    kb_output o;
    r.pilot = 0.3; /* so few particles go out with less */
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &o, NULL), KB_OK);
    for (int c = 0; c < 2; c++) {
        double T = o.aux[(c * 21 + 20) * 20 * o.naux + 3];
        if (!(fabs(T / expected[c] - 1) <= 1e-5))
            fail_msg("condition %d: mean T %.10g K, expected %.10g K", c, T, expected[c]);
    }
    kb_output_free(&o);
    kb_recipe_free(&kb_pasr_form, &r);
}

/* of the two streams: nitrogen is of the air alone, 3.76 N2 on an O2 */
TEST(mixture_fraction_is_that_of_nitrogen)
{
    int N2 = kb_find_species(&mech, "N2"), O2 = kb_find_species(&mech, "O2");
    double n = 3.76 * mech.species[N2].weight, air = n / (n + mech.species[O2].weight);
    kb_pasr r = small(KB_NON_PREMIXED);
    kb_output o;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &o, NULL), KB_OK);
    for (long i = 0; i < o.n; i++) {
        double z = 1 - o.states[i * (mech.nspecies + 2) + 2 + N2] / air;
        assert_true(fabs(o.aux[i * o.naux + 4] - z) < 1e-9);
    }
    kb_output_free(&o);
    kb_recipe_free(&kb_pasr_form, &r);
}

TEST(threads_and_batch)
{
    kb_pasr r = small(KB_PREMIXED);
    kb_output one, two, alone;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){.threads = 1}, &one, NULL), KB_OK);
    assert_int_equal(run_with(&r, solvers, (kb_march_how){.threads = 3}, &two, NULL), KB_OK);
    assert_same(&one, &two);
    kb_output_free(&two);
    r.T0 = (kb_axis){1, {800}}; /* the second condition by itself, with its own seed */
    r.seed++;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &alone, NULL), KB_OK);
    assert_memory_equal(alone.states, one.states + alone.n * (mech.nspecies + 2),
                        (size_t)alone.n * ((size_t)mech.nspecies + 2) * sizeof(double));
    r.seed++;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &two, NULL), KB_OK);
    assert_memory_not_equal(alone.states, two.states,
                            (size_t)alone.n * ((size_t)mech.nspecies + 2) * sizeof(double));
    kb_output_free(&one);
    kb_output_free(&two);
    kb_output_free(&alone);
    kb_recipe_free(&kb_pasr_form, &r);
}

static kb_output rows_of(int kind)
{
    kb_pasr r = small(KB_PREMIXED);
    kb_output o;
    r.states = kind;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &o, NULL), KB_OK);
    assert_string_equal(o.kind.name, kb_pasr_states[kind]);
    assert_true(o.kind.dt == kb_pasr_dt(&r));
    kb_recipe_free(&kb_pasr_form, &r);
    return o;
}

/* The rows of a point in time react by themselves: T from the enthalpy, which stays */
static void react_rows(double *rows, long n)
{
    kb_pasr r = small(KB_PREMIXED);
    kb_react x;
    kb_reacted sum = {0};
    size_t columns = (size_t)mech.nspecies + 2;
    assert_int_equal(kb_react_open(&x, solvers, n, r.rtol, r.atol, 1, NULL, NULL), KB_OK);
    kb_owned double *before = kb_alloc((size_t)n * columns, sizeof *before);
    memcpy(before, rows, (size_t)n * columns * sizeof *rows);
    assert_int_equal(kb_react_step(&x, rows, kb_pasr_dt(&r), &sum, NULL), KB_OK);
    for (long i = 0; i < n; i++) {
        double *row = rows + i * (long)columns, *from = before + i * (long)columns;
        row[0] = kb_T_from_h(&mech, kb_mix_h(&mech, from[0], from + 2), row + 2, row[0]);
    }
    kb_react_close(&x);
    kb_recipe_free(&kb_pasr_form, &r);
}

enum { PARTICLES = 20, TIMES = 21, CONDITIONS = 2 }; /* of small() */

/* Rows before and after a step differ by the reaction step, and by nothing else; at the start there
 * was none */
TEST(before_and_after)
{
    kb_output after = rows_of(KB_ROWS_AFTER), before = rows_of(KB_ROWS_BEFORE);
    long columns = mech.nspecies + 2, one = PARTICLES * columns, moved = 0;
    kb_owned double *rows = kb_alloc((size_t)one, sizeof *rows);
    assert_int_equal(after.n, before.n);
    for (long k = 0; k < CONDITIONS * TIMES; k++) {
        const double *end = after.states + k * one, *start = before.states + k * one;
        memcpy(rows, start, (size_t)one * sizeof *rows);
        if (k % TIMES == 0) {
            assert_memory_equal(rows, end, (size_t)one * sizeof *rows);
            continue;
        }
        react_rows(rows, PARTICLES);
        for (long i = 0; i < one; i++) {
            double scale = i % columns ? 1 : 1000;
            if (!(fabs(rows[i] - end[i]) <= 1e-11 * scale * (1 + fabs(end[i]) / scale)))
                fail_msg("time %ld, number %ld: %.17g, expected %.17g", k, i, rows[i], end[i]);
            moved += i % columns == 0 && fabs(start[i] - end[i]) > 1;
        }
    }
    assert_true(moved > 20); /* particles whose reaction is more than noise */
    kb_output_free(&after);
    kb_output_free(&before);
}

static double of_condition(const kb_output *o, size_t c, const char *key)
{
    const json_t *list = json_object_get(o->results, "conditions");
    return json_number_value(json_object_get(json_array_get(list, c), key));
}

/* what the record says of each condition, from its states: 41 times, the last 21 of which are the
 * second half and have an error, the 10 before them the second quarter */
TEST(results_of_conditions)
{
    enum { N = 41, HALF = 20, PARTS = 10 };
    kb_pasr r = small(KB_PREMIXED);
    kb_output o;
    double least = 1;
    long columns = mech.nspecies + 2;
    r.times = 4;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &o, NULL), KB_OK);
    assert_int_equal(o.n, CONDITIONS * N * PARTICLES);
    for (long i = 0; i < o.n; i++)
        for (long j = 2; j < columns; j++)
            least = fmin(least, o.states[i * columns + j]);
    assert_true(json_number_value(json_object_get(o.results, "Y_min")) == least);
    for (size_t c = 0; c < CONDITIONS; c++) {
        double T[N] = {0}, low = INFINITY, high = 0, mean = 0, quarter = 0, parts = 0, squares = 0;
        for (long i = 0; i < N * PARTICLES; i++) {
            double x = o.states[((long)c * N * PARTICLES + i) * columns];
            T[i / PARTICLES] += x / PARTICLES;
            low = fmin(low, x);
            high = fmax(high, x);
        }
        for (int i = HALF; i < N; i++)
            mean += T[i] / (N - HALF);
        for (int i = HALF / 2; i < HALF; i++)
            quarter += T[i] / (HALF - HALF / 2);
        double part[PARTS] = {0};
        for (int b = 0; b < PARTS; b++) { /* two times each, three in the last */
            int n = b < PARTS - 1 ? 2 : 3;
            for (int i = 0; i < n; i++)
                part[b] += T[HALF + 2 * b + i] / n;
            parts += part[b] / PARTS;
        }
        for (int b = 0; b < PARTS; b++)
            squares += (part[b] - parts) * (part[b] - parts) / (PARTS - 1);
        assert_float_equal(of_condition(&o, c, "T_min_K"), low, 0);
        assert_float_equal(of_condition(&o, c, "T_max_K"), high, 0);
        assert_float_equal(of_condition(&o, c, "T_mean_second_half_K"), mean, 1e-9);
        assert_float_equal(of_condition(&o, c, "T_mean_second_quarter_K"), quarter, 1e-9);
        assert_float_equal(of_condition(&o, c, "T_mean_standard_error_K"), sqrt(squares / PARTS),
                           1e-6);
        assert_true(squares > 1); /* K^2: there is an error to see */
        assert_float_equal(of_condition(&o, c, "first_row"), (double)(c * N * PARTICLES), 0);
        assert_float_equal(of_condition(&o, c, "rows"), N * PARTICLES, 0);
        assert_float_equal(of_condition(&o, c, "T0_K"), c ? 800 : 600, 0);
        double *Y = kb_alloc((size_t)mech.nspecies, sizeof *Y), burnt = c ? 800 : 600, p = KB_ATM;
        assert_int_equal(kb_premixed(&mech, r.fuel, r.oxidizer, r.phi, Y, NULL), KB_OK);
        assert_int_equal(kb_equilibrate(&mech, KB_FIXED_HP, &burnt, &p, Y, NULL), KB_OK);
        assert_float_equal(of_condition(&o, c, "T_equilibrium_K"), burnt, 1e-3);
        free(Y);
    }
    kb_output_free(&o);
    kb_recipe_free(&kb_pasr_form, &r);
}

TEST(both_kinds)
{
    kb_output kind[] = {rows_of(KB_ROWS_BEFORE), rows_of(KB_ROWS_AFTER)};
    kb_output both = rows_of(KB_ROWS_BOTH);
    size_t one = PARTICLES * ((size_t)mech.nspecies + 2);
    assert_int_equal(both.n, 2 * kind[0].n);
    assert_string_equal(both.aux_names[both.naux - 3], "pair_row");
    assert_string_equal(both.aux_names[both.naux - 2], "reacted");
    assert_string_equal(both.aux_names[both.naux - 1], "partner_row");
    assert_string_equal(kind[0].aux_names[kind[0].naux - 1], "reacted");
    for (size_t k = 0; k < 2 * CONDITIONS * TIMES; k++) {
        assert_memory_equal(both.states + k * one, kind[k % 2].states + k / 2 * one,
                            one * sizeof *both.states);
        const double *aux = both.aux + k * PARTICLES * (size_t)both.naux;
        assert_true(aux[both.naux - 2] == (double)(k % 2));
        for (long i = 0; i < PARTICLES; i++) { /* its partner is the same particle's other row */
            long partner = (long)aux[(i + 1) * both.naux - 1];
            const double *other = both.aux + partner * both.naux;
            assert_true(other[both.naux - 2] != aux[both.naux - 2]);
            assert_true(other[2] == (double)i && other[1] == aux[1] && other[0] == aux[0]);
            assert_true(other[both.naux - 1] == (double)(k * PARTICLES + (size_t)i));
            long pair = (long)aux[(i + 1) * both.naux - 3]; /* of the same kind, time, condition */
            const double *mate = both.aux + pair * both.naux;
            assert_true(pair / PARTICLES == (long)k && mate[2] != (double)i);
            assert_true((long)mate[both.naux - 3] == (long)(k * PARTICLES) + i);
        }
        assert_true(aux[0] == kind[0].aux[k / 2 * PARTICLES * (size_t)kind[0].naux]); /* time */
    }
    for (int i = 0; i < 2; i++)
        kb_output_free(&kind[i]);
    kb_output_free(&both);
}

/* Mixing keeps the sum of a pair: of the states before it, those after the reaction before. Only
 * where a fresh particle came in, two in each step of a condition, it is another one. */
TEST(pairs_that_mixed)
{
    kb_output both = rows_of(KB_ROWS_BOTH);
    long columns = mech.nspecies + 2, moved = 0, kept = 0;
    for (long k = 0; k < CONDITIONS * TIMES; k++)
        for (long i = 0; i < PARTICLES && k % TIMES; i++) {
            long row = 2 * k * PARTICLES + i, mate = (long)both.aux[(row + 1) * both.naux - 3];
            const double *now = both.states + row * columns, *other = both.states + mate * columns;
            double change = 0, of_sum = 0;
            for (long j = 2; j < columns; j++) {
                double own = now[j] - now[j - PARTICLES * columns];
                change = larger(change, fabs(own));
                of_sum = larger(of_sum, fabs(own + other[j] - other[j - PARTICLES * columns]));
            }
            moved += change > 1e-3;
            kept += change > 1e-3 && of_sum < 1e-12;
        }
    print_message("%ld particles mixed, %ld with the sum of their pair\n", moved, kept);
    assert_true(kept > 50 && moved - kept <= 4 * CONDITIONS * (TIMES - 1));
    kb_output_free(&both);
}

/* n states at least: spread over the length, or more steps where it is too short */
TEST(as_many_as_asked)
{
    static const struct {
        long n, kept, every, steps;
    } cases[] = {{40, 1, 1, 10}, {41, 2, 10, 20}, {160, 4, 3, 19}, {1000, 25, 1, 34}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kb_pasr r = small(KB_PREMIXED); /* 40 states at once, 20 steps */
        kb_output o;
        r.start = 1;
        r.least = cases[i].n;
        kb_pasr_plan plan = kb_pasr_plan_of(&r);
        assert_int_equal(plan.kept, cases[i].kept);
        assert_int_equal(plan.every, cases[i].every);
        assert_int_equal(plan.steps, cases[i].steps);
        assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &o, NULL), KB_OK);
        assert_int_equal(o.n, 40 * cases[i].kept);
        assert_true(o.aux[0] == 10 * kb_pasr_dt(&r));
        assert_true(fabs(o.aux[(o.n - 1) * o.naux] - (double)cases[i].steps * kb_pasr_dt(&r)) <
                    1e-12);
        kb_output_free(&o);
        kb_recipe_free(&kb_pasr_form, &r);
    }
}

/* Coarse steps far from states that are kept, fine ones before them */
TEST(coarse_steps)
{
    kb_pasr r = small(KB_PREMIXED);
    kb_march_how how = {0};
    r.start = 1;
    r.dt = 1e-5;
    r.coarse = 1e-4;
    r.least = 41;
    r.states = KB_ROWS_BEFORE;
    kb_pasr_plan p = kb_pasr_plan_of(&r);
    assert_int_equal(p.kept, 2);
    assert_int_equal(p.first, 9 + 10); /* 0.9 ms and 0.1 ms */
    assert_int_equal(p.every, 9 + 10);
    assert_int_equal(p.steps, 38);
    double time = 0;
    for (long step = 1; step <= p.steps; step++) {
        time += kb_pasr_step_dt(&p, step);
        assert_true(kb_pasr_step_dt(&p, step) == ((step - 1) % 19 < 9 ? p.coarse_dt : 1e-5));
        if (step == p.first)
            assert_true(fabs(time - 1e-3) < 1e-15);
    }
    assert_true(fabs(time - 2e-3) < 1e-15 && fabs(p.coarse_dt - 1e-4) < 1e-18);
    kb_pasr_work w = begin(&r, solvers, &how);
    for (int i = 0; i < 2; i++) {
        w.march.clock->step = i ? 10 : 1;
        assert_int_equal(kb_pasr_step(&w, NULL), KB_OK);
        assert_true(w.dt == (i ? 1e-5 : p.coarse_dt));
    }
    kb_pasr_end(&w);
    kb_output o;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &o, NULL), KB_OK);
    assert_true(o.kind.dt == 1e-5);
    assert_true(fabs(o.aux[0] - 1e-3) < 1e-15 && fabs(o.aux[20 * o.naux] - 2e-3) < 1e-15);
    kb_output_free(&o);
    kb_recipe_free(&kb_pasr_form, &r);
}

/* steps of a dt that is short beside the mixing time: none is longer than a tenth of the time to
 * the state that is kept, and the last hundred are dt */
static void check_short(double dt, double coarse, long steps)
{
    kb_pasr r = small(KB_PREMIXED);
    r.tau_res = 5e-3;
    r.tau_mix = r.tau_pair = 1e-3;
    r.start = 1;
    r.dt = dt;
    r.coarse = coarse;
    r.least = 41;
    kb_pasr_plan p = kb_pasr_plan_of(&r);
    assert_int_equal(p.first, steps);
    assert_int_equal(p.every, steps);
    assert_int_equal(p.steps, 2 * steps);
    double left = r.tau_res;
    for (long step = 1; step <= p.steps; step++) {
        double h = kb_pasr_step_dt(&p, step), short_of = left - 100 * dt;
        assert_true(short_of < 0.5 * dt ? h == dt : h >= dt && h < 1.0001 * coarse);
        if (left < 0.99e-4)
            assert_true(h < 1.0001 * fmax(dt, 0.1 * left));
        left -= h;
        assert_true(left > -0.5 * dt);
        if (step == steps) {
            assert_true(fabs(left) < 0.5 * dt);
            left = (double)p.every_at * dt;
        }
    }
    assert_true(fabs(left) < 0.5 * dt);
    kb_recipe_free(&kb_pasr_form, &r);
}

TEST(short_steps)
{
    check_short(1e-6, 2e-5, 364);
    check_short(1e-7, 2e-5, 1444); /* all fine ones are dt */
    check_short(1e-8, 2e-5, 525);
    check_short(1e-10, 2e-5, 705);
    check_short(1e-9, 1e-6, 4900 + 990 + 90 + 100); /* fine ones are shorter than coarse ones */
}

/* states that are closer to one another than long steps may come to the next */
TEST(short_steps_between_close_states)
{
    kb_pasr r = small(KB_PREMIXED);
    r.tau_res = 5e-3;
    r.tau_mix = r.tau_pair = 1e-3;
    r.dt = 1e-8;
    r.coarse = 2e-5;
    r.every = 150;
    kb_pasr_plan p = kb_pasr_plan_of(&r);
    assert_int_equal(p.every, 5 + 100);
    r.every = 100;
    p = kb_pasr_plan_of(&r);
    assert_int_equal(p.every, 100);
    kb_recipe_free(&kb_pasr_form, &r);
}

/* as many lengths as there can be, up to 1e11 dt */
TEST(shortest_steps)
{
    kb_pasr r = small(KB_PREMIXED);
    r.tau_res = 0.5;
    r.tau_mix = r.tau_pair = r.start = 1;
    r.dt = 1e-15;
    r.coarse = 2e-2;
    r.least = 41;
    kb_pasr_plan p = kb_pasr_plan_of(&r);
    assert_int_equal(p.first, 20 + 990 + 10 * 90 + 100);
    assert_true(fabs(kb_pasr_step_dt(&p, 21) - 1e-4) < 1e-16);
    assert_true(fabs(kb_pasr_step_dt(&p, p.first - 100) - 1e-14) < 1e-26);
    assert_true(kb_pasr_step_dt(&p, p.first) == 1e-15);
    kb_recipe_free(&kb_pasr_form, &r);
}

TEST(cvode_agrees)
{
    kb_pasr r = small(KB_PREMIXED);
    r.rtol = 1e-9;
    r.atol = 1e-15;
    kb_output a, b;
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &a, NULL), KB_OK);
    free(r.solver);
    r.solver = kb_strdup("cvode");
    assert_int_equal(run_with(&r, solvers, (kb_march_how){0}, &b, NULL), KB_OK);
    for (long i = 0; i < a.n; i++) {
        double T = a.states[i * (mech.nspecies + 2)], U = b.states[i * (mech.nspecies + 2)];
        if (!(fabs(T - U) <= 1e-3))
            fail_msg("row %ld: rodas4 %.8g K, cvode %.8g K", i, T, U);
    }
    kb_output_free(&a);
    kb_output_free(&b);
    kb_recipe_free(&kb_pasr_form, &r);
}

TESTS(open_all, close_all)
