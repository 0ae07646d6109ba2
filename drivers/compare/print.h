/* SPDX-License-Identifier: MIT
 *
 * A comparison as a table of text, markdown, JSON or CSV.
 */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "drivers/compare/verdict.h"

typedef struct {
    const kb_comparison *c;
    const char *a, *b; /* folders */
    bool all;          /* also cells that are the same or missing, in text and markdown */
} kb_compare_report;

void kb_compare_text(const kb_compare_report *r, FILE *to);
void kb_compare_markdown(const kb_compare_report *r, FILE *to);
void kb_compare_csv(const kb_compare_report *r, FILE *to);
int kb_compare_json(const kb_compare_report *r, FILE *to, kb_error *err);

/* "h2 rodas4 cpu-simd refill x2, shuffled 256, dt 1e-06, rtol 0.01"; caller frees */
char *kb_side_cell_text(const kb_side_cell *c);
double kb_us_per_ode(const kb_side_cell *c); /* median; NAN of NULL */
json_t *kb_pair_json(const kb_cell_pair *p);
/* Of a row of a CSV: these columns, each after a "," and in one line */
#define KB_CELL_COLUMNS "mech,dt_s,n,order,solver,engine,schedule,threads,rtol"
void kb_write_cell(const kb_side_cell *c, FILE *to);
