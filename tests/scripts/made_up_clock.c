/* SPDX-License-Identifier: MIT
 *
 * A clock for LD_PRELOAD: each look at it takes 5 to 8 ms, so that what a program of one thread
 * makes of times is known to the byte.
 */
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
    static long looks, us;
    (void)id;
    us += 5000 + 1500 * (looks++ % 3);
    *t = (struct timespec){1000 + us / 1000000, us % 1000000 * 1000};
    return 0;
}
