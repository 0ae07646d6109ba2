# SPDX-License-Identifier: MIT
"""Equilibrium states against Cantera's.

usage: equilibrium.py [--states N] [MECH ...]

Fuel and air (phi 0.2 to 4, 300-2500 K, 0.1-100 atm) go to equilibrium at held (h, p), (u, v) and
(T, p). Compared are T [K] (or, where T is held, p cannot move either) and the mass fractions.
"""
import sys
import warnings

import cantera as ct
import numpy as np

from common import ATM, Checks, arguments, evaluate, solution, worst

LIMIT_T, LIMIT_Y = 0.01, 1e-6
FUELS = ("CH4:1", "H2:1", "CO:1, H2:1")


def unburnt_states(gas, n, seed):
    random = np.random.default_rng(seed)
    fuels = [f for f in FUELS if all(s.split(":")[0] in gas.species_names for s in f.split(", "))]
    states = np.empty((n, gas.n_species + 2))
    for i in range(n):
        gas.set_equivalence_ratio(0.2 * 20 ** random.random(), fuels[i % len(fuels)],
                                  "O2:1, N2:3.76")
        states[i] = [300 + 2200 * random.random(), 0.1 * ATM * 1000 ** random.random(), *gas.Y]
    return states


def burnt(gas, state, hold):
    """None if none of Cantera's solvers finds it"""
    for solver in ("gibbs", "element_potential", "vcs"):
        gas.TPY = state[0], state[1], state[2:]
        try:
            gas.equilibrate(hold.upper(), solver=solver, rtol=1e-10, max_steps=20000)
            return np.array([gas.T, gas.P, *gas.Y])
        except ct.CanteraError:
            continue
    return None


def main():
    args = arguments(__doc__, 100)
    warnings.simplefilter("ignore")  # temperatures beyond the thermo data
    checks = Checks()
    for mech in args.mechs:
        gas = solution(mech)
        states = unburnt_states(gas, args.states, seed=4)
        for hold in ("hp", "uv", "tp"):
            mine = evaluate(mech, states, hold=hold, equilibrium=True)
            pairs = [(a, b) for a, b in zip(mine, (burnt(gas, s, hold) for s in states))
                     if b is not None]
            a, b = (np.array(side) for side in zip(*pairs))
            what = f"{mech} equilibrium at constant {hold}, {len(a)} of {len(states)} states"
            if len(a) < 0.95 * len(states):
                sys.exit(f"not ok - {what}: Cantera cannot do the others")
            checks.say(f"{what}: T", worst(abs(a[:, 0] - b[:, 0])), LIMIT_T, " K")
            checks.say(f"{what}: Y", worst(abs(a[:, 2:] - b[:, 2:])), LIMIT_Y)
    checks.done()


main()
