#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adiabatic reactors of GRI-Mech 3.0 at constant pressure, by kinbench.advance and by Cantera's
ReactorNet, on one core in turns: processor time of a state, its error, and the factor between them.

    reactors.py [--states 400] [--rounds 5] [--dt 1e-6,1e-5,1e-4] [--mechanism gri30]

The states are ignitions of methane and air at 1 atm, 1200 to 2000 K, at ten instants each. Error:
the 95th percentile over states of max |y - ref| / (|ref| + 1e-6) over T and Y; ref: Cantera at rtol
1e-11. Each method of kinbench has the loosest rtol whose error is not above ReactorNet's, and the
fastest of the methods is taken. MECHANISM is what kinbench takes: a name, whose compiled solvers
are taken if they are there, or "" for what Cantera has, read without a compiler.
"""
import argparse
import sys
import time

import cantera as ct
import numpy as np

import kinbench

RTOL, ATOL = 1e-6, 1e-12  # of ReactorNet
METHODS = ["rodas4", "rodas4p2", "rodas5p"]
INSTANTS = 10


def ignitions(gas, n, mechanism):
    """n states on the way from mixtures to products, in an order that is drawn"""
    states = ct.SolutionArray(gas, n // INSTANTS)
    states.TPX = np.linspace(1200, 2000, n // INSTANTS), ct.one_atm, "CH4:1, O2:2, N2:7.52"
    T, p, Y = [], [], []
    for k in range(INSTANTS):
        kinbench.advance(states, 2e-5 * 2 ** k, mechanism, rtol=1e-8, atol=1e-14)
        for kept, part in zip((T, p, Y), states.TPY):
            kept.append(part)
    order = np.random.default_rng(1).permutation(n)
    return [np.concatenate(part)[order] for part in (T, p, Y)]


class Reactor:
    """one reactor of Cantera, which takes each state in turn"""

    def __init__(self, gas, rtol, atol):
        self.gas = gas
        try:
            self.reactor = ct.IdealGasConstPressureReactor(gas, clone=False)  # Cantera 3.2 on
        except TypeError:
            self.reactor = ct.IdealGasConstPressureReactor(gas)
        self.net = ct.ReactorNet([self.reactor])
        self.net.rtol, self.net.atol = rtol, atol

    def advance(self, states, dt):
        T, p, Y = states.TPY
        for i in range(len(T)):
            self.gas.TPY = T[i], p[i], Y[i]
            self.reactor.syncState()
            self.net.initial_time = 0.0
            self.net.reinitialize()
            self.net.advance(dt)
            T[i], p[i], Y[i] = self.gas.TPY
        states.TPY = T, p, Y


def solve(states, start, advance, dt):
    """seconds, and T and Y of every state at dt"""
    states.TPY = start
    begin = time.process_time()
    advance(states, dt)
    seconds = time.process_time() - begin
    return seconds, np.column_stack([states.T, states.Y])


def error_of(y, reference):
    return np.percentile((abs(y - reference) / (abs(reference) + 1e-6)).max(axis=1), 95)


class Ours:
    """kinbench.advance on one thread"""

    def __init__(self, mechanism, method, rtol):
        self.method, self.rtol = method, rtol
        self.integrator = kinbench.Integrator(mechanism, method, rtol=rtol, atol=1e-6 * rtol,
                                              threads=1)

    def advance(self, states, dt):
        kinbench.advance(states, dt, self.integrator)


def as_accurate(mechanism, states, start, dt, reference, error):
    """the fastest whose error is not above that"""
    found = []
    for method in METHODS:
        for rtol in 10.0 ** -np.arange(1, 9.5, 0.5):
            ours = Ours(mechanism, method, rtol)
            seconds, y = solve(states, start, ours.advance, dt)
            if error_of(y, reference) <= error:
                seconds = min(seconds, solve(states, start, ours.advance, dt)[0])
                found.append((seconds, ours))
                break
    if not found:
        sys.exit(f"reactors: no rtol down to 1e-9 has an error of {error:.1e}")
    return min(found, key=lambda pair: pair[0])[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--dt", default="1e-6,1e-5,1e-4")
    parser.add_argument("--mechanism", default="gri30")
    args = parser.parse_args()
    if args.states < INSTANTS or args.rounds < 1:
        parser.error(f"expected at least {INSTANTS} states and 1 round")
    n = args.states // INSTANTS * INSTANTS
    gas = ct.Solution("gri30.yaml")
    mechanism = kinbench.Mechanism(args.mechanism) if args.mechanism else kinbench.mechanism_of(gas)
    start = ignitions(gas, n, mechanism)
    states = ct.SolutionArray(gas, n)
    net, accurate = Reactor(gas, RTOL, ATOL), Reactor(gas, 1e-11, 1e-18)
    compiled = ("rodas4", "cpu-simd") in mechanism.solvers
    print(f"{gas.name}, {n} states, one core, {'compiled' if compiled else 'run-time'} solvers; us "
          "a state")
    for dt in map(float, args.dt.split(",")):
        reference = solve(states, start, accurate.advance, dt)[1]
        error = error_of(solve(states, start, net.advance, dt)[1], reference)
        ours = as_accurate(mechanism, states, start, dt, reference, error)
        times = []
        for _ in range(args.rounds):
            slow = solve(states, start, net.advance, dt)[0]
            fast, y = solve(states, start, ours.advance, dt)
            times.append((fast, slow))
        fast, slow = np.median(times, axis=0) / n * 1e6
        factors = sorted(slow / fast for fast, slow in times)
        print(f"dt {dt:g} s: kinbench {fast:.1f} ({ours.method}, rtol {ours.rtol:.0e}, "
              f"error {error_of(y, reference):.1e}), ReactorNet {slow:.1f} (rtol {RTOL:g}, error "
              f"{error:.1e}): {factors[len(factors) // 2]:.1f} times faster ({factors[0]:.1f} to "
              f"{factors[-1]:.1f})", flush=True)


if __name__ == "__main__":
    try:
        main()
    except kinbench.Error as failure:
        sys.exit(f"reactors: {failure}")
