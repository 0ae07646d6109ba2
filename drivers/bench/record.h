/* SPDX-License-Identifier: MIT
 *
 * The folder of a run: cells.csv, samples.csv, environment.json. docs/results-format.md documents
 * them.
 */
#pragma once

#include "base/csv.h"
#include "drivers/bench/cells.h"
#include "drivers/bench/mix.h"
#include "drivers/bench/price.h"
#include "drivers/env/environment.h"
#include "pasr/database/database.h"
#include "pasr/database/recipe.h"

#define KB_RESULTS_SCHEMA 2

typedef struct {
    const kb_settings *set;
    const kb_solvers *solvers;
    const kb_solvers *any; /* NULL, or those beside them that are of any mechanism */
    const kb_database *db;
    const kb_environment *env;
    const kb_mix *mix;     /* between global steps, or NULL */
    kb_states_kind kind;
    kb_price price;
    char *solvers_sha256;
    char *identity;   /* what all cells of a folder share: sources, binary, inputs; see record.c */
    char *folder, *name, *references, *database; /* database: its name without folder and ending */
    char *cells_path, *samples_path, *divergence_path, *timeline_path, *environment_path;
    kb_csv cells, samples, divergence, timeline;
    json_t *json;     /* environment.json */
} kb_record;

/* Fills the names only: touches no file but the solvers' own. Error: the folder is that of the
 * references. */
int kb_record_name(kb_record *r, kb_error *err);
/* Reads what an earlier run left, if anything. Error: the folder holds results of other sources. */
int kb_record_read(kb_record *r, kb_error *err);
/* Makes and locks the folder, writes environment.json with this session added. */
int kb_record_begin(kb_record *r, kb_error *err);
/* Gives stored samples to the cells and marks those that are complete as cached. */
void kb_record_recall(const kb_record *r, kb_matrix *m);
/* Appends the cell's newest sample to samples.csv. */
int kb_record_sample(kb_record *r, const kb_cell *c, kb_error *err);
/* Replaces cells.csv: a row for each cell that is not pending, and divergence.csv. */
int kb_record_cells(kb_record *r, const kb_matrix *m, kb_error *err);
/* Labels outliers in samples.csv, completes environment.json. */
int kb_record_end(kb_record *r, const kb_matrix *m, kb_error *err);
void kb_record_free(kb_record *r);
