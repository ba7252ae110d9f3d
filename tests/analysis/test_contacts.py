import numpy as np
import pytest

from motionloom.analysis.contacts import (
    ContactOptions,
    detect_contacts,
    drop_short_contacts,
    find_foot_contacts,
)
from motionloom.analysis.soles import fit_soles, resting_height
from motionloom.edit.root import align_ground, move_body
from motionloom.errors import InvalidInputError
from motionloom.io.bvh import read_bvh
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.performer import make_performer
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles
from motionloom.skeleton import Skeleton
from performed import performer_clips


def _against_truth(clips):
    """Samples that are true and found, found only, true only; for heel, forefoot and whole foot."""
    poses = [pose_motion(c.motion) for c in clips]
    soles = fit_soles(poses)
    counts = np.zeros((3, 3))
    for clip, pose in zip(clips, poses, strict=True):
        found = detect_contacts(pose, soles=soles)
        parts = np.stack(
            [[found.point(f"{s}_foot", p) for p in ("heel", "toe")] for s in ("left", "right")]
        )
        parts = parts.transpose(2, 0, 1)
        pairs = [(parts[..., 0], clip.contacts[..., 0]), (parts[..., 1], clip.contacts[..., 1])]
        pairs.append(
            (np.column_stack([found.foot(f) for f in soles.feet]), clip.contacts.any(axis=2))
        )
        counts += [[(d & t).sum(), (d & ~t).sum(), (~d & t).sum()] for d, t in pairs]
    return counts[:, 0] / (counts[:, 0] + counts[:, 1]), counts[:, 0] / (
        counts[:, 0] + counts[:, 2]
    )


@pytest.mark.parametrize(("height", "fps"), [(1.75, 30.0), (1.15, 60.0)])
def test_contacts_of_the_performer_are_found(height, fps):
    """Measured when written: a foot's precision 0.98, recall 0.99; a heel begins to rise slowly and
    is kept long.
    """
    precision, recall = _against_truth(
        performer_clips(seed=1, fps=fps, performer=make_performer(height))
    )
    print(
        f"{height} m at {fps} fps: precision {precision.round(3)}, recall {recall.round(3)} (heel,"
        " forefoot, foot)"
    )
    assert np.all(recall > 0.98)
    assert precision[0] > 0.8
    assert precision[1] > 0.93
    assert precision[2] > 0.96


def test_ground_that_is_not_at_height_0_is_reported_and_aligned():
    clips = performer_clips(seed=2)
    motion = clips[0].motion
    raised = align_ground(motion, -0.31)
    soles = fit_soles([pose_motion(motion)])
    at_zero = detect_contacts(pose_motion(motion), soles=soles)
    found = detect_contacts(pose_motion(raised), soles=soles)
    assert abs(at_zero.ground) < 0.005
    assert found.ground == pytest.approx(0.31 + at_zero.ground, abs=1e-9)
    np.testing.assert_array_equal(found.down, at_zero.down)
    back = align_ground(raised, 0.31)
    np.testing.assert_allclose(
        forward_kinematics(back).positions, forward_kinematics(motion).positions, atol=1e-12
    )


def test_heel_lies_below_the_ankle_on_the_ground():
    performer = make_performer(1.8)
    clips = performer_clips(seed=0, performer=performer)
    soles = fit_soles([pose_motion(c.motion) for c in clips])
    heels = [p for p in soles.points if p.part == "heel"]
    assert len(heels) == 2
    for heel in heels:
        assert heel.local[1] == pytest.approx(performer.ball[1], abs=0.002)
        assert abs(heel.local[0]) < 0.002
        assert heel.local[2] < -0.02


def test_short_contacts_are_dropped_and_long_ones_kept():
    down = np.zeros((30, 1), bool)
    down[2:3] = down[10:20] = down[29:] = True
    kept = drop_short_contacts(down, 30.0)
    assert kept[:, 0].sum() == 10
    assert kept[10:20].all()


def test_thresholds_are_validated():
    with pytest.raises(InvalidInputError, match="no larger than to leave"):
        ContactOptions(enter_speed=0.5, leave_speed=0.3)
    with pytest.raises(InvalidInputError, match="negative"):
        ContactOptions(least_gap=-1)


