/* SPDX-License-Identifier: MIT
 *
 * The host side of the engines of a GPU for one method: KB_TEAM threads a team, KB_LANES ODEs on it
 * (solvers/engines.def). A batch is cut into slices by the memory that is free (gpu_plan.h);
 * several are in flight.
 */
#include "solvers/portable/lane.h"
#include "constants.h"
#if defined(KB_STRAIGHT) && !STRAIGHT_FITS
#include "solvers/solver.h"
extern "C" {
extern const kb_solver KB_SOLVER;
const kb_solver KB_SOLVER = {}; /* the plugin leaves it out */
}
#else

#include <cstdio>
#include "solvers/engine_names.h"
#include "solvers/engines/gpu_slices.cuh"

/* of the free memory, this part is planned with: allocations are rounded up */
#define USABLE 0.9
/* gpu-thread and KB_CORES, refill: least ODEs of a slice for each thread; with fewer, a thread
 * that finishes finds none */
#define REFILL_WAVES 8
/* A batch of pairs is small up to this many times the ODEs that the device holds: its longest ODE
 * takes longer than all others, and less with more L1 cache for the tables. */
#define SMALL_WAVES 4
#define SMALL_CARVE 50 /* percent */

static const kb_option method_options[] = KB_METHOD_OPTIONS;
static_assert(sizeof method_options / sizeof *method_options <= KB_MAX_OPTIONS + 1,
              "kb_run.opt is too short");
static const int METHOD_OPTIONS = sizeof method_options / sizeof *method_options - 1;

/* the engine's options follow the method's */
enum { SLICE, CYCLES, OVERHEAD, BANDWIDTH, CARVE, COSTLY_FIRST, HOST };
#ifdef KB_CORES
enum { CORES = HOST }; /* in its place */
enum { LARGE = 4 };    /* most of a slice, in the least of others */
#endif
static const kb_option engine_options[] = {
    {"slice", "ODEs of a slice of the batch; 0: by free memory", 0, 0, 1e15, KB_WHOLE},
    {"cycles", "slices 0: of a queue, 1: by the t- and p-cycles of Sewerin and Rigopoulos 2015", 0,
     0, 1, KB_WHOLE},
    {"overhead", "of a copy [s], for cycles=1", 1e-3, 0, 1, KB_REAL},
    {"bandwidth", "of a copy [GB/s], for cycles=1", 8, 1e-3, 1e6, KB_REAL},
    {"carve", "of the L1 cache as shared memory [percent]; -1: as the engine needs it", -1, -1, 100,
     KB_WHOLE},
    {"costly_first", "refill takes the ODEs with the largest ||f|| first: 1, or 0", 1, 0, 1,
     KB_WHOLE},
#ifdef KB_CORES
    {"cores", "1: the host's cores do ODEs of the batch meanwhile (refill)", 0, 0, 1, KB_WHOLE}};
#else
    {"host", "costly ODEs that the host's cores do (refill, a batch in one slice)", 0, 0, 1e6,
     KB_WHOLE}};
#endif
static const int ENGINE_OPTIONS = sizeof engine_options / sizeof *engine_options;
static kb_option options[METHOD_OPTIONS + ENGINE_OPTIONS + 1];

static double option(const kb_job *job, int k)
{
    return job->options ? job->options[METHOD_OPTIONS + k] : engine_options[k].value;
}

/* ---- what the device can hold ---- */

static int block_size(const kb_job *job, int *block, kb_error *err)
{
    *block = KB_TEAM > 1 ? KB_TEAM : job->threads ? job->threads : 64;
    if (*block >= 32 && *block <= 1024 && *block % 32 == 0)
        return KB_OK;
    return kb_fail(err, KB_INVALID,
                   "a block of %d threads on " KB_ENGINE " (give a multiple of "
                   "32, at most 1024)",
                   *block);
}

enum { LOCAL_MOST = 512 * 1024 }; /* bytes of a thread, CUDA C++ programming guide */

