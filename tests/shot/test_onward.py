"""A walk goes on in the pose, and with the foot ahead, of who moves already."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.constraints import PoseConstraint
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.shot import make_shot
from motionloom.shot._keeping import key_of
from motionloom.shot.spans._walk import pose_to_go_on
from motionloom.shot.stage import Place, State

WALKS_ON = """\
shot: 1
fps: 30
seed: 7
library: clips
cast:
  anna: {}
tracks:
  anna:
    - {id: comes, do: clip, clip: walk_1.1, from: 1.0, to: %s}
    - {id: goes, do: walk, for: 3.0}
"""


@pytest.fixture(scope="module")
def moving(analysed):
    """A function that gives a clip's first frames, laid down elsewhere."""
    clips = analysed.clip_set

    def make(name, stop):
        motion = clips.motions[clips.names.index(name)][:stop]
        return PosedMotion(motion.transformed(GroundTransform(1.0, 2.0, -3.0)), analysed.roles)

    return make


@pytest.mark.parametrize(("name", "frame"), [("walk_1.1", 50), ("run_3", 33), ("curve_left", 40)])
def test_a_clip_goes_on_from_its_own_frame_wherever_it_lies(analysed, moving, name, frame):
    clips = analysed.clip_set
    everywhere = np.ones(len(clips.clip_of), bool)
    found = pose_to_go_on(clips, moving(name, frame + 1), everywhere)
    assert found == PoseConstraint(time=0.0, clip=name, frame=frame)


def test_frames_from_which_nothing_goes_on_are_not_taken(analysed, moving):
    clips = analysed.clip_set
    among = clips.clip_of != clips.names.index("walk_1.1")
    found = pose_to_go_on(clips, moving("walk_1.1", 51), among)
    assert found is not None
    assert found.clip != "walk_1.1"
    assert pose_to_go_on(clips, moving("walk_1.1", 51), np.zeros_like(among)) is None


@pytest.mark.parametrize("end", [1.9, 2.2])
def test_a_walk_begins_in_the_midst_of_the_step_before_it(planned, end):
    plan, stages = planned(WALKS_ON % end)
    made = make_shot(plan, stages)
    (join,) = made.report.characters["anna"].joins
    assert join.apart < 5.0
    assert join.is_good


def test_a_walk_is_made_anew_where_the_pose_before_it_is_another(planned, analysed, moving):
    plan, stages = planned(WALKS_ON % 1.9)
    goes = plan.tracks["anna"][1]
    soles, down = analysed.soles, np.zeros(len(analysed.soles.points), bool)

    def key(turn):
        posed = moving("walk_1.1", 50)
        rotations = posed.motion.rotations.copy()
        rotations[-1, -1] = rot.multiply(rotations[-1, -1], rot.from_rotvec([0.0, 0.0, turn]))
        tail = PosedMotion(replace(posed.motion, rotations=rotations), analysed.roles)
        return key_of(stages["anna"], goes, State(tail, down, soles, Place((0.0, 0.0), 0.0)))

    assert key(0.0) == key(1e-6) != key(0.2)
