"""Gestures over idle motion: masks, priorities, ease, and what goes along."""

import numpy as np
import pytest
from gestures import FPS, hold_arm

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError, UnknownJointError
from motionloom.idle import IdleStream, begin_idle
from motionloom.idle.layers import make_layer, upper_body
from motionloom.motion import Motion


def streams(model):
    return (IdleStream(model, FPS, begin_idle(model, 1)) for _ in range(2))


def test_joints_outside_the_mask_are_untouched(model):
    plain, layered = streams(model)
    layered.play(hold_arm(model), ["right_shoulder"], at=1.0, spread=False)
    a, b = plain.frames(200), layered.frames(200)
    arm = model.space.roles.joints["right_shoulder"]
    others = [j for j in range(a.skeleton.n_joints) if j != arm]
    assert np.array_equal(a.rotations[:, others], b.rotations[:, others])
    assert np.array_equal(a.translations, b.translations)
    assert not np.array_equal(a.rotations[:, arm], b.rotations[:, arm])


def test_nothing_changes_before_and_behind_it(model):
    plain, layered = streams(model)
    layered.play(hold_arm(model), at=1.0)
    a, b = plain.frames(200), layered.frames(200)
    assert np.array_equal(a.rotations[:30], b.rotations[:30])
    assert np.array_equal(a.rotations[120:], b.rotations[120:])


def test_it_is_shown_whole_once_it_has_come(model):
    _, layered = streams(model)
    clip = hold_arm(model)
    layered.play(clip, ["right_shoulder"], ease=0.3)
    shown = layered.frames(90)
    arm = model.space.roles.joints["right_shoulder"]
    apart = rot.angle_between(shown.rotations[12:75, arm], clip.rotations[12:75, arm])
    assert apart.max() < 1e-6


def test_the_higher_priority_is_seen_whichever_came_first(model):
    arm = model.space.roles.joints["right_shoulder"]
    high, low = hold_arm(model, angle=1.0), hold_arm(model, angle=-1.0)
    for order in ((high, low), (low, high)):
        _, layered = streams(model)
        for clip in order:
            layered.play(clip, ["right_shoulder"], priority=int(clip is high))
        middle = layered.frames(60).rotations[45, arm]
        assert rot.angle_between(middle, high.rotations[45, arm]) < 1e-6


def test_the_trunk_goes_along_and_the_legs_do_not(model):
    joints = model.space.roles.joints
    plain, layered = streams(model)
    layered.play(hold_arm(model, "left_shoulder"), ["left_shoulder"], at=0.5)
    a, b = plain.frames(60), layered.frames(60)
    moved = rot.angle_between(a.rotations[40], b.rotations[40])
    free = upper_body(a.skeleton, model.space.roles)
    assert moved[[j for j in free if j != joints["left_shoulder"]]].max() > 1e-4
    assert moved[joints["left_knee"]] < 1e-6


def test_one_that_is_stopped_goes_and_is_gone(model):
    plain, layered = streams(model)
    layer = layered.play(hold_arm(model, seconds=10.0))
    first = layered.frames(60)
    layered.stop(layer, ease=0.5)
    rest = layered.frames(60)
    expected = plain.frames(120)
    assert not np.allclose(first.rotations[59], expected.rotations[59])
    assert np.array_equal(rest.rotations[15:], expected.rotations[75:])
    both = np.concatenate([first.rotations, rest.rotations])
    arm = model.space.roles.joints["right_shoulder"]
    assert rot.angle_between(both[1:, arm], both[:-1, arm]).max() < 0.25


def test_a_clip_of_another_skeleton_is_refused(model):
    with pytest.raises(InvalidInputError, match="same skeleton"):
        make_layer(other(), model.space, FPS, 0)


def other():
    from motionloom.skeleton import Skeleton

    skeleton = Skeleton(("a",), np.array([-1]), np.zeros((1, 3)))
    return Motion(skeleton, rot.identity(3, 1), np.zeros((3, 1, 3)), 0.1)


def test_legs_are_not_set(model):
    with pytest.raises(InvalidInputError, match="hips and legs stand"):
        make_layer(hold_arm(model), model.space, FPS, 0, ["left_knee"])
    with pytest.raises(UnknownJointError):
        make_layer(hold_arm(model), model.space, FPS, 0, ["tail"])
