"""What a prompt shows of the library's objects: a few lines, never arrays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import InvalidInputError
from motionloom.graph.transitions.build import build_graph
from motionloom.marker_motion import Event, MarkerSequence
from motionloom.motion import Motion, Source
from motionloom.skeleton import Skeleton
from walkers import make_walkers


@pytest.fixture
def long_motion() -> Motion:
    names = tuple(f"joint{j}" for j in range(60))
    skeleton = Skeleton(names, np.arange(60) - 1, np.ones((60, 3)))
    source = Source(
        "bvh",
        "clips/a.bvh",
        0.01,
        up="z",
        warnings=("one",),
        extra={"first_values": np.zeros(5000)},
    )
    return Motion(
        skeleton, rot.identity(300, 60), np.zeros((300, 1, 3)), 0.01, name="a", source=source
    )


@pytest.fixture
def markers() -> MarkerSequence:
    positions = np.arange(40 * 9 * 3, dtype=float).reshape(40, 9, 3)
    events = (Event(0.1, "Foot Strike"), Event(0.3, "Foot Off"))
    return MarkerSequence(
        tuple("abcdefghi"), positions, np.ones((40, 9), bool), 0.01, events=events, name="trial"
    )


def test_a_motion_is_three_lines(long_motion):
    lines = repr(long_motion).splitlines()
    assert lines == [
        "<Motion 'a': 300 frames at 100 fps, 2.99 s",
        "  60 joints: joint0, joint1, joint2, joint3, joint4, joint5 ... (60); translated: joint0",
        "  from clips/a.bvh (bvh, 1 unit = 0.01 m, Z up, 1 warnings)>",
    ]
    assert "made in memory" in repr(replace(long_motion, source=Source()))


def test_skeletons_markers_and_sources_are_short(long_motion, markers):
    assert (
        repr(long_motion.skeleton)
        == "<Skeleton: 60 joints: joint0, joint1, joint2, joint3, joint4, joint5 ... (60)>"
    )
    assert "9 markers, 100 % seen: a, b, c, d, e, f ... (9); 2 events" in repr(markers)
    for thing in (long_motion, markers, long_motion.source, markers[:0]):
        assert len(repr(thing)) < 400
        assert "array" not in repr(thing)


def test_clip_sets_and_graphs_are_short():
    clips = make_walkers()
    for thing in (clips, build_graph(clips)):
        check_short(thing)
    assert "7 clips" in repr(clips)
    assert "walk_0, walk_1" in repr(clips)


def check_short(thing: object) -> None:
    text = repr(thing)
    assert text.startswith(f"<{type(thing).__name__}")
    assert len(text.splitlines()) <= 5
    assert len(text) < 600
    assert "array(" not in text


def test_frames_are_counted_and_cut(long_motion, markers):
    assert len(long_motion) == 300
    assert len(markers) == 40
    turned = replace(
        long_motion,
        rotations=rot.from_rotvec(np.arange(300)[:, None, None] * np.full((60, 3), 0.001)),
    )
    part = turned[10:50]
    np.testing.assert_array_equal(part.rotations, turned.rotations[10:50])
    assert (len(part), part.frame_time, part.source) == (40, 0.01, turned.source)
    np.testing.assert_array_equal(turned[-5:].rotations, turned.rotations[295:])
    assert len(turned[500:]) == len(turned[9:3]) == 0
    third = turned[1:100:3]
    np.testing.assert_array_equal(third.rotations, turned.rotations[1:100:3])
    assert third.frame_time == pytest.approx(0.03)
    np.testing.assert_array_equal(markers[5:20:2].positions, markers.positions[5:20:2])
    assert markers[20:].events == (Event(pytest.approx(0.1), "Foot Off"),)


def test_single_frames_and_backwards_are_refused(long_motion, markers):
    for data in (long_motion, markers):
        with pytest.raises(TypeError, match=r"motion\[7:8\]"):
            data[7]
        with pytest.raises(InvalidInputError, match="forwards"):
            data[::-1]
        with pytest.raises(TypeError, match="iterable"):
            list(data)


def test_a_clip_without_frames_is_still_there(long_motion):
    assert bool(long_motion[:0])
