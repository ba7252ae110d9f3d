"""Speeds over time: key points and files."""

import numpy as np
import pytest

from motionloom.errors import FormatError
from motionloom_evaluation.inbetweening.phases.speed import (
    draw_speeds,
    frames_of_speeds,
    quadratic_speeds,
    read_speeds,
    total_speeds,
)


def test_speed_of_poses():
    poses = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 4.0]])
    np.testing.assert_allclose(total_speeds(poses), [5.0, 0.0])


def test_speeds_at_key_points_become_smooth_ones():
    speeds = quadratic_speeds(3.0, 61)
    np.testing.assert_allclose(draw_speeds(speeds[::5], 61), speeds, atol=0.02)
    assert speeds.max() == pytest.approx(3.0, rel=1e-2)
    assert speeds[0] == speeds[-1] == 0


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
