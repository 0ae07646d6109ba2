/* SPDX-License-Identifier: MIT
 *
 * A run of the flow solver: a case on a grid, marched in time by one engine.
 *
 * Le and Cambier, "Development of a flow solver with complex kinetics on the graphic processing
 * units" (2013); docs/flow.md has the equations and what differs.
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "flow/run/chemistry.h"
#include "flow/engines/engine.h"
#include "flow/run/halo.h"

#define KB_FLOW_SPECIES 256 /* most species of a gas */
#define KB_FLOW_SPACE 100000000L /* most cells of a grid */

/* a point of space: partial densities [kg/m^3], velocity [m/s], pressure [Pa] */
typedef struct {
    double u, v, p, rho[KB_FLOW_SPECIES];
} kb_flow_point;

/* fixed: the ghost cells keep the state of the start */
typedef enum { KB_FLOW_PERIODIC, KB_FLOW_OUTFLOW, KB_FLOW_WALL, KB_FLOW_FIXED } kb_flow_edge;
enum { KB_FLOW_WEST, KB_FLOW_EAST, KB_FLOW_SOUTH, KB_FLOW_NORTH };

typedef struct kb_flow_case kb_flow_case;
struct kb_flow_case {
    const char *name, *summary;
    double x0, x1, y0, y1; /* y1 = y0: along x alone */
    int nx, ny;            /* cells unless the user says otherwise */
    kb_flow_gas gas;       /* one ideal gas: R = 1, cv = 1/(gamma - 1) */
    int nsp;
    double end, cfl;
    kb_flow_edge edge[4];  /* west, east, south, north */
    double gravity[2];
    kb_flow_variables variables;
    kb_flow_riemann riemann;
    double noise;          /* in the density, relative */
    bool exact;            /* state is known at every t, not at 0 alone */
    bool smooth;           /* means of the exact answer by Gauss' rule, else by many points */
    bool foil;             /* keep the largest pressure of each cell */
    void (*state)(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p);
    bool (*solid)(const kb_flow_case *c, double x, double y); /* NULL: no solid cells */
    const void *data;      /* of state and solid */
    int nshown;            /* species whose mass fractions are among the fields that are written */
    const int *shown;
    char *const *shown_names; /* of these fields */
};

/* what a user may choose; kb_flow_defaults takes them from the case */
typedef struct {
    int nx, ny;
    double end, cfl;
    kb_flow_variables variables;
    kb_flow_riemann riemann;
    int nets;
    bool turn;      /* the case turned by 90 degrees: x and y exchanged */
    double noise;
    unsigned long long seed;
    bool blended, time; /* more fields: faces blended so far; time of a cell's chemistry */
    const kb_flow_world *world; /* ranks that share the rows; NULL: this one has all */
} kb_flow_options;

typedef struct kb_flow {
    kb_flow_case problem;       /* turned if so asked */
    kb_flow_options options;
    const kb_flow_engine *engine;
    kb_flow_stage stage;        /* grid, gas and switches; the fields of the stage in progress */
    double *q[3], *w, *open;    /* q[0]: the state now */
    double *foil;               /* largest pressure up to the last step's start; NULL: not kept */
    double *blended;            /* faces so far, and behind them before this step; NULL: not kept */
    double *next;               /* W of the stage in progress; w itself where that can be */
    void *block;                /* all fields */
    kb_flow_ghosts ghosts[2];
    int rows[2];                /* this rank's: from, and one beyond; ghosts count from there */
    kb_flow_health health;      /* of the state now, of all ranks */
    double t;
    long step, retried;
    kb_flow_nets nets;
    long faces;                 /* through which a flux was computed */
    kb_flow_chemistry *chemistry; /* NULL: none; set after kb_flow_open */
    double owed;                /* time that the chemistry is behind the flow [s] */
} kb_flow;

void kb_flow_defaults(const kb_flow_case *c, kb_flow_options *o);

/* Errors: a grid too small for its ghosts or too large, a CFL number, end or noise out of bounds,
 * an engine that has other species than the case, no memory. */
