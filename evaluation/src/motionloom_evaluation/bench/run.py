"""How a benchmark is run: its captures, one core, times, and figures as JSON."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.io import load_motion
from motionloom.motion import Motion

#: Captures beside the clone that the package is installed from (``pip install -e``).
DATA = Path(__file__).resolve().parents[5] / "shared" / "data"
#: Frames per second of searches and synthesis.
FPS = 30.0
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def make_parser(text: str, *, json: bool = True) -> ArgumentParser:
    """Return a parser of the options of a benchmark.

    Parameters
    ----------
    text : str
        The script's docstring; its first paragraph is the help.
    json : bool
        Whether there is an option ``--json`` (see `write_json`).
    """
    parser = ArgumentParser(description=text.split("\n\n")[0])
    if json:
        parser.add_argument("--json", type=Path, help="where the figures go")
    return parser


def start(parser: ArgumentParser, *, captures: bool = True) -> Namespace:
    """Read the options, then go on with one thread for every library.

    The script is started again where libraries would use several threads.

    Parameters
    ----------
    parser : ArgumentParser
        Options of the script.
    captures : bool
        Whether the script ends when there is no folder `DATA`.
    """
    options = parser.parse_args()
    if captures and not DATA.is_dir():
        sys.exit(f"the captures are not at {DATA}")
    one = dict.fromkeys(_THREADS, "1")
    if any(os.environ.get(name) != value for name, value in one.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **one})
    return options


def load_captures(*patterns: str) -> list[Motion]:
    """Read the files of `DATA` that match any of some patterns, in order of their names."""
    files = {path for pattern in patterns for path in DATA.glob(pattern)}
    return [load_motion(path) for path in sorted(files)]


def cpu_times(call: Callable[[], object], rounds: int, each: int = 1) -> NDArray[np.float64]:
    """Processor seconds of a call in several rounds, after a first call that compiles.

    Parameters
    ----------
    call : callable
        What is timed.
    rounds : int
        Number of times.
    each : int
        Calls of a round, whose mean is taken.
    """
    call()
    times = np.empty(rounds)
    for i in range(rounds):
        began = process_time()
        for _ in range(each):
            call()
        times[i] = (process_time() - began) / each
    return times


def write_json(path: Path | None, data: Any) -> None:
    """Write figures where a place is given."""
    if path is not None:
        path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
