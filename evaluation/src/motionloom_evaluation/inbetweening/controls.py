"""Key poses, effectors and way-points asked for at times of their own, by the measures of a public
benchmark (Kimodo, 2026), beside the captures.

What is asked for is what a held-out capture shows there, and its first and last pose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.soles import Soles
from motionloom.clips.analysis import AnalysedClips
from motionloom.constraints import BodyConstraint, ConstraintSet, JointConstraint
from motionloom.constraints.kinds.poses import KeyPose
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.inbetween.fill import Known, fill_gaps
from motionloom.inbetween.fillers import make_filler
from motionloom.inbetween.generator import FittedInbetween
from motionloom.inbetween.model import InbetweenModel
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.reports import Column, Table, shown, table_of
from motionloom.synthesis import synthesize
from motionloom_evaluation.inbetweening.feet import FAST, LOW

Array = NDArray[np.float64]

#: Length of what is made, seconds.
SECONDS = 4.0
#: Times at which something is asked for, besides begin and end, and from one to the next at least,
#: seconds.
ASKED = 3
_APART = 0.5
#: Effectors that are asked for, by their roles.
EFFECTORS = ("left_hand", "right_hand", "left_foot", "right_foot")
#: A way-point counts as met within this, metres.
NEAR = 0.1
#: Groups of the benchmark, and what its authors publish of their network: centimetres at key poses
#: and effectors; mean and 95th percentile at way-points, and share within `NEAR`.
PUBLISHED = {
    "key poses": "3.2",
    "effectors": "3.7",
    "way-points": "5.0 (p95 11.2), .92 within 10 cm",
}


@dataclass(frozen=True)
class ControlRow:
    """One kind of constraint.

    Parameters
    ----------
    kind : str
        One of `PUBLISHED`.
    cases : int
        Motions that were made.
    refused : int
        Motions that could not be made.
    mean, high, largest : float, metres
        Distance from what was asked for: mean, 95th percentile, largest.
    near : float
        Share within `NEAR`.
    skate, captured_skate : float, metres per second
        Mean speed of toes below 5 cm, and of the captures'.
    ratio, captured_ratio : float
        Share of low toes that go faster than 20 cm/s, and of the captures'.
    """

    kind: str = field(metadata=shown())
    cases: int = field(metadata=shown("cases"))
    refused: int = field(metadata=shown("refused"))
    mean: float = field(metadata=shown("mean", "cm", ".4f", 100))
    high: float = field(metadata=shown("p95", "cm", ".4f", 100))
    largest: float = field(metadata=shown("largest", "cm", ".4f", 100))
    near: float = field(metadata=shown("<10 cm"))
    skate: float = field(metadata=shown("skate", "cm/s", ".1f", 100))
    captured_skate: float = field(metadata=shown("captured", "cm/s", ".1f", 100))
    ratio: float = field(metadata=shown("ratio", "", ".3f"))
    captured_ratio: float = field(metadata=shown("captured", "", ".3f"))


@dataclass(frozen=True, eq=False)
class _Case:
    """One motion that was made, and the capture: distances and speeds of low toes."""

    distances: Array
    made: tuple[Array, Array]
    captured: tuple[Array, Array]


def evaluate_controls(
    clips: AnalysedClips,
    model: InbetweenModel,
    captures: Sequence[Motion],
    count: int,
    seed: int = 0,
    progress: Progress = silent,
) -> tuple[ControlRow, ...]:
    """Ask for what held-out captures show, and measure how it is met.

    Parameters
    ----------
    clips : AnalysedClips
        What was learned from.
    model : InbetweenModel
        What was learned.
    captures : sequence of Motion
        Held out.
    count : int
        Motions of each kind.
    seed : int
        Of the times.
    progress : Progress
        Told of every motion.

    Returns
    -------
    tuple of ControlRow
        None where no capture is long enough.
    """
    long = round(SECONDS * model.fps) + 1
    room = [(c, k) for c in captures for k in range(0, c.n_frames - long, long)]
    if not room or not count:
        return ()
    fitted = FittedInbetween(clips, model)
    rng = np.random.default_rng(seed)
    picked = [room[i] for i in np.linspace(0, len(room) - 1, min(count, len(room))).astype(int)]
    found: dict[str, list[_Case | None]] = {kind: [] for kind in PUBLISHED}
    for i, (capture, start) in enumerate(picked):
        progress("key poses and way-points", i, len(picked))
        window = capture.cut(start, start + long)
        frames = _draw_frames(long, model.fps, rng)
        found["key poses"].append(_fill(model, window, frames))
        found["effectors"].append(_synthesize(fitted, window, frames, "effectors"))
        found["way-points"].append(_synthesize(fitted, window, frames, "way-points"))
    progress("key poses and way-points", len(picked), len(picked))
    return tuple(_row(kind, own) for kind, own in found.items())


def _draw_frames(count: int, fps: float, rng: np.random.Generator) -> list[int]:
    """Times at which something is asked for, as frames, not too near to each other."""
    apart = round(_APART * fps)
    free = count - 1 - (ASKED + 1) * apart
    shifts = np.sort(rng.integers(0, free + 1, ASKED))
    return [int(shift + (k + 1) * apart) for k, shift in enumerate(shifts)]


def _fill(model: InbetweenModel, window: Motion, frames: Sequence[int]) -> _Case:
    """Key poses: all joints, where they are."""
    last = window.n_frames - 1
    keys = [0, *frames, last]
    known = [Known(k, window.cut(k, k + 1)) for k in keys]
    made = fill_gaps(known, make_filler("kernel", model), model)[0].motion
    shown, captured = (PosedMotion(m, model.rig.roles) for m in (made, window))
    apart = np.linalg.norm(shown.positions[keys] - captured.positions[keys], axis=-1)
    return _case(apart.mean(axis=1), shown, captured, model.soles)


def _synthesize(
    fitted: FittedInbetween, window: Motion, frames: Sequence[int], kind: str
) -> _Case | None:
    """Effectors or way-points between the first pose and the last; None where it is refused."""
    model = fitted.model
    assert model is not None
    captured = PosedMotion(window, model.rig.roles)
    last = window.n_frames - 1
    body = [_body(captured, f, facing=True) for f in (0, last)]
    joints = []
    if kind == "way-points":
        body[1:1] = [_body(captured, f, facing=False) for f in frames]
    else:
        there = [role for role in EFFECTORS if role in model.rig.roles.joints]
        joints = [_joint(captured, f, there[(f + k) % len(there)]) for k, f in enumerate(frames)]
    asked = ConstraintSet(
        duration=last / window.fps,
        fps=window.fps,
        body=tuple(body),
        joints=tuple(joints),
        key_poses=tuple(KeyPose.of(window, f, f / window.fps) for f in (0, last)),
    )
    try:
        made = synthesize(fitted, asked).motion
    except MotionloomError as error:
        if isinstance(error, InvalidInputError):
            raise
        return None
    shown = PosedMotion(made, model.rig.roles)
    if kind == "way-points":
        inner = asked.body[1:-1]
        apart = [shown.body[f, :2] - c.position for f, c in zip(frames, inner, strict=True)]
    else:
        roles = model.rig.roles.joints
        apart = [
            shown.positions[f, roles[c.joint]] - c.position
            for f, c in zip(frames, asked.joints, strict=True)
        ]
    return _case(np.linalg.norm(apart, axis=-1), shown, captured, model.soles)


def _body(posed: PosedMotion, frame: int, facing: bool) -> BodyConstraint:
    x, z, angle = (float(v) for v in posed.body[frame])
    told = float(np.degrees(angle)) if facing else None
    return BodyConstraint(time=frame / posed.fps, position=(x, z), facing=told)


def _joint(posed: PosedMotion, frame: int, role: str) -> JointConstraint:
    joint = posed.roles.joints[role]
    x, y, z = posed.positions[frame, joint].tolist()
    return JointConstraint(time=frame / posed.fps, joint=role, position=(x, y, z))


def _case(
    distances: Array, shown: PosedMotion, captured: PosedMotion, soles: Soles | None
) -> _Case:
    return _Case(distances, _low_toes(shown, soles), _low_toes(captured, soles))


def _low_toes(posed: PosedMotion, soles: Soles | None) -> tuple[Array, Array]:
    """Speeds of toes while they are low, and while they are in the next frame too."""
    if soles is None:
        return np.zeros(0), np.zeros(0)
    toes = [i for i, p in enumerate(soles.points) if p.part == "toe"]
    points = soles.positions(posed)[:, toes]
    speed = np.linalg.norm(np.diff(points, axis=0), axis=-1) * posed.fps
    low = points[..., 1] - soles.ground < LOW
    return speed[low[:-1]], speed[low[:-1] & low[1:]]


def _row(kind: str, cases: Sequence[_Case | None]) -> ControlRow:
    made = [case for case in cases if case is not None]
    distances = np.concatenate([np.zeros(0), *(case.distances for case in made)])
    low = [_pool([c.made[0] for c in made]), _pool([c.captured[0] for c in made])]
    both = [_pool([c.made[1] for c in made]), _pool([c.captured[1] for c in made])]
    some = distances if len(distances) else np.full(1, np.nan)
    return ControlRow(
        kind=kind,
        cases=len(made),
        refused=len(cases) - len(made),
        mean=float(some.mean()),
        high=float(np.quantile(some, 0.95)),
        largest=float(some.max()),
        near=float((some < NEAR).mean()),
        skate=float(low[0].mean()),
        captured_skate=float(low[1].mean()),
        ratio=float((both[0] > FAST).mean()),
        captured_ratio=float((both[1] > FAST).mean()),
    )


def _pool(values: Sequence[Array]) -> Array:
    """All of some speeds; rest where there are none."""
    pooled = np.concatenate([np.zeros(0), *values])
    return pooled if len(pooled) else np.zeros(1)


def controls_table(rows: Sequence[ControlRow]) -> Table:
    """Measures of a public benchmark, and what its authors' network does on their data."""
    table = table_of("Key poses, effectors and way-points of captures, asked for at times", rows)
    columns = [*table.columns, Column("", "published mean (cm)")]
    cells = [[*row, PUBLISHED[row[0]]] for row in table.rows]
    return Table(table.title, columns, cells)
