# SPDX-License-Identifier: MIT
"""Every ideal-gas phase of YAML files, read by Cantera and by this project: verdicts, weights,
thermodynamics, rates of progress and production rates of mech/'s own evaluation.

usage: phases.py [--states N] [--tests FOLDER] [FILE ...]

Without files: those of Cantera's own data, and of the test data in FOLDER (CANTERA_TESTS). Prints
one line for each phase that both accept within the limit, that one of them refuses alone, or that
misses; and counts. The phases of DECIDED are those on which the project differs on purpose.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

import cantera as ct
import numpy as np
import ruamel.yaml

BUILD = os.environ.get("KB_BUILD", "build")
LIMIT = 1e-10
STANDARD = os.path.join(os.path.dirname(ct.__file__), "data")
DECIDED = {  # of the project alone: what it refuses, and why (docs/mechanisms.md)
    "two-temperature-plasma": "plasma rates",
    "electron-collision-plasma": "plasma rates",
    "extensions": "rates of other programs",
    "this key cannot be taken here": "a key that would change a rate",
    "stands here again": "a key twice",
    "has another thermo model": "thermo model",
    "no mass in the composition": "a species without mass",
    "is no ideal gas": "no ideal gas",
}
ACCEPTED = {  # what Cantera alone refuses
    "2 O + 2 H2 <=>": "twice a reaction, with orders of its own, is no duplicate of it",
}


def project(path, phase, states):
    """(None, message) or (weights and a row of values for each state, names)"""
    done = subprocess.run([f"{BUILD}/tests/validate/reference", path], input=states.tobytes(),
                          env={**os.environ, "KB_PHASE": phase}, capture_output=True, check=False)
    text = done.stderr.decode()
    if done.returncode:
        return None, text.strip()
    return np.frombuffer(done.stdout), text.splitlines()


def random_states(nsp, n):
    random = np.random.default_rng(1)
    X = random.random((n, nsp)) ** 2 + 1e-3
    T = 301 + 2600 * random.random(n)
    p = 101325 * 0.03 * 3000 ** random.random(n)
    return np.column_stack([T, p, X / X.sum(axis=1, keepdims=True)])


def expected(gas, states):
    """like the project's output, and sizes that errors are relative to"""
    nsp, nrx = gas.n_species, gas.n_reactions
    values, sizes = [nsp, nrx, *gas.molecular_weights], [1, 1, *gas.molecular_weights]
    kinetic = gas.kinetics_model != "none" and nrx > 0
    nu = gas.reactant_stoich_coeffs + gas.product_stoich_coeffs if kinetic else None
    for state in states:
        gas.TPX = state[0], state[1], state[2:]
        gas.TP = state[0], ct.one_atm
        pref = [s.thermo.reference_pressure for s in gas.species()]
        thermo = [gas.standard_cp_R, gas.standard_enthalpies_RT,
                  gas.standard_entropies_R - np.log(pref / np.full(nsp, ct.one_atm))]
        gas.TP = state[0], state[1]
        values += [*np.concatenate(thermo)]
        sizes += [*(1 + abs(np.concatenate(thermo)))]
        if kinetic:
            qf, qr = gas.forward_rates_of_progress, gas.reverse_rates_of_progress
            values += [*qf, *qr, *gas.net_production_rates]
            largest = 1e-250 + abs(qf) + abs(qr)
            sizes += [*largest, *largest, *(1e-250 + nu @ (abs(qf) + abs(qr)))]
        else:
            values += nsp * [0.0]
            sizes += nsp * [1.0]
    return np.array(values), np.array(sizes)


def verdict(path, name, n):
    """(kind, text) of one phase"""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gas, why = ct.Solution(path, name), ""
    except Exception as error:  # Cantera's errors have many types
        lines = [x for x in str(error).splitlines() if x.strip() and "***" not in x]
        gas, text, why = None, str(error), " ".join(lines[:3])[:160]
    states = random_states(gas.n_species if gas else 1, n)
    values, said = project(path, name, states)
    if gas is None and values is None:
        return "both refuse", said
    if gas is None:
        known = [v for k, v in ACCEPTED.items() if k in text]
        return ("Cantera refuses, decided", known[0]) if known else ("Cantera refuses", why)
    if values is None:
        known = [v for k, v in DECIDED.items() if k in said]
        return ("project refuses, decided", known[0]) if known else ("project refuses", said)
    if said != gas.species_names:
        return "differ", "other species"
    right, sizes = expected(gas, states)
    if len(right) != len(values):
        return "differ", f"{values[1]:g} reactions instead of {gas.n_reactions}"
    error = np.max(abs(values - right) / sizes)
    return ("both accept" if error < LIMIT else "differ"), f"{error:.1e}"


def phases_of(path):
    """names of ideal-gas phases"""
    try:
        with open(path, encoding="utf-8") as file:
            root = ruamel.yaml.YAML(typ="safe").load(file)
    except ruamel.yaml.error.YAMLError:
        return []
    phases = root.get("phases", []) if isinstance(root, dict) else []
    return [p["name"] for p in phases if isinstance(p, dict) and p.get("thermo") == "ideal-gas"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=12)
    parser.add_argument("--tests", default=os.environ.get("CANTERA_TESTS"))
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    ct.suppress_thermo_warnings()
    count = {}
    with tempfile.TemporaryDirectory() as folder:
        for source in [STANDARD] + ([args.tests] if args.tests else []):
            shutil.copytree(source, folder, dirs_exist_ok=True)
        ct.add_directory(folder)
        files = args.files or [os.path.join(folder, x) for x in sorted(os.listdir(folder))
                               if x.endswith(".yaml")]
        for path in files:
            for phase in phases_of(path):
                kind, text = verdict(path, phase, args.states)
                count[kind] = count.get(kind, 0) + 1
                said = text.replace(folder + "/", "")
                print(f"{kind}: {os.path.basename(path)} {phase}: {said}", flush=True)
    bad = sum(count.get(k, 0) for k in ("differ", "project refuses", "Cantera refuses"))
    for kind, n in sorted(count.items()):
        print(f"{n} phases: {kind}")
    print(f"{'not ok' if bad else 'ok'} - phases read as Cantera reads them")
    sys.exit(1 if bad else 0)


main()
