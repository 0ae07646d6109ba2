/* SPDX-License-Identifier: MIT
 *
 * Rates of progress and production rates from rate constants, and the concentrations of species in
 * steady state. Source of mass action: Kee et al., CHEMKIN-III (SAND96-8216), chapter II.
 */
#include <math.h>
#include <string.h>
#include "mech/thermo/rate_state.h"
#include "mech/thermo/rates.h"

/* C^order: small whole orders by multiplication (a slightly negative C of an integrator stays
 * smooth); any other power of C <= 0 counts as zero */
static double power(double C, double order)
{
    if (order == 1)
        return C;
    if (order == 2)
        return C * C;
    if (order == 3)
        return C * C * C;
    if (order == 0)
        return 1;
    return C > 0 ? pow(C, order) : 0;
}

static double mass_action(const kb_term *terms, int n, const double *C)
{
    double product = 1;

    for (int i = 0; i < n; i++)
        product *= power(C[terms[i].species], terms[i].value);
    return product;
}

const kb_term *kb_powers(const kb_reaction *r, bool reverse, int *n)
{
    bool left_out = reverse ? r->no_reverse || !(r->reversible || r->has_reverse) : r->no_forward;
    *n = 0;
    if (left_out)
        return NULL;
    if (reverse) {
        *n = r->reverse_orders ? r->nreverse_orders : r->nproducts;
        return r->reverse_orders ? r->reverse_orders : r->products;
    }
    *n = r->forward_orders ? r->nforward_orders : r->nreactants;
    return r->forward_orders ? r->forward_orders : r->reactants;
}

int kb_steady_power(const kb_mech *m, const kb_reaction *r, bool reverse)
{
    int n;
    const kb_term *t = kb_powers(r, reverse, &n);
    for (int i = 0; i < n; i++)
        if (t[i].species >= m->nspecies && t[i].value != 0)
            return t[i].species - m->nspecies;
    return -1;
}

/* Of direction 0 (forward) or 1 */
static double product(const kb_rate_state *s, const kb_reaction *r, bool reverse)
{
    int n;
    const kb_term *t = kb_powers(r, reverse, &n);

    return t || n ? mass_action(t, n, s->C) : 0;
}

/* one reaction; q = {qf, qr} only if wanted */
static void evaluate(const kb_rate_state *s, const kb_reaction *r, double k[2], double q[2])
{
    double factor;

    k[0] = kb_rate_forward(s, r, &factor);
    k[1] = kb_rate_reverse(s, r, k[0], factor);
    double M = r->type == KB_THREE_BODY ? kb_rate_third_body(s, r) : 1;
    q[0] = k[0] * M * product(s, r, false);
    q[1] = k[1] * M * product(s, r, true);
}

/* net coefficient of each species in steady state */
static void steady_nu(const kb_mech *m, const kb_reaction *r, double *nu)
{
    for (int q = 0; q < m->nsteady; q++)
        nu[q] = 0;
    for (int i = 0; i < r->nreactants; i++)
        if (r->reactants[i].species >= m->nspecies)
            nu[r->reactants[i].species - m->nspecies] -= r->reactants[i].value;
    for (int i = 0; i < r->nproducts; i++)
        if (r->products[i].species >= m->nspecies)
            nu[r->products[i].species - m->nspecies] += r->products[i].value;
}

/* x of A x = b by elimination with pivots; A [n][n + 1] has b behind its rows; no pivot: 0 */
static void solve_rows(double *A, int n, double *x)
{
    int width = n + 1;

    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * width + k]) > fabs(A[best * width + k]))
                best = i;
        for (int j = 0; j < width; j++) {
            double t = A[k * width + j];
            A[k * width + j] = A[best * width + j];
            A[best * width + j] = t;
        }
        for (int i = k + 1; i < n; i++) {
            double l = A[k * width + k] ? A[i * width + k] / A[k * width + k] : 0;
            for (int j = k; j < width; j++)
                A[i * width + j] -= l * A[k * width + j];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        x[k] = A[k * width + n];
        for (int j = k + 1; j < n; j++)
            x[k] -= A[k * width + j] * x[j];
        x[k] = A[k * width + k] ? x[k] / A[k * width + k] : 0;
    }
}

