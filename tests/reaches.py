"""Takes of one action with known truth: the built-in performer reaches to points and comes back."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np

from motionloom.motion import Motion
from motionloom.performer import Reach, make_performer, perform, plan_steps
from motionloom.spaces.motion_space import (
    KeyRule,
    Keys,
    MotionSpace,
    MotionSpaceOptions,
    build_motion_space,
    find_keys,
)

#: Left, up and ahead of the feet, shares of stature.
MIDDLE, AROUND = np.array([-0.06, 0.80, 0.31]), np.array([0.07, 0.09, 0.04])
RULE = KeyRule("hold", "right_hand")


@functools.cache
def reach_takes(count: int = 10, seed: int = 0) -> tuple[Motion, ...]:
    """Reaches with the right hand to points around one, each at its own pace."""
    rng = np.random.default_rng(seed)
    body = make_performer()
    takes = []
    for i in range(count):
        target = MIDDLE + AROUND * rng.uniform(-1, 1, 3)
        going, hold = rng.uniform(0.6, 0.8), rng.uniform(0.3, 0.6)
        reach = Reach(1, tuple(target), 0.3, going, hold)
        plan = plan_steps(body, (), lead_in=2 * going + hold + 0.2)
        motion = perform(body, plan, (reach,), fps=30.0, seed=i).motion
        takes.append(replace(motion, name=f"reach_{i}"))
    return tuple(takes)


@functools.cache
def reach_keys(count: int = 10, seed: int = 0) -> Keys:
    """Their key postures."""
    return find_keys(reach_takes(count, seed), RULE)


@functools.cache
def reach_space(kind: str = "pca", components: int | None = None, count: int = 10) -> MotionSpace:
    """A model of them."""
    options = MotionSpaceOptions(kind=kind, components=components)
    return build_motion_space(reach_takes(count), reach_keys(count), options)
