/* SPDX-License-Identifier: MIT
 *
 * Cells of flow codes and of Cantera: files that the programs wrote (tests/data/cells), plotfiles
 * of AMReX by its published layout, and what is said about broken ones.
 */
#define _GNU_SOURCE /* memmem */
#ifdef KB_HDF5
#include <hdf5.h>
#endif
#include <strings.h>
#include <sys/stat.h>

#include "tests/test.h"
#include "base/file.h"
#include "pasr/generators/import.h"
#include "pasr/generators/import_scan.h"

#define CELLS "tests/data/cells/"
#define assert_near(a, b, within) assert_true(fabs((a) - (b)) <= (within))

static kb_mech h2, gri;
static char folder[] = "/tmp/kb-cells-XXXXXX";

static int run(const char *format, const char *more)
{
    kb_owned char *command = kb_format(format, folder, more);
    return system(command);
}

FIXTURE(prepare)
{
    return !mkdtemp(folder) || kb_mech_load(&h2, "datasets/mechanisms/h2.yaml", NULL, NULL) ||
           kb_mech_load(&gri, "datasets/mechanisms/gri30.yaml", NULL, NULL);
}

FIXTURE(clear)
{
    kb_mech_free(&h2);
    kb_mech_free(&gri);
    return run("rm -r %s", "");
}

static kb_output import(kb_import r, const kb_mech *m)
{
    kb_output o = {0};
    assert_works(kb_import_run(&r, m, &o, &err));
    return o;
}

static void refuse(kb_import r, const kb_mech *m, const char *text, const char *more)
{
    kb_output o = {0};
    kb_error err = {0};
    assert_int_equal(kb_import_run(&r, m, &o, &err), KB_INVALID);
    if (!strstr(err.text, text) || !strstr(err.text, more))
        fail_msg("message '%s' lacks '%s' or '%s'", err.text, text, more);
    kb_output_free(&o);
}

static int listed(const kb_output *o, const char *list, const char *name)
{
    const json_t *names = json_object_get(o->results, list), *one;
    size_t i;
    json_array_foreach((json_t *)names, i, one) if (!strcmp(json_string_value(one), name)) return 1;
    return 0;
}

static double fraction(const kb_output *o, const kb_mech *m, long row, const char *species)
{
    return o->states[row * (m->nspecies + 2) + 2 + kb_find_species(m, species)];
}

/* folder/name with the first `old` replaced by `text`; cut: without what follows */
static void edit(const char *name, const char *old, const char *text, bool cut)
{
    size_t n;
    kb_owned char *path = kb_format("%s/%s", folder, name), *bytes = kb_file_read(path, &n, NULL);
    char *at = bytes ? memmem(bytes, n, old, strlen(old)) : NULL;
    if (!at)
        fail_msg("no '%s' in %s", old, path);
    size_t before = (size_t)(at - bytes), after = cut ? 0 : n - before - strlen(old);
    kb_owned char *all = kb_alloc(before + strlen(text) + after + 1, 1);
    memcpy(all, bytes, before);
    strcpy(all + before, text);
    memcpy(all + before + strlen(text), at + strlen(old), after);
    assert_int_equal(kb_file_write(path, all, before + strlen(text) + after, NULL, 0, NULL), 0);
}

/* ---- OpenFOAM ---- */

TEST(openfoam)
{
    kb_output text = import((kb_import){.source = CELLS "openfoam-ascii"}, &gri);
    kb_output binary = import((kb_import){.source = CELLS "openfoam-binary"}, &gri);
    assert_int_equal(text.n, 40);
    assert_int_equal(binary.n, 40);
    for (long i = 0; i < 40 * (gri.nspecies + 2); i++)
        assert_near(text.states[i], binary.states[i], 1e-9 * fabs(binary.states[i]));
    assert_near(fraction(&text, &gri, 0, "CH4"), 0.2294590346, 0); /* the first of the file */
    assert_near(fraction(&text, &gri, 1, "CH4"), 0.01511709028, 0);
    assert_string_equal(text.kind.name, "flow");
    assert_true(listed(&text, "species_not_in_source", "OH"));
    assert_false(listed(&text, "species_not_in_source", "CO2"));
    kb_output_free(&text);
    kb_output_free(&binary);
    refuse((kb_import){.source = CELLS "openfoam-ascii"}, &h2, "row 0: the mass fractions add up",
           "expected 1");
    refuse((kb_import){.source = "tests/data"}, &h2, "tests/data: no field 'T'", "time folder");
    refuse((kb_import){.source = "tests/data", .species = "H2"}, &h2, "--species", "names them");
}

static void put_field(const char *name, const char *dimensions, const char *value)
{
    kb_owned char *path = kb_format("%s/start/%s", folder, name);
    kb_owned char *text = kb_format(
        "/* made by hand */\nFoamFile { version 2.0; format ascii;\n"
        "class volScalarField; object %s; }\n// a comment; internalField none;\n"
        "other (1 {a 2;} internalField none; (2 3)) [0];\n"
        "list {(1) internalField none;}\ndimensions [%s];\ninternalField %s;\n",
        name, dimensions, value);
    assert_int_equal(kb_file_write_text(path, text, NULL), 0);
}

