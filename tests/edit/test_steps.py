"""Steps of known length, scaled."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.contacts import detect_contacts
from motionloom.edit.foot_tracks import FootTrack, resting_feet
from motionloom.edit.footlock import find_legs
from motionloom.edit.steps import scale_steps
from motionloom.posed_motion import pose_motion
from performed import performer_clips


@pytest.fixture(scope="module")
def walk():
    posed = pose_motion(performer_clips(seed=0)[1].motion)
    feet = resting_feet(posed, detect_contacts(posed), find_legs(posed.roles))
    return posed, feet


def _way(posed):
    return posed.body[-1, :2] - posed.body[0, :2]


@pytest.mark.parametrize("scale", [0.85, 1.1])
def test_way_and_steps_are_scaled_and_standing_feet_stand(walk, scale):
    posed, tracks = walk
    moved, scaled = scale_steps(posed, tracks, np.full(posed.n_frames, scale))
    np.testing.assert_allclose(_way(moved), scale * _way(posed), rtol=0.03, atol=0.02)
    np.testing.assert_allclose(moved.motion.rotations, posed.motion.rotations, atol=1e-12)
    for foot, track in tracks.items():
        own = np.diff(track.places, axis=0)
        now = np.diff(scaled[foot].places, axis=0)
        still = np.linalg.norm(own, axis=1) < 1e-4
        assert still.sum() > 10
        assert np.linalg.norm(now[still], axis=1).max() <= max(scale, 1.0) * 1e-4
        np.testing.assert_array_equal(now[:, 1], own[:, 1])
        gone, was = (s.sum(axis=0)[2] for s in (now, own))
        assert gone == pytest.approx(scale * was, rel=0.02)


def test_the_scale_one_changes_nothing(walk):
    posed, tracks = walk
    moved, scaled = scale_steps(posed, tracks, np.ones(posed.n_frames))
    np.testing.assert_allclose(moved.positions, posed.positions, atol=1e-12)
    for foot, track in tracks.items():
        np.testing.assert_allclose(scaled[foot].places, track.places, atol=1e-12)


def test_the_heading_of_a_track_is_its_own(walk):
    """Turned and moved tracks give turned and moved tracks."""
    posed, tracks = walk
    scale = np.linspace(1.0, 0.8, posed.n_frames)
    _, scaled = scale_steps(posed, tracks, scale)
    quarter = np.array([np.cos(np.pi / 4), 0.0, np.sin(np.pi / 4), 0.0])
    turned = {f: _turned(t, quarter) for f, t in tracks.items()}
    _, found = scale_steps(posed, turned, scale)
    for foot, track in scaled.items():
        expected = _turned(track, quarter).places
        offset = found[foot].places[0] - expected[0]
        np.testing.assert_allclose(found[foot].places - offset, expected, atol=1e-9)


def _turned(track, turn):
    return FootTrack(rot.rotate(turn, track.places), rot.multiply(turn, track.rotations))


def test_the_body_is_where_it_is_known_to_go(walk):
    posed, tracks = walk
    frames = [0, 30, 60]
    shifts = np.array([[0.0, 0.0], [0.1, -0.2], [0.1, -0.3]])
    moved, _ = scale_steps(posed, tracks, np.full(posed.n_frames, 0.9), frames, shifts)
    gone = (moved.hips - posed.hips)[:, [0, 2]]
    np.testing.assert_allclose(gone[frames], shifts, atol=1e-9)
    assert np.abs(np.diff(gone, axis=0)).max() < 0.02
