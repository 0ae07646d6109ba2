# SPDX-License-Identifier: MIT
"""Thermodynamics of every species, and dT/dt of both CPU engines, against Cantera's.

usage: thermo.py [--states N] [MECH ...]

Errors of cp/R, h/RT and s/R are relative to 1 + the value. dT/dt at constant p and constant v
carries the engines' own h, u, cp and cv: its error is relative to the sum of its absolute
contributions.
"""
import numpy as np

from common import (ATM, ENGINES, Checks, arguments, evaluate, random_states, set_state, solution,
                    worst)

LIMIT = 1e-12
LIMIT_HEATING = 1e-10  # that of the rates in it


def species_values(gas, T):
    """cp/R, h/RT, s/R, a row for each T"""
    rows = np.empty((len(T), 3 * gas.n_species))
    for i, t in enumerate(T):
        gas.TP = t, ATM
        rows[i] = np.concatenate([gas.standard_cp_R, gas.standard_enthalpies_RT,
                                  gas.standard_entropies_R])
    return rows


def heating(gas, states, reactor):
    """dT/dt [K/s], and the sum of its absolute contributions"""
    rate, size = np.empty((2, len(states)))
    nu = gas.reactant_stoich_coeffs + gas.product_stoich_coeffs
    for i, state in enumerate(states):
        set_state(gas, state[0], state[2:], p=state[1])
        energy = gas.partial_molar_enthalpies if reactor == "p" else gas.partial_molar_int_energies
        capacity = gas.density * (gas.cp_mass if reactor == "p" else gas.cv_mass)
        turnover = nu @ (abs(gas.forward_rates_of_progress) + abs(gas.reverse_rates_of_progress))
        rate[i] = -(energy @ gas.net_production_rates) / capacity
        size[i] = abs(energy) @ turnover / capacity
    return rate, size


def main():
    args = arguments(__doc__, 1000)
    checks = Checks()
    for mech in args.mechs:
        gas = solution(mech)
        states = random_states(gas, args.states, seed=2)
        reference = species_values(gas, states[:, 0])
        error = abs(evaluate(mech, states, thermo=True) - reference) / (1 + abs(reference))
        checks.say(f"{mech} cp, h, s of {gas.n_species} species, {len(states)} temperatures",
                   worst(error), LIMIT)
        for reactor in "pv":
            rate, size = heating(gas, states, reactor)
            for engine in ENGINES:
                dy = evaluate(mech, states, engine, reactor, dy=True)
                checks.say(f"{mech} dT/dt at constant {reactor}, {engine}",
                           worst(abs(dy[:, 0] - rate) / np.maximum(size, 1e-200)), LIMIT_HEATING)
    checks.done()


main()
