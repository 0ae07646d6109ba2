/* SPDX-License-Identifier: MIT
 *
 * The YAML reader: features, units, messages.
 */
#include "tests/test.h"
#include "tests/unit/yaml_files.h"

/* ---------- features ---------- */

TEST(features_have_their_values)
{
    kb_mech m = read_good(FEATURES);
    const kb_reaction *r = m.reactions;
    assert_string_equal(m.name, "features"); /* not the Redlich-Kwong phase */
    assert_int_equal(m.nspecies, 9);
    assert_int_equal(m.nreactions, 13); /* that with the undeclared HCO is left out */
    assert_true(m.species[8].weight == 39.5 && m.species[0].p_ref == 1e5);
    assert_true(r[0].reversible && !r[1].reversible);
    close_to(r[0].kf.A, 1e11, 1e-15);
    close_to(r[0].kf.theta, 15000 * 4184 / KB_R, 1e-15);
    close_to(r[1].kf.b, 2.67, 0);
    assert_int_equal(r[2].type, KB_THREE_BODY);
    assert_int_equal(r[2].nefficiencies, 2); /* CO is no species of the phase */
    close_to(r[2].default_efficiency, 0.5, 0);
    close_to(r[2].kf.A, 1e12, 1e-15);
    assert_int_equal(r[3].collider, 8);
    assert_int_equal(r[3].nreactants, 1);
    close_to(r[4].low.A, 6e14, 1e-15);
    close_to(r[4].kf.A, 4.65e9, 1e-15);
    assert_true(r[4].blending == KB_TROE && r[4].nblend == 4 && r[4].blend[3] == 400);
    assert_true(r[5].collider == 6 && r[5].blending == KB_SRI && r[5].nblend == 5);
    assert_int_equal(r[6].type, KB_ACTIVATED);
    close_to(r[6].low.A, 3e7, 1e-15);
    close_to(r[6].kf.A, 5e-8, 1e-15); /* order 1 */
    kb_mech_free(&m);
}

TEST(features_of_pressure_and_orders)
{
    kb_mech m = read_good(FEATURES);
    const kb_reaction *r = m.reactions;
    assert_int_equal(r[7].nplog, 3); /* sorted by pressure, stable */
    close_to(r[7].plog[0].k.A, 2e8, 1e-15);
    close_to(r[7].plog[1].k.A, -1e6, 1e-15);
    close_to(r[7].plog[2].p, 1013250, 1e-15);
    assert_true(r[8].cheb.nT == 2 && r[8].cheb.np == 3 && r[8].cheb.pmax == 1e5);
    close_to(r[8].cheb.coef[0], 8 - 3, 1e-15); /* cm^3/mol = 1e-3 m^3/kmol */
    close_to(r[8].cheb.coef[5], -0.0625, 0);
    assert_int_equal(r[9].nforward_orders, 3);
    close_to(r[9].forward_orders[2].value, -0.5, 0);
    close_to(r[9].kf.A, 10, 0);
    close_to(r[9].kf.theta, 1000, 1e-15);
    close_to(r[10].kf.A, -1e-12 * 6.02214076e26 * 1e-6, 1e-14);
    close_to(r[10].kf.theta, 1000, 0);
    assert_true(r[10].duplicate && r[11].duplicate);
    close_to(r[11].kf.A, 2e11, 1e-15);
    close_to(r[11].kf.theta, 10 * 4.184e6 / KB_R, 1e-15);
    assert_true(r[12].nproducts == 2 && r[12].products[0].value == 2.5);
    close_to(r[12].kf.theta, 1.602176634e-19 / 1.380649e-23, 1e-14); /* e/k_B */
    kb_mech_free(&m);
}

TEST(features_come_back)
{
    static const char *const files[] = {FEATURES, "tests/data/rate_types.yaml",
                                        "tests/data/cantera_types.yaml"};
    for (int i = 0; i < 3; i++) {
        kb_mech m = read_good(files[i]);
        round_trip(&m);
        kb_mech_free(&m);
    }
}

/* a range without extent between others leaves nothing behind */
TEST(an_empty_range_is_dropped)
{
    kb_mech m;
    put("phases: [{name: g, thermo: ideal-gas, species: [A]}]\nspecies:\n"
        "- {name: A, composition: {H: 1}, thermo: {model: NASA9,\n"
        "    temperature-ranges: [200, 1000, 2000, 2000, 6000],\n"
        "    data: [[0, 0, 2.5, 0, 0, 0, 0, 1, 2], [0, 0, 3.5, 0, 0, 0, 0, 1, 2],\n"
        "    [0, 0, 9, 0, 0, 0, 0, 1, 2], [0, 0, 4.5, 0, 0, 0, 0, 1, 2]]}}\n");
    assert_works(kb_yaml_read(&m, file, &err));
    const double *c = m.species[0].coef;
    assert_int_equal(m.species[0].nranges, 3);
    assert_true(c[2] == 2.5 && c[9 + 2] == 3.5 && c[18 + 2] == 4.5);
    kb_mech_free(&m);
}

