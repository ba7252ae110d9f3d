import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.clips.clip_set import make_clip_set
from motionloom.graph.transitions._cost import compute_features, fit_scale, scale_features
from motionloom.graph.transitions.edges import EdgeList, find_edges, make_rules
from motionloom.graph.transitions.product import CostProduct
from walkers import make_walker


@pytest.fixture(scope="module")
def problem():
    clips = make_clip_set(
        [make_walker(41), make_walker(57, phase=1.0, bend=0.3), make_walker(33, speed=1.2)]
    )
    pose, change = compute_features(clips)
    features = scale_features(pose, change, fit_scale(clips, pose, change))
    limits = np.sqrt(np.linspace(4.0, 12.0, clips.n_frames))
    return clips, features, limits


def edges_of(clips, features, limits, *rules, wanted=None, **options):
    rules = make_rules(clips.starts, *rules, wanted=wanted)
    return find_edges(CostProduct(features, limits), rules, **options)


def between(rows, cols):
    """Pairs of three clips; all of them for None."""
    wanted = np.zeros((3, 3), bool)
    wanted[np.ix_(range(3) if rows is None else rows, range(3) if cols is None else cols)] = True
    return wanted


def brute_force(clips, features, limits, min_piece, min_jump):
    """Every allowed transition, straight from the definition in double precision."""
    found = {}
    for i in range(clips.n_frames):
        for j in range(clips.n_frames):
            s, t = clips.clip_of[i], clips.clip_of[j]
            early, late = i - clips.starts[s] < min_piece, j + min_piece > clips.starts[t + 1]
            if early or late or (s == t and abs(i - j) < min_jump):
                continue
            cost = np.square(features[i] - features[j]).sum() / (limits[i] * limits[j])
            if cost < 1:
                found[i, j] = cost
    return found


def test_edges_are_those_of_the_definition(problem):
    edges = edges_of(*problem, 5, 10)
    expected = brute_force(*problem, 5, 10)
    assert len(expected) > 300
    assert set(zip(edges.source.tolist(), edges.target.tolist(), strict=True)) == set(expected)
    costs = [
        expected[i, j] for i, j in zip(edges.source.tolist(), edges.target.tolist(), strict=True)
    ]
    assert np.allclose(edges.cost, costs, rtol=2e-3, atol=1e-7)


@pytest.mark.parametrize("block", [1, 200, 2500, 10**9])
def test_blocks_of_any_size_give_the_same_edges_in_the_same_order(problem, block):
    whole = edges_of(*problem, 5, 10)
    parts = edges_of(*problem, 5, 10, block=block)
    assert np.array_equal(whole.source, parts.source)
    assert np.array_equal(whole.target, parts.target)
    assert np.allclose(whole.cost, parts.cost, rtol=2e-3, atol=1e-7)


def test_edges_are_ordered_by_pair_of_clips_then_frames(problem):
    clips = problem[0]
    edges = edges_of(*problem, 5, 10)
    key = np.column_stack(
        [clips.clip_of[edges.source], clips.clip_of[edges.target], edges.source, edges.target]
    )
    assert np.array_equal(np.lexsort(key.T[::-1]), np.arange(len(key)))


def test_equal_poses_far_from_the_origin_cost_nothing():
    clip = make_walker(60)
    clips = make_clip_set([clip, clip])
    features = np.tile(np.linspace(5000.0, 5100.0, 60)[:, None], (2, 3))
    edges = edges_of(clips, features, np.full(120, 0.3), 5, 10)
    same = edges.target - edges.source == 60
    assert same.any()
    assert np.all(edges.cost[same] == 0)
    assert np.all(
        np.abs(np.abs(edges.target - edges.source) - 60) == 0
    )  # the next frame costs 8.6, the limit is 0.09


def test_only_bridges_between_islands_on_demand(problem):
    clips = problem[0]
    island = np.where(clips.clip_of == 2, -1, clips.clip_of).astype(np.int32)
    edges = edges_of(*problem, 5, 10, island)
    pairs = {
        *zip(
            clips.clip_of[edges.source].tolist(), clips.clip_of[edges.target].tolist(), strict=True
        )
    }
    assert pairs == {(0, 1), (1, 0)}


def keys(edges):
    return np.column_stack([edges.source, edges.target, edges.cost.view(np.int32)])


def test_pairs_of_clips_alone_are_those_of_the_whole(problem):
    clips = problem[0]
    whole = edges_of(*problem, 5, 10)
    s, t = clips.clip_of[whole.source], clips.clip_of[whole.target]
    for rows, cols in (
        ([0], [1]),
        ([1], [0]),
        ([2], [2]),
        (range(2), [0, 2]),
        ([1], None),
        (None, [2]),
    ):
        part = edges_of(*problem, 5, 10, wanted=between(rows, cols))
        inside = np.isin(s, np.arange(3) if rows is None else rows) & np.isin(
            t, np.arange(3) if cols is None else cols
        )
        assert np.array_equal(keys(part), keys(whole)[inside])
    assert len(edges_of(*problem, 5, 10, wanted=between([], None)).source) == 0


def test_both_directions_at_once(problem):
    clips = problem[0]
    whole = edges_of(*problem, 5, 10)
    wanted = between([1], [1, 2])
    part = edges_of(*problem, 5, 10, wanted=wanted | wanted.T)
    pair = 3 * clips.clip_of[whole.source] + clips.clip_of[whole.target]
    assert np.array_equal(keys(part), keys(whole)[np.isin(pair, [4, 5, 7])])


def test_one_product_serves_many_calls(problem):
    whole = edges_of(*problem, 5, 10)
    product = CostProduct(*problem[1:])
    starts = problem[0].starts
    parts = [
        find_edges(product, make_rules(starts, 5, 10, wanted=between([c], None))) for c in range(3)
    ]
    assert np.array_equal(keys(EdgeList.join(parts)), keys(whole))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_transitions_between_islands_are_those_of_all_that_lead_from_one_to_another(problem, seed):
    clips = problem[0]
    rng = np.random.default_rng(seed)
    island = np.repeat(rng.integers(-1, 3, 14), 10)[: clips.n_frames].astype(np.int32)
    whole = edges_of(*problem, 5, 10)
    arrival = whole.target + 5
    stays = arrival < clips.starts[clips.clip_of[whole.target] + 1]
    here, there = island[whole.source], island[np.where(stays, arrival, 0)]
    crosses = stays & (here != there) & (here >= 0) & (there >= 0)
    found = edges_of(*problem, 5, 10, island, block=900)
    assert np.array_equal(keys(found), keys(whole)[crosses])


def test_a_threshold_is_decided_in_double_precision():
    """Costs that differ from the threshold in the eighth digit, far from the origin."""
    clips = make_clip_set([make_walker(30), make_walker(30)])
    features = np.full((60, 2), 300.0)
    gap = 1.0 + np.linspace(-5e-8, 5e-8, 30)
    features[30:, 0] += gap
    features[:30, 1] += np.where(np.arange(30) == 10, 0.0, 50.0)
    wanted = np.array([[False, True], [False, False]])
    edges = edges_of(clips, features, np.ones(60), 1, 10, wanted=wanted)
    below = np.flatnonzero(((300.0 + gap) - 300.0) ** 2 < 1) + 30
    assert 10 < len(below) < 20
    assert np.array_equal(edges.target, below[below + 1 <= 60])
    assert np.all(edges.source == 10)
