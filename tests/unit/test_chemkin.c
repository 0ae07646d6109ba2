/* SPDX-License-Identifier: MIT
 *
 * The CHEMKIN reader: every feature, every error message, counts of published mechanisms.
 */
#include "tests/test.h"
#include "mech/thermo/rates.h"
#include "mech/chemkin/chemkin.h"
#include "tests/unit/chemkin_files.h"

#define NEAR(a, b, rel) assert_true(fabs((a) - (b)) <= (rel) * fabs(b))

static kb_mech reads(const char *reactions)
{
    kb_mech m;
    assert_works(read_reactions(&m, reactions, &err));
    return m;
}

static kb_mech reads_text(const char *text)
{
    kb_mech m;
    assert_works(read_text(&m, text, &err));
    return m;
}

static double value(const kb_mech *m, const kb_term *terms, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (terms[i].species == kb_find_species(m, name))
            return terms[i].value;
    return 0;
}

/* ---- rate constants against Cantera ---- */

/* T = 1250 K, p = 2 atm, X: N2 0.7, H2O 0.2, H2 0.1. Reference: Cantera 3.2.0,
 *   ck2yaml --input=mech.inp --thermo=therm.dat --permissive
 *   Solution.TPX = 1250, 202650, ...; Solution.forward_rate_constants (m, kmol, s)
 * of the same text with each keyword on a line of its own and no commas, as ck2yaml needs it. */
TEST(test_rate_constants)
{
    kb_mech m = reads(
        "\nH+O2=O+OH            3.5E+15 -0.41 16600.\n"
        "H+OH+M=H2O+M         2.2E+22 -2.0  0.\n H2/0.73/ H2O /3.65/ AR/.38/\n"
        "H+O2(+M)=HO2(+M)     1.5E+12  0.6  0.\n LOW/ 3.5E+16 -0.41 -1120. /\n"
        " TROE/ 0.5, 1.0E-30, 1.0E+30 /\n H2O/11.0/\n"
        "H+OH(+N2)=H2O(+N2)   2.0E+14  0.0  100.\n"
        " LOW/ 1.0E+20 -1.0 500. /  SRI / 0.45 797. 979. 1.1 0.05 /\n"
        "H+HO2(+M)=H2+O2(+M)  2.8E+05  1.5 -3270.\n HIGH / 5.9E+10 1.2 -3000. /\n"
        " TROE / 1.1 430. 2900. 3900. /\n"
        "OH+H2=H+H2O          1. 0. 0.\n PLOG / 10.   3.0E+13 0.1 5000. /\n"
        " PLOG / 0.1   1.0E+13 0.0 4000. /\n PLOG / 0.1   2.0E+12 0.5 4500. /\n"
        "OH+O=H+O2            1. 0. 0.\n TCHEB/ 290. 3000. / PCHEB/ 0.01 100. /\n"
        " CHEB/ 2 3 11.0 -0.5 0.1 / CHEB/ 0.7 0.2 -0.03 /\n"
        "H2+0.5O2=>H2O        1.0E+10  0.0 20000.\n FORD / H2 0.8 / FORD / O2 0.6 /\n"
        "O+H2=H+OH            1.2E-11  0.3 30.\n UNITS / KJOULES/MOLE / UNITS/MOLECULES/\n"
        "HO2+HO2=H2O+O2+O     4.2E+14  0.0 0.5\n UNITS / EVOLTS /\n");
    static const double expected[] = {
        235532663.22254458, 14080000000.00001, 148898834.44358703, 1260350043.3102167,
        45469456.02368993, 9756582381.587757, 229442588.08913255, 201035.39827719738,
        3422931983.577762, 4048909002.206753};
    double C[9] = {0}, kf[10], T = 1250, p = 2 * KB_ATM, total = p / (KB_R * T);
    C[kb_find_species(&m, "N2")] = 0.7 * total;
    C[kb_find_species(&m, "H2O")] = 0.2 * total;
    C[kb_find_species(&m, "H2")] = 0.1 * total;
    assert_int_equal(m.nreactions, 10);
    kb_mech_rates(&m, T, p, C, kf, NULL, NULL, NULL);
    for (int i = 0; i < 10; i++)
        NEAR(kf[i], expected[i], 1e-12);
    kb_mech_free(&m);
}

