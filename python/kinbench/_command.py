# SPDX-License-Identifier: MIT
"""The command kinbench: the programs of the wheel, or of the clone."""
import os
import sys

from ._library import FOLDER, TREE

FILES = os.path.join(FOLDER, "files")
# what the levels of x86-64 need, of the words of /proc/cpuinfo
LEVELS = {"v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
          "v3": {"avx2", "fma", "bmi2"}, "v2": set(), "": set()}


def _engines():
    """The engines of any mechanism, of the highest level that this processor runs; or None."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="ignore") as file:
            flags = set(next((line for line in file if line.startswith("flags")), "").split())
    except OSError:
        flags = set()
    for level, needed in LEVELS.items():
        path = os.path.join(FILES, "lib", "kinbench", "any", level, "solvers.so")
        if needed <= flags and os.path.isfile(path):
            return path
    return None


def main() -> None:
    engines = _engines()
    if engines:
        os.environ.setdefault("KB_ANY", engines)
    for folder in (os.path.join(FILES, "bin"), os.path.join(TREE, "build")):
        program = os.path.join(folder, "kinbench")
        if os.access(program, os.X_OK):
            os.execv(program, ["kinbench", *sys.argv[1:]])
    sys.exit(f"kinbench: no programs in {FOLDER} (`make tools` in the source tree builds them)")
