import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import InvalidInputError
from motionloom.marker_motion import Analog, Event, MarkerSequence


def sequence(**changes):
    values = {
        "labels": ("LASI", "RASI"),
        "positions": np.ones((3, 2, 3)),
        "valid": np.array([[True, True], [True, False], [True, True]]),
        "frame_time": 0.01,
    }
    return MarkerSequence(**{**values, **changes})


def test_what_was_not_seen_holds_zero_even_if_it_was_nan():
    positions = np.ones((3, 2, 3))
    positions[1, 1] = np.nan
    markers = sequence(positions=positions)
    assert np.all(markers.positions[1, 1] == 0.0)
    assert np.isnan(positions[1, 1]).all()
    with pytest.raises(ValueError, match="read-only"):
        markers.valid[0] = False


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"positions": np.ones((3, 1, 3))}, "positions must have shape"),
        ({"valid": np.ones((3, 1), bool)}, "valid must have shape"),
        ({"frame_time": -1.0}, "positive number of seconds"),
        ({"positions": np.full((3, 2, 3), np.inf)}, "finite positions"),
    ],
)
def test_what_is_not_a_marker_sequence_is_refused(change, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        sequence(**change)


def test_unknown_marker_lists_what_is_there():
    assert sequence().index("RASI") == 1
    with pytest.raises(InvalidInputError, match="the file has: LASI, RASI"):
        sequence().index("C7")


def walking(frames=13, frame_time=1 / 29.97, seed=0):
    """Random markers with gaps, events on every third frame and a channel with four samples in a
    frame.
    """
    rng = np.random.default_rng(seed)
    return sequence(
        positions=rng.normal(size=(frames, 2, 3)),
        valid=rng.random((frames, 2)) > 0.3,
        frame_time=frame_time,
        events=tuple(Event(i * frame_time, f"e{i}") for i in range(0, frames, 3)),
        analog=Analog(("Fz",), np.arange(4.0 * frames)[:, None], frame_time / 4),
    )


def test_time_is_frame_number_times_frame_time():
    markers = walking()
    assert markers.times.tolist() == [i * markers.frame_time for i in range(13)]
    assert markers.duration == 12 * markers.frame_time


def test_cut_takes_events_and_analog_samples_along():
    markers = walking()
    part = markers.cut(3, 9)
    np.testing.assert_array_equal(part.positions, markers.positions[3:9])
    np.testing.assert_array_equal(part.valid, markers.valid[3:9])
    assert [e.label for e in part.events] == ["e3", "e6"]
    np.testing.assert_allclose(
        [e.time for e in part.events], [0, 3 * markers.frame_time], atol=1e-15
    )
    np.testing.assert_array_equal(part.analog.values[:, 0], np.arange(12, 36))
    assert (markers.n_frames, len(markers.events), len(markers.analog.values)) == (13, 5, 52)
    with pytest.raises(InvalidInputError, match=r"cannot cut frames 3\.\.14"):
        markers.cut(3, 14)


@given(st.integers(0, 13), st.integers(0, 13))
@settings(max_examples=40, deadline=None)
def test_cuts_share_events_and_samples_without_loss(a, b):
    a, b = sorted((a, b))
    markers = walking()
    parts = [markers.cut(0, a), markers.cut(a, b), markers.cut(b, 13)]
    assert [e.label for p in parts for e in p.events] == [e.label for e in markers.events]
    np.testing.assert_array_equal(
        np.concatenate([p.analog.values for p in parts]), markers.analog.values
    )


@given(st.floats(1e-3, 0.4), st.integers(0, 20))
@settings(max_examples=60, deadline=None)
def test_resampling_invents_nothing(frame_time, frames):
    markers = walking(frames)
    new = markers.resample(frame_time)
    assert new.frame_time == frame_time
    assert new.duration <= markers.duration + 1e-9
    for i, time in enumerate(new.times):
        before = min(int(time / markers.frame_time + 1e-9), frames - 1)
        after = min(int(np.ceil(time / markers.frame_time - 1e-9)), frames - 1)
        np.testing.assert_array_equal(new.valid[i], markers.valid[before] & markers.valid[after])
        seen = new.valid[i]
        low = np.minimum(markers.positions[before], markers.positions[after])[seen]
        high = np.maximum(markers.positions[before], markers.positions[after])[seen]
        assert (new.positions[i][seen] >= low - 1e-9).all()
        assert (new.positions[i][seen] <= high + 1e-9).all()


def test_resampling_to_a_multiple_keeps_frames_exactly():
    markers = walking(frame_time=1 / 120)
    slow = markers.resample(1 / 30)
    np.testing.assert_array_equal(slow.positions, markers.positions[::4])
    np.testing.assert_array_equal(slow.valid, markers.valid[::4])
    with pytest.raises(InvalidInputError, match="positive number of seconds"):
        markers.resample(0.0)


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_are_equal_and_read_only(twin):
    markers = walking()
    again = twin(markers)
    np.testing.assert_array_equal(again.positions, markers.positions)
    assert again.events == markers.events
    for array in (again.positions, again.valid):
        assert not array.flags.writeable


def test_frames_per_second_are_not_taken_for_seconds_per_frame():
    with pytest.raises(InvalidInputError, match=r"resample takes seconds per frame.*give 1/30"):
        walking(frame_time=1 / 120).resample(30.0)
