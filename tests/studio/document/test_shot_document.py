"""Undo, the journal and the file on disk: nothing is lost, and nothing of others is overwritten."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from motionloom.errors import InvalidInputError
from motionloom.shot.script.reading import read_shot
from motionloom.studio._document.changes import ConflictError, Op
from motionloom.studio._document.files import Journal
from motionloom.studio._document.shot_document import FROM_DISK, ShotDocument

TEXT = """\
# A walk to a door.
shot: 1
fps: 30
library: clips   # ours
marks:
  door: {position: [1.5, 2.5], facing: 90}   # the door
cast:
  anna: {}
tracks:
  anna:
    # first she goes
    - {id: go, do: walk, to: door, by: 5.0}
    - {id: wait, do: idle, for: 3.0}
"""


def opened(folder: Path) -> ShotDocument:
    path = folder / "shot.yaml"
    if not path.exists():
        path.write_text(TEXT)
    return ShotDocument(path, Journal(folder / "journal.jsonl"))


def move_door(document: ShotDocument, x: float, **more: Any) -> None:
    old = document.value["marks"]["door"]["position"][0] if "old" not in more else more.pop("old")
    document.edit(document.rev, [Op("set", ("marks", "door", "position", 0), x, old)], **more)


def test_an_edit_keeps_comments_and_is_saved(tmp_path: Path) -> None:
    document = opened(tmp_path)
    move_door(document, 2.0, label="move door")
    text = document.path.read_text()
    assert "[2.0, 2.5], facing: 90}   # the door" in text
    assert text.splitlines()[0] == "# A walk to a door."
    assert "    # first she goes" in text
    assert read_shot(document.path).shot.marks["door"].position == (2.0, 2.5)
    assert document.history.undo_label == "move door"


def test_two_hundred_edits_undone_and_done_again(tmp_path: Path) -> None:
    document = opened(tmp_path)
    rng = random.Random(4)
    texts = [document.text]
    for i in range(200):
        kind = rng.choice(["mark", "insert", "remove", "seed"])
        spans = document.value["tracks"]["anna"]
        if kind == "mark":
            move_door(document, round(rng.uniform(0, 3), 3))
        elif kind == "insert" or len(spans) < 2:
            at = rng.randint(0, len(spans))
            new = {"do": "idle", "for": round(rng.uniform(1, 2), 2), "id": f"i{i}"}
            document.edit(document.rev, [Op("insert", ("tracks", "anna", at), new)])
        elif kind == "remove":
            at = rng.randrange(len(spans))
            document.edit(document.rev, [Op("remove", ("tracks", "anna", at), old=spans[at])])
        else:
            old = document.value.get("seed")
            document.edit(document.rev, [Op("set", ("seed",), i + 1, old)])
        texts.append(document.text)
        while rng.random() < 0.2 and len(texts) > 1:
            assert document.move(-1)
            texts.pop()
            assert document.path.read_text() == texts[-1]
    assert len(texts) > 100
    for text in reversed(texts[:-1]):
        assert document.move(-1)
        assert document.path.read_text() == text
    assert document.path.read_text() == TEXT
    assert not document.move(-1)
    for text in texts[1:]:
        assert document.move(1)
        assert document.path.read_text() == text


def test_a_drag_is_one_edit(tmp_path: Path) -> None:
    document = opened(tmp_path)
    for i in range(20):
        move_door(document, 1.5 + i / 10, old=1.5, drag="d1", transient=True)
        assert document.value["marks"]["door"]["position"][0] == 1.5 + i / 10
    assert document.path.read_text() == TEXT
    assert document.file is not None
    assert document.file.shot.marks["door"].position == (3.4, 2.5)
    move_door(document, 3.5, old=1.5, drag="d1", label="drag")
    assert document.move(-1)
    assert document.path.read_text() == TEXT
    assert not document.move(-1)


def test_a_drag_is_left(tmp_path: Path) -> None:
    document = opened(tmp_path)
    move_door(document, 3.0, drag="d1", transient=True)
    document.cancel("another")
    assert document.value["marks"]["door"]["position"][0] == 3.0
    document.cancel("d1")
    assert document.value["marks"]["door"]["position"][0] == 1.5
    assert document.history.undo_label is None


def test_an_invalid_edit_keeps_the_last_valid_shot(tmp_path: Path) -> None:
    document = opened(tmp_path)
    document.edit(document.rev, [Op("set", ("tracks", "anna", 0, "by"), "soonish!", 5.0)])
    (problem,) = document.problems
    assert problem.line == 12
    assert problem.path == ("tracks", "anna", 0, "by")
    assert "expected" in problem.message
    assert document.file is not None
    assert document.file.shot.tracks["anna"][0].by == 5.0
    document.move(-1)
    assert document.problems == ()


def test_conflicts_are_refused(tmp_path: Path) -> None:
    document = opened(tmp_path)
    with pytest.raises(ConflictError):
        move_door(document, 2.0, old=1.0)
    seen = document.rev
    move_door(document, 2.0)
    move_door(document, 2.5)
    document.edit(seen, [Op("set", ("seed",), 3)])
    document.move(-1)
    with pytest.raises(ConflictError):
        document.edit(seen, [Op("set", ("seed",), 3)])
    with pytest.raises(ConflictError):
        document.edit(document.rev + 7, [Op("set", ("seed",), 3)])


@pytest.mark.parametrize(
    "name", ["/etc", "../other", "~/clips", "a/../../b", "\0", "link", "C:/../x", "..\\..\\x/.."]
)
def test_files_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "link").symlink_to("/etc")
    document = opened(folder)
    with pytest.raises(InvalidInputError, match="not in the folder"):
        document.edit(document.rev, [Op("set", ("library",), name, "clips")])
    member = {"skeleton": name}
    with pytest.raises(InvalidInputError, match="not in the folder"):
        document.edit(document.rev, [Op("set", ("cast", "anna"), member, {})], transient=True)
    document.edit(document.rev, [Op("set", ("library",), "takes/new", "clips")])


def test_what_another_program_wrote_is_taken_over(tmp_path: Path) -> None:
    document = opened(tmp_path)
    move_door(document, 2.0)
    other = TEXT.replace("fps: 30", "fps: 60")
    document.path.write_text(other)
    seen = document.rev
    with pytest.raises(ConflictError):
        document.edit(seen, [Op("set", ("marks", "door", "position", 0), 3.0, 2.0)])
    assert document.path.read_text() == other
    assert document.history.undo_label == FROM_DISK
    assert document.value["fps"] == 60
    document.move(-1)
    assert "position: [2.0, 2.5]" in document.path.read_text()


@pytest.mark.parametrize("text", ["shot: [", "", "just words", "a: &x 1\nb: *x"])
def test_what_cannot_be_read_is_not_overwritten(tmp_path: Path, text: str) -> None:
    document = opened(tmp_path)
    document.path.write_text(text)
    with pytest.raises(InvalidInputError, match="changed by another program"):
        move_door(document, 3.0)
    assert document.path.read_text() == text
    assert "cannot be read" in document.problems[0].message
    assert document.move(-1)
    assert document.path.read_text() == TEXT
    assert document.problems == ()


def test_a_new_process_can_undo_and_redo(tmp_path: Path) -> None:
    document = opened(tmp_path)
    for x in (2.0, 2.5, 3.0):
        move_door(document, x, label=f"to {x}")
    document.move(-1)
    text = document.text
    again = opened(tmp_path)
    assert again.text == text
    assert again.history.undo_label == "to 2.5"
    assert again.history.redo_label == "to 3.0"
    assert again.move(1)
    assert again.value["marks"]["door"]["position"][0] == 3.0
    third = opened(tmp_path)
    while third.move(-1):
        pass
    assert third.path.read_text() == TEXT


def test_an_edit_that_was_noted_but_not_written_is_written(tmp_path: Path) -> None:
    document = opened(tmp_path)
    move_door(document, 2.0)
    text = document.text
    os.utime(document.path, ns=(0, 0))
    document.path.write_text(TEXT)
    os.utime(document.path, ns=(1, 1))
    assert opened(tmp_path).text == text
    assert document.path.read_text() == text


def test_a_file_edited_between_two_runs_is_taken_and_can_be_undone(tmp_path: Path) -> None:
    document = opened(tmp_path)
    move_door(document, 2.0)
    document.path.write_text(TEXT)
    again = opened(tmp_path)
    assert again.text == TEXT
    assert again.history.undo_label == FROM_DISK
    again.move(-1)
    assert "position: [2.0, 2.5]" in again.path.read_text()


def test_a_journal_cut_short_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    document = opened(tmp_path)
    move_door(document, 2.0, label="first")
    move_door(document, 3.0, label="second")
    journal = tmp_path / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    again = opened(tmp_path)
    assert "[3.0, 2.5]" in again.path.read_text()
    again.move(-1)
    assert again.history.undo_label == "first"


def test_a_journal_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text("my diary\n")
    with pytest.raises(InvalidInputError, match="move it elsewhere"):
        opened(tmp_path)
    assert (tmp_path / "journal.jsonl").read_text() == "my diary\n"


def test_line_ends_stay(tmp_path: Path) -> None:
    (tmp_path / "shot.yaml").write_bytes(TEXT.replace("\n", "\r\n").encode())
    document = opened(tmp_path)
    move_door(document, 2.0)
    raw = document.path.read_bytes()
    assert raw.count(b"\r\n") == raw.count(b"\n") == TEXT.count("\n")


def test_json_stays_json(tmp_path: Path) -> None:
    path = tmp_path / "shot.json"
    path.write_text(
        '{"shot": 1, "library": "clips", "cast": {"anna": {}},'
        ' "tracks": {"anna": [{"do": "idle", "for": 2}]}}'
    )
    document = ShotDocument(path, Journal(tmp_path / "journal"))
    document.edit(document.rev, [Op("set", ("tracks", "anna", 0, "for"), 3.5, 2)])
    assert path.read_text().startswith('{\n  "shot": 1')
    assert read_shot(path).shot.tracks["anna"][0].seconds == 3.5


def test_a_full_disk_is_told_and_all_is_saved_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = opened(tmp_path)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("motionloom.studio._document.files.write_file", full)
        patch.setattr("motionloom.studio._document.files.os.fsync", full)
        for x in (2.0, 2.5):
            move_door(document, x, label=f"to {x}")
            document.save()
            assert not document.saved
            (problem,) = document.problems
            assert problem.message.startswith("cannot be saved")
            assert problem.message.endswith("No space left on device")
            assert document.is_valid
    assert document.path.read_text() == TEXT
    document.save()
    assert document.saved
    assert document.problems == ()
    again = opened(tmp_path)
    assert "[2.5, 2.5]" in again.path.read_text()
    assert again.history.undo_label == "to 2.5"
    assert again.move(-1)
    assert "[2.0, 2.5]" in again.path.read_text()
