"""The ratchet measures what it says, and fails where something grew."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
_SPEC = importlib.util.spec_from_file_location("ratchet", ROOT / "tools" / "ratchet.py")
ratchet = importlib.util.module_from_spec(_SPEC)
sys.modules["ratchet"] = ratchet
_SPEC.loader.exec_module(ratchet)

SOURCE = '''"""Of a toy."""

# A comment.
LIMIT, STEP = 0.5, -2
NAME = "three"


class Told:
    """A class."""


def whereto(place, time):
    """Two lines,
    of which none is code.
    """
    if place and time:
        return place
    return [t for t in time]


def _private(): ...
'''


def measured(tmp_path, **files):
    for name, text in files.items():
        path = tmp_path / Path(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return ratchet.measure(ratchet.read_modules(tmp_path), {"told", "whereto", "place"})


def test_every_measure_is_what_it_says(tmp_path):
    found = measured(tmp_path, toys__toy=SOURCE)
    assert found["files"] == 1
    assert found["code lines"] == found["code lines of toys"] == 8
    assert found["public names"] == 2
    assert found["module-level numbers"] == 2
    assert found["class names used twice"] == 0
    assert found["quaint names"] == 3  # a class, a function, a parameter
    # Two functions, a condition with an "and", a comprehension.
    assert found["complexity per 1000 code lines"] == round(1000 * 5 / 8)
    assert found["lines in literal duplicates"] == 0


def test_lines_that_stand_twice_and_names_of_two_classes_count(tmp_path):
    found = measured(tmp_path, one=SOURCE, two=SOURCE)
    assert found["class names used twice"] == 1
    assert found["lines in literal duplicates"] == 16


def test_names_of_private_modules_are_not_public(tmp_path):
    assert measured(tmp_path, toys___toy=SOURCE)["public names"] == 0


def test_the_entries_of_closures_are_modules():
    known = {module.name for module in ratchet.read_modules(ROOT / "src" / "motionloom")}
    assert known.issuperset(sum(ratchet.ENTRIES.values(), ()))


def test_a_closure_follows_imports_inside_functions(tmp_path, monkeypatch):
    monkeypatch.setattr(ratchet, "ENTRIES", {"it": ("a",)})
    lazy = "def f():\n    from motionloom.b import C\n    return C\n"
    found = measured(tmp_path, a=lazy, b="class C: ...\n", unreached="class D: ...\n")
    assert found["modules that it reaches"] == 2
    assert found["classes that it reaches"] == 1


def test_growth_fails_and_writing_only_lowers(tmp_path, monkeypatch, capsys):
    record = tmp_path / "ratchet.json"
    monkeypatch.setattr(ratchet, "RECORD", record)
    monkeypatch.setattr(ratchet, "measure", lambda modules, quaint: {"files": 5, "code lines": 7})
    record.write_text(json.dumps({"numbers": {"files": 4, "code lines": 9}, "raised": {}}))
    assert ratchet.main([]) == 1
    assert "error: files: 5, more than 4" in capsys.readouterr().out
    assert ratchet.main(["--write"]) == 0
    assert json.loads(record.read_text())["numbers"] == {"files": 4, "code lines": 7}
    record.write_text(json.dumps({"numbers": {"files": 5, "code lines": 7}, "raised": {}}))
    assert ratchet.main([]) == 0


def test_the_glossary_lists_the_words_that_names_do_not_use():
    words = ratchet.quaint_words((ROOT / "docs" / "glossary.md").read_text())
    assert {"whereto", "somebody", "oddness"} <= words
    assert "trajectory" not in words


@pytest.mark.parametrize("key", ["files", "code lines", "quaint names"])
def test_the_record_holds_every_measure(key):
    assert key in json.loads(ratchet.RECORD.read_text())["numbers"]
