/* SPDX-License-Identifier: MIT */
#include "tests/test.h"
#include "mech/oneway.h"
#include "tests/unit/reference.h"

static kb_mech convert(const kb_mech *m, kb_oneway *how)
{
    kb_mech out;

    assert_works(kb_oneway_convert(m, how, &out, &err));
    free(how->errors);
    how->errors = NULL;
    return out;
}

static void counts(const char *path, int reactions)
{
    kb_mech m = read_mech(path);
    kb_oneway how = {.fit = KB_FIT_EXACT};
    kb_mech out = convert(&m, &how);

    assert_int_equal(out.nreactions, reactions);
    for (int i = 0; i < out.nreactions; i++)
        assert_true(!out.reactions[i].reversible && !out.reactions[i].has_reverse);
    assert_true(how.worst > 1e-4 && how.worst < 0.01);
    for (int i = 0; i < out.nreactions; i++) /* the text is its own */
        assert_true(out.reactions[i].file && out.reactions[i].file != m.reactions[0].file);
    kb_mech_free(&out);
    kb_mech_free(&m);
}

TEST(shipped_mechanisms)
{
    counts(DATASETS "gri30.yaml", 634);
    counts(DATASETS "h2co.yaml", 54);
    counts(DATASETS "h2.yaml", 38);
}

TEST(usc_ii)
{
    const char *folder = getenv("KB_MECH_PATH");
    kb_oneway how = {.fit = KB_FIT_LEAST_SQUARES};
    kb_mech m, out;

    if (!folder) {
        print_message("KB_MECH_PATH is unset: no USC Mech II\n");
        skip();
    }
    kb_owned char *mech = kb_format("%s/usc2/mech.inp", folder);
    kb_owned char *thermo = kb_format("%s/usc2/therm.dat", folder);
    assert_works(kb_chemkin_read(&m, mech, thermo, &err));
    out = convert(&m, &how);
    assert_int_equal(out.nreactions, 1566);
    kb_mech_free(&out);
    kb_mech_free(&m);
}

/* kr of m's reaction i against kf of its one-way twin: largest relative difference. Irreversible
 * ones and dropped ones have no twin; the order is forward, reverse, forward, reverse ... */
static double compare_at(const kb_mech *m, const kb_mech *out, double T, uint64_t *random)
{
    size_t n = (size_t)out->nreactions;
    kb_owned double *C = kb_alloc((size_t)m->nspecies, sizeof *C), *kf = kb_alloc(n, sizeof *kf);
    double *kr = kb_alloc(n, sizeof *kr), *one = kb_alloc(n, sizeof *one), worst = 0, drawn, p;
    int j = 0;

    draw_C(random, m->nspecies, &drawn, &p, C);
    kb_mech_rates(m, T, p, C, kf, kr, NULL, NULL);
    kb_mech_rates(out, T, p, C, one, NULL, NULL, NULL);
    for (int i = 0; i < m->nreactions; i++) {
        assert_true(fabs(one[j] - kf[i]) <= 1e-14 * fabs(kf[i]));
        j++;
        if (m->reactions[i].reversible && !(m->reactions[i].has_reverse && kr[i] == 0)) {
            worst = larger(worst, one[j] == kr[i] ? 0 : fabs(one[j] - kr[i]) / fabs(kr[i]));
            j++;
        }
    }
    assert_int_equal(j, out->nreactions);
    free(kr);
    free(one);
    return worst;
}

/* At its three temperatures the fit is exact: fall-off, PLOG, named colliders and negative A too */
static void exact_at_three_temperatures(const char *path)
{
    kb_mech m = read_mech(path);
    kb_oneway how = {.fit = KB_FIT_EXACT, .T = {900, 1300, 2100}};

    for (int i = 0; i < m.nreactions; i++)
        if (m.reactions[i].type == KB_CHEBYSHEV)
            m.reactions[i].reversible = false;
    kb_mech out = convert(&m, &how);
    uint64_t random = 2;
    for (int i = 0; i < 10; i++)
        for (int t = 0; t < 3; t++)
            assert_true(compare_at(&m, &out, how.T[t], &random) < 1e-10);
    kb_mech_free(&out);
    kb_mech_free(&m);
}

