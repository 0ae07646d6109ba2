/* SPDX-License-Identifier: MIT
 *
 * The engine gpu for one scheme and one gas. Of one or two species one kernel does a stage: a block
 * of threads has a strip of columns and marches along y, row by row; fluxes along x pass between
 * threads in shared memory, fluxes along y stay in registers for the next row. With more species
 * too few threads would find room on a multiprocessor: one kernel writes the fluxes through the
 * faces behind each cell, another sums them up. Fields lie in managed memory and stay on the device
 * while only the engine touches them. Exports the kb_flow_engine KB_FLOW_NAME; KB_FLOW_HOST is the
 * same scheme on the host, for single states.
 */
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "flow/scheme/cell.h"
#include "flow/engines/engine.h"

#ifndef KB_LAUNCH /* tests have their own */
#define KB_LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)
#endif

/* FUSED: one kernel does a stage. Threads of a block: there, three warps divide grids of a power of
 * two with little rest */
#ifdef NSP /* an ideal gas; of a mechanism's, constants.h has it */
#define FUSED 1
#else
#define FUSED 0
#endif
enum { BLOCK = FUSED ? 96 : 128, WAVES = 4 };

/* what the kernels find out */
typedef struct {
    unsigned long long scaled, blended; /* faces */
    unsigned long long rate;            /* bits of a double that is not negative */
    unsigned long long bad;             /* largest ~number of an impossible cell, 0: none */
} findings;

/* of all runs of the program: they take turns */
static findings *found, *report; /* on the device; on the host */
#if FUSED
static int places;               /* for blocks, on the whole device */
enum { MOST_ROWS = 0 };          /* any number */
#endif

/* there is no way on: the state of the device is not known */
static void check(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return;
    fprintf(stderr, "flow: error: gpu: %s: %s\n", what, cudaGetErrorString(e));
    exit(KB_INVALID);
}

static int held; /* pieces of memory that runs have */

static void *alloc(size_t size)
{
    void *memory = NULL;
    if (cudaMallocManaged(&memory, size) != cudaSuccess)
        return NULL;
    held++;
    return memory;
}

/* ---- ghost cells ---- */

static __global__ void fill_ghosts(kb_flow_grid g, int direction, double *q, double *w,
                                   kb_flow_ghosts table)
{
    long i = (long)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= table.n)
        return;
    long ghost = table.ghost[i], source = table.source[i];
    double sign = table.mirror[i] ? -1 : 1;
    for (int k = 0; k < NQ; k++)
        q[k * g.plane + ghost] = (k == NSP + direction ? sign : 1) * q[k * g.plane + source];
    for (int k = 0; k < NSP + 5; k++)
        w[k * g.plane + ghost] = (k == NSP + direction ? sign : 1) * w[k * g.plane + source];
}

static void ghosts(const kb_flow_stage *stage, int direction, double *q, double *w,
                   const kb_flow_ghosts *table)
{
    unsigned blocks = (unsigned)((table->n + BLOCK - 1) / BLOCK);
    if (blocks)
        KB_LAUNCH(fill_ghosts, blocks, BLOCK, stage->grid, direction, q, w, *table);
}

/* ---- what threads find, together ---- */

static __device__ void clear(findings *all)
{
    if (threadIdx.x == 0)
        *all = (findings){};
    __syncthreads();
}

static __device__ void note(findings *mine, double rate, mask bad, long at)
{
    atomicMax(&mine->rate, (unsigned long long)__double_as_longlong(rate));
    if (bad)
        atomicMax(&mine->bad, ~(unsigned long long)at);
}

/* of a block, to those of all */
static __device__ void gather(const findings *mine, findings *all)
{
    __syncthreads();
    if (threadIdx.x)
        return;
    atomicMax(&all->rate, mine->rate);
    if (mine->bad)
        atomicMax(&all->bad, mine->bad);
    if (mine->scaled | mine->blended) {
        atomicAdd(&all->scaled, mine->scaled);
        atomicAdd(&all->blended, mine->blended);
    }
}

