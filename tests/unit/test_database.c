/* SPDX-License-Identifier: MIT
 *
 * .npy files and databases.
 */
#include <dirent.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include "tests/test.h"
#include "base/json.h"
#include "pasr/database/distinct.h"
#include "pasr/database/origin.h"

static char folder[64], file[96];

FIXTURE(make_folder)
{
    strcpy(folder, "/tmp/kb-database-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(file, sizeof file, "%s/a.npy", folder);
    return 0;
}

static int files_in_folder(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

FIXTURE(remove_folder)
{
    remove(file);
    return rmdir(folder);
}

/* two states of two species */
static const double good[8] = {1000, 101325, 0.25, 0.75, 300, 1e5, 1, 0};

static void write_raw(const void *bytes, size_t n)
{
    FILE *f = fopen(file, "wb");
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* a version 1.0 or 2.0 file with any dictionary and n doubles */
static void write_npy(int version, const char *dictionary, size_t n, const double *data)
{
    char bytes[1024] = "\x93NUMPY";
    size_t length = strlen(dictionary), at = version == 1 ? 10 : 12;
    bytes[6] = (char)version;
    bytes[8] = (char)length;
    memcpy(bytes + at, dictionary, length);
    memcpy(bytes + at + length, data, n * sizeof *data);
    write_raw(bytes, at + length + n * sizeof *data);
}

/* reading the file must fail, and the message must hold both texts */
static void expect_refusal(const char *text, const char *more)
{
    kb_error err = {0};
    kb_database db;
    assert_int_equal(kb_database_read(&db, file, 2, false, &err), KB_INVALID);
    if (!strstr(err.text, text) || !strstr(err.text, more))
        fail_msg("message '%s' lacks '%s' or '%s'", err.text, text, more);
    assert_null(db.states);
}

TEST(round_trip)
{
    kb_database db;
    assert_works(kb_npy_write(file, 2, 4, good, &err));
    assert_int_equal(files_in_folder(), 1);
    assert_works(kb_database_read(&db, file, 2, false, &err));
    assert_int_equal(db.n, 2);
    assert_int_equal(db.columns, 4);
    assert_memory_equal(db.states, good, sizeof good);
    assert_string_equal(db.path, file);
    kb_database_free(&db);
    assert_works(kb_database_read(&db, file, 0, false, &err));
    kb_database_free(&db);
}

/* sha256 of numpy.save(f, numpy.array([[1000., 101325, .25, .75], [300, 1e5, 1, 0]])) by NumPy 2 */
TEST(same_bytes_as_numpy)
{
    char hash[65];
    assert_int_equal(kb_npy_write(file, 2, 4, good, NULL), KB_OK);
    assert_int_equal(kb_sha256_file(file, hash, NULL), KB_OK);
    assert_string_equal(hash, "59827fba3f8c1a3e5fefd6b72a32f9a01fbad7f32dd592e0b768a89b17f41a09");
}

TEST(version_2)
{
    kb_database db;
    write_npy(2, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4)}", 8, good);
    assert_int_equal(kb_database_read(&db, file, 2, false, NULL), KB_OK);
    assert_memory_equal(db.states, good, sizeof good);
    kb_database_free(&db);
}

/* Blanks fill a header up to its length. The lengths try each byte of the number. The reader takes
 * headers up to 1 MiB and refuses longer ones. */
TEST(headers_of_any_length)
{
    static const size_t lengths[] = {60,    255,     256,           65535,   65536,
                                     65537, 1 << 20, (1 << 20) + 1, 1 << 24, 0x1234567};
    static const char dictionary[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4)}";
    for (int version = 1; version <= 2; version++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            size_t n = lengths[k], at = version == 1 ? 10 : 12, size = at + n + sizeof good;
            kb_database db;
            if (version == 1 && n > 65535)
                break;
            char *bytes = memset(kb_alloc(size, 1), ' ', size);
            memcpy(bytes, (const char[]){'\x93', 'N', 'U', 'M', 'P', 'Y', (char)version, 0}, 8);
            for (size_t b = 8; b < at; b++)
                bytes[b] = (char)(n >> 8 * (b - 8));
            memcpy(bytes + at, dictionary, strlen(dictionary));
            memcpy(bytes + at + n, good, sizeof good);
            write_raw(bytes, size);
            free(bytes);
            if (n <= 1 << 20) {
                assert_int_equal(kb_database_read(&db, file, 2, false, NULL), KB_OK);
                assert_memory_equal(db.states, good, sizeof good);
                kb_database_free(&db);
            } else {
                kb_owned char *said = kb_format("a header of %zu bytes", n);
                expect_refusal("damaged", said);
            }
        }
}

TEST(wrong_headers)
{
    write_raw("hello, this is text", 19);
    expect_refusal("not a .npy file", file);
    write_raw("\x93NUMPY", 6);
    expect_refusal("not a .npy file", "");
    write_raw("\x93NUMPY\x01\x00\x40\x00{'descr'", 18);
    expect_refusal("truncated", "header");
    write_npy(3, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4)}", 8, good);
    expect_refusal("version 3.0", "1.0 or 2.0");
    write_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4)}", 8, good);
    expect_refusal("'<f4'", "'<f8'");
    write_npy(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 4)}", 8, good);
    expect_refusal("Fortran", "C order");
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (8,)}", 8, good);
    expect_refusal("(8,)", "two dimensions");
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2, 2)}", 8, good);
    expect_refusal("(2, 2, 2)", "two dimensions");
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 4)}", 8, good);
    expect_refusal("(-2, 4)", "two dimensions");
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999999, 4)}", 8,
              good);
    expect_refusal("too large", "");
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2147483648)}", 0, good);
    expect_refusal("2147483648 columns are too many", "");
    /* 2^60 - 1 numbers in one row, or in none, are as many as have bytes */
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 1152921504606846975)}", 0,
              good);
    expect_refusal("1152921504606846975 columns are too many", "");
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 1152921504606846976)}", 0,
              good);
    expect_refusal("shape (0, 1152921504606846976) is too large", "");
    write_npy(1, "{'descr': '<f8', 'shape': (2, 4)}", 8, good);
    expect_refusal("damaged", "fortran_order");
}

