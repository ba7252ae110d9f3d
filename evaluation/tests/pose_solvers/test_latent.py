"""The compared methods in pose spaces: what pushes joints away from their limits."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.ik.problem import Target, make_problem
from motionloom.spaces import fit_pose_space
from motionloom_evaluation.pose_solvers.latent import CYCLE, WINDOW, LimitPush
from performed import performer_clips


@pytest.fixture(scope="module")
def problem():
    space = fit_pose_space([clip.motion for clip in performer_clips()[:4]])
    return make_problem(
        space, [Target(space.roles.joints["right_hand"], "position", (0.0, 0.2, 0.4))]
    )


@pytest.mark.parametrize("limit", ["lower", "upper"])
def test_angles_at_a_limit_are_pushed_into_their_range_in_turn(problem, limit):
    space = problem.body
    wide = space.upper - space.lower > 1e-6
    pose = 0.7 * space.lower + 0.3 * space.upper
    at_limit = np.flatnonzero(wide)[::3]
    pose[at_limit] = getattr(space, limit)[at_limit]
    limits, pushed = LimitPush(problem), np.zeros((CYCLE, len(pose)), bool)
    for n in range(CYCLE):
        push = limits.push(pose, n)
        pushed[n] = ~np.isnan(push)
        reached = (pose + push)[pushed[n] & wide]
        np.testing.assert_allclose(
            reached, (0.5 * (space.lower + space.upper))[pushed[n] & wide], atol=1e-12
        )
    assert pushed[:, at_limit].any(axis=0).all(), "each has its turn"
    assert not pushed[:, np.setdiff1d(np.flatnonzero(wide), at_limit)].any(), (
        "angles within their range are left alone"
    )
    assert pushed.sum(axis=0).max() <= WINDOW
