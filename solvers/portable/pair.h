/* SPDX-License-Identifier: MIT
 *
 * lane.h for two ODEs side by side on a GPU: a lane is 16 bytes, so one load of an index and one of
 * shared memory serve both. C++, since vectors of the compiler end at the device.
 */
#pragma once
#define KB_LANE_IS_PAIR

#include "solvers/portable/branch_free.h"

#define pair_fn static __device__ __forceinline__

struct alignas(16) lane {
    double x, y;
};
struct mask {
    bool x, y;
};

pair_fn lane make_lane(double x, double y)
{
    lane v;
    v.x = x;
    v.y = y;
    return v;
}
pair_fn mask make_mask(bool x, bool y)
{
    mask m;
    m.x = x;
    m.y = y;
    return m;
}

#define PAIR_OPERATOR(op)                                                                         \
    pair_fn lane operator op(lane a, lane b) { return make_lane(a.x op b.x, a.y op b.y); }        \
    pair_fn lane operator op(lane a, double b) { return make_lane(a.x op b, a.y op b); }          \
    pair_fn lane operator op(double a, lane b) { return make_lane(a op b.x, a op b.y); }          \
    pair_fn lane &operator op##=(lane &a, lane b) { return a = a op b; }                          \
    pair_fn lane &operator op##=(lane &a, double b) { return a = a op b; }
#define PAIR_COMPARISON(op)                                                                       \
    pair_fn mask operator op(lane a, lane b) { return make_mask(a.x op b.x, a.y op b.y); }        \
    pair_fn mask operator op(lane a, double b) { return make_mask(a.x op b, a.y op b); }          \
    pair_fn mask operator op(double a, lane b) { return make_mask(a op b.x, a op b.y); }
PAIR_OPERATOR(+)
PAIR_OPERATOR(-)
PAIR_OPERATOR(*)
PAIR_COMPARISON(<)
PAIR_COMPARISON(<=)
PAIR_COMPARISON(>)
PAIR_COMPARISON(>=)
PAIR_COMPARISON(==)
PAIR_COMPARISON(!=)

/* by 1/b to 1 ulp; NaN for b = 0 and b infinite */
pair_fn lane operator/(lane a, lane b) { return make_lane(a.x * inverse(b.x), a.y * inverse(b.y)); }
pair_fn lane operator/(double a, lane b) { return make_lane(a * inverse(b.x), a * inverse(b.y)); }
pair_fn lane operator/(lane a, double b) { return a * (1.0 / b); }
pair_fn lane &operator/=(lane &a, lane b) { return a = a / b; }
pair_fn lane operator-(lane a) { return make_lane(-a.x, -a.y); }
pair_fn mask operator&(mask a, mask b) { return make_mask(a.x & b.x, a.y & b.y); }
pair_fn mask operator|(mask a, mask b) { return make_mask(a.x | b.x, a.y | b.y); }

#define PAIR_FUNCTION(name, f)                                                                    \
    pair_fn lane name(lane a) { return make_lane(f(a.x), f(a.y)); }
PAIR_FUNCTION(vexp, exponential)
PAIR_FUNCTION(vexp_finite, exponential_finite)
PAIR_FUNCTION(vlog, logarithm)
PAIR_FUNCTION(vinverse, inverse)
PAIR_FUNCTION(vsqrt, sqrt)
PAIR_FUNCTION(vabs, fabs)
PAIR_FUNCTION(vfloor, floor)

