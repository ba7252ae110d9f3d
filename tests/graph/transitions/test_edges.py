import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.clips.clip_set import make_clip_set
from motionloom.errors import InvalidInputError
from motionloom.graph.transitions._cost import compute_features, fit_scale, scale_features
from motionloom.graph.transitions.edges import EdgeList, EdgeRules, Pairs, find_edges
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
    edges = find_edges(*problem, EdgeRules(5, 10))
    expected = brute_force(*problem, 5, 10)
    assert len(expected) > 300
    assert set(zip(edges.source.tolist(), edges.target.tolist(), strict=True)) == set(expected)
    costs = [
        expected[i, j] for i, j in zip(edges.source.tolist(), edges.target.tolist(), strict=True)
    ]
    assert np.allclose(edges.cost, costs, rtol=2e-3, atol=1e-7)


@pytest.mark.parametrize("block", [1, 200, 2500, 10**9])
def test_blocks_of_any_size_give_the_same_edges_in_the_same_order(problem, block):
    whole = find_edges(*problem, EdgeRules(5, 10))
    parts = find_edges(*problem, EdgeRules(5, 10), block=block)
    assert np.array_equal(whole.source, parts.source)
    assert np.array_equal(whole.target, parts.target)
    assert np.allclose(whole.cost, parts.cost, rtol=2e-3, atol=1e-7)


def test_edges_are_ordered_by_pair_of_clips_then_frames(problem):
    clips = problem[0]
    edges = find_edges(*problem, EdgeRules(5, 10))
    key = np.column_stack(
        [clips.clip_of[edges.source], clips.clip_of[edges.target], edges.source, edges.target]
    )
    assert np.array_equal(np.lexsort(key.T[::-1]), np.arange(len(key)))


def test_equal_poses_far_from_the_origin_cost_nothing():
    clip = make_walker(60)
    clips = make_clip_set([clip, clip])
    features = np.tile(np.linspace(5000.0, 5100.0, 60)[:, None], (2, 3))
    edges = find_edges(clips, features, np.full(120, 0.3), EdgeRules(5, 10))
    same = edges.target - edges.source == 60
    assert same.any()
    assert np.all(edges.cost[same] == 0)
    assert np.all(
        np.abs(np.abs(edges.target - edges.source) - 60) == 0
    )  # the next frame costs 8.6, the limit is 0.09


def test_only_bridges_between_islands_on_demand(problem):
    clips = problem[0]
    island = np.where(clips.clip_of == 2, -1, clips.clip_of).astype(np.int32)
    edges = find_edges(*problem, EdgeRules(5, 10, island))
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
    whole = find_edges(*problem, EdgeRules(5, 10))
    s, t = clips.clip_of[whole.source], clips.clip_of[whole.target]
    for rows, cols in (
        ([0], [1]),
        ([1], [0]),
        ([2], [2]),
        (range(2), [0, 2]),
        ([1], None),
        (None, [2]),
    ):
        part = find_edges(*problem, EdgeRules(5, 10), Pairs(rows=rows, cols=cols))
        inside = np.isin(s, np.arange(3) if rows is None else rows) & np.isin(
            t, np.arange(3) if cols is None else cols
        )
        assert np.array_equal(keys(part), keys(whole)[inside])
    assert len(find_edges(*problem, EdgeRules(5, 10), Pairs(rows=[])).source) == 0


def test_both_directions_at_once(problem):
    clips = problem[0]
    whole = find_edges(*problem, EdgeRules(5, 10))
    part = find_edges(*problem, EdgeRules(5, 10), Pairs(rows=[1], cols=[1, 2], both=True))
    pair = 3 * clips.clip_of[whole.source] + clips.clip_of[whole.target]
    assert np.array_equal(keys(part), keys(whole)[np.isin(pair, [4, 5, 7])])


def test_one_product_serves_many_calls(problem):
    whole = find_edges(*problem, EdgeRules(5, 10))
    product = CostProduct(*problem[1:])
    parts = [
        find_edges(*problem, EdgeRules(5, 10), Pairs(rows=[c]), product=product) for c in range(3)
    ]
    assert np.array_equal(keys(EdgeList.join(parts)), keys(whole))


def test_clips_that_are_not_there_are_refused(problem):
    with pytest.raises(InvalidInputError, match="rows must be clips from 0 to 2"):
        find_edges(*problem, EdgeRules(5, 10), Pairs(rows=[3]))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_transitions_between_islands_are_those_of_all_that_lead_from_one_to_another(problem, seed):
    clips = problem[0]
    rng = np.random.default_rng(seed)
    island = np.repeat(rng.integers(-1, 3, 14), 10)[: clips.n_frames].astype(np.int32)
    whole = find_edges(*problem, EdgeRules(5, 10))
    arrival = whole.target + 5
    stays = arrival < clips.starts[clips.clip_of[whole.target] + 1]
    here, there = island[whole.source], island[np.where(stays, arrival, 0)]
    between = stays & (here != there) & (here >= 0) & (there >= 0)
    found = find_edges(*problem, EdgeRules(5, 10, island), block=900)
    assert np.array_equal(keys(found), keys(whole)[between])


def test_a_threshold_is_decided_in_double_precision():
    """Costs that differ from the threshold in the eighth digit, far from the origin."""
    clips = make_clip_set([make_walker(30), make_walker(30)])
    features = np.full((60, 2), 300.0)
    gap = 1.0 + np.linspace(-5e-8, 5e-8, 30)
    features[30:, 0] += gap
    features[:30, 1] += np.where(np.arange(30) == 10, 0.0, 50.0)
    edges = find_edges(clips, features, np.ones(60), EdgeRules(1, 10), Pairs(rows=[0], cols=[1]))
    below = np.flatnonzero(((300.0 + gap) - 300.0) ** 2 < 1) + 30
    assert 10 < len(below) < 20
    assert np.array_equal(edges.target, below[below + 1 <= 60])
    assert np.all(edges.source == 10)