static int fits_shared(const cudaDeviceProp *device, int block, kb_error *err)
{
    size_t asked = shared_memory(block), available = device->sharedMemPerBlockOptin;
    if (asked <= available)
        return KB_OK;
    if (KB_TEAM > 1)
        return kb_fail(err, KB_NOTHING,
                       KB_ENGINE ": an ODE takes %zu bytes of shared memory, a "
                                 "block of this device has %zu (use %s)",
                       asked, available, kb_engine_name[ENGINE_gpu_thread]);
    size_t most = available / (asked / block) / 32 * 32;
    char advice[64];
    if (most)
        snprintf(advice, sizeof advice, "give a smaller --block: at most %zu", most);
    else
        snprintf(advice, sizeof advice, "use %s", kb_engine_name[ENGINE_gpu_thread]);
    return kb_fail(err, KB_NOTHING,
                   KB_ENGINE ": a block of %d threads takes %zu bytes of shared "
                             "memory, a block of this device has %zu (%s)",
                   block, asked, available, advice);
}

/* what is not used as shared memory is L1 cache; -1: the driver chooses */
static int carve_asked(const gpu_batch *b, size_t shared, int *percent, kb_error *err)
{
    double asked = option(b->job, CARVE);
    if (asked != -1 && !(asked >= 0 && asked <= 100))
        return kb_fail(err, KB_INVALID, KB_ENGINE ": carve = %g, expected 0 to 100 percent, or -1",
                       asked);
    *percent = asked != -1            ? (int)asked
               : b->small             ? SMALL_CARVE
               : KB_SHARED            ? (KB_LANES == 1 ? 75 : 100)
               : KB_TEAM > 1          ? -1
               : shared               ? 100
                                      : 0;
    return KB_OK;
}

/* blocks that the device holds at a time */
static int resident_blocks(const cudaDeviceProp *device, gpu_batch *b, long *blocks, kb_error *err)
{
    int resident = 0, block = b->g.block;
    size_t shared = shared_memory(block);
    int code = fits_shared(device, block, err);
    code = code ? code : carve_asked(b, shared, &b->carve, err);
    code = code ? code : set_shared(b, err);
    if (code)
        return code;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, drive, block, shared));
    if (!resident)
        return gpu_failed(cudaErrorLaunchOutOfResources, "occupancy", err), KB_INVALID;
    *blocks = (long)resident * device->multiProcessorCount;
    if (shared && (KB_TEAM == 1 || KB_LANES == 2) && option(b->job, CARVE) == -1 && !b->small)
        return used_share(drive, device, resident, block, &b->carve, err);
    return KB_OK;
}

/* of a small batch, which is marked as such, those beside more cache */
static int count_blocks(const cudaDeviceProp *device, gpu_batch *b, long *blocks, kb_error *err)
{
    const kb_job *job = b->job;
    int code = resident_blocks(device, b, blocks, err);
    if (code || KB_LANES == 1 || !KB_SHARED || option(job, CARVE) != -1 ||
        job->schedule != KB_REFILL || job->n > SMALL_WAVES * KB_LANES * *blocks)
        return code;
    long fewer = 0;
    b->small = true;
    code = resident_blocks(device, b, &fewer, err);
    if (!code && fewer < 2L * device->multiProcessorCount) { /* too large for that */
        b->small = false;
        return resident_blocks(device, b, blocks, err);
    }
    *blocks = fewer;
    return code;
}

/* A launch without ODEs: the driver loads the kernel and reserves the local memory of all threads
 * that can be resident, so that what is free afterwards is free for slices. */
