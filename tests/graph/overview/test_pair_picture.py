import numpy as np
import pytest

from motionloom.errors import InvalidInputError
from motionloom.graph.overview.pair_picture import pair_costs, write_pair_picture


def test_costs_are_those_of_the_transitions(graph):
    s, t = graph.clips.names.index("walk_1.1"), graph.clips.names.index("turn_left_90")
    costs, starts = pair_costs(graph, s, t), graph.clips.starts
    pair = s * graph.clips.n_clips + t
    own = slice(*graph.hierarchy.pair_ptr[pair : pair + 2])
    at = graph.edges.source[own] - starts[s], graph.edges.target[own] - starts[t]
    assert own.stop - own.start > 100
    under = graph.edges.cost[own] < 1
    assert np.allclose(costs[at][under], graph.edges.cost[own][under], rtol=1e-5, atol=1e-6)


def test_picture(graph, tmp_path):
    write_pair_picture(graph, "walk_1.1", "turn_left_90", tmp_path / "pair.png", dpi=40)
    assert (tmp_path / "pair.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InvalidInputError, match="no clip 'hop'"):
        write_pair_picture(graph, "hop", "turn_left_90", tmp_path / "none.png")
