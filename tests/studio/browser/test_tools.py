"""What is placed, dragged, painted and dropped in the studio, with a real mouse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studio.browser import pages
from studio.browser.pages import Page, Server

pytestmark = pytest.mark.slow
TEXT = """\
shot: 1
fps: 30
library: clips
marks:
  handle: {point: [0.6, 1.1, 1.0]}
cast:
  anna: {clips: [stand, walk_1.1, walk_1.6], labels: labels.yaml}
tracks:
  anna:
    - {id: go, do: walk, to: [0.0, 2.0], facing: 0, for: 3.0}
    - {id: wait, do: idle, for: 2.0}
    - {id: away, do: gait, speed: 1.3, path: [[1.0, 2.5], [2.0, 2.0]], for: 2.0}
    - {id: hand, do: reach, joint: right_hand, target: handle, at: wait.start+1.0}
"""
LABELS = """\
labels:
  - {clips: walk_1.6, label: brisk}
"""


@pytest.fixture(scope="module")
def server(
    chromium: Any, clips: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A studio; what is tested here waits for nothing that is learned."""
    folder = tmp_path_factory.mktemp("tools")
    (folder / "labels.yaml").write_text(LABELS)
    with pages.studio(folder, TEXT, clips) as one:
        yield one


def track(page: Page) -> list[dict[str, Any]]:
    spans: list[dict[str, Any]] = page.state()["doc"]["tracks"]["anna"]
    return spans


def click_ground(page: Page, x: float, z: float) -> None:
    page.page.mouse.click(*page.ground(x, z))


def test_a_style_is_painted_on_a_walk(page: Page) -> None:
    brush = page.page.get_by_label("Style that is painted")
    page.page.wait_for_function("document.querySelector('.brush select option[value=brisk]')")
    brush.select_option("brisk")
    lane = page.page.locator(".lane[data-kind=style] .lane-field").bounding_box()
    walk = page.page.locator(".item[data-id='tracks/anna/0']").bounding_box()
    start = (walk["x"] + 0.25 * walk["width"], lane["y"] + lane["height"] / 2)
    page.drag(start, (0.5 * walk["width"], 0))
    page.save()
    (style,) = track(page)[0]["constraints"]["style"]
    assert style["label"] == "brisk"
    np.testing.assert_allclose([style["from"], style["to"]], [0.75, 2.25], atol=0.1)
    assert page.page.locator(".item[data-kind=style]").count() == 1


@pytest.mark.parametrize(
    ("tool", "field", "shape", "place"),
    [
        ("Post", "avoid", "cylinder", "center"),
        ("Box", "avoid", "box", "center"),
        ("Slope", "ground", "slope", "start"),
        ("Stairs", "ground", "stairs", "start"),
    ],
)
def test_solids_are_put_on_the_ground_and_dragged(
    page: Page, tool: str, field: str, shape: str, place: str
) -> None:
    page.page.get_by_role("button", name=tool, exact=True).click()
    click_ground(page, -1.0, 1.2)
    page.save()
    (solid,) = page.state()["doc"][field]
    assert solid["shape"] == shape
    # What is long may be put aside, off the rings.
    np.testing.assert_allclose(solid[place], [-1.0, 1.2], atol=0.5 if place == "start" else 0.03)
    page.drag(page.handle(f"solid/{field}/0"), (-40, 10))
    page.save()
    (moved,) = page.state()["doc"][field]
    assert np.hypot(*np.subtract(moved[place], solid[place])) > 0.1


def test_a_point_of_a_way_is_dragged_and_another_added(page: Page) -> None:
    page.drag(page.handle("way/tracks/anna/2/path/1"), (40, 10))
    page.save()
    path = track(page)[2]["path"]
    assert path[0] == [1.0, 2.5]
    assert np.hypot(*np.subtract(path[1], [2.0, 2.0])) > 0.1
    page.page.locator(".item[data-id='tracks/anna/2']").click()
    click_ground(page, 1.6, 0.6)
    page.save()
    np.testing.assert_allclose(track(page)[2]["path"][2], [1.6, 0.6], atol=0.03)


def test_a_span_is_dragged_past_another(page: Page) -> None:
    box = page.page.locator(".item[data-id='tracks/anna/1']").bounding_box()
    page.drag((box["x"] + box["width"] / 2, box["y"] + 10), (-2.0 * box["width"], 0))
    page.save()
    assert [one["id"] for one in track(page)][:3] == ["wait", "go", "away"]


def test_a_ring_is_turned_by_its_knob(page: Page) -> None:
    page.page.mouse.click(*page.handle("place/tracks/anna/0/to"))
    page.drag(page.handle("turn"), (60, 20))
    page.save()
    assert abs(track(page)[0]["facing"]) > 15
    np.testing.assert_allclose(track(page)[0]["to"], [0.0, 2.0])


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_target_is_dragged_along_an_axis_alone(page: Page, axis: int) -> None:
    page.page.locator(".item[data-kind=reach]").click()
    page.drag(page.handle(f"axis/{'xyz'[axis]}"), (30, -30))
    page.save()
    moved = np.subtract(page.state()["doc"]["marks"]["handle"]["point"], [0.6, 1.1, 1.0])
    assert abs(moved[axis]) > 0.03
    assert np.count_nonzero(np.abs(moved) > 1e-3) == 1


DROP = """(files) => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([text], name));
  const root = document.querySelector(".studio");
  const facts = { dataTransfer: data, bubbles: true, cancelable: true };
  for (const type of ["dragover", "drop"]) root.dispatchEvent(new DragEvent(type, facts));
}"""


def test_clips_are_dropped_on_the_page(page: Page, server: Server) -> None:
    text = (server.folder / "clips" / "stand.bvh").read_text()
    page.page.evaluate(DROP, [["waits.bvh", text], ["broken.bvh", "HIERARCHY\nROOT\n"]])
    notices = page.page.locator(".notices")
    notices.get_by_text("waits.bvh").wait_for()
    notices.get_by_text("broken.bvh").wait_for()
    assert (server.folder / "clips" / "waits.bvh").read_text() == text
    assert not (server.folder / "clips" / "broken.bvh").exists()


def test_a_file_that_is_no_clip_is_refused(page: Page, server: Server) -> None:
    page.page.get_by_role("tab", name="Library").click()
    page.page.locator("input[type=file]").set_input_files(
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"hello"}
    )
    page.page.locator(".notice").get_by_text("notes.txt").wait_for()
    page.page.locator(".library-panel [role=status]").get_by_text(".bvh").wait_for()
    assert not list((server.folder / "clips").glob("notes*"))
