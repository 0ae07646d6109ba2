/* SPDX-License-Identifier: MIT
 *
 * The engine gpu for one scheme and one gas: one thread for a face or a cell. Fields lie in managed
 * memory and stay on the device while only the engine touches them. Exports the kb_flow_engine
 * KB_FLOW_NAME; KB_FLOW_HOST is the same scheme on the host, for single states.
 */
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "flow/cell.h"
#include "flow/engine.h"

#ifndef KB_LAUNCH /* tests have their own */
#define KB_LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)
#endif

enum { BLOCK = 128, ROWS = 1024 }; /* threads of a block; most rows of blocks, each takes several */

/* what the kernels find out */
typedef struct {
    unsigned long long scaled, blended; /* faces */
    unsigned long long rate;            /* bits of a double that is not negative */
    unsigned long long bad;             /* least number of an impossible cell, ~0: none */
} findings;

/* of all runs of the program: they take turns */
static findings *found;
static double *flux;
static size_t flux_size;

/* there is no way on: the state of the device is not known */
static void check(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return;
    fprintf(stderr, "flow: error: gpu: %s: %s\n", what, cudaGetErrorString(e));
    exit(KB_INVALID);
}

static dim3 blocks(long columns, int rows)
{
    return dim3((unsigned)((columns + BLOCK - 1) / BLOCK), (unsigned)(rows < ROWS ? rows : ROWS));
}

static void *alloc(size_t size)
{
    void *memory = NULL;
    return cudaMallocManaged(&memory, size) == cudaSuccess ? memory : NULL;
}

static void release(void *memory) { cudaFree(memory); }

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
    if (table->n)
        KB_LAUNCH(fill_ghosts, blocks(table->n, 1), BLOCK, stage->grid, direction, q, w, *table);
}

/* ---- fluxes and the new state ---- */

/* the face after each cell of a row, from the cell before the first one on; flux lies as q does */
static __global__ void __launch_bounds__(BLOCK)
    flux_kernel(kb_flow_stage stage, int direction, double *flux, findings *found)
{
    const kb_flow_grid *g = &stage.grid;
    int i = (int)(blockIdx.x * BLOCK + threadIdx.x) - !direction;
    if (i >= g->nx)
        return;
    for (int j = (int)blockIdx.y - direction; j < g->ny; j += (int)gridDim.y) {
        long at = kb_flow_at(g, i, j), stride = direction ? g->pitch : 1;
        face_cells f = {stage.q + at, stage.w + at, stride, g->plane, direction, 1 - direction};
        lane F[NQ];
        face_nets nets = face_flux(&stage, &f, stage.dt / (direction ? g->dy : g->dx),
                                   (g->nx > 1) + (g->ny > 1), F);
        for (int s = 0; s < NSP; s++)
            flux[s * g->plane + at] = F[s];
        flux[(NSP + direction) * g->plane + at] = F[NSP];
        flux[(NSP + 1 - direction) * g->plane + at] = F[NSP + 1];
        flux[(NSP + 2) * g->plane + at] = F[NSP + 2];
        int fluid = !stage.open || stage.open[at] + stage.open[at + stride] > 0;
        if (nets.scaled && fluid)
            atomicAdd(&found->scaled, 1ULL);
        if (nets.blended && fluid)
            atomicAdd(&found->blended, 1ULL);
    }
}

static __global__ void update_kernel(kb_flow_stage stage, int direction, const double *flux,
                                     int first)
{
    const kb_flow_grid *g = &stage.grid;
    int i = (int)(blockIdx.x * BLOCK + threadIdx.x);
    double h = stage.dt / (direction ? g->dy : g->dx);
    if (i >= g->nx)
        return;
    for (int j = (int)blockIdx.y; j < g->ny; j += (int)gridDim.y) {
        long at = kb_flow_at(g, i, j), stride = direction ? g->pitch : 1;
        for (int k = 0; k < NQ; k++) {
            const double *F = flux + k * g->plane + at;
            cell_update(&stage, at, k, F[-stride], F[0], h, first, 1);
        }
    }
}

static void make_room(const kb_flow_grid *g)
{
    size_t size = (size_t)(NQ * g->plane) * sizeof *flux;
    if (!found)
        check(cudaMallocManaged((void **)&found, sizeof *found), "memory for results");
    if (size <= flux_size)
        return;
    cudaFree(flux);
    check(cudaMalloc((void **)&flux, size), "memory for fluxes");
    flux_size = size;
}

static void sweep(const kb_flow_stage *stage, int direction, kb_flow_nets *nets)
{
    const kb_flow_grid *g = &stage->grid;
    make_room(g);
    check(cudaDeviceSynchronize(), "flux"); /* before the host writes to found */
    found->scaled = found->blended = 0;
    KB_LAUNCH(flux_kernel, blocks(g->nx + 1, g->ny + direction), BLOCK, *stage, direction, flux,
              found);
    KB_LAUNCH(update_kernel, blocks(g->nx, g->ny), BLOCK, *stage, direction, flux,
              direction == 0 || g->nx == 1);
    check(cudaGetLastError(), "launch of a sweep");
    check(cudaDeviceSynchronize(), "sweep");
    nets->scaled += (long)found->scaled;
    nets->blended += (long)found->blended;
}

/* ---- primitive variables, rate, impossible cells ---- */

static __global__ void primitive_kernel(kb_flow_stage stage, const double *q, double *w, int gx,
                                        int gy, findings *found)
{
    const kb_flow_grid *g = &stage.grid;
    __shared__ unsigned long long highest;
    int i = (int)(blockIdx.x * BLOCK + threadIdx.x) - gx;
    double most = 0;
    for (int j = (int)blockIdx.y - gy; j < g->ny + gy && i < g->nx + gx; j += (int)gridDim.y) {
        long at = kb_flow_at(g, i, j);
        mask bad;
        double rate = cell_primitive(&stage, q, w, at, 1, &bad);
        most = rate > most ? rate : most;
        if (bad)
            atomicMin(&found->bad, (unsigned long long)at);
    }
    unsigned long long bits = (unsigned long long)__double_as_longlong(most);
    if (threadIdx.x == 0)
        highest = 0;
    __syncthreads();
    if (bits > highest)
        atomicMax(&highest, bits);
    __syncthreads();
    if (threadIdx.x == BLOCK - 1)
        atomicMax(&found->rate, highest);
}

static kb_flow_health primitive(const kb_flow_stage *stage, const double *q, double *w, int ghosts)
{
    const kb_flow_grid *g = &stage->grid;
    int gx = ghosts && g->nx > 1 ? KB_GHOST : 0, gy = ghosts && g->ny > 1 ? KB_GHOST : 0;
    kb_flow_health h;
    make_room(g);
    check(cudaDeviceSynchronize(), "primitive variables");
    found->rate = 0;
    found->bad = ~0ULL;
    KB_LAUNCH(primitive_kernel, blocks(g->nx + 2 * gx, g->ny + 2 * gy), BLOCK, *stage, q, w, gx, gy,
              found);
    check(cudaGetLastError(), "launch of the primitive variables");
    check(cudaDeviceSynchronize(), "primitive variables");
    memcpy(&h.rate, &found->rate, sizeof h.rate);
    h.bad = found->bad == ~0ULL ? -1 : (long)found->bad;
    return h;
}

/* ---- the engine ---- */

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
    .release = release, .ghosts = ghosts, .sweep = sweep, .primitive = primitive, .energy = energy};
