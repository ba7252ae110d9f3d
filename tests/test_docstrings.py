"""The examples in docstrings run and print what they say.

Examples know NumPy as `np`, the facade as `ml`, the names of their own module, and `demo`: a folder
with what ``motionloom demo`` writes and with models that were learned from its clips.
"""

import doctest
import importlib
import pkgutil
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.spaces import fit_pose_space, save_pose_space

#: Numbers are compared as they are printed; the rest of a line may be left out by three dots.
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
_SOURCE = Path(ml.__file__).parent


def modules_with_examples():
    """Names of the modules in which a docstring has an example."""
    for info in pkgutil.walk_packages([str(_SOURCE)], "motionloom."):
        path = _SOURCE.joinpath(*info.name.split(".")[1:])
        path = path / "__init__.py" if info.ispkg else path.with_suffix(".py")
        if ">>> " in path.read_text():
            yield info.name


@pytest.fixture(scope="session")
def examples_folder(tmp_path_factory, demo_folder):
    """The demo's files, and models learned from them."""
    folder = tmp_path_factory.mktemp("examples") / "demo"
    shutil.copytree(demo_folder, folder)
    clips = folder / "clips"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ml.gait.fit([clips / "walk_1.1.bvh", clips / "walk_1.6.bvh"]).save(folder / "gait.npz")
        ml.idle.fit(clips / "stand.bvh").save(folder / "idle.npz")
        ml.model.fit(clips / "reach_right_*.bvh").save(folder / "reaches.npz")
        ml.markers.fit(folder / "markers.trc").save(folder / "body.npz")
        reaches = [ml.load(path) for path in sorted(clips.glob("reach_right_*.bvh"))]
        save_pose_space(fit_pose_space(reaches), folder / "poses.npz")
    return folder


@pytest.mark.usefixtures("little_work")
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", list(modules_with_examples()))
def test_examples_print_what_they_say(name, examples_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    known = {**vars(module), "np": np, "ml": ml, "demo": examples_folder}
    runner = doctest.DocTestRunner(optionflags=_FLAGS)
    said = []
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, globs=known):
        runner.run(test, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)