/* ---- a stage ---- */

/* the flux through the face behind the cell at `at`; F lies as q does */
static __device__ void face(const kb_flow_stage *stage, int direction, long at, int counted,
                            findings *mine, lane F[NQ])
{
    const kb_flow_grid *g = &stage->grid;
    long stride = direction ? g->pitch : 1;
    face_cells f = {stage->q + at, stage->w + at, stride, g->plane, direction, 1 - direction};
    face_nets nets = face_flux(stage, &f, stage->dt / (direction ? g->dy : g->dx), F);
    if (direction) {
        lane normal = F[NSP];
        F[NSP] = F[NSP + 1];
        F[NSP + 1] = normal;
    }
    if (counted && nets.scaled | nets.blended &&
        (!stage->open || stage->open[at] + stage->open[at + stride] > 0)) {
        if (nets.scaled)
            atomicAdd(&mine->scaled, 1ULL);
        if (nets.blended) {
            atomicAdd(&mine->blended, 1ULL);
            if (stage->blended)
                stage->blended[at] += 1;
        }
    }
}

#if FUSED
/* thread t of a block has the cell after the one of thread t - 1 and the face behind it; thread 0
 * has a face alone. parts: directions of this launch, x before y: all of the stage's, or one of two
 * in a case with solid cells, where a ghost cell in a corner differs between them. rows: of a block
 */
template <int variables, int riemann>
static __global__ void __launch_bounds__(BLOCK)
    stage_kernel(kb_flow_stage stage, int parts, int rows, double *next, findings *found)
{
    __shared__ double side[2][NQ][BLOCK]; /* fluxes along x, of this row and of the next */
    __shared__ findings mine;
    const kb_flow_grid *g = &stage.grid;
    int i = (int)(blockIdx.x * (BLOCK - 1) + threadIdx.x) - 1, from = (int)blockIdx.y * rows;
    int cell = threadIdx.x > 0 && i < g->nx, to = from + rows < g->ny ? from + rows : g->ny;
    lane below[NQ], above[NQ];
    double most = 0;
    stage.variables = (kb_flow_variables)variables;
    stage.riemann = (kb_flow_riemann)riemann;
    clear(&mine);
    if (parts & KB_FLOW_Y && cell)
        face(&stage, 1, kb_flow_at(g, i, from - 1), from == 0 && !stage.inner, &mine, below);
    for (int j = from; j < to; j++) {
        long at = kb_flow_at(g, i, j);
        double(*row)[BLOCK] = side[j & 1];
        if (parts & KB_FLOW_X) {
            if (i < g->nx)
                face(&stage, 0, at, cell || i < 0, &mine, above);
            for (int k = 0; k < NQ && i < g->nx; k++)
                row[k][threadIdx.x] = above[k];
            __syncthreads();
        }
        if (!cell)
            continue;
        for (int k = 0; k < NQ && parts & KB_FLOW_X; k++)
            cell_update(&stage, at, k, row[k][threadIdx.x - 1], above[k], stage.dt / g->dx, 1, 1);
        if (parts & KB_FLOW_Y) {
            face(&stage, 1, at, 1, &mine, above);
            for (int k = 0; k < NQ; k++) {
                cell_update(&stage, at, k, below[k], above[k], stage.dt / g->dy,
                            !(stage.along & KB_FLOW_X), 1);
                below[k] = above[k];
            }
        }
        if (parts & KB_FLOW_Y || !(stage.along & KB_FLOW_Y)) { /* the last direction is done */
            mask bad;
            double rate = cell_primitive(&stage, stage.out, stage.w, next, at, 1, &bad);
            most = rate > most ? rate : most;
            if (bad)
                note(&mine, 0, bad, at);
        }
    }
    note(&mine, most, 0, 0);
    gather(&mine, found);
}

