from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.quality import compute_quality
from motionloom.edit.bend import BEND, bend_path
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles
from performed import performer_clips


@pytest.fixture(scope="module")
def walk():
    motion = performer_clips(seed=0)[1].motion
    return motion, pose_motion(motion), find_roles(motion.skeleton)


def _bent(walk, turns, places):
    _, pose, roles = walk
    return bend_path(pose, pose.positions[:, roles.joints["hips"]], turns, places)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_places_and_facings_are_met_exactly(walk, seed, count):
    motion, pose, roles = walk
    rng = np.random.default_rng(seed)
    frames = sorted(rng.choice(motion.n_frames, count, replace=False))
    before = body_trajectory(pose, roles)
    turns = [(int(f), float(rng.uniform(-0.4, 0.4))) for f in frames]
    places = [(int(f), before[f, :2] + rng.uniform(-0.4, 0.4, 2)) for f in frames]
    after = body_trajectory(forward_kinematics(_bent(walk, turns, places).motion), roles)
    np.testing.assert_allclose(after[frames, :2], [p for _, p in places], atol=1e-9)
    off = rot.wrap_angle(after[frames, 2] - before[frames, 2] - [t for _, t in turns])
    np.testing.assert_allclose(off, 0, atol=1e-9)


def test_nothing_asked_changes_nothing(walk):
    _, pose, roles = walk
    before = body_trajectory(pose, roles)
    for turns, places in (
        ([], []),
        ([(0, 0.0), (50, 0.0)], [(0, before[0, :2]), (50, before[50, :2])]),
    ):
        after = forward_kinematics(_bent(walk, turns, places).motion)
        np.testing.assert_allclose(after.positions, pose.positions, atol=1e-9)


def test_one_knot_moves_the_motion_as_one_piece(walk):
    pose = walk[1]
    after = forward_kinematics(_bent(walk, [(40, 0.5)], [(40, (3.0, -2.0))]).motion)
    step = np.linalg.norm(np.diff(pose.positions, axis=0), axis=-1)
    np.testing.assert_allclose(
        np.linalg.norm(np.diff(after.positions, axis=0), axis=-1), step, atol=1e-9
    )


def test_bending_lets_feet_slide_less_than_turning_in_place(walk):
    """A walk that shall end 10 degrees and 15 cm elsewhere: as much as an even turn and shift of
    the body.
    """
    motion, pose, roles = walk
    contacts = detect_contacts(pose)
    body, last = body_trajectory(pose, roles), motion.n_frames - 1
    bent = _bent(
        walk, [(0, 0.0), (last, 0.175)], [(0, body[0, :2]), (last, body[last, :2] + [0.15, 0.0])]
    )
    u = np.linspace(0, 1, motion.n_frames)
    even = move_body(
        pose, np.outer(u, [0.15, 0, 0]), 0.175 * u, pose.positions[:, roles.joints["hips"]]
    )
    assert (
        compute_quality(bent, contacts).skate_mean
        < 0.6 * compute_quality(even, contacts).skate_mean
    )


def test_who_stands_still_is_shifted_evenly(walk):
    motion, _, roles = walk
    still = motion.cut(0, 1)
    still = replace(
        still,
        rotations=np.repeat(still.rotations, 31, 0),
        translations=np.repeat(still.translations, 31, 0),
    )
    pose = pose_motion(still)
    at = body_trajectory(pose, roles)[0, :2]
    bent = bend_path(
        pose,
        pose.positions[:, roles.joints["hips"]],
        [],
        [(0, at), (30, (at[0] + 0.3, at[1]))],
    )
    moved = body_trajectory(forward_kinematics(bent.motion), roles)
    np.testing.assert_allclose(np.diff(moved[:, 0]), 0.01, atol=1e-9)


def test_knots_must_ascend(walk):
    for frames in ((5, 3), (5, 5), (-1, 4), (0, 10**6)):
        with pytest.raises(InvalidInputError, match="ascending"):
            _bent(walk, [(f, 0.0) for f in frames], [])


@settings(max_examples=20, deadline=None)
@given(st.floats(-np.pi, np.pi), st.floats(0.0, 6.0))
def test_nobody_is_bent_or_stretched_out_of_shape(walk, angle, far):
    """A place that is far off is reached by a shift in the end; the body turns no more than a
    little.
    """
    motion, pose, roles = walk
    before, last = body_trajectory(pose, roles), motion.n_frames - 1
    aim = before[last, :2] + far * np.array([np.sin(angle), np.cos(angle)])
    after = body_trajectory(
        forward_kinematics(_bent(walk, [], [(0, before[0, :2]), (last, aim)]).motion), roles
    )
    np.testing.assert_allclose(after[last, :2], aim, atol=1e-9)
    assert np.abs(rot.wrap_angle(after[:, 2] - before[:, 2])).max() <= 1.5 * BEND + 1e-9
