"""What others have put into a library's folder, or linked there, is never removed, replaced or
followed.
"""

import os
import shutil
from contextlib import suppress

import pytest

from folders import bytes_of
from motionloom.cli.main import main
from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.files import PART
from motionloom.io.registry import save
from motionloom.library import (
    add_clips,
    check_library,
    create_library,
    open_library,
    remove_clips,
    repair_library,
)
from motionloom.library._add import RepairReport
from walkers import make_walker


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with captures in ``clips``, and nothing else."""
    (tmp_path / "project/clips").mkdir(parents=True)
    for i in range(2):
        save(make_walker(40 + i), tmp_path / f"project/clips/walk_{i}.bvh")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "project"


def clip_folder(library, name="walk_0"):
    return library / "clips" / open_library(library).entry(name).folder


def test_create_beside_captures_in_a_folder_of_that_name(project, capsys):
    before = bytes_of(project)
    assert main(["library", "create", "project", "project/clips"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(
        "motionloom: project/clips/walk_0.bvh: this clip lies in the folder of the library project"
    )
    assert len(err.splitlines()) == 1
    assert bytes_of(project) == before


def test_create_here_of_captures_below(project, monkeypatch, capsys):
    before = bytes_of(project)
    monkeypatch.chdir(project)
    assert main(["library", "create", ".", "clips"]) == 2
    assert "make the library in another place" in capsys.readouterr().err
    assert bytes_of(project) == before


def test_create_from_python(project):
    before = bytes_of(project)
    with pytest.raises(InvalidInputError, match="this folder holds other things"):
        create_library(project)
    assert bytes_of(project) == before


@pytest.mark.parametrize(
    "name", ["take1.part", f"take1{PART}", f".library.json{PART}", f".library.json.abc{PART}"]
)
def test_create_beside_a_folder_with_the_name_of_a_temporary_file(tmp_path, name):
    (tmp_path / "lib" / name).mkdir(parents=True)
    save(make_walker(40), tmp_path / "lib" / name / "walk.bvh")
    before = bytes_of(tmp_path)
    with pytest.raises(InvalidInputError, match="this folder holds other things"):
        create_library(tmp_path / "lib")
    assert bytes_of(tmp_path) == before


def test_a_folder_of_hidden_files_counts_as_empty(walks, tmp_path):
    hidden = [
        tmp_path / "lib" / name for name in (".git/config", ".DS_Store", "Thumbs.db", "desktop.ini")
    ]
    for file in hidden:
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text("theirs")
    create_library(tmp_path / "lib")
    assert not add_clips(tmp_path / "lib", walks).failed
    assert all(file.read_text() == "theirs" for file in hidden)


def test_a_look_into_a_clip_with_a_file_manager_is_no_damage(library):
    for name in (".DS_Store", "rotations/.DS_Store", "rotations/c/Thumbs.db"):
        (clip_folder(library) / name).write_text("theirs")
    before = bytes_of(library)
    assert check_library(library) == ()
    assert repair_library(library) == RepairReport()
    assert bytes_of(library) == before


def test_create_goes_on_after_a_kill_at_any_moment(tmp_path):
    """Every beginning of what it writes, in the order in which it is written."""
    create_library(tmp_path / "whole")
    steps = ["clips", "zarr.json", "clips/zarr.json"]
    for n in range(len(steps) + 1):
        begun = tmp_path / f"begun-{n}"
        begun.mkdir()
        for step in steps[:n]:
            whole = tmp_path / "whole" / step
            (begun / step).mkdir() if whole.is_dir() else shutil.copy(whole, begun / step)
        (begun / f".zarr.json.a1b2c3d4{PART}").write_text("{")
        (begun / f".library.json.a1b2c3d4{PART}").write_text("{")
        create_library(begun)
        assert bytes_of(begun) == bytes_of(tmp_path / "whole")


def test_create_takes_no_group_of_somebody_else(tmp_path):
    (tmp_path / "zarr.json").write_text(
        '{"attributes": {"mine": 1}, "zarr_format": 3, "node_type": "group"}'
    )
    with pytest.raises(InvalidInputError, match="this folder holds other things"):
        create_library(tmp_path)


def test_new_captures_in_the_folder_of_clips(library, walks, capsys):
    mine = library / "clips/my_new_takes"
    mine.mkdir()
    save(make_walker(50), mine / "new.bvh")
    before = bytes_of(library)
    assert main(["library", "add", str(library), str(mine)]) == 2
    assert "new.bvh: this clip lies in the folder of the library" in capsys.readouterr().err
    assert bytes_of(library) == before
    assert main(["library", "remove", str(library), "walk_0"]) == 0
    assert (
        "clips/my_new_takes is not part of this library; left as it is" in capsys.readouterr().err
    )
    repair_library(library)
    assert (mine / "new.bvh").exists()
    assert open_library(library).names == ("walk_1", "walk_2", "walk_3")


@pytest.mark.parametrize(
    "name", ["clips", "library.json", ".lock", f".scratch{PART}", f".journal{PART}"]
)
def test_links_are_refused(library, walks, tmp_path, name):
    elsewhere = tmp_path / "elsewhere"
    if (library / name).exists():
        (library / name).rename(elsewhere)
    else:
        (elsewhere / "photos").mkdir(parents=True)
        (elsewhere / "photos/zarr.json").write_text("not yours")
    (library / name).symlink_to(elsewhere)
    before = bytes_of(tmp_path)
    for change in (
        lambda: add_clips(library, walks),
        lambda: remove_clips(library, ["walk_0"]),
        lambda: repair_library(library),
    ):
        with pytest.raises(InvalidInputError, match="this is a link"):
            change()
    assert bytes_of(tmp_path) == before
    assert (library / name).is_symlink()


@pytest.mark.parametrize("level", ["", "rotations", "rotations/c", "rotations/c/0"])
def test_links_in_a_clip_are_not_followed(library, tmp_path, level):
    place = clip_folder(library) / level
    elsewhere = tmp_path / "elsewhere"
    place.rename(elsewhere)
    place.symlink_to(elsewhere)
    before = bytes_of(elsewhere)
    told = []
    remove_clips(library, ["walk_0"], on_left=told.append)
    assert bytes_of(elsewhere) == before
    assert place.is_symlink()
    assert "not part of this library" in told[0]


def test_what_others_put_into_a_clip_stays_and_is_in_the_way(library, walks):
    note = clip_folder(library) / "rotations/notes.txt"
    note.write_text("mine")
    before = bytes_of(library)
    report = repair_library(library)
    assert "rotations/notes.txt: this is in the way of a clip" in report.failed[0].message
    assert (report.dropped, report.restored) == ((), ())
    assert bytes_of(library) == before
    folder = clip_folder(library)
    remove_clips(library, ["walk_0"])
    assert [p.name for p in folder.rglob("*") if p.is_file()] == ["notes.txt"]
    assert str(folder) in add_clips(library, walks).failed[0].message
    note.unlink()
    shutil.rmtree(folder)
    assert [entry.name for entry in add_clips(library, walks).added] == ["walk_0"]


def test_a_copy_of_the_same_clip_is_taken_as_it_is(library, walks, tmp_path):
    """Such as what an earlier version left when it was killed."""
    before = bytes_of(library)
    folder = clip_folder(library)
    shutil.copytree(folder, tmp_path / "copy")
    remove_clips(library, ["walk_0"])
    shutil.copytree(tmp_path / "copy", folder)
    assert not add_clips(library, walks).failed
    assert bytes_of(library) == before


def test_a_manifest_of_a_stranger_removes_nothing_outside(library, tmp_path):
    mine = tmp_path / "mine"
    (mine / "rotations").mkdir(parents=True)
    (mine / "rotations/zarr.json").write_text("{}")
    shutil.copytree(mine, library / "clips/mine")
    entry = open_library(library).entry("walk_0").folder
    text = (library / "library.json").read_text()
    for place in ("../../mine", "mine", str(mine)):
        (library / "library.json").write_text(text.replace(entry, place))
        with suppress(FormatError):  # such a place is no name of a folder
            remove_clips(library, ["walk_0"])
        assert (mine / "rotations/zarr.json").exists()
        assert (library / "clips/mine/rotations/zarr.json").exists()


def test_a_lock_that_holds_something_is_refused(library, walks):
    (library / ".lock").write_text("mine")
    with pytest.raises(InvalidInputError, match="not a file that motionloom made"):
        add_clips(library, walks)
    assert (library / ".lock").read_text() == "mine"


def test_everything_is_on_the_disk_before_the_manifest_names_it(library, walks, monkeypatch):
    from motionloom.library import writer

    order = []
    for name in ("sync_file_system", "sync_folder", "write_manifest"):
        real = getattr(writer, name)
        monkeypatch.setattr(
            writer, name, lambda *a, real=real, name=name: (order.append(name), real(*a))[1]
        )
    rename = os.replace
    monkeypatch.setattr(
        os,
        "replace",
        lambda a, b: (order.append("place") if "clips" in str(b) else None, rename(a, b))[1],
    )
    save(make_walker(60), walks[0].parent / "new.bvh")
    add_clips(library, [walks[0].parent / "new.bvh"])
    assert order == ["sync_file_system", "place", "sync_folder", "write_manifest"]


def test_a_full_disk_names_the_file(library, walks, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device")

    save(make_walker(60), walks[0].parent / "new.bvh")
    monkeypatch.setattr("motionloom.library._ingest.write_arrays", full)
    assert main(["library", "add", str(library), str(walks[0].parent)]) == 1
    assert "new.bvh: its clip cannot be written into" in capsys.readouterr().err
    assert len(open_library(library)) == 4
