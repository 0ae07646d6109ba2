/* SPDX-License-Identifier: MIT
 *
 * Where a mechanism given by name lies, in every place where one may lie, and how its build is
 * named.
 */
#include <unistd.h>

#include "tests/test.h"
#include "mech/find.h"

static char folder[] = "/tmp/kb-find-XXXXXX";
static char home[4096];

FIXTURE(enter) { return !getcwd(home, sizeof home) || !mkdtemp(folder) || chdir(folder); }
FIXTURE(leave)
{
    kb_owned char *command = kb_format("rm -rf %s", folder);
    return chdir(home) || system(command);
}

/* made with its folders */
static void make_file(const char *path, const char *text)
{
    kb_owned char *command = kb_format("mkdir -p $(dirname %s)", path);
    assert_int_equal(system(command), 0);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void check_text(char *found, const char *expected)
{
    assert_string_equal(found, expected);
    free(found);
}

TEST(by_name)
{
    static const char *const places[] = {
        "a", "datasets/mechanisms/a.yaml", "b", "datasets/mechanisms/b.inp",
        "c", "datasets/mechanisms/c.dat",  "d", "datasets/downloads/d/mech.inp",
        "e", "build/mech/e/e.yaml"};
    check_text(kb_mechanism_file("nowhere"), "datasets/mechanisms/nowhere.yaml");
    check_text(kb_mechanism_file("folder/x"), "folder/x");
    for (int k = 8; k >= 0; k -= 2) {
        make_file(places[k + 1], "");
        check_text(kb_mechanism_file(places[k]), places[k + 1]);
    }
    make_file("datasets/mechanisms/b.yaml", ""); /* the first of its places */
    check_text(kb_mechanism_file("b"), "datasets/mechanisms/b.yaml");
    make_file("f", ""); /* a file here goes before all */
    make_file("datasets/mechanisms/f.yaml", "");
    check_text(kb_mechanism_file("f"), "f");
}

/* a fetched mechanism is named after its folder, and its thermo data lie beside it */
TEST(fetched)
{
    static const char cards[] =
        "THERMO\n   300.000  1000.000  5000.000\n"
        "H                       H   1               G   300.000  4000.000 1000.00      1\n"
        " 2.50000000E+00 0.00000000E+00 0.00000000E+00 0.00000000E+00 0.00000000E+00    2\n"
        " 2.54730000E+04-4.60120000E-01 2.50000000E+00 0.00000000E+00 0.00000000E+00    3\n"
        " 0.00000000E+00 0.00000000E+00 2.54730000E+04-4.60120000E-01                   4\nEND\n";
    kb_mech m;
    kb_error err = {0};
    make_file("datasets/downloads/far/mech.inp", "ELEMENTS H END\nSPECIES H END\n");
    make_file("datasets/downloads/far/therm.dat", cards);
    assert_works(kb_mechanism_load(&m, "far", NULL, &err));
    assert_string_equal(m.name, "far");
    assert_int_equal(m.nspecies, 1);
    kb_mech_free(&m);
    make_file("near/mech.inp", "ELEMENTS H END\nSPECIES H END\n");
    make_file("near/therm.dat", cards);
    assert_int_equal(kb_mechanism_load(&m, "near/mech.inp", NULL, &err), KB_INVALID);
    assert_works(kb_mechanism_load(&m, "near/mech.inp", "near/therm.dat", &err));
    assert_string_equal(m.name, "mech");
    kb_mech_free(&m);
}

TEST(names_of_builds)
{
    static const char *const names[] = {"h2",
                                        "h2",
                                        "x/h2.yaml",
                                        "h2",
                                        "x/y/mech.inp",
                                        "y",
                                        "x/chem.inp",
                                        "x",
                                        "x/mechanism.inp",
                                        "x",
                                        "mech.inp",
                                        "mech",
                                        "x/my.mech.inp",
                                        "my.mech"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k += 2)
        check_text(kb_built_name(names[k]), names[k + 1]);
}

TESTS(enter, leave)
