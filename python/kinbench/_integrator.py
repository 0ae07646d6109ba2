# SPDX-License-Identifier: MIT
"""Mechanisms and integrators over numpy arrays."""
from __future__ import annotations

import ctypes
import os
import threading
import weakref
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import ODES, FlowStep, OdeError, check, lib, shipped, text

# kb_work: attempted = accepted + rejected substeps; status 0 is ok (status_text)
WORK = np.dtype([(name, np.int32) for name in (
    "attempted", "accepted", "rejected", "rhs", "jacobians", "factorisations", "solves",
    "status")])
REACTORS = {"pressure": 0, "volume": 1}
ODE_MAJOR, SPECIES_MAJOR = 0, 1


def status_text(status: int) -> str:
    """What a status of an ODE says: "ok", "too many substeps", "not finite", ..."""
    return lib.kb_status_text(status).decode()


class _Opened:
    """A mechanism of the library, closed after the last that holds it."""

    def __init__(self, name):
        self.pointer = ctypes.c_void_p()
        check(lib.kb_mechanism_open(text(name), ctypes.byref(self.pointer)))
        weakref.finalize(self, lib.kb_mechanism_close, self.pointer)


def _free(integrator, mechanism):
    del mechanism  # is closed later
    lib.kb_integrator_free(integrator)


