"""Shots on the built-in performer."""

from dataclasses import replace
from pathlib import Path

import pytest

from motionloom.clips.analysis import analyse_clips
from motionloom.shot import Stage, check_shot, place_meetings, plan_shot, read_shot, stage
from motionloom.shot.live import _stages as stages
from motionloom.shot.spans import given
from motionloom.shot.spans.given import frames_of_clip
from motionloom.shot.stage import Methods

TEXT = """\
shot: 1
fps: 30
seed: 7
library: clips
marks:
  door: {position: [1.5, 2.5], facing: 90}
  handle: {point: [1.95, 1.1, 2.5]}
  knock: {time: 3.5}
cast:
  anna: {}
tracks:
  anna:
    - {id: stand, do: clip, clip: stand, to: 1.0}
    - {id: stop, do: idle, until: knock}
    - {id: wave, do: clip, clip: reach_right_high, from: 0.0, to: 1.5}
    - {id: pose, do: between, keys: [{time: wave.end+0.8, clip: reach_right_high, frame: 10}]}
    - {id: away, do: gait, speed: 1.3, path: [[1.5, 2.0], [3, 3]], for: 2.0}
    - {id: hand, do: reach, joint: right_hand, target: [0.2, 1.2, 0.5], at: stop.start+1}
"""


@pytest.fixture(scope="session", autouse=True)
def bridges_of_few_samples():
    """Gaps are learned to be filled from a quarter of the samples: what is tested holds for them,
    too, and learning from all would take longer than most of these tests together.
    """
    usual = stage.BRIDGING
    learning = replace(usual.learning, samples=400, landmarks=400)
    with pytest.MonkeyPatch.context() as patch:
        for module in (stage, stages, given):
            patch.setattr(module, "BRIDGING", replace(usual, learning=learning))
        yield


@pytest.fixture(scope="session")
def analysed(performed):
    """The performer's clips."""
    return analyse_clips(performed)


@pytest.fixture(scope="session")
def learned():
    """What methods have learned from the performer's clips, once for all shots of theirs."""
    return Methods()


@pytest.fixture
def shot_file(tmp_path):
    """A function that writes text and reads it as a shot."""

    def write(text: str = TEXT):
        path = Path(tmp_path) / "shot.yaml"
        path.write_text(text)
        return read_shot(path)

    return write


@pytest.fixture
def length_of(analysed):
    """A function that gives seconds of a clip's part."""

    def make(file):
        stage = Stage(file, analysed)

        def length(who, span):
            first, stop = frames_of_clip(stage, span)
            return (stop - first - 1) / file.shot.fps

        return length

    return make


@pytest.fixture
def planned(shot_file, length_of, analysed, learned):
    """A function that plans a shot, its meetings placed, and opens its stages."""

    def make(text):
        file = shot_file(text)
        stages = {who: Stage(file, analysed, 0.3, methods=learned) for who in file.shot.cast}
        plan = place_meetings(plan_shot(file, length_of(file)), stages)
        check_shot(plan, stages)
        return plan, stages

    return make
