"""What a gait space says of how often somebody steps."""

import pytest

from motionloom.gait.survey import pace_model_of


def test_it_says_what_the_space_says(gait_space):
    (person,) = gait_space.persons
    model = pace_model_of(gait_space, person)
    assert model.walk.cadence(1.3) == pytest.approx(gait_space.frequency(1.3, "walk", person))
    assert model.run.cadence(3.0) == pytest.approx(gait_space.frequency(3.0, "run", person))


def test_short_legs_step_more_often(gait_space):
    small = pace_model_of(gait_space, hip_height=0.6)
    assert small.walk.cadence(1.2) > pace_model_of(gait_space).walk.cadence(1.2)
