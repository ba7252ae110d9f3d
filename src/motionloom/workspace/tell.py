"""What is said besides results: one line at a time, to whoever listens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from motionloom.clips.labels import Label

#: Takes a line for people.
Tell = Callable[[str], None]


def quiet(message: str) -> None:
    """Say nothing."""


def tell_skipped(files: Sequence[Path], tell: Tell) -> None:
    """Say which files in folders are no motions, if any."""
    if not files:
        return
    what = (
        "1 file that is no motion" if len(files) == 1 else f"{len(files)} files that are no motions"
    )
    tell(f"left out {what} of a skeleton, {'' if len(files) == 1 else 'such as '}{files[0]}")


def warn(messages: Iterable[str], tell: Tell, most: int = 20) -> None:
    """Tell warnings, at most `most` of them."""
    messages = list(messages)
    for message in messages[:most]:
        tell(f"warning: {message}")
    if len(messages) > most:
        tell(f"warning: and {len(messages) - most} more")


def warn_about(found: Iterable[tuple[str, str]], tell: Tell) -> None:
    """Tell warnings of files, each text once with the first file and how many more it holds for.

    Parameters
    ----------
    found : iterable of (str, str)
        File and what was guessed or mended.
    tell : callable
        Takes each line.
    """
    files: dict[str, list[str]] = {}
    for path, text in found:
        files.setdefault(text, []).append(path)
    warn((f"{paths[0]}{_and_more(len(paths) - 1)}: {text}" for text, paths in files.items()), tell)


def warn_unused(path: Path, labels: Sequence[Label], names: Sequence[str], tell: Tell) -> None:
    """Warn of the names and patterns of a labels file that are for none of some clips."""
    from motionloom.clips.labels import find_unused

    warn((f"{path}: no clip is called {name!r}" for name in find_unused(labels, names)), tell)


def _and_more(files: int) -> str:
    return f" and {files} more file{'s' if files > 1 else ''}" if files else ""
