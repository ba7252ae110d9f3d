"""Random numbers drawn in Python are those that compiled code draws from the same stream."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.graph.searching.adjacency import below, draws, random, randoms


@pytest.fixture
def stream():
    return np.array([2**64 - 3], np.uint64)


def test_many_at_once_are_those_drawn_one_by_one(stream):
    other = stream.copy()
    assert randoms(stream, 50).tolist() == [random(other) for _ in range(50)]
    assert draws(stream, 7, 50).tolist() == [below(other, 7) for _ in range(50)]
    assert stream[0] == other[0]


def test_none_leaves_the_stream_where_it_is(stream):
    before = stream.copy()
    assert len(randoms(stream, 0)) == len(draws(stream, 3, 0)) == 0
    assert stream[0] == before[0]
