"""Speeds over time: key points, prototypes, and the test of their difference."""

import numpy as np
import pytest

from motionloom.errors import FormatError, InvalidInputError
from motionloom.inbetween.phases.speed import (
    KEY_POINTS,
    SpeedPrototype,
    draw_speeds,
    frames_of_speeds,
    quadratic_speeds,
    read_keys,
    read_speeds,
    total_speeds,
)


def test_speed_of_poses():
    poses = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 4.0]])
    np.testing.assert_allclose(total_speeds(poses), [5.0, 0.0])


def test_keys_bring_smooth_speeds_back():
    speeds = quadratic_speeds(3.0, 60)
    np.testing.assert_allclose(draw_speeds(read_keys(speeds), 60), speeds, atol=0.02)
    assert speeds.max() == pytest.approx(3.0, rel=1e-2)
    assert speeds[0] == speeds[-1] == 0


def test_a_prototype_forgets_length_and_pace():
    fast = [quadratic_speeds(k, n) for k, n in ((1.0, 30), (4.0, 75))]
    prototype = SpeedPrototype.of(fast)
    assert prototype.keys.shape == (KEY_POINTS,)
    assert prototype.keys.mean() == pytest.approx(1.0)
    assert np.ptp(prototype.samples, axis=0).max() < 0.02
    assert prototype.draw(2.0, 50).mean() == pytest.approx(2.0, rel=0.1)


def test_a_body_that_rests_has_no_prototype():
    with pytest.raises(InvalidInputError, match="move"):
        SpeedPrototype.of([np.zeros(20)])


def test_files_of_speeds(tmp_path):
    path = tmp_path / "speed.yaml"
    path.write_text("right_arm: 180\nhead: [0, 90, 0]\n")
    found = frames_of_speeds(read_speeds(path, ("right_arm", "head")), 31, 30.0)
    assert np.degrees(found["right_arm"].max() * 30) == pytest.approx(180, rel=1e-2)
    assert np.degrees(found["head"][15] * 30) == pytest.approx(90, rel=1e-6)


@pytest.mark.parametrize("text", ["[1, 2]", "tail: 3", "head: fast", "head: [-1]", "head: ["])
def test_other_files_are_refused(tmp_path, text):
    path = tmp_path / "speed.yaml"
    path.write_text(text)
    with pytest.raises(FormatError, match="expected a mapping"):
        read_speeds(path, ("head",))
