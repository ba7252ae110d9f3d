"""Links that are kept from one start of a studio to the next."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from studios import make_project

from motionloom.io.owned import real_path
from motionloom.studio import run
from motionloom.studio.run import FILE, Link, StudioOptions, keep_link, read_link, run_studio

LINK = Link("/x/shot.yaml", 4567, "token-of-the-tests-0123456789")


def test_a_link_is_read_as_it_was_kept_and_by_nobody_else(tmp_path: Path) -> None:
    keep_link(tmp_path, LINK)
    assert read_link(tmp_path, Path(LINK.shot)) == LINK
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert read_link(tmp_path, Path("/y/shot.yaml")) is None
    os.chmod(tmp_path / FILE, 0o644)
    assert read_link(tmp_path, Path(LINK.shot)) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"shot": 1, "port": "x", "token": 2}', "\x00"])
def test_what_is_no_link_counts_as_none(tmp_path: Path, text: str) -> None:
    keep_link(tmp_path, LINK)
    (tmp_path / FILE).write_text(text)
    assert read_link(tmp_path, Path(LINK.shot)) is None


def test_a_link_elsewhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    keep_link(tmp_path, LINK)
    (tmp_path / "own" / FILE).symlink_to(tmp_path / FILE)
    assert read_link(tmp_path / "own", Path(LINK.shot)) is None


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Gates of studios that end at once."""
    seen: list[Any] = []

    def serve(session: Any, gate: Any, listening: socket.socket, begun: Any) -> None:
        seen.append(gate)
        listening.close()

    monkeypatch.setattr(run, "_serve", serve)
    return seen


def test_a_studio_comes_back_where_it_was(tmp_path: Path, gates: list[Any]) -> None:
    shot = make_project(tmp_path)
    told: list[str] = []
    for _ in range(2):
        run_studio(shot, StudioOptions(browser=False), told.append)
    assert (gates[0].port, gates[0].cookie) == (gates[1].port, gates[1].cookie)
    run_studio(shot, StudioOptions(token="another-token-0123456789", browser=False), told.append)
    assert gates[2].token == "another-token-0123456789"
    with socket.create_server(("127.0.0.1", gates[0].port)):
        run_studio(shot, StudioOptions(browser=False), told.append)
    assert gates[3].port != gates[0].port
    assert any("is taken" in line for line in told)
    link = read_link(shot.with_name("shot.studio"), real_path(shot))
    assert link == Link(str(real_path(shot)), gates[3].port, "another-token-0123456789")
