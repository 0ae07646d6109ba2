/* SPDX-License-Identifier: MIT
 *
 * Keys of YAML that are unknown, misspelt, repeated or out of place, and files that are nested or
 * aliased without end. What Cantera 3.2 refuses is refused, too.
 */
#include "tests/test.h"
#include "mech/check.h"
#include "mech/yaml/write.h"
#include "tests/unit/yaml_files.h"

#include <time.h>

static const char frame[] =
    "phases:\n- {name: g, thermo: ideal-gas, species: [A, B], kinetics: gas%s}\n"
    "species:\n"
    "- {name: A, composition: {H: 1}%s,\n"
    "   thermo: {model: NASA7, temperature-ranges: [200, 1000, 3000],\n"
    "   data: [[2.5, 0, 0, 0, 0, 1, 2], [2.5, 0, 0, 0, 0, 1, 2]]%s}}\n"
    "- {name: B, composition: {H: 2}, thermo: {model: constant-cp, cp0: 20.0}}\n"
    "reactions:\n- {%s}\n%s";

#define RATE "rate-constant: {A: 1, b: 0, Ea: 0}"
#define GOOD "equation: 2 A <=> B, " RATE

typedef struct {
    const char *phase, *species, *thermo, *reaction, *end;
} parts;

/* word: in the error (code KB_INVALID) or in the only warning; NULL: neither is there */
static void expect(const parts *p, int code, const char *word)
{
    kb_mech m;
    kb_error err = {0};
    kb_owned char *text = kb_format(frame, p->phase ? p->phase : "", p->species ? p->species : "",
                                    p->thermo ? p->thermo : "", p->reaction ? p->reaction : GOOD,
                                    p->end ? p->end : "");
    put(text);
    if (kb_yaml_read(&m, file, &err) != code)
        fail_msg("%s\n%s", err.text, text);
    const char *said = code ? err.text : m.nwarnings ? m.warnings[0] : "";
    if (word ? !strstr(said, word) : *said)
        fail_msg("'%s' is not in: %s\n%s", word ? word : "nothing", said, text);
    if (!code) {
        assert_int_equal(m.nwarnings, word ? 1 : 0);
        kb_mech_free(&m);
    }
}

static void refused(const parts p, const char *word) { expect(&p, KB_INVALID, word); }

static void warned(const parts p, const char *word) { expect(&p, KB_OK, word); }

TEST(species_are_declared_once)
{
    refused((parts){.species = ", thermo: {model: constant-cp, cp0: 20.0}}\n"
                               "- {name: A, composition: {H: 1}"},
            "a.yaml:5: the species of line 4 is defined here again: 'A'");
    kb_mech m;
    kb_owned char *text = kb_format(frame, "", "", "", GOOD, "");
    strstr(text, "[A, B]")[4] = 'A';
    put(text);
    assert_fails(kb_yaml_read(&m, file, &err), KB_INVALID, "a.yaml:4: species declared twice 'A'");
}

TEST(misspelt_keys_are_errors)
{
    refused((parts){.phase = ", Kinetics: gas"}, "unknown key 'Kinetics' (did you mean kinetics?)");
    refused((parts){.species = ", thermos: 1"}, "a.yaml:4: species: unknown key 'thermos' (did");
    refused((parts){.thermo = ", temperature-range: [1]"}, "(did you mean temperature-ranges?)");
    refused((parts){.thermo = ", reference_pressure: 1"}, "(did you mean reference-pressure?)");
    refused((parts){.reaction = GOOD ", duplicates: true"}, "(did you mean duplicate?)");
    refused((parts){.reaction = GOOD ", Order: {A: 1}"}, "a.yaml:9: reaction: unknown key 'Order'");
    refused((parts){.reaction = "equation: 2 A <=> B, rate-constants: {A: 1, b: 0, Ea: 0}"},
            "it is no key of a reaction of type Arrhenius");
    refused((parts){.reaction = "equation: A (+M) => A (+M), type: falloff, Troee: {A: 1}"},
            "unknown key 'Troee' (did you mean Troe?)");
    refused((parts){.end = "unit: {length: cm}\n"},
            "file: unknown key 'unit' (did you mean units?)");
    refused((parts){.end = "units: {lenght: cm}\n"}, "unknown kind of unit 'lenght'");
}

