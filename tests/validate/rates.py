# SPDX-License-Identifier: MIT
"""Net production rates of both CPU engines against Cantera's.

usage: rates.py [--states N] [MECH ...]

The error of a species is taken relative to the sum of the absolute contributions of all reactions.
"""
import numpy as np

from common import ENGINES, Checks, arguments, evaluate, random_states, set_state, solution, worst

LIMIT = 1e-10


def reference(gas, states):
    """net rates, and the sums of their absolute contributions"""
    net, size = np.empty((2, len(states), gas.n_species))
    nu = gas.reactant_stoich_coeffs + gas.product_stoich_coeffs
    for i, state in enumerate(states):
        set_state(gas, state[0], state[2:], p=state[1])
        net[i] = gas.net_production_rates
        size[i] = nu @ (abs(gas.forward_rates_of_progress) + abs(gas.reverse_rates_of_progress))
    return net, size


def main():
    args = arguments(__doc__, 1200)
    checks = Checks()
    for mech in args.mechs:
        gas = solution(mech)
        states = random_states(gas, args.states, seed=1)
        net, size = reference(gas, states)
        for engine in ENGINES:
            wdot = evaluate(mech, states, engine, wdot=True)
            error = abs(wdot - net) / np.maximum(size, 1e-200)
            checks.say(f"{mech} production rates, {engine}, {len(states)} states", worst(error),
                       LIMIT)
    checks.done()


main()
