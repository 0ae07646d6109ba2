# SPDX-License-Identifier: MIT
"""Species in steady state: d(T, Y)/dt and its Jacobian against Cantera's rate constants, a balance
solved by numpy, and differences of both.

usage: steady.py [--states N] MECH.yaml NAMES [SOLVERS]

NAMES: the file for QSS=; SOLVERS: the folder of solvers in build/mech. Cantera reads the whole
mechanism; which directions are left out is found here once more.
"""
import argparse
import os
import sys

import cantera as ct
import numpy as np

from common import ENGINES, Checks, evaluate, random_states, worst

LIMIT, LIMIT_J = 1e-10, 1e-10
STEP, WEIGHTS = 1e-4, {-3: -1 / 60, -2: 3 / 20, -1: -3 / 4, 1: 3 / 4, 2: -3 / 20, 3: 1 / 60}


class Reduced:
    def __init__(self, path, names):
        self.gas = gas = ct.Solution(path)
        words = " ".join(line.split("#")[0] for line in open(names)).split()
        self.steady = [i for i, s in enumerate(gas.species_names) if s in words]
        self.main = [i for i in range(gas.n_species) if i not in self.steady]
        self.species_names = [gas.species_names[i] for i in self.main]
        self.W = gas.molecular_weights[self.main]
        self.net = gas.product_stoich_coeffs - gas.reactant_stoich_coeffs
        powers = np.array([gas.reactant_stoich_coeffs, gas.product_stoich_coeffs])
        for r, reaction in enumerate(gas.reactions()):
            for name, order in reaction.orders.items():
                powers[0][gas.species_index(name), r] = order
        self.powers = powers
        many = powers[:, self.steady, :].sum(axis=1)
        self.takes_place = many < 2
        self.takes_place[1] &= [r.reversible for r in gas.reactions()]
        if not self.takes_place[0].all() and "drop-nonlinear" not in words:
            sys.exit("steady.py: the list couples species nonlinearly")

    def rates(self, T, C):
        """both directions' rates of progress with C [main], C = 1 of those in steady state"""
        gas, full = self.gas, np.zeros(self.gas.n_species)
        full[self.main] = C
        total = C.sum()
        gas.set_unnormalized_mole_fractions(full / total)
        gas.TP = T, total * ct.gas_constant * T
        k = np.array([gas.forward_rate_constants, gas.reverse_rate_constants])
        M = gas.third_body_concentrations
        three = [type(r.rate).__name__ not in ("FalloffRate", "TroeRate", "SriRate", "TsangRate",
                                               "LindemannRate", "LinearBurkeRate")
                 for r in gas.reactions()]
        k *= np.where(np.isnan(M) | ~np.array(three), 1, M)
        full[self.steady] = 1
        q = k * self.takes_place
        for d in range(2):
            with np.errstate(divide="ignore"):
                q[d] *= np.prod(np.where(self.powers[d] == 0, 1, full[:, None] ** self.powers[d]),
                                axis=0)
        return q

    def slopes(self, reactor, y, held):
        """d(T, Y)/dt, Y not normalised, and the sums of its absolute contributions"""
        T, z = y[0], y[1:] / self.W
        rho = held if reactor == "v" else held / (ct.gas_constant * T * z.sum())
        q = self.rates(T, rho * z)
        n = len(self.steady)
        A, b = np.zeros((n, n)), np.zeros(n)
        net = self.net[self.steady]
        factor = [[np.flatnonzero(self.powers[d][self.steady, r]) for r in range(q.shape[1])]
                  for d in range(2)]
        for d, sign in enumerate((1, -1)):
            for r in range(q.shape[1]):
                if len(factor[d][r]) == 1:
                    A[:, factor[d][r][0]] -= sign * net[:, r] * q[d, r]
                elif len(factor[d][r]) == 0:
                    b += sign * net[:, r] * q[d, r]
        C = np.linalg.solve(A, b)
        for d in range(2):
            for r in range(q.shape[1]):
                if len(factor[d][r]) == 1:
                    q[d, r] *= C[factor[d][r][0]]
        wdot = (self.net[self.main] @ (q[0] - q[1]))
        size = (abs(self.net[self.main]) @ (abs(q[0]) + abs(q[1])))
        gas = self.gas
        h = gas.standard_enthalpies_RT[self.main] - (reactor == "v")
        cp = gas.standard_cp_R[self.main] - (reactor == "v")
        capacity = cp @ (rho * z)
        return (np.append(-T * (h @ wdot) / capacity, wdot * self.W / rho),
                np.append(T * (abs(h) @ size) / capacity, size * self.W / rho))

    def jacobian(self, reactor, y, held):
        """by differences, times the natural sizes of its columns, and these"""
        size = np.append(y[0], self.W * np.sum(y[1:] / self.W))
        J = np.zeros((len(y), len(y)))
        for j in range(len(y)):
            for k, weight in WEIGHTS.items():
                moved = y.copy()
                moved[j] += k * STEP * size[j]
                J[:, j] += weight / STEP * self.slopes(reactor, moved, held)[0]
        return J, size


class Names:
    """what random_states takes from a gas, of the species of the state"""

    def __init__(self, reduced):
        self.n_species = len(reduced.main)
        self.molecular_weights = reduced.W
        self.all = reduced.gas.species()
        self.min_temp, self.max_temp = reduced.gas.min_temp, reduced.gas.max_temp

    def species(self):
        return self.all


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=40)
    parser.add_argument("mech")
    parser.add_argument("names")
    parser.add_argument("solvers", nargs="?")
    args = parser.parse_args()
    ct.suppress_thermo_warnings()
    os.environ["KB_QSS"] = args.names
    reduced = Reduced(args.mech, args.names)
    states = random_states(Names(reduced), args.states, seed=7, least=0.05)
    checks = Checks()
    for reactor in "pv":
        for engine in ENGINES:
            dy, J = evaluate(args.mech, states, engine, reactor, name=args.solvers, dy=True,
                             jacobian=True)
            off = off_J = 0.0
            for i, state in enumerate(states):
                y, p = np.delete(state, 1), state[1]
                held = p if reactor == "p" else p / (ct.gas_constant * y[0] *
                                                     np.sum(y[1:] / reduced.W))
                right, total = reduced.slopes(reactor, y, held)
                off = max(off, worst(abs(dy[i] - right) / np.maximum(total, 1e-200)))
                if i >= args.states // 4:
                    continue
                right, size = reduced.jacobian(reactor, y, held)
                rows = np.maximum(np.max(abs(right), axis=1), total + 1e-200)[:, None]
                off_J = max(off_J, worst(abs(J[i].reshape(right.shape) * size - right) / rows))
            what = f"{os.path.basename(args.mech)} in steady state, constant {reactor}, {engine}"
            checks.say(f"{what}, f, {len(states)} states", off, LIMIT)
            checks.say(f"{what}, J, {args.states // 4} states", off_J, LIMIT_J)
    checks.done()


main()
