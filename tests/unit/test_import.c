/* SPDX-License-Identifier: MIT
 *
 * States from files of other programs: what is read, and what is said about broken ones.
 */
#include <unistd.h>

#include "tests/test.h"
#include "base/file.h"
#include "pasr/database/database.h"
#include "pasr/generators/common/mixture.h"
#include "pasr/generators/import.h"

#define NSP 9 /* h2: H2 O2 O OH H2O H HO2 H2O2 N2 */

#define assert_near(a, b, within) assert_true(fabs((a) - (b)) <= (within))

static kb_mech m;
static char folder[64], csv[96], npy[96];

FIXTURE(prepare)
{
    strcpy(folder, "/tmp/kb-import-XXXXXX");
    snprintf(csv, sizeof csv, "%s/a.csv", mkdtemp(folder));
    snprintf(npy, sizeof npy, "%s/a.npy", folder);
    return kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, NULL);
}

FIXTURE(clear)
{
    kb_mech_free(&m);
    remove(csv);
    remove(npy);
    return rmdir(folder);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    fputs(text, f);
    fclose(f);
}

/* an array names its species, unless a test is about that */
static kb_output import(kb_import r)
{
    if (!r.species && kb_ends_in(r.source, ".npy"))
        r.species = "mechanism";
    kb_output o = {0};
    assert_works(kb_import_run(&r, &m, &o, &err));
    return o;
}

/* the rows of the source over and over, or its first ones */
TEST(repeated_rows)
{
    write_text(csv, "T,p,O2,N2\n300,1e5,0.25,0.75\n400,2e5,0.5,0.5\n500,3e5,1,0\n");
    kb_output all = import((kb_import){.source = csv}),
              many = import((kb_import){.source = csv, .n = 8}),
              few = import((kb_import){.source = csv, .n = 2});
    size_t row = (NSP + 2) * sizeof(double);
    assert_int_equal(all.n, 3);
    assert_int_equal(many.n, 8);
    for (int i = 0; i < 8; i++)
        assert_memory_equal(many.states + i * (NSP + 2), all.states + i % 3 * (NSP + 2), row);
    assert_int_equal(few.n, 2);
    assert_memory_equal(few.states, all.states, 2 * row);
    kb_output_free(&all);
    kb_output_free(&many);
    kb_output_free(&few);
}

/* the import must fail, and the message must hold both texts */
static void refuse(kb_import r, const char *text, const char *more)
{
    kb_output o = {0};
    kb_error err = {0};
    assert_int_equal(kb_import_run(&r, &m, &o, &err), KB_INVALID);
    if (!strstr(err.text, text) || !strstr(err.text, more))
        fail_msg("message '%s' lacks '%s' or '%s'", err.text, text, more);
    kb_output_free(&o);
}

static void refuse_csv(const char *content, const char *text, const char *more)
{
    write_text(csv, content);
    refuse((kb_import){.source = csv}, text, more);
}

/* ---- CSV ---- */

TEST(csv_any_order)
{
    write_text(csv, "\xef\xbb\xbfN2, p ,\"O2\",T,H2\r\n0.75,101325,0.22,1000,0.03\r\n"
                    "0,2e5, 1 ,300.5,0\r\n\r\n");
    kb_output o = import((kb_import){.source = csv});
    static const double expected[2][NSP + 2] = {{1000, 101325, 0.03, 0.22, 0, 0, 0, 0, 0, 0, 0.75},
                                                {300.5, 2e5, 0, 1}};
    assert_int_equal(o.n, 2);
    assert_memory_equal(o.states, expected, sizeof expected);
    assert_int_equal(o.naux, 0);
    json_t *absent = json_object_get(o.results, "species_not_in_source");
    assert_int_equal(json_array_size(absent), 6);
    assert_string_equal(json_string_value(json_array_get(absent, 0)), "O");
    kb_output_free(&o);
}

