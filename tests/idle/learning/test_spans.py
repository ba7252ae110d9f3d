"""Rests and shifts are found where they are."""

from itertools import pairwise

import numpy as np
import pytest
from standing import TAKES

from motionloom.errors import FormatError, InvalidInputError
from motionloom.idle import find_rests, fit_posture_space, prepare_recording
from motionloom.idle.learning.spans import compute_balance, read_span_file, write_spans


@pytest.fixture(scope="module")
def spans(recording):
    return find_rests(recording, fit_posture_space([recording]))


def test_every_shift_lies_between_two_rests(spans, standing):
    fps = standing.motion.fps
    gaps = [(a.stop / fps, b.first / fps) for a, b in pairwise(spans)]
    for begin, _ in standing.shifts:
        assert any(start < begin + TAKES / 2 < end for start, end in gaps)
    assert len(gaps) == len(standing.shifts)


def test_balance_is_where_the_hips_went(spans, standing):
    assert [span.category for span in spans] == ["both", *(c for _, c in standing.shifts)]


def test_balance_is_measured_from_foot_to_foot(recording):
    balance = compute_balance(recording)
    fps = recording.posed.fps
    assert balance[round(20 * fps)] > 0.3
    assert balance[round(38 * fps)] < -0.3
    assert abs(balance[round(5 * fps)]) < 0.2


def test_nobody_who_only_sways_shifts(standing):
    quiet = prepare_recording(standing.motion.cut(0, 330))
    found = find_rests(quiet, fit_posture_space([quiet]))
    assert [(span.first, span.stop) for span in found] == [(0, 330)]


def test_too_short_recordings_are_refused(standing):
    with pytest.raises(InvalidInputError, match="at least 5 s"):
        prepare_recording(standing.motion.cut(0, 60))


def test_a_file_of_spans_says_the_same(spans, standing, tmp_path):
    file = tmp_path / "spans.yaml"
    write_spans({standing.motion.name: spans}, standing.motion.fps, file)
    assert read_span_file(file).spans_of([standing.motion]) == (spans,)


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        ("[]", "resting spans by recording", 1),
        ("nobody:\n  - {from: 0, to: 1, balance: left}", "no recording 'nobody'", 1),
        ("standing: 3", "list of spans", 1),
        ("standing:\n  - {from: 0, to: 1}", "balance: left", 2),
        ("standing:\n  - {from: 0, to: 1, balance: up}", "left, right or both", 2),
        ("standing:\n  - {from: 0, to: 90, balance: left}", "within the recording", 2),
        (
            "standing:\n  - {from: 0, to: 9, balance: left}\n  - {from: 5, to: 12, balance: both}",
            "follow each other",
            3,
        ),
        ("standing:\n  - {from: .nan, to: 2, balance: left}", "seconds", 2),
    ],
)
def test_bad_files_of_spans_are_refused_with_their_line(text, says, line, standing, tmp_path):
    file = tmp_path / "spans.yaml"
    file.write_text(text)
    with pytest.raises(FormatError, match=says) as caught:
        read_span_file(file).spans_of([standing.motion])
    assert caught.value.line == line


def test_stances_end_where_a_foot_steps(shared_data):
    from motionloom.io import load_motion

    walker = load_motion(shared_data / "idle" / "person000_genuine.bvh").cut(0, 720)
    recording = prepare_recording(walker)
    assert len(recording.stances) > 2
    first, second = recording.stances[:2]
    assert np.linalg.norm(first.place.ground - second.place.ground) > 0.02