static int reserve(const gpu_batch *b, const cudaDeviceProp *device, kb_error *err)
{
    cudaFuncAttributes a;
    int *iterations = NULL;
    device_batch d = {};
    CHECK(cudaFuncGetAttributes(&a, drive));
    if (a.localSizeBytes > LOCAL_MOST)
        return kb_fail(err, KB_NOTHING,
                       KB_ENGINE ": an ODE takes %zu bytes of local memory, a "
                                 "thread of any device has at most %d (use %s or %s)",
                       (size_t)a.localSizeBytes, LOCAL_MOST, kb_engine_name[ENGINE_gpu_warp],
                       kb_engine_name[ENGINE_gpu_block]);
    CHECK(cudaMalloc(&iterations, b->g.block * sizeof *iterations));
    d.iterations = iterations;
    cudaLaunchConfig_t c = launch(1, b->g.block, shared_memory(b->g.block), 0);
    cudaError_t e = cudaLaunchKernelEx(&c, drive, b->run, d);
    e = e == cudaSuccess ? cudaDeviceSynchronize() : e;
    cudaFree(iterations);
    if (e != cudaErrorMemoryAllocation)
        return gpu_failed(e, "first launch", err) ? KB_INVALID : KB_OK;
    double threads = (double)device->multiProcessorCount * device->maxThreadsPerMultiProcessor;
    return kb_fail(err, KB_INVALID,
                   "device memory: no room for the local memory of the threads, "
                   "about %.0f MB (%zu bytes each); end other programs on the device, or use "
                   "%s",
                   1e-6 * threads * (double)a.localSizeBytes, a.localSizeBytes,
                   kb_engine_name[ENGINE_gpu_warp]);
}

/* [B] that may be planned with: of the free memory, or what KB_GPU_MEMORY allows */
static int usable_memory(double *memory, kb_error *err)
{
    size_t free_now = 0, all = 0;
    CHECK(cudaMemGetInfo(&free_now, &all));
    *memory = USABLE * (double)free_now;
    const char *limit = getenv("KB_GPU_MEMORY");
    if (!limit)
        return KB_OK;
    char *end;
    double most = strtod(limit, &end);
    if (end == limit || *end || !(most > 0))
        return kb_fail(err, KB_INVALID, "KB_GPU_MEMORY: '%s' is not a number of bytes", limit);
    *memory = std::min(*memory, most);
    return KB_OK;
}

#ifdef KB_CORES
static bool has_large_slices(const gpu_batch *b)
{
    return b->job->schedule == KB_REFILL && !b->on_device && option(b->job, CYCLES) == 0;
}
#endif

/* what the split asks for, and the sizes of this method */
static void describe_need(const gpu_batch *b, long resident, kb_gpu_need *d)
{
    const kb_job *job = b->job;
    d->n = job->n;
    d->once = sizeof *b->flights->next + (KB_POOLED ? (double)resident * sizeof(team_pool) : 0);
    d->in = (N + 1) * sizeof(double);
#ifdef KB_FORCED
    d->in = columns_of(job) * sizeof(double);
#endif
    d->out = N * sizeof(double) + sizeof(kb_count);
    d->ode = (b->on_device ? 0 : d->in + d->out) + sizeof(int);
    d->unit = b->g.odes;
    d->wave = resident * b->g.odes;
    if (KB_TEAM == 1 && job->schedule == KB_REFILL)
        d->wave *= REFILL_WAVES;
#ifdef KB_CORES
    if (KB_TEAM > 1 && job->schedule == KB_REFILL)
        d->wave *= REFILL_WAVES;
#endif
    if (b->small) /* one slice, whose queue has all costly ODEs first */
        d->wave = std::max(d->wave, job->n);
    d->packed = !b->on_device && !b->direct;
    d->split = option(job, CYCLES) != 0 ? KB_SPLIT_CYCLES : KB_SPLIT_QUEUE;
    d->slice = (long)std::min(std::max(option(job, SLICE), 0.0), 1e15);
    if (b->on_device && !d->slice) /* no copies that a kernel could run beside */
        d->slice = job->n;
#ifdef KB_CORES /* at most; see next_slice */
    if (has_large_slices(b) && b->direct && !d->slice)
        d->slice = job->n > LARGE * d->wave ? LARGE * d->wave
                   : job->n > d->wave       ? job->n * 7 / 8
                                            : job->n;
#endif
    d->overhead = option(job, OVERHEAD);
    d->bandwidth = 1e9 * option(job, BANDWIDTH);
}

