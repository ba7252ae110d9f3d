"""What only a motion model can say about a motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.constraints.kinds.measures import NEAR
from motionloom.models.asked import Standing
from motionloom.models.edit import ModelEdit, TaskOutcome
from motionloom.models.feet import foot_slide
from motionloom.models.solving.problem import body_of
from motionloom.models.solving.rarity import Rarity
from motionloom.posed_motion import PosedMotion

#: A place that is missed by more is a problem, metres: finished takes whose tasks can all be met
#: are within 2 mm (serves and reaches). Angles count a lever of 0.25 m: 3 degrees.
_MISSED, _ASTRAY = 5e-3, 0.013
#: Kinds of tasks that are angles.
_ANGLE = {"orientation": " on a lever of 25 cm", "gaze": " on a lever of 25 cm"}
#: Smaller shares of takes are not worth a number, per cent.
_LEAST = 0.01


def rarity_text(edit: ModelEdit) -> str:
    """How far what is asked and the whole motion are from the takes, in words.

    Parameters
    ----------
    edit : ModelEdit
        The edit.
    """
    whole = f"the whole motion {_in_words(edit.whole)}"
    return f"what is asked for {_in_words(edit.asked)}; {whole}" if edit.outcomes else whole


def _in_words(rarity: Rarity) -> str:
    share = 100 * rarity.share
    shown = f"less than {_LEAST:g} %" if share < _LEAST else f"{share:.{0 if share >= 1 else 2}f} %"
    return (
        f"is {rarity.sigmas:.1f} standard deviations from the takes ({shown} of takes are as far)"
    )


@dataclass(frozen=True, eq=False)
class ModelDetails:
    """Where a motion lies among the takes, and how its tasks came out.

    Parameters
    ----------
    edit : ModelEdit
        How it was found.
    standing : Standing
        Where it stands.
    slide : float, metres
        How far feet slide while they stand, before the foot lock.
    slide_after : float, metres, optional
        After it.
    soft : float, metres
        What tasks may be missed by, one standard deviation.
    """

    edit: ModelEdit
    standing: Standing
    slide: float
    slide_after: float | None = None
    soft: float = 0.0

    def as_written(self, made: PosedMotion, contacts: FootContacts) -> ModelDetails:
        """The same, measured on the finished motion; see `WrittenDetails`.

        Parameters
        ----------
        made : PosedMotion
            The motion as it is written.
        contacts : FootContacts
            Those that finishing kept.
        """
        outcomes = tuple(replace(o, written=self._miss(o, made)) for o in self.edit.outcomes)
        return replace(
            self,
            edit=replace(self.edit, outcomes=outcomes),
            slide_after=foot_slide(made, contacts),
        )

    def _miss(self, outcome: TaskOutcome, made: PosedMotion) -> float:
        """What a motion misses a task by, in the measure of the solver."""
        space = self.edit.space
        at = int(np.abs(self.edit.frames - outcome.frame).argmin())
        pose = self.standing.from_world(made.motion.cut(at, at + 1))
        near = space.values_at(self.edit.coefficients, [outcome.frame])[0]
        values = space.coordinates.to_coordinates(pose, near)[0]
        residual, _ = body_of(space).measure(values, (outcome.task,))
        return float(np.linalg.norm(residual))

    @property
    def problems(self) -> tuple[str, ...]:
        """Tasks that the finished motion misses, though by less than constraints may be, a sentence
        each.
        """
        return tuple(
            f"{self._name_of(o)} {o.task.kind} is missed by {1000 * o.written:.0f} mm"
            f"{_ANGLE.get(o.task.kind, '')} as written: {self._reason(o)}"
            for o in self.edit.outcomes
            if o.written is not None and self._is_missed(o)
        )

    def _is_missed(self, outcome: TaskOutcome) -> bool:
        written = outcome.written or 0.0
        if outcome.task.kind in _ANGLE:
            return written > max(_ASTRAY, 3 * self.soft)
        return max(_MISSED, 3 * self.soft) < written <= NEAR

    def _reason(self, outcome: TaskOutcome) -> str:
        if not outcome.met:
            return outcome.reason
        return "the model meets it, but limbs do not where feet rest and other joints are asked for"

    def _name_of(self, outcome: TaskOutcome) -> str:
        if outcome.task.kind == "mass":
            return "centre of mass"
        return self.edit.space.skeleton.names[outcome.task.joint]

    def to_dict(self) -> Mapping[str, Any]:
        """Plain values by name."""
        edit = self.edit
        names = edit.space.skeleton.names
        return {
            "sigmas": edit.sigmas,
            "share_as_far": edit.asked.share,
            "whole_motion": asdict(edit.whole),
            "grade": edit.grade,
            "nearest_take": asdict(edit.nearness),
            "iterations": edit.iterations,
            "coefficients": edit.coefficients.tolist(),
            "tasks": [
                {
                    "frame": o.frame,
                    "kind": o.task.kind,
                    "joint": names[o.task.joint],
                    "layer": o.task.layer,
                    "residual": o.residual,
                    "written": o.written,
                    "sigmas": o.rarity.sigmas,
                    "share_as_far": o.rarity.share,
                    "reason": o.reason,
                }
                for o in edit.outcomes
            ],
            "foot_slide_before": self.slide,
            "foot_slide_after": self.slide_after,
        }

    def to_text(self) -> str:
        """A block for people."""
        edit = self.edit
        near = edit.nearness
        lines = [
            f"Model of {len(edit.space.names)} takes: {edit.grade}",
            f"  {rarity_text(edit)}",
            f"  nearest take {near.take}: {100 * near.distance:.1f} cm; nine in ten takes are"
            f" within {100 * near.usual:.1f} cm of another",
        ]
        for o in edit.outcomes:
            written = "" if o.written is None else f"{1000 * o.written:9.2f} mm as written"
            lines.append(
                f"  {self._name_of(o) + ' ' + o.task.kind:<28}layer {o.task.layer}, frame"
                f" {o.frame:6.1f}{1000 * o.residual:9.2f} mm  {o.reason}{written}"
            )
        after = "" if self.slide_after is None else f", {1000 * self.slide_after:.1f} mm after"
        lines.append(
            f"  {edit.iterations} iterations; feet slide {1000 * self.slide:.1f} mm before the foot"
            f" lock{after}"
        )
        return "\n".join(lines)