int kb_flow_open(kb_flow *f, const kb_flow_case *c, const kb_flow_options *o,
                 const kb_flow_engine *engine, kb_error *err);
void kb_flow_close(kb_flow *f);
/* f, of the same case, grid and ranks, goes on from where `from` is */
void kb_flow_take(kb_flow *f, const kb_flow *from);

/* One step, no longer than most. An impossible state takes the step back, which is tried again with
 * half of it, five times at most; then KB_INVALID with the cell, its state and the step. */
int kb_flow_step(kb_flow *f, double most, kb_error *err);
/* Steps of the flow alone over dt, by which the chemistry is then behind: kb_flow_finish is next.
 * So codes split whose steps are longer than sound allows. */
int kb_flow_transport(kb_flow *f, double dt, kb_error *err);
/* Advances the chemistry by the time that it is behind the flow. */
int kb_flow_finish(kb_flow *f, kb_error *err);
/* Steps until t, and finish; watch, unless NULL, is called after each and may stop by
 * KB_INTERRUPTED. */
int kb_flow_run(kb_flow *f, double t, int (*watch)(void *data, const kb_flow *f, kb_error *err),
                void *data, kb_error *err);

/* ---- results ---- */

/* mean state of cell (i, j) */
void kb_flow_cell(const kb_flow *f, int i, int j, kb_flow_point *p);
double kb_flow_density(const kb_flow *f, int i, int j);
/* centre of a cell */
double kb_flow_x(const kb_flow *f, int i);
double kb_flow_y(const kb_flow *f, int j);
bool kb_flow_is_solid(const kb_flow *f, int i, int j);
/* largest pressure of a cell over all steps so far, of a case with a foil */
double kb_flow_foil(const kb_flow *f, int i, int j);

/* The fields that are written: density, pressure, temperature, u, v, in a case with a foil foil,
 * with chemistry the substeps of its last step, then as the options ask blended and time, then the
 * mass fractions that the case shows. NAN in a solid cell. */
int kb_flow_fields(const kb_flow *f);
const char *kb_flow_field_name(const kb_flow *f, int field);
const char *kb_flow_field_unit(const kb_flow *f, int field); /* "1": none, as of one ideal gas */
int kb_flow_find_field(const kb_flow *f, const char *name); /* -1: there is none */
double kb_flow_field(const kb_flow *f, int field, int i, int j);

/* sums over the fluid cells of each conserved variable, times the cell's area; total [nsp + 3] */
void kb_flow_totals(const kb_flow *f, double *total);

typedef struct {
    double l1, largest; /* mean and largest |density - exact mean| */
} kb_flow_error;
kb_flow_error kb_flow_exact_error(const kb_flow *f);
/* against a run of the same case on a grid whose cells are whole parts of this one's */
kb_flow_error kb_flow_fine_error(const kb_flow *f, const kb_flow *fine);

/* boundary.c: tables of ghost cells, from the kinds of the four sides and the solid cells */
int kb_flow_make_ghosts(kb_flow *f, kb_error *err);
void kb_flow_free_ghosts(kb_flow *f);

/* view.c: the engine's work on the rows of this rank */
typedef struct {
    kb_flow_stage stage; /* grid and fields begin at the first of them */
    double *q, *w, *next;
    long offset;         /* from the whole fields */
} kb_flow_view;
kb_flow_view kb_flow_view_of(const kb_flow *f, double *q);
/* One stage on all ranks, from stage.q (which is q) into stage.out; nets and health are of all
 * ranks. */
kb_flow_health kb_flow_stage_rows(kb_flow *f, double *q);
/* W of q[0] and its health */
kb_flow_health kb_flow_primitive_rows(kb_flow *f);

/* fill.c: density, momentum, energy of cell (i, j) at t, the mean over the cell; q [nsp + 3] */
void kb_flow_cell_mean(const kb_flow *f, int i, int j, double t, int smooth, double *q);
/* the state at t = 0 into q[0] to q[2], also in ghost cells */
void kb_flow_fill(kb_flow *f);
