# SPDX-License-Identifier: MIT
"""kinbench.advance against Cantera's reactors at tight tolerances, and rates against Cantera's.

usage: [PYTHONPATH=python KINBENCH_LIBRARY=libkinbench.so.1 KINBENCH_SOURCE=tree] states.py
"""
import sys
import unittest

import cantera as ct
import numpy as np

import kinbench

DT = 1e-5
GRI = "datasets/mechanisms/gri30.yaml"
H2CO = "datasets/mechanisms/h2co.yaml"


def hot_states(gas, fuel, shape=(8,)):
    states = ct.SolutionArray(gas, shape)
    T = np.linspace(1500, 2200, int(np.prod(shape))).reshape(shape)
    states.TPX = T, np.linspace(1, 5, T.size).reshape(shape) * ct.one_atm, f"{fuel}, O2:2, N2:7.52"
    kinbench.advance(states, 1e-6, rtol=1e-8, atol=1e-14)  # radicals
    return states


def by_cantera(states, reactor, dt=DT):
    """T, p and Y of a ReactorNet for each state"""
    T, p, Y = (np.array(part) for part in states.TPY)
    gas = states._phase
    try:
        r = reactor(gas, clone=False)  # Cantera 3.2 on
    except TypeError:
        r = reactor(gas)
    for i in np.ndindex(states.shape):
        gas.TPY = T[i], p[i], Y[i]
        r.syncState()
        net = ct.ReactorNet([r])
        net.rtol, net.atol = 1e-10, 1e-18
        net.advance(dt)
        T[i], p[i], Y[i] = gas.TPY
    return T, p, Y


class States(unittest.TestCase):
    def close(self, states, expected, limit=2e-6):
        for mine, other in zip(states.TPY, expected):
            error = abs(mine - other) / (abs(other) + 1e-6)
            self.assertLess(error.max(), limit)

    def test_constant_pressure(self):
        for file, fuel in ((GRI, "CH4:1"), (H2CO, "H2:2, CO:2")):
            states = hot_states(ct.Solution(file), fuel)
            expected = by_cantera(states, ct.IdealGasConstPressureReactor)
            before = states.T
            work = kinbench.advance(states, DT, rtol=1e-9, atol=1e-15)
            self.assertEqual(work["status"].tolist(), [0] * 8)
            self.assertGreater(abs(states.T - before).max(), 20)
            self.close(states, expected)

    def test_constant_volume(self):
        states = hot_states(ct.Solution(H2CO), "H2:2, CO:2", (2, 4))
        expected = by_cantera(states, ct.IdealGasReactor)
        kinbench.advance(states, DT, reactor="volume", rtol=1e-9, atol=1e-15)
        self.assertGreater((states.P / expected[1] - 1).max(), -1e-6)
        self.close(states, expected)

    def test_rates(self):
        states = hot_states(ct.Solution(GRI), "CH4:1")
        it = kinbench.Integrator(kinbench.mechanism_of(states._phase))
        wdot = it.rates(*states.TPY)[2]
        expected = states.net_production_rates
        self.assertLess((abs(wdot - expected) / abs(expected).max(axis=1)[:, None]).max(), 1e-9)

    def test_options_and_a_mechanism_of_another_order(self):
        states = hot_states(ct.Solution(H2CO), "H2:2, CO:2")
        start = states.TPY
        kinbench.advance(states, DT, rtol=1e-9, atol=1e-15)
        expected = states.TPY
        states.TPY = start
        kinbench.advance(states, DT, "h2co", solver="cvode", rtol=1e-10, atol=1e-16, threads=2)
        self.close(states, expected)
        gas = ct.Solution(H2CO)
        turned = ct.Solution(thermo="ideal-gas", kinetics="gas", species=gas.species()[::-1],
                             reactions=gas.reactions(), name="turned")
        other = ct.SolutionArray(turned, 8)
        other.TPY = start[0], start[1], start[2][:, ::-1]
        it = kinbench.Integrator("h2co", rtol=1e-9, atol=1e-15)
        kinbench.advance(other, DT, it)
        np.testing.assert_allclose(other.T, expected[0], rtol=1e-12)
        np.testing.assert_allclose(other.Y[:, ::-1], expected[2], atol=1e-12)

    def test_one_solution(self):
        gas = ct.Solution(H2CO)
        gas.TPX = 1500, ct.one_atm, "H2:2, O2:1, N2:4"
        kinbench.advance(gas, 1e-4)
        self.assertGreater(gas.T, 2000)

    def test_a_phase_that_changes(self):
        gas = ct.Solution(H2CO)
        states = hot_states(gas, "H2:2, CO:2")
        first = kinbench.mechanism_of(gas)
        self.assertIs(kinbench.mechanism_of(gas), first)
        before = gas.state.copy()
        branching, rate = gas.reaction(0), gas.reaction(0).rate  # H + O2 <=> O + OH
        branching.rate = ct.ArrheniusRate(rate.pre_exponential_factor * 2,
                                          rate.temperature_exponent, rate.activation_energy)
        gas.modify_reaction(0, branching)
        expected = by_cantera(states, ct.IdealGasConstPressureReactor)
        gas.state = before
        kinbench.advance(states, DT, rtol=1e-9, atol=1e-15)
        self.assertIsNot(kinbench.mechanism_of(gas), first)
        self.close(states, expected)
        gas.set_multiplier(0.5, 3)
        with self.assertRaisesRegex(kinbench.ArgumentError, "reaction 3 .* has the multiplier 0.5"):
            kinbench.advance(states, DT)

    def test_the_state_of_the_phase_stays(self):
        gas = ct.Solution(H2CO)
        gas.TPX = 700, 2e5, "H2:1"
        kinbench.mechanism_of(gas)
        self.assertEqual((gas.T, round(gas.P)), (700, 200000))

    def test_a_phase_of_any_name(self):
        gas = ct.Solution(H2CO)
        gas.name = "a/b=c,d" + 300 * "x"
        self.assertEqual(kinbench.mechanism_of(gas).species, gas.species_names)

    def test_failures(self):
        states = hot_states(ct.Solution(H2CO), "H2:2, CO:2")
        start = states.TPY
        with self.assertRaisesRegex(kinbench.OdeError, "8 of 8 ODEs failed.*too many substeps"):
            kinbench.advance(states, DT, max_substeps=1)
        np.testing.assert_allclose(states.Y, start[2], atol=1e-14)
        with self.assertRaisesRegex(kinbench.ArgumentError, "h2co.* has no species 'AR'|"
                                                            "has no species '[A-Z0-9]+'"):
            kinbench.advance(states, DT, "h2")
        with self.assertRaisesRegex(kinbench.ArgumentError, "the states have 2 of the 13 species"):
            kinbench.advance(states("H2", "O2"), DT)
        with self.assertRaises(kinbench.ArgumentError):  # no ideal gas
            kinbench.advance(ct.Solution("liquidvapor.yaml", "water"), DT)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
