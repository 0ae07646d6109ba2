/* SPDX-License-Identifier: MIT
 *
 * One scheme for one gas on one engine, as the run sees it.
 */
#ifndef KB_FLOW_ENGINE_H
#define KB_FLOW_ENGINE_H

#include <stddef.h>

#include "flow/stage.h"

typedef struct {
    const char *scheme, *engine; /* "mp5", "cpu-simd" */
    int nsp;
    int stages;                  /* of a time step: 3 (SSP-RK3) or 1 (ADER) */
    /* memory of the fields, which the host can read and write; NULL: not enough, or no GPU */
    void *(*alloc)(size_t size);
    void (*release)(void *memory);
    /* ghost cells of one direction: n copies of fields of q and w; mirror: the normal component
     * changes its sign */
    void (*ghosts)(const kb_flow_stage *stage, int direction, double *q, double *w,
                   const kb_flow_ghosts *table);
    /* fluxes along one direction (0: x, 1: y) and their sum into stage->out; ghost cells of that
     * direction are filled. Adds to nets. */
    void (*sweep)(const kb_flow_stage *stage, int direction, kb_flow_nets *nets);
    /* w of all cells from q; with_ghosts: of ghost cells too. T in w is the first guess. */
    kb_flow_health (*primitive)(const kb_flow_stage *stage, const double *q, double *w,
                                int with_ghosts);
    /* rho e [J/m^3] of one state: rho [nsp], p */
    double (*energy)(const kb_flow_gas *gas, const double *rho, double p);
} kb_flow_engine;

#endif
