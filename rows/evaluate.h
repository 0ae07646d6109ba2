/* SPDX-License-Identifier: MIT
 *
 * The value of a query, and what it was made of.
 */
#pragma once

#include "rows/query.h"
#include "rows/results.h"

typedef struct {
    const kb_run_table *table;
    long row;
    bool solved; /* more than its errors is in the value: it needs a solution */
} kb_used;

enum { KB_CHOICES = 64 }; /* different lists of alternatives in a query, at most */

typedef struct {
    kb_results *results;
    kb_words runs; /* the folders to look in */
    kb_used *used; /* rows the value rests on, each once */
    int nused;
    double err_ratio, work_ratio; /* worst of the guards err and work; 1: nothing to compare */
    double thread_use;            /* worst kb_thread_use over kb_host_use behind a time, <= 1 */
    double host_use;              /* the least kb_host_use of these, at most 1, */
    int threads;                  /* and on how many threads */
    const kb_select *choice[KB_CHOICES]; /* alternatives that were taken, with which of them */
    int which[KB_CHOICES], nchoices;
    char why[512];                /* why there is no value */
    char note[512]; /* alternatives in place of the first, and the n that max() and others took */
    bool bounded;                 /* a time is known only to be longer than a budget */
    bool missing;                 /* there is no value because rows are missing */
} kb_inquiry;

/* KB_OK, KB_NOTHING (no value: why), or KB_INVALID (err: a file that cannot be read). */
int kb_evaluate(kb_inquiry *e, const kb_query *q, kb_value *out, kb_error *err);
/* Keeps results and runs */
void kb_inquiry_clear(kb_inquiry *e);

/* for evaluate.c: a term of the table mech, and one over rows */
int kb_term_mech(kb_inquiry *e, const kb_node *term, kb_value *out, kb_error *err);
int kb_term_rows(kb_inquiry *e, const kb_query *q, const kb_node *term, kb_value *out,
                 kb_error *err);
/* Writes why; returns KB_NOTHING */
int kb_no_value(kb_inquiry *e, bool missing, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
