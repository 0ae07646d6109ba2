/* SPDX-License-Identifier: MIT
 *
 * Rate constants and rates of progress. Sources: Kee et al., CHEMKIN-III (SAND96-8216), chapter II
 * (mass action, equilibrium, third bodies, fall-off); Gilbert, Luther and Troe, Ber. Bunsenges.
 * Phys. Chem. 87 (1983) 169, for the Troe form; Tsang and Herron, J. Phys. Chem. Ref. Data 20
 * (1991) 779; Blowers and Masel, AIChE J. 46 (2000) 2041; Singal, Lee, Lei, Speth and Burke, Proc.
 * Combust. Inst. 40 (2024) 105779, for the linear mixture rule. The guards at the ends of the
 * number range are those of Cantera 3.2, so that both give the same rates everywhere.
 */
#include <math.h>
#include <string.h>
#include "mech/thermo/rates.h"
#include "mech/thermo/thermo.h"

#define SMALL 1e-300 /* keeps log10 of a zero reduced pressure or broadening factor finite */
#define BIG 1e300    /* bound of 1/Kc */

typedef struct {
    const kb_mech *m;
    double T, p;
    double *C;     /* [nspecies + nsteady] */
    double total;  /* sum of C of the state's species [kmol/m^3] */
    double *lnKc;  /* of each C: share of a species in ln Kc, at nu = 1 */
} state;

double kb_arrhenius_k(const kb_arrhenius *a, double T)
{
    return a->A * exp(a->b * log(T) - a->theta / T);
}

/* ln Kc = sum_k nu_k (ln(p_ref,k / (R T)) - g_k/RT) */
static double ln_Kc_share(const kb_species *s, double T)
{
    return log(s->p_ref / (KB_R * T)) - kb_g_RT(s, T);
}

double kb_ln_Kc(const kb_mech *m, const kb_reaction *r, double T)
{
    double sum = 0;

    for (int i = 0; i < r->nproducts; i++)
        sum += r->products[i].value * ln_Kc_share(&m->species[r->products[i].species], T);
    for (int i = 0; i < r->nreactants; i++)
        sum -= r->reactants[i].value * ln_Kc_share(&m->species[r->reactants[i].species], T);
    return sum;
}

double kb_Kc(const kb_mech *m, const kb_reaction *r, double T)
{
    return exp(kb_ln_Kc(m, r, T));
}

/* 1/Kc from the shares, bounded */
static double inverse_Kc(const state *s, const kb_reaction *r)
{
    double sum = 0;

    for (int i = 0; i < r->nproducts; i++)
        sum += r->products[i].value * s->lnKc[r->products[i].species];
    for (int i = 0; i < r->nreactants; i++)
        sum -= r->reactants[i].value * s->lnKc[r->reactants[i].species];
    return fmin(exp(-sum), BIG);
}

/* [M] = sum_k alpha_k C_k, or the concentration of a named collider */
static double third_body(const state *s, const kb_reaction *r)
{
    double M = r->default_efficiency * s->total;

    if (r->collider >= 0)
        return s->C[r->collider];
    for (int i = 0; i < r->nefficiencies; i++)
        M += (r->efficiencies[i].value - r->default_efficiency) * s->C[r->efficiencies[i].species];
    return M;
}

/* exp(-T/T0); a T0 of zero switches the term off */
static double switch_off(double T, double T0)
{
    return fabs(T0) < SMALL ? 0 : exp(-T / T0);
}

/* lg F = lg Fcent / (1 + f1^2), f1 = (lg Pr + c)/(n - 0.14 (lg Pr + c)) */
static double broadening(double Fcent, double Pr)
{
    double lgF = log10(fmax(Fcent, SMALL));
    double c = log10(fmax(Pr, SMALL)) - 0.4 - 0.67 * lgF;
    double f1 = c / (0.75 - 1.27 * lgF - 0.14 * c);

    return pow(10, lgF / (1 + f1 * f1));
}

/* Troe: Fcent = (1-a) exp(-T/T***) + a exp(-T/T*) + exp(-T** /T). T** = 0 counts as absent. */
static double troe(const kb_reaction *r, double T, double Pr)
{
    const double *x = r->blend;
    double Fcent = (1 - x[0]) * switch_off(T, x[1]) + x[0] * switch_off(T, x[2]);

    if (r->nblend == 4 && x[3] != 0)
        Fcent += exp(-x[3] / T);
    return broadening(Fcent, Pr);
}

/* Tsang: the same with Fcent = A + B T */
static double tsang(const kb_reaction *r, double T, double Pr)
{
    return broadening(r->blend[0] + r->blend[1] * T, Pr);
}

