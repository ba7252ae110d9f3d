"""Somebody is on the screen before anything is made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionloom.library import add_clips, create_library
from motionloom.posed_motion import pose_motion
from motionloom.shot.script.reading import ShotFile, parse_shot
from motionloom.studio._early import captured_motions

TEXT = """\
shot: 1
library: {library}
cast:
  anna: {{start: {{position: [2, -1], facing: 90}}}}
  ben: {{}}
tracks:
  anna: [{{do: idle, for: 2}}]
  ben: [{{do: idle, for: 2}}]
"""


@pytest.fixture
def library(shot: Path) -> Path:
    folder = shot.parent / "moves"
    create_library(folder)
    add_clips(folder, sorted((shot.parent / "clips").iterdir()))
    return folder


def test_a_walk_is_shown_from_where_each_begins(shot: Path) -> None:
    shown = {who: motion for who, motion, _ in captured_motions(_file(shot, "clips"))}
    assert [motion.name for motion in shown.values()] == ["walk_1.1"] * 2
    body = pose_motion(shown["anna"]).body[0]
    assert body == pytest.approx([2.0, -1.0, np.pi / 2], abs=1e-4)
    assert pose_motion(shown["ben"]).body[0] == pytest.approx([0, 0, 0], abs=1e-4)


def test_the_walk_goes_to_the_first_goal_and_no_farther(shot: Path) -> None:
    text = TEXT.replace("anna: [{{do: idle, for: 2}}]", "anna: [{{do: walk, to: [1, -2], by: 4}}]")
    file = parse_shot(text.format(library="clips"), shot)
    body = pose_motion(next(m for who, m, _ in captured_motions(file) if who == "anna")).body
    assert body[0] == pytest.approx([2.0, -1.0, np.radians(-135)], abs=1e-4)
    assert body[-1, :2] == pytest.approx([1.0, -2.0], abs=0.15)


def test_clips_of_a_library_are_shown(shot: Path, library: Path) -> None:
    shown = [motion for _, motion, _ in captured_motions(_file(shot, library.name))]
    assert [motion.name for motion in shown] == ["walk_1.1"] * 2


def test_a_clip_that_cannot_be_read_is_left_to_who_reads_all(shot: Path) -> None:
    (shot.parent / "clips" / "walk_1.1.bvh").write_text("nonsense")
    assert list(captured_motions(_file(shot, "clips"))) == []


def _file(shot: Path, library: str) -> ShotFile:
    return parse_shot(TEXT.format(library=library), shot)
