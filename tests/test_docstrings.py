"""The examples in docstrings run and print what they say.

Examples know NumPy as `np`, the facade as `ml`, the names of their own module, and

* `demo`, a folder with the clips, markers and constraints of ``motionloom demo``, and with models
  that were learned from its clips,
* `walk`, one of the clips, and `posed`, the same with its kinematics,
* `arm`, a skeleton of shoulder, elbow and hand: bones of 0.3 and 0.25 m along +X.
"""

import doctest
import importlib
import pkgutil
import warnings
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.cli._demo import demo_wish
from motionloom.constraints import write_constraints
from motionloom.performer import make_performer, performer_clips
from motionloom.performer.markers import place_markers
from motionloom.posed_motion import pose_motion
from motionloom.skeleton import Skeleton
from motionloom.spaces import fit_pose_space, save_pose_space

#: Numbers are compared as they are printed; the rest of a line may be left out by three dots.
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
ARM = Skeleton(("shoulder", "elbow", "hand"), [-1, 0, 1], [[0, 1.4, 0], [0.3, 0, 0], [0.25, 0, 0]])
#: Two people who shake hands.
SCENE = """
duration: 7.0
characters:
  alice: {body: [{time: 0.0, position: [0.0, 0.0], facing: 0}]}
  bob: {body: [{time: 0.0, position: [0.5, 6.0], facing: 180}]}
events:
  - {name: handshake, time: 5.5, between: [alice, bob], distance: 0.75}
"""
_SOURCE = Path(ml.__file__).parent


def modules_with_examples():
    """Names of the modules in which a docstring has an example."""
    for info in pkgutil.walk_packages([str(_SOURCE)], "motionloom."):
        path = _SOURCE.joinpath(*info.name.split(".")[1:])
        path = path / "__init__.py" if info.ispkg else path.with_suffix(".py")
        if ">>> " in path.read_text():
            yield info.name


@pytest.fixture(scope="session")
def examples_folder(tmp_path_factory):
    """The demo's clips, markers and constraints, and models learned from them."""
    folder = tmp_path_factory.mktemp("examples") / "demo"
    clips = folder / "clips"
    clips.mkdir(parents=True)
    for clip in performer_clips():
        ml.save(clip.motion, clips / f"{clip.motion.name}.bvh")
    write_constraints(demo_wish(), folder / "constraints.yaml")
    (folder / "scene.yaml").write_text(SCENE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        markers = place_markers(make_performer(), ml.load(clips / "walk_1.1.bvh"))
        ml.save(markers, folder / "markers.trc")
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
    walk = ml.load(examples_folder / "clips" / "walk_1.1.bvh")
    known = {**vars(module), "np": np, "ml": ml, "demo": examples_folder}
    known |= {"walk": walk, "posed": pose_motion(walk), "arm": ARM}
    runner = doctest.DocTestRunner(optionflags=_FLAGS)
    said = []
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, globs=known):
        runner.run(test, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)
