/* SPDX-License-Identifier: MIT
 *
 * Rows of a matrix as rows of the table, and what competes with them.
 */
#pragma once

#include "base/owned.h"
#include "drivers/tune/tune.h"
#include "rows/ranking.h"

/* most CPU threads of a run; 0: it has none */
int kb_tune_threads(const kb_csv *t);
bool kb_tune_one_step(const kb_csv *t, long row);

/* A row of a run as a choice of auto */
typedef struct {
    kb_tuned row;
    bool usable; /* false: auto may not choose it */
} kb_tune_choice;

/* All rows of a run; the error of a choice is that at the largest n of the same states: of 64 ODEs
 * the twentieth says little. Caller frees. */
kb_tune_choice *kb_tune_choices(const kb_csv *t);
