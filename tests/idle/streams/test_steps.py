"""Steps of somebody who waits: placed on the feet as they stand, and no wider than recorded."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.idle import IdleStream, begin_idle, fit_idle, prepare_recording
from motionloom.idle._making import make_idle
from motionloom.idle.learning.limits import MotionRange, find_beyond, join_ranges, measure_range
from motionloom.idle.streams.plans import IdleStreamOptions, plan_piece
from motionloom.io import load_motion
from motionloom.posed_motion import pose_motion


@pytest.fixture(scope="module")
def walker(shared_data):
    """Somebody who steps about while they wait."""
    recorded = load_motion(shared_data / "idle" / "person000_genuine.bvh")
    return fit_idle([prepare_recording(recorded)])


def test_feet_stand_no_farther_apart_than_recorded_however_often_they_step(walker):
    state = begin_idle(walker, 5)
    widths = []
    steps = 0
    for _ in range(300):
        plan, state = plan_piece(walker, state, IdleStreamOptions())
        after = plan.after.feet
        widths.append(np.hypot(*(after[0] - after[1])[::2]))
        steps += not np.array_equal(after, plan.begin.feet)
    assert steps > 50
    assert max(widths) <= walker.limits.width


def test_the_stance_behind_a_step_is_that_of_the_rest_that_follows(walker):
    state = begin_idle(walker, 1)
    for _ in range(100):
        _, state = plan_piece(walker, state, IdleStreamOptions())
        off = (state.feet - walker.rests[state.rest].feet)[:, ::2]
        # Feet that stand likewise need no step.
        assert np.abs(off).max() < 0.04 * walker.space.leg


@pytest.mark.parametrize("fps", [None, 60.0])
def test_no_joint_of_who_stands_moves_beyond_the_recording(shared_data, fps):
    """Both knees of this person were captured a little backwards."""
    recorded = load_motion(shared_data / "idle" / "person007_genuine.bvh")
    stander = fit_idle([prepare_recording(recorded)])
    motion = IdleStream(stander, fps, begin_idle(stander, 5)).frames(7200)
    made = measure_range(pose_motion(motion, stander.space.roles))
    assert find_beyond(made, stander.limits) == ()


def test_no_joint_of_who_steps_about_moves_beyond_the_recording(walker):
    motion = IdleStream(walker, 60.0, begin_idle(walker, 0)).frames(9600)
    made = measure_range(pose_motion(motion, walker.space.roles))
    assert find_beyond(made, walker.limits) == ()


def test_who_has_stepped_stands_for_a_moment_even_when_restless(walker):
    state = begin_idle(walker, 0)
    stays = []
    for _ in range(40):
        plan, state = plan_piece(walker, state, IdleStreamOptions(restlessness=100.0))
        if plan.begin.came is not None:
            stays.append(plan.stay)
    assert stays
    assert min(stays) >= round(0.4 * walker.fps)


def test_a_motion_beyond_its_recording_is_a_problem(model):
    fine = make_idle(model, 5.0, 30.0, seed=1)
    assert fine.problems == ()
    assert "recorded" in fine.to_text()
    narrow = replace(model, limits=MotionRange(0.0, 9.0, 1.0, 1e-3, 1e-3))
    beyond = make_idle(narrow, 5.0, 30.0, seed=1)
    assert len(beyond.problems) == 4
    assert all(problem in beyond.to_text() for problem in beyond.problems)


def test_a_motion_is_measured_the_same_in_one_go_and_in_blocks(model, monkeypatch):
    motion = IdleStream(model, 60.0, begin_idle(model, 2)).frames(700)
    posed = pose_motion(motion, model.space.roles)
    whole = measure_range(posed)
    monkeypatch.setattr("motionloom.idle.learning.limits._BLOCK", 100)
    assert measure_range(posed) == whole
    assert join_ranges([whole, whole]) == whole
    assert measure_range(pose_motion(motion.cut(0, 1), model.space.roles)).speed == 0.0
