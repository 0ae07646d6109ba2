/* SPDX-License-Identifier: MIT
 *
 * Small CHEMKIN files in a temporary folder, for the tests of the reader and of the checks.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mech/mech.h"

/* The mechanism file of with_reactions: REACTIONS is line 3, its first reaction line 4. */
#define FILES_HEAD "ELEMENTS H O N AR END\nSPECIES H H2 O O2 OH H2O HO2 N2 AR END\n"

static char files_dir[] = "/tmp/kb_chemkin_XXXXXX";
static char files_mech[64], files_thermo[64];

static int files_setup(void **state)
{
    (void)state;
    if (!mkdtemp(files_dir))
        return -1;
    snprintf(files_mech, sizeof files_mech, "%s/mech.inp", files_dir);
    snprintf(files_thermo, sizeof files_thermo, "%s/therm.dat", files_dir);
    return 0;
}

static int files_teardown(void **state)
{
    (void)state;
    unlink(files_mech);
    unlink(files_thermo);
    return rmdir(files_dir);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f))
        abort();
}

/* Four cards: composition in columns 25-44, Tmid in 66-73, fifth element in 74-78, one polynomial
 * cp/R = 3.5 + 1e-4 T, h = 1000 a6 below and above Tmid */
static void write_cards(FILE *f, const char *name, const char *atoms, const char *Tmid,
                        const char *fifth, double a6)
{
    fprintf(f, "%-24s%-20sG%10s%10s%8s%-5s 1\n", name, atoms, "300.000", "4000.000", Tmid, fifth);
    fprintf(f, "%15.8E%15.8E%15.8E%15.8E%15.8E    2\n", 3.5, 1e-4, 0.0, 0.0, 0.0);
    fprintf(f, "%15.8E%15.8E%15.8E%15.8E%15.8E    3\n", a6, 4.0, 3.5, 1e-4, 0.0);
    fprintf(f, "%15.8E%15.8E%15.8E%15.8E%15s    4\n", 0.0, 0.0, a6, 4.0, "");
}

static void write_thermo(void)
{
    FILE *f = fopen(files_thermo, "w");
    if (!f)
        abort();
    fputs("THERMO\n   300.000  1000.000  5000.000\n", f);
    write_cards(f, "H", "H   1", "1000.000", "", 25474);
    write_cards(f, "H2", "H   2", "1000.000", "", -917);
    write_cards(f, "O", "O   1", "1200.000", "", 29122);
    write_cards(f, "O2", "O   2", "", "", -1064);
    write_cards(f, "OH", "O   1H   1", "1000.000", "", 3372);
    write_cards(f, "H2O", "H   2O   1", "1000.000", "", -30294);
    write_cards(f, "HO2", "H   1", "1000.000", "O   2", 264);
    write_cards(f, "N2", "N   2    0    0    0", "1000.000", "    0", -1021);
    write_cards(f, "AR", "AR  1", "1000.000", "", -745);
    fputs("END\n", f);
    fclose(f);
}

/* Reads text as the mechanism, with the thermo data above */
static int read_text(kb_mech *m, const char *text, kb_error *err)
{
    write_thermo();
    write_text(files_mech, text);
    return kb_chemkin_read(m, files_mech, files_thermo, err);
}

/* REACTIONS and what follows: the units (or nothing) on that line, then reactions */
static int read_reactions(kb_mech *m, const char *text, kb_error *err)
{
    char *whole = kb_format(FILES_HEAD "REACTIONS %s\nEND\n", text);
    int code = read_text(m, whole, err);
    free(whole);
    return code;
}
