/* SPDX-License-Identifier: MIT
 *
 * The state, thermodynamics and the rate constants that every walk computes alike: laws applied to
 * the records of mechc's tables. rhs.h says what the symbols mean.
 */
#pragma once

#include "solvers/chemistry/laws/thermo.h"
#include "solvers/chemistry/walks/walk.h"

/* y is there for all threads of a team from the sync in here on; each reads before what it wrote */
kb_fn void kin_state(kb_reactor reactor, lane fixed, const lane *y, kb_gas *g, kb_kinetics *w)
{
    lane sigma = splat(0);
    team_array(parts, TEAM_PARTIAL);
#if KB_CHAINED
    sigma = chained_sum(i, NSP, y[i + 1] * kb_rW[i]);
#else
    each_next_sum(sigma, i, NSP) sigma += y[i + 1] * kb_rW[i];
#endif
    team_sums_by(parts, &sigma, 1, NSP);
    g->T = y[0];
    g->rT = vinverse(g->T);
    g->lnT = vlog_same(g->T);
    g->sigma = sigma;
    g->rho = at_constant_volume(reactor) ? fixed
                                         : fixed * g->rT * (1.0 / GAS_CONSTANT) * vinverse(sigma);
    g->Mb = g->rho * sigma;
    lane rho = g->rho;
    each_next(i, NSP) w->C[i] = rho * (y[i + 1] * kb_rW[i]);
    each(k, 1)
    {
        w->C[NALL] = w->E[NALL] = w->I[NALL] = w->I[NALL + 1] = splat(1);
        w->C[NALL + 1] = w->E[NALL + 1] = w->u[NALL] = w->u[NALL + 1] = splat(0);
    }
}

/* coefficients of species i: hi [7][NALL] in lanes above Tmid, lo in those below */
#define NASA_COEFFICIENTS(high, lo, hi, i)                                                         \
    vchosen(high, hi, lo, i), vchosen(high, hi, lo, NALL + (i)),                                   \
        vchosen(high, hi, lo, 2 * NALL + (i)), vchosen(high, hi, lo, 3 * NALL + (i)),              \
        vchosen(high, hi, lo, 4 * NALL + (i)), vchosen(high, hi, lo, 5 * NALL + (i)),              \
        vchosen(high, hi, lo, 6 * NALL + (i))
/* coefficient of T^-2 (k = 0) or of T^-1 (1) */
kb_fn lane kin_nasa9_coefficient(mask high, int k, int i)
{
    return vselect(high, splat(kb_hi9[k * NALL + i]), splat(kb_lo9[k * NALL + i]));
}

/* h/RT - 1, cp/R and g/RT of species i */
kb_fn void kin_nasa(const kb_gas *g, kb_kinetics *w, int i, mask high, const double *lo,
                    const double *hi)
{
    const law_powers p = law_powers_of(g);
    const lane a[] = {NASA_COEFFICIENTS(high, lo, hi, i)};
    w->cp[i] = law_nasa7_cp(&p, a);
    w->u[i] = law_nasa7_h(&p, a);
    w->E[i] = law_nasa7_g(&p, a);
    if (NASA9)
        law_nasa9(g, kin_nasa9_coefficient(high, 0, i), kin_nasa9_coefficient(high, 1, i),
                  &w->cp[i], &w->u[i], &w->E[i]);
}

#if KB_VECTOR
/* which lanes are above Tmid; where all are on one side, there is nothing to choose */
typedef struct {
    double Tmid;
    mask high;
    int all_high, all_low;
} kin_side;

/* of species i, from that of the species before: nearly all have the same Tmid */
kb_fn void kin_side_of(kin_side *s, lane T, int i)
{
    if (kb_Tmid[i] == s->Tmid)
        return;
    s->Tmid = kb_Tmid[i];
    s->high = T > kb_Tmid[i];
    s->all_high = !lane_any(not_(s->high));
    s->all_low = !lane_any(s->high);
}
#endif

/* does a lane have a T beyond the data of a species? */
kb_fn int kin_is_beyond(lane T)
{
    return lane_any((T < KB_DATA_FROM) | (T > KB_DATA_TO));
}

/* coefficient k of kb_beyond for species i, in lanes of one end or the other */
kb_fn lane kin_beyond_coefficient(mask hot, int k, int i)
{
    return vselect(hot, splat(kb_hot[k * NALL + i]), splat(kb_cold[k * NALL + i]));
}

