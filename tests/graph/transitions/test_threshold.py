from dataclasses import replace

import numpy as np
import pytest

from motionloom.clips.clip_set import make_clip_set
from motionloom.errors import InvalidInputError
from motionloom.graph.transitions._cost import (
    compute_features,
    fit_scale,
    scale_features,
    step_costs,
)
from motionloom.graph.transitions._threshold import calibrate as find_calibration
from motionloom.graph.transitions.edges import find_edges, make_rules
from motionloom.graph.transitions.options import GraphOptions
from motionloom.graph.transitions.product import CostProduct
from walkers import make_lively_walker


@pytest.fixture(scope="module")
def features(performed):
    pose, change = compute_features(performed)
    return scale_features(pose, change, fit_scale(performed, pose, change))


def calibrate(clips, features, **wishes):
    """Square roots of the thresholds."""
    pose, change = compute_features(clips)
    scale = fit_scale(clips, pose, change)
    usual = {"most": np.inf, "density": 0.0 if "most" in wishes else 60.0}
    found = find_calibration(clips, features, scale, GraphOptions(**usual | wishes))
    return found.limits(clips, features)


def density(clips, features, limits):
    rules = make_rules(clips.starts, 1, 10)
    return len(find_edges(CostProduct(features, limits), rules).source) / clips.n_frames


def test_a_given_threshold_is_taken(performed, features):
    assert np.array_equal(
        calibrate(performed, features, tau=9.0, most=1.0), np.full(performed.n_frames, 3.0)
    )


def test_pooled_and_relative(performed, features):
    own = step_costs(performed, features, 2)
    pooled = calibrate(performed, features, step=2, relative=0.0)
    assert np.allclose(pooled**2, np.median(own))
    each = calibrate(performed, features, step=2, relative=1.0)
    moving = own > 0.1 * np.median(own)
    assert np.allclose(each[moving] ** 2, own[moving])
    assert np.allclose(each[~moving] ** 2, 0.1 * np.median(own))
    half = calibrate(performed, features, step=2, relative=0.5)
    assert np.allclose(half, np.sqrt(pooled * each))


def test_few_clips_take_a_larger_step(performed, features):
    sparse = calibrate(performed, features, density=1e6)
    assert np.array_equal(sparse, calibrate(performed, features, step=3))
    assert np.array_equal(
        calibrate(performed, features, density=0.0), calibrate(performed, features, step=2)
    )


@pytest.mark.parametrize("share", [0.5, 0.1])
def test_too_many_transitions_lower_the_threshold(performed, features, share):
    loose = calibrate(performed, features, step=3)
    most = share * density(performed, features, loose)
    limits = calibrate(performed, features, step=3, most=most)
    assert np.ptp(limits / loose) < 1e-12
    assert density(performed, features, limits) == pytest.approx(most, rel=0.15)


def still_from(motion, frame, n_frames):
    """A motion that stays in its frame for so many frames after it."""
    frames = [*range(frame + 1), *[frame] * n_frames]
    return replace(
        motion, rotations=motion.rotations[frames], translations=motion.translations[frames]
    )


def test_clips_that_are_still_most_of_the_time_are_calibrated_by_their_movement():
    walk = make_lively_walker(40, 3)
    clips = make_clip_set([still_from(walk, 39, 60)])
    pose, change = compute_features(clips)
    own = scale_features(pose, change, fit_scale(clips, pose, change))
    assert np.median(step_costs(clips, own, 2)) == 0
    limits = calibrate(clips, own, step=2, relative=1.0)
    assert np.all(np.isfinite(limits))
    assert np.all(limits > 0)


def test_clips_in_which_nothing_moves_are_refused_by_name():
    clips = make_clip_set([replace(still_from(make_lively_walker(9, 3), 0, 30), name="statue")])
    pose, change = compute_features(clips)
    own = scale_features(pose, change, fit_scale(clips, pose, change))
    with pytest.raises(InvalidInputError, match="statue: nothing moves in these clips"):
        calibrate(clips, own)
