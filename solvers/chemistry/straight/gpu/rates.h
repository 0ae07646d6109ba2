/* SPDX-License-Identifier: MIT
 *
 * Thermodynamics and rate constants at a state, as straight-line code: rate_constants.h says what
 * the symbols mean and where the formulas come from.
 */
#pragma once

#include "solvers/chemistry/gas.h"
#include "solvers/chemistry/laws/thermo.h"
#include "solvers/chemistry/straight/gpu/structure.h"

/* NASA-7 coefficients [range][NSP], each species in 64 bytes: below Tmid, above it, and what goes
 * on below and above the data */
struct alignas(16) straight_nasa {
    double a[8];
};
struct straight_nasa_table {
    straight_nasa range[4][NSP];
};
constexpr straight_nasa_table make_nasa()
{
    straight_nasa_table t = {};
    for (int i = 0; i < NSP; i++)
        for (int k = 0; k < 7; k++) {
            int b = k < 2 ? k : k < 5 ? -1 : k - 3; /* kb_beyond has a1, a2, a6, a7 */
            t.range[0][i].a[k] = tables::kb_lo[k * NSP + i];
            t.range[1][i].a[k] = tables::kb_hi[k * NSP + i];
            t.range[2][i].a[k] = b < 0 ? 0 : tables::kb_cold[b * NSP + i];
            t.range[3][i].a[k] = b < 0 ? 0 : tables::kb_hot[b * NSP + i];
        }
    return t;
}
#ifdef __CUDACC__
static __device__ const straight_nasa_table nasa = make_nasa();
#else
static constexpr straight_nasa_table nasa = make_nasa();
#endif

struct straight_state {
    kb_gas gas;
    lane c, slope; /* sum of c_i z_i, and its derivative by T */
    /* C: the two behind the last species are the padding 1 and 0. E, I, u: of species that react,
     * with padding */
    lane C[NSP + 2], E[NSP + 2], I[NSP + 2], u[NSP + 2], cp[NSP], M[NMSET + 1];
};

/* h/RT - 1, c/R and E of each species, and the sums over c */
template <bool jacobian>
straight_fn void straight_thermo(lane c1, const lane *y, straight_state &g)
{
    const law_powers powers = law_powers_of(&g.gas);
    const lane T = powers.T;
    const bool beyond = T < KB_DATA_FROM || T > KB_DATA_TO; /* of a species: hardly ever */
    g.c = g.slope = 0;
    upto<0, NSP>([&](auto species) {
        constexpr int i = INDEX(species);
        constexpr double middle = tables::kb_Tmid[i], rW = tables::kb_rW[i],
                         Rp0 = tables::kb_Rp0[i], low = tables::kb_Tlow[i],
                         high = tables::kb_Thigh[i];
        int range = T > middle;
        if (beyond)
            range = T < low ? 2 : T > high ? 3 : range;
        const straight_nasa s = nasa.range[range][i];
        const lane a[] = {s.a[0], s.a[1], s.a[2], s.a[3], s.a[4], s.a[5], s.a[6]};
        lane cp = law_nasa7_cp(&powers, a) - c1, z = y[i + 1] * rW;
        g.c += cp * z;
        if constexpr (jacobian) {
            g.cp[i] = cp;
            /* law_nasa7_slope with powers of T that are there: it would spill more */
            g.slope += z * (a[1] + a[2] * (2.0 * T) + a[3] * (3.0 * powers.T2) +
                            a[4] * (4.0 * powers.T3));
        }
        if constexpr (reacts(i)) {
            g.u[i] = law_nasa7_h(&powers, a);
            g.E[i] = vexp(law_nasa7_g(&powers, a)) * (T * Rp0);
            g.I[i] = vinverse(g.E[i]);
        } else { /* as often on one side of a reaction as on the other, if at all */
            g.E[i] = g.I[i] = 1;
            g.u[i] = 0;
        }
    });
}

straight_fn void straight_third_bodies(straight_state &g)
{
    upto<0, NMSET>([&](auto set) {
        constexpr int m = INDEX(set), first = tables::kb_mset_start[m],
                      last = tables::kb_mset_start[m + 1];
        constexpr double base = tables::kb_mset_base[m];
        lane M = base * g.gas.Mb;
        upto<first, last>([&](auto k) {
            constexpr int species = tables::kb_mset_species[INDEX(k)];
            constexpr double coefficient = tables::kb_mset_coef[INDEX(k)];
            M += coefficient * g.C[species];
        });
        g.M[m] = M == 0.0 ? 1e-200 : M;
    });
}

