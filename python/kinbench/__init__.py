# SPDX-License-Identifier: MIT
"""kinbench: integrators of chemical kinetics for numpy arrays and for Cantera's states.

    import cantera, kinbench
    states = cantera.SolutionArray(cantera.Solution("gri30.yaml"), 1000)
    kinbench.advance(states, 1e-5)

Units: K, Pa, kg, m, s, kmol. docs/library.md has more.
"""
from ._integrator import WORK, Integrator, Mechanism, status_text
from ._library import ArgumentError, DeviceError, Error, OdeError, OutOfMemoryError, lib
from ._results import read_results
from ._states import advance, mechanism_of

__version__: str = lib.kb_library_version().decode()
__all__ = ["ArgumentError", "DeviceError", "Error", "Integrator", "Mechanism", "OdeError",
           "OutOfMemoryError", "WORK", "advance", "mechanism_of", "read_results", "status_text"]
