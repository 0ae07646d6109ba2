/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "flow/gas/detonation.h"
#include "mech/thermo/equilibrium.h"
#include "mech/thermo/thermo.h"

typedef struct {
    const kb_mech *m;
    const double *Y; /* unburnt */
    double *Yb;      /* burnt */
    double T1, p1, v1, e1;
    kb_gas_state burnt;
    kb_error *err;
} hugoniot;

static double sound(const kb_mech *m, double T, const double *Y)
{
    double R = KB_R / kb_mean_weight(m, Y), cp = kb_mix_cp(m, T, Y);
    return sqrt(cp / (cp - R) * R * T);
}

kb_gas_state kb_gas_state_of(const kb_mech *m, double T, double p, const double *Y)
{
    return (kb_gas_state){T, p, kb_density(m, T, p, Y), sound(m, T, Y)};
}

/* equilibrium at density rho and energy e: T, p, Yb */
static int equilibrium_at(hugoniot *h, double rho, double e, double *T, double *p)
{
    memcpy(h->Yb, h->Y, (size_t)h->m->nspecies * sizeof *h->Yb);
    *T = kb_T_from_u(h->m, e, h->Y, 2 * h->T1);
    if (isnan(*T))
        return kb_fail(h->err, KB_INVALID, "no temperature for an energy of %g J/kg", e);
    *p = rho * KB_R / kb_mean_weight(h->m, h->Y) * *T;
    return kb_equilibrate(h->m, KB_FIXED_UV, T, p, h->Yb, h->err);
}

/* the state of the Hugoniot curve at a ratio of densities, e2 = e1 + (p2 + p1)(v1 - v2)/2, and the
 * square of the speed that belongs to it. The iteration contracts by about (gamma - 1)/2 times the
 * ratio less one. */
static int speed2_at(hugoniot *h, double ratio, double *D2)
{
    double v2 = h->v1 / ratio, e = h->e1, T = 0, p = h->p1;
    for (int i = 0; i < 100; i++) {
        double next = h->e1 + 0.5 * (p + h->p1) * (h->v1 - v2), change = next - e;
        e = next;
        int code = equilibrium_at(h, 1 / v2, e, &T, &p);
        if (code)
            return code;
        if (i && fabs(change) < 1e-11 * p * v2)
            break;
    }
    h->burnt = (kb_gas_state){T, p, 1 / v2, sound(h->m, T, h->Yb)};
    *D2 = h->v1 * h->v1 * (p - h->p1) / (h->v1 - v2);
    return KB_OK;
}

enum { LEAST_RATIO = 0, MOST_RATIO = 1 };
static const double range[2] = {1.3, 2.5};

/* golden section; D2 and h->burnt are those of the minimum */
static int least_speed(hugoniot *h, double *D2)
{
    const double golden = 0.5 * (sqrt(5) - 1);
    double a = range[LEAST_RATIO], b = range[MOST_RATIO], fx, fy;
    double x = b - golden * (b - a), y = a + golden * (b - a);
    int code = speed2_at(h, x, &fx);
    code = code ? code : speed2_at(h, y, &fy);
    while (!code && b - a > 1e-6) {
        if (fx < fy) {
            b = y, y = x, fy = fx;
            x = b - golden * (b - a);
            code = speed2_at(h, x, &fx);
        } else {
            a = x, x = y, fx = fy;
            y = a + golden * (b - a);
            code = speed2_at(h, y, &fy);
        }
    }
    code = code ? code : speed2_at(h, 0.5 * (a + b), D2);
    if (!code && a - range[LEAST_RATIO] < 1e-3) /* the other end is beyond what gases do: 2 */
        return kb_fail(h->err, KB_INVALID, "this mixture does not detonate: no least speed for "
                       "ratios of densities from %g to %g", range[0], range[1]);
    return code;
}

/* energy that is left over behind a shock into density rho1/x, in units of D^2 */
static double excess(const kb_mech *m, const kb_gas_state *f, const double *Y, double h1, double D,
                     double x, kb_gas_state *behind)
{
    behind->rho = f->rho / x;
    behind->p = f->p + f->rho * D * D * (1 - x);
    behind->T = behind->p * kb_mean_weight(m, Y) / (KB_R * behind->rho);
    return (kb_mix_h(m, behind->T, Y) - h1) / (D * D) - 0.5 * (1 - x * x);
}

int kb_frozen_shock(const kb_mech *m, const kb_gas_state *f, const double *Y, double D,
                    kb_gas_state *behind, kb_error *err)
{
    double h1 = kb_mix_h(m, f->T, Y), lo = 0.02, hi, mach = D / f->c;
    if (!(mach > 1))
        return kb_fail(err, KB_INVALID, "a shock of %g m/s is slower than sound (%g m/s)", D, f->c);
    /* x = 1 is the gas itself: the other root lies below the least of the curve near it */
    hi = fmin(1 - 1e-6, 0.5 * (1 + 1 / (mach * mach)));
    double at_lo = excess(m, f, Y, h1, D, lo, behind), at_hi = excess(m, f, Y, h1, D, hi, behind);
    if (!(at_lo * at_hi < 0))
        return kb_fail(err, KB_INVALID, "no frozen state behind a shock of %g m/s", D);
    while (hi - lo > 1e-14 * hi) {
        double x = 0.5 * (lo + hi);
        if (x <= lo || x >= hi)
            break;
        if (excess(m, f, Y, h1, D, x, behind) * at_lo > 0)
            lo = x;
        else
            hi = x;
    }
    behind->c = sound(m, behind->T, Y);
    return KB_OK;
}

int kb_cj(const kb_mech *m, double T, double p, const double *Y, kb_detonation *d, double *Yb,
          kb_error *err)
{
    hugoniot h = {.m = m, .Y = Y, .Yb = Yb, .T1 = T, .p1 = p, .err = err};
    double D2;
    if (!(T >= 200 && T <= 2000 && p > 0 && isfinite(p)))
        return kb_fail(err, KB_INVALID, "T = %g K, p = %g Pa: T must be from 200 to 2000 K and p "
                       "above 0", T, p);
    d->fresh = kb_gas_state_of(m, T, p, Y);
    h.v1 = 1 / d->fresh.rho;
    h.e1 = kb_mix_u(m, T, Y);
    int code = least_speed(&h, &D2);
    if (code)
        return code;
    d->D = sqrt(D2);
    d->cj = h.burnt;
    return kb_frozen_shock(m, &d->fresh, Y, d->D, &d->vn, err);
}
