"""Known frames in, a motion without gaps out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.io.result import Learned, Result
from motionloom.motion import Motion
from motionloom.progress import as_warning, warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.gaps import fill_pieces

if TYPE_CHECKING:
    from motionloom.inbetween import InbetweenModel


@dataclass(frozen=True)
class _Told:
    """What `fill_pieces` is told."""

    frames: int | None
    times: Path | Sequence[float] | None
    model: Any
    method: str | None
    speed: Path | None
    variants: int
    slide: bool
    roles: None = None


def inbetween(
    pieces: Sequence[Motion | str | PathLike[str]],
    *,
    frames: int | None = None,
    times: Sequence[float] | str | PathLike[str] | None = None,
    model: InbetweenModel | Learned | str | PathLike[str] | None = None,
    method: str | None = None,
    speed: str | PathLike[str] | None = None,
    variants: int = 1,
    slide: bool = False,
) -> Result:
    """Fill the gaps between key poses or clips; known frames stay as they are.

    Parameters
    ----------
    pieces : sequence of Motion, str or path-like
        Known frames in order, two at least: what is loaded, ``FILE``, ``FILE:FRAME`` or
        ``FILE:FIRST-LAST``.
    frames : int, optional
        Missing frames in each gap; either this or `times`.
    times : sequence of float, or path-like, optional
        When each piece begins, seconds, or a YAML list of that.
    model : InbetweenModel or path-like, optional
        What `motionloom inbetween fit` has learned.
    method : str, optional
        ``"hold"``, ``"slerp"`` or ``"velocity"``; with a model ``"kernel"``, ``"nearest"`` or
        ``"phase"``. The best there is when not given.
    speed : path-like, optional
        YAML of speeds of segments, matched by phase; needs a model.
    variants : int
        Most different answers.
    slide : bool
        Leave the feet as they come, without locking them.

    Returns
    -------
    Result
        Of the best answer; `details` has all of them, best first.

    Raises
    ------
    InvalidInputError
        When there are not two pieces, a file has no such frames, or times are not in order.
    FormatError
        When a file cannot be read.

    Examples
    --------
    >>> walk = ml.load(demo / "clips/walk_1.1.bvh")
    >>> result = ml.inbetween([walk[:20], walk[35:60]], frames=15)
    >>> result.report.method, result.motion.n_frames
    ('velocity', 60)
    """
    known = [one if isinstance(one, Motion) else fspath(one) for one in pieces]
    told = _Told(
        frames=frames,
        times=Path(times) if isinstance(times, (str, PathLike)) else times,
        model=model,
        method=method,
        speed=None if speed is None else Path(speed),
        variants=variants,
        slide=slide,
    )
    answer = fill_pieces(known, told, told, ReadOptions())
    warn_about(answer.warnings, as_warning)
    best = answer.filled[0]
    return Result({best.motion.name or "filled": best.motion}, best, answer.filled)
