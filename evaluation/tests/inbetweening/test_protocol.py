"""The benchmark's protocol: windows, errors and splits, from their definitions."""

import numpy as np
import pytest

from motionloom.clips import make_clip_set
from motionloom.errors import FormatError, InvalidInputError
from motionloom.inbetween import InbetweenOptions
from motionloom.inbetween.gaps import Track, go_straight, hold_still
from motionloom.inbetween.rig import Rig
from motionloom_evaluation.inbetweening.evaluation import (
    InbetweeningOptions,
    evaluate_inbetweening,
)
from motionloom_evaluation.inbetweening.measures import PUBLISHED, measure_errors
from motionloom_evaluation.inbetweening.protocol import (
    TEST_WINDOW,
    cut_windows,
    position_spread,
)
from motionloom_evaluation.inbetweening.splits import Split, make_splits
from motionloom_evaluation.inbetweening.thesis import evaluate_thesis_on_all
from walkers import make_lively_walker, make_walker


@pytest.fixture(scope="module")
def rig():
    return Rig.of(make_lively_walker(20, 1))


@pytest.fixture(scope="module")
def windows(rig):
    tracks = [Track.of(make_lively_walker(n, n), rig) for n in (160, 66, 65)]
    return cut_windows(rig, tracks, TEST_WINDOW)


def test_windows_are_those_published(windows):
    """While a window's start plus its length is less than the frames there are."""
    assert windows.clip.tolist() == [0, 0, 0, 1]
    assert windows.track.roots.shape == (4, 65, 3)
    np.testing.assert_allclose(windows.track.roots[:, :, [0, 2]].mean(axis=1), 0, atol=1e-12)


def test_bodies_face_the_same_way_in_the_last_known_frame(rig, windows):
    facing = rig.facing(windows.track.rotations[:, 9], windows.positions[:, 9])
    np.testing.assert_allclose(facing, np.pi / 2, atol=1e-9)


def test_known_and_missing_frames_make_up_the_window(windows):
    gaps = windows.gaps(15)
    truth = windows.missing(15)
    np.testing.assert_array_equal(gaps.roots[:, -1], windows.track.roots[:, 9])
    np.testing.assert_array_equal(truth.roots[:, 0], windows.track.roots[:, 10])
    np.testing.assert_array_equal(gaps.end_roots, windows.track.roots[:, 25])


def test_errors_by_hand(rig, windows):
    truth = windows.missing(5)
    spread = np.full((rig.n_joints, 3), 2.0)
    same = measure_errors(rig, truth, truth, spread).means()
    assert same == {"L2Q": 0.0, "L2P": 0.0, "NPSS": 0.0}
    moved = Track(truth.rotations, truth.roots + np.array([0.4, 0.0, 0.3]))
    # Every joint is half a metre off, in units of two metres.
    found = measure_errors(rig, truth, moved, spread).means()
    assert found["L2P"] == pytest.approx(0.25 * np.sqrt(rig.n_joints))
    assert found["L2Q"] == 0
    flipped = Track(-truth.rotations, truth.roots)
    found = measure_errors(rig, truth, flipped, spread).means()
    assert found["L2Q"] == pytest.approx(2 * np.sqrt(rig.n_joints))


def test_power_spectra_by_hand(rig):
    """One quaternion number that swings once instead of twice, beside ones that rest."""
    frames = np.arange(8)
    truth = np.zeros((1, 8, rig.n_joints, 4))
    found = truth.copy()
    truth[0, :, 0, 0] = np.cos(2 * np.pi * 2 * frames / 8)
    found[0, :, 0, 0] = np.cos(2 * np.pi * frames / 8)
    roots = np.zeros((1, 8, 3))
    errors = measure_errors(rig, Track(truth, roots), Track(found, roots), np.ones((1, 3)))
    # Half of the power is at -k: cumulative shares differ by 1/2 at one bin on each side.
    assert errors.means()["NPSS"] == pytest.approx(1.0)