static int find_need(gpu_batch *b, kb_gpu_need *d, kb_error *err)
{
    cudaDeviceProp device;
    long resident = 0;
    *d = {};
    CHECK(cudaGetDeviceProperties(&device, 0));
    int code = block_size(b->job, &b->g.block, err);
    code = code ? code : count_blocks(&device, b, &resident, err);
    code = code ? code : reserve(b, &device, err);
    code = code ? code : usable_memory(&d->memory, err);
    if (code)
        return code;
    b->g.odes = b->g.block / KB_TEAM * KB_LANES;
    if (KB_POOLED) /* fewer teams where two pools would take more than half of the memory */
        resident = std::min(resident, std::max(1L, (long)(d->memory / 4 / sizeof(team_pool))));
    b->g.most = b->job->schedule == KB_REFILL || KB_POOLED ? resident : 0;
    b->resident = resident * b->g.odes;
    find_direct(b);
    describe_need(b, resident, d);
    return KB_OK;
}

/* costly ODEs that the host's cores are to have */
static long of_host(const gpu_batch *b)
{
#ifdef KB_CORES
    return 0;
#endif
    return b->may_sort && !b->on_device ? std::min((long)option(b->job, HOST), b->job->n) : 0;
}

/* Costly ODEs first only where ODEs of a slice wait for others; then, or with the first pass,
 * memory for the order is planned too. */
static int plan_slices(gpu_batch *b, kb_gpu_need d, kb_error *err)
{
    int code = kb_gpu_plan_make(&d, &b->plan, err);
    b->costly_first =
        b->may_sort && (of_host(b) > 0 || b->plan.slice > b->g.most * b->g.odes);
#ifdef KB_MANY /* ODEs of a block are in lockstep: alike ones side by side, in one wave, too */
    b->costly_first = b->may_sort;
#endif
    b->surveyed = b->costly_first || b->run.pass;
    if (code || !b->surveyed)
        return code;
    d.ode += sizeof *b->flights->order.key + sizeof *b->flights->order.order;
    d.once += (2 * ORDER_KEYS + 1) * sizeof *b->flights->order.start;
    return kb_gpu_plan_make(&d, &b->plan, err);
}

/* Plans and allocates; smaller slices when there is less memory than it seemed */
static int make_room(gpu_batch *b, kb_error *err)
{
    kb_gpu_need d;
    if (int code = find_need(b, &d, err))
        return code;
    for (;; d.memory /= 2) {
        if (int code = plan_slices(b, d, err))
            return code;
        cudaError_t e = allocate(b);
        if (e != cudaErrorMemoryAllocation)
            return gpu_failed(e, "buffers of a slice", err) ? KB_INVALID : KB_OK;
        free_flights(b);
    }
}

/* ---- one batch ---- */

static int open_batch(gpu_batch *b, kb_error *err)
{
    CHECK(cudaMalloc(&b->device, sizeof *b->device));
    CHECK(cudaMallocHost(&b->host, sizeof *b->host));
    CHECK(cudaMemset(b->device, 0, sizeof *b->device));
    CHECK(cudaStreamCreateWithFlags(&b->signals, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&b->begin));
    CHECK(cudaEventCreate(&b->end));
    for (int k = 0; k < b->plan.flights; k++) {
        CHECK(cudaStreamCreateWithFlags(&b->flights[k].stream, cudaStreamNonBlocking));
        for (cudaEvent_t &e : b->flights[k].at)
            CHECK(cudaEventCreate(&e));
    }
    if (open_share(&b->share, b->plan.slices == 1 ? of_host(b) : 0, err))
        return KB_INVALID;
    CHECK(cudaDeviceSynchronize());
    return KB_OK;
}