TEST(wrong_sizes)
{
    const char *head = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4)}";
    write_npy(1, head, 7, good);
    expect_refusal("truncated", "needs 64 bytes of numbers, found 56");
    double nine[9] = {0};
    write_npy(1, head, 9, nine);
    expect_refusal("too long", "found 72");
    kb_npy_write(file, 0, 4, good, NULL);
    expect_refusal("0 rows", "");
    kb_npy_write(file, 4, 2, good, NULL);
    expect_refusal("2 columns", "expected 4");
    remove(file);
    expect_refusal("cannot open", "No such file");
}

/* changes one number of the second row */
static void expect_bad(int column, double value, const char *where, const char *what)
{
    double bad[8];
    memcpy(bad, good, sizeof bad);
    bad[4 + column] = value;
    assert_int_equal(kb_npy_write(file, 2, 4, bad, NULL), KB_OK);
    expect_refusal(where, what);
}

TEST(wrong_states)
{
    expect_bad(0, NAN, "row 1, column 0", "nan");
    expect_bad(0, 49, "row 1, column 0", "T = 49,");
    expect_bad(0, 6001, "row 1, column 0", "T = 6001,");
    expect_bad(1, 0, "row 1, column 1", "p = 0, expected 1.0 to 1e9 Pa");
    expect_bad(1, -1, "row 1, column 1", "p = -1,");
    expect_bad(1, 1.01e9, "row 1, column 1", "p = 1.01e+09,");
    expect_bad(2, -2e-9, "row 1, column 2", "Y = -2e-09, expected at least (-1e-9)");
    expect_bad(3, INFINITY, "row 1, column 3", "inf");
    expect_bad(3, 2e-6, "row 1", "1.000002");
    expect_bad(2, 0.9, "row 1, columns 2 to 3", "0.9");
}

static char row_hash[65];

/* changes two numbers of the second row: repaired to the expected ones, or (0) refused */
static void expect_repair(double a, double b, double expected_a, double expected_b)
{
    kb_error err = {0};
    kb_database db;
    double row[8];
    memcpy(row, good, sizeof row);
    row[6] = a;
    row[7] = b;
    assert_int_equal(kb_npy_write(file, 2, 4, row, NULL), KB_OK);
    int code = kb_database_read(&db, file, 2, true, &err);
    assert_int_equal(code, expected_a > 0 ? KB_OK : KB_INVALID);
    if (code)
        return;
    assert_int_equal(db.repaired, 1);
    assert_memory_equal(db.states, row, 4 * sizeof *row);
    assert_true(fabs(db.states[6] - expected_a) < 1e-15 && fabs(db.states[7] - expected_b) < 1e-15);
    assert_string_not_equal(db.sha256, db.file_sha256);
    assert_int_equal(kb_npy_write(file, 2, 4, db.states, NULL), KB_OK);
    assert_int_equal(kb_sha256_file(file, row_hash, NULL), KB_OK);
    assert_string_equal(db.sha256, row_hash);
    kb_database_free(&db);
}

