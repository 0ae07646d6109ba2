/* SPDX-License-Identifier: MIT
 *
 * A clock for LD_PRELOAD: each look takes LOOK to 1.6 LOOK [us], so that what a program of one
 * thread makes of times is known to the byte. KB_INTERRUPT: the look at which Ctrl-C comes.
 */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
    static long looks, us;
    (void)id;
    const char *at = getenv("KB_INTERRUPT");
    long look = looks++; /* the signal's handler looks, too */
    if (at && look == atol(at))
        raise(SIGINT);
    us += LOOK + 3 * LOOK / 10 * (look % 3);
    *t = (struct timespec){1000 + us / 1000000, us % 1000000 * 1000};
    return 0;
}
