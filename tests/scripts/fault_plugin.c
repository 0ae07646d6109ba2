/* SPDX-License-Identifier: MIT
 *
 * A plug-in with the fault FAULT (solvers/plugin_api.h), or, with FAULT_NONE, one that checks what
 * it is given: exact Jacobian against differences, sparse against dense linear system.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solvers/plugin_api.h"

enum { FAULT_NONE, FAULT_CRASH, FAULT_LOOP, FAULT_NAN, FAULT_STATUS, FAULT_EXIT, FAULT_START,
       FAULT_VERSION, FAULT_NAME, FAULT_LOAD, FAULT_SYMBOL, FAULT_BATCH, GOOD_BATCH, FAULT_LATE,
       FAULT_HANG, FAULT_BEYOND, FAULT_BEFORE, FAULT_FAR, FAULT_STATES, FAULT_COUNT, FAULT_COLD,
       FAULT_Y, FAULT_CHILD, FAULT_BATCH_BEYOND, FAULT_BATCH_STATUS };

static void *start(const kb_plugin_job *job, kb_plugin_ode *ode)
{
    (void)job;
    return FAULT == FAULT_START ? NULL : ode ? (void *)ode : (void *)job;
}

/* does the derivative by unknown j agree with differences of f? */
static int check_column(kb_plugin_ode *ode, const double *y, const double *J, int j)
{
    int n = ode->unknowns;
    double z[n], a[n], b[n], h = j ? 1e-7 : 1e-2;
    memcpy(z, y, sizeof z);
    z[j] = y[j] + h;
    if (ode->rhs(ode, z, b))
        return 1;
    z[j] = y[j] - h;
    if (ode->rhs(ode, z, a))
        return 1;
    for (int i = 0; i < n; i++) {
        double slope = (b[i] - a[i]) / (2 * h), scale = fabs(a[i]) / fabs(y[j] + 1e-3);
        if (!(fabs(J[i + j * n] - slope) <= 1e-4 * fabs(slope) + 1e-4 * scale + 1e-3))
            return 1;
    }
    return 0;
}

/* (I - gamma J) x = b, by its residual */
static int check_solve(kb_plugin_ode *ode, const double *y, const double *J, double gamma)
{
    int n = ode->unknowns;
    double b[n], x[n];
    if (ode->rhs(ode, y, b) || ode->factor(ode, y, gamma) || ode->solve(ode, b, x))
        return 1;
    for (int i = 0; i < n; i++) {
        double sum = x[i], size = fabs(x[i]) + fabs(b[i]);
        for (int j = 0; j < n; j++) {
            sum -= gamma * J[i + j * n] * x[j];
            size += fabs(gamma * J[i + j * n] * x[j]);
        }
        if (!(fabs(sum - b[i]) <= 1e-10 * size))
            return 1;
    }
    return 0;
}

static int check(kb_plugin_ode *ode, const double *y)
{
    int n = ode->unknowns, bad = 0;
    double *J = malloc(sizeof *J * (size_t)n * (size_t)n), far[n];
    memcpy(far, y, sizeof far);
    far[0] = 1e9;
    if (ode->rhs(ode, far, far) != KB_PLUGIN_BOUNDS)
        bad = KB_PLUGIN_BOUNDS;
    if (ode->jacobian(ode, y, J))
        bad = KB_PLUGIN_STEP_SMALL;
    for (int j = 0; j < n && !bad; j++)
        bad = check_column(ode, y, J, j) ? KB_PLUGIN_NEWTON : 0;
    if (!bad && (check_solve(ode, y, J, 1e-7) || check_solve(ode, y, J, 1e-4)))
        bad = KB_PLUGIN_TOO_MANY;
    free(J);
    return bad;
}

static int integrate(void *self, const kb_plugin_job *job, kb_plugin_ode *ode, double *y,
                     kb_plugin_work *work)
{
    static volatile int forever = 1;
    int n = ode->unknowns, fault = FAULT;
    if (!self)
        abort();
    switch (fault) {
    case FAULT_CRASH: *(volatile int *)8 = 1; break;
    case FAULT_LOOP:
        while (forever)
            ;
        break;
    case FAULT_LATE: /* in samples alone, which come after the table of the warm-up */
        while (!access("r/FAULT_LATE/cells.csv", F_OK) && !*job->stop)
            ;
        break;
    case FAULT_NAN: y[2] = NAN; break;
    case FAULT_BEYOND: y[n] = 1; break;
    case FAULT_BEFORE: y[-64] = 1; break; /* the first of the 512 bytes that are looked at */
    case FAULT_FAR: y[n + 1000] = 1; break;
    case FAULT_STATES: *(double *)job->states = 300; break;
    case FAULT_COUNT: work->lu = -1; break;
    case FAULT_COLD: y[0] = -5; break;
    case FAULT_Y: y[1] = 3; break;
    case FAULT_CHILD:
        if (!fork())
            for (;;)
                pause();
        break;
    case FAULT_STATUS: return 77;
    case FAULT_EXIT: exit(0);
    case FAULT_NONE: /* vectors of two doubles may lie in y and states */
        return ((uintptr_t)y | (uintptr_t)job->states) % 16 ? KB_PLUGIN_STEP_SMALL : check(ode, y);
    }
    return 0;
}

/* T and Y stay as they are */
static int batch(void *self, const kb_plugin_job *job, double *y, kb_plugin_work *work,
                 int32_t *status, char *why, int size)
{
    int m = job->species + 1;
    if (self != job)
        return 1;
    for (long i = 0; i < job->n; i++) {
        y[i * m] = job->states[i * (m + 1)];
        memcpy(y + i * m + 1, job->states + i * (m + 1) + 2, sizeof *y * (size_t)job->species);
        work[i].attempted = 1;
        status[i] = 0;
    }
    if (FAULT == FAULT_BATCH_BEYOND)
        y[job->n * m + 63] = 1; /* the last of them */
    if (FAULT == FAULT_BATCH_STATUS)
        status[job->n] = 0;
    if (FAULT == FAULT_BATCH)
        strncpy(why, "the batch does not suit", (size_t)size);
    return FAULT == FAULT_BATCH;
}

__attribute__((constructor)) static void at_load(void)
{
    if (FAULT == FAULT_LOAD)
        abort();
    while (FAULT == FAULT_HANG)
        pause();
}

#define IS_BATCH (FAULT == FAULT_BATCH || FAULT == GOOD_BATCH || FAULT >= FAULT_BATCH_BEYOND)
static const kb_plugin_solver solver = {
    .name = FAULT == FAULT_NAME ? "a b;c" : "fault", .rtol = 1e-6, .atol = 1e-10, .start = start,
    .integrate = IS_BATCH ? NULL : integrate, .integrate_batch = IS_BATCH ? batch : NULL};

#if FAULT_OF_SYMBOL
#define kb_plugin_get kb_plugin_got
#endif
const kb_plugin_list *kb_plugin_get(void);
const kb_plugin_list *kb_plugin_get(void)
{
    static const kb_plugin_list list = {
        FAULT == FAULT_VERSION ? 99 : KB_PLUGIN_VERSION, 1, &solver};
    return &list;
}
