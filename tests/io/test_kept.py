"""Results kept on disk: only what motionloom wrote is read, replaced or removed."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest
from numpy.typing import NDArray

from motionloom import code_version as version
from motionloom.declared import Range, Shape
from motionloom.errors import InvalidInputError
from motionloom.io import kept as module
from motionloom.io.files import write_file
from motionloom.io.kept import KeptFolder


@dataclass(frozen=True, eq=False)
class Three:
    """Three small numbers."""

    x: Annotated[NDArray[np.float64], Shape(3), Range(0, 9)]


@dataclass(frozen=True, eq=False)
class AnyThree:
    """Three numbers."""

    x: Annotated[NDArray[np.float64], Shape(3)]


@pytest.fixture
def said():
    return []


@pytest.fixture
def kept(tmp_path, said):
    return KeptFolder(tmp_path / "kept", tell=said.append)


def load(kept, key="a"):
    found = kept.load(key, Three)
    return None if found is None else found.x


def keep(kept, key="a", values=(1.0, 2.0, 3.0)):
    kept.save(key, Three(np.array(values)), Three)


def test_what_was_kept_is_read(kept, said):
    assert load(kept) is None
    keep(kept)
    np.testing.assert_array_equal(load(kept), [1.0, 2.0, 3.0])
    assert not said


def test_what_other_code_kept_is_not_used_and_is_replaced(kept, said, monkeypatch):
    monkeypatch.setattr(module, "code_version", lambda: "older")
    keep(kept, values=(0.0, 0.0, 0.0))
    monkeypatch.undo()
    assert load(kept) is None
    keep(kept)
    assert load(kept)[0] == 1.0
    assert not said


def test_the_version_changes_with_every_source(tmp_path):
    found = set()
    for name, text in (("a.py", "x = 1"), ("a.py", "x = 2"), ("in/b.py", ""), ("c.txt", "")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        found.add(version.code_version.__wrapped__(tmp_path))
    assert len(found) == 3


@pytest.mark.parametrize("damage", ["cut", "byte", "empty content", "other arrays"])
def test_what_is_damaged_is_said_and_made_again(kept, said, damage):
    keep(kept)
    path = kept.path / "a.kept"
    content = path.read_bytes()
    if damage == "cut":
        content = content[:-40]
    elif damage == "byte":
        content = content[:-200] + bytes([content[-200] ^ 1]) + content[-199:]
    elif damage == "empty content":
        content = content[: content.index(b"\n") + 1]
    path.write_bytes(content)
    if damage == "other arrays":
        kept.save("a", Three(np.full(3, 99.0)), AnyThree)
    assert load(kept) is None
    assert len(said) == 1
    assert "a.kept: is damaged (" in said[0]
    assert "made again" in said[0]
    keep(kept)
    assert load(kept)[0] == 1.0


def put_file(path, outside):
    path.write_bytes(b"mine")


def put_empty(path, outside):
    path.write_bytes(b"")


def put_folder(path, outside):
    path.mkdir()


def put_link(path, outside):
    path.symlink_to(outside)


def put_loop(path, outside):
    path.symlink_to(path)


def put_copy(path, outside):
    """Somebody has put aside what was kept under another name."""
    shutil.copy(path.with_name("b.kept"), path)


@pytest.mark.parametrize("put", [put_file, put_empty, put_folder, put_link, put_loop, put_copy])
def test_what_others_put_in_the_place_stays(kept, said, tmp_path, put):
    keep(kept, "b")
    outside = tmp_path / "outside"
    shutil.copy(kept.path / "b.kept", outside)
    put(kept.path / "a.kept", outside)
    before = state_of(tmp_path)
    assert load(kept) is None
    keep(kept)
    KeptFolder(kept.path, most=1).save("c", AnyThree(np.zeros(3)), AnyThree)
    assert load(kept) is None
    after = state_of(tmp_path)
    del after["kept/c.kept"]
    after["kept/b.kept"] = before["kept/b.kept"]
    assert after == before
    assert said
    assert all(str(kept.path / "a.kept") in line for line in said)


def state_of(root):
    return {
        os.path.relpath(path, root): os.readlink(path)
        if path.is_symlink()
        else hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "folder"
        for path in root.rglob("*")
    }


def test_the_least_recently_used_goes_first_and_nothing_of_others(tmp_path, said):
    kept = KeptFolder(tmp_path, most=5000, tell=said.append)
    (tmp_path / "notes.kept").write_bytes(bytes(5000))
    outside = tmp_path.with_name("outside.kept")
    outside.write_bytes(b"precious")
    (tmp_path / "link.kept").symlink_to(outside)
    for i, key in enumerate("abc"):
        kept.save_bytes(key, bytes(700))
        os.utime(tmp_path / f"{key}.kept", (i, i))
    os.utime(tmp_path / "notes.kept", (0, 0))
    assert kept.load_bytes("a") is not None
    kept = KeptFolder(tmp_path, most=3000, tell=said.append)
    kept.save_bytes("d", bytes(700))
    left = sorted(path.stem for path in tmp_path.glob("*.kept"))
    assert left == ["a", "c", "d", "link", "notes"]
    assert outside.read_bytes() == b"precious"
    assert not said


def test_the_newest_stays_however_large(tmp_path):
    kept = KeptFolder(tmp_path, most=10)
    kept.save_bytes("a", bytes(700))
    kept.save_bytes("b", bytes(700))
    assert [path.stem for path in tmp_path.glob("*.kept")] == ["b"]


def test_a_folder_of_ours_goes_with_what_is_in_it_and_one_of_others_stays(tmp_path):
    ours, theirs, shared = (KeptFolder(tmp_path / name) for name in ("ours", "theirs", "shared"))
    theirs.path.mkdir()
    for one in (ours, theirs, shared):
        keep(one)
    (shared.path / "notes.txt").write_text("mine")
    for one in (ours, theirs, shared):
        one.clear()
    assert not ours.path.exists()
    assert not list(theirs.path.iterdir())
    assert {path.name for path in shared.path.iterdir()} == {"notes.txt", "CACHEDIR.TAG"}


def test_links_to_folders_are_refused_and_not_followed(tmp_path, said):
    real = KeptFolder(tmp_path / "real")
    keep(real)
    (tmp_path / "link").symlink_to(real.path)
    linked = KeptFolder(tmp_path / "link", tell=said.append)
    with pytest.raises(InvalidInputError, match="this is a link"):
        linked.check()
    before = state_of(tmp_path)
    assert load(linked) is None
    keep(linked, "b")
    linked.clear()
    assert state_of(tmp_path) == before
    assert len(said) == 2


@pytest.mark.parametrize("name", ["file", "file/below/kept"])
def test_places_where_no_folder_can_be_are_refused_before_any_work(tmp_path, said, name):
    (tmp_path / "file").write_text("mine")
    kept = KeptFolder(tmp_path / name, tell=said.append)
    with pytest.raises(InvalidInputError, match="name another folder"):
        kept.check()
    keep(kept)
    assert (tmp_path / "file").read_text() == "mine"
    assert len(said) == 1


def test_checking_makes_nothing(tmp_path):
    KeptFolder(tmp_path / "new/kept").check()
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_said_once_and_ends_nothing(kept, said, monkeypatch):
    def fail(path: Path, content: bytes = b""):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "atomic_write", fail)
    for key in "ab":
        keep(kept, key)
    assert len(said) == 1
    assert "No space left" in said[0]


def test_whoever_writes_a_whole_file_as_ours_is_still_checked(kept, said):
    """The mark is no proof: arrays are looked at in any case."""
    content = b"PK no archive"
    mark = module._Mark(
        motionloom_kept=1,
        name="a.kept",
        code=version.code_version(),
        sha256=hashlib.sha256(content).hexdigest(),
    )
    kept.path.mkdir()
    write_file(kept.path / "a.kept", mark.model_dump_json().encode() + b"\n" + content)
    assert load(kept) is None
    assert "is damaged" in said[0]