/* ---------- units ---------- */

static const char frame[] =
    "%s\nphases:\n- {name: g, thermo: ideal-gas, species: [A, B], kinetics: gas}\n"
    "species:\n"
    "- name: A\n  composition: {H: 1}\n"
    "  thermo: &t {model: NASA7, temperature-ranges: [200, 1000, 3000],\n"
    "    data: [[2.5, 0, 0, 0, 0, 1, 2], [2.5, 0, 0, 0, 0, 1, 2]]}\n"
    "- {name: B, composition: {H: 2}, thermo: *t}\n"
    "reactions:\n%s\n";

static void put_frame(const char *units, const char *reactions)
{
    kb_owned char *text = kb_format(frame, units, reactions);
    put(text);
}

TEST(units_give_the_same_rate)
{
    static const struct {
        const char *units, *rate;
    } same[] = {
        {"", "A: 2.5e+8, b: 0, Ea: 4.184e+7"},
        {"units: {length: cm, quantity: mol, activation-energy: cal/mol}",
         "A: 2.5e+11, b: 0, Ea: 1.0e+4"},
        {"units: {length: cm, quantity: mol, energy: cal}", "A: 2.5e+11, b: 0, Ea: 1.0e+4"},
        {"units: {quantity: mol, time: min, mass: g, temperature: K, pressure: bar}",
         "A: 1.5e+7, b: 0, Ea: 4.184e+4"},
        {"units: {length: mm, quantity: molec, activation-energy: kcal/mol}",
         "A: 4.1513477e-10, b: 0, Ea: 10"},
        {"", "A: 2.5e+11 cm^3/mol/s, b: 0, Ea: 10 kcal/mol"},
        {"", "A: 2.5e+11 mol^-1*cm^3/s, b: 0, Ea: 41.84 kJ/mol"},
        {"", "A: 2.5e+8 m^3 / kmol / s, b: 0, Ea: 5032.1954 K"},
        {"units: {activation-energy: K}", "A: 2.5e+8, b: 0, Ea: 5032.1954"},
        {"", "A: 2.5e+8, b: 0, Ea: 0.43364104 eV"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        kb_owned char *reaction = kb_format("- {equation: 2 A => B, rate-constant: {%s}}",
                                            same[i].rate);
        put_frame(same[i].units, reaction);
        kb_mech m = read_good(file);
        close_to(m.reactions[0].kf.A, 2.5e8, 1e-7);
        close_to(m.reactions[0].kf.theta, 4.184e7 / KB_R, 1e-7);
        kb_mech_free(&m);
    }
}

/* SI prefixes by their powers of ten, before a unit of each kind; and each unit by its size */
TEST(units_have_their_size)
{
    static const char prefixes[] = "yzafpnum cdh kMGTPEZY";
    static const int powers[] = {-24, -21, -18, -15, -12, -9, -6, -3, 0, -2,
                                 -1,  2,   0,   3,   6,   9,  12, 15, 18, 21, 24};
    static const struct {
        const char *word;
        double J_per_kmol;
    } energies[] = {{"J/mol", 1e3},       {"cal/mol", 4184},    {"erg/mol", 1e-4},
                    {"J/kmol", 1},        {"J/kgmol", 1},       {"J/gmol", 1e3},
                    {"J/mole", 1e3},      {"J/molec", 6.02214076e26},
                    {"eV", 1.602176634e-19 * 6.02214076e26},    {"K", 8314.46261815324},
                    {"N*m/mol", 1e3},     {"dyn*cm/mol", 1e-4}, {"Pa*m^3/mol", 1e3},
                    {"bar*L/mol", 1e5},   {"atm*l/mol", 101325}, {"atm*liter/mol", 101325},
                    {"bar*cc/mol", 100},  {"kg*m^2/s^2/mol", 1e3}, {"g*m^2/s^2/mol", 1},
                    {"kg*m^2/min^2/mol", 1e3 / 3600}, {"kg*m^2/hr^2/mol", 1e3 / 12960000},
                    {"N*micron/mol", 1e-3}, {"N*angstrom/mol", 1e-7},
                    {"N*\xc3\x85/mol", 1e-7}, {"Pa*m\xc2\xb3/mol", 1e3}};
    int n = sizeof energies / sizeof *energies;
    for (int k = 0; k < n + (int)sizeof prefixes - 1; k++) {
        char prefix = k < n ? ' ' : prefixes[k - n];
        kb_owned char *word = k < n ? kb_strdup(energies[k].word)
                                    : kb_format("%.*sJ/kmol", prefix != ' ', &prefix);
        kb_owned char *reaction = kb_format(
            "- {equation: A => B, rate-constant: {A: 1, b: 0, Ea: 3 %s}}", word);
        put_frame("", reaction);
        kb_mech m = read_good(file);
        double size = k < n ? energies[k].J_per_kmol : pow(10, powers[k - n]);
        close_to(m.reactions[0].kf.theta, 3 * size / 8314.46261815324, 1e-12);
        kb_mech_free(&m);
    }
}

/* lg k of one to three reactants is that of the same number as a plain rate constant */
TEST(units_of_chebyshev)
{
    static const char *const equations[] = {"B => 2 A", "2 A => B", "2 A + B => 4 A"};
    static const char *const units[] = {"", "units: {length: cm, quantity: mol}",
                                        "units: {length: mm, quantity: molec, time: min}"};
    for (int k = 0; k < 9; k++) {
        char *reactions = kb_format("- {equation: %s, rate-constant: {A: 1.0e+4, b: 0, Ea: 0}}\n"
                                    "- {equation: %s, type: Chebyshev, temperature-range: [300, "
                                    "2000], pressure-range: [1 atm, 9 atm], data: [[4.0]]}",
                                    equations[k % 3], equations[k % 3]);
        put_frame(units[k / 3], reactions);
        free(reactions);
        kb_mech m = read_good(file);
        close_to(pow(10, m.reactions[1].cheb.coef[0]), m.reactions[0].kf.A, 1e-12);
        kb_mech_free(&m);
    }
}

TEST(units_of_a_reaction_are_its_own)
{
    put_frame("units: {length: cm, quantity: mol}",
              "- equation: 2 A => B\n  units: {length: m, quantity: kmol}\n"
              "  rate-constant: {A: 7.0, b: 0, Ea: 0}\n"
              "- equation: B => 2 A\n  rate-constant: {A: 7.0, b: 0, Ea: 0}\n"
              "- equation: 2 A + B => 4 A\n  rate-constant: {A: 7.0e+6, b: 0, Ea: 0}\n");
    kb_mech m = read_good(file);
    for (int i = 0; i < 3; i++)
        close_to(m.reactions[i].kf.A, 7, 1e-15);
    kb_mech_free(&m);
}

/* a species may have the name M: it is no third body then */
TEST(species_M)
{
    put("phases:\n- {name: g, thermo: ideal-gas, species: [M, B], kinetics: gas}\nspecies:\n"
        "- {name: M, composition: {H: 1}, thermo: {model: constant-cp, cp0: 20.0}}\n"
        "- {name: B, composition: {H: 2}, thermo: {model: constant-cp, cp0: 20.0}}\n"
        "reactions:\n- {equation: M + M => B, rate-constant: {A: 1, b: 0, Ea: 0}}\n");
    kb_mech m = read_good(file);
    assert_int_equal(m.reactions[0].type, KB_ELEMENTARY);
    assert_true(m.reactions[0].nreactants == 1 && m.reactions[0].reactants[0].value == 2);
    kb_mech_free(&m);
}

/* a phase without a name takes the name of its file */
TEST(a_phase_without_a_name)
{
    put("phases:\n- {thermo: ideal-gas, species: [B]}\nspecies:\n"
        "- {name: B, composition: {H: 2}, thermo: {model: constant-cp, cp0: 20.0}}\n");
    kb_mech m = read_good(file);
    assert_string_equal(m.name, "a");
    kb_mech_free(&m);
}

/* ---------- errors ---------- */

static void expect_error(const char *word)
{
    kb_mech m;
    kb_error err = {0};
    assert_int_equal(kb_yaml_read(&m, file, &err), KB_INVALID);
    if (!strstr(err.text, word))
        fail_msg("'%s' is not in: %s", word, err.text);
    assert_null(m.species); /* nothing is left of it */
}

#define RATE "rate-constant: {A: 1, b: 0, Ea: 0}"

TEST(bad_reactions_are_told)
{
    static const struct {
        const char *reaction, *word;
    } bad[] = {
        {"- {equation: A <=> C, " RATE "}", "unknown species 'C'"},
        {"- {equation: A <=> C, " RATE "}", "species and + stand between blanks"},
        {"- {equation: A B, " RATE "}", "no arrow"},
        {"- {equation: A => B => A, " RATE "}", "second arrow"},
        {"- {equation: A => , " RATE "}", "a side without species"},
        {"- {equation: 2 => B, " RATE "}", "coefficient without a species '2'"},
        {"- {equation: A A => B, " RATE "}", "+ is expected at 'A'"},
        {"- {equation: -1 A => B, " RATE "}", "above zero '-1'"},
        {"- {equation: A + M => B, " RATE "}", "same third body"},
        {"- {equation: A (+M) => B (+A), type: falloff}", "same third body"},
        {"- {equation: A (+M) => B (+M), " RATE "}", "(+M) in a reaction of another type"},
        {"- {equation: A (+C) => B (+C), type: falloff}", "unknown species as third body 'C'"},
        {"- {equation: A => B, type: falloff}", "falloff without a collider"},
        {"- {equation: A (+M) => B (+M), type: falloff, " RATE "}",
         "this key cannot be taken here: 'rate-constant' (it is no key of a reaction of type fall"},
        {"- {equation: A => B, type: three-body, " RATE "}", "without a third body"},
        {"- {equation: A => B, type: linear-Burk, " RATE "}",
         "a.yaml:11: unknown reaction type 'linear-Burk' (known: elementary"},
        {"- {equation: A => B}", "no 'rate-constant'"},
        {"- {equation: A => B, rate-constant: {b: 0}}", "no A in"},
        {"- {equation: A => B, rate-constant: {A: x, b: 0}}", "A is not a finite number: 'x'"},
        {"- {equation: A => B, rate-constant: {A: 1e999, b: 0}}", "not a finite number"},
        {"- {equation: A => B, rate-constant: {A: -1, b: 0}}", "negative-A: true"},
        {"- {equation: A => B, rate-constant: {A: 1 cm^3/s, b: 0}}", "not a unit of A: 'cm^3/s'"},
        {"- {equation: A => B, rate-constant: {A: 1, b: 0, Ea: 1 m}}",
         "not a unit of activation energy"},
        {"- {equation: A => B, rate-constant: {A: 1, b: 0, Ea: 1 J}}", "energy: 'J' (cal"},
        {"- {equation: A => B, efficiencies: {A: 1}, " RATE "}",
         "efficiencies without a third body in 'A => B'"},
        {"- {equation: A + M => B + M, efficiencies: {C: 1}, " RATE "}",
         "efficiency of an unknown species 'C'"},
        {"- {equation: A + M => B + M, efficiencies: {A: 1, A: 2}, " RATE "}",
         "the key of line 11 stands here again: 'A'"},
        {"- {equation: A => B, duplicate: maybe, " RATE "}", "duplicate is neither true nor false"},
        {"- {equation: A => B, orders: {B: 1}, " RATE "}", "order of a non-reactant 'B'"},
        {"- {equation: A => B, orders: {A: -1}, " RATE "}", "negative order of 'A'"},
        {"- {equation: A => B, type: pressure-dependent-Arrhenius}", "rate-constants"},
        {"- {equation: A => B, type: pressure-dependent-Arrhenius, "
         "rate-constants: [{P: -1 atm, A: 1, b: 0}]}", "above 0: '-1 atm'"},
        {"- {equation: A => B, type: Chebyshev, temperature-range: [300, 200]}", "must ascend"},
        {"- {equation: A => B, type: Chebyshev, temperature-range: [300, 2000], "
         "pressure-range: [1 atm, 2 atm], data: [[1, 2], [3]]}", "without 2 numbers"},
        {"- {equation: A => B, type: Chebyshev, temperature-range: [300, 2000], "
         "pressure-range: [1 K, 2 atm], data: [[1]]}", "not a unit of pressure: 'K'"},
        {"- {equation: A => B, rate-constant: 5}", "not a rate: 'rate-constant'"},
        {"- {equation: A => B, rate-constant: [1]}", "no b in 'rate-constant'"},
        {"- {equation: A => B, rate-constant: [1, 0, 0, 0]}", "more than 3 numbers in 'rate-"},
        {"- {equation: A => B, rate-constant: {A: 1e+300 as^-1, b: 0}}",
         "not finite in kmol, m, s: 'rate-constant'"},
        {"- {equation: A => B, type: pressure-dependent-Arrhenius, "
         "rate-constants: [{P: 0, A: 1, b: 0}]}", "above 0: '0'"},
        {"- {equation: A => B, type: pressure-dependent-Arrhenius, rate-constants: []}",
         "needs a list of 'rate-constants'"},
        {"- {equation: A => B, type: pressure-dependent-Arrhenius, "
         "rate-constants: [{A: 1, b: 0}]}", "a rate without its pressure 'P'"},
        {"- {equation: A => B, [A]: 1, " RATE "}", "a key is no text"},
        {"- {" RATE "}", "a reaction without 'equation'"},
        {"- {equation: [A], " RATE "}", "text is expected"},
        {"- 5", "a reaction without 'equation'"},
        {"- {equation: A => B, " RATE, "YAML:"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_frame("units: {length: cm, quantity: mol}", bad[i].reaction);
        expect_error(bad[i].word);
    }
}

TEST(bad_frames_are_told)
{
#define PHASE "phases: [{name: g, thermo: ideal-gas, elements: [H], species: [A]}]\n"
    static const struct {
        const char *text, *word;
    } bad[] = {
        {"", "no YAML mapping"},
        {"- 1", "no YAML mapping"},
        {"a: [1, 2", "YAML: did not find expected ',' or ']'"},
        {"a: 1\nb: *c\n", "a.yaml:2: YAML: no anchor of the name 'c'"},
        {"a: 1\nb: 2\n\tc: 3\n", "a.yaml:3: YAML:"},
        {"a: 1", "no list of 'phases'"},
        {"phases: [5]", "not a mapping: an entry of 'phases'"},
        {"phases: [{name: g, thermo: ideal-gas, elements: [Qq]}]", "element without a weight 'Qq'"},
        {"phases: [{name: g, thermo: ideal-gas, elements: [H, h]}]", "differ by case only: 'h'"},
        {"phases: [{name: g, thermo: ideal-gas, species: [{other.yaml/species: all}]}]",
         "other.yaml: No such file"},
        {"phases: [{name: g, thermo: ideal-gas}]", "there is no section 'species'"},
        {PHASE "species: []", "species without a definition 'A'"},
        {PHASE "species: [{name: A}]", "no composition for species 'A'"},
        {PHASE "species: [{name: A, composition: {O: 1}}]", "undeclared element: 'O'"},
        {PHASE "species: [{name: A, composition: {H: 1}}]", "no thermo model for species 'A'"},
        {PHASE "species: [{name: A, composition: {H: 1}, thermo: {model: NASA8}}]",
         "another thermo model: 'NASA8' (NASA7, NASA9, Shomate and constant-cp are read)"},
        {PHASE "species: [{name: A, composition: {H: 1}, thermo: {model: NASA7, "
         "temperature-ranges: [300, 200], data: [[1, 2, 3, 4, 5, 6, 7]]}}]", "must ascend"},
        {PHASE "species: [{name: A, composition: {H: 1}, thermo: {model: NASA7, "
         "temperature-ranges: [200, 300], data: [[1, 2, 3]]}}]", "3 numbers, not 7"},
        {PHASE "species: [{name: A, composition: {H: 1}, thermo: {model: constant-cp, T0: 0}}]",
         "constant-cp: temperatures of species"},
        {PHASE "species: [{name: A, composition: {H: 1}, thermo: {model: constant-cp, "
         "T-min: 300, T-max: 300}}]", "constant-cp: temperatures of species"},
        {"phases: [{name: g, thermo: ideal-gas, species: all}]\nspecies: [{name: \"A\\x01\"}]",
         "species without a usable name"},
        {"phases: [{name: g, thermo: ideal-gas, species: all}]\nspecies: [{name: A B}]",
         "species without a usable name"},
        {"units: {length: parsec}\n" PHASE, "unknown unit 'parsec'"},
        {"units: {length: s}\n" PHASE, "not a unit of length: 's'"},
        {"units: {colour: s}\n" PHASE, "unknown kind of unit 'colour'"},
        {"units: {length: m//s}\n" PHASE, "unknown unit 'm//s'"},
        {"units: {length: an-unusually-long-name-of-a-length}\n" PHASE, "unknown unit 'an-unus"},
        {"units: {length: [m]}\n" PHASE, "units: a name and a unit are expected 'length'"},
        {"units: {[length]: m}\n" PHASE, "units: a name and a unit are expected"},
        {"units: m\n" PHASE, "not a mapping 'units'"},
        {"units: {mass: m}\n" PHASE, "not a unit of mass: 'm'"},
        {"units: {temperature: K^2}\n" PHASE, "not a unit of temperature: 'K^2'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put(bad[i].text);
        expect_error(bad[i].word);
    }
    remove(file);
    expect_error("No such file");
    put("");
}

TESTS(make_folder, remove_folder)