TEST(repaired)
{
    expect_repair(1, -1e-4, 1, 0);
    expect_repair(1.005, 0, 1, 0);
    expect_repair(0.8, 0.205, 0.8 / 1.005, 0.205 / 1.005);
    expect_repair(1.0011, -0.0011, 0, 0);
    expect_repair(1.011, 0, 0, 0);
    expect_repair(NAN, 0, 0, 0);
}

/* A file size limit stands in for a full disk: write fails in the same place. */
TEST(full_disk)
{
    kb_owned double *many = calloc(100000, sizeof *many);
    kb_error err = {0};
    struct rlimit old, small;
    assert_works(kb_npy_write(file, 2, 4, good, &err));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 4096;
    setrlimit(RLIMIT_FSIZE, &small);
    int code = kb_npy_write(file, 1000, 100, many, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(code, KB_INVALID);
    assert_non_null(strstr(err.text, "File too large"));
    assert_int_equal(files_in_folder(), 1); /* no temporary file, and the old file is whole */
    kb_database db;
    assert_int_equal(kb_database_read(&db, file, 2, false, NULL), KB_OK);
    kb_database_free(&db);
    assert_int_equal(kb_npy_write("/tmp/no/such/folder/a.npy", 2, 4, good, &err), KB_INVALID);
    assert_non_null(strstr(err.text, "/tmp/no/such/folder/a.npy"));
}

/* FIPS 180-2, appendix B.1 */
TEST(sha256)
{
    char hash[65];
    kb_error err = {0};
    write_raw("abc", 3);
    assert_works(kb_sha256_file(file, hash, &err));
    assert_string_equal(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    strcpy(hash, "unknown");
    assert_int_equal(kb_sha256_file("/tmp/no/such/file", hash, &err), KB_INVALID);
    assert_string_equal(hash, "unknown");
}

/* 5000 rows of 97 states in no order; against each row compared with all first ones */
TEST(distinct_states)
{
    enum { N = 5000, COLUMNS = 3 };
    double *x = kb_alloc(N, COLUMNS * sizeof *x);
    kb_database db = {.n = N, .columns = COLUMNS, .states = x};
    kb_distinct d;
    long all[N];
    for (long i = 0; i < N; i++) {
        all[i] = i;
        x[i * COLUMNS] = 300 + (double)(i * i % 97 * 13 % 97) * 0x1p-44; /* the last bits of T */
        x[i * COLUMNS + 2] = i / 1000 == 3 ? -0.0 : 0;
    }
    kb_distinct_find(&d, &db, all, N);
    long count = 0;
    for (long i = 0; i < N; i++) {
        long k = 0;
        while (k < count && memcmp(x + d.first[k] * COLUMNS, x + i * COLUMNS, COLUMNS * sizeof *x))
            k++;
        count += k == count;
        assert_true(k < d.count);
        assert_int_equal(d.number[i], k);
        assert_int_equal(kb_distinct_among(&d, i + 1), count);
        assert_true(d.first[k] <= i);
    }
    assert_int_equal(d.count, count);
    assert_int_equal(count, 2 * 49); /* squares modulo 97, each with 0 and with -0 */
    assert_int_equal(kb_distinct_among(&d, 0), 0);
    kb_distinct_free(&d);
    free(x);
}

/* every row its own */
TEST(nothing_comes_again)
{
    double x[3 * 64];
    kb_database db = {.n = 64, .columns = 3, .states = x};
    kb_distinct d;
    long all[64];
    for (int i = 0; i < 3 * 64; i++)
        x[i] = i % 3 ? 1 : i;
    for (long i = 0; i < 64; i++)
        all[i] = i;
    kb_distinct_find(&d, &db, all, 64);
    assert_int_equal(d.count, 64);
    for (long i = 0; i < 64; i++)
        assert_true(d.number[i] == i && d.first[i] == i);
    kb_distinct_free(&d);
}

/* of few states each finds a slot, wherever its hash begins: 40 times one to eight of them */
TEST(distinct_of_few)
{
    const long row[] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int drawn = 0; drawn < 40; drawn++) {
        double x[3 * 8];
        kb_database db = {.columns = 3, .states = x};
        kb_distinct d;
        for (int i = 0; i < 3 * 8; i++)
            x[i] = i % 3 ? 1 : 100 * drawn + i;
        for (db.n = 1; db.n <= 8; db.n++) {
            kb_distinct_find(&d, &db, row, db.n);
            assert_int_equal(d.count, db.n);
            kb_distinct_free(&d);
        }
    }
}

/* of some rows in another sequence: numbered as they come there */
TEST(distinct_among_some_rows)
{
    double x[3 * 5] = {1, 1, 1, 2, 1, 1, 1, 1, 1, 3, 1, 1, 2, 1, 1}; /* a b a c b */
    const long row[4] = {4, 3, 1, 2};                                /* b c b a */
    kb_database db = {.n = 5, .columns = 3, .states = x};
    kb_distinct d;
    kb_distinct_find(&d, &db, row, 4);
    assert_int_equal(d.count, 3);
    assert_memory_equal(d.first, ((long[]){0, 1, 3}), 3 * sizeof(long));
    assert_memory_equal(d.number, ((long[]){0, 1, 0, 2}), 4 * sizeof(long));
    assert_int_equal(kb_distinct_among(&d, 3), 2);
    kb_distinct_free(&d);
}

/* a file below this folder is recorded by its name here, another one as it is given */
TEST(records_name_files_from_here)
{
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    static const struct {
        const char *end, *recorded; /* NULL: as it is */
    } files[] = {{"/some/list.qss", "some/list.qss"}, {"-beside/list.qss", NULL}, {"x", NULL}};
    for (int k = 0; k < 3; k++) {
        kb_owned char *given = kb_format("%s%s", here, files[k].end);
        json_t *record = json_object();
        setenv("KB_QSS", given, 1);
        kb_origin_reading(record);
        unsetenv("KB_QSS");
        assert_string_equal(json_string_value(json_object_get(record, "qss")),
                            files[k].recorded ? files[k].recorded : given);
        assert_int_equal(json_object_size(record), 1);
        kb_origin_reading(record);
        assert_int_equal(json_object_size(record), 0);
        json_decref(record);
    }
}

/* how a recipe says that a mechanism is read, unless the environment says otherwise */
TEST(records_say_how_to_read)
{
    json_t *record = json_pack("{s:s, s:s}", "qss", "its.qss", "phase", "gas");
    setenv("KB_QSS", "own.qss", 1);
    unsetenv("KB_PHASE");
    unsetenv("KB_IDEAL");
    kb_origin_read_as(record);
    assert_string_equal(getenv("KB_QSS"), "own.qss");
    assert_string_equal(getenv("KB_PHASE"), "gas");
    assert_null(getenv("KB_IDEAL"));
    unsetenv("KB_QSS");
    unsetenv("KB_PHASE");
    json_decref(record);
}

/* species that the user names once stand beside the states, with what else is there */
TEST(what_is_said_is_recorded)
{
    static const char *const species[] = {"H2", "O2", "N2"};
    char path[128], beside[128];
    kb_error err = {0};
    kb_origin o = {path, "states", "h2", "hash", 3, species, NULL};
    snprintf(path, sizeof path, "%s/said.npy", folder);
    snprintf(beside, sizeof beside, "%s/said.json", folder);
    assert_fails(kb_origin_check(&o, &err), KB_INVALID, "no .json beside it: say once");
    o.said = "H2,O2";
    assert_int_equal(kb_origin_check(&o, &err), KB_INVALID);
    o.said = "H2,N2,O2";
    assert_fails(kb_origin_check(&o, &err), KB_INVALID, "species 1 is N2 there and O2 in");
    assert_int_equal(access(beside, F_OK), -1);
    o.said = "H2,O2,N2";
    for (int k = 0; k < 2; k++) { /* then without being told */
        assert_works(kb_origin_check(&o, &err));
        o.said = NULL;
    }
    json_t *record = kb_json_read(beside, "mend it", &err);
    kb_owned char *found = json_dumps(record, JSON_SORT_KEYS | JSON_COMPACT);
    assert_string_equal(found, "{\"mech\":\"h2\",\"mech_sha256\":\"hash\",\"results\":{\"database_"
                               "sha256\":\"states\"},\"species\":[\"H2\",\"O2\",\"N2\"]}");
    json_decref(record);
    o.mech_sha256 = "other";
    assert_fails(kb_origin_check(&o, &err), KB_INVALID,
                 "made for mechanism h2 (sha256 hash), not for h2");
    o.states_sha256 = "others";
    assert_fails(kb_origin_check(&o, &err), KB_INVALID, "is of other states");
    remove(beside);
}

TESTS(make_folder, remove_folder)
