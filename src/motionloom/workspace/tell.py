"""What is said besides results: one line at a time, to whoever listens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.progress import Tell, warn

if TYPE_CHECKING:
    from motionloom.clips.labels import Label


def warn_unused(path: Path, labels: Sequence[Label], names: Sequence[str], tell: Tell) -> None:
    """Warn of the names and patterns of a labels file that are for none of some clips.

    Parameters
    ----------
    path : Path
        The labels file, as the lines name it.
    labels : sequence of Label
        Its rows.
    names : sequence of str
        Names of the clips.
    tell : callable
        Takes each line.
    """
    from motionloom.clips.labels import find_unused

    warn((f"{path}: no clip is called {name!r}" for name in find_unused(labels, names)), tell)
