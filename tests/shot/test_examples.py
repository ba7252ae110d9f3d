"""Shots in ``examples/shots``, made of the built-in clips."""

from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.clips.analysis import analyse_clips
from motionloom.edit.retarget import fit_role_frames
from motionloom.motion import Source
from motionloom.performer import make_performer
from motionloom.posed_motion import PosedMotion
from motionloom.shot import Stage, make_shot, plan_shot, read_shot
from motionloom.shot.another import AnotherBody
from motionloom.shot.spans.clip import frames_of_clip

EXAMPLES = Path(__file__).parents[2] / "examples" / "shots"
#: What learns the motion graph of all clips takes longer than all others.
LONG = ("door",)
SHOTS = [
    pytest.param(path, id=path.stem, marks=(pytest.mark.slow,) if path.stem in LONG else ())
    for path in sorted(EXAMPLES.glob("*.yaml"))
]


@pytest.fixture(scope="module")
def fitted():
    """What methods have learned from the clips, for all shots."""
    return {}


@pytest.fixture(scope="module")
def clips(performed):
    """The performer's clips."""
    return analyse_clips(performed)


@pytest.mark.parametrize("path", SHOTS)
def test_an_example_comes_out_without_a_problem(path, clips, fitted):
    file = read_shot(path)
    stages = {}
    for who, member in file.shot.cast.items():
        own = clips
        if member.clips:
            names = clips.clip_set.names
            chosen = [i for i, name in enumerate(names) if name in member.clips]
            own = analyse_clips(clips.clip_set.subset(chosen))
        body = None
        if member.skeleton is not None:
            frames = fit_role_frames([PosedMotion(m, clips.roles) for m in clips.clip_set.motions])
            height = float(member.skeleton.partition(":")[2])
            target = fit_role_frames(make_performer(height).skeleton)
            body = AnotherBody("another", frames, target, Source())
        stages[who] = Stage(file, own, 1.0, body=body, _fitted={} if member.clips else fitted)

    def length(who, span):
        first, stop = frames_of_clip(stages[who], span)
        return (stop - first - 1) / file.shot.fps

    made = make_shot(plan_shot(file, length), stages)
    assert made.report.problems == ()
    for report in made.report.characters.values():
        assert report.quality.skate_mean < 2.0
