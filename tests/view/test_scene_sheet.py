"""Sheets of several characters."""

import numpy as np

from motionloom.motion import GroundTransform
from motionloom.performer import performer_clips
from motionloom.view.figure import build_figures
from motionloom.view.scene_sheet import _boxes


def test_all_moments_are_drawn_at_one_scale_and_hold_everybody():
    walk = next(clip.motion for clip in performer_clips() if clip.motion.name == "walk_1.6")
    away = walk.transformed(GroundTransform(np.pi, 0.5, 5.0))
    figures = build_figures([walk, away])
    boxes = _boxes(figures, [0, walk.n_frames // 2, walk.n_frames - 1])
    sizes = np.array([high - low for low, high in boxes])
    np.testing.assert_allclose(sizes, sizes[:1].repeat(3, axis=0))
    gaps = [
        np.linalg.norm(np.subtract(*(figure.body[frame, :2] for figure in figures)))
        for frame in (0, walk.n_frames - 1)
    ]
    assert sizes[0, 0] >= max(gaps)
