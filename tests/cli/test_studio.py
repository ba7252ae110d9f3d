"""``motionloom studio``, up to where it serves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from motionloom.cli.main import main
from motionloom.io import save
from motionloom.performer import performer_clips
from motionloom.shot.script.reading import read_shot


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What would be served: sessions and their gates."""
    found: list[Any] = []

    def serve(session: Any, gate: Any, listening: Any, begun: Any) -> None:
        listening.close()
        found.append((session, gate, begun))

    monkeypatch.setattr("motionloom.studio.run._serve", serve)
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the user is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_clips(place: Path) -> None:
    place.mkdir(parents=True)
    for clip in performer_clips():
        if clip.motion.name in ("stand", "walk_1.1"):
            save(clip.motion, place / f"{clip.motion.name}.bvh")


def test_a_first_visit_makes_a_shot_on_the_performers_clips(
    folder: Path, served: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["studio"]) == 0
    said = capsys.readouterr().err
    assert "made shot.yaml" in said
    assert "studio: http://127.0.0.1:" in said
    shot = read_shot(folder / "shot.yaml").shot
    assert shot.library == "clips"
    assert len(list((folder / "clips").glob("*.bvh"))) == 24
    ((session, gate, begun),) = served
    assert session.document.path.name == "shot.yaml"
    assert gate.token in said
    assert begun is not None
    text = (folder / "shot.yaml").read_text()
    assert main(["studio", "--no-browser"]) == 0
    assert "opening shot.yaml, which is here" in capsys.readouterr().err
    assert (folder / "shot.yaml").read_text() == text
    assert served[1][2] is None


def test_clips_that_are_there_are_taken(folder: Path, served: list[Any]) -> None:
    write_clips(folder / "clips")
    assert main(["studio", "first.yaml"]) == 0
    assert read_shot(folder / "first.yaml").shot.library == "clips"
    assert len(list((folder / "clips").iterdir())) == 2


def test_a_folder_of_that_name_with_other_things_is_left(folder: Path, served: list[Any]) -> None:
    (folder / "clips").mkdir()
    (folder / "clips" / "song.mp3").write_text("la")
    assert main(["studio"]) == 0
    assert read_shot(folder / "shot.yaml").shot.library == "clips-2"
    assert [p.name for p in (folder / "clips").iterdir()] == ["song.mp3"]


def test_a_first_shot_on_own_clips(folder: Path, served: list[Any]) -> None:
    write_clips(folder / "takes" / "monday")
    assert main(["studio", "--library", "takes/monday"]) == 0
    assert read_shot(folder / "shot.yaml").shot.library == "takes/monday"
    assert not (folder / "clips").exists()
    (folder / "elsewhere").mkdir()
    assert main(["studio", "elsewhere/a.yaml", "--library", "takes/monday"]) == 0
    assert read_shot(folder / "elsewhere" / "a.yaml").shot.library == "../takes/monday"


def test_a_first_shot_of_a_body_without_hands(
    folder: Path, served: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    write_clips(folder / "takes")
    for path in (folder / "takes").iterdir():
        path.write_text(path.read_text().replace("RightArm", "Wing").replace("RightHand", "Tip"))
    assert main(["studio", "--library", "takes"]) == 0
    assert "has no reaching" in capsys.readouterr().err
    spans = read_shot(folder / "shot.yaml").shot.tracks["anna"]
    assert [span.do for span in spans] == ["walk", "idle", "walk"]


def test_a_new_shot_never_takes_the_place_of_another(folder: Path, served: list[Any]) -> None:
    write_clips(folder / "takes")
    (folder / "shot.yaml").write_text("mine")
    assert main(["studio", "--library", "takes"]) == 0
    assert (folder / "shot.yaml").read_text() == "mine"
    assert read_shot(folder / "shot-2.yaml").shot.library == "takes"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["mine.yaml", "--library", "takes"], "says itself where its clips are"),
        (["broken.yaml"], "not valid YAML"),
        (["takes"], "this is a folder"),
        (["new.txt"], "a shot is a YAML file"),
        (["--library", "nowhere*"], "no motion file"),
        (["--library", "empty"], "no motion file"),
        (["mine.yaml", "--token", "short"], "16 to 200"),
        (["mine.yaml", "--token", "with spaces and so on"], "16 to 200"),
        (["mine.yaml", "--host", "not an address"], "cannot listen"),
        (["mine.yaml", "--port", "70000"], "65535"),
    ],
)
def test_wrong_input_is_one_sentence(
    folder: Path,
    served: list[Any],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    write_clips(folder / "takes")
    (folder / "empty").mkdir()
    (folder / "mine.yaml").write_text("shot: 1\n")
    (folder / "broken.yaml").write_text("shot: [\n")
    before = {path for path in folder.rglob("*") if path.suffix != ".studio"}
    assert main(["studio", *arguments]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
    after = {p for p in folder.rglob("*") if ".studio" not in str(p.relative_to(folder))}
    assert after == before
    assert not served


def test_a_port_that_is_taken_is_told(
    folder: Path, served: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    import socket

    write_clips(folder / "clips")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["studio", "--port", str(port)]) == 2
    assert "choose another port" in capsys.readouterr().err


def test_other_machines_are_warned_of(
    folder: Path, served: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    write_clips(folder / "clips")
    assert main(["studio", "--host", "0.0.0.0", "--no-browser"]) == 0
    assert "warning: 0.0.0.0 can be reached from other machines" in capsys.readouterr().err
    assert main(["studio", "--no-browser"]) == 0
    assert "warning" not in capsys.readouterr().err


def test_without_its_packages_one_sentence_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "motionloom.studio.run", raising=False)
    assert main(["studio"]) == 2
    said = capsys.readouterr().err
    assert "pip install 'motionloom[studio]'" in said
    assert said.count("\n") == 1
    assert list(folder.iterdir()) == []


def test_a_link_stays_a_link(folder: Path, served: list[Any]) -> None:
    write_clips(folder / "clips")
    (folder / "real").mkdir()
    (folder / "real" / "shot.yaml").write_text("shot: 1\nlibrary: ../clips\n")
    (folder / "shot.yaml").symlink_to("real/shot.yaml")
    assert main(["studio", "shot.yaml"]) == 0
    assert served[0][0].document.path == (folder / "real" / "shot.yaml").resolve()
