"""What is said besides results."""

from pathlib import Path

from motionloom.places import tell_skipped
from motionloom.progress import warn, warn_about


def test_one_file_left_out_is_one_file():
    told = []
    tell_skipped([], told.append)
    tell_skipped([Path("notes.txt")], told.append)
    tell_skipped([Path("notes.txt"), Path("b.txt")], told.append)
    assert told == [
        "left out 1 file that is no motion of a skeleton, notes.txt",
        "left out 2 files that are no motions of a skeleton, such as notes.txt",
    ]


def test_a_warning_of_many_files_is_told_once():
    told = []
    warn_about([("a", "bent"), ("b", "short"), ("c", "bent"), ("d", "bent")], told.append)
    assert told == ["warning: a and 2 more files: bent", "warning: b: short"]


def test_warnings_without_end_are_counted():
    told = []
    warn((str(i) for i in range(9)), told.append, most=3)
    assert told == ["warning: 0", "warning: 1", "warning: 2", "warning: and 6 more"]
