/* SPDX-License-Identifier: MIT
 *
 * lane.h for KB_MANY ODEs side by side on a GPU, each on a thread of its own: the threads of a warp
 * go through the same tables for different ODEs, so that an index is read once for all of them, and
 * an element of a vector is one line of memory. A lane in memory is as long as that line: a thread
 * has its own number of it, the others lie between, and its pointers begin many_lane() numbers
 * behind the pointers of the first. In registers it is the number alone. Numbers of the matrix are
 * floats. Included by lane.h; KB_LANES is 1.
 */
#pragma once
#define KB_LANE_IS_PAIR /* a class, with the operators of pair.h */
#define KB_PAIR_FLOAT
#define KB_SHARED_ARRAY_MOST 0
/* the loop over the strides of a list (bundles.h) */
#define MANY_STRIDES _Pragma("unroll 2")

#include "solvers/portable/branch_free.h"

#define many_fn static __device__ __forceinline__
#define many_member __device__ __forceinline__

enum { MANY_THREADS = KB_TEAM * KB_MANY }; /* of a block */
/* which of the ODEs of the block this thread has, and where its part begins of what all have */
many_fn int many_lane(void) { return (int)(threadIdx.x % KB_MANY); }
template <class type> many_fn type *many_of(type *first)
{
    return (type *)((double *)first + many_lane());
}

template <class number> struct many_number {
    number x;
    number others[KB_MANY - 1];

    many_number() = default;
    many_member many_number(const many_number &v) : x(v.x) {}
    many_member many_number(number v) : x(v) {}
    many_member many_number &operator=(const many_number &v)
    {
        x = v.x;
        return *this;
    }
};
using lane = many_number<double>;
using mask = int;

/* a double becomes a lane */
#define MANY_OPERATOR(op)                                                                         \
    many_fn lane operator op(const lane &a, const lane &b) { return lane(a.x op b.x); }           \
    many_fn lane &operator op##=(lane &a, const lane &b) { return a = lane(a.x op b.x); }
#define MANY_COMPARISON(op)                                                                       \
    many_fn mask operator op(const lane &a, const lane &b) { return a.x op b.x; }
MANY_OPERATOR(+)
MANY_OPERATOR(-)
MANY_OPERATOR(*)
MANY_COMPARISON(<)
MANY_COMPARISON(<=)
MANY_COMPARISON(>)
MANY_COMPARISON(>=)
MANY_COMPARISON(==)
MANY_COMPARISON(!=)

/* by 1/b, as in pair.h */
many_fn lane operator/(const lane &a, const lane &b) { return lane(a.x * inverse(b.x)); }
many_fn lane operator/(const lane &a, double b) { return a * (1.0 / b); }
many_fn lane &operator/=(lane &a, const lane &b) { return a = a / b; }
many_fn lane operator-(const lane &a) { return lane(-a.x); }

#define MANY_FUNCTION(name, f)                                                                    \
    many_fn lane name(const lane &a) { return lane(f(a.x)); }
MANY_FUNCTION(vexp, exponential)
MANY_FUNCTION(vexp_finite, exponential_finite)
MANY_FUNCTION(vlog, logarithm)
MANY_FUNCTION(vinverse, inverse)
MANY_FUNCTION(vsqrt, sqrt)
MANY_FUNCTION(vabs, fabs)
MANY_FUNCTION(vfloor, floor)

/* a lane in floats; see lane.h */
struct kb_stored : many_number<float> {
    kb_stored() = default;
    explicit many_member kb_stored(float v) : many_number<float>(v) {}
    many_member operator lane() const { return lane((double)x); }
    many_member void operator=(const lane &v) { x = (float)v.x; }
    many_member void operator+=(const lane &v) { x = (float)((double)x + v.x); }
    many_member void operator-=(const lane &v) { x = (float)((double)x - v.x); }
    many_member void operator*=(const lane &v) { x = (float)((double)x * v.x); }
};
many_fn kb_stored stored_of(float x) { return kb_stored(x); }
many_fn kb_stored operator+(const kb_stored &a, const kb_stored &b) { return kb_stored(a.x + b.x); }
many_fn kb_stored operator-(const kb_stored &a, const kb_stored &b) { return kb_stored(a.x - b.x); }
many_fn kb_stored operator*(const kb_stored &a, const kb_stored &b) { return kb_stored(a.x * b.x); }
many_fn kb_stored operator-(const kb_stored &a) { return kb_stored(-a.x); }
/* the larger of |a| and |b| */
many_fn kb_stored vlarger(const kb_stored &a, const kb_stored &b)
{
    return kb_stored(fmaxf(fabsf(a.x), fabsf(b.x)));
}
/* to 2 ulp, where |a| is below 2^126 */
many_fn kb_stored vinverse(const kb_stored &a) { return kb_stored(__fdividef(1.0f, a.x)); }

many_fn lane splat(double x) { return lane(x); }
many_fn lane vselect(mask m, const lane &a, const lane &b) { return lane(m ? a.x : b.x); }
/* element i of a where m, else of b */
many_fn lane vchosen(mask m, const double *a, const double *b, int i)
{
    return lane((m ? a : b)[i]);
}
many_fn mask not_(mask m) { return !m; }
many_fn mask mask_none(void) { return 0; }
many_fn void mask_put(mask *m, int, int on) { *m = on != 0; }
many_fn int mask_get(mask m, int) { return m != 0; }
many_fn double lane_get(const lane &v, int) { return v.x; }
many_fn void lane_put(lane *v, int, double x) { v->x = x; }

/* whether m is true for any ODE of the block, the same on all threads: each warp has all of them */
many_fn int lane_any(mask m) { return __any_sync(~0u, m); }

/* what lives as long as an ODE: the number alone */
struct kb_scalar {
    double x;
    many_member operator lane() const { return lane(x); }
    many_member void operator=(const lane &v) { x = v.x; }
    many_member void operator+=(const lane &v) { x += v.x; }
};
using kb_flag = mask;
many_fn void lane_put(kb_scalar *v, int, double x) { v->x = x; }

/* Arrays of the work structs (work.h): the structs of a thread begin many_lane() doubles behind
 * the first structs, so floats lie that many floats too far. */
template <class type> many_fn type *many_at(void *at) { return (type *)at; }
template <> __device__ __forceinline__ kb_stored *many_at<kb_stored>(void *at)
{
    return (kb_stored *)((char *)at - (sizeof(double) - sizeof(float)) * many_lane());
}
template <class type, int n> struct many_array {
    type first[n];
    many_member operator type *() { return many_at<type>(first); }
    many_member operator const type *() const { return many_at<type>((void *)first); }
};
