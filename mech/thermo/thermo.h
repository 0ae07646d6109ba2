/* SPDX-License-Identifier: MIT
 *
 * Ideal-gas thermodynamics of one species on the host; X/R or X/RT as named, dimensionless.
 * Sources: NASA-7, Gordon and McBride, NASA SP-273 (1971), eq. 90-92:
 * h/RT = a1 + a2/2 T + ... + a6/T, s/R = a1 ln T + ... + a7; NASA-9, McBride, Zehe and Gordon,
 * NASA/TP-2002-211556, eq. 1-3; Shomate, as in the NIST Chemistry WebBook (SRD 69).
 */
#pragma once

#include "mech/mech.h"

#define KB_T_LEAST 50.0 /* where T is looked for [K] */
#define KB_T_MOST 10000.0

/* Below Tlow and above Thigh cp goes on as a straight line, h and s are its integrals. */
double kb_cp_R(const kb_species *s, double T);
double kb_h_RT(const kb_species *s, double T);
double kb_s_R(const kb_species *s, double T);                     /* at s->p_ref */
static inline double kb_g_RT(const kb_species *s, double T) { return kb_h_RT(s, T) - kb_s_R(s, T); }

/* The two ranges about Tmid in the form of NASA-9, of any model: a[0] below, a[1] above. A third
 * range of NASA-9 is left out: kb_check_tables refuses one that begins below 6000 K. */
void kb_nasa9_ranges(const kb_species *s, double a[2][9]);

/* What continues a range beyond its end T [K], as NASA-7's a1, a2, a6, a7: cp/R = b[0] + b[1] T,
 * h/RT = b[0] + b[1] T/2 + b[2]/T, s/R = b[0] ln T + b[1] T + b[3]. Range 0 at Tlow goes on
 * downwards, any other range and end upwards. The slope is that of the data, but 0 if cp would fall
 * below 2 R before KB_T_LEAST or KB_T_MOST: h and u rise with T everywhere beyond the data. */
void kb_beyond(const kb_species *s, int range, double T, double b[4]);

/* Mixtures; Y [nspecies] mass fractions. Mass units: J/kg, J/(kg K), kg/kmol, kg/m^3. */
double kb_mean_weight(const kb_mech *m, const double *Y);
double kb_density(const kb_mech *m, double T, double p, const double *Y);
double kb_mix_cp(const kb_mech *m, double T, const double *Y);
double kb_mix_h(const kb_mech *m, double T, const double *Y);
double kb_mix_u(const kb_mech *m, double T, const double *Y);
/* T [K] at which the mixture has enthalpy h (or energy u) [J/kg], searched from T0 between
 * KB_T_LEAST and KB_T_MOST; NAN if none. Where the polynomials of a species do not meet at Tmid, no
 * T has the energies between the two ends: these give T = Tmid exactly. */
double kb_T_from_h(const kb_mech *m, double h, const double *Y, double T0);
double kb_T_from_u(const kb_mech *m, double u, const double *Y, double T0);
/* mole fractions X -> mass fractions Y, normalised */
void kb_X_to_Y(const kb_mech *m, const double *X, double *Y);
