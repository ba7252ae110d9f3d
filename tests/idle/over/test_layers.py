"""Gestures over idle motion: masks, priorities, ease, and what goes along."""

import numpy as np
import pytest
from gestures import FPS, hold_arm

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError, UnknownJointError
from motionloom.idle import IdleStream, begin_idle
from motionloom.idle.over.layers import make_layer, stop_layer, upper_body
from motionloom.motion import Motion
from motionloom_evaluation.idle.gestures import play_schedules


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


@pytest.mark.parametrize("seed", range(6))
def test_gestures_at_random_never_pop_and_keep_to_their_joints(model, standing, seed):
    table = play_schedules([model], [standing.motion], 3, seed)
    assert table.outside == 0.0
    assert table.masked < 1e-6
    assert table.promised < 1e-9
    assert table.jerk < 3.0


def test_a_far_gesture_comes_slowly_unless_told_otherwise(model):
    near, far = (make_layer(hold_arm(model, angle=a), model.space, FPS, 0) for a in (0.01, 1.2))
    quick = make_layer(hold_arm(model), model.space, FPS, 0, ease=0.2)
    assert near.ease_in == round(0.4 * FPS)
    assert far.ease_in > 2 * near.ease_in
    assert quick.ease_in == quick.ease_out == round(0.2 * FPS)


@pytest.mark.parametrize("ease", [0.05, 0.4, 3.0])
def test_one_that_goes_already_does_not_come_back_when_it_is_stopped(model, ease):
    layer = make_layer(hold_arm(model), model.space, FPS, 0, ease=1.0)
    frames = np.arange(100)
    for frame in (3, 20, 50, 70, 88):
        stopped = stop_layer(layer, frame, max(1, round(ease * FPS)))
        before, after = (one.weight(frames)[frame:] for one in (layer, stopped))
        if round(ease * FPS) > 5:
            assert abs(after[0] - before[0]) < 0.02
        assert (after <= before + 1e-9).all()
        assert after[stopped.end - frame :].max(initial=0.0) == 0.0


def test_one_that_is_stopped_before_it_begins_is_never_seen(model):
    plain, layered = streams(model)
    layer = layered.play(hold_arm(model), at=2.0)
    layered.stop(layer, 0.1)
    assert np.array_equal(plain.poses(150)[0], layered.poses(150)[0])