/* SRI: F = d T^e [a exp(-b/T) + exp(-T/c)]^X, X = 1/(1 + lg^2 Pr) */
static double sri(const kb_reaction *r, double T, double Pr)
{
    const double *x = r->blend;
    double base = x[0] * exp(-x[1] / T);
    double lg = log10(fmax(Pr, SMALL));

    if (x[2] != 0)
        base += exp(-T / x[2]);
    double F = pow(base, 1 / (1 + lg * lg));
    return r->nblend == 5 ? F * x[3] * pow(T, x[4]) : F;
}

static double blending(const kb_reaction *r, double T, double Pr)
{
    switch (r->blending) {
    case KB_TROE:
        return troe(r, T, Pr);
    case KB_SRI:
        return sri(r, T, Pr);
    case KB_TSANG:
        return tsang(r, T, Pr);
    default:
        return 1;
    }
}

/* k = k_inf Pr/(1+Pr) F, or chemically activated k = k_0/(1+Pr) F. *factor: k over the limit that
 * an explicit reverse rate stands for (the high one, or the low one when activated). */
static double falloff(const state *s, const kb_reaction *r, double M, double *factor)
{
    double high = kb_arrhenius_k(&r->kf, s->T), low = kb_arrhenius_k(&r->low, s->T);
    double Pr = M * low / (high + SMALL);
    double F = blending(r, s->T, Pr) / (1 + Pr);

    *factor = r->type == KB_ACTIVATED ? F : Pr * F;
    return *factor * (r->type == KB_ACTIVATED ? low : high);
}

/* ln of the summed rates of the group of entries at one pressure that starts at i; *end: past it */
static double plog_ln_k(const kb_reaction *r, int i, double T, int *end)
{
    double p = r->plog[i].p, k = SMALL;

    for (; i < r->nplog && r->plog[i].p == p; i++)
        k += kb_arrhenius_k(&r->plog[i].k, T);
    *end = i;
    return log(k);
}

/* ln k linear in ln p between tabulated pressures, constant outside them */
static double plog(const kb_reaction *r, double T, double p)
{
    int lower = 0, upper;
    double below = plog_ln_k(r, 0, T, &upper);

    if (p <= r->plog[0].p)
        return exp(below);
    while (upper < r->nplog && r->plog[upper].p <= p) {
        lower = upper;
        below = plog_ln_k(r, lower, T, &upper);
    }
    if (upper == r->nplog)
        return exp(below);
    double above = plog_ln_k(r, upper, T, &(int){0});
    double p1 = r->plog[lower].p, p2 = r->plog[upper].p;
    return exp(below + (above - below) * (log(p / p1) / log(p2 / p1)));
}

/* sum_i c[i stride] T_i(x), n >= 1 coefficients, by Clenshaw's recurrence */
static double chebyshev_sum(const double *c, int n, int stride, double x)
{
    double b1 = 0, b2 = 0;

    for (int i = n - 1; i > 0; i--) {
        double b0 = 2 * x * b1 - b2 + c[(size_t)i * stride];

        b2 = b1;
        b1 = b0;
    }
    return x * b1 - b2 + c[0];
}

/* lg k = sum_ij a_ij T_i(Tr) T_j(pr) with Tr, pr the images of 1/T, lg p on [-1, 1]; outside the
 * limits the series itself is used (no clamping), as in Cantera. */
static double chebyshev(const kb_reaction *r, double T, double p)
{
    const kb_chebyshev *c = &r->cheb;
    double Tr = (2 / T - 1 / c->Tmin - 1 / c->Tmax) / (1 / c->Tmax - 1 / c->Tmin);
    double pr = (2 * log10(p) - log10(c->pmin) - log10(c->pmax)) / log10(c->pmax / c->pmin);
    double lgk = 0, before = Tr, T_i = 1; /* T_-1, T_0 */

    for (int i = 0; i < c->nT; i++) {
        double after = 2 * Tr * T_i - before;

        lgk += T_i * chebyshev_sum(c->coef + (size_t)i * c->np, c->np, 1, pr);
        before = T_i;
        T_i = after;
    }
    return pow(10, lgk);
}

/* Of one collider of a linear-Burke reaction, at a pressure of its own */
static double collider_rate(const state *s, const kb_reaction *r, double p)
{
    switch (r->type) {
    case KB_PLOG:
        return plog(r, s->T, p);
    case KB_CHEBYSHEV:
        return chebyshev(r, s->T, p);
    default:
        return falloff(s, r, p / (KB_R * s->T), &(double){0});
    }
}

/* k = sum_i k_i(p eps/eps_i) eps_i X_i/eps, eps = sum_i eps_i X_i; a collider without a rate of its
 * own has that of M at p eps, and M stands for every species that is not named. */