TEST(test_units)
{
    static const struct {
        const char *units;
        double E;
    } cases[] = {
        {"", 8000}, {"CAL/MOLE", 8000}, {"cal/mol moles", 8000}, {"KCAL/MOLE", 8},
        {"JOULES/MOLE", 33472}, {"KJOULES/MOLE", 33.472},
        {"KELVINS", 4025.756268}, {"KELV", 4025.756268}, {"EVOLTS", 0.3469128339},
        {"MOLES KCAL", 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kb_owned char *text = kb_format("%s\nO+H2=H+OH 1.E6 0. %.10g\n", cases[i].units,
                                        cases[i].E);
        kb_mech m = reads(text);
        NEAR(m.reactions[0].kf.theta, 8000 * 4.184 / 8.31446261815324, 1e-7);
        NEAR(m.reactions[0].kf.A, 1e3, 1e-15);
        kb_mech_free(&m);
    }
    kb_mech m = reads("MOLECULES KELVINS\nO+H2=H+OH 1.E-11 0. 0.\nH+H+M=H2+M 1.E-30 0. 100.\n");
    NEAR(m.reactions[1].kf.theta, 100.0, 1e-15);
    NEAR(m.reactions[0].kf.A, 1e-11 * 6.02214076e23 * 1e-3, 1e-14);
    NEAR(m.reactions[1].kf.A, 1e-30 * 6.02214076e23 * 6.02214076e23 * 1e-6, 1e-14);
    kb_mech_free(&m);
}

/* lg k of one to three reactants, in moles and in molecules, is that of the same number as a plain
 * rate constant */
TEST(test_units_of_chebyshev)
{
    static const char *const equations[] = {"H2O=>H+OH", "H+OH=>H2O", "H+H+O=>H2O"};
    for (int k = 0; k < 3; k++)
        for (int molecules = 0; molecules < 2; molecules++) {
            kb_owned char *text = kb_format(
                "%s\n%s 3.7E-11 0. 0.\n%s 1. 0. 0.\n TCHEB/ 300. 3000. /"
                " PCHEB/ 0.01 100. /\n CHEB/ 1 1 %.17g /\n",
                molecules ? "MOLECULES" : "", equations[k], equations[k], log10(3.7e-11));
            double C[9] = {0}, kf[2];
            kb_mech m = reads(text);
            assert_int_equal(m.reactions[1].type, KB_CHEBYSHEV);
            kb_mech_rates(&m, 1000, KB_ATM, C, kf, NULL, NULL, NULL);
            NEAR(kf[1], kf[0], 1e-12);
            kb_mech_free(&m);
        }
}

/* The first species is a collider like any other: in (+H) it is the one that M means, and
 * efficiencies beside it mean nothing. In (+AR) of tables it means nothing at all. */
TEST(test_colliders)
{
    kb_mech m = reads("\nH+OH(+H)=H2O(+H) 1.E12 0. 0.\n LOW/ 1.E16 0. 0. / H2O/ 5. /\n"
                      "H+OH(+M)=H2O(+M) 1.E12 0. 0.\n LOW/ 1.E16 0. 0. / H/ 5. /\n"
                      "H2+O(+AR)=H2O(+AR) 1. 0. 0.\n PLOG/ 1. 1.E12 0. 0. / AR/ 5. /\n"
                      "H+O2(+H)=HO2(+H) 1. 0. 0.\n TCHEB/ 300. 3000. / PCHEB/ 0.01 100. /\n"
                      " CHEB/ 1 1 5. /\n");
    const kb_reaction *r = m.reactions;
    assert_int_equal(r[0].collider, 0);
    assert_true(r[0].nefficiencies == 0 && !r[0].efficiencies);
    assert_int_equal(r[1].collider, -1);
    assert_int_equal(r[1].nefficiencies, 1);
    assert_true(value(&m, r[1].efficiencies, 1, "H") == 5);
    assert_true(r[2].type == KB_PLOG && r[2].collider == -1);
    assert_true(r[2].nefficiencies == 0 && !r[2].efficiencies);
    assert_true(r[3].type == KB_CHEBYSHEV && r[3].collider == -1);
    assert_int_equal(m.nwarnings, 2);
    /* H alone collides with H and O2: k = k_inf Pr/(1 + Pr), Pr = [H] k_0/k_inf */
    double C[9] = {[0] = 0.25, [7] = 0.75}, kf[4], low = 1e10, high = 1e9;
    kb_mech_rates(&m, 1000, KB_ATM, C, kf, NULL, NULL, NULL);
    NEAR(kf[0], high * (0.25 * low / high) / (1 + 0.25 * low / high), 1e-12);
    NEAR(kf[1], high * (2 * low / high) / (1 + 2 * low / high), 1e-12); /* 5 [H] + [N2] */
    kb_mech_free(&m);
}

/* ---- equations ---- */

TEST(test_equation_forms)
{
    kb_mech m = reads("\nH + O2 <=> O + OH 1. 0. 0.\nH+OH=>H2O 1. 0. 0.\n"
                      "2.000000000H+m=H2+M 1. 0. 0.\nOH+OH=O+H2O 1. 0. 0.\n"
                      "0.5 O2 + .5O2 = 2.O &\n 1.0D+03 0. 0. ! comment\n");
    assert_int_equal(m.nreactions, 5);
    assert_true(m.reactions[0].reversible);
    assert_false(m.reactions[1].reversible);
    assert_int_equal(m.reactions[2].type, KB_THREE_BODY);
    assert_int_equal(m.reactions[2].nreactants, 1);
    assert_true(value(&m, m.reactions[2].reactants, 1, "H") == 2);
    assert_int_equal(m.reactions[3].nreactants, 1);
    assert_true(value(&m, m.reactions[3].reactants, 1, "OH") == 2);
    assert_true(value(&m, m.reactions[4].reactants, 1, "O2") == 1);
    assert_true(value(&m, m.reactions[4].products, 1, "O") == 2);
    assert_true(m.reactions[4].kf.A == 1000);
    assert_int_equal(m.reactions[3].line, 7);
    kb_mech_free(&m);
}

/* names with digits, parentheses, commas, + and = */
TEST(test_odd_names)
{
    static const char *names[] = {"H", "1H2*", "H2(S)", "a,b+", "eq=s", "C#2", "(P)"};
    FILE *f = fopen(files_mech, "w");
    fputs("elem h end\nspec ", f);
    for (int i = 0; i < 7; i++)
        fprintf(f, "%s ", names[i]);
    fputs("end\nthermo\n 300. 1000. 5000.\n", f);
    for (int i = 0; i < 7; i++)
        write_cards(f, names[i], i ? "h   2" : "h   1", "1000.", "", 0);
    fputs("ENDOFDATA\nreac\n21H2*=H2(S)+a,b+ 1. 0. 0.\n"
          "eq=s(+a,b+)=2H(+a,b+) 1. 0. 0.\nlow/1. 0. 0./\n"
          "a,b++eq=s+M=2H2(S)+M 1. 0. 0.\n eq=s/2./ a,b+/3./\n(P)(+(P))=C#2(+(P)) 1. 0. 0.\n"
          "LOW/1 0 0/\nend\n", f);
    fclose(f);
    kb_mech m;
    assert_works(kb_chemkin_read(&m, files_mech, NULL, &err));
    assert_int_equal(m.nreactions, 4);
    assert_true(value(&m, m.reactions[0].reactants, 1, "1H2*") == 2);
    assert_int_equal(m.reactions[1].collider, 3);
    assert_int_equal(m.reactions[2].nefficiencies, 2);
    assert_true(value(&m, m.reactions[2].efficiencies, 2, "eq=s") == 2);
    assert_int_equal(m.reactions[3].collider, 6);
    kb_owned char *text = kb_equation(&m, &m.reactions[1]);
    assert_string_equal(text, "eq=s (+a,b+) <=> 2 H (+a,b+)");
    kb_mech_free(&m);
}

/* Every form that an equation has, the first species among the colliders */
TEST(test_equations_as_text)
{
    static const char *const equations[] = {
        "2 H + M <=> H2 + M", "2 H + H <=> H2 + H", "H + OH (+M) <=> H2O (+M)",
        "H + OH (+H) <=> H2O (+H)", "2 H (+AR) => H2 (+AR)", "1.5 H2 + 0.25 O2 => 0.5 H2O + 2 H",
        "O + H2 => H + OH", "H2O + HO2 <=> H2O + OH + O"};
    for (size_t k = 0; k < sizeof equations / sizeof *equations; k++) {
        bool low = strstr(equations[k], "(+");
        kb_owned char *text = kb_format("\n%s   1. 0. 0.\n%s", equations[k],
                                        low ? "LOW/1 0 0/\n" : "");
        kb_mech m = reads(text);
        kb_owned char *found = kb_equation(&m, m.reactions);
        if (k == 1) /* a species on both sides is no collider here */
            assert_string_equal(found, "3 H <=> H2 + H");
        else
            assert_string_equal(found, equations[k]);
        kb_mech_free(&m);
    }
}

/* hv among the products of a one-way reaction is no species. */
TEST(test_photon)
{
    static const char *const equations[] = {"H2=>hv+2H", "H2=>2H+hv", "H2=>H+HV+H"};
    for (int k = 0; k < 3; k++) {
        kb_owned char *text = kb_format("\n%s   1. 0. 0.\n", equations[k]);
        kb_mech m = reads(text);
        assert_int_equal(m.reactions[0].nproducts, 1);
        assert_true(value(&m, m.reactions[0].products, 1, "H") == 2);
        kb_mech_free(&m);
    }
}

/* ---- auxiliary lines ---- */

TEST(test_reverse_and_orders)
{
    kb_mech m = reads("\nO+H2=H+OH 5.E4 2.7 6000. \n REV/ 2.E4 2.6 4400. /\n"
                      "H+H+M=H2+M 1.E18 -1. 0.\n REV / 1.E14 0. 96000./\n"
                      "OH+H2=H+H2O 1.E8 1.5 3000.\n DUP REV/0. 0. 0./\n"
                      "H2+0.5O2=H2O 1.E10 0. 0.\n FORD/H2 1.5/ FORD /AR -0.5/ RORD/ H2O 2. /\n"
                      "H+O2=>O+OH 1.E10 0. 0.\n FORD/H 0.7/\n"); /* the first species */
    const kb_reaction *r = m.reactions;
    assert_true(r[0].has_reverse && r[0].reversible);
    NEAR(r[0].kr.A, 20.0, 1e-15);
    NEAR(r[1].kr.A, 1e11, 1e-15); /* H2 + M: second order */
    NEAR(r[1].kf.A, 1e12, 1e-15);
    assert_true(r[2].has_reverse && r[2].kr.A == 0 && r[2].duplicate);
    assert_int_equal(r[3].nforward_orders, 3);
    assert_true(value(&m, r[3].forward_orders, 3, "H2") == 1.5);
    assert_true(value(&m, r[3].forward_orders, 3, "O2") == 0.5);
    assert_true(value(&m, r[3].forward_orders, 3, "AR") == -0.5);
    assert_int_equal(r[3].nreverse_orders, 1);
    NEAR(r[3].kf.A, 1e10 / pow(1000, 0.5), 1e-14); /* orders sum to 1.5 */
    assert_true(value(&m, r[4].forward_orders, 2, "H") == 0.7);
    kb_mech_free(&m);
}

TEST(test_falloff)
{
    kb_mech m = reads("\nH+O2(+ M )=HO2(+m) 1.E12 0.6 0.\nlow/1.E16 0. 0./ troe/.5 1. 2. 3./ DUP\n"
                      "H+O2(+AR)=HO2(+AR) 1.E12 0. 0.\n LOW/1.E16 0. 0./\n SRI/.5 200. 0.5/\n"
                      "H+O2+N2=HO2+N2 1.E15 0. 0.\n");
    const kb_reaction *r = m.reactions;
    assert_int_equal(r[0].type, KB_FALLOFF);
    assert_int_equal(r[0].collider, -1);
    assert_true(r[0].duplicate);
    assert_int_equal(r[0].blending, KB_TROE);
    assert_int_equal(r[0].nblend, 4);
    NEAR(r[0].kf.A, 1e9, 1e-15);
    NEAR(r[0].low.A, 1e10, 1e-15);
    assert_int_equal(r[1].collider, kb_find_species(&m, "AR"));
    assert_int_equal(r[1].blending, KB_SRI);
    assert_true(r[1].nblend == 3 && r[1].blend[2] == 0.5);
    assert_int_equal(r[2].type, KB_ELEMENTARY); /* N2 is a species on both sides */
    assert_int_equal(r[2].nreactants, 3);
    kb_mech_free(&m);
}

/* Lines of a reaction give the same in any order, each on its own or all in one line. */
TEST(test_auxiliary_in_any_order)
{
    static const struct {
        const char *equation, *group[4];
        int n;
    } cases[] = {
        {"OH+O=H+O2 1. 0. 0.",
         {"TCHEB/ 290. 3000. /", "PCHEB/ 0.01 100. /", "CHEB/ 2 2 11.0 -0.5 0.1 0.7 /", "DUP"}, 4},
        {"H+O2(+M)=HO2(+M) 1.5E+12 0.6 3.",
         {"LOW/ 3.5E+16 -0.41 -1120. /", "TROE/ 0.5 1.0E-30 1.0E+30 70. /", "H2O/11.0/ H2/ 2. /",
          "UNITS/ KELVINS /"}, 4},
        {"H+HO2(+M)=H2+O2(+M) 2.8E+05 1.5 -3270.",
         {"HIGH/ 5.9E+10 1.2 -3000. /", "SRI/ 0.45 797. 979. 1.1 0.05 /", "AR/ 0.7 /", "DUP"}, 4},
        {"H2+O+M=H2O+M 1.E10 2. 3.",
         {"REV/ 2.E4 2.6 4400. /", "FORD/ H2 1.5 /", "RORD/ H2O 2. /", "AR/ 3. /"}, 4},
        {"OH+H2=H+H2O 1. 0. 0.",
         {"PLOG/ 10. 3.0E+13 0.1 5000. /", "PLOG/ 0.1 1.0E+13 0.0 4000. /", "DUPLICATE"}, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *first = NULL;
        for (int order = 0; order < 2 * 256; order++) {
            int at[4], seen = 0;
            for (int k = 0; k < 4; k++) {
                at[k] = order >> 2 * k & 3;
                seen |= (k < cases[i].n) << at[k];
            }
            if (seen != (1 << cases[i].n) - 1)
                continue; /* one of them twice */
            char *text = kb_format("\n%s\n", cases[i].equation);
            for (int k = 0; k < cases[i].n; k++) {
                char *longer = kb_format("%s%s%s", text, cases[i].group[at[k]],
                                         order & 256 ? " " : "\n");
                free(text);
                text = longer;
            }
            kb_mech m = reads(text);
            for (int r = 0; r < m.nreactions; r++) /* YAML has no reversible one with orders */
                m.reactions[r].reversible &= !m.reactions[r].forward_orders;
            free(text);
            text = kb_yaml_text(&m, false);
            if (!first)
                first = kb_strdup(text);
            assert_string_equal(text, first);
            free(text);
            kb_mech_free(&m);
        }
        assert_non_null(first);
        free(first);
    }
}

TEST(test_plog_is_sorted)
{
    kb_mech m = reads("\nO+H2=H+OH 1. 0. 0.\n PLOG/10. 3.E13 0. 0./\n PLOG/1. 1.E13 0. 0./\n"
                      " PLOG/1. -2.E12 0. 0./\n");
    const kb_reaction *r = m.reactions;
    assert_int_equal(r->type, KB_PLOG);
    assert_int_equal(r->nplog, 3);
    assert_true(r->plog[0].p == KB_ATM && r->plog[1].p == KB_ATM && r->plog[2].p == 10 * KB_ATM);
    NEAR(r->plog[0].k.A, 1e10, 1e-15);
    NEAR(r->plog[1].k.A, -2e9, 1e-15);
    kb_mech_free(&m);
}

/* ---- elements, species, thermo ---- */

TEST(test_elements)
{
    kb_mech m = reads_text("elements\nh /1.00794/ O N ar D/2.0/\nend\nSPECIES\nH2 O2 H2 END\n"
                           "REACTIONS\nEND\n");
    assert_int_equal(m.nelements, 5);
    assert_string_equal(m.elements[3].name, "Ar");
    assert_true(m.elements[0].weight == 1.00794);
    assert_true(m.elements[1].weight == 15.999);
    assert_true(m.elements[3].weight == 39.95);
    assert_true(m.elements[4].weight == 2.0);
    assert_int_equal(m.nspecies, 2);
    assert_int_equal(m.nwarnings, 1);
    assert_non_null(strstr(m.warnings[0], "mech.inp:5: species 'H2' was declared before"));
    assert_true(m.species[0].weight == 2 * 1.00794);
    kb_mech_free(&m);
    assert_true(kb_element_weight("HE") == 4.002602);
    assert_true(kb_element_weight("Qq") == 0);
}

/* against the standard atomic weights of IUPAC 2018, abridged to five digits */
TEST(test_atomic_weights)
{
    static const struct {
        const char *symbol;
        double weight;
    } iupac[] = {
        {"H", 1.008},   {"He", 4.0026}, {"Li", 6.94},   {"Be", 9.0122}, {"B", 10.81},
        {"C", 12.011},  {"N", 14.007},  {"O", 15.999},  {"F", 18.998},  {"Ne", 20.180},
        {"Na", 22.990}, {"Mg", 24.305}, {"Al", 26.982}, {"Si", 28.085}, {"P", 30.974},
        {"S", 32.06},   {"Cl", 35.45},  {"Ar", 39.95},  {"K", 39.098},  {"Ca", 40.078},
        {"Sc", 44.956}, {"Ti", 47.867}, {"V", 50.942},  {"Cr", 51.996}, {"Mn", 54.938},
        {"Fe", 55.845}, {"Co", 58.933}, {"Ni", 58.693}, {"Cu", 63.546}, {"Zn", 65.38},
        {"Ga", 69.723}, {"Ge", 72.630}, {"As", 74.922}, {"Se", 78.971}, {"Br", 79.904},
        {"Kr", 83.798}, {"Rb", 85.468}, {"Sr", 87.62},  {"Y", 88.906},  {"Zr", 91.224},
        {"Nb", 92.906}, {"Mo", 95.95},  {"Ru", 101.07}, {"Rh", 102.91}, {"Pd", 106.42},
        {"Ag", 107.87}, {"Cd", 112.41}, {"In", 114.82}, {"Sn", 118.71}, {"Sb", 121.76},
        {"Te", 127.60}, {"I", 126.90},  {"Xe", 131.29}, {"Cs", 132.91}, {"Ba", 137.33},
        {"La", 138.91}, {"Ce", 140.12}, {"Pr", 140.91}, {"Nd", 144.24}, {"Sm", 150.36},
        {"Eu", 151.96}, {"Gd", 157.25}, {"Tb", 158.93}, {"Dy", 162.50}, {"Ho", 164.93},
        {"Er", 167.26}, {"Tm", 168.93}, {"Yb", 173.05}, {"Lu", 174.97}, {"Hf", 178.49},
        {"Ta", 180.95}, {"W", 183.84},  {"Re", 186.21}, {"Os", 190.23}, {"Ir", 192.22},
        {"Pt", 195.08}, {"Au", 196.97}, {"Hg", 200.59}, {"Tl", 204.38}, {"Pb", 207.2},
        {"Bi", 208.98}, {"Th", 232.04}, {"Pa", 231.04}, {"U", 238.03},  {"D", 2.0141},
        {"Tr", 3.0160}, {"E", 5.4858e-4}};
    for (size_t k = 0; k < sizeof iupac / sizeof *iupac; k++) {
        double w = kb_element_weight(iupac[k].symbol);
        if (!(fabs(w / iupac[k].weight - 1) <= 5e-5))
            fail_msg("%s: %.10g, expected %.5g", iupac[k].symbol, w, iupac[k].weight);
        assert_string_equal(kb_element_symbol(iupac[k].symbol), iupac[k].symbol);
    }
}

/* numbers that fill their fields to the last column, no two of them the same; what stands in
 * columns 61-75 of the last card is no coefficient */
TEST(test_full_fields)
{
    kb_mech m;
    write_text(files_mech, "ELEMENTS H O N C S END\nSPECIES H END\nREACTIONS END\n");
    FILE *f = fopen(files_thermo, "w");
    fprintf(f, "THERMO\n 1. 2. 3.\n%-24sH %3dO %3dN %3dC %3dG%10s%10s%8s%-2s%3d 1\n", "H", 112,
            213, 314, 415, "123.456789", "9876.54321", "1234.567", "S", 516);
    for (int card = 2, k = 1; card <= 4; card++) {
        for (int column = 0; column < 5; column++, k++)
            if (k < 15)
                fprintf(f, "%15.8E", -k - 1e-8 * k);
            else
                fprintf(f, "%15s", "12 of a comment");
        fprintf(f, "    %d\n", card);
    }
    fputs("END\n", f);
    fclose(f);
    assert_works(kb_chemkin_read(&m, files_mech, files_thermo, &err));
    const kb_species *s = m.species;
    for (int e = 0; e < 5; e++)
        assert_true(s->atoms[e] == (e < 4 ? 112 + 101 * e : 516));
    assert_true(s->Tlow == 123.456789 && s->Thigh == 9876.54321 && s->Tmid == 1234.567);
    for (int k = 1; k < 15; k++)
        assert_true(fabs((k < 8 ? s->hi[k - 1] : s->lo[k - 8]) / (-k - 1e-8 * k) - 1) < 5e-9);
    kb_mech_free(&m);
}

TEST(test_thermo_fields)
{
    kb_mech m = reads("\n");
    const kb_species *s = m.species;
    int o = kb_find_element(&m, "O");
    assert_true(s[kb_find_species(&m, "O")].Tmid == 1200);
    assert_true(s[kb_find_species(&m, "O2")].Tmid == 1000); /* blank: of the header */
    assert_true(s[kb_find_species(&m, "HO2")].atoms[o] == 2); /* fifth element */
    assert_true(s[0].Tlow == 300 && s[0].Thigh == 4000);
    assert_true(s[0].hi[0] == 3.5 && s[0].lo[5] == 25474 && s[0].lo[6] == 4.0);
    assert_true(s[0].p_ref == KB_ATM);
    assert_int_equal(s[0].line, 3);
    kb_mech_free(&m);
}

/* Columns 66 to 78: Tmid up to the first blank or letter, at most to column 75, and from column 73
 * on at the latest; the fifth element from column 74 */
TEST(test_Tmid_beside_a_fifth_element)
{
    static const struct {
        const char *columns;
        double Tmid, oxygen;
    } cases[] = {{"1200.000     ", 1200, 0},       {"      1200   ", 1200, 0},
                 {"       500   ", 500, 0},        {"        50   ", 1000, 0},
                 {"          500", 1000, 0},       {"        O   2", 1000, 2},
                 {"1200.000O   2", 1200, 2},       {"1200.00012300", 1200.00012, 0},
                 {"1200.000  700", 1200, 0},       {"  1200 500  0", 1200, 0},
                 {"             ", 1000, 0},       {"       0O   3", 1000, 3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        kb_mech m;
        kb_error err = {0};
        FILE *f = fopen(files_thermo, "w");
        fprintf(f, "THERMO\n 300. 1000. 4000.\n%-24s%-20sG%10s%10s%-13s 1\n", "H", "H   1",
                "300.000", "4000.000", cases[k].columns);
        fprintf(f, "%15.8E%64s2\n%45.8E%34s3\n%79s4\nEND\n", 2.5, "", 2.5, "", "");
        fclose(f);
        write_text(files_mech, "ELEMENTS H O END\nSPECIES H END\nREACTIONS\nEND\n");
        if (kb_chemkin_read(&m, files_mech, files_thermo, &err))
            fail_msg("'%s': %s", cases[k].columns, err.text);
        if (m.species[0].Tmid != cases[k].Tmid || m.species[0].atoms[1] != cases[k].oxygen)
            fail_msg("'%s': Tmid %g, %g of O", cases[k].columns, m.species[0].Tmid,
                     m.species[0].atoms[1]);
        kb_mech_free(&m);
    }
}

/* Tmid at an end or outside: one polynomial, the one that has the range, or else the other */
TEST(test_one_polynomial)
{
    static const struct {
        const char *Tmid;
        double hi, lo, is;
    } cases[] = {{"100.000", 2, 1, 2},  {"300.000", 2, 1, 2},  {"4000.000", 2, 1, 1},
                 {"5000.000", 2, 1, 1}, {"300.000", 0, 1, 1},  {"4000.000", 2, 0, 2},
                 {"100.000", 0, 1, 1},  {"5000.000", 2, 0, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        kb_mech m;
        FILE *f = fopen(files_thermo, "w");
        fprintf(f, "THERMO\n 300. 1000. 4000.\n%-24s%-20sG%10s%10s%8s%-5s 1\n", "H", "H   1",
                "300.000", "4000.000", cases[k].Tmid, "");
        fprintf(f, "%15.8E%64s2\n%45.8E%34s3\n%79s4\nEND\n", cases[k].hi, "", cases[k].lo, "", "");
        fclose(f);
        write_text(files_mech, "ELEMENTS H END\nSPECIES H END\nREACTIONS\nEND\n");
        assert_works(kb_chemkin_read(&m, files_mech, files_thermo, &err));
        const kb_species *s = m.species;
        assert_true(s->lo[0] == cases[k].is && s->hi[0] == cases[k].is && s->Tmid == 2150);
        kb_mech_free(&m);
    }
}

/* A card of a species that has the name of a section is a card. */
TEST(test_names_of_sections)
{
    static const char *const names[] = {"THERM", "TRAN", "REAC", "SPEC", "ELEM"};
    for (size_t k = 0; k < 2 * sizeof names / sizeof *names; k++) {
        kb_mech m;
        bool apart = k % 2;
        FILE *f = fopen(files_thermo, "w"), *g = fopen(files_mech, "w");
        fprintf(g, "ELEMENTS H END\nSPECIES H2 %s END\n%s", names[k / 2],
                apart ? "" : "THERMO ALL\n300. 1000. 4000.\n");
        write_cards(apart ? f : g, names[k / 2], "H   1", "1000.000", "", 7);
        write_cards(apart ? f : g, "H2", "H   2", "1000.000", "", 8);
        fputs(apart ? "REACTIONS\nEND\n" : "END\nREACTIONS\nEND\n", g);
        fclose(f);
        fclose(g);
        assert_works(kb_chemkin_read(&m, files_mech, files_thermo, &err));
        assert_true(m.nspecies == 2 && m.species[1].lo[5] == 7 && m.species[0].lo[5] == 8);
        kb_mech_free(&m);
    }
}

/* Behind column 80 elements stand in fields of ten columns; what is none is a comment. */
TEST(test_composition_behind_the_card)
{
    kb_mech m;
    FILE *f = fopen(files_thermo, "w");
    fprintf(f, "THERMO\n 300. 1000. 4000.\n%-24s%-20sG%33s 1%-2s%8s%-2s%8s%-2s%8s%-2s%8s%-2s%s\n",
            "H", "H   1", "", "O", "12345678", "XX", "5", "N", "x", "C", "3.", "N", "7");
    fprintf(f, "%15.8E%64s2\n%79s3\n%79s4\nEND\n", 2.5, "", "", "");
    fclose(f);
    write_text(files_mech, "ELEMENTS H O N C END\nSPECIES H END\nREACTIONS\nEND\n");
    assert_works(kb_chemkin_read(&m, files_mech, files_thermo, &err));
    static const double atoms[] = {1, 12345678, 7, 3};
    for (int e = 0; e < 4; e++)
        assert_true(m.species[0].atoms[e] == atoms[e]);
    kb_mech_free(&m);
}

/* Three numbers that ascend from above 0 are the default temperatures, others nothing. */
TEST(test_default_temperatures)
{
    static const struct {
        const char *line;
        bool taken;
    } cases[] = {{"0.001 800. 3000.", true},  {"0. 800. 3000.", false},   {"-1. 800. 3000.", false},
                 {"800. 800. 3000.", false},  {"200. 3000. 3000.", false}, {"200. 800.", false},
                 {"200. 3000. 800.", false},  {"0.001 800. 3000. 4000.", true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        kb_mech m;
        FILE *f = fopen(files_thermo, "w");
        fprintf(f, "THERMO\n %s\n%-24s%-20sG%33s 1\n", cases[k].line, "H", "H   1", "");
        fprintf(f, "%15.8E%64s2\n%79s3\n%79s4\nEND\n", 2.5, "", "", "");
        fclose(f);
        write_text(files_mech, "ELEMENTS H END\nSPECIES H END\nREACTIONS\nEND\n");
        assert_works(kb_chemkin_read(&m, files_mech, files_thermo, &err));
        const kb_species *s = m.species;
        assert_true(s->Tlow == (cases[k].taken ? 0.001 : 300));
        assert_true(s->Tmid == (cases[k].taken ? 800 : 1000));
        assert_true(s->Thigh == (cases[k].taken ? 3000 : 5000));
        kb_mech_free(&m);
    }
}

/* Data inside the mechanism win; the first of two entries counts; & continues the composition. */
TEST(test_thermo_sources)
{
    write_thermo();
    FILE *f = fopen(files_mech, "w");
    fputs("ELEMENTS H O END\nSPECIES H O2 OH END\nTHERMO ALL\n 200. 800. 3000.\n", f);
    write_cards(f, "H", "H   1", "", "", 7);
    write_cards(f, "H", "H   1", "", "", 8);
    fprintf(f, "%-44sG%10s%10s%8s%-5s 1&\n O 1 &\n H 1\n", "OH", "300.", "4000.", "900.", "");
    fprintf(f, "\n! a comment\n%15.8E%64s2\n  \n%79s3\n%79s4\n", 2.5, "", "", "");
    fputs("END\nREACTIONS\nEND\n", f);
    fclose(f);
    kb_mech m;
    assert_works(kb_chemkin_read(&m, files_mech, files_thermo, &err));
    assert_true(m.species[0].lo[5] == 7 && m.species[0].Tmid == 800);
    assert_true(m.species[1].lo[5] == -1064 && m.species[1].Tmid == 1000);
    assert_true(m.species[2].atoms[0] == 1 && m.species[2].atoms[1] == 1);
    assert_true(m.species[2].hi[0] == 2.5 && m.species[2].lo[0] == 0);
    assert_int_equal(m.nwarnings, 1);
    assert_non_null(strstr(m.warnings[0], "mech.inp:9: second thermo entry of 'H' is ignored"));
    kb_mech_free(&m);
}

/* ---- hazards of real files ---- */

TEST(test_exponent_of_a_coefficient)
{
    kb_mech m;
    assert_works(read_reactions(&m, "\n1.5E-2H2+H=>1.03H 1 0 0\n2.E0H2=>2d+0H2 1 0 0", &err));
    assert_true(m.reactions[0].reactants[0].value == 1.5e-2 && m.reactions[0].nreactants == 2);
    assert_true(m.reactions[0].products[0].value == 1.03);
    assert_true(m.reactions[1].reactants[0].value == 2 && m.reactions[1].products[0].value == 2);
    kb_mech_free(&m);
}

TEST(test_tabs_in_cards)
{
    kb_mech m;
    write_thermo();
    FILE *f = fopen(files_thermo, "r+");
    assert_non_null(f);
    fseek(f, 2 * 81 + 10, SEEK_SET); /* within the first card of H */
    char line[8];
    assert_non_null(fgets(line, sizeof line, f));
    fseek(f, 2 * 81 + 10, SEEK_SET);
    fputc('\t', f);
    fclose(f);
    write_text(files_mech, "ELEMENTS H O END\nSPECIES H H2 O O2 END\nREACTIONS\nEND\n");
    assert_fails(kb_chemkin_read(&m, files_mech, files_thermo, &err), KB_INVALID,
                 "a tab in the thermo entry of");
}

TEST(test_text_hazards)
{
    kb_mech m = reads_text("\xEF\xBB\xBF" "ELEMENTS\r\nH O\r\nEND\r\n"
                           "SPECIES\r\nH O O2 OH\r\nEND\r\n"
                           "TRANS ALL\r\nH 0 145.0 2.05 0. 0. 0.\r\nEND\r\n"
                           "REACTIONS\r\nH+O2=O+OH 1. 0. 0. ! \xE9\xFF\r\nEND\r\n"
                           "Species and reactions = prose. 1 2 3\r\nREACTIONS are above\r\n");
    assert_int_equal(m.nreactions, 1);
    assert_int_equal(m.reactions[0].line, 11);
    assert_int_equal(m.nwarnings, 1);
    assert_non_null(strstr(m.warnings[0], "mech.inp:13: text after the END of REACTIONS"));
    kb_mech_free(&m);
    m = reads_text("\rELEMENTS\rH O\rSPECIES\rH O O2 OH\rREACTIONS\rH+O2=O+OH 1. 0. 0.");
    assert_int_equal(m.nreactions, 1);
    kb_mech_free(&m);
    m = reads_text("ELEMENTS\nH O\nSPECIES\nH O O2 OH\nEND\nREACTIONS\nH+O2=O+OH 1. 0. 0.\n"
                   "ENDOFDATA of all\n");
    assert_int_equal(m.nreactions, 1);
    kb_mech_free(&m);
}

/* ---- errors: line and word of each message ---- */

static void refuse(int code, const kb_mech *m, const kb_error *err, const char *where,
                   const char *word)
{
    if (code != KB_INVALID || !strstr(err->text, where) || !strstr(err->text, word))
        fail_msg("expected %s ... %s, got %d: %s", where, word, code, err->text);
    assert_null(m->species);
    assert_null(m->name);
}

/* The & of the last line has nothing behind it. Of 8 lines, which fill their list. */
TEST(test_last_line_goes_on)
{
    kb_mech m;
    kb_error err = {0};
    int code = read_text(&m, "ELEMENTS\nH O\nSPECIES\nH O O2 OH\nEND\n\nREACTIONS\n"
                             "H+O2=O+OH 1. 0. 0. &", &err);
    refuse(code, &m, &err, "mech.inp:8", "&");
}

/* A line that goes on in the last one of its section, or of the file */
TEST(test_last_line_is_joined)
{
    static const char *const behind[] = {"\nTRANSPORT\nEND\n", ""};
    for (int k = 0; k < 2; k++) {
        kb_owned char *text = kb_format("ELEMENTS\nH O\nSPECIES\nH O O2 OH\nREACTIONS\n"
                                        "H+O2=O+OH&\n1. 0. &\n0.%s",
                                        behind[k]);
        kb_mech m = reads_text(text);
        assert_int_equal(m.nreactions, 1);
        assert_true(value(&m, m.reactions[0].products, 2, "OH") == 1);
        kb_mech_free(&m);
    }
}

TEST(test_reaction_errors)
{
    static const struct {
        const char *text, *where, *word;
    } cases[] = {
        {"\nH+X2=O+OH 1 0 0", ":4: unknown species", "'X2'"},
        {"\n2h+O=H2O 1 0 0", "mech.inp:4: unknown species 'h'", "did you mean H?"},
        {"\nH+O2=O+OH 1 0.x 0", ":4: not a number", "'0.x'"},
        {"\nH+O2=O+OH 1 0 nan", ":4: not a number", "'nan'"},
        {"\nH+O2=O+OH 1.0 -nan 0", ":4: not a number", "'-nan'"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0\nLOW/1.0 -nan 0/", ":5: wrong numbers", "'LOW'"},
        {"\nH+OH(+XE)=H2O(+XE) 1 0 0\nLOW/1 0 0/", ":4: unknown species", "'XE'"},
        {"\n0E1H2=>H2 1 0 0", ":4: unknown species", "'E1H2'"},
        {"\nH+O2=O+OH 1e999 0 0", ":4: not a number", "'1e999'"},
        {"\nH+O2=O+OH 1", ":4: not a number", "'H+O2=O+OH'"},
        {"\nH+O2 1 0 0", ":4: auxiliary line before the first reaction", "'H+O2'"},
        {"\nH2=H+H 1 0 0\nH+O2 1 0 0", ":5: not an equation", "'H+O2'"},
        {"\nH=O=OH 1 0 0", ":4: more than one arrow", "'H=O=OH'"},
        {"\nH+=O 1 0 0", ":4: a species is missing", "'H+=O'"},
        {"\n=O 1 0 0", ":4: a species is missing", "'=O'"},
        {"\nM=H+M 1 0 0", ":4: one side has no species", "'M=H+M'"},
        {"\nH+OH+M=H2O 1 0 0", ":4: the third bodies of both sides differ", "'H+OH+M=H2O'"},
        {"\nH+OH(+AR)=H2O(+M) 1 0 0", ":4: the third bodies of both sides differ", "(+AR)"},
        {"\nH+OH+M(+M)=H2O+M(+M) 1 0 0", ":4: more than one third body", "(+M)"},
        {"\nH+OH+M=H2O+M+M 1 0 0", ":4: more than one third body", "'H+OH+M=H2O+M+M'"},
        {"\nH2+M+M=H+H+M 1 0 0", ":4: more than one third body", "'H2+M+M=H+H+M'"},
        {"\nH2=H+H+hv 1 0 0", ":4: photochemistry", "hv"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0", ":4: the reaction lacks its auxiliary line", "'LOW'"},
        {"\nH+OH=H2O 1 0 0\nLOW/1 0 0/", ":4: an equation without (+M)", "'LOW'"},
        {"\nH+OH=H2O 1 0 0\nTROE/1 2 3/", ":4: the reaction has no falloff", "'TROE'"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0\nTROE/1 2/", ":5: wrong numbers", "'TROE'"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0\nSRI/1 2 3 4/", ":5: wrong numbers", "'SRI'"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0\nSRI/1 2 -3/", ":5: wrong numbers", "c of 0 or more"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0\nSRI/1 2 3/ TROE/1 2 3/", ":5: second broadening", "'TROE'"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0\nLOW/1 0/", ":5: wrong numbers", "'LOW'"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0\nLOW/1 0 0/\nLOW/1 0 0/", ":6: given twice", "'LOW'"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0\nLOW/1 0 0/ HIGH/1 0 0/", ":4: ", "more than one kind"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0\nLOW/1 0 0/\nPLOG/1 1 0 0/", ":4: ", "more than one kind"},
        {"\nH+OH(+M)=H2O(+M) 1 0 0\nLOW/1 0 0/ REV/1 0 0/", ":4: a pressure-dep", "'REV'"},
        {"\nH+OH=H2O 1 0 0\nREV/1 0/", ":5: wrong numbers", "'REV'"},
        {"\nH+OH=H2O 1 0 0\nPLOG/1 0 0/", ":5: wrong numbers", "'PLOG'"},
        {"\nH+OH=H2O 1 0 0\nPLOG/0. 1 0 0/", ":5: wrong numbers", "'PLOG'"},
        {"\nH+OH=H2O 1 0 0\nCHEB/2 2 1 2 3/ TCHEB/1 2/ PCHEB/1 2/", ":4: 2 x 2 coeff", "'CHEB'"},
        {"\nH+OH=H2O 1 0 0\nCHEB/1 1 1 2/", ":5: wrong numbers", "'CHEB'"},
        {"\nH+OH=H2O 1 0 0\nCHEB/1E9 1E9 1/", ":5: wrong numbers", "'CHEB'"},
        {"\nH+OH=H2O 1 0 0\nCHEB/1 101 1/", ":5: wrong numbers", "'CHEB'"},
        {"\nH+OH=H2O 1 0 0\nCHEB/101 1 1/", ":5: wrong numbers", "'CHEB'"},
        {"\nH+OH=H2O 1 0 0\nCHEB/1 0 1/", ":5: wrong numbers", "'CHEB'"},
        {"\nH+OH=H2O 1 0 0\nCHEB/0 1 1/", ":5: wrong numbers", "'CHEB'"},
        {"\nH+OH=H2O 1 0 0\nCHEB/1 1 1/ PCHEB/1 2/", ":4: the Chebyshev reaction", "'TCHEB'"},
        {"\nH+OH=H2O 1 0 0\nTCHEB/2 1/", ":5: wrong numbers", "'TCHEB'"},
        {"\nH+OH=H2O 1 0 0\nPCHEB/1 2/", ":4: TCHEB or PCHEB without", "'CHEB'"},
        {"\nH+OH+M=H2O+M 1 0 0\nHE/2.0/", ":5: unknown species", "'HE'"},
        {"\nH+OH+M=H2O+M 1 0 0\nAR/two/", ":5: wrong numbers", "'AR'"},
        {"\nH+OH+M=H2O+M 1 0 0\n/2.0/", ":5: a keyword or species is missing", "'2.0'"},
        {"\nH+OH=H2O 1 0 0\nFORD/HE 1/", ":5: unknown species", "'HE'"},
        {"\nH+OH=H2O 1 0 0\nFORD/H/", ":5: wrong numbers", "'FORD'"},
        {"\nH+OH=H2O 1 0 0\nRORD/H2O x/", ":5: wrong numbers", "'RORD'"},
        {"\nH+OH=H2O 1 0 0\nUNITS/BTU/", ":5: unknown unit", "'BTU'"},
        {"BTU\nH+OH=H2O 1 0 0", ":3: unknown unit", "'BTU'"},
        {"\nH+OH=H2O 1 0 0\nLT/1 2/", ":5: reactions of this kind", "'LT'"},
        {"\nLOW/1 0 0/", ":4: auxiliary line before the first", "'LOW'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kb_mech m;
        kb_error err = {0};
        int code = read_reactions(&m, cases[i].text, &err);
        refuse(code, &m, &err, cases[i].where, cases[i].word);
    }
}

/* A keyword that is not read is named as one, with numbers or alone, not as a species. */
TEST(test_unsupported_keywords)
{
    static const char *const words[] = {
        "RLT", "HV", "JAN", "FIT1", "EXCI", "MOME", "TDEP", "XSMI", "USRPROG", "COLLEFF", "DCOL",
        "LOWMX", "LOWSP", "HIGHMX", "HIGHSP", "TROEMX", "TROESP", "SRIMX", "SRISP", "PLOGMX",
        "PLOGSP", "mome"};
    static const char *const forms[] = {"\nH+OH=H2O 1 0 0\n%s / H2 1 2 3 /",
                                        "\nH+OH=H2O 1 0 0\n%s", "\nH+OH=H2O 1 0 0\nDUP %s/1/"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            kb_mech m;
            kb_error err = {0};
            char text[100], quoted[20];
            snprintf(text, sizeof text, forms[f], words[i]);
            snprintf(quoted, sizeof quoted, "'%s'", words[i]);
            int code = read_reactions(&m, text, &err);
            refuse(code, &m, &err, ":5: reactions of this kind cannot be read:", quoted);
        }
}

TEST(test_section_errors)
{
    static const struct {
        const char *text, *where, *word;
    } cases[] = {
        {"", "mech.inp: there is nothing in section", "'ELEMENTS'"},
        {"ELEMENTS H END\n", "mech.inp: there is nothing in section", "'SPECIES'"},
        {"ELEMENTS H\nQQ END\n", ":2: the atomic weight is not known", "'QQ'"},
        {"ELEMENTS H/x/ END\n", ":1: no atomic weight", "'H'"},
        {"ELEMENTS 12 END\n", ":1: not an element's symbol", "'12'"},
        {"ELEMENTS H He Li Be B C N O F Ne Na Mg Al Si P S Cl\nEND\n", ":1: more than 16", "'Cl'"},
        {"ELEMENTS H END\nhello\n", ":2: text outside of any section", "'hello'"},
        {"ELEMENTS H END\nSPECIES\nH 1.0\nEND\n", ":3: not a species name", "'1.0'"},
        {"ELEMENTS H END\nSPECIES\nH2\nH2O END\n", "therm.dat:23: the thermo entry of H2O", "'O'"},
        {"ELEMENTS H END\nSPECIES\nH2\nH3 END\n", "mech.inp:4: no thermo data", "'H3'"},
        {"ELEMENTS H END\nSPECIES H END\nSITE/PT/\n", ":3: surface chemistry", "cannot be"},
        {"ELEMENTS H END\nSPECIES H END\nSITE\n", ":3: surface chemistry", "cannot be read"},
        {"ELEMENTS H END\nSPECIES H END\nTHERMO NASA9\n", ":3: thermo data", "'NASA9'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kb_mech m;
        kb_error err = {0};
        int code = read_text(&m, cases[i].text, &err);
        refuse(code, &m, &err, cases[i].where, cases[i].word);
    }
    kb_mech m;
    kb_error err = {0};
    static const char nul[] = "ELEMENTS H END\nSPECIES\nH\0two END\n";
    int code = ck_read_bytes(&m, nul, sizeof nul - 1, NULL, 0, &err);
    refuse(code, &m, &err, "mechanism:3: a NUL character", "is this a text file?");
    code = kb_chemkin_read(&m, "/nowhere/mech.inp", NULL, &err);
    refuse(code, &m, &err, "/nowhere/mech.inp: cannot be read", "No such file");
    code = kb_chemkin_read(&m, files_dir, NULL, &err);
    refuse(code, &m, &err, files_dir, "cannot be read");
}

/* cards: text of the thermo file for species H; first a good line 1 */
static void refuse_cards(const char *cards, const char *where, const char *word)
{
    kb_mech m;
    kb_error err = {0};
    write_text(files_mech, "ELEMENTS H END\nSPECIES H END\nREACTIONS\nEND\n");
    write_text(files_thermo, cards);
    int code = kb_chemkin_read(&m, files_mech, files_thermo, &err);
    refuse(code, &m, &err, where, word);
}

TEST(test_thermo_errors)
{
#define FIRST(atoms, Tlow) "H                       " atoms "               G" Tlow \
    "  4000.000 1000.00      1\n"
#define BLANK20 "                    "
#define BLANK BLANK20 BLANK20 BLANK20 "                   "
#define REST(a) a " 0.00000000E+00 0.00000000E+00 0.00000000E+00 0.00000000E+00    2\n"
    refuse_cards(FIRST("H   1", "   300.000") REST("       1.x     "), "therm.dat:2: not a number "
                 "in columns 1-15", "'1.x'");
    refuse_cards(FIRST("H   1", "   3oo.000") REST("            1.0"), "therm.dat:1: not a number "
                 "in columns 46-55", "'3oo.000'");
    refuse_cards(FIRST("H   1", "   300.000") REST("            1.0"), "therm.dat:3: line 3 of the "
                 "thermo entry is missing", "'H'");
    /* of 2 and of 4 lines, which fill their list */
    refuse_cards(FIRST("H   1", "   300.000"), "therm.dat:2: line 2 of the thermo entry is missing",
                 "'H'");
    refuse_cards(FIRST("H   1", "   300.000") REST("            1.0") BLANK "3\n",
                 "therm.dat:4: line 4 of the thermo entry is missing", "'H'");
    refuse_cards(FIRST("H   x", "   300.000"), "therm.dat:1: not a number of atoms of H", "'x'");
    refuse_cards("H                       H   1               G   300.000"
                 "  4000.000 1000.00      1&\n H 1 &\n QQ 1", "therm.dat:3: the thermo entry of H "
                 "has an undeclared element", "'QQ'");
    refuse_cards(FIRST("H   1", "  5000.000"), "therm.dat:1: no temperature range", "'H'");
    refuse_cards("THERMO\n 300. 1000. 5000.\nH                  H   1               G   300.000\n",
                 "therm.dat:3: no 1 in column 80", "'H'");
    refuse_cards("THERMO\n 300. 1000. 5000.\nH " BLANK20 "  H   1               G   300.000"
                 "  4000.000 1000.00      5\n", "therm.dat:3: no 1 in column 80", "'H'");
    refuse_cards("THERMO NASA9\n", "therm.dat:1: thermo data", "'NASA9'");
    /* a line of 40 characters is prose, one of 41 a card */
    refuse_cards("THERMO\n 300. 1000. 5000.\nH " BLANK20 "                 x\n", "mech.inp",
                 "no thermo data");
    refuse_cards("THERMO\n 300. 1000. 5000.\nH " BLANK20 "                  x\n",
                 "therm.dat:3: no 1 in column 80", "'H'");
    refuse_cards(FIRST("H   1", "    0x1p10") REST("            1.0"), "therm.dat:1: not a number",
                 "'0x1p10'");
    refuse_cards(FIRST("H   0", "   300.000") REST("            1.0") BLANK "3\n" BLANK "4\n",
                 "therm.dat:1: no atoms", "'H'");
}

/* ---- published mechanisms ---- */

typedef struct {
    int elements, species, reactions, three_body, lindemann, troe, sri, named, activated, plog,
        cheb, reverse, reverse0, one_way, duplicate, real;
} counts;

static bool is_real(const kb_term *terms, int n)
{
    for (int i = 0; i < n; i++)
        if (terms[i].value != floor(terms[i].value))
            return true;
    return false;
}

static counts count(const kb_mech *m)
{
    counts c = {.elements = m->nelements, .species = m->nspecies, .reactions = m->nreactions};
    for (int i = 0; i < m->nreactions; i++) {
        const kb_reaction *r = &m->reactions[i];
        c.three_body += r->type == KB_THREE_BODY;
        c.lindemann += r->type == KB_FALLOFF && r->blending == KB_LINDEMANN;
        c.troe += r->type == KB_FALLOFF && r->blending == KB_TROE;
        c.sri += r->type == KB_FALLOFF && r->blending == KB_SRI;
        c.named += r->collider >= 0;
        c.activated += r->type == KB_ACTIVATED;
        c.plog += r->type == KB_PLOG;
        c.cheb += r->type == KB_CHEBYSHEV;
        c.reverse += r->has_reverse;
        c.reverse0 += r->has_reverse && r->kr.A == 0;
        c.one_way += !r->reversible;
        c.duplicate += r->duplicate;
        c.real += is_real(r->reactants, r->nreactants) || is_real(r->products, r->nproducts);
    }
    return c;
}

/* Counts by a line parser and by Cantera's ck2yaml; PLOG and so on as in counts */
static const struct {
    const char *folder;
    counts c;
} published[] = {
    {"h2_yetter", {3, 9, 19, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"h2co_burke", {6, 13, 27, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0}},
    {"gri12", {5, 32, 177, 7, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0}},
    {"gri30", {5, 53, 325, 12, 3, 26, 0, 0, 0, 0, 0, 0, 0, 16, 6, 0}},
    {"gri30_noarn35", {4, 35, 217, 6, 1, 25, 0, 0, 0, 0, 0, 0, 0, 16, 6, 0}},
    {"usc2", {5, 111, 784, 8, 2, 60, 0, 0, 0, 0, 0, 0, 0, 2, 18, 0}},
    {"usc_c1c3_70", {5, 70, 463, 6, 1, 36, 0, 0, 0, 0, 0, 0, 0, 15, 8, 0}},
    {"curran118", {6, 118, 665, 11, 2, 26, 0, 0, 0, 0, 0, 637, 56, 0, 8, 0}},
    {"jetsurf2", {6, 348, 2163, 11, 5, 382, 0, 0, 0, 0, 0, 0, 0, 76, 29, 0}},
    {"c2h4_qss", {4, 29, 172, 5, 0, 15, 0, 0, 0, 0, 0, 0, 0, 14, 6, 0}},
    {"c2h4_lu32_qss", {5, 32, 206, 8, 1, 20, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0}},
    {"nc12_65", {6, 65, 363, 5, 1, 22, 0, 0, 0, 83, 0, 0, 0, 46, 56, 3}},
    {"dme_79", {4, 79, 351, 18, 5, 14, 0, 0, 0, 0, 0, 332, 23, 0, 6, 0}},
    {"nc12_reitz100", {4, 100, 432, 11, 6, 9, 0, 0, 0, 0, 0, 121, 0, 43, 0, 0}},
    {"ic5oh_360", {6, 360, 2073, 10, 1, 51, 0, 4, 6, 81, 1, 99, 72, 146, 14, 0}},
    {"aramco20_493", {6, 493, 2716, 10, 2, 48, 0, 0, 0, 350, 0, 0, 0, 297, 145, 0}},
    {"nc7_654", {6, 654, 2827, 11, 2, 33, 0, 0, 0, 0, 0, 2431, 412, 176, 10, 0}},
    {"ic8_874", {6, 874, 3796, 11, 2, 30, 0, 0, 0, 0, 0, 3726, 658, 0, 26, 0}},
};

TEST(test_published)
{
    const char *root = getenv("KB_MECH_PATH");
    if (!root) {
        print_message("KB_MECH_PATH is not set: the published mechanisms are not read\n");
        skip();
    }
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        kb_owned char *mech = kb_format("%s/%s/mech.inp", root, published[i].folder);
        kb_owned char *thermo = kb_format("%s/%s/therm.dat", root, published[i].folder);
        kb_mech m;
        assert_works(kb_chemkin_read(&m, mech, access(thermo, R_OK) ? NULL : thermo, &err));
        counts c = count(&m);
        const int *got = (const int *)&c, *want = (const int *)&published[i].c;
        for (size_t j = 0; j < sizeof c / sizeof(int); j++)
            if (got[j] != want[j])
                fail_msg("%s: count %zu is %d, not %d", mech, j, got[j], want[j]);
        kb_mech_free(&m);
    }
}

TESTS(files_setup, files_teardown)
