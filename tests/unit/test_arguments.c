/* SPDX-License-Identifier: MIT
 *
 * Values of options with their messages, lists of words, aligned tables, and what progress says.
 */
#include <argp.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/arguments.h"
#include "base/progress.h"
#include "base/table.h"

/* ---- options, also of a child of the program's argp ---- */

static const struct argp_option outer[] = {{"names", 'n', "LIST", 0, "words", 0},
                                           {"size", 's', "X", 0, "a number", 0}, {0}};
static const struct argp_option inner[] = {{"folder", 'f', "NAME", 0, "a name", 0}, {0}};
static const struct argp below = {.options = inner};
static const struct argp_child children[] = {{&below, 0, NULL, 0}, {0}};
static const struct argp whole = {.options = outer, .children = children};

static char *said;
static size_t length;
static struct argp_state state;

static void open_said(void)
{
    state = (struct argp_state){.root_argp = &whole, .flags = ARGP_NO_EXIT, .name = "prog"};
    state.err_stream = open_memstream(&said, &length);
}

/* the first line since open_said; "" if nothing was said */
static void was_said(const char *expected)
{
    fclose(state.err_stream);
    said[strcspn(said, "\n")] = 0;
    assert_string_equal(said, expected);
    free(said);
}

#define SAYS(call, text)                                                                           \
    do {                                                                                           \
        open_said();                                                                               \
        (void)(call);                                                                              \
        was_said(text);                                                                            \
    } while (0)

static void texts_and_names(void **unused)
{
    (void)unused;
    SAYS(kb_option_text(&state, 'n', "a,b"), "");
    SAYS(kb_option_text(&state, 'n', ""), "prog: --names: the value is empty");
    SAYS(kb_option_text(&state, 'n', ",a"), "prog: --names: ',a' has an empty word");
    SAYS(kb_option_text(&state, 'n', "a,"), "prog: --names: 'a,' has an empty word");
    SAYS(kb_option_text(&state, 'n', "a,,b"), "prog: --names: 'a,,b' has an empty word");
    SAYS(kb_option_text(&state, 's', "a,,b,"), ""); /* no LIST */
    SAYS(kb_option_text(&state, 'x', ",a"), "");    /* an option of nobody */
    SAYS(kb_option_name(&state, 'f', "a.b"), "");
    SAYS(kb_option_name(&state, 'f', "..."), "");
    SAYS(kb_option_name(&state, 'f', "."),
         "prog: --folder: '.' is not the name of a folder (no slash, not . or ..)");
    SAYS(kb_option_name(&state, 'f', ".."),
         "prog: --folder: '..' is not the name of a folder (no slash, not . or ..)");
    SAYS(kb_option_name(&state, 'f', "a/b"),
         "prog: --folder: 'a/b' is not the name of a folder (no slash, not . or ..)");
    const char *to = NULL;
    SAYS(kb_argument(&state, &to, "one", "case"), "");
    assert_string_equal(to, "one");
    SAYS(kb_argument(&state, &to, "two", "case"), "prog: one case at a time; 'two' is the second");
    to = NULL;
    SAYS(kb_argument(&state, &to, "", "case"), "prog: the name of the case is empty");
}

static void numbers(void **unused)
{
    static const char *const words[] = {"red", "blue", NULL};
    (void)unused;
    open_said();
    assert_int_equal(kb_option_whole(&state, 's', "3", 3, 5), 3);
    assert_int_equal(kb_option_whole(&state, 's', "5", 3, 5), 5);
    assert_int_equal(kb_option_whole(&state, 's', "-7", LONG_MIN, LONG_MAX), -7);
    assert_true(kb_option_positive(&state, 's', "1e-300") == 1e-300);
    assert_true(kb_option_number(&state, 's', "-1", -1, 1) == -1);
    assert_true(kb_option_number(&state, 's', "1", -1, 1) == 1);
    assert_true(kb_option_number(&state, 's', "1e300", 2, INFINITY) == 1e300);
    assert_int_equal(kb_option_choice(&state, 's', "red", words), 0);
    assert_int_equal(kb_option_choice(&state, 's', "blue", words), 1);
    was_said("");
    SAYS(kb_option_whole(&state, 's', "2", 3, 5),
         "prog: --size: '2' is not a whole number from 3 to 5");
    SAYS(kb_option_whole(&state, 's', "6", 3, 5),
         "prog: --size: '6' is not a whole number from 3 to 5");
    SAYS(kb_option_whole(&state, 's', "0", 1, LONG_MAX),
         "prog: --size: '0' is not a whole number of at least 1");
    SAYS(kb_option_whole(&state, 's', "4x", LONG_MIN, LONG_MAX),
         "prog: --size: '4x' is not a whole number");
    SAYS(kb_option_whole(&state, 's', "99999999999999999999", LONG_MIN, LONG_MAX),
         "prog: --size: '99999999999999999999' is not a whole number");
    SAYS(kb_option_whole(&state, 's', "", 0, 5),
         "prog: --size: '' is not a whole number from 0 to 5");
    SAYS(kb_option_positive(&state, 's', "0"), "prog: --size: '0' is not a positive number");
    SAYS(kb_option_positive(&state, 's', "inf"), "prog: --size: 'inf' is not a positive number");
    SAYS(kb_option_positive(&state, 's', "1 "), "prog: --size: '1 ' is not a positive number");
    SAYS(kb_option_number(&state, 's', "1.1", -1, 1),
         "prog: --size: '1.1' is not a number from -1 to 1");
    SAYS(kb_option_number(&state, 's', "-1.1", -1, 1),
         "prog: --size: '-1.1' is not a number from -1 to 1");
    SAYS(kb_option_number(&state, 's', "nan", -1, 1),
         "prog: --size: 'nan' is not a number from -1 to 1");
    SAYS(kb_option_number(&state, 's', "1.9", 2, INFINITY),
         "prog: --size: '1.9' is not a number of at least 2");
    SAYS(kb_option_choice(&state, 's', "green", words),
         "prog: --size: 'green' is none of red, blue");
}