TEST(keys_of_rates_are_closed)
{
    refused((parts){.reaction = "equation: 2 A <=> B, rate-constant: {A: 1, n: 0, Ea: 0}"},
            "rate-constant: unknown key 'n' (A|b|Ea)");
    refused((parts){.reaction = "equation: 2 A <=> B, rate-constant: {A: 1, b:-0.48, Ea: 0}"},
            "unknown key 'b:-0.48' (a blank behind the colon; A|b");
    refused((parts){.reaction = "equation: 2 A <=> B, rate-constant: {A: 1, b: 0, E: 0}"}, "'E'");
    refused((parts){.reaction = "equation: 2 A <=> B, rate-constant: {A: 1, Ea: 0}"}, "no b in");
    refused((parts){.reaction = GOOD ", Troe: {A: 1, T3: 2, T1: 3}"},
            "a.yaml:9: reaction: this key cannot be taken here: 'Troe'");
    refused((parts){.reaction = GOOD ", sticking-coefficient: {A: 1}"}, "'sticking-coefficient'");
    refused((parts){.phase = ", rate-multipliers: {default: 2}"}, "'rate-multipliers'");
    refused((parts){.end = "extensions: []\n"}, "'extensions'");
    refused((parts){.reaction = GOOD ", <<: {A: 1}"}, "merge keys are not read");
}

/* Cantera takes them, and passes over them: another rate than here */
TEST(units_of_a_rate_stand_elsewhere)
{
    static const char hint[] = "'units' (units of the reaction";
    refused((parts){.reaction = "equation: 2 A <=> B, rate-constant: {units: {length: cm}, A: 1, "
                                "b: 0, Ea: 0}"}, hint);
    refused((parts){.reaction = "equation: 2 A <=> B, type: pressure-dependent-Arrhenius, "
                                "rate-constants: [{P: 1 atm, A: 1, b: 0, Ea: 0, units: {}}]"},
            hint);
    refused((parts){.reaction = "equation: 2 A <=> B, type: Blowers-Masel, "
                                "rate-constant: {A: 1, b: 0, Ea0: 1, w: 2, units: {}}"}, hint);
    warned((parts){.reaction = GOOD ", units: {length: cm}"}, NULL);
}

#define WITH_SRI                                                                                  \
    "equation: 2 A (+M) <=> B (+M), type: falloff, low-P-" RATE ", high-P-" RATE ", SRI: "

/* the same verdicts as Cantera's */
TEST(SRI_is_whole)
{
    warned((parts){.reaction = WITH_SRI "{A: 1, B: 2, C: 0}"}, NULL);
    warned((parts){.reaction = WITH_SRI "{A: 1, B: 2, C: 0.5}"}, NULL);
    warned((parts){.reaction = WITH_SRI "{A: 1, B: 2, C: 3, D: 1, E: 0}"}, NULL);
    refused((parts){.reaction = WITH_SRI "{A: 1, B: 2, C: -3}"}, "C is below 0 in 'SRI'");
    refused((parts){.reaction = WITH_SRI "{A: 1, B: 2, C: 3, D: 1}"}, "D without E in 'SRI'");
    refused((parts){.reaction = WITH_SRI "{A: 1, B: 2, C: 3, E: 1}"}, "no D in 'SRI'");
}

