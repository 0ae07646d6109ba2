/* SPDX-License-Identifier: MIT
 *
 * The YAML writer, the shipped mechanisms, and large ones.
 */
#include "tests/test.h"
#include "tests/unit/yaml_files.h"

#include <ctype.h>
#include <time.h>

#include "base/number.h"
#include "mech/yaml/write.h"

/* ---------- the shipped mechanisms ---------- */

static const struct {
    const char *name;
    int elements, species, reactions;
} shipped[] = {{"gri30", 5, 53, 325}, {"h2co", 6, 13, 27}, {"h2", 3, 9, 19}};

TEST(shipped_mechanisms_are_what_the_readme_says)
{
    FILE *f = fopen("datasets/mechanisms/README.md", "r");
    assert_non_null(f);
    static char readme[16384];
    readme[fread(readme, 1, sizeof readme - 1, f)] = '\0';
    fclose(f);
    for (int i = 0; i < 3; i++) {
        kb_owned char *path = kb_format("datasets/mechanisms/%s.yaml", shipped[i].name);
        kb_mech m = load_good(path, NULL);
        assert_string_equal(m.name, shipped[i].name);
        assert_int_equal(m.nelements, shipped[i].elements);
        assert_int_equal(m.nspecies, shipped[i].species);
        assert_int_equal(m.nreactions, shipped[i].reactions);
        assert_int_equal(m.nwarnings, 0);
        if (!strstr(readme, m.sha256))
            fail_msg("%s: sha256 %s is not in the README", path, m.sha256);
        round_trip(&m);
        kb_mech_free(&m);
    }
}

TEST(shipped_files_are_in_canonical_form)
{
    for (int i = 0; i < 3; i++) {
        kb_owned char *path = kb_format("datasets/mechanisms/%s.yaml", shipped[i].name);
        static char bytes[1 << 17];
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        bytes[fread(bytes, 1, sizeof bytes - 1, f)] = '\0';
        fclose(f);
        kb_mech m = read_good(path);
        kb_owned char *text = kb_yaml_text(&m, true);
        assert_string_equal(text, bytes);
        kb_mech_free(&m);
    }
}

TEST(species_no_is_a_name)
{
    kb_mech m = read_good("datasets/mechanisms/gri30.yaml");
    assert_int_equal(kb_find_species(&m, "NO"), 35);
    assert_int_equal(kb_find_species(&m, "N"), 30);
    assert_int_equal(kb_find_species(&m, "false"), -1);
    kb_mech_free(&m);
}

/* ---------- the writer ---------- */

TEST(shortest_decimals_read_back)
{
    static const struct {
        double value;
        const char *text;
    } known[] = {{0, "0.0"},           {1, "1.0"},           {-2.5, "-2.5"},
                 {0.1, "0.1"},         {1e14, "1.0e+14"},    {12345.678, "12345.678"},
                 {1e5, "1.0e+05"},     {0.001, "0.001"},     {9.5e-4, "9.5e-04"},
                 {5e-324, "5.0e-324"}, {1e-300, "1.0e-300"}, {100, "100.0"}};
    char text[KB_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        kb_shortest(known[i].value, text);
        assert_string_equal(text, known[i].text);
    }
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        kb_shortest(value, text);
        assert_true(strtod(text, NULL) == value);
    }
}

static double from_cal(double E, double unused)
{
    (void)unused;
    return kb_theta_from_cal(E);
}

/* A value that was read from 17 digits in cal/mol finds its way back to such digits. */
TEST(decimals_in_other_units_are_found)
{
    char text[KB_NUMBER_SIZE];
    double E = 123.45;
    for (int i = 0; i < 20000; i++) {
        E *= 1.000314159;
        double theta = kb_theta_from_cal(E), about = theta / kb_theta_from_cal(1);
        assert_true(kb_shortest_through(theta, about, from_cal, 0, text));
        assert_true(kb_theta_from_cal(strtod(text, NULL)) == theta);
    }
}

