"""Small problems that between them run every compiled function, and what comes of each.

`test_plain.py` solves them with the compiler and, in a process of its own, without it: there every
kernel is the Python that it was written as, and so are those that it calls. Run as a script this
module is that process: it writes the results and the functions that were run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType

import numpy as np

import motionloom
import motionloom_evaluation
from kernels import (
    toys_fitting,
    toys_gaits,
    toys_graph,
    toys_motions,
    toys_poses,
    toys_robots,
)

#: One of the problems: given an empty folder, it returns numbers and arrays.
Toy = Callable[[Path], tuple]
SOURCES = [Path(package.__file__).parent for package in (motionloom, motionloom_evaluation)]


TOYS: dict[str, Toy] = {
    function.__name__: function
    for module in (
        toys_graph,
        toys_poses,
        toys_gaits,
        toys_motions,
        toys_fitting,
        toys_robots,
    )
    for function in module.TOYS
}


def solve_all(folder: Path) -> dict[str, list]:
    """What comes of every toy, as plain values."""
    return {name: solve(function, folder / name) for name, function in TOYS.items()}


def solve(function: Toy, folder: Path) -> list:
    """What comes of a toy, as arrays of numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_numbers(value) for value in function(folder)]


def _numbers(value) -> np.ndarray:
    value = np.asarray(value)
    if value.dtype.names:
        value = np.stack([value[name].astype(float) for name in value.dtype.names])
    return value.astype(float)


def functions_of(codes: set[CodeType]) -> list[tuple[str, str]]:
    """File within its package and name of each function of `SOURCES`."""
    return sorted(
        (Path(code.co_filename).relative_to(source).as_posix(), code.co_name)
        for source in SOURCES
        for code in codes
        if Path(code.co_filename).is_relative_to(source)
    )


def main(folder: Path) -> None:
    """Solve all toys without the compiler; write what came of it."""
    assert os.environ["NUMBA_DISABLE_JIT"] == "1"
    called: set[CodeType] = set()
    sys.settrace(lambda frame, event, arg: called.add(frame.f_code))  # of calls, not of lines
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        results = solve_all(folder)
    sys.settrace(None)
    arrays = {f"{name}/{k}": a for name, found in results.items() for k, a in enumerate(found)}
    np.savez(folder / "plain.npz", called=np.array(json.dumps(functions_of(called))), **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
