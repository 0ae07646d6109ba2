/* SPDX-License-Identifier: MIT
 *
 * The energy of a run that is repeated: over a window that grows until its two halves agree.
 */
#pragma once

#include "drivers/env/meter.h"

/* What is measured; tests make one up */
typedef struct {
    int (*run)(void *of); /* one run; not 0: it failed, or was interrupted */
    kb_meter (*meter)(void *of);
    double (*clock)(void *of); /* [s] */
    void *of;
} kb_energy_source;

typedef struct {
    double run;     /* [J] of one run */
    double seconds; /* of the window */
    double spread;  /* difference of its two halves over their mean */
} kb_energy;

#define KB_ENERGY_SPREAD 0.02 /* of halves that agree */
#define KB_ENERGY_GROWTH 8    /* a window becomes at most so many times as long */

/* Fills *e from a window of at least that many seconds. Returns 0, or what run returned. */
int kb_energy_measure(const kb_energy_source *source, double seconds, kb_energy *e);
