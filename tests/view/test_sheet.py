"""The contact sheet: a PNG in which every part of the motion is drawn in its colour and place."""

import numpy as np
import pytest
from matplotlib.image import imread

from motionloom.constraints.kinds.table import marks_of
from motionloom.errors import InvalidInputError
from motionloom.marker_motion import MarkerSequence
from motionloom.view import write_contact_sheet
from motionloom.view.figure import LEFT, MIDDLE, RIGHT, SIDE_COLORS, build_figure
from motionloom.view.ink import TARGET_COLOR, nice_step
from motionloom.view.poses import key_frames


def near(picture: np.ndarray, color: tuple[int, int, int]) -> np.ndarray:
    """Which dots have about this colour."""
    return np.abs(255 * picture[..., :3] - color).max(axis=-1) < 12


def picture_of(path) -> np.ndarray:
    picture = imread(path)
    assert picture.ndim == 3
    return picture


def test_limbs_and_targets_are_drawn_in_their_colours(tmp_path, walker, contacts, targets):
    write_contact_sheet(walker, tmp_path / "sheet.png", contacts=contacts, targets=targets)
    picture = picture_of(tmp_path / "sheet.png")
    assert picture.shape[:2] == (1485, 1870)
    for side in (LEFT, RIGHT, MIDDLE):
        assert near(picture, SIDE_COLORS[side]).mean() > 0.002
    assert near(picture, TARGET_COLOR).sum() > 300
    write_contact_sheet(walker, tmp_path / "bare.png")
    assert near(picture_of(tmp_path / "bare.png"), TARGET_COLOR).sum() == 0


def test_seen_from_the_front_the_left_is_on_the_right(tmp_path, walker):
    write_contact_sheet(walker, tmp_path / "sheet.png")
    strip = picture_of(tmp_path / "sheet.png")[880:1090]  # rows of the front view
    blue, orange = (near(strip, SIDE_COLORS[side]) for side in (LEFT, RIGHT))
    # Legs hang straight in the front view: the leftmost column of legs is orange, the rightmost
    # blue.
    legs = slice(120, 200)
    assert np.flatnonzero(orange[legs].any(axis=0))[0] < np.flatnonzero(blue[legs].any(axis=0))[0]
    assert np.flatnonzero(blue[legs].any(axis=0))[-1] > np.flatnonzero(orange[legs].any(axis=0))[-1]


def test_same_motion_same_bytes(tmp_path, walker):
    for name in ("a.png", "b.png"):
        write_contact_sheet(walker, tmp_path / name, notes=["skate 1.2 cm/s"])
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_every_motion_has_its_own_notes(tmp_path, walker):
    def draw(notes):
        write_contact_sheet([walker, walker], tmp_path / "two.png", notes=notes, dpi=40)
        return np.split(picture_of(tmp_path / "two.png"), 2)

    own = draw([["skate 1"], ["skate 2"]])
    first, second = draw(["skate 1"]), draw(["skate 2"])
    assert np.array_equal(own[0], first[0])
    assert np.array_equal(own[1], second[1])
    assert not np.array_equal(first[0], second[0])


def test_several_motions_stand_one_below_the_other(tmp_path, walker, make_walker, make_contacts):
    write_contact_sheet(
        [walker, make_walker(heading=2.0)],
        tmp_path / "two.png",
        contacts=make_contacts(walker),
        dpi=40,
    )
    picture = picture_of(tmp_path / "two.png")
    assert picture.shape[:2] == (2 * 540, 680)
    for half in (picture[:540], picture[540:]):
        assert near(half, SIDE_COLORS[LEFT]).sum() > 100
    with pytest.raises(InvalidInputError, match="at most 20"):
        write_contact_sheet([walker] * 21, tmp_path / "many.png")


@pytest.mark.parametrize("n_frames", [1, 2, 3])
def test_motions_of_few_frames(tmp_path, targets, n_frames, make_walker):
    write_contact_sheet(make_walker(n_frames), tmp_path / "short.png", targets=targets, dpi=40)
    assert near(picture_of(tmp_path / "short.png"), SIDE_COLORS[LEFT]).sum() > 30


def test_markers_with_gaps(tmp_path):
    rng = np.random.default_rng(3)
    positions = rng.normal(0, 0.3, (40, 12, 3)) + np.array([0, 1, 0])
    markers = MarkerSequence(
        tuple(f"M{i}" for i in range(12)), positions, rng.random((40, 12)) < 0.7, 0.01, name="cloud"
    )
    write_contact_sheet(markers, tmp_path / "markers.png")
    picture = picture_of(tmp_path / "markers.png")
    assert near(picture, SIDE_COLORS[MIDDLE]).sum() > 500
    assert near(picture, SIDE_COLORS[LEFT]).sum() == 0


def test_names_with_dollar_signs_are_text(tmp_path, make_walker):
    write_contact_sheet(make_walker(3, name="cost $5 $a_"), tmp_path / "dollar.png", dpi=40)


def test_matplotlib_keeps_its_global_state(tmp_path, walker):
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    write_contact_sheet(walker, tmp_path / "sheet.png", dpi=40)
    assert dict(mpl.rcParams) == before
    import sys

    assert (
        "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()
    )


def test_frames_of_targets_are_key_frames(walker, targets):
    frames = key_frames(build_figure(walker), marks_of(targets), shape=6.0)
    assert {0, 30, 60} <= set(frames)
    gaps = np.diff(frames)
    assert gaps.min() >= 0.5 * gaps.max() - 1


@pytest.mark.parametrize(("span", "step"), [(9.0, 1.0), (0.9, 0.1), (31.0, 5.0), (17.0, 2.0)])
def test_nice_steps(span, step):
    assert nice_step(span, 9) == pytest.approx(step)


REAL = ["cmu_bvh/16/16_15.bvh", "dog/D1_007_KAN01_001.bvh", "lafan1_60fps"]


@pytest.mark.parametrize("name", REAL)
def test_real_captures(shared_data, tmp_path, name):
    from motionloom.io.bvh import read_bvh

    source = shared_data / name
    motion = read_bvh(source if source.is_file() else min(source.glob("*.bvh")))
    write_contact_sheet(motion, tmp_path / "real.png", dpi=60)
    picture = picture_of(tmp_path / "real.png")
    assert min(near(picture, SIDE_COLORS[side]).sum() for side in (LEFT, RIGHT)) > 500
