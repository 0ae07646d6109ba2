/* SPDX-License-Identifier: MIT
 *
 * One scheme for one gas on one engine, as the run sees it.
 */
#pragma once

#include <stddef.h>

#include "base/error.h"
#include "flow/engines/reacting.h"
#include "flow/stage.h"

typedef struct {
    const char *scheme, *engine; /* "mp5", "cpu-simd" */
    int nsp;
    int stages;                  /* of a time step: 3 (SSP-RK3) or 1 (ADER) */
    /* memory of the fields, which the host can read and write; NULL: not enough, or no GPU */
    void *(*alloc)(size_t size);
    void (*release)(void *memory);
    int corners; /* 1: the flux needs the ghost cells in corners, and a grid without solid cells */
    int most_rows; /* of cells on a rank; 0: any number */
    int fused; /* 1: next of the stage is not stage->w; 0: it is */
    /* One stage of a time step: ghost cells of both directions into q and w (stage->q and
     * stage->w), fluxes in the stage's directions and their sum into stage->out, and W of that into
     * next, ghost cells left alone. Adds to nets. */
    kb_flow_health (*stage)(const kb_flow_stage *stage, double *q, double *w,
                            const kb_flow_ghosts ghosts[2], double *next, kb_flow_nets *nets);
    /* w of all cells from q; with_ghosts: of ghost cells too. T in w is the first guess. */
    kb_flow_health (*primitive)(const kb_flow_stage *stage, const double *q, double *w,
                                int with_ghosts);
    /* Chemistry where the fields lie; NULL: on the host, by chemistry.c. gather: the fluid cells of
     * at least T_react [K] into to, returns how many. tally: of the n ODEs. scatter: their results
     * back, and their cost. */
    long (*gather)(const kb_flow_stage *stage, const double *q, const double *w, double T_react,
                   const kb_flow_reacting *to);
    kb_flow_tally (*tally)(const kb_flow_reacting *from, long n);
    void (*scatter)(const kb_flow_stage *stage, const kb_flow_reacting *from, long n, double *q,
                    double *w);
    /* rho e [J/m^3] of one state: rho [nsp], p */
    double (*energy)(const kb_flow_gas *gas, const double *rho, double p);
} kb_flow_engine;

/* the schemes for an ideal gas of nsp species that are part of the program; NULL with a message */
const kb_flow_engine *kb_flow_find_engine(const char *scheme, const char *engine, int nsp,
                                          kb_error *err);
