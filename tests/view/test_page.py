"""Writing the page: what is in it, how large it is, that nothing in it can do what it should not.
See also test_page_in_browser.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from motionloom.constraints import ConstraintSet
from motionloom.errors import InvalidInputError
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import GroundTransform
from motionloom.skeleton import Skeleton
from motionloom.view import Overlay, write_page
from motionloom.view.figure import build_figure
from motionloom.view.packing import pack_rotations
from motionloom.view.page import Happening, _side_by_side, azimuth_of, write_scene_page

EVIL = "</script><img src=x onerror=alert(1)><!--"


def data_of(page: Path) -> dict:
    """The data that lie in a page."""
    text = page.read_text()
    found = re.search(r'<script type="application/json" id="motionloom">(.*?)</script>', text)
    return json.loads(found.group(1))


def quats_of(packed: dict) -> np.ndarray:
    """Rotations (n, 4 J) as 16-bit counts, from columns of differences."""
    rows, columns = packed["delta"]
    low, high = np.frombuffer(gzip.decompress(base64.b64decode(packed["gz"])), "u1").reshape(2, -1)
    steps = (low.astype("<u2") | high.astype("<u2") << 8).reshape(columns, rows)
    return np.cumsum(steps, axis=1, dtype="<u2").astype("<i2").T


def test_writing_says_nothing_and_leaves_nothing_running(tmp_path):
    """In a process of its own, as threads of other tests would blur the count."""
    walkers = Path(__file__).with_name("conftest.py")
    script = f"""
import importlib.util, socket, sys, threading
bound = []
socket.socket.bind = lambda self, address: bound.append(address)
spec = importlib.util.spec_from_file_location("walkers", {str(walkers)!r})
walkers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(walkers)
from motionloom.view import write_page
write_page(walkers.build_walker(5), {str(tmp_path / "x.html")!r})
running = [t for t in threading.enumerate() if t is not threading.main_thread()]
print(bound, running, file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == ""
    assert done.stderr == "[] []\n"


def test_title_and_names_are_escaped(tmp_path, make_walker):
    write_page(make_walker(3), tmp_path / "x.html", title="<script>alert(1)</script> & co")
    text = (tmp_path / "x.html").read_text()
    assert "<script>alert" not in text
    assert "<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; co</title>" in text


def test_no_name_can_leave_the_data(tmp_path, make_walker):
    walker = make_walker(3)
    old = walker.skeleton
    names = (EVIL, *old.names[1:])
    skeleton = Skeleton(names, old.parents, old.offsets, old.end_parents, old.end_offsets)
    evil = replace(walker, skeleton=skeleton, name=EVIL)
    pages = {tmp_path / "page.html": lambda path: write_page([evil, evil], path)}
    pages[tmp_path / "scene.html"] = lambda path: write_scene_page({EVIL: evil}, path)
    for path, write in pages.items():
        write(path)
        text = path.read_text()
        assert "<img" not in text
        assert text.count("</script>") == 2
        data = data_of(path)
        assert data["characters"][0]["names"][0] == EVIL
        assert data["title"].startswith(EVIL)


def test_only_its_own_script_and_styles_may_run(tmp_path, walker):
    """The policy names both by their hashes, and no place from which anything could be loaded."""
    write_page(walker, tmp_path / "x.html")
    text = (tmp_path / "x.html").read_text()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1))
    script = re.search(r"</script>\s*<script>(.*)</script>\s*</body>", text, re.S).group(1)
    style = re.search(r"<style>(.*)</style>", text, re.S).group(1)
    for kind, inside in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_the_page_holds_motion_contacts_and_targets(tmp_path, walker, contacts, targets):
    write_page(walker, tmp_path / "x.html", contacts=contacts, targets=targets)
    data = data_of(tmp_path / "x.html")
    (motion,) = data["motions"]
    assert (motion["total"], motion["fps"], data["frames"]) == (61, pytest.approx(30), 61)
    counts = quats_of(motion["quats"]).reshape(61, walker.skeleton.n_joints, 4)
    np.testing.assert_array_equal(counts, pack_rotations(walker.rotations))
    down = gzip.decompress(base64.b64decode(motion["contacts"]["left_foot"]["gz"]))
    np.testing.assert_array_equal(np.frombuffer(down, "u1"), contacts["left_foot"])
    assert [mark["kind"] for mark in data["drawables"]] == ["ring", "ring", "point"]
    assert data["facts"] == "2.0 s at 30 fps"


@pytest.mark.parametrize(
    ("fps", "kept"), [(120, 30), (60, 30), (50, 25), (30, 30), (29.97, 29.97), (24, 24)]
)
def test_more_than_30_fps_are_thinned_and_frames_counted_as_in_the_file(
    tmp_path, make_walker, fps, kept
):
    walker = make_walker(61, fps=fps)
    down = {"left_foot": np.arange(61) % 20 < 10}
    write_page(walker, tmp_path / "x.html", contacts=down)
    data = data_of(tmp_path / "x.html")
    assert data["motions"][0]["fps"] == pytest.approx(kept)
    assert (data["fps"], data["frames"]) == (pytest.approx(fps), 61)
    assert data["motions"][0]["n"] == len(range(0, 61, round(fps / kept)))


def test_a_minute_stays_small(tmp_path, make_walker):
    size = write_page(make_walker(120 * 60, fps=120), tmp_path / "minute.html")
    assert size < 2e6


