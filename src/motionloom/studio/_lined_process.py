"""A process that works for the studio, and the line to it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from motionloom.processes import undisturbed


class LinedProcess(NamedTuple):
    """A process, deaf to Ctrl-C (who started it ends it), and this side's end of the line to it."""

    process: BaseProcess
    line: Connection


def start_process(work: Callable[..., None], *args: Any, name: str) -> LinedProcess:
    """Start a process.

    Parameters
    ----------
    work : callable
        What it does; called with its end of the line, then with `args`.
    *args : any
        Can be pickled.
    name : str
        Of the process.

    Returns
    -------
    LinedProcess
    """
    context = multiprocessing.get_context("spawn")
    line, other = context.Pipe()
    process = context.Process(target=work, args=(other, *args), daemon=True, name=name)
    with undisturbed():
        process.start()
    other.close()  # or nobody would hear that the process has ended
    return LinedProcess(process, line)
