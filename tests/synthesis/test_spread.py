"""What the search leaves over is spread over the way to a constraint."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.constraints import BodyConstraint, ConstraintSet, StillConstraint
from motionloom.constraints.kinds.measures import Lookup, Shown
from motionloom.constraints.kinds.table import measure_adherence
from motionloom.posed_motion import pose_motion
from motionloom.synthesis.spread import spread_errors
from walkers import make_walker


@pytest.fixture
def walk_wait_walk():
    """A metre a second, but for a wait from 2 to 4 s."""
    motion = make_walker(181)
    place = motion.translations.copy()
    place[:, 0, 2] = np.clip(np.arange(181), 0, 60) / 30 + np.clip(np.arange(181) - 120, 0, 60) / 30
    return replace(motion, translations=place)


@pytest.mark.parametrize("facing", [None, 0.0])
def test_who_waits_is_not_moved_for_what_comes_later(walk_wait_walk, facing):
    wish = ConstraintSet(
        duration=6.0,
        body=[
            BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),
            BodyConstraint(time=2.0, end=4.0, position=(0.0, 2.0), facing=facing),
            BodyConstraint(time=6.0, position=(0.4, 4.0)),
        ],
    )
    x, z, _ = spread_errors(pose_motion(walk_wait_walk), wish).body.T
    assert np.allclose(np.column_stack([x, z])[60:121], [0.0, 2.0], atol=1e-9)
    assert np.allclose([x[180], z[180]], [0.4, 4.0], atol=1e-9)


def test_what_is_spread_after_a_wait_counts_from_its_end(walk_wait_walk):
    wish = ConstraintSet(
        duration=6.0,
        body=[
            BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),
            BodyConstraint(time=2.0, end=4.0, position=(0.0, 2.0), facing=0.0),
            BodyConstraint(time=6.0, position=(0.8, 4.0)),
        ],
    )
    end = spread_errors(pose_motion(walk_wait_walk), wish).body[180, :2]
    # Two seconds at 25 cm a second are 50 cm of the 80.
    assert np.allclose(end, [0.5, 4.0], atol=1e-9)


def test_a_body_that_walks_on_while_it_is_held_goes_on_from_where_it_is_held():
    """Not from where it would have been: that would be a jump once it is let go."""
    wish = ConstraintSet(
        duration=6.0,
        body=[
            BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),
            BodyConstraint(time=2.0, end=4.0, position=(0.0, 2.0), facing=0.0),
        ],
    )
    z = spread_errors(pose_motion(make_walker(181)), wish).body[:, 1]
    assert z[120] == pytest.approx(2.0, abs=1e-9)
    assert np.allclose(np.diff(z[120:]) * 30, 1.0, atol=1e-6)


@pytest.mark.parametrize(("speed", "moves"), [(0.0, 0.0), (0.9, 0.9)])
def test_who_walks_on_the_spot_does_not_stand_still(speed, moves):
    wish = ConstraintSet(duration=1.0, still=[StillConstraint(begin=0.0, end=1.0)])
    places = np.zeros((31, 3, 3))
    # Hips and a foot rest, the other foot goes there and back within a second.
    places[:, 2, 0] = speed / 2 * (1 - np.abs(np.linspace(-1, 1, 31)))
    shown = Shown(
        constraints=wish,
        lookup=Lookup(joint=lambda name: 0),
        body=np.zeros((31, 3)),
        place=lambda frame, joint: places[frame, joint],
        velocity=lambda frame, joint: np.zeros(3),
        standing=places,
    )
    (kept,) = measure_adherence(shown)
    assert kept.value == pytest.approx(moves)
    assert kept.more == pytest.approx(moves)
