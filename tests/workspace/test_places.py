"""Clips by files, folders and patterns."""

from pathlib import Path

import pytest

from motionloom.errors import InvalidInputError
from motionloom.places import distinct_names, find_clips


def names(paths):
    return [p.as_posix() for p in paths]


def test_a_folder_gives_its_motions_and_says_what_it_leaves_out(folder):
    found = find_clips(["clips"])
    assert names(found.files) == ["clips/a.BVH", "clips/b.bvh", "clips/deep/c.amc"]
    assert names(found.skipped) == ["clips/deep/m.c3d", "clips/notes.txt"]


def test_files_and_patterns_in_the_order_given_and_each_once(folder):
    found = find_clips(["clips/b.bvh", "clips/*", "clips/**/*.amc"])
    assert names(found.files) == ["clips/b.bvh", "clips/a.BVH", "clips/deep/c.amc"]


def test_a_file_that_is_named_is_taken_whatever_its_suffix(folder):
    assert names(find_clips(["clips/notes.txt", "none.bvh"]).files) == [
        "clips/notes.txt",
        "none.bvh",
    ]


def test_brackets_in_a_name_are_no_pattern(folder):
    (folder / "take [1].bvh").write_text("x")
    assert names(find_clips(["clips/take [1].bvh"]).files) == ["clips/take [1].bvh"]


@pytest.mark.parametrize("place", ["clips/*.fbx", "empty", "clips/*.txt"])
def test_nothing_found_is_said(folder, place):
    Path("empty").mkdir()
    with pytest.raises(InvalidInputError, match="no motion file") as caught:
        find_clips([place])
    assert place in str(caught.value)


def test_a_pattern_without_match_beside_a_folder_with_clips_is_said(folder):
    with pytest.raises(InvalidInputError, match=r"\.nope: no motion file"):
        find_clips([str(folder), str(folder / "*.nope")])


def test_clips_of_one_name_get_their_folders_names():
    files = [Path(p) for p in ("a/walk.bvh", "b/walk.bvh", "b/run.bvh", "c/b/walk.bvh")]
    names = distinct_names(files, ["walk", "walk", "run", "walk"])
    assert names[:3] == ("walk", "b-walk", "run")
    assert len(set(names)) == 4
