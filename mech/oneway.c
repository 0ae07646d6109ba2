/* SPDX-License-Identifier: MIT
 *
 * One-way conversion (docs/mechanisms.md). Every forward constant is an Arrhenius triple or is
 * built from triples (fall-off limits, PLOG points), and k_r = k_f/Kc. So only 1/Kc is fitted, by
 * A T^b exp(-theta/T), and each triple of the forward reaction is multiplied by that fit: the same
 * as fitting k_r itself, as ln k_f lies in the space of both fits.
 */
#include <math.h>
#include <string.h>
#include "mech/check_duplicates.h"
#include "mech/oneway.h"
#include "mech/reverse.h"
#include "mech/thermo/rates.h"

#define POINTS 61 /* of the least-squares fit and of the error's scan, even in 1/T */

/* Where the fit's error is measured [K]; also the default range of the least squares. The three
 * temperatures make the largest error over it least for GRI-Mech 3.0 and H2/CO (0.9 %). */
static const double range[2] = {1000, 2500}, wide[2] = {300, 3500};
static const double default_exact[3] = {1060, 1550, 2350};

/* Niemeyer and Sung, eq. A.10-A.13, with A.11's "a2 a1" read as a2 x1 and A.12 over the common
 * denominator; a = ln k at T, x = ln T. A comes as its logarithm. */
static kb_arrhenius exact_fit(const double T[3], const double a[3], double *lnA)
{
    double x1 = log(T[0]), x2 = log(T[1]), x3 = log(T[2]);
    double T12 = T[0] * T[1], T13 = T[0] * T[2], T23 = T[1] * T[2];
    double below = x1 * T13 - x1 * T12 + x2 * T12 + x3 * T23 - x3 * T13 - x2 * T23;
    kb_arrhenius k;

    k.b = (a[0] * (T13 - T12) + a[1] * (T12 - T23) + a[2] * (T23 - T13)) / below;
    k.theta = T[0] * T23 * (a[0] * (x2 - x3) + a[1] * (x3 - x1) + a[2] * (x1 - x2)) / below;
    *lnA = (a[0] * (x2 * T12 - x3 * T13) + a[1] * (x3 * T23 - x1 * T12) +
            a[2] * (x1 * T13 - x2 * T23)) / below;
    k.A = exp(*lnA);
    return k;
}

/* i-th of POINTS temperatures from lo to hi */
static double point(double lo, double hi, int i)
{
    return 1 / (1 / lo + (1 / hi - 1 / lo) * i / (POINTS - 1));
}

/* x [3] of the least |A x - b| by modified Gram-Schmidt (Golub and Van Loan, Matrix Computations,
 * 5.3.5), of full rank: A [4][POINTS] has the columns of A, then b, and is used up */
static void solve_least_squares(double A[4][POINTS], double x[3])
{
    double R[3][4];

    for (int k = 0; k < 3; k++)
        for (int j = k; j < 4; j++) {
            double dot = 0;

            for (int i = 0; i < POINTS; i++)
                dot += A[k][i] * A[j][i];
            R[k][j] = j == k ? sqrt(dot) : dot;
            for (int i = 0; i < POINTS; i++)
                A[j][i] = j == k ? A[k][i] / R[k][k] : A[j][i] - R[k][j] * A[k][i];
        }
    for (int k = 2; k >= 0; k--) {
        x[k] = R[k][3];
        for (int j = k + 1; j < 3; j++)
            x[k] -= R[k][j] * x[j];
        x[k] /= R[k][k];
    }
}

static kb_arrhenius least_squares(const kb_mech *m, const kb_reaction *r, const double T[3],
                                  double *lnA)
{
    double A[4][POINTS], x[3];

    for (int i = 0; i < POINTS; i++) {
        double Ti = point(T[0], T[2], i);

        A[0][i] = 1; /* T in 1000 K: columns of like size */
        A[1][i] = log(Ti / 1000);
        A[2][i] = -1000 / Ti;
        A[3][i] = -kb_ln_Kc(m, r, Ti);
    }
    solve_least_squares(A, x);
    *lnA = x[0] - x[1] * log(1000);
    return (kb_arrhenius){exp(*lnA), x[1], 1000 * x[2]};
}

