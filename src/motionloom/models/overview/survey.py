"""What a motion model is made of, how its takes vary, and what it can reach."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

import numpy as np

from motionloom.models.overview.reach import ReachableRegion, farthest_joint, reachable_region
from motionloom.spaces.motion_space import MotionSpace

#: Numbers of eigen-motions whose share is told.
_TOLD = (1, 2, 3, 5, 8, 12, 15, 20, 30)


@dataclass(frozen=True, eq=False)
class ModelOverview:
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

    def to_text(self) -> str:
        """Lines for people."""
        space = self.space
        region = self.region
        mean, shortest, longest = self.lasts
        joint = space.skeleton.names[region.joint]
        styles = Counter(space.styles)
        pooled = ", ".join(f"{n} {name}" for name, n in styles.items())
        spread = " x ".join(f"{100 * s:.1f}" for s in region.spread)
        shares = [
            f"  {k:3d} eigen-motions hold {100 * space.energy[k - 1]:5.1f} %"
            for k in _TOLD
            if k <= len(space.energy)
        ]
        noise = ""
        if space.kind == "ppca":
            rest = 100 * np.sqrt(space.noise_variance * space.mean.size)
            noise = f", {rest:.2f} cm of noise"
        return "\n".join(
            [
                f"Motion model ({space.kind}) of {len(space.names)} takes"
                + (f": {pooled}" if pooled else ""),
                f"  {space.n_frames} frames of {space.coordinates.size} numbers,"
                f" {space.n_components} eigen-motions{noise}",
                f"  key postures (frame): {space.keys_in_words()}",
                f"  lasts {mean:.2f} s, takes {shortest:.2f} to {longest:.2f} s; spans are"
                f" predicted within {100 * self.timing_error:.0f} %",
                f"  root: {'moved to one place, facing +Z' if space.aligned else 'as captured'};"
                " distances are root mean squares over all joints, metres",
                "Energy",
                *shares,
                f"Reach of {joint} at frame {region.frame:g}: {spread} cm (standard deviations"
                " along its own axes)",
                *(f"Note: {note}" for note in space.notes),
                "",
            ]
        )

    def to_json(self) -> str:
        """The same for programs."""
        space = self.space
        region = self.region
        mean, shortest, longest = self.lasts
        return json.dumps(
            {
                "kind": space.kind,
                "takes": list(space.names),
                "styles": list(space.styles),
                "frames": space.n_frames,
                "numbers": space.coordinates.size,
                "components": space.n_components,
                "noise_variance": space.noise_variance,
                "keys": dict(zip(space.key_names, space.key_frames.tolist(), strict=True)),
                "duration": {"mean": mean, "shortest": shortest, "longest": longest},
                "timing_error": self.timing_error,
                "energy": space.energy.tolist(),
                "sigmas": space.sigmas.tolist(),
                "reach": {
                    "joint": space.skeleton.names[region.joint],
                    "frame": region.frame,
                    "mean": region.middle.tolist(),
                    "spread": region.spread.tolist(),
                },
                "notes": list(space.notes),
            },
            indent=2,
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
