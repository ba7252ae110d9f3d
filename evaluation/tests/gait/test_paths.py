"""Gait along ways and in gaps, measured."""

import json

import numpy as np
import pytest

from motionloom.clips.prepare import prepare_clip
from motionloom.gait.space.fit import fit_gait
from motionloom_evaluation.gait.gaps import LEFT, cut_gaps, evaluate_gaps
from motionloom_evaluation.gait.paths import CASES, evaluate_ways
from performed import performer_clips

NAMES = ("walk_0.6", "walk_1.1", "walk_1.6", "walk_2.2")


@pytest.fixture(scope="module")
def walks():
    return [clip.motion for clip in performer_clips() if clip.motion.name in NAMES]


@pytest.fixture(scope="module")
def ways(walks):
    return evaluate_ways(fit_gait(walks), minutes=0.5)


def test_ways_are_followed_within_their_limits_or_refused(ways):
    assert len(ways.rows) == len(CASES)
    for row in ways.rows:
        assert row.refused or row.limit is None or row.worst <= row.limit
    assert "no gait follows this way" in ways.rows[-1].refused


def test_a_wander_is_made_of_steps_that_stand(ways):
    assert ways.minutes == 0.5
    assert ways.steps > 20
    assert not ways.bad
    assert "minutes of wandering" in ways.to_text()
    assert json.loads(ways.to_json())["steps"] == ways.steps


def test_gaps_lie_within_takes(walks):
    takes = [prepare_clip(motion, 30.0, None)[0] for motion in walks]
    for gap, take in cut_gaps(takes, 9, 1):
        assert gap.first >= LEFT * take.fps - 1
        assert take.n_frames - gap.last >= LEFT * take.fps - 1
        assert 29 <= gap.last - gap.first <= 121


def test_gait_fills_gaps_nearer_to_the_truth_than_blending(walks):
    found = evaluate_gaps(walks, 2, seed=3, graph=False)
    by_method = {
        method: np.mean([row.distance for row in found.rows if row.method == method])
        for method in ("truth", "gait", "blend")
    }
    assert by_method["truth"] == 0.0
    assert by_method["gait"] < by_method["blend"]
    assert "over 2 gaps" in found.to_text()
