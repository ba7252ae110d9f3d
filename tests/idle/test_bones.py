"""Recordings of several builds: whose bones the motion has."""

from dataclasses import replace

import pytest

from motionloom.idle.verbs import fit


def test_it_is_said_by_name_whose_bones_are_taken(standing):
    bigger = replace(
        standing.motion,
        name="big",
        translations=1.2 * standing.motion.translations,
        skeleton=replace(standing.motion.skeleton, offsets=1.2 * standing.motion.skeleton.offsets),
    )
    first = replace(standing.motion, name="small")
    with pytest.warns(UserWarning, match="has the bones of small"):
        learned = fit([first, bigger])
    assert len(learned.notes) == 1
    assert "the motion made has the bones of small" in learned.notes[0]
