#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reference values from Cantera 3.2 for test_thermo.c, test_rates.c and test_equilibrium.c.

    python3 tests/reference/make_reference.py    (from the repository root; needs Cantera and numpy)

Writes the .csv files beside it. States are drawn by splitmix64 exactly as tests/unit/reference.h
draws them, so the files hold results only. Units: K, Pa, kmol, m, s.
"""
import os

import cantera as ct
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
MECHS = {  # name: (file, states with wdot, of these with kf and kr)
    "gri30": ("datasets/mechanisms/gri30.yaml", 50, 4),
    "h2co": ("datasets/mechanisms/h2co.yaml", 50, 6),
    "h2": ("datasets/mechanisms/h2.yaml", 50, 6),
    "rate_types": ("tests/data/rate_types.yaml", 50, 20),
    "cantera_types": ("tests/data/cantera_types.yaml", 50, 8),
}
MASK = (1 << 64) - 1


class Splitmix64:
    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) >> 11) * 2.0**-53


def draw(random, nsp):
    """T in 300-3500 K, p in 0.1-100 atm, X with some zeros and some traces"""
    T = 300 + 3200 * random.uniform()
    p = 101325 * 0.1 * 1000 ** random.uniform()
    X = np.empty(nsp)
    for k in range(nsp):
        u = random.uniform()
        X[k] = 0 if u < 0.1 else u**4
    return T, p, X / sum(X)


def write(name, header, rows):
    with open(os.path.join(HERE, name), "w") as out:
        out.write(f"# Cantera {ct.__version__}, make_reference.py; {header}\n")
        for row in rows:
            out.write(",".join(v if isinstance(v, str) else f"{v:.13g}" for v in row) + "\n")


def thermo(gas):
    for T in (250.0, 300.0, 999.0, 1000.0, 1001.0, 1800.0, 3400.0):
        gas.TP = T, 101325
        for k, species in enumerate(gas.species()):
            gas.TP = T, species.thermo.reference_pressure
            values = gas.standard_cp_R, gas.standard_enthalpies_RT, gas.standard_entropies_R
            yield (species.name, repr(T), *(repr(float(v[k])) for v in values))


def rates(gas, states, constants):
    random = Splitmix64(1)
    for i in range(states):
        gas.TPX = draw(random, gas.n_species)
        yield ("wdot", str(i), *gas.net_production_rates)
        if i < constants:
            kf, kr = gas.forward_rate_constants.copy(), gas.reverse_rate_constants.copy()
            yield ("kf", str(i), *kf)
            yield ("kr", str(i), *kr)


def equilibrium(gas):
    fuels = (("H2", "O2:1,N2:3.76"), ("H2", "O2"), ("CH4", "O2:1,N2:3.76"), ("CO", "O2:1,AR:4"))
    for fuel, air in fuels:
        for phi in (0.3, 1.0, 3.0):
            for T0 in (300.0, 1000.0, 2500.0, 4000.0):
                for atm in (0.1, 1.0, 100.0):
                    for hold in ("TP", "HP", "UV"):
                        if (hold == "TP") == (T0 == 1000) or (hold != "TP" and T0 > 2500):
                            continue
                        gas.set_equivalence_ratio(phi, fuel, air)
                        gas.TP = T0, atm * 101325
                        try:
                            gas.equilibrate(hold, rtol=1e-11, max_steps=5000)
                        except ct.CanteraError:
                            continue  # Cantera's own failures are no reference
                        major = [gas[s].Y[0] for s in ("H2O", "CO2", "CO", "H2", "OH", "NO")]
                        yield (hold, fuel, air.replace(",", ";"), repr(phi), repr(T0), repr(atm),
                               gas.T, gas.P, *major)


def main():
    ct.suppress_thermo_warnings()
    gas_of = {}
    for name, (path, states, constants) in MECHS.items():
        gas = ct.Solution(path)
        gas_of[name] = gas
        write(f"rates_{name}.csv", "kind,state,values (by species, or by reaction)",
              rates(gas, states, constants))
    for name in ("gri30", "cantera_types"):
        write(f"thermo_{name}.csv", "species,T,cp/R,h/RT,s/R at p_ref", thermo(gas_of[name]))
    write("equilibrium_gri30.csv",
          "held,fuel,oxidiser,phi,T0,p0 [atm],T,p,Y of H2O CO2 CO H2 OH NO",
          equilibrium(gas_of["gri30"]))


if __name__ == "__main__":
    main()
