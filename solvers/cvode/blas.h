/* SPDX-License-Identifier: MIT
 *
 * Keeps each call of LAPACK on the thread that makes it: our threads call it on small matrices. Of
 * the libraries only OpenBLAS needs this; its functions are weak symbols here, NULL with another
 * LAPACK.
 */
#ifndef KB_BLAS_H
#define KB_BLAS_H

#include <string.h>

void openblas_set_num_threads(int threads) __attribute__((weak));
char *openblas_get_config(void) __attribute__((weak)); /* one buffer for all threads */

/* From now on each call runs on the thread that makes it, anywhere in this process. */
static inline void kb_blas_one_thread(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
}

/* What OpenBLAS says of itself when calls by several threads at once can give wrong results; NULL
 * when they cannot. Built for one thread it has no locks around its buffers, unless with
 * USE_LOCKING, which is told since version 0.3.28: an older one with locks counts as unsafe. Not
 * for several threads at once. */
static inline const char *kb_blas_unsafe(void)
{
    const char *config = openblas_get_config ? openblas_get_config() : "";
    return strstr(config, "SINGLE_THREADED") && !strstr(config, "USE_LOCKING") ? config : NULL;
}

#endif
