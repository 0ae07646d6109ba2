/* SPDX-License-Identifier: MIT
 *
 * The engines of a GPU for a mechanism whose tables would take nvcc minutes: large ones are arrays
 * of the device without values (mech/tables/apart), and each device gets their bytes from the
 * library before its first batch. KB_SOLVER is the engine of gpu.cu, KB_LARGE_SOLVER the one that
 * solvers.so lists.
 */
#include <cuda_runtime.h>
#include <mutex>
#include "solvers/portable/lane.h"
#include "apart/constants.h"
#include "solvers/engines/gpu.cu"

#ifdef __HIP__
#define cudaMemcpyToSymbol(to, ...) hipMemcpyToSymbol(HIP_SYMBOL(to), __VA_ARGS__)
#define cudaMemcpyFromSymbol(to, from, ...) hipMemcpyFromSymbol(to, HIP_SYMBOL(from), __VA_ARGS__)
#endif

/* not 0 on a device that has its tables; a device that is reset has lost both */
static __device__ int tables_there;

static int copy_table(cudaError_t e, kb_error *err)
{
    double bytes = 0;
#define ADD_TABLE(table, from) bytes += sizeof table;
    KB_LARGE_TABLES(ADD_TABLE)
    if (e != cudaErrorMemoryAllocation)
        return gpu_failed(e, "tables of the mechanism", err) ? KB_INVALID : KB_OK;
    cudaGetLastError();
    return kb_fail(err, KB_INVALID,
                   "device memory: no room for the tables of the mechanism, %.0f MB, and the code "
                   "of " KB_ENGINE " (end other programs on the device)", 1e-6 * bytes);
}

/* a batch waits for the device before its first slice (open_batch), and so for these copies */
static int copy_tables(kb_error *err)
{
    static std::mutex one;
    std::lock_guard<std::mutex> alone(one);
    int there = 0;
    int code = copy_table(cudaMemcpyFromSymbol(&there, tables_there, sizeof there), err);
    if (code || there)
        return code;
#define COPY_TABLE(table, from)                                                                    \
    code = code ? code : copy_table(cudaMemcpyToSymbol(table, from, sizeof table), err);
    KB_LARGE_TABLES(COPY_TABLE)
    there = 1;
    return code ? code
                : copy_table(cudaMemcpyToSymbol(tables_there, &there, sizeof there), err);
}

static int run_large(const kb_solver *, const kb_job *job, kb_result *result, kb_error *err)
{
    int code = gpu_available(err);
    code = code ? code : copy_tables(err);
    return code ? code : KB_SOLVER.run(&KB_SOLVER, job, result, err);
}

static int open_large(const kb_solver *, const kb_job *shape, void **run, kb_error *err)
{
    *run = NULL;
    int code = gpu_available(err);
    code = code ? code : copy_tables(err);
    return code ? code : KB_SOLVER.open(&KB_SOLVER, shape, run, err);
}

extern "C" {
extern const kb_solver KB_LARGE_SOLVER;
const kb_solver KB_LARGE_SOLVER = {.info = KB_SOLVER.info,
                                   .run = run_large,
                                   .open = open_large,
                                   .pass = KB_SOLVER.pass,
                                   .close = KB_SOLVER.close};
}
