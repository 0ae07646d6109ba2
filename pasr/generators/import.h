/* SPDX-License-Identifier: MIT
 *
 * Databases from files of other programs.
 *
 *   states  .npy, float64, (n, 2 + k): T [K], p [Pa], k species
 *   pyjac   .npy, float64, (n, 3 + k) or (steps, particles, 3 + k): time [s], T [K], p [Pa], k
 *           species, as the PaSR program of pyJac (Niemeyer, Curtis and Sung, Comput. Phys. Commun.
 *           215 (2017) 188) saves it; steps and particles become rows, particles fastest. All
 *           species are there, in the order of the mechanism: pyJac moves its last species (often
 *           N2) only inside the code that it generates. A file that was saved in that order needs
 *           `species`.
 *   csv     a header line with T, p (or density [kg/m3]) and names of species in any order, then
 *           one state in each line; or as SolutionArray.save of Cantera 3 writes it: T, D or P, and
 *           Y_H2 or X_H2, ..., where other columns are left out
 *   openfoam, amrex, hdf5    cells of flow codes: import_openfoam.c, import_amrex.c, import_hdf5.c
 *
 * Species that the source does not have are 0. Species of cells, and of Cantera, that the mechanism
 * does not have are left out; the sum of the fractions shows how much is lost.
 */
#pragma once

#include <stdbool.h>

#include "pasr/database/recipe.h"

#define KB_IMPORT_VERSION 1
#define KB_IMPORT_NEGATIVE (-1e-6) /* the lowest fraction that is taken for noise */

enum {
    KB_IMPORT_AUTO,
    KB_IMPORT_STATES,
    KB_IMPORT_PYJAC,
    KB_IMPORT_CSV,
    KB_IMPORT_OPENFOAM,
    KB_IMPORT_AMREX,
    KB_IMPORT_HDF5
};
enum { KB_IMPORT_MASS, KB_IMPORT_MOLE };

typedef struct {
    char *mech, *thermo;
    char *source;     /* the file, or folder of OpenFOAM and AMReX */
    int format;
    char *species;    /* of an .npy's columns: "H2,O2,N2", a file or "mechanism"; NULL: as recorded
                       * beside it */
    int states;       /* their kind, a number of its choices; 0: as recorded beside the source */
    int fractions;
    double normalize; /* sums within this of 1 are scaled to 1; 0: 1e-6, unscaled */
    long n;           /* states of the database, those of the source repeated; 0: all, once */
} kb_import;

extern const kb_recipe_form kb_import_form;
void kb_import_defaults(kb_import *r);

/* Fills o: states, for pyjac also time_s and particle. Errors name the row and the column or line
 * of the source; rows and columns count from 0. */
int kb_import_run(const kb_import *r, const kb_mech *m, kb_output *o, kb_error *err);

/* A table of numbers as read: csv lines or the rows of an array */
typedef struct {
    const char *path;
    long rows;
    int columns;
    long particles; /* of a 3-d array; 0: not one */
    double *data;   /* rows x columns */
    char **names;   /* [columns] "T", "p", "density", "time" or a species; "": left out */
    const char *fractions; /* "mass", "mole"; NULL: as the recipe says */
    const char *kind;      /* of the states; NULL: as the recipe says */
    bool any_gas;          /* species that the mechanism lacks are left out */
    double dt;             /* step of the flow [s]; 0: not known */
} kb_import_table;

/* A new column at the end of t, whose data are not there yet; its number */
int kb_import_column(kb_import_table *t, const char *name, size_t length);
void kb_import_table_free(kb_import_table *t);
int kb_import_csv(kb_import_table *t, const char *path, kb_error *err);
int kb_import_npy(kb_import_table *t, const kb_import *r, const kb_mech *m, kb_error *err);
int kb_import_openfoam(kb_import_table *t, const char *path, const kb_mech *m, kb_error *err);
int kb_import_amrex(kb_import_table *t, const char *path, const kb_mech *m, kb_error *err);
int kb_import_hdf5(kb_import_table *t, const char *path, const kb_mech *m, kb_error *err);
