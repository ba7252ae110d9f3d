"""Retargeting between bodies, measured: what ``motionloom evaluate retarget`` does."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from motionloom.edit.retarget.frames import RoleFrames, fit_role_frames
from motionloom.edit.retarget.report import RetargetRow, measure, summarize
from motionloom.edit.retarget.retarget import Retargeted, retarget_motion
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, silent
from motionloom.reports import Column, Report, Reported, Table
from motionloom.roles import Roles
from motionloom_evaluation.retarget.copied import copy_rotations

#: A result in numbers that somebody may rely on: limits of every pair.
SPEED, DEEPER, TURNED, ROUGHER, APART = 0.8, 5.0, 3.0, 1.2, 15.0
#: Of the head, degrees.
LEANING = 8.0
#: Ways to retarget.
WAYS: Mapping[str, Callable[[PosedMotion, RoleFrames, RoleFrames], Retargeted]] = {
    "by roles": retarget_motion,
    "copied rotations": copy_rotations,
}


@dataclass(frozen=True, eq=False)
class Performer:
    """One body and its clips.

    Parameters
    ----------
    name : str
        What it is called.
    clips : tuple of Motion
        Of one skeleton; its frames are read off all of them.
    roles : Roles, optional
        Where they are not found from the skeleton.
    """

    name: str
    clips: tuple[Motion, ...]
    roles: Roles | None = None


@dataclass(frozen=True)
class PairRow:
    """One body's clips on another body.

    Parameters
    ----------
    source, target : str
        Names of the bodies.
    way : str
        How it was done.
    row : RetargetRow, optional
        Figures of all clips together; none where it could not be done.
    cpu : float, seconds
        Processor time of retargeting alone.
    failure : str
        Why it could not be done.
    """

    source: str
    target: str
    way: str
    row: RetargetRow | None = None
    cpu: float = 0.0
    failure: str = ""

    @property
    def missed(self) -> tuple[str, ...]:
        """Which limits are not kept."""
        if self.row is None:
            return ("failed",)
        row = self.row
        limits = {
            "speed": row.contact_speed[1] <= min(SPEED, max(row.contact_speed[0], 0.01)),
            "deep": row.deepest[1] <= row.deepest[0] + DEEPER,
            "directions": row.directions[0] <= TURNED,
            "acceleration": row.acceleration[1] <= ROUGHER * row.acceleration[0],
            "head": not row.head[0] > LEANING,
            "there and back": row.round_trip <= APART,
        }
        return tuple(name for name, kept in limits.items() if not kept)


@dataclass(frozen=True)
class RetargetEvaluation(Reported):
    """All pairs.

    Parameters
    ----------
    pairs : tuple of PairRow
        Pair by pair, each way.
    """

    pairs: tuple[PairRow, ...]

    def as_report(self) -> Report:
        """A table of pairs, those that failed, and how many keep all limits."""
        titles = (
            "pair", "way", "clips (s)", "cpu (s)", "contact (cm/s)", "deepest (mm)",
            "directions (degrees)", "acceleration (m/s2)", "back (mm)", "missed",
        )  # fmt: skip
        done = [pair for pair in self.pairs if pair.row is not None]
        failed = [pair for pair in self.pairs if pair.row is None]
        by_roles = [pair for pair in self.pairs if pair.way == "by roles"]
        kept = sum(not pair.missed for pair in by_roles)
        return self.compose(
            "Retargeting",
            Table("Pairs", [Column("", title) for title in titles], [_cells(p) for p in done]),
            *(f"{p.source} -> {p.target}, {p.way}: {p.failure}" for p in failed),
            f"{kept} of {len(by_roles)} pairs by roles keep all limits: {_LIMITS}",
        )


#: What the limits are, for people.
_LIMITS = (
    f"contact speed at most {SPEED:g} cm/s and the source's, deepest at most {DEEPER:g} mm more,"
    f" directions at most {TURNED:g} degrees, the head at most {LEANING:g}, acceleration at most"
    f" {ROUGHER:g} times, there and back at most {APART:g} mm"
)


def _cells(pair: PairRow) -> list[Any]:
    row = pair.row
    assert row is not None
    return [
        f"{pair.source} -> {pair.target}",
        pair.way,
        row.seconds,
        pair.cpu,
        "{:.2f} -> {:.2f}".format(*row.contact_speed),
        "{:.0f} -> {:.0f}".format(*row.deepest),
        "{:.2f} / {:.1f}".format(*row.directions),
        "{:.1f} -> {:.1f}".format(*row.acceleration),
        row.round_trip,
        ", ".join(pair.missed) or "-",
    ]


def evaluate_retargeting(
    performers: Sequence[Performer],
    *,
    seconds: float = 60.0,
    copied: bool = True,
    progress: Progress = silent,
) -> RetargetEvaluation:
    """Retarget clips of each body to each other body.

    Parameters
    ----------
    performers : sequence of Performer
        Two at least.
    seconds : float
        About how much of each body's clips is retargeted; whole clips, spread over all.
    copied : bool
        Whether rotations are copied beside.
    progress : Progress
        Told of every pair.

    Returns
    -------
    RetargetEvaluation
        A pair that cannot be done has the reason in its row.

    Raises
    ------
    InvalidInputError
        When there are fewer than two bodies.
    """
    if len(performers) < 2:
        raise InvalidInputError("retargeting is measured between two bodies at least")
    frames: dict[str, RoleFrames | MotionloomError] = {}
    for performer in performers:
        frames[performer.name] = _frames_of(performer)
    pairs = list(permutations(performers, 2))
    rows = []
    for i, (source, target) in enumerate(pairs):
        progress("retargeting pairs", i, len(pairs))
        for way in [w for w in WAYS if copied or w == "by roles"]:
            rows.append(
                _measure_pair(
                    source, frames[source.name], target, frames[target.name], way, seconds
                )
            )
    progress("retargeting pairs", len(pairs), len(pairs))
    return RetargetEvaluation(tuple(rows))


def _frames_of(performer: Performer) -> RoleFrames | MotionloomError:
    try:
        return fit_role_frames(performer.clips, performer.roles)
    except MotionloomError as error:
        return error


def _measure_pair(
    source: Performer,
    own: RoleFrames | MotionloomError,
    target: Performer,
    other: RoleFrames | MotionloomError,
    way: str,
    seconds: float,
) -> PairRow:
    for frames in (own, other):
        if isinstance(frames, MotionloomError):
            return PairRow(source.name, target.name, way, failure=str(frames))
    assert isinstance(own, RoleFrames)
    assert isinstance(other, RoleFrames)
    samples = []
    cpu = 0.0
    carry = WAYS[way]
    try:
        for clip in some_of(source.clips, seconds):
            posed = pose_motion(clip, source.roles)
            start = time.process_time()
            made = carry(posed, own, other)
            cpu += time.process_time() - start
            back = carry(made.posed, other.of_results, own.as_captured).posed
            samples.append(measure(made, back, own, other))
    except MotionloomError as error:
        return PairRow(source.name, target.name, way, failure=str(error))
    return PairRow(source.name, target.name, way, summarize(source.name, samples), cpu)


def some_of(clips: Sequence[Motion], seconds: float) -> list[Motion]:
    """Whole clips of about so many seconds in all, spread over all of them.

    Parameters
    ----------
    clips : sequence of Motion
        In any order.
    seconds : float
        The last one may go beyond.

    Returns
    -------
    list of Motion
        One at least.
    """
    total = sum(clip.duration for clip in clips)
    step = max(1, int(total / max(seconds, 1e-9)))
    taken: list[Motion] = []
    for clip in [*clips[::step], *clips]:
        if sum(c.duration for c in taken) >= seconds and taken:
            break
        if not any(clip is c for c in taken):
            taken.append(clip)
    return taken
