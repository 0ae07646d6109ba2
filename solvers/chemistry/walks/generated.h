/* SPDX-License-Identifier: MIT
 *
 * One thread runs code that a compiler generates reaction by reaction, with KB_ALGORITHM1 elements
 * of a vector in shared memory as Algorithm 1 of Curtis et al. (2017) chooses them
 * (solvers/papers/cache_plan.h): concentrations while rates of progress and their derivatives are
 * computed, rates of species while these are summed. With 0 the same code without a cache. As in
 * the authors' code shared memory is volatile, and vectors of rates are restrict; vectors of
 * derivatives are not. The sums of the Jacobian and what table reactions do not express are loops.
 */
#pragma once

#include <utility>
#include "solvers/papers/cache_plan.h"

namespace tables
{ /* constants.h once more, as constants of the compiler */
#pragma push_macro("KB_TABLE")
#undef KB_TABLE
#undef KB_CONSTANTS_H
#define KB_TABLE static constexpr
#include "constants.h"
#pragma pop_macro("KB_TABLE")
} // namespace tables
static_assert(!SORTED, "reactions are in the mechanism's order");

enum { PLACES = KB_ALGORITHM1, KB_CACHED_DOUBLES = PLACES, SLOTS = 6 };

/* kb_generated: a function of its own, since its code is long */
#ifdef __shared__ /* CUDA, or tests/gpu/fake_cuda */
#define kb_generated static __device__ __attribute__((noinline))
extern __shared__ lane kin_cache[]; /* [PLACES][threads of the block] */
kb_law volatile lane &kin_place(int k)
{
    return ((volatile lane *)kin_cache)[k * blockDim.x + threadIdx.x];
}
#else /* a thread alone, in tests */
#define kb_generated static __attribute__((noinline, unused))
static lane kin_cache[PLACES + 1];
kb_law volatile lane &kin_place(int k) { return kin_cache[k]; }
#endif

template <class F, int... I> kb_law void each_of(F f, std::integer_sequence<int, I...>)
{
    (f(std::integral_constant<int, I>{}), ...);
}

/* f(0), ..., f(n - 1), each by itself with a constant of the compiler */
template <int n, class F> kb_law void each_constant([[maybe_unused]] F f)
{
    if constexpr (n > 0)
        each_of(f, std::make_integer_sequence<int, n>{});
}

/* --- what a reaction uses: the species of its slots; those whose amount it changes */
typedef cache_uses<NRX, SLOTS> slot_uses;
constexpr slot_uses make_slot_uses()
{
    slot_uses u = {};
    for (int r = 0; r < NRX; r++)
        for (int k = 0; k < SLOTS; k++) {
            int i = tables::kb_slot[k * NRX + r];
            if (i < NALL && cache_find(u, r, i) < 0)
                u.item[r][u.n[r]++] = i;
        }
    return u;
}

constexpr int most_changed()
{
    int n[NRX] = {}, most = 1;
    for (int k = 0; k < tables::kb_species_start[NSP]; k++) {
        int m = ++n[tables::kb_species_rx[k]];
        most = m > most ? m : most;
    }
    return most;
}
enum { CHANGED = most_changed() };
typedef cache_uses<NRX, CHANGED> net_uses;
struct net_changes {
    net_uses u;
    double nu[NRX][CHANGED];
};
constexpr net_changes make_net_changes()
{
    net_changes c = {};
    for (int i = 0; i < NSP; i++)
        for (int k = tables::kb_species_start[i]; k < tables::kb_species_start[i + 1]; k++) {
            int r = tables::kb_species_rx[k], j = c.u.n[r]++;
            c.u.item[r][j] = i;
            c.nu[r][j] = tables::kb_species_nu[k];
        }
    return c;
}

constexpr slot_uses slot_use = make_slot_uses();
constexpr cache_plan<NRX, SLOTS, PLACES> slot_plan = make_cache_plan<PLACES>(slot_use);
constexpr net_changes net_change = make_net_changes();
constexpr cache_plan<NRX, CHANGED, PLACES> net_plan = make_cache_plan<PLACES>(net_change.u);

/* --- table reaction r */
template <int r> struct reaction {
    template <int k> static constexpr int slot = tables::kb_slot[k * NRX + r];
    template <int k> static constexpr int at = tables::kb_slot_derivative[k * NRX + r];
    /* where the concentration of a slot is cached, -1: nowhere */
    template <int k>
    static constexpr int place = slot<k> < NALL
                                     ? slot_plan.at[r][cache_find(slot_use, r, slot<k>)]
                                     : -1;
    static constexpr int slots = 2 + (tables::kb_range_of[r] & 1);
    static constexpr bool three_body = tables::kb_range_of[r] >> 1;
    static constexpr int number = tables::kb_mreaction_of[r];
    static constexpr int set = three_body ? tables::kb_mreaction_mset[number] : 0;
};

/* element of a vector at slot k, with what padding has */
template <int r, int k> kb_law lane slot_value(const lane *__restrict__ v, double one, double zero)
{
    constexpr int i = reaction<r>::template slot<k>;
    if constexpr (i >= NALL)
        return splat(i == NALL ? one : zero);
    else
        return v[i];
}

/* concentration at slot k */
template <int r, int k> kb_law lane slot_C(const lane *__restrict__ C)
{
    if constexpr (reaction<r>::template place<k> >= 0)
        return kin_place(reaction<r>::template place<k>);
    else
        return slot_value<r, k>(C, 1, 0);
}

/* what enters the cache before reaction r; nothing of it is changed there */
template <int r> kb_law void load_step(const lane *__restrict__ C)
{
    each_constant<slot_plan.step[r].n>([&](auto k) {
        constexpr int place = slot_plan.step[r].place[k], item = slot_plan.step[r].item[k];
        kin_place(place) = C[item];
    });
}