/* rows of a block: enough blocks for WAVES on the whole device, few first rows done twice */
static void launch(const kb_flow_stage *stage, int parts, double *next)
{
    typedef void kernel(kb_flow_stage, int, int, double *, findings *);
    static kernel *const kernels[2][4] = {
#define ROW(variables) {stage_kernel<variables, KB_FLOW_HLLC>, \
                        stage_kernel<variables, KB_FLOW_HLLC_LM>, \
                        stage_kernel<variables, KB_FLOW_HLLE>, \
                        stage_kernel<variables, KB_FLOW_RUSANOV>}
        /* several species have primitive variables alone: the same kernels twice */
        ROW((NSP == 1 ? KB_FLOW_CONSERVED : KB_FLOW_PRIMITIVE)), ROW(KB_FLOW_PRIMITIVE)};
#undef ROW
    const kb_flow_grid *g = &stage->grid;
    int strips = (g->nx + BLOCK - 2) / (BLOCK - 1);
    int rows = (int)(((long)g->ny * strips + WAVES * places - 1) / (WAVES * places));
    dim3 blocks((unsigned)strips, (unsigned)((g->ny + rows - 1) / rows));
    kernel *run = kernels[stage->variables][stage->riemann];
    KB_LAUNCH(run, blocks, BLOCK, *stage, parts, rows, next, found);
    check(cudaGetLastError(), "launch of a stage");
}

#else

/* a block has WIDE columns of BLOCK / WIDE rows; so many blocks shall find registers on a
 * multiprocessor: more would spill them */
enum { WIDE = 32, HIGH = BLOCK / WIDE, FLUX_BLOCKS = 3, SUM_BLOCKS = 4 };
/* a launch has 65,535 blocks along y at most; those of the fluxes have a row before the first */
enum { MOST_ROWS = 65535 * HIGH - 1 };

/* Fluxes through the faces behind each cell, and behind those before the first row and column; flux
 * [2][NQ][plane], along x and along y. */
template <int riemann>
static __global__ void __launch_bounds__(BLOCK, FLUX_BLOCKS)
    flux_kernel(kb_flow_stage stage, int parts, double *flux, findings *found)
{
    __shared__ findings mine;
    const kb_flow_grid *g = &stage.grid;
    int i = (int)(blockIdx.x * WIDE + threadIdx.x % WIDE) - 1;
    int j = (int)(blockIdx.y * HIGH + threadIdx.x / WIDE) - 1;
    long at = kb_flow_at(g, i, j);
    stage.variables = KB_FLOW_PRIMITIVE;
    stage.riemann = (kb_flow_riemann)riemann;
    clear(&mine);
    KB_NO_UNROLL for (int d = 0; d < 2; d++) {
        lane F[NQ];
        if (!(parts & (d ? KB_FLOW_Y : KB_FLOW_X)) || i >= g->nx || j >= g->ny || (d ? i : j) < 0)
            continue;
        face(&stage, d, at, !(d && j < 0 && stage.inner), &mine, F);
        for (int k = 0; k < NQ; k++)
            flux[(d * NQ + k) * g->plane + at] = F[k];
    }
    gather(&mine, found);
}

static __global__ void __launch_bounds__(BLOCK, SUM_BLOCKS)
    sum_kernel(kb_flow_stage stage, const double *flux, double *next, findings *found)
{
    __shared__ findings mine;
    const kb_flow_grid *g = &stage.grid;
    int i = (int)(blockIdx.x * WIDE + threadIdx.x % WIDE);
    int j = (int)(blockIdx.y * HIGH + threadIdx.x / WIDE);
    clear(&mine);
    if (i < g->nx && j < g->ny) {
        long at = kb_flow_at(g, i, j);
        int x = stage.along & KB_FLOW_X, y = stage.along & KB_FLOW_Y;
        lane Q[NQ];
        mask bad;
        for (int k = 0; k < NQ; k++) {
            const double *fx = flux + k * g->plane + at, *fy = fx + NQ * g->plane;
            if (x)
                Q[k] = cell_new(&stage, at, k, 0, fx[-1], fx[0], stage.dt / g->dx, 1);
            if (y)
                Q[k] = cell_new(&stage, at, k, Q[k], fy[-g->pitch], fy[0], stage.dt / g->dy, !x);
            stage.out[k * g->plane + at] = Q[k];
        }
        double rate = cell_state(&stage, Q, stage.w, next, at, 1, &bad);
        note(&mine, rate, bad, at);
    }
    gather(&mine, found);
}

