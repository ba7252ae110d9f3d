"""Gait of the built-in performer, whose speeds and strikes are known."""

import pytest

from performed import performer_clips

#: Clips with straight walks and a run; the performer's speeds are in their names.
WALKS = ("walk_0.6", "walk_1.1", "walk_1.6", "walk_2.2")


@pytest.fixture(scope="session")
def performances():
    """The performer's clips by name."""
    return {clip.motion.name: clip for clip in performer_clips()}


@pytest.fixture(scope="session")
def gait_motions(performances):
    """Straight walks and a run."""
    return [performances[name].motion for name in (*WALKS, "run_3")]


@pytest.fixture(scope="session")
def examples(gait_motions):
    """Their cycles."""
    from motionloom.gait.space.gather import gather_examples

    return gather_examples(gait_motions)


@pytest.fixture(scope="session")
def gait_space(examples):
    """What is learned from them."""
    from motionloom.gait.space.fit import learn_gait

    return learn_gait(examples)


@pytest.fixture(scope="session")
def table(gait_space):
    """All of the performer's gait, from standing to running, ready to be laid on footprints."""
    from motionloom.gait.path.tables._mix import table_of
    from motionloom.gait.space.space import Walker

    return table_of(gait_space, Walker())