/* H2 + O2 in equal moles; Y_H2 = W_H2 / (W_H2 + W_O2) */
TEST(csv_mole_fractions)
{
    write_text(csv, "T,p,H2,O2\n1000,1e5,0.5,0.5\n1000,1e5,1,0");
    kb_output o = import((kb_import){.source = csv, .fractions = KB_IMPORT_MOLE});
    assert_near(o.states[2], 2.016 / (2.016 + 31.998), 1e-4);
    assert_near(o.states[2] + o.states[3], 1, 1e-15);
    assert_near(o.states[NSP + 2 + 2], 1, 0);
    kb_output_free(&o);
}

TEST(csv_normalized)
{
    refuse_csv("T,p,H2,O2\n1000,1e5,0.5,0.5\n1000,1e5,0.2,0.7995\n", "line 3 (row 1)",
               "add up to 0.9995, expected 1 within 1e-06 (--normalize");
    kb_output o = import((kb_import){.source = csv, .normalize = 1e-3});
    assert_near(o.states[NSP + 2 + 2], 0.2 / 0.9995, 1e-15);
    assert_near(json_number_value(json_object_get(o.results, "largest_sum_error")), 5e-4,
                       1e-12);
    kb_output_free(&o);
    refuse((kb_import){.source = csv, .normalize = 1e-4}, "line 3", "within 0.0001");
}

/* the limits themselves are states; what lies beyond one by its last digit is none */
TEST(csv_limits)
{
    write_text(csv, "T,p,H2\n50,1,1\n6000,1e9,1\n");
    kb_output o = import((kb_import){.source = csv});
    assert_int_equal(o.n, 2);
    kb_output_free(&o);
    refuse_csv("T,p,H2\n49.999999999999,1,1\n", "column 0 (T)", "50 to 6000 K");
    refuse_csv("T,p,H2\n6000.0000000001,1,1\n", "column 0 (T)", "50 to 6000 K");
    refuse_csv("T,p,H2\n50,0.99999999999999,1\n", "column 1 (p)", "1 to 1e9 Pa");
    refuse_csv("T,p,H2\n50,1000000000.0001,1\n", "column 1 (p)", "1 to 1e9 Pa");
    refuse_csv("T,p,H2,O2\n50,1,-0.00000100001,1\n", "column 2 (H2)", ">= 0");
}

TEST(csv_broken)
{
    refuse_csv("", "empty", csv);
    refuse_csv("T,p,H2\n", "no states", "0 rows");
    refuse_csv("T,p,H2,XX\n1000,1e5,1,0\n", "column 3: 'XX'", "nor a species of h2");
    refuse_csv("T,p,H2,h2\n1000,1e5,1,0\n", "'h2'", "case sensitive");
    refuse_csv("T,p,H2,H2\n1000,1e5,1,0\n", ":1: column 3", "column 2");
    refuse_csv("T,p,H2,O2\n1000,1e5,-0.1,1.1\n", "column 2 (H2) is -0.1", ">= 0");
    refuse_csv("T,P,H2\n1000,1e5,1\n", "column 1: 'P'", "p [Pa]");
    refuse_csv("T,H2\n1000,1\n", "no column 'p'", "");
    refuse_csv("p,H2\n1e5,1\n", "no column 'T'", "");
    refuse_csv("T,p,H2\n1000,1e5,1\n1000,1e5,one\n", ":3:", "'one'");
    refuse_csv("T,p,H2\n \t,1e5,1\n", "/a.csv:2: column 'T' of row 0", "expected a number");
    refuse_csv("T,p,H2\n1000, ,1\n", "/a.csv:2: column 'p' of row 0", "expected a number");
    refuse_csv("T,p,H2\n1000,1e5,\n", "/a.csv:2: column 'H2' of row 0", "expected a number");
    refuse_csv("T,p,H2\n1000,1e5,1\n1000,1e5,one\n", "column 'H2' of row 1", "expected a number");
    refuse_csv("T,p,H2\n1000,1e5,\n", ":2:", "column 'H2'");
    refuse_csv("T,p,H2\n1000,1e5,1\n1000,1", ":3: 2 fields, expected 3", "truncated");
    refuse_csv("T,p,H2\n1000,1e5,1,0\n", ":2: more fields", "3");
    refuse_csv("T,p,H2\n1000,1e5,1\n\n1000,1e5,1\n", ":3:", "empty line");
    refuse_csv("T,p,H2\n1000,1e5,nan\n", "line 2 (row 0), column 2 (H2) is nan", "finite");
    refuse_csv("T,p,H2\n1000,1e5,1\ninf,1e5,1\n", "line 3 (row 1), column 0 (T) is inf", "finite");
    refuse_csv("T,p,H2\n10,1e5,1\n", "column 0 (T) is 10", "50 to 6000 K");
    refuse_csv("T,p,H2\n1000,0,1\n", "column 1 (p) is 0", "p = 1 to 1e9");
    refuse_csv("T,p,H2,O2\n1000,1e5,1.1,-0.1\n", "column 3 (O2) is -0.1", ">= 0");
    refuse_csv("T,p,H2,O2\n1000,1e5,0.1,0.1\n", "add up to 0.2", "expected 1");
    refuse_csv("T,p,H2\r1000,1e5,1\r", ":1: a carriage return", "line feed");
    refuse_csv("T,p,H2\n1000,1e5,1\r1000,1e5,1\n", ":2: a carriage return", "line feed");
    static const char hidden[] = "T,p,H2\n1000,1e5,1\0,5,5\n", wide[] = "T\0,\0p\0\n\0";
    assert_int_equal(kb_file_write(csv, hidden, sizeof hidden - 1, NULL, 0, NULL), KB_OK);
    refuse((kb_import){.source = csv}, ":2: a zero byte after '1000,1e5,1'", "UTF-16");
    assert_int_equal(kb_file_write(csv, wide, sizeof wide - 1, NULL, 0, NULL), KB_OK);
    refuse((kb_import){.source = csv}, ":1: a zero byte after 'T'", "UTF-16");
    remove(csv);
    refuse((kb_import){.source = csv}, "cannot open", csv);
    write_text(csv, "T,p,H2\n1000,1e5,1\n");
    refuse((kb_import){.source = csv, .species = "H2"}, "--species", "header");
}

