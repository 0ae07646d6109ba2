/* SPDX-License-Identifier: MIT
 *
 * Keeps each call of LAPACK on the thread that makes it: our threads call it on small matrices. Of
 * the libraries only OpenBLAS needs this; its functions are weak symbols here, NULL with another
 * LAPACK.
 */
#ifndef KB_BLAS_H
#define KB_BLAS_H

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#define KB_BLAS_BUFFER ((size_t)136 << 20) /* bytes of a call, with room beside it */

void openblas_set_num_threads(int threads) __attribute__((weak));
char *openblas_get_config(void) __attribute__((weak)); /* one buffer for all threads */

/* From now on each call runs on the thread that makes it, anywhere in this process. */
static inline void kb_blas_one_thread(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
}

/* Whether there is room for the buffers of calls by so many threads at once. Each call takes one,
 * and waits for ever where it finds none. */
static inline bool kb_blas_room(int threads)
{
    size_t size = (size_t)threads * KB_BLAS_BUFFER;
    if (!openblas_get_config || threads < 2)
        return true;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
                      MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return false;
    munmap(room, size);
    return true;
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
