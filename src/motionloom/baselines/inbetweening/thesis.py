"""The thesis' test of motion through phase spaces (Ferrydiansyah 2011, tables 5-2 and 5-3).

Pieces of captures in which a segment begins slowly, is fastest half way and ends slowly are made
again from their first and last pose, and compared by the distance of the joints' angles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.baselines.natural_spaces.statistics import PairedTest, compare_paired
from motionloom.inbetween.gaps import CONTEXT, Gaps, Track
from motionloom.inbetween.model import InbetweenModel
from motionloom.inbetween.phase_space import Ends, PhaseSpace, solve_phase_motion
from motionloom.inbetween.rig import Rig
from motionloom.inbetween.speed import quadratic_speeds, total_speeds

Array = NDArray[np.float64]

#: Segments that are compared: the thesis' names are right hand and right foot.
SEGMENTS = ("right_arm", "right_leg")
#: Missing frames of a piece.
LENGTHS = (14, 22, 30, 40)
#: Methods in the order of the table.
METHODS = ("interpolation", "phase space", "with speeds", "kernel")
#: The thesis' mean distances, degrees, for the first three methods.
THESIS = {"right_arm": (19.6, 20.4, 18.9), "right_leg": (13.7, 28.7, 9.9)}
#: Frames from one piece that is looked at to the next.
_STEP = 7


@dataclass(frozen=True)
class ThesisRow:
    """One segment.

    Parameters
    ----------
    segment : str
        Its name.
    pieces : int
        Pieces of captures.
    distances : tuple of float, degrees
        Mean distance of the joints' angles, by `METHODS`.
    gains : tuple of PairedTest
        Of every method but the first: its distance less that of interpolation.
    """

    segment: str
    pieces: int
    distances: tuple[float, ...]
    gains: tuple[PairedTest, ...]


@dataclass(frozen=True)
class _Piece:
    """A piece of a capture: the frame before its gap, and the missing frames."""

    clip: int
    last: int
    missing: int
    likeness: float


def evaluate_thesis(
    rig: Rig, model: InbetweenModel, tracks: Sequence[Track], count: int
) -> tuple[ThesisRow, ...]:
    """Compare the methods on captures that were held out.

    Parameters
    ----------
    rig : Rig
        The body.
    model : InbetweenModel
        What was learned from other captures.
    tracks : sequence of Track
        The captures.
    count : int
        Most pieces of each segment.

    Returns
    -------
    tuple of ThesisRow
        For the segments that there are.
    """
    rows = []
    for name in SEGMENTS:
        space = model.phases.spaces.get(name)
        if space is None or not count:
            continue
        poses = [model.phases.pose_of(track.rotations, space.joints) for track in tracks]
        pieces = _choose(poses, count)
        if len(pieces) < 3:
            continue
        found = np.array([_distances(rig, model, space, tracks, poses, p) for p in pieces])
        clips = [piece.clip for piece in pieces]
        gains = tuple(
            compare_paired(found[:, k], found[:, 0], clips) for k in range(1, len(METHODS))
        )
        means = tuple(float(mean) for mean in found.mean(axis=0))
        rows.append(ThesisRow(name, len(pieces), means, gains))
    return tuple(rows)


def _choose(poses: Sequence[Array], count: int) -> list[_Piece]:
    """Pieces whose speed is most like a quadratic one; none overlap."""
    found: list[_Piece] = []
    for clip, own in enumerate(poses):
        speeds = total_speeds(own)
        for missing in LENGTHS:
            shape = quadratic_speeds(1.0, missing + 1)
            shape = (shape - shape.mean()) / shape.std()
            for last in range(CONTEXT - 1, len(speeds) - missing - 1, _STEP):
                own_speed = speeds[last : last + missing + 1]
                spread = own_speed.std()
                # A piece in which nothing moves tells nothing.
                if spread > 1e-3 and own_speed.mean() > 5e-3:
                    likeness = float(((own_speed - own_speed.mean()) / spread * shape).mean())
                    found.append(_Piece(clip, last, missing, likeness))
    chosen: list[_Piece] = []
    for piece in sorted(found, key=lambda p: -p.likeness):
        if len(chosen) == count:
            break
        if all(_apart(piece, other) for other in chosen):
            chosen.append(piece)
    return chosen


def _apart(first: _Piece, second: _Piece) -> bool:
    return (
        first.clip != second.clip
        or first.last > second.last + second.missing
        or second.last > first.last + first.missing
    )


def _distances(
    rig: Rig,
    model: InbetweenModel,
    space: PhaseSpace,
    tracks: Sequence[Track],
    poses: Sequence[Array],
    piece: _Piece,
) -> list[float]:
    """Mean distances of all methods from one piece, degrees."""
    end = piece.last + piece.missing + 1
    truth = poses[piece.clip][piece.last : end + 1]
    share = np.linspace(0.0, 1.0, len(truth))[:, None]
    straight = (1 - share) * truth[0] + share * truth[-1]
    ends = Ends.at_rest(truth[0], truth[-1])
    steps = len(truth) - 1
    still = solve_phase_motion(space, ends, steps)
    # The peak that a user would give is the piece's own, as in the thesis.
    peak = 1.5 * float(total_speeds(truth).mean())
    fast = solve_phase_motion(space, ends, steps, quadratic_speeds(peak, steps + 1))
    gaps = Gaps.cut(rig, tracks[piece.clip], np.array([piece.last]), piece.missing)
    ours = np.array(truth)
    ours[1:-1] = model.phases.pose_of(model.fill(gaps).rotations[0], space.joints)
    return [_angle(found, truth) for found in (straight, still.poses, fast.poses, ours)]


def _angle(found: Array, truth: Array) -> float:
    """Mean over the frames of the distance of all angles, degrees."""
    return float(np.degrees(np.linalg.norm(found - truth, axis=1).mean()))


def format_thesis(rows: Sequence[ThesisRow]) -> str:
    """A table for people."""
    heads = "".join(f"{name:>26}" for name in METHODS)
    lines = [
        "Distance of the joints' angles in pieces that begin and end slowly, degrees"
        " (p of a paired test against interpolation; thesis in brackets)",
        f"{'':12}{'pieces':>8}{heads}",
    ]
    for row in rows:
        thesis = [f"[{value}]" for value in THESIS[row.segment]] + [""]
        told = [""] + [f"p={gain.p:.1g}" for gain in row.gains]
        cells = "".join(
            f"{f'{distance:.1f} {p} {theirs}'.strip():>26}"
            for distance, p, theirs in zip(row.distances, told, thesis, strict=True)
        )
        lines.append(f"{row.segment:<12}{row.pieces:>8}{cells}")
    return "\n".join(lines)
