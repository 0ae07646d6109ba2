/* SPDX-License-Identifier: MIT
 *
 * The table of the solver `auto` from rows of cells.csv. A matrix is a run with cpu-simd and two
 * methods or more beside CVODE. A cell (nsp, dt, n) has the rows of all matrices for one global
 * step, those in the order shuffled, or where there are none, generated; CPU rows on the most
 * threads of their run. Of each cell the table has the rows than which no other one on the same of
 * CPU and GPU is as accurate and 1.5 times as fast.
 */
#pragma once

#include "base/csv.h"
#include "solvers/auto.h"

typedef struct {
    char *name, *date; /* of the run */
    kb_csv cells;
} kb_tune_matrix;

typedef struct {
    kb_tune_matrix *matrix;
    int nmatrices;
    kb_tuned *row; /* texts are those of the matrices */
    int nrows;
} kb_tune;

/* What the table's choices are worth in one matrix: at errors of 1e-2 to 1e-8, for each dt, n and
 * order */
typedef struct {
    int judged;     /* choices that the matrix has, where any of its rows is so accurate */
    int within;     /* ... that take at most 1.1 of the least time */
    int inaccurate; /* ... whose error is above the one asked for: never within */
    int unmeasured; /* choices that it has not */
    double worst;   /* largest time over the least, of those judged and accurate */
    char where[96];
    int apart, apart_within; /* the same by a table without the rows of the cell itself */
} kb_tune_verdict;

/* Error: no folder, a file that cannot be read, no matrix (KB_NOTHING) */
int kb_tune_read(kb_tune *t, const char *results, kb_error *err);
void kb_tune_free(kb_tune *t);
kb_tune_verdict kb_tune_judge(const kb_tune *t, const kb_tune_matrix *m);

/* datasets/held.def as text, which the caller frees: each method and tolerance that every run below
 * results has, at every dt, without a failed ODE. Error: a file that cannot be read, no run
 * (KB_NOTHING) */
int kb_tune_held(const char *results, char **text, kb_error *err);

/* the table as text; caller frees */
char *kb_tune_text(const kb_tune *t);
int kb_tune_write(const char *path, const char *text, kb_error *err);
/* 1 with a message: the file has another text */
int kb_tune_compare(const char *path, const char *text, kb_error *err);
