"""What is told of a gait that was made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.constraints.kinds.table import row_of
from motionloom.gait.generator import GaitDetails, details_of, explain_gait, styles_of
from motionloom.gait.make import MadeGait
from motionloom.gait.path.measure import StanceSpeed, lowest_point, stance_speeds
from motionloom.synthesis.measure import adherence_of, errors_of
from motionloom.synthesis.missed import Missed, find_missed

#: Stances whose slowest point is faster than this slide, metres per second.
SLIDES = 0.15


@dataclass(frozen=True)
class GaitReport:
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

    def to_dict(self) -> Mapping[str, Any]:
        """Plain values by name."""
        slowest = [s.slowest for s in self.stances]
        return {
            "frames": self.frames,
            "fps": self.fps,
            **self.details.to_dict(),
            "speed": self.speed,
            "slide_median": float(np.median(slowest)) if slowest else None,
            "slide_worst": max(slowest, default=None),
            "sliding": [
                {"side": s.side, "begin": s.begin, "end": s.end, "speed": s.slowest}
                for s in self.stances
                if s.slowest > SLIDES
            ],
            "below": self.below,
            "body": [
                {"frame": e.frame, "position": e.position, "facing": e.facing} for e in self.errors
            ],
            "kept": [asdict(one) for one in self.kept],
            "problems": list(self.problems),
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), indent=1)

    def to_text(self) -> str:
        """A few lines for people."""
        lines = [
            f"{self.frames} frames at {self.fps:g} fps",
            self.details.to_text(),
            f"made: {self.speed:.2f} m/s on average",
        ]
        if self.stances:
            slowest = 100 * np.array([s.slowest for s in self.stances])
            lines.append(
                f"feet: slowest point of a stance {np.median(slowest):.1f} cm/s, in the worst of"
                f" {len(slowest)} {slowest.max():.1f}; soles {1000 * self.below:.1f} mm below the"
                " ground at most"
            )
        lines += [
            f"  the {s.side} foot slides at {100 * s.slowest:.0f} cm/s from {s.begin:.2f} to"
            f" {s.end:.2f} s"
            for s in self.stances
            if s.slowest > SLIDES
        ]
        lines += [
            f"body in frame {e.frame}: {e.amount() or 'as asked'}" + (" away" if e.amount() else "")
            for e in self.errors
        ]
        return "\n".join([*lines, *map(row_of, self.kept), *self.notes])


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
    errors: tuple[ConstraintError, ...] = ()
    kept: tuple[Adherence, ...] = ()
    missed: tuple[Missed, ...] = ()
    if constraints is not None:
        styles = styles_of(made.woven.plan.mix)
        errors = errors_of(made.woven.posed, constraints)
        kept = adherence_of(None, constraints, made.woven.posed, styles=styles)
        missed = find_missed(constraints, errors, kept, explain_gait)
    details = details_of(made)
    posed = made.woven.posed
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
