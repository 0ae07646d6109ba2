/* SPDX-License-Identifier: MIT */
#include <math.h>
#include "mech/thermo/thermo.h"

/* At Tmid itself the lower range holds, as in CHEMKIN and Cantera. */
static const double *range(const kb_species *s, double T)
{
    return T <= s->Tmid ? s->lo : s->hi;
}

/* The coefficients at T of a model with ranges of its own */
static const double *row(const kb_species *s, double T)
{
    int i = 0;

    while (i + 1 < s->nranges && (T > s->T_ends[i + 1] ||
                                  (T == s->T_ends[i + 1] && s->model == KB_NASA9)))
        i++;
    return s->coef + 9 * i;
}

/* NASA/TP-2002-211556, eq. 1: cp/R = a1/T^2 + a2/T + a3 + a4 T + a5 T^2 + a6 T^3 + a7 T^4 */
static double nasa9_cp(const double *a, double T)
{
    return (a[0] / T + a[1]) / T + a[2] + T * (a[3] + T * (a[4] + T * (a[5] + T * a[6])));
}

/* eq. 2: h/RT = -a1/T^2 + a2 ln T/T + a3 + a4/2 T + ... + a8/T */
static double nasa9_h(const double *a, double T)
{
    return (-a[0] / T + a[1] * log(T) + a[7]) / T + a[2] +
           T * (a[3] / 2 + T * (a[4] / 3 + T * (a[5] / 4 + T * (a[6] / 5))));
}

/* eq. 3: s/R = -a1/2 /T^2 - a2/T + a3 ln T + a4 T + a5/2 T^2 + ... + a9 */
static double nasa9_s(const double *a, double T)
{
    return (-a[0] / 2 / T - a[1]) / T + a[2] * log(T) + a[8] +
           T * (a[3] + T * (a[4] / 2 + T * (a[5] / 3 + T * (a[6] / 4))));
}

/* NIST, t = T/1000 K: cp = A + B t + C t^2 + D t^3 + E/t^2 [J/(mol K)] */
static double shomate_cp(const double *a, double T)
{
    double t = T / 1000;

    return 1000 / KB_R * (a[0] + t * (a[1] + t * (a[2] + t * a[3])) + a[4] / (t * t));
}

/* h = A t + B t^2/2 + C t^3/3 + D t^4/4 - E/t + F [kJ/mol] */
static double shomate_h(const double *a, double T)
{
    double t = T / 1000;
    double h = t * (a[0] + t * (a[1] / 2 + t * (a[2] / 3 + t * a[3] / 4))) - a[4] / t + a[5];

    return 1e6 / (KB_R * T) * h;
}

/* s = A ln t + B t + C t^2/2 + D t^3/3 - E/(2 t^2) + G [J/(mol K)] */
static double shomate_s(const double *a, double T)
{
    double t = T / 1000;

    return 1000 / KB_R * (a[0] * log(t) + t * (a[1] + t * (a[2] / 2 + t * a[3] / 3)) -
                          a[4] / (2 * t * t) + a[6]);
}

/* Beyond the data: is T there, and what continues them */
static bool beyond(const kb_species *s, double T, double a[4])
{
    bool high = T > s->Thigh;

    if (!high && !(T < s->Tlow))
        return false;
    kb_beyond(s, high ? (s->nranges ? s->nranges - 1 : 1) : 0, high ? s->Thigh : s->Tlow, a);
    return true;
}

/* NASA SP-273, eq. 90: cp/R = a1 + a2 T + a3 T^2 + a4 T^3 + a5 T^4 */
double kb_cp_R(const kb_species *s, double T)
{
    double b[4];

    if (beyond(s, T, b))
        return b[0] + T * b[1];
    if (s->model != KB_NASA7)
        return (s->model == KB_NASA9 ? nasa9_cp : shomate_cp)(row(s, T), T);
    const double *a = range(s, T);

    return a[0] + T * (a[1] + T * (a[2] + T * (a[3] + T * a[4])));
}

/* eq. 91: h/RT = a1 + a2/2 T + a3/3 T^2 + a4/4 T^3 + a5/5 T^4 + a6/T */
double kb_h_RT(const kb_species *s, double T)
{
    double b[4];

    if (beyond(s, T, b))
        return b[0] + T * b[1] / 2 + b[2] / T;
    if (s->model != KB_NASA7)
        return (s->model == KB_NASA9 ? nasa9_h : shomate_h)(row(s, T), T);
    const double *a = range(s, T);

    return a[0] + T * (a[1] / 2 + T * (a[2] / 3 + T * (a[3] / 4 + T * (a[4] / 5)))) + a[5] / T;
}

/* eq. 92: s/R = a1 ln T + a2 T + a3/2 T^2 + a4/3 T^3 + a5/4 T^4 + a7 */
double kb_s_R(const kb_species *s, double T)
{
    double b[4];

    if (beyond(s, T, b))
        return b[0] * log(T) + T * b[1] + b[3];
    if (s->model != KB_NASA7)
        return (s->model == KB_NASA9 ? nasa9_s : shomate_s)(row(s, T), T);
    const double *a = range(s, T);

    return a[0] * log(T) + T * (a[1] + T * (a[2] / 2 + T * (a[3] / 3 + T * (a[4] / 4)))) + a[6];
}

/* cp/R in T of A + B t + C t^2 + D t^3 + E/t^2, t = T/1000 K; h and s with their constants */
static void shomate_as_nasa9(const double *a, double out[9])
{
    double scale = 1000 / KB_R;

    out[0] = scale * 1e6 * a[4];
    out[1] = 0;
    out[2] = scale * a[0];
    out[3] = scale * 1e-3 * a[1];
    out[4] = scale * 1e-6 * a[2];
    out[5] = scale * 1e-9 * a[3];
    out[6] = 0;
    out[7] = scale * 1e3 * a[5];
    out[8] = scale * (a[6] - a[0] * log(1000));
}

