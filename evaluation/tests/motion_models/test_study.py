"""Experiments on motion models against known truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.framewise.asked import slope_turn
from motionloom.posed_motion import pose_motion
from motionloom.spaces.motion_space import MotionSpaceOptions
from motionloom_evaluation.motion_models.held_out import (
    blocks_out,
    edit_nearest,
    fit_ridge,
    left_out,
    low_to_high,
)
from motionloom_evaluation.motion_models.slopes import ask_slope, tilt_take
from motionloom_evaluation.motion_models.study import Study, styles_of
from motionloom_evaluation.motion_models.swings import swing_takes


@pytest.fixture(scope="module")
def swings():
    return Study.of_swings(swing_takes(9, fps=15.0))


def test_swings_hit_where_their_hands_were_aimed_and_their_feet_stay(swings):
    spread = swings.hit_points.std(axis=0)
    assert (spread > 0.01).all()
    feet = swings.feet()
    still = np.ptp(swings.all_positions[:, :, feet], axis=1)
    assert still.max() < 2e-3


def test_the_club_goes_on_along_the_bone(swings):
    row = swings.normalised.rows[0]
    pose = swings.world(row[None, swings.hit_frame])
    parent = swings.normalised.coordinates.skeleton.parents[swings.joint]
    bone = pose.positions[0, swings.joint] - pose.positions[0, parent]
    club = swings.hit_point(row) - pose.positions[0, swings.joint]
    assert np.linalg.norm(club) == pytest.approx(0.9)
    assert np.dot(club, bone) / np.linalg.norm(club) / np.linalg.norm(bone) > 0.98


def test_takes_left_out_are_never_trained_on(swings):
    for splits in (left_out(swings, 4, 0), blocks_out(swings), low_to_high(swings)):
        for train, test in splits:
            assert not set(train) & set(test)
    assert sorted(k for _, test in blocks_out(swings) for k in test) == list(range(9))
    ((low, high),) = low_to_high(swings)
    heights = swings.hit_points[:, 1]
    assert heights[low].max() <= heights[high].min()


def test_a_take_that_is_left_out_changes_nothing_that_is_learned(swings):
    known = swings.of_takes(range(8))
    means = [s.normalised.coordinates.reference for s in (known, swings)]
    assert not np.allclose(*means, atol=1e-9)
    # One of its own comes out as it went in.
    np.testing.assert_allclose(
        known.row_of(swings.takes[3], swings.keys.times[3]), known.normalised.rows[3], atol=1e-9
    )
    truth = known.row_of(swings.takes[8], swings.keys.times[8])
    assert truth.shape == known.normalised.rows[0].shape
    np.testing.assert_allclose(known.hit_point(truth), swings.hit_points[8], atol=0.02)


def test_ridge_finds_motions_that_are_linear_in_the_hit_point(swings):
    rng = np.random.default_rng(0)
    slopes = rng.standard_normal((3, swings.normalised.rows[0].size))
    rows = (swings.hit_points @ slopes).reshape(swings.normalised.rows.shape)
    study = swings.of_takes(range(8))
    study.__dict__["normalised"] = replace(swings.normalised, rows=rows[:8])
    study.__dict__["hit_points"] = swings.hit_points[:8]
    guess = fit_ridge(study)(swings.hit_points[8])
    away = np.abs(rows[:8] - rows[8]).mean()
    assert np.abs(guess - rows[8]).mean() < 0.02 * away


def test_the_per_frame_edit_hits_the_point(swings):
    guess = edit_nearest(swings, 0, swings.hit_points[1])
    np.testing.assert_allclose(swings.hit_point(guess.row), swings.hit_points[1], atol=1e-3)


def test_a_tilted_take_stands_on_the_slope(swings):
    take = swings.takes[0]
    edit = tilt_take(take, 5.0)
    before, after = pose_motion(take), edit.after
    joints = [before.roles.joints[r] for r in before.roles.feet]
    middle = before.positions[:, joints].mean(axis=(0, 1)) * [1.0, 0.0, 1.0]
    wanted = middle + rot.rotate(slope_turn(5.0), before.positions[:, joints] - middle)
    np.testing.assert_allclose(after.positions[:, joints], wanted, atol=2e-3)
    turned = rot.multiply(slope_turn(5.0), before.rotations[:, joints])
    assert rot.angle_between(after.rotations[:, joints], turned).max() < 2e-3


def test_flat_takes_know_flat_ground_only(swings):
    space = swings.space(range(9), MotionSpaceOptions())
    flat, _ = ask_slope(swings, space, "flat", 0.0)
    steep, _ = ask_slope(swings, space, "flat", 7.0)
    assert flat.grade == "fine"
    assert flat.at_key < 2.0
    assert steep.grade == "outside what these takes know"


def test_takes_of_too_small_a_number_are_refused(swings):
    with pytest.raises(InvalidInputError, match="at least 8"):
        Study.of(swings.takes[:3], swings.action)


def test_styles_are_told_by_parts_of_names():
    assert styles_of(["a_old_1", "a_new_2", "b"], ["old", "new"]) == ("old", "new", "")
