"""Every script of evaluation/benchmarks/ starts: its imports are there, and it says how it is
run."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import runpy
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
SCRIPTS = sorted(BENCHMARKS.glob("*.py"))
#: Nothing to run: other scripts import them.
HELPERS = {"motion_matching", "shot_sheets", "worst_files"}
#: The scripts start anew with these, unless they are set.
ONE_CORE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@pytest.fixture(autouse=True)
def started_as_a_script(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    for name in ONE_CORE:
        monkeypatch.setenv(name, "1")
    before = set(sys.modules)
    yield
    for name in {path.stem for path in SCRIPTS} & (set(sys.modules) - before):
        del sys.modules[name]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_starts_and_says_how_it_is_run(path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [str(path), "--help"])
    monkeypatch.setattr(os, "execve", lambda *given: pytest.fail("started anew"))
    if path.stem in HELPERS:
        importlib.import_module(path.stem)
        return
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(path), run_name="__main__")
    assert ended.value.code in (0, None)
    assert "usage:" in capsys.readouterr().out


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_names_that_a_script_imports_while_it_runs_are_there(path):
    """Whatever is imported within functions: importing the script alone does not find it out."""
    missing = []
    for found in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(found, ast.ImportFrom) and str(found.module).startswith("motionloom"):
            module = importlib.import_module(found.module)
            missing += [
                f"{found.module}.{alias.name}"
                for alias in found.names
                if not hasattr(module, alias.name)
                and importlib.util.find_spec(f"{found.module}.{alias.name}") is None
            ]
    assert missing == []
