"""Curves over gaps: exact for what they can tell, and alike for all lengths."""

import numpy as np
import pytest

from motionloom.inbetween._curves import (
    cell_table,
    contact_cells,
    contacts_of_cells,
    fit_table,
    wave_table,
)


@pytest.mark.parametrize("missing", [20, 45])
def test_half_waves_are_found_again(missing):
    coefficients = np.array([1.0, -0.5, 0.25, 0, 0, 0, 0, 0])
    shares = np.arange(1, missing + 1) / (missing + 1)
    found = fit_table(missing) @ (wave_table(shares) @ coefficients)
    np.testing.assert_allclose(found, coefficients, atol=2e-3)


def test_short_gaps_have_the_coefficients_of_long_ones():
    def arc(missing):
        shares = np.arange(1, missing + 1) / (missing + 1)
        return fit_table(missing) @ (shares * (1 - shares))

    np.testing.assert_allclose(arc(5), arc(60), atol=5e-3)


@pytest.mark.parametrize("missing", [1, 2, 5, 12, 40])
def test_cells_are_means(missing):
    table = cell_table(missing)
    np.testing.assert_allclose(table.sum(axis=1), 1.0)
    assert (table >= 0).all()


def test_contacts_survive_their_cells():
    down = np.zeros((1, 36, 2), bool)
    down[0, 9:21, 0] = True
    cells = contact_cells(down)
    shares = np.arange(1, 37) / 37
    found = contacts_of_cells(cells[0], shares)
    assert (found != down[0]).sum() <= 2
    assert not found[:, 1].any()
