"""Motions made in three ways out of captured clips, before and after their correction; what a
critic says of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.analysis.soles import fit_soles
from motionloom.constraints import BodyConstraint, ConstraintSet, PoseConstraint
from motionloom.errors import MotionloomError
from motionloom.motion import Motion
from motionloom.physics.correct import CorrectionReport, correct_motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, silent
from motionloom.roles import find_roles
from motionloom.synthesis.driver import SynthesisOptions, fit_generator, synthesize
from motionloom.synthesis.generator import Fitted
from motionloom_evaluation.critic import CompareOptions, compare_motions

#: Frames per second of what is made.
RATE = 30.0
#: Ways along a curve: its turn (degrees) and its time (seconds); the speed is that of the clips.
WAYS = ((0, 8.0), (35, 8.0), (-40, 8.0), (70, 8.0))
#: In-betweening is given a captured pose so often, seconds, and makes motions of this many.
POSES = 0.6
MOST_POSES = 12
#: Seconds of searching for each motion.
BUDGET = 2.0
#: Of captured motions so many seconds are corrected.
LONGEST = 20.0
#: Parts of the body that the critic looks at, and the one whose verdict is told, by a classifier.
PARTS = ("feet", "all")
PART = "all"
CLASSIFIER = "boosted"


@dataclass(frozen=True)
class MadeRow:
    """One motion, corrected.

    Parameters
    ----------
    kind : str
        How it came to be: a generator's name, or "captured".
    name : str
        Of the motion.
    refused : str
        Why it could not be made or corrected; empty when it was.
    report : CorrectionReport, optional
        Of its correction.
    """

    kind: str
    name: str
    refused: str = ""
    report: CorrectionReport | None = None


@dataclass(frozen=True)
class CriticRow:
    """Whether motions of one kind can be told from captured ones.

    Parameters
    ----------
    kind : str
        How they came to be.
    before, after : tuple of (float, float, float)
        Area under the curve of uncorrected and of corrected motions, with its interval at 95 %.
    control : float
        Of random halves of the captured clips.
    """

    kind: str
    before: tuple[float, float, float]
    after: tuple[float, float, float]
    control: float


def evaluate_made(
    clips: Sequence[Motion], captured: Sequence[Motion] = (), progress: Progress = silent
) -> tuple[tuple[MadeRow, ...], tuple[CriticRow, ...]]:
    """Make motions out of clips, correct them, and ask a critic before and after.

    Parameters
    ----------
    clips : sequence of Motion
        Walks of one skeleton.
    captured : sequence of Motion
        Motions that are corrected beside them, such as bad captures; four or more of the clips'
        skeleton are shown to the critic, too.
    progress : Progress
        Told of motions.

    Returns
    -------
    tuple of (tuple of MadeRow, tuple of CriticRow)
    """
    slow = [clip.resample(1 / RATE) for clip in clips]
    roles = find_roles(slow[0].skeleton)
    soles = fit_soles([PosedMotion(clip, roles) for clip in slow])
    made: dict[str, list[Motion]] = {}
    rows: list[MadeRow] = []
    for kind in ("graph", "inbetween", "gait"):
        made[kind] = list(_make(kind, slow, rows, progress))
    pairs: dict[str, list[tuple[Motion, Motion]]] = {}
    for kind, motions in made.items():
        for motion in motions:
            done = correct_motion(pose_motion(motion, roles), soles=soles)
            rows.append(MadeRow(kind, motion.name, report=done.report))
            pairs.setdefault(kind, []).append((motion, done.motion))
    for whole in captured:
        motion = whole.cut(0, min(whole.n_frames, round(LONGEST * whole.fps)))
        try:
            done = correct_motion(motion)
        except MotionloomError as error:
            rows.append(MadeRow("captured", motion.name, refused=str(error)))
            continue
        rows.append(MadeRow("captured", motion.name, report=done.report))
        if motion.skeleton.has_topology_of(slow[0].skeleton):
            pair = (motion.resample(1 / RATE), done.motion.resample(1 / RATE))
            pairs.setdefault("captured", []).append(pair)
    every = [pair for kind in made for pair in pairs.get(kind, [])]
    return tuple(rows), tuple(_criticise(pairs | {"all that was made": every}, slow, progress))


def _make(
    kind: str, clips: Sequence[Motion], rows: list[MadeRow], progress: Progress
) -> list[Motion]:
    """Four motions of one generator; what it refuses is put among the rows."""
    fitted = fit_generator(clips, None, kind)
    found = []
    for k, constraints in enumerate(_constraints_of(kind, clips)):
        progress(f"making motions ({kind})", k, len(WAYS))
        name = f"{kind} {k + 1}"
        try:
            found.append(replace(_one(fitted, constraints, k), name=name))
        except MotionloomError as error:
            rows.append(MadeRow(kind, name, refused=str(error)))
    return found


def _one(fitted: Fitted, constraints: ConstraintSet, seed: int) -> Motion:
    options = SynthesisOptions(seed=seed, budget=BUDGET, alternatives=1)
    return synthesize(fitted, constraints, options).motion


def _constraints_of(kind: str, clips: Sequence[Motion]) -> list[ConstraintSet]:
    if kind == "inbetween":
        longest = sorted(clips, key=lambda clip: -clip.n_frames)[: len(WAYS)]
        return [_poses_of(clip) for clip in longest]
    speed = float(np.median([_speed(clip) for clip in clips]))
    return [_way(np.radians(turn), seconds, speed) for turn, seconds in WAYS]


def _speed(clip: Motion) -> float:
    """Mean speed over ground, metres per second."""
    place = pose_motion(clip).positions[:, clip.root_joint][:, [0, 2]]
    return float(np.linalg.norm(np.diff(place, axis=0), axis=-1).mean() * clip.fps)


def _way(turn: float, seconds: float, speed: float) -> ConstraintSet:
    """From the origin along an arc."""
    arc = speed * seconds
    chord = arc * float(np.sinc(turn / (2 * np.pi)))
    end = (chord * float(np.sin(turn / 2)), chord * float(np.cos(turn / 2)))
    return ConstraintSet(
        fps=RATE,
        duration=seconds,
        body=(
            BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),
            BodyConstraint(time=seconds, position=end, facing=turn),
        ),
    )


def _poses_of(clip: Motion) -> ConstraintSet:
    """Poses of a clip at its own times; what lies between them is to be made."""
    step = round(POSES * RATE)
    # A clip may begin with a calibration pose, which cannot be shown.
    first = step // 2
    frames = range(first, min(clip.n_frames, MOST_POSES * step), step)
    poses = tuple(PoseConstraint(time=(f - first) / RATE, clip=clip.name, frame=f) for f in frames)
    return ConstraintSet(fps=RATE, duration=(frames[-1] - first) / RATE, poses=poses)


def _criticise(
    pairs: dict[str, list[tuple[Motion, Motion]]], clips: Sequence[Motion], progress: Progress
) -> list[CriticRow]:
    """Verdicts on kinds of which there are enough motions and windows."""
    options = CompareOptions(parts=PARTS)
    found = []
    for k, (kind, own) in enumerate(pairs.items()):
        progress("asking the critic", k, len(pairs))
        if len(own) < options.least_takes:
            continue
        try:
            both = [
                compare_motions([pair[side] for pair in own], clips, options=options)
                for side in (0, 1)
            ]
        except MotionloomError:
            continue
        aucs = [one.clips.verdicts[PART].auc[CLASSIFIER] for one in both]
        before, after = ((auc.mean, auc.low, auc.high) for auc in aucs)
        found.append(CriticRow(kind, before, after, both[0].control[PART][CLASSIFIER].mean))
    progress("asking the critic", len(pairs), len(pairs))
    return found


def format_made(rows: Sequence[MadeRow], critics: Sequence[CriticRow]) -> str:
    """Tables of corrections and of verdicts.

    Parameters
    ----------
    rows : sequence of MadeRow
        What was corrected.
    critics : sequence of CriticRow
        Verdicts.

    Returns
    -------
    str
    """
    lines = [
        "Made and captured motions, before > after their correction",
        f"{'kind':<11}{'motion':<24}{'off mm':>14}{'deep mm':>12}{'balance':>14}{'inside':>14}"
        f"{'jerk':>14}{'moved cm':>10}{'most':>7}{'left':>6}",
    ]
    for row in rows:
        head = f"{row.kind:<11}{row.name[:23]:<24}"
        if row.report is None:
            lines.append(f"{head}{row.refused}")
        else:
            lines.append(head + _figures(row.report))
    if critics:
        lines.append("Told from captured windows (area under the curve, interval at 95 %)")
        lines.append(f"{'kind':<20}{'before':>22}{'after':>22}{'halves of clips':>18}")
    for one in critics:
        lines.append(
            f"{one.kind:<20}{_interval(one.before):>22}{_interval(one.after):>22}{one.control:>18.3f}"
        )
    return "\n".join(lines) + "\n"


def _figures(report: CorrectionReport) -> str:
    a = report.before
    b = report.after
    left = sum(one.part == "body" for one in report.unmet)
    return (
        f"{f'{a.slip:.1f} > {b.slip:.1f}':>14}{f'{a.depth:.0f} > {b.depth:.0f}':>12}"
        f"{f'{a.balanced:.3f} > {b.balanced:.3f}':>14}{f'{a.inside:.3f} > {b.inside:.3f}':>14}"
        f"{f'{a.jerk:.0f} > {b.jerk:.0f}':>14}{report.moved_mean:>10.2f}{report.moved_max:>7.1f}"
        f"{left:>6}"
    )


def _interval(auc: tuple[float, float, float]) -> str:
    return f"{auc[0]:.3f} ({auc[1]:.3f}-{auc[2]:.3f})"
