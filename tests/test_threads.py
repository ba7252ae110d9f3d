"""The same bytes whatever the number of threads, the seed of hashes, and what else runs."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import threading

import pytest
import scipy.linalg  # noqa: F401 - brings a pool of threads
from threadpoolctl import ThreadpoolController

from motionloom import threads
from motionloom.threads import one_thread


def counts(api: str = "") -> list[int]:
    """Threads of all pools, or of those of one kind."""
    pools = ThreadpoolController().lib_controllers
    return [pool.get_num_threads() for pool in pools if api in ("", pool.user_api)]


@pytest.fixture
def two_threads(monkeypatch):
    """Pools of two threads, and a limit that nothing else in this process has entered."""
    monkeypatch.setattr(threads, "_users", [])
    with ThreadpoolController().limit(limits=2):
        yield counts()


def test_threads_are_as_many_as_before_when_the_last_has_ended(two_threads):
    ended = threading.Event()
    inside = threading.Event()

    def other():
        with one_thread():
            inside.set()
            ended.wait()

    beside = threading.Thread(target=other)
    with one_thread():
        assert set(counts()) == {1}
        beside.start()
        inside.wait()
    # OpenMP, where it is loaded, has a number for every thread: this one has its own back.
    assert set(counts("blas")) == {1}
    ended.set()
    beside.join()
    assert counts() == two_threads


def test_an_error_gives_the_threads_back(two_threads):
    with pytest.raises(KeyError), one_thread():
        raise KeyError
    assert counts() == two_threads


def test_processes_that_are_started_meanwhile_have_one_thread(two_threads, monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with one_thread():
        assert {os.environ[name] for name in threads._VARIABLES} == {"1"}
    assert os.environ["OPENBLAS_NUM_THREADS"] == "2"
    assert "MKL_NUM_THREADS" not in os.environ


def test_a_pool_that_is_loaded_meanwhile_has_one_thread_and_then_as_many_as_the_others():
    script = """
import numpy
from threadpoolctl import ThreadpoolController as Pools
from motionloom.threads import one_thread
counts = lambda: {pool["num_threads"] for pool in Pools().info()}
Pools().limit(limits=2)
with one_thread():
    import scipy.linalg
    assert counts() == {1}, counts()
assert counts() == {2}, counts()
"""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)


#: Calls that learn, make or measure, by their modules.
VERBS = {
    "analysis": "compute_quality",
    "analysis.quality": "compute_pooled_quality",
    "analysis.moments": "fit_moment_judge score_moments",
    "analysis.naturalness": "fit_naturalness",
    "edit": "align_ground find_symmetry lock_feet reach_targets",
    "edit.retarget.retarget": "retarget_clips retarget_motion",
    "fitting": "calibrate fit_markers track",
    "framewise": "edit_clip",
    "gait": "find_gait fit_gait gather_examples learn_gait",
    "gait.imdr.reconstruct": "reconstruct",
    "gait.path._lay": "plan_gait plant",
    "graph": "build_graph search_motion",
    "idle": "fit_idle mix_idle wait_on_body",
    "idle._making": "make_idle",
    "ik.pose": "find_pose",
    "inbetween": "fill_gaps fit_inbetween make_filler",
    "models": "edit_motion fitted_model",
    "performer": "perform performer_clips",
    "physics.correct._correct": "correct_motion",
    "robots": "retarget_to_robot",
    "scene": "fit_cast synthesize_scene",
    "shot": "check_shot make_shot plan_shot with_naturalness",
    "spaces": "fit_pose_space",
    "synthesis": "fill_waits fit_bridge fit_generator synthesize",
}


@pytest.mark.parametrize(
    ("module", "name"), [(m, name) for m, names in VERBS.items() for name in names.split()]
)
def test_whoever_calls_from_python_gets_one_thread_too(module, name, monkeypatch):
    verb = getattr(importlib.import_module(f"motionloom.{module}"), name)
    begun = []

    class Stopped(Exception):
        pass

    def begin():
        begun.append(True)
        raise Stopped

    monkeypatch.setattr(threads, "_whole_process", begin)
    monkeypatch.setattr(threads, "_users", [])
    with pytest.raises(Stopped):
        verb()
    assert begun


#: Four jobs, each of which came out otherwise with another number of threads: made clips, markers
#: fitted, a pose, and a gap filled as learned.
JOBS = """
import hashlib, json, pathlib, sys
from motionloom.performer import performer_clips
from motionloom.cli.main import main

demo, out = map(pathlib.Path, sys.argv[1:])
(out / "hand.yaml").write_text("joints:\\n- {joint: right_hand, position: [-0.3, 1.3, 0.4]}\\n")
(out / "keys.yaml").write_text(
    "fps: 30\\nduration: 1.6\\nbody:\\n"
    "- {time: 0.4, position: [0.0, 0.5], facing: 0}\\n"
    "- {time: 1.2, position: [0.1, 1.4], facing: 10}\\n"
    "poses:\\n- {time: 0.4, clip: walk_1.1, frame: 30}\\n"
    "- {time: 1.2, clip: walk_1.1, frame: 54}\\n"
)
reach = ["--only", "reach_right*", "--only", "walk_1*"]
main(["fit", str(demo / "markers.trc"), "-o", "fit.npz", "-o", "fit.bvh"])
main(["pose", str(demo / "clips"), *reach, "-c", "hand.yaml", "-o", "pose.bvh",
      "--report", "pose.json"])
main(["synthesize", str(demo / "clips"), "--only", "walk_1*", "--generator", "inbetween",
      "-c", "keys.yaml", "-o", "gap.bvh"])
report = json.loads((out / "pose.json").read_text())
report.pop("milliseconds")
found = {name: (out / name).read_bytes() for name in ("fit.npz", "fit.bvh", "pose.bvh", "gap.bvh")}
found["pose.json"] = repr(report).encode()
for clip in performer_clips():
    found[clip.motion.name] = clip.motion.rotations.tobytes()
json.dump({name: hashlib.sha256(data).hexdigest() for name, data in found.items()},
          open("found.json", "w"))
"""


@pytest.mark.slow
def test_four_jobs_give_the_same_bytes_whatever_the_threads_and_hashes(demo_folder, tmp_path):
    """All at once, as two people on one machine would run them."""
    settings = [
        {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"},
        {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "PYTHONHASHSEED": "1"},
        {"NUMBA_NUM_THREADS": "1", "PYTHONHASHSEED": "random"},
    ]
    free = {name: value for name, value in os.environ.items() if not name.endswith("_THREADS")}
    running = []
    for k, setting in enumerate(settings):
        out = tmp_path / str(k)
        out.mkdir()
        command = [sys.executable, "-c", JOBS, str(demo_folder), str(out)]
        running.append(subprocess.Popen(command, cwd=out, env={**free, **setting}))
    assert [process.wait() for process in running] == [0, 0, 0]
    found = [json.loads((tmp_path / str(k) / "found.json").read_text()) for k in range(3)]
    assert len(found[0]) > 25
    assert found[0] == found[1] == found[2]
