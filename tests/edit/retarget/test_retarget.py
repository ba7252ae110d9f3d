"""Known truth: the same body in other rigs, and larger bodies."""

from dataclasses import replace

import numpy as np
import pytest

import rigs
from motionloom import rotations as rot
from motionloom.edit.retarget import (
    fit_role_frames,
    group_by_skeleton,
    report_retargeting,
    retarget_clips,
    retarget_motion,
)
from motionloom.errors import InvalidInputError
from motionloom.io import load_motion
from motionloom.motion import concatenate
from motionloom.performer import make_performer
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles
from performed import performer_clips

#: How far a joint may be from the truth, metres: feet are locked, which the performer's are not.
NEAR = 0.012


@pytest.fixture(scope="module")
def clips():
    """A walk and a reach of the performer."""
    made = {clip.motion.name: clip.motion for clip in performer_clips(seed=0)}
    reach = next(motion for name, motion in made.items() if name.startswith("reach"))
    return [made["walk_1.1"], reach]


@pytest.fixture(scope="module")
def own(clips):
    return fit_role_frames(clips)


def farthest(made, truth, factor=1.0):
    """Largest distance of joints with roles, with the hips laid onto each other on the ground."""
    posed = pose_motion(truth)
    joints = [(made.posed.roles.joints[r], j) for r, j in posed.roles.joints.items()]
    a, b = (list(column) for column in zip(*joints, strict=True))
    gap = made.posed.positions[:, a] - factor * posed.positions[:, b]
    return float(np.linalg.norm(gap, axis=-1).max())


def retarget(clips, own, rig):
    target = fit_role_frames([rig(clip) for clip in clips])
    return [retarget_motion(pose_motion(clip), own, target) for clip in clips]


def test_a_body_is_retargeted_to_itself_as_it_is(clips, own):
    made = retarget(clips, own, lambda motion: motion)
    for one, clip in zip(made, clips, strict=True):
        assert farthest(one, clip) < NEAR
        assert one.motion.n_frames == clip.n_frames
        assert one.motion.frame_time == clip.frame_time
        assert one.notes == ()


def test_a_larger_body_moves_as_much_farther(clips, own):
    for one, clip in zip(retarget(clips, own, lambda m: rigs.scaled(m, 1.3)), clips, strict=True):
        assert farthest(one, clip, 1.3) < 1.3 * NEAR


@pytest.mark.parametrize("seed", range(3))
def test_axes_of_joints_and_rest_poses_do_not_count(clips, own, seed):
    """Such axes are known from clips only; both bodies are seen in the same ones."""
    rng = np.random.default_rng(seed)
    turns = rot.normalize(rng.normal(size=(clips[0].skeleton.n_joints, 4)))
    others = rot.normalize(rng.normal(size=(clips[0].skeleton.n_joints, 4)))
    source = [rigs.with_other_axes(motion, others) for motion in clips]
    made = retarget(
        source,
        fit_role_frames(source),
        lambda m: rigs.with_other_axes(rigs.with_other_axes(m, rot.conjugate(others)), turns),
    )
    for one, clip in zip(made, clips, strict=True):
        assert farthest(one, clip) < NEAR
    for one in retarget(clips, own, lambda motion: rigs.with_other_axes(motion, turns)):
        assert "along no axes" in " ".join(one.notes)


@pytest.mark.parametrize("seed", range(3))
def test_bones_along_other_axes_of_their_joints_do_not_count(clips, own, seed):
    rng = np.random.default_rng(seed)
    kinds = [rot.from_rotvec(np.pi / 2 * np.array(axis)) for axis in np.eye(3).tolist()]
    turns = np.array([kinds[k] for k in rng.integers(0, 3, clips[0].skeleton.n_joints)])
    made = retarget(clips, own, lambda motion: rigs.with_other_axes(motion, turns))
    for one, clip in zip(made, clips, strict=True):
        assert farthest(one, clip) < NEAR


def test_rigs_whose_left_side_has_the_axes_of_the_right_turned_over(clips, own):
    turns = rot.identity(clips[0].skeleton.n_joints)
    over = [j for j, name in enumerate(clips[0].skeleton.names) if name.startswith("Left")]
    turns[over] = rot.from_rotvec([0.0, 0.0, np.pi])
    made = retarget(clips, own, lambda motion: rigs.with_other_axes(motion, turns))
    for one, clip in zip(made, clips, strict=True):
        assert farthest(one, clip) < NEAR


def test_twist_bones_and_fingers_stay_as_at_rest(clips, own):
    bones = ("LeftForeArm", "RightForeArm", "LeftLeg", "RightLeg", "LeftHand")
    made = retarget(clips, own, lambda motion: rigs.with_twist_bones(motion, bones))
    assert farthest(made[0], clips[0]) < NEAR
    twist = made[0].posed.skeleton.index("LeftForeArm_twist")
    np.testing.assert_allclose(made[0].motion.rotations[:, twist, 0], 1.0, atol=1e-9)
    made = retarget(clips, own, rigs.with_fingers)
    assert farthest(made[0], clips[0]) < NEAR
    finger = made[0].posed.skeleton.index("LeftFinger2")
    # How somebody held them in the clip of the target does not count.
    np.testing.assert_allclose(made[0].motion.rotations[:, finger, 0], 1.0, atol=1e-9)