static void close_batch(gpu_batch *b)
{
    cudaDeviceSynchronize();
    close_share(&b->share);
    for (flight &f : b->flights) {
        for (cudaEvent_t e : f.at)
            if (e)
                cudaEventDestroy(e);
        if (f.stream)
            cudaStreamDestroy(f.stream);
    }
    free_flights(b);
    if (b->begin)
        cudaEventDestroy(b->begin);
    if (b->end)
        cudaEventDestroy(b->end);
    if (b->signals)
        cudaStreamDestroy(b->signals);
    cudaFree(b->device);
    cudaFreeHost(b->host);
    cudaGetLastError(); /* what failed was told; the next call starts without it */
}

/* the host's part of the batch, beside the kernel */
static int help(gpu_batch *b, kb_error *err)
{
    if (await(b, b->share.known, err))
        return KB_INVALID;
    int code = b->stopping ? KB_OK : integrate_share(&b->share, b->job, err);
    return code == KB_INTERRUPTED ? KB_OK : code; /* what is under way is ended by the caller */
}

#ifdef KB_CORES
#include "solvers/engines/gpu_cores.cuh"
#endif

/* slice k starts when slice k - flights is finished */
static int run_slices(gpu_batch *b, kb_error *err)
{
#ifdef KB_CORES
    if (has_large_slices(b))
        return run_large_slices(b, err);
#endif
    const kb_gpu_plan *p = &b->plan;
    long slices = b->result->slices;
    for (long k = 0; k < slices + p->flights; k++) {
        flight *f = &b->flights[k % p->flights];
        if (f->n && finish_slice(b, f, err))
            return KB_INVALID;
        if (b->stopping || asked_to_stop(b))
            return halt(b, err) ? KB_INVALID : kb_fail(err, KB_INTERRUPTED, "interrupted");
        long first = k * p->slice, n = std::min(p->slice, b->job->n - first);
        if (k < slices && launch_slice(b, f, first, n, err))
            return KB_INVALID;
        if (k < slices && b->share.most && help(b, err))
            return KB_INVALID;
    }
    join_share(&b->share, b->result);
    return KB_OK;
}

