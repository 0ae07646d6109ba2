/* SPDX-License-Identifier: MIT
 *
 * The functions phi_l(z) = (phi_(l-1)(z) - 1/(l-1)!)/z, phi_0 = exp, of a small upper Hessenberg
 * matrix: the first columns of phi_1(k/PHI_PARTS h H), k = 1 .. PHI_PARTS, and of phi_l(h H),
 * l = 1 .. PHI_LAST. Here by a rational approximant, in phi_pade.h by scaling and squaring.
 *
 * The approximant of exp of type (10,10), near-best on the negative axis (Caratheodory-Fejer;
 * Trefethen, Weideman and Schmelzer, BIT 46 (2006) 653), in partial fractions, which Curtis et al.
 * (2017) take after Bisetti (2012):
 *   exp(z) = 2 Re sum_j c_j/(z - z_j), phi_l(z) = 2 Re sum_j c_j z_j^-l/(z - z_j),
 * the latter by the same approximant of the matrix [z 1; 0 0]. (H - z)^-1 e_1 comes by recursion
 * from the last unknown to the first (Hyman's method): no factors, no pivots, and backward stable
 * row by row. As exp(z) = exp(s) exp(z - s), the poles may be moved by s, with exp(s) c_j. Largest
 * errors on the negative axis, and errors of phi_1 at +1 and +2:
 *   moved by   phi_1   phi_2   phi_3   phi_4      +1      +2
 *   0          1e-8    2e-7    9e-7    3e-6    3e-5    5e-3
 *   1          2e-9    7e-9    1e-8    2e-8    1e-11   5e-5
 *   2          3e-9    8e-9    9e-9    1e-8    4e-10   2e-10
 * The paper's are not moved; by default they are moved by 1. What moving them once more changes
 * tells whether the result is right: where H grows by more, turns, or is far from normal, it is
 * not.
 *
 * A method's file defines PHI_PARTS and PHI_LAST >= 2.
 */
#pragma once

#include "solvers/problem.h"

#define KRYLOV_LARGEST (N < 32 ? N : 32) /* vectors of a basis */
#ifdef KB_RUN_TIME
enum { KRYLOV_MAX = 32 };
#else
enum { KRYLOV_MAX = KRYLOV_LARGEST };
#endif
enum {
    PHI_POLES = 5,
    PHI_SETS = PHI_PARTS + 1, /* of poles: h, h moved once more, then the other parts of h */
    PHI_JOBS = PHI_SETS * PHI_POLES,
    PHI_ONE = PHI_PARTS - 1, /* row of phi_1(h H) in phi_work.c; phi_l follow */
    PHI_ROWS = PHI_ONE + PHI_LAST,
    PHI_SIZE = KRYLOV_MAX + PHI_LAST
};

/* z and c of the poles above the real axis: real and imaginary parts */
KB_TABLE double phi_pole[PHI_POLES][4] = {
    {4.027732491268537, 1.193856068369837, -4.818382081568417, -21.05459777765768},
    {3.283752907931925, 3.594386777971698, 7.117165246596736, 8.819533417054897},
    {1.715406042268589, 6.038934934580975, -2.565585014217177, -1.216385759021975},
    {-0.8944046721132245, 8.582756911069991, 0.2725869881044675, 0.01421173051990853},
    {-5.161191237080947, 11.37515626652231, -0.005784904064337572, 0.0006858506509529898},
};

typedef struct {
    lane x[KRYLOV_MAX][2][PHI_JOBS]; /* solutions, up to a factor */
    lane g[PHI_LAST][2][PHI_JOBS];   /* c_j z_j^-l over that factor */
} phi_fractions;

typedef struct {
    lane E[PHI_SIZE][PHI_SIZE], D[PHI_SIZE][PHI_SIZE];
} phi_squares;

typedef struct {
    lane H[KRYLOV_MAX + 1][KRYLOV_MAX]; /* [i][j], j >= i - 1 */
    lane r[KRYLOV_MAX + 1];             /* 1/H[i][i-1]; 0 where that is 0 */
    lane c[PHI_ROWS][KRYLOV_MAX];       /* the functions wanted */
    kb_overlay {
        phi_fractions fractions;
        phi_squares squares;
        kb_jacobian problem; /* between two calls: room for the problem's own work */
    } u;
} phi_work;
#define PHI_FIELDS(ARRAY, ROWS, PART) PART(kb_jacobian, u.problem)
KB_PLACED(phi_work, PHI_FIELDS)

/* part of h that a set of poles is for */
kb_fn double phi_part(int set)
{
    return set < 2 ? 1 : (set - 1.0) / PHI_PARTS;
}