/* Doubles that no decimal in cm, mol, cal gives carry their SI unit. */
TEST(any_double_comes_back)
{
    kb_mech m = read_good(FEATURES);
    double step = 1;
    for (int pass = 0; pass < 40; pass++) {
        for (int i = 0; i < m.nreactions; i++) {
            kb_reaction *r = &m.reactions[i];
            double *values[] = {&r->kf.A, &r->kf.theta, &r->low.A, &r->low.theta,
                                r->nplog ? &r->plog[0].k.A : NULL,
                                r->nplog ? &r->plog[2].p : NULL, r->cheb.coef};
            for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
                step = fmod(step * 1.618033988749895, 1);
                if (values[k])
                    *values[k] *= 1 + 1e-3 * step;
            }
        }
        kb_mech again = through_file(&m);
        for (int i = 0; i < m.nreactions; i++)
            same_rate(&m.reactions[i], &again.reactions[i]);
        kb_mech_free(&again);
    }
    kb_mech_free(&m);
}

/* a word of letters and digits that begins with a letter has no quotes; another one has them */
TEST(first_letters)
{
    for (int c = 33; c < 127; c++) {
        char name[] = {(char)c, 'x', '7', 0}, *text = kb_yaml_quoted(name);
        assert_int_equal(*text == '\'', !isalpha(c));
        assert_int_equal(strcmp(text, name) == 0, isalpha(c) != 0);
        free(text);
    }
}

TEST(odd_names_come_back)
{
    static const char *const names[] = {"Y",    "on",     "null", "1E5x", "#1",    "it's", "a,b[c]",
                                        "{x}:", "?",      "&a",   "*a",   "-",     "~",    "A#",
                                        "a:b",  "!tag|>", "%p",   "@q",   "\"q\"", "C3H5-1,3"};
    kb_mech m = read_good("datasets/mechanisms/h2.yaml");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int k = (int)i % m.nspecies;
        free(m.species[k].name);
        m.species[k].name = kb_strdup(names[i]);
        free(m.name);
        m.name = kb_strdup(names[i]);
        kb_mech again = through_file(&m);
        same_mech(&m, &again);
        assert_string_equal(again.name, names[i]);
        kb_mech_free(&again);
    }
    kb_mech_free(&m);
}

TEST(odd_descriptions_come_back)
{
    kb_mech m = read_good("datasets/mechanisms/h2.yaml");
    free(m.description);
    m.description = kb_strdup("\n  indented: [first\tline  \r\n\n # no comment\n"
                              "- caf\xe9 caf\xc3\xa9 \x01\xc2\x85\n\n");
    kb_mech again = through_file(&m);
    assert_string_equal(again.description,
                        "indented: [first line\n\n # no comment\n- caf? caf\xc3\xa9 ???");
    kb_mech third = through_file(&again);
    assert_string_equal(again.description, third.description);
    kb_mech_free(&third);
    kb_mech_free(&again);
    kb_mech_free(&m);
}

/* code as UTF-8 of n bytes, which may be more than it needs */
static void encode(unsigned code, int n, char text[5])
{
    static const unsigned first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = n - 1; i > 0; i--, code >>= 6)
        text[i] = (char)(0x80 | (code & 0x3f));
    text[0] = (char)(first[n] | code);
    text[n] = '\0';
}

