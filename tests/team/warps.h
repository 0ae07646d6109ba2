/* SPDX-License-Identifier: MIT
 *
 * What teams of a GPU need of CUDA, by KB_TEAM threads of the host, which exchange numbers as those
 * of a warp do. In C++; for headers that are included after it.
 */
#pragma once

#include <barrier>
#include <memory>
#include <thread>
#include <vector>

#define __device__
#define __host__
#define __shared__ static
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))

static thread_local struct {
    unsigned x;
} threadIdx;
static std::barrier<> team_barrier(KB_TEAM);
static std::unique_ptr<std::barrier<>> warp_barrier[KB_TEAM / 32];

/* of those that order memory: exchanges and votes of a warp do not */
static thread_local int syncs;
static void wait_for_warp() { warp_barrier[threadIdx.x / 32]->arrive_and_wait(); }
static void __syncthreads()
{
    syncs++;
    team_barrier.arrive_and_wait();
}
static void __syncwarp()
{
    syncs++;
    wait_for_warp();
}
template <class number> static number __shfl_sync(unsigned, number x, int from)
{
    static number given[KB_TEAM];
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
static int any_of(int x, unsigned first, unsigned end)
{
    static int found[KB_TEAM];
    found[threadIdx.x] = x;
    team_barrier.arrive_and_wait();
    int any = 0;
    for (unsigned t = first; t < end; t++)
        any |= found[t];
    team_barrier.arrive_and_wait();
    return any;
}
static int __syncthreads_or(int x)
{
    syncs++;
    return any_of(x, 0, KB_TEAM);
}
static int __any_sync(unsigned, int x)
{
    return any_of(x, threadIdx.x / 32 * 32, threadIdx.x / 32 * 32 + 32);
}

/* every thread of the team runs work(its number) */
template <class function> static void team(function work)
{
    std::vector<std::thread> threads;
    for (auto &w : warp_barrier)
        w = std::make_unique<std::barrier<>>(32);
    for (unsigned t = 0; t < KB_TEAM; t++)
        threads.emplace_back([=] {
            threadIdx.x = t;
            work(t);
        });
    for (auto &t : threads)
        t.join();
}
