"""A folder as users have them: motions, and what is none."""

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in (
        "b.bvh",
        "a.BVH",
        "deep/c.amc",
        "deep/01.asf",
        "notes.txt",
        "deep/m.c3d",
        ".hidden.bvh",
    ):
        path = tmp_path / "clips" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    monkeypatch.chdir(tmp_path)
    return Path("clips")
