/* SPDX-License-Identifier: MIT
 *
 * Ctrl-C, and a time limit on one run. Both set kb_stop, which a job watches (kb_job.stop).
 */
#pragma once

#include <stdbool.h>

extern volatile int kb_stop;

/* From now on SIGINT and SIGTERM set kb_stop; a second one, or 20 s, end the program at once. What
 * was written before is whole then, as after a kill. */
void kb_interrupt_install(void);
bool kb_interrupted(void);

/* Starts a time limit: kb_stop is set after that number of seconds ... */
void kb_limit(double seconds);
/* ... and ends it. Returns whether the limit was reached. */
bool kb_limit_end(void);

/* Monotonic clock [s] */
double kb_clock(void);
