# SPDX-License-Identifier: MIT
"""Results of bench as tables of pandas."""
from __future__ import annotations

import os
from typing import Any

# hashes and names that may look like numbers
TEXTS = ("run", "machine", "git", "mech", "mech_sha256", "database", "db_sha256", "solver")


def read_results(path: str | os.PathLike[str] = "results/latest", table: str = "cells") -> Any:
    """A table of bench as pandas.DataFrame: one row for each cell, with the columns that
    docs/results-format.md lists.

    path: the folder of a run, or a .csv file
    table: of a folder: "cells", "samples", "divergence", "timeline" ...
    """
    import pandas

    path = os.fspath(path)
    if os.path.isdir(path):
        path = os.path.join(path, f"{table}.csv")
    return pandas.read_csv(path, dtype=dict.fromkeys(TEXTS, str))
