/* SPDX-License-Identifier: MIT
 *
 * Ideal-gas thermodynamics of one species on the host; X/R or X/RT as named, dimensionless.
 * Sources: NASA-7, Gordon and McBride, NASA SP-273 (1971), eq. 90-92:
 * h/RT = a1 + a2/2 T + ... + a6/T, s/R = a1 ln T + ... + a7; NASA-9, McBride, Zehe and Gordon,
 * NASA/TP-2002-211556, eq. 1-3; Shomate, as in the NIST Chemistry WebBook (SRD 69).
 */
#ifndef KB_THERMO_H
#define KB_THERMO_H

#include "mech/mech.h"

double kb_cp_R(const kb_species *s, double T);
double kb_h_RT(const kb_species *s, double T);
double kb_s_R(const kb_species *s, double T);                     /* at s->p_ref */
static inline double kb_g_RT(const kb_species *s, double T) { return kb_h_RT(s, T) - kb_s_R(s, T); }

/* The two ranges about Tmid in the form of NASA-9, of any model: a[0] below, a[1] above. A third
 * range of NASA-9 is left out: kb_check_tables refuses one that begins below 6000 K. */
void kb_nasa9_ranges(const kb_species *s, double a[2][9]);

/* Mixtures; Y [nspecies] mass fractions. Mass units: J/kg, J/(kg K), kg/kmol, kg/m^3. */
double kb_mean_weight(const kb_mech *m, const double *Y);
double kb_density(const kb_mech *m, double T, double p, const double *Y);
double kb_mix_cp(const kb_mech *m, double T, const double *Y);
double kb_mix_h(const kb_mech *m, double T, const double *Y);
double kb_mix_u(const kb_mech *m, double T, const double *Y);
/* T [K] at which the mixture has enthalpy h (or energy u) [J/kg]; Newton from T0, 50-10000 K; NAN
 * if none */
double kb_T_from_h(const kb_mech *m, double h, const double *Y, double T0);
double kb_T_from_u(const kb_mech *m, double u, const double *Y, double T0);
/* mole fractions X -> mass fractions Y, normalised */
void kb_X_to_Y(const kb_mech *m, const double *X, double *Y);

#endif
