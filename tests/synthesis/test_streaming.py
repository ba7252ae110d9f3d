"""A stream goes on from a state: in pose, in speed, and with nothing left of it after a second."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.motion import Motion
from motionloom.posed_motion import pose_motion
from motionloom.synthesis.streaming import (
    BEGINNING,
    ContinuedStream,
    begin_from,
    end_in,
    state_before,
    state_behind,
)
from performed import performer_clips


@pytest.fixture(scope="module")
def walk():
    clips = {c.motion.name: c.motion for c in performer_clips(seed=0)}
    return pose_motion(next(m for name, m in clips.items() if name.startswith("walk")))


def held(posed, frame, count):
    """A pose that is held."""
    pose = posed.motion.cut(frame, frame + 1)
    return replace(
        pose,
        rotations=np.repeat(pose.rotations, count, axis=0),
        translations=np.repeat(pose.translations, count, axis=0),
    )


def jumps(*motions):
    """Second differences of the joints' places over the seam behind each motion, metres."""
    places = [pose_motion(m).positions for m in motions]
    whole = np.concatenate(places)
    at = np.cumsum([len(p) for p in places])[:-1]
    bend = np.linalg.norm(np.diff(whole, 2, axis=0), axis=-1).max(axis=1)
    return [bend[a - 2 : a].max() for a in at]


def test_it_begins_with_pose_and_speed_and_forgets_them(walk):
    state = state_before(walk, 40)
    still = held(walk, 70, 90)
    begun = begin_from(state, still)
    np.testing.assert_allclose(pose_motion(begun).positions[0], walk.positions[40], atol=1e-9)
    own = np.linalg.norm(np.diff(walk.positions, 2, axis=0), axis=-1).max()
    assert jumps(walk.motion.cut(0, 40), begun)[0] < own
    late = round(BEGINNING * still.fps) + 2
    np.testing.assert_allclose(begun.rotations[late:], still.rotations[late:], atol=1e-9)


def test_it_ends_with_pose_and_speed(walk):
    state = state_behind(walk, 40)
    ended = end_in(state, held(walk, 70, 90))
    np.testing.assert_allclose(pose_motion(ended).positions[-1], walk.positions[40], atol=1e-9)
    own = np.linalg.norm(np.diff(walk.positions, 2, axis=0), axis=-1).max()
    assert jumps(ended, walk.motion.cut(41, 80))[0] < own


def test_blocks_of_any_size_are_the_same_frames(walk):
    def stream():
        source = iter(range(10_000))
        state = state_before(walk, 40)

        def frames(count):
            first = next(source)
            for _ in range(count - 1):
                next(source)
            return walk.motion.cut(first % 50, first % 50 + count)

        return ContinuedStream(state, frames, walk.fps)

    whole = stream().frames(48)
    one = stream()
    parts = [one.frames(n) for n in (10, 5, 30, 3)]
    together = np.concatenate([part.rotations for part in parts])
    dots = np.abs(np.sum(together * whole.rotations, axis=-1))
    np.testing.assert_allclose(dots, 1.0, atol=1e-9)
    assert isinstance(whole, Motion)


def test_the_first_and_last_frame_of_a_motion_are_at_rest(walk):
    assert not state_before(walk, 0).moving.any()
    np.testing.assert_allclose(state_behind(walk, walk.n_frames - 1).turning, 0.0, atol=1e-12)
