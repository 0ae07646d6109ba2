/* SPDX-License-Identifier: MIT
 *
 * lane.h for KB_COUNTED, in C++: a lane is one number that counts what is done with it. For the
 * counts of solvers/roofline.
 */
#ifndef KB_COUNTED_H
#define KB_COUNTED_H

/* additions and multiplications; others */
struct kb_operations {
    double simple, exp, log, sqrt, divide;
};
static kb_operations operations;

struct lane {
    double v;
    lane() = default;
    lane(double x) : v(x) {}
};

#define KB_COUNTED_OPERATOR(op, what)                                                              \
    static inline lane operator op(lane a, lane b)                                                 \
    {                                                                                              \
        operations.what++;                                                                         \
        return a.v op b.v;                                                                         \
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
static inline lane operator-(lane a) { return -a.v; }

kb_fn lane splat(double x) { return x; }
kb_fn lane vselect(mask m, lane a, lane b) { return m ? a : b; }
kb_fn mask not_(mask m) { return !m; }
kb_fn int lane_any(mask m) { return m; }
kb_fn lane vexp(lane x)
{
    operations.exp++;
    return exp(x.v);
}
kb_fn lane vlog(lane x)
{
    operations.log++;
    return log(x.v);
}
kb_fn lane vsqrt(lane x)
{
    operations.sqrt++;
    return sqrt(x.v);
}
kb_fn lane vinverse(lane x) { return 1.0 / x; }
kb_fn lane vabs(lane x) { return fabs(x.v); }
kb_fn lane vfloor(lane x) { return floor(x.v); }
kb_fn double lane_get(lane v, int) { return v.v; }
kb_fn void lane_put(lane *v, int, double x) { v->v = x; }
kb_fn mask mask_none(void) { return 0; }
kb_fn void mask_put(mask *m, int, int on) { *m = on != 0; }
kb_fn int mask_get(mask m, int) { return m != 0; }

#endif
