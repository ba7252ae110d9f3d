"""Strikes and strides: those of the performer are known; what is no gait has none."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.soles import leg_length
from motionloom.gait.cycles.find import find_gait
from motionloom.gait.cycles.tracks import FootTracks, peaks_of, tracks_of_motion
from motionloom.posed_motion import pose_motion


def gait_of(motion):
    posed = pose_motion(motion)
    return find_gait(tracks_of_motion(posed, leg_length(posed)))


def landings(contacts, foot, fps):
    """Times at which a foot of the performer comes down."""
    down = contacts[:, foot].any(axis=1)
    return np.flatnonzero(~down[:-1] & down[1:]) / fps


@pytest.mark.parametrize("name", ["walk_0.6", "walk_1.1", "walk_1.6", "walk_2.2", "run_3"])
def test_strikes_are_those_that_the_performer_makes(performances, name):
    clip = performances[name]
    gait = gait_of(clip.motion)
    errors = []
    for side, foot in enumerate(("left", "right")):
        true = landings(clip.contacts, side, clip.motion.fps)
        found = gait.of("strike", foot)
        errors += [np.abs(true - time).min() for time in found]
        # Only the steps into and out of standing may be missing.
        assert len(true) - len(found) <= 2
    assert np.median(errors) < 0.035
    assert max(errors) < 0.1


@pytest.mark.parametrize(("name", "behaviour"), [("walk_1.6", "walk"), ("run_3", "run")])
def test_strides_have_speed_and_behaviour(performances, name, behaviour):
    steady = [s for s in gait_of(performances[name].motion).strides if s.steady < 1.03]
    assert {s.behaviour for s in steady} == {behaviour}
    speed = float(name.split("_")[1])
    assert np.allclose([s.speed for s in steady], speed, rtol=0.03)
    assert {s.foot for s in steady} == {"left", "right"}
    assert all(s.start < s.off < s.stop and s.start < s.opposite < s.stop for s in steady)


def test_a_curve_is_no_straight_stride(performances):
    strides = gait_of(performances["curve_left"].motion).strides
    assert strides
    assert not any(s.straight for s in strides)
    assert all(s.turn > 0 for s in strides)


@pytest.mark.parametrize(
    "name", ["stand", "side_left", "side_right", "spot_left_90", "swing", "reach_left_front"]
)
def test_other_actions_hold_no_stride(performances, name):
    assert gait_of(performances[name].motion).strides == ()


def test_walking_backwards_is_none(performances):
    motion = performances["walk_1.1"].motion
    back = replace(motion, rotations=motion.rotations[::-1], translations=motion.translations[::-1])
    assert gait_of(back).strides == ()


def test_frames_elsewhere_at_the_beginning_do_not_matter(performances):
    motion = performances["walk_1.6"].motion
    places = motion.translations.copy()
    places[0] = 50.0
    jumped = gait_of(replace(motion, translations=places))
    assert len(jumped.strides) == len(gait_of(motion).strides)


def test_turning_the_world_changes_nothing(performances):
    posed = pose_motion(performances["walk_1.1"].motion)
    tracks = tracks_of_motion(posed, leg_length(posed))
    turn = rot.yaw(2.0)
    turned = FootTracks(
        rot.rotate(turn, tracks.hips),
        rot.rotate(turn, tracks.ankles),
        tracks.facing + 2.0,
        tracks.fps,
        tracks.leg,
    )
    times = [e.time for e in find_gait(tracks).events]
    assert np.allclose([e.time for e in find_gait(turned).events], times, atol=1e-6)


def test_a_peak_is_found_between_samples():
    t = np.arange(100)
    assert peaks_of(np.cos(2 * np.pi * (t - 30.3) / 50), 0.5) == pytest.approx(
        [30.3, 80.3], abs=0.01
    )
    assert len(peaks_of(np.zeros(3), 0.5)) == 0
