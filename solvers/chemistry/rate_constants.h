/* SPDX-License-Identifier: MIT
 *
 * Thermodynamics and rate constants at a state: the loops over the tables of mechc. The formulas of
 * one record are in laws/; rhs.h says what the symbols mean.
 */
#ifndef KB_RATE_CONSTANTS_H
#define KB_RATE_CONSTANTS_H

#include "solvers/chemistry/gas.h"
#include "solvers/chemistry/laws/thermo.h"
#include "solvers/portable/lines.h"
#include "solvers/portable/shared_vectors.h"
#include "solvers/portable/work.h"

/* A team, whose memory is short, has one exponential a reaction and not the room x of those that
 * differ, its rates of progress in the place of the rate constants, and partial sums of gathers in
 * the place of C, E and I. */
#if KB_TEAM > 1
enum { KIN_ROOM = 3 * (NALL + 2), KIN_ROOM_FITS = (int)NGATHER_PIECES <= (int)KIN_ROOM };
#define KIN_RATES(ARRAY)                                                                           \
    union {                                                                                        \
        struct {                                                                                   \
            lane C[NALL + 2], E[NALL + 2], I[NALL + 2];                                            \
        };                                                                                         \
        lane room[KIN_ROOM];                                                                       \
    };                                                                                             \
    union {                                                                                        \
        lane kf[NRX];                                                                              \
        lane q[NRX];                                                                               \
    };
#else
/* x: T^b exp(-theta/T), until the rate constants are there; q: rates of progress [kmol/(m^3 s)] */
#if KB_LINED /* both at the same time; Z: kin_products */
#define KIN_PROGRESS(ARRAY)                                                                        \
    ARRAY(lane, x, NX) ARRAY(lane, q, NRX) ARRAY(lane, Z, NGENERAL > 0 ? NALL + 2 : 1)
#elif defined(KB_RUN_TIME) /* q of no elements begins where x does */
#define KIN_PROGRESS(ARRAY) ARRAY(lane, q, 0) ARRAY(lane, x, NX > NRX ? NX : NRX)
#else
#define KIN_PROGRESS(ARRAY)                                                                        \
    union {                                                                                        \
        lane x[NX];                                                                                \
        lane q[NRX];                                                                               \
    };
#endif
#define KIN_RATES(ARRAY)                                                                           \
    KIN_C_VECTOR(ARRAY, C)   /* [kmol/m^3]; the last two are the padding 1 and 0 */                \
    ARRAY(lane, E, NALL + 2) /* exp(g/RT) RT/p0, padding 1 and 0; and its inverse, 1 and 1 */      \
    ARRAY(lane, I, NALL + 2)                                                                       \
    ARRAY(lane, kf, NRX) /* forward rate constants; without the M of three-body reactions */       \
    KIN_PROGRESS(ARRAY)                                                                            \
    ARRAY(lane, lnM, NMSET + 1) /* ln of M */
#endif
/* falloff: pr: reduced pressure (no team: low limit times [M]); for the Jacobian gT: dlnk/dT, gP:
 * dlnk/dlnPr; lF, dlF: log10 of Troe's F_cent, and d ln F_cent/dT. pT, pP: dlnk/dT, dlnk/dlnp of
 * PLOG, Chebyshev; bT: of Blowers-Masel, beyond that of T^b. burke_*: linear_burke.h; steady*:
 * steady.h */
