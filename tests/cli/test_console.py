"""What the command line says of compiling."""

from __future__ import annotations

import importlib
import sys

import pytest
from numba import njit

from motionloom.cli import main as command_line
from motionloom.cli.console import LoggedProgress, progress_bars
from motionloom.cli.main import main


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """What a command says whose kernel is imported anew."""
    (tmp_path / "adding.py").write_text(
        "from motionloom.compiling import kernel\n@kernel\ndef add(x):\n    return x + 1\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    def run(*arguments):
        sys.modules.pop("adding", None)
        kernel = importlib.import_module("adding").add
        monkeypatch.setattr(
            command_line, "_call", lambda argv: [kernel(x) for x in arguments] and 0
        )
        assert main([]) == 0
        return capsys.readouterr().err

    yield run
    sys.modules.pop("adding", None)


def test_the_first_run_says_that_it_compiles_and_no_later_one_does(said):
    first = said(1, 2.0)
    assert first.count("compiling") == 1
    assert first.startswith("first run: compiling")
    assert said(1, 2.0) == ""
    assert said(1j).startswith("first run: compiling")


def test_who_can_keep_nothing_is_told_so_in_every_run(said, monkeypatch):
    from numba.core import caching

    for locator in (caching.InTreeCacheLocator, caching.UserWideCacheLocator):
        monkeypatch.setattr(locator, "from_function", classmethod(lambda *given: None))
    for _ in range(2):
        assert "NUMBA_CACHE_DIR" in said(1)


def test_functions_of_others_are_no_first_run_of_ours(monkeypatch, capsys):
    from motionloom import compiling

    compiling._listen()
    theirs = njit(lambda x: x + 1)
    monkeypatch.setattr(command_line, "_call", lambda argv: theirs(1) and 0)
    assert main([]) == 0
    assert capsys.readouterr().err == ""


class Clock:
    """Time that passes when it is told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_a_log_gets_a_line_every_ten_seconds(capsys):
    clock = Clock()
    progress = LoggedProgress(clock)
    for second in range(26):
        clock.now = 100.0 + second
        progress("searching", second, 50)
    said = capsys.readouterr().err.splitlines()
    assert said == ["searching: 20 %, 10 s so far", "searching: 40 %, 20 s so far"]


def test_a_short_run_says_nothing_of_its_progress(capsys):
    clock = Clock()
    progress = LoggedProgress(clock)
    clock.now += 9.9
    progress("searching", 1, 1)
    assert capsys.readouterr().err == ""


def test_work_of_unknown_length_has_no_share(capsys):
    clock = Clock()
    progress = LoggedProgress(clock)
    clock.now += 12
    progress("waiting", 3, 0)
    assert capsys.readouterr().err == "waiting: 12 s so far\n"


def test_a_terminal_gets_bars_and_a_log_gets_lines(monkeypatch):
    with progress_bars() as progress:
        assert isinstance(progress, LoggedProgress)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress_bars() as progress:
        assert not isinstance(progress, LoggedProgress)