static double *fluxes; /* of all runs of the program: they take turns */
static size_t room;

static void launch(const kb_flow_stage *stage, int parts, double *next)
{
    typedef void kernel(kb_flow_stage, int, double *, findings *);
    static kernel *const kernels[4] = {flux_kernel<KB_FLOW_HLLC>, flux_kernel<KB_FLOW_HLLC_LM>,
                                       flux_kernel<KB_FLOW_HLLE>, flux_kernel<KB_FLOW_RUSANOV>};
    const kb_flow_grid *g = &stage->grid;
    dim3 faces((unsigned)((g->nx + WIDE) / WIDE), (unsigned)((g->ny + HIGH) / HIGH));
    dim3 cells((unsigned)((g->nx + WIDE - 1) / WIDE), (unsigned)((g->ny + HIGH - 1) / HIGH));
    size_t size = 2 * NQ * (size_t)g->plane * sizeof *fluxes;
    if (size > room) {
        cudaFree(fluxes);
        check(cudaMalloc((void **)&fluxes, size), "memory for fluxes");
        room = size;
    }
    kernel *run = kernels[stage->riemann];
    KB_LAUNCH(run, faces, BLOCK, *stage, parts, fluxes, found);
    check(cudaGetLastError(), "launch of the fluxes");
    if (parts == KB_FLOW_X && stage->along != parts)
        return; /* the other direction follows */
    KB_LAUNCH(sum_kernel, cells, BLOCK, *stage, (const double *)fluxes, next, found);
    check(cudaGetLastError(), "launch of the sums");
}
#endif

static void start(void)
{
    if (!found) {
#if FUSED
        int device = 0, count = 1;
        check(cudaGetDevice(&device), "device");
        check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "device");
        places = 4 * count;
#endif
        check(cudaMalloc((void **)&found, sizeof *found), "memory for results");
        check(cudaMallocHost((void **)&report, sizeof *report), "memory for results");
    }
    check(cudaMemsetAsync(found, 0, sizeof *found), "results");
}

static kb_flow_health finish(kb_flow_nets *nets)
{
    kb_flow_health h;
    check(cudaMemcpy(report, found, sizeof *report, cudaMemcpyDeviceToHost), "results");
    memcpy(&h.rate, &report->rate, sizeof h.rate);
    h.bad = report->bad ? (long)~report->bad : -1;
    nets->scaled += (long)report->scaled;
    nets->blended += (long)report->blended;
    return h;
}

static kb_flow_health stage(const kb_flow_stage *stage, double *q, double *w,
                            const kb_flow_ghosts tables[2], double *next, kb_flow_nets *nets)
{
    int along = stage->along;
    int apart = stage->open && along == (KB_FLOW_X | KB_FLOW_Y);
    start();
    if (along & KB_FLOW_X)
        ghosts(stage, 0, q, w, &tables[0]);
    if (apart)
        launch(stage, KB_FLOW_X, next);
    if (along & KB_FLOW_Y)
        ghosts(stage, 1, q, w, &tables[1]);
    launch(stage, apart ? KB_FLOW_Y : along, next);
    return finish(nets);
}

/* ---- primitive variables, rate, impossible cells ---- */

