"""Fixtures of the graph tests."""

import pytest

from motionloom.clips.clip_set import ClipSet, make_clip_set
from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.graph.splices.build import MotionGraph, build_graph
from motionloom.performer import performer_clips
from walkers import make_walkers


@pytest.fixture(scope="session")
def walkers() -> ClipSet:
    return make_walkers()


@pytest.fixture(scope="session")
def performed() -> ClipSet:
    """The performer's walks, turns, runs and reaches."""
    return make_clip_set([clip.motion for clip in performer_clips()])


@pytest.fixture(scope="session")
def graph(performed) -> MotionGraph:
    return build_graph(performed)


@pytest.fixture(scope="session")
def errand() -> ConstraintSet:
    """Two checkpoints after the start."""
    return ConstraintSet(
        duration=8.0,
        body=(
            BodyConstraint(time=0.0, position=(2.0, -1.0), facing=30.0),
            BodyConstraint(time=4.0, position=(3.5, 2.0), facing=0.0),
            BodyConstraint(time=8.0, position=(3.0, 5.0), facing=-40.0),
        ),
    )
