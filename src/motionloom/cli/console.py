"""What the command line says besides results: warnings, and progress bars where a person is watching."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from motionloom.compiling import follow_compilation
from motionloom.io.written import note_written
from motionloom.progress import Progress, silent

#: Stage that is shown while functions are compiled.
_COMPILING = "compiling (first run)"


def say(message: str) -> None:
    """Print a line for people, on standard error so that results can be piped; nobody need take it."""
    with suppress(OSError):
        print(message, file=sys.stderr)


def tell_written(path: Path, more: str = "") -> None:
    """Say that a file was written, and record it, so that a later command knows it as its own."""
    note_written(path)
    say(f"wrote {path}{more}")


def tell_skipped(files: Sequence[Path]) -> None:
    """Say which files in folders are no motions, if any."""
    if files:
        what = "1 file that is no motion" if len(files) == 1 else f"{len(files)} files that are no motions"
        say(f"left out {what} of a skeleton, {'' if len(files) == 1 else 'such as '}{files[0]}")


def warn(messages: Iterable[str], most: int = 20) -> None:
    """Print warnings, at most `most` of them."""
    messages = list(messages)
    for message in messages[:most]:
        say(f"warning: {message}")
    if len(messages) > most:
        say(f"warning: and {len(messages) - most} more ('motionloom info' shows all)")


def warn_about(found: Iterable[tuple[str, str]]) -> None:
    """Print warnings of files, each text once with the first file and how many more it holds for.

    Parameters
    ----------
    found : iterable of (str, str)
        File and what was guessed or mended.
    """
    files: dict[str, list[str]] = {}
    for path, text in found:
        files.setdefault(text, []).append(path)
    warn(f"{paths[0]}{_and_more(len(paths) - 1)}: {text}" for text, paths in files.items())


def _and_more(files: int) -> str:
    return f" and {files} more file{'s' if files > 1 else ''}" if files else ""


def _say_once() -> Callable[[str], None]:
    """Function that says, the first time it is called, that something is being compiled, and where it is kept."""
    told: list[str] = []

    def tell(folder: str) -> None:
        if not told:
            told.append(folder)
            kept = f"; kept for later in {folder}" if folder else ""
            say(f"first run: compiling, up to half a minute{kept}")

    return tell


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Progress that draws one bar per stage on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        follow_compilation(_say_once(), lambda: None)
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
        say_once = _say_once()

        def compiling(folder: str) -> None:
            say_once(folder)
            if _COMPILING not in stages:
                stages[_COMPILING] = bars.add_task(_COMPILING, total=None)
            bars.update(stages[_COMPILING], completed=0, total=None)

        def compiled() -> None:
            bars.update(stages[_COMPILING], completed=1, total=1)

        follow_compilation(compiling, compiled)

        def report(stage: str, done: float, total: float) -> None:
            if stage not in stages:
                stages[stage] = bars.add_task(stage, total=total)
            bars.update(stages[stage], completed=done, total=total)

        yield report
