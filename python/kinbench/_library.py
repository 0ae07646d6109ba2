# SPDX-License-Identifier: MIT
"""libkinbench by ctypes: where it is, its functions (library/kinbench.h), its errors."""
import ctypes
import glob
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_long, c_void_p

FOLDER = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(FOLDER))  # of the sources, if this is a clone

CODES = ARGUMENT, DEVICE, MEMORY = 2, 3, 4
ODES = 1

class FlowStep(ctypes.Structure):
    """kb_flow_step"""

    _fields_ = [("size", ctypes.c_size_t)] + [
        (name, c_int if name == "keep" else c_void_p) for name in (
            "enthalpy", "density", "energy", "Y_arrays", "keep", "dt", "substep", "next_substep",
            "RR", "RR_arrays", "cost", "status", "work", "forcing_T", "forcing_Y")]


FUNCTIONS = {
    "kb_library_version": (c_char_p,),
    "kb_last_error": (c_char_p,),
    "kb_status_text": (c_char_p, c_int),
    "kb_mechanism_open": (c_int, c_char_p, POINTER(c_void_p)),
    "kb_mechanism_close": (None, c_void_p),
    "kb_mechanism_name": (c_char_p, c_void_p),
    "kb_mechanism_species": (c_int, c_void_p),
    "kb_mechanism_species_name": (c_char_p, c_void_p, c_int),
    "kb_mechanism_weight": (c_double, c_void_p, c_int),
    "kb_mechanism_solver": (c_int, c_void_p, c_int, POINTER(c_char_p), POINTER(c_char_p)),
    "kb_integrator_create": (c_int, c_void_p, c_char_p, c_char_p, c_double, c_double, c_int,
                             POINTER(c_void_p)),
    "kb_integrator_free": (None, c_void_p),
    "kb_integrator_set": (c_int, c_void_p, c_char_p, c_double),
    "kb_integrate": (c_int, c_void_p, c_long, c_void_p, c_void_p, c_void_p, c_double, c_void_p,
                     c_void_p),
    "kb_integrate_step": (c_int, c_void_p, c_long, c_void_p, c_void_p, c_void_p, c_double,
                          POINTER(FlowStep)),
    "kb_properties": (c_int, c_void_p, c_long, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,
                      c_void_p),
    "kb_rates": (c_int, c_void_p, c_long, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,
                 c_void_p),
    "kb_jacobian": (c_int, c_void_p, c_long, c_void_p, c_void_p, c_void_p, c_void_p),
}


class Error(RuntimeError):
    """A function of libkinbench failed; the text is the library's."""


class ArgumentError(Error, ValueError):
    """A wrong argument, name or file. Nothing was changed."""


class DeviceError(Error):
    """No such engine here, no GPU, or CUDA failed. Nothing was changed."""


class OutOfMemoryError(Error, MemoryError):
    """Nothing was changed."""


class OdeError(Error):
    """Single ODEs failed and keep their initial states; all others are done.

    work: the array that the call would have returned; work["status"] is 0 where an ODE is done.
    """

    def __init__(self, text, work):
        super().__init__(text)
        self.work = work


ERRORS = {ARGUMENT: ArgumentError, DEVICE: DeviceError, MEMORY: OutOfMemoryError}


def _find():
    """KINBENCH_LIBRARY of the environment, the library of the wheel, or that of a clone."""
    given = os.environ.get("KINBENCH_LIBRARY")
    if given:
        return given
    for folder in (os.path.join(FOLDER, "files", "lib"), os.path.join(TREE, "build")):
        for path in glob.glob(os.path.join(glob.escape(folder), "libkinbench.so.?")):
            return path
    raise ImportError(f"kinbench: no libkinbench.so in {FOLDER} (`pip install .` or `make library "
                      "any` in the source tree builds it; KINBENCH_LIBRARY names another)")


def _load():
    try:
        lib = ctypes.CDLL(_find())
    except OSError as error:
        raise ImportError(f"kinbench: {error}") from None
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


lib = _load()


def check(code):
    """Raises what a code other than 0 stands for."""
    if code:
        raise ERRORS.get(code, Error)(lib.kb_last_error().decode())


def text(name):
    """A name as the library takes it; what stands behind a NUL character would be lost."""
    name = os.fsencode(name)
    if b"\0" in name:
        raise ValueError(f"{name!r}: a NUL character")
    return name


def shipped(name):
    """The file of a mechanism that comes along, or None."""
    for folder in (os.path.join(FOLDER, "files"), TREE):
        path = os.path.join(folder, "datasets", "mechanisms", f"{name}.yaml")
        if os.path.isfile(path):
            return path
    return None
