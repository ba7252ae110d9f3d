"""What lies over other spans moves no foot that stands."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.clips.analysis import analyse_clips
from motionloom.constraints import JointConstraint
from motionloom.curves import minimum_jerk
from motionloom.shot import Stage, plan_shot, read_shot
from motionloom.shot.joining import Joined
from motionloom.shot.layers import CALM, LONGEST, lay_over, lay_under, unhurried

TEXT = """\
shot: 1
cast: {{anna: {{}}}}
tracks:
  anna:
    - {{id: base, do: clip, clip: {clip}, for: 2.0}}
    - {{id: hand, do: reach, joint: {joint}, target: [{x}, {y}, {z}], at: {at}, hold: 0.2}}
"""


@pytest.fixture(scope="module")
def few(performed):
    names = ("stand", "walk_1.1")
    return analyse_clips(performed.subset([performed.names.index(name) for name in names]))


@pytest.fixture(scope="module")
def lay(few, tmp_path_factory):
    """A function that lays a reach over a clip; soles before and after, and where they bear."""

    def make(clip, joint, offset, at):
        own = few.clip_set.names.index(clip)
        path = tmp_path_factory.mktemp("shot") / "shot.yaml"
        posed = Stage(None, few).posed(few.clip_set.motions[own][:61])
        hand = posed.positions[round(30 * at), few.roles.joints[joint]] + offset
        x, y, z = (round(float(v), 3) for v in hand)
        path.write_text(TEXT.format(clip=clip, joint=joint, x=x, y=y, z=z, at=at))
        plan = plan_shot(read_shot(path), lambda who, span: 2.0)
        contacts = few.contacts[own]
        down = contacts.down[:61]
        before = type(contacts)(contacts.soles, down, contacts.ground)
        stage = Stage(plan.file, few)
        layers = plan.layers["anna"]
        done = lay_over(stage, layers, lay_under(stage, layers, Joined(posed, before, ())))
        points = [few.soles.positions(one) for one in (posed, done.posed)]
        moved = np.abs(done.posed.positions - posed.positions).max()
        return points, down, moved

    return make


@settings(max_examples=6, deadline=None)
@given(
    clip=st.sampled_from(["stand", "walk_1.1"]),
    joint=st.sampled_from(["left_hand", "right_hand"]),
    offset=st.tuples(*[st.floats(-0.35, 0.35)] * 3),
    at=st.floats(0.5, 1.5),
)
def test_no_foot_that_stands_moves(lay, clip, joint, offset, at):
    points, down, moved = lay(clip, joint, np.array(offset), round(at, 2))
    away = np.linalg.norm(points[1] - points[0], axis=-1)[down]
    assert away.max(initial=0.0) < 0.002
    assert moved > 0.5 * np.abs(offset).max() - 0.05


CORRECTED = """\
shot: 1
cast: {{anna: {{}}}}
tracks:
  anna:
    - {{id: base, do: clip, clip: {clip}, for: 2.0}}
    - {{id: pass, do: correct, begin: {begin}, by: {end}}}
"""


@pytest.fixture(scope="module")
def correct(few, tmp_path_factory):
    """A function that corrects somebody who leans; how far soles that bear are moved, metres."""

    def make(clip, lean, begin, end):
        own = few.clip_set.names.index(clip)
        path = tmp_path_factory.mktemp("shot") / "shot.yaml"
        path.write_text(CORRECTED.format(clip=clip, begin=begin, end=end))
        plan = plan_shot(read_shot(path), lambda who, span: 2.0)
        stage = Stage(plan.file, few)
        motion = few.clip_set.motions[own][:61]
        rotations = motion.rotations.copy()
        spine = few.roles.joints["spine"]
        rotations[:, spine] = rot.multiply(rotations[:, spine], rot.from_rotvec(lean))
        # Feet creep a little, as captured ones do.
        creep = np.linspace(0.0, 0.06, 61)[:, None, None] * np.array([1.0, 0.0, 0.0])
        leans = replace(motion, rotations=rotations, translations=motion.translations + creep)
        posed = stage.posed(leans)
        down = few.contacts[own].down[:61]
        before = replace(few.contacts[own], down=down)
        done = lay_under(stage, plan.layers["anna"], Joined(posed, before, ()))
        points = [few.soles.positions(one) for one in (posed, done.posed)]
        return np.linalg.norm(points[1] - points[0], axis=-1)[down]

    return make


@settings(max_examples=2, deadline=None)
@given(
    clip=st.sampled_from(["stand", "walk_1.1"]),
    lean=st.tuples(*[st.floats(-0.08, 0.08)] * 3),
    begin=st.sampled_from([0.0, 0.5]),
    end=st.sampled_from([1.4, 2.0]),
)
def test_a_correction_moves_no_foot_that_stands(correct, clip, lean, begin, end):
    assert correct(clip, np.array(lean), begin, end).max(initial=0.0) < 0.004


def test_who_stands_takes_the_longer_the_farther_a_hand_goes(few):
    own = few.clip_set.names.index("stand")
    posed = Stage(None, few).posed(few.clip_set.motions[own])
    hand = posed.positions[45, few.roles.joints["right_hand"]]
    eases = {"ease_in": 0.7, "ease_out": 0.7}

    def asked(far):
        place = [float(v) for v in hand + np.array([0.0, far, 0.0])]
        facts = {"joint": "right_hand", "time": 1.5, "position": place, **eases}
        return unhurried(JointConstraint.model_validate(facts), posed)

    assert asked(0.1).ease_in == asked(0.1).ease_out == 0.7
    # Twice as far at the same acceleration: longer by the root of two.
    assert asked(0.6).ease_in == pytest.approx(np.sqrt(2.0) * asked(0.3).ease_in, rel=0.01)
    # On the smoothest way of that time no hand accelerates harder.
    times = np.linspace(0.0, 1.0, 2001)
    way = 0.6 * minimum_jerk(times)
    hardest = np.abs(np.diff(way, 2)).max() / (asked(0.6).ease_in * times[1]) ** 2
    assert hardest == pytest.approx(CALM, rel=0.01)
    assert asked(3.0).ease_in == LONGEST


def test_who_walks_reaches_at_once(few):
    own = few.clip_set.names.index("walk_1.1")
    posed = Stage(None, few).posed(few.clip_set.motions[own])
    far = posed.positions[45, few.roles.joints["right_hand"]] + np.array([0.0, 0.6, 0.0])
    facts = {"joint": "right_hand", "time": 1.5, "position": [float(v) for v in far]}
    joint = JointConstraint.model_validate({**facts, "ease_in": 0.7, "ease_out": 0.7})
    assert unhurried(joint, posed) == joint