/* [s] of the flow, of the cells in a folder */
static double step_of(char *source)
{
    kb_output o = import((kb_import){.source = source}, &h2);
    double step = o.kind.dt;
    kb_output_free(&o);
    return step;
}

/* uniform fields and lists, and species that have no field */
TEST(openfoam_uniform)
{
    char *source = kb_format("%s/start", folder);
    mkdir(source, 0700);
    put_field("T", "0 0 0 1 0 0 0", "uniform 300.5");
    put_field("p", "1 -1 -2 0 0", "nonuniform List<scalar> 3{1e5}");
    put_field("N2", "0 0 0 0 0 0 0", "uniform 0.6");
    put_field("H2", "0 0 0 0 0 0 0", "nonuniform List<scalar> 3 (0.05 0.05\n0.05)");
    put_field("Ydefault", "0 0 0 0 0 0 0", "uniform 0.05");
    edit("start/T", "object T", "object time", false);
    assert_int_equal(run("cd %s/start && mkdir uniform && mv T uniform/time", ""), 0);
    edit("start/uniform/time", "dimensions [0 0 0 1 0 0 0]", "value 2; deltaT 2.5e-6", false);
    put_field("T", "0 0 0 1 0 0 0", "uniform 300.5");
    kb_output o = import((kb_import){.source = source}, &h2);
    assert_int_equal(o.n, 3);
    assert_near(o.states[2 * 11], 300.5, 0);
    assert_near(o.states[2 * 11 + 1], 1e5, 0);
    assert_near(fraction(&o, &h2, 2, "HO2"), 0.05, 0);
    assert_near(fraction(&o, &h2, 2, "N2"), 0.6, 0);
    assert_near(o.kind.dt, 2.5e-6, 0);
    kb_output_free(&o);
    /* a step that is 0 or no number, and no file: not known */
    edit("start/uniform/time", "deltaT 2.5e-6", "deltaT 0", false);
    assert_near(step_of(source), 0, 0);
    edit("start/uniform/time", "deltaT 0", "deltaT -1e-6", false);
    assert_near(step_of(source), 0, 0);
    edit("start/uniform/time", "deltaT -1e-6", "deltaT x", false);
    assert_near(step_of(source), 0, 0);
    assert_int_equal(run("rm -r %s/start/uniform", ""), 0);
    assert_near(step_of(source), 0, 0);
    put_field("H2", "0 0 0 0 0 0 0", "nonuniform List<scalar> 2 (0.05 0.05)");
    put_field("N2", "0 0 0 0 0 0 0", "nonuniform List<scalar> 3{0.6}"); /* as many as p */
    refuse((kb_import){.source = source}, &h2, "H2 has 2 cells, p 3", source);
    free(source);
}