/* constant_volume: fixed is rho, else p */
template <bool jacobian>
straight_fn void straight_state_at(int constant_volume, lane fixed, const lane *y,
                                   straight_state &g)
{
    lane sigma = 0;
    upto<0, NSP>([&](auto i) {
        constexpr double rW = tables::kb_rW[INDEX(i)];
        sigma += y[INDEX(i) + 1] * rW;
    });
    g.gas.T = y[0];
    g.gas.rT = vinverse(g.gas.T);
    g.gas.lnT = vlog(g.gas.T);
    g.gas.sigma = sigma;
    g.gas.rho = constant_volume ? fixed : fixed * g.gas.rT * (1.0 / GAS_CONSTANT) * vinverse(sigma);
    g.gas.Mb = g.gas.rho * sigma;
    upto<0, NSP>([&](auto i) {
        constexpr double rW = tables::kb_rW[INDEX(i)];
        g.C[INDEX(i)] = g.gas.rho * (y[INDEX(i) + 1] * rW);
    });
    g.C[NSP] = g.E[NSP] = g.I[NSP] = g.I[NSP + 1] = 1;
    g.C[NSP + 1] = g.E[NSP + 1] = g.u[NSP] = g.u[NSP + 1] = 0;
    straight_thermo<jacobian>(constant_volume ? 1 : 0, y, g);
    straight_third_bodies(g);
}

/* x[k]: T^-3 .. T^3, then T^b exp(-theta/T) */
template <int k> straight_fn lane straight_x(const straight_state &g)
{
    if constexpr (k < 7) {
        constexpr int power = k - 3;
        lane f = power < 0 ? g.gas.rT : g.gas.T, x = 1;
        upto<0, (power < 0 ? -power : power)>([&](auto) { x *= f; });
        return x;
    } else {
        constexpr double b = tables::kb_x_b[k - 7], theta = tables::kb_x_theta[k - 7];
        return vexp(law_arrhenius(&g.gas, b, theta));
    }
}

/* F of falloff k and its logarithmic derivatives by Pr and by T at constant Pr */
template <int k, bool jacobian>
straight_fn lane straight_broadening(const kb_gas *gas, lane pr, lane *dPr, lane *dT)
{
    constexpr int troe = k - NLIND, sri = troe - NTROE;
    if constexpr (sri >= 0) {
        constexpr double value[] = {tables::kb_sri[5 * sri], tables::kb_sri[5 * sri + 1],
                                    tables::kb_sri[5 * sri + 2], tables::kb_sri[5 * sri + 3],
                                    tables::kb_sri[5 * sri + 4]};
        return law_sri(gas, value, ln_guarded(pr), jacobian, dPr, dT);
    } else if constexpr (troe >= 0) {
        constexpr double a = tables::kb_troe_a[troe], rT3 = tables::kb_troe_rT3[troe];
        constexpr double rT1 = tables::kb_troe_rT1[troe], T2 = tables::kb_troe_T2[troe];
        lane dF, dlF, F = law_troe_center(gas, a, rT3, rT1, T2, &dF);
        lane lF = law_center_log(F, dF, &dlF);
        return law_troe(lF, &dlF, ln_guarded(pr), jacobian, dPr, dT);
    }
    return 1;
}

/* what multiplies kf of falloff k; d ln of it by T and by Pr */
template <int k, bool jacobian>
straight_fn lane straight_falloff(const straight_state &g, lane kf, lane *dT, lane *dPr)
{
    constexpr double A = tables::kb_falloff_A[k], db = tables::kb_falloff_db[k],
                     dtheta = tables::kb_falloff_dtheta[k];
    constexpr int x = tables::kb_falloff_x[k], set = tables::kb_mreaction_mset[NTHREE_BODY + k];
    lane pr = vmin(A * straight_x<x>(g) * g.M[set] * vinverse(kf + 1e-300), 1e300);
    lane s, part = law_blend(pr, &s), FPr = 0, FT = 0;
    lane F = straight_broadening<k, jacobian>(&g.gas, pr, &FPr, &FT);
    if constexpr (jacobian) {
        *dPr = s + FPr;
        *dT = FT + *dPr * law_arrhenius_slope(&g.gas, db, dtheta);
    }
    return part * F;
}

/* is falloff k chemically activated: without the [M]? */
template <int k>
constexpr bool activated = [] {
    for (int a = 0; a < NACTIVATED; a++)
        if (tables::kb_activated[a] == k)
            return true;
    return false;
}();

/* Rate constant of reaction r, without the [M] of a three-body reaction. jacobian: falloffs also
 * give dT, dPr, the derivatives of ln k beyond the Arrhenius term's. */
template <int r, bool jacobian>
straight_fn lane straight_rate_constant(const straight_state &g, lane *dT, lane *dPr)
{
    using R = reaction<r>;
    constexpr double A = R::A;
    lane kf = A * straight_x<R::x>(g);
    if constexpr (R::falls_off) {
        constexpr int k = R::third_body - NTHREE_BODY;
        kf *= straight_falloff<k, jacobian>(g, kf, dT, dPr);
        if constexpr (activated<k>)
            kf *= vinverse(g.M[R::set]);
    }
    return kf;
}
