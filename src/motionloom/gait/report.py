"""What is told of a gait that was made.

How well feet stand: the speed of the slowest point of each foot over each stance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from motionloom.analysis.soles import Soles, point_velocity
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.constraints.kinds.table import row_of
from motionloom.curves import runs_of
from motionloom.gait.cycles.tracks import SIDES
from motionloom.gait.generator import GaitDetails, details_of, explain_gait, styles_of
from motionloom.gait.make import MadeGait
from motionloom.posed_motion import PosedMotion
from motionloom.reports import (
    Report,
    Reported,
    Row,
    Section,
    fields_of,
    shown,
    table_of,
)
from motionloom.synthesis.generator import Reason
from motionloom.synthesis.measure import adherence_of, errors_of
from motionloom.synthesis.report import find_missed
from motionloom.typing import Array, Bools

#: Stances whose slowest point is faster than this slide, metres per second.
SLIDES = 0.15
_CM_S = ("cm/s", ".1f", 100)
_SLOWEST = "slowest point of a stance"


@dataclass(frozen=True)
class GaitReport(Reported):
    """A gait that was made, measured.

    Parameters
    ----------
    frames : int
        Of the motion.
    fps : float
        Frames per second.
    details : GaitDetails
        Way, speeds, footprints.
    speed : float, metres per second
        Way of the hips over the time, as made.
    stances : tuple of StanceSpeed
        How fast feet slide.
    below : float, metres
        How far soles are below the ground at most.
    notes : tuple of str
        What was changed, one sentence each.
    errors : tuple of ConstraintError
        How far the body is from where it was asked for.
    kept : tuple of Adherence
        How paths, speeds and styles are kept to.
    problems : tuple of str
        What is missed and why, and hips that sink too far, a sentence each.
    """

    frames: int
    fps: float
    details: GaitDetails
    speed: float
    stances: tuple[StanceSpeed, ...]
    below: float
    notes: tuple[str, ...] = ()
    errors: tuple[ConstraintError, ...] = ()
    kept: tuple[Adherence, ...] = ()
    problems: tuple[str, ...] = ()

    def as_report(self) -> Report:
        """What was made, how feet slide, and how what was asked for is kept to."""
        speeds = [s.speed for s in self.stances]
        sliding = [s for s in self.stances if s.speed > SLIDES]
        middle = float(np.median(speeds)) if speeds else None
        body = [
            f"body in frame {e.frame}: {f'{e.amount()} away' if e.amount() else 'as asked'}"
            for e in self.errors
        ]
        return self.compose(
            f"{self.frames} frames at {self.fps:g} fps",
            Row("speed", "speed as made, mean", self.speed, "m/s"),
            self.details.as_section(),
            Section(
                "Feet",
                [
                    Row("", "stances", len(speeds) or None),
                    Row("slide_median", f"{_SLOWEST}, median", middle, *_CM_S),
                    Row("slide_worst", f"{_SLOWEST}, worst", max(speeds, default=None), *_CM_S),
                    Row("below", "soles below the ground at most", self.below, "mm", ".1f", 1000),
                    table_of("Stances that slide", sliding, "sliding"),
                ],
            ),
            Section("Kept to", [*body, *map(row_of, self.kept)]),
            data=fields_of(self, "details", "stances", "errors")
            | {"body": [fields_of(e, "kind", "index", "velocity") for e in self.errors]},
        )


def measure_kept(
    posed: PosedMotion, constraints: ConstraintSet, styles: Mapping[str, Array] | None = None
) -> tuple[tuple[ConstraintError, ...], tuple[Adherence, ...], tuple[Reason, ...]]:
    """How far a body is from where it was asked for, how paths are kept to, and what is missed."""
    errors = errors_of(posed, constraints)
    kept = adherence_of(None, constraints, posed, styles=styles)
    return errors, kept, find_missed(constraints, errors, kept, explain_gait)


def report_gait(made: MadeGait, constraints: ConstraintSet | None = None) -> GaitReport:
    """Measure a gait that was made.

    Parameters
    ----------
    made : MadeGait
        The gait.
    constraints : ConstraintSet, optional
        What was asked for; it is measured how that is kept to.

    Returns
    -------
    GaitReport
    """
    posed = made.woven.posed
    styles = styles_of(made.woven.plan.mix)
    errors, kept, missed = (
        ((), (), ()) if constraints is None else measure_kept(posed, constraints, styles)
    )
    details = details_of(made)
    soles = made.woven.plan.table.body.soles
    way = np.linalg.norm(np.diff(made.woven.plan.way.stand.ground, axis=0), axis=1).sum()
    return GaitReport(
        frames=posed.n_frames,
        fps=posed.fps,
        details=details,
        speed=float(way / max(posed.motion.duration, 1e-9)),
        stances=stance_speeds(posed, soles, made.woven.down),
        below=lowest_point(posed, soles),
        notes=made.notes,
        errors=errors,
        kept=kept,
        problems=(*(one.text for one in missed), *details.problems),
    )


#: Stances shorter than this are passed over, seconds; so are those cut off by an end of the motion
#: to less than the other.
SHORTEST, LEAST_CUT = 0.08, 0.3


@dataclass(frozen=True)
class StanceSpeed:
    """One stance.

    Parameters
    ----------
    side : str
        Left or right.
    begin, end : float, seconds
        Of the stance.
    speed : float, metres per second
        Speed on the ground of the slower of heel and toe, the mean over the stance.
    """

    side: str = field(metadata=shown("foot"))
    begin: float = field(metadata=shown("from", "s"))
    end: float = field(metadata=shown("to", "s"))
    speed: float = field(metadata=shown("slides at", "cm/s", ".0f", 100))


def stance_speeds(posed: PosedMotion, soles: Soles, down: Bools) -> tuple[StanceSpeed, ...]:
    """Speed of the slowest point of the foot over every stance.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    soles : Soles
        Heels and toes.
    down : bool array of shape (T, 2)
        Whether the left and the right foot stand.

    Returns
    -------
    tuple of StanceSpeed
        In the order of time, left before right.
    """
    velocity = point_velocity(soles.positions(posed), posed.fps)
    speeds = np.linalg.norm(velocity[..., [0, 2]], axis=-1)
    found = []
    for foot, side in enumerate(SIDES):
        slower = speeds[:, list(soles.of(f"{side}_foot"))].min(axis=1)
        for begin, end in runs_of(down[:, foot]):
            cut = begin == 0 or end == posed.n_frames
            if (end - begin) / posed.fps >= (LEAST_CUT if cut else SHORTEST):
                mean = float(slower[begin:end].mean())
                found.append(StanceSpeed(side, begin / posed.fps, end / posed.fps, mean))
    return tuple(sorted(found, key=lambda s: s.begin))


def lowest_point(posed: PosedMotion, soles: Soles) -> float:
    """How far any point of the soles is below where it rests on a ground at height 0, metres."""
    heights = soles.positions(posed)[..., 1] - np.array([p.rest for p in soles.points])
    return float(max(-heights.min(), 0.0))