/* The bytes of a character that YAML takes as it is, 0 for all others: both sides of each border */
TEST(characters_that_can_be_printed)
{
    static const struct {
        unsigned code;
        int bytes, printed;
    } all[] = {{0x1f, 1, 0},     {0x20, 1, 1},     {0x7e, 1, 1},     {0x7f, 1, 0},
               {0x9f, 2, 0},     {0xa0, 2, 2},     {0x7ff, 2, 2},    {0x800, 3, 3},
               {0x2027, 3, 3},   {0x2028, 3, 0},   {0x2029, 3, 0},   {0x202a, 3, 3},
               {0xd7ff, 3, 3},   {0xd800, 3, 0},   {0xdfff, 3, 0},   {0xe000, 3, 3},
               {0xfefe, 3, 3},   {0xfeff, 3, 0},   {0xff00, 3, 3},   {0xfffd, 3, 3},
               {0xfffe, 3, 0},   {0xffff, 3, 0},   {0x10000, 4, 4},  {0x1fffd, 4, 4},
               {0x1fffe, 4, 0},  {0x1ffff, 4, 0},  {0x20000, 4, 4},  {0x10fffd, 4, 4},
               {0x10ffff, 4, 0}, {0x110000, 4, 0}, {0x41, 2, 0},     {0x7f, 2, 0},
               {0x7ff, 3, 0},    {0xffff, 4, 0},   {0xa0, 3, 0},     {0xfffd, 4, 0}};
    char text[5];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        encode(all[i].code, all[i].bytes, text);
        if (kb_printable(text) != all[i].printed)
            fail_msg("U+%04X in %d bytes: %d", all[i].code, all[i].bytes, kb_printable(text));
        text[all[i].bytes - 1] = 'x'; /* cut short */
        assert_int_equal(kb_printable(text), all[i].bytes == 1);
    }
    assert_int_equal(kb_printable("\x80"), 0);
    assert_int_equal(kb_printable("\xf8\x88\x80\x80\x80"), 0);
    assert_int_equal(kb_printable("\xf8\x90\x80\x80\x80"), 0);
    assert_int_equal(kb_printable("\xc3("), 0);
}

/* An explicit reverse rate becomes a reaction of its own, with the forward pressure factor. */
TEST(explicit_reverse_becomes_two)
{
    kb_mech m = read_good("datasets/mechanisms/h2co.yaml");
    int elementary = 0, duplicate = 1, zero = 3, falloff = 14;
    assert_int_equal(m.reactions[falloff].type, KB_FALLOFF);
    const int split[] = {elementary, duplicate, zero, falloff};
    for (int i = 0; i < 4; i++) {
        m.reactions[split[i]].has_reverse = true;
        m.reactions[split[i]].kr = (kb_arrhenius){split[i] == zero ? 0 : 3e5, 0.5, 700};
    }
    kb_mech out = through_file(&m);
    assert_int_equal(out.nreactions, m.nreactions + 3);
    const kb_reaction *r = out.reactions;
    assert_true(!r[0].reversible && !r[1].reversible && !r[0].duplicate && !r[1].duplicate);
    same_bytes(&r[1].kf, &m.reactions[0].kr, sizeof r[1].kf);
    same_terms(r[1].reactants, r[1].nreactants, m.reactions[0].products, m.reactions[0].nproducts);
    /* 2: O + H2 => H + OH, 3: its reverse, 4: O + H2 <=> H + OH, the other half of the duplicate */
    assert_true(r[2].duplicate && r[3].duplicate && r[4].duplicate && r[4].reversible);
    assert_true(!r[5].reversible && !r[5].duplicate); /* reverse A = 0 */
    const kb_reaction *f = &r[falloff + 2], *b = &r[falloff + 3];
    assert_true(b->type == KB_FALLOFF && b->nefficiencies == f->nefficiencies);
    close_to(b->low.A / b->kf.A, f->low.A / f->kf.A, 1e-14);
    close_to(b->low.b - b->kf.b, f->low.b - f->kf.b, 1e-14);
    close_to(b->low.theta - b->kf.theta, f->low.theta - f->kf.theta, 1e-13);
    kb_owned char *a = kb_yaml_text(&m, false), *c = kb_yaml_text(&out, false);
    assert_string_equal(a, c);
    kb_mech_free(&out);
    kb_mech_free(&m);
}

/* Marks where a split reaction's reverse half stands beside a reaction that is its like, or one
 * with M: two of one type get them, others keep them if both have one. */
