/* SPDX-License-Identifier: MIT
 *
 * What the files of the linear-eddy generator share.
 */
#pragma once

#include "pasr/generators/lem.h"

enum { T_, Z_, H_, Y_ }; /* a cell: T [K], mixture fraction, h [J/kg], Y */

/* what changes in a line, but its cells */
typedef struct {
    kb_random random;
    double next_eddy, next_loss; /* [s]; INFINITY: never */
    int64_t eddies, losses;      /* so far */
} kb_lem_dice;

typedef struct {
    double T_fuel, T_oxidizer, p, dilution, strain, u, length; /* as drawn; p [Pa], length [m] */
    kb_eddies eddies;
    double *fuel, *oxidizer; /* states [nsp + 2] */
    double *inflow[2];       /* fuel (left) and oxidiser (right) as cells */
    double cell, mass;       /* length of a cell [m]; its mass [kg/m^2] */
    kb_lem_dice *dice;
    double *cells;           /* cells x width */
} kb_lem_line;

/* Lines under way. Dice and cells of all lines are march's state. */
typedef struct {
    const kb_lem *r;
    const kb_mech *m;
    kb_march march;
    kb_react react;
    kb_output *out;
    int columns, width; /* of a state: nsp + 2, of a cell: nsp + 3 */
    kb_lem_line *line;
    double *states;     /* simulations x cells x columns */
    double *a, *b, *work, *scratch; /* [cells] and [cells x width] */
} kb_lem_work;

/* lem_start.c: draws the conditions of simulation k; fills its line */
int kb_lem_start(const kb_lem_work *l, long k, kb_error *err);
int kb_lem_fill(const kb_lem_work *l, long k, kb_error *err);

/* lambda/cp = rho D [kg/(m s)], unity Lewis number */
double kb_lem_rho_D(double T);
/* eddies of the whole line [1/s] */
double kb_lem_eddies(const kb_lem_work *l, const kb_lem_line *s);
/* time from one event to the next [s], drawn for a rate [1/s] */
double kb_lem_waiting(double rate, kb_random *random);
