from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from motionloom.clips.clip_set import make_clip_set
from motionloom.graph.transitions.connect import _union, connect, strong_components
from motionloom.graph.transitions.edges import EdgeList
from motionloom.graph.transitions.options import GraphOptions
from walkers import make_walker

PIECE = 3


@pytest.fixture(scope="module")
def clips():
    return make_clip_set([make_walker(12), make_walker(15), make_walker(9), make_walker(20)])


def edge_list(clips, cells, cost=None):
    """Edges in the order of find_edges."""
    cells = np.unique(np.asarray(cells, int).reshape(-1, 2), axis=0)
    order = np.lexsort(
        (cells[:, 1], cells[:, 0], clips.clip_of[cells[:, 1]], clips.clip_of[cells[:, 0]])
    )
    source, target = cells[order].astype(np.int32).T.copy()
    return EdgeList(source, target, np.full(len(cells), 0.5 if cost is None else cost, np.float32))


def every_component(clips, edges):
    """The same partition from all edges."""
    ahead = np.flatnonzero(clips.clip_of[1:] == clips.clip_of[:-1])
    rows, cols = list(ahead), list(ahead + 1)
    for i, j in zip(edges.source.tolist(), edges.target.tolist(), strict=True):
        if j + PIECE < clips.n_frames and clips.clip_of[j + PIECE] == clips.clip_of[j]:
            rows.append(i)
            cols.append(j + PIECE)
    links = coo_array(
        (np.ones(len(rows)), (rows, cols)), shape=(clips.n_frames, clips.n_frames)
    ).tocsr()
    return connected_components(links, directed=True, connection="strong")[1]


def same_partition(a, b):
    return np.array_equal(a[:, None] == a, b[:, None] == b)


@given(seed=st.integers(0, 10**6), count=st.integers(1, 120))
@settings(max_examples=60)
def test_components_are_those_of_all_edges(clips, seed, count):
    edges = edge_list(clips, np.random.default_rng(seed).integers(0, clips.n_frames, (count, 2)))
    label = strong_components(clips, edges, PIECE)
    assert same_partition(label, every_component(clips, edges))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=30)
def test_components_may_be_found_in_two_steps(clips, seed):
    edges = edge_list(clips, np.random.default_rng(seed).integers(0, clips.n_frames, (60, 2)))
    first = np.random.default_rng(seed + 1).random(len(edges.source)) < 0.5
    label = strong_components(clips, edges.take(first), PIECE)
    assert same_partition(
        strong_components(clips, edges, PIECE, label), every_component(clips, edges)
    )


def test_bridges_are_no_looser_than_needed(clips):
    """Clips 0 and 1 are joined under the threshold, clip 2 by bridges at 1.4, clip 3 by bridges at
    2.
    """
    first = clips.starts[:-1]
    base = edge_list(clips, [(first[0] + 10, first[1]), (first[1] + 12, first[0])])
    near = edge_list(clips, [(first[0] + 6, first[2]), (first[2] + 8, first[0] + 1)], 1.4)
    far = edge_list(clips, [(first[0] + 7, first[3]), (first[3] + 19, first[0] + 2)], 2.0)
    loose = EdgeList.join([near, far])
    asked = []

    def find(limits, island):
        asked.append(island)
        if island is None:
            return base
        loosest = float(limits[0] ** 2)
        near = np.flatnonzero(loose.cost < loosest)
        s, t = loose.source[near], loose.target[near]
        near = near[np.lexsort((t, s, clips.clip_of[t], clips.clip_of[s]))]
        return EdgeList(
            loose.source[near], loose.target[near], (loose.cost[near] / loosest).astype(np.float32)
        )

    options = GraphOptions(min_piece=PIECE, bridges=(1.5, 2.5, 4.0), smallest_island=4)
    limits = np.ones(clips.n_frames)
    none = connect(clips, limits, find, replace(options, connected=0.2))
    some = connect(clips, limits, find, replace(options, connected=0.4))
    every = connect(clips, limits, find, replace(options, connected=0.7))
    assert [len(c.edges.source) for c in (none, some, every)] == [2, 4, 6]
    assert [c.loosest for c in (none, some, every)] == [1.0, 1.5, 2.5]
    assert len(asked) == 1 + 2 + 3
    assert np.allclose(np.sort(every.edges.cost), [0.5, 0.5, 1.4, 1.4, 2.0, 2.0])
    pair = clips.clip_of[every.edges.source] * 4 + clips.clip_of[every.edges.target]
    assert np.all(np.diff(pair) >= 0)
    assert every.sizes.sum() == clips.n_frames
    assert np.array_equal(np.bincount(every.component), every.sizes)


@given(seed=st.integers(0, 10**6), n=st.integers(0, 40), m=st.integers(0, 40))
@settings(max_examples=60)
def test_union_is_sorted_and_prefers_the_first(clips, seed, n, m):
    rng = np.random.default_rng(seed)
    a = edge_list(clips, rng.integers(0, 20, (n, 2)), 0.5)
    b = edge_list(clips, rng.integers(0, 20, (m, 2)), 1.5)
    source, target, cost = _union(a.arrays, b.arrays, clips.clip_of)
    both = edge_list(clips, np.concatenate([np.column_stack(e.arrays[:2]) for e in (a, b)]))
    assert np.array_equal(source, both.source)
    assert np.array_equal(target, both.target)
    first = {*zip(a.source.tolist(), a.target.tolist(), strict=True)}
    assert [pair in first for pair in zip(source.tolist(), target.tolist(), strict=True)] == (
        cost < 1
    ).tolist()
