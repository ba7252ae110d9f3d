"""Folds by take."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom_evaluation.critic.folds import balanced, random_halves, split_folds

TAKES = st.lists(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=3, unique=True),
    min_size=4,
    max_size=60,
)


@given(takes=TAKES, seed=st.integers(0, 99), count=st.integers(2, 5))
def test_no_take_is_both_learned_from_and_judged(takes, seed, count):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, len(takes))
    tested = []
    for train, test in split_folds(takes, labels, count, rng):
        judged = {takes[i][0] for i in test}
        # A window over a seam shows two takes: neither may be judged.
        assert not any(judged & set(takes[i]) for i in train)
        tested.extend(test)
    assert sorted(tested) == list(range(len(takes)))


def test_both_kinds_of_windows_are_in_every_fold():
    takes = [(f"take {i % 12}",) for i in range(240)]
    labels = np.array([i % 12 < 4 for i in range(240)], int)
    for _, test in split_folds(takes, labels, 4, np.random.default_rng(3)):
        assert np.bincount(labels[test]).tolist() == [40, 20]


def test_halves_are_of_whole_takes_and_as_many_of_each():
    takes = [(f"take {i % 10}",) for i in range(50)]
    halves = random_halves(takes, np.random.default_rng(0))
    by_take = {t[0]: {int(h) for u, h in zip(takes, halves, strict=True) if u == t} for t in takes}
    assert all(len(half) == 1 for half in by_take.values())
    assert sum(next(iter(half)) for half in by_take.values()) == 5


@pytest.mark.parametrize("most", [3, 100])
def test_as_many_rows_of_the_one_label_as_of_the_other(most):
    labels = np.array([0] * 30 + [1] * 7)
    rows = balanced(np.arange(1, 37), labels, most, np.random.default_rng(0))
    assert np.bincount(labels[rows]).tolist() == [min(7, most)] * 2
    assert len(set(rows)) == len(rows)
    assert 0 not in rows
