"""Closed and full streams, signals, odd names, and outputs that change while a command runs."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from motionloom.cli.main import main
from motionloom.graph.searching.state_file import check_state_file
from motionloom.io.files import write_file
from motionloom.io.written import FILE_NAME, is_replaceable, note_written
from motionloom.library.manifest import path_from, path_of
from motionloom.processes import undisturbed, worker_pool

SHELL = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")


@pytest.fixture(autouse=True)
def heard():
    """Ctrl-C as in the foreground: what a shell starts in the background is deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@SHELL
@pytest.mark.parametrize(
    ("asked", "code", "said"),
    [
        ("--version >&-", 0, ""),
        ("--version >&- 2>&- <&-", 0, ""),
        ("info none.bvh 2>&-", 2, ""),
        ("info none.bvh >&-", 2, "none.bvh"),
        ("--help >/dev/full", 1, "standard output: No space left"),
        ("info none.bvh 2>/dev/full", 2, ""),
    ],
)
def test_streams_that_are_closed_or_full(asked, code, said):
    if "/dev/full" in asked and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    line = f'"{sys.executable}" -m motionloom {asked}'
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert done.returncode == code
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == bool(said)


@SHELL
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_commands_are_imported(monkeypatch, capsys, number, code):
    monkeypatch.setattr("motionloom.cli.main._call", lambda argv: signal.raise_signal(number))
    before = signal.getsignal(number)
    assert main(["info"]) == code
    assert capsys.readouterr().err == "motionloom: interrupted\n"
    assert signal.getsignal(number) == before


def test_processes_are_started_deaf_to_ctrl_c_and_end_with_the_block():
    with pytest.raises(KeyboardInterrupt), worker_pool(1) as pool:  # noqa: PT012
        with undisturbed():
            blocked = pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, [])
            waiting = pool.submit(time.sleep, 3600)
        assert signal.SIGINT in blocked.result()
        raise KeyboardInterrupt
    assert waiting.done()


def test_a_signal_while_processes_are_started_comes_after():
    done = []
    with pytest.raises(KeyboardInterrupt), undisturbed():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        done.append(1)
    assert done


@pytest.mark.parametrize(
    "name", ["a.bvh", "w\udcff.bvh", r"w\xff.bvh", r"w\x5cxff", "d\udc80/é.bvh", r"\\x\xg0"]
)
def test_any_path_becomes_text_and_comes_back(tmp_path, name):
    text = path_from(tmp_path, tmp_path / name)
    text.encode()
    assert path_of(tmp_path, text) == tmp_path / name


def test_two_odd_names_stay_two(tmp_path):
    assert path_from(tmp_path, tmp_path / "w\udcff") != path_from(tmp_path, tmp_path / r"w\xff")


def test_a_state_that_is_none(tmp_path):
    check_state_file(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("x")
    np.savez(tmp_path / "other.npz", head=np.array("{}"))
    for name in ("text.npz", "other.npz"):
        with pytest.raises(Exception, match="not a state of a search"):
            check_state_file(tmp_path / name)


@pytest.mark.parametrize("cut", [0, 5, -3])
def test_a_record_cut_short_is_gone_on_with(tmp_path, cut):
    for name in ("a", "b"):
        write_file(tmp_path / name, name)
        note_written(tmp_path / name)
    record = tmp_path / FILE_NAME
    record.write_bytes(record.read_bytes()[:cut])
    note_written(tmp_path / "b")
    assert is_replaceable(tmp_path / "b")


def test_a_record_knows_a_file_by_a_name_of_other_case(tmp_path):
    write_file(tmp_path / "Walk.bvh", "ours")
    note_written(tmp_path / "Walk.bvh")
    (tmp_path / "walk.bvh").hardlink_to(tmp_path / "Walk.bvh")
    assert is_replaceable(tmp_path / "walk.bvh")


def test_a_file_that_takes_too_much_memory_is_named(tmp_path, monkeypatch, capsys):
    (tmp_path / "big.bvh").write_text("HIERARCHY\nROOT a\n")

    def fail(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr("motionloom.io.bvh._file.read_text_bytes", fail, raising=False)
    monkeypatch.setattr("motionloom.io.bvh._file.read_text_bytes", fail, raising=False)
    assert main(["info", str(tmp_path / "big.bvh")]) == 2
    assert "big.bvh: there is not enough memory" in capsys.readouterr().err
