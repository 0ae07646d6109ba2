# SPDX-License-Identifier: MIT
"""States of Cantera: its SolutionArray, and the mechanism of its Solution."""
from __future__ import annotations

import os
import re
import tempfile
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._integrator import Integrator, Mechanism
from ._library import ArgumentError, OdeError

MOST = 16  # phases whose mechanisms are kept
_opened: list[tuple[Any, tuple, Mechanism]] = []  # phase, its fingerprint, mechanism; last: newest


def _fingerprint(phase):
    """Changes when a rate, a multiplier, the thermodynamics or the species do."""
    state = phase.state
    try:
        phase.TPY = 1234.5, 2e5, np.full(phase.n_species, 1 / phase.n_species)
        return (tuple(phase.species_names), phase.forward_rate_constants.tobytes(),
                phase.equilibrium_constants.tobytes(), phase.standard_enthalpies_RT.tobytes())
    finally:
        phase.state = state


def _write(phase):
    changed = [i for i in range(phase.n_reactions) if phase.multiplier(i) != 1]
    if changed:
        raise ArgumentError(f"reaction {changed[0]} of {phase.name} has the multiplier "
                            f"{phase.multiplier(changed[0]):g}, which no file can hold; change "
                            "its rate instead (Solution.modify_reaction)")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, re.sub(r"[/=,]", "_", phase.name[:60]) + ".yaml")
        phase.write_yaml(path)
        return Mechanism(path)


def mechanism_of(phase: Any) -> Mechanism:
    """The mechanism of a cantera.Solution (an ideal gas), as it is now. It is kept until the
    phase changes: the next call takes no time."""
    fingerprint = _fingerprint(phase)
    for i, (known, its, mechanism) in enumerate(_opened):
        if known is phase:
            del _opened[i]
            if its == fingerprint:
                _opened.append((known, its, mechanism))
                return mechanism
            break
    mechanism = _write(phase)
    del _opened[:len(_opened) - MOST + 1]
    _opened.append((phase, fingerprint, mechanism))
    return mechanism


def _places(mechanism, phase):
    """Where the species of the mechanism are in the phase; None: in the same order."""
    names = list(phase.species_names)
    if names == mechanism.species:
        return None
    lacking = sorted(set(mechanism.species) ^ set(names))
    if lacking:
        of, other = (mechanism.name, phase.name) if lacking[0] in names else (phase.name,
                                                                             mechanism.name)
        raise ArgumentError(f"{of} has no species '{lacking[0]}', which {other} has "
                            f"({len(lacking)} species are not in both)")
    return [names.index(name) for name in mechanism.species]


def advance(states: Any, dt: ArrayLike, mechanism: Mechanism | Integrator | str | None = None, *,
            solver: str = "rodas4", engine: str | None = None, rtol: float = 1e-6,
            atol: float = 1e-10, reactor: str = "pressure", threads: int = 0,
            check_odes: bool = True, **settings: float) -> NDArray[np.void]:
    """Integrates the states of a cantera.SolutionArray (or a Solution) over dt [s], one number or
    one for each state, in place: each is an adiabatic reactor at constant pressure (or
    reactor="volume").

        states = cantera.SolutionArray(cantera.Solution("gri30.yaml"), 1000)
        states.TPX = numpy.linspace(1000, 2000, 1000), 101325, "CH4:1, O2:2, N2:7.52"
        kinbench.advance(states, 1e-5)

    mechanism: None: that of the states, read without a compiler; a name, a file or a Mechanism
        with the same species, in any order; or an Integrator, whose options then hold
    solver: the method; other options as of Integrator

    Returns work, with the shape of the states, and raises OdeError, as Integrator.integrate.
    """
    phase = getattr(states, "_phase", states)
    T, p, Y = (np.array(part, np.float64) for part in states.TPY)
    if Y.shape[-1] != phase.n_species:
        raise ArgumentError(f"the states have {Y.shape[-1]} of the {phase.n_species} species of "
                            f"{phase.name}, expected all")
    if isinstance(mechanism, Integrator):
        integrator = mechanism
    else:
        integrator = Integrator(mechanism_of(phase) if mechanism is None else mechanism, solver,
                                engine, rtol=rtol, atol=atol, reactor=reactor, threads=threads,
                                **settings)
    places = _places(integrator.mechanism, phase)
    mine = Y if places is None else np.ascontiguousarray(Y[..., places])
    failed = None
    try:
        work = integrator.integrate(T, p, mine, dt, check_odes)
    except OdeError as error:
        failed, work = error, error.work
    if places is not None:
        Y[..., places] = mine
    states.TPY = T, p, Y
    if failed:
        raise failed
    return work
