"""Waiting of people whose clips show nobody who waits."""

import numpy as np
import pytest

from motionloom.clips.analysis import analyse_clips
from motionloom.errors import MotionloomError, SynthesisError
from motionloom.shot import Stage, make_shot, plan_shot
from motionloom.shot.spans import idle

TEXT = """\
shot: 1
fps: 30
library: clips
cast: {anna: {start: {position: [1, 2], facing: 90}}}
tracks: {anna: [{id: wait, do: idle, for: 1.0}]}
"""


@pytest.fixture
def walking(shot_file, performed):
    """A stage on one walk."""
    return Stage(
        shot_file(TEXT), analyse_clips(performed.subset([performed.names.index("walk_1.1")]))
    )


def test_who_has_no_clip_of_waiting_waits_as_the_performer_does(walking):
    plan = plan_shot(walking.file, lambda who, span: 0.0)
    made = make_shot(plan, {"anna": walking})
    motion = made.motions["anna"]
    assert motion.skeleton.matches(walking.clips.clip_set.skeleton)
    np.testing.assert_allclose(walking.posed(motion).body[:, :2], [[1, 2]] * 31, atol=0.1)
    (row,) = made.report.characters["anna"].spans
    assert any("as the built-in performer does: waiting cannot be" in text for text in row.notes)
    assert not made.report.problems


def test_who_cannot_borrow_is_told_why_the_clips_do_not_do(walking, monkeypatch):
    def refuse(stage):
        raise SynthesisError("no")

    monkeypatch.setattr(idle, "idle_of_performer", refuse)
    with pytest.raises(MotionloomError, match="wait: waiting cannot be learned"):
        make_shot(plan_shot(walking.file, lambda who, span: 0.0), {"anna": walking})
