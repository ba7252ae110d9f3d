"""Graphs on disk: the same bytes whatever happened on the way."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.clips.clip_set import ClipSet, make_clip_set
from motionloom.errors import FormatError, InvalidInputError
from motionloom.graph.storage._rows import read_row
from motionloom.graph.storage.disk import build_on_disk, open_on_disk
from motionloom.graph.transitions.build import build_graph
from motionloom.graph.transitions.options import GraphOptions
from performed import performer_clips
from walkers import make_walker

MOTIONS = [clip.motion.cut(0, 60) for clip in performer_clips()[:6]]


def clip_set(chosen=range(6)) -> ClipSet:
    return make_clip_set([MOTIONS[i] for i in chosen])


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its name."""
    return {
        str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def same(a, b) -> bool:
    arrays = [
        (a.edges.source, b.edges.source),
        (a.edges.target, b.edges.target),
        (a.edges.cost, b.edges.cost),
    ]
    arrays += [
        (getattr(a.hierarchy, n), getattr(b.hierarchy, n))
        for n in ("roots", "children", "medoid", "pair_ptr")
    ]
    return all(np.array_equal(x, y) for x, y in arrays) and a.report == b.report


def test_a_graph_on_disk_is_the_one_in_memory(tmp_path):
    clips = clip_set()
    first = build_on_disk(clips, tmp_path / "g")
    assert (first.computed, first.kept, first.dropped) == (6, 0, 0)
    assert same(first.graph, build_graph(clips))
    again = build_on_disk(clips, tmp_path / "g")
    assert (again.computed, again.kept) == (0, 6)
    assert same(again.graph, first.graph)
    assert same(open_on_disk(clips, tmp_path / "g"), first.graph)


def test_only_what_is_new_is_computed_and_what_is_gone_is_dropped(tmp_path):
    build_on_disk(clip_set(range(4)), tmp_path / "g")
    before = content(tmp_path / "g")
    more = build_on_disk(clip_set(range(5)), tmp_path / "g")
    assert 1 <= more.computed <= 5
    less = build_on_disk(clip_set(range(4)), tmp_path / "g")
    assert (less.computed, less.dropped) == (0, 1)
    assert content(tmp_path / "g") == before


@settings(max_examples=6, deadline=None)
@given(st.lists(st.sets(st.integers(0, 5), min_size=3).map(sorted), min_size=1, max_size=3))
def test_any_way_to_a_set_of_clips_ends_in_the_same_bytes(tmp_path_factory, ways):
    """With one calibration, that of the first clips."""
    direct, detour = (tmp_path_factory.mktemp(name) for name in ("direct", "detour"))
    for folder in (direct, detour):
        build_on_disk(clip_set([0, 1, 2]), folder)
    for way in ways:
        build_on_disk(clip_set(way), detour)
    build_on_disk(clip_set(ways[-1]), direct)
    assert content(direct) == content(detour)


def test_the_order_of_the_clips_does_not_count_for_the_rows(tmp_path):
    build_on_disk(clip_set(), tmp_path / "a")
    build_on_disk(clip_set(), tmp_path / "b")
    turned = build_on_disk(clip_set([5, 3, 4, 0, 2, 1]), tmp_path / "b")
    assert turned.computed == 0
    rows = lambda folder: {k: v for k, v in content(folder).items() if k.startswith("rows")}  # noqa: E731
    assert rows(tmp_path / "a") == rows(tmp_path / "b")


def test_any_clips_may_be_active(tmp_path):
    build_on_disk(clip_set(), tmp_path / "g")
    before = content(tmp_path / "g")
    names = clip_set().names
    some = open_on_disk(clip_set([0, 2, 3]), tmp_path / "g")
    assert some.clips.names == (names[0], names[2], names[3])
    assert set(some.clips.clip_of[some.edges.source]) <= {0, 1, 2}
    assert content(tmp_path / "g") == before


def test_a_clip_that_changed_is_noticed_and_computed_again(tmp_path):
    build_on_disk(clip_set(), tmp_path / "g")
    changed = make_clip_set([*MOTIONS[:5], replace(MOTIONS[5].cut(5, 60), name=MOTIONS[5].name)])
    with pytest.raises(FormatError, match="has changed since this graph was built"):
        open_on_disk(changed, tmp_path / "g")
    assert build_on_disk(changed, tmp_path / "g").computed >= 1
    assert same(open_on_disk(changed, tmp_path / "g"), build_on_disk(changed, tmp_path / "g").graph)


def test_a_clip_that_is_not_in_the_graph_is_named(tmp_path):
    build_on_disk(clip_set(range(4)), tmp_path / "g")
    with pytest.raises(
        FormatError, match="'curve_left' is not in this graph; build it again"
    ) as caught:
        open_on_disk(clip_set([0, 1, 5]), tmp_path / "g")
    assert caught.value.hint == "build graph"
    with pytest.raises(
        FormatError, match=r"'.* \(mirrored\)' is not in this graph; .* with mirrored"
    ) as caught:
        open_on_disk(make_clip_set(MOTIONS[:4], mirror=True), tmp_path / "g")
    assert caught.value.hint == "build graph mirrored"


def test_clips_that_move_otherwise_than_those_of_the_calibration_are_told(tmp_path):
    walks, still = clip_set(range(4)), clip_set([4, 5])
    assert build_on_disk(walks, tmp_path / "g").notes == ()
    slow = [
        replace(m.resample(m.frame_time / 3), name=f"slow {m.name}", frame_time=m.frame_time)
        for m in MOTIONS[:4]
    ]
    (note,) = build_on_disk(make_clip_set(slow), tmp_path / "g").notes
    assert re.search(r"change only 0\.[234]\d times as much .*; build it anew to calibrate", note)
    assert build_on_disk(make_clip_set(slow), tmp_path / "g", anew=True).notes == ()
    (note,) = build_on_disk(walks, tmp_path / "g").notes
    assert re.search(r"change [234]\.\d times as much", note)
    build_on_disk(still, tmp_path / "tau", GraphOptions(tau=5.0))
    assert build_on_disk(make_clip_set(slow), tmp_path / "tau").notes == ()


def test_a_damaged_row_is_told_or_does_no_harm(tmp_path):
    """Any byte changed, or the end missing: a row is what it was, or one clear error."""
    build_on_disk(clip_set(range(3)), tmp_path)
    path = max((tmp_path / "rows").glob("*.npz"), key=lambda p: p.stat().st_size)
    whole, rng, told = path.read_bytes(), np.random.default_rng(0), 0
    for k in range(300):
        data = bytearray(whole)
        at = rng.integers(len(data))
        if k % 3:
            data[at] ^= 1 << rng.integers(8)
        else:
            del data[at:]
        path.write_bytes(data)
        try:
            read_row(path)
        except FormatError:
            told += 1
    assert told > 200


def test_wrong_folders_and_options_are_named(tmp_path):
    clips = clip_set()
    with pytest.raises(FormatError, match="no motion graph here"):
        open_on_disk(clips, tmp_path / "none")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.docx").write_text("")
    with pytest.raises(FormatError, match=r"other files, such as thesis\.docx"):
        build_on_disk(clips, tmp_path / "other")
    build_on_disk(clips, tmp_path / "g")
    with pytest.raises(FormatError, match="of another skeleton"):
        build_on_disk(make_clip_set([make_walker(40)]), tmp_path / "g")
    with pytest.raises(FormatError, match="30 frames per second and the clips at 15"):
        open_on_disk(make_clip_set(MOTIONS, fps=15.0), tmp_path / "g")
    with pytest.raises(FormatError, match="built with step = None, not 3"):
        build_on_disk(clips, tmp_path / "g", GraphOptions(step=3))
    assert build_on_disk(clips, tmp_path / "g", GraphOptions(step=3), anew=True).computed == 6
    with pytest.raises(InvalidInputError, match="is there twice"):
        build_on_disk(make_clip_set([MOTIONS[0], MOTIONS[0]]), tmp_path / "h")
    row = next((tmp_path / "g" / "rows").glob("*.npz"))
    row.write_bytes(row.read_bytes()[:100])
    with pytest.raises(FormatError, match="not a part of a motion graph"):
        build_on_disk(clips, tmp_path / "g", GraphOptions(step=3))
    (tmp_path / "g" / "head.json").write_text("{}")
    with pytest.raises(FormatError, match="not the head of a motion graph"):
        build_on_disk(clips, tmp_path / "g")


def test_a_graph_of_an_older_version_is_refused_and_built_anew(tmp_path):
    clips = clip_set(range(3))
    build_on_disk(clips, tmp_path)
    head = tmp_path / "head.json"
    head.write_text(head.read_text().replace('_folder": 4', '_folder": 3'))
    for row in (tmp_path / "rows").iterdir():
        np.savez(row, head=np.array("[]"))
    for refused in (open_on_disk, build_on_disk):
        with pytest.raises(FormatError, match="has version 3, expected 4; build it anew"):
            refused(clips, tmp_path)
    assert build_on_disk(clips, tmp_path, anew=True).computed == 3
    assert same(open_on_disk(clips, tmp_path), build_graph(clips))


SLOW = """
import sys, time
from motionloom.graph.storage import disk
from motionloom.clips.clip_set import make_clip_set
from motionloom.performer import performer_clips
write = disk.write_row
def slowly(row, path):
    write(row, path)
    print("row", flush=True)
    time.sleep(0.05)
disk.write_row = slowly
clips = make_clip_set([clip.motion.cut(0, 60) for clip in performer_clips()[:6]])
print("ready", flush=True)
disk.build_on_disk(clips, sys.argv[1])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that kills at once")
def test_a_build_that_is_killed_goes_on_and_ends_in_the_same_bytes(tmp_path):
    rng = random.Random(0)
    for k in range(2):
        run = subprocess.Popen(
            [sys.executable, "-c", SLOW, str(tmp_path / f"g{k}")], stdout=subprocess.PIPE, text=True
        )
        assert run.stdout is not None
        for _ in range(rng.randint(2, 5)):
            run.stdout.readline()
        time.sleep(rng.uniform(0.0, 0.05))
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        resumed = build_on_disk(clip_set(), tmp_path / f"g{k}")
        assert resumed.kept > 0
    build_on_disk(clip_set(), tmp_path / "whole")
    assert content(tmp_path / "g0") == content(tmp_path / "g1") == content(tmp_path / "whole")


@pytest.mark.parametrize("name", ["notes.txt", "head.json"])
def test_a_folder_that_is_refused_is_left_as_it_was(tmp_path, name):
    """Nothing is made before what is in the way is told."""
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / name).write_text("mine")
    with pytest.raises(FormatError):
        build_on_disk(clip_set(range(3)), tmp_path / "g")
    assert [p.name for p in (tmp_path / "g").iterdir()] == [name]
    assert (tmp_path / "g" / name).read_text() == "mine"
