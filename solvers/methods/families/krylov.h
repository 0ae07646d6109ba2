/* SPDX-License-Identifier: MIT
 *
 * phi_l(h J) b by projection on the Krylov space of J and b: V [m][N] orthonormal, J V = V H + a
 * last column, phi_l(h J) b ~ |b| V phi_l(h H) e_1 (Hochbruck, Lubich and Selhofer, SIAM J. Sci.
 * Comput. 19 (1998) 1552).
 *
 * Vectors are scaled by 1/((atol_i + rtol |y|) sqrt(N)): their 2-norm is the weighted RMS norm of
 * the step control, in which the projection errs least. Classical Gram-Schmidt, twice. A space that
 * J maps into itself, |w| <= 1e-14 |J v|, ends the basis: the projection is exact then.
 * The basis grows until the first neglected term, h |b| h_(m+1,m) h |e_m^T phi_2(h H) e_1| (Saad
 * 1992), is at most `krylov_tol` of the tolerance; this is checked after every second vector. For f
 * atol is KRYLOV_TRACE of what it is where H grows, and for species that are not there: radicals
 * far below atol grow, and a basis without their growth places an ignition late (docs/methods.md).
 */
#pragma once

#include "solvers/methods/families/phi_pade.h"

enum { KRYLOV_H0, KRYLOV_VECTORS, KRYLOV_TOLERANCE, KRYLOV_PHI }; /* options */
enum { KRYLOV_HALVINGS = 40 };
#define KRYLOV_TRACE 0.01
/* two eigenvalues between the same two of these are not seen as growth */
KB_TABLE double krylov_growth[] = {0.1, 0.2, 0.5, 1, 2};

#define KRYLOV_FIELDS(ARRAY, ROWS, PART)                                                           \
    ROWS(lane, V, KRYLOV_MAX + 1)                                                                  \
    ARRAY(lane, t, N)                          /* a vector in (T, Y) */                            \
    ARRAY(lane, unit, N) ARRAY(lane, scale, N) /* (atol + rtol |y|) sqrt(N) and its inverse */     \
    PART(phi_work, phi)
KB_WORK(krylov_work, KRYLOV_FIELDS)

typedef struct {
    lane norm, size; /* of b; vectors of the basis that are not zero */
    int m;           /* of all lanes' bases, the longest */
    int of_f;        /* b is f, not a remainder of it */
    mask fine;       /* converged */
} krylov_space;

kb_fn void krylov_scale(const kb_run *run, krylov_work *w, const lane *y)
{
    double root = sqrt((double)N);
    each(i, N)
    {
        w->unit[i] = (atol_of(run, i) + run->rtol * vabs(y[i])) * root;
        w->scale[i] = 1.0 / w->unit[i];
    }
}

kb_fn lane krylov_length(const lane *v)
{
    lane sum = splat(0);
    each_sum(sum, i, N) sum += v[i] * v[i];
    return vsqrt(team_sum(sum, N));
}

/* takes the parts along V[0 .. j] out of V[j + 1], twice, and adds them up in column j of H */
kb_fn void krylov_orthogonalise(krylov_work *w, int j)
{
    lane *part = w->t, *v = w->V[j + 1];
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k <= j; k++) {
            const lane *u = w->V[k];
            lane sum = splat(0);
            each_sum(sum, i, N) sum += u[i] * v[i];
            sum = team_sum(sum, N);
            each(i, 1)
            {
                part[k] = sum;
                w->phi.H[k][j] += sum;
            }
        }
        team_sync();
        each(i, N)
        {
            lane d = v[i];
            for (int k = 0; k <= j; k++)
                d -= part[k] * w->V[k][i];
            v[i] = d;
        }
        team_sync();
    }
}

/* vector j + 1 of the basis and column j of H */
kb_fn void krylov_extend(krylov_work *w, krylov_space *s, const lane *A, int j)
{
    lane *v = w->V[j + 1];
    each(i, N) w->t[i] = w->V[j][i] * w->unit[i];
    problem_multiply(A, w->t, v);
    each(i, N) v[i] *= w->scale[i];
    each(k, j + 1) w->phi.H[k][j] = splat(0);
    lane before = krylov_length(v);
    krylov_orthogonalise(w, j);
    lane after = krylov_length(v);
    mask more = after > 1e-14 * before;
    if (j + 1 == N)
        more = mask_none();
    s->size = vselect(w->phi.r[j] != 0.0, splat(j + 1), s->size);
    lane inverse = vselect(more, 1.0 / vselect(more, after, splat(1)), splat(0));
    each(i, N) v[i] *= inverse;
    each(k, 1)
    {
        w->phi.H[j + 1][j] = vselect(more, after, splat(0));
        w->phi.r[j + 1] = inverse;
    }
    team_sync();
}

/* Length of vector m of the basis, 1 by the tolerances, by KRYLOV_TRACE atol in place of atol; and
 * that of its part along species that are not there: y is below 1e-12 atol/rtol. */
