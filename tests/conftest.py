"""Fixtures that every test may use."""

from pathlib import Path

import pytest
from hypothesis import settings

# A loaded machine is no failure.
settings.register_profile("motionloom", deadline=None)
settings.load_profile("motionloom")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real captures beside the project; tests that need it skip where it is absent."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real captures (../shared/data) are not on this machine")
    return folder


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``motionloom demo`` writes; made once, for reading only."""
    from motionloom.cli.main import main

    folder = tmp_path_factory.mktemp("session") / "demo"
    with pytest.MonkeyPatch.context() as patch:
        stop_the_clock(patch)
        assert main(["demo", "--out", str(folder)]) == 0
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
    from motionloom.performer import performer_clips

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


def stop_the_clock(patch: pytest.MonkeyPatch) -> None:
    """Let no search be cut short by a machine that is busy with other things, so that it gives the same bytes."""
    patch.setattr("motionloom.graph.searching.search.perf_counter", lambda: 0.0)


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test that compares bytes; see `stop_the_clock`."""
    stop_the_clock(monkeypatch)
