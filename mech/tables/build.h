/* SPDX-License-Identifier: MIT
 *
 * Shared by the parts of the table builder: tables.c (steps and their order), rates.c (rate
 * constants and rates of progress), matrix.c (Jacobian and LU), team.c (sums and elimination by
 * teams of threads).
 */
#pragma once

#include "mech/tables/tables.h"

/* one direction or a reversible pair, before it is sorted into the tables */
typedef struct {
    const kb_reaction *r;
    int entry;
    bool reversible, three_body, general;
    kb_arrhenius kf;
    const kb_term *lhs, *rhs, *forward, *reverse; /* forward, reverse: powers of the two rates */
    int nlhs, nrhs, nforward, nreverse;
    int range;
    int kind; /* within a range of tables for teams: 0 plain, 1 other rate constants, 2 falloffs */
} kb_step;

/* net coefficient of every species in every table reaction, rows as lists */
typedef struct {
    kb_ints start, sp;
    kb_reals nu;
} kb_stoichiometry;

void kb_add_i(kb_ints *a, int x);
void kb_add_r(kb_reals *a, double x);
/* grows a to n entries with x */
void kb_fill_i(kb_ints *a, int n, int x);

/* net coefficient of a species in table reaction r; 0 if it has none */
double kb_nu_of(const kb_stoichiometry *st, int r, int species);

/* A list of items, each with a reaction, by the species of its reaction: species i has the items
 * item[start[i]] to item[start[i + 1] - 1], ascending, with their net coefficients. */
typedef struct {
    int *start, *item;
    double *nu;
} kb_by_row;

/* of the items [first, last), the reaction of each in rx, NULL: the item itself; of those alone
 * whose set is `set`, where sets are given */
kb_by_row kb_sort_by_row(const kb_tables *t, const kb_stoichiometry *st, const kb_ints *rx,
                         int first, int last, const kb_ints *sets, int set);
void kb_by_row_free(kb_by_row *c);

/* the tables of species */
void kb_tables_species(kb_tables *t);

/* of species in steady state: after the other rates; after the other parts of the matrix, with rx
 * and col of D's slots */
void kb_tables_steady_rates(kb_tables *t, const kb_step *steps, const kb_stoichiometry *st);
void kb_tables_steady_matrix(kb_tables *t, const kb_stoichiometry *st, const kb_ints *rx,
                             const kb_ints *col, const int *storage);

/* steps [nrx] in table order -> the tables of rate constants, third bodies and general reactions */
void kb_tables_rates(kb_tables *t, const kb_step *steps, const kb_stoichiometry *st);

/* -> slots, d omega/d C, third-body terms, LU schedule; t->lu must be built */
void kb_tables_matrix(kb_tables *t, const kb_stoichiometry *st);

/* -> the tables of teams; storage [lu.n][lu.n]: storage index by position, -1: no entry */
void kb_tables_team(kb_tables *t, const int *storage);
