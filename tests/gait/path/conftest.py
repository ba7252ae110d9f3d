"""A table of the built-in performer's gait."""

import pytest


@pytest.fixture(scope="session")
def table(gait_space):
    """All of the performer's gait, from standing to running."""
    from motionloom.gait.path.nodes import table_of

    return table_of(gait_space)
