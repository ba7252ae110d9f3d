"""Pieces of clips made into one continuous motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.pieces import GraphWalk
from motionloom.edit.blend import cross_fade
from motionloom.edit.displacement import spread_jumps, spread_pace, spread_speeds
from motionloom.edit.inertialize import inertialize
from motionloom.errors import InvalidInputError
from motionloom.graph.joining.lay import LaidPath, lay_overlaps
from motionloom.kinematics import chain_kinematics
from motionloom.motion import GroundTransform, Motion
from motionloom.options import check_options, option_field
from motionloom.typing import Array

#: How long each method takes beside a seam by itself, seconds.
SPANS = {"displacement": 0.5, "crossfade": 0.3, "inertialize": 0.4}
#: Two pieces are compared in pace over this time before a seam and after it, seconds.
PACE_TIME = 0.2


@dataclass(frozen=True)
class JoinOptions:
    """How pieces are joined.

    Parameters
    ----------
    method : str
        ``"displacement"`` spreads each jump, of pose and of pace, over the frames around it (Arikan
        & Forsyth 2002),
        ``"crossfade"`` plays both clips around it, aligned in time, and fades from one to the
        other, ``"inertialize"`` lets the jump and the change of speed die away after it.
    span : float or None, seconds
        Time on both sides of a seam that this takes (for ``"inertialize"`` after it); None for the
        method's own, `SPANS`.

    Raises
    ------
    InvalidInputError
        For an unknown method.
    """

    method: str = option_field(
        "displacement", "How pieces are joined.", unit="METHOD", choices=SPANS, name="blend"
    )
    span: float | None = None

    def __post_init__(self) -> None:
        check_options(self)


def join_pieces(
    sources: AnalysedClips,
    path: GraphWalk,
    start: GroundTransform | None,
    laid: LaidPath,
    options: JoinOptions | None = None,
    keep: Sequence[int] = (),
) -> Motion:
    """Make one continuous motion of the pieces of a laid path.

    Parameters
    ----------
    sources : AnalysedClips
        The clips that the path is through.
    path : GraphWalk
        Its pieces; ``"crossfade"`` also plays what follows and precedes them in the clips.
    start : GroundTransform or None
        Where the first piece is laid down.
    laid : LaidPath
        What `lay_path` made of them.
    options : JoinOptions, optional
        The method, and how long it takes beside a seam.
    keep : sequence of int
        Frames whose poses must not change.

    Returns
    -------
    Motion
        With as many frames as the path.

    Raises
    ------
    InvalidInputError
        When frames are to be kept by a method that cannot keep them.
    """
    options = options or JoinOptions()
    if len(keep) and options.method != "displacement":
        raise InvalidInputError(
            f"poses asked for exactly need the method 'displacement', not {options.method!r}"
        )
    span = SPANS[options.method] if options.span is None else options.span
    if options.method == "crossfade":
        return cross_fade(laid.motion, lay_overlaps(sources, path, start, span))
    if options.method == "inertialize":
        return inertialize(laid.motion, laid.seams, span)
    frames = [seam.frame for seam in laid.seams]
    joined = spread_jumps(laid.motion, laid.seams, span, 0.0, keep)
    joined = spread_pace(joined, frames, _pace_changes(sources, path, start), span, keep)
    return spread_speeds(joined, frames, keep=keep)


def _pace_changes(sources: AnalysedClips, path: GraphWalk, start: GroundTransform | None) -> Array:
    """By how much the body's velocity changes at every seam, shape (S, 3), metres per second.

    That of the piece after less that of the piece before at the same time: within a step it varies
    more than from piece to piece.
    """
    root = sources.clip_set.motions[0].root_joint
    changes = [
        _velocity(overlap.after, root) - _velocity(overlap.before, root)
        for overlap in lay_overlaps(sources, path, start, PACE_TIME)
    ]
    return np.array(changes).reshape(-1, 3)


def _velocity(motion: Motion, root: int) -> Array:
    """Mean velocity of the body, metres per second; 0 for a single frame."""
    places = chain_kinematics(motion, root).positions[:, -1]
    mean: Array = (places[-1] - places[0]) / max(len(places) - 1, 1) * motion.fps
    return mean
