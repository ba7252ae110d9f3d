"""One browser and one studio for the tests of a file; every test begins with a shot of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from motionloom.io import save
from motionloom.performer import performer_clips
from studio.browser import pages

TEXT = """\
shot: 1
fps: 30
seed: 3
library: clips
marks:
  door: {position: [1.2, 2.0], facing: 90}
  handle: {point: [1.6, 1.1, 2.0]}
cast:
  anna: {clips: [stand, walk_1.1, walk_1.6, curve_left, turn_left_90]}  # sooner learned
tracks:
  anna:
    - {id: go, do: walk, to: door, by: 4.0}
    - {id: wait, do: idle, for: 3.0}
    - {id: hand, do: reach, joint: right_hand, target: handle, at: wait.start+1.5, hold: 0.5}
"""


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Clips of the built-in performer."""
    folder: Path = tmp_path_factory.mktemp("performer")
    for clip in performer_clips(0):
        save(clip.motion, folder / f"{clip.motion.name}.bvh")
    return folder


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser."""
    reason = pages.why_not()
    if reason:
        pytest.skip(reason)
    with pages.browser() as one:
        yield one


@pytest.fixture(scope="module")
def server(
    chromium: Any, clips: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[pages.Server]:
    """A studio."""
    with pages.studio(tmp_path_factory.mktemp("shot"), TEXT, clips) as one:
        first = pages.Page.open(chromium, one)
        first.pause()
        first.settle(pages.LEARNING)
        first.page.close()
        yield one


@pytest.fixture
def page(chromium: Any, server: pages.Server) -> Iterator[pages.Page]:
    """A page of it, everything undone that a test before has done."""
    one = pages.Page.open(chromium, server)
    one.pause()
    one.save()
    while one.state()["canUndo"]:
        rev = one.state()["rev"]
        one.press("Control+z")
        one.wait(f"motionloom.state().rev > {rev}")
    one.save()
    yield one
    assert one.errors == []
    one.page.close()
