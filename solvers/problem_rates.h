/* SPDX-License-Identifier: MIT
 *
 * The functions of problem.h that need no matrix: the window of states, the right-hand side, and
 * the loss frequency, from the tables.
 */
#pragma once

#include "solvers/chemistry/loss_frequency.h"
#include "solvers/methods/method.h"

kb_fn mask problem_valid(const lane *y) { return gas_valid(y[0]); }

/* dy [N] = d(T, Y)/dt */
kb_fn void problem_rhs(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, kb_kinetics *w)
{
    kin_rhs(run->reactor, o->fixed, y, dy, w);
}

/* Whether the loss frequency is about the spectral radius: species in steady state hand on what the
 * others lose, which it leaves out. */
#define PROBLEM_LOSS_IS_RADIUS (NSTEADY == 0)

/* max_i |J_ii| over the species [1/s], about the spectral radius of J */
kb_fn lane problem_loss_frequency(const kb_run *run, const kb_ode *o, const lane *y, kb_kinetics *w)
{
    return loss_frequency(run->reactor, o->fixed, y, w);
}
