/* SPDX-License-Identifier: MIT
 *
 * What teams of a GPU need of CUDA, by the threads of a block that take turns on one thread of the
 * host, each from one barrier to the next: one round first to last, the next last to first, so that
 * what a missing barrier leaves to chance has another result. In C++; for headers included after
 * it.
 */
#pragma once

#include <cstdio>
#include <cstdlib>

#include "tests/team/turns.h"

#ifdef KB_MANY
enum { THREADS = KB_TEAM * KB_MANY };
#else
enum { THREADS = KB_TEAM };
#endif

#define __device__
#define __host__
#define __shared__ static
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))

static struct {
    unsigned x;
} threadIdx;

/* no signal masks: a switch is no call of the system */
static jmp_buf thread_at[THREADS], to_next;
static bool begun[THREADS], ended[THREADS];
static long went_on; /* barriers that all have reached, threads that have ended */

typedef struct {
    int size, waiting;
    unsigned turn;
} barrier;
static barrier team_barrier, warp_barrier[THREADS / 32];

static void wait_at(barrier *b)
{
    unsigned turn = b->turn;
    if (++b->waiting == b->size) {
        b->waiting = 0;
        b->turn++;
        went_on++;
    }
    while (b->turn == turn)
        if (!_setjmp(thread_at[threadIdx.x]))
            turn_jump(to_next, 1);
}

/* of those that order memory: exchanges and votes of a warp do not */
static int syncs_of[THREADS];
#define syncs syncs_of[threadIdx.x]
static void wait_for_warp() { wait_at(&warp_barrier[threadIdx.x / 32]); }
static void __syncthreads()
{
    syncs++;
    wait_at(&team_barrier);
}
static void __syncwarp()
{
    syncs++;
    wait_for_warp();
}
template <class number> static number __shfl_sync(unsigned of, number x, int from)
{
    if (of == 1u << threadIdx.x % 32) /* alone */
        return x;
    static number given[THREADS];
    given[threadIdx.x] = x;
    wait_for_warp();
    number y = given[threadIdx.x / 32 * 32 + from];
    wait_for_warp();
    return y;
}
template <class number> static number __shfl_xor_sync(unsigned, number x, int d)
{
    return __shfl_sync(~0u, x, (threadIdx.x % 32) ^ d);
}
static int any_of(int x, barrier *b, unsigned first)
{
    static int found[THREADS];
    found[threadIdx.x] = x;
    wait_at(b);
    int any = 0;
    for (int t = 0; t < b->size; t++)
        any |= found[first + t];
    wait_at(b);
    return any;
}
static int __syncthreads_or(int x)
{
    syncs++;
    return any_of(x, &team_barrier, 0);
}
static int __any_sync(unsigned, int x)
{
    return any_of(x, &warp_barrier[threadIdx.x / 32], threadIdx.x / 32 * 32);
}

static void thread_ends()
{
    ended[threadIdx.x] = true;
    went_on++;
    turn_jump(to_next, 1);
}

/* runs thread k up to its next barrier */
static void turn_of(unsigned k, void (*begin)())
{
    enum { STACK = THREADS > 512 ? 1 << 17 : 1 << 20 };
    static char stacks[THREADS][STACK];
    threadIdx.x = k;
    if (_setjmp(to_next))
        return;
    if (begun[k])
        turn_jump(thread_at[k], 1);
    begun[k] = true;
    ucontext_t at;
    getcontext(&at);
    at.uc_stack.ss_sp = stacks[k];
    at.uc_stack.ss_size = STACK;
    makecontext(&at, begin, 0);
    setcontext(&at);
}

/* every thread of the team runs work(its number) */
template <class function> static void team(function work)
{
    static function *all_do;
    all_do = &work;
    team_barrier = {THREADS, 0, 0};
    for (barrier &b : warp_barrier)
        b = {32, 0, 0};
    for (unsigned t = 0; t < THREADS; t++)
        begun[t] = ended[t] = false;
    long before = -1;
    for (went_on = 0; went_on > before;) {
        before = went_on;
        for (unsigned t = 0; t < 2 * THREADS; t++)
            if (unsigned k = t < THREADS ? t : 2 * THREADS - 1 - t; !ended[k])
                turn_of(k, [] {
                    (*all_do)(threadIdx.x);
                    thread_ends();
                });
    }
    all_do = nullptr;
    for (bool end : ended)
        if (!end) {
            fprintf(stderr, "threads of the team wait at different barriers\n");
            exit(1);
        }
}
