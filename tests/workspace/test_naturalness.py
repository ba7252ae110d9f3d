"""Naturalness is learned once and kept: in a library, or in the file of a pose space."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from motionloom import reading
from motionloom.analysis import judge as judging
from motionloom.analysis import oddness
from motionloom.errors import InvalidInputError
from motionloom.io import save
from motionloom.io.written import note_written
from motionloom.library import add_clips, create_library, remove_clips
from motionloom.library.writer import NATURALNESS
from motionloom.places import find_place
from motionloom.reading import ReadOptions
from motionloom.workspace.naturalness import Naturalness
from motionloom.workspace.writing import check_outputs
from stored_files import read_members, write_members
from walkers import make_lively_walker


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Three walks and a library of two of them."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "walks").mkdir()
    files = [folder / "walks" / f"walk_{i}.bvh" for i in range(3)]
    for i, file in enumerate(files):
        save(make_lively_walker(40, i), file)
    create_library(folder / "library")
    add_clips(folder / "library", files[:2])
    return folder


@pytest.fixture
def folder(made, tmp_path):
    shutil.copytree(made, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def fits(monkeypatch):
    """Counts the models that are fitted."""
    count = []
    fit = judging.fit_naturalness
    monkeypatch.setattr(
        judging, "fit_naturalness", lambda *a, **k: (count.append(1), fit(*a, **k))[1]
    )
    return count


def learn(place, told=None, **options):
    places = None if place is None else find_place([str(place)])
    tell = (lambda line: None) if told is None else told.append
    return Naturalness(places, ReadOptions(), tell=tell, **options).get().judge


def test_the_second_time_it_is_read_and_judges_alike(folder, fits, monkeypatch):
    told = []
    fresh = learn(folder / "library", told)
    assert told == [f"naturalness kept in {folder / 'library' / NATURALNESS}"]
    n = len(fits)
    monkeypatch.setattr(reading, "read_motions", lambda *_: pytest.fail("clips were read"))
    told.clear()
    read = learn(folder / "library", told)
    assert told == [f"naturalness read from {folder / 'library' / NATURALNESS}"]
    assert len(fits) == n
    assert read.names == fresh.names == ("walk_0", "walk_1")
    assert np.array_equal(read.reference.mixture, fresh.reference.mixture)
    poses = fresh.space.poses
    assert np.array_equal(read.score(poses, 1).mixture, fresh.score(poses, 1).mixture)


@pytest.mark.parametrize("change", ["add", "remove"])
def test_it_goes_when_clips_change(folder, fits, change):
    library = folder / "library"
    add_clips(library, [folder / "walks" / "walk_2.bvh"])
    learn(library)
    copy = (library / NATURALNESS).read_bytes()
    if change == "add":
        save(make_lively_walker(44, 7), folder / "walks" / "walk_3.bvh")
        add_clips(library, [folder / "walks" / "walk_3.bvh"])
    else:
        remove_clips(library, ["walk_2"])
    assert not (library / NATURALNESS).exists()
    (library / NATURALNESS).write_bytes(copy)  # one that was left by somebody is not believed
    n, told = len(fits), []
    names = learn(library, told).names
    assert len(names) == (4 if change == "add" else 2)
    assert len(fits) > n
    assert "was learned from other clips" in told[0]


def test_adding_what_is_there_already_keeps_it(folder):
    learn(folder / "library")
    add_clips(folder / "library", [folder / "walks" / "walk_0.bvh"])
    assert (folder / "library" / NATURALNESS).exists()


def test_other_clips_of_the_library_or_another_seed_are_learned_anew(folder, fits):
    library = folder / "library"
    add_clips(library, [folder / "walks" / "walk_2.bvh"])
    learn(library)
    n = len(fits)
    few = Naturalness(find_place([str(library)]), ReadOptions(without=["walk_2"])).get().judge
    assert few.names == ("walk_0", "walk_1")
    learn(library, seed=3)
    learn(library, seed=3)
    assert len(fits) == n + 3 + 4


@pytest.mark.parametrize("damage", ["cut", "flipped", "other"])
def test_a_damaged_file_is_told_and_replaced(folder, damage):
    library = folder / "library"
    fresh = learn(library)
    path = library / NATURALNESS
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "flipped":
        content[len(content) // 2] ^= 0xFF
    else:
        content = bytearray(b"something else")
    path.write_bytes(content)
    told = []
    again = learn(library, told)
    assert np.array_equal(again.reference.mixture, fresh.reference.mixture)
    assert str(path) in told[0]
    assert told[0].startswith("warning: ")
    assert told[1] == f"naturalness kept in {path}"
    told.clear()
    learn(library, told)
    assert told == [f"naturalness read from {path}"]


def test_a_file_of_somebody_else_stays(folder):
    path = folder / "library" / NATURALNESS
    path.write_text("mine")
    told = []
    learn(folder / "library", told)
    assert path.read_text() == "mine"
    assert "is not kept" in told[-1]
    assert "move it elsewhere" in told[-1]


def test_a_library_that_cannot_be_written_is_told(folder, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("filelock.FileLock.acquire", lambda *_, **__: refuse())
    told = []
    assert learn(folder / "library", told).names == ("walk_0", "walk_1")
    assert not (folder / "library" / NATURALNESS).exists()
    assert "is not kept" in told[-1]
    assert "cannot be changed" in told[-1]


def test_a_library_that_changed_meanwhile_keeps_nothing(folder, monkeypatch):
    library = folder / "library"
    fit = judging.fit_naturalness
    once = iter([True])

    def fit_slowly(*args, **options):
        if next(once, False):
            add_clips(library, [folder / "walks" / "walk_2.bvh"])
            remove_clips(library, ["walk_0"])
        return fit(*args, **options)

    monkeypatch.setattr(judging, "fit_naturalness", fit_slowly)
    told = []
    learn(library, told)
    assert "has changed since" in told[-1]
    assert not (library / NATURALNESS).exists()


def test_a_file_keeps_it_for_clips_and_without_them(folder, tmp_path, fits):
    file = tmp_path / "space.npz"
    fresh = learn(folder / "walks", file=file)
    n = len(fits)
    for place in (folder / "walks", None):
        told = []
        read = learn(place, told, file=file)
        assert told == [f"naturalness read from {file}"]
        assert read.names == ("walk_0", "walk_1", "walk_2")
        assert np.array_equal(read.reference.mixture, fresh.reference.mixture)
    assert len(fits) == n
    save(make_lively_walker(44, 7), folder / "walks" / "walk_0.bvh")
    told = []
    learn(folder / "walks", told, file=file)
    assert "was learned from other clips" in told[0]


def test_a_file_that_a_pose_left_is_completed(folder, tmp_path):
    file = tmp_path / "space.npz"
    places = find_place([str(folder / "walks")])
    kept = Naturalness(places, ReadOptions(), file=file, judging=False).get()
    assert kept.judge is None
    judge = learn(folder / "walks", file=file)
    assert judge.names == ("walk_0", "walk_1", "walk_2")
    again = Naturalness(None, ReadOptions(), file=file, judging=False).get()
    poses = kept.space.poses
    assert np.array_equal(again.model.mixture_score(poses), kept.model.mixture_score(poses))


def test_a_space_of_somebody_else_is_used_and_stays(folder, tmp_path):
    file = tmp_path / "space.npz"
    places = find_place([str(folder / "walks")])
    Naturalness(places, ReadOptions(), file=file, judging=False).get()
    (tmp_path / ".motionloom").unlink()
    before = file.read_bytes()
    told = []
    learn(None, told, file=file)
    assert file.read_bytes() == before
    assert "is not kept" in told[-1]
    assert [p.name for p in tmp_path.glob("*.npz")] == ["space.npz"]


def test_no_result_is_written_over_it(folder):
    with pytest.raises(InvalidInputError, match="part of the library"):
        check_outputs([folder / "library" / NATURALNESS], [])


def test_progress_is_told_within_each_model(folder):
    places = find_place([str(folder / "walks")])
    steps = []

    def progress(stage, done, total):
        if stage == "learning what is natural":
            steps.append((done, total))

    Naturalness(places, ReadOptions(), progress=progress).get()
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert steps[-1] == (4, 4)
    assert len(steps) > 3 * 4


def test_motion_is_learned_once_and_kept_beside_poses(folder, monkeypatch):
    save(make_lively_walker(40, 7), folder / "walks" / "walk_3.bvh")
    library = folder / "library"
    add_clips(library, [folder / "walks" / f"walk_{i}.bvh" for i in (2, 3)])
    place = find_place([str(library)])
    fresh = Naturalness(place, ReadOptions()).get()
    assert fresh.why == ""
    assert fresh.motion.names == ("walk_0", "walk_1", "walk_2", "walk_3")
    monkeypatch.setattr(oddness, "fit_motion_judge", lambda *_, **__: pytest.fail("learned again"))
    read = Naturalness(place, ReadOptions()).get()
    assert np.array_equal(read.motion.scores, fresh.motion.scores)


def test_why_motion_is_not_judged_is_kept(folder):
    place = find_place([str(folder / "library")])
    for _ in range(2):
        kept = Naturalness(place, ReadOptions()).get()
        assert kept.motion is None
        assert "at least 4 captured clips" in kept.why


def test_a_file_of_an_older_version_is_told_and_learned_again(folder):
    library = folder / "library"
    learn(library)
    path = library / NATURALNESS
    head, arrays = read_members(path)
    write_members(path, head | {"version": 1}, arrays)
    note_written(path)
    told = []
    learn(library, told)
    assert "has version 1, expected 6; it has to be learned again" in told[0]
    assert told[1] == f"naturalness kept in {path}"