/* Range i of any model in the form of NASA-9 */
static void as_nasa9(const kb_species *s, int i, double a[9])
{
    const double *seven = i ? s->hi : s->lo;

    if (s->model == KB_SHOMATE)
        shomate_as_nasa9(s->coef + 9 * i, a);
    for (int k = 0; k < 9 && s->model != KB_SHOMATE; k++)
        a[k] = s->model == KB_NASA9 ? s->coef[9 * i + k] : k < 2 ? 0 : seven[k - 2];
}

void kb_nasa9_ranges(const kb_species *s, double a[2][9])
{
    as_nasa9(s, 0, a[0]);
    as_nasa9(s, s->model == KB_NASA7 || s->nranges > 1, a[1]);
}

void kb_beyond(const kb_species *s, int range, double T, double b[4])
{
    enum { LEAST_CP = 2 }; /* of R: cv is above 0 */
    double a[9], far = range == 0 && T == s->Tlow ? KB_T_LEAST : KB_T_MOST;

    as_nasa9(s, range, a);
    double cp = nasa9_cp(a, T);
    b[1] = (-2 * a[0] / T - a[1]) / (T * T) + a[3] +
           T * (2 * a[4] + T * (3 * a[5] + T * 4 * a[6]));
    if (!(cp + b[1] * (far - T) >= LEAST_CP))
        b[1] = 0;
    b[0] = cp - b[1] * T;
    b[2] = T * (nasa9_h(a, T) - b[0] - T * b[1] / 2);
    b[3] = nasa9_s(a, T) - b[0] * log(T) - T * b[1];
}

/* sum of Y_k/W_k [kmol/kg] */
static double specific_moles(const kb_mech *m, const double *Y)
{
    double n = 0;

    for (int k = 0; k < m->nspecies; k++)
        n += Y[k] / m->species[k].weight;
    return n;
}

/* 1/W = sum Y_k/W_k for sum Y = 1; written so that it does not depend on the scale of Y */
double kb_mean_weight(const kb_mech *m, const double *Y)
{
    double sum = 0;

    for (int k = 0; k < m->nspecies; k++)
        sum += Y[k];
    return sum / specific_moles(m, Y);
}

double kb_density(const kb_mech *m, double T, double p, const double *Y)
{
    return p * kb_mean_weight(m, Y) / (KB_R * T);
}

double kb_mix_cp(const kb_mech *m, double T, const double *Y)
{
    double cp = 0;

    for (int k = 0; k < m->nspecies; k++)
        cp += Y[k] * kb_cp_R(&m->species[k], T) / m->species[k].weight;
    return KB_R * cp;
}

double kb_mix_h(const kb_mech *m, double T, const double *Y)
{
    double h = 0;

    for (int k = 0; k < m->nspecies; k++)
        h += Y[k] * kb_h_RT(&m->species[k], T) / m->species[k].weight;
    return KB_R * T * h;
}

double kb_mix_u(const kb_mech *m, double T, const double *Y)
{
    return kb_mix_h(m, T, Y) - KB_R * T * specific_moles(m, Y);
}

/* An end between two ranges of a species in [lo, hi]; NAN: none */
static double end_inside(const kb_mech *m, double lo, double hi)
{
    for (int k = 0; k < m->nspecies; k++) {
        const kb_species *s = &m->species[k];

        if (s->model == KB_NASA7 && lo <= s->Tmid && s->Tmid <= hi)
            return s->Tmid;
        for (int i = 1; i < s->nranges; i++)
            if (lo <= s->T_ends[i] && s->T_ends[i] <= hi)
                return s->T_ends[i];
    }
    return NAN;
}

/* T at which h - moles R T = target (moles = 0 for h): Newton within a bracket that shrinks,
 * bisection when a step would leave it. A bracket that closes without a root closes around a jump
 * at the end of a range. */
static double T_from(const kb_mech *m, double target, double moles, const double *Y, double T0)
{
    double lo = KB_T_LEAST, hi = KB_T_MOST, T = T0 > lo && T0 < hi ? T0 : 1000;

    if (!(kb_mix_h(m, lo, Y) - moles * KB_R * lo <= target) ||
        !(kb_mix_h(m, hi, Y) - moles * KB_R * hi >= target))
        return NAN;
    while (hi - lo > 1e-13 * hi) {
        double f = kb_mix_h(m, T, Y) - moles * KB_R * T - target;
        double next = T - f / (kb_mix_cp(m, T, Y) - moles * KB_R);

        if (f > 0)
            hi = T;
        else
            lo = T;
        if (fabs(next - T) <= 1e-13 * T)
            return next;
        T = next > lo && next < hi ? next : 0.5 * (lo + hi);
    }
    T = end_inside(m, lo, hi);
    return isnan(T) ? lo : T;
}

double kb_T_from_h(const kb_mech *m, double h, const double *Y, double T0)
{
    return T_from(m, h, 0, Y, T0);
}

double kb_T_from_u(const kb_mech *m, double u, const double *Y, double T0)
{
    return T_from(m, u, specific_moles(m, Y), Y, T0);
}

void kb_X_to_Y(const kb_mech *m, const double *X, double *Y)
{
    double sum = 0;

    for (int k = 0; k < m->nspecies; k++)
        sum += X[k] * m->species[k].weight;
    for (int k = 0; k < m->nspecies; k++)
        Y[k] = X[k] * m->species[k].weight / sum;
}
