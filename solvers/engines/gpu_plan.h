/* SPDX-License-Identifier: MIT
 *
 * How a batch is cut into slices that fit the device's memory and whose copies overlap kernels.
 * A slice is one copy in, one kernel, one copy out (a t-cycle of Sewerin and Rigopoulos 2015); with
 * two in flight, each on a stream and in buffers of its own, the copies of one run beside the
 * kernel of the other (two of them: a p-cycle). Where they are small, all slices of a queue are in
 * flight: the kernel of one begins where the longest ODEs of another leave the device idle.
 *
 * Storage: a slice in flight takes `ode` bytes for each of its ODEs and `once` bytes whatever its
 * size. The vectors of a method are not kept for each ODE but for each thread or team that is
 * resident: in `once`, or in shared or local memory, which are no part of this.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include "base/error.h"

typedef enum { KB_SPLIT_QUEUE, KB_SPLIT_CYCLES } kb_gpu_split;

/* what the device has and what the batch needs */
typedef struct {
    long n;           /* ODEs of the batch */
    double memory;    /* [B] of the device that may be used */
    double once;      /* [B] for each slice in flight */
    double ode;       /* [B] for each ODE of a slice in flight */
    double in, out;   /* [B] of these copied to and from the device */
    long unit;        /* a slice is a multiple of this: the ODEs of a block */
    long wave;        /* ODEs that a slice of a queue has at least: they fill the device */
    kb_gpu_split split;
    bool packed;      /* the host packs states and results in pinned memory of each slice */
    long slice;       /* as the user chose it; 0: planned */
    double overhead;  /* [s] of submitting a copy, cycles only */
    double bandwidth; /* [B/s] of a copy, cycles only */
} kb_gpu_need;

typedef struct {
    long slice;   /* ODEs, the last one may have fewer */
    long slices;
    int flights;  /* slices in flight: 1 to KB_GPU_SLICES */
} kb_gpu_plan;

/* A queue has this many slices, so that only a small part of the copies has no kernel beside it;
 * fewer where they would be smaller than a wave, more where memory is short */
#define KB_GPU_SLICES 8
/* [B] of more than two slices in flight: an ODE may take longer than all others of a small slice;
 * and where the first pass leaves little to do, kernels of two wait for copies. Less where the host
 * packs them in pinned memory of their own. */
#define KB_GPU_FLIGHTS 1e9
#define KB_GPU_FLIGHTS_PACKED 2.5e8
/* [B] of pinned host memory that a queue wants at most */
#define KB_GPU_PINNED 1e9

static inline long kb_gpu_up(double n, long unit) { return (long)ceil(n / (double)unit) * unit; }

/* The largest slice of which this many fit, a multiple of the unit; 0 if none does */
static inline long kb_gpu_capacity(const kb_gpu_need *d, double memory, int flights)
{
    double ode = floor((memory / flights - d->once) / d->ode);
    return ode < (double)d->unit ? 0 : (long)fmin(floor(ode / (double)d->unit), 1e15) * d->unit;
}

/* Sewerin and Rigopoulos 2015, Fig. B.13: one t-cycle, or s p-cycles of two slices of n/(2s) ODEs.
 * n_hd, Eqs. 34-35: a copy of fewer ODEs takes the time of its submission. (B.2 and B.3 print the
 * larger of free memory and largest buffer where the text of section 5.5 has the smaller; CUDA's
 * largest buffer is the free memory.) */
static inline long kb_gpu_cycles(const kb_gpu_need *d, long n1, long n2)
{
    double n = (double)d->n, most = fmax(d->in, d->out);
    double nhd = fmax(1, floor(d->overhead * d->bandwidth / most));
    if (n <= fmin(nhd, (double)n1))
        return d->n;
    double s = fmax(1, ceil(n / (2 * fmin(nhd, (double)n2))));
    return (long)ceil(n / (2 * s));
}

static inline long kb_gpu_queue(const kb_gpu_need *d)
{
    double wanted = fmax(ceil((double)d->n / KB_GPU_SLICES), (double)d->wave);
    long pinned = kb_gpu_capacity(d, KB_GPU_PINNED + 2 * d->once, 2);
    return (long)fmin(wanted, fmax((double)pinned, (double)d->unit));
}

static inline int kb_gpu_too_little(const kb_gpu_need *d, kb_error *err)
{
    double least = d->once + (double)d->unit * d->ode;
    return kb_fail(err, KB_INVALID, "device memory: %.0f bytes may be used, one block of %ld ODEs "
                   "takes %.0f (end other programs on the device, raise KB_GPU_MEMORY if it is "
                   "set, or take smaller blocks)", d->memory, d->unit, least);
}

/* Of slices > 1: as many as there is room for, more than two only while they are small */
static inline int kb_gpu_flights(const kb_gpu_need *d, long slice, long slices)
{
    int most = d->split == KB_SPLIT_CYCLES ? 2 : KB_GPU_SLICES, flights = 1;
    double each = d->once + (double)slice * d->ode;
    double several = d->packed ? KB_GPU_FLIGHTS_PACKED : KB_GPU_FLIGHTS;
    while (flights < most && flights < slices && (flights + 1) * each <= d->memory &&
           (flights < 2 || (flights + 1) * (double)slice * d->ode <= several))
        flights++;
    return flights;
}

/* error when not even a block fits */
static inline int kb_gpu_plan_make(const kb_gpu_need *d, kb_gpu_plan *plan, kb_error *err)
{
    long n1 = kb_gpu_capacity(d, d->memory, 1), n2 = kb_gpu_capacity(d, d->memory, 2);
    if (!n1)
        return kb_gpu_too_little(d, err);
    long most = n2 ? n2 : n1, slice = d->slice;
    if (!slice)
        slice = d->split == KB_SPLIT_CYCLES ? kb_gpu_cycles(d, n1, most) : kb_gpu_queue(d);
    if (slice >= d->n && d->n <= n1) {
        *plan = (kb_gpu_plan){d->n, 1, 1};
        return KB_OK;
    }
    slice = kb_gpu_up((double)slice, d->unit);
    slice = slice < most ? slice : most;
    long slices = (d->n + slice - 1) / slice;
    if (!d->slice) /* even: a short last slice would leave the device idle */
        slice = kb_gpu_up(ceil((double)d->n / (double)slices), d->unit);
    plan->slice = slice;
    plan->slices = (d->n + slice - 1) / slice;
    plan->flights = kb_gpu_flights(d, slice, plan->slices);
    return KB_OK;
}