/* ---- arrays ---- */

static void write_array(int ndim, const long *shape, const double *data)
{
    kb_npy a = {ndim, {0}, (void *)data};
    memcpy(a.shape, shape, (size_t)ndim * sizeof *shape);
    assert_int_equal(kb_npy_save(npy, "<f8", &a, NULL), KB_OK);
}

TEST(array_of_states)
{
    double rows[2][NSP + 2] = {{1000, 1e5, 0.25, 0.75}, {1100, 2e5, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    write_array(2, (long[]){2, NSP + 2}, *rows);
    kb_output o = import((kb_import){.source = npy});
    assert_int_equal(o.n, 2);
    assert_memory_equal(o.states, rows, sizeof rows);
    kb_output_free(&o);
    refuse((kb_import){.source = npy, .format = KB_IMPORT_PYJAC}, "11 columns, expected 12",
           "time");
    refuse((kb_import){.source = npy}, "no .json beside it", "--species");
    write_array(2, (long[]){4, 5}, *rows);
    refuse((kb_import){.source = npy}, "5 columns, expected 11 (T, p and 9 species", "--species");
}

/* species in another order, given as a list and as a file */
TEST(array_with_species)
{
    double rows[2][5] = {{1000, 1e5, 0.7, 0.2, 0.1}, {1100, 2e5, 0, 0.5, 0.5}};
    write_array(2, (long[]){2, 5}, *rows);
    for (int pass = 0; pass < 2; pass++) {
        kb_output o = import((kb_import){.source = npy, .species = pass ? csv : "N2,O2,H2"});
        assert_near(o.states[2], 0.1, 0);
        assert_near(o.states[3], 0.2, 0);
        assert_near(o.states[NSP + 1], 0.7, 0);
        assert_near(o.states[4], 0, 0);
        kb_output_free(&o);
        write_text(csv, "N2 O2\nH2\n");
    }
    refuse((kb_import){.source = npy, .species = "N2,O2", .format = KB_IMPORT_STATES},
           "5 columns, expected 4", "2 species");
    refuse((kb_import){.source = npy, .species = "N2,O2,Q"}, "column 4: 'Q'", "nor a species");
    refuse((kb_import){.source = npy, .species = "N2,O2,N2"}, "columns 2 and 4", "'N2'");
}

/* USC Mech II has species such as C5H5O(1,3) */
TEST(names_with_commas)
{
    double rows[1][5] = {{1000, 1e5, 0.7, 0.2, 0.1}}, X[NSP];
    char *usual = m.species[1].name;
    kb_error err = {0};
    m.species[1].name = "O(1,3)";
    write_array(2, (long[]){1, 5}, *rows);
    kb_output o = import((kb_import){.source = npy, .species = "N2, O(1,3),H2"});
    assert_near(o.states[3], 0.2, 0);
    kb_output_free(&o);
    assert_works(kb_mole_fractions(&m, "oxidizer", "O(1,3):1, N2:3", X, &err));
    assert_near(X[1], 0.25, 1e-15);
    assert_int_equal(kb_mole_fractions(&m, "oxidizer", "O(1,3:1,N2:3", X, &err), KB_INVALID);
    m.species[1].name = usual;
}

/* 3 steps of 2 particles: time, T, p, H2 ... N2 */
TEST(pasr_of_pyjac)
{
    enum { C = NSP + 3 };
    double a[6][C] = {{0}};
    for (int i = 0; i < 6; i++) {
        a[i][0] = 1e-4 * (i / 2);
        a[i][1] = 600 + i;
        a[i][2] = 101325;
        a[i][3] = 0.1 * i;
        a[i][C - 1] = 1 - 0.1 * i;
    }
    write_array(3, (long[]){3, 2, C}, *a);
    kb_output o = import((kb_import){.source = npy});
    assert_int_equal(o.n, 6);
    assert_int_equal(o.naux, 2);
    for (int i = 0; i < 6; i++) {
        assert_memory_equal(o.states + i * (NSP + 2), a[i] + 1, (NSP + 2) * sizeof(double));
        assert_near(o.aux[2 * i], a[i][0], 0);
        assert_near(o.aux[2 * i + 1], i % 2, 0);
    }
    assert_string_equal(o.aux_names[0], "time_s");
    kb_output_free(&o);
    a[5][4] = NAN;
    write_array(3, (long[]){3, 2, C}, *a);
    refuse((kb_import){.source = npy, .species = "mechanism"},
           "row 5 (step 2, particle 1), column 4 (O2) is nan", npy);
    refuse((kb_import){.source = npy, .format = KB_IMPORT_STATES}, "(3, 2, 12)", "two dimensions");
    /* flat: taken for pyJac's by its width */
    a[5][4] = 0;
    write_array(2, (long[]){6, C}, *a);
    o = import((kb_import){.source = npy});
    assert_int_equal(o.n, 6);
    assert_int_equal(o.naux, 1);
    assert_near(o.states[0], 600, 0);
    kb_output_free(&o);
}

/* one array of zeros under any dictionary */
static void write_header(const char *dictionary)
{
    char bytes[512] = "\x93NUMPY\x01";
    bytes[8] = (char)strlen(dictionary);
    memcpy(bytes + 10, dictionary, strlen(dictionary));
    FILE *f = fopen(npy, "wb");
    fwrite(bytes, 1, sizeof bytes, f);
    fclose(f);
}

TEST(arrays_that_do_not_fit)
{
    kb_import r = {.source = npy, .species = "mechanism"};
    write_header("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 11)}");
    refuse(r, "type is '<f4'", "expected '<f8' (float64");
    write_header("{'descr': '>f8', 'fortran_order': False, 'shape': (2, 11)}");
    refuse(r, "type is '>f8'", "float64");
    write_header("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 11)}");
    refuse(r, "Fortran order", "ascontiguousarray");
    write_header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 11, 1, 1)}");
    refuse(r, "(2, 11, 1, 1)", "two or three dimensions");
    write_header("{'descr': '<f8', 'fortran_order': False, 'shape': (22,)}");
    refuse(r, "(22,)", "two or three dimensions");
    write_header("{'descr': '<f8', 'fortran_order': False, 'shape': (2000, 11)}");
    refuse(r, "truncated", "needs 176000 bytes");
    write_array(2, (long[]){0, NSP + 2}, NULL);
    refuse(r, "no states", "0 rows");
    write_text(npy, "not an array");
    refuse(r, "not a .npy file", npy);
}

TESTS(prepare, clear)