/* The error that is told for 300-3500 K is that of the rates, worst first */
TEST(wide_errors_are_those_of_the_rates)
{
    kb_mech m = read_mech(DATASETS "h2.yaml"), out;
    kb_oneway how = {.fit = KB_FIT_EXACT};
    uint64_t random = 3;

    assert_works(kb_oneway_convert(&m, &how, &out, &err));
    assert_int_equal(how.nerrors, 19);
    for (int i = 1; i < how.nerrors; i++)
        assert_true(fabs(log(how.errors[i].ratio_wide)) <= fabs(log(how.errors[i - 1].ratio_wide)));
    assert_true(how.errors[0].T_wide == 300);
    double worst = 0;
    for (int i = 0; i < how.nerrors; i++)
        worst = larger(worst, fabs(how.errors[i].ratio_wide - 1));
    assert_true(fabs(compare_at(&m, &out, 300, &random) / worst - 1) < 1e-9);
    free(how.errors);
    kb_mech_free(&out);
    kb_mech_free(&m);
}

TEST(exact_fit_is_exact)
{
    exact_at_three_temperatures(DATASETS "gri30.yaml");
    exact_at_three_temperatures("tests/data/rate_types.yaml");
}

/* The reported error bounds what is seen over 1000-2500 K, and is met where it was found. */
TEST(reported_error_is_the_largest)
{
    kb_mech m = read_mech(DATASETS "gri30.yaml");

    for (int fit = KB_FIT_EXACT; fit <= KB_FIT_LEAST_SQUARES; fit++) {
        kb_oneway how = {.fit = (kb_fit)fit};
        kb_mech out = convert(&m, &how);
        uint64_t random = 8;

        for (double T = 1000; T <= 2500; T += 50)
            assert_true(compare_at(&m, &out, T, &random) <= 1.02 * how.worst);
        double there = compare_at(&m, &out, how.worst_T, &random);
        assert_true(fabs(there - how.worst) <= 1e-8);
        assert_true(m.reactions[how.worst_reaction].reversible);
        assert_true(how.worst < 0.02);
        kb_mech_free(&out);
    }
    kb_mech_free(&m);
}

static kb_reaction *of_type(const kb_mech *m, kb_rate_type type)
{
    for (int i = 0; i < m->nreactions; i++)
        if (m->reactions[i].type == type)
            return &m->reactions[i];
    return NULL;
}

TEST(explicit_reverse)
{
    kb_mech m = read_mech("tests/data/rate_types.yaml");
    kb_rate_type types[] = {KB_ELEMENTARY, KB_THREE_BODY, KB_FALLOFF, KB_ACTIVATED, KB_PLOG,
                            KB_CHEBYSHEV};
    kb_oneway how = {.fit = KB_FIT_EXACT};
    uint64_t random = 12;

    for (int i = 0; i < 6; i++) {
        kb_reaction *r = of_type(&m, types[i]);

        r->has_reverse = true;
        r->kr = (kb_arrhenius){1e9, 0.3, 2500};
    }
    kb_mech out = convert(&m, &how);
    int all = out.nreactions;
    for (int i = 0; i < 20; i++) /* the other reactions are fitted, so T where they are exact */
        assert_true(compare_at(&m, &out, how.T[i % 3], &random) < 1e-10);
    kb_mech_free(&out);
    of_type(&m, KB_ELEMENTARY)->kr.A = 0;
    out = convert(&m, &how);
    assert_int_equal(out.nreactions, all - 1); /* A = 0: no reverse */
    kb_mech_free(&out);
    kb_mech_free(&m);
}

/* Duplicates stay duplicates, but not one that a dropped reverse leaves alone. */
TEST(duplicates)
{
    kb_mech m = read_mech("tests/data/rate_types.yaml");
    kb_oneway how = {.fit = KB_FIT_EXACT};
    int marked[2] = {0, 0};

    of_type(&m, KB_CHEBYSHEV)->reversible = false;
    for (int pass = 0; pass < 2; pass++) {
        kb_mech out = convert(&m, &how);

        for (int i = 0; i < out.nreactions; i++)
            marked[pass] += out.reactions[i].duplicate;
        kb_mech_free(&out);
        for (int i = 0; i < m.nreactions && pass == 0; i++) {
            if (m.reactions[i].duplicate) { /* the first one: REV / 0 0 0 / */
                m.reactions[i].has_reverse = true;
                break;
            }
        }
    }
    assert_int_equal(marked[0], 8);
    assert_int_equal(marked[1], 6);
    kb_mech_free(&m);
}

