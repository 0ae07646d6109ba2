/* SPDX-License-Identifier: MIT
 *
 * The one exported symbol of a mechanism's kernels.so.
 */
#include "base/processor_needs.h"
#include "solvers/portable/lane.h" /* KB_TABLE */
#include "constants.h"
#include "solvers/parts/kernels.h"

extern const kb_kernel kb_kernel_cpu_double, kb_kernel_cpu_float, kb_kernel_pivoted;
/* KB_SPARSE_KERNELS(KERNEL): the sparse kernels of this build, given by make from engines.def */
#define KERNEL(name) extern const kb_kernel name;
KB_SPARSE_KERNELS(KERNEL)
#undef KERNEL
int kb_newton_matrices(const double *states, long n, double gi, double *A, double *b,
                       double *packed);
#ifdef KB_CUDA
extern const kb_kernel kb_kernels_gpu_double[4], kb_kernels_gpu_float[4];
int kb_kernels_device(kb_kernel_device *d, kb_error *err);
#define DEVICE kb_kernels_device
#else
#define DEVICE NULL
#endif

static const kb_kernel *const kernels[] = {
    &kb_kernel_cpu_double, &kb_kernel_cpu_float, &kb_kernel_pivoted,
#define KERNEL(name) &name,
    KB_SPARSE_KERNELS(KERNEL)
#undef KERNEL
#ifdef KB_CUDA
    &kb_kernels_gpu_double[0], &kb_kernels_gpu_double[1], &kb_kernels_gpu_double[2],
    &kb_kernels_gpu_double[3],
    &kb_kernels_gpu_float[0], /* single precision for its error alone */
#endif
};

const kb_kernels *kb_kernels_get(void)
{
    static const kb_kernels all = {
        .version = KB_KERNELS_VERSION, .mech = KB_MECH_NAME, .sha256 = KB_MECH_SHA256,
        .flags = KB_FLAGS, .nsp = NSP, .nnz = NNZ, .nkernels = sizeof kernels / sizeof *kernels,
        .kernels = kernels, .newton = kb_newton_matrices, .device = DEVICE};
    return &all;
}
