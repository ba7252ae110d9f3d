"""The line protocol: what is written is read, and what is no message is nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marked_bodies import trial
from motionloom.fitting.live._session import (
    MOST_BYTES,
    End,
    Labels,
    MarkerFrame,
    Rate,
    format_frame,
    format_head,
    read_message,
)


def test_a_frame_comes_back_within_a_tenth_of_a_millimetre():
    markers = trial()
    seen = markers.valid[7].copy()
    seen[[0, 5]] = False
    line = format_frame(12, 0.07, markers.positions[7], seen.tolist())
    frame = read_message(line.encode())
    assert (frame.number, frame.time) == (12, 0.07)
    np.testing.assert_array_equal(frame.valid, seen)
    np.testing.assert_allclose(frame.positions[seen], markers.positions[7][seen], atol=6e-5)


def test_a_frame_of_41_markers_fits_one_packet_of_a_network():
    markers = trial()
    line = format_frame(10**6, 4e4, markers.positions[0], markers.valid[0].tolist())
    assert len(line) < 1400


def test_rate_labels_and_end_come_back():
    markers = trial()
    rate, labels = (read_message(line.encode() + b"\r\n") for line in format_head(markers))
    assert rate == Rate(markers.fps)
    assert labels == Labels(markers.labels)
    assert read_message(b"end\n") == End()


def test_labels_with_blanks_come_back():
    assert read_message(b"markers L%20knee R%20knee").labels == ("L knee", "R knee")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"frame",
        b"frame 1 0.0",
        b"frame 1 0.0 1 2",
        b"frame x 0.0 1 2 3",
        b"frame 1.5 0.0 1 2 3",
        b"frame -1 0.0 1 2 3",
        b"frame 1e300 0.0 1 2 3",
        b"frame 1 nan 1 2 3",
        b"frame 1 0.0 1 2 three",
        b"rate 0",
        b"rate inf",
        b"rate 120 130",
        b"markers",
        b"markers A A",
        b"end now",
        b"\xff\xfe\x00",
        b"GET / HTTP/1.1",
        b"frame 1 0.0 " + b"1 2 3 " * MOST_BYTES,
    ],
)
def test_what_is_no_message_is_nothing(line):
    assert read_message(line) is None


def test_a_marker_out_of_this_world_or_half_seen_is_not_seen():
    frame = read_message(b"frame 1 0.0 1 2 3 1e9 0 0 nan 1 1 inf 0 0 - 1 2 1 - -")
    assert frame.valid.tolist() == [True, False, False, False, False, False]
    assert np.isfinite(frame.positions).all()


@given(st.binary(max_size=200))
def test_no_bytes_break_it(line):
    read_message(line)


@given(st.lists(st.sampled_from([b"frame", b"1", b"-", b"nan", b"1e400", b"end", b"rate"])))
def test_no_words_break_it(words):
    message = read_message(b" ".join(words))
    assert message is None or isinstance(message, MarkerFrame | Rate | End | Labels)
