/* SPDX-License-Identifier: MIT
 *
 * Portable layer: a method is written once with the names below and compiled for every engine:
 *
 *   lane        one real number of each ODE of a vector: a double, or KB_LANES of them (on a GPU at
 *               most two: pair.h)
 *   mask        a truth value for each of them
 *   vexp_finite vexp of an |x| below 1e9; vexp_units of x/KB_EXP_UNIT, where a factor of x can
 *               have the unit, also below 1e9; vexp_decay the same where x is not positive
 *   kb_scalar, kb_flag  a lane and a mask that live as long as an ODE
 *   kb_stored   what the matrix holds of a lane: the lane itself, or a float for each ODE
 *               (pair.h). With one another they are added and multiplied as such, with a lane as
 *               lanes
 *   kb_fn       storage class of every function of a method; kb_law that of a formula, in line
 *   KB_TABLE    storage class of a table of constants
 *   each(i, n)  the loop over i in [0, n), shared by the team; iterations independent
 *   each_back(i, n)      the same from the last thread on: for a short loop after another short one
 *   each_from(i, n, k)   the same from thread k of the team on
 *   each_next(i, n)      the same; i on the thread that has i + 1 in each
 *   each_sum, each_max   the same, for a loop that adds to s or takes the largest; each_sums
 *                        (i, n, ...) for several sums; each_next_sum, each_next_sums; each_any for
 *                        one that finds out whether something is true anywhere
 *   team_sync   barrier of the team
 *   team_sum    sum over the team of its threads' partial sums of a loop each(i, count), the same
 *               bits on each thread; team_max likewise; team_sums for n numbers at once; team_any
 *               whether something is true on any thread, team_any_of for each ODE. All end with a
 *               sync
 *   vlog_same   vlog of what is the same on all threads of the team
 *   team_array  a local array that the team shares; team_long one that grows with the mechanism
 *               (team_memory.h)
 *
 * A team is the KB_TEAM threads of one lane: one, a warp, or a block (solvers/engines.def). Every
 * thread of it runs the whole method. Scalars are private and the same on all; arrays are shared,
 * written in each alone, and read at another index only after a team_sync.
 */
#pragma once

#include <math.h>
#include <stdint.h>

#ifdef KB_PAIR_FLOAT /* two ODEs, matrix and factors in floats */
#define KB_LANES 2
#endif
#ifndef KB_LANES
#define KB_LANES 1
#endif
#ifndef KB_TEAM
#define KB_TEAM 1 /* threads of a team */
#endif
/* 1: a team on a GPU, whose scratch for the Jacobian lies in global memory */
#if KB_TEAM > 1 && defined(__CUDACC__)
#define KB_SCRATCH_GLOBAL 1
#else
#define KB_SCRATCH_GLOBAL 0
#endif

#ifdef __CUDACC__
#define kb_fn static __device__
#define kb_law static __device__ __forceinline__
#define kb_seldom kb_fn /* a function that is hardly ever called */
#define KB_TABLE static __device__ __align__(16) const
#define KB_ALIGNED(n) __align__(n)
#else
#define kb_fn static inline __attribute__((unused))
#define kb_law static inline __attribute__((always_inline, unused))
#define kb_seldom static __attribute__((unused, noinline, cold))
#define KB_TABLE static const __attribute__((unused, aligned(64)))
#define KB_ALIGNED(n) __attribute__((aligned(n)))
#endif

#ifdef KB_STRAIGHT
#include "solvers/portable/branch_free.h"
#endif

#ifdef KB_MANY
#include "solvers/portable/many.h"
#else
#ifdef KB_COUNTED
typedef int mask;
#include "solvers/portable/counted.h"
#elif KB_LANES == 1

/* lets the compiler vectorise loops over exp and log with glibc's libmvec */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__CUDACC__) && !defined(__clang__)
double exp(double) __attribute__((simd("notinbranch")));
double log(double) __attribute__((simd("notinbranch")));
#endif

typedef double lane;
typedef int mask;

