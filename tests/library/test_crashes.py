"""Processes that die or meet while they add to a library."""

import random
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from folders import bytes_of
from motionloom.io.registry import save
from motionloom.library import add_clips, check_library, create_library, open_library
from motionloom.library.writer import writing
from walkers import make_walker

SCRIPT = Path(__file__).with_name("killed_add.py")


def start(library, n, files):
    command = [sys.executable, str(SCRIPT), str(library), str(n), *map(str, files)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_at_any_change_of_the_disk_it_goes_on_to_the_same_bytes(library, walks):
    """One clip is there and has changed, two are new: reading again, adding and cleaning are all
    cut short.
    """
    prepared = library.parent / "prepared"
    create_library(prepared)
    add_clips(prepared, walks[:2])
    save(make_walker(60), walks[1])
    add_clips(library, walks)
    expected = bytes_of(library)
    trial = copy_of(prepared, "trial")
    undisturbed = start(trial, 0, walks)
    n = int(undisturbed.communicate()[0])
    assert n > 50
    assert bytes_of(trial) == expected
    rng = random.Random(1)
    for moment in [rng.randrange(1, n) for _ in range(2)]:
        trial = copy_of(prepared, "trial")
        assert start(trial, moment, walks).wait() == -signal.SIGKILL
        opened = open_library(trial)
        assert set(opened.names) >= {"walk_0", "walk_1"}
        assert {p.kind for p in check_library(trial)} <= {"changed"}
        add_clips(trial, walks)
        assert bytes_of(trial) == expected, f"killed at change {moment} of {n}"


def copy_of(folder, name):
    copy = folder.parent / name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    return copy


def test_two_processes_that_add_at_once_take_turns(library, walks):
    other = library.parent / "shared"
    create_library(other)
    both = [start(other, 0, walks[:3]), start(other, 0, [walks[0], *reversed(walks)])]
    assert [process.wait() for process in both] == [0, 0]
    assert bytes_of(other) == bytes_of(library)


def test_waiting_for_another_process_is_told(library, walks):
    told = threading.Event()
    with writing(library):
        waiting = threading.Thread(
            target=add_clips, args=(library, walks), kwargs={"on_wait": told.set}
        )
        waiting.start()
        assert told.wait(timeout=20)
        assert waiting.is_alive()
    waiting.join(timeout=20)
    assert not waiting.is_alive()
