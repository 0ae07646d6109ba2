/* SPDX-License-Identifier: MIT
 *
 * Cases of the flow solver: JSON files of regions, in one or two ideal gases or in the gas of a
 * mechanism, or of a detonation (docs/flow.md, "Your own case"). datasets/cases has those that come
 * along.
 */
#pragma once

#include <jansson.h>

#include "base/arguments.h"
#include "drivers/flow/formula.h"
#include "drivers/flow/case_part.h"
#include "flow/run/flow.h"
#include "mech/mech.h"

/* what lies inside all its bounds [m] */
typedef struct {
    double east_of, west_of, north_of, south_of; /* infinite where there is none */
    double x, y, r;                              /* a disc; r INFINITY: none */
} kb_flow_shape;
#define KB_CASE_SHAPE "east_of, west_of, north_of, south_of, disc"

/* temperature, density, pressure, velocity, in the order in which they are found */
enum { KB_CASE_T, KB_CASE_RHO, KB_CASE_P, KB_CASE_U, KB_CASE_V, KB_CASE_VALUES };

typedef struct {
    kb_flow_shape where;
    const kb_formula *value[KB_CASE_VALUES]; /* NULL: not given */
    double T[2]; /* not equal: a gradient from the disc's centre to its rim, or from west to east */
    int gas;     /* the ideal one that is here */
    double W, *Y; /* of a mechanism's: mean molar mass [kg/kmol], mass fractions [nspecies] */
} kb_flow_region;

/* what is known at every t: nothing; the start moves along with a given velocity, or (one ideal gas
 * in one dimension) with u + c; the two regions are a Riemann problem */
typedef enum { KB_CASE_OPEN, KB_CASE_CARRIED, KB_CASE_SIMPLE_WAVE, KB_CASE_RIEMANN } kb_case_exact;

enum { KB_CASE_LETS = 16 }; /* most formulas with a name of their own */

typedef struct {
    char *path;
    json_t *root;
    char *text;         /* of the file, in one form */
    bool ideal;         /* else in the gas of a mechanism */
    kb_flow_case problem;
    kb_flow_region *region; /* a later one covers those before it; the first is everywhere */
    kb_flow_shape *solid;
    int regions, solids, nspecies, probes;
    double (*probe)[2]; /* [m] */
    kb_words fields;    /* species */
    const kb_formula *let[KB_CASE_LETS];
    int lets, nnames;   /* names: the variables of all formulas, then of a region's own values */
    const char *names[3 + KB_CASE_LETS + KB_CASE_VALUES];
    kb_formula **formula; /* all, which are freed at the end */
    int formulas;
    kb_case_exact exact;
    double carried_by[2];
    /* a detonation, in place of domain and regions: the unburnt gas; 0: not given */
    bool detonation;
    const char *X;
    double T, p, length, height;
} kb_flow_case_file;

/* "sod", of datasets/cases, or a path that ends in .json: its path, which the caller frees; NULL
 * with a message that names the cases */
char *kb_flow_case_path(const char *name, kb_error *err);
/* the names of datasets/cases */
void kb_flow_case_names(kb_words *names);

/* All that needs no mechanism: of an ideal gas the whole case; else domain, mesh, edges, solid
 * cells, probes and the names of fields. Errors name the file, the line and the key.
 * kb_flow_case_file_free after an error, too. f stays where it is while it is used. */
int kb_flow_case_file_read(kb_flow_case_file *f, const char *name, kb_error *err);
/* Reads the regions in the gas of m. Then f->problem is whole; a detonation has no regions. */
int kb_flow_case_file_fill(kb_flow_case_file *f, const kb_mech *m, kb_error *err);
void kb_flow_case_file_free(kb_flow_case_file *f);

/* parts of these: case_state.c */
bool kb_flow_is_inside(const kb_flow_shape *s, double x, double y);
int kb_flow_read_shape(const kb_case_part *p, kb_flow_shape *s);
/* the formulas of "let" */
int kb_flow_read_lets(const kb_case_part *p, kb_flow_case_file *f);
/* regions and exact answer; m NULL: of ideal gases */
int kb_flow_read_regions(const kb_case_part *p, const kb_mech *m, kb_flow_case_file *f);
