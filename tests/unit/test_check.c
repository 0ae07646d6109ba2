/* SPDX-License-Identifier: MIT
 *
 * Checks of a mechanism: balance, duplicates, thermo, finite rates.
 */
#include "tests/test.h"
#include "mech/check.h"
#include "mech/describe.h"
#include "tests/unit/chemkin_files.h"

/* Reads (which must work) and checks; m stays with the caller */
static int checks(kb_mech *m, const char *reactions, kb_error *err)
{
    if (read_reactions(m, reactions, err))
        fail_msg("%s", err->text);
    return kb_mech_check(m, err);
}

static void refused(const char *reactions, const char *where, const char *word)
{
    kb_mech m;
    kb_error err = {0};
    int code = checks(&m, reactions, &err);
    if (code != KB_INVALID || !strstr(err.text, where) || !strstr(err.text, word))
        fail_msg("expected %s ... %s, got %d: %s", where, word, code, err.text);
    kb_mech_free(&m);
}

/* Passes with one warning that holds the text, or none (NULL) */
static void passes(const char *reactions, const char *warning)
{
    kb_mech m;
    assert_works(checks(&m, reactions, &err));
    assert_int_equal(m.nwarnings, warning ? 1 : 0);
    if (warning && !strstr(m.warnings[0], warning))
        fail_msg("expected %s, got %s", warning, m.warnings[0]);
    kb_mech_free(&m);
}

TEST(test_balance)
{
    passes("\nH+O2=O+OH 1 0 0\n0.333333O2+2H=0.666666O+H2 1 0 0", NULL);
    refused("\nH+O2=O+OH 1 0 0\nH+O2=OH 1 0 0",
            "mech.inp:5: element O: 2 atoms become 1 in reaction", "'H + O2 <=> OH'");
    refused("\n0.3O2+2H=0.666666O+H2 1 0 0", "mech.inp:4: element O: 0.6 atoms become 0.666666",
            "");
    refused("\nH2+M=H+M 1 0 0", "mech.inp:4: element H: 2 atoms become 1", "'H2 + M <=> H + M'");
    /* 1e-4 of the four atoms on both sides */
    passes("\nO2=2.0003O 1 0 0", NULL);
    refused("\nO2=2.0005O 1 0 0", "mech.inp:4: element O: 2 atoms become 2.0005", "");
}

TEST(test_unmarked_duplicates)
{
    const char *where = ":5: the reaction of line 4 stands here again, unmarked";
    refused("\nH+O2=O+OH 1 0 0\nO2+H=OH+O 2 0 0", where, "'O2 + H <=> OH + O'");
    refused("\nH+O2=O+OH 1 0 0\nO+OH=H+O2 2 0 0", where, "'O + OH <=> H + O2'");
    refused("\nH+O2=>O+OH 1 0 0\nO+OH=H+O2 2 0 0", where, "'O + OH <=> H + O2'");
    refused("\nH+O2=O+OH 1 0 0\nH+O2=>O+OH 2 0 0\nDUP", where, "'H + O2 => O + OH'");
    refused("\nH+OH+M=H2O+M 1 0 0\nOH+H+M=H2O+M 2 0 0", where, "'OH + H + M <=> H2O + M'");
    passes("\nH+O2=>O+OH 1 0 0\nO+OH=>H+O2 2 0 0", NULL);
    passes("\nH+O2=O+OH 1 0 0\nDUP\nO+OH=H+O2 2 0 0\nDUPLICATE", NULL);
}

/* other third bodies and kinds of rates are other reactions */
TEST(test_not_duplicates)
{
    passes("\nH+OH+M=H2O+M 1 0 0\nAR/0/\nH+OH+AR=H2O+AR 1 0 0\nH+OH=H2O 1 0 0\n"
           "H+OH(+M)=H2O(+M) 1 0 0\nLOW/1 0 0/ AR/0/\nH+OH(+AR)=H2O(+AR) 1 0 0\nLOW/1 0 0/\n"
           "2H+M=H2+M 1 0 0\n2H=H2 1 0 0",
           NULL);
}

