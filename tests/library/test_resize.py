"""Clips of other performers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.quality import compute_pooled_quality
from motionloom.analysis.soles import fit_soles
from motionloom.clips.prepare import prepare_clip
from motionloom.errors import InvalidInputError
from motionloom.io.registry import load_motion
from motionloom.kinematics import forward_kinematics
from motionloom.library._ingest import fit_to, own_skeleton
from motionloom.posed_motion import PosedMotion
from motionloom.roles import find_roles
from motionloom.skeleton import Skeleton
from walkers import SKELETON, make_walker

ROLES = find_roles(SKELETON)


def scaled(motion, factor):
    """The motion of a body that is larger in all proportions."""
    s = motion.skeleton
    skeleton = Skeleton(
        s.names, s.parents, s.offsets * factor, s.end_parents, s.end_offsets * factor
    )
    return replace(motion, skeleton=skeleton, translations=motion.translations * factor)


def test_the_same_bones_stay_as_they_are():
    motion = make_walker(60, bend=0.4)
    fitted = fit_to(motion, SKELETON, ROLES)
    assert (fitted.scale, fitted.raised, fitted.notes) == (1.0, 0.0, ())
    assert np.array_equal(
        forward_kinematics(fitted.motion).positions, forward_kinematics(motion).positions
    )


@given(factor=st.floats(0.4, 2.5))
def test_a_body_larger_in_all_proportions_does_the_same_motion(factor):
    assume(abs(factor - 1) > 0.01)
    motion = make_walker(60, bend=0.4)
    fitted = fit_to(scaled(motion, factor), SKELETON, ROLES)
    assert fitted.scale == pytest.approx(1 / factor)
    assert np.array_equal(fitted.motion.rotations, motion.rotations)
    assert np.allclose(
        forward_kinematics(fitted.motion).positions, forward_kinematics(motion).positions, atol=1e-9
    )


def test_other_proportions_keep_rotations_and_stand_on_the_ground():
    motion = make_walker(120)
    offsets = SKELETON.offsets.copy()
    offsets[[2, 5]] *= 0.9
    offsets[[3, 6]] *= 1.25
    fitted = fit_to(motion, replace(SKELETON, offsets=offsets), ROLES)
    assert fitted.scale == pytest.approx((0.36 + 0.5) / 0.8)
    assert np.array_equal(fitted.motion.rotations, motion.rotations)
    assert rests(fitted.motion, ROLES) == pytest.approx(
        fitted.scale * rests(motion, ROLES), abs=1e-3
    )


def test_bones_in_position_channels_count():
    motion = make_walker(60)
    full = motion.local_translations()
    junk = replace(SKELETON, offsets=SKELETON.offsets * 0.5)
    told = replace(
        motion, skeleton=junk, translations=full, translated=tuple(range(SKELETON.n_joints))
    )
    assert np.allclose(own_skeleton(told).offsets, SKELETON.offsets)
    assert fit_to(told, SKELETON, ROLES).scale == 1.0
    # The library's skeleton comes from such a file; a clip without the channels then has other
    # bones.
    small = fit_to(replace(motion, skeleton=junk), own_skeleton(told), ROLES)
    assert small.scale == pytest.approx(2)


def test_other_joints_are_refused_naming_the_first():
    names = list(SKELETON.names)
    names[5] = "RightShin"
    other = replace(make_walker(40), skeleton=replace(SKELETON, names=tuple(names)))
    with pytest.raises(
        InvalidInputError, match=r"the first joint that differs is 'RightLeg' / 'RightShin'"
    ):
        fit_to(other, SKELETON, ROLES)
    tree = replace(SKELETON, parents=np.array([-1, 0, 1, 2, 0, 4, 5, 4]))
    with pytest.raises(InvalidInputError, match=r"'Head' \(below 'Hips' / 'RightUpLeg'\)"):
        fit_to(replace(make_walker(40), skeleton=tree), SKELETON, ROLES)


def test_another_rest_pose_is_refused_naming_the_bone():
    offsets = SKELETON.offsets.copy()
    offsets[2] = 0.4 * np.array([np.sin(0.5), -np.cos(0.5), 0])
    other = replace(make_walker(40), skeleton=replace(SKELETON, offsets=offsets))
    with pytest.raises(
        InvalidInputError, match=r"rest pose .*'LeftLeg' points 29 degrees elsewhere.*retarget"
    ):
        fit_to(other, SKELETON, ROLES)


def test_a_captured_performer_on_the_body_of_another(shared_data):
    """Feet at the right height, and hardly more skate (measured: 4.4 cm/s for 4.2)."""
    folder = shared_data / "cmu_bvh"
    skeleton = own_skeleton(prepare_clip(load_motion(folder / "16/16_21.bvh"), 30)[0].motion)
    roles = find_roles(skeleton)
    clips = [prepare_clip(load_motion(folder / f"02/02_0{i}.bvh"), 30)[0].motion for i in (1, 2, 5)]
    fitted = [fit_to(clip, skeleton, roles) for clip in clips]
    moved = [f.motion for f in fitted]
    assert all(
        np.allclose(a.rotations, b.rotations, atol=1e-15) for a, b in zip(clips, moved, strict=True)
    )
    assert all(0.99 < f.scale < 1.0 and abs(f.raised) < 0.005 for f in fitted)
    assert skate(moved, roles) < 1.15 * skate(clips, roles)
    for clip, fit in zip(clips, fitted, strict=True):
        before, after = (rests(motion, roles) for motion in (clip, fit.motion))
        assert np.median(after - fit.scale * before) == pytest.approx(0, abs=1e-6)
        assert np.abs(after - fit.scale * before).max() < 0.01


def rests(motion, roles):
    """Heights at which the points of the soles rest, metres."""
    soles = fit_soles([PosedMotion(motion, roles)])
    return np.array([point.rest + soles.ground for point in soles.points])


def skate(motions, roles):
    posed = [PosedMotion(m, roles) for m in motions]
    soles = fit_soles(posed)
    contacts = [detect_contacts(m, None, soles) for m in posed]
    return compute_pooled_quality(posed, contacts).skate_mean
