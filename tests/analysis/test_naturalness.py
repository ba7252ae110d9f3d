"""Naturalness: known densities, and captured poses above noisy ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from motionloom.analysis.naturalness import fit_naturalness
from motionloom.errors import InvalidInputError
from motionloom.spaces import fit_pose_space
from performed import performer_clips

pytest.importorskip("sklearn")


@pytest.fixture(scope="module")
def space():
    return fit_pose_space([clip.motion for clip in performer_clips()])


def test_the_gaussian_is_that_of_the_poses_in_degrees(space):
    model = fit_naturalness(space, mixtures=False)
    own = np.degrees(space.poses[:, space.varying])
    spread = np.cov(own, rowvar=False) + np.eye(len(space.varying))
    expected = multivariate_normal(own.mean(axis=0), spread).logpdf(own[::200])
    np.testing.assert_allclose(model.log_likelihood(space.poses[::200]), expected, rtol=1e-9)


def test_noise_makes_poses_less_natural_by_both_measures(space):
    trial = int(space.trial[-1])
    model = fit_naturalness(space, without=trial)
    own = space.poses[space.trial == trial]
    noise = space.poses.std(axis=0) * np.random.default_rng(0).standard_normal(own.shape)
    for measure in (model.log_likelihood, model.mixture_score):
        clean, some, much = (
            float(measure(own + share * noise).mean()) for share in (0.0, 0.3, 1.0)
        )
        assert clean > some > much


def test_the_floor_and_what_was_not_fitted(space):
    model = fit_naturalness(space, mixtures=False)
    odd = space.poses[:1] + 3.0
    assert model.log_likelihood(odd)[0] < -750.0
    with pytest.raises(InvalidInputError, match="without mixtures"):
        model.mixture_score(odd)