class Mechanism:
    """A mechanism: a name that comes along ("gri30", "h2co", "h2"), a file ("mech.yaml",
    "mech.inp,therm.dat"), or a solvers.so. A file is read at once, without a compiler; solvers
    that were compiled for the same mechanism are taken if they are there (docs/library.md).

    name, species (list), weights [species] [kg/kmol], solvers (list of method and engine)
    """

    def __init__(self, name: str | os.PathLike[str]):
        name = os.fspath(name)
        self._opened = _Opened(shipped(name) or name)
        m = self._opened.pointer
        count = range(lib.kb_mechanism_species(m))
        self.name: str = lib.kb_mechanism_name(m).decode()
        self.species: list[str] = [lib.kb_mechanism_species_name(m, k).decode() for k in count]
        self.weights: NDArray[np.float64] = np.array([lib.kb_mechanism_weight(m, k)
                                                      for k in count])

    def index(self, species: str) -> int:
        """The place of a species in Y; ValueError if there is none of that name."""
        try:
            return self.species.index(species)
        except ValueError:
            raise ValueError(f"{self.name} has no species '{species}'") from None

    @property
    def solvers(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        method, engine = ctypes.c_char_p(), ctypes.c_char_p()
        while not lib.kb_mechanism_solver(self._opened.pointer, len(found), ctypes.byref(method),
                                          ctypes.byref(engine)):
            found.append((method.value.decode(), engine.value.decode()))
        return found

    def __repr__(self) -> str:
        return f"<kinbench.Mechanism {self.name}: {len(self.species)} species>"


def _pointer(array):
    return None if array is None else array.ctypes.data


def _in_order(array):
    """The array, or a copy of float64 in C order, of the same shape."""
    return np.asarray(array, np.float64, order="C")


def _spread(array, shape, name):
    """Numbers of this shape, of one number, too"""
    array = np.asarray(array, np.float64)
    try:
        return _in_order(np.broadcast_to(array, shape))
    except ValueError:
        raise ValueError(f"{name} has the shape {array.shape}, expected {shape} or one number"
                         ) from None


def _by_species(Y):
    """A view [species, ...] of Y [..., species]."""
    return np.moveaxis(Y, -1, 0)


def _changed(array, name):
    """The array itself, if a call can change its numbers."""
    if not isinstance(array, np.ndarray) or array.dtype != np.float64:
        kind = getattr(array, "dtype", type(array).__name__)
        raise TypeError(f"{name} is {kind}, expected a numpy array of float64, which is changed "
                        "in place")
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, whose mask would be lost")
    if not array.flags.writeable:
        raise ValueError(f"{name} is read-only, and is changed in place")
    return array


class Integrator:
    """A method on an engine, over adiabatic reactors at constant pressure or volume.

    mechanism: a Mechanism, or what opens one
    method: "rodas4", "cvode", "auto", ..., with options "rodas4:h0=1" (docs/methods.md)
    engine: "cpu-simd", "cpu-scalar", ...; None: cpu-simd, or what the method has
    rtol, atol: a substep is accepted when its error is within rtol |y| + atol in T [K] and all Y;
        0: the method's default
    reactor: "pressure" or "volume", which is constant
    threads: most CPU threads of a call; 0: as many as it has work for
    settings: block, refill, max_substeps, repair (kinbench.h), or options of the method

    May be used by any number of threads at once; calls hold no lock of Python.
    """

    def __init__(self, mechanism: Mechanism | str | os.PathLike[str], method: str = "rodas4",
                 engine: str | None = None, *, rtol: float = 1e-6, atol: float = 1e-10,
                 reactor: str = "pressure", threads: int = 0, **settings: float):
        if not isinstance(mechanism, Mechanism):
            mechanism = Mechanism(mechanism)
        if reactor not in REACTORS:
            raise ValueError(f"reactor '{reactor}', expected 'pressure' or 'volume'")
        if "layout" in settings:
            raise TypeError("layout is that of the arrays of a call")
        for name, value in settings.items():
            if not isinstance(value, (int, float, np.number)):
                raise TypeError(f"the setting {name} is {value!r}, expected a number")
        self.mechanism, self.method, self.reactor = mechanism, method, reactor
        self._arguments = (text(method), text(engine) if engine else None,
                           float(rtol), float(atol), REACTORS[reactor])
        self._settings = {"threads": threads, **settings}
        self._handles: dict[int, ctypes.c_void_p] = {}
        self._lock = threading.Lock()
        self._handle(ODE_MAJOR)  # wrong arguments are errors here

    def _handle(self, layout):
        """The integrator of the library for a layout, which others may be using."""
        with self._lock:
            if layout not in self._handles:
                it = ctypes.c_void_p()
                check(lib.kb_integrator_create(self.mechanism._opened.pointer, *self._arguments,
                                               ctypes.byref(it)))
                weakref.finalize(self, _free, it, self.mechanism._opened)
                for name, value in {"layout": layout, **self._settings}.items():
                    check(lib.kb_integrator_set(it, text(name), float(value)))
                self._handles[layout] = it
            return self._handles[layout]

    def _layout(self, shape, Y):
        """Of Y, whose copy in rows the library gets if it is in neither layout."""
        if Y.shape != shape + (len(self.mechanism.species),):
            raise ValueError(f"Y has the shape {Y.shape}, expected that of T {shape} and "
                             f"{len(self.mechanism.species)} species of {self.mechanism.name}")
        if not Y.flags.c_contiguous and _by_species(Y).flags.c_contiguous:
            return SPECIES_MAJOR, Y
        return ODE_MAJOR, _in_order(Y)

    def _pressure(self, p, shape):
        if self.reactor == "volume":
            p = _changed(p, "p")
            if p.shape != shape:
                raise ValueError(f"p has the shape {p.shape}, expected that of T {shape}")
            return _in_order(p)
        return _spread(p, shape, "p")

    def integrate(self, T: NDArray[np.float64], p: ArrayLike, Y: NDArray[np.float64],
                  dt: ArrayLike, check_odes: bool = True,
                  forcing: tuple[ArrayLike, ArrayLike] | None = None) -> NDArray[np.void]:
        """Integrates states over dt [s], each from a cold start, and puts the new ones in place.

        T [...] [K] of any shape; p [...] or one number [Pa] (an array that changes at constant
        volume); Y [..., species], mass fractions; dt one number, or [...] of each state. Y is not
        copied if it lies in memory by states (C order) or by species (np.moveaxis(Y, -1, 0) has C
        order), T if in C order. forcing, on engines ...-forced: constant parts of dT/dt [...]
        [K/s] and of dY/dt [..., species] [1/s], whose sum over the species is 0.

        Returns work [...], an array of WORK: substeps, calls of the right-hand side, ...,
        "status" of each ODE. An ODE that fails keeps its initial state; afterwards OdeError is
        raised, not if check_odes is False. Other errors change nothing.
        """
        T, Y = _changed(T, "T"), _changed(Y, "Y")
        layout, rows = self._layout(T.shape, Y)
        pressure = self._pressure(p, T.shape)
        temperature = _in_order(T)
        work = np.zeros(T.shape, WORK)
        arrays = self._handle(layout), T.size, *map(_pointer, (temperature, pressure, rows))
        if np.ndim(dt) or forcing is not None:
            step = FlowStep(ctypes.sizeof(FlowStep), work=_pointer(work))
            if np.ndim(dt):
                each = _spread(dt, T.shape, "dt")
                step.dt, dt = _pointer(each), 0
            if forcing is not None:
                F_T = _spread(forcing[0], T.shape, "forcing of T")
                F_Y = _spread(forcing[1], Y.shape, "forcing of Y")
                F_Y = _in_order(_by_species(F_Y) if layout == SPECIES_MAJOR else F_Y)
                step.forcing_T, step.forcing_Y = _pointer(F_T), _pointer(F_Y)
            code = lib.kb_integrate_step(*arrays, float(dt), step)
        else:
            code = lib.kb_integrate(*arrays, float(dt), None, _pointer(work))
        if code != ODES:
            check(code)
        for mine, given in ((temperature, T), (rows, Y),
                            (pressure, p if self.reactor == "volume" else pressure)):
            if mine is not given:
                given[...] = mine
        if code and check_odes:
            raise OdeError(lib.kb_last_error().decode(), work)
        return work

    def _states(self, T, p, Y):
        """T, p and Y of an evaluation, which changes nothing, and the layout of Y."""
        T, Y = _in_order(T), np.asarray(Y, np.float64)
        layout, Y = self._layout(T.shape, Y)
        p = _spread(p, T.shape, "p")
        return T, p, Y, layout

    def rates(self, T: ArrayLike, p: ArrayLike, Y: ArrayLike) -> tuple[
            NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """dT/dt [...] [K/s], dY/dt [..., species] [1/s] and molar production rates
        [..., species] [kmol/(m^3 s)] of states as in `integrate`; the memory is as that of Y."""
        T, p, Y, layout = self._states(T, p, Y)
        dT, dY, wdot = np.empty_like(T), np.empty_like(Y), np.empty_like(Y)
        check(lib.kb_rates(self._handle(layout), T.size, *map(_pointer, (T, p, Y, dT, dY, wdot))))
        return dT, dY, wdot

    def properties(self, T: ArrayLike, p: ArrayLike, Y: ArrayLike) -> tuple[
            NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Density [...] [kg/m^3], enthalpy [...] [J/kg] and cp [...] [J/(kg K)]."""
        T, p, Y, layout = self._states(T, p, Y)
        found = np.empty_like(T), np.empty_like(T), np.empty_like(T)
        check(lib.kb_properties(self._handle(layout), T.size, *map(_pointer, (T, p, Y, *found))))
        return found

    def jacobian(self, T: ArrayLike, p: ArrayLike, Y: ArrayLike) -> NDArray[np.float64]:
        """J [..., N, N], N = species + 1: J[i, j] = d(dy_i/dt)/dy_j of y = (T, Y), at constant
        pressure, or at constant density."""
        T, p, Y, layout = self._states(T, p, Y)
        J = np.empty(T.shape + (Y.shape[-1] + 1,) * 2)
        check(lib.kb_jacobian(self._handle(layout), T.size, *map(_pointer, (T, p, Y, J))))
        return J

    def __repr__(self) -> str:
        return f"<kinbench.Integrator {self.method} of {self.mechanism.name}>"
