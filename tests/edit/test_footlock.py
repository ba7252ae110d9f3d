from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.analysis.hinges import fit_hinges
from motionloom.analysis.quality import compute_quality
from motionloom.analysis.soles import fit_soles
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.footlock import FootLockOptions, find_legs, lock_feet
from motionloom.edit.limbs import bone_lengths
from motionloom.edit.root import align_ground, move_body
from motionloom.errors import InvalidInputError
from motionloom.io.bvh import read_bvh
from motionloom.kinematics import forward_kinematics
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles
from performed import performer_clips


@pytest.fixture(scope="module")
def sliding():
    """A walk of the performer that drifts sideways at 8 cm/s, with the clean one's contacts."""
    clip = performer_clips(seed=0)[1].motion
    clip = pose_motion(clip)
    contacts = detect_contacts(clip)
    shift = np.zeros((clip.n_frames, 3))
    shift[:, 0] = 0.08 * clip.motion.times
    return clip, _again(move_body(clip, shift)), contacts, clip.roles


def _again(posed):
    """The motion with kinematics run from its angles."""
    return pose_motion(posed.motion)


def test_locked_feet_do_not_slide(sliding):
    clip, moved, contacts, _roles = sliding
    clean = compute_quality(clip, contacts)
    before = compute_quality(moved, contacts)
    lock = lock_feet(moved, contacts)
    after = compute_quality(_again(lock.posed), contacts)
    assert before.skate_mean > 8.0
    assert after.skate_mean < 1.3 * max(clean.skate_mean, 0.5)
    assert after.penetration_max < before.penetration_max + 3.0
    assert 0.02 < lock.largest_correction < 0.1


def test_hips_follow_the_feet_but_where_they_shall_stay(sliding):
    _, moved, contacts, _roles = sliding
    stay = [0, 50, 51, moved.n_frames - 1]
    lock = lock_feet(moved, contacts, stay=stay)
    after = _again(lock.posed)
    away = after.body - moved.body
    np.testing.assert_allclose(away[stay], 0, atol=1e-6)
    np.testing.assert_allclose(away[:, 2], 0, atol=1e-12)
    assert 0.005 < np.abs(away[:, :2]).max() <= lock.largest_correction
    sunk = (moved.hips - after.hips)[:, 1]
    assert np.abs(sunk).max() < lock.largest_correction
    assert sunk.max() == pytest.approx(lock.largest_drop)


def test_bones_keep_their_length_and_feet_their_slope(sliding):
    _, moved, contacts, roles = sliding
    after = _again(lock_feet(moved, contacts).posed)
    for leg in find_legs(roles).values():
        np.testing.assert_allclose(bone_lengths(after, leg), bone_lengths(moved, leg), atol=1e-12)
        turn = rot.multiply(after.rotations[:, leg.tip], rot.conjugate(moved.rotations[:, leg.tip]))
        np.testing.assert_allclose(turn[:, [1, 3]], 0, atol=1e-9)
        assert rot.angle_between(turn, rot.identity()).max() < 0.15


def test_feet_creep_and_roll_as_they_were_captured(sliding):
    """Only the drift is taken out: in contact every step of a foot is the captured one."""
    clip, moved, contacts, roles = sliding
    legs = find_legs(roles)
    times = clip.motion.times
    creep = 0.004 * np.sin(np.stack([5 * times, 0 * times, 3 * times], axis=-1))
    roll = rot.from_rotvec(3.0 * creep)
    tracks = {
        foot: FootTrack(
            clip.positions[:, leg.tip] + creep, rot.multiply(roll, clip.rotations[:, leg.tip])
        )
        for foot, leg in legs.items()
    }
    lowest = np.full(contacts.down.shape[1], -1.0)
    after = _again(lock_feet(moved, contacts, captured=tracks, lowest=lowest).posed)
    for foot, leg in legs.items():
        inner = ndimage.binary_erosion(contacts.foot(foot), np.ones(7))
        held = inner[1:] & inner[:-1]
        steps = np.diff(tracks[foot].places, axis=0)[held]
        gap = np.diff(after.positions[:, leg.tip], axis=0)[held] - steps
        assert np.median(np.linalg.norm(steps, axis=-1)) * clip.fps > 0.005
        assert np.linalg.norm(gap, axis=-1).max() * clip.fps < 0.003
        turns = rot.multiply(after.rotations[:, leg.tip], rot.conjugate(tracks[foot].rotations))
        assert np.abs(turns[inner][:, [1, 3]]).max() < 1e-3


