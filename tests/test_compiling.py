"""Kernels and parts: the level of optimisation is theirs alone, and compiling is told."""

from __future__ import annotations

import gc
import pickle
from pathlib import Path
from types import SimpleNamespace

import pytest
from numba import config, njit

from motionloom import compiling


def test_only_own_functions_are_compiled_at_the_first_level(monkeypatch):
    levels = []
    monkeypatch.setattr(
        compiling, "_followers", [(lambda folder: levels.append(int(config.OPT)), lambda: None)]
    )
    before = config.OPT
    light = compiling._marked(lambda x: x + 1)
    usual = compiling._compiled(lambda x: x + 1, None)
    theirs = njit(lambda x: x + 1)
    assert (light(1), usual(1), theirs(1)) == (2, 2, 2)
    assert levels == [1, int(before)]
    assert config.OPT is before


def test_compiling_is_told_from_beginning_to_end_once_for_a_function_and_its_parts(monkeypatch):
    told = []
    monkeypatch.setattr(
        compiling, "_followers", [(lambda folder: told.append("begin"), lambda: told.append("end"))]
    )
    half = compiling.part(lambda x: x / 2)
    whole = compiling._marked(lambda x: half(x) + half(x))
    assert (whole(3.0), whole(5.0)) == (3.0, 5.0)
    assert told == ["begin", "end"]


def test_a_part_that_python_calls_is_compiled_for_it():
    half = compiling.part(lambda x: x / 2)
    whole = compiling._marked(lambda x: half(x) + half(x))
    assert whole(3.0) == 3.0  # from here on the part is there, for compiled functions only
    assert half(3.0) == 1.5
    assert half.signatures == whole.signatures


def test_garbage_is_collected_as_before_when_compiling_is_done_or_has_failed(monkeypatch):
    seen = []
    monkeypatch.setattr(
        compiling, "_followers", [(lambda folder: seen.append(gc.get_threshold()), lambda: None)]
    )
    before = gc.get_threshold()
    compiling._marked(lambda x: x + 1)(1)
    with pytest.raises(Exception, match="no_such_name"):
        compiling._marked(lambda x: x + no_such_name)(1)  # noqa: F821
    assert seen == [compiling._RARELY] * 2
    assert gc.get_threshold() == before


@pytest.mark.parametrize(
    ("cache", "told"),
    [
        (None, ""),
        (
            "/site/motionloom/graph/transitions/__pycache__",
            str(Path(compiling.__file__).parents[1]),
        ),
        ("/cache/transitions_03aafc40", str(Path("/cache"))),
    ],
)
def test_the_folder_that_is_told_holds_what_is_kept_of_all_modules(cache, told):
    dispatcher = SimpleNamespace(_cache=SimpleNamespace(cache_path=cache))
    assert compiling._folder_of(dispatcher) == told


def test_what_is_kept_and_names_types_that_moved_is_compiled_again(monkeypatch, tmp_path):
    """As after an upgrade: numba looks up types before it looks whether they are out of date."""
    (tmp_path / "doubling.py").write_text("def double(x):\n    return 2 * x\n")
    monkeypatch.syspath_prepend(tmp_path)
    import doubling  # type: ignore[import-not-found]

    double = compiling.kernel(doubling.double)
    assert double(1) == 2
    index = next(tmp_path.rglob("*.nbi"))
    with open(index, "rb") as stream:
        version = pickle.load(stream)
    gone = b"cmotionloom.gone\nObstacles\n."
    index.write_bytes(pickle.dumps(version) + gone)
    assert compiling.kernel(doubling.double)(1) == 2
