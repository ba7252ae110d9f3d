"""A model learned from the performer's clips, small and quick."""

import pytest

from motionloom.clips import make_clip_set
from motionloom.inbetween import InbetweenOptions, fit_inbetween
from performed import performer_clips

QUICK = InbetweenOptions(lengths=(5, 15, 30), samples=300, landmarks=300, compact=True)


@pytest.fixture(scope="session")
def walks():
    """A few clips of the performer."""
    clips = [clip.motion for clip in performer_clips()]
    wanted = ("walk_0.6", "walk_1.1", "walk_1.6", "curve_left")
    return make_clip_set([motion for motion in clips if motion.name in wanted])


@pytest.fixture(scope="session")
def model(walks):
    """What is learned from them."""
    return fit_inbetween(walks, QUICK)
