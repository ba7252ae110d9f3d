"""Normal equations along the tree, against dense ones."""

import numpy as np
import pytest

from marked_bodies import performer_model
from motionloom.fitting.tracking._rig import TrackingOptions, make_rig, make_work
from motionloom.fitting.tracking.normal import (
    count_ranks,
    fill_equations,
    rank_of_turn,
    run_forward,
    solve_equations,
    sum_moments,
)


@pytest.fixture(scope="module")
def rig():
    return make_rig(performer_model(), TrackingOptions())


@pytest.fixture
def work(rig):
    """Kinematics of a random pose, random misses and weights."""
    rng = np.random.default_rng(0)
    work = make_work(rig)
    turns = rng.normal(size=(len(rig.joints), 4))
    run_forward(rig, work, rng.normal(size=3), turns / np.linalg.norm(turns, axis=1)[:, None])
    work.misses[:] = 0.05 * rng.normal(size=work.misses.shape)
    work.trust[:] = rng.random(len(work.trust))
    return work


def slopes_of(rig, work):
    """Derivative (M, 3, N) of the markers by place and world turns."""
    slopes = np.zeros((len(rig.nodes), 3, len(rig.above)))
    for m, node in enumerate(rig.nodes):
        slopes[m, :, :3] = np.eye(3)
        while node >= 0:
            arm = work.seen[m] - work.centres[node]
            slopes[m, :, 3 + 3 * node : 6 + 3 * node] = np.cross(np.eye(3), arm).T
            node = rig.parents[node]
    return slopes


def lower_entries(rig):
    """Which entries of the matrix are used: an unknown and those above it."""
    used = np.zeros((len(rig.above), len(rig.above)), bool)
    for i in range(len(rig.above)):
        j = i
        while j >= 0:
            used[i, j] = True
            j = rig.above[j]
    return used


def test_equations_from_moments_are_those_of_the_jacobian(rig, work):
    sum_moments(rig, work)
    fill_equations(rig, work)
    slopes = slopes_of(rig, work)
    weights = work.trust * rig.weights
    matrix = np.einsum("mia,m,mib->ab", slopes, weights, slopes)
    right = np.einsum("mia,m,mi->a", slopes, weights, work.misses)
    used = lower_entries(rig)
    np.testing.assert_allclose(work.matrix[used], matrix[used], atol=1e-9 * np.abs(matrix).max())
    np.testing.assert_allclose(work.step, right, atol=1e-9 * np.abs(right).max())


def test_unknowns_that_are_not_above_each_other_do_not_meet(rig, work):
    slopes = slopes_of(rig, work)
    matrix = np.einsum("mia,mib->ab", slopes, slopes)
    unused = np.tril(~lower_entries(rig))
    assert unused.any()
    assert not matrix[unused].any()


def test_elimination_along_the_tree_solves_the_whole_system(rig, work):
    sum_moments(rig, work)
    fill_equations(rig, work)
    work.matrix[np.diag_indices_from(work.matrix)] += 50.0
    lower = np.where(lower_entries(rig), work.matrix, 0.0)
    whole = lower + np.tril(lower, -1).T
    expected = np.linalg.solve(whole, work.step)
    solve_equations(rig.above, work.matrix, work.step)
    np.testing.assert_allclose(work.step, expected, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_the_rank_is_the_number_of_eigenvalues_above_the_least(seed):
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(3, 3))
    block = factor @ np.diag(rng.uniform(0, 2, 3)) @ factor.T
    expected = int((np.linalg.eigvalsh(block) > 0.7).sum())
    assert rank_of_turn(block, 0, 0.7) == expected


def test_one_marker_tells_two_directions_of_a_turn(rig, work):
    hand = int(np.flatnonzero(rig.joints == performer_model().skeleton.index("LeftHand"))[0])
    own = np.flatnonzero(rig.nodes == hand)
    ranks = np.zeros(len(rig.joints), np.int64)
    work.trust[:] = 1.0
    count_ranks(rig, work, 0.02, ranks)
    assert ranks[hand] == 3
    work.trust[own[:-1]] = 0.0
    count_ranks(rig, work, 0.02, ranks)
    assert ranks[hand] == 2
