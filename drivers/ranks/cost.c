/* SPDX-License-Identifier: MIT */
#include "base/owned.h"
#include "drivers/ranks/cost.h"

#include <math.h>
#include <string.h>

/* the absolute tolerance of T: the option atolt, 0 of which is atol */
static double atol_of_T(const kb_solver_info *info, const kb_job *job)
{
    for (int i = 0; info->options && info->options[i].name; i++) {
        double value = job->options ? job->options[i] : info->options[i].value;
        if (!strcmp(info->options[i].name, "atolt") && value > 0)
            return value;
    }
    return job->atol;
}

void kb_deal_cost(const kb_solvers *s, const kb_solver_info *info, const kb_job *job,
                  const double *states, long n, double *cost)
{
    long N = s->nsp + 1;
    kb_owned double *y = kb_alloc((size_t)(n * N), sizeof *y),
                    *dy = kb_alloc((size_t)(n * N), sizeof *dy);
    double *p = kb_alloc((size_t)n, sizeof *p), of_T = atol_of_T(info, job);
    for (long i = 0; i < n; i++) {
        const double *state = states + i * (N + 1);
        y[i * N] = state[0];
        p[i] = state[1];
        memcpy(y + i * N + 1, state + 2, (size_t)(N - 1) * sizeof *y);
    }
    kb_evaluation e = {.n = n, .y = y, .p = p, .reactor = job->reactor, .dy = dy};
    int code = s->evaluate ? s->evaluate(s, "cpu-simd", &e, NULL) : KB_INVALID;
    for (long i = 0; i < n; i++) {
        cost[i] = 0;
        for (long k = 0; k < N && !code; k++) {
            double f = dy[i * N + k] / (job->rtol * fabs(y[i * N + k]) + (k ? job->atol : of_T));
            cost[i] += f * f;
        }
    }
    free(p);
}
