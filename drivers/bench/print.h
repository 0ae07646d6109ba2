/* SPDX-License-Identifier: MIT
 *
 * What bench prints: the summary on the screen (summary.c); the tables of table.txt: results
 * (print.c), slow-down by order and agreement of engines (print_divergence.c); the plan
 * (print_plan.c), the solvers there are (print_solvers.c).
 */
#pragma once

#include <stdio.h>

#include "drivers/bench/forecast.h"
#include "drivers/bench/record.h"

/* One screen of at most 40 lines on stdout: the fastest solver at each error with its ratio to
 * CVODE, ODEs that failed, engines, divergence and what shuffling costs, files, what to type next.
 */
void kb_print_summary(const kb_record *r, const kb_matrix *m);

/* Writes table.txt in the folder of the run: the results, the agreement of engines and the
 * slow-down by order; on stdout too where they were asked for (--table). */
int kb_print_tables(const kb_record *r, const kb_matrix *m, kb_error *err);

/* Results of the cells of this matrix, one table for each dt, n and order, fastest first. The ratio
 * is time of the fastest CVODE of the folder at the level of its error (kb_fastest_cvode,
 * kb_level_of), divided by the time of the cell; only cells that may be the fastest count. */
void kb_print_results(const kb_record *r, const kb_matrix *m, FILE *to);

/* Where a solver was measured in more than one order: time and expected time of each order and
 * schedule over those of similar (or else the first order) with static groups, and the same as
 * slowdown.txt in the folder of the run. Nothing when there is one order only. */
int kb_print_slow_down(const kb_record *r, const kb_matrix *m, FILE *to, kb_error *err);
/* For how many cells engines, orders and schedules counted the same substeps, and which did not */
void kb_print_agreement(const kb_record *r, const kb_matrix *m, FILE *to);

/* The cells, which are cached, and the time that the others will take */
void kb_print_plan(const kb_record *r, const kb_matrix *m, const kb_forecast *f);

/* The solvers of a mechanism: engines, order, default tolerances, memory, options, source */
void kb_print_solvers(const kb_solvers *s);

/* The same as JSON, for other programs (print_json.c) */
int kb_print_plan_json(const kb_record *r, const kb_matrix *m, const kb_forecast *f,
                       kb_error *err);
int kb_print_solvers_json(const kb_solvers *s, kb_error *err);
