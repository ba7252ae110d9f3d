import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.io.registry import load_motion, save
from motionloom.kinematics import forward_kinematics
from motionloom.motion import GroundTransform, Motion, concatenate
from random_bodies import random_motion

NTSC = 1001 / 30000

transforms = st.builds(
    GroundTransform, st.floats(-7, 7, allow_subnormal=False), st.floats(-50, 50), st.floats(-50, 50)
)


def test_rotations_are_unit_continuous_and_read_only():
    motion = random_motion()
    assert np.allclose(np.linalg.norm(motion.rotations, axis=-1), 1.0, atol=1e-12)
    assert np.all(np.sum(motion.rotations[1:] * motion.rotations[:-1], axis=-1) >= 0)
    with pytest.raises(ValueError, match="read-only"):
        motion.rotations[0] = 0.0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rotations": np.zeros((9, 6, 4))}, "rotations must have shape"),
        ({"translations": np.zeros((8, 1, 3))}, "translations must have shape"),
        ({"frame_time": 0.0}, "positive number of seconds"),
        ({"frame_time": np.nan}, "positive number of seconds"),
        ({"translations": np.full((9, 1, 3), np.nan)}, "must be finite"),
        ({"translated": (9,)}, "ascending order"),
    ],
)
def test_what_is_not_a_motion_is_refused(change, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        replace(random_motion(), **change)


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_motions_of_files_can_be_copied_and_pickled_and_stay_read_only(twin, tmp_path):
    path = tmp_path / "walk.bvh"
    save(random_motion(), path)
    motion = load_motion(path)
    again = twin(motion)
    assert again.skeleton.matches(motion.skeleton)
    assert again.source.channels == motion.source.channels
    np.testing.assert_array_equal(again.rotations, motion.rotations)
    for array in (
        again.rotations,
        again.translations,
        again.skeleton.offsets,
        again.skeleton.parents,
    ):
        assert not array.flags.writeable


def test_time_is_frame_number_times_frame_time():
    motion = random_motion(frames=4, frame_time=NTSC)
    assert motion.times.tolist() == [0.0, NTSC, 2 * NTSC, 3 * NTSC]
    assert motion.duration == 3 * NTSC
    assert motion.cut(0, 0).duration == 0.0


def test_cut_and_concatenate_are_inverse():
    motion = random_motion()
    joined = concatenate([motion.cut(0, 4), motion.cut(4, 4), motion.cut(4, 9)])
    assert np.allclose(rot.angle_between(joined.rotations, motion.rotations), 0, atol=1e-7)
    assert np.array_equal(joined.translations, motion.translations)
    with pytest.raises(InvalidInputError, match=r"cannot cut frames 3\.\.12"):
        motion.cut(3, 12)


def test_concatenate_refuses_what_does_not_fit():
    motion = random_motion()
    with pytest.raises(InvalidInputError, match="nothing to concatenate"):
        concatenate([])
    with pytest.raises(InvalidInputError, match="skeletons differ"):
        concatenate([motion, random_motion(seed=1)])
    with pytest.raises(InvalidInputError, match="30 and 60 frames per second"):
        concatenate([motion, replace(motion, frame_time=1 / 60)])


@given(st.floats(1e-3, 0.4), st.integers(2, 30))
@settings(max_examples=60, deadline=None)
def test_resampling_stays_inside_and_keeps_its_own_frames(frame_time, frames):
    motion = random_motion(frames=frames, joints=3, frame_time=NTSC)
    new = motion.resample(frame_time)
    assert new.frame_time == frame_time
    assert new.duration <= motion.duration + 1e-9
    assert motion.duration - new.duration < frame_time + 1e-9
    at = np.round(new.times / NTSC)
    same = np.abs(new.times - at * NTSC) < 1e-12
    for i in np.flatnonzero(same):
        assert np.allclose(new.translations[i], motion.translations[int(at[i])], atol=1e-9)
        assert rot.angle_between(new.rotations[i], motion.rotations[int(at[i])]).max() < 1e-6


@pytest.mark.parametrize(
    ("old", "new", "frames", "expected"), [(120, 30, 121, 31), (30, 60, 31, 61), (120, 25, 121, 26)]
)
def test_resampling_between_whole_rates_loses_no_frame(old, new, frames, expected):
    assert random_motion(frames=frames, frame_time=1 / old).resample(1 / new).n_frames == expected


def test_resampling_halfway_is_the_slerp_midpoint():
    motion = random_motion(frames=2)
    middle = motion.resample(motion.frame_time / 2)
    assert middle.n_frames == 3
    to_a = rot.angle_between(motion.rotations[0], middle.rotations[1])
    to_b = rot.angle_between(middle.rotations[1], motion.rotations[1])
    assert np.allclose(to_a, to_b, atol=1e-9)
    assert np.allclose(middle.translations[1], motion.translations.mean(axis=0))


def test_steady_turn_stays_steady_when_resampled():
    motion = random_motion(joints=1, frames=40)
    turn = rot.from_rotvec(np.outer(np.arange(40) * 0.1, [0.6, 0.0, 0.8]))[:, None]
    steady = replace(motion, rotations=turn).resample(1 / 47.0)
    steps = rot.angle_between(steady.rotations[1:, 0], steady.rotations[:-1, 0])
    assert np.allclose(steps, 3.0 / 47.0, atol=1e-9)


@given(transforms, transforms, transforms)
@settings(max_examples=60, deadline=None)
def test_ground_transforms_form_a_group(a, b, c):
    p = np.array([[1.0, 2.0, 3.0], [-4.0, 0.5, 0.0]])
    assert np.allclose(a.compose(b).apply(p), a.apply(b.apply(p)), atol=1e-9)
    assert np.allclose(
        a.compose(b.compose(c)).apply(p), a.compose(b).compose(c).apply(p), atol=1e-8
    )
    assert np.allclose(a.inverse().apply(a.apply(p)), p, atol=1e-9)
    assert np.allclose(GroundTransform().apply(p), p)


@given(transforms, st.integers(0, 2**32 - 1))
def test_what_is_seen_from_somewhere_is_undone_by_its_transform(a, seed):
    p = np.random.default_rng(seed).normal(size=(4, 3))
    assert np.allclose(a.apply(a.seen(p)), p, atol=1e-9)
    assert np.allclose(a.seen(p), a.inverse().apply(p), atol=1e-9)
    assert np.allclose(a.seen(p[:, [0, 2]]), a.seen(p)[:, [0, 2]])
    place, turn = a.as_complex
    there = turn * (p[:, 2] + 1j * p[:, 0]) + place
    assert np.allclose(np.stack([there.imag, there.real], axis=-1), a.apply(p)[:, [0, 2]])
    back = GroundTransform.at_heading(a.heading, a.x, a.z)
    assert np.allclose([back.angle, back.x, back.z], [a.angle, a.x, a.z])


@given(st.lists(transforms, min_size=2, max_size=4))
def test_many_transforms_at_once_are_as_each(each):
    many = GroundTransform.of_body([[t.x, t.z, t.angle] for t in each])
    moved = many.compose(many.inverse().compose(each[0]))
    assert np.allclose(moved.ground, each[0].ground, atol=1e-8)
    for t, ground, ahead in zip(each, many.ground, many.ahead, strict=True):
        assert np.allclose(t.ground, ground)
        assert np.allclose(t.apply(t.seen(ground) + np.array([0, 1])), ground + ahead, atol=1e-9)


def test_positive_angles_turn_from_z_towards_x():
    assert np.allclose(GroundTransform(np.pi / 2).apply([0, 0, 1]), [1, 0, 0])
    assert np.allclose(
        rot.rotate(GroundTransform(0.3).quaternion, [0, 0, 1]), [np.sin(0.3), 0, np.cos(0.3)]
    )


def still_reference_above_hips(seed=0):
    """A still, turned reference joint above the joint that moves, as some captures have."""
    motion = random_motion(seed, joints=6, translated=(1,))
    tree = replace(motion.skeleton, parents=np.array([-1, 0, 1, 1, 2, 4]))
    rotations = motion.rotations.copy()
    rotations[:, 0] = rot.from_rotvec([0.3, -0.4, 1.0])
    return replace(motion, skeleton=tree, rotations=rotations)


@pytest.mark.parametrize(
    "motion", [random_motion(), random_motion(translated=(0, 3)), still_reference_above_hips()]
)
def test_transformed_moves_the_world_exactly(motion):
    transform = GroundTransform(1.1, 2.0, -3.0)
    before, after = forward_kinematics(motion), forward_kinematics(motion.transformed(transform))
    moving = list(motion.skeleton.descendants(motion.root_joint))
    assert np.allclose(
        after.positions[:, moving], transform.apply(before.positions[:, moving]), atol=1e-12
    )
    turned = rot.multiply(transform.quaternion, before.rotations[:, moving])
    assert rot.angle_between(turned, after.rotations[:, moving]).max() < 1e-7
    still = [j for j in range(motion.skeleton.n_joints) if j not in moving]
    assert np.array_equal(after.positions[:, still], before.positions[:, still])


def test_a_body_without_translations_can_be_moved():
    motion = random_motion(translated=())
    moved = motion.transformed(GroundTransform(0.0, 1.0, 2.0))
    change = forward_kinematics(moved).positions - forward_kinematics(motion).positions
    assert np.allclose(change, [1.0, 0.0, 2.0])


def test_root_joint_skips_a_still_reference():
    assert still_reference_above_hips().root_joint == 1
    assert random_motion().root_joint == 0


def test_root_joint_of_real_captures(shared_data):
    walk = load_motion(shared_data / "bandai_namco" / "dataset-2_walk_normal_001.bvh")
    assert walk.skeleton.names[walk.root_joint] == "Hips"
    before = forward_kinematics(walk).positions[:, 1:]
    after = forward_kinematics(walk.transformed(GroundTransform(0.7, 1.0, 2.0))).positions[:, 1:]
    assert np.allclose(after, GroundTransform(0.7, 1.0, 2.0).apply(before), atol=1e-9)


def test_motion_without_frames():
    motion = Motion(random_motion().skeleton, np.zeros((0, 7, 4)), np.zeros((0, 1, 3)), 0.04)
    assert motion.n_frames == 0
    assert motion.resample(0.1).n_frames == 0
    assert motion.transformed(GroundTransform(1.0)).n_frames == 0


@pytest.mark.parametrize("rate", [1.5, 24, 30.0, 120])
def test_frames_per_second_are_not_taken_for_seconds_per_frame(rate):
    with pytest.raises(
        InvalidInputError, match=f"resample takes seconds per frame.*give 1/{rate:g}"
    ):
        random_motion(frames=90, frame_time=1 / 30).resample(rate)


def test_a_motion_with_frames_minutes_apart_is_resampled():
    assert random_motion(frames=11, frame_time=60.0).resample(30.0).n_frames == 21