def test_a_swing_goes_as_high_as_it_was_captured(sliding):
    """Swings that dip, as those of two pieces in one do, are raised again, but not beside poses
    that shall stay.
    """
    clip, _, contacts, roles = sliding
    legs = find_legs(roles)
    tracks = {
        foot: FootTrack(clip.positions[:, leg.tip], clip.rotations[:, leg.tip])
        for foot, leg in legs.items()
    }
    dip = 0.03 * np.cos(np.linspace(-np.pi / 2, np.pi / 2, clip.n_frames)) ** 2
    low = _again(move_body(clip, -dip[:, None] * [0.0, 1.0, 0.0]))

    def depth(**options):
        made = lock_feet(low, contacts, captured=tracks, **options)
        tips = [leg.tip for leg in legs.values()]
        return (clip.positions - _again(made.posed).positions)[:, tips, 1]

    in_air = np.stack(
        [~contacts.down[:, list(contacts.soles.of(foot))].any(axis=1) for foot in legs], axis=1
    )
    middle = np.abs(np.arange(clip.n_frames) - clip.n_frames // 2) < 20
    assert np.abs(depth()[in_air]).max() < 0.002
    free = depth(options=FootLockOptions(swing=0.0))[in_air & middle[:, None]]
    assert free.max() > 0.005
    kept = depth(keep=[clip.n_frames // 2])[clip.n_frames // 2]
    np.testing.assert_allclose(kept, dip[clip.n_frames // 2], atol=1e-6)


def test_corrections_never_pop(sliding):
    _, moved, contacts, _roles = sliding
    lock = lock_feet(moved, contacts)
    before, after = compute_quality(moved, contacts), compute_quality(_again(lock.posed), contacts)
    assert after.acceleration_p99 < 1.15 * before.acceleration_p99
    assert after.acceleration_max < 1.5 * before.acceleration_max


def test_a_clean_motion_hardly_changes(sliding):
    clip, _, contacts, _roles = sliding
    lock = lock_feet(clip, contacts)
    assert lock.largest_correction < 0.03
    assert lock.largest_drop < 0.01
    gap = forward_kinematics(lock.motion).positions - clip.positions
    assert np.linalg.norm(gap, axis=-1).mean() < 0.003


def test_without_contacts_nothing_moves(sliding):
    clip, _, contacts, _roles = sliding
    nowhere = replace(contacts, down=np.zeros_like(contacts.down), ground=-1.0)
    lock = lock_feet(clip, nowhere)
    assert lock.largest_correction < 1e-12
    gap = forward_kinematics(lock.motion).positions - clip.positions
    assert np.abs(gap).max() < 1e-3


def test_a_contact_that_needs_too_much_is_let_go(sliding):
    clip, _, contacts, _roles = sliding
    shift = np.zeros((clip.n_frames, 3))
    shift[:, 0] = 2.0 * clip.motion.times
    moved = _again(move_body(clip, shift))
    lock = lock_feet(moved, contacts, FootLockOptions(limit=0.1))
    assert lock.released > 0
    assert lock.largest_correction < 0.25
    assert compute_quality(_again(lock.posed), contacts).acceleration_max < 200


def test_contacts_of_another_length_are_refused(sliding):
    clip, _, contacts, roles = sliding
    with pytest.raises(InvalidInputError, match="frames"):
        lock_feet(clip.cut(0, 10), contacts, roles)
    with pytest.raises(InvalidInputError, match="negative"):
        FootLockOptions(hold=-1)


def test_a_dog_is_locked_too(shared_data):
    motion = read_bvh(shared_data / "dog" / "D1_ex04_KAN02_002.bvh").cut(0, 240)
    pose, roles = pose_motion(motion), find_roles(motion.skeleton)
    soles = fit_soles([pose])
    contacts = detect_contacts(pose, soles=soles)
    shift = np.zeros((motion.n_frames, 3))
    # It sits for seconds; what slides away from under it must stay within the limit (5 cm of its
    # short legs).
    shift[:, 2] = 0.02 * np.sin(2.0 * motion.times)
    moved = _again(move_body(pose, shift))
    assert len(find_legs(roles)) == 4
    lock = lock_feet(moved, FootContacts(soles, contacts.down, contacts.ground))
    before, after = compute_quality(moved, contacts), compute_quality(_again(lock.posed), contacts)
    assert lock.released == 0
    assert after.skate_mean < 0.3 * before.skate_mean
    assert after.acceleration_max < 1.5 * before.acceleration_max


def test_a_long_contact_with_one_large_slide_is_let_go_there_only():
    """Pieces joined in standing may place a foot elsewhere; it is held before and after."""
    clip = next(c for c in performer_clips(seed=0) if c.action == "stand")
    motion = clip.motion
    contacts = detect_contacts(pose_motion(motion))
    middle, shift = motion.n_frames // 2, np.zeros((motion.n_frames, 3))
    shift[:, 0] = 0.4 * np.clip((np.arange(motion.n_frames) - middle + 4) / 8, 0, 1)
    moved = _again(move_body(pose_motion(motion), shift))
    lock = lock_feet(moved, contacts)
    assert 0 < lock.released <= 8
    points = contacts.soles.positions(_again(lock.posed))
    assert np.all(np.ptp(points[..., 1], axis=0) > 0.01), "it steps rather than slides"
    speed = np.linalg.norm(np.diff(points[..., [0, 2]], axis=0), axis=-1) * motion.fps
    away = np.abs(np.arange(len(speed)) - middle) > 0.5 * motion.fps
    assert speed[away].max() < 0.03


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.25, 1.0), st.floats(0.0, 0.8))
def test_no_correction_is_faster_than_asked_for(sliding, seed, speed, drift):
    """Whatever slides, and however fast: pushed about at random, feet are corrected no faster than
    the bound.
    """
    clip, _, contacts, roles = sliding
    rng = np.random.default_rng(seed)
    shift = np.zeros((clip.n_frames, 3))
    shift[:, [0, 2]] = (
        ndimage.gaussian_filter1d(rng.normal(size=(clip.n_frames, 2)), 6, axis=0) * drift
    )
    moved = _again(move_body(clip, shift))
    hinges = fit_hinges([moved])
    lock = lock_feet(moved, contacts, FootLockOptions(speed=speed, speed_share=0.0), hinges=hinges)
    after = _again(lock.posed)
    bound = speed * contacts.soles.leg * (1 + 1e-6)
    for foot, leg in find_legs(roles).items():
        change = np.diff(after.positions[:, leg.tip] - moved.positions[:, leg.tip], axis=0)
        # A knee at the limit of its range takes the foot along.
        free = hinges[foot].flexion(after) < hinges[foot].most - 1e-6
        assert np.linalg.norm(change[free[1:] & free[:-1]], axis=-1).max() * clip.fps <= bound
        assert hinges[foot].excess(after).max() < 1e-6
    held = lock.contacts.down[1:] & lock.contacts.down[:-1]
    slide = (
        np.linalg.norm(np.diff(contacts.soles.positions(after)[..., [0, 2]], axis=0), axis=-1)
        * clip.fps
    )
    assert np.sum(held & (slide > 0.15)) < 0.02 * contacts.down.sum()
    assert not np.any(lock.contacts.down & ~contacts.down)


def test_frames_to_be_kept_stay(sliding):
    _, moved, contacts, _roles = sliding
    lock = lock_feet(moved, contacts, keep=[0, 40, 77])
    for frame in (0, 40, 77):
        assert (
            rot.angle_between(lock.motion.rotations[frame], moved.motion.rotations[frame]).max()
            < 1e-6
        )
        np.testing.assert_allclose(
            lock.motion.translations[frame], moved.motion.translations[frame], atol=1e-9
        )
    assert (
        compute_quality(_again(lock.posed), contacts).acceleration_max
        < 1.6 * compute_quality(moved, contacts).acceleration_max
    )
    assert (
        compute_quality(_again(lock.posed), contacts).skate_mean
        < 0.5 * compute_quality(moved, contacts).skate_mean
    )


@pytest.mark.parametrize("ground", [-0.31, 0.31])
def test_the_height_of_the_ground_makes_no_difference(sliding, ground):
    _, moved, contacts, _roles = sliding
    plain = lock_feet(moved, contacts)
    raised = replace(contacts, ground=contacts.ground + ground)
    lock = lock_feet(pose_motion(align_ground(moved.motion, -ground)), raised)
    np.testing.assert_allclose(
        forward_kinematics(align_ground(lock.motion, ground)).positions,
        forward_kinematics(plain.motion).positions,
        atol=1e-9,
    )
    np.testing.assert_array_equal(lock.contacts.down, plain.contacts.down)
    assert lock.contacts.ground == raised.ground
