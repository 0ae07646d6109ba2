/* SPDX-License-Identifier: MIT */
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "tests/test.h"
#include "base/arguments.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"

static char folder[] = "/tmp/kb_test_csv_XXXXXX";
static char path[64];

FIXTURE(make_folder)
{
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.csv", folder);
    return 0;
}

FIXTURE(remove_folder)
{
    unlink(path);
    return rmdir(folder); /* fails when a temporary file was left */
}

static void put_text(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

TEST(numbers_round_trip)
{
    const double x[] = {0.1, 1e-6, 1.0 / 3, 600, 1024, 1e22, 5e-324, -2.5, 1234567.25};
    char text[32];
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        assert_true(strtod(kb_number(x[i], text), NULL) == x[i]);
    assert_string_equal(kb_number(0.1, text), "0.1");
    assert_string_equal(kb_number(1e-6, text), "1e-06");
    assert_string_equal(kb_number(600, text), "600");
    assert_string_equal(kb_number(999999999999999, text), "999999999999999");
    assert_string_equal(kb_number(-1e15, text), "-1e+15");
    assert_string_equal(kb_number(INFINITY, text), "inf");
}

/* a NUL character ends no field: what stands behind it would be lost */
TEST(zero_bytes)
{
    static const struct {
        const char *text;
        size_t n;
        const char *says;
    } as[] = {{"a\0b,c\n1,2\n", 10, "a.csv:1: a NUL character"},
              {"a,b\n1,2\n3,4\0e9\n5,6\n", 20, "a.csv:3: a NUL character"},
              {"a,b\n\"x\n\0\",2\n3,4\n", 16, "a.csv:3: a NUL character"},
              {"a,b\n1,2\n\0\0\0\0", 12, NULL}}; /* after a crash: torn */
    for (size_t i = 0; i < sizeof as / sizeof *as; i++) {
        kb_csv t;
        FILE *f = fopen(path, "w");
        assert_int_equal(fwrite(as[i].text, 1, as[i].n, f), as[i].n);
        fclose(f);
        if (as[i].says)
            assert_fails(kb_csv_read(&t, path, &err), KB_INVALID, as[i].says);
        else
            assert_works(kb_csv_read(&t, path, &err));
        assert_int_equal(t.nrows, as[i].says ? 0 : 1);
        kb_csv_free(&t);
    }
}

TEST(quoted_fields_come_back)
{
    const char *hard = "a, \"b\"\nc";
    kb_csv t, u;
    kb_csv_start(&t, "x,why");
    for (int i = 0; i < 5; i++) {
        long row = kb_csv_add(&t);
        assert_string_equal(kb_csv_get(&t, row, "x"), "");
        kb_csv_number(&t, row, "x", i / 7.0, 0);
        kb_csv_set(&t, row, "why", i == 3 ? hard : "");
    }
    for (int digits = 0; digits <= 6; digits += 6) { /* NAN is an empty field */
        kb_csv_set(&t, digits / 6, "why", "x");
        kb_csv_number(&t, digits / 6, "why", NAN, digits);
        assert_string_equal(kb_csv_get(&t, digits / 6, "why"), "");
    }
    assert_works(kb_csv_write(&t, path, &err));
    assert_works(kb_csv_read(&u, path, &err));
    assert_int_equal(u.nrows, 5);
    assert_int_equal(u.ncolumns, 2);
    assert_string_equal(kb_csv_get(&u, 3, "why"), hard);
    assert_true(kb_csv_value(&u, 4, "x") == 4 / 7.0);
    assert_true(isnan(kb_csv_value(&u, 0, "why")));
    assert_string_equal(kb_csv_get(&u, 0, "absent"), "");
    kb_csv_add_column(&u, "absent", "here");
    kb_csv_add_column(&u, "x", "is there");
    assert_int_equal(u.ncolumns, 3);
    assert_string_equal(kb_csv_get(&u, 4, "absent"), "here");
    assert_string_equal(kb_csv_get(&u, 3, "why"), hard);
    kb_csv_free(&t);
    kb_csv_free(&u);
}

/* so that each room for a field is full once: what make mutate's sanitizers look at */
TEST(fields_of_any_length_come_back)
{
    char text[300], field[280];
    for (int n = 0; n < (int)sizeof field; n++) {
        kb_csv t;
        memset(field, 'x', sizeof field);
        field[n] = 0;
        snprintf(text, sizeof text, "a,b\n%s,1\n", field);
        put_text(text);
        assert_works(kb_csv_read(&t, path, &err));
        assert_string_equal(kb_csv_get(&t, 0, "a"), field);
        assert_string_equal(kb_csv_get(&t, 0, "b"), "1");
        kb_csv_free(&t);
    }
}

TEST(a_torn_last_line_is_dropped)
{
    kb_csv t;
    put_text("a,b\r\n1,2\n3,");
    assert_works(kb_csv_read(&t, path, &err));
    assert_int_equal(t.nrows, 1);
    assert_string_equal(kb_csv_get(&t, 0, "b"), "2");
    kb_csv_free(&t);
    put_text("a,b\n1,\"2"); /* within a quote */
    assert_works(kb_csv_read(&t, path, &err));
    assert_int_equal(t.nrows, 0);
    kb_csv_free(&t);
}

TEST(wrong_files_are_errors)
{
    kb_csv t;
    kb_error err;
    put_text("a,b\n1,2\n1,2,3\n");
    assert_fails(kb_csv_read(&t, path, &err), KB_INVALID, "a.csv:3");
    assert_null(t.names);
    put_text("a,b\n1,2\n1,\"2\n3,4\n5,6\n"); /* the quote would swallow what follows */
    assert_fails(kb_csv_read(&t, path, &err), KB_INVALID, "a.csv:3: a quote");
    put_text("a,b\n1,\"2\n3,4\n"); /* in the first row */
    assert_fails(kb_csv_read(&t, path, &err), KB_INVALID, "a.csv:2: a quote");
    put_text("a,b,a\n1,2,3\n");
    assert_fails(kb_csv_read(&t, path, &err), KB_INVALID,
                 "a.csv:1: column 3 has the name of column 1: 'a'");
    put_text("a;b\n1;2\n"); /* of a spreadsheet where people write 1,5 */
    assert_fails(kb_csv_read(&t, path, &err), KB_INVALID, "a.csv:1: one column alone (a table has");
    put_text("");
    assert_int_equal(kb_csv_read(&t, path, &err), KB_INVALID);
    assert_int_equal(kb_csv_read(&t, "/nowhere/x.csv", &err), KB_INVALID);
    assert_int_equal(kb_file_write_text("/nowhere/x.csv", "", &err), KB_INVALID);
}

TEST(files_are_read_whole)
{
    enum { LONG = 600000 }; /* more than is read at once */
    kb_error err;
    size_t n = 1;
    kb_owned char *bytes = kb_alloc(LONG, 1);
    memset(bytes, 'x', LONG);
    bytes[LONG / 2] = 0;
    assert_works(kb_file_write(path, bytes, LONG, NULL, 0, &err));
    char *again = kb_file_read(path, &n, &err);
    assert_int_equal(n, LONG);
    assert_memory_equal(again, bytes, LONG);
    assert_int_equal(again[LONG], 0);
    free(again);
    put_text("");
    again = kb_file_read(path, &n, &err);
    assert_string_equal(again, "");
    free(again);
    assert_null(kb_file_read(folder, &n, &err));
    assert_non_null(strstr(err.text, "cannot be read: Is a directory"));
    assert_null(kb_file_read("/nowhere/x", &n, &err));
    assert_non_null(strstr(err.text, "No such file"));
}

/* a byte order mark, whole alone, is no part of a text */
TEST(a_mark_is_passed_over)
{
    static const struct {
        const char *text, *read;
    } files[] = {{"\xef\xbb\xbf-,b\n1,2\n", "-,b\n1,2\n"},
                 {"\xef\xbb\xbf", ""},
                 {"\xef\xbb", "\xef\xbb"},
                 {"\xef", "\xef"},
                 {"\xef\xbb-", "\xef\xbb-"},
                 {"\xef\xef\xbb\xbf", "\xef\xef\xbb\xbf"},
                 {"\xef\xbb\xbf\xef\xbb\xbf", "\xef\xbb\xbf"}};
    size_t n;
    kb_csv t;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        put_text(files[i].text);
        char *text = kb_file_read(path, &n, NULL);
        assert_string_equal(text, files[i].read);
        assert_int_equal(n, strlen(files[i].read));
        free(text);
    }
    put_text(files[0].text);
    assert_works(kb_csv_read(&t, path, &err));
    assert_true(kb_csv_has(&t, "-"));
    kb_csv_free(&t);
    put_text("\xef\xbb\xbf{}");
    json_t *o = kb_json_read(path, NULL, NULL);
    assert_non_null(o);
    json_decref(o);
}

