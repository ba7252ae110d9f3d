"""What only a motion model can say about a motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from motionloom.models.edit import ModelEdit
from motionloom.models.solving.rarity import Rarity

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
    slide : float, metres
        How far feet slide while they stand, before the foot lock.
    slide_after : float, metres, optional
        After it.
    """

    edit: ModelEdit
    slide: float
    slide_after: float | None = None

    score_meaning = (
        "smaller is better: centimetres from the nearest take, and 1 for every centimetre of a miss"
    )

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
        names = edit.space.skeleton.names
        lines = [
            f"Model of {len(edit.space.names)} takes: {edit.grade}",
            f"  {rarity_text(edit)}",
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
