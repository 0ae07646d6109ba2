# SPDX-License-Identifier: MIT
"""Compares an ignition database with Cantera.

usage: ignition.py [--mech FILE.yaml] [--every K] DATABASE.npy RECIPE.json ...

Each reactor of the recipe is integrated by Cantera's own reactor from the same mixture (made by
Cantera from fuel, oxidizer and phi, not read from the database). Compared are the states at the
times of the rows, as max over T and all Y of |y - ref| / (|ref| + 1e-6), and the time of the
largest dT/dt. What a shift of the time by 1e-7 of itself explains is no error of a state: ignition
is far steeper than the time before it is long. Both must agree within 0.01 %. Exit code 0: they do;
1: they do not; 2: wrong use.
"""
import argparse
import json
import sys

import cantera as ct
import numpy as np

LIMIT = 1e-4
FLOOR = 1e-6
SHIFT = 1e-7
ATM = 101325.0


def reactor_of(gas, parameters, path):
    """Cantera's reactor at t = 0 and its integrator"""
    gas.TP = path["T0_K"], path["p_atm"] * ATM
    gas.set_equivalence_ratio(path["phi"], parameters["fuel"], parameters["oxidizer"], basis="mole")
    gas.TP = path["T0_K"], path["p_atm"] * ATM
    constant_p = parameters["reactor"] == "constant pressure"
    kind = ct.IdealGasConstPressureReactor if constant_p else ct.IdealGasReactor
    reactor = kind(gas, clone=False)
    net = ct.ReactorNet([reactor])
    net.rtol, net.atol = 1e-11, 1e-20
    net.max_steps = 10**6
    return reactor, net, constant_p


def heating(gas, constant_p):
    """dT/dt [K/s]"""
    if constant_p:
        return -np.dot(gas.partial_molar_enthalpies, gas.net_production_rates) / (
            gas.density * gas.cp_mass)
    return -np.dot(gas.partial_molar_int_energies, gas.net_production_rates) / (
        gas.density * gas.cv_mass)


def slopes(gas, constant_p):
    """d(T, Y)/dt"""
    return np.append(heating(gas, constant_p),
                     gas.net_production_rates * gas.molecular_weights / gas.density)


def pressure_error(gas, rows, i, constant_p):
    """how far row i's pressure (or density, at constant volume) is from that of row 0"""
    held = rows[[0, i], 1]
    if not constant_p:
        held = held / (rows[[0, i], 0] * (rows[[0, i], 2:] @ (1 / gas.molecular_weights)))
    return abs(held[1] / held[0] - 1)


def trajectory_error(gas, parameters, path, rows, every):
    """largest error over the rows as it is, and beyond what SHIFT explains"""
    reactor, net, constant_p = reactor_of(gas, parameters, path)
    raw = worst = 0.0
    for i in range(0, len(rows), every):
        if i:
            net.advance(i * path["spacing_s"])
        reference = np.append(reactor.T, reactor.phase.Y)
        mine = np.append(rows[i, 0], rows[i, 2:])
        explained = SHIFT * i * path["spacing_s"] * np.abs(slopes(reactor.phase, constant_p))
        scale = np.abs(reference) + FLOOR
        held = pressure_error(gas, rows, i, constant_p)
        raw = max(raw, held, np.max(np.abs(mine - reference) / scale))
        worst = max(worst, held, np.max((np.abs(mine - reference) - explained) / scale))
    return raw, worst


def ignition_delay(gas, parameters, path):
    """time of the largest dT/dt [s]: a coarse search from 0, then a fine one around it"""
    low, high = 0.0, min(path["t_end_s"], 3 * path["ignition_delay_s"])
    for points in (2000, 1000, 400):
        reactor, net, constant_p = reactor_of(gas, parameters, path)
        times = np.linspace(low, high, points + 1)[1:]
        rates = np.empty(points)
        for k, t in enumerate(times):
            net.advance(t)
            rates[k] = heating(reactor.phase, constant_p)
        k = int(np.argmax(rates))
        step = times[1] - times[0]
        low, high = max(0.0, times[k] - 3 * step), times[k] + 3 * step
    return times[k]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mech", help="Cantera YAML (default datasets/mechanisms/<name>.yaml)")
    parser.add_argument("--every", type=int, default=1, help="compare every Kth row")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    if len(args.files) % 2:
        parser.error("expected pairs of DATABASE.npy RECIPE.json")
    good = True
    for database, recipe in zip(args.files[::2], args.files[1::2]):
        states = np.load(database)
        with open(recipe, encoding="utf-8") as f:
            record = json.load(f)
        parameters = record["parameters"]
        gas = ct.Solution(args.mech or f"datasets/mechanisms/{parameters['mech']}.yaml")
        if gas.species_names != record["species"]:
            sys.exit(f"{recipe}: species differ from Cantera's")
        if not np.all(np.isfinite(states)):
            sys.exit(f"{database}: not all numbers are finite")
        for path in record["results"]["reactors"]:
            rows = states[path["first_row"]:path["first_row"] + path["rows"]]
            raw, error = trajectory_error(gas, parameters, path, rows, args.every)
            line = (f"{database}: T0 {path['T0_K']:g} K, p {path['p_atm']:g} atm, "
                    f"phi {path['phi']:g}: error {raw:.1e}, beyond a shift {error:.1e}")
            good &= bool(error <= LIMIT)
            if path["ignition_delay_s"] is not None:
                reference = ignition_delay(gas, parameters, path)
                off = path["ignition_delay_s"] / reference - 1
                good &= bool(abs(off) <= LIMIT)
                line += f", delay {path['ignition_delay_s']:.8g} s, Cantera's off by {off:+.2e}"
            print(line)
    print("ok" if good else f"FAILED: beyond {LIMIT:g}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
