/* SPDX-License-Identifier: MIT */
#pragma once

#include "solvers/solver.h"

typedef struct {
    long n;
    const double *states; /* n x (N + 1) */
    double dt, rtol, atol;
    kb_reactor reactor;
    int pass; /* 1: the explicit first pass */
    int pade; /* 1: a method with phi functions takes all of them by Pade's approximant */
} team_job;

#ifdef __cplusplus
extern "C" {
#endif
void run_one(const team_job *job, double *y, kb_count *count);  /* a team of one thread */
void run_team(const team_job *job, double *y, kb_count *count);
#ifdef __cplusplus
}
#endif
