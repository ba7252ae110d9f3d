"""What others have put into a graph's folder, or linked there, is never removed, replaced or
followed.
"""

import shutil

import numpy as np
import pytest

from folders import bytes_of
from motionloom.clips.clip_set import make_clip_set
from motionloom.errors import MotionloomError
from motionloom.graph.storage.disk import build_on_disk
from motionloom.io.files import PART
from walkers import make_walker

CLIPS = make_clip_set(
    [make_walker(60, phase=0.5 * i, vary=0.2, name=f"walk_{i}") for i in range(3)]
)
FEWER = make_clip_set(
    [make_walker(60, phase=0.5 * i, vary=0.2, name=f"walk_{i}") for i in range(2)]
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "graph"
    build_on_disk(CLIPS, folder)
    return folder


@pytest.fixture
def graph(built, tmp_path):
    return shutil.copytree(built, tmp_path / "graph")


@pytest.mark.parametrize("anew", [False, True])
@pytest.mark.parametrize(
    "name", ["head.json", "graph.npz", "rows/data.npz", "notes.txt", f"rows/mine{PART}"]
)
def test_a_folder_that_is_not_of_a_graph_is_not_taken(tmp_path, name, anew):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text('{"mine": 1}')
    before = bytes_of(tmp_path)
    with pytest.raises(MotionloomError):
        build_on_disk(CLIPS, tmp_path, anew=anew)
    assert bytes_of(tmp_path) == before


def test_a_folder_of_hidden_files_counts_as_empty(tmp_path):
    hidden = [
        tmp_path / name
        for name in (".git/config", ".DS_Store", "Thumbs.db", "rows/.DS_Store", "desktop.ini")
    ]
    for file in hidden:
        file.parent.mkdir(exist_ok=True)
        file.write_text("theirs")
    for anew in (False, True):
        build_on_disk(FEWER, tmp_path, anew=anew)
        assert all(file.read_text() == "theirs" for file in hidden)


@pytest.mark.parametrize("anew", [False, True])
@pytest.mark.parametrize("name", ["rows", "head.json", "graph.npz", ".lock", ""])
def test_links_are_refused(graph, tmp_path, name, anew):
    (graph / name).rename(tmp_path / "elsewhere")
    (graph / name).symlink_to(tmp_path / "elsewhere")
    np.savez(tmp_path / "photo.npz", head=np.array("mine"))
    before = bytes_of(tmp_path)
    with pytest.raises(MotionloomError, match="this is a link"):
        build_on_disk(FEWER, graph, anew=anew)
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize("anew", [False, True])
def test_only_rows_that_say_whose_they_are_are_removed(graph, anew):
    rows = sorted((graph / "rows").iterdir())
    others = [
        graph / "rows/data.npz",
        graph / "rows/0123456789abcdef01234567.npz",
        graph / "rows/.take1.part",
    ]
    np.savez(others[0], head=np.array("mine"))
    shutil.copy(rows[0], others[1])
    others[2].write_text("mine")
    left = {path: path.read_bytes() for path in others}
    report = build_on_disk(FEWER, graph, anew=anew)
    assert {path: path.read_bytes() for path in others} == left
    assert len(list((graph / "rows").iterdir())) == 2 + len(others)
    assert "and 2 more are not part of this graph; left as they are" in report.notes[-1]


def test_a_row_of_another_clip_is_not_replaced(graph):
    one, other = sorted((graph / "rows").iterdir())[:2]
    shutil.copy(one, other)
    before = bytes_of(graph)
    with pytest.raises(MotionloomError, match="part of another clip"):
        build_on_disk(CLIPS, graph)
    assert bytes_of(graph) == before


def test_what_a_killed_build_left_is_removed(graph):
    before = bytes_of(graph)
    (graph / f".head.json.a1b2c3d4{PART}").write_text("{")
    row = next((graph / "rows").iterdir()).name
    (graph / f"rows/.{row}.a1b2c3d4{PART}").write_text("{")
    build_on_disk(CLIPS, graph)
    assert bytes_of(graph) == before