kb_fn lane splat(double x) { return x; }
kb_fn lane vselect(mask m, lane a, lane b) { return m ? a : b; }
kb_fn mask not_(mask m) { return !m; }
kb_fn int lane_any(mask m) { return m; }
#ifdef KB_STRAIGHT
kb_fn lane vexp(lane x) { return exponential(x); }
kb_fn lane vlog(lane x) { return logarithm(x); }
kb_fn lane vinverse(lane x) { return inverse(x); }
#else
kb_fn lane vexp(lane x) { return exp(x); }
kb_fn lane vlog(lane x) { return log(x); }
kb_fn lane vinverse(lane x) { return 1.0 / x; }
#endif
kb_fn lane vsqrt(lane x) { return sqrt(x); }
kb_fn lane vabs(lane x) { return fabs(x); }
kb_fn lane vfloor(lane x) { return floor(x); }
kb_fn double lane_get(lane v, int l) { (void)l; return v; }
kb_fn void lane_put(lane *v, int l, double x) { (void)l; *v = x; }
kb_fn mask mask_none(void) { return 0; }
kb_fn void mask_put(mask *m, int l, int on) { (void)l; *m = on != 0; }
kb_fn int mask_get(mask m, int l) { (void)l; return m != 0; }

#elif defined(__CUDACC__) || defined(KB_PAIR_FLOAT) /* or tests/team/pair_host.h */
#include "solvers/portable/pair.h"
#else

#ifdef KB_FLOAT_LANES /* float_factors.c */
typedef float kb_real;
typedef int32_t kb_truth;
#else
typedef double kb_real;
typedef int64_t kb_truth;
#endif
typedef kb_real lane __attribute__((vector_size(sizeof(kb_real) * KB_LANES)));
typedef kb_truth mask __attribute__((vector_size(sizeof(kb_real) * KB_LANES)));

kb_fn lane splat(kb_real x) { return x - (lane){0}; }
kb_fn lane vselect(mask m, lane a, lane b) { return (lane)((m & (mask)a) | (~m & (mask)b)); }
kb_fn mask not_(mask m) { return ~m; }
kb_fn int lane_any(mask m)
{
#if KB_LANES == 8 && defined(__AVX512DQ__) && !defined(KB_FLOAT_LANES)
    return __builtin_ia32_cvtq2mask512((long long __attribute__((vector_size(64))))m) != 0;
#else
    kb_truth a = 0;
    for (int l = 0; l < KB_LANES; l++)
        a |= m[l];
    return a != 0;
#endif
}
kb_fn lane vabs(lane x)
{
    const kb_truth all_but_sign = (kb_truth)(UINT64_MAX >> (65 - 8 * sizeof(kb_truth)));
    return (lane)((mask)x & (splat(0) == splat(0)) & all_but_sign);
}
kb_fn double lane_get(lane v, int l) { return v[l]; }
kb_fn void lane_put(lane *v, int l, double x) { (*v)[l] = x; }
kb_fn mask mask_none(void) { return (mask){0}; }
kb_fn void mask_put(mask *m, int l, int on) { (*m)[l] = on ? -1 : 0; }
kb_fn int mask_get(mask m, int l) { return m[l] != 0; }

#define KB_LANE_BY_LANE(name, function)                                                           \
    kb_fn lane name(lane x)                                                                       \
    {                                                                                             \
        for (int l = 0; l < KB_LANES; l++)                                                        \
            x[l] = function(x[l]);                                                                \
        return x;                                                                                 \
    }