TEST(json_has_finite_numbers_alone)
{
    kb_error err;
    json_t *o = json_pack("{s:o, s:o}", "a", kb_json_number(NAN), "b", kb_json_number(0.5));
    assert_works(kb_json_write(path, o, 6, &err));
    json_decref(o);
    o = json_pack("{s:f}", "a", INFINITY);
    assert_fails(kb_json_write(path, o, 6, &err), KB_INVALID, "not finite");
    o = kb_json_read(path, NULL, &err); /* the first is still there */
    assert_true(json_is_null(json_object_get(o, "a")));
    assert_true(json_number_value(json_object_get(o, "b")) == 0.5);
    json_decref(o);
}

/* rows as they are in a file and on a stream: every column of every row, numbers and texts */
TEST(json_of_a_table)
{
    static const char expected[] =
        "[\n  {\n    \"n\": 1.0,\n    \"a text\": \"one\",\n    \"x\": 0.33333\n  },\n"
        "  {\n    \"n\": -2000.0,\n    \"a text\": null,\n    \"x\": \"nan\"\n  },\n"
        "  {\n    \"n\": \"3x\",\n    \"a text\": \"\\\"4\\\"\",\n"
        "    \"x\": \"inf\"\n  }\n]\n";
    kb_csv t;
    kb_error err = {0};
    kb_owned char *printed = NULL;
    size_t n;
    put_text("n,a text,x\n1,one,0.33333333\n-2e3,,nan\n3x,\"\"\"4\"\"\",inf\n");
    assert_int_equal(kb_csv_read(&t, path, &err), KB_OK);
    json_t *rows = kb_json_rows(&t);
    assert_int_equal(kb_json_write(path, rows, 5, &err), KB_OK);
    char *text = kb_file_read(path, &n, &err);
    assert_string_equal(text, expected);
    free(text);
    FILE *to = kb_open_text(&printed, &n);
    assert_int_equal(kb_json_print(to, rows, 5, &err), KB_OK);
    kb_close_text(to);
    assert_string_equal(printed, expected);
    to = fopen("/dev/full", "w");
    assert_int_equal(kb_json_print(to, rows, 5, &err), KB_INVALID);
    assert_string_equal(err.text, "the JSON cannot be written (a full disk, or a number that is "
                                  "not finite)");
    fclose(to);
    json_decref(rows);
    kb_csv_free(&t);
    put_text("n\n");
    assert_int_equal(kb_csv_read(&t, path, &err), KB_OK);
    rows = kb_json_rows(&t);
    assert_true(json_is_array(rows) && json_array_size(rows) == 0);
    json_decref(rows);
    kb_csv_free(&t);
    put_text("{\n\"a\": 1,\n\"a\": 2}\n");
    assert_null(kb_json_read(path, "a hint", &err));
    assert_non_null(strstr(err.text, "a.csv:3: "));
    assert_string_equal(err.text + strlen(err.text) - 9, " (a hint)");
}