/* times from before the first slice is packed until the last is unpacked */
static int time_slices(gpu_batch *b, kb_error *err)
{
    float ms;
    kb_result *r = b->result;
    cudaStream_t stream = b->flights[0].stream;
    r->slices = (b->job->n + b->plan.slice - 1) / b->plan.slice;
    r->resident = b->resident;
    CHECK(cudaEventRecord(b->begin, stream));
    if (int code = run_slices(b, err))
        return code;
    CHECK(cudaEventRecord(b->end, stream));
    CHECK(cudaMemcpyAsync(b->host, b->device, sizeof *b->host, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventElapsedTime(&ms, b->begin, b->end));
    r->total = 1e-3 * ms;
    r->copy_in = b->part[COPY_IN].sum;
    r->kernel = b->part[KERNEL].sum;
    r->copy_out = b->part[COPY_OUT].sum;
    r->lane_use = b->host->all ? (double)b->host->used / (double)b->host->all : 1;
    r->lanes = KB_TEAM == 1 ? 32 : KB_LANES;
    r->threads = b->g.block;
    return KB_OK;
}

static void start_batch(gpu_batch *b, const kb_job *job)
{
    *b = {};
    b->run = run_of(job, method_options, METHOD_OPTIONS);
    b->job = job;
    b->may_sort = job->schedule == KB_REFILL && option(job, COSTLY_FIRST) != 0;
}

static int run_batch(const kb_solver *, const kb_job *job, kb_result *result, kb_error *err)
{
    gpu_batch b;
    start_batch(&b, job);
    b.result = result;
    if (int code = gpu_available(err))
        return code;
    if (job->stop && *job->stop)
        return kb_fail(err, KB_INTERRUPTED, "interrupted");
    int code = make_room(&b, err);
    code = code ? code : open_batch(&b, err);
    code = code ? code : time_slices(&b, err);
    close_batch(&b);
    return code;
}

/* ---- many batches on the device ---- */

static double value_of(const kb_job *job, int k)
{
    return job->options ? job->options[k] : options[k].value;
}

static int open_resident(const kb_solver *, const kb_job *shape, void **run, kb_error *err)
{
    gpu_batch *b = (gpu_batch *)kb_alloc(1, sizeof *b);
    double *own = (double *)kb_alloc(METHOD_OPTIONS + ENGINE_OPTIONS, sizeof *own);
    *run = b;
    start_batch(b, shape);
    for (int k = 0; k < METHOD_OPTIONS + ENGINE_OPTIONS; k++)
        own[k] = value_of(shape, k);
    b->shape = *shape;
    b->shape.options = own;
    b->job = &b->shape;
    b->on_device = true;
    int code = gpu_available(err);
    code = code ? code : make_room(b, err);
    return code ? code : open_batch(b, err);
}

/* buffers, plan and the order of the queue are those of the shape */
static int check_shape(const gpu_batch *b, const kb_job *job, kb_error *err)
{
    const kb_job *s = &b->shape;
    for (int k = 0; k < METHOD_OPTIONS + ENGINE_OPTIONS; k++)
        if (value_of(job, k) != s->options[k])
            return kb_fail(err, KB_INVALID, KB_ENGINE ": %s = %g, but the run was opened with %g",
                           options[k].name, value_of(job, k), s->options[k]);
    if (job->n > s->n)
        return kb_fail(err, KB_INVALID, KB_ENGINE ": %ld ODEs, but the run was opened for %ld",
                       job->n, s->n);
    if (job->schedule == s->schedule && job->threads == s->threads && job->reactor == s->reactor)
        return KB_OK;
    return kb_fail(err, KB_INVALID,
                   KB_ENGINE ": the run was opened with another schedule, block or reactor");
}

static int pass_resident(void *run, const kb_job *job, kb_result *result, kb_error *err)
{
    gpu_batch *b = (gpu_batch *)run;
    if (int code = check_shape(b, job, err))
        return code;
    b->run = run_of(job, method_options, METHOD_OPTIONS);
    b->job = job;
    b->result = result;
    b->stopping = false;
    for (busy &part : b->part)
        part = {};
    if (job->stop && *job->stop)
        return kb_fail(err, KB_INTERRUPTED, "interrupted");
    CHECK(cudaMemset(b->device, 0, sizeof *b->device));
    CHECK(cudaDeviceSynchronize()); /* the streams of the flights wait for no other */
    int code = time_slices(b, err);
    if (!code)
        return KB_OK;
    cudaDeviceSynchronize(); /* the other flights write into the caller's arrays, too */
    for (flight &f : b->flights)
        f.n = 0;
    return code;
}

static void close_resident(void *run)
{
    gpu_batch *b = (gpu_batch *)run;
    if (!b)
        return;
    close_batch(b);
    free((void *)b->shape.options);
    free(b);
}

static kb_solver_info describe(void)
{
    std::copy(method_options, method_options + METHOD_OPTIONS, options);
    std::copy(engine_options, engine_options + ENGINE_OPTIONS, options + METHOD_OPTIONS);
    return {.name = KB_TEXT(KB_METHOD),
            .engine = KB_ENGINE,
            KB_METHOD_INFO,
            .options = options,
            .lanes = KB_TEAM == 1 ? 32 : KB_LANES,
            .bytes_per_ode = (sizeof(METHOD_work) + (KB_TEAM > 1 ? sizeof(kb_scratch) : 0) +
                              (TEAM_GLOBAL ? sizeof(team_memory) : 0)) /
                             KB_LANES};
}

extern "C" {
extern const kb_solver KB_SOLVER;
const kb_solver KB_SOLVER = {.info = describe(),
                             .run = run_batch,
                             .open = open_resident,
                             .pass = pass_resident,
                             .close = close_resident};
}
#endif