/* ... not the first reaction either: the other direction of two that have no reverse */
TEST(a_duplicate_that_is_first)
{
    kb_mech m = read_mech("tests/data/rate_types.yaml");
    kb_oneway how = {.fit = KB_FIT_EXACT};
    int n = m.nreactions;
    m.reactions = kb_realloc(m.reactions, (size_t)n + 1, sizeof *m.reactions);
    memmove(m.reactions + 1, m.reactions, (size_t)n * sizeof *m.reactions);
    m.nreactions = n + 1;
    of_type(&m, KB_CHEBYSHEV)->reversible = false;
    kb_reaction *pair = m.reactions + 2, *first = m.reactions;
    assert_true(pair[0].duplicate && pair[1].duplicate);
    pair[0].reversible = pair[1].reversible = false;
    *first = kb_reaction_copy(pair[0]);
    kb_term *terms = first->reactants;
    int count = first->nreactants;
    first->reactants = first->products;
    first->nreactants = first->nproducts;
    first->products = terms;
    first->nproducts = count;
    kb_mech out = convert(&m, &how);
    assert_true(!out.reactions[0].duplicate && out.reactions[3].duplicate);
    assert_int_equal(out.reactions[0].reactants[0].species, pair[0].products[0].species);
    kb_mech_free(&out);
    kb_mech_free(&m);
}

/* what the fit of ln k_r leaves at 61 temperatures, even in 1/T, is orthogonal to 1, ln T and 1/T:
 * no other triple leaves less */
TEST(least_squares_are_least)
{
    kb_mech m = read_mech(DATASETS "h2.yaml");
    kb_oneway how = {.fit = KB_FIT_LEAST_SQUARES};
    kb_mech out = convert(&m, &how);

    assert_true(how.T[0] == 1000 && how.T[1] == 1750 && how.T[2] == 2500);
    for (int i = 0; i < m.nreactions; i++) {
        const kb_reaction *r = &m.reactions[i], *back = &out.reactions[2 * i + 1];
        double dot[3] = {0}, size[3] = {0};

        assert_true(r->reversible && !r->has_reverse);
        for (int k = 0; k < 61; k++) {
            double T = 1 / (1e-3 + (1 / 2500. - 1e-3) * k / 60);
            double ratio = kb_arrhenius_k(&back->kf, T) / kb_arrhenius_k(&r->kf, T);
            double left = log(ratio) + kb_ln_Kc(&m, r, T);
            const double column[3] = {1, log(T), 1000 / T};

            for (int c = 0; c < 3; c++) {
                dot[c] += left * column[c];
                size[c] += fabs(left * column[c]);
            }
        }
        for (int c = 0; c < 3; c++)
            assert_true(size[c] > 0 && fabs(dot[c]) < 1e-7 * size[c]);
    }
    kb_mech_free(&out);
    kb_mech_free(&m);
}

/* the fit may have all of 200 to 6000 K, and no more */
TEST(ends_of_a_fit)
{
    kb_mech m = read_mech(DATASETS "h2.yaml");
    static const struct {
        double T[3];
        bool good;
    } list[] = {{{200, 1000, 6000}, true},
                {{199.9, 1000, 6000}, false},
                {{200, 1000, 6000.1}, false},
                {{200, 200, 6000}, false},
                {{200, 6000, 6000}, false}};

    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        kb_mech out;
        kb_error err;
        kb_oneway how = {.fit = KB_FIT_EXACT};

        memcpy(how.T, list[k].T, sizeof how.T);
        assert_int_equal(kb_oneway_convert(&m, &how, &out, &err),
                         list[k].good ? KB_OK : KB_INVALID);
        if (list[k].good) {
            kb_mech_free(&out);
            free(how.errors);
        }
    }
    kb_mech_free(&m);
}

TEST(refusals)
{
    kb_mech m = read_mech("tests/data/rate_types.yaml"), out;
    kb_oneway how = {.fit = KB_FIT_EXACT}, wrong = {.T = {1500, 1000, 2000}};

    assert_fails(kb_oneway_convert(&m, &how, &out, &err), KB_INVALID, "Chebyshev");
    assert_fails(kb_oneway_convert(&m, &wrong, &out, &err), KB_INVALID, "1500");
    for (int k = 0; k < 3; k++) { /* one of three temperatures alone */
        kb_oneway alone = {.fit = KB_FIT_LEAST_SQUARES};
        alone.T[k] = 1234;
        assert_fails(kb_oneway_convert(&m, &alone, &out, &err), KB_INVALID, "1234");
    }
    kb_mech_free(&m);
}

TESTS(NULL, NULL)
