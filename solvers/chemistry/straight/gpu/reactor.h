/* SPDX-License-Identifier: MIT
 *
 * The right-hand side and the exact Jacobian of a small mechanism as straight-line code. Every
 * index of the tables is a constant of the compiler, so that vectors can lie in registers and
 * nothing is loaded but the state and the coefficients of NASA-7. The formulas are those of rhs.h
 * and jacobian.h, which say what the symbols mean; vectors of the methods are (T, Y of all
 * species) here too.
 */
#pragma once

#include "solvers/chemistry/straight/gpu/rates.h"

/* v[i] += net coefficient times x, for the species of reaction r */
template <int r> straight_fn void straight_add(lane *v, lane x)
{
    upto<0, NSP>([&](auto i) {
        constexpr double nu = net<INDEX(i), r>;
        if constexpr (nu != 0)
            v[INDEX(i)] += nu * x;
    });
}

/* product of v over the slots [first, first + 3), but for one (-1: all) */
template <int r, int first, int but> straight_fn lane straight_product(const lane *v)
{
    lane x = 1;
    upto<first, first + 3>([&](auto k) {
        constexpr int i = reaction<r>::template slot<INDEX(k)>;
        if constexpr (INDEX(k) != but && i != NSP)
            x *= v[i];
    });
    return x;
}

/* 1/Kc of a reversible reaction */
template <int r> straight_fn lane straight_inverse_Kc(const straight_state &g)
{
    lane K = 1;
    upto<0, 3>([&](auto k) {
        constexpr int a = reaction<r>::template slot<INDEX(k)>,
                      p = reaction<r>::template slot<INDEX(k) + 3>;
        if constexpr (a != NSP || p != NSP)
            K *= g.E[p] * g.I[a];
    });
    return K;
}

/* f [NSP] = wdot -> dy; returns dT/dt */
straight_fn lane straight_energy(const straight_state &g, lane e1, lane *f, lane *dy)
{
    lane scale = vinverse(g.gas.rho), heat = 0;
    upto<0, NSP>([&](auto species) {
        constexpr int i = INDEX(species);
        constexpr double W = tables::kb_W[i];
        if constexpr (reacts(i)) {
            f[i] *= scale;
            heat += (g.u[i] + e1) * f[i];
            dy[i + 1] = f[i] * W;
        } else
            dy[i + 1] = 0;
    });
    return dy[0] = -g.gas.T * heat * vinverse(g.c);
}

/* dy [NSP + 1] = d(T, Y)/dt */
straight_fn void straight_rhs(int constant_volume, lane fixed, const lane *y, lane *dy)
{
    straight_state g;
    lane f[NSP] = {}, none;
    straight_state_at<false>(constant_volume, fixed, y, g);
    upto<0, NRX>([&](auto index) {
        constexpr int r = INDEX(index);
        using R = reaction<r>;
        lane k = straight_rate_constant<r, false>(g, &none, &none),
               q = straight_product<r, 0, -1>(g.C);
        if constexpr (R::third_body >= 0 && !R::falls_off)
            k *= g.M[R::set];
        if constexpr (R::reversible)
            q -= straight_inverse_Kc<r>(g) * straight_product<r, 3, -1>(g.C);
        straight_add<r>(f, k * q);
    });
    straight_energy(g, constant_volume ? 0 : 1, f, dy);
}

/* what the columns of the Jacobian are made from */
struct straight_sums {
    lane f[NSP], fT[NSP], border[NSP], V[NDWDOT_DM + 1];
    lane forward[NRX], reverse[NRX]; /* rate constants, with [M] */
};

/* reaction r into the sums; jac_progress, jac_temperature and jac_pressure */
template <int r>
straight_fn void straight_reaction(int constant_volume, const straight_state &g, straight_sums &s)
{
    using R = reaction<r>;
    constexpr double b = R::b, theta = R::theta, forward_order = R::one_minus_forward,
                     reverse_order = R::one_minus_reverse;
    lane rT = g.gas.rT, kT = 0, kPr = 0, kf = straight_rate_constant<r, true>(g, &kT, &kPr),
           k = kf;
    lane F = straight_product<r, 0, -1>(g.C), K = 0, reverse = 0, du = 0;
    if constexpr (R::third_body >= 0 && !R::falls_off)
        k *= g.M[R::set];
    if constexpr (R::reversible) {
        K = straight_inverse_Kc<r>(g);
        reverse = K * straight_product<r, 3, -1>(g.C);
        upto<0, 3>([&](auto j) {
            du += g.u[R::template slot<INDEX(j) + 3>] - g.u[R::template slot<INDEX(j)>];
        });
    }
    lane q = k * (F - reverse), B = k * (forward_order * F - reverse_order * reverse);
    lane qT = q * (law_arrhenius_slope(&g.gas, b, theta) + kT) + k * reverse * rT * du;
    if (!constant_volume)
        qT += B * rT;
    if (constant_volume)
        B = 0;
    if constexpr (R::third_body >= 0) {
        constexpr double base = tables::kb_mset_base[R::set];
        lane qM, M = g.M[R::set];
        if constexpr (!R::falls_off)
            qM = kf * (F - reverse);
        else if constexpr (activated<R::third_body - NTHREE_BODY>)
            qM = q * (kPr - 1) * vinverse(M);
        else
            qM = q * kPr * vinverse(M);
        lane inner = qM * (M - base * g.gas.Mb);
        B = constant_volume ? B + base * qM : B - inner;
        qT -= constant_volume ? 0 : qM * M * rT;
        upto<0, NDWDOT_DM>([&](auto v) {
            constexpr double nu = [] {
                for (int t = tables::kb_dwdot_dM_start[INDEX(v)];
                     t < tables::kb_dwdot_dM_start[INDEX(v) + 1]; t++)
                    if (tables::kb_dwdot_dM_mreaction[t] == R::third_body)
                        return tables::kb_dwdot_dM_nu[t];
                return 0.0;
            }();
            if constexpr (nu != 0)
                s.V[INDEX(v)] += nu * qM;
        });
    }
    s.forward[r] = k;
    s.reverse[r] = k * K;
    straight_add<r>(s.f, q);
    straight_add<r>(s.fT, qT);
    straight_add<r>(s.border, B);
}