/* A limit on the size of files stands for a full disk: both end in a short or failed write. */
TEST(a_full_disk_keeps_what_was_there)
{
    struct rlimit old, small;
    char long_text[200], *fields[] = {long_text, "2"};
    kb_csv t;
    kb_error err;
    put_text("a,b\n1,2\n");
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small = (struct rlimit){100, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    int appended = kb_csv_append_line(path, fields, 2, &err);
    int written = kb_file_write_text(path, long_text, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(appended, KB_INVALID);
    assert_int_equal(written, KB_INVALID);
    assert_works(kb_csv_read(&t, path, &err));
    assert_int_equal(t.nrows, 1);
    kb_csv_free(&t);
    assert_works(kb_csv_append_line(path, fields, 2, &err));
    assert_works(kb_csv_read(&t, path, &err));
    assert_int_equal(t.nrows, 2);
    assert_string_equal(kb_csv_get(&t, 1, "a"), long_text);
    kb_csv_free(&t);
}

/* of text in memory /dev/full stands for memory that has an end: only closing the stream tells */
TEST(text_without_memory_ends_the_program)
{
    jmp_buf out;
    kb_owned char *text = NULL;
    size_t length;
    FILE *f = kb_open_text(&text, &length), *full = fopen("/dev/full", "w");
    fputs("ab", f);
    kb_close_text(f);
    assert_int_equal(length, 2);
    assert_string_equal(text, "ab");
    assert_non_null(full);
    fputs("ab", full);
    kb_no_memory = &out;
    if (!setjmp(out)) {
        kb_close_text(full);
        fail_msg("nothing was said");
    }
    kb_no_memory = NULL;
}

TEST(words_of_a_shell)
{
    static const char *const words[][2] = {{"rodas4:pass=1,cvode", "rodas4:pass=1,cvode"},
                                           {"", "''"},
                                           {"a b", "'a b'"},
                                           {"$HOME", "'$HOME'"},
                                           {"it's", "'it'\\''s'"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        kb_owned char *word = kb_shell_word(words[i][0]);
        assert_string_equal(word, words[i][1]);
    }
    char *argv[] = {"bench", "--db", "my states.npy"}, *line = kb_command_line(3, argv);
    assert_string_equal(line, "bench --db 'my states.npy'");
    free(line);
}

TEST(lists_of_the_command_line)
{
    kb_words w;
    double *v;
    int n;
    kb_error err;
    kb_words_split(&w, "a,,b:x=1,a,c");
    assert_int_equal(w.count, 3);
    assert_string_equal(w.word[1], "b:x=1");
    kb_owned char *line = kb_words_join(&w);
    assert_string_equal(line, "a, b:x=1, c");
    kb_words_free(&w);
    assert_works(kb_list_numbers("dt", "1e-6,1e-4", 0, &v, &n, &err));
    assert_true(n == 2 && v[1] == 1e-4);
    free(v);
    assert_fails(kb_list_numbers("n", "64,12x", 1, &v, &n, &err), KB_INVALID, "'12x'");
    assert_int_equal(kb_list_numbers("n", "1.5", 1, &v, &n, &err), KB_INVALID);
    assert_int_equal(kb_list_numbers("n", "-3", 1, &v, &n, &err), KB_INVALID);
    assert_fails(kb_list_numbers("dt", "nan", 0, &v, &n, &err), KB_INVALID, "not a positive");
    assert_works(kb_list_numbers("dt", "1e15", 0, &v, &n, &err));
    free(v);
    const char *const large[] = {"1e300", "1e400", "inf"};
    for (int i = 0; i < 3; i++)
        assert_fails(kb_list_numbers("dt", large[i], 0, &v, &n, &err), KB_INVALID,
                     "is more than 1e15");
}

/* stands before that of the C library, for all that this program writes */
static int flushed;

int fsync(int file)
{
    struct stat info;
    flushed += fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    return 0;
}

TEST(writes_reach_the_disk)
{
    flushed = 0;
    assert_works(kb_file_write_text(path, "a\n1\n", &err));
    assert_int_equal(flushed, 1);
    assert_works(kb_file_append(path, "2\n", 2, &err));
    assert_int_equal(flushed, 2);
}

/* a temporary file that nobody has locked is of a killed program; one of a running one stays */
TEST(stale_files_are_removed)
{
    char stale[80], held[80], other[80];
    snprintf(stale, sizeof stale, "%s.tmp12", path);
    snprintf(held, sizeof held, "%s.tmp34", path);
    snprintf(other, sizeof other, "%s.tmp56x", path);
    const char *const all[] = {stale, held, other};
    int file[3];
    for (int i = 0; i < 3; i++)
        file[i] = open(all[i], O_WRONLY | O_CREAT, 0666);
    assert_int_equal(flock(file[1], LOCK_EX), 0);
    assert_works(kb_file_write_text(path, "a\n", &err));
    assert_int_not_equal(access(stale, F_OK), 0);
    assert_int_equal(access(held, F_OK), 0);
    assert_int_equal(access(other, F_OK), 0);
    for (int i = 0; i < 3; i++)
        close(file[i]);
    unlink(held);
    unlink(other);
}

/* a link stays one, and what it names is written; a pipe keeps its place, as a device does */
TEST(links_and_pipes_stay)
{
    struct stat info;
    char link[80], pipe[80], bytes[8];
    snprintf(link, sizeof link, "%s.link", path);
    snprintf(pipe, sizeof pipe, "%s.pipe", path);
    assert_works(kb_file_write_text(path, "old\n", &err));
    assert_int_equal(symlink(path, link), 0);
    assert_works(kb_file_write_text(link, "new\n", &err));
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 4);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    int reader = open(pipe, O_RDONLY | O_NONBLOCK);
    assert_works(kb_file_write(pipe, "he", 2, "ad", 2, &err));
    assert_int_equal(read(reader, bytes, sizeof bytes), 4);
    assert_memory_equal(bytes, "head", 4);
    close(reader);
    assert_int_equal(lstat(pipe, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    unlink(link);
    unlink(pipe);
}

/* in a program without a stdin a file has its number, 0, which is no failure */
TEST(files_without_a_stdin)
{
    kb_error err = {0};
    size_t n;
    int in = dup(0);
    close(0);
    int whole = kb_file_write_text(path, "one\n", &err);
    int more = kb_file_append(path, "two\n", 4, &err);
    int through = kb_file_write_text("/dev/null", "one\n", &err);
    kb_owned char *text = kb_file_read(path, &n, &err);
    dup2(in, 0);
    close(in);
    assert_int_equal(whole, KB_OK);
    assert_int_equal(more, KB_OK);
    assert_int_equal(through, KB_OK);
    assert_string_equal(text, "one\ntwo\n");
}

/* a limit of time sets kb_stop, and its end takes that back */
TEST(limits_of_time)
{
    kb_interrupt_install();
    kb_limit(1e9);
    assert_false(kb_limit_end());
    assert_int_equal(kb_stop, 0);
    double begin = kb_clock();
    kb_limit(0.02);
    while (!kb_stop && kb_clock() < begin + 100)
        usleep(1000);
    assert_true(kb_clock() - begin > 0.015);
    assert_true(kb_stop && kb_limit_end());
    assert_int_equal(kb_stop, 0);
    assert_false(kb_interrupted());
    assert_false(kb_limit_end());
}

TESTS(make_folder, remove_folder)