/* M counts the collider of the other reaction, too */
TEST(test_overlap)
{
    passes("\nH+OH+M=H2O+M 1 0 0\nH2O+AR=H+OH+AR 1 0 0",
           "mech.inp:5: 'H2O + AR <=> H + OH + AR' stands beside the reaction with M of line 4, in "
           "which AR counts too");
    passes("\nH+OH(+M)=H2O(+M) 1 0 0\nLOW/1 0 0/\nH+OH(+AR)=H2O(+AR) 1 0 0\nLOW/1 0 0/",
           "mech.inp:6: 'H + OH (+AR) <=> H2O (+AR)' stands beside");
    passes("\n2H+M=H2+M 1 0 0\n2H+H2=2H2 1 0 0", "in which H2 counts too");
    passes("\n2H+M=H2+M 1 0 0\nH2/0/\n2H+H2=2H2 1 0 0", NULL);
    passes("\nH+OH+M=>H2O+M 1 0 0\nH2O+AR=>H+OH+AR 1 0 0", NULL);
}

TEST(test_lone_duplicate)
{
    refused("\nH+O2=O+OH 1 0 0\nDUP\nH+HO2=H2+O2 1 0 0\nDUP",
            "mech.inp:4: DUPLICATE, but no other marked reaction", "'H + O2 <=> O + OH'");
    /* as in published files: the twin may have another third body */
    passes("\nH+OH(+M)=H2O(+M) 1 0 0\nLOW/1 0 0/ DUP\nH+OH(+AR)=H2O(+AR) 1 0 0\nLOW/1 0 0/ DUP",
           NULL);
    passes("\nH+OH+M=H2O+M 1 0 0\nDUP\nH+OH+AR=H2O+AR 1 0 0\nDUP", NULL);
}

TEST(test_rates)
{
    refused("\nH+O2=O+OH 1 0 0\nO+H2=H+OH 1.E300 5. 0.",
            ":5: the rate constant is inf at 300 K", "'O + H2 <=> H + OH'");
    passes("\nO+H2=H+OH -1.E6 0. 0.", ":4: the rate constant (with its duplicates) is negative");
    passes("\nO+H2=H+OH -1.E6 0. 0.\nDUP\nO+H2=H+OH 2.E6 0. 0.\nDUP", NULL);
    passes("\nO+H2=H+OH -3.E6 0. 0.\nDUP\nO+H2=H+OH 2.E6 0. 0.\nDUP",
           ":4: the rate constant (with its duplicates) is negative at 300 K");
    /* negative where Pr is below -1; 1 atm at 300 K has third bodies of 4.06e-5 mol/cm^3 */
    passes("\nH+OH(+M)=>H2O(+M) -1. 0. 0.\nLOW/2.45E4 0. 0./", NULL);
    passes("\nH+OH(+M)=>H2O(+M) -1. 0. 0.\nLOW/2.48E4 0. 0./",
           ":4: the rate constant (with its duplicates) is negative at 300 K");
    /* exothermic the other way round: k_r = k_f/Kc exceeds the largest double */
    passes("\nO2=2O 1.E285 0. 0.", ":4: the reverse rate constant is inf at 300 K");
}

/* (T - T0)^2 - 1/2 is below 0 at T0 alone, of the temperatures at which the sum is looked at */
TEST(test_sums_of_duplicates)
{
    static const long at[] = {300, 500, 1000, 1500, 2500, 3500};
    for (int k = 0; k < 6; k++) {
        long T = at[k];
        kb_owned char *text = kb_format("\nO+H2=>H+OH 1 2 0\nDUP\nO+H2=>H+OH %ld 1 0\nDUP\n"
                                        "O+H2=>H+OH %ld.5 0 0\nDUP",
                                        -2 * T, T * T - 1);
        kb_owned char *where = kb_format(
            ":6: the rate constant (with its duplicates) is negative at %ld K", T);
        passes(text, where);
    }
}

TEST(test_plog_sums)
{
    static const long at[] = {300, 500, 1000, 2000, 5000, 10000};
    for (int k = 0; k < 6; k++) {
        long T = at[k];
        kb_owned char *text = kb_format("\nH+OH=>H2O 1 0 0\nPLOG/1 1 2 0/\nPLOG/1 %ld 1 0/\n"
                                        "PLOG/1 %ld.5 0 0/",
                                        -2 * T, T * T - 1);
        kb_owned char *where = kb_format("sum up to -0.0005 at %ld K in", T);
        refused(text, ":4: PLOG: the rates at 101325 Pa", where);
    }
}

/* What the tables of the integrators lack is refused, and nothing else */
TEST(test_tables_are_told_what_they_lack)
{
    kb_mech m;
    assert_works(kb_mech_load(&m, "tests/data/cantera_types.yaml", NULL, &err));
    assert_works(kb_check_tables(&m, &err));
    m.species[0].T_ends[2] = 5000; /* H2: NASA-9 with a third range */
    assert_fails(kb_check_tables(&m, &err), KB_INVALID,
                 "a third range of NASA9 below 6000 K is not supported");
    kb_mech_free(&m);
}

