"""Points over a motion."""

import numpy as np
import pytest

from marked_bodies import trial, walk
from motionloom.errors import InvalidInputError
from motionloom.view import Overlay, write_contact_sheet, write_page
from motionloom.view._overlay import RAMP
from motionloom.view.figure import build_figures


def over(values=None, **more):
    """The walk's markers over the walk."""
    markers = trial()
    shape = markers.valid.shape
    return Overlay(
        markers.positions, markers.valid, np.zeros(shape) if values is None else values, **more
    )


def test_colours_go_from_0_to_the_highest_value():
    values = np.zeros(trial().valid.shape)
    values[3, :5] = [0.0, 1.0, 2.0, 99.0, np.nan]
    colors = RAMP[over(values, highest=2.0).steps[3]]
    middle = len(RAMP) // 2
    assert [tuple(c) for c in colors[:5]] == [
        tuple(RAMP[i]) for i in (0, middle, len(RAMP) - 1, len(RAMP) - 1, 0)
    ]


def test_every_second_frame_of_a_figure_takes_the_points_along():
    figure = build_figures(walk(), overlays=[over()])[0].every(2)
    np.testing.assert_array_equal(figure.overlay.points, trial().positions[::2])


def test_points_must_have_as_many_frames_as_the_motion():
    with pytest.raises(InvalidInputError, match="has 100 frames, the points over it 250"):
        build_figures(walk()[:100], overlays=[over()])


def test_what_is_said_of_points_must_fit_them():
    markers = trial()
    with pytest.raises(InvalidInputError, match=r"need shape \(T, M, 3\)"):
        Overlay(markers.positions, markers.valid, np.zeros(3))


def test_a_sheet_with_points_differs_from_one_without(tmp_path):
    crossed = np.ones(trial().valid.shape, bool)
    write_contact_sheet(walk(), tmp_path / "with.png", overlays=[over(crossed=crossed)], dpi=30)
    write_contact_sheet(walk(), tmp_path / "without.png", dpi=30)
    assert (tmp_path / "with.png").read_bytes() != (tmp_path / "without.png").read_bytes()


def test_a_page_says_what_the_colours_mean(tmp_path):
    motion = walk()[:6]
    markers = trial()[:6]
    points = Overlay(
        markers.positions, markers.valid, np.ones(markers.valid.shape), 4.0, "off by <cm>"
    )
    write_page(motion, tmp_path / "page.html", overlays=[points])
    assert "off by \\u003ccm>" in (tmp_path / "page.html").read_text()