/* in line with AVX-512, else glibc's libmvec where there is one of this width, else lane by lane */
#ifdef KB_FLOAT_LANES
#if KB_LANES == 16 && defined(__AVX512F__)
#include <immintrin.h>
/* 1/x from 14 bits and a step of Newton; NaN of 0 and of infinity */
kb_fn lane vinverse(lane x)
{
    lane y = (lane)_mm512_rcp14_ps((__m512)x);
    return y + y * (1.0f - x * y);
}
#else
kb_fn lane vinverse(lane x) { return 1.0f / x; }
#endif
KB_LANE_BY_LANE(vexp, expf)
KB_LANE_BY_LANE(vlog, logf)
#elif KB_LANES == 8 && defined(__AVX512DQ__)
#include "solvers/portable/lane_avx512.h"
#else
kb_fn lane vinverse(lane x) { return 1.0 / x; }
#if defined(__x86_64__) && defined(__GLIBC__) && KB_LANES == 4 && defined(__AVX2__)
lane _ZGVdN4v_exp(lane);
lane _ZGVdN4v_log(lane);
kb_fn lane vexp(lane x) { return _ZGVdN4v_exp(x); }
kb_fn lane vlog(lane x) { return _ZGVdN4v_log(x); }
#elif defined(__x86_64__) && defined(__GLIBC__) && KB_LANES == 2
lane _ZGVbN2v_exp(lane);
lane _ZGVbN2v_log(lane);
kb_fn lane vexp(lane x) { return _ZGVbN2v_exp(x); }
kb_fn lane vlog(lane x) { return _ZGVbN2v_log(x); }
#else
KB_LANE_BY_LANE(vexp, exp)
KB_LANE_BY_LANE(vlog, log)
#endif
#endif
KB_LANE_BY_LANE(vsqrt, sqrt)
KB_LANE_BY_LANE(vfloor, floor)

#endif
#endif

#if KB_LANES > 1 && !defined(KB_LANE_IS_PAIR)
#define KB_VECTOR 1 /* lanes of a vector register */
#else
#define KB_VECTOR 0
#endif

#ifndef KB_LANE_IS_PAIR
typedef lane kb_scalar;
typedef mask kb_flag;
#endif

/* a NaN in either argument stays a NaN, so that no error norm can lose one */
kb_fn lane vmax(lane a, lane b) { return vselect((b > a) | (b != b), b, a); }
kb_fn lane vmin(lane a, lane b) { return vselect((b < a) | (b != b), b, a); }
/* vexp_decay: of x <= 0 that may be huge, where the library's exp is slow */
#ifdef KB_VEXP_FINITE
kb_fn lane vexp_decay(lane x) { return vexp_units(x); }
#else
#define KB_EXP_UNIT 1.0
#ifdef KB_LANE_IS_PAIR /* has vexp_finite; its vexp has no slow x */
kb_fn lane vexp_units(lane x) { return vexp_finite(x); }
kb_fn lane vexp_decay(lane x) { return vexp(x); }
#else
kb_fn lane vexp_finite(lane x) { return vexp(x); }
kb_fn lane vexp_units(lane x) { return vexp(x); }
kb_fn lane vexp_decay(lane x) { return vexp(vmax(x, splat(-700))); }
#endif
#endif
#if !defined(KB_LANE_IS_PAIR) && !defined(KB_VCHOSEN)
/* element i of a where m, else of b */
kb_fn lane vchosen(mask m, const double *a, const double *b, int i)
{
    return vselect(m, splat(a[i]), splat(b[i]));
}
#endif
kb_fn mask is_finite(lane x) { return x - x == splat(0); }
/* x^y for x > 0 */
kb_fn lane vpow(lane x, lane y) { return vexp(y * vlog(x)); }

/* The sum of term(i) over [0, n) in four chains: with lanes one addition would wait for the other,
 * and the compiler may not change their order. */
#define KB_CHAINED (KB_VECTOR && KB_TEAM == 1) /* the threads of a team share a sum */
#if KB_CHAINED
#define chained_sum(i, n, term)                                                                    \
    ({                                                                                             \
        lane sum_[4] = {splat(0), splat(0), splat(0), splat(0)};                                   \
        for (int first_ = 0; first_ < (n); first_ += 4)                                            \
            KB_UNROLL4 for (int k_ = 0; k_ < 4; k_++) {                                            \
                int i = first_ + k_;                                                               \
                if (i < (n))                                                                       \
                    sum_[k_] += term;                                                              \
            }                                                                                      \
        sum_[0] + sum_[1] + (sum_[2] + sum_[3]);                                                   \
    })
#endif

