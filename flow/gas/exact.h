/* SPDX-License-Identifier: MIT
 *
 * The exact solution of the Riemann problem of an ideal gas.
 * Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics (2009), chapter 4.
 */
#pragma once

typedef struct {
    double rho, u, p;
} kb_riemann_state;

/* pressure and speed between the waves; vacuum must not form */
void kb_riemann_star(kb_riemann_state l, kb_riemann_state r, double gamma, double *p, double *u);
/* the state on the ray x/t = s */
kb_riemann_state kb_riemann_sample(kb_riemann_state l, kb_riemann_state r, double gamma, double s);