/* the same of species i in lanes beyond its data */
kb_fn void kin_beyond_of(const kb_gas *g, kb_kinetics *w, int i)
{
    mask hot = g->T > kb_Thigh[i], beyond = hot | (g->T < kb_Tlow[i]);
    const lane b[] = {kin_beyond_coefficient(hot, 0, i), kin_beyond_coefficient(hot, 1, i),
                      kin_beyond_coefficient(hot, 2, i), kin_beyond_coefficient(hot, 3, i)};
    lane cp, h, gibbs;
    law_beyond(g, b, &cp, &h, &gibbs);
    w->cp[i] = vselect(beyond, cp, w->cp[i]);
    w->u[i] = vselect(beyond, h, w->u[i]);
    w->E[i] = vselect(beyond, gibbs, w->E[i]);
}

kb_seldom void kin_beyond(const kb_gas *g, kb_kinetics *w)
{
    each(i, NALL) kin_beyond_of(g, w, i);
}

/* h/RT - 1, cp/R, E and I of each species */
kb_fn void kin_thermo(const kb_gas *g, kb_kinetics *w)
{
#if KB_VECTOR
    kin_side s = {.Tmid = -1};
#endif
    each(i, NALL)
    {
#if KB_VECTOR
        kin_side_of(&s, g->T, i);
        if (s.all_high)
            kin_nasa(g, w, i, s.high, kb_hi, kb_hi);
        else if (s.all_low)
            kin_nasa(g, w, i, s.high, kb_lo, kb_lo);
        else
            kin_nasa(g, w, i, s.high, kb_lo, kb_hi);
#else
        kin_nasa(g, w, i, g->T > kb_Tmid[i], kb_lo, kb_hi);
#endif
#if KB_TEAM > 1
        if (kin_is_beyond(g->T))
            kin_beyond_of(g, w, i);
#else
    }
    if (kin_is_beyond(g->T))
        kin_beyond(g, w);
    each(i, NALL) /* apart, so that a compiler makes vectors of them */
    {
#endif
        w->E[i] = vexp_units(w->E[i]) * (g->T * kb_Rp0[i]);
        w->I[i] = vinverse(w->E[i]);
    }
}

/* kf of a reaction that has nothing but A T^b exp(-theta/T): by itself, and with x */
kb_fn lane kin_plain(const kb_gas *g, int r)
{
    return kb_A[r] * vexp_finite(law_arrhenius(g, kb_b[r], kb_theta[r]));
}
/* a team's threads wait for no C, so each takes it from y */
kb_fn void kin_third_bodies(const kb_gas *g, const lane *y, kb_kinetics *w)
{
    each_from(m, NMSET, 3 * KB_TEAM / 4)
    {
        lane M = kb_mset_base[m] * g->Mb;
        for (int k = kb_mset_start[m]; k < kb_mset_start[m + 1]; k++) {
            int i = kb_mset_species[k];
            M += kb_mset_coef[k] * (KB_TEAM > 1 ? g->rho * (y[i + 1] * kb_rW[i]) : w->C[i]);
        }
        w->M[m] = M = vselect(M == 0.0, splat(1e-200), M); /* so that q/[M] tends to a value */
#if KB_TEAM == 1
        if (NFALLOFF > 0)
            w->lnM[m] = ln_guarded(M);
#endif
    }
}

/* F_cent of Troe's falloffs, which depends on T alone; with_derivatives: also its derivative */
kb_fn void kin_centers(const kb_gas *g, kb_kinetics *w, int with_derivatives)
{
    each_from(k, NTROE_ALL, KB_TEAM / 2)
    {
        lane slope, Fc = law_troe_center(g, kb_troe_a[k], kb_troe_rT3[k], kb_troe_rT1[k],
                                         kb_troe_T2[k], &slope);
        if (NTSANG > 0) { /* F_cent = F0 + F1 T; Troe's terms are zero then, and F0, F1 else */
            Fc += kb_troe_F0[k] + kb_troe_F1[k] * g->T;
            slope += kb_troe_F1[k];
        }
        lane dlF;
        w->lF[k] = law_center_log(Fc, slope, &dlF);
        if (with_derivatives)
            w->dlF[k] = dlF;
    }
}

/* Falloff reaction k, once its F and the derivatives of ln F are known: what multiplies the high
 * limit, Pr/(1 + Pr) F */
kb_fn lane kin_blend(const kb_gas *g, kb_kinetics *w, int k, lane F, lane dPr, lane dT,
                     int with_derivatives)
{
    lane s, part = kin_share(w, k, &s);
    if (with_derivatives) {
        w->gP[k] = s + dPr;
        w->gT[k] = dT + w->gP[k] * law_arrhenius_slope(g, kb_falloff_db[k], kb_falloff_dtheta[k]);
    }
    return part * F;
}

/* Falloff reaction k, of a kind FALLOFF_* and the number-th of that kind: F, its derivatives, and
 * the blend. Unsorted, tables hold both for each reaction. */