#define KIN_FIELDS(ARRAY, ROWS, PART)                                                              \
    KIN_RATES(ARRAY)                                                                               \
    ARRAY(lane, u, NALL + 2)  /* h/RT - 1; padding 0 */                                            \
    ARRAY(lane, cp, NALL)     /* cp/R */                                                           \
    ARRAY(lane, M, NMSET + 1) /* third-body concentrations of the distinct sets */                 \
    ARRAY(lane, pr, NFALLOFF + 1) ARRAY(lane, gT, NFALLOFF + 1) ARRAY(lane, gP, NFALLOFF + 1)      \
    ARRAY(lane, lF, NTROE_ALL + 1) ARRAY(lane, dlF, NTROE_ALL + 1)                                 \
    ARRAY(lane, pT, NPLOG + NCHEB + 1)                                                             \
    ARRAY(lane, bT, NBLOWERS_MASEL + 1)                                                            \
    ARRAY(lane, pP, NPLOG + NCHEB + 1)                                                             \
    ARRAY(lane, burke_k, NBURKE_COLLIDER + 1) ARRAY(lane, burke_C, NBURKE_COLLIDER + 1)            \
    ARRAY(lane, burke_M, NBURKE + 1) ARRAY(lane, burke_T, NBURKE + 1)                              \
    ARRAY(lane, steady, NSTEADY * (NSTEADY + 1) + 1) ARRAY(lane, steady_rate, 2 * NSTEADY_RX + 1)
KB_WORK(kb_kinetics, KIN_FIELDS)

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
    const lane a[] = {NASA_COEFFICIENTS(high, lo, hi, i)};
    law_thermo t = law_nasa7(g, a);
    w->cp[i] = t.cp;
    w->u[i] = t.u;
    w->E[i] = t.g;
    if (NASA9) {
        t = law_nasa9(g, kin_nasa9_coefficient(high, 0, i), kin_nasa9_coefficient(high, 1, i));
        w->cp[i] += t.cp;
        w->u[i] += t.u;
        w->E[i] += t.g;
    }
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
    law_thermo t = law_beyond(g, b);
    w->cp[i] = vselect(beyond, t.cp, w->cp[i]);
    w->u[i] = vselect(beyond, t.u, w->u[i]);
    w->E[i] = vselect(beyond, t.g, w->E[i]);
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
#if KB_TEAM == 1
kb_line lane kin_kf(const kb_kinetics *w, int r)
{
    enum { ONE = 3 }; /* x there is 1 */
    if (KB_LINED && kb_x_index[r] == ONE)
        return splat(kb_A[r]);
    return kb_A[r] * w->x[kb_x_index[r]];
}
#endif

#if KB_TEAM > 1
/* table reactions that are not plain: each of a team's threads computes kf of a plain one where it
 * needs it */
enum { KIN_LISTED_2 = RX1 - PLAIN_2, KIN_LISTED_3 = RX2 - PLAIN_3,
       KIN_LISTED = KIN_LISTED_2 + KIN_LISTED_3 + NRX - RX2 };
kb_fn int kin_listed(int k)
{
    return k < KIN_LISTED_2                  ? PLAIN_2 + k
           : k < KIN_LISTED_2 + KIN_LISTED_3 ? PLAIN_3 + k - KIN_LISTED_2
                                             : RX2 + k - KIN_LISTED_2 - KIN_LISTED_3;
}

/* forward: 1: kf of all reactions, 0: of those that are not plain. Not on the first threads, which
 * have the species; and what Pr of the falloffs has beside [M] */
kb_fn void kin_arrhenius(const kb_gas *g, kb_kinetics *w, int forward)
{
    if (forward)
        each_back(r, NRX) w->kf[r] = kin_plain(g, r);
    else
        each_from(k, KIN_LISTED, 3 * KB_TEAM / 4)
        {
            int r = kin_listed(k);
            w->kf[r] = kin_plain(g, r);
        }
    each_from(k, NFALLOFF, KB_TEAM / 2)
        w->pr[k] = kb_falloff_rA[k] *
                   vexp_finite(law_arrhenius(g, kb_falloff_db[k], kb_falloff_dtheta[k]));
}
#else
/* forward: 1: kf of all reactions, 0: of those whose rate constants need it for more than kf */
kb_fn void kin_arrhenius(const kb_gas *g, kb_kinetics *w, int forward)
{
    lane T = g->T, rT = g->rT;
    each(k, 1)
    {
        w->x[0] = rT * rT * rT;
        w->x[1] = rT * rT;
        w->x[2] = rT;
        w->x[3] = splat(1);
        w->x[4] = T;
        w->x[5] = T * T;
        w->x[6] = T * T * T;
    }
    kb_gas units = *g; /* law_arrhenius gives exponents of that unit */
    units.lnT *= KB_EXP_UNIT;
    units.rT *= KB_EXP_UNIT;
    each(k, NX - 7) w->x[7 + k] = vexp_units(law_arrhenius(&units, kb_x_b[k], kb_x_theta[k]));
    team_sync();
    if (forward) {
        each(r, NRX) w->kf[r] = kin_kf(w, r);
        return;
    }
    each(k, NFALLOFF)
    {
        int r = kb_mreaction_rx[NTHREE_BODY + k];
        w->kf[r] = kin_kf(w, r);
    }
    each(k, NBLOWERS_MASEL) w->kf[kb_blowers_masel_rx[k]] = kin_kf(w, kb_blowers_masel_rx[k]);
}
#endif

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
    lane pr = w->pr[k];
