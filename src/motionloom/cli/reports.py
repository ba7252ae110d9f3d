"""What every evaluation does with its report: into a file where one is asked for, and shown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import say
from motionloom.workspace.writing import Report, Writer, format_report

ReportFile = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Save the report: .json, .md or text."),
]


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
        Writer(force, say).write_report(output, report)
    print(format_report(report, as_json), end="")
