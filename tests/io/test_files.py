"""Reading whole files with clear errors, and writing that leaves no half file."""

import errno
import os
import sys

import pytest

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.files import atomic_write, name_of, read_bytes, read_text, write_file


def test_text_in_any_encoding_and_with_any_line_ends(tmp_path):
    path = tmp_path / "a.txt"
    text = "Hüfte\n1\n2\n"
    mixed = "Hüfte\r\n1\r2\n".encode()
    for data in (
        mixed,
        b"\xef\xbb\xbf" + text.encode(),
        text.encode("utf-16"),
        text.encode("latin-1"),
    ):
        path.write_bytes(data)
        assert read_text(path) == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file"),
        (b"", "is empty"),
        (b" \n\t\r\n", "is empty"),
        (b"a\0b", "binary"),
        (b"\xff\xfea", "binary"),
    ],
)
def test_text_that_cannot_be_read(tmp_path, content, message):
    path = tmp_path / "a.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        read_text(path)
    assert str(path) in str(caught.value)


def test_folders_and_impossible_names(tmp_path):
    with pytest.raises(FormatError, match="folder"):
        read_bytes(tmp_path)
    with pytest.raises(FormatError, match="no such file"):
        read_bytes("a\0b")
    with pytest.raises(FormatError, match=r"cannot be read|no such file"):
        read_bytes(tmp_path / ("x" * 5000))


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no device files on this system")
def test_endless_devices_are_refused():
    with pytest.raises(FormatError, match="device"):
        read_bytes("/dev/zero")


def test_first_bytes_only(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    assert read_bytes(tmp_path / "a", limit=2) == b"12"


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    write_file(path, "old")

    def fail():
        with atomic_write(path) as file:
            file.write(b"half of the n")
            file.flush()
            assert path.read_text() == "old"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [(errno.ENOSPC, 1), (errno.EDQUOT, 1), (errno.EFBIG, 1), (errno.EACCES, 2)],
)
def test_a_full_disk_is_no_fault_of_the_input(tmp_path, code, exit_code):
    with (
        pytest.raises(InvalidInputError, match=r"cannot write .*a\.txt: ") as caught,
        atomic_write(tmp_path / "a.txt"),
    ):
        raise OSError(code, os.strerror(code))
    assert caught.value.exit_code == exit_code
    assert not list(tmp_path.iterdir())


def test_writes_text_as_utf_8_and_bytes_as_they_are(tmp_path):
    write_file(tmp_path / "a", "ü\n")
    assert (tmp_path / "a").read_bytes() == "ü\n".encode()
    write_file(tmp_path / "a", b"\r\n\0")
    assert (tmp_path / "a").read_bytes() == b"\r\n\0"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_permissions_are_those_of_any_new_file_or_of_the_one_replaced(tmp_path):
    (tmp_path / "plain").write_text("")
    write_file(tmp_path / "a", "")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode
    (tmp_path / "a").chmod(0o640)
    write_file(tmp_path / "a", "again")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_places_where_nothing_can_be_written(tmp_path):
    with pytest.raises(InvalidInputError, match="does not exist"):
        write_file(tmp_path / "none" / "a", "")
    with pytest.raises(InvalidInputError, match="folder"):
        write_file(tmp_path, "")


def test_names_that_are_no_text_can_be_written(tmp_path):
    """A name of a Latin-1 system, as Python holds it."""
    name = os.fsdecode(b"bad\xff")
    assert name_of(tmp_path / f"{name}.bvh") == "bad\\xff"
    assert name_of("my walk \u00fc.BVH") == "my walk \u00fc"
    write_file(tmp_path / "a.txt", name)
    assert (tmp_path / "a.txt").read_bytes() == name.encode(errors="backslashreplace")
