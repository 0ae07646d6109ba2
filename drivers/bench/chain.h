/* SPDX-License-Identifier: MIT
 *
 * Global steps one after another: the result of a step is the start of the next, each started cold.
 * Between them the states go through the memory of the host, as in the papers, or stay on the
 * device.
 */
#pragma once

#include "drivers/bench/mix.h"
#include "solvers/solver.h"

typedef enum { KB_CHAIN_HOST, KB_CHAIN_DEVICE } kb_chain;
extern const char *const kb_chain_names[]; /* "host", "device"; ends with NULL */

typedef struct {
    int steps;
    kb_chain chain;
    const kb_mix *mix; /* between the steps, on the host; NULL: nothing */
    bool forced;       /* the job's rows are T, p, Y and their forcing, which stays in all steps */
} kb_chain_how;

/* Runs the job how->steps times. Constant volume: the next p follows from T and Y at the density of
 * the start. result->y is that after the last step; counts and times are sums over the steps, the
 * status of an ODE the first that was not ok, lane_use that of all attempts, the timeline that
 * of the last step. Handing the states on is not in the time on the host; on the device it is, as
 * part of the kernels. Returns as kb_solver.run; after an error y and counts mean nothing.
 * KB_CHAIN_DEVICE on a solver that has no passes: KB_NOTHING. */
int kb_chain_run(const kb_solvers *s, const kb_solver *solver, const kb_job *job,
                 const kb_chain_how *how, kb_result *result, kb_error *err);
