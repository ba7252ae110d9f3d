"""Damage is drawn as it is told, and what tracking makes of it is measured right."""

import numpy as np
import pytest

from marked_bodies import performer_model, trial
from motionloom.errors import InvalidInputError
from motionloom_evaluation.markers.damage import (
    drop_samples,
    evaluate_damage,
    lose_markers,
    lose_segment,
    make_jumps,
    swap_labels,
)

MODEL = performer_model()
MARKERS = trial()


def rng():
    return np.random.default_rng(1)


def test_lost_markers_are_lost_where_it_says_and_nowhere_else():
    damaged = lose_markers(MARKERS, rng(), 5, 1.5)
    expected = np.ones(MARKERS.valid.shape, bool)
    for harm in damaged.harms:
        expected[harm.first : harm.stop, harm.markers] = False
    assert len(damaged.harms) == 5
    assert (~expected).sum() == 5 * 150
    np.testing.assert_array_equal(damaged.markers.valid, expected)


def test_a_lost_segment_loses_all_its_markers():
    damaged = lose_segment(MODEL, MARKERS, rng(), 1.0)
    harm = damaged.harms[0]
    assert set(harm.markers) == set(np.flatnonzero(MODEL.joints == damaged.joint).tolist())
    assert not damaged.markers.valid[harm.first : harm.stop, harm.markers].any()


def test_dropped_samples_are_the_share_that_was_asked_for():
    damaged = drop_samples(MARKERS, rng(), 0.3)
    assert damaged.markers.valid.mean() == pytest.approx(0.7, abs=0.01)


def test_swaps_exchange_two_markers_that_are_apart_and_can_be_undone():
    damaged = swap_labels(MARKERS, rng(), 20)
    places = damaged.markers.positions.copy()
    for harm in damaged.harms:
        a, b = harm.markers
        span = slice(harm.first, harm.stop)
        apart = np.linalg.norm(places[span, a] - places[span, b], axis=-1)
        assert apart.min() >= 0.05
        places[span, [a, b]] = places[span, [b, a]]
    np.testing.assert_array_equal(places, MARKERS.positions)
    assert len(damaged.harms) == 20


def test_jumps_are_5_to_20_centimetres():
    damaged = make_jumps(MARKERS, rng(), 20)
    moved = np.linalg.norm(damaged.markers.positions - MARKERS.positions, axis=-1)
    sizes = [moved[h.first : h.stop, h.markers[0]] for h in damaged.harms]
    assert all(s.min() >= 0.05 - 1e-9 and s.max() <= 0.2 + 1e-9 for s in sizes)
    assert (moved > 0).sum() == sum(map(len, sizes))


def test_harms_do_not_meet():
    harms = make_jumps(MARKERS, rng(), 20).harms
    for i, one in enumerate(harms):
        for other in harms[:i]:
            if set(one.markers) & set(other.markers):
                assert one.first >= other.stop + 20 or other.first >= one.stop + 20


def test_a_trial_that_is_too_short_is_refused():
    with pytest.raises(InvalidInputError, match="too short for 500 stretches"):
        make_jumps(MARKERS, rng(), 500)


def test_the_same_seed_makes_the_same_damage():
    once = make_jumps(MARKERS, rng(), 5).markers.positions
    np.testing.assert_array_equal(once, make_jumps(MARKERS, rng(), 5).markers.positions)


def test_every_kind_is_solved_in_both_ways_and_told():
    results = evaluate_damage(MODEL, MARKERS, seed=3)
    assert {r.way for r in results} == {"causal", "smoothed"}
    assert len(results) == 10
    for row in results:
        assert row.mean < 1.0
        assert row.found >= 0.95 * row.harms
        assert row.false < 2.0
