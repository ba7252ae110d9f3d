import numpy as np
import pytest

from motionloom.errors import InvalidInputError
from motionloom.kinematics import forward_kinematics
from motionloom.performer import Step, make_performer, performer_clips, plan_steps, walking_gait
from motionloom.performer._body import SIDES
from motionloom.rotations import to_rotvec


def knee_bends(clip):
    at = {
        n: clip.joint_positions[:, clip.motion.skeleton.index(n)]
        for n in clip.motion.skeleton.names
    }
    for side in SIDES:
        thigh, shank = at[f"{side}Leg"] - at[f"{side}UpLeg"], at[f"{side}Foot"] - at[f"{side}Leg"]
        cosine = (
            np.sum(thigh * shank, axis=-1)
            / np.linalg.norm(thigh, axis=-1)
            / np.linalg.norm(shank, axis=-1)
        )
        yield np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def test_the_set_has_every_action_and_stays_small(clips):
    assert {c.action for c in clips} == {
        "walk",
        "run",
        "turn",
        "sidestep",
        "stand",
        "reach",
        "swing",
    }
    assert len({c.motion.name for c in clips}) == len(clips)
    assert 60.0 < sum(c.motion.duration for c in clips) < 180.0


def test_same_seed_same_bytes_and_another_seed_differs(clips):
    again, other = performer_clips(seed=0, fps=30.0), performer_clips(seed=1, fps=30.0)
    for a, b in zip(clips, again, strict=True):
        assert a.motion.rotations.tobytes() == b.motion.rotations.tobytes()
        assert a.motion.translations.tobytes() == b.motion.translations.tobytes()
    assert any(
        not np.array_equal(a.motion.rotations, b.motion.rotations)
        for a, b in zip(clips, other, strict=True)
    )


def test_contacts_hold_in_every_clip(clips, sole):
    for clip in clips:
        points = sole(clip)
        for side in (0, 1):
            for part in (0, 1):
                down = clip.contacts[:, side, part]
                steps = np.diff(points[:, side, part], axis=0)[down[1:] & down[:-1]]
                assert np.abs(steps).max(initial=0.0) < 1e-6, clip.motion.name
                assert np.abs(points[down, side, part, 1]).max() < 1e-6, clip.motion.name
        assert points[..., 1].min() > -1e-3, clip.motion.name


def test_a_foot_off_the_ground_moves(clips, sole):
    """Contacts are not just claimed everywhere: where they end, the point leaves its place."""
    for clip in clips:
        heel = sole(clip)[:, :, 0]
        for side in (0, 1):
            up = ~clip.contacts[:, side, 0]
            assert up.any() == (np.ptp(heel[:, side], axis=0).max() > 0.01), clip.motion.name


def test_knees_bend_one_way_and_every_leg_reaches_its_foot(clips):
    for clip in clips:
        for bend in knee_bends(clip):
            assert bend.min() > 3.0, clip.motion.name
            assert bend.max() < 125.0, clip.motion.name
        for side in SIDES:
            vectors = to_rotvec(clip.motion.rotations[:, clip.motion.skeleton.index(f"{side}Leg")])
            assert vectors[:, 0].min() > 0.0, clip.motion.name  # flexion, about the hinge alone
            assert np.abs(vectors[:, 1:]).max() < 1e-6, clip.motion.name


def test_every_clip_starts_and_ends_in_one_pose(clips):
    """Seen from the body, all first and last poses are within millimetres: that is what connects
    the set.
    """
    poses = []
    for clip in clips:
        pose = forward_kinematics(clip.motion)
        feet = [clip.motion.skeleton.index(f"{side}Foot") for side in SIDES]
        for frame in (0, -1):
            p = pose.positions[frame] - pose.positions[frame, 0]
            across = p[feet[0]] - p[feet[1]]
            angle = np.arctan2(-across[2], across[0])
            c, s = np.cos(angle), np.sin(angle)
            poses.append(
                np.column_stack([c * p[:, 0] - s * p[:, 2], p[:, 1], s * p[:, 0] + c * p[:, 2]])
            )
    assert np.ptp(poses, axis=0).max() < 0.02


def test_turns_turn_by_what_they_say(clips):
    for clip in clips:
        if clip.motion.name.startswith(("turn_", "spot_")):
            _, word, degrees = clip.motion.name.split("_")
            hips = [clip.joint_positions[:, clip.motion.skeleton.index(f"{s}UpLeg")] for s in SIDES]
            across = hips[0] - hips[1]
            turned = np.degrees(np.ptp(np.unwrap(np.arctan2(-across[:, 2], across[:, 0]))[[0, -1]]))
            sign = np.unwrap(np.arctan2(-across[:, 2], across[:, 0]))[-1]
            assert turned == pytest.approx(float(degrees), abs=2.0)
            assert (sign > 0) == (word == "left")


def test_legs_do_not_pass_through_each_other(clips):
    for clip in clips:
        at = {
            n: clip.joint_positions[:, clip.motion.skeleton.index(n)]
            for n in clip.motion.skeleton.names
        }
        along = np.linspace(0.0, 1.0, 9)[:, None, None]
        left, right = (at[f"{s}Leg"] + along * (at[f"{s}Foot"] - at[f"{s}Leg"]) for s in SIDES)
        gaps = np.linalg.norm(left[:, None] - right[None], axis=-1)
        assert gaps.min() > 0.06, clip.motion.name


@pytest.mark.parametrize("height", [1.5, 2.0])
def test_other_statures(height, sole):
    for clip in performer_clips(performer=make_performer(height)):
        assert sole(clip)[..., 1].min() > -1e-3
        assert min(bend.min() for bend in knee_bends(clip)) > 3.0


def test_a_plan_must_end_standing():
    body = make_performer()
    gait = walking_gait(body, 1.0)
    with pytest.raises(InvalidInputError, match="close"):
        plan_steps(body, [Step(gait, gait.step_length)])
