"""What a command is: its options are fields, its work is `make`; `run` does everything else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from motionloom.cli._fields import PART, output, page, picture
from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.options import option_field, options_of
from motionloom.places import Place, tell_skipped
from motionloom.progress import Progress, told_to, warn
from motionloom.reports import Reported
from motionloom.workspace.writing import Writer, check_outputs, save_report


@dataclass(frozen=True, eq=False)
class Result:
    """What a command has made.

    Parameters
    ----------
    report : Reported, optional
        Printed, and saved where the user wants it; its problems make the exit status 1.
    files : mapping
        What writes a file, by the name of the command's field that has its path, or by the path.
    notes : sequence of str
        Warnings.
    text : str
        Printed in place of the text of the report.
    problems : iterable of str, optional
        In place of those of the report.
    code : int
        Least exit status, where some of several inputs were refused.
    """

    report: Reported | None = None
    files: Mapping[Any, Callable[[Path], object]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    text: str = ""
    problems: Iterable[str] | None = None
    code: int = 0


class Command:
    """A command of the command line; its docstring is the help, its fields are the options.

    `saved_to` is the field that says where the report is saved, if there is one.
    """

    saved_to: ClassVar[str] = "report"

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    def check(self) -> None:
        """Refuse options that make no sense together, before any file is looked at."""

    def inputs(self) -> Iterable[Path]:
        """Files that are read."""
        return files_in(self, "read")

    def outputs(self) -> Iterable[Path]:
        """Files that are written."""
        return files_in(self, "written")

    def values_of(self, *names: str) -> dict[str, Any]:
        """Options by name, for a function of the library that has parameters called so."""
        return {name: getattr(self, name) for name in names}

    def make(self, progress: Progress) -> Result | int:
        """Do the work; a command that writes and prints by itself returns the exit status."""
        raise NotImplementedError


class Writing(Command):
    """A command that writes files."""

    force: bool = option_field(
        False, "Replace files that motionloom did not write, or that were changed since."
    )


class Reporting(Writing):
    """A command that prints a report."""

    as_json: bool = option_field(False, "Print the report as JSON.", name="--json")


class Surveying(Reporting):
    """A command that makes nothing but a report."""

    saved_to: ClassVar[str] = "output"
    output: Path | None = output("Save the report: .json, .md or text.", "FILE", None)


class Saving(Reporting):
    """A command whose report stands beside what it makes."""

    report: Path | None = option_field(
        None, "Save the report: .json, .md or text.", unit="FILE", file="written"
    )


class Showing(Saving):
    """A command that makes a motion, with a report, a page and a picture."""

    html: Path | None = page()
    png: Path | None = picture()


def files_in(options: Any, how: str) -> list[Path]:
    """Files that the fields of a command, and of the parts of it, name.

    Parameters
    ----------
    options : dataclass instance
        The command.
    how : {"read", "written", "kept"}
        Which files are wanted.

    Returns
    -------
    list of Path
    """
    about = options_of(options)
    found: list[Path] = []
    for f in fields(options):
        value = getattr(options, f.name)
        if PART in f.metadata:
            found += files_in(value, how)
        elif f.name in about and about[f.name].file == how:
            found += _paths_in(value)
    return found


def _paths_in(value: object) -> list[Path]:
    """Paths in the value of an option: one, several, or with something else beside each."""
    if isinstance(value, Path):
        return [value]
    if isinstance(value, Place):
        return list(value.files)
    if isinstance(value, (tuple, list)):
        return [path for one in value for path in _paths_in(one)]
    return []


def run(command: Command) -> int:
    """Run a command: check its files, do its work, write, print, say how it ended.

    Parameters
    ----------
    command : Command
        With its options.

    Returns
    -------
    int
        0 done, 1 done but something was not met.

    Raises
    ------
    MotionloomError
        In one sentence, with nothing written where a file is in the way.
    """
    command.check()
    force = getattr(command, "force", False)
    check_outputs(command.outputs(), command.inputs(), force, files_in(command, "kept"))
    for place in [value for value in vars(command).values() if isinstance(value, Place)]:
        tell_skipped(place.skipped, say)
    with told_to(say), progress_bars() as progress:
        result = command.make(progress)
        if isinstance(result, int):
            return result
        files = dict(result.files)  # motions and models first, then the report, then pictures
        if result.report is not None:
            files[command.saved_to] = partial(save_report, result.report)
        Writer(force, say).write_all(files, vars(command))
    warn(result.notes, say)
    return _tell(command, result)


def _tell(command: Command, result: Result) -> int:
    """Print the report; the exit status."""
    text = result.text
    problems = result.problems
    is_shown = False
    if result.report is not None:
        as_json = getattr(command, "as_json", False)
        if as_json or not text:
            text = result.report.to_json() if as_json else result.report.to_text()
        if problems is None:
            problems = getattr(result.report, "problems", ())
        # A report says its problems, but nobody sees them in JSON or behind a pipe.
        is_shown = not as_json and sys.stdout.isatty()
    print(text, end="")
    return max(exit_code_of(problems or (), is_shown), result.code)