/* concentrations of a reaction's slots, their products, and 1/Kc */
struct slot_products {
    lane a, b, c, p, s, t, F, R, K;
};

template <int r> kb_law slot_products products_of(const lane *__restrict__ C,
                                                  const lane *__restrict__ E,
                                                  const lane *__restrict__ I)
{
    slot_products x = {slot_C<r, 0>(C), slot_C<r, 1>(C), splat(1), slot_C<r, 3>(C),
                       slot_C<r, 4>(C), splat(1)};
    x.F = x.a * x.b;
    x.R = x.p * x.s;
    x.K = slot_value<r, 3>(E, 1, 0) * slot_value<r, 0>(I, 1, 1) *
          (slot_value<r, 4>(E, 1, 0) * slot_value<r, 1>(I, 1, 1));
    if constexpr (reaction<r>::slots == 3) {
        x.c = slot_C<r, 2>(C);
        x.t = slot_C<r, 5>(C);
        x.F *= x.c;
        x.R *= x.t;
        x.K *= slot_value<r, 5>(E, 1, 0) * slot_value<r, 2>(I, 1, 1);
    }
    return x;
}

kb_generated void generated_progress(const lane *__restrict__ C, const lane *__restrict__ E,
                                     const lane *__restrict__ I, const lane *__restrict__ M,
                                     const lane *__restrict__ kf, lane *__restrict__ q)
{
    each_constant<NRX>([&](auto constant) {
        constexpr int r = decltype(constant)::value;
        load_step<r>(C);
        slot_products x = products_of<r>(C, E, I);
        lane k = kf[r];
        if constexpr (reaction<r>::three_body)
            k *= M[reaction<r>::set];
        q[r] = k * (x.F - x.K * x.R);
    });
}

kb_fn void kin_progress(kb_kinetics *w) { generated_progress(w->C, w->E, w->I, w->M, w->kf, w->q); }

/* f [NSP] = sum of nu q: what leaves the cache goes back to f */
kb_generated void generated_sums(const lane *__restrict__ q, lane *__restrict__ f)
{
    each_constant<NRX>([&](auto constant) {
        constexpr int r = decltype(constant)::value;
        each_constant<net_plan.step[r].n>([&](auto k) {
            constexpr int place = net_plan.step[r].place[k], old = net_plan.step[r].old[k],
                          item = net_plan.step[r].item[k];
            if constexpr (old >= 0)
                f[old] = kin_place(place);
            kin_place(place) = f[item];
        });
        each_constant<net_change.u.n[r]>([&](auto j) {
            constexpr int place = net_plan.at[r][j], item = net_change.u.item[r][j];
            constexpr double nu = net_change.nu[r][j];
            if constexpr (place >= 0)
                kin_place(place) = kin_place(place) + nu * q[r];
            else
                f[item] += nu * q[r];
        });
    });
    each_constant<PLACES>([&](auto k) {
        constexpr int item = net_plan.last[k];
        if constexpr (item >= 0)
            f[item] = kin_place(k);
    });
}

kb_fn void kin_gather(kb_kinetics *w, lane scale, kin_f f)
{
    each(i, NSP) f[i] = splat(0);
    generated_sums(w->q, f);
    each(i, NSP) f[i] *= scale;
}

/* as jac_reaction (jacobian_records.h) */
template <int r> kb_law void reaction_derivatives(const kb_gas *g, jac_work *w, lane pT)
{
    kb_kinetics *kin = w->k;
    const lane *u = kin->u;
    load_step<r>(kin->C);
    slot_products x = products_of<r>(kin->C, kin->E, kin->I);
    lane kf = kin->kf[r], k = kf, kr;
    constexpr double b = tables::kb_b[r], theta = tables::kb_theta[r];
    constexpr double forward = tables::kb_one_minus_forward_order[r],
                     reverse = tables::kb_one_minus_reverse_order[r];
    lane dk = law_arrhenius_slope(g, b, theta);
    lane du = slot_value<r, 3>(u, 0, 0) + slot_value<r, 4>(u, 0, 0) - slot_value<r, 0>(u, 0, 0) -
              slot_value<r, 1>(u, 0, 0);
    if constexpr (reaction<r>::three_body)
        k *= kin->M[reaction<r>::set];
    kr = k * x.K;
    if constexpr (reaction<r>::slots == 3) {
        du += slot_value<r, 5>(u, 0, 0) - slot_value<r, 2>(u, 0, 0);
        w->D[reaction<r>::template at<2>] = k * (x.a * x.b);
        w->D[reaction<r>::template at<5>] = -kr * (x.p * x.s);
    }
    w->D[reaction<r>::template at<1>] = k * x.a * x.c;
    w->D[reaction<r>::template at<4>] = -kr * x.p * x.t;
    w->D[reaction<r>::template at<0>] = k * (x.b * x.c);
    w->D[reaction<r>::template at<3>] = -kr * (x.s * x.t);
    lane rr = kr * x.R, q = law_progress(k, x.F, rr);
    lane B = law_progress_border(k, x.F, rr, forward, reverse);
    kin->q[r] = q;
    w->qB[r] = B;
    w->qT[r] = law_progress_slope(q, rr, B, dk, g->rT, du, pT);
    if constexpr (reaction<r>::three_body)
        w->qM[reaction<r>::number] = kf * (x.F - x.K * x.R);
}

kb_generated void generated_derivatives(const kb_gas *g, jac_work *w, lane pT)
{
    each_constant<NRX>([&](auto r) { reaction_derivatives<decltype(r)::value>(g, w, pT); });
}

kb_fn void jac_progress(const kb_gas *g, jac_work *w, lane pT) { generated_derivatives(g, w, pT); }
