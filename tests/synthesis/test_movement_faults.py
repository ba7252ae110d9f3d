"""Faults of movement in reports: what was asked excuses, grave ones are problems, others notes."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.analysis.faults.find import Fault
from motionloom.clips.analysis import analyse_clips
from motionloom.constraints import ConstraintSet
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.faults import (
    find_movement_faults,
    find_style_switches,
    seams_by_gait,
    sentences_of,
)


@pytest.fixture(scope="module")
def clips(performed):
    return analyse_clips(performed)


def posed_of(clips, name):
    return PosedMotion(clips.clip_set.motions[clips.clip_set.names.index(name)], clips.roles)


def fault(kind, begin, excess, grave=False):
    return Fault(kind, begin, begin, excess, 1.0, grave, f"{kind} {begin:g}")


def test_a_hand_that_is_asked_for_does_not_fidget_and_one_that_is_not_does(clips):
    reach = posed_of(clips, "reach_right_high")
    seconds = (reach.n_frames - 1) / reach.fps
    plain = ConstraintSet(duration=seconds)
    asked = ConstraintSet(
        duration=seconds,
        joints=[{"from": 0.2, "to": seconds, "joint": "right_hand", "position": [0, 1, 0]}],
    )
    assert {f.kind for f in find_movement_faults(reach, clips, plain)} == {"fidgeting"}
    assert find_movement_faults(reach, clips, asked) == ()


def test_a_detour_is_named_unless_something_else_leads_aside(clips):
    turn = posed_of(clips, "turn_left_180")
    last = (turn.n_frames - 1) / turn.fps
    body = [
        {"time": 0.0, "position": turn.body[0, :2].tolist()},
        {"time": last, "position": turn.body[-1, :2].tolist()},
    ]
    (named,) = find_movement_faults(turn, clips, ConstraintSet(duration=last, body=body))
    assert (named.kind, named.begin, named.end) == ("detour", 0.0, pytest.approx(last))
    pillar = [{"shape": "cylinder", "center": [9.0, 9.0], "radius": 0.3}]
    around = ConstraintSet(duration=last, body=body, avoid=pillar)
    assert find_movement_faults(turn, clips, around) == ()


def test_styles_that_switch_in_one_step_are_named_unless_asked_for(performed):
    n = performed.n_frames
    half = np.arange(n) < n // 2
    labelled = replace(performed, labels={"calm": half, "brisk": ~half})
    frames = np.r_[0:30, n - 30 : n]
    (named,) = find_style_switches(frames, labelled, ConstraintSet(duration=2.0))
    assert named.begin == pytest.approx(1.0)
    assert "'calm' to 'brisk'" in named.text
    asked = ConstraintSet(duration=2.0, style=[{"from": 1.0, "to": 2.0, "label": "brisk"}])
    assert find_style_switches(frames, labelled, asked) == ()
    assert find_style_switches(np.arange(60), labelled, ConstraintSet(duration=2.0)) == ()
    assert find_style_switches(frames, performed, ConstraintSet(duration=2.0)) == ()


def test_of_each_kind_the_worst_are_told_in_the_order_of_time():
    faults = [fault("burst", t, x) for t, x in ((3.0, 5.0), (1.0, 4.0), (2.0, 2.0), (4.0, 3.0))]
    faults += [fault("detour", 2.5, 2.0), fault("floating", 0.5, 9.0, grave=True)]
    assert sentences_of(faults, grave=False) == (
        "burst 1",
        "detour 2.5",
        "burst 3 (and 2 more of this kind)",
    )
    assert sentences_of(faults, grave=True) == ("floating 0.5",)


def test_seams_are_counted_by_gait_and_only_jerks_are_beyond_the_clips(clips):
    walk = posed_of(clips, "walk_1.1")
    (smooth,) = seams_by_gait(walk, [100, 120], clips)
    assert smooth[:3] == ("walking", 2, 2)
    rotations = walk.motion.rotations.copy()
    rotations[120:, 0] = np.roll(rotations[:, 0], 17, axis=0)[120:]
    places = walk.motion.translations.copy()
    places[120:] += 0.2
    jerk = walk.with_motion(replace(walk.motion, rotations=rotations, translations=places))
    (jerked,) = seams_by_gait(jerk, [100, 120], clips)
    assert jerked[1:3] == (2, 1)
    assert seams_by_gait(walk, [], clips) == ()
