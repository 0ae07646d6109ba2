/* SPDX-License-Identifier: MIT
 *
 * Values of options with their messages, lists of words, aligned tables, and what progress says.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/options.h"
#include "base/progress.h"
#include "base/table.h"
#include "tests/test.h"

/* ---- rows of a table of options: what a row stores, and the message of a wrong value ---- */

typedef struct {
    bool on;
    const char *text;
    int whole, word;
    long big;
    double number;
    kb_words words;
} stored;

#define AT(member) offsetof(stored, member)
static stored to;

static void says(kb_program_option o, const char *value, const char *expected)
{
    kb_error err = {0};
    int code = kb_program_option_set(&o, value, &to, &err);
    assert_int_equal(code, *expected ? KB_INVALID : KB_OK);
    assert_string_equal(code ? err.text : "", expected);
}

TEST(texts_and_names)
{
    kb_program_option list = {"names", 0, "LIST", KB_OPT_TEXT, AT(text)};
    kb_program_option one = {"file", 0, "FILE", KB_OPT_TEXT, AT(text)};
    kb_program_option folder = {"folder", 0, "NAME", KB_OPT_NAME, AT(text)};
    kb_program_option colour = {"colour", 0, "NAME", KB_OPT_TEXT, AT(text), "red, blue"};
    kb_program_option words = {"words", 0, "LIST", KB_OPT_WORDS, AT(words)};
    says(list, "a,b", "");
    assert_string_equal(to.text, "a,b");
    says(list, "", "--names: the value is empty");
    says(list, ",a", "--names: ',a' has an empty word");
    says(list, "a,", "--names: 'a,' has an empty word");
    says(list, "a,,b", "--names: 'a,,b' has an empty word");
    says(one, "a,,b,", "");
    says(folder, "a.b", "");
    says(folder, "...", "");
    says(folder, ".", "--folder: '.' is not the name of a folder (no slash, not . or ..)");
    says(folder, "..", "--folder: '..' is not the name of a folder (no slash, not . or ..)");
    says(folder, "a/b", "--folder: 'a/b' is not the name of a folder (no slash, not . or ..)");
    says(colour, "blue", "");
    assert_string_equal(to.text, "blue");
    says(colour, "red,blue", "--colour: 'red,blue' is none of red, blue");
    says(words, "a,b", "");
    says(words, "c,d,e", ""); /* in place of those */
    assert_int_equal(to.words.count, 3);
    says(words, "c,,e", "--words: 'c,,e' has an empty word");
    kb_words_free(&to.words);
}

TEST(numbers)
{
    kb_program_option whole = {"size", 0, "X", KB_OPT_INT, AT(whole), "3 to 5"};
    kb_program_option big = {"size", 0, "X", KB_OPT_LONG, AT(big), "from 1"};
    kb_program_option number = {"size", 0, "X", KB_OPT_NUMBER, AT(number), "-1 to 1"};
    kb_program_option least = {"size", 0, "X", KB_OPT_NUMBER, AT(number), "from 2"};
    kb_program_option above = {"size", 0, "X", KB_OPT_NUMBER, AT(number), "more than 0"};
    kb_program_option share = {"size", 0, "X", KB_OPT_NUMBER, AT(number),
                               "more than 0, at most 1"};
    kb_program_option percent = {"size", 0, "X", KB_OPT_NUMBER, AT(number), "more than 0", "%"};
    kb_program_option word = {"size", 0, "X", KB_OPT_WORD, AT(word), "red, blue"};
    says(whole, "3", "");
    says(whole, "5", "");
    assert_int_equal(to.whole, 5);
    says(whole, "2", "--size: '2' is not a whole number from 3 to 5");
    says(whole, "6", "--size: '6' is not a whole number from 3 to 5");
    says(whole, "", "--size: '' is not a whole number from 3 to 5");
    says(whole, "4x", "--size: '4x' is not a whole number from 3 to 5");
    says(big, "5000000000", "");
    assert_true(to.big == 5000000000);
    says(big, "0", "--size: '0' is not a whole number of at least 1");
    says(big, "99999999999999999999",
         "--size: '99999999999999999999' is not a whole number of at least 1");
    says(number, "-1", "");
    says(number, "1", "");
    says(number, "1.1", "--size: '1.1' is not a number from -1 to 1");
    says(number, "-1.1", "--size: '-1.1' is not a number from -1 to 1");
    says(number, "nan", "--size: 'nan' is not a number from -1 to 1");
    says(least, "1e300", "");
    assert_true(to.number == 1e300);
    says(least, "1.9", "--size: '1.9' is not a number from 2");
    says(above, "1e-300", "");
    assert_true(to.number == 1e-300);
    says(above, "0", "--size: '0' is not a number more than 0");
    says(above, "inf", "--size: 'inf' is not a number more than 0");
    says(above, "1 ", "--size: '1 ' is not a number more than 0");
    says(share, "1", "");
    says(share, "0", "--size: '0' is not a number more than 0, at most 1");
    says(share, "1.1", "--size: '1.1' is not a number more than 0, at most 1");
    says(percent, "2.5%", "");
    assert_true(to.number == 2.5);
    says(percent, "2%%", "--size: '2%%' is not a number more than 0");
    says(above, "2%", "--size: '2%' is not a number more than 0");
    says(word, "blue", "");
    assert_int_equal(to.word, 1);
    says(word, "red", "");
    assert_int_equal(to.word, 0);
    says(word, "re", "--size: 're' is none of red, blue");
    says(word, "green", "--size: 'green' is none of red, blue");
}

