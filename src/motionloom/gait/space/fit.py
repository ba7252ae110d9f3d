"""Gait spaces learned from clips."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.gait.cycles.told import ToldClips
from motionloom.gait.space.gather import gather_examples
from motionloom.gait.space.space import GaitSpace
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.roles import Roles


def fit_gait(
    motions: Sequence[Motion],
    told: Sequence[ToldClips] = (),
    roles: Roles | None = None,
    progress: Progress = silent,
) -> GaitSpace:
    """Learn a gait space from clips."""
    found = gather_examples(motions, told, roles, progress=progress)
    return GaitSpace(tuple(e.cycle for e in found.examples), found.bodies)