TEST(Chebyshev_has_a_table)
{
    static const char of[] = "equation: 2 A <=> B, type: Chebyshev, temperature-range: [290, "
                             "3000], pressure-range: [0.1 atm, 90 atm], data: ";
    static const struct { const char *data, *word; } cases[] = {
        {"[[8]]", NULL}, {"[[8, 1, 0], [1, 2, 3]]", NULL}, {"", "no table of 'data'"},
        {"8", "no table"}, {"[]", "no table"}, {"[8]", "no table"}, {"[[]]", "no table"},
        {"{a: [8]}", "no table"}, {"[{a: 8}]", "no table"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = kb_format("%s%s", of, cases[k].data);
        expect(&(parts){.reaction = text}, cases[k].word ? KB_INVALID : KB_OK, cases[k].word);
        free(text);
    }
}

TEST(species_are_defined_once)
{
    static const char again[] = "more:\n- {name: C, composition: {H: 1}, thermo: {model: "
        "constant-cp}}\n- {name: C, composition: {H: 1}, thermo: {model: constant-cp}}\n";
    refused((parts){.thermo = "}}\n- {name: A, composition: {H: 1}, thermo: {model: constant-cp"},
            "a.yaml:7: the species of line 4 is defined here again: 'A'");
    warned((parts){.end = again}, NULL); /* a section that the phase does not use */
}

TEST(a_file_is_one_document)
{
    refused((parts){.end = "---\na: 1\n"}, "a second document begins with '---'");
    warned((parts){.end = "...\n"}, NULL);
    refused((parts){.species = ", note: \"a\\0b\""}, "a NUL character in the text");
}

/* Real files have Tmid = Thigh, or Tlow = Tmid: one range */
TEST(ranges_without_extent)
{
    static const char *const ends[] = {"200, 3000, 3000", "200, 200, 3000", "200, 3000"};
    for (int i = 0; i < 3; i++) {
        kb_mech m;
        kb_owned char *text = kb_format(
            "phases:\n- {name: g, thermo: ideal-gas, species: [A]}\nspecies:\n"
            "- {name: A, composition: {H: 1}, thermo: {model: NASA7, temperature-ranges: [%s],\n"
            "  data: [%s%s%s]}}\n",
            ends[i], i == 1 ? "[9, 0, 0, 0, 0, 1, 2], " : "", "[2.5, 0, 0, 0, 0, 1, 2]",
            i == 0 ? ", [9, 0, 0, 0, 0, 1, 2]" : "");
        put(text);
        assert_works(kb_yaml_read(&m, file, &err));
        assert_true(m.species[0].Tlow == 200 && m.species[0].Thigh == 3000);
        assert_true(m.species[0].lo[0] == 2.5 && m.species[0].hi[0] == 2.5);
        assert_true(m.species[0].Tmid > 200 && m.species[0].Tmid < 3000);
        kb_mech_free(&m);
    }
}

/* ... also between others: their rows stay in order */
TEST(a_middle_range_without_extent)
{
    static const double ends[] = {200, 1000, 3000};
    kb_mech m;
    put("phases:\n- {name: g, thermo: ideal-gas, species: [A]}\nspecies:\n"
        "- {name: A, composition: {H: 1}, thermo: {model: NASA9, temperature-ranges: "
        "[200, 1000, 1000, 3000, 6000],\n  data: [[0, 0, 2.5, 0, 0, 0, 0, 1, 2], "
        "[9, 9, 9, 9, 9, 9, 9, 9, 9], [0, 0, 3.5, 0, 0, 0, 0, 3, 4], "
        "[0, 0, 4.5, 0, 0, 0, 0, 5, 6]]}}\n");
    assert_works(kb_yaml_read(&m, file, &err));
    const kb_species *s = &m.species[0];
    assert_int_equal(s->nranges, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(s->T_ends[i] == ends[i]);
        assert_true(s->coef[9 * i + 2] == 2.5 + i && s->coef[9 * i + 8] == 2 + 2 * i);
    }
    kb_mech_free(&m);
}

/* The phase that is read is named unless it is the first */
TEST(another_phase_is_named)
{
    kb_mech m;
    put("phases:\n- {name: s, thermo: fixed-stoichiometry, species: [A]}\n"
        "- {name: g, thermo: ideal-gas, species: [A]}\nspecies:\n"
        "- {name: A, composition: {H: 1}, thermo: {model: constant-cp}}\n");
    assert_works(kb_yaml_read(&m, file, &err));
    if (m.nwarnings != 1 || !strstr(m.warnings[0], "a.yaml:3: phase 'g' is taken"))
        fail_msg("%d warnings, the first: %s", m.nwarnings, m.nwarnings ? m.warnings[0] : "");
    kb_mech_free(&m);
}

/* of rule skip-undeclared-third-bodies, as in Cantera: M stands for it */
TEST(undeclared_colliders_of_linear_Burke)
{
    static const char burke[] =
        "equation: 2 A (+M) <=> B (+M), type: linear-Burke, colliders: [{name: M, type: falloff, "
        "low-P-" RATE ", high-P-" RATE ", Troe: {A: 1, T3: 1, T1: 1}}, "
        "{name: XE, efficiency: {A: 2, b: 0, Ea: 0}}, {name: A, efficiency: {A: 3, b: 0, Ea: 0}}]";
    refused((parts){.reaction = burke}, "not a collider: 'XE' (skip-undeclared-third-bodies");
    warned((parts){.reaction = burke, .phase = ", skip-undeclared-third-bodies: true"}, NULL);
    warned((parts){.reaction = "equation: 2 A (+M) <=> B (+M), type: linear-Burke, colliders: "
                               "[{name: M, eig0: {A: 2, b: 0, Ea: 0}, type: falloff, low-P-" RATE
                               ", high-P-" RATE ", Troe: {A: 1, T3: 1, T1: 1}}]"}, NULL);
}

/* T2 of 0, of a reaction and of a collider in the line below it */
TEST(T2_of_0)
{
    static const char said[] = "Troe T2 of 0 is left out, as Cantera does";
    kb_owned char *own = kb_format("a.yaml:9: %s", said),
                  *collider = kb_format("a.yaml:10: %s", said);
    warned((parts){.reaction = "equation: 2 A (+M) <=> B (+M), type: falloff, low-P-" RATE
                               ", high-P-" RATE ", Troe: {A: 1, T3: 1, T1: 1, T2: 0}"}, own);
    warned((parts){.reaction = "equation: 2 A (+M) <=> B (+M), type: linear-Burke, colliders: [\n"
                               "  {name: M, type: falloff, low-P-" RATE ", high-P-" RATE
                               ", Troe: {A: 1, T3: 1, T1: 1, T2: 0}}]"}, collider);
}

TEST(other_keys_are_warnings)
{
    warned((parts){.reaction = GOOD}, NULL);
    warned((parts){.reaction = GOOD ", colour: red"},
           "a.yaml:9: reaction: unknown key 'colour' is ignored");
    warned((parts){.species = ", lumped: true"}, "species: unknown key 'lumped' is ignored");
    warned((parts){.phase = ", colour: red"}, "phase: unknown key 'colour'");
    warned((parts){.reaction = GOOD ", note: x, id: y", .thermo = ", note: x",
                   .species = ", note: x, transport: {model: gas}", .phase = ", transport: none"},
           NULL);
}

TEST(repeated_keys_are_errors)
{
    refused((parts){.reaction = GOOD ", equation: 2 A => B"},
            "a.yaml:9: the key of line 9 stands here again: 'equation'");
    refused((parts){.thermo = ", model: NASA7"}, "'model' (delete one of the two)");
    refused((parts){.end = "species: []\n"}, "the key of line 3 stands here again: 'species'");
    refused((parts){.end = "more: {a: 1, a: 2}\n"}, "stands here again: 'a'");
}

/* the same verdicts as Cantera's */
TEST(numbers_and_orders_are_strict)
{
    refused((parts){.reaction = "equation: 2 A <=> B, rate-constant: {A: \"1\", b: 0, Ea: 0}"},
            "A is text, not a number: '1' (leave the quotes out)");
    refused((parts){.reaction = "equation: 2 A <=> B, rate-constant: {A: 1, b: '0', Ea: 0}"},
            "b is text");
    warned((parts){.reaction = "equation: 2 A <=> B, rate-constant: {A: \"1 m^3/kmol/s\", b: 0}"},
           NULL);
    warned((parts){.reaction = "equation: 2 A <=> B, rate-constant: [1, 0]"}, NULL);
    refused((parts){.reaction = "equation: 2 A <=> B, rate-constant: [1, 0, 0, 0]"}, "more than 3");
    refused((parts){.reaction = GOOD ", orders: {A: 2}"},
            "a reversible reaction cannot have 'orders'");
    refused((parts){.reaction = GOOD ", duplicate: \"true\""}, "neither true nor false");
    refused((parts){.reaction = GOOD ", efficiencies: {A: 2}"},
            "without a third body in '2 A <=> B'");
    refused((parts){.reaction = GOOD ", default-efficiency: 2"}, "without a third body");
    refused((parts){.reaction = "equation: 2 A + M <=> B + M, type: elementary, " RATE},
            "but + M in");
}

TEST(named_colliders_have_their_efficiency)
{
    refused((parts){.reaction = "equation: 2 A + B <=> B + B, " RATE ", default-efficiency: 1"},
            "a default-efficiency beside the collider 'B'");
    refused((parts){.reaction = "equation: 2 A + B <=> B + B, type: three-body, " RATE
                                ", efficiencies: {A: 1}"}, "without a third body");
    refused((parts){.reaction = "equation: A => A + B, type: three-body, " RATE},
            "three-body reaction of nothing but its collider");
    refused((parts){.reaction = "equation: A + B => A, type: three-body, " RATE},
            "three-body reaction of nothing but its collider");
    put("");
    kb_owned char *text = kb_format(frame, "", "", "",
                                    "equation: 2 A + B <=> B + B, " RATE ", efficiencies: {B: 2.5}",
                                    "");
    put(text);
    kb_mech m = read_good(file);
    const kb_reaction *r = m.reactions;
    assert_true(r->type == KB_THREE_BODY && r->collider < 0 && r->default_efficiency == 0);
    assert_true(r->nefficiencies == 1 && r->efficiencies[0].species == 1 &&
                r->efficiencies[0].value == 2.5 && r->nreactants == 1);
    round_trip(&m);
    kb_mech_free(&m);
}

TEST(phases_are_chosen)
{
    static const char text[] =
        "phases:\n- {name: s, thermo: ideal-surface, species: [A]}\n"
        "- {name: g, thermo: ideal-gas, species: [A]}\n"
        "- {name: h, thermo: ideal-gas, species: [B]}\n"
        "- {name: p, thermo: Peng-Robinson, species: [B]}\n"
        "species:\n- {name: A, composition: {H: 1}, thermo: {model: constant-cp}}\n"
        "- {name: B, composition: {H: 2}, thermo: {model: constant-cp}}\n";
    kb_mech m;
    put(text);
    m = read_good(file);
    assert_string_equal(m.name, "g");
    assert_non_null(strstr(m.warnings[0], "a.yaml:3: phase 'g' is taken, PHASE= takes another of: "
                           "s (ideal-surface), g (ideal-gas), h (ideal-gas), p (Peng"));
    kb_mech_free(&m);
    setenv("KB_PHASE", "h", 1);
    m = read_good(file);
    assert_string_equal(m.species[0].name, "B");
    assert_int_equal(m.nwarnings, 0);
    kb_mech_free(&m);
    setenv("KB_PHASE", "i", 1);
    assert_fails(kb_yaml_read(&m, file, &err), KB_INVALID,
                 "there is no phase 'i' (there are s (ideal-surface), g");
    setenv("KB_PHASE", "p", 1);
    assert_fails(kb_yaml_read(&m, file, &err), KB_INVALID,
                 "a.yaml:5: phase p is no ideal gas but 'Peng-Robinson'");
    setenv("KB_IDEAL", "1", 1);
    m = read_good(file);
    assert_non_null(strstr(m.warnings[0], "is Peng-Robinson, and is read as an ideal gas"));
    kb_mech_free(&m);
    unsetenv("KB_PHASE");
    unsetenv("KB_IDEAL");
}

TEST(kinetics_are_as_cantera_has_them)
{
    static const char base[] =
        "phases:\n- {name: g, thermo: ideal-gas, species: [A, B]%s}\n"
        "species:\n- {name: A, composition: {H: 1}, thermo: {model: constant-cp}}\n"
        "- {name: B, composition: {H: 2}, thermo: {model: constant-cp}}\n%s";
    static const char reactions[] = "reactions: [{" GOOD "}]\n";
    static const struct {
        const char *phase, *word;
        bool section;
        int n;
    } cases[] = {
        {"", NULL, true, 0},
        {", kinetics: none", NULL, true, 0},
        {", kinetics: gas", NULL, true, 1},
        {", kinetics: bulk, reactions: all", NULL, true, 1},
        {", kinetics: gas, reactions: none", NULL, false, 0},
        {", reactions: all", "a phase without kinetics has a list of 'reactions'", true, 0},
        {", kinetics: none, reactions: all", "without kinetics", true, 0},
        {", kinetics: gas", "a.yaml:2: there is no section 'reactions'", false, 0},
        {", kinetics: gas, reactions: [more]", "there is no section 'more'", true, 0},
        {", kinetics: surface", "the phase's kinetics are 'surface' (kinetics: gas)", true, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kb_mech m;
        kb_error err = {0};
        kb_owned char *text = kb_format(base, cases[i].phase, cases[i].section ? reactions : "");
        put(text);
        int code = kb_yaml_read(&m, file, &err);
        if (code != (cases[i].word ? KB_INVALID : KB_OK) ||
            (code && !strstr(err.text, cases[i].word)))
            fail_msg("%s\n%s", err.text, text);
        if (!code)
            assert_int_equal(m.nreactions, cases[i].n);
        kb_mech_free(&m);
    }
}

/* Undeclared colliders under the rules of the phase */
TEST(undeclared_colliders_follow_the_rules)
{
#define FALLOFF "type: falloff, low-P-rate-constant: [1, 0, 0], high-P-rate-constant: [1, 0, 0]"
    const char *skip = ", skip-undeclared-third-bodies: true";
    const char *paren = "equation: 2 A (+XE) <=> B (+XE), " FALLOFF;
    const char *plain = "equation: 2 A + XE <=> B + XE, " RATE;
    refused((parts){.reaction = paren}, "unknown species as third body 'XE'");
    refused((parts){.reaction = plain}, "unknown species 'XE'");
    warned((parts){.phase = skip, .reaction = paren}, NULL);
    warned((parts){.phase = skip, .reaction = plain}, NULL);
    refused((parts){.phase = skip, .reaction = "equation: 2 A + XE <=> B, " RATE}, "'XE'");
    refused((parts){.phase = skip, .reaction = "equation: 2 A + XE <=> B + KR, " RATE}, "'XE'");
    refused((parts){.phase = skip, .reaction = "equation: 2 A + XE + KR <=> B + XE, " RATE}, "KR");
}

/* explicit-third-body-duplicates: M counts A, the collider of the second reaction, too */
TEST(overlapping_third_bodies_follow_the_rule)
{
    static const struct {
        const char *rule, *given;
        int code, nwarnings, nefficiencies, of_A;
    } cases[] = {{"warn", "B: 3", KB_OK, 1, 1}, {"error", "B: 3", KB_INVALID, 0, 1},
                 {"mark-duplicate", "B: 3", KB_OK, 0, 1},
                 {"modify-efficiency", "B: 3", KB_OK, 0, 2, 1},
                 {"modify-efficiency", "A: 2, B: 3", KB_OK, 0, 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kb_error err = {0};
        kb_owned char *phase = kb_format(", explicit-third-body-duplicates: %s", cases[i].rule);
        kb_owned char *text = kb_format(frame, phase, "", "",
                                        "equation: 2 A + M <=> B + M, " RATE ", efficiencies: {%s}",
                                        "- {equation: 2 A + A <=> B + A, " RATE "}\n");
        kb_owned char *whole = kb_format(text, cases[i].given);
        put(whole);
        kb_mech m = read_good(file);
        kb_owned char *written = kb_yaml_text(&m, true); /* a file without a rule has the first */
        assert_int_equal(strstr(written, "explicit-third-body-duplicates: ") != NULL, i > 0);
        assert_true(!i || strstr(written, cases[i].rule));
        assert_int_equal(kb_mech_check(&m, &err), cases[i].code);
        assert_int_equal(m.nwarnings, cases[i].nwarnings);
        assert_int_equal(m.reactions[0].nefficiencies, cases[i].nefficiencies);
        if (cases[i].nefficiencies == 2)
            assert_true(m.reactions[0].efficiencies[cases[i].of_A].species == 0 &&
                        m.reactions[0].efficiencies[cases[i].of_A].value == 0);
        kb_mech_free(&m);
    }
    refused((parts){.phase = ", explicit-third-body-duplicates: both"},
            "unknown rule for explicit-third-body-duplicates 'both'");
}

TEST(steady_state_has_its_line)
{
    refused((parts){.phase = ", steady-state-species: [Q]"}, "a.yaml:2: ");
    refused((parts){.phase = ",\n   steady-state-species: [A, A]"}, "a.yaml:3: ");
    refused((parts){.phase = ", steady-state-species: []"}, "not a list of names: 'steady-st");
    refused((parts){.phase = ", steady-state-species: {A: 1}"}, "not a list of names: 'steady-st");
    refused((parts){.phase = ", steady-state-species: [[A]]"}, "an entry is no name: 'steady-st");
}

/* What is wrong with a list of colliders: each message, with what it is about */
TEST(colliders_of_linear_burke)
{
#define LIMIT "P-rate-constant: {A: 1, b: 0, Ea: 0}"
#define TROE "type: falloff, low-" LIMIT ", high-" LIMIT ", Troe: {A: 0.5, T3: 1, T1: 2}"
#define M_FIRST "[{name: M, " TROE "}"
#define TWO "efficiency: {A: 2, b: 0, Ea: 0}"
    static const struct {
        const char *list, *word; /* NULL: taken */
    } cases[] = {
        {M_FIRST ", {name: A, " TWO "}, {name: B, " TWO "}]", NULL},
        {"[{name: M, efficiency: {A: 1, b: 0, Ea: 0}, " TROE "}, {name: A, " TWO "}]", NULL},
        {"5", "needs a list of 'colliders'"},
        {"[]", "needs a list of 'colliders'"},
        {"{name: M}", "needs a list of 'colliders'"},
        {"[5]", "not a collider: (the first one is M)"},
        {"[{" TROE "}]", "not a collider: (the first one is M)"},
        {"[{name: A, " TROE "}]", "not a collider: 'A' (the first one is M)"},
        {M_FIRST ", {" TWO "}]", "not a collider: (skip-undeclared-third-bodies"},
        {M_FIRST ", {name: M, " TWO "}]", "not a collider: 'M' (skip-undeclared-third-bodies"},
        {M_FIRST ", {name: A, " TWO "}, {name: A, " TWO "}]", "a collider stands twice: 'A'"},
        {M_FIRST ", {name: A, " TWO "}, {name: B, " TWO "}, {name: B, " TWO "}]", "twice: 'B'"},
        {M_FIRST ", {name: A, " TWO ", typ: 1}]", "collider: unknown key 'typ' (did you"},
        {"[{name: M}]", "a collider's 'type'"},
        {"[{name: M, type: three-body}]", "a collider's 'three-body'"},
        {"[{name: M, type: falloff, low-" LIMIT ", high-" LIMIT "}]", "a collider's 'falloff'"},
        {"[{name: M, type: falloff, low-" LIMIT "}]", "no 'high-P-rate-constant'"},
        {M_FIRST ", {name: A, type: three-body, " TWO "}]", "a collider's 'three-body'"},
        {M_FIRST ", {name: A}]", "no efficiency of collider 'A'"},
        {M_FIRST ", {name: A, eig0: {A: 2, b: 0, Ea: 0}}]", "efficiency and 'eig0'"},
        {"[{name: M, eig0: {A: 2, b: 0, Ea: 0}, " TROE "}, {name: A, " TWO "}]",
         "efficiency and 'eig0'"},
        {"[{name: M, eig0: {A: 2, b: 0, Ea: 0}, " TROE "}, {name: A}]", "no eig0 of collider 'A'"},
        {M_FIRST ", {name: A, efficiency: {A: 0, b: 0, Ea: 0}}]", "efficiency of 'A' (A above 0"},
        {M_FIRST ", {name: A, efficiency: {A: -1, b: 0, Ea: 0}}]", "efficiency of 'A'"},
        {"[{name: M, efficiency: {A: 2, b: 0, Ea: 0}, " TROE "}]", "efficiency of 'M'"},
        {"[{name: M, efficiency: {A: 1, b: 1, Ea: 0}, " TROE "}]", "efficiency of 'M'"},
        {"[{name: M, efficiency: {A: 1, b: 0, Ea: 1}, " TROE "}]", "efficiency of 'M'"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = kb_format("equation: 2 A (+M) <=> B (+M), type: linear-Burke, colliders: %s",
                               cases[k].list);
        parts p = {.reaction = text};
        expect(&p, cases[k].word ? KB_INVALID : KB_OK, cases[k].word);
        free(text);
    }
    refused((parts){.reaction = "equation: 2 A (+M) <=> B (+M), type: linear-Burke"},
            "needs a list of 'colliders'");
}

/* "H 1.008, D 3": the elements of the phase and their weights, or what is said of them */
static void has_elements(const char *list, const char *end, const char *expected)
{
    kb_mech m;
    kb_error err = {0};
    char *text = kb_format(frame, list, "", "", GOOD, end), all[200] = "";
    put(text);
    if (kb_yaml_read(&m, file, &err)) {
        assert_non_null(strstr(err.text, expected));
    } else {
        for (int k = 0; k < m.nelements; k++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s %g", k ? ", " : "",
                     m.elements[k].name, m.elements[k].weight);
        assert_string_equal(all, expected);
        kb_mech_free(&m);
    }
    free(text);
}

/* Cantera's rules: which weight counts, and which elements a phase has */
TEST(elements_of_a_phase)
{
    static const char light[] = "light:\n- {symbol: H, atomic-weight: 0.25}\n"
                                "- {symbol: Q, atomic-weight: 7, atomic-number: 3}\n"
                                "dark: [{symbol: O, atomic-weight: 17}, {symbol: Z}]\n";
    static const char own[] = "elements: [{symbol: O, atomic-weight: 17}, {symbol: Q, "
                              "atomic-weight: 7}]\ndefault: [{symbol: H, atomic-weight: 3}]\n";
    has_elements("", "", "H 1.008");
    has_elements("", own, "H 1.008");
    has_elements(", elements: [O, H, Q]", own, "O 17, H 1.008, Q 7");
    has_elements(", elements: [H, Q]", light, "without a weight 'Q' (give its atomic-weight in a");
    has_elements(", elements: [h]", light, "without a weight 'h' (did you mean H?)");
    has_elements(", elements: [{light: [H]}]", light, "H 0.25");
    has_elements(", elements: [{light: [Q]}, {dark: [O]}, {default: [H, N]}]", light,
                 "Q 7, O 17, H 1.008, N 14.007");
    has_elements(", elements: [{default: [H]}]", own, "H 3");
    has_elements(", elements: [{default: [Q]}]", light, "element without a weight 'Q'");
    has_elements(", elements: [{light: [O]}]", light, "element without a weight 'O'");
    has_elements(", elements: [{dark: [O, Z]}]", light, "no atomic-weight for element 'Z'");
    has_elements(", elements: [{light: H}]", light, "elements: symbols are expected");
    has_elements(", elements: [{light: [H], dark: [O]}]", light, "one section is expected");
    has_elements(", elements: [{light: [H]}, O]", light, "one section is expected");
    has_elements(", elements: [{bright: [H]}]", light, "there is no section 'bright'");
    has_elements(", elements: [H, O, H]", light, "element declared twice 'H'");
    has_elements(", elements: [H, Abcdefgh]", light, "not an element symbol 'Abcdefgh' (1 to 7");
    has_elements(", elements: {H: 1}", light, "elements: symbols are expected");
}

/* as many as there is room for, and one more */
TEST(most_elements)
{
    for (int n = KB_MAX_ELEMENTS; n <= KB_MAX_ELEMENTS + 1; n++) {
        char list[20 * KB_MAX_ELEMENTS] = ", elements: [H", own[60 * KB_MAX_ELEMENTS] = "elements:";
        for (int k = 1; k < n; k++) {
            sprintf(list + strlen(list), ", Abcde%02d", k);
            sprintf(own + strlen(own), "\n- {symbol: Abcde%02d, atomic-weight: 2}", k);
        }
        kb_owned char *word = kb_format("more than %d elements at 'Abcde%02d'", KB_MAX_ELEMENTS,
                                        n - 1);
        strcat(list, "]");
        expect(&(parts){.phase = list, .end = own}, n > KB_MAX_ELEMENTS ? KB_INVALID : KB_OK,
               n > KB_MAX_ELEMENTS ? word : NULL);
    }
}

/* A section of another file, which must be a file; the other's units hold there */
TEST(sections_of_other_files)
{
    kb_mech m;
    kb_owned char *other = kb_format("%s/other.yaml", folder);
    FILE *f = fopen(other, "w");
    assert_non_null(f);
    fputs("units: {energy: kJ, quantity: mol}\nspecies:\n"
          "- {name: A, composition: {H: 1}, thermo: {model: constant-cp, cp0: 0.02}}\n"
          "- {name: B, composition: {H: 2}, thermo: {model: constant-cp}}\n"
          "more: [{" GOOD "}]\n", f);
    fclose(f);
    put("phases:\n- {name: g, thermo: ideal-gas, species: [{other.yaml/species: [B, A]}],\n"
        "   kinetics: gas, reactions: [other.yaml/more]}\n");
    m = read_good(file);
    assert_string_equal(m.species[1].name, "A");
    close_to(m.species[1].lo[0], 20e3 / KB_R, 1e-15);
    assert_true(m.nreactions == 1 && m.reactions[0].file != m.files[0]);
    assert_string_equal(m.reactions[0].file, other);
    assert_int_equal(m.reactions[0].line, 5);
    kb_mech_free(&m);
    remove(other);
    put("phases:\n- {name: g, thermo: ideal-gas, species: [{/dev/zero/species: all}]}\n");
    assert_fails(kb_yaml_read(&m, file, &err), KB_INVALID,
                 "a.yaml:2: /dev/zero: no file; named in section");
}

/* ---------- bounds ---------- */

static void expect_soon(const char *text, const char *word)
{
    kb_mech m;
    kb_error err = {0};
    clock_t start = clock();
    put(text);
    assert_int_equal(kb_yaml_read(&m, file, &err), KB_INVALID);
    if (!strstr(err.text, word))
        fail_msg("'%s' is not in: %s", word, err.text);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 2);
}

TEST(nesting_and_aliases_are_bounded)
{
    enum { DEEP = 200000 };
    kb_owned char *text = kb_alloc(DEEP + 16, 1);
    memset(text, '[', DEEP);
    expect_soon(text, "a.yaml:1: YAML: lists and mappings nested too deep");
    for (int i = 0; i < DEEP; i += 2)
        memcpy(text + i, "- ", 2);
    expect_soon(text, "nested too deep");
    char *laughs = kb_strdup("a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n");
    for (int i = 1; i < 10; i++) {
        int k = i - 1;
        char *more = kb_format("%sa%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n",
                               laughs, i, i, k, k, k, k, k, k, k, k);
        free(laughs);
        laughs = more;
    }
    expect_soon(laughs, "aliases that make a tree too large");
    free(laughs);
    expect_soon("a: &x [1, *x]\n", "an alias inside its own anchor: 'x'");
    expect_soon("a: *x\n", "no anchor of the name 'x'");
}

/* a twin has the same changes of species with the same signs, not only of the same sizes */
TEST(a_twin_is_the_same_reaction)
{
    char *text = kb_strdup("phases:\n- {name: g, thermo: ideal-gas, species: [A, B, C, D], "
                           "kinetics: gas}\nspecies:\n");
    for (char name = 'A'; name <= 'D'; name++) {
        char *more = kb_format("%s- {name: %c, composition: {H: 1}, "
                               "thermo: {model: constant-cp, cp0: 30.0}}\n", text, name);
        free(text);
        text = more;
    }
    kb_mech m;
    kb_error err = {0};
    static const char *const second[] = {"A + C <=> B + D", "C + D <=> B + A"};
    for (int twin = 0; twin < 2; twin++) {
        kb_owned char *whole = kb_format(
            "%sreactions:\n- {equation: A + B <=> C + D, duplicate: true, " RATE
            "}\n- {equation: %s, duplicate: true, " RATE "}\n",
            text, second[twin]);
        put(whole);
        assert_int_equal(kb_mech_load(&m, file, NULL, &err), twin ? KB_OK : KB_INVALID);
        if (twin)
            kb_mech_free(&m);
        else
            assert_non_null(strstr(err.text, "no other marked reaction"));
    }
    free(text);
}

/* of rule declared-species: an undeclared one among the orders, wherever it stands there. The list
 * before is one that libyaml makes longer, so that the orders lie in the memory that it left. */
TEST(orders_of_undeclared_species)
{
    static const char *const orders[] = {"A: 1, B: 1", "XE: 1, A: 1", "A: 1, XE: 1", "XE: 1"};
    for (int k = 0; k < 4; k++) {
        kb_owned char *reaction = kb_format(
            "equation: A + B => 3 A, note: {a: 0, b: 0, c: 0, d: 0, e: 0, "
            "f: 0, g: 0, h: 0, i: 0, j: 0, k: 0, l: 0, m: 0, n: 0, o: 0, "
            "p: 0, q: 0, r: 0, s: 0, t: 0, u: 0}, orders: {%s}, " RATE,
            orders[k]);
        kb_owned char *text = kb_format(frame, ", reactions: declared-species", "", "", reaction,
                                        "");
        kb_mech m;
        put(text);
        assert_works(kb_yaml_read(&m, file, &err));
        assert_int_equal(m.nreactions, k == 0);
        kb_mech_free(&m);
    }
}

/* the deepest file that is read has 64 lists and mappings in one another */
TEST(the_bound_of_nesting)
{
    for (int depth = 60; depth < 70; depth++) { /* the file's own mapping is one */
        char open[80] = "", closed[80] = "";
        memset(open, '[', (size_t)depth - 1);
        memset(closed, ']', (size_t)depth - 1);
        char *end = kb_format("description: %s%s\n", open, closed);
        if (depth <= 64)
            expect(&(parts){.end = end}, KB_OK, NULL);
        else
            refused((parts){.end = end}, "a.yaml:10: YAML: lists and mappings nested too deep");
        free(end);
    }
}

TESTS(make_folder, remove_folder)
