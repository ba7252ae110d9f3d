"""Known frames in, a motion without gaps out."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.errors import InvalidInputError
from motionloom.io.result import Learned, Result, model_of
from motionloom.motion import Motion
from motionloom.progress import as_warning, warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.gaps import place_pieces, read_pieces

if TYPE_CHECKING:
    from motionloom.inbetween import InbetweenModel


def inbetween(
    pieces: Sequence[Motion | str | PathLike[str]],
    *,
    frames: int | None = None,
    times: Sequence[float] | str | PathLike[str] | None = None,
    model: InbetweenModel | Learned | str | PathLike[str] | None = None,
    method: str | None = None,
    speeds: str | PathLike[str] | None = None,
    alternatives: int = 1,
    slide: bool = False,
    **reading: Any,
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
    speeds : path-like, optional
        YAML of speeds of segments, matched by phase; needs a model.
    alternatives : int
        Most different answers.
    slide : bool
        Leave the feet as they come, without locking them.
    **reading
        Fields of `motionloom.reading.ReadOptions`: `roles`, `only`, `without`, `unit` ...

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
    from motionloom.inbetween import (
        FillOptions,
        InbetweenModel,
        fill_gaps,
        load_inbetween,
        make_filler,
    )

    learned = None if model is None else model_of(model, load_inbetween, InbetweenModel)
    if speeds is not None and learned is None:
        raise InvalidInputError("speeds are matched with a model; name one", hint="give model")
    named = [one if isinstance(one, Motion) else fspath(one) for one in pieces]
    options = ReadOptions(**reading)
    motions = read_pieces(named, options)
    when = Path(times) if isinstance(times, (str, PathLike)) else times
    known = place_pieces(motions, frames, when)
    how = FillOptions(count=alternatives)
    if slide:
        how = FillOptions(count=alternatives, footlock=None)
    roles = options.read_roles(motions[0].skeleton)
    filled = fill_gaps(known, make_filler(method, learned, speeds), learned, how, roles)
    warn_about(
        dict.fromkeys((m.source.path, text) for m in motions for text in m.source.warnings),
        as_warning,
    )
    return Result({filled[0].motion.name or "filled": filled[0].motion}, filled[0], filled)
