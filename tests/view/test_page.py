"""Writing the page: what is in it, how large it is, and that nothing stays open. See also
test_page_in_browser.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from motionloom.errors import InvalidInputError
from motionloom.markers import MarkerSequence
from motionloom.skeleton import Skeleton

pytest.importorskip("viser", reason="the page is recorded by viser (extra 'studio')")

from motionloom.view import write_page
from motionloom.view.figure import build_figure
from motionloom.view.page import _side_by_side, _thinned, _tools
from motionloom.view.solids import ball, bone, disc
from motionloom.view.stage import _turn_y_to


def test_writing_says_nothing_and_leaves_nothing_running(tmp_path):
    """In a process of its own, as threads of other tests would blur the count."""
    walkers = Path(__file__).with_name("conftest.py")
    script = f"""
import importlib.util, socket, sys, threading
bound, bind = [], socket.socket.bind
socket.socket.bind = lambda self, address: (bound.append(address[0]), bind(self, address))[1]
spec = importlib.util.spec_from_file_location("walkers", {str(walkers)!r})
walkers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(walkers)
from motionloom.view import write_page
write_page(walkers.build_walker(5), {str(tmp_path / "x.html")!r})
running = [t for t in threading.enumerate() if t is not threading.main_thread()]
print(set(bound) <= {{"127.0.0.1"}}, running, file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == ""
    assert done.stderr == "True []\n"


def test_title_and_names_are_escaped(tmp_path, make_walker):
    write_page(make_walker(3), tmp_path / "x.html", title="<script>alert(1)</script> & co")
    text = (tmp_path / "x.html").read_text()
    assert "<script>alert" not in text
    assert "<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; co</title>" in text


def test_names_of_joints_cannot_leave_the_script(tmp_path, make_walker):
    walker = make_walker(3)
    old = walker.skeleton
    names = ("</script><img src=x onerror=alert(1)><!--", *old.names[1:])
    skeleton = Skeleton(names, old.parents, old.offsets, old.end_parents, old.end_offsets)
    write_page(replace(walker, skeleton=skeleton), tmp_path / "x.html")
    text = (tmp_path / "x.html").read_text()
    assert "onerror=alert(1)" in text  # as data
    assert "<img src=x" not in text
    assert "\\u003c/script>\\u003cimg" in text


def test_the_controls_know_frames_speeds_and_contacts(make_walker, make_contacts):
    walker = make_walker(121, fps=60)
    whole = build_figure(walker, make_contacts(walker))
    tools = _tools([_thinned(whole)], whole)
    data = json.loads(re.search(r"const D=(\{.*?\}),\$=", tools).group(1))
    assert (data["count"], data["frames"]) == (61, 121)
    assert data["tick"] == pytest.approx(1 / 30)
    (figure,) = data["figures"]
    np.testing.assert_allclose(figure["speed"], 1000, atol=1)
    assert figure["labels"] == list(walker.skeleton.names)
    left = np.zeros(61, bool)
    for start, stop in figure["contacts"][0]["runs"]:
        left[start:stop] = True
    np.testing.assert_array_equal(left, make_contacts(walker)["left_foot"][::2])


def test_more_than_30_fps_are_thinned(make_walker):
    for fps, kept in ((120, 30), (60, 30), (50, 25), (30, 30), (29.97, 29.97), (24, 24)):
        figure = _thinned(build_figure(make_walker(61, fps=fps)))
        assert 1 / figure.frame_time == pytest.approx(kept)


def test_a_minute_stays_small(tmp_path, make_walker):
    size = write_page(make_walker(120 * 60, fps=120), tmp_path / "minute.html")
    assert size < 4e6


def test_figures_side_by_side_do_not_overlap(make_walker):
    figures = [build_figure(make_walker(heading=angle)) for angle in (0.0, 2.0, -1.5)]
    shifts = _side_by_side(figures)
    np.testing.assert_array_equal(shifts[0], 0)
    boxes = [f.extent + s for f, s in zip(figures, shifts, strict=True)]
    apart = [np.any(b[0, [0, 2]] - a[1, [0, 2]] > 0.3) for a, b in pairwise(boxes)]
    assert all(apart)


def test_markers_with_gaps_and_motions_of_one_frame(tmp_path, make_walker):
    rng = np.random.default_rng(0)
    positions = rng.normal(0, 0.3, (20, 5, 3)) + np.array([0, 1, 0])
    markers = MarkerSequence(
        tuple("abcde"), positions, rng.random((20, 5)) < 0.6, 0.01, name="cloud"
    )
    assert write_page([markers, make_walker(1)], tmp_path / "x.html") > 5e5


def test_progress_ends_at_the_total(tmp_path, make_walker):
    calls = []
    write_page(make_walker(10), tmp_path / "x.html", progress=lambda *call: calls.append(call))
    assert calls[-1][1] == calls[-1][2] == 10


def test_nothing_to_show_is_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="no motion"):
        write_page([], tmp_path / "x.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("solid", [bone, ball, disc])
def test_solids_look_outwards(solid):
    vertices, faces = solid()
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    real = np.linalg.norm(normals, axis=-1) > 1e-9  # faces at the tips have no area
    centre = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
    assert np.all(np.sum(normals * ((a + b + c) / 3 - centre), axis=-1)[real] > 0)


def test_bones_point_along_their_direction():
    from scipy.spatial.transform import Rotation

    directions = np.vstack([np.random.default_rng(1).normal(size=(50, 3)), [0, 1, 0], [0, -1, 0]])
    turned = Rotation.from_quat(_turn_y_to(directions), scalar_first=True).apply([0, 1, 0])
    np.testing.assert_allclose(
        turned, directions / np.linalg.norm(directions, axis=1, keepdims=True), atol=1e-9
    )