/* The concentrations in steady state. With all of them 1, the rate of a direction is the
 * coefficient of the one that it has. */
static void balance(kb_rate_state *s)
{
    const kb_mech *m = s->m;
    int n = m->nsteady, width = n + 1;
    double *A = kb_alloc((size_t)n * width, sizeof *A), *nu = kb_alloc((size_t)n, sizeof *nu);

    for (int q = 0; q < n; q++)
        s->C[m->nspecies + q] = 1;
    for (int i = 0; i < m->nreactions; i++) {
        double k[2], rate[2];

        steady_nu(m, &m->reactions[i], nu);
        evaluate(s, &m->reactions[i], k, rate);
        for (int reverse = 0; reverse < 2; reverse++) {
            int p = kb_steady_power(m, &m->reactions[i], reverse);
            for (int q = 0; q < n; q++) {
                double made = (reverse ? -nu[q] : nu[q]) * rate[reverse];
                A[q * width + (p < 0 ? n : p)] += p < 0 ? made : -made;
            }
        }
    }
    solve_rows(A, n, s->C + m->nspecies);
    free(nu);
    free(A);
}

static kb_rate_state make_state(const kb_mech *m, double T, double p, const double *C)
{
    size_t all = (size_t)(m->nspecies + m->nsteady);
    kb_rate_state s = {m, T, p, kb_alloc(all, sizeof(double)), 0, kb_alloc(all, sizeof(double))};

    for (int k = 0; k < m->nspecies + m->nsteady; k++)
        s.lnKc[k] = kb_ln_Kc_share(&m->species[k], T);
    for (int k = 0; k < m->nspecies; k++) {
        s.C[k] = C[k];
        s.total += C[k];
    }
    if (m->nsteady)
        balance(&s);
    return s;
}

static void free_state(kb_rate_state *s)
{
    free(s->lnKc);
    free(s->C);
}

void kb_steady_concentrations(const kb_mech *m, double T, double p, const double *C, double *steady)
{
    kb_rate_state s = make_state(m, T, p, C);

    memcpy(steady, s.C + m->nspecies, (size_t)m->nsteady * sizeof *steady);
    free_state(&s);
}

static void add_made(const kb_mech *m, const kb_term *t, int n, double q, double *wdot)
{
    for (int i = 0; i < n; i++)
        if (t[i].species < m->nspecies)
            wdot[t[i].species] += t[i].value * q;
}

void kb_mech_rates(const kb_mech *m, double T, double p, const double *C, double *kf, double *kr,
                   double *qf, double *qr)
{
    kb_rate_state s = make_state(m, T, p, C);

    for (int i = 0; i < m->nreactions; i++) {
        double k[2], q[2];

        evaluate(&s, &m->reactions[i], k, q);
        if (kf)
            kf[i] = k[0];
        if (kr)
            kr[i] = k[1];
        if (qf)
            qf[i] = q[0];
        if (qr)
            qr[i] = q[1];
    }
    free_state(&s);
}

void kb_production(const kb_mech *m, double T, double p, const double *C, double *wdot)
{
    kb_rate_state s = make_state(m, T, p, C);

    for (int k = 0; k < m->nspecies; k++)
        wdot[k] = 0;
    for (int i = 0; i < m->nreactions; i++) {
        const kb_reaction *r = &m->reactions[i];
        double k[2], q[2];

        evaluate(&s, r, k, q);
        add_made(m, r->reactants, r->nreactants, q[1] - q[0], wdot);
        add_made(m, r->products, r->nproducts, q[0] - q[1], wdot);
    }
    free_state(&s);
}
