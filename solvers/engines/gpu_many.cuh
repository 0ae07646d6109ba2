/* SPDX-License-Identifier: MIT
 *
 * The loop over ODEs of a block of gpu-many-float: KB_MANY of them, in lockstep, KB_TEAM threads
 * each (solvers/portable/many.h), which have the same copy of what lives as long as their ODE.
 * All threads of the block take part in loading and writing out; threads of other ODEs write where
 * nobody reads.
 */
#pragma once

#define team_ode(o) kb_ode o = {}

/* for the ODEs under `free`: the place after this one, -1 at first; n or more: none is left */
static __device__ void take_many(const device_batch &d, mask free, long *place)
{
    __shared__ long next[KB_MANY];
    long after = *place < 0 ? (long)blockIdx.x * KB_MANY + many_lane()
                            : *place + (long)gridDim.x * KB_MANY;
    team_sync();
    if (free && team_rank() == 0)
        next[many_lane()] = d.batch.refill ? (long)atomicAdd(d.next, 1ULL) : after;
    team_sync();
    if (free)
        *place = if_queued(d, next[many_lane()]);
}

/* loads ODEs in the place of those that have ended by the schedule; returns the new ones */
static __device__ mask load_many(const kb_run &run, const device_batch &d, long *place, kb_ode &o,
                                 lane *y)
{
    mask first = *place < 0, free = !o.active & (*place < d.batch.n);
    if ((!d.batch.refill && lane_any(o.active)) || !lane_any(free))
        return mask_none();
    take_many(d, free, place);
    mask starting = free & (*place < d.batch.n);
    if (!lane_any(starting))
        return starting;
    kb_ode other = {};
    long k = starting ? ode_at(d, *place) : 0;
    /* at first every ODE gets a state that one can compute with */
    load_lane(&run, &d.batch, k, 0, starting ? &o : &other,
              starting | first ? y : many_of(d.pool + blockIdx.x)->spare);
    if (starting && run.pass)
        o.rhs = splat(d.batch.count[k].rhs);
    return starting;
}

/* writes out ODE k where it is done; nvcc 13.0 leaves out its counts if the others write theirs to
 * the thread's own memory */
static __device__ void retire_many(const device_batch &d, mask done, long k, kb_ode &o,
                                   const lane *y)
{
    kb_batch into = d.batch;
    kb_ode other = o;
    if (!lane_any(done))
        return;
    if (!done) {
        into.y = (double *)d.pool[blockIdx.x].spare;
        into.count = (kb_count *)d.pool[blockIdx.x].spare;
        k = 0;
    }
    retire_lane(&into, k, 0, done ? &o : &other, y);
}

static __device__ void retire_ended(const kb_run &run, const device_batch &d, long place, kb_ode &o,
                                    const lane *y)
{
    mask done = o.active & ((o.status != 0.0) | not_(o.t < run.dt));
    retire_many(d, done, place < d.batch.n ? ode_at(d, place) : 0, o, y);
}

static __device__ __forceinline__ void integrate(const kb_run &run, const device_batch &d,
                                                 METHOD_work *w, kb_ode &o)
{
    METHOD_persistent persistent = {};
    unsigned iterations = 0, used = 0;
    long place = -1;
    for (;;) {
        mask starting = load_many(run, d, &place, o, w->y);
        if (lane_any(starting))
            retire_ended(run, d, place, o, w->y); /* impossible states end here */
        if (!lane_any(o.active)) {
            if (lane_any(starting))
                continue;
            break;
        }
        if (stopped(d))
            break;
        if (lane_any(starting))
            METHOD_init(&run, &o, &persistent, w, starting);
        METHOD_step(&run, &o, &persistent, w);
        team_sync();
        iterations++;
        used += o.active;
        retire_ended(run, d, place, o, w->y);
    }
    if (team_rank() == 0 && d.use) {
        atomicAdd(&d.use[0], used);
        atomicAdd(&d.use[1], iterations);
    }
}

static __global__ void __launch_bounds__(MANY_THREADS, 1) drive(kb_run run, device_batch d)
{
    team_pool *mine = many_of(d.pool + blockIdx.x);
    team_ode(o);
    o.scratch = &mine->scratch;
    team_set_memory((team_memory *)&d.pool[blockIdx.x].memory);
    integrate(run, d, (METHOD_work *)&mine->work, o);
}