kb_fn lane krylov_trace(const kb_run *run, const krylov_work *w, int m, lane *absent)
{
    lane sum = splat(0), part = splat(0);
    each_sums(i, N, sum, part)
    {
        double least = atol_of(run, i) * sqrt((double)N);
        lane q = w->V[m][i] * (w->unit[i] / (w->unit[i] - (1 - KRYLOV_TRACE) * least));
        sum += q * q;
        part += vselect(w->unit[i] > (1 + 1e-12) * least, splat(0), q * q);
    }
    *absent = vsqrt(team_sum(part, N));
    return vsqrt(team_sum(sum, N));
}

/* Of the lanes under small, where what is left out of f may hold growth from far below atol. H does
 * not show that of species that are not there. */
kb_fn mask krylov_hides(const kb_run *run, const krylov_work *w, const krylov_space *s, int m,
                        lane h, lane rest, mask small)
{
    double tol = run->opt[KRYLOV_TOLERANCE];
    lane absent, all = krylov_trace(run, w, m, &absent);
    mask starts = small & (rest * absent > tol), hides = small & (rest * all > tol);
    mask grows = mask_none();
    if (!lane_any(hides & not_(starts)))
        return starts;
    for (int k = 0; k < (int)(sizeof krylov_growth / sizeof *krylov_growth); k++)
        grows = grows | not_(phi_even_above(&w->phi, m, s->size, h, krylov_growth[k]));
    return starts | (hides & grows);
}

/* Where the basis of m vectors is large enough for h; their rows of c. Lanes under last get a
 * second, more exact check where the first says that it is not. */
kb_fn mask krylov_converged(const kb_run *run, kb_ode *o, krylov_work *w, const krylov_space *s,
                            int m, lane h, mask open, mask last)
{
    double tol = run->opt[KRYLOV_TOLERANCE], move = run->opt[KRYLOV_PHI] != 1;
    lane weight = h * h * s->norm * w->phi.H[m][m - 1];
    lane rest = weight * phi_last_entry(&w->phi, m, s->size, h, move, 2);
    mask small = open & (rest <= tol), none = mask_none();
    if (s->of_f && lane_any(small & not_(last)))
        small = small & not_(krylov_hides(run, w, s, m, h, rest, small & not_(last)));
    mask look = small | last;
    if (!lane_any(look))
        return none;
    int rational = run->opt[KRYLOV_PHI] < 2, pade = run->opt[KRYLOV_PHI] != 1;
    lane wrong = h * s->norm * phi_rational(&w->phi, m, s->size, h, move, small);
    /* the approximant holds no growth: an eigenvalue above 2 is for Pade (docs/methods.md) */
    mask agrees = (wrong <= tol) & phi_even_above(&w->phi, m, s->size, h, 2);
    mask fine = rational ? (pade ? small & agrees : small) : none;
    mask again = pade ? look & not_(fine) : none;
    again = rational ? again & not_(agrees) : again;
    if (lane_any(again)) {
        mask done = phi_pade(&w->phi, m, h, again);
        rest = weight * vabs(w->phi.c[PHI_ONE + 1][m - 1]);
        fine = fine | (done & (rest <= tol));
    }
    o->lu += lane_count(look);
    return fine;
}

/* The Krylov space of b and J = -A for the step h [s]; under on. Where b is f, h is halved where
 * the largest basis does not suffice for it. */
kb_fn krylov_space krylov_build(const kb_run *run, kb_ode *o, krylov_work *w, const lane *A,
                                const lane *b, lane *h, mask on, int of_f)
{
    krylov_space s;
    int most = (int)run->opt[KRYLOV_VECTORS], halvings = of_f ? KRYLOV_HALVINGS : 0;
    most = most < 2 || most > KRYLOV_LARGEST ? KRYLOV_LARGEST : most;
    s.size = splat(0);
    s.m = 0;
    s.of_f = of_f;
    each(i, N) w->V[0][i] = b[i] * w->scale[i];
    s.norm = krylov_length(w->V[0]);
    mask some = s.norm > 0.0, open = on & some & is_finite(s.norm);
    lane inverse = vselect(some, 1.0 / vselect(some, s.norm, splat(1)), splat(0));
    s.fine = on & (s.norm == 0.0);
    each(i, N) w->V[0][i] *= inverse;
    each(k, 1) w->phi.r[0] = inverse;
    for (int k = 0; k < PHI_ROWS; k++)
        each(i, KRYLOV_MAX) w->phi.c[k][i] = splat(0);
    team_sync();
    while (lane_any(open)) {
        if (s.m < most) {
            krylov_extend(w, &s, A, s.m++);
            o->solve += lane_count(open & (s.size == (double)s.m));
            if (s.m % 2 && s.m < most)
                continue;
        } else {
            if (halvings-- == 0)
                break;
            *h = vselect(open, 0.5 * *h, *h);
        }
        mask last = s.m == most ? open : mask_none();
        mask done = krylov_converged(run, o, w, &s, s.m, *h, open, last);
        s.fine = s.fine | done;
        open = open & not_(done);
    }
    return s;
}

/* out [N] = phi b, phi the function of the given row of c */
kb_fn void krylov_apply(const krylov_work *w, const krylov_space *s, int row, lane *out)
{
    const lane *c = w->phi.c[row];
    team_sync();
    each(i, N)
    {
        lane sum = splat(0);
        for (int j = 0; j < s->m; j++)
            sum += c[j] * w->V[j][i];
        out[i] = s->norm * w->unit[i] * sum;
    }
}
