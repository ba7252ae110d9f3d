"""What limbs do beyond the need: known truth on single clips."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.clips.activity import FREE, RISE, limb_speeds, measure_activity
from motionloom.clips.clip_set import make_clip_set
from motionloom.motion import GroundTransform
from walkers import make_walker

LENGTH = 120


def hopping(motion, height, period):
    """The same motion with its root going up and down evenly."""
    t = np.arange(motion.n_frames) / motion.fps
    way = height * np.abs((t / period) % 2 - 1)
    places = motion.translations.copy()
    places[:, 0, 1] += way
    return replace(motion, translations=places)


def test_walks_that_are_alike_do_nothing_beyond_the_need():
    clips = make_clip_set([make_walker(LENGTH, phase=p, name=f"w{p}") for p in (0.0, 1.0, 2.0)])
    inside = np.arange(3 * LENGTH) % LENGTH
    inside = (inside > 10) & (inside < LENGTH - 10)
    assert np.allclose(measure_activity(clips)[inside], 0.0, atol=1e-9)


def test_rising_and_falling_counts_by_its_metres_however_often_it_is_shown():
    calm = [make_walker(LENGTH, speed=1.0, name="calm")]
    hops = [
        replace(hopping(make_walker(LENGTH, speed=0.7), 0.4, 0.5), name=f"hop_{k}")
        for k in range(3)
    ]
    clips = make_clip_set(calm + hops)
    found = measure_activity(clips)
    assert np.allclose(found[20 : LENGTH - 20], 0.0, atol=1e-9)
    # 0.4 m in half a second, but at rest in the frame where it turns; the faster walk shows that
    # none of it is needed
    middle = found[LENGTH + 20 : 2 * LENGTH - 20]
    assert middle.mean() == pytest.approx(RISE * (0.8 * 14 / 15 - FREE), rel=0.02)


def test_where_the_body_is_and_faces_makes_no_difference():
    motion = hopping(make_walker(LENGTH, vary=0.3), 0.2, 0.5)
    here, there = (
        make_clip_set([make_walker(LENGTH, speed=1.4), m])
        for m in (motion, motion.transformed(GroundTransform(1.0, 3.0, -2.0)))
    )
    assert measure_activity(here).max() > 0.1
    assert np.allclose(measure_activity(here), measure_activity(there), atol=1e-6)


def test_a_limb_is_as_fast_as_the_body_sees_it():
    t = np.arange(LENGTH) / 30.0
    walker = make_walker(LENGTH, speed=2.0)
    rotations = np.tile([1.0, 0, 0, 0], (LENGTH, walker.skeleton.n_joints, 1))
    rotations[:, 1] = rot.from_rotvec(np.column_stack([0.5 * t, 0 * t, 0 * t]))
    speeds = limb_speeds(make_clip_set([replace(walker, rotations=rotations)]))
    assert np.allclose(np.sort(speeds.mean(axis=1)), [0.0, 0.0, 0.5 * 0.8], atol=0.01)