static __global__ void primitive_kernel(kb_flow_stage stage, const double *q, double *w, int gx,
                                        int gy, findings *found)
{
    __shared__ findings mine;
    const kb_flow_grid *g = &stage.grid;
    int i = (int)(blockIdx.x * BLOCK + threadIdx.x) - gx, j = (int)blockIdx.y - gy;
    clear(&mine);
    for (; j < g->ny + gy && i < g->nx + gx; j += (int)gridDim.y) {
        mask bad;
        long at = kb_flow_at(g, i, j);
        double rate = cell_primitive(&stage, q, w, w, at, 1, &bad);
        note(&mine, rate, bad, at);
    }
    gather(&mine, found);
}

static kb_flow_health primitive(const kb_flow_stage *stage, const double *q, double *w, int ghosts)
{
    const kb_flow_grid *g = &stage->grid;
    int gx = ghosts && g->nx > 1 ? KB_GHOST : 0, gy = ghosts && g->ny > 1 ? KB_GHOST : 0;
    int rows = g->ny + 2 * gy;
    kb_flow_nets none = {0, 0};
    dim3 blocks((unsigned)((g->nx + 2 * gx + BLOCK - 1) / BLOCK),
                (unsigned)(rows < 1024 ? rows : 1024));
    start();
    KB_LAUNCH(primitive_kernel, blocks, BLOCK, *stage, q, w, gx, gy, found);
    check(cudaGetLastError(), "launch of the primitive variables");
    return finish(&none);
}

/* ---- chemistry: cells into a batch and back ---- */

/* cells in each bucket; where its next one goes; sums over a batch */
typedef struct {
    unsigned long long cells[KB_FLOW_BUCKETS], next[KB_FLOW_BUCKETS], attempts, failed;
} batch;

static batch *batched; /* on the device */

static __device__ int bucket_of(const kb_flow_stage *stage, const double *T, double T_react,
                                const unsigned char *cost, long at)
{
    int due = T[at] >= T_react && (!stage->open || stage->open[at] != 0);
    return due ? kb_flow_bucket(cost[at]) : -1;
}

/* states NULL: counts alone. A block has one row of cells at a time and reserves places for it. */
static __global__ void gather_kernel(kb_flow_stage stage, const double *q, const double *w,
                                     double T_react, kb_flow_reacting to, batch *all)
{
    __shared__ unsigned long long mine[KB_FLOW_BUCKETS], first[KB_FLOW_BUCKETS];
    const kb_flow_grid *g = &stage.grid;
    int i = (int)(blockIdx.x * BLOCK + threadIdx.x), slot = threadIdx.x;
    unsigned long long *total = to.states ? all->next : all->cells;
    for (int j = (int)blockIdx.y; j < g->ny; j += (int)gridDim.y) {
        long at = kb_flow_at(g, i, j);
        int bucket = i < g->nx ? bucket_of(&stage, w + (NSP + 4) * g->plane, T_react, to.cost, at)
                               : -1;
        if (slot < KB_FLOW_BUCKETS)
            mine[slot] = 0;
        __syncthreads();
        unsigned long long rank = bucket < 0 ? 0 : atomicAdd(&mine[bucket], 1ULL);
        __syncthreads();
        if (slot < KB_FLOW_BUCKETS && mine[slot])
            first[slot] = atomicAdd(&total[slot], mine[slot]);
        __syncthreads();
        if (bucket >= 0 && to.states) {
            long k = (long)(first[bucket] + rank);
            to.cell[k] = at;
            kb_flow_gather_cell(g, q, w, at, to.states + k * (NSP + 2));
        }
    }
}

