"""The studio without a mouse: all that is needed is reached by Tab, arrows and Enter."""

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
cast:
  anna: {clips: [stand, walk_1.1]}
tracks:
  anna:
    - {id: wait, do: idle, for: 2.0}
    - {id: hand, do: reach, joint: right_hand, target: [0.4, 1.1, 0.5], at: 1.0}
"""


@pytest.fixture(scope="module")
def server(
    chromium: Any, clips: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A studio; what is tested here waits for nothing that is learned."""
    with pages.studio(tmp_path_factory.mktemp("keys"), TEXT, clips) as one:
        yield one


FOCUSED = """() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const isSeen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
  const said = one.getAttribute("aria-label") || one.labels?.[0]?.textContent || one.textContent;
  return { name: (said || one.className).trim(), tag: one.tagName, isSeen };
}"""


def tab_to(page: Page, name: str, most: int = 80) -> dict[str, Any]:
    """Press Tab until something of a name has the focus."""
    for _ in range(most):
        page.press("Tab")
        focused: dict[str, Any] = page.page.evaluate(FOCUSED)
        if name in focused["name"] and focused["tag"] != "BODY":
            return focused
    raise AssertionError(f"Tab does not lead to {name}")


def test_tab_goes_through_the_page_and_shows_where_it_is(page: Page) -> None:
    seen = []
    for _ in range(60):
        page.press("Tab")
        seen.append(page.page.evaluate(FOCUSED))
        if len(seen) > 5 and seen[-1]["name"] == seen[0]["name"]:
            break
    names = [one["name"] for one in seen if one["tag"] != "BODY"]
    assert [one["name"] for one in seen if one["tag"] != "BODY" and not one["isSeen"]] == []
    order = [next(i for i, one in enumerate(names) if part in one) for part in ORDER]
    assert order == sorted(order)


#: From the top to the bottom of the page.
ORDER = ("Play", "Export", "Checkpoint", "View", "Span", "Height of the timeline", "anna", "idle")


def test_a_walk_is_placed_and_moved_by_keys_alone(page: Page) -> None:
    tab_to(page, "View of the shot")
    page.press("Enter", "ArrowUp", "ArrowUp", "Shift+ArrowUp", "ArrowRight", "Enter")
    page.save()
    walk = page.state()["doc"]["tracks"]["anna"][-1]
    assert walk["do"] == "walk"
    assert np.hypot(*walk["to"]) > 0.5
    tab_to(page, "walk, 0:")  # it is chosen already
    page.press("Alt+ArrowUp", "Alt+ArrowUp")
    page.save()
    moved = page.state()["doc"]["tracks"]["anna"][-1]["to"]
    assert np.hypot(*np.subtract(moved, walk["to"])) == pytest.approx(0.1, abs=0.01)
    page.press("]")
    page.save()
    assert page.state()["doc"]["tracks"]["anna"][-1]["facing"] == -5


def test_a_target_in_the_air_is_moved_by_keys(page: Page) -> None:
    tab_to(page, "wait")
    page.press("ArrowDown")
    page.press("Alt+PageUp", "Alt+PageUp")
    page.save()
    assert page.state()["doc"]["tracks"]["anna"][1]["target"] == [0.4, 1.2, 0.5]


def test_a_post_is_put_by_keys(page: Page) -> None:
    tab_to(page, "Post")
    page.press("Enter")
    tab_to(page, "View of the shot")
    page.press("Enter", "Shift+ArrowRight", "Enter")
    page.save()
    (post,) = page.state()["doc"]["avoid"]
    assert np.hypot(*post["center"]) > 0.3


def test_a_span_is_added_and_its_field_changed_by_keys(page: Page) -> None:
    tab_to(page, "Add span")
    page.press("Enter", "Enter")
    page.save()
    assert page.state()["doc"]["tracks"]["anna"][-1]["do"] == "walk"
    tab_to(page, "Lasts")
    page.page.keyboard.type("4")
    page.press("Enter")
    page.save()
    assert page.state()["doc"]["tracks"]["anna"][-1]["for"] == 4


def test_a_new_shot_is_begun_and_undone(page: Page) -> None:
    page.page.get_by_role("tab", name="Shot").focus()
    page.press("Enter")
    tab_to(page, "New shot")
    page.press("Enter")
    page.page.keyboard.type("mia")
    page.press("Tab")
    page.page.keyboard.type("noa")
    page.press("Enter")
    page.wait("Object.keys(motionloom.state().doc.cast).includes('noa')")
    page.save()
    doc = page.state()["doc"]
    assert list(doc["cast"]) == ["mia", "noa"]
    assert doc["library"] == "clips"
    assert doc["meet"][0]["between"] == ["mia", "noa"]
    page.page.locator(".shot-panel summary", has_text="handshake").click()
    apart = page.page.locator(".shot-panel").get_by_label("Apart")
    apart.fill("1.2")
    apart.press("Enter")
    page.save()
    assert page.state()["doc"]["meet"][0]["distance"] == 1.2
    page.press("Escape")
    page.press("Control+z", "Control+z")
    page.wait("Object.keys(motionloom.state().doc.cast).includes('anna')")
