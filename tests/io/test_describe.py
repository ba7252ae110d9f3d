"""Facts about motions and markers."""

import json

import numpy as np
import pytest

from motionloom.io.describe import describe, rows_of_facts
from motionloom.marker_motion import Analog, Event, MarkerSequence
from motionloom.motion import Motion, Source
from motionloom.reports import Report
from motionloom.skeleton import Skeleton

ROTATIONS = ("Zrotation", "Xrotation", "Yrotation")


def _text(facts):
    return Report("", rows_of_facts(facts)).to_text()


@pytest.fixture
def motion():
    """Two joints, three frames at 29.97 fps."""
    skeleton = Skeleton(("Hips", "Spine"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 0.5, 0]]))
    source = Source(
        format="bvh",
        unit=0.01,
        unit_reason="guessed",
        up="z",
        channels=(("Xposition", "Yposition", "Zposition", *ROTATIONS), ROTATIONS),
        warnings=("line 7: blank",),
    )
    quats = np.zeros((3, 2, 4))
    quats[..., 0] = 1
    return Motion(skeleton, quats, np.zeros((3, 1, 3)), 1 / 29.97, source=source)


def test_facts_of_a_motion(motion):
    facts = describe(motion)
    assert json.loads(json.dumps(facts)) == facts
    assert list(facts) == [
        "kind",
        "format",
        "frames",
        "frame_time",
        "fps",
        "duration",
        "unit",
        "up",
        "height",
        "joints",
        "roles",
        "warnings",
    ]
    assert facts["frame_time"] == 1 / 29.97
    assert facts["unit"] == {"metres": 0.01, "reason": "guessed"}
    assert facts["joints"][1] == {"name": "Spine", "parent": "Hips", "channels": list(ROTATIONS)}
    assert facts["roles"]["joints"]["hips"] == "Hips"
    assert facts["warnings"] == ["line 7: blank"]


def test_text_of_a_motion(motion):
    text = _text(describe(motion))
    for part in (
        "BVH motion",
        "3 frames at 29.97 fps",
        repr(1 / 29.97),
        "1 unit = 0.01 m (guessed)",
        "up axis   Z",
    ):
        assert part in text
    assert "Xposition Yposition Zposition Zrotation Xrotation Yrotation: Hips" in text
    assert "line 7: blank" in text


def test_joints_with_the_same_channels_share_a_line(motion):
    names = tuple("abcdef")
    skeleton = Skeleton(names, np.arange(-1, 5), np.ones((6, 3)))
    quats = np.broadcast_to([1.0, 0, 0, 0], (2, 6, 4))
    many = Motion(
        skeleton, quats, np.zeros((2, 1, 3)), 0.1, source=Source(channels=(ROTATIONS,) * 6)
    )
    assert "6 joints (a, b, c ...)" in _text(describe(many))


def test_a_motion_made_in_memory_has_no_channels(motion):
    bare = Motion(motion.skeleton, motion.rotations, motion.translations, 0.1)
    assert describe(bare)["joints"][0]["channels"] == []
    assert "channels" not in _text(describe(bare))


def test_facts_of_markers():
    valid = np.array([[True, True], [True, False]])
    markers = MarkerSequence(
        ("A", "B"),
        np.ones((2, 2, 3)),
        valid,
        0.01,
        events=(Event(0.01, "Foot Strike", "Left"),),
        analog=Analog(("Fz",), np.zeros((20, 1)), 0.001),
    )
    facts = describe(markers)
    assert json.loads(json.dumps(facts)) == facts
    assert facts["markers"] == [{"label": "A", "seen": 1.0}, {"label": "B", "seen": 0.5}]
    text = _text(facts)
    for part in (
        "2: A, B",
        "in 1 markers (B)",
        "0.010 s Left Foot Strike",
        "1 channels at 1000 Hz",
    ):
        assert part in text


def test_no_markers_at_all():
    empty = MarkerSequence((), np.zeros((0, 0, 3)), np.zeros((0, 0), bool), 0.01)
    assert describe(empty)["markers"] == []
    assert "none" in _text(describe(empty))
