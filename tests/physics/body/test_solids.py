"""Volumes and inertias of solids against sums over many points."""

import numpy as np
import pytest

from motionloom.physics.body._model import Solid, filled_box, limb_capsule


def _moments_by_sampling(inside, reach):
    axes = [np.linspace(-r, r, 81) for r in reach]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    points = points[inside(points)]
    square = np.square(points)
    cell = np.prod([a[1] - a[0] for a in axes])
    return len(points) * cell, (square.sum(axis=-1, keepdims=True) - square).mean(axis=0)


def test_capsule_is_what_its_points_are():
    solid = Solid("capsule", (0.07, 0.16))

    def inside(p):
        beyond = np.maximum(np.abs(p[:, 2]) - 0.16, 0)
        return np.hypot(np.hypot(p[:, 0], p[:, 1]), beyond) <= 0.07

    volume, moments = _moments_by_sampling(inside, (0.071, 0.071, 0.231))
    assert solid.volume == pytest.approx(volume, rel=0.02)
    np.testing.assert_allclose(solid.inertia(1.0), moments, rtol=0.02)


def test_box_is_what_its_points_are():
    solid = filled_box(0.5, 0.3, 0.5 * 0.3 * 0.2)
    assert solid.size == pytest.approx((0.15, 0.1, 0.25))
    np.testing.assert_allclose(
        solid.inertia(12.0), [0.2**2 + 0.5**2, 0.3**2 + 0.5**2, 0.3**2 + 0.2**2]
    )


@pytest.mark.parametrize(("length", "volume"), [(0.4, 0.007), (0.25, 0.0009), (0.02, 0.004)])
def test_limb_has_its_volume_whatever_its_length(length, volume):
    solid = limb_capsule(length, volume)
    assert solid.volume == pytest.approx(volume, rel=1e-6)
    assert min(solid.size) >= 0