/* Five of one kind and a grave one: the grave one first, the others in one line */
TEST(test_warnings_are_summed)
{
    kb_mech m = {0};
    kb_owned char *text = NULL;
    size_t size;
    for (int i = 0; i < 5; i++)
        kb_add_warning(&m, "f:%d: harmless", i + 1);
    kb_add_warning(&m, "!f:%d: grave", 9);
    FILE *f = open_memstream(&text, &size);
    kb_warnings_print(f, &m, "- ", 1, 3);
    kb_warnings_print(f, &m, "= ", 1, 1);
    kb_warnings_print(f, &m, "", 20, 0);
    fclose(f);
    assert_string_equal(text, "- f:9: grave\n- f:1: harmless (and 4 more of this kind)\n"
                        "= f:9: grave\n= 5 more: mechinfo shows them\n"
                        "f:9: grave\nf:1: harmless\nf:2: harmless\nf:3: harmless\n"
                        "f:4: harmless\nf:5: harmless\n");
    kb_mech_free(&m);
}

static void check_thermo_of_H(double Tmid, double step, const char *error, const char *warning)
{
    kb_mech m;
    kb_error err = {0};
    assert_works(read_reactions(&m, "\n", &err));
    m.species[0].Tmid = Tmid;
    m.species[0].hi[0] += step;
    int code = kb_mech_check(&m, &err);
    assert_int_equal(code, error ? KB_INVALID : KB_OK);
    if (error && !strstr(err.text, error))
        fail_msg("expected %s, got %s", error, err.text);
    assert_int_equal(m.nwarnings, warning ? 1 : 0);
    if (warning && !strstr(m.warnings[0], warning))
        fail_msg("expected %s, got %s", warning, m.warnings[0]);
    kb_mech_free(&m);
}

/* a warning above 0.05 of cp/R, 0.01 of h/RT or of s/R: each alone, of either sign */
TEST(test_jumps)
{
    static const double most[] = {0.05, 0.01, 0.01};
    for (int what = 0; what < 3; what++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int above = 0; above < 2; above++) {
                kb_mech m;
                assert_works(read_reactions(&m, "\n", &err));
                double step = sign * most[what] * (above ? 1.01 : 0.99), *hi = m.species[0].hi;
                m.species[0].Tmid = 1000;
                hi[0] += what == 0 ? step : 0;
                hi[5] += what == 0 ? -1000 * step : what == 1 ? 1000 * step : 0;
                hi[6] += what == 0 ? -log(1000) * step : what == 2 ? step : 0;
                assert_works(kb_mech_check(&m, &err));
                assert_int_equal(m.nwarnings, above);
                kb_mech_free(&m);
            }
}

TEST(test_thermo)
{
    check_thermo_of_H(1000, 0, NULL, NULL);
    check_thermo_of_H(1000, 0.25, NULL, "therm.dat:3: thermo data of 'H' jump at 1000 K by 0.25");
    static const double gaps[] = {200, 300, 4000, 5000, NAN};
    for (int i = 0; i < 5; i++) {
        kb_owned char *gap = kb_format(
            "therm.dat:3: a gap in the temperatures 300, %g, 4000 K of 'H'", gaps[i]);
        check_thermo_of_H(gaps[i], 0, gap, NULL);
    }
    check_thermo_of_H(1000, INFINITY, "therm.dat:3: a coefficient is not finite of 'H'", NULL);
}

/* none of its numbers may be infinite, or no number */
TEST(test_thermo_is_finite)
{
    for (int what = 0; what < 17; what++)
        for (int way = 0; way < 2; way++) {
            kb_mech m;
            kb_error err = {0};
            assert_works(read_reactions(&m, "\n", &err));
            kb_species *s = &m.species[0];
            double *ends[] = {&s->Tlow, &s->Tmid, &s->Thigh};
            *(what < 3 ? ends[what] : what < 10 ? s->lo + what - 3 : s->hi + what - 10) =
                way ? NAN : what == 0 ? -INFINITY : INFINITY;
            assert_int_equal(kb_mech_check(&m, &err), KB_INVALID);
            if (!strstr(err.text, what < 3 ? "a gap in the temperatures"
                                           : "a coefficient is not finite of 'H'"))
                fail_msg("number %d: %s", what, err.text);
            kb_mech_free(&m);
        }
}

