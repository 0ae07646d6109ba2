/* SPDX-License-Identifier: MIT
 *
 * The threads of a team in turns on one thread of the host, each from one team_sync to the next:
 * cheap for teams of any size, and without chance. With fibers_backwards the last thread of the
 * team is the first: what a missing team_sync leaves to chance then has another result. A team
 * whose threads do not meet at every team_sync ends the program.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "tests/team/turns.h"

enum { FIBER_STACK = 1 << 20 };

lane team_values[KB_TEAM];
_Thread_local unsigned team_number;
int fibers_backwards;
static turn fiber_home, fiber[KB_TEAM];
static int fibers_ended;
static void (*fiber_work)(void);

void team_sync(void) { turn_to(&fiber[team_number], &fiber_home); }

static void fiber_begin(void)
{
    fiber_work();
    fibers_ended++;
    team_sync();
}

static void run_fibers(void (*work)(void))
{
    char *stacks = (char *)malloc((size_t)KB_TEAM * FIBER_STACK);
    fiber_work = work;
    fibers_ended = 0;
    for (int t = 0; t < KB_TEAM; t++)
        turn_prepare(&fiber[t], stacks + (size_t)t * FIBER_STACK, FIBER_STACK, fiber_begin);
    while (fibers_ended == 0)
        for (int t = 0; t < KB_TEAM; t++) {
            team_number = (unsigned)(fibers_backwards ? KB_TEAM - 1 - t : t);
            turn_to(&fiber_home, &fiber[team_number]);
        }
    free(stacks);
    if (fibers_ended == KB_TEAM)
        return;
    fprintf(stderr, "%d of %d threads ended when others wait\n", fibers_ended, KB_TEAM);
    exit(1);
}
