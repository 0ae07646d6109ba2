/* SPDX-License-Identifier: MIT
 *
 * Recipes of databases. A generator describes the parameters of its recipe in one table, which
 * drives the reader, the file beside the database and the command line
 * (drivers/generate/generate.h). What is read and what is written have one form, so that the file
 * beside a database makes it again: {"generator": name, "version": number, "parameters": {...},
 * and what else was recorded}.
 */
#pragma once

#include <jansson.h>

#include "mech/mech.h"
#include "solvers/solver.h"

#define KB_AXIS 256 /* most values on one axis of a grid */

typedef struct {
    int n;
    double v[KB_AXIS];
} kb_axis;

/* the member of the recipe's struct that belongs to each type */
typedef enum {
    KB_FIELD_TEXT,   /* char *, owned; NULL: not given */
    KB_FIELD_NUMBER, /* double */
    KB_FIELD_WHOLE,  /* long */
    KB_FIELD_AXIS,   /* kb_axis: every value lies within low and high */
    KB_FIELD_CHOICE  /* int: index into choices */
} kb_field_type;

typedef struct {
    const char *key;    /* in the recipe: "tau_res_s" */
    const char *option; /* on the command line: "tau-res"; NULL: only in the recipe */
    const char *help;   /* with its unit; the default is added */
    kb_field_type type;
    size_t offset;      /* offsetof in the recipe's struct */
    double low, high;   /* numbers: inclusive bounds */
    const char *const *choices; /* ends with NULL */
    bool optional;      /* text: may be missing; number: 0 means not given and is not written */
} kb_field;

typedef struct {
    const char *generator; /* "ignition" */
    int version;           /* changes when the same recipe would give other bytes */
    const kb_field *fields; /* ends with key == NULL; each has "mech" and "thermo" (text) */
} kb_recipe_form;

/* What the states are: "before" a reaction and after transport, as a flow code hands them over;
 * "after" the reaction, "both", "flow" (before, from a flow), "path" (of one reactor in time); "":
 * not known. Those before and after cost unlike much (docs/databases.md). */
typedef struct {
    char name[16];
    double dt; /* step between transport and reaction [s]; 0: none, or of several lengths */
} kb_states_kind;

/* What a generator hands over to be saved; kb_output_free frees the arrays and results. */
typedef struct {
    long n;
    double *states;               /* n x (nsp + 2): T [K], p [Pa], Y */
    int naux;                     /* columns for plots; 0: none */
    const char *const *aux_names; /* "time_s", ...; not owned */
    double *aux;                  /* n x naux */
    json_t *results;              /* becomes "results" */
    const char *method;           /* one line; not owned */
    kb_states_kind kind;
} kb_output;
void kb_output_free(kb_output *o);

/* Reads the "parameters" of a recipe file over the values that r has. Each is optional; unknown
 * names, wrong types and values out of bounds are refused. */
int kb_recipe_read(const kb_recipe_form *form, void *r, const char *path, kb_error *err);

/* The mechanism whose hash a recipe records is this one? A recipe need not record any. */
int kb_recipe_same_mech(const char *path, const kb_mech *m, kb_error *err);

/* One value as text, as on the command line. what is its name for messages ("--n"). */
int kb_recipe_set(const kb_field *field, void *r, const char *what, const char *text,
                  kb_error *err);

/* The kind as recorded beside the database of that path; of one made before kinds were recorded,
 * that of its generator. Without a record: not known. */
kb_states_kind kb_states_kind_read(const char *path);
/* "before reaction, step 1e-06 s"; "" if not known; caller frees */
char *kb_states_kind_text(const kb_states_kind *kind);

/* Within the bounds of the table, all texts given? For recipes that were filled by code. */
int kb_recipe_check(const kb_recipe_form *form, const void *r, kb_error *err);

const char *kb_recipe_text(const kb_recipe_form *form, const void *r, const char *key);
void kb_recipe_free(const kb_recipe_form *form, void *r); /* the texts */

/* "parameters" as it stands in the recipe; the caller owns it */
json_t *kb_recipe_parameters(const kb_recipe_form *form, const void *r);

/* sha256 [65] of the parameters, generator, version and mechanism: what a checkpoint must match */
void kb_recipe_hash(const kb_recipe_form *form, const void *r, const char *mech_sha256, char *out);

/* Writes path.aux.npy (where there are such columns), path.json and path.npy, the latter last, so
 * that the states are there only when all is; each whole or not at all. Fractions that are off by
 * noise are repaired first (kb_states_check), and counted in the .json as repaired_rows. path ends
 * in .npy, or gets the other endings as it is. */
int kb_recipe_save(const kb_recipe_form *form, const void *r, const kb_solvers *s,
                   const kb_output *o, const char *path, kb_error *err);
/* Reads path.aux.npy, whose columns have these names in the .json, for n states. Error: it is not
 * there, or has not a row for each state and a column for each name. */
int kb_aux_read(const char *path, long n, const json_t *names, int *columns, double **aux,
                kb_error *err);
/* foo.npy, ".json" -> foo.json; caller frees */
char *kb_beside(const char *path, const char *ending);
/* Are both the same file, or would they be? Not of devices */
bool kb_same_file(const char *a, const char *b);
/* Is this a file that the mechanism was read from? */
bool kb_is_of_mechanism(const kb_mech *m, const char *path);

/* "1600", "1000,1200,1600" or "first:last:count" (evenly spaced) */
int kb_axis_parse(kb_axis *a, const char *name, const char *text, kb_error *err);

/* Solvers of a mechanism, a name, its file or a solvers.so: of the file `given`, or those compiled
 * for it in the tree, or, if there are none, its file read by the engines of any mechanism that
 * KB_ANY of the environment names, as the command of the Python package has it. thermo: as for
 * kb_mechanism_load */
const kb_solvers *kb_solvers_of(const char *mech, const char *thermo, const char *given,
                                kb_error *err);
/* by a name as above, or straight from a path or a mechanism's file (kb_solvers_open) */
const kb_solvers *kb_solvers_named(const char *mech, kb_error *err);
/* The path of the solvers.so that is compiled for a mechanism, or NULL; caller frees */
char *kb_built_solvers(const char *mech);
/* the solvers must be those of this mechanism */
int kb_same_mechanism(const kb_mech *m, const kb_solvers *s, kb_error *err);
