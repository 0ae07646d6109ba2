/* SPDX-License-Identifier: MIT
 *
 * The likeness of mechanisms: the same for other orders of a reaction's terms and for what units
 * leave of a number, another one if any number of the file is another.
 */
#include "tests/test.h"

#include <ctype.h>
#include <unistd.h>

#include "base/file.h"
#include "mech/mech.h"
#include "mech/tables/likeness.h"

static char *likeness_of(const char *text)
{
    char path[] = "/tmp/kb_likeness_XXXXXX.yaml";
    kb_error err = {0};
    kb_mech m;
    int fd = mkstemps(path, 5);
    assert_true(fd >= 0 && close(fd) == 0);
    assert_works(kb_file_write(path, text, strlen(text), NULL, 0, &err));
    int code = kb_mech_load(&m, path, NULL, &err);
    unlink(path);
    if (code)
        return NULL;
    char *likeness = kb_mech_likeness(&m);
    kb_mech_free(&m);
    return likeness;
}

/* text with `from` replaced by `to`; caller frees */
static char *with(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("no '%s'", from);
    return kb_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void compare(const char *text, const char *from, const char *to, bool alike)
{
    kb_owned char *other = with(text, from, to), *a = likeness_of(text), *b = likeness_of(other);
    assert_true(a && b && *a);
    if (alike != !strcmp(a, b))
        fail_msg("'%s' and '%s' are%s alike", from, to, alike ? " not" : "");
}

static char *text_of(const char *path)
{
    kb_error err = {0};
    size_t length;
    char *text = kb_file_read(path, &length, &err);
    assert_non_null(text);
    return text;
}

TEST(the_same_mechanism_in_another_spelling)
{
    kb_owned char *h2 = text_of("datasets/mechanisms/h2.yaml");
    compare(h2, "equation: H + O2 <=> O + OH", "equation: O2 + H <=> OH + O", true);
    compare(h2, "{H2: 2.5, H2O: 12.0}", "{H2O: 12.0, H2: 2.5}", true);
    compare(h2, "Ea: 16440.0", "Ea: 16439.999999999998", true);
    compare(h2, "name: h2", "name: other", true);
    kb_owned char *types = text_of("tests/data/rate_types.yaml");
    compare(types, "equation: H2O2 + H => H2O + OH", "equation: H + H2O2 => OH + H2O", true);
}

/* files of likeness beside libraries that are installed hold it */
TEST(as_it_was_written)
{
    kb_owned char *h2 = text_of("datasets/mechanisms/h2.yaml"), *likeness = likeness_of(h2);
    assert_string_equal(likeness, "9 19 4d8eedbb21d625b2806c4e08db85fd81"
                                  "5aa4ef0f5ac28f8ab153fbd7bfc9562a");
}

TEST(another_mechanism)
{
    kb_owned char *h2 = text_of("datasets/mechanisms/h2.yaml");
    compare(h2, "species: [H2, O2,", "species: [O2, H2,", false);
    compare(h2, "Ea: 16440.0", "Ea: 16440.001", false);
    compare(h2, "{H2: 2.5, H2O: 12.0}", "{H2: 12.0, H2O: 2.5}", false);
    compare(h2, "equation: H + O2 <=> O + OH", "equation: H + O2 => O + OH", false);
}

/* is the number at `at` one of rates or thermodynamics that is used? */
static bool is_used(const char *text, const char *at)
{
    static const char *const others[] = {"composition", "equation", "1.0e+100", "1.0e-30"};
    const char *line = at;
    while (line > text && line[-1] != '\n')
        line--;
    int n = (int)strcspn(line, "\n");
    kb_owned char *whole = kb_format("%.*s", n, line);
    bool used = isdigit((unsigned char)at[0]) || (at[0] == '-' && isdigit((unsigned char)at[1]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        used = used && !strstr(whole, others[i]);
    return used && strchr(" [", at[-1]) && strtod(at, NULL) != 0;
}

/* every number of rates and thermodynamics counts, in its seventh digit */
TEST(every_number_counts)
{
    kb_owned char *text = text_of("tests/data/rate_types.yaml"), *own = likeness_of(text);
    int changed = 0;
    for (char *at = strstr(text, "\nspecies:\n") + 1, *end; *at; at = end) {
        end = at + 1;
        if (!is_used(text, at))
            continue;
        double x = strtod(at, &end);
        kb_owned char *other = kb_format("%.*s%.17g%s", (int)(at - text), text, x * (1 + 1e-7),
                                         end);
        kb_owned char *its = likeness_of(other);
        if (its && !strcmp(own, its))
            fail_msg("alike with a change at %.40s", at);
        changed += its != NULL;
    }
    assert_true(changed > 250);
}

TESTS(NULL, NULL)
