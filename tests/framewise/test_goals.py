"""Tracks of effectors: exact where they are asked for, the clip's own elsewhere, smooth between."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.framewise._goals import Goal, build_track, reach_of, shares_of
from motionloom.framewise._tracks import tried_frames, ways_between

FPS = 50.0


def goal(first, last, value=(0.0, 1.0, 0.0), **more):
    return Goal("position", value, first, last, ease_in=0.2, ease_out=0.2, **more)


def test_shares_are_one_while_a_goal_holds_and_go_over_into_the_next():
    near, far = [goal(20, 24), goal(30, 30)], [goal(20, 24), goal(80, 80)]
    frames = np.arange(100)
    met = shares_of(near, frames, FPS)
    assert (met[0, 20:25] == 1.0).all()
    assert met[1, 30] == 1.0
    np.testing.assert_allclose(met[:, 24:31].sum(axis=0), 1.0, atol=1e-12)
    apart = shares_of(far, frames, FPS)
    assert (apart[:, 35:70] == 0.0).all()
    assert reach_of(far, FPS, 100) == (10, 91)


def test_a_track_is_exact_in_its_goals_and_the_clips_own_at_its_ends():
    rng = np.random.default_rng(0)
    own = np.cumsum(0.01 * rng.standard_normal((60, 3)), axis=0)
    goals = [goal(30, 34, value=(0.5, 1.0, 0.2))]
    span = reach_of(goals, FPS, 60)
    missed = np.zeros((span[1] - span[0], 3))
    track = build_track(goals, own, own, FPS, span, 3, missed, np.ones(len(missed), bool))
    for frame in range(30, 35):
        np.testing.assert_allclose(track.task(frame).value, [0.5, 1.0, 0.2], atol=1e-12)
    np.testing.assert_allclose(track.values[[0, -1]], own[[span[0], span[1] - 1]], atol=1e-12)


def test_a_goal_of_one_frame_keeps_the_speed_it_is_passed_with():
    own = np.stack([np.arange(40) * 0.1, np.zeros(40), np.zeros(40)], axis=-1)
    goals = [goal(20, 20, value=(2.0, 0.3, 0.0))]
    track = build_track(goals, own, own, FPS, (0, 40), 3, np.zeros((40, 3)), np.ones(40, bool))
    speed = np.diff(track.values, axis=0)
    np.testing.assert_allclose(speed[:, 0], 0.1, atol=1e-12)
    assert abs(speed[19:21, 1]).max() < 0.01


def test_orientations_turn_the_short_way_to_their_goal():
    own = np.tile([1.0, 0.0, 0.0, 0.0], (40, 1))
    wanted = rot.from_rotvec(np.array([0.0, 1.0, 0.0]))
    goals = [Goal("orientation", -wanted, 20, 20, ease_in=0.2, ease_out=0.2)]
    track = build_track(
        goals, own, np.zeros((40, 3)), FPS, (0, 40), 3, np.zeros((40, 3)), np.ones(40, bool)
    )
    turned = rot.angle_between(own, track.values)
    assert turned.max() == pytest.approx(1.0)
    assert (np.diff(turned[10:21]) >= 0).all()


def test_ways_lead_through_poses_and_run_on_with_the_speed_of_runs():
    poses = {10: np.array([1.0]), 11: np.array([1.2]), 12: np.array([1.4])}
    ways = ways_between(poses, (0, 30), 1)[:, 0]
    np.testing.assert_allclose(ways[10:13], [1.0, 1.2, 1.4])
    assert ways[13] == pytest.approx(1.6, abs=0.04)
    assert ways[9] == pytest.approx(0.8, abs=0.04)
    assert abs(ways[[0, -1]]).max() < 0.01
    assert np.abs(np.diff(ways, 2)).max() < 0.2


def test_goals_that_follow_closely_are_not_left_between():
    goals = (goal(20, 20), goal(26, 26))
    assert tried_frames(goals, FPS, (0, 100)) == [10, 20, 26, 36]


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"first": 5, "last": 3}, "0 <= first <= last"),
        ({"ease_in": -1.0}, "takes a number of seconds"),
        ({"kind": "gaze", "shift": True}, "cannot be shifted"),
        ({"value": (1.0, 2.0)}, "cannot have value"),
    ],
)
def test_goals_that_make_no_sense_are_refused(more, text):
    given = {"kind": "position", "value": (0.0, 0.0, 0.0), "first": 0, "last": 1, **more}
    with pytest.raises(InvalidInputError, match=text):
        Goal(**given)
