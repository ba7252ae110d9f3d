"""The compared searches are known by name, and the default finds better motions than they do."""

import subprocess
import sys
from pathlib import Path

import pytest

from motionloom.errors import FormatError, InvalidInputError
from motionloom.graph.searching.results import (
    Method,
    find_method,
    method_names,
    register_method,
)
from motionloom.graph.searching.search import SearchOptions, search_motion


def test_the_default_beats_the_compared_methods(graph, errand):
    ours, anneal, paper = (
        search_motion(graph, errand, SearchOptions(iterations=200_000, method=method)).best
        for method in method_names()
    )
    assert anneal.path.n_frames == paper.path.n_frames == errand.n_frames
    assert ours.score < min(anneal.score, paper.score)


@pytest.mark.parametrize("method", ["anneal", "paper"])
def test_a_compared_search_goes_on_from_its_file_as_if_it_had_never_stopped(
    graph, errand, tmp_path, method
):
    whole = search_motion(graph, errand, SearchOptions(iterations=9000, method=method))
    file = tmp_path / "state.npz"
    for n in (3000, 9000):
        options = SearchOptions(iterations=n, method=method, state_file=file)
        parts = search_motion(graph, errand, options)
    assert parts.iterations == whole.iterations
    assert parts.best.score == whole.best.score
    with pytest.raises(FormatError, match="saved with method"):
        search_motion(graph, errand, SearchOptions(iterations=9000, state_file=file))


def test_a_state_that_a_method_cannot_have_come_to_is_refused(graph, errand, tmp_path):
    """Annealing holds no walk from step to step, the paper's method holds two or none."""
    options = SearchOptions(iterations=3000, method="paper")
    state = search_motion(graph, errand, options).state
    stream = state[0]
    assert find_method("paper").fits(None, options, stream)
    assert not find_method("anneal").fits(None, options, stream)
    stream.beam = stream.beam[:1]
    assert not find_method("paper").fits(None, options, stream)


def test_a_method_of_ones_own_is_found_by_its_name(graph, errand, monkeypatch):
    from motionloom.graph.searching import results

    monkeypatch.setattr(results, "_registered", dict(results._registered))
    ours = find_method("meet")
    steps = []

    def step(problem, options, stream):
        steps.append(stream.iterations)
        ours.step(problem, options, stream)

    register_method("mine", Method(step, ours.fits))
    assert method_names() == ("meet", "anneal", "paper", "mine")
    mine = search_motion(graph, errand, SearchOptions(iterations=3000, method="mine"))
    other = search_motion(graph, errand, SearchOptions(iterations=3000))
    assert mine.best.score == other.best.score
    assert len(steps) > 1


def test_an_unknown_method_is_refused_with_those_there_are():
    with pytest.raises(InvalidInputError, match=r"one of meet, anneal, paper, got 'magic'"):
        SearchOptions(method="magic")


def test_the_graph_does_not_know_the_compared_methods_until_one_is_asked_for():
    code = (
        "import sys, motionloom.graph;"
        "from motionloom.graph.searching.results import find_method;"
        "find_method('meet');"
        "assert 'motionloom_evaluation' not in sys.modules;"
        "find_method('paper');"
        "assert 'motionloom_evaluation.graph_search' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent)
