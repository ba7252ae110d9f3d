"""Sheets of several characters."""

import numpy as np
import pytest

from motionloom.motion import GroundTransform
from motionloom.performer import performer_clips
from motionloom.scene.check import PairOverlap
from motionloom.view.figure import build_figures
from motionloom.view.scene_sheet import Moment, _box, _Picture, _pictures
from motionloom.workspace.outputs import moments_of

NAMES = ("anna", "ben", "cleo")


@pytest.fixture(scope="module")
def figures():
    """Two who walk towards each other from afar, and one who is far from both."""
    walk = next(clip.motion for clip in performer_clips() if clip.motion.name == "walk_1.6")
    towards = walk.transformed(GroundTransform(np.pi, 0.5, 5.0))
    return build_figures([walk, towards, walk.transformed(GroundTransform(0.0, 0.0, 20.0))])


def test_a_picture_is_filled_by_whom_it_is_about(figures):
    middle = figures[0].n_frames // 2
    sizes = []
    for seen in ((0, 1), (0, 1, 2)):
        low, high = _box(figures, _Picture(middle, seen))
        sizes.append(high - low)
    gap = np.linalg.norm(figures[0].body[middle, :2] - figures[1].body[middle, :2])
    assert gap < sizes[0][0] < gap + 2.5
    assert sizes[1][0] > 10


def test_each_picture_is_as_large_as_its_frame_permits(figures):
    far, near = (_box(figures, _Picture(frame, (0, 1))) for frame in (0, figures[0].n_frames // 2))
    assert np.ptp(near, axis=0)[0] < np.ptp(far, axis=0)[0]


def test_where_two_are_deepest_or_nearest_is_shown_and_named(figures):
    overlaps = [
        PairOverlap(("anna", "cleo"), 0.0, 0.0, 0.0, ("", "")),
        PairOverlap(("anna", "ben"), 0.0, 1.0, 0.0, ("hand", "hand")),
        PairOverlap(("ben", "cleo"), 12.0, 0.5, 0.1, ("arm", "arm")),
    ]
    moments = moments_of([], overlaps)
    assert moments == [
        Moment(0.5, ("ben", "cleo"), "deepest, 12 mm"),
        Moment(1.0, ("anna", "ben"), "nearest"),
    ]
    pictures = _pictures(figures[0], [*moments, Moment(1.0)], NAMES)
    frames = [one.frame for one in pictures]
    assert frames == sorted(frames)
    assert len(frames) == 10
    told = {one.frame: (one.seen, one.caption) for one in pictures if one.caption}
    assert told == {
        figures[0].frame_at(0.5): ((1, 2), "deepest, 12 mm"),
        figures[0].frame_at(1.0): ((0, 1), "nearest, event"),
    }
