"""A studio for each test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from studios import Studio, Window, make_project, open_studio


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shot and clips, not to be changed."""
    return make_project(tmp_path_factory.mktemp("project") / "own").parent


@pytest.fixture
def shot(project: Path, tmp_path: Path) -> Path:
    """A shot of one's own."""
    return Path(shutil.copytree(project, tmp_path / "own")) / "shot.yaml"


@pytest.fixture
def studio(shot: Path) -> Iterator[Studio]:
    """A studio whose browser has shown the token."""
    with open_studio(shot) as studio:
        studio.log_in()
        yield studio


@pytest.fixture
def window(studio: Studio) -> Iterator[Window]:
    """A window that writes, and has been greeted."""
    with studio.window() as window:
        window.greet()
        yield window
