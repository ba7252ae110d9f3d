"""Unit guesses, up axes and the turns between them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.units import (
    UNITS,
    axes_to_y_up,
    body_height,
    check_unit,
    guess_unit,
    guess_up,
    turn_quaternions,
    turn_vectors,
)
from motionloom.skeleton import Skeleton

#: A person of 1.75 m: heights of hips, knee, ankle, neck and head joints are those of a textbook
#: figure.
PERSON = Skeleton(
    (
        "Hips",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "RightUpLeg",
        "RightLeg",
        "RightFoot",
        "Neck",
        "Head",
    ),
    [-1, 0, 1, 2, 0, 4, 5, 0, 7],
    [
        [0, 0, 0],
        [0.09, 0, 0],
        [0, -0.43, 0],
        [0, -0.42, 0],
        [-0.09, 0, 0],
        [0, -0.43, 0],
        [0, -0.42, 0],
        [0, 0.5, 0],
        [0, 0.1, 0],
    ],
    [8],
    [[0, 0.2, 0]],
)


def scaled(skeleton, factor):
    offsets, ends = skeleton.offsets * factor, skeleton.end_offsets * factor
    return Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.end_parents, ends)


def standing(skeleton):
    """Rest positions with the feet on the plane y = 0."""
    positions = np.zeros((skeleton.n_joints, 3))
    for j in range(1, skeleton.n_joints):
        positions[j] = positions[skeleton.parents[j]] + skeleton.offsets[j]
    return positions - [0, positions[:, 1].min(), 0]


@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize("size", [0.85, 1.0, 1.15])
def test_unit_of_a_person_is_found_from_bone_lengths(name, size):
    height, kind = body_height(scaled(PERSON, size / UNITS[name]))
    assert height * UNITS[name] == pytest.approx(1.75 * size, rel=0.05)
    unit, reason, sure = guess_unit(height, kind)
    assert unit == UNITS[name]
    assert sure
    assert name in reason


@pytest.mark.parametrize("height", [0.0, float("nan"), float("inf"), -1.0])
def test_a_body_without_extent_is_taken_as_metres(height):
    unit, reason, sure = guess_unit(height)
    assert (unit, sure) == (1.0, False)
    assert "no extent" in reason


def test_a_height_that_no_person_has_is_no_sure_guess():
    unit, _, sure = guess_unit(8.0)
    assert (unit, sure) == (1.0, False)


def test_a_thing_without_head_and_feet_gets_a_plain_unit():
    crane = Skeleton(("base", "boom"), [-1, 0], [[0, 0, 0], [0, 67, 0]])
    unit, _, sure = guess_unit(*body_height(crane))
    assert (unit, sure) == (0.01, False)  # 67 inches would be a person's height, but this is nobody


@pytest.mark.parametrize("unit", [0, -1, float("nan"), float("inf"), 1e300, 1e-300])
def test_units_that_are_none(unit):
    with pytest.raises(InvalidInputError, match="positive number of metres"):
        check_unit(unit)


@pytest.mark.parametrize("markers", [False, True])
@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_axes_are_proper_rotations_that_lift_up_to_y(up, markers):
    axes = axes_to_y_up(up, markers=markers)
    assert np.linalg.det(axes) == 1.0
    np.testing.assert_array_equal(axes @ axes.T, np.eye(3))
    np.testing.assert_array_equal(axes @ np.eye(3)["xyz".index(up)], [0, 1, 0])


def test_conventions():
    point = [1.0, 2.0, 3.0]
    np.testing.assert_array_equal(turn_vectors(axes_to_y_up("z"), point), [1, 3, -2])
    np.testing.assert_array_equal(turn_vectors(axes_to_y_up("x"), point), [-2, 1, 3])
    np.testing.assert_array_equal(turn_vectors(axes_to_y_up("z", markers=True), point), [2, 3, 1])
    np.testing.assert_array_equal(turn_vectors(axes_to_y_up("x", markers=True), point), [3, 1, 2])


def test_an_unknown_axis():
    with pytest.raises(InvalidInputError, match="x, y or z"):
        axes_to_y_up("-z")


@given(st.sampled_from("xyz"), st.booleans(), st.integers(0, 1000))
def test_turned_rotations_are_conjugates(up, markers, seed):
    rng = np.random.default_rng(seed)
    q, v = rot.normalize(rng.normal(size=(5, 4))), rng.normal(size=(5, 3))
    axes = axes_to_y_up(up, markers=markers)
    turned = turn_quaternions(axes, q)
    np.testing.assert_allclose(rot.to_matrix(turned), axes @ rot.to_matrix(q) @ axes.T, atol=1e-14)
    np.testing.assert_allclose(
        rot.rotate(turned, v @ axes.T), turn_vectors(axes, rot.rotate(q, v)), atol=1e-14
    )


def test_up_axis_of_someone_who_stands():
    y_up = standing(PERSON)
    z_up = turn_vectors(axes_to_y_up("z").T, y_up)
    assert guess_up(PERSON, y_up[None])[0] == "y"
    up, reason = guess_up(PERSON, z_up[None])
    assert up == "z"
    assert "above the feet along Z" in reason


def test_someone_lying_along_z_far_from_the_origin_is_not_taken_as_standing():
    lying = turn_vectors(axes_to_y_up("z").T, standing(PERSON)) + np.array([0, 0.1, 5.0])
    assert guess_up(PERSON, lying[None])[0] == "y"


def test_up_axis_without_frames_or_without_a_person():
    assert guess_up(PERSON, np.zeros((0, 9, 3)))[0] == "y"
    rope = Skeleton(("a", "b"), [-1, 0], [[0, 0, 0], [0, 0, 9]])
    assert guess_up(rope, rope.offsets[None])[0] == "y"


@pytest.mark.parametrize(
    ("lean", "up"),
    [
        (0, "y"),
        (30, "y"),
        (50, "y"),
        (55, "y"),
        (58, "z"),
        (90, "z"),
        (120, "z"),
        (125, "y"),
        (150, "y"),
    ],
)
def test_only_who_is_far_along_z_stands_along_z(lean, up):
    """Someone bowing deeply in a Y-up file has the head farther along Z than along Y, but not 1.5
    times as far.
    """
    leaning = rot.rotate(rot.from_rotvec([np.radians(lean), 0, 0]), standing(PERSON))
    assert guess_up(PERSON, leaning[None])[0] == up
