"""Work that is given up while it runs."""

import pytest

from motionloom.kinematics import run_compiled_from_now_on
from motionloom.performer import performer_clips
from motionloom.progress import breathe, interruptible


class GivenUpError(Exception):
    """Nobody waits any more."""


def give_up():
    raise GivenUpError


def test_nobody_gives_up_work_outside():
    breathe()
    with pytest.raises(GivenUpError), interruptible(give_up):
        breathe()
    breathe()


def test_kinematics_can_be_given_up():
    motion = performer_clips(0)[0].motion
    run_compiled_from_now_on(motion)
    with pytest.raises(GivenUpError), interruptible(give_up):
        run_compiled_from_now_on(motion)
