# SPDX-License-Identifier: MIT
"""The analytic Jacobian of d(T, Y)/dt against differences of Cantera's rates.

usage: jacobian.py [--states N] [MECH ...]

Differences of order six: central, or forward where Y_j is too small to go back (Cantera's rates
have a kink at Y_j = 0). The natural size of a step in T is T, in Y_j it is W_j sigma (one mole of j
for each mole of gas); the error of J_ij, less the rounding error of the differences, is relative to
the largest |J_ij| in its row, all times these sizes.
"""
import numpy as np

from common import ENGINES, Checks, arguments, evaluate, random_states, set_state, solution, worst

LIMIT = 1e-7
CENTRAL = {-3: -1 / 60, -2: 3 / 20, -1: -3 / 4, 1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
FORWARD = {0: -49 / 20, 1: 6, 2: -15 / 2, 3: 20 / 3, 4: -15 / 4, 5: 6 / 5, 6: -1 / 6}
STEP_T, STEP_Y = 1e-4, 1e-3  # in natural sizes
ROUNDING = 1e-14             # of a rate, relative to its absolute contributions


def fractional(gas):
    """whether a reaction has an order other than 0, 1, 2 ...: no derivative at Y_j = 0 then"""
    orders = [o for r in gas.reactions() for o in {**r.reactants, **r.orders}.values()]
    return any(o != int(o) or o < 0 for o in orders)


def slopes(gas, reactor, y, held):
    """d(T, Y)/dt at y = (T, Y), Y not normalised, and the sums of its absolute contributions; held:
    p, or rho"""
    set_state(gas, y[0], y[1:], **{"p" if reactor == "p" else "rho": held})
    wdot = gas.net_production_rates
    size = gas.creation_rates + gas.destruction_rates
    energy = gas.partial_molar_enthalpies if reactor == "p" else gas.partial_molar_int_energies
    capacity = gas.density * (gas.cp_mass if reactor == "p" else gas.cv_mass)
    W = gas.molecular_weights / gas.density
    return (np.append(-(energy @ wdot) / capacity, wdot * W),
            np.append(abs(energy) @ abs(size) / capacity, abs(size) * W))


def differences(gas, reactor, state, step_Y):
    """J by differences and the rounding error in it, times the natural sizes of the columns"""
    y = np.delete(state, 1)
    set_state(gas, state[0], state[2:], p=state[1])
    held = state[1] if reactor == "p" else gas.density
    size = np.append(y[0], gas.molecular_weights * np.sum(y[1:] / gas.molecular_weights))
    J, noise = np.zeros((2, len(y), len(y)))
    for j in range(len(y)):
        step = step_Y if j else STEP_T
        h = np.zeros(len(y))
        h[j] = size[j] * step
        for k, weight in (CENTRAL if y[j] > 3 * h[j] else FORWARD).items():
            slope, contributions = slopes(gas, reactor, y + k * h, held)
            J[:, j] += weight / step * slope
            noise[:, j] += abs(weight) / step * ROUNDING * contributions
    return J, noise, size


def main():
    args = arguments(__doc__, 150)
    checks = Checks()
    for mech in args.mechs:
        gas = solution(mech)
        singular = fractional(gas)
        states = random_states(gas, args.states, seed=3, least=0.05 if singular else 0)
        for reactor in "pv":
            J = {e: evaluate(mech, states, e, reactor, jacobian=True) for e in ENGINES}
            error = {e: 0.0 for e in ENGINES}
            for i, state in enumerate(states):
                reference, noise, size = differences(gas, reactor, state,
                                                     STEP_Y / 10 if singular else STEP_Y)
                rows = np.max(abs(reference), axis=1, keepdims=True)
                for e in ENGINES:
                    d = abs(J[e][i].reshape(reference.shape) * size - reference) - noise
                    error[e] = max(error[e], worst(d / np.maximum(rows, 1e-200)))
            for e in ENGINES:
                checks.say(f"{mech} Jacobian at constant {reactor}, {e}, {len(states)} states",
                           error[e], LIMIT)
    checks.done()


main()
