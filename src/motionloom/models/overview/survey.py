"""What a motion model is made of, how its takes vary, and what it can reach."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from motionloom.models.overview.reach import ReachableRegion, farthest_joint, reachable_region
from motionloom.reports import Column, Report, Reported, Row, Section, Table
from motionloom.spaces.motion_space import MotionSpace

#: Numbers of eigen-motions whose share is told.
_TOLD = (1, 2, 3, 5, 8, 12, 15, 20, 30)


@dataclass(frozen=True, eq=False)
class ModelOverview(Reported):
    """A motion model for people.

    Parameters
    ----------
    space : MotionSpace
        The model.
    region : ReachableRegion
        Where the joint comes to that is asked about.
    """

    space: MotionSpace
    region: ReachableRegion

    @property
    def lasts(self) -> tuple[float, float, float]:
        """How long the mean, the shortest and the longest take lasts, seconds."""
        durations = self.space.timing.takes.sum(axis=1)
        mean = self.space.timing.spans(np.zeros(self.space.n_components)).sum()
        return float(mean), float(durations.min()), float(durations.max())

    @property
    def timing_error(self) -> float:
        """How far the spans of takes that are left out are missed, as a share."""
        return float(np.sqrt(np.mean(self.space.timing.error**2)))

    def as_report(self) -> Report:
        """What the model is made of, how long it lasts, its energy and its reach."""
        space = self.space
        region = self.region
        mean, shortest, longest = self.lasts
        joint = space.skeleton.names[region.joint]
        noise = None
        if space.kind == "ppca":
            noise = 100 * np.sqrt(space.noise_variance * space.mean.size)
        energy = [(k, space.energy[k - 1]) for k in _TOLD if k <= len(space.energy)]
        shares = (Column("", "eigen-motions"), Column("", "hold", "%", ".1f", 100))
        return Report(
            f"Motion model ({space.kind}) of {len(space.names)} takes",
            [
                Row("", "takes of styles", Counter(space.styles) or None),
                Row("frames", "frames", space.n_frames),
                Row("numbers", "numbers a frame", space.coordinates.size),
                Row("components", "eigen-motions", space.n_components),
                Row("", "noise, root mean square over all joints", noise, "cm"),
                Row("", "key postures (frame)", space.keys_in_words()),
                Row("", "lasts", mean, "s", sentence=f"(takes {shortest:.2f} to {longest:.2f} s)"),
                Row(
                    "timing_error", "spans are predicted within", self.timing_error, "%", ".0f", 100
                ),
                Row("", "root", "at one place, facing +Z" if space.aligned else "as captured"),
                Table("Energy", shares, energy),
                Section(
                    f"Reach of {joint} at frame {region.frame:g}",
                    [Row("", "standard deviations", tuple(region.spread), "cm", ".1f", 100)],
                ),
            ],
            data={
                "kind": space.kind,
                "takes": space.names,
                "styles": space.styles,
                "noise_variance": space.noise_variance,
                "keys": dict(zip(space.key_names, space.key_frames.tolist(), strict=True)),
                "duration": {"mean": mean, "shortest": shortest, "longest": longest},
                "energy": space.energy,
                "sigmas": space.sigmas,
                "reach": {
                    "joint": joint,
                    "frame": region.frame,
                    "mean": region.middle,
                    "spread": region.spread,
                },
            },
            notes=space.notes,
        )


def survey_model(
    space: MotionSpace, joint: int | None = None, at: str | float | None = None
) -> ModelOverview:
    """Look at a model.

    Parameters
    ----------
    space : MotionSpace
        The model.
    joint : int, optional
        Whose reach is looked at; that which varies most when not given.
    at : str or float, optional
        When; the middle key posture when not given.

    Returns
    -------
    ModelOverview
    """
    when = space.key_names[len(space.key_names) // 2] if at is None else at
    if joint is None:
        joint = farthest_joint(space, when)
    return ModelOverview(space, reachable_region(space, joint, when))
