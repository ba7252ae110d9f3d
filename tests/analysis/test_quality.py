from dataclasses import replace

import numpy as np
import pytest

from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.analysis.hinges import fit_hinges
from motionloom.analysis.quality import compute_pooled_quality, compute_quality
from motionloom.analysis.soles import fit_soles
from motionloom.edit.root import move_body
from motionloom.posed_motion import pose_motion
from performed import performer_clips


@pytest.fixture(scope="module")
def still():
    """One pose of the performer standing, held for a second, with all its soles in contact."""
    clip = performer_clips(seed=0)[0].motion
    motion = replace(
        clip,
        rotations=np.repeat(clip.rotations[:1], 31, 0),
        translations=np.repeat(clip.translations[:1], 31, 0),
    )
    posed = pose_motion(motion)
    soles = fit_soles([posed])
    return posed, FootContacts(soles, np.ones((31, len(soles.points)), bool), 0.0)


def _shifted(motion, shift):
    return pose_motion(move_body(motion, shift).motion)


def test_who_stands_still_has_perfect_numbers(still):
    posed, contacts = still
    quality = compute_quality(posed, contacts)
    assert quality.skate_mean == pytest.approx(0, abs=1e-9)
    assert quality.acceleration_max == pytest.approx(0, abs=1e-6)
    assert quality.penetration_max == pytest.approx(0, abs=1e-6)
    assert quality.contact_share == 1.0


def test_a_body_pushed_along_skates_at_that_speed(still):
    posed, contacts = still
    shift = np.zeros((31, 3))
    shift[:, 2] = 0.2 * posed.motion.times
    quality = compute_quality(_shifted(posed, shift), contacts)
    assert quality.skate_mean == pytest.approx(20.0)
    assert quality.skate_p90 == pytest.approx(20.0)
    assert quality.skate_share == 1.0
    assert quality.acceleration_max < 1e-6


def test_a_sunken_body_penetrates_by_its_depth(still):
    posed, contacts = still
    quality = compute_quality(_shifted(posed, np.tile([0, -0.013, 0], (31, 1))), contacts)
    assert quality.penetration_mean == pytest.approx(13.0, abs=0.5)


def test_acceleration_and_jerk_of_a_known_path(still):
    posed, contacts = still
    shift = np.zeros((31, 3))
    shift[:, 0] = 0.5 * 4.0 * posed.motion.times**2
    assert compute_quality(_shifted(posed, shift), contacts).acceleration_p99 == pytest.approx(4.0)
    shift[:, 0] = 5.0 / 6 * posed.motion.times**3
    assert compute_quality(_shifted(posed, shift), contacts).jerk_p99 == pytest.approx(5.0)


def test_a_jump_is_charged_to_its_seam_only(still):
    posed, contacts = still
    shift = np.zeros((31, 3))
    shift[15:, 0] = 0.01
    moved = _shifted(posed, shift)
    peak = 0.01 * posed.fps**2
    assert compute_quality(moved, contacts, [15]).seam_acceleration == pytest.approx(peak)
    assert compute_quality(moved, contacts, [5]).seam_acceleration == pytest.approx(0, abs=1e-6)
    assert compute_quality(moved, contacts).acceleration_max == pytest.approx(peak)


def test_pooled_quality_weighs_clips_by_their_samples(still):
    posed, contacts = still
    shift = np.zeros((31, 3))
    shift[:, 2] = 0.2 * posed.motion.times
    pooled = compute_pooled_quality([posed, _shifted(posed, shift)], [contacts, contacts])
    assert pooled.skate_mean == pytest.approx(10.0)
    assert pooled.n_frames == 62


def test_the_performer_walks_cleanly():
    clip = performer_clips(seed=3)[0].motion
    pose = pose_motion(clip)
    quality = compute_quality(pose, detect_contacts(pose))
    assert quality.skate_mean < 2.0
    assert quality.penetration_max < 5.0


def test_every_seam_is_measured_by_itself(still):
    posed, contacts = still
    shift = np.zeros((31, 3))
    shift[8:, 0] += 0.01
    shift[22:, 0] += 0.03
    quality = compute_quality(_shifted(posed, shift), contacts, [8, 15, 22])
    unit = 0.01 * posed.fps**2
    np.testing.assert_allclose(quality.seam_accelerations, [unit, 0, 3 * unit], atol=1e-6)
    assert quality.seam_acceleration == pytest.approx(3 * unit)
    assert [quality.seam_share(x * unit) for x in (0.5, 2, 4)] == pytest.approx([1 / 3, 2 / 3, 1])
    assert compute_quality(posed, contacts).seam_share(0.0) == 1.0


def test_a_knee_past_its_captured_range_is_measured_in_degrees():
    clip = performer_clips(seed=3)[0].motion
    pose = pose_motion(clip)
    contacts, hinges = detect_contacts(pose), fit_hinges([pose])
    assert compute_quality(pose, contacts, (), hinges).knee_excess == 0
    foot = hinges["left_foot"]
    less = {**hinges, "left_foot": replace(foot, most=foot.most - np.radians(4))}
    assert compute_quality(pose, contacts, (), less).knee_excess == pytest.approx(4, abs=1e-6)
    arms = {**hinges, "left_hand": replace(hinges["left_hand"], most=0.0)}
    assert compute_quality(pose, contacts, (), arms).knee_excess == 0
