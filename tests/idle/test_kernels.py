"""Compiled frames of a stream are those of the general, slow ways."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.signal import lfilter, lfiltic

from motionloom import rotations as rot
from motionloom.analysis.hinges import fit_hinges
from motionloom.idle._variations import NoiseState, NoiseVariation
from motionloom.idle.kernels.planting import plant_one
from motionloom.idle.streams._crowd import legs_of
from motionloom.motion import Motion
from motionloom.performer import make_performer
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles

SKELETON = make_performer().skeleton
ROLES = find_roles(SKELETON)
KNEES = np.array([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0]])


def anybody(rng, n, bend=0.4):
    """Poses in which every joint is turned a little, and knees are bent ahead."""
    turned = bend * rng.standard_normal((n, SKELETON.n_joints, 3))
    for axis, side in zip(KNEES, ("left", "right"), strict=True):
        bends = 0.15 + bend * np.abs(rng.standard_normal((n, 1)))
        turned[:, ROLES.joints[f"{side}_knee"]] = bends * axis
    places = SKELETON.offsets[:1] + 0.1 * rng.standard_normal((n, 1, 3))
    return Motion(SKELETON, rot.from_rotvec(turned), places, 1 / 30, (0,))


def plant_legs(rotations, roots, legs, feet, turns):
    """Frame after frame, as the compiled stream does it."""
    room = legs[1].shape[1]
    for frame in zip(rotations, roots, feet, turns, strict=True):
        local, root, ankles, turned = frame
        stand = (ankles, turned, 0.0)
        plant_one(local, root, legs, stand, np.empty((2, room, 3)), np.empty((2, room, 4)))


def planted(motion, feet, turns, knees, skeleton=SKELETON, roles=ROLES):
    rotations = motion.rotations.copy()
    places = motion.translations.copy()
    legs = legs_of(skeleton, roles, knees, 1e6, -1e6)
    plant_legs(rotations, places[:, 0], legs, feet, turns)
    return pose_motion(replace(motion, rotations=rotations, translations=places), roles)


def ankles_of(posed, roles=ROLES):
    return [roles.joints[f"{side}_foot"] for side in ("left", "right")]


def wishes(rng, motion, near):
    """Places near the ankles, and rotations of the feet."""
    posed = pose_motion(motion, ROLES)
    shape = (motion.n_frames, 2, 3)
    feet = posed.positions[:, ankles_of(posed)] + near * rng.standard_normal(shape)
    return feet, rot.from_rotvec(0.5 * rng.standard_normal(shape))


@pytest.mark.parametrize("near", [0.0, 0.002, 0.02, 0.3, 3.0])
@pytest.mark.parametrize("bend", [0.0, 0.1, 0.4])
def test_feet_are_where_they_should_be(near, bend):
    rng = np.random.default_rng(int(1000 * near + 10 * bend))
    motion = anybody(rng, 60, bend)
    feet, turns = wishes(rng, motion, near)
    posed = planted(motion, feet, turns, KNEES)
    ankles = ankles_of(posed)
    assert rot.angle_between(posed.rotations[:, ankles], turns).max() < 1e-9
    off = np.linalg.norm(posed.positions[:, ankles] - feet, axis=-1)
    # Where both are farther apart than legs can be, no body reaches.
    apart = np.linalg.norm(feet[:, 0] - feet[:, 1], axis=-1)
    assert off[apart < 0.6].max(initial=0.0) < 1e-9


def test_knees_stay_as_they_are_where_the_body_can_give_way():
    rng = np.random.default_rng(0)
    motion = anybody(rng, 200, 0.15)
    feet, turns = wishes(rng, motion, 0.0005)
    posed = planted(motion, feet, turns, KNEES)
    knees = [ROLES.joints["left_knee"], ROLES.joints["right_knee"]]
    bent = rot.angle_between(posed.motion.rotations[:, knees], motion.rotations[:, knees])
    moved = np.linalg.norm(posed.motion.translations[:, 0] - motion.translations[:, 0], axis=-1)
    tilted = rot.angle_between(posed.motion.rotations[:, 0], motion.rotations[:, 0])
    assert np.quantile(bent, 0.95) < np.radians(1.0)
    assert np.quantile(moved, 0.95) < 0.02
    assert tilted.max() < np.radians(2.0)


def test_a_body_that_stands_right_is_left_alone():
    rng = np.random.default_rng(4)
    motion = anybody(rng, 50)
    posed = pose_motion(motion, ROLES)
    ankles = ankles_of(posed)
    same = planted(motion, posed.positions[:, ankles], posed.rotations[:, ankles], KNEES)
    np.testing.assert_allclose(same.motion.translations, motion.translations, atol=1e-9)
    assert rot.angle_between(same.motion.rotations, motion.rotations).max() < 1e-7


def test_joints_outside_legs_and_root_are_untouched():
    rng = np.random.default_rng(5)
    motion = anybody(rng, 20)
    posed = planted(motion, *wishes(rng, motion, 0.05), KNEES)
    legs = {
        j for side in ("left", "right") for j in posed.skeleton.chain(ROLES.joints[f"{side}_foot"])
    }
    others = [j for j in range(posed.skeleton.n_joints) if j not in legs]
    np.testing.assert_allclose(
        posed.motion.rotations[:, others], motion.rotations[:, others], atol=1e-12
    )


def test_joints_between_hip_and_knee_go_along():
    """A twist bone in each thigh."""
    rng = np.random.default_rng(1)
    names = ["hips", "l_hip", "l_twist", "l_knee", "l_foot", "r_hip", "r_knee", "r_foot"]
    down = [0.0, -0.2, 0.0]
    offsets = [[0, 1, 0], [0.1, 0, 0], down, down, [0, -0.45, 0], [-0.1, 0, 0], [0, -0.35, 0]]
    skeleton = type(SKELETON)(
        tuple(names),
        np.array([-1, 0, 1, 2, 3, 0, 5, 6]),
        np.array([*offsets, [0, -0.4, 0]], float),
        np.array([4, 7]),
        np.full((2, 3), 0.1),
    )
    told = {"hips": 0, "left_hip": 1, "left_knee": 3, "left_foot": 4}
    told |= {"right_hip": 5, "right_knee": 6, "right_foot": 7}
    roles = replace(ROLES, joints=told)
    turned = 0.2 * rng.standard_normal((20, 8, 3))
    motion = Motion(skeleton, rot.from_rotvec(turned), np.zeros((20, 1, 3)), 1 / 30, (0,))
    feet = np.array([[0.1, -0.7, 0.0], [-0.1, -0.75, 0.1]]) + 0.02 * rng.standard_normal((20, 2, 3))
    knees = np.eye(3)[[0, 0]]
    posed = planted(motion, feet, rot.identity(20, 2), knees, skeleton, roles)
    np.testing.assert_allclose(posed.positions[:, [4, 7]], feet, atol=1e-9)
    twist = posed.motion.rotations[:, 2]
    assert rot.angle_between(twist, motion.rotations[:, 2]).max() < 1e-7


def test_noise_runs_on_as_a_filter_does():
    rng = np.random.default_rng(3)
    filters = np.stack([np.poly(0.9 * rng.uniform(-1, 1, 6)) for _ in range(4)])
    drive = rng.standard_normal((80, 4))
    noise = NoiseVariation(filters, drive, np.array([80]), 60)
    past = rng.standard_normal((6, 4))
    made, after = noise.go_on(NoiseState(past, np.array([10, 50, -1, 7])), 50)
    for k in range(4):
        memory = lfiltic([1.0], filters[k], past[::-1, k])
        expected, _ = lfilter([1.0], filters[k], -drive[10:60, k], zi=memory)
        np.testing.assert_allclose(made[:, k], expected, atol=1e-9)
    np.testing.assert_allclose(after.past, made[-6:])
    assert after.drawn.tolist() == [60, 0, -1, 7]


def test_a_leg_keeps_its_side():
    """A knee that is captured a little backwards passes straight without a jump."""
    n = 121
    turned = np.zeros((n, SKELETON.n_joints, 3))
    for side in ("left", "right"):
        turned[:, ROLES.joints[f"{side}_hip"], 0] = -0.1
        # Captured knees are bent to a side, too.
        turned[:, ROLES.joints[f"{side}_knee"], 2] = 0.08
    turned[:, ROLES.joints["left_knee"], 0] = np.linspace(-0.15, 0.15, n)
    turned[:, ROLES.joints["right_knee"], 0] = np.linspace(0.1, -0.1, n)
    motion = Motion(SKELETON, rot.from_rotvec(turned), np.zeros((n, 1, 3)), 1 / 60, (0,))
    posed = pose_motion(motion, ROLES)
    ankles = ankles_of(posed)
    feet = posed.positions[:1, ankles].repeat(n, axis=0) + np.array([0.0, 0.004, 0.0])
    made = planted(motion, feet, posed.rotations[:, ankles], np.eye(3)[[0, 0]])
    for side in ("left", "right"):
        hinge = fit_hinges([made])[f"{side}_foot"]
        assert hinge.least > 0.0
        knee = made.positions[:, ROLES.joints[f"{side}_knee"]]
        assert np.linalg.norm(np.diff(knee, axis=0), axis=-1).max() < 0.004
        assert np.linalg.norm(np.diff(knee, 2, axis=0), axis=-1).max() < 0.0015


def test_a_body_sways_less_far_from_its_feet_where_it_may_not():
    """Legs that lean aside by 0.4 radians, and feet that stand where they end."""
    lean = np.zeros((1, SKELETON.n_joints, 3))
    for side in ("left", "right"):
        lean[:, ROLES.joints[f"{side}_hip"], 2] = 0.4
        lean[:, ROLES.joints[f"{side}_knee"], 0] = 0.3
    motion = Motion(SKELETON, rot.from_rotvec(lean), np.zeros((1, 1, 3)), 1 / 30, (0,))
    posed = pose_motion(motion, ROLES)
    ankles = ankles_of(posed)
    feet = posed.positions[:, ankles]
    swayed = []
    for sway in (1.0, 0.1):
        rotations = motion.rotations.copy()
        places = motion.translations.copy()
        legs = legs_of(SKELETON, ROLES, np.eye(3)[[0, 0]], sway, -1e6)
        plant_legs(rotations, places[:, 0], legs, feet, posed.rotations[:, ankles])
        made = pose_motion(replace(motion, rotations=rotations, translations=places), ROLES)
        np.testing.assert_allclose(made.positions[:, ankles], feet, atol=1e-9)
        swayed.append(np.hypot(*(places[0, 0] - feet[0].mean(axis=0))[::2]))
    assert swayed[0] > 0.25
    assert swayed[1] < 0.13