TEST(openfoam_broken)
{
    static const struct {
        const char *file, *old, *text;
        bool cut;
        const char *say, *more;
    } faults[] = {
        {"T", "FoamFile", "foam", false, "/T:8: expected FoamFile", "'foam'"},
        {"T", "volScalarField", "decomposedBlockData", false, "/T:12:", "'decomposedBlockData'"},
        {"p", "[1 -1 -2", "[0 2 -2", false, "'0 2 -2 0 0 0 0' (1 -1 -2 0 0)", "/p:18:"},
        {"CH4", "0.01511709028", "0.0151x", false, "/CH4:25: expected a number", "'0.0151x'"},
        {"CH4", "\n40\n", "\n41\n", false, "/CH4:64: expected a number", "')'"},
        {"CH4", "\n40\n", "\n39\n", false, "/CH4:63: more numbers", "cells"},
        {"CH4", "\n40\n", "\n4000000\n", false, "fewer numbers than cells", "cut off"},
        {"CH4", "0.01511709028", "", true, "/CH4:25: expected a number", "cut off"},
        {"CH4", "internalField", "", true, "no internalField", "cut off"},
        {"CH4", "nonuniform", "nonuniform List<vector>", false, "/CH4:21:", "'List<vector>'"},
        {"CH4", "nonuniform", "$name", false, "expected uniform or nonuniform", "'$name'"},
        {"CH4", "0.01511709028", "-0.0151", false, "column 4 (CH4) is -0.0151", "row 1"},
        {"T", "internalField", "/* internalField", false, "no internalField", "/T:"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        assert_int_equal(run("rm -rf %s/o && cp -r " CELLS "openfoam-ascii %1$s/o", ""), 0);
        char *name = kb_format("o/%s", faults[i].file), *source = kb_format("%s/o", folder);
        edit(name, faults[i].old, faults[i].text, faults[i].cut);
        refuse((kb_import){.source = source}, &gri, faults[i].say, faults[i].more);
        free(name);
        free(source);
    }
    char *source = kb_format("%s/b", folder);
    assert_int_equal(run("cp -r " CELLS "openfoam-binary %s/b", ""), 0);
    edit("b/T", "boundaryField", "", true);
    edit("b/T", "\n40\n", "\n39\n", false);
    refuse((kb_import){.source = source}, &gri, "/T: byte ", "39 binary numbers of 8 bytes");
    edit("b/T", "\n39\n", "\n80\n", false);
    refuse((kb_import){.source = source}, &gri, "/T: byte 8", "cut off");
    edit("b/T", "LSB", "MSB", false);
    refuse((kb_import){.source = source}, &gri, "/T:13: unknown arch", "MSB");
    assert_int_equal(run("mv %s/b/p %1$s/b/p.gz", ""), 0);
    edit("b/T", "MSB;label=32;scalar=64", "LSB;label=32;scalar=64", false);
    edit("b/T", "\n80\n", "\n40\n", false);
    refuse((kb_import){.source = source}, &gri, "/p.gz: compressed", "gunzip");
    free(source);
}

/* ---- Cantera ---- */

/* the states that tests/data/cells/README.md names; AR of h2o2.yaml is 0 and not in h2 */
static void check_cantera(kb_import r, double within)
{
    kb_output o = import(r, &h2);
    static const double Tp[3][2] = {{900, 1e5}, {1400, 2.5e5}, {2500.5, 3e6}};
    assert_int_equal(o.n, 3);
    for (int i = 0; i < 3; i++) {
        assert_near(o.states[i * 11], Tp[i][0], 0);
        assert_near(o.states[i * 11 + 1] / Tp[i][1], 1, 1e-5); /* by density and atomic weights */
    }
    assert_near(fraction(&o, &h2, 0, "O2"), 0.3, within);
    assert_near(fraction(&o, &h2, 1, "OH"), 0.05, within);
    assert_near(fraction(&o, &h2, 2, "HO2"), 0.02, within);
    assert_true(listed(&o, "species_left_out", "AR"));
    assert_string_equal(o.kind.name, "");
    kb_output_free(&o);
}

/* the longest word that is kept, and the first that is cut */
TEST(words_that_are_cut)
{
    char text[300];
    for (int n = 126; n < 130; n++) {
        snprintf(text, sizeof text, "%0*d next", n, 7);
        kb_scan w = {.blank = " ", .single = "", .text = text, .size = strlen(text)};
        assert_int_equal(strlen(kb_scan_next(&w)), n < 127 ? n : 127);
        assert_string_equal(kb_scan_next(&w), "next");
        assert_string_equal(kb_scan_next(&w), "");
    }
}

TEST(cantera)
{
    check_cantera((kb_import){.source = CELLS "cantera.csv"}, 1e-15);
    check_cantera((kb_import){.source = CELLS "cantera-mole.csv"}, 1e-5);
    char *lost = kb_format("%s/lost.csv", folder);
    assert_int_equal(kb_file_write_text(lost, "grid,T,P,Y_H2,Y_AR\n0,900,1e5,0.9,0.1\n", NULL), 0);
    refuse((kb_import){.source = lost}, &h2, "line 2 (row 0): the mass fractions add up to 0.9",
           "the mechanism lacks AR (--normalize");
    kb_output o = import((kb_import){.source = lost, .normalize = 0.1}, &h2);
    assert_near(o.states[1], 1e5, 0);
    assert_near(o.states[2], 1, 1e-15);
    kb_output_free(&o);
    assert_int_equal(kb_file_write_text(lost, "T,D,Y_H2\n900,-1,1\n", NULL), 0);
    refuse((kb_import){.source = lost}, &h2, "column 1 (density) is -1", "> 0");
    assert_int_equal(kb_file_write_text(lost, "T,D,Y_H2\n900,1e6,1\n", NULL), 0);
    refuse((kb_import){.source = lost}, &h2, "line 2 (row 0): density gives p", "1 to 1e9");
    free(lost);
}

#ifdef KB_HDF5
/* a set of c.h5 with so many numbers in place of its own */
static void resize(const char *set, hsize_t n)
{
    kb_owned char *path = kb_format("%s/c.h5", folder);
    assert_int_equal(run("cp " CELLS "cantera.h5 %s/c.h5", ""), 0);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0 && H5Ldelete(file, set, H5P_DEFAULT) >= 0);
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t data = H5Dcreate2(file, set, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT);
    assert_true(data >= 0 && H5Dclose(data) >= 0 && H5Sclose(space) >= 0 && H5Fclose(file) >= 0);
}

TEST(sets_of_other_sizes)
{
    char *source = kb_format("%s/c.h5", folder);
    for (hsize_t n = 1; n < 5; n += 1 + (n == 2)) {
        resize("three/data/D", n);
        refuse((kb_import){.source = source}, &h2, "'D'", "as many as T");
        resize("three/data/Y", n);
        refuse((kb_import){.source = source}, &h2, "'Y'", "as many as T");
    }
    free(source);
}

