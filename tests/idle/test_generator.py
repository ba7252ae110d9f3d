"""Waiting through the driver: where it is asked to, on feet that stand; else refused by name."""

from dataclasses import replace

import numpy as np
import pytest
from standing import stand

from motionloom import rotations as rot
from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.idle import prepare_recording
from motionloom.idle.generator import is_waiting
from motionloom.motion import Motion
from motionloom.posed_motion import pose_motion
from motionloom.skeleton import Skeleton
from motionloom.synthesis import fit_generator, synthesize


@pytest.fixture(scope="module")
def fitted():
    motion = stand().motion
    return fit_generator([motion, motion.cut(0, 60)], generator="idle")


def test_it_waits_where_it_is_asked_to(fitted):
    asked = ConstraintSet(
        duration=8.0,
        body=[
            BodyConstraint(time=0.0, position=(1.0, -2.0), facing=90),
            BodyConstraint(time=8.0, position=(1.0, -2.0)),
        ],
        still=[{"from": 0.0}],
    )
    made = synthesize(fitted, asked)
    assert made.motion.n_frames == 241
    assert max(after.position for *_, after, _ in made.report.constraints) < 1e-6
    assert not made.report.problems
    posed = pose_motion(made.motion)
    joints = fitted.clips.roles.joints
    for foot in ("left_foot", "right_foot"):
        track = posed.positions[:, joints[foot]]
        assert np.ptp(track, axis=0).max() < 0.005
    np.testing.assert_allclose(posed.body[0], [1.0, -2.0, np.pi / 2], atol=1e-6)
    assert np.ptp(made.motion.rotations, axis=0).max() > 1e-3


def test_the_first_draft_begins_with_standing_feet_at_the_place(fitted):
    asked = ConstraintSet(
        duration=3.0, body=[BodyConstraint(time=1.0, position=(3.0, 1.0), facing=-30)]
    )
    draft = fitted.generate(asked, seed=4)[0]
    posed = pose_motion(draft.motion)
    np.testing.assert_allclose(posed.body[30], [3.0, 1.0, np.radians(-30)], atol=1e-9)
    joints = fitted.clips.roles.joints
    feet = posed.positions[:, [joints["left_foot"], joints["right_foot"]]]
    assert np.ptp(feet, axis=0).max() < 1e-9


def test_seeds_and_alternatives_differ_and_come_again(fitted):
    asked = ConstraintSet(duration=2.0)
    first, again = (fitted.generate(asked, seed=1, count=2) for _ in range(2))
    assert first[0].motion.rotations.tobytes() == again[0].motion.rotations.tobytes()
    assert np.abs(first[0].motion.rotations - first[1].motion.rotations).max() > 1e-3


def test_clips_in_which_nobody_waits_are_left_out_and_said(fitted):
    assert "nobody waits in 1 of 2 clips, which are left out" in fitted.notes
    with pytest.raises(SynthesisError, match=r"cannot be learned .* lasts"):
        fit_generator([stand(4.0, ()).motion], generator="idle")


def test_who_plays_is_not_taken_for_somebody_who_waits(fitted):
    busy = stand(20.0, ()).motion
    rotations = busy.rotations.copy()
    swing = np.zeros((busy.n_frames, 3))
    swing[:, 2] = np.sin(np.arange(busy.n_frames) / busy.fps * 2 * np.pi)
    shoulder = fitted.clips.roles.joints["right_shoulder"]
    rotations[:, shoulder] = rot.from_rotvec(swing)
    busy = replace(busy, rotations=rotations, name="busy")
    assert is_waiting(prepare_recording(stand(20.0, ()).motion))
    assert not is_waiting(prepare_recording(busy))


def test_who_waits_goes_nowhere(fitted):
    body = [BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0)]
    away = ConstraintSet(duration=4.0, body=[*body, BodyConstraint(time=3.0, position=(0.0, 1.5))])
    with pytest.raises(SynthesisError, match=r"at 0 s and 3 s are 1\.50 m apart"):
        synthesize(fitted, away)
    turned = ConstraintSet(
        duration=4.0, body=[*body, BodyConstraint(time=3.0, position=(0.0, 0.0), facing=80)]
    )
    with pytest.raises(SynthesisError, match="face 80 degrees apart"):
        synthesize(fitted, turned)


def test_what_it_cannot_do_is_refused_by_name(fitted):
    joints = [{"time": 1.0, "joint": "Head", "position": [0.0, 1.0, 0.0]}]
    with pytest.raises(InvalidInputError, match="joints"):
        synthesize(fitted, ConstraintSet(duration=2.0, joints=joints))


def below_a_world(motion, turn):
    """The same motion, its body carried by a still joint that is turned and elsewhere."""
    old = motion.skeleton
    skeleton = Skeleton(
        ("World", *old.names),
        np.concatenate([[-1], np.where(old.parents < 0, 0, old.parents + 1)]),
        np.concatenate([np.zeros((1, 3)), old.offsets]),
        old.end_parents + 1,
        old.end_offsets,
    )
    n = motion.n_frames
    world = rot.from_euler(np.array([turn]), "Y")
    back = rot.conjugate(world)
    rotations = np.concatenate([np.tile(world, (n, 1, 1)), motion.rotations], axis=1)
    rotations[:, 1] = rot.multiply(back, motion.rotations[:, 0])
    place = np.array([2.0, 0.0, 1.0])
    hips = rot.rotate(back, motion.translations[:, 0] - place)
    translations = np.stack([np.tile(place, (n, 1)), hips], axis=1)
    return Motion(skeleton, rotations, translations, motion.frame_time, (0, 1), "carried")


def test_a_still_joint_above_the_body_changes_nothing(fitted):
    carried = fit_generator([below_a_world(stand().motion, 0.5)], generator="idle")
    asked = ConstraintSet(
        duration=2.0, body=[BodyConstraint(time=0.0, position=(1.0, 0.0), facing=45)]
    )
    ours, plain = (one.generate(asked)[0].motion for one in (carried, fitted))
    assert ours.skeleton.names[0] == "World"
    np.testing.assert_allclose(
        pose_motion(ours).positions[:, 1:], pose_motion(plain).positions, atol=1e-6
    )
