/* SPDX-License-Identifier: MIT
 *
 * lane.h for KB_COUNTED, in C++: a lane is one number that counts what is done with it. For the
 * counts of solvers/parts, which are the least that a compiler can make of the code. Of
 * straight-line code it leaves out what constants do not change, and computes once what is there
 * twice.
 */
#pragma once

#include <bit>
#include <set>
#include <tuple>
#include <utility>

/* additions and multiplications; others */
struct kb_operations {
    double simple, exp, log, sqrt, divide;
};
static kb_operations operations;

struct lane {
    double v;
    bool varies; /* no constant of the compiler */
    lane() = default;
    lane(double x) : v(x), varies(false) {}
    lane(double x, bool is_varying) : v(x), varies(is_varying) {}
};

#ifdef KB_STRAIGHT
/* the operations so far, by the bits of their operands: two of the same value may be the same */
static std::set<std::tuple<char, uint64_t, uint64_t>> operations_done;

static inline bool counts(char op, lane a, lane b)
{
    if (!a.varies && !b.varies)
        return false;
    double constant = a.varies ? b.v : a.v;
    if (a.varies != b.varies && (constant == 0 || (op == '*' && fabs(constant) == 1)))
        return false;
    uint64_t x = std::bit_cast<uint64_t>(a.v), y = std::bit_cast<uint64_t>(b.v);
    if ((op == '+' || op == '*') && y < x)
        std::swap(x, y);
    return operations_done.insert({op, x, y}).second;
}
/* a product with 0 is 0 */
static inline bool result_varies(char op, lane a, lane b)
{
    return op == '*' ? (a.varies || a.v != 0) && (b.varies || b.v != 0) && (a.varies || b.varies)
                     : a.varies || b.varies;
}
#else
static inline bool counts(char, lane, lane) { return true; }
static inline bool result_varies(char, lane, lane) { return true; }
#endif

#define KB_COUNTED_OPERATOR(op, what)                                                              \
    static inline lane operator op(lane a, lane b)                                                 \
    {                                                                                              \
        operations.what += counts(#op[0], a, b);                                                   \
        return {a.v op b.v, result_varies(#op[0], a, b)};                                          \
    }
KB_COUNTED_OPERATOR(+, simple)
KB_COUNTED_OPERATOR(-, simple)
KB_COUNTED_OPERATOR(*, simple)
KB_COUNTED_OPERATOR(/, divide)
#define KB_COUNTED_ASSIGNMENT(op)                                                                  \
    static inline lane &operator op##=(lane &a, lane b) { return a = a op b; }
KB_COUNTED_ASSIGNMENT(+)
KB_COUNTED_ASSIGNMENT(-)
KB_COUNTED_ASSIGNMENT(*)
KB_COUNTED_ASSIGNMENT(/)
#define KB_COUNTED_COMPARISON(op)                                                                  \
    static inline mask operator op(lane a, lane b) { return a.v op b.v; }
KB_COUNTED_COMPARISON(<)
KB_COUNTED_COMPARISON(>)
KB_COUNTED_COMPARISON(<=)
KB_COUNTED_COMPARISON(>=)
KB_COUNTED_COMPARISON(==)
KB_COUNTED_COMPARISON(!=)
static inline lane operator-(lane a) { return {-a.v, a.varies}; }

kb_fn lane splat(double x) { return x; }
kb_fn lane vselect(mask m, lane a, lane b) { return m ? a : b; }
kb_fn mask not_(mask m) { return !m; }
kb_fn int lane_any(mask m) { return m; }
#define KB_COUNTED_FUNCTION(name, f)                                                               \
    kb_fn lane name(lane x)                                                                        \
    {                                                                                              \
        operations.f += counts(#f[0], x, x);                                                       \
        return {f(x.v), x.varies};                                                                 \
    }
KB_COUNTED_FUNCTION(vexp, exp)
KB_COUNTED_FUNCTION(vlog, log)
KB_COUNTED_FUNCTION(vsqrt, sqrt)
kb_fn lane vinverse(lane x) { return 1.0 / x; }
kb_fn lane vabs(lane x) { return {fabs(x.v), x.varies}; }
kb_fn lane vfloor(lane x) { return {floor(x.v), x.varies}; }
kb_fn double lane_get(lane v, int) { return v.v; }
kb_fn void lane_put(lane *v, int, double x) { v->v = x; }
kb_fn mask mask_none(void) { return 0; }
kb_fn void mask_put(mask *m, int, int on) { *m = on != 0; }
kb_fn int mask_get(mask m, int) { return m != 0; }
