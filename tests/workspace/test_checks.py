"""Clips by files, folders and patterns; outputs that would do harm."""

from pathlib import Path

import pytest

from motionloom.cli.console import tell_skipped
from motionloom.cli.inputs import check_outputs, distinct_names, find_clips, frame_time_of, make_folder_of
from motionloom.errors import InvalidInputError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("b.bvh", "a.BVH", "deep/c.amc", "deep/01.asf", "notes.txt", "deep/m.c3d", ".hidden.bvh"):
        path = tmp_path / "clips" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    monkeypatch.chdir(tmp_path)
    return Path("clips")


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
    assert names(find_clips(["clips/notes.txt", "none.bvh"]).files) == ["clips/notes.txt", "none.bvh"]


def test_brackets_in_a_name_are_no_pattern(folder):
    (folder / "take [1].bvh").write_text("x")
    assert names(find_clips(["clips/take [1].bvh"]).files) == ["clips/take [1].bvh"]


@pytest.mark.parametrize("place", ["clips/*.fbx", "empty", "clips/*.txt"])
def test_nothing_found_is_said(folder, place):
    Path("empty").mkdir()
    with pytest.raises(InvalidInputError, match="no motion file") as caught:
        find_clips([place])
    assert place in str(caught.value)


def test_an_input_is_never_overwritten(folder):
    Path("link.bvh").symlink_to("clips/b.bvh")
    for output in ("clips/b.bvh", "clips/../clips/b.bvh", "link.bvh"):
        with pytest.raises(InvalidInputError, match="is also an input"):
            check_outputs([Path(output)], [Path("clips/b.bvh")])
    check_outputs([Path("other.bvh"), None, None], [Path("clips/b.bvh")])


def test_an_input_is_known_by_all_its_names(folder):
    Path("other.bvh").hardlink_to("clips/b.bvh")
    with pytest.raises(InvalidInputError, match="same file as an input"):
        check_outputs([Path("other.bvh")], [Path("clips/b.bvh")], force=True)


def test_a_file_of_somebody_else_is_replaced_only_when_told(folder):
    Path("mine.bvh").write_text("x")
    Path("link.bvh").symlink_to("clips/b.bvh")
    for output in ("mine.bvh", "link.bvh"):
        with pytest.raises(InvalidInputError, match="--force"):
            check_outputs([Path(output)], [])
        check_outputs([Path(output)], [], force=True)


def test_a_device_is_no_output(folder):
    with pytest.raises(InvalidInputError, match="device"):
        check_outputs([Path("/dev/null")], [], force=True)


def test_two_results_in_one_file_and_folders_are_refused(folder):
    with pytest.raises(InvalidInputError, match="two outputs"):
        check_outputs([Path("a.html"), Path("./a.html")], [])
    with pytest.raises(InvalidInputError, match="is a folder"):
        check_outputs([folder], [])


def test_folders_of_outputs_are_made(tmp_path):
    make_folder_of(tmp_path / "new" / "deep" / "out.bvh")
    assert (tmp_path / "new" / "deep").is_dir()
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidInputError, match="its folder cannot be created"):
        make_folder_of(tmp_path / "file" / "out.bvh")


@pytest.mark.parametrize("fps", [0.0, -30.0, float("nan"), float("inf"), 1e9])
def test_frame_rates_that_make_no_sense(fps):
    with pytest.raises(InvalidInputError, match="frames per second"):
        frame_time_of(fps, "--fps")


def test_frame_rates_that_do():
    assert frame_time_of(None, "--fps") is None
    assert frame_time_of(29.97, "--fps") == 1 / 29.97


def test_a_pattern_without_match_beside_a_folder_with_clips_is_said(folder):
    with pytest.raises(InvalidInputError, match=r"\.nope: no motion file"):
        find_clips([str(folder), str(folder / "*.nope")])


def test_clips_of_one_name_get_their_folders_names():
    files = [Path(p) for p in ("a/walk.bvh", "b/walk.bvh", "b/run.bvh", "c/b/walk.bvh")]
    names = distinct_names(files, ["walk", "walk", "run", "walk"])
    assert names[:3] == ("walk", "b-walk", "run")
    assert len(set(names)) == 4


def test_one_file_left_out_is_one_file(capsys):
    tell_skipped([Path("notes.txt")])
    assert capsys.readouterr().err == "left out 1 file that is no motion of a skeleton, notes.txt\n"
    tell_skipped([Path("notes.txt"), Path("b.txt")])
    assert capsys.readouterr().err == "left out 2 files that are no motions of a skeleton, such as notes.txt\n"
