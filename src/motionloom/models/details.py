"""What only a motion model can say about a motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from motionloom.models.edit import ModelEdit


@dataclass(frozen=True, eq=False)
class ModelDetails:
    """Where a motion lies among the takes, and how its tasks came out.

    Parameters
    ----------
    edit : ModelEdit
        How it was found.
    slide : float, metres
        How far feet slide while they stand, before the foot lock.
    slide_after : float, metres, optional
        After it.
    """

    edit: ModelEdit
    slide: float
    slide_after: float | None = None

    score_meaning = "smaller is better: standard deviations, and 1 for every centimetre of a miss"

    def to_dict(self) -> Mapping[str, Any]:
        """Plain values by name."""
        edit = self.edit
        names = edit.space.skeleton.names
        return {
            "sigmas": edit.sigmas,
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
        names = edit.space.skeleton.names
        lines = [
            f"Model of {len(edit.space.names)} takes: {edit.sigmas:.1f} standard deviations from"
            f" {'their mean' if edit.from_mean else 'where it began'}, {edit.grade}",
            f"  nearest take {near.take}: {100 * near.distance:.1f} cm; nine in ten takes are"
            f" within {100 * near.usual:.1f} cm of another",
        ]
        for o in edit.outcomes:
            what = "centre of mass" if o.task.kind == "mass" else names[o.task.joint]
            lines.append(
                f"  {what + ' ' + o.task.kind:<28}layer {o.task.layer}, frame {o.frame:6.1f}"
                f"{1000 * o.residual:9.2f} mm  {o.reason}"
            )
        after = "" if self.slide_after is None else f", {1000 * self.slide_after:.1f} mm after"
        lines.append(
            f"  {edit.iterations} iterations; feet slide {1000 * self.slide:.1f} mm before the foot"
            f" lock{after}"
        )
        return "\n".join(lines)
