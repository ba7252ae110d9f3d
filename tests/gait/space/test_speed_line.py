"""Rows over speed: what is linear is found again, offsets are kept, little is shrunk."""

import numpy as np
import pytest

from motionloom.gait.space._speed_line import SpeedOptions, Takes, fit_speed_line
from motionloom.gait.space.behaviour import fit_variation
from motionloom.gait.space.coordinates import fit_basis

SIZE = 12


def make_takes(pace, persons, rows):
    count = len(pace)
    names = tuple(map(str, range(count)))
    return Takes(rows, np.asarray(pace), np.zeros(count), np.full(count, 4.0), persons, names)


@pytest.fixture
def people():
    """Two people on parallel lines over pace."""
    rng = np.random.default_rng(0)
    slope = rng.standard_normal(SIZE)
    offsets = rng.standard_normal((2, SIZE))
    pace = np.array([0.8, 1.2, 1.6, 2.0] * 2)
    person = np.repeat([0, 1], 4)
    rows = offsets[person] + pace[:, None] * slope
    takes = make_takes(pace, tuple("ab"[p] for p in person), rows)
    return takes, slope, offsets


def line_of(takes, **options):
    basis = fit_basis(takes.rows, 10)
    return fit_speed_line(takes, basis, SpeedOptions(**options), np.zeros((2, SIZE)))


def test_lines_are_found_again(people):
    takes, slope, offsets = people
    line = line_of(takes, ridge=1e-9, offset=1e6)
    for person, offset in zip("ab", offsets, strict=True):
        for pace in (0.5, 1.4, 2.4):
            assert np.allclose(line.at(pace, 0.0, person), offset + pace * slope, atol=0.02)
    assert np.allclose(line.at(1.4), offsets.mean(axis=0) + 1.4 * slope, atol=1e-6)


def test_nobodys_row_is_the_populations(people):
    line = line_of(people[0])
    assert np.array_equal(line.at(1.0, 0.0, "stranger"), line.at(1.0))


def test_somebody_seen_once_is_moved_in_part(people):
    takes, slope, _ = people
    rng = np.random.default_rng(1)
    rows = np.concatenate([takes.rows, 3.0 + 1.2 * slope[None] + rng.standard_normal((1, SIZE))])
    more = make_takes([*takes.pace, 1.2], (*takes.persons, "c"), rows)
    line = line_of(more, ridge=1e-9)
    share = (line.at(2.0, 0.0, "c") - line.at(2.0)) / (rows[-1] - line.at(1.2))
    # Far away in speed less than the whole, near by nearly all of it.
    assert np.allclose(share, share[0])
    assert 0.5 < share[0] < 0.95
    near = (line.at(1.2, 0.0, "c") - line.at(1.2)) / (rows[-1] - line.at(1.2))
    assert share[0] < near[0] < 1.0


def test_what_lies_outside_the_basis_is_kept(people):
    takes, _, _ = people
    rows = takes.rows.copy()
    rows[:4, -1] += 5.0
    line = fit_speed_line(
        make_takes(takes.pace, takes.persons, rows),
        fit_basis(rows, 1),
        SpeedOptions(),
        np.zeros((2, SIZE)),
    )
    assert line.at(1.4, 0.0, "a")[-1] - line.at(1.4, 0.0, "b")[-1] > 3.0


def test_without_speeds_the_expected_slope_counts(people):
    takes = make_takes([1.0, 1.0], ("a", "b"), people[0].rows[:2])
    expected = np.stack([np.arange(SIZE, dtype=float), np.zeros(SIZE)])
    line = fit_speed_line(takes, fit_basis(takes.rows, 10), SpeedOptions(), expected)
    assert np.allclose(line.at(2.0) - line.at(1.0), expected[0])


def test_components_are_those_of_numpy():
    rows = np.random.default_rng(2).standard_normal((20, 50)) * np.linspace(3, 0.1, 50)
    basis = fit_basis(rows, 5)
    _, values, axes = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    assert np.allclose(basis.variances[:19], values[:19] ** 2 / 20)
    assert np.allclose(np.abs(np.sum(basis.axes * axes[:5], axis=1)), 1.0)
    assert basis.energy[basis.count_for(0.9) - 1] >= 0.9 > basis.energy[basis.count_for(0.9) - 2]


def test_strides_vary_as_much_as_captured():
    rng = np.random.default_rng(3)
    takes = np.repeat(np.arange(10), 6)
    rows = rng.standard_normal((10, SIZE))[takes] * 5
    rows[:, 0] += 0.3 * rng.standard_normal(60)
    frequency = np.exp(0.02 * rng.standard_normal(60))
    variation = fit_variation(rows, takes, np.full(60, "a"), frequency)
    drawn = np.array([variation.draw(np.random.default_rng(i))[0] for i in range(400)])
    assert drawn[:, 0].std() == pytest.approx(0.3, rel=0.2)
    assert np.abs(drawn[:, 1:]).max() < 1e-9
    assert variation.frequency == pytest.approx(0.02, rel=0.3)


def test_single_strides_tell_nothing_about_variation():
    variation = fit_variation(np.eye(4), np.arange(4), np.full(4, "a"), np.ones(4))
    change, later = variation.draw(np.random.default_rng(0))
    assert not change.any()
    assert later == 0.0