#if KB_TEAM > 1
    lane s, part = law_blend(pr, &s);
#else
    lane s, part = law_blend_limits(w->kf[kb_mreaction_rx[NTHREE_BODY + k]], pr, &s);
#endif
    if (with_derivatives) {
        w->gP[k] = s + dPr;
        w->gT[k] = dT + w->gP[k] * law_arrhenius_slope(g, kb_falloff_db[k], kb_falloff_dtheta[k]);
    }
    return part * F;
}

/* what pr holds */
kb_fn lane kin_reduced_pressure(const kb_kinetics *w, int k)
{
    lane M = w->M[kb_mreaction_mset[NTHREE_BODY + k]];
#if KB_TEAM > 1
    return vmin(w->pr[k] * M, splat(1e300)); /* where the high limit underflows */
#else
    return kb_falloff_A[k] * w->x[kb_falloff_x[k]] * M;
#endif
}

/* ln Pr of falloff k */
kb_fn lane kin_ln_pressure(const kb_gas *g, const kb_kinetics *w, int k)
{
#if KB_TEAM > 1
    (void)g;
    return ln_guarded(w->pr[k]);
#else
    return kb_falloff_lnA[k] + law_arrhenius(g, kb_falloff_db[k], kb_falloff_dtheta[k]) +
           w->lnM[kb_mreaction_mset[NTHREE_BODY + k]];
#endif
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

#if KB_TEAM > 1
/* what multiplies the high limit of falloff k; the thread alone uses pr[k] from here on */
kb_fn lane kin_falloff_factor(const kb_gas *g, kb_kinetics *w, int k, int with_derivatives)
{
    int kind = k < NLIND ? FALLOFF_LINDEMANN : k < NLIND + NTROE ? FALLOFF_TROE : FALLOFF_SRI;
    int first = kind == FALLOFF_LINDEMANN ? 0 : kind == FALLOFF_TROE ? NLIND : NLIND + NTROE;
    w->pr[k] = kin_reduced_pressure(w, k);
    return kin_broaden(g, w, k, kind, k - first, with_derivatives);
}

kb_fn void kin_falloff(const kb_gas *g, kb_kinetics *w, int with_derivatives)
{
    each_back(k, NFALLOFF)
        w->kf[kb_mreaction_rx[NTHREE_BODY + k]] *= kin_falloff_factor(g, w, k, with_derivatives);
    kin_activated(w, w->kf);
}
#else
/* with_derivatives: also the derivatives of ln k. Lindemann, Troe, SRI in turn. */
kb_fn void kin_falloff(const kb_gas *g, kb_kinetics *w, int with_derivatives)
{
    const kb_index *rx = kb_mreaction_rx + NTHREE_BODY;
    int troe = NLIND, sri = NLIND + NTROE, d = with_derivatives;
    each(k, NFALLOFF) w->pr[k] = kin_reduced_pressure(w, k);
    each(k, NLIND) w->kf[rx[k]] *= kin_broaden(g, w, k, FALLOFF_LINDEMANN, k, d);
    each(k, NTROE) w->kf[rx[troe + k]] *= kin_broaden(g, w, troe + k, FALLOFF_TROE, k, d);
    each(k, NSRI) w->kf[rx[sri + k]] *= kin_broaden(g, w, sri + k, FALLOFF_SRI, k, d);
    kin_activated(w, w->kf);
}
#endif

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

#endif
