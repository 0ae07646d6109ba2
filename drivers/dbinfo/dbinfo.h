/* SPDX-License-Identifier: MIT
 *
 * dbinfo in parts: what the states are (states.c), and what they cost (costs.c).
 */
#pragma once

#include <jansson.h>

#include "base/arguments.h"
#include "base/owned.h"
#include "base/progress.h"
#include "mech/mech.h"
#include "pasr/database/order.h"

typedef struct {
    const char *path; /* of the database */
    const char *mech, *solvers_file, *dt, *solvers, *csv; /* csv: folder, or NULL */
    const char *columns; /* list, or NULL */
    const char *species; /* of the columns; NULL: as recorded */
    unsigned long long seed;
    long sample;
    int threads;
    bool no_costs, write_cost, repair, quiet, json;
} kb_dbinfo_settings;

typedef struct {
    kb_dbinfo_settings set;
    kb_database db;
    json_t *recipe;           /* the .json beside it, or NULL */
    json_t *about;            /* what is told, for --json; NULL: it is printed as text */
    kb_mech m;                /* nspecies 0: not known */
    const kb_solvers *solvers; /* NULL: not known */
    int naux;                 /* columns of .aux.npy */
    const char *aux_names[KB_MAX_ELEMENTS];
    double *aux;
    kb_progress progress;
} kb_dbinfo;

/* Tells size, ranges and the distribution of T; states.csv and histogram.csv if
 * set.csv is given. */
int kb_dbinfo_states(const kb_dbinfo *d, kb_error *err);

/* Writes the columns of set.columns that there are to stdout as CSV, all rows: those of .aux.npy,
 * T_K, p_Pa and species. Error: there is none of them. */
int kb_dbinfo_columns(const kb_dbinfo *d, kb_error *err);

/* Measures, tells the cost of states by solver and the divergence of orders; costs.csv and
 * orders.csv if set.csv is given. */
int kb_dbinfo_costs(kb_dbinfo *d, kb_error *err);
