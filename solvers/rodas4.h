/* SPDX-License-Identifier: MIT
 *
 * RODAS4: stiffly accurate Rosenbrock method of order 4(3), six stages, L-stable; Hairer and Wanner, Solving
 * Ordinary Differential Equations II (1996), section IV.7 and the code RODAS (meth = 1). With the transformed
 * stages u_i the Jacobian is never multiplied:
 *   (1/(gamma h) I - J) u_i = f(y + sum_j a_ij u_j) + sum_j (c_ij/h) u_j,
 * y_new = argument of stage 6 + u_6, error estimate u_6. One exact sparse Jacobian and one factorisation for each
 * attempt. The problem is autonomous.
 */
#ifndef KB_RODAS4_H
#define KB_RODAS4_H

#include "problem.h"

enum { RODAS4_STAGES = 6 };
#define RODAS4_GAMMA 0.25

/* rows of stages 2 to 5; stage 6 adds u_5 to the argument of stage 5 */
KB_TABLE double rodas4_a[4][4] = {
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
};
KB_TABLE double rodas4_c[5][5] = {
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054},
};

typedef struct {
    lane y[N], y0[N], f[N], u[RODAS4_STAGES][N], A[NNZ];
    mask rejected; /* the attempt before failed: the step may not grow at once */
    kb_jacobian problem;
} rodas4_work;

kb_fn void rodas4_init(const kb_run *run, kb_ode *o, rodas4_work *w, mask new_)
{
    (void)run;
    o->h = vselect(new_, splat(-1), o->h); /* step chooses it, when f is known */
    w->rejected = w->rejected & not_(new_);
}

/* sqrt(mean((v_i / (atol + rtol max(|y0_i|, |y_i|)))^2)) */
kb_fn lane rodas4_norm(const kb_run *run, const lane *v, const lane *y0, const lane *y)
{
    lane sum = splat(0);
    each_sum(sum, i, N)
    {
        lane q = v[i] / (run->atol + run->rtol * vmax(vabs(y0[i]), vabs(y[i])));
        sum += q * q;
    }
    return vsqrt(team_sum(sum) * (1.0 / N));
}

/* h0 = 4 sqrt(2)/||f||, at most dt */
kb_fn void rodas4_first_step(const kb_run *run, kb_ode *o, const rodas4_work *w)
{
    mask first = o->h < 0.0;
    if (!any(first & o->active))
        return;
    lane norm = rodas4_norm(run, w->f, w->y0, w->y0);
    lane h0 = run->opt[0] > 0 ? splat(run->opt[0] * run->dt) : 5.656854249492381 / norm;
    h0 = vselect((h0 < run->dt) & (h0 > 0.0), h0, splat(run->dt));
    o->h = vselect(first, h0, o->h);
}

kb_fn void rodas4_stages(const kb_run *run, kb_ode *o, rodas4_work *w, lane h)
{
    lane rh = 1.0 / h;
    for (int s = 0; s < RODAS4_STAGES; s++) {
        lane *u = w->u[s];
        if (s == 5) {
            each(i, N) w->y[i] += w->u[4][i];
        } else if (s > 0) {
            each(i, N)
            {
                lane d = w->y0[i];
                for (int j = 0; j < s; j++)
                    d += rodas4_a[s - 1][j] * w->u[j][i];
                w->y[i] = d;
            }
        }
        if (s > 0)
            problem_rhs(run, o, w->y, w->f, &w->problem.k);
        each(i, N)
        {
            lane d = splat(0);
            for (int j = 0; j < s; j++)
                d += rodas4_c[s - 1][j] * w->u[j][i];
            u[i] = w->f[i] + rh * d;
        }
        problem_solve(w->A, u, u);
    }
}

kb_fn void rodas4_step(const kb_run *run, kb_ode *o, rodas4_work *w)
{
    each(i, N) w->y0[i] = w->y[i];
    problem_jacobian(run, o, w->y0, w->f, w->A, &w->problem);
    rodas4_first_step(run, o, w);
    lane h = clip_step(run, o);
    problem_factor(w->A, 1.0 / (RODAS4_GAMMA * h));
    rodas4_stages(run, o, w, h);
    each(i, N) w->y[i] += w->u[5][i];
    o->rhs += RODAS4_STAGES * one(o->active);
    o->jac += one(o->active);
    o->lu += one(o->active);
    o->solve += RODAS4_STAGES * one(o->active);

    lane err = rodas4_norm(run, w->u[5], w->y0, w->y);
    mask accept = (err <= 1.0) & problem_valid(w->y);
    lane factor = 0.9 * vpow(vmax(err, splat(1e-8)), splat(-0.25));
    factor = vmin(vmax(factor, splat(0.1)), splat(6));
    factor = vselect(is_finite(factor), factor, splat(0.1));
    factor = vselect(accept & not_(w->rejected), factor, vmin(factor, splat(1)));
    factor = vselect(accept, factor, vmin(factor, splat(0.5)));
    w->rejected = not_(accept);
    o->h = h * factor;
    finish_step(run, o, h, accept, w->y, w->y0, N);
}

#define RODAS4_OPTIONS                                                                             \
    {{"h0", "first substep as a fraction of dt; 0: 4 sqrt(2)/||f||", 0}, {0, 0, 0}}
#define RODAS4_INFO                                                                                \
    .source = "Hairer and Wanner, Solving ODEs II (1996), IV.7, code RODAS",                        \
    .summary = "Rosenbrock 4(3), L-stable, exact sparse Jacobian", .order = 4, .rtol = 1e-4,         \
    .atol = 1e-10

#endif