static long gather_cells(const kb_flow_stage *stage, const double *q, const double *w,
                         double T_react, const kb_flow_reacting *to)
{
    const kb_flow_grid *g = &stage->grid;
    dim3 blocks((unsigned)((g->nx + BLOCK - 1) / BLOCK), (unsigned)(g->ny < 1024 ? g->ny : 1024));
    kb_flow_reacting none = *to;
    batch here;
    unsigned long long n = 0;
    none.states = NULL;
    if (!batched)
        check(cudaMalloc((void **)&batched, sizeof *batched), "memory for results");
    check(cudaMemsetAsync(batched, 0, sizeof *batched), "results");
    KB_LAUNCH(gather_kernel, blocks, BLOCK, *stage, q, w, T_react, none, batched);
    check(cudaGetLastError(), "launch of the cells that react");
    check(cudaMemcpy(&here, batched, sizeof here, cudaMemcpyDeviceToHost), "results");
    for (int b = 0; b < KB_FLOW_BUCKETS; b++) {
        here.next[b] = n;
        n += here.cells[b];
    }
    check(cudaMemcpy(batched, &here, sizeof here, cudaMemcpyHostToDevice), "results");
    KB_LAUNCH(gather_kernel, blocks, BLOCK, *stage, q, w, T_react, *to, batched);
    check(cudaDeviceSynchronize(), "cells that react"); /* a solver on the host reads them */
    return (long)n;
}

static __global__ void tally_kernel(const kb_count *count, long n, batch *all)
{
    __shared__ unsigned long long attempts, failed;
    long k = (long)blockIdx.x * BLOCK + threadIdx.x;
    if (threadIdx.x == 0)
        attempts = failed = 0;
    __syncthreads();
    if (k < n) {
        atomicAdd(&attempts, (unsigned long long)count[k].attempted);
        if (count[k].status != KB_ODE_OK)
            atomicAdd(&failed, 1ULL);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&all->attempts, attempts);
        atomicAdd(&all->failed, failed);
    }
}

static unsigned blocks_of(long n) { return (unsigned)((n + BLOCK - 1) / BLOCK); }

static kb_flow_tally tally(const kb_flow_reacting *from, long n)
{
    batch here;
    KB_LAUNCH(tally_kernel, blocks_of(n), BLOCK, (const kb_count *)from->count, n, batched);
    check(cudaGetLastError(), "launch of the sums of the chemistry");
    check(cudaMemcpy(&here, batched, sizeof here, cudaMemcpyDeviceToHost), "results");
    return (kb_flow_tally){(long)here.attempts, (long)here.failed};
}

static __global__ void scatter_kernel(kb_flow_grid g, kb_flow_reacting from, long n, double *q,
                                      double *w)
{
    long k = (long)blockIdx.x * BLOCK + threadIdx.x;
    if (k >= n)
        return;
    int cost = from.count[k].attempted;
    kb_flow_scatter_cell(&g, from.y + k * (NSP + 1), from.cell[k], q, w);
    from.cost[from.cell[k]] = (unsigned char)(cost < 255 ? cost : 255);
}

static void scatter_cells(const kb_flow_stage *stage, const kb_flow_reacting *from, long n,
                          double *q, double *w)
{
    KB_LAUNCH(scatter_kernel, blocks_of(n), BLOCK, stage->grid, *from, n, q, w);
    check(cudaGetLastError(), "launch of the cells that have reacted");
}

/* ---- the engine ---- */

/* with the last piece, what all runs share */
static void release(void *memory)
{
    cudaFree(memory);
    if (--held > 0)
        return;
    cudaFree(found);
    cudaFreeHost(report);
    cudaFree(batched);
    found = report = NULL;
    batched = NULL;
#if !FUSED
    cudaFree(fluxes);
    fluxes = NULL;
    room = 0;
#endif
}

extern "C" {
extern const kb_flow_engine KB_FLOW_HOST, KB_FLOW_NAME;
}

static double energy(const kb_flow_gas *gas, const double *rho, double p)
{
    return KB_FLOW_HOST.energy(gas, rho, p);
}

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
const kb_flow_engine KB_FLOW_NAME = {
    .scheme = TEXT(KB_SCHEME), .engine = "gpu", .nsp = NSP, .stages = KB_STAGES, .alloc = alloc,
    .release = release, .corners = KB_CORNERS, .most_rows = MOST_ROWS, .fused = 1, .stage = stage,
    .primitive = primitive, .gather = gather_cells, .tally = tally, .scatter = scatter_cells,
    .energy = energy};
