"""Recordings of several builds: whose bones the motion has."""

from dataclasses import replace

from motionloom.idle.learning.fitting import learn_idle


def test_it_is_said_by_name_whose_bones_are_taken(standing):
    bigger = replace(
        standing.motion,
        name="big",
        translations=1.2 * standing.motion.translations,
        skeleton=replace(standing.motion.skeleton, offsets=1.2 * standing.motion.skeleton.offsets),
    )
    first = replace(standing.motion, name="small")
    learned = learn_idle([first, bigger])
    assert len(learned.notes) == 1
    assert "the motion made has the bones of small" in learned.notes[0]
