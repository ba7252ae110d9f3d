"""The thesis' test of motion through phase spaces (Ferrydiansyah 2011, tables 5-2 and 5-3).

Pieces of captures in which a segment begins slowly, is fastest half way and ends slowly are made
again from their first and last pose, and compared by the distance of the joints' angles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.clips.clip_set import ClipSet
from motionloom.errors import InvalidInputError
from motionloom.inbetween.fit import InbetweenOptions, fit_inbetween
from motionloom.inbetween.gaps import CONTEXT, Gaps, Track
from motionloom.inbetween.model import InbetweenModel
from motionloom.inbetween.rig import Rig
from motionloom.progress import Progress, silent
from motionloom.reports import Column, Report, Reported, Table
from motionloom_evaluation.inbetweening.phases.phase_space import (
    Ends,
    PhaseSpace,
    PhaseSpaces,
    phase_spaces_of,
    solve_phase_motion,
)
from motionloom_evaluation.inbetweening.phases.speed import quadratic_speeds, total_speeds
from motionloom_evaluation.natural_spaces.statistics import PairedTest, compare_paired

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
    captures : int
        Captures that they are from.
    distances : tuple of float, degrees
        Mean distance of the joints' angles, by `METHODS`.
    gains : tuple of PairedTest
        Of every method but the first: its distance less that of interpolation.
    """

    segment: str
    pieces: int
    captures: int
    distances: tuple[float, ...]
    gains: tuple[PairedTest, ...]


@dataclass(frozen=True)
class _Piece:
    """A piece of a capture: the frame before its gap, and the missing frames."""

    clip: int
    last: int
    missing: int
    likeness: float


@dataclass(frozen=True, eq=False)
class _Measured:
    """Distances of pieces (N, methods), degrees, and the capture that each is from."""

    distances: Array
    captures: tuple[str, ...]

    def row(self, segment: str) -> ThesisRow:
        """What is told of a segment."""
        owners = sorted({*self.captures})
        groups = [owners.index(name) for name in self.captures]
        found = self.distances
        gains = tuple(
            compare_paired(found[:, k], found[:, 0], groups) for k in range(1, len(METHODS))
        )
        means = tuple(float(mean) for mean in found.mean(axis=0))
        return ThesisRow(segment, len(groups), len(owners), means, gains)


def evaluate_thesis(
    rig: Rig, model: InbetweenModel, tracks: Mapping[str, Track], count: int
) -> tuple[ThesisRow, ...]:
    """Compare the methods on captures that were held out.

    Parameters
    ----------
    rig : Rig
        The body.
    model : InbetweenModel
        What was learned from other captures.
    tracks : mapping of str to Track
        The captures by their names.
    count : int
        Most pieces of each segment.

    Returns
    -------
    tuple of ThesisRow
        For the segments that there are.
    """
    found = _measure(rig, model, tracks, count, count) if count else {}
    return tuple(own.row(name) for name, own in found.items() if len(own.captures) >= 3)


def _measure(
    rig: Rig, model: InbetweenModel, tracks: Mapping[str, Track], count: int, each: int
) -> dict[str, _Measured]:
    """Distances in at most `count` pieces of each segment, and `each` of one capture."""
    names = tuple(tracks)
    own_tracks = tuple(tracks.values())
    spaces = phase_spaces_of(model)
    found = {}
    for segment in SEGMENTS:
        space = spaces.spaces.get(segment)
        if space is None:
            continue
        poses = [spaces.pose_of(track.rotations, space.joints) for track in own_tracks]
        pieces = _choose(poses, count, each)
        rows = [_distances(rig, model, space, own_tracks, poses, piece) for piece in pieces]
        captures = tuple(names[piece.clip] for piece in pieces)
        found[segment] = _Measured(np.reshape(rows, (-1, len(METHODS))), captures)
    return found


@dataclass(frozen=True)
class ThesisTest(Reported):
    """The test over a whole set of captures.

    Parameters
    ----------
    captures : int
        All captures there are.
    parts : int
        Parts of them, each of which was held out once.
    rows : tuple of ThesisRow
        For the segments that there are.
    """

    captures: int
    parts: int
    rows: tuple[ThesisRow, ...]

    def as_report(self) -> Report:
        """One table."""
        head = f"{self.captures} captures, tested in {self.parts} parts, learned from the others"
        return self.compose(head, thesis_table(self.rows))


