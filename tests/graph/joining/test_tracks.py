import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.edit.foot_tracks import FootTrack, heading_of
from motionloom.graph.joining import chain_track
from motionloom.kinematics import forward_kinematics
from motionloom.roles import find_roles
from performed import performer_clips

FPS = 30.0


@pytest.fixture(scope="module")
def walked():
    """The left foot of the performer's walk."""
    clip = performer_clips(seed=0)[1].motion
    pose = forward_kinematics(clip)
    ankle = find_roles(clip.skeleton).joints["left_foot"]
    return FootTrack(pose.positions[:, ankle], pose.rotations[:, ankle])


def _laid(track, pieces):
    """Pieces (start, stop, turn, shift) of a track, and where each would have gone on."""
    moved = [
        (
            rot.rotate(rot.yaw(turn), track.places[a : b + 1]) + shift,
            rot.multiply(rot.yaw(turn), track.rotations[a : b + 1]),
        )
        for a, b, turn, shift in pieces
    ]
    laid = FootTrack(*(np.concatenate([m[k][:-1] for m in moved]) for k in (0, 1)))
    ends = FootTrack(*(np.stack([m[k][-1] for m in moved[:-1]]) for k in (0, 1)))
    return laid, ends


def test_pieces_that_continue_each_other_give_the_captured_track_back(walked):
    pieces = [
        (0, 20, 0.0, np.zeros(3)),
        (20, 47, 1.3, np.array([0.4, 0.0, -2.0])),
        (47, 90, -2.9, np.array([-1.0, 0.0, 0.7])),
    ]
    laid, ends = _laid(walked, pieces)
    track = chain_track(laid, ends, [20, 47], FPS)
    np.testing.assert_allclose(track.places, walked.places[:90], atol=1e-9)
    assert rot.angle_between(track.rotations, walked.rotations[:90]).max() < 1e-6


def test_jumps_of_height_and_slope_are_spread_and_nothing_else_changes(walked):
    raised = np.array([0.0, 0.03, 0.0])
    laid, ends = _laid(walked, [(0, 40, 0.0, np.zeros(3)), (40, 80, 0.5, raised)])
    tilt = rot.from_rotvec([0.1, 0.0, 0.0])
    tilted = laid.rotations.copy()
    tilted[40:] = rot.multiply(tilted[40:], tilt)
    track = chain_track(FootTrack(laid.places, tilted), ends, [40], FPS)
    steps = np.diff(track.places[:, 1] - walked.places[:80, 1])
    assert np.abs(steps).max() < 0.03 / 4
    level = track.places[:, [0, 2]] - walked.places[:80, [0, 2]]
    assert np.abs(level[:40]).max() < 1e-9
    away = np.r_[0:30, 50:80]
    np.testing.assert_allclose(
        np.diff(track.places[away, 1]),
        np.diff(np.r_[walked.places, walked.places][away, 1]),
        atol=0.04,
    )
    turns = rot.angle_between(track.rotations[1:], track.rotations[:-1])
    captured = rot.angle_between(walked.rotations[1:80], walked.rotations[:79])
    assert (turns - captured).max() < 0.1 / 3


def test_the_jump_of_a_foot_in_the_air_does_not_reach_into_contacts(walked):
    raised = np.array([0.0, 0.03, 0.0])
    laid, ends = _laid(walked, [(0, 40, 0.0, np.zeros(3)), (40, 80, 0.0, raised)])
    down = np.ones(80, bool)
    down[36:43] = False
    track = chain_track(laid, ends, [40], FPS, down)
    own = walked.places[:80, 1] + np.where(np.arange(80) < 40, 0.0, 0.03)
    np.testing.assert_allclose(track.places[down, 1], own[down], atol=1e-9)
    away = np.abs(np.diff(track.places[:, 1] - walked.places[:80, 1]))
    assert away.max() < 0.03 / 2
    everywhere = chain_track(laid, ends, [40], FPS, np.ones(80, bool))
    np.testing.assert_array_equal(everywhere.places, chain_track(laid, ends, [40], FPS).places)


@pytest.mark.parametrize("angle", [-3.0, -0.4, 0.0, 2.0])
def test_the_heading_of_a_turn_about_the_vertical_is_its_angle(angle):
    assert heading_of(rot.yaw(angle)) == pytest.approx(angle)
    tilted = rot.multiply(rot.yaw(angle), rot.from_rotvec([0.2, 0.0, -0.3]))
    assert abs(rot.wrap_angle(heading_of(tilted) - angle)) < 0.05
