"""What the studio's buttons write can be made: the client's tests keep these files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from studios import make_project

from motionloom.cli.main import main
from motionloom.io import save
from motionloom.performer import performer_clips

WRITTEN = sorted((Path(__file__).parent / "buttons").glob("*.json"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all clips of the performer."""
    folder = tmp_path_factory.mktemp("project")
    make_project(folder)
    for clip in performer_clips(0):
        save(clip.motion, folder / "clips" / f"{clip.motion.name}.bvh")
    return folder


@pytest.mark.parametrize("written", WRITTEN, ids=lambda path: path.stem)
def test_what_buttons_write_is_checked(written: Path, project: Path) -> None:
    shot = project / written.name
    shutil.copy(written, shot)
    assert main(["shot", "check", str(shot)]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("written", WRITTEN, ids=lambda path: path.stem)
def test_what_buttons_write_is_made(written: Path, project: Path, tmp_path: Path) -> None:
    shot = project / written.name
    shutil.copy(written, shot)
    assert main(["shot", str(shot), "-o", str(tmp_path / "out.glb")]) == 0
