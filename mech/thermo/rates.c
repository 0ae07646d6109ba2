/* SPDX-License-Identifier: MIT
 *
 * Rate constants. Sources: Kee et al., CHEMKIN-III (SAND96-8216), chapter II (equilibrium, third
 * bodies, fall-off); Gilbert, Luther and Troe, Ber. Bunsenges.
 * Phys. Chem. 87 (1983) 169, for the Troe form; Tsang and Herron, J. Phys. Chem. Ref. Data 20
 * (1991) 779; Blowers and Masel, AIChE J. 46 (2000) 2041; Singal, Lee, Lei, Speth and Burke, Proc.
 * Combust. Inst. 40 (2024) 105779, for the linear mixture rule. The guards at the ends of the
 * number range are those of Cantera 3.2, so that both give the same rates everywhere.
 */
#include <math.h>
#include "mech/thermo/rate_state.h"
#include "mech/thermo/rates.h"
#include "mech/thermo/thermo.h"

#define SMALL 1e-300 /* keeps log10 of a zero reduced pressure or broadening factor finite */
#define BIG 1e300    /* bound of 1/Kc, and of Pr where the high limit underflows */

double kb_arrhenius_k(const kb_arrhenius *a, double T)
{
    return a->A * exp(a->b * log(T) - a->theta / T);
}

/* ln Kc = sum_k nu_k (ln(p_ref,k / (R T)) - g_k/RT) */
double kb_ln_Kc_share(const kb_species *s, double T)
{
    return log(s->p_ref / (KB_R * T)) - kb_g_RT(s, T);
}

double kb_ln_Kc(const kb_mech *m, const kb_reaction *r, double T)
{
    double sum = 0;

    for (int i = 0; i < r->nproducts; i++)
        sum += r->products[i].value * kb_ln_Kc_share(&m->species[r->products[i].species], T);
    for (int i = 0; i < r->nreactants; i++)
        sum -= r->reactants[i].value * kb_ln_Kc_share(&m->species[r->reactants[i].species], T);
    return sum;
}

/* 1/Kc from the shares, bounded */
static double inverse_Kc(const kb_rate_state *s, const kb_reaction *r)
{
    double sum = 0;

    for (int i = 0; i < r->nproducts; i++)
        sum += r->products[i].value * s->lnKc[r->products[i].species];
    for (int i = 0; i < r->nreactants; i++)
        sum -= r->reactants[i].value * s->lnKc[r->reactants[i].species];
    return fmin(exp(-sum), BIG);
}

/* [M] = sum_k alpha_k C_k, or the concentration of a named collider */
double kb_rate_third_body(const kb_rate_state *s, const kb_reaction *r)
{
    double M = r->default_efficiency * s->total;

    if (r->collider >= 0)
        return s->C[r->collider];
    for (int i = 0; i < r->nefficiencies; i++)
        M += (r->efficiencies[i].value - r->default_efficiency) * s->C[r->efficiencies[i].species];
    return M;
}

/* exp(-T/T0); a T0 of zero switches the term off */
static double switch_off(double T, double T0) { return fabs(T0) < SMALL ? 0 : exp(-T / T0); }

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
    if (base < SMALL)
        return 0;
    double F = pow(base, 1 / (1 + lg * lg));
    return r->nblend == 5 ? F * x[3] * pow(T, x[4]) : F;
}

static double blending(const kb_reaction *r, double T, double Pr)
{
    switch (r->blending) {
    case KB_TROE: return troe(r, T, Pr);
    case KB_SRI: return sri(r, T, Pr);
    case KB_TSANG: return tsang(r, T, Pr);
    default: return 1;
    }
}

/* k = k_inf Pr/(1+Pr) F, or chemically activated k = k_0/(1+Pr) F. *factor: k over the limit that
 * an explicit reverse rate stands for (the high one, or the low one when activated). */
static double falloff(const kb_rate_state *s, const kb_reaction *r, double M, double *factor)
{
    double high = kb_arrhenius_k(&r->kf, s->T), low = kb_arrhenius_k(&r->low, s->T);
    double Pr = fmin(M * low / (high + SMALL), BIG);
    double F = blending(r, s->T, Pr) / (1 + Pr);

    *factor = r->type == KB_ACTIVATED ? F : Pr * F;
    return *factor * (r->type == KB_ACTIVATED ? low : high);
}

/* ln of the summed rates of the group of entries at one pressure that starts at i; *end: past it */
static double plog_ln_k(const kb_reaction *r, int i, double T, int *end)
{
    double p = r->plog[i].p, k = SMALL;
    const kb_arrhenius *last = NULL;
    int count = 0;

    for (; i < r->nplog && r->plog[i].p == p; i++) {
        if (r->plog[i].k.A == 0)
            continue;
        last = &r->plog[i].k;
        k += kb_arrhenius_k(last, T);
        count++;
    }
    *end = i;
    return count == 1 ? log(last->A) + last->b * log(T) - last->theta / T : log(k);
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
static double collider_rate(const kb_rate_state *s, const kb_reaction *r, double p)
{
    switch (r->type) {
    case KB_PLOG: return plog(r, s->T, p);
    case KB_CHEBYSHEV: return chebyshev(r, s->T, p);
    default:
        return falloff(s, r, p / (KB_R * s->T), &(double){0});
    }
}

/* k = sum_i k_i(p eps/eps_i) eps_i X_i/eps, eps = sum_i eps_i X_i; a collider without a rate of its
 * own has that of M at p eps, and M stands for every species that is not named. */
static double linear_burke(const kb_rate_state *s, const kb_reaction *r)
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
    double d = 4 * w * E0 / (w - E0), x = d + dH; /* d = V - 2 w, V = 2 w (w + E0)/(w - E0) */
    return (w + dH / 2) * x * x / (d * (d + 4 * w) + dH * dH);
}

static double blowers_masel(const kb_rate_state *s, const kb_reaction *r)
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
double kb_rate_forward(const kb_rate_state *s, const kb_reaction *r, double *factor)
{
    *factor = 1;
    switch (r->type) {
    case KB_FALLOFF:
    case KB_ACTIVATED: return falloff(s, r, kb_rate_third_body(s, r), factor);
    case KB_PLOG: return plog(r, s->T, s->p);
    case KB_CHEBYSHEV: return chebyshev(r, s->T, s->p);
    case KB_LINEAR_BURKE: return linear_burke(s, r);
    default: return r->blowers_masel ? blowers_masel(s, r) : kb_arrhenius_k(&r->kf, s->T);
    }
}

double kb_rate_reverse(const kb_rate_state *s, const kb_reaction *r, double kf, double factor)
{
    if (r->has_reverse)
        return factor * kb_arrhenius_k(&r->kr, s->T);
    return r->reversible ? kf * inverse_Kc(s, r) : 0;
}
