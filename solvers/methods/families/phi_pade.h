/* SPDX-License-Identifier: MIT
 *
 * phi functions (phi.h) by scaling and squaring with the Pade approximant (6,6) of the exponential
 * of h B, B = [H e_1; 0 shift], whose last columns hold the phi_l (Saad, SIAM J. Numer. Anal. 29
 * (1992) 209; Sidje, ACM Trans. Math. Softw. 24 (1998) 130). Right for every H, at the price of
 * O(m^3); on very stiff ones squaring costs digits that the approximant of phi.h does not lose.
 */
#pragma once

#include "solvers/methods/families/phi.h"

enum { PHI_DEGREE = 6, PHI_SQUARINGS = 60 };

/* coefficients of the Pade approximant's numerator */
KB_TABLE double phi_pade_c[PHI_DEGREE + 1] = {1, 1.0 / 2, 5.0 / 44, 1.0 / 66, 1.0 / 792,
                                              1.0 / 15840, 1.0 / 665280};

/* column <- s B column for B = [H e_1; 0 shift]; hs = h s */
kb_fn void phi_multiply(const phi_work *w, lane (*P)[PHI_SIZE], int m, int j, lane hs, lane s)
{
    lane before = splat(0), corner = s * P[m][j];
    for (int i = 0; i < m; i++) {
        lane sum = i > 0 ? w->H[i][i - 1] * before : splat(0);
        for (int k = i; k < m; k++)
            sum += w->H[i][k] * P[k][j];
        before = P[i][j];
        P[i][j] = hs * sum + (i == 0 ? corner : splat(0));
    }
    for (int l = 0; l < PHI_LAST; l++)
        P[m + l][j] = l + 1 < PHI_LAST ? s * P[m + l + 1][j] : splat(0);
}

/* P = the numerator at s B (the denominator is that at -s B) */
kb_fn void phi_numerator(const phi_work *w, lane (*P)[PHI_SIZE], int m, lane h, lane s)
{
    each(j, m + PHI_LAST)
    {
        for (int i = 0; i < m + PHI_LAST; i++)
            P[i][j] = splat(0);
        P[j][j] = splat(phi_pade_c[PHI_DEGREE]);
        for (int k = PHI_DEGREE - 1; k >= 0; k--) {
            phi_multiply(w, P, m, j, h * s, s);
            P[j][j] += phi_pade_c[k];
        }
    }
}

/* column j of P less the multiples of its row k that clear column k of D */
kb_fn void phi_eliminate(const lane (*D)[PHI_SIZE], lane (*P)[PHI_SIZE], int n, int k, int j)
{
    lane x = P[k][j] / D[k][k];
    for (int i = k + 1; i < n; i++)
        P[i][j] -= D[i][k] * x;
}

/* E <- D^-1 E; D = I + something of norm below 0.3, so without pivoting. D is lost. */
kb_fn void phi_divide(lane (*E)[PHI_SIZE], lane (*D)[PHI_SIZE], int n)
{
    const lane(*F)[PHI_SIZE] = (const lane(*)[PHI_SIZE])D;
    for (int k = 0; k < n; k++) {
        team_sync();
        each(j, n - k - 1) phi_eliminate(F, D, n, k, k + 1 + j);
        each(j, n) phi_eliminate(F, E, n, k, j);
    }
    team_sync();
    each(j, n)
    {
        for (int i = n - 1; i >= 0; i--) {
            lane x = E[i][j];
            for (int k = i + 1; k < n; k++)
                x -= D[i][k] * E[k][j];
            E[i][j] = x / D[i][i];
        }
    }
    team_sync();
}

/* D = E E under on, else E */
kb_fn void phi_square(const lane (*E)[PHI_SIZE], lane (*D)[PHI_SIZE], int n, mask on)
{
    for (int i = 0; i < n; i++)
        each(j, n)
        {
            lane sum = splat(0);
            for (int k = 0; k < n; k++)
                sum += E[i][k] * E[k][j];
            D[i][j] = vselect(on, sum, E[i][j]);
        }
    team_sync();
}

/* squarings that take h B/PHI_PARTS to a norm of at most 0.5 */
kb_fn lane phi_squarings(const phi_work *w, int m, lane h)
{
    lane worst = splat(0);
    each_max(worst, k, m)
    {
        lane sum = splat(0);
        for (int i = 0; i <= k + 1 && i < m; i++)
            sum += vabs(w->H[i][k]);
        worst = vmax(worst, sum);
    }
    worst = vmax(h * team_max(worst, m), splat(1)) * (1.0 / PHI_PARTS);
    return vmax(-vfloor(-vlog(worst * 2.0) * 1.4426950408889634), splat(0));
}

/* rows of c under on from E = exp(h B/PHI_PARTS), whose powers act on its last columns. D is
 * lost. */
kb_fn void phi_rows(phi_work *w, lane (*E)[PHI_SIZE], lane (*D)[PHI_SIZE], int m, mask on)
{
    int n = m + PHI_LAST;
    for (int l = 0; l < PHI_LAST; l++) {
        lane *v = D[0], *next = D[1];
        each(i, n) v[i] = E[i][m + l];
        for (int k = 1; k <= PHI_PARTS; k++) {
            double part = (double)k / PHI_PARTS;
            lane *c = k < PHI_PARTS ? w->c[k - 1] : w->c[PHI_ONE + l];
            team_sync();
            if (l == 0 || k == PHI_PARTS)
                each(i, m) c[i] = vselect(on, v[i] * (l == 0 ? 1 / part : 1), c[i]);
            each(i, n)
            {
                lane sum = splat(0);
                for (int j = 0; j < n; j++)
                    sum += E[i][j] * v[j];
                next[i] = sum;
            }
            lane *swap = v;
            v = next;
            next = swap;
        }
        team_sync();
    }
}

/* The rows of c under on, by scaling and squaring. False where h H is too large for that. */
kb_fn mask phi_pade(phi_work *w, int m, lane h, mask on)
{
    lane s = phi_squarings(w, m, h), unit = splat(1.0 / PHI_PARTS);
    lane(*E)[PHI_SIZE] = w->u.squares.E, (*D)[PHI_SIZE] = w->u.squares.D;
    mask fine = on & (s <= (double)PHI_SQUARINGS);
    s = vselect(fine, s, splat(0));
    mask left = s > 0.0;
    for (int k = 1; lane_any(left); k++) {
        unit = vselect(left, 0.5 * unit, unit);
        left = s > (double)k;
    }
    for (int side = 0; side < 2; side++)
        phi_numerator(w, side ? D : E, m, h, side ? -unit : unit);
    phi_divide(E, D, m + PHI_LAST);
    left = s > 0.0;
    for (int k = 1; lane_any(left); k++) {
        phi_square((const lane(*)[PHI_SIZE])E, D, m + PHI_LAST, left);
        left = s > (double)k;
        lane(*swap)[PHI_SIZE] = E;
        E = D;
        D = swap;
    }
    phi_rows(w, E, D, m, fine);
    return fine;
}
