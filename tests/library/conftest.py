"""Walks in BVH files, and a library of them."""

from pathlib import Path

import pytest

from motionloom.io.registry import save
from motionloom.library import add_clips, create_library
from walkers import make_walker

N_WALKS = 4


@pytest.fixture
def walks(tmp_path: Path) -> list[Path]:
    """Four short walks."""
    folder = tmp_path / "walks"
    folder.mkdir()
    files = [folder / f"walk_{i}.bvh" for i in range(N_WALKS)]
    for i, file in enumerate(files):
        save(make_walker(40 + 5 * i, bend=0.3 * i, phase=0.5 * i), file)
    return files


@pytest.fixture
def library(tmp_path: Path, walks: list[Path]) -> Path:
    """A library of them."""
    folder = tmp_path / "library"
    create_library(folder)
    add_clips(folder, walks)
    return folder
