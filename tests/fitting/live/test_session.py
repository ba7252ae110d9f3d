"""A live stream with all that can be wrong with it."""

import json

import numpy as np
import pytest

from marked_bodies import performer_model, trial
from motionloom.fitting.live import LiveSession, format_frame
from motionloom.fitting.live._session import format_head
from motionloom.fitting.tracking import MarkerTracker

MODEL = performer_model()
MARKERS = trial()


def line_of(t, number=None, order=slice(None)):
    """Frame t of the walk."""
    at = t if number is None else number
    return format_frame(
        at, t * MARKERS.frame_time, MARKERS.positions[t][order], MARKERS.valid[t][order].tolist()
    ).encode()


def answers(session, lines):
    """What is said to lines, as dictionaries."""
    told = [session.take(line) for line in lines]
    return [json.loads(answer) for answer in told if answer is not None]


def test_poses_are_those_of_the_tracker():
    session = LiveSession(MODEL, fps=100.0)
    told = answers(session, [line_of(t) for t in range(20)])
    tracker = MarkerTracker(MODEL, 0.01)
    for t in range(20):
        pose = tracker.update(MARKERS.positions[t], MARKERS.valid[t])
    assert told[-1]["frame"] == 19
    assert told[-1]["found"]
    np.testing.assert_allclose(told[-1]["root"], pose.root, atol=2e-4)
    np.testing.assert_allclose(told[-1]["rotations"], pose.rotations, atol=2e-3)
    assert session.counts["solved"] == 20


def test_the_head_tells_skeleton_and_markers():
    head = json.loads(LiveSession(MODEL).head())
    assert head["joints"] == list(MODEL.skeleton.names)
    assert head["markers"] == list(MODEL.labels)
    assert len(head["offsets"]) == len(head["parents"]) == MODEL.skeleton.n_joints


def test_labels_in_another_order_and_with_a_subject_are_matched():
    order = np.random.default_rng(0).permutation(len(MODEL.labels))
    labels = "markers " + " ".join(f"Ann:{MODEL.labels[i]}" for i in order)
    session = LiveSession(MODEL, fps=100.0)
    told = answers(session, [labels.encode(), *(line_of(t, order=order) for t in range(5))])
    assert told[-1]["rms"] < 0.002
    assert told[-1]["swapped"] == {}


def test_the_rate_is_told_or_taken_from_the_first_two_frames():
    told = LiveSession(MODEL)
    told.take(format_head(MARKERS)[0].encode())
    assert told.tracker.frame_time == pytest.approx(0.01)
    guessed = LiveSession(MODEL)
    assert len(answers(guessed, [line_of(t) for t in range(3)])) == 2
    assert guessed.guessed
    assert guessed.tracker.frame_time == pytest.approx(0.01)


def test_what_is_no_message_is_counted_and_changes_nothing():
    session = LiveSession(MODEL, fps=100.0)
    clean = LiveSession(MODEL, fps=100.0)
    noise = [b"\xff", b"frame 1 2", b"frame 5 0.1 1 2 3", b"frame 9 x" + b" 1" * 123]
    lines = [line_of(t) for t in range(6)]
    assert answers(session, [*lines[:3], *noise, *lines[3:]]) == answers(clean, lines)
    assert session.counts["malformed"] == 3
    assert session.counts["wrong number of markers"] == 1


def test_frames_that_come_late_or_twice_are_left_out():
    session = LiveSession(MODEL, fps=100.0)
    told = answers(session, [line_of(t) for t in (0, 1, 3, 2, 3, 4)])
    assert [answer["frame"] for answer in told] == [0, 1, 3, 4]
    assert session.counts["late or twice"] == 2
    assert session.counts["lost on the way"] == 1


def test_one_wrong_number_does_not_block_the_stream():
    session = LiveSession(MODEL, fps=100.0)
    answers(session, [line_of(0), line_of(1, number=10**9)])
    told = answers(session, [line_of(t) for t in range(2, 60)])
    assert told[-1]["frame"] == 59
    assert told[-1]["found"]


def test_a_leap_is_passed_over_in_bounded_work(monkeypatch):
    updates = []
    real = MarkerTracker.update
    monkeypatch.setattr(MarkerTracker, "update", lambda *args: (updates.append(1), real(*args))[1])
    session = LiveSession(MODEL, fps=100.0)
    answers(session, [line_of(0), line_of(1, number=10**9)])
    assert len(updates) <= 2 + 20


def test_the_stream_says_when_it_ends():
    session = LiveSession(MODEL, fps=100.0)
    assert session.take(b"end\n") is None
    assert session.ended
