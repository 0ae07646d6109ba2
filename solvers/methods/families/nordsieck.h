/* SPDX-License-Identifier: MIT
 *
 * The polynomial of vode (Jackson and Sacks-Davis, ACM TOMS 6 (1980) 295; Brown, Byrne and
 * Hindmarsh, SIAM J. Sci. Stat. Comput. 10 (1989) 1038). z holds the interpolating polynomial pi of
 * degree q about t_n as h^j/j! pi^(j)(t_n). With xi_j = (t_n - t_(n-j))/h, a step is
 *   pi_n(t_n + x h) = pi_(n-1)(t_n + x h) + Lambda(x) e,   e = y_n - pi_(n-1)(t_n),
 *   Lambda(x) = (1 + x/xi*) prod_(j<q) (1 + x/xi_j),       1/xi* = S_q - X_(q-1),
 *   S_k = sum_(j<=k) 1/j,  X_k = sum_(j<=k) 1/xi_j,  P_k = prod_(j<=k) xi_j.
 * Lanes have orders of their own: z_j = 0 and Lambda_j = 0 for j > q.
 */
#pragma once

#include "solvers/methods/families/step_control.h"

enum { VODE_Q = 5 };

#define VODE_FIELDS(ARRAY, ROWS, PART)                                                             \
    ARRAY(lane, y, N) ROWS(lane, z, VODE_Q + 1) /* z[0]: the state that the attempt starts from */ \
    ROWS(lane, p, 2)                            /* predicted y and h y' */                         \
    ARRAY(lane, e, N) ARRAY(lane, e_old, N) /* y - p[0]; of an accepted step before */             \
    ARRAY(lane, g, N) ARRAY(lane, scale, N) /* Newton's increment; 1/(atol + rtol |y|) */          \
    ARRAY(lane, E, NNZ)                     /* factors of (gi I - J) */                            \
    PART(kb_kept_jacobian, kept)                                                                   \
    PART(kb_jacobian, problem)
KB_WORK(vode_work, VODE_FIELDS)

typedef struct {
    kb_scalar q, wait;      /* order; steps until another one is considered */
    kb_scalar h_z;          /* step in which z is scaled */
    kb_scalar tau[VODE_Q];  /* sizes of the last accepted steps, the newest first */
    kb_scalar growth_limit; /* of the next step; 1 after a failure */
    kb_scalar gi, rate;     /* 1/gamma of the factors, 0: none; convergence of Newton's iteration */
    kb_scalar factored, evaluated; /* accepted steps when E, A were made */
    kb_scalar old;                 /* vode_attempt's, when e_old was kept */
    kb_scalar newton_failures, error_failures; /* in this step */
    kb_flag fresh;               /* z has to be made from f(y) */
    kb_flag new_lu, new_jac;     /* for the next attempt */
    kb_flag serve;               /* the factors may be used (method.h) */
} vode_persistent;

/* what one attempt finds out */
typedef struct {
    lane h, gamma, l[VODE_Q + 1]; /* l: coefficients of Lambda */
    lane down, same, up; /* |z_q|, |e| and |e's change| to local errors at orders q - 1, q, q + 1 */
    lane old;            /* e over this and h^(q+1) is proportional to a derivative */
    lane lift;           /* e to z_(q+1) where the order rises */
    lane ratio;          /* gamma over that of the factors */
    lane err;            /* local error in units of the tolerance */
    mask converged, outside; /* outside: an iterate left the window of states */
} vode_attempt;

kb_fn lane vode_norm(const vode_work *w, const lane *v)
{
    return scaled_norm(w->scale, lane_one_row(v), 1);
}

/* What depends on the sizes of the last steps: S, X, P, xi as above, C = 1 + X - S: error(q) =
 * |C_q/(S_q (1 + q C_q))| |e|,   error(q-1) = |P_(q-1) C_(q-1)/S_(q-1)| |z_q|, error(q+1) =
 * |xi_(q+1) C_(q+1)/((q + 2) S_(q+1) (1 + q C_q))| |e - (old/persistent->old) r^(q+1) e_old|, r the
 * ratio of the steps of e and e_old */
kb_fn void vode_coefficients(const vode_persistent *persistent, vode_attempt *s)
{
    lane q = persistent->q, span = s->h, rh = 1.0 / s->h, X = splat(0), P = splat(1), b = splat(1);
    double S = 0;
    s->l[0] = s->down = s->same = s->up = s->old = s->lift = splat(1);
    s->gamma = s->h;
    KB_UNROLL for (int j = 1; j <= VODE_Q; j++)
        s->l[j] = splat(0);
    KB_UNROLL for (int j = 1; j <= VODE_Q; j++) {
        mask at = q == (double)j;
        lane xi = span * rh, x = s->h / span, star = S + 1.0 / j - X;
        lane factor = vselect(at, star, vselect(q > (double)j, x, splat(0)));
        KB_UNROLL for (int i = j; i > 0; i--)
            s->l[i] += s->l[i - 1] * factor;
        S += 1.0 / j;
        X += x;
        P *= xi;
        lane C = 1.0 + X - S;
        s->gamma = vselect(at, s->h * (1 / S), s->gamma);
        s->up = vselect(q == j - 1.0, vabs(xi * C / ((j + 1) * S * b)), s->up);
        b = vselect(at, 1.0 + (double)j * C, b);
        s->same = vselect(at, vabs(C / (S * b)), s->same);
        s->old = vselect(at, vabs(b * P), s->old);
        s->lift = vselect(at, (star - x) / P, s->lift);
        s->down = vselect(q == j + 1.0, vabs(P * C * (1 / S)), s->down);
        span += persistent->tau[j - 1];
    }
}