TEST(lists)
{
    kb_program_option counts = {"n", 0, "LIST", KB_OPT_COUNTS, AT(text), "1 to 64, or all"};
    kb_program_option dt = {"dt", 0, "LIST", KB_OPT_NUMBERS, AT(text), "more than 0"};
    kb_program_option order = {"order", 0, "LIST", KB_OPT_LIST, AT(text), "up, down"};
    says(counts, "1,64,all", "");
    says(counts, "1,65", "--n: '65' is not a whole number from 1 to 64");
    says(counts, "al", "--n: 'al' is not a whole number from 1 to 64");
    says(dt, "1e-6,1e-4", "");
    says(dt, "1e-6,0", "--dt: '0' is not a number more than 0");
    says(order, "down,up", "");
    assert_string_equal(to.text, "down,up");
    says(order, "up,dow", "--order: 'dow' is none of up, down");
}

static int sum;
static int rest(int key, char *arg, struct argp_state *state, void *settings)
{
    (void)state;
    (void)settings;
    sum += key == 300 ? atoi(arg) : 0;
    return key == 300 ? 0 : ARGP_ERR_UNKNOWN;
}

TEST(defaults_and_command_line)
{
    static const kb_program_option options[] = {
        {.group = 1, .help = "A group:"},
        {"on", 0, 0, KB_OPT_SWITCH, AT(on), 0, 0, 0, 1, "a switch"},
        {"whole", 'w', "X", KB_OPT_INT, AT(whole), "1 to 9", 0, "7", 1, "a number"},
        {"number", 0, "X", KB_OPT_NUMBER, AT(number), "from 0", "s", ": none", 1, "another"},
        {"add", 300, "X", KB_OPT_OTHER, 0, 0, 0, "5", 1, "something else"},
        {0}};
    static const kb_program program = {options, "[FILE]", "Tests.", "file", AT(text), .rest = rest};
    char *words[] = {"test", "--number", "2.5", "--add=3", "file.npy", "--on", "--add", "4", NULL};
    to = (stored){0};
    kb_program_parse(&program, 8, words, &to);
    assert_true(to.on && to.whole == 7 && to.number == 2.5 && sum == 7);
    assert_string_equal(to.text, "file.npy");
}

/* ---- tables ---- */

static void table_is(kb_table *t, const char *expected)
{
    kb_owned char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    kb_table_write(t, f);
    fclose(f);
    assert_string_equal(text, expected);
    kb_table_free(t);
    assert_true(!t->rows && t->nrows == 0);
}

static void add(kb_table *t, const char *a, const char *b, const char *c)
{
    char *fields[] = {kb_strdup(a), kb_strdup(b), kb_strdup(c)};
    kb_table_add(t, fields);
}

TEST(tables_are_aligned)
{
    static const char *const heads[] = {"name", "n", "why"};
    kb_table t = {.ncolumns = 3, .heads = heads, .left = 1};
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

TEST(durations)
{
    static const struct { double s; const char *text; } all[] = {
        {0.25, "0.25 s"}, {0.999, "1 s"}, {1, "1 s"}, {1.6, "2 s"}, {59.4, "59 s"}, {60, "1m00s"},
        {200, "3m20s"}, {3599.9, "59m59s"}, {3600, "1h00m"}, {3900, "1h05m"}, {360000, "100h00m"},
        {999999999, "277777h46m"}, {1e9, "32 years"}, {1e300, "3.2e+292 years"}};
    char text[32];
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

TEST(progress_of_a_file)
{
    static const struct { bool quiet, terminal; const char *says; } all[] = {
        {false, false, "[2/9]   late\nnote 1\nwarning 2\n"},
        {true, false, "warning 2\n"},
        {true, true, "warning 2\n"},
        {false, true,
         "\r\033[K[1/9] ETA 1m10s  at once\r\033[K[2/9]   late\r\033[Knote 1\nwarning 2\n"}};
    for (int i = 0; i < 4; i++) {
        kb_owned char *text = lines_of(all[i].quiet, all[i].terminal);
        assert_string_equal(text, all[i].says);
    }
}

/* what is shown of a line on a terminal of so many columns, which it does not fill; the caller
 * frees it */
static char *shown_in(unsigned short columns)
{
    static const char longer[] = "as long as a line of 80 columns and longer by a bit, or two of "
                                 "them, so that its end is lost";
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    int master = posix_openpt(O_RDWR | O_NOCTTY), kept = dup(STDERR_FILENO);
    assert_true(master >= 0 && !grantpt(master) && !unlockpt(master));
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && !ioctl(terminal, TIOCSWINSZ, &size));
    kb_progress p;
    dup2(terminal, STDERR_FILENO);
    kb_progress_start(&p, false);
    kb_progress_show(&p, 1, 9, 70, longer);
    dup2(kept, STDERR_FILENO);
    close(kept);
    char *text = kb_alloc(1000, 1);
    text[read(master, text, 999)] = 0;
    assert_memory_equal(text, "\r\033[K[1/9] ETA 1m10s  as", 23);
    close(terminal);
    close(master);
    return text;
}

TEST(progress_fits_a_terminal)
{
    static const struct { unsigned short columns; size_t shown; } all[] = {
        {0, 79}, {19, 79}, {20, 19}, {21, 20}, {60, 59}, {200, 109}};
    for (int i = 0; i < 6; i++) {
        kb_owned char *text = shown_in(all[i].columns);
        assert_int_equal(strlen(text), 4 + all[i].shown);
    }
}

TESTS(NULL, NULL)