def evaluate_thesis_on_all(
    clips: ClipSet,
    parts: int,
    options: InbetweenOptions | None = None,
    each: int = 2,
    progress: Progress = silent,
) -> ThesisTest:
    """Compare the methods on all captures, each held out once.

    Parameters
    ----------
    clips : ClipSet
        Captures of bodies with the same joints.
    parts : int
        The captures are held out in so many parts: every so many-th one at a time.
    options : InbetweenOptions, optional
        How models are learned from the other parts, for the lengths of pieces.
    each : int
        Most pieces of a capture for each segment.
    progress : Progress
        Told of every part and of learning.

    Returns
    -------
    ThesisTest

    Raises
    ------
    InvalidInputError
        When there are fewer captures than parts, or none shows such a piece.
    """
    if clips.n_clips < 2:
        raise InvalidInputError(
            "holding captures out needs at least two of them, and there is one; give more"
        )
    if not 2 <= parts <= clips.n_clips:
        raise InvalidInputError(
            f"{clips.n_clips} captures cannot be held out in {parts} parts; expected 2 to"
            f" {clips.n_clips}"
        )
    order = sorted(range(clips.n_clips), key=lambda i: clips.names[i])
    options = replace(options or InbetweenOptions(), lengths=LENGTHS)
    found: dict[str, list[_Measured]] = {}
    for part in range(parts):
        progress("parts", part, parts)
        held = order[part::parts]
        model = fit_inbetween(clips.subset(sorted({*order} - {*held})), options, progress)
        tracks = {clips.names[i]: Track.of(clips.motions[i], model.rig) for i in held}
        for segment, own in _measure(model.rig, model, tracks, len(held) * each, each).items():
            found.setdefault(segment, []).append(own)
    progress("parts", parts, parts)
    rows = [_pooled(own).row(segment) for segment, own in found.items()]
    rows = [row for row in rows if row.pieces >= 3]
    if not rows:
        raise InvalidInputError(
            "no arm and no leg moves from rest to rest in these captures; give more of them"
        )
    return ThesisTest(clips.n_clips, parts, tuple(rows))


def _pooled(parts: Sequence[_Measured]) -> _Measured:
    return _Measured(
        np.concatenate([own.distances for own in parts]),
        tuple(name for own in parts for name in own.captures),
    )


def _choose(poses: Sequence[Array], count: int, each: int) -> list[_Piece]:
    """Pieces whose speed is most like a quadratic one, some of each capture; none overlap."""
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
        before = [other for other in chosen if other.clip == piece.clip]
        if len(before) < each and all(_apart(piece, other) for other in before):
            chosen.append(piece)
    return chosen


def _apart(first: _Piece, second: _Piece) -> bool:
    return first.last > second.last + second.missing or second.last > first.last + first.missing


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
    poses_of_piece = poses[piece.clip][piece.last : end + 1]
    ends = Ends.at_rest(poses_of_piece[0], poses_of_piece[-1])
    steps = len(poses_of_piece) - 1
    still = solve_phase_motion(space, ends, steps)
    # The peak that a user would give is the piece's own, as in the thesis.
    peak = 1.5 * float(total_speeds(poses_of_piece).mean())
    fast = solve_phase_motion(space, ends, steps, quadratic_speeds(peak, steps + 1))
    gaps = Gaps.cut(rig, tracks[piece.clip], np.array([piece.last]), piece.missing)
    captured = tracks[piece.clip].rotations[piece.last : end + 1]
    joints = list(space.joints)
    truth = rig.local_rotations(captured)[:, joints]
    ours = truth.copy()
    ours[1:-1] = rig.local_rotations(model.fill(gaps).rotations[0])[:, joints]
    shares = np.linspace(0.0, 1.0, steps + 1)[:, None]
    straight = rot.slerp(truth[0], truth[-1], shares)
    known = phase_spaces_of(model)
    spaces = (_turned(known, space, found.poses) for found in (still, fast))
    return [_angle(found, truth) for found in (straight, *spaces, ours)]


def _turned(spaces: PhaseSpaces, space: PhaseSpace, poses: Array) -> Array:
    """Local rotations (n, J, 4) of the joints of poses of a phase space."""
    vectors = poses.reshape(len(poses), -1, 3)
    turned: Array = rot.multiply(spaces.reference[list(space.joints)], rot.from_rotvec(vectors))
    return turned


def _angle(found: Array, truth: Array) -> float:
    """Mean over the frames of the distance of all joints' angles, degrees."""
    apart = np.linalg.norm(rot.angle_between(found, truth), axis=1)
    return float(np.degrees(apart.mean()))


def thesis_table(rows: Sequence[ThesisRow]) -> Table:
    """Means of every method, with the p of a paired test and the thesis' mean."""
    title = (
        "Distance of the joints' angles in pieces that begin and end slowly, degrees"
        " (p of a paired test against interpolation; thesis in brackets)"
    )
    columns = [Column("", name) for name in ("segment", "pieces", "captures", *METHODS)]
    cells = []
    for row in rows:
        thesis = [f"[{value}]" for value in THESIS[row.segment]] + [""]
        ps = [""] + [f"p={gain.p:.1g}" for gain in row.gains]
        own = zip(row.distances, ps, thesis, strict=True)
        words = [f"{distance:.1f} {p} {theirs}".strip() for distance, p, theirs in own]
        cells.append([row.segment, row.pieces, row.captures, *words])
    return Table(title, columns, cells)
