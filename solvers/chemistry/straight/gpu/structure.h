/* SPDX-License-Identifier: MIT
 *
 * What the compiler knows of a mechanism: the tables of mechc as constants, the species that
 * react, and the places of the Newton matrix.
 *
 * A species in no reaction has f = 0, and no part in any stage of a step: it is left out of the
 * matrix, exactly. The unknowns are the reacting species in mechc's order of elimination, then T,
 * then s = sum z (jacobian.h).
 */
#pragma once

#include "solvers/chemistry/straight/gpu/loops.h"

namespace tables
{ /* constants.h once more, as constants of the compiler */
#pragma push_macro("KB_TABLE")
#undef KB_TABLE
#undef KB_CONSTANTS_H
#define KB_TABLE static constexpr
#include "constants.h"
#pragma pop_macro("KB_TABLE")
} // namespace tables

/* mechc says which mechanisms fit (STRAIGHT_FITS) */
static_assert(SORTED && !NASA9 && NPLOG + NCHEB + NGENERAL + NBLOWERS_MASEL + NTSANG == 0,
              "straight-line code knows no such rate or thermo model");

constexpr bool reacts(int species)
{
    return tables::kb_species_start[species + 1] > tables::kb_species_start[species];
}

constexpr int count_reacting()
{
    int n = 0;
    for (int i = 0; i < NSP; i++)
        n += reacts(i);
    return n;
}

enum {
    NREACTING = count_reacting(),
    NUNKNOWN = NREACTING + 2,
    AT_T = NREACTING, /* positions of T and s */
    AT_S
};

struct straight_order {
    int species[NREACTING]; /* at a position */
    int position[NSP];      /* of a species; -1: it does not react */
};

constexpr straight_order make_order()
{
    straight_order o = {};
    int at[NNEWTON] = {}, n = 0;
    for (int p = 0; p < NNEWTON; p++)
        at[p] = -1;
    for (int i = 0; i < NSP; i++) {
        at[tables::kb_lu_position[i]] = i;
        o.position[i] = -1;
    }
    for (int p = 0; p < NNEWTON; p++)
        if (at[p] >= 0 && reacts(at[p])) {
            o.position[at[p]] = n;
            o.species[n++] = at[p];
        }
    return o;
}
constexpr straight_order order = make_order();

/* the matrix, packed by rows: storage index of an entry, and which exist before elimination */
struct straight_matrix {
    bool raw[NUNKNOWN][NUNKNOWN];
    int place[NUNKNOWN][NUNKNOWN]; /* -1: stays 0 */
    int n;
};

constexpr void mark_column(straight_matrix *m, int j)
{
    int p = order.position[j];
    for (int k = tables::kb_jac_column_start[j]; k < tables::kb_jac_column_start[j + 1]; k++)
        m->raw[order.position[tables::kb_jac_row[k]]][p] = true;
    for (int k = tables::kb_efficiency_start[j]; k < tables::kb_efficiency_start[j + 1]; k++) {
        int set = tables::kb_efficiency_mset[k];
        for (int v = tables::kb_dwdot_dM_set[set]; v < tables::kb_dwdot_dM_set[set + 1]; v++)
            m->raw[order.position[tables::kb_dwdot_dM_species[v]]][p] = true;
    }
    m->raw[p][p] = m->raw[p][AT_T] = m->raw[p][AT_S] = m->raw[AT_T][p] = m->raw[AT_S][p] = true;
}

constexpr straight_matrix make_matrix()
{
    straight_matrix m = {};
    bool full[NUNKNOWN][NUNKNOWN] = {};
    for (int j = 0; j < NSP; j++)
        if (reacts(j))
            mark_column(&m, j);
    m.raw[AT_T][AT_T] = m.raw[AT_T][AT_S] = m.raw[AT_S][AT_S] = true;
    for (int i = 0; i < NUNKNOWN; i++)
        for (int j = 0; j < NUNKNOWN; j++)
            full[i][j] = m.raw[i][j];
    for (int k = 0; k < NUNKNOWN; k++)
        for (int i = k + 1; i < NUNKNOWN; i++)
            for (int j = k + 1; j < NUNKNOWN; j++)
                full[i][j] = full[i][j] || (full[i][k] && full[k][j]);
    for (int i = 0; i < NUNKNOWN; i++)
        for (int j = 0; j < NUNKNOWN; j++)
            m.place[i][j] = full[i][j] ? m.n++ : -1;
    return m;
}
constexpr straight_matrix matrix = make_matrix();

/* storage index of entry (i, j) as a constant of the compiler */
template <int i, int j> constexpr int place = matrix.place[i][j];
template <int i, int j> constexpr bool filled = matrix.place[i][j] >= 0;

/* net coefficient of a species in table reaction r */
template <int species, int r>
constexpr double net = [] {
    for (int k = tables::kb_species_start[species]; k < tables::kb_species_start[species + 1]; k++)
        if (tables::kb_species_rx[k] == r)
            return tables::kb_species_nu[k];
    return 0.0;
}();

/* table reaction r */
template <int r> struct reaction {
    template <int k> static constexpr int slot = tables::kb_slot[k * NRX + r];
    static constexpr double A = tables::kb_A[r], b = tables::kb_b[r], theta = tables::kb_theta[r];
    static constexpr double one_minus_forward = tables::kb_one_minus_forward_order[r],
                            one_minus_reverse = tables::kb_one_minus_reverse_order[r];
    static constexpr int x = tables::kb_x_index[r];
    static constexpr bool reversible = slot<3> != NSP + 1;
    /* number among those with [M]; -1: none */
    static constexpr int third_body = [] {
        for (int k = 0; k < NMREACTION; k++)
            if (tables::kb_mreaction_rx[k] == r)
                return k;
        return -1;
    }();
    static constexpr bool falls_off = third_body >= NTHREE_BODY;
    static constexpr int set = third_body >= 0 ? tables::kb_mreaction_mset[third_body] : 0;
};
