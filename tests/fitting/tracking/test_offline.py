"""Whole trials: smoothing, gaps, and what happened to markers."""

from dataclasses import replace

import numpy as np
import pytest

from marked_bodies import joints_apart, performer_model, trial, walk
from motionloom.errors import InvalidInputError
from motionloom.fitting.tracking import TrackingOptions, follow, track
from motionloom.fitting.tracking._tracked import MarkerEvent

MODEL = performer_model()
LABELS = list(MODEL.labels)


def noisy(size, seed=0):
    markers = trial()
    noise = np.random.default_rng(seed).normal(scale=size, size=markers.positions.shape)
    return replace(markers, positions=markers.positions + noise)


def test_a_whole_trial_is_nearer_to_the_truth_than_frame_by_frame():
    markers = noisy(0.005)
    causal = joints_apart(follow(MODEL, markers).motion, walk()).mean()
    smoothed = joints_apart(track(MODEL, markers).motion, walk()).mean()
    assert smoothed < 0.8 * causal
    assert smoothed < 0.004


def test_a_trial_without_noise_comes_out_as_it_went_in():
    tracked = track(MODEL, trial())
    assert joints_apart(tracked.motion, walk()).max() < 0.005
    assert tracked.rms < 0.0005
    assert tracked.events == ()
    assert tracked.observed[:, np.unique(MODEL.joints)].all()


def test_windows_meet_without_a_step(monkeypatch):
    from motionloom.fitting.tracking import _offline as offline

    whole = track(MODEL, noisy(0.003)).motion
    monkeypatch.setattr(offline, "_WINDOW", 70)
    parts = track(MODEL, noisy(0.003)).motion
    assert joints_apart(whole, parts).max() < 1e-4


def test_frames_before_the_body_could_be_found_are_followed_backwards():
    markers = trial()
    valid = markers.valid.copy()
    valid[:30, 15:] = False
    tracked = track(MODEL, replace(markers, valid=valid))
    head = [MODEL.skeleton.index("Head")]
    assert joints_apart(tracked.motion, walk())[:30, head].max() < 0.02


def test_a_trial_without_a_frame_that_shows_the_body_is_refused():
    markers = trial()[:5]
    valid = markers.valid.copy()
    valid[:, 18:] = False
    said = "one with 25 of 41 is needed, the fullest has 18"
    with pytest.raises(InvalidInputError, match=said):
        track(MODEL, replace(markers, valid=valid))


def test_gaps_swaps_jumps_and_lost_segments_are_listed():
    markers = trial()
    places = markers.positions.copy()
    valid = markers.valid.copy()
    at = LABELS.index
    places[40:60, [at("LKNE"), at("RKNE")]] = places[40:60, [at("RKNE"), at("LKNE")]]
    places[100:120, at("C7")] += 0.1
    valid[150:190, [at("LFHD")]] = False
    valid[60:160, MODEL.joints == MODEL.skeleton.index("LeftHand")] = False
    tracked = track(MODEL, replace(markers, positions=places, valid=valid))
    found = {(e.kind, e.name): e for e in tracked.events}
    assert (found["swap", "LKNE"].first, found["swap", "LKNE"].last) == (40, 59)
    assert found["swap", "LKNE"].other == "RKNE"
    assert (found["jump", "C7"].first, found["jump", "C7"].last) == (100, 119)
    assert found["gap", "LFHD"].end == pytest.approx(1.89)
    assert found["segment", "LeftHand"].last == 159
    assert {e.name for e in tracked.events if e.kind == "swap"} == {"LKNE", "RKNE"}
    assert joints_apart(tracked.motion, walk())[tracked.observed].max() < 0.02


def test_frames_without_a_body_are_one_event():
    markers = trial()
    valid = markers.valid.copy()
    valid[100:160] = False
    tracked = track(MODEL, replace(markers, valid=valid))
    masked = [e for e in tracked.events if e.kind == "segment"]
    assert [(e.name, e.last) for e in masked] == [("the whole body", 159)]
    assert not tracked.observed[120:160].any()
    assert np.isfinite(tracked.motion.rotations).all()


def test_exchanged_markers_are_traced_to_their_labels():
    markers = trial()
    places = markers.positions.copy()
    a, b = LABELS.index("LANK"), LABELS.index("RHEE")
    places[40:60, [a, b]] = places[40:60, [b, a]]
    damaged = replace(markers, positions=places)
    found = track(MODEL, damaged)
    assert found.trusted.all()
    repaired = np.take_along_axis(damaged.positions, found.sources[..., None], axis=1)
    np.testing.assert_array_equal(repaired, markers.positions)


def test_fitted_markers_lie_where_the_markers_were():
    markers = trial()
    fitted = track(MODEL, markers).fitted_markers()
    assert fitted.labels == markers.labels
    assert np.linalg.norm(fitted.positions - markers.positions, axis=-1).max() < 0.005


def test_a_lower_cutoff_smooths_more():
    markers = noisy(0.005)
    rough = [
        np.abs(
            np.diff(track(MODEL, markers, TrackingOptions(cutoff=f)).motion.translations, 2, axis=0)
        ).mean()
        for f in (4.0, 12.0)
    ]
    assert rough[0] < 0.7 * rough[1]


def test_events_are_said_in_one_line():
    event = MarkerEvent("swap", "LKNE", 3, 9, 0.03, 0.09, "RKNE")
    assert event.in_words() == "0.030-0.090 s: LKNE was found under the label RKNE"


def test_real_trials_are_followed_with_all_their_markers(shared_data):
    from motionloom.fitting import calibrate
    from motionloom.io import load_markers

    markers = load_markers(shared_data / "cmu_c3d" / "02_01.c3d")
    tracked = track(calibrate(markers).model, markers)
    assert tracked.rms < 0.008
    assert tracked.trusted.mean() > 0.999