/* NASA-9: the same of each range, and a warning for a jump at each end between two */
TEST(test_ranges_of_nasa9)
{
    kb_mech m;
    kb_error err = {0};
    assert_works(kb_mech_load(&m, "tests/data/cantera_types.yaml", NULL, &err));
    kb_species *s = &m.species[0];
    assert_true(s->model == KB_NASA9 && s->nranges > 1);
    for (int k = 0; k < 9 * s->nranges; k++) {
        double was = s->coef[k];
        s->coef[k] = NAN;
        assert_int_equal(kb_mech_check(&m, &err), KB_INVALID);
        s->coef[k] = was;
    }
    for (int end = 1; end < s->nranges; end++) {
        kb_owned char *where = kb_format("'%s' jump at %g K by 1 in cp/R", s->name, s->T_ends[end]);
        bool told = false;
        for (int range = 0; range < s->nranges; range++)
            s->coef[9 * range + 2] += range < end ? -1 : 0;
        assert_works(kb_mech_check(&m, &err));
        for (int k = 0; k < m.nwarnings; k++)
            told |= strstr(m.warnings[k], where) != NULL;
        if (!told)
            fail_msg("%s: not among %d warnings", where, m.nwarnings);
        for (int range = 0; range < s->nranges; range++)
            s->coef[9 * range + 2] += range < end ? 1 : 0;
    }
    kb_mech_free(&m);
}

TEST(test_thermo_data_beside_yaml)
{
    kb_mech m;
    kb_error err = {0};
    assert_int_equal(kb_mech_load(&m, "a/b.YML", "therm.dat", &err), KB_INVALID);
    assert_string_equal(err.text, "a/b.YML: a YAML mechanism holds its own thermo data and takes "
                        "no separate file 'therm.dat' (leave THERMO= out)");
}

/* kb_mech_load reads, checks and hashes; the hash does not see comments, names or blanks. */
TEST(test_load)
{
    static const char *const texts[] = {
        FILES_HEAD "REACTIONS\nH+O2=O+OH 1.E14 0. 0.\nEND\n",
        FILES_HEAD "REACTIONS ! comment\n\nH + O2 <=> O+OH  1.0E+14 0 0\nEND\n",
        FILES_HEAD "REACTIONS\nH+O2=O+OH 1.1E14 0. 0.\nEND\n"};
    char hash[3][65];
    kb_mech m;
    write_thermo();
    for (int i = 0; i < 3; i++) {
        write_text(files_mech, texts[i]);
        assert_works(kb_mech_load(&m, files_mech, files_thermo, &err));
        assert_string_equal(m.name, "mech");
        assert_int_equal(strlen(m.sha256), 64);
        memcpy(hash[i], m.sha256, 65);
        kb_mech_free(&m);
    }
    assert_string_equal(hash[0], hash[1]);
    assert_string_not_equal(hash[0], hash[2]);
    write_text(files_mech, FILES_HEAD "REACTIONS\nH+O2=OH 1. 0. 0.\nEND\n");
    assert_fails(kb_mech_load(&m, files_mech, files_thermo, &err), KB_INVALID,
                 "mech.inp:4: element O");
    assert_null(m.species);
    assert_fails(kb_mech_load(&m, "some.yaml", files_thermo, &err), KB_INVALID,
                 "some.yaml: a YAML mechanism holds its own thermo data");
}

/* Every published mechanism passes; the known fault in one is told. */
TEST(test_published)
{
    static const char *const folders[] = {"h2_yetter", "h2co_burke", "gri30", "usc2", "jetsurf2",
                                          "c2h4_lu32_qss", "ic5oh_360", "aramco20_493", "ic8_874"};
    const char *root = getenv("KB_MECH_PATH");
    if (!root) {
        print_message("KB_MECH_PATH is not set: the published mechanisms are not checked\n");
        skip();
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        kb_owned char *mech = kb_format("%s/%s/mech.inp", root, folders[i]);
        kb_owned char *thermo = kb_format("%s/%s/therm.dat", root, folders[i]);
        kb_mech m;
        assert_works(kb_chemkin_read(&m, mech, thermo, &err));
        assert_works(kb_mech_check(&m, &err));
        bool jump = false;
        for (int w = 0; w < m.nwarnings; w++)
            jump |= strstr(m.warnings[w], "thermo data of 'CH2CHO' jump at 1000 K by -14") != NULL;
        assert_true(jump == !strcmp(folders[i], "c2h4_lu32_qss"));
        kb_mech_free(&m);
    }
}

