/* SPDX-License-Identifier: MIT
 *
 * Is there room for the stacks of CPU threads? Where there is none the OpenMP library ends the
 * program by itself, with a message and a code of its own.
 */
#pragma once

#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/error.h"

/* threads of this process now; 1 where the system does not say */
static inline int kb_threads_now(void)
{
    char line[128];
    int n = 1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "Threads: %d", &n) != 1)
        ;
    if (f)
        fclose(f);
    return n;
}

/* KB_INVALID with a message where a limit on memory leaves no room for as many threads. A stack
 * has the size of `ulimit -s`, or 8 MB. */
static inline int kb_thread_room(int threads, kb_error *err)
{
    struct rlimit all, data, stack;
    if (getrlimit(RLIMIT_AS, &all) || getrlimit(RLIMIT_DATA, &data) ||
        getrlimit(RLIMIT_STACK, &stack) ||
        (all.rlim_cur == RLIM_INFINITY && data.rlim_cur == RLIM_INFINITY))
        return KB_OK;
    size_t one = stack.rlim_cur == RLIM_INFINITY ? (size_t)8 << 20 : (size_t)stack.rlim_cur;
    int more = threads - kb_threads_now();
    if (more <= 0)
        return KB_OK;
    void *room = mmap(NULL, (size_t)more * one, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return kb_fail(err, KB_INVALID, "out of memory for the stacks of %d threads, %zu MB each "
                       "(fewer --threads, or a smaller ulimit -s)", threads, one >> 20);
    munmap(room, (size_t)more * one);
    return KB_OK;
}
