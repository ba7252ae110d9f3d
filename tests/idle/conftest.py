"""A person who stands about, and what is learned from them."""

import pytest
from gestures import hold_arm
from standing import stand

from motionloom.idle import fit_idle, prepare_recording


@pytest.fixture(scope="session")
def standing():
    """Somebody who shifts three times within a minute."""
    return stand()


@pytest.fixture(scope="session")
def recording(standing):
    """The same, made ready."""
    return prepare_recording(standing.motion)


@pytest.fixture(scope="session")
def model(recording):
    """How they wait."""
    return fit_idle([recording], person="Ada")


@pytest.fixture(scope="session")
def wave(model):
    """An arm that is held up for three seconds."""
    return hold_arm(model)