#ifdef KB_PAIR_FLOAT
/* a lane in floats; see lane.h */
struct alignas(8) kb_stored {
    float x, y;
    __device__ operator lane() const { return make_lane(x, y); }
    __device__ void operator=(lane v)
    {
        x = (float)v.x;
        y = (float)v.y;
    }
    __device__ void operator+=(kb_stored v)
    {
        x += v.x;
        y += v.y;
    }
    __device__ void operator-=(kb_stored v)
    {
        x -= v.x;
        y -= v.y;
    }
    __device__ void operator+=(lane v) { *this = (lane)*this + v; }
    __device__ void operator-=(lane v) { *this = (lane)*this - v; }
    __device__ void operator*=(lane v) { *this = (lane)*this * v; }
};
pair_fn kb_stored make_stored(float x, float y)
{
    kb_stored v;
    v.x = x;
    v.y = y;
    return v;
}
pair_fn kb_stored stored_of(float x) { return make_stored(x, x); }
pair_fn kb_stored operator+(kb_stored a, kb_stored b) { return make_stored(a.x + b.x, a.y + b.y); }
pair_fn kb_stored operator-(kb_stored a, kb_stored b) { return make_stored(a.x - b.x, a.y - b.y); }
pair_fn kb_stored operator*(kb_stored a, kb_stored b) { return make_stored(a.x * b.x, a.y * b.y); }
pair_fn kb_stored operator-(kb_stored a) { return make_stored(-a.x, -a.y); }
/* the larger of |a| and |b| */
pair_fn kb_stored vlarger(kb_stored a, kb_stored b)
{
    return make_stored(fmaxf(fabsf(a.x), fabsf(b.x)), fmaxf(fabsf(a.y), fabsf(b.y)));
}
/* to 2 ulp, where |a| is below 2^126 */
pair_fn kb_stored vinverse(kb_stored a)
{
    return make_stored(__fdividef(1.0f, a.x), __fdividef(1.0f, a.y));
}
#endif

pair_fn lane splat(double x) { return make_lane(x, x); }
pair_fn lane vselect(mask m, lane a, lane b)
{
    return make_lane(m.x ? a.x : b.x, m.y ? a.y : b.y);
}
/* element i of a where m, else of b */
pair_fn lane vchosen(mask m, const double *a, const double *b, int i)
{
    return make_lane((m.x ? a : b)[i], (m.y ? a : b)[i]);
}
pair_fn mask not_(mask m) { return make_mask(!m.x, !m.y); }
pair_fn int lane_any(mask m) { return m.x | m.y; }
pair_fn double lane_get(const lane &v, int l) { return l ? v.y : v.x; }
pair_fn void lane_put(lane *v, int l, double x)
{
    if (l)
        v->y = x;
    else
        v->x = x;
}
pair_fn mask mask_none(void) { return make_mask(false, false); }
pair_fn void mask_put(mask *m, int l, int on)
{
    if (l)
        m->y = on != 0;
    else
        m->x = on != 0;
}
pair_fn int mask_get(mask m, int l) { return l ? m.y : m.x; }

/* A number or a truth value that lives as long as an ODE: one for each warp in shared memory, since
 * registers are short. All threads of the warp read and write it together. */
template <class T> struct warp_shared {
    T value;
    __device__ operator T() const { return value; }
    __device__ void operator=(T v)
    {
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            value = v;
        __syncwarp();
    }
    __device__ void operator+=(T v) { *this = value + v; }
};
using kb_scalar = warp_shared<lane>;
using kb_flag = warp_shared<mask>;
pair_fn void lane_put(kb_scalar *v, int l, double x)
{
    lane whole = *v;
    lane_put(&whole, l, x);
    *v = whole;
}
pair_fn void mask_put(kb_flag *m, int l, int on)
{
    mask whole = *m;
    mask_put(&whole, l, on);
    *m = whole;
}

/* what thread of the warp with the number of this one but for the bits of d has */
pair_fn lane team_exchange(lane v, int d)
{
    return make_lane(__shfl_xor_sync(~0u, v.x, d), __shfl_xor_sync(~0u, v.y, d));
}
#ifdef KB_PAIR_FLOAT
pair_fn kb_stored team_exchange(kb_stored v, int d)
{
    return make_stored(__shfl_xor_sync(~0u, v.x, d), __shfl_xor_sync(~0u, v.y, d));
}
#endif
