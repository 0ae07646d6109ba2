/* SPDX-License-Identifier: MIT
 *
 * The ideal gas of a mechanism: what every form of the kinetics shares.
 */
#pragma once

#include "solvers/portable/lane.h"
#include "solvers/solver.h"
#include "constants.h" /* written by mechc for this mechanism */

/* The tables of a mechanism for this thread, where they are read at run time (kb_solver.tables) */
#ifdef KB_RUN_TIME
#define kb_use_tables(tables) (kb_rt = (tables))
#else
#define kb_use_tables(tables) ((void)sizeof(tables))
#endif

/* [K] the window in which a temperature makes sense */
#define KB_T_LOW 150.0
#define KB_T_HIGH 6000.0
kb_fn mask gas_valid(lane T) { return (T > KB_T_LOW) & (T < KB_T_HIGH); }

#define at_constant_volume(reactor) ((reactor) != KB_CONST_P)

/* sum Y/W [kmol/kg] and rho [kg/m^3] of one ODE's state Y [NSP], by each thread of the team
 * alone */
kb_fn double kin_moles(const double *Y)
{
    double sigma = 0;
    for (int i = 0; i < NSP; i++)
        sigma += Y[i] * kb_rW[i];
    return sigma;
}

kb_fn double kin_density(double T, double p, const double *Y)
{
    return p / (GAS_CONSTANT * T * kin_moles(Y));
}
