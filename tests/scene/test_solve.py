"""Two people who meet: events are met on the finished motions, measured here anew; nobody runs into
anybody.
"""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.clips.analysis import analyse_clips
from motionloom.constraints import BodyConstraint
from motionloom.constraints.scene import Character, JointMeeting, Meeting, SceneConstraints
from motionloom.errors import UnknownJointError, UnknownNameError
from motionloom.graph.generator import FittedGraph
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.scene.solve import synthesize_scene
from motionloom.synthesis.driver import SynthesisOptions

OPTIONS = SynthesisOptions(seed=1, budget=0.375, alternatives=2)
HANDS = JointMeeting(first="right_hand", second="right_hand", gap=0.18)


def make_scene(event, duration=6.0, **starts):
    return SceneConstraints(
        duration=duration,
        fps=30.0,
        characters={
            name: Character(
                duration=duration, fps=30.0, body=(BodyConstraint(time=0.0, position=p, facing=f),)
            )
            for name, (p, f) in starts.items()
        },
        events=(event,),
    )


@pytest.fixture(scope="module")
def prepared(performed, graph):
    return FittedGraph(analyse_clips(performed), graph)


@pytest.fixture(scope="module")
def handshake():
    event = Meeting(
        name="handshake", time=4.5, between=("a", "b"), distance=0.8, hold=1.0, joints=(HANDS,)
    )
    return make_scene(event, a=((0.0, 0.0), 0.0), b=((0.3, 4.0), 180.0))


@pytest.fixture(scope="module")
def solved(prepared, handshake):
    return synthesize_scene({"a": prepared, "b": prepared}, handshake, OPTIONS)


def test_the_event_is_met(solved, prepared, handshake):
    roles = prepared.graph.clips.roles
    poses = [forward_kinematics(solved.motions[name]) for name in ("a", "b")]
    bodies = [body_trajectory(pose, roles) for pose in poses]
    hands = [pose.positions[:, roles.joints["right_hand"]] for pose in poses]
    for frame in (135, 165):
        way = bodies[1][frame, :2] - bodies[0][frame, :2]
        assert np.hypot(*way) == pytest.approx(0.8, abs=0.01)
        heading = np.arctan2(way[0], way[1])
        assert np.cos(bodies[0][frame, 2] - heading) > np.cos(np.radians(1))
        assert np.cos(bodies[1][frame, 2] - heading) < -np.cos(np.radians(1))
    apart = np.linalg.norm(hands[1] - hands[0], axis=-1)[135:166]
    assert np.abs(apart - 0.18).max() < 0.002


def test_the_report_says_so(solved):
    (event,) = solved.report.events
    assert event.place < 0.01
    assert event.joints_after < 0.002 < event.joints_before
    assert solved.report.problems == ()
    (pair,) = solved.report.overlaps
    assert pair.depth <= 10.0
    text = solved.report.to_text()
    assert "handshake of a and b at 4.5 s: at (" in text


def test_all_motions_have_the_same_frames(solved, handshake):
    assert {m.n_frames for m in solved.motions.values()} == {181}
    assert {m.name for m in solved.motions.values()} == {"a", "b"}


def test_the_same_seed_gives_the_same_motions(solved, prepared, handshake):
    again = synthesize_scene({"a": prepared, "b": prepared}, handshake, OPTIONS)
    for name, motion in solved.motions.items():
        assert np.array_equal(motion.rotations, again.motions[name].rotations)
        assert np.array_equal(motion.translations, again.motions[name].translations)


def test_an_event_out_of_reach_is_said(prepared, monkeypatch):
    # Another round for bodies that run into each other finds nothing else.
    monkeypatch.setattr("motionloom.scene.solve._ROUNDS", 1)
    event = Meeting(time=1.0, between=("a", "b"), distance=0.8, position=(0.0, 30.0), heading=0.0)
    scene = make_scene(event, duration=2.0, a=((0.0, 0.0), 0.0), b=((0.0, 4.0), 180.0))
    found = synthesize_scene({"a": prepared, "b": prepared}, scene, OPTIONS)
    assert any("meeting of a and b at 1 s" in p for p in found.report.problems)
    assert any(p.startswith("a: ") for p in found.report.problems)


def test_unknown_joints_and_clips(prepared, handshake, performed):
    event = handshake.events[0]
    wrong = event.model_copy(
        update={"joints": (JointMeeting(first="right_hnd", second="right_hand"),)}
    )
    with pytest.raises(UnknownJointError, match="right_hnd"):
        synthesize_scene(
            {"a": prepared, "b": prepared},
            handshake.model_copy(update={"events": (wrong,)}),
            OPTIONS,
        )
    picky = handshake.characters["a"].model_copy(update={"clips": ("swim*",)})
    scene = handshake.model_copy(update={"characters": {**handshake.characters, "a": picky}})
    with pytest.raises(
        UnknownNameError, match=r"characters.a.clips: no clip is named like swim\*"
    ) as caught:
        synthesize_scene(performed.motions, scene, replace(OPTIONS))
    assert caught.value.name == "swim*"
