"""What every evaluation does with its report: into a file where one is asked for, and shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Protocol

from motionloom.cli.console import say
from motionloom.workspace.writing import Writer, save_report


class Report(Protocol):
    """What can be read by people and by programs."""

    def to_text(self) -> str:
        """For people."""

    def to_json(self) -> str:
        """For programs."""


def give_report(report: Report, output: Path | None, *, as_json: bool, force: bool) -> None:
    """Write a report to a file where one is asked for, and print it.

    Parameters
    ----------
    report : Report
        What was measured.
    output : Path, optional
        Where it is written.
    as_json : bool
        Whether data are printed in place of text.
    force : bool
        Whether a file that is there is replaced whoever wrote it.

    Raises
    ------
    MotionloomError
        When the file cannot be written.
    """
    if output is not None:
        Writer(force, say).write(output, partial(save_report, report))
    text = report.to_json() if as_json else report.to_text()
    print(text.rstrip("\n"))
