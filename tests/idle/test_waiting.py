"""Waiting that is filled: only where nobody moves, from pose and speed to pose and speed, on feet
that stay.
"""

from dataclasses import replace

import numpy as np
import pytest
from standing import stand

from motionloom.analysis.contacts import detect_contacts
from motionloom.constraints import ConstraintSet
from motionloom.errors import InvalidInputError
from motionloom.idle import WaitingIdle
from motionloom.motion import concatenate
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.synthesis import FinishOptions, SynthesisOptions, synthesize
from motionloom.synthesis.streaming import Streaming, state_before
from motionloom.synthesis.waiting import WaitingOptions, fill_waits, find_waits
from performed import performer_clips

FEET = ("left_foot", "right_foot")


@pytest.fixture(scope="module")
def statue():
    """Somebody stands; for six seconds like a statue."""
    motion = stand(seconds=4.0, shifts=()).motion
    still = motion.cut(60, 61)
    hold = replace(
        still,
        rotations=np.repeat(still.rotations, 180, axis=0),
        translations=np.repeat(still.translations, 180, axis=0),
    )
    return pose_motion(concatenate([motion.cut(0, 60), hold, motion.cut(60, 120)]))


def asked(posed, **more):
    seconds = (posed.n_frames - 1) / posed.fps
    return ConstraintSet(duration=seconds, fps=posed.fps, still=[{"from": 0.0}], **more)


@pytest.fixture(scope="module")
def contacts(statue):
    return detect_contacts(statue)


@pytest.fixture(scope="module")
def filled(statue, contacts, model):
    return fill_waits(statue, contacts, asked(statue), WaitingOptions(WaitingIdle(model)))


def test_an_idle_model_streams(model):
    assert isinstance(WaitingIdle(model), Streaming)


def test_who_waits_is_alive_on_feet_that_stay(statue, filled):
    posed, said = filled
    assert len(said) == 1
    assert "is filled" in said[0]
    joints = [posed.roles.joints[foot] for foot in FEET]
    assert np.ptp(posed.positions[:, joints], axis=0).max() < 1e-6
    middle = slice(90, 200)
    assert np.ptp(statue.positions[middle], axis=0).max() < 1e-9
    assert np.ptp(posed.hips[middle], axis=0).max() > 0.003


def test_ends_are_those_of_the_motion_and_nothing_pops(statue, filled):
    posed, _ = filled
    np.testing.assert_allclose(posed.positions[0], statue.positions[0], atol=1e-3)
    np.testing.assert_allclose(posed.positions[-1], statue.positions[-1], atol=1e-3)
    bend = np.linalg.norm(np.diff(posed.positions, 2, axis=0), axis=-1).max(axis=1)
    assert bend.max() * posed.fps**2 < 5.0


def test_the_same_seed_gives_the_same_motion(statue, contacts, model, filled):
    options = WaitingOptions(WaitingIdle(model))
    again, _ = fill_waits(statue, contacts, asked(statue), options)
    assert again.motion.rotations.tobytes() == filled[0].motion.rotations.tobytes()
    other, _ = fill_waits(statue, contacts, asked(statue), replace(options, seed=5))
    assert other.motion.rotations.tobytes() != again.motion.rotations.tobytes()


def test_a_place_asked_for_in_between_is_kept_exactly(statue, contacts, model):
    x, z, _ = statue.body[150]
    wanted = asked(statue, body=[{"time": 5.0, "position": (float(x), float(z))}])
    posed, said = fill_waits(statue, contacts, wanted, WaitingOptions(WaitingIdle(model)))
    assert len(said) == 2
    np.testing.assert_allclose(posed.body[150, :2], [x, z], atol=1e-3)


def test_nothing_is_filled_where_a_limb_is_asked_for(statue, contacts):
    hand = {"time": 5.0, "joint": "right_hand", "position": (0.3, 1.0, 0.3)}
    waits = find_waits(statue, contacts, asked(statue, joints=[hand]), 2.0)
    assert [wait.stop <= 120 or wait.first >= 180 for wait in waits] == [True, True]


def test_who_walks_is_left_alone(model):
    walk = next(c.motion for c in performer_clips(seed=0) if c.action == "walk")
    posed = pose_motion(walk)
    wanted = ConstraintSet(duration=(posed.n_frames - 1) / posed.fps, fps=posed.fps)
    wanted = wanted.model_copy(update={"still": ()})
    same, said = fill_waits(
        posed, detect_contacts(posed), wanted, WaitingOptions(WaitingIdle(model))
    )
    assert said == ()
    assert same is posed


def test_waits_too_short_to_begin_and_end_in_are_refused(model):
    with pytest.raises(InvalidInputError, match="a second or more"):
        WaitingOptions(WaitingIdle(model), shortest=0.2)


def test_the_driver_fills_the_waiting_of_the_motion_graph(model):
    clips = [c.motion for c in performer_clips(seed=0) if c.action in ("walk", "turn", "stand")]
    wanted = ConstraintSet(
        duration=8.0,
        fps=30.0,
        body=[{"time": 0.0, "position": (0.0, 0.0), "facing": 0}],
        still=[{"from": 2.5}],
    )
    finish = FinishOptions(waiting=WaitingOptions(WaitingIdle(model)))
    options = SynthesisOptions(seed=3, budget=0.5, finish=finish)
    plain = synthesize(clips, wanted, SynthesisOptions(seed=3, budget=0.5))
    made = synthesize(clips, wanted, options)
    assert any("is filled" in note for note in made.report.notes)
    assert not np.array_equal(plain.motion.rotations, made.motion.rotations)
    assert len(made.report.problems) <= len(plain.report.problems)


def test_an_other_skeleton_shows_the_changes_of_posture(model):
    """Joints of other names, by their roles; frames of other axes do not matter."""
    standing = pose_motion(stand(seconds=3.0, shifts=()).motion)
    names = tuple(f"bone{i}" for i in range(standing.skeleton.n_joints))
    named = replace(standing.skeleton, names=names)
    other = PosedMotion(replace(standing.motion, skeleton=named), standing.roles)
    waiting = WaitingIdle(model)
    rest = standing.motion.cut(40, 41)
    same = waiting.stream(state_before(standing, 40, FEET, rest), 30.0).frames(90)
    rest = other.motion.cut(40, 41)
    made = waiting.stream(state_before(other, 40, FEET, rest), 30.0).frames(90)
    joints = standing.roles.joints
    own = pose_motion(same, standing.roles)
    shown = PosedMotion(made, standing.roles)
    for role in ("hips", "chest", "head", "left_hand"):
        np.testing.assert_allclose(
            shown.positions[:, joints[role]], own.positions[:, joints[role]], atol=0.02
        )


def test_without_a_rest_the_person_takes_on_their_own_posture(model, standing):
    posed = pose_motion(standing.motion)
    made = WaitingIdle(model).stream(state_before(posed, 40, FEET), 30.0).frames(150)
    recorded = standing.motion.rotations
    late = made.rotations[-1]
    nearest = np.abs(np.sum(recorded * late, axis=-1)).min(axis=1).max()
    assert 2 * np.degrees(np.arccos(min(nearest, 1.0))) < 15.0


def test_a_body_without_legs_is_refused(model):
    posed = pose_motion(stand(seconds=3.0, shifts=()).motion)
    arms = {r: j for r, j in posed.roles.joints.items() if "foot" not in r}
    legless = PosedMotion(posed.motion, replace(posed.roles, joints=arms))
    with pytest.raises(InvalidInputError, match="stands on two legs"):
        WaitingIdle(model).stream(state_before(legless, 10), 30.0)
