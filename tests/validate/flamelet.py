# SPDX-License-Identifier: MIT
"""Flamelet databases against Cantera's.

usage: flamelet.py [--states POINTS] [MECH ...]

The start: Cantera's equilibrium at the enthalpy and pressure of each mixture fraction. Then ten
global steps: backward Euler diffusion by numpy, reaction by Cantera's reactors.
"""
import math
import os
import statistics
import subprocess
import sys
import tempfile

import cantera as ct
import numpy as np

from common import ATM, BUILD, Checks, arguments, solution, worst

AIR, STRAIN, DT, STEPS = "O2:1, N2:3.76", 400.0, 1e-6, 10
LIMIT_START, LIMIT_START_Y = 0.01, 1e-6    # [K], [-]
LIMIT_T, LIMIT_Y, LIMIT_SUM = 0.01, 1e-6, 1e-12


def generated(mech, fuel, points, **options):
    """states [kept steps, points, nsp + 2] and mixture fraction [points]"""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.basename(mech).removesuffix(".yaml")
        out = os.path.join(folder, "a.npy")
        command = [f"{BUILD}/flamelet", "--quiet", "--mech", mech, "--solvers",
                   f"{BUILD}/mech/{name}/solvers.so", "--fuel", fuel, "--points", str(points),
                   "--strain", str(STRAIN), "--rtol", "1e-9", "--atol", "1e-16", "--out", out]
        for key, value in options.items():
            command += [f"--{key}", str(value)]
        if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode:
            sys.exit(f"failed: {' '.join(command)}")
        states, aux = np.load(out), np.load(out.replace(".npy", ".aux.npy"))
    return states.reshape(-1, points, states.shape[1]), aux[:points, 2]


def equilibrium(gas, fuel, z):
    """rows T, Y: the start, and the two streams"""
    gas.TPX = 300, ATM, fuel
    h_fuel, Y_fuel = gas.enthalpy_mass, gas.Y
    gas.TPX = 300, ATM, AIR
    h_air, Y_air = gas.enthalpy_mass, gas.Y
    rows = []
    for x in z:
        gas.TPY = 300, ATM, x * Y_fuel + (1 - x) * Y_air
        gas.HP = x * h_fuel + (1 - x) * h_air, ATM
        gas.equilibrate("HP", solver="gibbs", rtol=1e-10, max_steps=20000)
        rows.append([gas.T, *gas.Y])
    return np.array(rows), np.array([300, *Y_air]), np.array([300, *Y_fuel])


def diffusion_matrix(z):
    """(I - dt chi/2 d2/dz2) of all points and both ends"""
    dz, n = z[0], len(z)
    A = np.eye(n + 2)
    for i, x in enumerate(z):
        erfc_inverse = -statistics.NormalDist().inv_cdf(x) / math.sqrt(2)
        chi = STRAIN / math.pi * math.exp(-2 * erfc_inverse**2)
        A[i + 1, i:i + 3] += DT * chi / 2 / dz**2 * np.array([-1, 2, -1])
    return A


def react(gas, row):
    gas.TPY = row[0], ATM, row[1:]
    reactor = ct.IdealGasConstPressureReactor(gas, clone=False)
    net = ct.ReactorNet([reactor])
    net.rtol, net.atol = 1e-10, 1e-18
    net.advance(DT)
    return np.array([reactor.T, *reactor.phase.Y])


def main():
    args = arguments(__doc__, 31)
    checks = Checks()
    for mech in args.mechs:
        gas = solution(mech)
        fuel = "CH4:1" if "CH4" in gas.species_names else "H2:1"
        mine, z = generated(mech, fuel, args.states, dt=1e-15, steps=1)
        y, air, pure = equilibrium(gas, fuel, z)
        start = f"{mech} flamelet, start at {args.states} mixture fractions"
        checks.say(f"{start}: T", worst(abs(mine[0, :, 0] - y[:, 0])), LIMIT_START, " K")
        checks.say(f"{start}: Y", worst(abs(mine[0, :, 2:] - y[:, 1:])), LIMIT_START_Y)
        mine, z = generated(mech, fuel, args.states, dt=DT, steps=STEPS + 1, every=STEPS)
        A = diffusion_matrix(z)
        for step in range(STEPS + 1):
            y = np.linalg.solve(A, np.vstack([air, y, pure]))[1:-1]
            if step < STEPS:
                y = np.array([react(gas, row) for row in y])
        later = f"{mech} flamelet, after {STEPS} global steps of {DT:g} s"
        checks.say(f"{later}: T", worst(abs(mine[1, :, 0] - y[:, 0])), LIMIT_T, " K")
        checks.say(f"{later}: Y", worst(abs(mine[1, :, 2:] - y[:, 1:])), LIMIT_Y)
        checks.say(f"{later}: sum of Y - 1", worst(abs(mine[..., 2:].sum(axis=2) - 1)), LIMIT_SUM)
    checks.done()


main()
