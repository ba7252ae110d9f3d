"""The grid of clearances never says that the way is free where it is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import Box, Cylinder, HeightMap
from motionloom.constraints.kinds.avoid import measure_depths
from motionloom.constraints.obstacles import body_points
from motionloom.graph.scoring.clearance import compile_around
from performed import performer_clips

metres = st.floats(-3, 3)
heights = st.floats(-0.5, 1.5)


@pytest.fixture(scope="module")
def clips():
    return make_clip_set([performer_clips()[0].motion])


def look(around, hips):
    """What the grid says for hips at z + i x: least distance from a solid, greatest height of a
    map.
    """
    at = (hips - around.origin) / around.cell
    if 0 <= at.real < around.grid.shape[0] and 0 <= at.imag < around.grid.shape[1]:
        return around.grid[int(at.real), int(at.imag)]
    return np.float32(np.inf), np.float32(-np.inf)


def ground_at(ground, points):
    """Height of a map under points (K, 2) of x and z, from how deep a point far below is."""
    deep = np.insert(points, 1, -50.0, axis=1)[:, None]
    return measure_depths((ground,), deep)[:, 0] - 50.0 + 0.02


@settings(max_examples=40, deadline=None)
@given(
    x=metres,
    z=metres,
    size=st.floats(0.05, 4),
    thin=st.floats(0.05, 1),
    angle=st.floats(-180, 180),
    seed=st.integers(0, 99),
)
def test_solids_are_never_nearer_than_the_grid_says(clips, x, z, size, thin, angle, seed):
    avoid = (
        Box(center=(x, z), size=(size, thin), angle=angle),
        Cylinder(center=(z, x), radius=thin),
    )
    around = compile_around(clips, avoid)
    rng = np.random.default_rng(seed)
    reach = float(around.extent[:, 2].max())
    for hips in rng.uniform(-6, 6, (50, 2)):
        free = min(float(look(around, complex(*hips))[0]), reach)
        # Nothing nearer than `free` is inside of anything.
        angles = rng.uniform(0, 2 * np.pi, 40)
        ring = hips + 0.999 * max(free - 1e-5, 0) * np.column_stack(
            [np.cos(angles), np.sin(angles)]
        )
        points = np.column_stack([ring[:, 1], np.ones(40), ring[:, 0]])[:, None]
        assert free <= 1e-5 or measure_depths(avoid, points).max() == 0


@settings(max_examples=30, deadline=None)
@given(
    grid=st.lists(st.lists(heights, min_size=3, max_size=3), min_size=2, max_size=5),
    x=metres,
    z=metres,
    cell=st.floats(0.05, 2),
    seed=st.integers(0, 99),
)
def test_the_ground_within_reach_is_never_higher_than_the_grid_says(clips, grid, x, z, cell, seed):
    ground = HeightMap(heights=tuple(map(tuple, grid)), origin=(x, z), cell=cell)
    around = compile_around(clips, (ground,))
    rng = np.random.default_rng(seed)
    reach = float(around.extent[:, 2].max())
    for hips in rng.uniform(-6, 9, (50, 2)):
        angles, radii = rng.uniform(0, 2 * np.pi, 20), reach * np.sqrt(rng.uniform(0, 1, 20))
        near = hips[::-1] + np.column_stack([np.sin(angles), np.cos(angles)]) * radii[:, None]
        known = ground_at(ground, near)
        known = known[known > -49]
        assert len(known) == 0 or known.max() <= look(around, complex(*hips))[1] + 1e-4


def test_bodies_are_what_hangs_on_the_hips(clips):
    around = compile_around(clips, (Cylinder(center=(0, 0), radius=1),))
    points = body_points(clips.skeleton, clips.roles, clips.positions)
    np.testing.assert_allclose(around.points, points[..., [2, 0, 1]], atol=1e-5)
    assert 0.3 < around.extent[:, 2].max() < 1.5
    assert points.shape[1] > len(clips.skeleton.descendants(clips.roles.joints["hips"]))


def test_a_joint_above_the_hips_is_no_part_of_the_body(clips):
    spine = clips.roles.joints["spine"]
    roles = replace(clips.roles, joints={**clips.roles.joints, "hips": spine})
    above = [
        j for j in range(clips.skeleton.n_joints) if j not in clips.skeleton.descendants(spine)
    ]
    moved = clips.positions[:1].copy()
    moved[:, above] += 100.0
    points = body_points(clips.skeleton, roles, clips.positions[:1])
    np.testing.assert_array_equal(points, body_points(clips.skeleton, roles, moved))
    assert len(above) > 1
