"""Obstacles, height maps and ways as shapes and in pictures."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from motionloom.constraints import (
    Box,
    ConstraintSet,
    Cylinder,
    HeightMap,
    JointConstraint,
    PathConstraint,
    PoseConstraint,
    StyleConstraint,
)
from motionloom.constraints.kinds.marks import Point
from motionloom.constraints.kinds.table import marks_of
from motionloom.view import write_page
from motionloom.view._curves import draw_speeds
from motionloom.view._surroundings import (
    ground_marks,
    heights_of,
    lid_middles,
    prism,
)
from motionloom.view.figure import build_figure
from motionloom.view.ink import EARTH_COLOR, OBSTACLE_COLOR, TARGET_COLOR, WAY_COLOR
from motionloom.view.poses import draw_scene
from motionloom.view.sheet import draw_path

BOX = Box(center=(1.0, 2.0), size=(1.0, 0.4), angle=30, top=0.7)
CYLINDER = Cylinder(center=(-1.0, 0.5), radius=0.5, bottom=0.2)
HILL = HeightMap(heights=((0.0, 0.1, 0.3), (0.0, 0.2, 0.5)), origin=(-1.0, 3.0), cell=0.5)


def mark_of(obstacle):
    (mark,) = marks_of(ConstraintSet(duration=1.0, avoid=[obstacle]))
    return mark


def outline(solid):
    return mark_of(solid).outline


def volume(vertices, faces):
    """Positive where faces look outwards all round a closed surface."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def test_prisms_are_closed_and_look_outwards():
    assert volume(*prism(outline(BOX), 0.0, 0.7)) == pytest.approx(1.0 * 0.4 * 0.7)
    assert volume(*prism(outline(CYLINDER), 0.2, 1.2)) == pytest.approx(np.pi * 0.25, rel=0.01)


def test_a_box_is_turned_as_bodies_are():
    quarter = Box(center=(0, 0), size=(1.0, 0.2), angle=90)
    np.testing.assert_allclose(np.ptp(outline(quarter), axis=0), [0.2, 1.0], atol=1e-12)
    corner = outline(Box(center=(0, 0), size=(0.001, 2.0), angle=30))[0]  # on local +Z
    assert np.degrees(np.arctan2(*corner)) == pytest.approx(30, abs=0.1)


def test_solids_without_ends_stand_on_the_ground_up_to_the_tallest():
    assert heights_of(mark_of(BOX), 2.0) == (0.0, 0.7)
    assert heights_of(mark_of(CYLINDER), 2.0) == (0.2, 2.0)
    assert heights_of(mark_of(Cylinder(center=(0, 0), radius=1, bottom=3.0)), 2.0)[1] > 3.0


def test_large_height_maps_are_thinned():
    corners = mark_of(HILL).grid.reshape(-1, 3)
    assert {tuple(v) for v in corners} >= {(-1.0, 0.0, 3.0), (0.0, 0.5, 3.5)}
    large = HeightMap(heights=tuple(tuple(range(200)) for _ in range(3)), cell=0.1)
    grid = mark_of(large).grid
    assert grid.shape == (3, 60, 3)
    np.testing.assert_allclose(grid[..., 1], 10 * grid[..., 0])
    assert grid[..., 0].max() == pytest.approx(19.9)


@pytest.fixture
def wish():
    return ConstraintSet(
        duration=2.0,
        avoid=[BOX, CYLINDER, HILL],
        paths=[PathConstraint(points=[(0, 0), (1, 1), (0, 2)], curve="spline")],
        style=[StyleConstraint(begin=0.5, end=1.5, label="tired")],
        joints=[JointConstraint(time=1.0, joint="left_hand", velocity=(0, 0, 2))],
        poses=[PoseConstraint(time=1.5, clip="a_clip", frame=3)],
    )


def test_what_a_picture_must_show(wish):
    assert len(ground_marks(marks_of(wish))) == 2 + 3  # a velocity has no place of its own
    np.testing.assert_allclose(lid_middles(marks_of(wish), 2.0), [[1, 0.7, 2], [-1, 2, 0.5]])
    assert ground_marks(marks_of(None)).shape == (0, 2)


def test_the_place_of_a_velocity_is_where_the_joint_is(walker):
    figure = build_figure(walker)
    hand = figure.points[30, figure.roles["left_hand"]]
    np.testing.assert_array_equal(
        figure.place_of(Point(1.0, joint="left_hand", velocity=(0, 0, 1))), hand
    )
    assert figure.place_of(Point(1.0, joint="tail", velocity=(0, 0, 1))) is None


def dots(draw, walker, color, **part):
    """How many dots of a colour a part of the sheet has with some targets."""
    canvas = Figure(figsize=(6, 5), dpi=110)
    draw(canvas.add_subplot(), build_figure(walker), marks_of(ConstraintSet(duration=2.0, **part)))
    FigureCanvasAgg(canvas).draw()
    picture = np.asarray(canvas.canvas.buffer_rgba())[..., :3].astype(int)
    return int((np.abs(picture - color).max(axis=-1) < 12).sum())


@pytest.mark.parametrize("draw", [draw_path, draw_scene], ids=["from above", "obliquely"])
def test_sheets_show_them(walker, wish, draw):
    hill = HILL.model_copy(update={"origin": (-1.0, 0.5)})
    ground = OBSTACLE_COLOR if draw is draw_path else EARTH_COLOR
    for color in (OBSTACLE_COLOR, EARTH_COLOR, WAY_COLOR, TARGET_COLOR):
        assert dots(draw, walker, color) == 0
    assert dots(draw, walker, OBSTACLE_COLOR, avoid=[BOX]) > 50
    assert dots(draw, walker, OBSTACLE_COLOR, avoid=[CYLINDER]) > 50
    assert dots(draw, walker, ground, avoid=[hill]) > 10
    assert dots(draw, walker, WAY_COLOR, paths=wish.paths) > 50
    assert dots(draw, walker, TARGET_COLOR, joints=wish.joints) > 20


def test_poses_are_marked_and_styles_named(walker, wish):
    assert dots(draw_path, walker, TARGET_COLOR, poses=wish.poses) > 20
    assert dots(draw_speeds, walker, WAY_COLOR) == 0
    assert dots(draw_speeds, walker, WAY_COLOR, style=wish.style) > 5


def test_pages_hold_them(tmp_path, walker, wish):
    bare = write_page(walker, tmp_path / "bare.html", targets=ConstraintSet(duration=2.0))
    full = write_page(walker, tmp_path / "full.html", targets=wish)
    assert full > bare + 300
