"""What is measured of gait, on the performer's clips and on real ones."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.gait.cycles.find import find_gait
from motionloom.marker_motion import Event
from motionloom_evaluation.gait.evaluation import evaluate_gait
from motionloom_evaluation.gait.events import check_events, check_strikes
from motionloom_evaluation.gait.marker_tracks import tracks_of_markers
from performed import performer_clips


@pytest.fixture(scope="module")
def clips():
    """The performer's clips by name."""
    return {clip.motion.name: clip for clip in performer_clips()}


@pytest.fixture(scope="module")
def measured(clips):
    """An evaluation of walks, beside clips of other actions."""
    walks = [clips[f"walk_{speed}"].motion for speed in (0.6, 1.1, 1.6, 2.2)]
    others = [clips[name].motion for name in ("stand", "swing", "reach_left_front")]
    return evaluate_gait(walks, others=others)


def test_left_out_speeds_are_made(measured):
    kinds = {m.kind for m in measured.misses}
    assert kinds == {"interpolated", "extrapolated"}
    inside = [m.errors for m in measured.misses if m.kind == "interpolated"]
    ours, nearest = (
        np.mean([e[name] for e in inside]) for name in ("gait space", "nearest take time-scaled")
    )
    assert ours < 0.7 * nearest


def test_strikes_of_straight_walks_are_regular(measured):
    assert measured.false == {}
    assert measured.others == 3
    assert sum(c.doubled + c.missed for c in measured.strikes) == 0


def test_the_report_tells_all_of_it(measured):
    text = measured.to_text()
    for words in ("strikes:", "other actions: 0 cycles", "interpolated", "frequency", "paired"):
        assert words in text
    data = measured.to_dict()
    (likeness,) = data["likeness"]
    assert "captured strides of one person" in text
    assert likeness["pairs"][0] > 0
    assert likeness["same_take"] < 0.03
    assert len(data["left_out"]) == len(measured.misses)


def marked(clip, late=0.0):
    """The performer's markers with events `late` after the strikes that are found in them."""
    found = find_gait(tracks_of_markers(clip.markers)).events
    names = {"strike": "Foot Strike", "off": "Foot Off"}
    events = [Event(e.time + late, names[e.kind], e.foot.capitalize()) for e in found]
    return replace(clip.markers, events=tuple(events))


def test_events_are_compared_in_time(clips):
    strikes, offs = check_events(marked(clips["walk_1.1"], late=0.02))
    assert np.allclose(strikes.errors, -0.02)
    assert np.allclose(offs.errors, -0.02)
    assert len(strikes.errors) == strikes.told
    assert strikes.extra == 0
    assert check_events(clips["walk_1.1"].markers) == []


def test_an_event_that_is_not_told_is_counted(clips):
    own = marked(clips["walk_1.1"])
    left = [e for e in own.events if (e.label, e.context) == ("Foot Strike", "Left")]
    less = replace(own, events=tuple(e for e in own.events if e is not left[1]))
    assert check_events(less)[0].extra == 1


def test_a_missing_strike_is_seen(clips):
    found = find_gait(tracks_of_markers(clips["walk_1.6"].markers))
    strikes = [e for e in found.events if e.kind == "strike"]
    less = tuple(e for e in found.events if e is not strikes[4])
    check = check_strikes("walk", replace(found, events=less))
    assert check.missed == 1
    assert check.doubled == 0


def test_events_of_real_files(shared_data):
    from motionloom.io import load_markers

    errors = []
    for path in sorted((shared_data / "gait_c3d").glob("HC*_*t*.c3d")):
        for check in check_events(load_markers(path)):
            if check.kind == "strike":
                errors += check.errors
    away = np.abs(errors)
    assert len(away) >= 15
    assert np.median(away) <= 0.020
    assert np.quantile(away, 0.9) <= 0.040


@pytest.mark.slow
def test_real_clips_of_other_actions_hold_no_cycle(shared_data):
    from motionloom.io import load_motion
    from motionloom_evaluation.gait.evaluation import _look

    files = sorted((shared_data / "idle").glob("*.bvh"))
    files += [shared_data / f"cmu_bvh/05/05_{k:02d}.bvh" for k in range(2, 11)]
    found = {path.stem: _look(load_motion(path)) for path in files}
    assert [name for name, gait in found.items() if gait is not None and gait.strides] == []
