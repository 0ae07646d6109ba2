/* SPDX-License-Identifier: MIT
 *
 * What a test sees of the device of cuda_runtime.h beside this file.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    /* the device, set by the test */
    int devices, driver;      /* how many; version of the driver, 0: none */
    int multiprocessors;      /* each holds 128 threads */
    size_t memory, told;      /* bytes: that there are, that are said to be free */
    size_t shared;            /* bytes of shared memory that a block can have */
    bool page_locked;         /* the arrays of the caller */
    double bandwidth;         /* [B/s] of each of two copy engines */
    double thread_s;          /* [s] of a kernel for each of its threads */
    int fail_at, fail_with;   /* the call of that number, from 1, fails with that error */
    void (*on_query)(int count);
    /* what happened */
    int calls, queries, kernels;
    size_t to_variables;      /* bytes copied to variables of the device */
    const char *failed_call;
    size_t used, most;        /* bytes of device memory, now and at most */
    size_t asked;             /* most dynamic shared memory of a block that is allowed [bytes] */
    int carve_out;            /* percent of the cache that is preferred as shared memory */
    size_t pinned, most_pinned;
    int things;               /* streams and events that are not destroyed */
    int last_error, freed_early;
    int outside;              /* doubles written beyond a block's shared memory */
    double now;               /* [s] the clock */
} kb_fake;

extern kb_fake fake;

#ifdef __cplusplus
}
#endif
