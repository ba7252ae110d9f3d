"""Which captured frames a woven motion shows, and where its seams are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.errors import FormatError
from motionloom.io.files import read_text

#: Names of report files that are looked for beside a motion; ``{}`` is the motion's own name.
REPORT_NAMES = ("{}.json", "{}.report.json", "{}-report.json", "{}_report.json", "report.json")
#: Suffixes of motions that synthesis writes.
_MOTIONS = (".bvh", ".glb", ".amc", ".fbx", ".usda")


@dataclass(frozen=True)
class SourcePiece:
    """Frames ``start <= i < stop`` of one clip, at the frame rate of the woven motion.

    Parameters
    ----------
    clip : str
    start, stop : int
    frames : int, optional
        Frames of the woven motion that show them; as many when not given. Fewer or more where the
        pace of the clip was changed.
    """

    clip: str
    start: int
    stop: int
    frames: int | None = None

    @property
    def n_shown(self) -> int:
        """Number of frames of the woven motion that show it."""
        return self.stop - self.start if self.frames is None else self.frames

    def source_of(self, frame: float) -> int:
        """Frame of the clip that is shown so many frames after the piece begins."""
        return self.start + round(frame * (self.stop - self.start) / self.n_shown)


@dataclass(frozen=True)
class Provenance:
    """What a woven motion is made of.

    Parameters
    ----------
    fps : float
        Frames per second of the motion and of its pieces.
    pieces : tuple of SourcePiece
        In order.
    """

    fps: float
    pieces: tuple[SourcePiece, ...]

    @property
    def begins(self) -> tuple[int, ...]:
        """Frame of the motion at which each piece begins, and the number of frames."""
        return tuple(accumulate((p.n_shown for p in self.pieces), initial=0))

    @property
    def seams(self) -> tuple[int, ...]:
        """Frames of the motion at which a new piece begins, the first piece excepted."""
        return self.begins[1:-1]

    @property
    def n_frames(self) -> int:
        """Number of frames of the motion."""
        return self.begins[-1]

    def pieces_of(self, frames: NDArray[np.int64]) -> NDArray[np.int64]:
        """Piece that each frame of the motion shows."""
        return np.searchsorted(self.begins, frames, side="right") - 1


def parse_provenance(report: Mapping[str, Any]) -> Provenance | None:
    """What a report says about the pieces of its motion.

    Parameters
    ----------
    report : mapping
        As ``SynthesisReport.to_dict`` gives it.

    Returns
    -------
    Provenance or None
        None where the report names no pieces.
    """
    try:
        pieces = tuple(
            SourcePiece(
                str(p["clip"]),
                int(p["start"]),
                int(p["stop"]),
                int(p["frames"]) if "frames" in p else None,
            )
            for p in report["pieces"]
        )
        fps = float(report["fps"])
    except (KeyError, TypeError, ValueError):
        return None
    if (
        not pieces
        or fps <= 0
        or any(p.start < 0 or p.stop <= p.start or p.n_shown < 1 for p in pieces)
    ):
        return None
    return Provenance(fps, pieces)


def read_provenance(path: str | PathLike[str]) -> Provenance | None:
    """What a report file says about the pieces of its motion.

    Parameters
    ----------
    path : path-like
        A report that was saved as JSON.

    Returns
    -------
    Provenance or None
        None where the file is no such report.
    """
    try:
        report = json.loads(read_text(path))
    except (FormatError, ValueError, RecursionError):
        return None
    return parse_provenance(report) if isinstance(report, dict) else None


def find_provenance(motion: str | PathLike[str], n_frames: int, fps: float) -> Provenance | None:
    """Look for the report of a motion beside its file.

    Parameters
    ----------
    motion : path-like
        The motion's file.
    n_frames : int
        Of the motion; a report of another length is another motion's.
    fps : float
        Frames per second of the motion; a report of another rate is another motion's.

    Returns
    -------
    Provenance or None
        Of the first of `REPORT_NAMES` that fits. One without the motion's name counts only where
        there is no other motion in the folder.
    """
    path = Path(motion)
    for name in REPORT_NAMES:
        place = path.with_name(name.format(path.stem))
        shared = "{}" not in name and not _is_alone(path)
        found = read_provenance(place) if place.is_file() and not shared else None
        if found and found.n_frames == n_frames and abs(found.fps / fps - 1) < 1e-3:
            return found
    return None


def _is_alone(path: Path) -> bool:
    others = (p for p in path.parent.iterdir() if p.suffix.lower() in _MOTIONS)
    return all(p.stem == path.stem for p in others)
