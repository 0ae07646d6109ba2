/* SPDX-License-Identifier: MIT */
#include <math.h>
#include "mech/thermo/equilibrium.h"
#include "mech/thermo/gibbs.h"
#include "mech/thermo/thermo.h"

/* T at which equilibrium has the energy wanted: h and u of equilibrium rise with T, so Newton
 * inside a bracket that shrinks; it may close around a jump of the thermo data at Tmid. */
static bool solve_energy(kb_gibbs *x, double wanted)
{
    double lo = KB_T_LEAST, hi = KB_T_MOST;

    for (int i = 0; i < 200; i++) {
        double slope;

        if (!kb_gibbs_solve(x))
            return false;
        double excess = kb_gibbs_energy(x, &slope) - wanted;
        if (excess > 0)
            hi = x->T;
        else
            lo = x->T;
        double next = x->T - excess / slope;
        if (!(slope > 0))
            next = 0.5 * (lo + hi);
        if (fabs(next - x->T) <= 1e-11 * x->T)
            return true;
        if (hi - lo <= 1e-11 * lo)
            return lo > KB_T_LEAST && hi < KB_T_MOST;
        next = fmin(fmax(next, x->T / 1.5), x->T * 1.5);
        x->T = next > lo && next < hi ? next : 0.5 * (lo + hi);
    }
    return false;
}

int kb_equilibrate(const kb_mech *m, kb_fixed fixed, double *T, double *p, double *Y,
                   kb_error *err)
{
    kb_gibbs x;
    double sum = 0;

    for (int k = 0; k < m->nspecies; k++)
        sum += Y[k];
    if (!(*T > KB_T_LEAST && *T < KB_T_MOST && *p > 0 && isfinite(*p) && sum > 0 && isfinite(sum)))
        return kb_fail(err, KB_INVALID, "equilibrium: impossible state T = %g K, p = %g Pa, "
                       "sum of Y = %g", *T, *p, sum);
    kb_gibbs_make(&x, m, Y);
    x.constant_v = fixed == KB_FIXED_UV;
    x.T = fixed == KB_FIXED_TP ? *T : fmin(fmax(*T, 1500), 4000);
    x.p = *p;
    x.V = sum / kb_density(m, *T, *p, Y);
    double energy = x.constant_v ? kb_mix_u(m, *T, Y) : kb_mix_h(m, *T, Y);
    bool good = fixed == KB_FIXED_TP ? kb_gibbs_solve(&x) : solve_energy(&x, energy);
    if (good) {
        *T = x.T;
        *p = kb_gibbs_result(&x, Y);
    }
    kb_gibbs_free(&x);
    return good ? KB_OK
                : kb_fail(err, KB_INVALID, "equilibrium: no convergence from T = %g K, p = %g Pa "
                          "(its equilibrium may lie outside %g-%g K)", *T, *p, KB_T_LEAST,
                          KB_T_MOST);
}