/* ---- tables ---- */

static void table_is(kb_table *t, const char *expected)
{
    char *text;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    kb_table_write(t, f);
    fclose(f);
    assert_string_equal(text, expected);
    free(text);
    kb_table_free(t);
    assert_true(!t->rows && t->nrows == 0);
}

static void add(kb_table *t, const char *a, const char *b, const char *c)
{
    char *fields[] = {kb_strdup(a), kb_strdup(b), kb_strdup(c)};
    kb_table_add(t, fields);
}

static void tables_are_aligned(void **unused)
{
    static const char *const heads[] = {"name", "n", "why"};
    kb_table t = {.ncolumns = 3, .heads = heads, .left = 1};
    (void)unused;
    add(&t, "a", "100", "x");
    add(&t, "longer", "7", "y");
    table_is(&t, "name      n  why\na       100    x\nlonger    7    y\n");
    t = (kb_table){.ncolumns = 3, .heads = heads, .left = 2, .last_left = true};
    add(&t, "a", "100", "x");
    table_is(&t, "name  n    why\na     100  x\n");
    t = (kb_table){.ncolumns = 3, .heads = heads};
    table_is(&t, "name  n  why\n");
}

/* ---- progress: what a file gets that is no terminal ---- */

static void durations(void **unused)
{
    static const struct { double s; const char *text; } all[] = {
        {0.25, "0.25 s"}, {0.999, "1 s"}, {1, "1 s"}, {59.4, "59 s"}, {60, "1m00s"},
        {200, "3m20s"}, {3599.9, "59m59s"}, {3600, "1h00m"}, {3900, "1h05m"}, {360000, "100h00m"}};
    char text[32];
    (void)unused;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_string_equal(kb_duration(all[i].s, text), all[i].text);
}

static char *lines_of(bool quiet, bool terminal)
{
    FILE *f = tmpfile();
    int kept = dup(STDERR_FILENO);
    kb_progress p;
    fflush(stderr);
    dup2(fileno(f), STDERR_FILENO);
    kb_progress_start(&p, quiet);
    assert_false(p.terminal);
    p.terminal = terminal;
    kb_progress_show(&p, 1, 9, 70, "at once"); /* a file has a line every 5 s */
    p.last -= 6;
    kb_progress_show(&p, 2, 9, -1, "late");
    kb_progress_note(&p, "note %d", 1);
    kb_progress_warn(&p, "warning %d", 2);
    kb_progress_end(&p);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    char *text = kb_alloc(1000, 1);
    rewind(f);
    text[fread(text, 1, 999, f)] = 0;
    fclose(f);
    return text;
}

static void progress_of_a_file(void **unused)
{
    static const struct { bool quiet, terminal; const char *says; } all[] = {
        {false, false, "[2/9]   late\nnote 1\nwarning 2\n"},
        {true, false, "warning 2\n"},
        {true, true, "warning 2\n"},
        {false, true,
         "\r\033[K[1/9] ETA 1m10s  at once\r\033[K[2/9]   late\r\033[Knote 1\nwarning 2\n"}};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        char *text = lines_of(all[i].quiet, all[i].terminal);
        assert_string_equal(text, all[i].says);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_names),    cmocka_unit_test(numbers),
        cmocka_unit_test(tables_are_aligned), cmocka_unit_test(durations),
        cmocka_unit_test(progress_of_a_file),
    };
    return cmocka_run_group_tests_name("options, tables, progress", tests, NULL, NULL);
}
