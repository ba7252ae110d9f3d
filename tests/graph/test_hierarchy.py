import numpy as np
import pytest

from motionloom.graph.edges import EdgeList
from motionloom.graph.hierarchy import build_hierarchy


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
    joined = {*zip(clips.clip_of[graph.edges.source].tolist(), clips.clip_of[graph.edges.target].tolist(), strict=True)}
    coarse = set()
    for node in tree.roots:
        e = tree.edge(int(node))
        coarse.add((int(clips.clip_of[graph.edges.source[e]]), int(clips.clip_of[graph.edges.target[e]])))
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
    edges = EdgeList(cells[:, 0], cells[:, 1], rng.random(len(cells)).astype(np.float32))
    ordered, tree = build_hierarchy(edges, np.zeros(len(cells), int), 1)
    before = sorted(zip(edges.source.tolist(), edges.target.tolist(), edges.cost.tolist(), strict=True))
    after = sorted(zip(ordered.source.tolist(), ordered.target.tolist(), ordered.cost.tolist(), strict=True))
    assert before == after
    assert tree.pair_ptr.tolist() == [0, len(cells)]


def test_separate_blobs_never_share_a_tree():
    blob = np.array([(i, i + d) for i in range(12) for d in (0, 1)])
    cells = np.vstack([blob, blob + np.array([0, 40])])
    cells = cells[np.lexsort((cells[:, 1], cells[:, 0]))].astype(np.int32)
    edges = EdgeList(cells[:, 0], cells[:, 1], np.zeros(len(cells), np.float32))
    ordered, tree = build_hierarchy(edges, np.zeros(len(cells), int), 1)
    assert len(tree.roots) >= 2
    for root in tree.roots:
        offset = [int(ordered.target[e] - ordered.source[e]) for e in leaves_below(tree, int(root))]
        assert max(offset) < 20 or min(offset) > 20


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_edges(count):
    edges = EdgeList(np.arange(count, dtype=np.int32), np.arange(count, dtype=np.int32), np.zeros(count, np.float32))
    _, tree = build_hierarchy(edges, np.zeros(count, int), 1)
    assert [e for root in tree.roots for e in leaves_below(tree, int(root))] == list(range(count))
