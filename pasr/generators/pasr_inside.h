/* SPDX-License-Identifier: MIT
 *
 * Inside of the partially stirred reactor; see pasr.h.
 */
#pragma once

#include "base/random.h"
#include "pasr/generators/pasr.h"

/* one inflow stream of one condition */
typedef struct {
    double share; /* of the mass flow */
    double h;     /* [J/kg] */
    double *row;  /* nsp + 2: T, p, Y */
} kb_pasr_stream;

/* what does not change in a condition */
typedef struct {
    double T0, p; /* [K], [Pa] */
    double h;     /* of the premixed gas [J/kg] */
    int nstreams;
    kb_pasr_stream stream[KB_PASR_STREAMS]; /* the pilot is the last one */
    double *burnt;                          /* nsp + 2: equilibrium of the mixture */
} kb_pasr_condition;

/* what changes in a condition, but the particles */
typedef struct {
    kb_random random;
    double leaving, changing; /* pairs owed to inflow and to pairing: fractions of one */
    double behind[KB_PASR_STREAMS]; /* particles owed by each stream */
} kb_pasr_dice;

/* Reactors under way. dice, place, h and rows are march's state. */
typedef struct {
    const kb_pasr *r;
    const kb_mech *m;
    const kb_solvers *s;
    const kb_march_how *how;
    int conditions, columns;        /* nsp + 2 */
    long n, total;                  /* particles of one condition, of all */
    kb_pasr_plan plan;
    double dt;                      /* of the step under way [s] */
    long rows_of_time;              /* of one condition: n, of both kinds 2 n */
    kb_pasr_condition *condition;   /* [conditions] */
    kb_march march;
    kb_pasr_dice *dice;             /* [conditions] */
    int64_t *place;                 /* [total]: pairs are places 2j, 2j + 1 of a condition */
    double *h, *rows;               /* [total] [J/kg]; [total x columns] */
    double *mixed;                  /* the rows before their reaction; NULL: those are not kept */
    kb_react react;
    int64_t *pairs;                 /* [n], scratch */
    double *kept_rows;              /* conditions x plan.kept x rows_of_time x columns */
    double *kept_pairs;             /* row of the other particle of the pair, for each kept row */
} kb_pasr_work;

/* pasr_setup.c */
int kb_pasr_begin(kb_pasr_work *w, kb_error *err);
void kb_pasr_end(kb_pasr_work *w);

/* pasr_step.c: one time step of work, a kb_pasr_work; pieces for tests */
int kb_pasr_step(void *work, kb_error *err);
void kb_pasr_flow(kb_pasr_work *w, int c);
int kb_pasr_mix(kb_pasr_work *w, int c, kb_error *err);

/* Y is scaled to the sum 1 and T set from h */
int kb_pasr_settle(kb_pasr_work *w, long i, kb_error *err);

/* pasr_results.c */
/* hands the kept rows over to o */
int kb_pasr_results(kb_pasr_work *w, kb_output *o, kb_error *err);
