"""When a search looks at the clock: a clock of our own goes on with every report of progress."""

from __future__ import annotations

from dataclasses import replace

import pytest

from motionloom.constraints import ConstraintSet
from motionloom.graph.searching._parallel import _Compiling
from motionloom.graph.searching.results import Clock, SearchOptions
from motionloom.graph.searching.search import SAVE_EVERY, search_motion
from motionloom.graph.transitions.build import build_graph

WISH = ConstraintSet(duration=4.0)


@pytest.fixture(scope="module")
def small(walkers):
    return build_graph(walkers)


class Ticking:
    """Stands still but for what reports of progress add to it."""

    def __init__(self, step):
        self.now, self.step, self.reports = 100.0, step, []

    def read(self):
        return self.now

    def progress(self, stage, done, total):
        self.reports.append((stage, done, total))
        self.now += self.step


@pytest.mark.parametrize("restarts", [1, 3])
def test_a_search_has_twice_its_budget_for_each_restart(small, restarts):
    budget = 2.0
    ticking = Ticking(0.999 * budget)
    options = SearchOptions(budget=budget, restarts=restarts, clock=Clock(worked=ticking.read))
    found = search_motion(small, WISH, options, progress=ticking.progress)
    assert found.stopped_because == "time"
    # The first report after the time is up is the last.
    assert len(ticking.reports) == 2 * restarts + 1


def test_iterations_that_are_asked_for_are_not_cut_short_by_the_clock(small):
    ticking = Ticking(1e6)
    options = SearchOptions(iterations=20_000, budget=0.01, clock=Clock(worked=ticking.read))
    assert (
        search_motion(small, WISH, options, progress=ticking.progress).stopped_because
        == "iterations"
    )


@pytest.mark.parametrize(
    ("step", "each"), [(0.0, None), (0.4 * SAVE_EVERY, 3), (1.01 * SAVE_EVERY, 1)]
)
def test_the_state_is_written_now_and_then_and_at_the_end(small, monkeypatch, tmp_path, step, each):
    ticking, written = Ticking(step), []
    monkeypatch.setattr(
        "motionloom.graph.searching.search.save_state",
        lambda *_: written.append(len(ticking.reports)),
    )
    clock = Clock(passed=ticking.read)
    options = SearchOptions(iterations=60_000, state_file=tmp_path / "state.npz", clock=clock)
    search_motion(small, WISH, options, progress=ticking.progress)
    last = len(ticking.reports)
    assert last > 5
    assert written == [*(range(each, last + 1, each) if each else ()), last]
    written.clear()
    search_motion(small, WISH, replace(options, state_file=None), progress=ticking.progress)
    assert not written


def test_progress_goes_from_nothing_to_all(small):
    ticking = Ticking(0.0)
    found = search_motion(
        small, WISH, SearchOptions(iterations=20_000, restarts=2), progress=ticking.progress
    )
    stages, done, totals = zip(*ticking.reports, strict=True)
    assert set(stages) == {"searching"}
    assert list(done) == sorted(done)
    assert set(totals) == {40_000}
    assert done[-1] == 40_000
    assert found.stopped_because == "iterations"


def test_the_time_of_a_search_is_that_of_its_clock(small):
    ticking = Ticking(7.0)
    options = SearchOptions(iterations=20_000, clock=Clock(passed=ticking.read))
    found = search_motion(small, WISH, options, progress=ticking.progress)
    assert found.seconds == 7.0 * len(ticking.reports)


def test_time_of_compiling_does_not_count():
    ticks = iter(range(10))
    compiling = _Compiling(lambda: float(next(ticks)))
    compiling.on_start(None)  # at 0
    compiling.on_start(None)
    compiling.on_end(None)
    compiling.on_end(None)  # at 1
    compiling.on_start(None)  # at 2
    compiling.on_end(None)  # at 3
    assert compiling.seconds == 2.0
