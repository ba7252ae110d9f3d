"""The studio in a browser, with a real mouse and real keys."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from studio.browser.pages import LEARNING, Page, Server

pytestmark = pytest.mark.slow


def position(page: Page) -> list[float]:
    place: list[float] = page.state()["doc"]["marks"]["door"]["position"]
    return place


def test_a_motion_plays_when_it_is_opened(page: Page) -> None:
    page.press(" ")
    page.wait("motionloom.state().isPlaying")
    frame = page.state()["frame"]
    page.wait(f"motionloom.state().frame !== {frame}")
    page.press(" ")
    page.wait("!motionloom.state().isPlaying")


def test_a_ring_is_dragged_and_the_walk_follows(page: Page) -> None:
    page.page.evaluate("motionloom.seek(60)")
    before = page.joint("anna", "hips")
    page.drag(page.handle("place/tracks/anna/0/to"), (50, 15), release=False)
    page.wait(f"Math.abs(motionloom.joint('anna', 'hips')[0] - {before[0]}) > 0.1")
    page.page.mouse.up()
    page.settle()
    page.page.evaluate("motionloom.seek(120)")
    target = position(page)
    after = page.joint("anna", "hips")
    assert np.hypot(after[0] - target[0], after[2] - target[1]) < 0.05
    assert np.hypot(target[0] - 1.2, target[1] - 2.0) > 0.15


def test_a_drag_is_left_by_escape(page: Page) -> None:
    page.drag(page.handle("place/tracks/anna/0/to"), (50, 15), release=False)
    page.wait("motionloom.state().doc.marks.door.position[0] !== 1.2")
    page.press("Escape")
    page.page.mouse.up()
    page.save()
    assert position(page) == [1.2, 2.0]
    assert not page.state()["canUndo"]


def test_a_hand_is_dragged_on_a_frame_without_a_key(page: Page) -> None:
    page.page.evaluate("motionloom.seek(60)")
    start = page.handle("left_hand")
    page.drag(start, (10, -30))
    page.settle()
    reach = page.state()["doc"]["tracks"]["anna"][-1]
    assert (reach["do"], reach["joint"], reach["at"]) == ("reach", "left_hand", "go.start+2")
    hand = page.joint("anna", "left_hand")
    assert np.linalg.norm(np.subtract(hand, reach["target"])) < 0.03


def test_a_click_on_the_ground_is_a_checkpoint(page: Page) -> None:
    spot = page.page.evaluate("motionloom.ground(-0.8, 1.0)")
    page.page.mouse.click(spot["x"], spot["y"])
    page.save()
    walk = page.state()["doc"]["tracks"]["anna"][-1]
    assert walk["do"] == "walk"
    np.testing.assert_allclose(walk["to"], [-0.8, 1.0], atol=0.02)


def test_a_key_of_the_timeline_is_dragged(page: Page) -> None:
    box = page.page.locator(".item[data-kind=reach]").bounding_box()
    page.drag((box["x"] + 8, box["y"] + 10), (60, 0))
    page.save()
    at = page.state()["doc"]["tracks"]["anna"][2]["at"]
    assert at.startswith("wait.start+")
    assert float(at.split("+")[1]) > 1.7


def test_a_span_ends_later_when_its_end_is_dragged(page: Page) -> None:
    box = page.page.locator(".item[data-kind=idle]").bounding_box()
    page.drag((box["x"] + box["width"] - 2, box["y"] + 10), (70, 0))
    page.save()
    assert page.state()["doc"]["tracks"]["anna"][1]["for"] > 3.3


def test_a_span_is_dragged_past_another_and_stays_chosen(page: Page) -> None:
    box = page.page.locator(".item[data-kind=walk]").bounding_box()
    page.drag((box["x"] + box["width"] / 2, box["y"] + 10), (box["width"], 0))
    page.save()
    names = [span["id"] for span in page.state()["doc"]["tracks"]["anna"]]
    assert names.index("go") > names.index("wait")
    assert page.state()["chosen"] == f"tracks/anna/{names.index('go')}"
    page.press("Control+z")
    page.wait("motionloom.state().canRedo")


def test_added_spans_can_be_made(page: Page) -> None:
    for kind in ("walk", "between", "reach"):
        page.page.get_by_role("button", name="Add span").focus()
        page.press("ArrowDown", "ArrowDown")
        assert page.state()["isSaved"]
        page.page.get_by_role("menuitem", name=f"{kind}:").click()
        page.save()
        track = page.state()["doc"]["tracks"]["anna"]
        chosen = f"tracks/anna/{len(track) - 1}"
        page.wait(f"motionloom.state().plan.tracks.anna.length === {len(track)}")
        assert (track[-1]["do"], page.state()["chosen"]) == (kind, chosen)


def test_stairs_are_put_beside_a_ring_and_have_fields(page: Page) -> None:
    page.page.get_by_role("button", name="Stairs", exact=True).click()
    x, y = page.handle("place/tracks/anna/0/to")
    page.page.mouse.click(x + 3, y)
    page.save()
    (stairs,) = page.state()["doc"]["ground"]
    across, ahead = np.subtract(position(page), stairs["start"])
    assert abs(across) > 1.0 or not -0.3 < ahead < 1.5
    assert page.page.locator("#panel-span h2").inner_text() == "stairs"


def test_all_is_undone_and_redone(page: Page) -> None:
    start = page.state()["doc"]
    page.drag(page.handle("place/tracks/anna/0/to"), (40, 10))
    page.save()
    once = page.state()["doc"]
    assert once != start
    page.press("Control+z")
    page.wait("motionloom.state().canRedo")
    assert page.state()["doc"] == start
    page.press("Control+y")
    page.wait("!motionloom.state().canRedo")
    assert page.state()["doc"] == once
    page.press("Control+z")
    page.wait("motionloom.state().canRedo")
    page.press("Control+Shift+Z")
    page.wait("!motionloom.state().canRedo")


def test_the_keyboard_suffices(page: Page) -> None:
    page.page.locator(".item[data-kind=walk]").focus()
    page.press("ArrowRight", "Enter")
    focused = page.page.evaluate("document.activeElement.closest('.span-panel') !== null")
    assert focused
    page.press("Escape")
    page.page.locator(".item[data-kind=idle]").focus()
    page.press("ArrowDown")
    assert page.state()["chosen"] in ("tracks/anna/0/to", "tracks/anna/2")
    page.page.locator(".item[data-kind=reach]").focus()
    page.press(".", ".", ".")
    page.save()
    at = page.state()["doc"]["tracks"]["anna"][2]["at"]
    assert float(at.split("+")[1]) == pytest.approx(1.6, abs=0.01)
    page.press("Delete")
    page.save()
    assert len(page.state()["doc"]["tracks"]["anna"]) == 2


def test_letters_typed_into_a_field_are_no_shortcuts(page: Page) -> None:
    page.page.locator(".item[data-kind=idle]").click()
    page.page.locator("#span-name").fill("k")
    page.page.locator("#span-name").type(" l")
    assert not page.state()["isPlaying"]
    page.page.locator("#span-name").fill("rest")
    page.press("Enter")
    page.save()
    track = page.state()["doc"]["tracks"]["anna"]
    assert track[1]["id"] == "rest"
    assert track[2]["at"] == "rest.start+1.5"


def test_liveliness_is_slid_while_it_plays(page: Page) -> None:
    page.page.locator(".item[data-kind=idle]").click()
    page.press(" ")
    slider = page.page.locator(".span-panel input[type=range]")
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.drag((box["x"] + box["width"] * 0.35, y), (box["width"] * 0.3, 0))
    page.save()
    assert page.state()["doc"]["tracks"]["anna"][1]["liveliness"] > 1.5
    assert page.state()["isPlaying"]


def test_another_way_is_picked_by_its_thumbnail(page: Page) -> None:
    page.settle()
    page.page.locator(".item[data-kind=walk]").click()
    page.page.get_by_role("button", name="Other ways").click()
    thumbs = page.page.locator(".alternative")
    thumbs.first.wait_for()
    page.page.wait_for_timeout(100)
    drawn = "(one) => one.getContext('2d').getImageData(0, 0, 144, 144).data.some((v) => v > 0)"
    for i in range(thumbs.count()):
        assert thumbs.nth(i).locator("canvas").evaluate(drawn)
    assert thumbs.count() > 1
    thumbs.last.click()
    page.wait("motionloom.state().doc.tracks.anna[0].seed !== undefined")
    page.settle()
    assert page.state()["canUndo"]


def test_a_file_is_exported_as_the_command_line_writes_it(page: Page, server: Server) -> None:
    page.page.get_by_role("button", name="Export").first.click()
    page.page.get_by_role("button", name="BVH").click()
    link = page.page.locator(".exported a")
    link.wait_for(timeout=1000 * LEARNING)
    with page.page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "shot.bvh"
    command = [sys.executable, "-m", "motionloom", "shot", "shot.yaml", "-o", "out/shot.bvh"]
    pieces = ["--pieces", "shot.studio/pieces", "--budget", "1"]
    subprocess.run([*command, *pieces], cwd=server.folder, check=False, capture_output=True)
    written = (server.folder / "out" / "shot.bvh").read_bytes()
    assert Path(download.value.path()).read_bytes() == written


def test_nothing_is_lost_when_the_server_dies(page: Page, server: Server) -> None:
    page.drag(page.handle("place/tracks/anna/0/to"), (40, 10))
    page.save()
    doc = page.state()["doc"]
    server.stop(kill=True)
    page.wait("motionloom.state().connection === 'lost'")
    server.start()
    page.wait("motionloom.state().connection === 'open'")
    page.save()
    assert page.state()["doc"] == doc
    assert page.state()["canUndo"]
    page.press("Control+z")
    page.wait("motionloom.state().canRedo")
    assert position(page) == [1.2, 2.0]
