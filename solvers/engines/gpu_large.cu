/* SPDX-License-Identifier: MIT
 *
 * The engines of a GPU for a mechanism whose tables would take nvcc minutes: large ones are arrays
 * of the device without values (mech/tables/apart), and each device gets their bytes from the
 * library before its first batch; the longest of all is made then. KB_SOLVER is the engine of
 * gpu.cu, KB_LARGE_SOLVER the one that solvers.so lists.
 */
#include <cuda_runtime.h>
#include <mutex>
#include <vector>
#include "mech/tables/update_pairs.h"
#include "solvers/portable/lane.h"
#include "apart/constants.h"
#include "solvers/engines/gpu.cu"

#ifdef __HIP__
#define cudaMemcpyToSymbol(to, ...) hipMemcpyToSymbol(HIP_SYMBOL(to), __VA_ARGS__)
#define cudaMemcpyFromSymbol(to, from, ...) hipMemcpyFromSymbol(to, HIP_SYMBOL(from), __VA_ARGS__)
#endif

/* not 0 on a device that has its tables; a device that is reset has lost both */
static __device__ int tables_there;

#ifdef KB_UPDATE_PLACES
enum { MADE_BYTES = sizeof kb_update_pair };
#else
enum { MADE_BYTES = 0 };
#endif

static int copy_table(cudaError_t e, kb_error *err)
{
    double bytes = MADE_BYTES;
#define ADD_TABLE(table, from) bytes += sizeof table;
    KB_LARGE_TABLES(ADD_TABLE)
    if (e != cudaErrorMemoryAllocation)
        return gpu_failed(e, "tables of the mechanism", err) ? KB_INVALID : KB_OK;
    cudaGetLastError();
    return kb_fail(err, KB_INVALID,
                   "device memory: no room for the tables of the mechanism, %.0f MB, and the code "
                   "of " KB_ENGINE " (end other programs on the device)", 1e-6 * bytes);
}

#ifdef KB_UPDATE_PLACES
static int copy_update_pairs(const kb_index *row_start, const kb_index *column, int bytes,
                             kb_error *err)
{
    size_t entries = sizeof kb_update_pair / sizeof *kb_update_pair;
    void *room = malloc(6 * entries * sizeof(int) + 8 * sizeof(int) * NNEWTON * NNEWTON);
    if (!room) /* without it kb_update_pairs would end the program */
        return kb_fail(err, KB_INVALID, "no memory for the tables of the mechanism");
    free(room);
    std::vector<int> starts(row_start, row_start + NNEWTON + 1), columns(column, column + NNZ_HEAD);
    kb_factored_head head = {NNEWTON, NHEAD, starts.data(), columns.data(), TAIL_STRIDE,
                             NNZ_HEAD + NTAIL, bytes, STORED_SCALE};
    int n, *pair = kb_update_pairs(&head, &n);
    bool good = (size_t)n == entries;
    std::vector<kb_index> made(pair, pair + (good ? n : 0));
    free(pair);
    return good ? copy_table(cudaMemcpyToSymbol(kb_update_pair, made.data(), sizeof kb_update_pair),
                             err)
                : kb_fail(err, KB_INVALID, "%d entries of the table update_pair, not %zu", n,
                          entries);
}
#define COPY_UPDATE_PAIRS(err) copy_update_pairs(KB_UPDATE_PLACES, err)
#else
#define COPY_UPDATE_PAIRS(err) KB_OK
#endif

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
    code = code ? code : COPY_UPDATE_PAIRS(err);
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
