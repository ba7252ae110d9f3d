"""Fillings without data: straight, held, or begun with the speed that the body had."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.inbetween.gaps import Gaps, Track, go_straight, hold_still, keep_speed
from motionloom.inbetween.rig import Rig
from walkers import make_lively_walker


@pytest.fixture(scope="module")
def walker():
    motion = make_lively_walker(90, 3)
    rig = Rig.of(motion)
    return rig, Track.of(motion, rig)


def gaps_of(walker, missing):
    rig, track = walker
    return Gaps.cut(rig, track, np.array([20, 33]), missing)


def test_positions_and_local_rotations_follow_from_world_rotations(walker):
    from motionloom.posed_motion import PosedMotion

    motion = make_lively_walker(90, 3)
    rig, track = walker
    places = rig.positions(track.rotations, track.roots)
    np.testing.assert_allclose(places, PosedMotion(motion, rig.roles).positions, atol=1e-12)
    local = rig.local_rotations(track.rotations)
    assert rot.angle_between(local, motion.rotations).max() < 1e-7
    again = rig.world_rotations(local)
    np.testing.assert_allclose(again, track.rotations, atol=1e-12)


def test_halves_share_out_the_joints(walker):
    rig, _ = walker
    joints = [j for own in rig.halves.values() for j in own]
    assert sorted(joints) == list(range(rig.n_joints))


def test_straight_ways_are_those_of_slerp(walker):
    gaps = gaps_of(walker, 9)
    rig = gaps.rig
    found = rig.local_rotations(go_straight(gaps).rotations)
    start, stop = (rig.local_rotations(r) for r in (gaps.start_rotations, gaps.end_rotations))
    wanted = rot.slerp(
        start[:, None], stop[:, None], np.broadcast_to(gaps.shares[None, :, None], found.shape[:-1])
    )
    assert rot.angle_between(found, wanted).max() < 1e-9


@pytest.mark.parametrize("fill", [go_straight, hold_still, keep_speed])
def test_rotations_go_on_with_the_signs_before_the_gap(walker, fill):
    gaps = gaps_of(walker, 12)
    flipped = Gaps(
        gaps.rig, -gaps.rotations, gaps.roots, -gaps.end_rotations, gaps.end_roots, gaps.missing
    )
    np.testing.assert_allclose(fill(flipped).rotations, -fill(gaps).rotations, atol=1e-12)


def test_a_body_keeps_its_speed_at_first(walker):
    gaps = gaps_of(walker, 30)
    kept = keep_speed(gaps)
    before = gaps.start_roots - gaps.roots[:, -2]
    after = kept.roots[:, 0] - gaps.start_roots
    line = go_straight(gaps).roots[:, 0] - gaps.start_roots
    assert np.all(np.abs(after - before).sum(axis=1) <= np.abs(line - before).sum(axis=1) + 1e-12)


def test_the_ends_of_straight_and_kept_ways_are_met_in_the_limit(walker):
    gaps = gaps_of(walker, 10)
    for shares, roots in ((np.array([0.0]), gaps.start_roots), (np.array([1.0]), gaps.end_roots)):
        assert np.allclose(keep_speed(gaps, shares).roots[:, 0], roots, atol=1e-12)


def test_a_gap_at_another_pace_keeps_its_ends_and_its_way(walker):
    gaps = gaps_of(walker, 19)
    slower = gaps.retimed(9)
    assert slower.missing == 9
    np.testing.assert_array_equal(slower.end_roots, gaps.end_roots)
    np.testing.assert_allclose(slower.roots[:, -1], gaps.roots[:, -1], atol=1e-12)
    # Twice the pace: a frame before is two frames before.
    np.testing.assert_allclose(slower.roots[:, -2], gaps.roots[:, -3], atol=1e-12)
    assert gaps.retimed(19) is gaps


def test_a_gap_without_missing_frames_is_refused(walker):
    with pytest.raises(InvalidInputError, match="missing"):
        gaps_of(walker, 0)