kb_fn lane kin_broaden(const kb_gas *g, kb_kinetics *w, int k, int kind, int number,
                       int with_derivatives)
{
    lane dPr = splat(0), dT = splat(0), F = splat(1);
    if (!SORTED) {
        kind = kb_falloff_kind[k];
        number = kb_falloff_number[k];
    }
    if (kind == FALLOFF_TROE && NTROE_ALL > 0)
        F = law_troe(w->lF[number], &w->dlF[number], kin_ln_pressure(g, w, k), with_derivatives,
                     &dPr, &dT);
    else if (kind == FALLOFF_SRI && NSRI_ALL > 0)
        F = law_sri(g, &kb_sri[5 * number], kin_ln_pressure(g, w, k), with_derivatives, &dPr,
                    &dT);
    return kin_blend(g, w, k, F, dPr, dT, with_derivatives);
}

/* v, at the reactions that are chemically activated, without the [M] */
kb_fn void kin_activated(const kb_kinetics *w, lane *v)
{
    if (NACTIVATED > 0)
        team_sync();
    each(k, NACTIVATED)
        v[kb_mreaction_rx[NTHREE_BODY + kb_activated[k]]] /=
            w->M[kb_mreaction_mset[NTHREE_BODY + kb_activated[k]]];
}

/* k of PLOG record `number` at g->lnp: ln k linear in ln p between tabulated pressures, constant
 * outside, as a weighted sum. dT, dP: derivatives of ln k by T and by ln p */
kb_fn lane kin_plog_rate(const kb_gas *g, int number, lane *dT, lane *dP)
{
    lane lnk = splat(0);
    int first = kb_plog_start[number], last = kb_plog_start[number + 1] - 1;
    *dT = *dP = splat(0);
    for (int j = first; j <= last; j++) {
        lane slope, hat = law_plog_weight(g, kb_plog_lnp, first, j, last, &slope);
        int t0 = kb_plog_term[j], t1 = kb_plog_term[j + 1];
        lane lnkj = splat(0), lT = splat(0), sum = splat(1e-300), sumT = splat(0);
        for (int t = t0; t < t1; t++) {
            lnkj = kb_plog_lnA[t] + law_arrhenius(g, kb_plog_b[t], kb_plog_theta[t]);
            lT = law_arrhenius_slope(g, kb_plog_b[t], kb_plog_theta[t]);
            lane e = t1 - t0 == 1 ? splat(0) : kb_plog_sign[t] * vexp(lnkj);
            sum += e;
            sumT += e * lT;
        }
        if (t1 - t0 > 1) {
            lnkj = vlog(sum);
            lT = sumT / sum;
        }
        lnk += hat * lnkj;
        *dP += slope * lnkj;
        *dT += hat * lT;
    }
    return vexp(lnk);
}

/* the same of Chebyshev record `number` */
kb_fn lane kin_chebyshev_rate(const kb_gas *g, int number, lane *dT, lane *dP)
{
    return law_chebyshev(g, &kb_cheb_range[4 * number], kb_cheb_size[2 * number],
                         kb_cheb_size[2 * number + 1], &kb_cheb_coef[kb_cheb_start[number]], dT,
                         dP);
}

kb_fn void kin_plog(const kb_gas *g, kb_kinetics *w, int with_derivatives)
{
    each(k, NPLOG)
    {
        lane dT, dP;
        w->kf[kb_plog_rx[k]] = kin_plog_rate(g, k, &dT, &dP);
        if (with_derivatives) {
            w->pT[k] = dT;
            w->pP[k] = dP;
        }
    }
}

kb_fn void kin_chebyshev(const kb_gas *g, kb_kinetics *w, int with_derivatives)
{
    each(k, NCHEB)
    {
        lane dT, dP;
        w->kf[kb_cheb_rx[k]] = kin_chebyshev_rate(g, k, &dT, &dP);
        if (with_derivatives) {
            w->pT[NPLOG + k] = dT;
            w->pP[NPLOG + k] = dP;
        }
    }
}

/* kf *= exp(-theta/T), where theta follows the heat of reaction */
kb_fn void kin_blowers_masel(const kb_gas *g, kb_kinetics *w)
{
    each(k, NBLOWERS_MASEL)
    {
        lane heat = splat(0), cp = splat(0), slope;
        for (int j = kb_blowers_masel_start[k]; j < kb_blowers_masel_start[k + 1]; j++) {
            int i = kb_blowers_masel_species[j];
            heat += kb_blowers_masel_nu[j] * (w->u[i] + 1.0);
            cp += kb_blowers_masel_nu[j] * w->cp[i];
        }
        lane theta = law_blowers_masel(kb_blowers_masel_theta[2 * k],
                                       kb_blowers_masel_theta[2 * k + 1], heat * g->T, &slope);
        w->kf[kb_blowers_masel_rx[k]] *= vexp(-theta * g->rT);
        w->bT[k] = (theta * g->rT - slope * cp) * g->rT;
    }
}
