# SPDX-License-Identifier: MIT
"""The step of a flow code (libkinbench) against Cantera's gas and reactors: density, enthalpy, cp,
T of enthalpies and energies; states by enthalpy (constant pressure) or by density and energy
(constant volume) over a dt of each, T after it and mean source terms.

usage: step.py [--states N] [MECH ...]
"""
import ctypes
import os

import cantera as ct
import numpy as np

from common import BUILD, Checks, arguments, random_states, set_state, solution, worst

GAS_LIMIT = 1e-11
STEP_LIMIT = 1e-5  # of T, and of source terms over the largest one; by CVODE at rtol 1e-10

POINTER = ctypes.POINTER(ctypes.c_double)


class Step(ctypes.Structure):
    """kb_flow_step of kinbench.h"""
    _fields_ = ([("size", ctypes.c_size_t)] +
                [(name, POINTER) for name in ("enthalpy", "density", "energy")] +
                [("Y_arrays", ctypes.c_void_p), ("keep", ctypes.c_int)] +
                [(name, POINTER) for name in ("dt", "substep", "next_substep", "RR")] +
                [("RR_arrays", ctypes.c_void_p), ("cost", POINTER), ("status", ctypes.c_void_p),
                 ("work", ctypes.c_void_p)])


def pointer(array):
    return array.ctypes.data_as(POINTER)


class Library:
    def __init__(self, mech):
        self.lib = ctypes.CDLL(os.path.abspath(f"{BUILD}/libkinbench.so"))
        self.lib.kb_last_error.restype = ctypes.c_char_p
        self.mech = ctypes.c_void_p()
        name = os.path.basename(mech).removesuffix(".yaml")
        self.call("kb_mechanism_open", f"{BUILD}/mech/{name}/solvers.so".encode(),
                  ctypes.byref(self.mech))

    def call(self, name, *args):
        if getattr(self.lib, name)(*args):
            raise RuntimeError(self.lib.kb_last_error().decode())

    def integrator(self, reactor):
        it = ctypes.c_void_p()
        self.call("kb_integrator_create", self.mech, b"cvode", None, ctypes.c_double(1e-10),
                  ctypes.c_double(1e-16), reactor, ctypes.byref(it))
        return it


def check_gas(checks, mech, gas, kb, states):
    n, T, p = len(states), *(np.ascontiguousarray(states[:, k]) for k in (0, 1))
    Y = np.ascontiguousarray(states[:, 2:])
    own, expected = np.empty((3, n)), np.empty((5, n))
    it = kb.integrator(0)
    kb.call("kb_properties", it, ctypes.c_long(n), pointer(T), pointer(p), pointer(Y),
            *(pointer(row) for row in own))
    for i in range(n):
        set_state(gas, T[i], Y[i], p=p[i])
        expected[:, i] = gas.density, gas.enthalpy_mass, gas.cp_mass, gas.int_energy_mass, gas.T
    size = [np.abs(expected[0]), np.abs(expected[1]) + expected[2] * T, np.abs(expected[2])]
    for k, what in enumerate(("density", "enthalpy", "cp")):
        checks.say(f"{mech} {what}, {n} states", worst(abs(own[k] - expected[k]) / size[k]),
                   GAS_LIMIT)
    for reactor, energy in ((0, expected[1]), (1, expected[3])):
        found = np.full(n, 1000.0)
        kb.call("kb_temperature", it, reactor, ctypes.c_long(n), pointer(energy), pointer(Y),
                pointer(found))
        checks.say(f"{mech} T of an {'energy' if reactor else 'enthalpy'}",
                   worst(abs(found - T) / T), GAS_LIMIT)


def advance(gas, reactor, state, dt):
    """T and mean source terms by Cantera's reactor"""
    set_state(gas, state[0], state[2:], p=state[1])
    rho, Y = gas.density, gas.Y.copy()
    make = ct.IdealGasReactor if reactor else ct.IdealGasConstPressureReactor
    net = ct.ReactorNet([make(gas, clone=False)])
    net.rtol, net.atol = 1e-11, 1e-20
    net.advance(dt)
    return gas.T, rho * (gas.Y - Y) / dt


def check_step(checks, mech, gas, kb, states, reactor):
    n = len(states)
    Y = np.ascontiguousarray(states[:, 2:])
    dt = 10.0 ** -(5 + np.arange(n) % 3)
    density, energy, p, RR = np.empty(n), np.empty(n), states[:, 1].copy(), np.zeros_like(Y)
    expected, expected_RR = np.empty(n), np.empty_like(Y)
    for i, state in enumerate(states):
        set_state(gas, state[0], state[2:], p=state[1])
        density[i] = gas.density
        energy[i] = gas.int_energy_mass if reactor else gas.enthalpy_mass
        expected[i], expected_RR[i] = advance(gas, reactor, state, dt[i])
    step = Step(size=ctypes.sizeof(Step), dt=pointer(dt), RR=pointer(RR))
    if reactor:
        step.density, step.energy = pointer(density), pointer(energy)
        p[:] = 0
    else:
        step.enthalpy = pointer(energy)
    T = np.full(n, 1000.0)
    kb.call("kb_integrate_step", kb.integrator(reactor), ctypes.c_long(n), pointer(T), pointer(p),
            pointer(Y), ctypes.c_double(0), ctypes.byref(step))
    within = expected < gas.max_temp  # above it cp goes on in another way than Cantera's
    where = "(rho, e, Y) at constant volume" if reactor else "(p, h, Y) at constant pressure"
    checks.say(f"{mech} T after a step from {where}, {within.sum()} of {n} states",
               worst((abs(T - expected) / expected)[within]), STEP_LIMIT)
    largest = np.maximum(np.abs(expected_RR).max(axis=1, keepdims=True), 1e-200)
    checks.say(f"{mech} its mean source terms", worst((abs(RR - expected_RR) / largest)[within]),
               STEP_LIMIT)


def main():
    args = arguments(__doc__, 200)
    checks = Checks()
    for mech in args.mechs:
        gas, kb = solution(mech), Library(mech)
        states = random_states(gas, args.states, seed=5)
        check_gas(checks, mech, gas, kb, states)
        for reactor in (0, 1):
            check_step(checks, mech, gas, kb, states[::4], reactor)
    checks.done()


main()
