"""Pictures of a fitted trial: points where the markers were found."""

from dataclasses import replace

import numpy as np

from marked_bodies import performer_model, trial
from motionloom.fitting.picture import marker_overlay, write_fit_sheet
from motionloom.fitting.tracking import follow


def test_markers_are_where_they_were_found_and_crossed_where_left_out(tmp_path):
    model = performer_model()
    markers = trial()[:40]
    a, b, c = (model.labels.index(label) for label in ("LKNE", "RANK", "C7"))
    places = markers.positions.copy()
    places[20:30, [a, b]] = places[20:30, [b, a]]
    places[10:20, c] += 0.1
    damaged = replace(markers, positions=places)
    tracked = follow(model, damaged)
    points = marker_overlay(tracked, damaged)
    np.testing.assert_array_equal(points.points[20:30, a], markers.positions[20:30, a])
    assert points.crosses[10:20, c].all()
    assert points.crosses.sum() == 10
    assert points.values[15, c] > 8.0  # centimetres
    write_fit_sheet(tracked, damaged, tmp_path / "sheet.png")
    assert (tmp_path / "sheet.png").stat().st_size > 10_000
