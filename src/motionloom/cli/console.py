"""What the command line says besides results: warnings, and progress bars where a person is watching."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from motionloom.progress import Progress, silent


def say(message: str) -> None:
    """Print a line for people, on standard error so that results can be piped; nobody need take it."""
    with suppress(OSError):
        print(message, file=sys.stderr)


def exit_code_of(problems: Iterable[str]) -> int:
    """Say what was not met; the exit code of a command that made a result all the same."""
    problems = list(problems)
    for problem in problems:
        say(f"not met: {problem}")
    return 1 if problems else 0


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Progress that draws one bar per stage on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True)) as bars:
        stages: dict[str, TaskID] = {}

        def report(stage: str, done: float, total: float) -> None:
            if stage not in stages:
                stages[stage] = bars.add_task(stage, total=total)
            bars.update(stages[stage], completed=done, total=total)

        yield report
