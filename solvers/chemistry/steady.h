/* SPDX-License-Identifier: MIT
 *
 * Species in steady state (mech/steady.h), which stand behind the NSP of the state: their
 * concentrations C_q from 0 = omega_q, a linear system A C = b, and what passes through them in the
 * Jacobian. With variables x of the others (C_j at constant [M], T, the border of jacobian.h):
 *   d C_q/dx = A^-1 d omega_q/dx,   d omega_i/dx += sum_q d omega_i/dC_q d C_q/dx.
 * A has the losses on its diagonal and what the others make beside it: no pivots are needed. Where
 * they turn into each other 10^n times faster than into anything else, C loses n digits.
 */
#pragma once

#include "solvers/chemistry/progress.h"

/* 1/pivot; 0 of a pivot of 0: a species that nothing uses at this state has C = 0 */
kb_fn lane steady_inverse(lane pivot)
{
    mask none = vabs(pivot) < 1e-200;
    return vselect(none, splat(0), 1.0 / vselect(none, splat(1), pivot));
}

/* (A, B) [NSTEADY][width] -> A^-1 B in place of B, by Gauss and Jordan */
kb_fn void steady_eliminate(lane *A, int width)
{
    for (int k = 0; k < NSTEADY; k++) {
        lane r = steady_inverse(A[k * width + k]);
        int right = width - k - 1;
        each(e, NSTEADY * right)
        {
            int i = e / right, j = k + 1 + e % right;
            if (i != k)
                A[i * width + j] -= A[i * width + k] * r * A[k * width + j];
        }
        team_sync();
    }
    each(e, NSTEADY * (width - NSTEADY))
    {
        int i = e / (width - NSTEADY), j = NSTEADY + e % (width - NSTEADY);
        A[i * width + j] *= steady_inverse(A[i * width + i]);
    }
    team_sync();
}

/* rates of both directions of reaction number k of steady_rx; each has at most one C of those in
 * steady state, as a factor */
kb_fn void steady_rates(kb_kinetics *w, int k)
{
    int r = kb_steady_rx[k], g = kb_steady_general[k];
    const kin_C C = w->C;
    lane kf = w->kf[r], F, R;
    if (kin_three_body(r, r >= RX2))
        kf *= w->M[kb_mreaction_mset[kin_mreaction(r)]];
    if (NGENERAL > 0 && g < NGENERAL) {
        F = kin_power_product(w, kb_general_start[2 * g], kb_general_start[2 * g + 1]);
        R = kin_power_product(w, kb_general_start[2 * g + 1], kb_general_start[2 * g + 2]) *
            kin_inverse_Kc(w, g);
    } else {
        const kb_index *s = kb_slot + r;
        F = C[s[0]] * C[s[NRX]] * C[s[2 * NRX]];
        R = C[s[3 * NRX]] * C[s[4 * NRX]] * C[s[5 * NRX]];
        R *= w->E[s[3 * NRX]] * w->I[s[0]] * (w->E[s[4 * NRX]] * w->I[s[NRX]]) *
             (w->E[s[5 * NRX]] * w->I[s[2 * NRX]]);
    }
    w->steady_rate[2 * k] = kf * F;
    w->steady_rate[2 * k + 1] = kf * R;
}

/* C [NSP, NALL), when all else is there */
kb_fn void kin_steady(kb_kinetics *w)
{
    each(q, NSTEADY) w->C[NSP + q] = splat(1);
    team_sync();
    each(k, NSTEADY_RX) steady_rates(w, k);
    team_sync();
    each(e, NSTEADY * (NSTEADY + 1))
    {
        lane sum = splat(0);
        for (int t = kb_steady_start[e]; t < kb_steady_start[e + 1]; t++)
            sum += kb_steady_nu[t] * w->steady_rate[kb_steady_rate[t]];
        w->steady[e] = sum;
    }
    team_sync();
    steady_eliminate(w->steady, NSTEADY + 1);
    each(q, NSTEADY) w->C[NSP + q] = w->steady[q * (NSTEADY + 1) + NSTEADY];
    team_sync();
}

/* ---- Jacobian ---- */

