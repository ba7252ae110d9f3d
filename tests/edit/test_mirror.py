"""Mirrored motions: reflections that are exact where bodies are symmetric, on made-up rigs and on
captures.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.analysis.contacts import find_foot_contacts
from motionloom.edit._sides import find_partners
from motionloom.edit.mirror import find_symmetry, mirror_motion
from motionloom.errors import InvalidInputError
from motionloom.io import load_motion
from motionloom.kinematics import compute_facing, end_site_positions, forward_kinematics
from motionloom.motion import GroundTransform, Motion
from motionloom.roles import find_roles
from motionloom.skeleton import Skeleton
from performed import performer_clips

CAPTURES = (
    # file, largest distance from the mirror image in metres: what left and right bones of the
    # performer differ by
    ("bandai_namco/dataset-2_walk_normal_001.bvh", 0.001),
    ("lafan1/dance1_subject1.bvh", 0.001),
    ("dog/D1_007_KAN01_001.bvh", 0.002),
    ("cmu_asf_amc/16/16_01.amc", 0.04),
    ("cmu_bvh/16/16_15.bvh", 0.03),
)


@pytest.fixture(scope="module")
def walk():
    return performer_clips()[0].motion


def images(motion, partners):
    """Mirror images of the partners' world positions."""
    return forward_kinematics(motion).positions[:, partners] * [-1, 1, 1]


def random_rig(rng, translated=(0,)):
    """A symmetric body whose joints' frames are turned at rest, differently on the left and on the
    right.
    """
    names = (
        "Hips",
        "Spine",
        "LeftArm",
        "LeftHand",
        "RightArm",
        "RightHand",
        "LeftLeg",
        "LeftFoot",
        "RightLeg",
    )
    names = (*names, "RightFoot")
    parents = np.array([-1, 0, 1, 2, 1, 4, 0, 6, 0, 8])
    partners = np.array([0, 1, 4, 5, 2, 3, 8, 9, 6, 7])
    bones = rng.normal(size=(10, 3)) + 2 * np.sign(rng.normal(size=(10, 3)))
    bones[1, 0] = 0.0
    right = [4, 5, 8, 9]
    bones[right] = bones[partners[right]] * [-1, 1, 1]
    tips, carriers = bones[[3, 5]], [3, 5]
    quarter = rot.from_rotvec(np.pi / 2 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    half = rot.from_rotvec(np.pi * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    # Of every joint, in a body whose frames were the world's: a pair's differ by half turns.
    frames = quarter[rng.integers(0, 4, 10)][np.minimum(np.arange(10), partners)]
    frames = rot.multiply(frames, half[rng.integers(0, 4, 10)])
    above = np.concatenate([[[1.0, 0, 0, 0]], frames[parents[1:]]])
    offsets = rot.rotate(rot.conjugate(above), bones)
    ends = rot.rotate(rot.conjugate(frames[carriers]), tips)
    skeleton = Skeleton(names, parents, offsets, np.array(carriers), ends)
    local = rot.from_rotvec(0.2 * rng.normal(size=(6, 10, 3)))
    rotations = rot.multiply(rot.multiply(rot.conjugate(above), local), frames)
    motion = Motion(skeleton, rotations, np.zeros((6, len(translated), 3)), 1 / 30, translated)
    places = offsets[list(translated)] + 0.0 * motion.translations
    places[:, 0] = rng.normal(size=(6, 3))
    return replace(motion, translations=places), partners


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_mirrors_any_symmetric_body_exactly_whatever_its_frames_at_rest(seed, channels_everywhere):
    motion, partners = random_rig(
        np.random.default_rng(seed), tuple(range(10)) if channels_everywhere else (0,)
    )
    symmetry = find_symmetry([motion])
    mirrored = symmetry.mirror(motion)
    assert np.array_equal(symmetry.partners, partners)
    assert symmetry.asymmetry.max() < 1e-9
    assert np.allclose(forward_kinematics(mirrored).positions, images(motion, partners), atol=1e-9)
    tips, others = (end_site_positions(m, forward_kinematics(m)) for m in (mirrored, motion))
    assert np.allclose(tips, others[:, ::-1] * [-1, 1, 1], atol=1e-9)
    again = mirror_motion(mirrored)
    assert rot.angle_between(again.rotations, motion.rotations).max() < 1e-7
    assert np.allclose(again.translations, motion.translations, atol=1e-9)


def test_what_the_left_does_is_done_by_the_right(walk):
    mirrored = mirror_motion(walk)
    roles = find_roles(walk.skeleton)
    pose, other = forward_kinematics(walk), forward_kinematics(mirrored)
    assert np.allclose(other.positions, images(walk, find_partners(walk.skeleton)), atol=1e-9)
    assert np.allclose(
        rot.wrap_angle(compute_facing(pose, roles) + compute_facing(other, roles)), 0, atol=1e-9
    )
    down, swapped = (find_foot_contacts(m) for m in (walk, mirrored))
    assert down is not None
    assert swapped is not None
    assert not np.array_equal(down["left_foot"], down["right_foot"])
    for one, two in (("left_foot", "right_foot"), ("right_foot", "left_foot")):
        assert np.array_equal(swapped[one], down[two])


def test_keeps_everything_else_and_tells_the_copy_by_its_name(walk):
    mirrored = mirror_motion(walk)
    assert mirrored.name == f"{walk.name} (mirrored)"
    assert mirrored.skeleton is walk.skeleton
    assert mirrored.frame_time == walk.frame_time
    assert mirrored.translated == walk.translated


def test_a_turned_and_moved_motion_is_mirrored_in_the_world(walk):
    moved = walk.transformed(GroundTransform(0.7, 2.0, -1.0))
    back = mirror_motion(moved)
    wanted = mirror_motion(walk).transformed(GroundTransform(-0.7, -2.0, -1.0))
    assert np.allclose(
        forward_kinematics(back).positions, forward_kinematics(wanted).positions, atol=1e-9
    )


def test_still_joints_above_the_root_are_mirrored_too(walk):
    s = walk.skeleton
    above = Skeleton(
        ("Stand", *s.names), np.array([-1, *(s.parents + 1)]), np.array([[0.3, 0, 0], *s.offsets])
    )
    turn = rot.yaw(0.4)
    rotations = np.concatenate(
        [np.broadcast_to(turn, (walk.n_frames, 1, 4)), walk.rotations], axis=1
    )
    motion = Motion(above, rotations, walk.translations, walk.frame_time, (1,))
    assert motion.root_joint == 1
    mirrored = mirror_motion(motion)
    partners = np.array([0, *(find_partners(s) + 1)])
    assert np.allclose(forward_kinematics(mirrored).positions, images(motion, partners), atol=1e-9)


def test_longer_bones_on_one_side_stay_there_and_are_told(walk):
    offsets = walk.skeleton.offsets.copy()
    knee = find_roles(walk.skeleton).joints["left_knee"]
    offsets[knee] *= 1.05
    s = walk.skeleton
    motion = replace(
        walk, skeleton=Skeleton(s.names, s.parents, offsets, s.end_parents, s.end_offsets)
    )
    symmetry = find_symmetry([motion])
    wanted = 0.05 * np.linalg.norm(walk.skeleton.offsets[knee])
    assert symmetry.asymmetry.max() == pytest.approx(wanted)
    assert f"{s.names[knee]!r} by {1000 * wanted:.0f} mm" in symmetry.note()
    mirrored = symmetry.mirror(motion)
    gap = forward_kinematics(mirrored).positions - images(motion, symmetry.partners)
    assert np.linalg.norm(gap, axis=-1).max() == pytest.approx(wanted)


def chain(*names):
    offsets = np.array([[0.0, 0, 0], [0.2, 0, 0], [-0.2, 0, 0]])[: len(names)]
    return Skeleton(names, np.array([-1] + [0] * (len(names) - 1)), offsets)


@pytest.mark.parametrize(
    ("names", "partners"),
    [
        (("hips", "lfingers", "rfingers"), (0, 2, 1)),
        (("hips", "handL", "handR"), (0, 2, 1)),
        (("hips", "mixamorig:LeftUpLeg", "mixamorig:RightUpLeg"), (0, 2, 1)),
        (("pelvis", "femur_r", "femur_l"), (0, 2, 1)),
    ],
)
def test_reads_sides_as_rigs_write_them(names, partners):
    assert tuple(find_partners(chain(*names))) == partners


def test_a_joint_below_a_pair_needs_no_side_in_its_name():
    tree = Skeleton(
        ("hips", "LeftArm", "RightArm", "tip1", "tip2"), np.array([-1, 0, 0, 1, 2]), np.ones((5, 3))
    )
    assert tuple(find_partners(tree)) == (0, 2, 1, 4, 3)


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (chain("hips", "LeftArm"), "counterpart.*'LeftArm'"),
        (chain("a", "b", "c"), "no joint of 'a', 'b', 'c' has a left or right"),
        (
            Skeleton(("hips", "LeftArm", "RightArm"), np.array([-1, 0, 1]), np.ones((3, 3))),
            "'LeftArm'.*'RightArm'.*below",
        ),
    ],
)
def test_says_which_joints_have_no_counterpart(tree, words):
    with pytest.raises(InvalidInputError, match=words):
        find_partners(tree)


