"""A graph at a glance: components, the narrowest place, waits; as text, JSON and picture."""

import json
from dataclasses import replace

import numpy as np
import pytest

from motionloom.clips.clip_set import make_clip_set
from motionloom.graph.overview.picture import write_overview_picture
from motionloom.graph.overview.survey import kind_of, report_overview, survey_graph
from motionloom.graph.transitions.build import build_graph
from motionloom.graph.transitions.options import GraphOptions
from performed import performer_clips


@pytest.fixture(scope="module")
def two_gaits():
    """Standing reaches, and the middle of a run: no transition between them, so two components."""
    clips = {clip.motion.name: clip.motion for clip in performer_clips()}
    stands = [
        replace(clips[f"reach_right_{where}"], name=f"stand_{i}")
        for i, where in enumerate(("high", "side"))
    ]
    runs = [replace(clips["run_3"].cut(90 + 4 * i, 160 + 4 * i), name=f"run_{i}") for i in range(2)]
    return build_graph(make_clip_set([*stands, *runs]), GraphOptions(bridges=(), farthest=1.0))


@pytest.fixture(scope="module")
def overview(graph):
    return survey_graph(graph)


def test_figures_agree_with_the_graph(graph, overview):
    assert overview.n_frames == graph.clips.n_frames
    transitions = overview.density * overview.lengths[:, None]
    assert transitions.sum() == pytest.approx(len(graph.edges.source))
    assert 1 - np.trace(transitions) / transitions.sum() == pytest.approx(graph.report.cross_share)
    assert (overview.kept * overview.lengths).sum() == pytest.approx(graph.core.sum())
    assert sum(c.frames for c in overview.components) + overview.scattered == overview.n_frames
    assert overview.components[0].frames == graph.core.sum()


def test_components_and_what_is_in_them(two_gaits):
    found = survey_graph(two_gaits)
    assert [c.kinds for c in found.components] == [{"stand": 2}, {"run": 2}]
    assert found.components[1].clips == ("run_0", "run_1")
    assert found.report.dropped_clips == ("run_0", "run_1")
    text = report_overview(found).to_text()
    assert "no. 2:" in text
    assert "clips left out: run_0, run_1" in text
    assert "left out, run_0, run_1: nothing leads into them or out of them" in text
    assert "no bridge could be added" in text
    assert "nobody runs" in text


def test_the_narrowest_place_is_where_few_transitions_cross(graph):
    clips, edges = graph.clips, graph.edges
    aside = clips.clip_of >= clips.n_clips - 5
    across = np.flatnonzero(aside[edges.source] != aside[edges.target])
    kept = np.sort(
        np.concatenate([np.flatnonzero(aside[edges.source] == aside[edges.target]), across[::500]])
    )
    neck = survey_graph(replace(graph, edges=edges.take(kept))).neck
    assert neck.clips == clips.names[-5:]
    out = int(np.sum(aside[edges.source[across[::500]]]))
    assert (neck.out, neck.back) == (out, len(across[::500]) - out)


def test_the_longest_wait_ends_at_a_transition(graph):
    clips, edges = graph.clips, graph.edges
    first = int(clips.starts[3])
    kept = (edges.source < first + 20) | (edges.source >= first + 125)
    seconds, clip = survey_graph(replace(graph, edges=edges.take(kept))).longest_wait
    sources = np.unique(edges.source[kept & (clips.clip_of[edges.source] == 3)])
    assert np.diff(sources).max() >= 105
    if clip == clips.names[3]:
        assert seconds == pytest.approx(np.diff(sources).max() / clips.fps)
    else:
        assert seconds > np.diff(sources).max() / clips.fps


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("walk_active_003", "walk_active"),
        ("16_01", "16"),
        ("walk_0.6", "walk"),
        ("dance", "dance"),
        ("007", "007"),
    ],
)
def test_kinds_of_clips(name, kind):
    assert kind_of(name) == kind


def test_json_holds_everything(overview):
    data = json.loads(report_overview(overview).to_json())
    assert data["report"]["n_edges"] == overview.report.n_edges
    assert np.allclose(data["coverage"]["inside"], overview.coverage.inside, atol=1e-5)
    assert data["components"][0]["frames"] == overview.components[0].frames
    assert data["seconds"] == pytest.approx(overview.seconds)


def test_the_picture_is_drawn_and_the_same_every_time(overview, two_gaits, tmp_path):
    for name in "ab":
        write_overview_picture(overview, tmp_path / f"{name}.png", dpi=40)
    data = (tmp_path / "a.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert data == (tmp_path / "b.png").read_bytes()
    write_overview_picture(survey_graph(two_gaits), tmp_path / "c.png", dpi=40)
    assert (tmp_path / "c.png").read_bytes() != data
