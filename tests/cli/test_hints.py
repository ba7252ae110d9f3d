"""Hints of errors in words of the command line."""

import pickle
import re
from pathlib import Path
from typing import get_args

import pytest

import motionloom
from motionloom.cli.console import WORDS, sentence_of
from motionloom.cli.main import main
from motionloom.constraints.files import names_in
from motionloom.errors import FormatError, Hint, InvalidInputError, UnknownNameError

SOURCES = Path(motionloom.__file__).parent


def test_the_command_line_has_words_for_every_hint():
    assert set(WORDS) == {words for part in get_args(Hint) for words in get_args(part)}


@pytest.mark.parametrize("words", WORDS.values())
def test_the_words_are_commands_and_options_that_there_are(words, capsys):
    command = (
        words.split()
        if words.startswith("motionloom")
        else ["motionloom", "synthesize", words.split()[0]]
    )
    named = [word for word in command[1:] if not word.startswith("-") and word.islower()]
    assert main([*named, "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in command if word.startswith("--"))


def test_a_hint_is_told_behind_the_message():
    error = FormatError("build it anew", "g", hint="build graph anew")
    assert sentence_of(error) == "g: build it anew (motionloom graph build --force)"
    assert sentence_of(InvalidInputError("no")) == "no"
    assert pickle.loads(pickle.dumps(error)).hint == "build graph anew"


def test_a_hint_is_kept_when_a_constraint_file_is_named(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("duration: 3\nstyle:\n  - {label: limping}\n")
    with pytest.raises(FormatError, match=r"a.yaml:3: none") as caught, names_in(path):
        raise UnknownNameError("limping", "none", hint="give labels")
    assert caught.value.hint == "give labels"


def test_only_the_command_line_knows_its_options():
    for path in SOURCES.rglob("*.py"):
        if "cli" in path.relative_to(SOURCES).parts:
            continue
        strings = re.findall(r'f?"[^"\n]*"', path.read_text())
        assert not [s for s in strings if re.search(r"[ '(\"]--[a-z]", s)], path