/* names of components that all have one length are not what Cantera writes */
TEST(components_of_fixed_length)
{
    char *source = kb_format("%s/c.h5", folder);
    hsize_t n = 12;
    assert_int_equal(run("cp " CELLS "cantera.h5 %s/c.h5", ""), 0);
    hid_t file = H5Fopen(source, H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
    hid_t group = H5Gopen2(file, "three/data", H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &n, NULL);
    assert_true(H5Adelete(group, "components") >= 0 && H5Tset_size(type, 8) >= 0);
    hid_t names = H5Acreate2(group, "components", type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(names >= 0 && H5Awrite(names, type, (char[12][8]){"T", "D", "H2"}) >= 0);
    H5Aclose(names);
    H5Sclose(space);
    H5Tclose(type);
    H5Gclose(group);
    H5Fclose(file);
    refuse((kb_import){.source = source}, &h2, "'Y'", "a column for each species");
    free(source);
}

/* frames of our flow solver with these sets of frames x cells, "name:frames:cells": 1000, 1001 ...,
 * of species 0.5; the second cell is solid, by its temperature */
static char *put_frames(const char *sets)
{
    char *source = kb_format("%s/f.h5", folder), *list = kb_strdup(sets);
    hid_t file = H5Fcreate(source, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t all = H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t group = H5Gcreate2(all, "CellData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (char *set = strtok(list, " "); set; set = strtok(NULL, " ")) {
        char name[32];
        int frames, cells;
        double x[16];
        assert_int_equal(sscanf(set, "%31[^:]:%d:%d", name, &frames, &cells), 3);
        for (int i = 0; i < frames * cells; i++)
            x[i] = *name == 'Y' ? 0.5 : i == 1 && *name == 't' ? NAN : 1000 + i;
        hid_t space = H5Screate_simple(2, (hsize_t[]){(hsize_t)frames, (hsize_t)cells}, NULL);
        hid_t data = H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT,
                                H5P_DEFAULT);
        assert_true(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
        H5Dclose(data);
        H5Sclose(space);
    }
    free(list);
    H5Gclose(group);
    H5Gclose(all);
    H5Fclose(file);
    return source;
}

TEST(frames)
{
    static const struct {
        const char *sets, *name, *hint;
    } wrong[] = {
        {"pressure:2:3 Y_H2:2:3", "'temperature'", "make flow with a gas"},
        {"temperature:2:3 Y_H2:2:3", "'pressure'", "make flow with a gas"},
        {"temperature:2:3 pressure:3:3 Y_H2:2:3", "'pressure'", "make flow with a gas"},
        {"temperature:2:3 pressure:2:2 Y_H2:2:3", "'pressure'", "make flow with a gas"},
        {"temperature:2:3 pressure:2:3 Y_H2:3:3", "'Y_H2'", "as many as cells"},
        {"temperature:2:3 pressure:2:3 Y_H2:2:2", "'Y_H2'", "as many as cells"},
        {"temperature:2:3 pressure:2:3 Y_X:2:3", "'Y_...'", "all species"}};
    char *source = put_frames("temperature:2:3 pressure:2:3 Y_O2:2:3 Y_N2:2:3");
    kb_output o = import((kb_import){.source = source}, &h2);
    assert_int_equal(o.n, 5);
    assert_string_equal(o.kind.name, "flow");
    for (int i = 0; i < 5; i++) {
        assert_near(o.states[i * 11], 1000 + i + (i > 0), 0);
        assert_near(o.states[i * 11 + 1], 1000 + i + (i > 0), 0);
        assert_near(fraction(&o, &h2, i, "O2"), 0.5, 0);
    }
    kb_output_free(&o);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        free(source);
        source = put_frames(wrong[k].sets);
        refuse((kb_import){.source = source}, &h2, wrong[k].name, wrong[k].hint);
    }
    free(source);
}

TEST(hdf5)
{
    check_cantera((kb_import){.source = CELLS "cantera.h5"}, 1e-15);
    assert_int_equal(run("cp " CELLS "cantera.h5 %s/c.h5", ""), 0);
    char *source = kb_format("%s/c.h5", folder);
    edit("c.h5", "three", "thre", true);
    refuse((kb_import){.source = source}, &h2, "c.h5: cannot be read as HDF5", "cut off");
    refuse((kb_import){.source = CELLS "cantera.csv", .format = KB_IMPORT_HDF5}, &h2,
           "cannot be read as HDF5", "cantera.csv");
    free(source);
}
#else
static void hdf5(void **state)
{
    (void)state;
    refuse((kb_import){.source = CELLS "cantera.h5"}, &h2, "has no HDF5", "libhdf5-dev");
}
#endif

/* ---- AMReX ---- */

/* Level 0: 4 x 2 cells in two boxes of 2 x 2; level 1, twice as fine: one box over the cells (1..2,
 * 0). Boxes of numbers have a border, as wide as is asked for. turned: so many of the variables,
 * the last ones, come first. */
typedef struct {
    bool pele_c, single;
    int border, turned;
} layout;

static double T_at(int level, int i, int j) { return 1000 + 500 * level + 10 * j + i; }
static double H2_at(int level, int i) { return 0.0625 * (1 + level) + 0.03125 * (i & 3); }

static double value(const layout *l, int variable, int level, int i, int j)
{
    double rho = l->pele_c ? 0.0005 : 0.5;
    switch (variable) {
    case 0: return rho;
    case 1: return H2_at(level, i) * rho;
    case 2: return (1 - H2_at(level, i)) * rho;
    case 3: return T_at(level, i, j);
    case 4: return l->pele_c ? -1e9 : 1e5 + j;              /* rho_E, RhoRT */
    default: return level == 0 && i == 0 && j == 1 ? 0 : 1; /* vfrac */
    }
}

static void put_box(FILE *f, const layout *l, int level, int i0, int j0, int i1, int j1)
{
    int b = l->border;
    fprintf(f, "FAB %s((%d,%d) (%d,%d) (0,0)) 6\n",
            l->single ? "((8, (32 8 23 0 1 9 0 127)),(4, (4 3 2 1)))"
                      : "((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))",
            i0 - b, j0 - b, i1 + b, j1 + b);
    for (int v = 0; v < 6; v++)
        for (int j = j0 - b; j <= j1 + b; j++)
            for (int i = i0 - b; i <= i1 + b; i++) {
                bool in = i >= i0 && i <= i1 && j >= j0 && j <= j1;
                double x = in ? value(l, (v + 6 - l->turned) % 6, level, i, j) : NAN;
                float y = (float)x;
                fwrite(l->single ? (void *)&y : (void *)&x, l->single ? 4 : 8, 1, f);
            }
}

static FILE *open_at(const char *name)
{
    kb_owned char *path = kb_format("%s/plt/%s", folder, name);
    assert_int_equal(kb_make_folders(path, NULL), 0);
    FILE *f = fopen(path, "wb");
    return f;
}

static void put_level(const layout *l, int level, const int (*box)[4], int n)
{
    char name[32];
    long at[2];
    snprintf(name, sizeof name, "Level_%d/Cell_D_00000", level);
    FILE *f = open_at(name);
    for (int i = 0; i < n; i++) {
        at[i] = ftell(f);
        put_box(f, l, level, box[i][0], box[i][1], box[i][2], box[i][3]);
    }
    fclose(f);
    snprintf(name, sizeof name, "Level_%d/Cell_H", level);
    f = open_at(name);
    fprintf(f, l->border ? "1\n1\n6\n(2,2)\n(%d 0\n" : "1\n1\n6\n0\n(%d 0\n", n);
    for (int i = 0; i < n; i++)
        fprintf(f, "((%d,%d) (%d,%d) (0,0))\n", box[i][0], box[i][1], box[i][2], box[i][3]);
    fprintf(f, ")\n%d\n", n);
    for (int i = 0; i < n; i++)
        fprintf(f, "FabOnDisk: Cell_D_00000 %ld\n", at[i]);
    fprintf(f, "\n%d,6\n", n);
    fclose(f);
}

static void put_plotfile(const layout *l)
{
    static const int coarse[2][4] = {{0, 0, 1, 1}, {2, 0, 3, 1}}, fine[1][4] = {{2, 0, 5, 1}};
    const char *const names[] = {"density", l->pele_c ? "rho_H2" : "rho.Y(H2)",
                                 l->pele_c ? "rho_N2" : "rho.Y(N2)", l->pele_c ? "Temp" : "temp",
                                 l->pele_c ? "rho_E" : "RhoRT", "vfrac"};
    FILE *f = open_at("Header");
    fprintf(f, "HyperCLaw-V1.1\n6\n");
    for (int v = 0; v < 6; v++)
        fprintf(f, "%s\n", names[(v + 6 - l->turned) % 6]);
    fprintf(f, "2\n0.001\n1\n0 0 \n4 2 \n"
               "2 \n((0,0) (3,1) (0,0)) ((0,0) (7,3) (0,0)) \n7 14 \n1 1 \n0.5 0.5 \n0\n0\n"
               "0 2 0.001\n7\n0 2\n0 2\n2 4\n0 2\nLevel_0/Cell\n1 1 0.001\n14\n1 3\n0 1\n"
               "Level_1/Cell\n");
    fclose(f);
    put_level(l, 0, coarse, 2);
    put_level(l, 1, fine, 1);
}

TEST(amrex)
{
    /* level, i, j: without the covered cells and the body at (0, 1) */
    static const int cells[][3] = {{0, 0, 0}, {0, 1, 1}, {0, 3, 0}, {0, 2, 1}, {0, 3, 1},
                                   {1, 2, 0}, {1, 3, 0}, {1, 4, 0}, {1, 5, 0}, {1, 2, 1},
                                   {1, 3, 1}, {1, 4, 1}, {1, 5, 1}};
    enum { N = sizeof cells / sizeof *cells };
    char *source = kb_format("%s/plt", folder);
    for (int k = 0; k < 13; k++) {
        int way = k < 5 ? k : k - 5;
        layout l = {way & 1, way & 2, way & 4 ? 2 : 0, k < 5 ? k + 1 : 0};
        put_plotfile(&l);
        kb_output o = import((kb_import){.source = source}, &h2);
        assert_int_equal(o.n, N);
        for (int i = 0; i < N; i++) {
            const int *c = cells[i];
            double x = H2_at(c[0], c[1]), T = T_at(c[0], c[1], c[2]);
            double moles = x / h2.species[0].weight + (1 - x) / h2.species[8].weight;
            double p = l.pele_c ? 0.5 * KB_R * T * moles : 1e5 + c[2];
            assert_near(o.states[i * 11], T, 0);
            assert_near(o.states[i * 11 + 1] / p, 1, l.single ? 1e-6 : 1e-14);
            assert_near(fraction(&o, &h2, i, "H2"), x, l.single ? 1e-7 : 1e-15);
        }
        assert_string_equal(o.kind.name, "flow");
        assert_true(listed(&o, "species_not_in_source", "OH"));
        kb_output_free(&o);
    }
    edit("plt/Header", "rho_H2\nrho_N2", "Y(H2)\nY(AR)", false);
    refuse((kb_import){.source = source}, &h2, "row 0: the mass fractions add up to ", "lacks AR");
    edit("plt/Header", "density\nY(H2)\nY(AR)", "Y(H2)\nY(N2)\ndensity", false);
    refuse((kb_import){.source = source}, &h2, "row 0: the mass fractions add up to 0.00053125",
           "expected 1"); /* the first variable counts */
    free(source);
}

/* ---- drawn plotfiles, of which each cell is known ---- */

typedef struct {
    int lo[3], hi[3];
} drawn_box;

typedef struct {
    int dim, levels, border, ratio[3], variables;
    const char *name[16];
    drawn_box box[3][2];
} drawing;

static int between(int a, int b) { return a + rand() % (b - a + 1); }

/* a variable at a drawn place among those that are there */
static void add_variable(drawing *d, const char *name)
{
    int at = between(0, d->variables);
    memmove(d->name + at + 1, d->name + at, (size_t)(d->variables++ - at) * sizeof *d->name);
    d->name[at] = name;
}

static bool has_variable(const drawing *d, const char *name)
{
    for (int i = 0; i < d->variables; i++)
        if (!strcmp(d->name[i], name))
            return true;
    return false;
}

/* two boxes side by side, then two on each finer level, one in each of the level below */
static drawing draw_plotfile(int round)
{
    static const char *const temperature[] = {"temp", "Temp"};
    static const char *const pressure[] = {"RhoRT", "pressure", NULL};
    static const char *const species[3][2] = {
        {"Y(H2)", "Y(N2)"}, {"rho.Y(H2)", "rho.Y(N2)"}, {"rho_H2", "rho_N2"}};
    drawing d = {.dim = 1 + round % 3, .levels = 1 + round / 3 % 3, .border = between(0, 2)};
    const char *const *Y = species[between(0, 2)], *p = pressure[between(0, 2)];
    const char *const others[] = {"Y()", "Y(O2", "rho_E", "rho.Y(N2", "x_velocity"};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < d.dim; i++) {
            drawn_box *b = &d.box[0][k];
            b->lo[i] = k && i == 0 ? d.box[0][0].hi[0] + 1 : between(-5, 3);
            b->hi[i] = b->lo[i] + between(0, 3);
            for (int l = 1; l < d.levels; l++) {
                int ratio = d.ratio[l - 1] = d.ratio[l - 1] ? d.ratio[l - 1] : 2 * between(1, 2);
                int from = between(b->lo[i], b->hi[i]), to = from + (from < b->hi[i] && rand() % 2);
                b = &d.box[l][k];
                b->lo[i] = from * ratio;
                b->hi[i] = (to + 1) * ratio - 1;
            }
        }
    for (int i = 0; i < 5; i++)
        if (rand() % 2)
            add_variable(&d, others[i]);
    add_variable(&d, temperature[between(0, 1)]);
    add_variable(&d, Y[0]);
    add_variable(&d, Y[1]);
    if (p)
        add_variable(&d, p);
    if (!p || *Y[0] == 'r')
        add_variable(&d, "density");
    if (rand() % 2)
        add_variable(&d, "vfrac");
    return d;
}

/* of cell `id`, in the units of the file */
static double drawn_value(const drawing *d, const char *name, long id)
{
    bool cgs = has_variable(d, "Temp");
    double Y = (double)(id % 8) / 16, rho = (cgs ? 1e-3 : 1) * (0.5 + (double)(id % 3));
    double over = *name == 'r' ? rho : 1;
    if (strstr(name, "H2"))
        return Y * over;
    if (strstr(name, "N2"))
        return (1 - Y) * over;
    if (!strcmp(name, "density"))
        return rho;
    if (!strcmp(name, "vfrac"))
        return (double)(id % 5);
    if (!strcasecmp(name, "temp"))
        return 300 + (double)id / 4;
    return (double)id + (!strcmp(name, "RhoRT") ? 1e5 : !strcmp(name, "pressure") ? 1e6 : -1e9);
}

static void put_ends(FILE *f, const drawing *d, const drawn_box *b, int border)
{
    for (int end = 0; end < 3; end++)
        for (int i = 0; i < d->dim; i++)
            fprintf(f, "%s%d%s",
                    i     ? ","
                    : end ? " ("
                          : "((",
                    end == 0   ? b->lo[i] - border
                    : end == 1 ? b->hi[i] + border
                               : 0,
                    i + 1 < d->dim ? "" : ")");
    fprintf(f, ")");
}

static bool is_within(const drawn_box *b, const int at[3], int ratio)
{
    for (int i = 0; i < 3; i++)
        if (at[i] * ratio < b->lo[i] || at[i] * ratio > b->hi[i])
            return false;
    return true;
}

/* writes the box's numbers, and the id of each cell that is shown to `shown` */
static void put_drawn_box(FILE *f, const drawing *d, int l, const drawn_box *b, long first,
                          long *shown, int *n)
{
    int w[3] = {d->border, d->dim > 1 ? d->border : 0, d->dim > 2 ? d->border : 0}, at[3];
    fprintf(f, "FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))");
    put_ends(f, d, b, d->border);
    fprintf(f, " %d\n", d->variables);
    for (int v = 0; v < d->variables; v++) {
        long id = first;
        for (at[2] = b->lo[2] - w[2]; at[2] <= b->hi[2] + w[2]; at[2]++)
            for (at[1] = b->lo[1] - w[1]; at[1] <= b->hi[1] + w[1]; at[1]++)
                for (at[0] = b->lo[0] - w[0]; at[0] <= b->hi[0] + w[0]; at[0]++) {
                    bool in = is_within(b, at, 1), finer = false;
                    double x = in ? drawn_value(d, d->name[v], id) : NAN;
                    fwrite(&x, sizeof x, 1, f);
                    for (int k = 0; k < 2 && l + 1 < d->levels; k++)
                        finer |= is_within(&d->box[l + 1][k], at, d->ratio[l]);
                    if (v == 0 && in && !finer && (id % 5 || !has_variable(d, "vfrac")))
                        shown[(*n)++] = id;
                    id += in;
                }
    }
}

static int put_drawing(const drawing *d, long *shown)
{
    int n = 0;
    long id = 0;
    FILE *head = open_at("Header");
    fprintf(head, "HyperCLaw-V1.1\n%d\n", d->variables);
    for (int v = 0; v < d->variables; v++)
        fprintf(head, "%s\n", d->name[v]);
    fprintf(head, "%d\n0.001\n%d\n", d->dim, d->levels - 1);
    for (int i = 0; i < 2 * d->dim; i++)
        fprintf(head, "%d ", i);
    for (int l = 0; l + 1 < d->levels; l++)
        fprintf(head, "%d ", d->ratio[l]);
    for (int l = 0; l < d->levels; l++)
        put_ends(head, d, &d->box[l][0], 0);
    for (int i = 0; i < (d->dim + 1) * d->levels + 2; i++)
        fprintf(head, "\n0.5");
    for (int l = 0; l < d->levels; l++) {
        char name[32];
        long at[2];
        fprintf(head, "\n%d 2 0.001\n14\n", l);
        for (int i = 0; i < 4 * d->dim; i++)
            fprintf(head, "%d ", i);
        fprintf(head, "\nLevel_%d/Cell\n", l);
        snprintf(name, sizeof name, "Level_%d/Cell_D_00000", l);
        FILE *f = open_at(name);
        for (int k = 0; k < 2; k++) {
            const drawn_box *b = &d->box[l][k];
            at[k] = ftell(f);
            put_drawn_box(f, d, l, b, id, shown, &n);
            id += (long)(b->hi[0] - b->lo[0] + 1) * (b->hi[1] - b->lo[1] + 1) *
                  (b->hi[2] - b->lo[2] + 1);
        }
        fclose(f);
        snprintf(name, sizeof name, "Level_%d/Cell_H", l);
        f = open_at(name);
        fprintf(f, "1\n%d\n%d\n%d\n(2 0\n", l % 2, d->variables, d->border);
        for (int k = 0; k < 2; k++) {
            put_ends(f, d, &d->box[l][k], 0);
            fprintf(f, "\n");
        }
        fprintf(f, ")\n2\nFabOnDisk: Cell_D_00000 %ld\nFabOnDisk: Cell_D_00000 %ld\n", at[0],
                at[1]);
        fclose(f);
    }
    fclose(head);
    return n;
}

TEST(amrex_drawn)
{
    char *source = kb_format("%s/plt", folder);
    for (int round = 0; round < 90; round++) {
        static long shown[8192];
        srand((unsigned)round);
        drawing d = draw_plotfile(round);
        int n = put_drawing(&d, shown);
        kb_output o = import((kb_import){.source = source}, &h2);
        assert_int_equal(o.n, n);
        for (int i = 0; i < n; i++) {
            long id = shown[i];
            double T = 300 + (double)id / 4, Y = (double)(id % 8) / 16;
            double rho = 0.5 + (double)(id % 3);
            double p = has_variable(&d, "RhoRT") ? 1e5 + (double)id
                       : has_variable(&d, "pressure")
                           ? 0.1 * (1e6 + (double)id)
                           : rho * KB_R * T *
                                 (Y / h2.species[0].weight + (1 - Y) / h2.species[8].weight);
            assert_near(o.states[i * 11], T, 0);
            assert_near(o.states[i * 11 + 1] / p, 1, 1e-14);
            assert_near(fraction(&o, &h2, i, "H2"), Y, 1e-15);
        }
        kb_output_free(&o);
    }
    free(source);
}

TEST(amrex_broken)
{
    static const struct {
        const char *file, *old, *text;
        bool cut;
        const char *say, *more;
    } faults[] = {
        {"Header", "HyperCLaw", "NavierStokes", false, "/Header:1: expected Hyper", "'Navier"},
        {"Header", "\n6\n", "\nx\n", false, "/Header:2: expected the number of variables", "'x'"},
        {"Header", "\n6\n", "\n6x\n", false, "/Header:2: expected the number of var", "'6x'"},
        {"Header", "\n6\n", "\n0\n", false, "/Header:2: expected the number of variables", "'0'"},
        {"Header", "\n6\n", "\n100000\n", false, "the number of dimensions", "end of the file"},
        {"Header", "\n6\n", "\n100001\n", false, "/Header:2: expected the number of v", "'100001'"},
        {"Header", "\n6\n", "\n1\n", false, "/Header:4: expected the number of dim", "'rho.Y'"},
        {"Header", "\n2\n0.001", "\n4\n0.001", false, "/Header:9: expected the number", "'4'"},
        {"Header", "\n0.001\n1\n", "\n0.001\n64\n", false, "expected the finest level", "'64'"},
        {"Header", "\n0.001\n1\n", "\n0.001\n63\n", false, ":15: expected a ratio of ref", "'0'"},
        {"Header", "4 2 \n2 ", "4 2 \n65 ", false, ":14: expected a ratio of ref", "'65'"},
        {"Header", "4 2 \n2 ", "4 2 \n1 ", false, ":14: expected a ratio of ref", "'1'"},
        {"Header", "\n0 2 0.001", "\n0 0 0.001", false, ":21: expected the number of boxes", "'0'"},
        {"Header", "temp\n", "heat\n", false, "/plt: no temperature among its 6", "Temp"},
        {"Header", "rho.Y(H2)\nrho.Y(N2)", "a\nb", false, "/plt: no species of h2", "rho_H2"},
        {"Header", "\n1 1 0.001", "", true, "/Header:27: expected the number of the level", "cut"},
        {"Level_0/Cell_H", "1\n1\n6", "2\n1\n6", false, "Cell_H:1: expected version 1", "'2'"},
        {"Level_0/Cell_H", "\n6\n", "\n5\n", false, "Cell_H:3: expected as many variables", "'5'"},
        {"Level_0/Cell_H", "((0,0) (1,1)", "((0,0) (-1,1)", false, "a box of no cells", "'"},
        {"Level_0/Cell_H", "1\n1\n6", "1\n2\n6", false, "Cell_H:2: expected how it is", "'2'"},
        {"Level_0/Cell_H", "(2 0\n", "(0 0\n", false, "expected the number of boxes", "'0'"},
        {"Level_0/Cell_H", "(0,0) (1,1)", "(0,0) (65535,32767)", false, "0: byte 0: ", "FAB"},
        {"Level_0/Cell_H", "((0,0) (1,1)", "((-65536,-32769) (-1,-1)", false, "or too many", "'"},
        {"Level_0/Cell_H", "((0,0) (1,1)", "((0,0) (65535,32768)", false, "or too many", "'"},
        {"Level_0/Cell_H", "FabOnDisk", "Fab", false, "Cell_H:10: expected FabOnDisk:", "'Fab:'"},
        {"Level_0/Cell_H", "D_00000 0", "D_00001 0", false, "Cell_D_00001: cannot", "plt/Level_0"},
        {"Level_0/Cell_D_00000", "(8, (8 7", "(8, (1 7", false, "0: byte 0: expected", "FAB"},
        {"Level_0/Cell_D_00000", "((0,0) (1,1)", "((0,0) (0,1)", false, "0: byte 0: ", "FAB"},
        {"Level_1/Cell_D_00000", "FAB", "FBB", false, "_00000: byte 0: expected the head",
         "'FBB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))(('"},
    };
    layout l = {0};
    char *source = kb_format("%s/plt", folder);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        kb_owned char *name = kb_format("plt/%s", faults[i].file);
        put_plotfile(&l);
        edit(name, faults[i].old, faults[i].text, faults[i].cut);
        refuse((kb_import){.source = source}, &h2, faults[i].say, faults[i].more);
    }
    put_plotfile(&l);
    assert_int_equal(run("truncate -s -8 %s/plt/Level_0/Cell_D_00000", ""), 0);
    refuse((kb_import){.source = source}, &h2, "Cell_D_00000: ", "cut off");
    free(source);
}

TESTS(prepare, clear)
