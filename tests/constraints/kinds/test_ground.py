"""Ground that is walked on, in files and in numbers."""

import numpy as np
import pytest

from motionloom.constraints import (
    ConstraintSet,
    HeightMap,
    Slope,
    Stairs,
    read_constraints,
    read_ground,
    write_constraints,
)
from motionloom.constraints.kinds.ground import ground_heights
from motionloom.errors import FormatError, InvalidInputError


def heights(surface, *places):
    return ground_heights((surface,), np.array(places, float)).tolist()


def test_stairs_rise_at_every_edge():
    stairs = Stairs(start=(0.0, 1.0), rise=0.2, tread=0.3, steps=2)
    places = [[0, 0.9], [0, 1.1], [0, 1.35], [0, 9.0]]
    assert heights(stairs, *places) == pytest.approx([0.0, 0.2, 0.4, 0.4])


def test_stairs_go_where_they_head_and_end_aside():
    stairs = Stairs(start=(1.0, 0.0), heading=90.0, width=2.0, rise=-0.2, tread=0.3, steps=2)
    places = [[0.9, 0], [1.1, 0.5], [1.4, 0], [1.4, 1.5]]
    assert heights(stairs, *places) == pytest.approx([0.0, -0.2, -0.4, 0.0])


def test_slopes_end():
    slope = Slope(steepness=45.0, length=2.0)
    assert heights(slope, [0, -1], [0, 1], [0, 5]) == pytest.approx([0.0, 1.0, 2.0])


def test_what_is_level_behind_ends_with_its_landing():
    stairs = Stairs(rise=0.2, tread=0.3, steps=2, landing=1.0)
    assert heights(stairs, [0, 0.4], [0, 1.2], [0, 1.4]) == pytest.approx([0.4, 0.4, 0.0])
    assert stairs.grid[-1, 0].tolist() == pytest.approx([-1.5, 0.4, 1.3])
    slope = Slope(steepness=45.0, length=2.0, landing=1.0)
    assert heights(slope, [0, 1], [0, 2.9], [0, 3.1]) == pytest.approx([1.0, 2.0, 0.0])
    assert slope.grid.shape == (3, 2, 3)
    with pytest.raises(InvalidInputError, match="expected a length too"):
        Slope(steepness=4.0, landing=1.0)


def test_maps_are_bilinear_and_level_outside():
    ground = HeightMap(heights=((0.0, 1.0), (0.0, 1.0)), cell=1.0)
    assert heights(ground, [0.5, 0.5], [1.0, 0.2], [3.0, 0.0]) == pytest.approx([0.5, 1.0, 0.0])


def test_surfaces_add_up():
    stairs = Stairs(rise=0.2, tread=0.3, steps=1)
    found = ground_heights((stairs, stairs), np.array([[0.0, 1.0]]))
    assert found.tolist() == pytest.approx([0.4])


def test_pictures_show_treads_and_risers():
    grid = Stairs(start=(0.0, 1.0), rise=0.2, tread=0.3, steps=2).grid
    assert grid.shape == (6, 2, 3)
    assert sorted(set(np.round(grid[..., 1].ravel(), 6))) == [0.0, 0.2, 0.4]
    assert Slope(steepness=-5.0, length=2.0).grid.shape == (2, 2, 3)


def test_files_go_round(tmp_path):
    asked = ConstraintSet(
        duration=4.0, ground=[Stairs(rise=0.17, tread=0.3, steps=5), Slope(steepness=4.0)]
    )
    write_constraints(asked, tmp_path / "c.yaml")
    assert read_constraints(tmp_path / "c.yaml") == asked
    assert read_ground(tmp_path / "c.yaml") == asked.ground


def test_a_file_of_ground_alone_needs_no_duration(tmp_path):
    path = tmp_path / "stairs.yaml"
    path.write_text("ground:\n  - {shape: stairs, rise: 0.17, tread: 0.3, steps: 5}\n")
    assert read_ground(path) == (Stairs(rise=0.17, tread=0.3, steps=5),)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ground: []\n", "expected what is walked on"),
        ("duration: 4.0\n", "expected what is walked on"),
        ("ground:\n  - {shape: stairs, rise: 0.17, tread: 0.3}\n", "steps: missing"),
        ("ground:\n  - {shape: stairs, rise: 0.0, tread: 0.3, steps: 2}\n", "other than 0"),
        ("ground:\n  - {shape: slope, steepness: 80}\n", "from -45 to 45"),
        ("ground:\n  - {shape: hill}\n", "expected 'shape' to be one of"),
        ("- stairs\n", "expected"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_what_to_do(tmp_path, text, says):
    path = tmp_path / "ground.yaml"
    path.write_text(text)
    with pytest.raises(FormatError, match=says) as error:
        read_ground(path)
    assert "ground.yaml" in str(error.value)


def test_stairs_without_a_rise_are_refused():
    with pytest.raises(InvalidInputError, match="rise"):
        Stairs(rise=0.0, tread=0.3, steps=2)
