/* SPDX-License-Identifier: MIT
 *
 * The arrays of a team that grow with the mechanism. A short one lies near, in the static shared memory of the
 * kernel; a long one far, in the team's room in global memory, so that a mechanism of any size can be compiled:
 *
 *   team_long(name, n, count)   like team_array(name, n * count); n decides where it lies
 */
#ifndef KB_TEAM_ROOM_H
#define KB_TEAM_ROOM_H

#include "solvers/portable/lane.h"
#include "constants.h"

#if KB_TEAM > 1

/* Most lanes of a near array: with as many in each of the twelve that one method has, and a dense tail of 96, the
 * sum stays below 48 KB, the most static shared memory that a kernel may have. */
#ifndef KB_NEAR_MOST
#define KB_NEAR_MOST 384
#endif
#define TEAM_IS_FAR(n) ((n) > KB_NEAR_MOST)
#define TEAM_ROOM(n) (TEAM_IS_FAR(n) ? (n) : 1)

enum { GATHERS = 3 }; /* most vectors that kin_gathers sums at once */

typedef struct {
    lane f[TEAM_ROOM(NSP)], fT[TEAM_ROOM(NSP)], border[TEAM_ROOM(NSP)];
    lane gathered[GATHERS * TEAM_ROOM(NGATHER_PIECES + 1)];
    lane entry[TEAM_ROOM(NJAC_PIECES + 1)], heat[TEAM_ROOM(NHEAT_PIECES + 1)];
    lane z[TEAM_ROOM(NNEWTON + 1)], z_r[TEAM_ROOM(NNEWTON + 1)], z_m[TEAM_ROOM(NNEWTON + 1)];
} team_room;

enum {
    TEAM_SOLVE_FAR = TEAM_IS_FAR(NNEWTON + 1), /* a solve needs the room */
    TEAM_FAR = TEAM_SOLVE_FAR || TEAM_IS_FAR(NGATHER_PIECES + 1) || TEAM_IS_FAR(NJAC_PIECES + 1) ||
               TEAM_IS_FAR(NHEAT_PIECES + 1) /* anything does */
};

#ifdef __CUDACC__
static __shared__ team_room *team_room_here;
/* the kernel's first words to its team, if TEAM_FAR */
kb_fn void team_set_room(team_room *room)
{
    team_room_here = room;
    team_sync();
}
kb_fn team_room *team_far(void) { return team_room_here; }
#else
kb_fn team_room *team_far(void)
{
    static team_room room;
    return &room;
}
#endif

#define team_long(name, n, count)                                                                 \
    team_array(name##_near, TEAM_IS_FAR(n) ? 1 : (n) * (count));                                  \
    lane *const name = TEAM_IS_FAR(n) ? team_far()->name : name##_near

#else

typedef char team_room;
enum { TEAM_FAR = 0 };
#define team_long(name, n, count) team_array(name, (n) * (count))

#endif

#endif
