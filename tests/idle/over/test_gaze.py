"""Somebody who waits looks at points: neck and head turn, eased, not too far and not too fast."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.idle import IdleStream, begin_idle
from motionloom.idle._making import make_idle
from motionloom.idle.live import Look, read_command
from motionloom.idle.over._gaze import FARTHEST
from motionloom.posed_motion import pose_motion

#: The built-in person is learned from motion whose head faces ahead in the neutral posture.
AHEAD = np.array([0.0, 0.0, 1.0])


def both(model, point, frames=300, before=0):
    """The same frames without and with a point that is looked at, as they are posed."""
    made = []
    for looked in (None, point):
        stream = IdleStream(model, 60.0, begin_idle(model, 3))
        stream.frames(before)
        if looked is not None:
            stream.look_at(looked)
        made.append(pose_motion(stream.frames(frames), model.space.roles))
    return made


def turned(model, plain, looking):
    head = model.space.roles.joints["head"]
    return rot.angle_between(plain.rotations[:, head], looking.rotations[:, head])


def test_the_head_comes_to_face_the_point(model):
    point = np.array([1.2, 1.3, 2.0])
    _, looking = both(model, point, 600)
    head = model.space.roles.joints["head"]
    gaze = rot.rotate(looking.rotations[-60:, head], AHEAD)
    wanted = point - looking.positions[-60:, head]
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    assert np.degrees(np.arccos(np.sum(gaze * wanted, axis=1))).max() < 6.0


def test_it_turns_60_degrees_at_most_and_no_faster_than_in_a_shift(model):
    plain, looking = both(model, [-1.0, 1.5, -3.0], 900)
    angle = turned(model, plain, looking)
    assert angle.max() <= FARTHEST + 1e-6
    assert angle[-1] > 0.95 * FARTHEST
    stream = IdleStream(model, 60.0)
    stream.look_at([0.0, 1.0, 1.0])
    assert np.diff(angle).max() * 60 <= stream._gaze.speed * 1.01


def test_it_begins_gently_and_nothing_else_moves(model):
    plain, looking = both(model, [2.0, 1.5, 1.0], 120, before=60)
    angle = turned(model, plain, looking)
    assert angle[0] < 0.5 * np.diff(angle).max()
    joints = model.space.roles.joints
    others = [
        j for j in range(plain.skeleton.n_joints) if j not in (joints["neck"], joints["head"])
    ]
    assert np.abs(plain.motion.rotations - looking.motion.rotations)[:, others].max() < 1e-12


def test_frame_by_frame_is_the_same_as_all_at_once(model):
    made = []
    for counts in ((90,), (1, 1, 28, 60)):
        stream = IdleStream(model, 60.0, begin_idle(model, 1))
        stream.look_at([1.0, 1.5, 1.0])
        made.append(np.concatenate([stream.frames(n).rotations for n in counts]))
    np.testing.assert_allclose(made[0], made[1], atol=1e-12)


def test_who_no_longer_looks_waits_as_before(model):
    plain, looking = (IdleStream(model, 60.0, begin_idle(model, 1)) for _ in range(2))
    looking.look_at([2.0, 1.5, 1.0])
    looking.frames(120)
    looking.look_at(None)
    looking.frames(900)
    plain.frames(1020)
    assert np.array_equal(plain.frames(60).rotations, looking.frames(60).rotations)


def test_motion_of_a_length_looks_when_told(model):
    made = make_idle(model, 4.0, 30.0, 1, looks=[([2.0, 1.5, 1.0], 2.0)]).motion
    plain = make_idle(model, 4.0, 30.0, 1).motion
    head = model.space.roles.joints["head"]
    away = rot.angle_between(made.rotations[:, head], plain.rotations[:, head])
    assert away[:60].max() < 1e-7
    assert away[-1] > 0.05


@pytest.mark.parametrize("point", [[0.0, 1.0], [np.nan, 0.0, 0.0], [0.0, 1e9, 0.0]])
def test_what_is_no_point_is_refused(model, point):
    with pytest.raises(InvalidInputError, match="a point to look at"):
        IdleStream(model).look_at(point)


def test_commands_to_look():
    assert read_command(b'{"do": "look", "at": [1, 1.5, 2]}') == Look(do="look", at=(1, 1.5, 2))
    assert read_command(b'{"do": "look"}') == Look(do="look")
    assert read_command(b'{"do": "look", "at": [1, 2]}') is None
    assert read_command(b'{"do": "look", "at": [1, 2, 1e9]}') is None