#ifdef __CUDACC__
#define KB_UNROLL4 _Pragma("unroll")
#define KB_UNROLL _Pragma("unroll")
#define KB_NO_UNROLL _Pragma("unroll 1")
#else
#define KB_UNROLL4 _Pragma("GCC unroll 4")
#define KB_UNROLL _Pragma("GCC unroll 64")
#define KB_NO_UNROLL
#endif

/* Keeps an element of memory that several sums use in a register: GCC loads it again for each, and
 * there is one load a cycle. */
#if defined(__AVX512F__) && !defined(__CUDACC__) && KB_LANES > 1
#define KB_IN_REGISTER(x) __asm__("" : "+v"(x))
#elif defined(__x86_64__) && !defined(__CUDACC__) && KB_LANES > 1 && KB_LANES <= 4
#define KB_IN_REGISTER(x) __asm__("" : "+x"(x))
#else
#define KB_IN_REGISTER(x) ((void)0)
#endif

#ifndef KB_PAIR_FLOAT
typedef lane kb_stored;
#endif

/* With one lane the compiler vectorises the loops over i; with more they stay as they are. Those of
 * a team are not unrolled: the code of an attempt would not fit in the instruction cache. */
#if KB_TEAM > 1
#include "solvers/portable/team.h"
#define each(i, n) KB_NO_UNROLL for (int i = team_rank(); i < (n); i += KB_TEAM)
#define each_from(i, n, first)                                                                     \
    KB_NO_UNROLL for (int i = (team_rank() + KB_TEAM - (first)) % KB_TEAM; i < (n); i += KB_TEAM)
#define each_back(i, n) KB_NO_UNROLL for (int i = KB_TEAM - 1 - team_rank(); i < (n); i += KB_TEAM)
#define each_next(i, n) each_from(i, n, 1)
#define each_next_sum(s, i, n) each_next(i, n)
#define each_next_sums(i, n, ...) each_next(i, n)
#define each_sum(s, i, n) each(i, n)
#define each_sums(i, n, ...) each(i, n)
#define each_max(s, i, n) each(i, n)
#define each_any(i, n) each(i, n)
#else
#if KB_LANES == 1 && !defined(__CUDACC__) && !defined(KB_COUNTED)
#define KB_PRAGMA(x) _Pragma(#x)
#define each(i, n) KB_PRAGMA(omp simd) for (int i = 0; i < (n); i++)
#define each_sum(s, i, n) KB_PRAGMA(omp simd reduction(+ : s)) for (int i = 0; i < (n); i++)
#define each_sums(i, n, ...)                                                                      \
    KB_PRAGMA(omp simd reduction(+ : __VA_ARGS__)) for (int i = 0; i < (n); i++)
#elif defined(KB_STRAIGHT)
#define each(i, n) KB_UNROLL for (int i = 0; i < (n); i++)
#define each_sum(s, i, n) each(i, n)
#define each_sums(i, n, ...) each(i, n)
#else
#define each(i, n) for (int i = 0; i < (n); i++)
#define each_sum(s, i, n) each(i, n)
#define each_sums(i, n, ...) each(i, n)
#endif
#define each_from(i, n, first) each(i, n)
#define each_back(i, n) each(i, n)
#define each_next(i, n) each(i, n)
#define each_next_sum(s, i, n) each_sum(s, i, n)
#define each_next_sums(i, n, ...) each_sums(i, n, __VA_ARGS__)
#define each_max(s, i, n) for (int i = 0; i < (n); i++)
#define each_any(i, n) for (int i = 0; i < (n); i++)
#define team_rank() 0
#define team_sync() ((void)0)
#define team_sum(x, count) (x)
#define team_sums(x, n, count) ((void)(x))
#define team_max(x, count) (x)
#define team_sums_by(parts, x, n, count) ((void)(parts), (void)(x))
#define team_any(x) (x)
#define team_any_of(m) (m)
#define vlog_same(x) vlog(x)
enum { TEAM_PARTIAL = 1 };
#define team_array_of(type, name, n) type name[n]
#endif
#define team_array(name, n) team_array_of(lane, name, n)
