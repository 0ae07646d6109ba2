# SPDX-License-Identifier: MIT
"""The other end of cantera.c: integrates states with a reactor of Cantera.

Reads from standard input the request (8 doubles: n, species, dt, rtol, atol, constant volume, most
steps, preconditioned) and, after "r" was written, n states (T, p, Y); writes n results (T, Y) and n
reports of seven int32 (status, steps, rejected, rhs, Jacobians, factorisations, solves).
"""
import sys

import cantera as ct
import numpy as np

OK, TOO_MANY, NEWTON, NOT_FINITE = 0, 1, 3, 4  # solvers/plugin_api.h


def read(count, kind=np.float64):
    size = count * np.dtype(kind).itemsize
    data = sys.stdin.buffer.read(size)
    if len(data) != size:
        sys.exit("cantera_reactor: the input ended early")
    return np.frombuffer(data, kind)


def make(gas, request):
    _, _, _, rtol, atol, constant_volume, most, preconditioned = request
    if preconditioned:
        kind = ct.IdealGasMoleReactor if constant_volume else ct.IdealGasConstPressureMoleReactor
    else:
        kind = ct.IdealGasReactor if constant_volume else ct.IdealGasConstPressureReactor
    try:
        reactor = kind(gas, clone=False)  # Cantera 3.2 on
    except TypeError:
        reactor = kind(gas)
    net = ct.ReactorNet([reactor])
    net.rtol, net.atol = rtol, atol
    net.max_steps = int(most)
    if preconditioned:
        net.derivative_settings = {"skip-third-bodies": True, "skip-falloff": True}
        net.preconditioner = ct.AdaptivePreconditioner()
    return reactor, net


def integrate(gas, reactor, net, state, dt):
    """One state over dt from a cold start; returns (T, Y) and a report."""
    if not np.all(np.isfinite(state)):
        return state[[0, *range(2, len(state))]], (NOT_FINITE, 0, 0, 0, 0, 0, 0)
    gas.TPY = state[0], state[1], state[2:]
    reactor.syncState()
    net.initial_time = 0.0
    net.reinitialize()
    status = OK
    try:
        net.advance(dt)
    except ct.CanteraError as error:
        status = TOO_MANY if "mxstep" in str(error) else NEWTON
    count = net.solver_stats  # since the last start
    return np.concatenate(([reactor.T], gas.Y)), (
        status, count["steps"], count["err_test_fails"],
        count["rhs_evals"] + count["lin_rhs_evals"], count["jac_evals"],
        count["lin_solve_setups"], count["nonlinear_iters"])


def main():
    request = read(8)
    n, species, dt = int(request[0]), int(request[1]), request[2]
    gas = ct.Solution(sys.argv[1])
    if gas.n_species != species:
        sys.exit(f"cantera_reactor: {sys.argv[1]} has {gas.n_species} species, not {species}")
    reactor, net = make(gas, request)
    sys.stdout.buffer.write(b"r")
    sys.stdout.buffer.flush()
    states = read(n * (species + 2)).reshape(n, species + 2)
    y = np.empty((n, species + 1))
    reports = np.zeros((n, 7), np.int32)
    for i, state in enumerate(states):
        y[i], reports[i] = integrate(gas, reactor, net, state, dt)
    sys.stdout.buffer.write(y.tobytes() + reports.tobytes())
    sys.stdout.buffer.flush()


main()