def test_a_body_without_toes_walks_on_its_ankles_alone(clips, own):
    made = retarget(clips, own, lambda motion: rigs.without(motion, "Toe"))[0]
    assert "left_toe" not in made.posed.roles.joints
    report = report_retargeting([made], [own], fit_role_frames([made.motion]), "toeless")
    assert report.whole.contact_speed[1] < 0.8
    assert report.whole.directions[0] < 2.0
    assert "left toe" in " ".join(made.notes)


def test_a_rest_pose_alone_is_enough(clips, own):
    target = fit_role_frames(make_performer(1.5).skeleton)
    assert target.guessed == ()
    made = retarget_motion(pose_motion(clips[0]), own, target)
    assert farthest(made, clips[0], 1.5 / 1.75) < 2 * NEAR


def test_a_rest_pose_may_lie_on_its_back_and_one_that_stands_nowhere_is_refused():
    body = make_performer(1.7).skeleton
    lying = replace(body, offsets=rot.rotate(rot.from_rotvec([-np.pi / 2, 0, 0]), body.offsets))
    upright, turned = fit_role_frames(body), fit_role_frames(lying)
    for part, frame in upright.frames.items():
        # Axes of joints that lie are those of joints that stand, turned back.
        expected = rot.multiply(rot.from_rotvec([-np.pi / 2, 0, 0]), frame)
        assert rot.angle_between(turned.frames[part], expected) < 1e-6
    lengths = np.linalg.norm(body.offsets, axis=-1)
    line = replace(body, offsets=lengths[:, None] * [1.0, 0.0, 0.0])
    with pytest.raises(InvalidInputError, match="not that of somebody who stands"):
        fit_role_frames(line)


def test_there_and_back_is_where_it_began(clips, own):
    target = fit_role_frames(make_performer(1.6).skeleton)
    made = retarget_clips(clips, target)
    report = report_retargeting(made, [own] * len(made), target, "performer")
    assert report.whole.round_trip < 8.0
    assert report.whole.directions[0] < 1.0
    assert report.whole.contact_speed[1] < 0.8
    assert report.whole.beyond[1] < 0.5
    assert [row.clip for row in report.rows] == [clip.name for clip in clips]
    assert "there and back" in report.to_text()


def test_nothing_of_the_clip_is_changed_and_the_same_comes_out_again(clips, own):
    before = clips[0].rotations.copy()
    one, other = (retarget(clips[:1], own, lambda m: rigs.scaled(m, 0.9))[0] for _ in range(2))
    np.testing.assert_array_equal(clips[0].rotations, before)
    np.testing.assert_array_equal(one.motion.rotations, other.motion.rotations)


def test_people_and_dogs_are_not_exchanged(clips, own):
    roles = replace(find_roles(clips[0].skeleton), kind="quadruped")
    animal = replace(own, roles=roles)
    with pytest.raises(InvalidInputError, match="only people to people"):
        retarget_motion(pose_motion(clips[0]), own, animal)


def test_frames_need_legs_and_a_frame(clips):
    with pytest.raises(InvalidInputError, match="at least one frame"):
        fit_role_frames([clips[0].cut(0, 0)])
    roles = find_roles(clips[0].skeleton)
    arms = {r: j for r, j in roles.joints.items() if "foot" not in r}
    with pytest.raises(InvalidInputError, match="hip and foot of both sides"):
        fit_role_frames(clips, replace(roles, joints=arms))


def test_clips_are_grouped_by_their_skeletons(clips):
    larger = rigs.scaled(clips[0], 1.1)
    toeless = rigs.without(clips[1], "Toe")
    assert group_by_skeleton([clips[0], larger, toeless, clips[1]]) == [[0, 3], [1], [2]]


def test_who_crawls_keeps_knees_and_hands_on_the_ground(shared_data):
    folder = shared_data / "lafan1"
    crawl = load_motion(folder / "ground1_subject4.bvh")[600:1500]
    stand = load_motion(folder / "obstacles1_subject1.bvh")[:600]
    own = fit_role_frames([crawl, stand])
    target = fit_role_frames(make_performer(1.6).skeleton)
    made = retarget_motion(pose_motion(crawl), own, target)
    assert {"left_knee", "right_knee", "left_hand", "right_hand"} <= made.supports.down.keys()
    row = report_retargeting([made], [own], target, "performer").whole
    assert row.deepest[1] < 5.0
    assert row.floor[0] < 12.0
    assert made.posed.positions[..., 1].min() > -0.03