/* z scaled to h; prediction; e = 0 */
kb_fn void vode_predict(vode_persistent *persistent, vode_work *w, lane h)
{
    lane r1 = h / persistent->h_z, r2 = r1 * r1, r3 = r2 * r1, r4 = r2 * r2, r5 = r4 * r1;
    persistent->h_z = h;
    each(i, N)
    {
        lane a = r1 * w->z[1][i], b = r2 * w->z[2][i], c = r3 * w->z[3][i], d = r4 * w->z[4][i];
        lane f = r5 * w->z[5][i];
        w->p[0][i] = w->z[0][i] + (a + (b + (c + (d + f))));
        w->p[1][i] = a + (2.0 * b + (3.0 * c + (4.0 * d + 5.0 * f)));
        w->e[i] = splat(0);
        w->z[1][i] = a;
        w->z[2][i] = b;
        w->z[3][i] = c;
        w->z[4][i] = d;
        w->z[5][i] = f;
    }
}

/* the new state into y: at t_n, or at dt where the step goes beyond it */
kb_fn void vode_state(const kb_run *run, const kb_ode *o, vode_work *w, const vode_attempt *s)
{
    const lane *l = s->l;
    mask last = s->h >= run->dt - o->t;
    lane r = (run->dt - o->t) / s->h, x = r - 1.0;
    lane Lambda = l[0] + x * (l[1] + x * (l[2] + x * (l[3] + x * (l[4] + x * l[5]))));
    each(i, N)
    {
        lane a = w->z[1][i], b = w->z[2][i], c = w->z[3][i], d = w->z[4][i], f = w->z[5][i];
        lane there = w->z[0][i] + r * (a + r * (b + r * (c + r * (d + r * f))));
        lane e = w->e[i];
        w->y[i] = vselect(last, there + Lambda * e, w->p[0][i] + e);
    }
    team_sync();
}

/* z moves on to t_n where accepted */
kb_fn void vode_advance(vode_work *w, const vode_attempt *s, mask accept)
{
    const lane *l = s->l;
    each(i, N)
    {
        lane a = w->z[1][i], b = w->z[2][i], c = w->z[3][i], d = w->z[4][i], f = w->z[5][i];
        lane e = vselect(accept, w->e[i], splat(0));
        lane moved[4] = {2.0 * b + (3.0 * c + (4.0 * d + 5.0 * f)),
                         3.0 * c + (6.0 * d + 10.0 * f), 4.0 * d + 10.0 * f, 5.0 * f};
        w->z[1][i] = a + (vselect(accept, moved[0], splat(0)) + l[1] * e);
        w->z[2][i] = b + (vselect(accept, moved[1], splat(0)) + l[2] * e);
        w->z[3][i] = c + (vselect(accept, moved[2], splat(0)) + l[3] * e);
        w->z[4][i] = d + (vselect(accept, moved[3], splat(0)) + l[4] * e);
        w->z[5][i] = f + l[5] * e;
    }
}

kb_fn lane vode_highest(const vode_work *w, lane q, int i)
{
    lane high = vselect(q == 3.0, w->z[3][i], w->z[2][i]);
    return vselect(q == 5.0, w->z[5][i], vselect(q == 4.0, w->z[4][i], high));
}

/* The polynomial of degree q + change: as many past values as it can keep with y_n and y'_n, which
 * is so when a multiple of x^2 prod (x + xi_j), j <= q - 2 (down) or q - 1 (up), is added. */
kb_fn void vode_change_order(const vode_persistent *persistent, vode_work *w, const vode_attempt *s,
                             lane change)
{
    lane q = persistent->q, span = s->h, rh = 1.0 / s->h;
    lane factors = q + vselect(change > 0.0, splat(-1), splat(-2));
    lane c[VODE_Q + 1] = {splat(0), splat(0), splat(1), splat(0), splat(0), splat(0)};
    KB_UNROLL for (int j = 1; j < VODE_Q - 1; j++) {
        mask on = factors >= (double)j;
        lane xi = span * rh;
        KB_UNROLL for (int i = VODE_Q; i > 1; i--)
            c[i] = vselect(on, c[i] * xi + c[i - 1], c[i]);
        span += persistent->tau[j - 1];
    }
    each(i, N)
    {
        lane high = vselect(change < 0.0, -vode_highest(w, q, i), splat(0));
        high = vselect(change > 0.0, s->lift * w->e[i], high);
        w->z[2][i] += c[2] * high;
        w->z[3][i] += c[3] * high;
        w->z[4][i] += c[4] * high;
        w->z[5][i] += c[5] * high;
    }
}
