/* SPDX-License-Identifier: MIT
 *
 * What an engine is given for one stage of a time step: the grid, the fields, the switches.
 *
 * A cell holds nsp + 3 conserved variables Q = (rho_1 .. rho_nsp, rho u, rho v, E) and
 * nsp + 5 of W = (rho_1 .. rho_nsp, u, v, p, c^2, T). Fields are structures of arrays: field k of
 * cell (i, j) lies at k plane + kb_flow_at(i, j). SI units, or one ideal gas without dimensions.
 */
#pragma once

enum {
    KB_GHOST = 3,     /* layers of ghost cells */
    KB_LEFT = 8,      /* cells before the first one of a row: it is aligned to a vector */
    KB_RIGHT = 11,    /* cells after the last one that a vector of faces may read */
    KB_GAS_SPECIES = 4 /* most species of an ideal gas */
};

typedef struct {
    int nx, ny;        /* cells; ny = 1: flow along x alone, nx = 1: along y alone */
    int nsp;
    double x0, y0, dx, dy;
    long pitch, plane; /* numbers from row to row, from field to field */
} kb_flow_grid;

#ifdef __CUDACC__
#define KB_FLOW_BOTH static inline __host__ __device__
#else
#define KB_FLOW_BOTH static inline
#endif

KB_FLOW_BOTH long kb_flow_at(const kb_flow_grid *g, int i, int j)
{
    return (j + KB_GHOST) * g->pitch + KB_LEFT + i;
}

typedef enum { KB_FLOW_CONSERVED, KB_FLOW_PRIMITIVE } kb_flow_variables;
typedef enum { KB_FLOW_HLLC, KB_FLOW_HLLC_LM, KB_FLOW_HLLE, KB_FLOW_RUSANOV } kb_flow_riemann;
/* the nets that keep density and pressure positive; their sum */
enum { KB_FLOW_SCALE = 1, KB_FLOW_BLEND = 2 };

/* directions of a stage; their sum */
enum { KB_FLOW_X = 1, KB_FLOW_Y = 2 };

/* constants of an ideal gas, for each species: gas constant and heat capacity at constant volume;
 * and R/cv = gamma - 1 of a single one, and its inverse */
typedef struct {
    double R[KB_GAS_SPECIES], cv[KB_GAS_SPECIES], ratio, inverse;
} kb_flow_gas;

/* out = first + part (q - first + dt L(q)), L the sum over the directions of -dF/dx, and gravity.
 * foil, unless NULL: the largest pressure so far, of the states that steps began from; of this
 * stage's w too. */
typedef struct {
    kb_flow_grid grid;
    kb_flow_gas gas;
    kb_flow_variables variables;
    kb_flow_riemann riemann;
    int nets, along;
    int inner; /* 1: another rank has the rows before the first, and counts the face between */
    double gravity[2];
    const double *open; /* 1 in fluid, 0 in solid cells; NULL: no solid cells */
    const double *q, *w, *first;
    double *out, *foil;
    double *blended; /* of the faces east and north of each cell, how often; NULL: not kept */
    double part, dt;
} kb_flow_stage;

/* copies into ghost cells, of one direction */
typedef struct {
    long n;
    long *ghost, *source;
    unsigned char *mirror; /* 1: the normal velocity changes its sign */
} kb_flow_ghosts;

/* what the nets did, in faces */
typedef struct {
    long scaled, blended;
} kb_flow_nets;

/* of all cells: the largest (|u| + c)/dx + (|v| + c)/dy, and the first cell whose state is
 * impossible (-1: none) */
typedef struct {
    double rate;
    long bad;
} kb_flow_health;
