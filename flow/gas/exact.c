/* SPDX-License-Identifier: MIT */
#include "flow/gas/exact.h"

#include <math.h>

static double sound(kb_riemann_state a, double gamma) { return sqrt(gamma * a.p / a.rho); }

/* change of speed over one wave to the pressure p, and its derivative */
static double wave(kb_riemann_state a, double gamma, double p, double *slope)
{
    if (p > a.p) {
        double A = 2 / ((gamma + 1) * a.rho), B = (gamma - 1) / (gamma + 1) * a.p;
        double root = sqrt(A / (p + B));
        *slope = root * (1 - 0.5 * (p - a.p) / (B + p));
        return (p - a.p) * root;
    }
    double c = sound(a, gamma), x = (gamma - 1) / (2 * gamma);
    *slope = pow(p / a.p, x - 1) * c / (gamma * a.p);
    return 2 * c / (gamma - 1) * (pow(p / a.p, x) - 1);
}

/* both waves as rarefactions: exact for those, a good start otherwise */
static double start(kb_riemann_state l, kb_riemann_state r, double gamma)
{
    double x = (gamma - 1) / (2 * gamma), cl = sound(l, gamma), cr = sound(r, gamma);
    double above = cl + cr - 0.5 * (gamma - 1) * (r.u - l.u);
    return pow(above / (cl / pow(l.p, x) + cr / pow(r.p, x)), 1 / x);
}

void kb_riemann_star(kb_riemann_state l, kb_riemann_state r, double gamma, double *p, double *u)
{
    double sl, sr, fl = 0, fr = 0;
    *p = start(l, r, gamma);
    for (int i = 0; i < 100; i++) {
        fl = wave(l, gamma, *p, &sl);
        fr = wave(r, gamma, *p, &sr);
        double next = fmax(*p - (fl + fr + r.u - l.u) / (sl + sr), 1e-3 * *p);
        double change = fabs(next - *p);
        *p = next;
        if (change < 1e-14 * next)
            break;
    }
    *u = 0.5 * (l.u + r.u) + 0.5 * (wave(r, gamma, *p, &sr) - wave(l, gamma, *p, &sl));
}

/* the left half of the fan: everything left of the contact */
static kb_riemann_state sample_left(kb_riemann_state a, double gamma, double p, double u, double s)
{
    double c = sound(a, gamma), g = (gamma - 1) / (gamma + 1), ratio = p / a.p;
    if (p > a.p) {
        double mach2 = ((gamma + 1) * ratio + gamma - 1) / (2 * gamma);
        double shock = a.u - c * sqrt(mach2);
        return s < shock ? a : (kb_riemann_state){a.rho * (ratio + g) / (g * ratio + 1), u, p};
    }
    double behind = c * pow(ratio, (gamma - 1) / (2 * gamma));
    if (s < a.u - c)
        return a;
    if (s > u - behind)
        return (kb_riemann_state){a.rho * pow(ratio, 1 / gamma), u, p};
    double fan = 2 / (gamma + 1) + g / c * (a.u - s);
    return (kb_riemann_state){a.rho * pow(fan, 2 / (gamma - 1)),
                              2 / (gamma + 1) * (c + (gamma - 1) / 2 * a.u + s),
                              a.p * pow(fan, 2 * gamma / (gamma - 1))};
}

kb_riemann_state kb_riemann_sample(kb_riemann_state l, kb_riemann_state r, double gamma, double s)
{
    double p, u;
    kb_riemann_star(l, r, gamma, &p, &u);
    if (s <= u)
        return sample_left(l, gamma, p, u, s);
    r.u = -r.u;
    kb_riemann_state a = sample_left(r, gamma, p, -u, -s);
    a.u = -a.u;
    return a;
}