def test_zero_velocity_is_worse_than_slerp(rig, windows):
    spread = position_spread(windows)
    for n in (15, 45):
        truth = windows.missing(n)
        straight, still = (
            measure_errors(rig, truth, fill(windows.gaps(n)), spread).means()
            for fill in (go_straight, hold_still)
        )
        assert straight["L2P"] < still["L2P"]


def test_published_rows_have_four_lengths():
    assert all(len(row) == 4 for errors in PUBLISHED.values() for row in errors.values())


def test_splits(tmp_path):
    names = ("walk_subject1", "walk_subject5", "run_subject2")
    assert make_splits(names, "lafan1") == [
        Split(("walk_subject1", "run_subject2"), ("walk_subject5",))
    ]
    assert len(make_splits(names)) == 3
    path = tmp_path / "split.yaml"
    path.write_text("train: [walk_*1]\ntest: ['run*']\n")
    assert make_splits(names, path) == [Split(("walk_subject1",), ("run_subject2",))]


@pytest.mark.parametrize("text", ["train: [a]", "[", "train: 1\ntest: 2", "train: [a]\ntest: [1]"])
def test_files_that_are_no_splits_are_refused(tmp_path, text):
    path = tmp_path / "split.yaml"
    path.write_text(text)
    with pytest.raises(FormatError, match="of patterns"):
        make_splits(("a", "b"), path)


def test_splits_that_make_no_sense_are_refused():
    for split in ((("a",), ("a",)), ((), ("a",)), (("a",), ())):
        with pytest.raises(InvalidInputError):
            Split(*split)
    with pytest.raises(InvalidInputError, match="two"):
        make_splits(("a",))
    with pytest.raises(InvalidInputError, match="subject5"):
        make_splits(("a", "b"), "lafan1")


def test_patterns_that_match_no_capture_are_named(tmp_path):
    path = tmp_path / "split.yaml"
    path.write_text("train: [a]\ntest: ['z*']\n")
    with pytest.raises(InvalidInputError, match=r"test \(z\*\).*a, b"):
        make_splits(("a", "b"), path)


def test_all_tables():
    clips = make_clip_set(
        [make_walker(150, phase=p, vary=0.3, name=f"walk_{p}") for p in (0, 1, 2)]
    )
    options = InbetweeningOptions(
        lengths=(5, 15),
        model=InbetweenOptions(lengths=(5, 15), samples=60, landmarks=60),
        feet=2,
        pieces=5,
        controls=1,
    )
    result = evaluate_inbetweening(clips, make_splits(clips.names)[:1], options)
    assert result.row("kernel", 15).means()["L2P"] < result.row("slerp", 15).means()["L2P"]
    low, high = result.ranges["kernel", 15, "L2P"]
    ratio = result.row("kernel", 15).means()["L2P"] / result.row("slerp", 15).means()["L2P"]
    assert low <= ratio <= high
    text = result.to_text()
    assert "two-stage transformer" in text
    assert "Ratio to slerp" in text
    met = {row.kind: row.largest for row in result.controls}
    assert met.keys() == {"key poses", "effectors", "way-points"}
    assert max(met["key poses"], met["way-points"]) < 1e-4
    assert '"L2Q"' in result.to_json()


def test_the_thesis_test_holds_every_capture_out_once():
    motions = [make_walker(150, phase=p, vary=0.3, name=f"walk_{p}") for p in range(4)]
    clips = make_clip_set(motions)
    options = InbetweenOptions(samples=60, landmarks=60)
    result = evaluate_thesis_on_all(clips, 2, options, each=3)
    leg = next(row for row in result.rows if row.segment == "right_leg")
    assert leg.captures == 4
    assert 4 <= leg.pieces <= 12
    # Everybody walks alike: who has seen the others knows better than a straight way.
    assert leg.distances[3] < leg.distances[0]
    assert leg.gains[2].p < 0.05
    assert "4 captures" in result.to_text()
    assert '"right_leg"' in result.to_json()
    with pytest.raises(InvalidInputError, match="5 parts"):
        evaluate_thesis_on_all(clips, 5, options)
