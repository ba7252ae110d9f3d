"""Clips chosen by patterns."""

import pytest

from motionloom.clips.choose import choose_clips
from motionloom.errors import InvalidInputError

NAMES = ("run", "walk_a", "walk_b")


def test_patterns_choose_in_the_order_of_the_clips():
    assert choose_clips(NAMES) == NAMES
    assert choose_clips(NAMES, only=["walk*", "run"]) == NAMES
    assert choose_clips(NAMES, only=["walk*"], without=["*_a"]) == ("walk_b",)


def test_patterns_that_are_of_no_use_are_refused():
    with pytest.raises(InvalidInputError, match="no clip matches 'nothing"):
        choose_clips(NAMES, only=["nothing*"])
    with pytest.raises(InvalidInputError, match=r"whole name: '\*alk\*' is for walk_a"):
        choose_clips(NAMES, only=["ALK"])
    with pytest.raises(InvalidInputError, match="no clip is left"):
        choose_clips(NAMES, without=["*"])
