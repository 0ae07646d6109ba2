/* SPDX-License-Identifier: MIT
 *
 * team_run.c for the two ODEs of a block of gpu-pair-float, as the device compiles them.
 */
#include "tests/team/warps.h"

#include "solvers/portable/branch_free.h"
static float __fdividef(float a, float b) { return a / b; }
static double __hiloint2double(int high, int low) { return from_words(high, low); }

/* a warp's copy, as in solvers/engines/gpu_kernel.cuh */
#define TEAM_OWN(type, name)                                                                       \
    static type name##_of[KB_TEAM / 32];                                                           \
    type &name = name##_of[threadIdx.x / 32];                                                      \
    if (threadIdx.x % 32 == 0)                                                                     \
        memset((void *)&name, 0, sizeof name);                                                     \
    __syncthreads()
#define __CUDACC__
#include "tests/team/team_run.c"

static void run_threads(void)
{
    team([](unsigned) { integrate(nullptr); });
}
