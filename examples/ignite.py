#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The mixtures of ignite.c in Python, by ctypes and numpy: no build step.

    python3 ignite.py [mechanism]

The library is KINBENCH_LIBRARY of the environment, or libkinbench.so.1 where the loader finds it.
"""
import ctypes
import os
import sys

import numpy as np

DOUBLES = np.ctypeslib.ndpointer(np.float64, flags=("C_CONTIGUOUS", "WRITEABLE"))
INTS = np.ctypeslib.ndpointer(np.int32, flags=("C_CONTIGUOUS", "WRITEABLE"))
KB_CONSTANT_PRESSURE, KB_CONSTANT_VOLUME = 0, 1


class Kinbench:
    """The functions of kinbench.h; a failure is a RuntimeError."""

    def __init__(self, path):
        lib = ctypes.CDLL(path)
        lib.kb_last_error.restype = ctypes.c_char_p
        lib.kb_integrator_create.argtypes = [
            ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_double, ctypes.c_double,
            ctypes.c_int, ctypes.POINTER(ctypes.c_void_p)]
        lib.kb_integrate.argtypes = [ctypes.c_void_p, ctypes.c_long, DOUBLES, DOUBLES, DOUBLES,
                                     ctypes.c_double, INTS, ctypes.c_void_p]
        lib.kb_mechanism_find_species.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        for name in ("kb_mechanism_species", "kb_mechanism_close", "kb_integrator_free"):
            getattr(lib, name).argtypes = [ctypes.c_void_p]
        self.lib = lib

    def check(self, code):
        if code:
            raise RuntimeError(self.lib.kb_last_error().decode())

    def open(self, name):
        m = ctypes.c_void_p()
        self.check(self.lib.kb_mechanism_open(name.encode(), ctypes.byref(m)))
        return m

    def create(self, m, method, engine, rtol, atol, reactor):
        it = ctypes.c_void_p()
        self.check(self.lib.kb_integrator_create(m, method.encode(), engine.encode(), rtol, atol,
                                                 reactor, ctypes.byref(it)))
        return it

    def integrate(self, it, T, p, Y, dt):
        status = np.zeros(len(T), np.int32)
        self.check(self.lib.kb_integrate(it, len(T), T, p, Y, dt, status, None))

    def find(self, m, species):
        return self.lib.kb_mechanism_find_species(m, species.encode())


def main():
    kb = Kinbench(os.environ.get("KINBENCH_LIBRARY", "libkinbench.so.1"))
    m = kb.open(sys.argv[1] if len(sys.argv) > 1 else "h2")
    it = kb.create(m, "rodas4", "cpu-simd", 1e-6, 1e-12, KB_CONSTANT_PRESSURE)
    T = 1000 + 50 * np.arange(8.0)
    p = np.full(8, 101325.0)
    Y = np.zeros((8, kb.lib.kb_mechanism_species(m)))
    for species, fraction in (("H2", 0.0285), ("O2", 0.2264), ("N2", 0.7451)):
        Y[:, kb.find(m, species)] = fraction
    begin = T.copy()
    for _ in range(20):
        kb.integrate(it, T, p, Y, 1e-5)
    for first, last, water in zip(begin, T, Y[:, kb.find(m, "H2O")]):
        print(f"{first:6.0f} K becomes {last:.6f} K, Y_H2O = {water:.8f}")
    kb.lib.kb_integrator_free(it)
    kb.lib.kb_mechanism_close(m)


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:
        sys.exit(f"ignite: {error}")
