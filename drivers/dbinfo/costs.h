/* SPDX-License-Identifier: MIT
 *
 * The parts of dbinfo's measuring: which states (sample.c), what is told about them
 * (tables.c), and the runs (costs.c).
 *
 * Orders are compared by warps drawn from each order's places, so that a sample stands for the
 * whole database; where the sample holds every state, all warps are taken. The warps of the
 * shuffled order are a random sample of the states: the cost of each solver is measured over them.
 */
#pragma once

#include "base/csv.h"
#include "base/table.h"
#include "drivers/dbinfo/dbinfo.h"

#define KB_MAX_ORDERS 8

typedef struct {
    const char *name;
    long n, *row; /* rows of the drawn warps, in sequence */
} kb_sampled;

typedef struct {
    kb_dbinfo *d;
    kb_words solvers, names; /* names: of the orders; kb_sampled points at them */
    double *dt;
    int ndt, norders;
    kb_sampled order[KB_MAX_ORDERS];
    const kb_sampled *shuffled;
    long nrows, *row, *place; /* all rows that some order needs; place [db.n] of a row in them */
    kb_csv costs, divergence;
    char *cost_about;         /* of the kept cost, or NULL */
} kb_costs;

/* Gets each order and draws its warps; sorted-cost only if its cost is kept, or if measuring it
 * costs no more than the sample. Then c->row is all rows that they need. */
int kb_costs_draw(kb_costs *c, kb_error *err);

/* One row of the distribution of substeps: count [n] of the first n rows of the shuffled sample */
void kb_costs_distribution(kb_costs *c, kb_table *t, const kb_cost_run *run, const kb_count *count,
                           long n);
/* Tells the divergence of all orders: count [nrows] of c->row */
void kb_costs_orders(kb_costs *c, const kb_cost_run *run, const kb_count *count);