/* (part h H - z) x = alpha e_1 for the pole of job q; x into the work, alpha out */
kb_fn void phi_solve(phi_work *w, int m, lane size, lane h, double zr, double zm, int q,
                     lane *alpha)
{
    phi_fractions *f = &w->u.fractions;
    lane rh = 1.0 / h, xr = lane_count(size == (double)m), xm = splat(0);
    for (int i = m - 1;; i--) {
        lane sr = splat(0), sm = splat(0);
        f->x[i][0][q] = xr;
        f->x[i][1][q] = xm;
        for (int k = i; k < m; k++) {
            sr += w->H[i][k] * f->x[k][0][q];
            sm += w->H[i][k] * f->x[k][1][q];
        }
        sr = h * sr - (zr * xr - zm * xm);
        sm = h * sm - (zr * xm + zm * xr);
        if (i == 0) {
            alpha[0] = sr;
            alpha[1] = sm;
            return;
        }
        mask start = size == (double)i; /* of a basis that ended before m */
        xr = vselect(start, splat(1), -sr * (rh * w->r[i]));
        xm = vselect(start, splat(0), -sm * (rh * w->r[i]));
    }
}

/* Where an even number of real eigenvalues of h H (say 0) lies above z: -det(z - h H) < 0 but for a
 * positive factor. The recursion is that of phi_solve with a real pole. */
kb_fn mask phi_even_above(const phi_work *w, int m, lane size, lane h, double z)
{
    lane x[KRYLOV_MAX], rh = 1.0 / h, next = lane_count(size == (double)m);
    for (int i = m - 1;; i--) {
        lane s = splat(0);
        x[i] = next;
        for (int k = i; k < m; k++)
            s += w->H[i][k] * x[k];
        s = h * s - z * next;
        if (i == 0)
            return s < 0.0;
        next = vselect(size == (double)i, splat(1), -s * (rh * w->r[i]));
    }
}

/* the fractions of the sets [set0, set1) of poles moved by move */
kb_fn void phi_resolve(phi_work *w, int m, lane size, lane h, double move, int set0, int set1)
{
    phi_fractions *f = &w->u.fractions;
    each(k, (set1 - set0) * PHI_POLES)
    {
        int q = set0 * PHI_POLES + k, set = q / PHI_POLES;
        const double *p = phi_pole[q % PHI_POLES];
        double by = move + (set == 1), factor = 2 * exp(by), zr = p[0] + by, zm = p[1];
        double zz = 1 / (zr * zr + zm * zm);
        lane a[2];
        phi_solve(w, m, size, h * phi_part(set), zr, zm, q, a);
        lane size2 = a[0] * a[0] + a[1] * a[1]; /* 0 of an empty basis */
        lane aa = factor / vmax(size2, splat(1e-300));
        lane gr = (p[2] * a[0] + p[3] * a[1]) * aa, gm = (p[3] * a[0] - p[2] * a[1]) * aa;
        for (int l = 0; l < PHI_LAST; l++) {
            lane t = (gr * zr + gm * zm) * zz;
            gm = (gm * zr - gr * zm) * zz;
            gr = t;
            f->g[l][0][q] = gr;
            f->g[l][1][q] = gm;
        }
    }
    team_sync();
}

/* entry i of phi_l of a set */
kb_fn lane phi_entry(const phi_fractions *f, int set, int l, int i)
{
    lane sum = splat(0);
    for (int q = set * PHI_POLES; q < (set + 1) * PHI_POLES; q++)
        sum += f->g[l - 1][0][q] * f->x[i][0][q] - f->g[l - 1][1][q] * f->x[i][1][q];
    return sum;
}

/* |entry m - 1 of phi_l(h H) e_1|, by the approximant; the fractions of h remain in the work */
kb_fn lane phi_last_entry(phi_work *w, int m, lane size, lane h, double move, int l)
{
    team_sync();
    phi_resolve(w, m, size, h, move, 0, 1);
    return vabs(phi_entry(&w->u.fractions, 0, l, m - 1));
}

/* After phi_last_entry: the rows of c under on, by the approximant. Returns the 2-norm of
 * the change of phi_1(h H) e_1 when the poles are moved by 1 more. */
kb_fn lane phi_rational(phi_work *w, int m, lane size, lane h, double move, mask on)
{
    const phi_fractions *f = &w->u.fractions;
    lane sum = splat(0);
    phi_resolve(w, m, size, h, move, 1, PHI_SETS);
    each_sum(sum, i, m)
    {
        lane d = phi_entry(f, 0, 1, i) - phi_entry(f, 1, 1, i);
        sum += d * d;
    }
    for (int k = 1; k < PHI_PARTS; k++)
        each(i, m) w->c[k - 1][i] = vselect(on, phi_entry(f, 1 + k, 1, i), w->c[k - 1][i]);
    for (int l = 1; l <= PHI_LAST; l++)
        each(i, m)
        {
            lane *c = &w->c[PHI_ONE + l - 1][i];
            *c = vselect(on, phi_entry(f, 0, l, i), *c);
        }
    return vsqrt(team_sum(sum, m));
}