/* ln(k_fit/k_r) that is farthest from 0 between two temperatures */
static double farthest(const kb_mech *m, const kb_reaction *r, const double ends[2],
                       const kb_arrhenius *k, double lnA, double *T)
{
    double worst = 0;

    *T = ends[0];
    for (int i = 0; i < POINTS; i++) {
        double Ti = point(ends[0], ends[1], i);
        double off = lnA + k->b * log(Ti) - k->theta / Ti + kb_ln_Kc(m, r, Ti);

        if (!(fabs(off) <= fabs(worst))) {
            worst = off;
            *T = Ti;
        }
    }
    return worst;
}

static void add_error(const kb_mech *m, int index, kb_oneway *how, const kb_arrhenius *k,
                      double lnA)
{
    const kb_reaction *r = &m->reactions[index];
    kb_fit_error *e = &how->errors[how->nerrors++];

    e->reaction = index;
    e->ratio = exp(farthest(m, r, range, k, lnA, &e->T));
    e->ratio_wide = exp(farthest(m, r, wide, k, lnA, &e->T_wide));
    if (!(fabs(e->ratio - 1) <= how->worst)) {
        how->worst = fabs(e->ratio - 1);
        how->worst_reaction = index;
        how->worst_T = e->T;
    }
}

static int by_wide_error(const void *a, const void *b)
{
    const kb_fit_error *x = a, *y = b;
    double d = fabs(log(y->ratio_wide)) - fabs(log(x->ratio_wide));

    return d != 0 ? (d > 0) - (d < 0) : x->reaction - y->reaction;
}

/* 1/Kc of one reaction as a triple; keeps the largest error in how */
static int fit(const kb_mech *m, int index, kb_oneway *how, kb_arrhenius *k, kb_error *err)
{
    const kb_reaction *r = &m->reactions[index];
    double lnA, a[3], *T = how->T;

    if (how->fit == KB_FIT_EXACT) {
        for (int i = 0; i < 3; i++)
            a[i] = -kb_ln_Kc(m, r, T[i]);
        *k = exact_fit(T, a, &lnA);
    } else {
        *k = least_squares(m, r, T, &lnA);
    }
    if (!isnormal(k->A) || !isfinite(k->b) || !isfinite(k->theta))
        return kb_fail_at(err, r->file, r->line, NULL, "is the thermo data of its species sound?",
                          "the reverse of reaction %d has no Arrhenius fit: ln A = %g", index + 1,
                          lnA);
    add_error(m, index, how, k, lnA);
    return KB_OK;
}

static void multiply(kb_arrhenius *k, const kb_arrhenius *by)
{
    k->A *= by->A;
    k->b += by->b;
    k->theta += by->theta;
}

static int add_reverse(const kb_mech *m, int index, kb_oneway *how, kb_mech *out, kb_error *err)
{
    const kb_reaction *r = &m->reactions[index];
    kb_arrhenius k = {1, 0, 0};

    if (r->has_reverse ? r->kr.A == 0 : !r->reversible)
        return KB_OK;
    if (!r->has_reverse &&
        (r->type == KB_CHEBYSHEV || r->type == KB_LINEAR_BURKE || r->blowers_masel))
        return kb_fail_at(err, r->file, r->line, NULL, "keep this mechanism reversible",
                          "reaction %d: a reversible Chebyshev, linear-Burke or Blowers-Masel rate "
                          "has no one-way form", index + 1);
    if (!r->has_reverse && fit(m, index, how, &k, err))
        return KB_INVALID;
    kb_reaction *c = &out->reactions[out->nreactions++];
    *c = kb_reaction_copy(r->has_reverse ? kb_reverse_half(r) : kb_one_way(r, true));
    if (r->has_reverse)
        return KB_OK;
    multiply(&c->kf, &k);
    multiply(&c->low, &k);
    for (int i = 0; i < c->nplog; i++)
        multiply(&c->plog[i].k, &k);
    return KB_OK;
}