/* One change of a mechanism after another: each count that follows from it moves by one, and no
 * other one. */
TEST(test_counts)
{
    kb_mech m;
    assert_works(checks(&m, "\nH+O2=O+OH 1 0 0\nO+H2=H+OH 0.5 0 0", &err));
    kb_reaction *r = &m.reactions[1];
    kb_term order = {0, 0.5}, efficiency = {1, 2};
    kb_plog_point points[2] = {{1e5, {1, 0, 0}}, {2e5, {0.5, 0, 0}}};
    kb_summary s, now;
    kb_mech_count(&m, &s);
    assert_true(s.elementary == 2 && s.reversible == 2 && s.oneway == 4 && s.nasa7 == m.nspecies);
    assert_true(s.Tmid_other == 1 && s.Tmid_min == 1200 && s.Tmid_max == 1200);
    assert_true(s.Tlow_min == 300 && s.Tlow_max == 300 && s.Thigh_max == 4000 && !s.negative_A);
#define CHANGE(what, counts) what; counts; kb_mech_count(&m, &now); \
    assert_memory_equal(&now, &s, sizeof s)
    CHANGE(m.species[0].Tmid = 900, (s.Tmid_other++, s.Tmid_min = 900));
    CHANGE(m.species[1].Tmid = 1300, (s.Tmid_other++, s.Tmid_max = 1300));
    CHANGE(m.species[1].Tlow = 100, s.Tlow_min = 100);
    CHANGE(m.species[2].Thigh = 5000, s.Thigh_max = 5000);
    CHANGE(m.species[0].model = KB_SHOMATE, (s.nasa7--, s.shomate++));
    CHANGE(m.species[1].model = KB_NASA9, (s.nasa7--, s.nasa9++));
    CHANGE(r->kf.A = -1, s.negative_A++);
    CHANGE(r->low.A = -1, (void)0);
    CHANGE(r->kf.A = 0.5, (void)0);
    CHANGE(r->low.A = 0, s.negative_A--);
    CHANGE(r->has_reverse = true, (s.explicit_reverse++, s.reverse_zero++, s.oneway--));
    CHANGE(r->kr.A = 0.5, (s.reverse_zero--, s.oneway++));
    CHANGE(r->kr.A = -0.5, s.negative_A++);
    CHANGE((r->has_reverse = false, r->reversible = false),
           (s.explicit_reverse--, s.reversible--, s.oneway--, s.negative_A--));
    CHANGE(r->duplicate = true, s.duplicate++);
    CHANGE(r->reactants[0].value = 1.5, s.noninteger++);
    CHANGE(r->products[1].value = 0.5, (void)0);
    CHANGE(r->reactants[0].value = 1, (void)0);
    CHANGE(r->products[1].value = 1, s.noninteger--);
    CHANGE((r->forward_orders = &order, r->nforward_orders = 1), s.forward_orders++);
    CHANGE((r->reverse_orders = &order, r->nreverse_orders = 1), s.reverse_orders++);
    CHANGE((r->efficiencies = &efficiency, r->nefficiencies = 1), s.efficiencies++);
    CHANGE(r->collider = 0, s.collider++);
    CHANGE(r->blowers_masel = true, s.blowers_masel++);
    CHANGE(r->type = KB_THREE_BODY, (s.elementary--, s.three_body++));
    CHANGE(r->type = KB_FALLOFF, (s.three_body--, s.lindemann++));
    CHANGE(r->blending = KB_TROE, (s.lindemann--, s.troe++));
    CHANGE(r->blending = KB_SRI, (s.troe--, s.sri++));
    CHANGE(r->blending = KB_TSANG, (s.sri--, s.tsang++));
    CHANGE(r->type = KB_ACTIVATED, (s.tsang--, s.activated++));
    CHANGE(r->type = KB_CHEBYSHEV, (s.activated--, s.chebyshev++));
    CHANGE(r->type = KB_LINEAR_BURKE, (s.chebyshev--, s.linear_burke++));
    CHANGE(r->type = KB_PLOG, (s.linear_burke--, s.plog++));
    CHANGE((r->plog = points, r->nplog = 2), (void)0);
    CHANGE(points[1].k.A = -0.5, s.negative_A++);
#undef CHANGE
    r->plog = NULL;
    r->efficiencies = r->forward_orders = r->reverse_orders = NULL;
    r->nplog = r->nefficiencies = r->nforward_orders = r->nreverse_orders = 0;
    kb_mech_free(&m);
}

TESTS(files_setup, files_teardown)