def test_a_skeleton_without_feet_is_refused():
    clip = performer_clips(seed=0)[0].motion
    roles = find_roles(clip.skeleton)
    bare = type(roles)({"hips": 0}, "other")
    with pytest.raises(InvalidInputError, match="feet"):
        fit_soles([pose_motion(clip, bare)])


@pytest.mark.parametrize(
    ("file", "least", "most"),
    [
        ("bandai_namco/dataset-2_walk-turn-left_normal_003.bvh", 0.4, 0.8),
        ("bandai_namco/dataset-2_run_active_001.bvh", 0.08, 0.4),
        ("dog/D1_ex04_KAN02_002.bvh", 0.1, 1.0),
    ],
)
def test_real_captures_have_plausible_shares_of_contact(shared_data, file, least, most):
    motion = read_bvh(shared_data / file)
    found = detect_contacts(pose_motion(motion))
    for foot in found.soles.feet:
        assert least < found.foot(foot).mean() < most


def test_paws_of_a_walking_dog_bear_on_the_ground_though_it_also_sits(shared_data):
    """Its skeleton has no toe joints, and its hocks are on the ground only where it sits."""
    names = ("007_KAN01_001", "009_KAN01_002", "049_KAN01_001")
    clips = [read_bvh(shared_data / f"dog/D1_{name}.bvh") for name in names]
    poses = [pose_motion(m) for m in clips]
    soles = fit_soles(poses)
    assert [p.part for p in soles.points] == ["toe"] * 4
    assert all(-0.01 < p.rest < 0.03 for p in soles.points)
    walk = detect_contacts(poses[0], soles=soles)
    duty = {foot: down.mean() for foot, down in walk.by_foot().items()}
    assert all(0.3 < share < 0.75 for share in duty.values()), duty


def test_one_long_stay_does_not_outweigh_many_short_ones():
    slow = np.zeros(1200, bool)
    slow[:900] = True
    heights = np.where(np.arange(1200) < 900, 0.02, 0.1)
    for start in range(930, 1190, 30):
        slow[start : start + 15] = True
    assert resting_height(heights, slow, 30.0) == pytest.approx(0.1)
    assert resting_height(heights, np.zeros(1200, bool), 30.0) is None


def test_contacts_by_foot_or_none_without_legs():
    clip = performer_clips()[0].motion
    found = find_foot_contacts(clip)
    assert set(found) == {"left_foot", "right_foot"}
    assert all(down.shape == (clip.n_frames,) and down.any() for down in found.values())
    assert find_foot_contacts(clip.cut(0, 0)) is None
    arm = Skeleton(("Arm", "Hand"), np.array([-1, 0]), np.array([[0, 0, 0], [0.3, 0, 0]]))
    still = np.tile([1.0, 0, 0, 0], (5, 2, 1))
    assert find_foot_contacts(Motion(arm, still, np.zeros((5, 1, 3)), 1 / 30)) is None


def test_every_paw_of_a_standing_dog_is_down(shared_data):
    """One of its hind paws stands 25 mm higher than where it rests in its stride."""
    motion = read_bvh(shared_data / "dog" / "D1_009_KAN01_001.bvh")
    contacts = detect_contacts(pose_motion(motion))
    assert len(contacts.by_foot()) == 4
    for down in contacts.by_foot().values():
        assert down[20:140].all()
        assert 0.2 < down[200:].mean() < 0.7, (
            "while it trots, each is in the air about half of the time"
        )


def test_a_gap_is_closed_between_two_contacts_only():
    """In the air when a motion begins or ends, however shortly: no contact before or after it is
    known.
    """
    clip = next(c.motion for c in performer_clips(seed=1) if c.action == "stand")
    pose = pose_motion(clip)
    soles, shift = fit_soles([pose]), np.zeros((clip.n_frames, 3))
    hops = (slice(0, 5), slice(40, 45), slice(clip.n_frames - 5, clip.n_frames))
    for hop in hops:
        shift[hop, 1] = 0.1
    hopping = move_body(pose, shift)
    for least_gap, closed in ((0.5, True), (0.0, False)):
        options = ContactOptions(least_gap=least_gap)
        down = detect_contacts(hopping, options, soles).down
        assert down[15:35].all()
        assert not down[hops[0]].any()
        assert not down[hops[2]].any()
        assert np.all(down[hops[1]] == closed)