/* A reverse that was dropped (A = 0, or =>) may leave its twin alone: no duplicate any more. */
static void unmark_single(kb_mech *m)
{
    for (int i = 0; i < m->nreactions; i++) {
        kb_reaction *a = &m->reactions[i];
        bool twin = !a->duplicate;

        for (int j = 0; j < m->nreactions && !twin; j++) {
            const kb_reaction *b = &m->reactions[j];

            twin = j != i && b->duplicate && kb_same_reaction(a, b);
        }
        a->duplicate = a->duplicate && twin;
    }
}

static const char *keep_file(kb_mech *out, const char *file)
{
    return file ? kb_add_file(out, file) : NULL;
}

static void copy_head(const kb_mech *m, kb_mech *out)
{
    *out = (kb_mech){.nelements = m->nelements, .nspecies = m->nspecies};
    out->name = kb_format("%s-oneway", m->name);
    out->description = kb_strdup(m->description);
    memcpy(out->elements, m->elements, sizeof m->elements);
    out->species = kb_alloc((size_t)m->nspecies, sizeof(kb_species));
    for (int k = 0; k < m->nspecies; k++) {
        out->species[k] = kb_species_copy(m->species[k]);
        out->species[k].file = keep_file(out, m->species[k].file);
    }
}

static int check_temperatures(kb_oneway *how, kb_error *err)
{
    double *T = how->T;

    if (T[0] == 0 && T[1] == 0 && T[2] == 0) {
        memcpy(T, default_exact, sizeof default_exact);
        if (how->fit == KB_FIT_LEAST_SQUARES) {
            T[0] = range[0];
            T[2] = range[1];
            T[1] = 0.5 * (T[0] + T[2]);
        }
    }
    bool good = how->fit == KB_FIT_EXACT ? T[0] < T[1] && T[1] < T[2] : T[0] < T[2];
    if (!(T[0] >= 200 && T[2] <= 6000 && good))
        return kb_fail(err, KB_INVALID, "one-way fit: temperatures %g, %g, %g K must rise within "
                       "200-6000 K", T[0], T[1], T[2]);
    return KB_OK;
}

int kb_oneway_convert(const kb_mech *m, kb_oneway *how, kb_mech *out, kb_error *err)
{
    if (m->nsteady)
        return kb_fail(err, KB_INVALID, "one-way fit: not with species in steady state (make the "
                       "one-way form without them, and give it QSS=)");
    if (check_temperatures(how, err))
        return KB_INVALID;
    how->worst = 0;
    how->worst_reaction = -1;
    how->worst_T = 0;
    how->nerrors = 0;
    how->errors = kb_alloc((size_t)m->nreactions + 1, sizeof *how->errors);
    copy_head(m, out);
    out->reactions = kb_alloc(2 * (size_t)m->nreactions, sizeof(kb_reaction));
    for (int i = 0; i < m->nreactions; i++) {
        out->reactions[out->nreactions++] = kb_reaction_copy(kb_one_way(&m->reactions[i], false));
        if (add_reverse(m, i, how, out, err)) {
            kb_mech_free(out);
            free(how->errors);
            how->errors = NULL;
            return KB_INVALID;
        }
    }
    for (int i = 0; i < out->nreactions; i++)
        out->reactions[i].file = keep_file(out, out->reactions[i].file);
    unmark_single(out);
    qsort(how->errors, (size_t)how->nerrors, sizeof *how->errors, by_wide_error);
    return KB_OK;
}
