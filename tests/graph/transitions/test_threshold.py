import numpy as np
import pytest

from motionloom.graph.transitions.cost import (
    compute_features,
    fit_scale,
    scale_features,
    step_costs,
)
from motionloom.graph.transitions.edges import find_edges
from motionloom.graph.transitions.rules import EdgeRules
from motionloom.graph.transitions.threshold import CalibrationOptions
from motionloom.graph.transitions.threshold import calibrate as find_calibration


@pytest.fixture(scope="module")
def features(performed):
    pose, change = compute_features(performed)
    return scale_features(pose, change, fit_scale(performed, pose, change))


def calibrate(clips, features, **wishes):
    """Square roots of the thresholds."""
    pose, change = compute_features(clips)
    scale = fit_scale(clips, pose, change)
    found = find_calibration(clips, features, scale, CalibrationOptions(**wishes))
    return found.limits(clips, features)


def density(clips, features, limits):
    return len(find_edges(clips, features, limits, EdgeRules(1, 10)).source) / clips.n_frames


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
