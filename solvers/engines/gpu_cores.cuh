/* SPDX-License-Identifier: MIT
 *
 * The slices of an engine with KB_CORES, refill, and its option `cores`. The longest ODE of a slice
 * takes as long as thousands of others, so the first slice is small, that its copy takes little
 * time, and the others are as large as can be.
 *
 * With `cores` the host's cores integrate ODEs of the same batch, by the same method in floats,
 * while the device does the others: where attempts are many or large a device is worth 70 to 130
 * cores, so that the 16 of its host are not to stand idle. Both take from the beginning of what is
 * left (kb_job.next): the device slices, a core as many ODEs as it has lanes free. One core is left
 * to the thread that drives the device.
 */
#pragma once

#include "solvers/engines/gpu_slices.cuh"

/* cores that a device is taken for until both have done something */
#define DEVICE_CORES 128
/* ODEs of a lane of the cores that one of their last ODEs may take as long as */
#define CORES_LONGEST 16
/* of the cores' speed so far, what is counted on: the device begins with its costly ODEs, so that
 * it seems slower than it is, and cores that are idle at the end cost less than one more slice of
 * the device, which takes as long as its longest ODE */
#define CORES_SURE 0.65

struct cores_part {
    kb_job job; /* threads 0: without cores */
    kb_result result;
    kb_error err;
    int code;
    std::thread thread;
    long next; /* the first ODE that nobody has taken; shared with the cores */
    volatile int stop, ended;
    double options[KB_MAX_OPTIONS + 1];
};

static void describe_part(const gpu_batch *b, cores_part *c)
{
    const kb_option *theirs = ON_SIMD.info.options;
    c->job = *b->job;
    c->job.next = &c->next;
    c->job.stop = &c->stop;
    c->job.threads = std::max(1, omp_get_max_threads() - 1);
    c->job.options = c->options;
    for (int k = 0; theirs[k].name; k++) /* the method's come first */
        c->options[k] = !strcmp(theirs[k].name, "float") ? 1
                        : k >= METHOD_OPTIONS            ? theirs[k].value
                        : b->job->options                ? b->job->options[k]
                                                         : method_options[k].value;
    c->result = *b->result;
    c->result.trail = NULL;
}

/* of the slices in flight: ODEs that the device has begun, and all */
static int count_begun(const gpu_batch *b, long *begun, long *flying, kb_error *err)
{
    for (const flight &f : b->flights) {
        unsigned long long next = 0;
        *flying += f.n;
        cudaError_t e = f.n ? cudaEventQuery(f.at[KERNEL]) : cudaErrorNotReady;
        if (e == cudaErrorNotReady)
            continue;
        CHECK(e);
        CHECK(cudaMemcpyAsync(&next, f.next, sizeof next, cudaMemcpyDeviceToHost, b->signals));
        CHECK(cudaStreamSynchronize(b->signals));
        *begun += (long)std::min(next, (unsigned long long)f.n);
    }
    return KB_OK;
}

/* ODEs that the device is to have beside its slices, so that it ends with the cores: of those that
 * nobody has begun its part, as of all that were, less what is left of its slices. taken, done:
 * ODEs of its slices, and of the slices that it has finished. Without cores: all. */
static int due(const gpu_batch *b, const cores_part *c, long taken, long done, long *n,
               kb_error *err)
{
    long next = __atomic_load_n(&c->next, __ATOMIC_RELAXED), begun = done, all = done;
    double cores = c->job.threads, device = DEVICE_CORES;
    double long_ones = CORES_LONGEST * cores * ON_SIMD.info.lanes;
    if (cores > 0 && count_begun(b, &begun, &all, err))
        return KB_INVALID;
    if (begun && next > taken)
        cores = CORES_SURE * (double)(next - taken), device = (double)begun;
    double left = (double)(b->job->n - next), waiting = (double)(all - begun);
    *n = (long)std::min(left, device / (cores + device) * (left + waiting) - waiting + long_ones);
    return KB_OK;
}

/* of `all` that are due; 0: too few to fill the device, which the cores do */
static long next_slice(const gpu_batch *b, const cores_part *c, long taken, long all)
{
    if (c->job.threads && taken && all < b->resident)
        return 0;
    long n = std::min(all, b->plan.slice);
    if (!taken && b->plan.flights > 1)
        n /= 4;
    return std::max(n, std::min(all, 1L));
}

/* There is no thread if its stack finds no room. */
static int start_cores(cores_part *c, kb_error *err)
{
    try {
        c->thread = std::thread([c] {
            c->code = ON_SIMD.run(&ON_SIMD, &c->job, &c->result, &c->err);
            c->ended = 1;
        });
    } catch (const std::system_error &e) {
        return kb_fail(err, KB_INVALID, "no thread for the host's cores: %s", e.what());
    }
    return KB_OK;
}

static int run_device(gpu_batch *b, cores_part *c, kb_error *err)
{
    int flights = std::min(b->plan.flights, 2);
    long taken = 0, done = 0, all = 0;
    b->result->slices = 0;
    for (long k = 0, idle = 0; idle < flights; k++) {
        if (k == flights && c->job.threads && start_cores(c, err)) /* the device has work */
            return KB_INVALID;
        flight *f = &b->flights[k % flights];
        done += f->n;
        if (f->n && finish_slice(b, f, err))
            return KB_INVALID;
        if (c->ended && c->code) /* told when they are joined */
            return halt(b, err);
        if (b->stopping || asked_to_stop(b))
            return halt(b, err) ? KB_INVALID : kb_fail(err, KB_INTERRUPTED, "interrupted");
        if (due(b, c, taken, done, &all, err))
            return KB_INVALID;
        long n = next_slice(b, c, taken, all);
        long first = n > 0 ? __atomic_fetch_add(&c->next, n, __ATOMIC_RELAXED) : b->job->n;
        n = std::min(n, b->job->n - first);
        idle = n > 0 ? 0 : idle + 1;
        if (n <= 0)
            continue;
        taken += n;
        if (launch_slice(b, f, first, n, err))
            return KB_INVALID;
        f->number = b->result->slices++;
    }
    return KB_OK;
}

static int run_large_slices(gpu_batch *b, kb_error *err)
{
    cores_part c = {};
    if (option(b->job, CORES) != 0)
        describe_part(b, &c);
    int code = run_device(b, &c, err);
    if (!c.thread.joinable())
        return code;
    c.stop = code;
    while (!c.ended && !c.stop) {
        pause_thread();
        c.stop = asked_to_stop(b);
    }
    c.thread.join();
    if (code || !c.code)
        return code;
    *err = c.err;
    return c.code;
}
