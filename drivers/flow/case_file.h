/* SPDX-License-Identifier: MIT
 *
 * Cases of the flow solver that a user writes: a JSON file of regions, in the gas of a mechanism
 * (docs/flow.md, "Your own case").
 */
#pragma once

#include <jansson.h>

#include "base/arguments.h"
#include "flow/run/flow.h"
#include "mech/mech.h"

/* what lies inside all its bounds [m] */
typedef struct {
    double east_of, west_of, north_of, south_of; /* infinite where there is none */
    double x, y, r;                              /* a disc; r INFINITY: none */
} kb_flow_shape;

typedef struct {
    kb_flow_shape where;
    double T[2];       /* [K] at the disc's centre and rim, or in the west and the east */
    double p, u, v, W; /* [Pa], [m/s], mean molar mass [kg/kmol] */
    double *Y;         /* [nspecies] */
} kb_flow_region;

typedef struct {
    const char *path;
    json_t *root;
    char *text;         /* of the file, in one form */
    kb_flow_case problem;
    kb_flow_region *region; /* a later one covers those before it; the first is everywhere */
    kb_flow_shape *solid;
    int regions, solids, nspecies, probes;
    double (*probe)[2]; /* [m] */
    kb_words fields;    /* species */
} kb_flow_case_file;

/* Domain, mesh, edges, solid cells, probes and the names of fields. Errors name the file and the
 * key. kb_flow_case_file_free after an error, too. */
int kb_flow_case_file_read(kb_flow_case_file *f, const char *path, kb_error *err);
/* Its regions in the gas of m; then f->problem is whole. f stays where it is while it is used. */
int kb_flow_case_file_fill(kb_flow_case_file *f, const kb_mech *m, kb_error *err);
void kb_flow_case_file_free(kb_flow_case_file *f);
