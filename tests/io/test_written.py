"""What motionloom knows as its own files, and what it never takes for one."""

import json

import pytest

from motionloom.io.files import write_file
from motionloom.io.written import FILE_NAME, is_replaceable, note_written


def wrote(path, text="ours"):
    write_file(path, text)
    note_written(path)
    return path


def test_what_was_written_may_be_replaced_until_somebody_changes_it(tmp_path):
    file = wrote(tmp_path / "walk.bvh")
    assert is_replaceable(file)
    file.write_text("edited")
    assert not is_replaceable(file)
    wrote(file, "again")
    assert is_replaceable(file)


def test_files_of_others_links_and_folders_may_not(tmp_path):
    ours = wrote(tmp_path / "walk.bvh")
    (tmp_path / "theirs.bvh").write_text("ours")  # the same bytes under another name
    (tmp_path / "link.bvh").symlink_to(ours)
    (tmp_path / "dangling.bvh").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder").mkdir()
    for name in ("theirs.bvh", "link.bvh", "dangling.bvh", "folder"):
        assert not is_replaceable(tmp_path / name)


def test_nothing_is_lost_with_a_file_that_is_missing_or_empty(tmp_path):
    (tmp_path / "empty").touch()
    assert is_replaceable(tmp_path / "empty")
    assert is_replaceable(tmp_path / "none")


@pytest.mark.parametrize("content", [b"my notes\n", b'{"motionloom_written": 2}\n', b"\xff\xfe"])
def test_a_record_that_is_not_ours_is_left_as_it_is(tmp_path, content):
    record = tmp_path / FILE_NAME
    record.write_bytes(content)
    file = wrote(tmp_path / "walk.bvh")
    assert record.read_bytes() == content
    assert not is_replaceable(file)


def test_a_record_that_is_a_link_or_a_folder_is_left_as_it_is(tmp_path):
    target = tmp_path / "target"
    target.write_bytes(b"")
    for make in (lambda record: record.symlink_to(target), lambda record: record.mkdir()):
        folder = tmp_path / "here"
        folder.mkdir()
        make(folder / FILE_NAME)
        assert not is_replaceable(wrote(folder / "walk.bvh"))
        assert target.read_bytes() == b""
        folder.rename(tmp_path / f"done {folder.stat().st_ino}")


def test_a_record_cut_short_forgets_one_file_only(tmp_path):
    first, second = wrote(tmp_path / "a"), wrote(tmp_path / "b")
    record = tmp_path / FILE_NAME
    record.write_bytes(record.read_bytes()[:-9])
    assert is_replaceable(first)
    assert not is_replaceable(second)


def test_writing_the_same_again_adds_no_line_and_odd_names_are_kept(tmp_path):
    for _ in range(3):
        wrote(tmp_path / "walk \udcff\n.bvh")
    lines = (tmp_path / FILE_NAME).read_text().splitlines()
    assert [json.loads(line).get("file") for line in lines] == [None, "walk \udcff\n.bvh"]
