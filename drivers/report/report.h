/* SPDX-License-Identifier: MIT
 *
 * The sections of a report.
 */
#ifndef KB_REPORT_H
#define KB_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "drivers/compare/side.h"

typedef struct {
    const char *folder, *plots; /* of the runs; of their pictures: PLOTS/<run>/error.svg ... */
    const char *claims;         /* datasets/claims.tsv */
    kb_side side;               /* its runs */
    json_t **environment;       /* of each run; NULL where it has none */
    long room;                  /* bytes that pictures may still take */
} kb_report_of;

/* One run: its pictures, every fastest, divergence, environment, commands, the raw table. */
void kb_report_verdict(const kb_report_of *r, FILE *to);
void kb_report_run(kb_report_of *r, int i, FILE *to);

/* The claims of the papers as judged by FOLDER/claims.csv; nothing where there is none. *any: was
 * there one? */
int kb_report_claims(const kb_report_of *r, FILE *to, bool *any, kb_error *err);

/* Last part of a path */
const char *kb_report_name(const char *folder);
/* The whole page */
int kb_report_page(kb_report_of *r, FILE *to, kb_error *err);

#endif
