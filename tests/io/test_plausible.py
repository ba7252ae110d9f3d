"""Bodies of no plausible height, and people who lie because the up axis was told wrongly."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import FormatError, InvalidInputError
from motionloom.io._plausible import check_body
from motionloom.io.registry import load_motion, save
from motionloom.io.units import check_unit, is_insisted
from motionloom.motion import Motion
from motionloom.performer._body import make_performer

BODY = make_performer().skeleton
#: Somebody who stands still.
STANDING = Motion(
    BODY, rot.identity(20, BODY.n_joints), np.tile([0.0, 0.9, 0.0], (20, 1, 1)), 1 / 30
)


@pytest.fixture
def in_centimetres(tmp_path):
    path = tmp_path / "walk.bvh"
    save(STANDING, path, unit=0.01)
    return path


@pytest.mark.parametrize(
    ("text", "metres"), [("cm", 0.01), ("MM", 0.001), ("in", 0.0254), ("ft!", 0.3048), ("2", 2.0)]
)
def test_units_have_names(text, metres):
    assert check_unit(text) == pytest.approx(metres)
    assert is_insisted(text) == text.endswith("!")


@pytest.mark.parametrize("text", ["furlong", "", "!", "-1", "nan"])
def test_a_unit_that_is_none_is_refused(text):
    with pytest.raises(InvalidInputError, match="metres or one of mm, cm"):
        check_unit(text)


@pytest.mark.parametrize("unit", [1.0, "m", "1", 0.001, "mm"])
def test_a_told_unit_that_makes_a_giant_or_a_doll_is_refused(in_centimetres, unit):
    with pytest.raises(
        FormatError,
        match=r"this person is .* m tall; give the unit 0.01, or the unit .*! to insist",
    ):
        load_motion(in_centimetres, unit=unit)


@pytest.mark.parametrize("unit", ["1!", "m!", "mm!"])
def test_who_insists_gets_a_giant_or_a_doll(in_centimetres, unit):
    motion = load_motion(in_centimetres, unit=unit)
    assert motion.source.unit == check_unit(unit)
    assert motion.source.warnings == ()


@pytest.mark.parametrize("unit", [None, "cm", 0.01, 0.0105, 0.005])
def test_a_person_of_plausible_height_needs_no_word(in_centimetres, unit):
    assert load_motion(in_centimetres, unit=unit).source.warnings == ()


def test_a_format_with_a_unit_of_its_own_is_warned_about(tmp_path):
    big = replace(
        STANDING,
        skeleton=replace(STANDING.skeleton, offsets=STANDING.skeleton.offsets * 100),
        translations=STANDING.translations * 100,
    )
    save(big, tmp_path / "walk.glb")
    (warning,) = load_motion(tmp_path / "walk.glb").source.warnings
    assert "m tall; give the unit 0.01" in warning


def test_an_up_axis_that_lays_people_down_is_told(in_centimetres):
    (warning,) = load_motion(in_centimetres, up="z").source.warnings
    assert "with Z up this person lies on the ground nearly all the time" in warning
    assert load_motion(in_centimetres, up="y").source.warnings == ()


def test_an_up_axis_that_stands_people_on_their_heads_is_told():
    half_turn = rot.from_rotvec([np.pi, 0, 0])
    turned = STANDING.rotations.copy()
    turned[:, 0] = rot.multiply(half_turn, turned[:, 0])
    (warning,) = check_body(replace(STANDING, rotations=turned), up="y")
    assert "is upside down" in warning


def test_who_gets_up_now_and_then_is_not_told():
    lying = rot.multiply(rot.from_rotvec([np.pi / 2, 0, 0]), STANDING.rotations[:, 0])
    turned = STANDING.rotations.copy()
    turned[: int(0.8 * len(turned)), 0] = lying[: int(0.8 * len(turned))]
    assert check_body(replace(STANDING, rotations=turned), up="y") == ()
