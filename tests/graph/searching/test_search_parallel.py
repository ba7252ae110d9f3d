from dataclasses import replace

import numpy as np
import pytest

from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.errors import FormatError
from motionloom.graph.searching._parallel import attach, share
from motionloom.graph.searching.results import SearchOptions
from motionloom.graph.searching.search import search_motion
from stored_files import rewrite

SHORT = SearchOptions(iterations=40_000, restarts=3)


def outcome(result):
    return [(a.path, a.start, a.score) for a in result.alternatives]


@pytest.fixture(scope="module")
def alone(graph, errand):
    return search_motion(graph, errand, SHORT)


def test_the_number_of_processes_does_not_change_the_result(graph, errand, alone):
    shared = search_motion(graph, errand, replace(SHORT, workers=2))
    assert outcome(shared) == outcome(alone)
    assert shared.iterations == alone.iterations
    assert shared.reproducible


def test_more_seeds_hold_what_fewer_found(graph, errand, alone):
    one = search_motion(graph, errand, replace(SHORT, restarts=1))
    assert alone.best.score <= one.best.score
    assert alone.iterations > 2 * one.iterations


def test_ctrl_c_ends_all_processes_with_what_they_found(graph, errand):
    def stop(stage, done, total):
        if done > 0:
            raise KeyboardInterrupt

    found = search_motion(
        graph, errand, SearchOptions(iterations=10**9, restarts=2, workers=2), progress=stop
    )
    assert found.stopped_because == "interrupted"
    assert found.best.path.n_frames == errand.n_frames
    assert all(s.iterations > 0 for s in found.state)


def test_a_state_file_is_gone_on_with_as_if_nothing_had_happened(graph, errand, alone, tmp_path):
    file = tmp_path / "search.npz"
    part = search_motion(graph, errand, replace(SHORT, iterations=4_000, state_file=file))
    assert part.iterations < alone.iterations
    whole = search_motion(graph, errand, replace(SHORT, state_file=file))
    assert outcome(whole) == outcome(alone)
    again = search_motion(graph, errand, replace(SHORT, state_file=file))
    assert again.iterations == whole.iterations


def test_a_state_file_of_something_else_is_refused(graph, errand, tmp_path):
    file = tmp_path / "search.npz"
    quick = SearchOptions(iterations=3_000, state_file=file)
    search_motion(graph, errand, quick)
    other = ConstraintSet(
        duration=3.0, body=(BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0),)
    )
    with pytest.raises(FormatError, match=r"search\.npz: .*another constraint file"):
        search_motion(graph, other, quick)
    with pytest.raises(FormatError, match="saved with seed 0, not 7"):
        search_motion(graph, errand, replace(quick, seed=7))
    rewrite(file, file, lambda head, arrays: head.update(marks=[0, head["marks"][1]]))
    with pytest.raises(FormatError, match="another motion graph"):
        search_motion(graph, errand, quick)
    file.write_bytes(b"not a state")
    with pytest.raises(FormatError, match="not a state of a search"):
        search_motion(graph, errand, quick)


def test_shared_objects_come_back_as_they_were():
    large, small = np.arange(10_000.0).reshape(100, 100), np.arange(3)
    shared, block = share({"large": large, "small": small, "text": "x"})
    assert len(shared[1]) < 1_000
    value, view = attach(shared)
    assert np.array_equal(value["large"], large)
    assert np.array_equal(value["small"], small)
    assert value["text"] == "x"
    del value
    view.close()
    block.close()
    block.unlink()
