import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.graph.transitions.edges import EdgeList
from motionloom.graph.transitions.hierarchy import build_hierarchy


def leaves_below(hierarchy, node):
    """Edges below a node, left to right."""
    n = len(hierarchy.medoid)
    if node < n:
        return [node]
    left, right = hierarchy.children[node - n]
    return leaves_below(hierarchy, int(left)) + leaves_below(hierarchy, int(right))


def nodes_below(hierarchy, node):
    n = len(hierarchy.medoid)
    if node < n:
        return [node]
    left, right = hierarchy.children[node - n]
    return [node, *nodes_below(hierarchy, int(left)), *nodes_below(hierarchy, int(right))]


def test_every_edge_is_a_leaf_of_exactly_one_tree_of_its_pair(graph):
    tree, n_clips = graph.hierarchy, graph.clips.n_clips
    for pair in range(n_clips * n_clips):
        roots = tree.roots[tree.root_ptr[pair] : tree.root_ptr[pair + 1]]
        leaves = [e for root in roots for e in leaves_below(tree, int(root))]
        assert leaves == list(range(tree.pair_ptr[pair], tree.pair_ptr[pair + 1]))


def test_where_clips_are_joined_the_coarsest_level_joins_them_too(graph):
    """The invariant of Arikan & Forsyth (2002), section 4.1."""
    clips, tree = graph.clips, graph.hierarchy
    joined = {
        *zip(
            clips.clip_of[graph.edges.source].tolist(),
            clips.clip_of[graph.edges.target].tolist(),
            strict=True,
        )
    }
    coarse = set()
    for node in tree.roots:
        e = tree.edge(int(node))
        coarse.add(
            (int(clips.clip_of[graph.edges.source[e]]), int(clips.clip_of[graph.edges.target[e]]))
        )
    assert coarse == joined
    assert len(tree.roots) < len(graph.edges.source) / 5


def test_a_node_stands_for_an_edge_of_its_own(graph):
    tree = graph.hierarchy
    for root in tree.roots[:: max(len(tree.roots) // 50, 1)]:
        for node in nodes_below(tree, int(root)):
            assert tree.edge(node) in leaves_below(tree, node)


def test_edges_are_only_reordered(walkers):
    rng = np.random.default_rng(1)
    cells = np.unique(rng.integers(0, 25, (300, 2)), axis=0).astype(np.int32)
    edges = EdgeList(*cells.T.copy(), rng.random(len(cells)).astype(np.float32))
    ordered, tree = build_hierarchy(edges, np.zeros(len(cells), int), 1)
    before = sorted(
        zip(edges.source.tolist(), edges.target.tolist(), edges.cost.tolist(), strict=True)
    )
    after = sorted(
        zip(ordered.source.tolist(), ordered.target.tolist(), ordered.cost.tolist(), strict=True)
    )
    assert before == after
    assert tree.pair_ptr.tolist() == [0, len(cells)]


def test_separate_blobs_never_share_a_tree():
    blob = np.array([(i, i + d) for i in range(12) for d in (0, 1)])
    cells = np.vstack([blob, blob + np.array([0, 40])])
    cells = cells[np.lexsort((cells[:, 1], cells[:, 0]))].astype(np.int32)
    edges = EdgeList(*cells.T.copy(), np.zeros(len(cells), np.float32))
    ordered, tree = build_hierarchy(edges, np.zeros(len(cells), int), 1)
    assert len(tree.roots) >= 2
    for root in tree.roots:
        offset = [int(ordered.target[e] - ordered.source[e]) for e in leaves_below(tree, int(root))]
        assert max(offset) < 20 or min(offset) > 20


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_edges(count):
    edges = EdgeList(
        np.arange(count, dtype=np.int32),
        np.arange(count, dtype=np.int32),
        np.zeros(count, np.float32),
    )
    _, tree = build_hierarchy(edges, np.zeros(count, int), 1)
    assert [e for root in tree.roots for e in leaves_below(tree, int(root))] == list(range(count))


def cells_of(draw_seed, n_pairs=4, size=30):
    """Random blobs between pairs of clips that are `size` frames long, as edges and their pairs."""
    rng = np.random.default_rng(draw_seed)
    rows = []
    for pair in range(n_pairs):
        for _ in range(rng.integers(0, 5)):
            s, t, length, width = (
                *rng.integers(0, size, 2),
                rng.integers(1, 20),
                rng.integers(1, 6),
            )
            along = np.arange(length)[:, None]
            blob = np.stack(
                [s + along + 0 * np.arange(width), t + along + np.arange(width)], axis=-1
            ).reshape(-1, 2)
            blob = blob[(blob < size).all(axis=1) & (rng.random(len(blob)) < 0.9)]
            rows.append(np.column_stack([np.full(len(blob), pair), blob]))
    cells = np.unique(np.concatenate([*rows, np.zeros((0, 3), int)]).astype(int), axis=0)
    cost = rng.random(len(cells)).astype(np.float32)
    return EdgeList(cells[:, 1].astype(np.int32), cells[:, 2].astype(np.int32), cost), cells[:, 0]


def as_keys(edges):
    return np.column_stack([edges.source, edges.target, edges.cost.view(np.int32)]).tolist()


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_forest_of_any_edges(seed):
    edges, pair = cells_of(seed)
    ordered, tree = build_hierarchy(edges, pair, 2)
    assert sorted(as_keys(ordered)) == sorted(as_keys(edges))
    for p in range(4):
        roots = tree.roots[tree.root_ptr[p] : tree.root_ptr[p + 1]]
        assert [e for r in roots for e in leaves_below(tree, int(r))] == list(
            range(*tree.pair_ptr[p : p + 2])
        )
        assert (len(roots) > 0) == bool((pair == p).any())
        for node in (v for r in roots for v in nodes_below(tree, int(r))):
            below = leaves_below(tree, node)
            assert tree.edge(node) in below


def test_the_trees_of_a_pair_depend_on_it_alone():
    edges, pair = cells_of(3)
    whole, tree = build_hierarchy(edges, pair, 2)
    for p in np.unique(pair):
        own, alone = build_hierarchy(edges.take(pair == p), pair[pair == p], 2)
        low, high = tree.pair_ptr[p : p + 2]
        assert as_keys(own) == as_keys(whole)[low:high]
        assert np.array_equal(
            alone.medoid, np.where(tree.medoid[low:high] < 0, -1, tree.medoid[low:high] - low)
        )
        assert len(alone.roots) == tree.root_ptr[p + 1] - tree.root_ptr[p]


def test_a_long_blob_is_cut_and_a_square_one_is_not():
    band = np.array([(i, i + d) for i in range(60) for d in (0, 1, 2)], np.int32)
    square = np.array([(i, j) for i in range(12) for j in range(12)], np.int32)
    counts = []
    for cells in (band, square):
        edges = EdgeList(*cells.T.copy(), np.zeros(len(cells), np.float32))
        counts.append(len(build_hierarchy(edges, np.zeros(len(cells), int), 1)[1].roots))
    assert 8 <= counts[0] <= 20
    assert counts[1] == 1