def test_says_which_bones_are_no_mirror_images():
    tree = Skeleton(
        ("hips", "LeftArm", "RightArm"),
        np.array([-1, 0, 0]),
        np.array([[0, 0, 0], [1.0, 0, 0], [0, 1, 0]]),
    )
    motion = Motion(tree, np.tile([1.0, 0, 0, 0], (3, 3, 1)), np.zeros((3, 1, 3)), 1 / 30)
    with pytest.raises(InvalidInputError, match="below 'hips' are no mirror image"):
        mirror_motion(motion)


def test_needs_the_same_joints(walk):
    motion, _ = random_rig(np.random.default_rng(0))
    with pytest.raises(InvalidInputError, match="joints"):
        find_symmetry([walk]).mirror(motion)


@pytest.mark.parametrize(("file", "within"), CAPTURES)
def test_captures_differ_from_their_mirror_image_by_their_bones(shared_data, file, within):
    motion = load_motion(shared_data / file)
    motion = motion.cut(1, min(motion.n_frames, 400))
    symmetry = find_symmetry([motion])
    mirrored = symmetry.mirror(motion)
    gap = np.linalg.norm(
        forward_kinematics(mirrored).positions - images(motion, symmetry.partners), axis=-1
    )
    assert gap.max() < within
    assert gap.max() <= 3 * symmetry.asymmetry.max() + 1e-4
    again = mirror_motion(mirrored)
    assert rot.angle_between(again.rotations, motion.rotations).max() < 1e-7
    assert np.allclose(again.local_translations(), motion.local_translations(), atol=1e-9)