def test_the_ground_is_found_by_who_stands(shared_data):
    """Of someone who crawls, feet rest in another way than soles do."""
    motion = load_motion(shared_data / "lafan1" / "ground1_subject4.bvh")
    own = fit_role_frames([motion])
    part = pose_motion(concatenate([motion[:200], motion[1000:2500]]))
    made = retarget_motion(part, own, own)
    assert abs(made.source_contacts.ground) < 0.02


def hunched(motion):
    """The same clip by somebody who bends back, neck, head, fingers and elbows all the time."""
    rotations = motion.rotations.copy()
    bend = rot.from_rotvec([0.5, 0.1, 0.0])
    for name in ("Spine1", "Neck", "Head", "LeftShoulder", "LeftForeArm"):
        joint = motion.skeleton.names.index(name)
        rotations[:, joint] = rot.multiply(rotations[:, joint], bend)
    return replace(motion, rotations=rotations)


def over(motion):
    """A rig whose rest pose does not stand: the left side has its axes turned over."""
    turns = rot.identity(motion.skeleton.n_joints)
    left = [j for j, name in enumerate(motion.skeleton.names) if name.startswith("Left")]
    turns[left] = rot.from_rotvec([0.0, 0.0, np.pi])
    return rigs.with_other_axes(motion, turns)


@pytest.mark.parametrize("rig", [lambda motion: rigs.scaled(motion, 0.9), over])
def test_what_the_targets_actor_did_does_not_count(clips, own, rig):
    upright = fit_role_frames([rig(clips[0])])
    bent = fit_role_frames([rig(hunched(clips[0]))])
    reaching = fit_role_frames([rig(clips[1])])
    made = retarget_motion(pose_motion(clips[0]), own, upright).posed
    for target in (bent, reaching):
        other = retarget_motion(pose_motion(clips[0]), own, target).posed
        np.testing.assert_allclose(other.positions, made.positions, atol=1e-6)
        assert rot.angle_between(other.rotations, made.rotations).max() < 1e-6


def test_the_same_body_does_the_same_whatever_somebody_else_did_with_it(clips, own):
    target = fit_role_frames([hunched(clips[1])])
    made = retarget_motion(pose_motion(clips[0]), own, target)
    np.testing.assert_allclose(made.motion.rotations, clips[0].rotations, atol=1e-6)
    gap = made.posed.positions - pose_motion(clips[0]).positions
    assert np.ptp(gap, axis=0).max() < 1e-6
    row = report_retargeting([made], [own], target, "body").whole
    assert max(row.trunk[1], row.neck[1], row.head[1], row.directions[1]) < 1e-4


def test_a_head_that_leans_elsewhere_is_a_problem(clips, own):
    target = fit_role_frames(make_performer(1.6).skeleton)
    made = retarget_motion(pose_motion(clips[0]), own, target)
    report = report_retargeting([made], [own], target, "performer")
    assert report.problems == ()
    assert report.whole.head[0] < 1e-4
    assert report.whole.trunk[0] < 3.0
    head = made.posed.roles.joints["head"]
    for degrees, said in ((7.0, 0), (9.0, 1)):
        bend = rot.from_rotvec([np.radians(degrees), 0.0, 0.0])
        turned = made.posed.with_local({head: rot.multiply(made.motion.rotations[:, head], bend)})
        report = report_retargeting([replace(made, posed=turned)], [own], target, "performer")
        assert len(report.problems) == said
        assert report.whole.head[0] == pytest.approx(degrees, abs=0.01)
    assert "the head leans 9.0 degrees" in report.to_text()


def test_a_body_without_a_head_has_no_such_row(clips, own):
    target = fit_role_frames([rigs.without(clips[0], "Head")])
    made = retarget_motion(pose_motion(clips[0]), own, target)
    report = report_retargeting([made], [own], target, "headless")
    assert np.isnan(report.whole.head[0])
    assert '"head": [\n   null' in report.to_json().replace("  ", " ") or "null" in report.to_json()


@pytest.mark.parametrize(
    ("source", "targets"),
    [
        ("cmu_bvh/16/16_15.bvh", ("lafan1/dance1_subject1.bvh", "lafan1/obstacles1_subject1.bvh")),
        (
            "cmu_bvh/16/16_15.bvh",
            (
                "bandai_namco/dataset-2_walk_normal_001.bvh",
                "bandai_namco/dataset-2_raise-up-right-hand_elderly_001.bvh",
            ),
        ),
        (
            "bandai_namco/dataset-2_walk_normal_001.bvh",
            ("cmu_bvh/05/05_01.bvh", "cmu_bvh/05/05_03.bvh"),
        ),
    ],
)
def test_captured_targets_of_one_body_give_one_result(shared_data, source, targets):
    clip = pose_motion(load_motion(shared_data / source)[1:60])
    own = fit_role_frames([clip])
    made = []
    for target in targets:
        motion = load_motion(shared_data / target)
        body = fit_role_frames([motion[1 : min(motion.n_frames, 900)].every(3)])
        made.append(retarget_motion(clip, own, body).posed)
    np.testing.assert_allclose(made[0].positions, made[1].positions, atol=1e-6)
