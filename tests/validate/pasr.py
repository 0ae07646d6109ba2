# SPDX-License-Identifier: MIT
"""Compares a database of partially stirred reactors with a second implementation with Cantera.

usage: pasr.py [--mech FILE.yaml] [--seeds N] [--discard X] DATABASE.npy RECIPE.json

The database's conditions must be repetitions of one (the same T0 and p several times; each has its
own seed). The reactor of the recipe is run here N times with numpy's random numbers, and every
reaction step by Cantera's constant-pressure reactor. Compared are the mean and the standard
deviation of T over the particles, each averaged over the time after X residence times. Both
programs' means over seeds have a standard error from the scatter between seeds; the difference must
lie within what Welch's t-test allows at 99.9 %. Exit code 0: it does; 1: it does not; 2: wrong use.
"""
import argparse
import json
import math
import sys

import cantera as ct
import numpy as np
from scipy import stats

ATM = 101325.0
LEVEL = 0.999


class Reaction:
    """one particle over dt at constant pressure and enthalpy"""

    def __init__(self, gas, dt):
        self.gas, self.dt = gas, dt
        self.reactor = ct.IdealGasConstPressureReactor(gas, clone=False)
        self.net = ct.ReactorNet([self.reactor])
        self.net.rtol, self.net.atol = 1e-6, 1e-12

    def __call__(self, T, p, Y):
        self.gas.TPY = T, p, Y
        self.reactor.syncState()
        self.net.initial_time = 0.0
        self.net.reinitialize()
        self.net.advance(self.dt)
        return self.gas.enthalpy_mass, self.gas.Y


def streams_of(gas, par, T0, p):
    """[(share, h, Y)] and the burnt state (h, Y)"""
    pilot = par["pilot_share"]
    gas.TP = T0, p
    gas.set_equivalence_ratio(par["phi"], par["fuel"], par["oxidizer"], basis="mole")
    gas.TP = T0, p
    fresh = gas.enthalpy_mass, gas.Y.copy()
    share = gas.mixture_fraction(par["fuel"], par["oxidizer"], basis="mole")
    gas.equilibrate("HP", rtol=1e-10)
    burnt = gas.enthalpy_mass, gas.Y.copy()
    if par["inflow"] == "premixed":
        return [(1 - pilot, *fresh), (pilot, *burnt)], burnt
    out = []
    for text, part in ((par["fuel"], share), (par["oxidizer"], 1 - share)):
        gas.TPX = T0, p, text
        out.append(((1 - pilot) * part, gas.enthalpy_mass, gas.Y.copy()))
    return out + [(pilot, *burnt)], burnt


class Reactor:
    """particles in h and Y; pairs are neighbours in self.order"""

    def __init__(self, gas, par, T0, p, dt, rng):
        self.par, self.p, self.dt, self.rng, self.gas = par, p, dt, rng, gas
        n = par["particles"]
        self.streams, (h, Y) = streams_of(gas, par, T0, p)
        self.h, self.Y = np.full(n, h), np.tile(Y, (n, 1))
        self.order = rng.permutation(n)
        self.owed = np.zeros(2)
        self.behind = np.zeros(len(self.streams))  # particles that each stream owes
        self.react = Reaction(gas, dt)

    def flow(self):
        half = len(self.h) // 2
        self.owed += half * self.dt / np.array([self.par["tau_res_s"], self.par["tau_pair_s"]])
        leaving, changing = (self.owed + 1e-9).astype(int)
        self.owed -= leaving, changing
        pairs = self.rng.choice(half, leaving + changing, replace=False)
        where = np.concatenate([2 * pairs, 2 * pairs + 1])
        for j in pairs[:leaving]:
            for particle in self.order[2 * j:2 * j + 2]:
                self.behind += [s[0] for s in self.streams]
                k = self.behind.argmax()
                self.behind[k] -= 1
                self.h[particle], self.Y[particle] = self.streams[k][1:]
        self.order[where] = self.rng.permutation(self.order[where])

    def mix(self):
        a, b = self.order[::2], self.order[1::2]
        e = math.exp(-2 * self.dt / self.par["tau_mix_s"])
        for v in (self.h, self.Y):
            mean, half = (v[a] + v[b]) / 2, (v[a] - v[b]) / 2 * e
            v[a], v[b] = mean + half, mean - half

    def step(self):
        """returns T of every particle after the step"""
        self.flow()
        self.mix()
        T = np.empty(len(self.h))
        for i in range(len(T)):
            self.gas.HPY = self.h[i], self.p, self.Y[i]
            _, self.Y[i] = self.react(self.gas.T, self.p, self.gas.Y)
            self.gas.HPY = self.h[i], self.p, self.Y[i]
            T[i] = self.gas.T
        return T


def second_opinion(gas, par, T0, p, dt, steps, discard, seed):
    """mean and standard deviation of T over the particles, averaged over steps > discard"""
    reactor = Reactor(gas, par, T0, p, dt, np.random.default_rng(seed))
    T = np.array([reactor.step() for _ in range(steps)])[discard:]
    return T.mean(), T.std(axis=1).mean()


def compare(name, ours, theirs):
    """the line to print, and whether the two samples agree"""
    a, b = np.array(ours), np.array(theirs)
    va, vb = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    freedom = (va + vb)**2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    allowed = stats.t.ppf((1 + LEVEL) / 2, freedom) * math.sqrt(va + vb)
    good = bool(abs(a.mean() - b.mean()) <= allowed)
    print(f"{name}: {a.mean():.2f} +- {math.sqrt(va):.2f} K ({len(a)} seeds), with Cantera "
          f"{b.mean():.2f} +- {math.sqrt(vb):.2f} K ({len(b)} seeds), difference "
          f"{a.mean() - b.mean():+.2f} K, allowed {allowed:.2f} K")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mech", help="Cantera YAML (default datasets/mechanisms/<name>.yaml)")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--discard", type=float, default=3, help="residence times of the start")
    parser.add_argument("database")
    parser.add_argument("recipe")
    args = parser.parse_args()
    states = np.load(args.database)
    with open(args.recipe, encoding="utf-8") as f:
        record = json.load(f)
    par, results = record["parameters"], record["results"]
    T0, p = par["T0_K"][0], par["p_atm"][0] * ATM
    if len(set(par["T0_K"])) > 1 or len(par["p_atm"]) > 1 or results["times_kept"] != \
            results["steps"] + 1:
        parser.error(f"{args.recipe}: expected one condition several times, and every step kept")
    gas = ct.Solution(args.mech or f"datasets/mechanisms/{par['mech']}.yaml")
    dt, steps = results["dt_s"], results["steps"]
    discard = round(args.discard * par["tau_res_s"] / dt)
    T = states[:, 0].reshape(len(par["T0_K"]), steps + 1, par["particles"])[:, 1 + discard:]
    theirs = [second_opinion(gas, par, T0, p, dt, steps, discard, seed)
              for seed in range(args.seeds)]
    print(f"{args.database}: {par['inflow']}, T0 {T0:g} K, p {par['p_atm'][0]:g} atm")
    good = compare("  mean T", T.mean(axis=(1, 2)), [m for m, _ in theirs])
    good &= compare("  spread of T", T.std(axis=2).mean(axis=1), [s for _, s in theirs])
    print("ok" if good else "FAILED: beyond the sampling error")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
