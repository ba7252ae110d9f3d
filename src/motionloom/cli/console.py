"""What the command line says besides results: warnings, hints of errors, and progress bars."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from motionloom.compiling import follow_compilation
from motionloom.errors import Hint, MotionloomError
from motionloom.progress import Progress

#: Stage that is shown while functions are compiled.
_COMPILING = "compiling (first run)"
_FIRST = "first run: compiling, up to half a minute; kept for later below {folder}"
_EVERY = (
    "compiling, up to half a minute, as in every run: no folder to keep it in can be written to;"
    " NUMBA_CACHE_DIR names one"
)


#: Seconds between two lines of progress in a log.
EVERY = 10.0


#: Option or command that a hint stands for.
WORDS: dict[Hint, str] = {
    "add to library": "motionloom library add",
    "build graph": "motionloom graph build",
    "build graph anew": "motionloom graph build --force",
    "build graph mirrored": "motionloom graph build --mirror",
    "correct on ground": "motionloom synthesize --physics",
    "create library": "motionloom library create",
    "edit clip": "motionloom edit",
    "fit partial": "motionloom fit --partial fits the rest",
    "force": "--force",
    "give clips": "motionloom shot make --library LIB",
    "give costs": "--costs FILE.py",
    "give height": "motionloom physics report | correct --height METRES",
    "give labels": "--labels FILE",
    "give marker table": "motionloom fit --markers TABLE",
    "give marker unit": "motionloom fit --unit UNIT",
    "give mass": "motionloom physics report | correct --mass KILOGRAMS",
    "give model": "motionloom inbetween fill --model FILE",
    "give times": "motionloom inbetween fill --frames N | --times FILE",
    "make motion": "motionloom synthesize",
    "make pose": "motionloom pose",
    "repair library": "motionloom library check --repair",
    "retarget": "motionloom retarget --to CLIP",
    "retarget into library": "motionloom library add --retarget",
    "start": "motionloom pose --start FILE:FRAME",
    "trust paths": "--trust-paths",
}


def sentence_of(error: MotionloomError) -> str:
    """What the command line says of an error."""
    return str(error) if error.hint is None else f"{error} ({WORDS[error.hint]})"


def refusal_of(paths: Sequence[str], error: MotionloomError) -> str:
    """What the command line says of files that it goes on without; the first three are named."""
    more = "" if len(paths) <= 3 else f" and {len(paths) - 3} more"
    named = f"{', '.join(paths[:3])}{more}: " if paths else ""
    return f"motionloom: {named}{sentence_of(error)}"


def say(message: str) -> None:
    """Print a line for people, on standard error so that results can be piped; it may be closed."""
    with suppress(OSError):
        print(message, file=sys.stderr)


def exit_code_of(problems: Iterable[str], is_shown: bool = False) -> int:
    """Say what was not met, unless it is shown; the exit code of a command that made a result."""
    problems = list(problems)
    for problem in problems if not is_shown else ():
        say(f"not met: {problem}")
    return 1 if problems else 0


class LoggedProgress:
    """Progress as lines of a log, at most one in so many seconds; none for a short run.

    Parameters
    ----------
    clock : callable
        Seconds since any moment.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun = clock()
        self._next = self._begun + EVERY

    def __call__(self, stage: str, done: float, total: float) -> None:
        """Say what is done, how far it is, and since when the command runs."""
        now = self._clock()
        if now < self._next:
            return
        self._next = now + EVERY
        share = f"{100 * done / total:.0f} %, " if total > 0 else ""
        say(f"{stage}: {share}{now - self._begun:.0f} s so far")


@contextmanager
def saying_what_compiles() -> Iterator[None]:
    """Say once, and only when something has to be compiled, that it is, and where it is kept."""
    said: list[str] = []

    def begin(folder: str) -> None:
        if not said:
            said.append(_FIRST.format(folder=folder) if folder else _EVERY)
            say(said[0])

    with follow_compilation(begin, lambda: None):
        yield


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Progress on standard error: one bar per stage on a terminal, lines now and then in a log."""
    if not sys.stderr.isatty():
        yield LoggedProgress()
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

        def compiling(folder: str) -> None:
            if _COMPILING not in stages:
                stages[_COMPILING] = bars.add_task(_COMPILING, total=None)
            bars.update(stages[_COMPILING], completed=0, total=None)

        def compiled() -> None:
            bars.update(stages[_COMPILING], completed=1, total=1)

        def report(stage: str, done: float, total: float) -> None:
            if stage not in stages:
                stages[stage] = bars.add_task(stage, total=total)
            bars.update(stages[stage], completed=done, total=total)

        with follow_compilation(compiling, compiled):
            yield report
