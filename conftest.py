"""Fixtures that every test may use."""

import gc
import hashlib
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

# Tests share the processors as it is: threads of linear algebra on small matrices would only wait
# for each other (with two busy processors fitting mixtures took three times the processor time).
# Before NumPy loads; commands inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Where nothing may be written beside the sources, bytecode lies with what pytest keeps: otherwise
# every worker, and every process that a test starts, would compile all modules anew.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).resolve().parent / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# A loaded machine is no failure.
settings.register_profile("motionloom", deadline=None)
settings.load_profile("motionloom")


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what lives to the end: thousands of tests and modules."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real captures beside the project; tests that need it skip where it is absent."""
    folder = Path(__file__).resolve().parents[1] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real captures (../shared/data) are not on this machine")
    return folder


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``motionloom demo`` writes; made once for all processes that test at the same time, for
    reading only.
    """
    from motionloom.cli.main import main

    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = base / "session" / "demo", base / "session" / "done"
    folder.parent.mkdir(exist_ok=True)
    with FileLock(base / "session.lock"):
        if not done.exists():
            with pytest.MonkeyPatch.context() as patch:
                stop_the_clock(patch)
                assert main(["demo", "-o", str(folder)]) == 0
            done.touch()
    return folder


@pytest.fixture(scope="session")
def walkers():
    """Clip set of simple walkers."""
    from walkers import make_walkers

    return make_walkers()


@pytest.fixture(scope="session")
def performed():
    """Clip set of the performer's walks, turns, runs and reaches."""
    from motionloom.clips import make_clip_set
    from performed import performer_clips

    return make_clip_set([clip.motion for clip in performer_clips()])


@pytest.fixture(scope="session")
def graph(performed):
    """Motion graph of the performer's clips."""
    from motionloom.graph import build_graph

    return build_graph(performed)


@pytest.fixture(scope="session")
def errand():
    """Two checkpoints after the start."""
    from motionloom.constraints import BodyConstraint, ConstraintSet

    return ConstraintSet(
        duration=8.0,
        body=(
            BodyConstraint(time=0.0, position=(2.0, -1.0), facing=30.0),
            BodyConstraint(time=4.0, position=(3.5, 2.0), facing=0.0),
            BodyConstraint(time=8.0, position=(3.0, 5.0), facing=-40.0),
        ),
    )


@pytest.fixture(scope="session")
def read_once():
    """A reader of BVH files that parses the same bytes under the same name once for all tests:
    every command begins with reading the clips of the demo.
    """
    from motionloom.io.bvh import read_bvh

    known = {}

    def read(path, **options):
        if not Path(path).is_file():
            return read_bvh(path, **options)
        key = hashlib.sha256(Path(path).read_bytes()).digest(), Path(path).name, repr(options)
        if key not in known:
            motion = read_bvh(path, **options)
            if motion.source.warnings:  # they are given when it is read
                return motion
            known[key] = motion
        motion = known[key]
        return replace(motion, source=replace(motion.source, path=os.fspath(path)))

    return read


@pytest.fixture
def little_work(monkeypatch: pytest.MonkeyPatch, read_once) -> None:
    """For tests of commands as a whole: short searches, small mixtures and gaps learned from few
    samples, whatever the command is told, and clips that are parsed once.
    """
    from motionloom.inbetween import fit

    monkeypatch.setattr("motionloom.io.bvh.read_bvh", read_once)

    pick = fit._pick

    def pick_few(captures, missing):
        least = min(captures.options.samples, 150)
        few = replace(captures.options, samples=least, landmarks=None)
        return pick(replace(captures, options=few), missing)

    monkeypatch.setattr(fit, "_pick", pick_few)
    monkeypatch.setattr("motionloom.graph.searching.results.ITERATIONS_PER_SECOND", 40_000)
    monkeypatch.setattr("motionloom.analysis.naturalness.COMPONENTS", 2)
    monkeypatch.setattr("motionloom_evaluation.critic.classifiers.TREES", 5)
    monkeypatch.setattr("motionloom_evaluation.critic.compare._HALVINGS", 1)
    monkeypatch.setattr("motionloom.analysis.oddness.captures.FOLDS", 2)
    monkeypatch.setattr("motionloom.analysis.oddness.captures.MOST_PIECES", 16)


def stop_the_clock(patch: pytest.MonkeyPatch) -> None:
    """Let no search of a command be cut short by a machine that is busy with other things, so that
    it gives the same bytes.

    A search from the library is given its clock (``SearchOptions.clock``); a command makes its own
    options, so here the clock of options that name none is another. In this process only. That it
    still has an effect is tested in tests/graph/searching/test_search.py.
    """
    from motionloom.graph.searching.results import Clock

    patch.setattr("motionloom.graph.searching.results.SYSTEM", Clock(worked=lambda: 0.0))


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test of a command that compares bytes; see `stop_the_clock`."""
    stop_the_clock(monkeypatch)
