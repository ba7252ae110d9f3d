"""Rests and the shifts that end them, one after the other, as a waiting model plans them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from motionloom.idle import IdleCrowd, IdleModel, IdleStreamOptions, begin_idle
from motionloom.idle.streams.plans import Plan, plan_piece
from motionloom.motion import Motion

#: A crowd keeps so many of the last frames that it made.
_KEPT = 4


def plans_of(model: IdleModel, seed: int) -> Iterator[Plan]:
    """Plans without end."""
    state = begin_idle(model, seed)
    while True:
        plan, state = plan_piece(model, state, IdleStreamOptions())
        yield plan


def components_of(model: IdleModel, seed: int, n_frames: int) -> NDArray[np.float64]:
    """Components of made postures as they are seen from their stances, before feet are planted."""
    crowd = IdleCrowd(model, [begin_idle(model, seed)])
    parts: list[NDArray[np.float64]] = []
    count = 0
    for plan in plans_of(model, seed):
        rotations, places = [], []
        for frame in range(count, count + plan.n_frames):
            crowd.frames(1)
            kept = crowd.kept()
            rotations.append(kept["rotations"][frame % _KEPT])
            places.append(kept["places"][frame % _KEPT])
        motion = Motion(
            skeleton=crowd.skeleton,
            rotations=np.array(rotations),
            translations=np.array(places),
            frame_time=1.0 / model.fps,
            translated=(0,),
        )
        parts.append(model.space.to_components(motion.transformed(plan.begin.place.inverse())))
        count += plan.n_frames
        if count >= n_frames:
            break
    return np.concatenate(parts)[:n_frames]
