"""GaitCycle and GaitBody: what they hold, poses between samples, other phases and sizes."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.gait.cycle import GaitCycle


@pytest.fixture
def turning():
    """One joint that turns to and fro once a cycle, and a root that bobs."""
    phase = np.arange(100) / 100
    angle = 0.5 * np.sin(2 * np.pi * phase)
    rotations = rot.from_rotvec(np.column_stack([angle, 0 * angle, 0 * angle]))[:, None]
    deviations = np.column_stack([0 * phase, 0.9 + 0.02 * np.cos(2 * np.pi * phase), 0 * phase])
    contacts = np.column_stack([phase < 0.6, (phase + 0.5) % 1 < 0.6])
    return GaitCycle(rotations, deviations, contacts, duration=1.1, speed=1.3)


def test_a_pose_lies_between_samples(turning):
    rotations, deviations, down = turning.at([0.123, 1.123, -0.877])
    assert rot.to_rotvec(rotations)[:, 0, 0] == pytest.approx(
        0.5 * np.sin(2 * np.pi * 0.123), abs=1e-3
    )
    assert np.allclose(deviations[0], deviations[1])
    assert np.allclose(deviations[0], deviations[2])
    assert down[0].tolist() == [True, False]


def test_rolled_twice_by_half_is_the_same(turning):
    again = turning.rolled(0.5).rolled(0.5)
    assert np.abs(again.rotations - turning.rotations).max() < 1e-9
    assert np.array_equal(again.contacts, turning.contacts)
    half = turning.rolled(0.5)
    assert half.contacts[0].tolist() == turning.contacts[50].tolist()


def test_frequency_and_length_follow(turning):
    assert turning.frequency * turning.duration == pytest.approx(1.0)
    assert turning.length == pytest.approx(1.43)


@pytest.mark.parametrize(
    "change",
    [
        {"deviations": np.zeros((99, 3))},
        {"duration": 0.0},
        {"speed": -1.0},
        {"behaviour": "hop"},
        {"rotations": np.zeros((100, 4))},
        {"contacts": np.zeros((3, 2), bool)},
    ],
)
def test_what_is_no_cycle_is_refused(turning, change):
    with pytest.raises(InvalidInputError):
        replace(turning, **change)


def test_a_body_is_scaled_as_a_whole(examples):
    body = next(iter(examples.bodies.values()))
    small = body.scaled(0.5 * body.hip_height)
    assert np.allclose(small.skeleton.offsets, 0.5 * body.skeleton.offsets)
    assert small.soles.leg == pytest.approx(0.5 * body.soles.leg)
    assert small.soles.points[0].rest == pytest.approx(0.5 * body.soles.points[0].rest)
    with pytest.raises(InvalidInputError, match="metres"):
        body.scaled(90.0)
