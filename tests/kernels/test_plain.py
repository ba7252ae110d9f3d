"""Every compiled function, run as the Python that it was written as, gives what it gives compiled.

The problems are those of `toys`; the compiler is off in a process of its own.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from kernels import toys

#: What makes a function a compiled one, by the names that the library gives it.
COMPILING = {
    "kernel",
    "lean_kernel",
    "full_kernel",
    "part",
    "njit",
    "jit",
    "vectorize",
    "guvectorize",
}


def compiled_functions(source: Path) -> Iterator[tuple[str, str]]:
    """File and name of every function that is compiled."""
    for path in sorted(source.rglob("*.py")):
        text = path.read_text()
        if not any(name in text for name in ("numba", "motionloom.compiling")):
            continue  # nothing that compiles is known there
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and any(map(_compiles, node.decorator_list)):
                yield path.relative_to(source).as_posix(), node.name


def _compiles(mark: ast.expr) -> bool:
    mark = mark.func if isinstance(mark, ast.Call) else mark
    name = mark.attr if isinstance(mark, ast.Attribute) else getattr(mark, "id", "")
    return name in COMPILING


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """What comes of the toys without the compiler, and the functions that were run."""
    folder = tmp_path_factory.mktemp("plain")
    path = os.pathsep.join(
        [str(Path(toys.__file__).parents[1]), *(str(s.parent) for s in toys.SOURCES)]
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, toys.__file__, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with np.load(folder / "plain.npz") as file:
        return dict(file)


@pytest.mark.parametrize("name", toys.TOYS)
def test_plain_python_gives_what_compiled_code_gives(name, plain, tmp_path):
    compiled = toys.solve(toys.TOYS[name], tmp_path)
    assert len([key for key in plain if key.startswith(f"{name}/")]) == len(compiled) > 0
    for k, array in enumerate(compiled):
        np.testing.assert_allclose(plain[f"{name}/{k}"], array, rtol=1e-6, atol=1e-9)


def test_every_compiled_function_is_run_by_a_toy(plain):
    run = {tuple(pair) for pair in json.loads(str(plain["called"]))}
    every = {function for source in toys.SOURCES for function in compiled_functions(source)}
    assert ("graph/scoring/walk.py", "lay") in every
    assert ("pose_solvers/joint_space.py", "_turn_each") in every
    assert sorted(every - run) == []


def test_a_compiled_function_without_a_toy_is_noticed(tmp_path):
    (tmp_path / "new.py").write_text(
        "import numba\n@kernel\ndef a(): ...\n@njit(cache=True)\ndef b(): ...\n"
        "@numba.njit\ndef c(): ...\n@property\ndef d(): ...\n"
    )
    assert list(compiled_functions(tmp_path)) == [("new.py", n) for n in "abc"]