TEST(marks_beside_split_reactions)
{
    static const struct {
        kb_rate_type type; /* of the other one */
        bool first, other, marked;
    } cases[] = {{KB_ELEMENTARY, false, false, true}, {KB_ELEMENTARY, true, false, true},
                 {KB_ELEMENTARY, true, true, true},   {KB_THREE_BODY, false, false, false},
                 {KB_THREE_BODY, true, false, false}, {KB_THREE_BODY, false, true, false},
                 {KB_THREE_BODY, true, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kb_mech m = read_good("datasets/mechanisms/h2.yaml");
        kb_reaction *r = &m.reactions[0], like = kb_reaction_copy(*r);
        kb_term *terms = like.reactants;
        int n = like.nreactants;
        like.reactants = like.products;
        like.nreactants = like.nproducts;
        like.products = terms;
        like.nproducts = n;
        like.reversible = false;
        like.type = cases[i].type;
        like.duplicate = cases[i].other;
        kb_reaction_free(&m.reactions[1]);
        m.reactions[1] = like;
        r->has_reverse = true;
        r->kr = (kb_arrhenius){3e5, 0.5, 700};
        r->duplicate = cases[i].first;
        kb_mech out = through_file(&m);
        assert_int_equal(out.nreactions, m.nreactions + 1);
        assert_false(out.reactions[0].duplicate);
        assert_int_equal(out.reactions[1].duplicate, cases[i].marked);
        assert_int_equal(out.reactions[2].duplicate, cases[i].marked);
        kb_mech_free(&out);
        kb_mech_free(&m);
    }
}

TEST(a_failed_write_leaves_nothing)
{
    kb_mech m = read_good("datasets/mechanisms/h2.yaml");
    kb_error err = {0};
    char *path = kb_format("%s/none/a.yaml", folder);
    assert_fails(kb_yaml_write(&m, path, &err), KB_INVALID, path);
    free(path);
    assert_int_equal(kb_yaml_write(&m, folder, &err), KB_INVALID); /* a folder is in the way */
    path = kb_format("%s.tmp%ld", folder, (long)getpid());
    assert_int_not_equal(access(path, F_OK), 0);
    free(path);
    kb_mech_free(&m);
}

/* ---------- large mechanisms ---------- */

static char *large(const char *tail)
{
    const char *root = getenv("KB_MECH_PATH");
    if (!root) {
        print_message("KB_MECH_PATH is not set: %s is not read\n", tail);
        skip();
    }
    return kb_format("%s/%s", root, tail);
}

/* The YAML form of this set was made by other software from the CHEMKIN form. */
TEST(curran118_is_the_same_in_both_forms)
{
    kb_owned char *yaml = large("curran118/mech.yaml"), *inp = large("curran118/mech.inp");
    kb_owned char *therm = large("curran118/therm.dat");
    kb_mech a = load_good(yaml, NULL), b = load_good(inp, therm);
    assert_int_equal(b.nreactions, 665);
    assert_int_equal(a.nreactions, 1246);
    kb_mech split = through_file(&b);
    assert_int_equal(split.nreactions, a.nreactions);
    for (int i = 0; i < a.nspecies; i++)
        same_bytes(a.species[i].lo, split.species[i].lo, sizeof a.species[i].lo);
    for (int i = 0; i < a.nreactions; i++) {
        same_rate(&a.reactions[i], &split.reactions[i]);
        same_terms(a.reactions[i].reactants, a.reactions[i].nreactants,
                   split.reactions[i].reactants, split.reactions[i].nreactants);
    }
    kb_mech_free(&split);
    kb_mech_free(&a);
    kb_mech_free(&b);
}

TEST(the_ideal_gas_phase_is_taken)
{
    kb_owned char *yaml = large("nc12_reitz100/mech.yaml");
    kb_mech m = load_good(yaml, NULL);
    assert_string_equal(m.name, "nDodecane_IG");
    assert_int_equal(m.nspecies, 100);
    assert_int_equal(m.nreactions, 553);
    round_trip(&m);
    kb_mech_free(&m);
}

TEST(thousand_species_are_read_in_seconds)
{
    kb_owned char *yaml = large("nc6_1268/mech.yaml");
    clock_t start = clock();
    kb_mech m = load_good(yaml, NULL);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("nc6_1268 is read and checked in %.2f s\n", seconds);
    assert_true(seconds < 10);
    assert_int_equal(m.nspecies, 1268);
    assert_int_equal(m.nreactions, 5336);
    round_trip(&m);
    kb_mech_free(&m);
}

TESTS(make_folder, remove_folder)
