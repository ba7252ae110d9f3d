"""The entry point: exit codes, and one sentence for everything that can go wrong."""

import os
import subprocess
import sys

import pytest

import motionloom
from motionloom.cli._app import RENAMED
from motionloom.cli.main import main
from motionloom.errors import InvalidInputError, SynthesisError


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"motionloom {motionloom.__version__}\n"


@pytest.mark.parametrize("command", [[], ["info"], ["convert"], ["view"], ["synthesize"], ["demo"]])
def test_help_of_every_command(capsys, command):
    assert main([*command, "--help"]) == 0
    assert "Usage:" in capsys.readouterr().out


def test_nothing_asked_shows_the_help(capsys):
    assert main([]) == 2
    assert "synthesize" in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["infro"], "info"),
        (["info"], "FILE"),
        (["info", "--jsn", "a.bvh"], "--json"),
        (["convert", "a.bvh"], "OUT"),
        (["convert", "a.bvh", "b.bvh", "--fps", "fast"], "--fps"),
        (["convert", "a.bvh", "b.bvh", "c.bvh"], "c.bvh"),
        (["synthesize", "a.bvh", "-o", "b.bvh"], "--constraints"),
        (["synthesize", "a.bvh", "--constraints", "w.yaml"], "-o"),
        (["demo", "--seed", "1.5"], "--seed"),
        (["demo", "--seed"], "--seed"),
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_2(capsys, argv, expected):
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("motionloom: ")
    assert expected in err
    assert "--help" in err


@pytest.mark.parametrize(("named", "new"), RENAMED.items(), ids=lambda one: str(one))
def test_an_option_of_old_is_refused_with_the_name_it_has_now(capsys, named, new):
    command, old = named
    assert main([*command.split(), old, "x"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"motionloom: No such option: {old}, which is {new} now; see: ")
    assert len(said.splitlines()) == 1
    assert main([*command.split(), "--help"]) == 0
    assert new in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "code", "expected"),
    [
        (InvalidInputError("a is not b"), 2, "motionloom: a is not b\n"),
        (SynthesisError("no way there"), 1, "motionloom: no way there\n"),
        (KeyboardInterrupt(), 130, "motionloom: interrupted\n"),
        (
            OSError(28, "No space left on device", "out.bvh"),
            1,
            "motionloom: out.bvh: No space left on device\n",
        ),
        (MemoryError(), 1, "motionloom: not enough memory; use fewer or shorter clips\n"),
    ],
)
def test_what_a_command_raises_becomes_a_sentence(monkeypatch, capsys, error, code, expected):
    def fail(*args, **kwargs):
        raise error

    monkeypatch.setattr("motionloom.io.load", fail)
    assert main(["info", "a.bvh"]) == code
    out, err = capsys.readouterr()
    assert (out, err) == ("", expected)


def test_a_reader_that_has_enough_is_no_traceback():
    code = (
        "import sys; from motionloom.cli.main import main; sys.exit(main(['synthesize', '--help']))"
    )
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=write, stderr=subprocess.PIPE, text=True
    )
    os.close(write)
    assert done.stderr == ""
    assert done.returncode == 1


def test_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "motionloom", "info", "none.bvh"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "none.bvh" in done.stderr
    assert "Traceback" not in done.stderr