/* column j of d omega/d C -> d [NSP] */
template <int j>
straight_fn void straight_column(const straight_state &g, const straight_sums &s, lane *d)
{
    upto<0, NRX>([&](auto index) {
        constexpr int r = INDEX(index);
        upto<0, 6>([&](auto slot) {
            constexpr int k = INDEX(slot);
            if constexpr (reaction<r>::template slot<k> == j)
                straight_add<r>(d, k < 3 ? s.forward[r] * straight_product<r, 0, k>(g.C)
                                         : -s.reverse[r] * straight_product<r, 3, k>(g.C));
        });
    });
    constexpr int first = tables::kb_efficiency_start[j], last = tables::kb_efficiency_start[j + 1];
    upto<first, last>([&](auto k) {
        constexpr int set = tables::kb_efficiency_mset[INDEX(k)];
        constexpr int v0 = tables::kb_dwdot_dM_set[set], v1 = tables::kb_dwdot_dM_set[set + 1];
        constexpr double coefficient = tables::kb_efficiency_coef[INDEX(k)];
        upto<v0, v1>([&](auto v) {
            constexpr int row = tables::kb_dwdot_dM_species[INDEX(v)];
            d[row] += coefficient * s.V[INDEX(v)];
        });
    });
}

/* dy, and A [matrix.n] = -J where an entry is there before elimination; row s is not written */
straight_fn void straight_jacobian(int constant_volume, lane fixed, const lane *y, lane *dy,
                                   lane *A)
{
    straight_state g;
    straight_sums s = {};
    straight_state_at<true>(constant_volume, fixed, y, g);
    upto<0, NRX>([&](auto r) { straight_reaction<INDEX(r)>(constant_volume, g, s); });
    lane e1 = constant_volume ? 0 : 1, dT = straight_energy(g, e1, s.f, dy);
    lane scale = vinverse(g.gas.rho), border_scale = constant_volume ? 1.0 : vinverse(g.gas.Mb);
    lane heat_T = 0, heat_border = 0, cf = 0, rc = vinverse(g.c), Tc = g.gas.T * rc;
    upto<0, NREACTING>([&](auto at) {
        constexpr int i = order.species[INDEX(at)];
        lane fT = s.fT[i] * scale, border = s.border[i] * border_scale, e = g.u[i] + e1;
        heat_T += e * fT;
        heat_border += e * border;
        cf += g.cp[i] * s.f[i];
        A[place<INDEX(at), AT_T>] = -fT;
        A[place<INDEX(at), AT_S>] = -border;
    });
    A[place<AT_T, AT_T>] = (g.gas.T * heat_T + cf + dT * g.slope) * rc;
    A[place<AT_T, AT_S>] = Tc * heat_border;
    upto<0, NREACTING>([&](auto column) {
        constexpr int at = INDEX(column), j = order.species[at];
        lane d[NSP] = {}, heat = 0;
        straight_column<j>(g, s, d);
        upto<0, NREACTING>([&](auto row) {
            constexpr int i = order.species[INDEX(row)];
            if constexpr (matrix.raw[INDEX(row)][at]) {
                heat += (g.u[i] + e1) * d[i];
                A[place<INDEX(row), at>] = -d[i];
            }
        });
        A[place<AT_T, at>] = Tc * heat + dT * rc * g.cp[j];
    });
}

/* max_i |d f_i/d z_i| [1/s] at constant T and [M]; loss_frequency.h */
straight_fn lane straight_loss_frequency(int constant_volume, lane fixed, const lane *y)
{
    straight_state g;
    lane loss[NSP] = {}, none, most = 0;
    straight_state_at<false>(constant_volume, fixed, y, g);
    upto<0, NRX>([&](auto index) {
        constexpr int r = INDEX(index);
        using R = reaction<r>;
        lane k = straight_rate_constant<r, false>(g, &none, &none), K = 0;
        if constexpr (R::third_body >= 0 && !R::falls_off)
            k *= g.M[R::set];
        if constexpr (R::reversible)
            K = straight_inverse_Kc<r>(g);
        upto<0, 6>([&](auto slot) {
            constexpr int j = INDEX(slot), i = R::template slot<j>;
            if constexpr (i < NSP) {
                constexpr double nu = net<i, r>;
                loss[i] += nu * k *
                           (j < 3 ? straight_product<r, 0, j>(g.C)
                                  : -K * straight_product<r, 3, j>(g.C));
            }
        });
    });
    upto<0, NSP>([&](auto i) { most = vmax(most, vabs(loss[INDEX(i)])); });
    return most;
}
