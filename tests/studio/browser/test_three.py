"""Three characters at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio.browser import pages

pytestmark = pytest.mark.slow
TEXT = """\
shot: 1
fps: 30
library: clips
cast:
  anna: {}
  ben: {start: {position: [1.5, 0], facing: 0}}
  cleo: {start: {position: [-1.5, 0], facing: 0}}
tracks:
  anna: [{id: go, do: walk, to: [0, 2], by: 3.0}]
  ben: [{id: stay, do: clip, clip: stand, to: 3.0}]
  cleo: [{id: stay, do: clip, clip: stand, to: 3.0}]
"""


def test_three_characters_play_and_are_chosen(chromium: Any, clips: Path, tmp_path: Path) -> None:
    with pages.studio(tmp_path, TEXT, clips) as server:
        page = pages.Page.open(chromium, server)
        page.settle(pages.LEARNING)
        page.pause()
        for who in ("anna", "ben", "cleo"):
            assert page.joint(who, "head")[1] > 1.2
        page.page.get_by_role("tab", name="ben").click()
        assert page.state()["who"] == "ben"
        page.drag(page.handle("place/cast/cleo/start"), (-30, 0))
        page.save()
        assert page.state()["who"] == "cleo"
        assert page.state()["doc"]["cast"]["cleo"]["start"]["position"] != [-1.5, 0]
        assert page.errors == []