def test_the_same_motion_gives_the_same_page(tmp_path, walker):
    for name in "ab":
        write_page(walker, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_figures_side_by_side_do_not_overlap(make_walker):
    figures = [build_figure(make_walker(heading=angle)) for angle in (0.0, 2.0, -1.5)]
    shifts = _side_by_side(figures)
    np.testing.assert_array_equal(shifts[0], 0)
    boxes = [f.extent + s for f, s in zip(figures, shifts, strict=True)]
    apart = [np.any(b[0, [0, 2]] - a[1, [0, 2]] > 0.3) for a, b in pairwise(boxes)]
    assert all(apart)


def test_a_scene_shows_what_is_asked_of_each_and_obstacles_once(tmp_path, make_walker):
    post = {"shape": "cylinder", "center": [1.0, 1.0], "radius": 0.2}
    asked = {
        who: ConstraintSet.model_validate(
            {"duration": 2.0, "body": [{"time": 1.0, "position": place}], "avoid": [post]}
        )
        for who, place in (("anna", [0.0, 1.0]), ("ben", [2.0, 1.0]))
    }
    motions = {"anna": make_walker(), "ben": make_walker(heading=1.0)}
    write_scene_page(motions, tmp_path / "x.html", targets=asked)
    drawn = data_of(tmp_path / "x.html")["drawables"]
    assert [(one["kind"], one.get("who")) for one in drawn] == [
        ("ring", "anna"),
        ("ring", "ben"),
        ("cylinder", None),
    ]


def test_characters_of_a_scene_stand_where_they_are_each_in_its_colour(tmp_path, make_walker):
    motions = {"anna": make_walker(), "ben": make_walker(heading=1.0)}
    write_scene_page(motions, tmp_path / "x.html", contacts={"ben": {"left_foot": np.ones(61)}})
    data = data_of(tmp_path / "x.html")
    assert [c["shift"] for c in data["characters"]] == [[0, 0, 0], [0, 0, 0]]
    assert len({c["color"] for c in data["characters"]}) == 2
    assert [entry["text"] for entry in data["legend"]] == ["anna", "ben"]
    assert [list(m["contacts"]) for m in data["motions"]] == [[], ["left_foot"]]


def test_markers_with_gaps_and_motions_of_one_frame(tmp_path, make_walker):
    rng = np.random.default_rng(0)
    positions = rng.normal(0, 0.3, (20, 5, 3)) + np.array([0, 1, 0])
    valid = rng.random((20, 5)) < 0.6
    markers = MarkerSequence(tuple("abcde"), positions, valid, 1 / 30, name="cloud")
    write_page([markers, make_walker(1)], tmp_path / "x.html")
    data = data_of(tmp_path / "x.html")
    (cloud,) = data["clouds"]
    steps = np.frombuffer(gzip.decompress(base64.b64decode(cloud["steps"]["gz"])), "u1")
    np.testing.assert_array_equal(steps.reshape(20, 5) == 255, ~valid)
    assert cloud["labels"] == list("abcde")
    assert data["motions"][0]["total"] == 1


def test_points_over_a_motion_have_a_ramp_that_is_explained(tmp_path, walker):
    points = np.random.default_rng(0).normal(size=(61, 4, 3))
    over = Overlay(points, np.ones((61, 4), bool), np.tile([0, 1, 2, 9.0], (61, 1)), 4.0, "cm off")
    write_page(walker, tmp_path / "x.html", overlays=[over])
    data = data_of(tmp_path / "x.html")
    (cloud,) = data["clouds"]
    steps = np.frombuffer(gzip.decompress(base64.b64decode(cloud["steps"]["gz"])), "u1")
    assert steps[:4].tolist() == [0, 1, 2, 4]
    assert (data["meaning"], len(data["ramp"])) == ("cm off", 5)


def test_targets_are_drawn_with_every_motion(tmp_path, make_walker):
    wish = ConstraintSet.model_validate(
        {"duration": 2.0, "avoid": [{"shape": "cylinder", "center": [1, 1], "radius": 0.3}]}
    )
    write_page([make_walker(5), make_walker(5)], tmp_path / "x.html", targets=wish)
    owners = [mark["who"] for mark in data_of(tmp_path / "x.html")["drawables"]]
    assert owners == ["figure0", "figure1"]


def test_progress_ends_at_the_total(tmp_path, make_walker):
    calls = []
    write_page(make_walker(10), tmp_path / "x.html", progress=lambda *call: calls.append(call))
    assert calls[-1][1] == calls[-1][2] == 1


def test_nothing_to_show_is_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="no motion"):
        write_page([], tmp_path / "x.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("heading", [0.0, 0.7, 1.6, -2.4])
def test_a_scene_is_first_seen_from_where_nobody_hides_another(make_walker, heading):
    walk = make_walker(heading=heading)
    ahead = GroundTransform(0.0, 1.2 * np.sin(heading), 1.2 * np.cos(heading))
    for other in (walk.transformed(ahead), walk.transformed(GroundTransform(0.0, 1.0, -0.4))):
        figures = [build_figure(walk), build_figure(other)]
        azimuth = np.radians(azimuth_of(figures))
        way = figures[1].body[0, :2] - figures[0].body[0, :2]
        assert abs(way @ [np.cos(azimuth), -np.sin(azimuth)]) > 0.8


def test_meetings_are_marked_in_a_scene_with_their_names(tmp_path, make_walker):
    motions = {"anna": make_walker(), "ben": make_walker(heading=1.0)}
    meeting = Happening("meeting of anna and ben at 1 s", 1.0, (0.5, 2.0))
    write_scene_page(motions, tmp_path / "x.html", happenings=[meeting])
    (drawn,) = data_of(tmp_path / "x.html")["drawables"]
    assert drawn == {
        "kind": "ring",
        "position": [0.5, 2.0],
        "time": 1.0,
        "label": "meeting of anna and ben at 1 s",
    }
