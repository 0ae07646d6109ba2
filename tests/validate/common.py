# SPDX-License-Identifier: MIT
"""What the comparisons with Cantera share: random states, and this project's values at them."""
import argparse
import os
import subprocess
import sys
import tempfile

import cantera as ct
import numpy as np

ATM = 101325.0
BUILD = os.environ.get("KB_BUILD", "build")
ENGINES = ("cpu-scalar", "cpu-simd")


def arguments(description, states):
    """mechanisms (names under datasets/mechanisms, or YAML files) and how many states of each"""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=states)
    parser.add_argument("mechs", nargs="*", default=["h2", "h2co", "gri30"])
    return parser.parse_args()


def solution(mech):
    return ct.Solution(mech if mech.endswith(".yaml") else f"datasets/mechanisms/{mech}.yaml")


def random_states(gas, n, seed, least=0):
    """n x (nsp + 2): T 300-3500 K within the data of all species, beyond which Cantera goes on with
    the polynomials; p 0.1-100 atm (log-uniform), Y from moles between least and 1 that span many
    decades; if least is 0 every third state has five species only"""
    random = np.random.default_rng(seed)
    nsp = gas.n_species
    low, high = max(300, gas.min_temp), min(3500, gas.max_temp)
    T = low + (high - low) * random.random(n)
    Tmid = {t for s in gas.species()
            for t in s.input_data["thermo"].get("temperature-ranges", [])[1:-1]}
    for t in Tmid:  # differences need a smooth neighbourhood: no state within 0.3 % of a Tmid
        close = abs(T / t - 1) < 3e-3
        T[close] = t * 1.004
    X = random.random((n, nsp)) ** 4 * (random.random((n, nsp)) > 0.1)
    X = np.maximum(X, least)
    for i in range(0, n if least == 0 else 0, 3):
        few = random.choice(nsp, min(5, nsp), replace=False)
        X[i] = 0
        X[i, few] = random.random(len(few))
    Y = X * gas.molecular_weights
    p = ATM * 0.1 * 1000 ** random.random(n)
    return np.column_stack([T, p, Y / Y.sum(axis=1, keepdims=True)])


def evaluate(mech, states, engine="cpu-scalar", reactor="p", hold="hp", name=None, **wanted):
    """arrays named by wanted (wdot, dy, jacobian, thermo, equilibrium), from build/evaluate; name:
    of the solvers (that of the mechanism)"""
    name = name or os.path.basename(mech).removesuffix(".yaml")
    with tempfile.TemporaryDirectory() as folder:
        file = {k: os.path.join(folder, k + ".npy") for k in ["states", *wanted]}
        np.save(file["states"], states)
        command = [f"{BUILD}/evaluate", "--mech", mech, "--engine", engine, "--reactor", reactor,
                   "--fixed", hold, "--solvers", f"{BUILD}/mech/{name}/solvers.so", file["states"]]
        for k in wanted:
            command += [f"--{k}", file[k]]
        if subprocess.run(command, check=False).returncode:
            sys.exit(f"failed: {' '.join(command)}")
        values = [np.load(file[k]) for k in wanted]
    return values[0] if len(values) == 1 else values


def set_state(gas, T, Y, p=None, rho=None):
    """without normalising Y: p or rho is held"""
    gas.set_unnormalized_mass_fractions(Y)
    if rho is None:
        gas.TP = T, p
    else:
        gas.TD = T, rho


def worst(error):
    """the largest entry; a NaN is infinitely bad"""
    return float(np.max(np.where(np.isfinite(error), error, np.inf)))


class Checks:
    """one line for each check; exit code 1 if one misses its limit"""

    def __init__(self):
        self.missed = 0

    def say(self, what, value, limit, unit=""):
        good = value <= limit
        self.missed += not good
        verdict = "ok" if good else "not ok"
        print(f"{verdict} - {what}: worst {value:.1e}{unit} (limit {limit:g}{unit})", flush=True)

    def done(self):
        sys.exit(1 if self.missed else 0)