/* the derivatives of rates of progress, as in kb_scratch */
typedef struct {
    const kb_stored *D, *qM, *qT, *qB;
} steady_slopes;

/* rows [NSTEADY][STEADY_WIDTH]: behind its first NSTEADY columns dC_q/dC_j, then dC_q/dT and by the
 * border, scaled like these columns */
kb_fn void steady_rows(lane *rows, const steady_slopes *s, lane scale, lane border_scale)
{
    each(e, NSTEADY * STEADY_WIDTH) rows[e] = splat(0);
    team_sync();
    each(e, NSTEADY_ENTRY)
    {
        lane sum = splat(0);
        for (int t = kb_steady_entry_start[e]; t < kb_steady_entry_start[e + 1]; t++)
            sum += kb_steady_entry_nu[t] * s->D[kb_steady_entry_slot[t]];
        for (int t = kb_steady_entry_dM_start[e]; t < kb_steady_entry_dM_start[e + 1]; t++)
            sum += kb_steady_entry_dM_nu[t] * s->qM[kb_steady_entry_mreaction[t]];
        rows[kb_steady_entry_at[e]] = sum;
    }
    each(q, NSTEADY)
    {
        lane T = splat(0), B = splat(0);
        for (int k = kb_species_start[NSP + q]; k < kb_species_start[NSP + q + 1]; k++) {
            T += kb_species_nu[k] * s->qT[kb_species_rx[k]];
            B += kb_species_nu[k] * s->qB[kb_species_rx[k]];
        }
        rows[q * STEADY_WIDTH + STEADY_T] = T * scale;
        rows[q * STEADY_WIDTH + STEADY_BORDER] = B * border_scale;
    }
    team_sync();
    steady_eliminate(rows, STEADY_WIDTH);
}

/* d omega_i/dC_q into column [NSTEADY_COLUMN], its sums with e_i into heat [NSTEADY], and what
 * passes through them into fT and border */
kb_fn void steady_columns(const lane *rows, const kb_stored *D, const lane *e, lane *column,
                          lane *heat, lane *fT, lane *border)
{
    each(i, NSP)
        for (int k = kb_steady_column_start[i]; k < kb_steady_column_start[i + 1]; k++) {
            const lane *row = rows + kb_steady_column_of[k] * STEADY_WIDTH;
            lane sum = splat(0);
            for (int t = kb_steady_column_slots[k]; t < kb_steady_column_slots[k + 1]; t++)
                sum += kb_steady_column_nu[t] * D[kb_steady_column_slot[t]];
            column[k] = sum;
            fT[i] += sum * row[STEADY_T];
            border[i] += sum * row[STEADY_BORDER];
        }
    team_sync();
    each(q, NSTEADY)
    {
        lane sum = splat(0);
        for (int i = 0; i < NSP; i++)
            for (int k = kb_steady_column_start[i]; k < kb_steady_column_start[i + 1]; k++)
                if (kb_steady_column_of[k] == q)
                    sum += e[i] * column[k];
        heat[q] = sum;
    }
    team_sync();
}

/* A = -J: the rows of the species, and the energy row, which has `scale` times the heat */
kb_fn void steady_fill(const lane *rows, const lane *column, const lane *heat, lane scale,
                       jac_number *A)
{
    team_sync();
    each(i, NSP)
        for (int k = kb_steady_column_start[i]; k < kb_steady_column_start[i + 1]; k++) {
            int q = kb_steady_column_of[k], first = kb_steady_reach_start[q];
            const lane *row = rows + q * STEADY_WIDTH + NSTEADY;
            const kb_index *to = kb_steady_fill + kb_steady_fill_start[k];
            for (int j = first; j < kb_steady_reach_start[q + 1]; j++)
                jac_add(A, to[j - first], -(column[k] * row[kb_steady_reach[j]]));
        }
    each(j, NSP)
    {
        lane sum = splat(0);
        for (int q = 0; q < NSTEADY; q++)
            sum += heat[q] * rows[q * STEADY_WIDTH + NSTEADY + j];
        jac_add(A, kb_lu_T_row[kb_lu_position[j]], scale * sum);
    }
}