static double linear_burke(const state *s, const kb_reaction *r)
{
    double others = 1, mean = 0, k = 0;

    for (int i = 1; i < r->ncolliders; i++) {
        double X = s->C[r->colliders[i].species] / s->total;

        others -= X;
        mean += X * kb_arrhenius_k(&r->colliders[i].eps, s->T);
    }
    mean += others;
    for (int i = 0; i < r->ncolliders; i++) {
        const kb_burke *c = &r->colliders[i];
        double eps = kb_arrhenius_k(&c->eps, s->T), X = others;

        if (i)
            X = s->C[c->species] / s->total;
        const kb_reaction *rate = c->own ? &c->rate : &r->colliders[0].rate;
        k += collider_rate(s, rate, s->p * mean / (c->own ? eps : 1)) * eps * X / mean;
    }
    return k;
}

/* E/R from E0/R, w/R and the heat of reaction dH/R; Blowers and Masel, eq. 10-12 */
static double blowers_masel_theta(double E0, double w, double dH)
{
    if (dH <= -4 * E0)
        return 0;
    if (dH > 4 * E0)
        return dH;
    double V = 2 * w * (w + E0) / (w - E0), x = V - 2 * w + dH;
    return (w + dH / 2) * x * x / (V * V - 4 * w * w + dH * dH);
}

static double blowers_masel(const state *s, const kb_reaction *r)
{
    double dH = 0;

    for (int i = 0; i < r->nproducts; i++)
        dH += r->products[i].value * kb_h_RT(&s->m->species[r->products[i].species], s->T);
    for (int i = 0; i < r->nreactants; i++)
        dH -= r->reactants[i].value * kb_h_RT(&s->m->species[r->reactants[i].species], s->T);
    kb_arrhenius k = r->kf;
    k.theta = blowers_masel_theta(r->kf.theta, r->bond, dH * s->T);
    return kb_arrhenius_k(&k, s->T);
}

/* k without the [M] of a three-body reaction */
static double forward(const state *s, const kb_reaction *r, double *factor)
{
    *factor = 1;
    switch (r->type) {
    case KB_FALLOFF:
    case KB_ACTIVATED:
        return falloff(s, r, third_body(s, r), factor);
    case KB_PLOG:
        return plog(r, s->T, s->p);
    case KB_CHEBYSHEV:
        return chebyshev(r, s->T, s->p);
    case KB_LINEAR_BURKE:
        return linear_burke(s, r);
    default:
        return r->blowers_masel ? blowers_masel(s, r) : kb_arrhenius_k(&r->kf, s->T);
    }
}

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
static double product(const state *s, const kb_reaction *r, bool reverse)
{
    int n;
    const kb_term *t = kb_powers(r, reverse, &n);

    return t || n ? mass_action(t, n, s->C) : 0;
}

static double reverse(const state *s, const kb_reaction *r, double kf, double factor)
{
    if (r->has_reverse)
        return factor * kb_arrhenius_k(&r->kr, s->T);
    return r->reversible ? kf * inverse_Kc(s, r) : 0;
}

/* one reaction; q = {qf, qr} only if wanted */
static void evaluate(const state *s, const kb_reaction *r, double k[2], double q[2])
{
    double factor;

    k[0] = forward(s, r, &factor);
    k[1] = reverse(s, r, k[0], factor);
    double M = r->type == KB_THREE_BODY ? third_body(s, r) : 1;
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
static void balance(state *s)
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

static state make_state(const kb_mech *m, double T, double p, const double *C)
{
    size_t all = (size_t)(m->nspecies + m->nsteady);
    state s = {m, T, p, kb_alloc(all, sizeof(double)), 0, kb_alloc(all, sizeof(double))};

    for (int k = 0; k < m->nspecies + m->nsteady; k++)
        s.lnKc[k] = ln_Kc_share(&m->species[k], T);
    for (int k = 0; k < m->nspecies; k++) {
        s.C[k] = C[k];
        s.total += C[k];
    }
    if (m->nsteady)
        balance(&s);
    return s;
}

static void free_state(state *s)
{
    free(s->lnKc);
    free(s->C);
}

void kb_steady_concentrations(const kb_mech *m, double T, double p, const double *C, double *steady)
{
    state s = make_state(m, T, p, C);

    memcpy(steady, s.C + m->nspecies, (size_t)m->nsteady * sizeof *steady);
    free_state(&s);
}

static void add_made(const kb_mech *m, const kb_term *t, int n, double q, double *wdot)
{
    for (int i = 0; i < n; i++)
        if (t[i].species < m->nspecies)
            wdot[t[i].species] += t[i].value * q;
}

void kb_rates(const kb_mech *m, double T, double p, const double *C, double *kf, double *kr,
              double *qf, double *qr)
{
    state s = make_state(m, T, p, C);

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
    state s = make_state(m, T, p, C);

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
