"""How far a motion is from the nearest take."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from motionloom.ik.tasks import Task
from motionloom.models import EditOptions, KeyTasks, edit_motion
from motionloom.models._edit import find_nearest
from motionloom.posed_motion import PosedMotion
from reaches import reach_space


def two_styles():
    """Takes in two heaps far from each other, along the strongest eigen-motion."""
    space = reach_space()
    heaps = 0.1 * space.coefficients
    heaps[:, 0] += np.repeat([-1.0, 1.0], 5)
    return replace(space, coefficients=heaps)


def test_the_distance_is_that_of_whole_rows():
    space = reach_space()
    rng = np.random.default_rng(0)
    own = 0.5 * rng.normal(size=space.n_components)
    moved = 0.01 * rng.normal(size=space.mean.shape)
    rows = space.inverse_transform(space.coefficients)
    away = (space.inverse_transform(own) + moved - rows) * space.scale
    lengths = np.sqrt((away**2).sum(axis=(1, 2)) / space.n_frames)
    found = find_nearest(space, own, moved)
    assert_allclose(found.distance, lengths.min(), rtol=1e-9)
    assert found.take == space.names[int(lengths.argmin())]


def test_a_take_is_like_itself_and_what_lies_between_heaps_is_like_none():
    space = two_styles()
    take = find_nearest(space, space.coefficients[3])
    assert (take.take, take.is_between) == (space.names[3], False)
    assert_allclose(take.distance, 0.0, atol=1e-9)
    assert find_nearest(space, np.zeros(space.n_components)).is_between
    # The mean of takes that are one heap is like them.
    assert not find_nearest(reach_space(), np.zeros(space.n_components)).is_between


def test_takes_that_nearly_coincide_do_not_make_their_neighbours_strange():
    space = reach_space()
    twice = space.coefficients.copy()
    twice[1] = twice[0] + 1e-6
    near = replace(space, coefficients=twice)
    beside = twice[0] + 0.2 * (twice[2] - twice[0])
    assert not find_nearest(near, beside).is_between


@pytest.mark.parametrize("local", [None, 0.15])
def test_few_deviations_between_heaps_are_unusual_all_the_same(local):
    space = two_styles()
    joint = space.roles.joints["right_hand"]
    values = space.values_at(np.zeros(space.n_components), [space.frame_of("hold")])
    pose = PosedMotion(space.coordinates.to_motion(values, 1 / 30), space.roles)
    asked = [KeyTasks("hold", [Task("position", pose.positions[0, joint], joint)])]
    drawn = edit_motion(space, asked, EditOptions(pull="mean", local=local))
    assert drawn.whole.sigmas < 1.0
    assert drawn.nearness.is_between
    assert drawn.grade == "unusual"
