"""What the studio says while a shot cannot be made, and of files that cannot be brought."""

from __future__ import annotations

from typing import Any

import pytest

from studio.browser import pages

pytestmark = pytest.mark.slow

STATUS = "document.querySelector('.topbar .search')"


def test_what_is_wrong_is_said_in_red_and_leads_to_its_fields(
    page: pages.Page, server: pages.Server
) -> None:
    page.settle()
    assert page.page.evaluate(f"{STATUS}.textContent") == "settled"
    place = server.folder / "shot.yaml"
    good = place.read_text()
    place.write_text(good.replace("by: 4.0", "by: go.end"))
    page.wait(f"{STATUS}.dataset.state === 'bad'")
    assert page.page.evaluate(f"{STATUS}.textContent").startswith("line ")
    assert page.page.inner_text(".caveat").startswith("Not what is written")
    page.page.click(".topbar .search")
    assert "depend on each other" in page.page.inner_text(".report-panel .problems")
    page.page.click(".report-panel .problems button")
    assert page.state()["chosen"] == "tracks/anna/0"
    assert page.page.is_visible(".span-panel")
    place.write_text(good)
    page.settle()
    assert page.page.evaluate(f"{STATUS}.textContent") == "settled"
    assert page.page.is_hidden(".caveat")


def test_a_file_that_is_no_clip_is_refused_once(page: pages.Page) -> None:
    page.page.click("#tab-library")
    file = {"name": "README.md", "mimeType": "text/plain", "buffer": b"x" * 700_000}
    page.page.set_input_files("input[type=file]", files=[file])
    page.wait("document.querySelectorAll('.notice').length > 0")
    page.page.wait_for_timeout(500)
    (said,) = page.page.locator(".notice").all_inner_texts()
    assert said.startswith("README.md: is no motion of a skeleton")
    assert "bringing" not in page.page.inner_text(".library-panel")


STRIP = "document.querySelector('.tl-curves .natural')"


def test_the_strip_is_of_naturalness_and_filled_once_that_was_measured(page: pages.Page) -> None:
    page.settle()
    page.wait(f"{STRIP}.dataset.measured === 'yes'", pages.LEARNING)
    (name,) = page.page.locator(".tl-curves .lane-name", has_text="Naturalness").all()
    assert name.is_visible()
    inked = f"""(() => {{
      const strip = {STRIP};
      const {{ data }} = strip.getContext("2d").getImageData(0, strip.height - 2, strip.width, 1);
      return data.filter((value, i) => i % 4 === 3 && value > 0).length / strip.width;
    }})()"""
    assert page.page.evaluate(inked) > 0.5
    assert "least natural moment is at" in page.page.evaluate(f"{STRIP}.ariaLabel")
    box = page.page.locator(".tl-curves .natural").bounding_box()
    page.page.mouse.move(box["x"] + 40, box["y"] + 10)
    title = page.page.evaluate(f"{STRIP}.title")
    assert "limit" in title or "as usual" in title
    page.page.click("#tab-report")
    assert "Least natural" in page.page.inner_text(".report-panel")
    # What was measured of an older motion is not shown as this one's.
    rev = page.state()["rev"]
    page.drag(page.handle("place/tracks/anna/0/to"), (50, 15))
    page.wait(f"motionloom.state().rev > {rev} && {STRIP}.dataset.measured === 'no'")
    page.settle()
    page.wait(f"{STRIP}.dataset.measured === 'yes'", pages.LEARNING)


def test_the_report_has_no_bar_to_scroll_sideways(page: pages.Page, server: pages.Server) -> None:
    place = server.folder / "shot.yaml"
    good = place.read_text()
    place.write_text(good.replace("id: go,", "id: along_the_corridor_to_the_door,"))
    page.wait("motionloom.state().plan.tracks.anna[0].id !== 'go'")
    page.settle(pages.LEARNING)
    page.page.click("#tab-report")
    panel = "document.querySelector('.report-panel').closest('[role=tabpanel]')"
    page.wait("document.querySelector('.report-panel').textContent.includes('along_the_corridor')")
    assert page.page.evaluate(f"{panel}.scrollWidth <= {panel}.clientWidth")
    place.write_text(good)
    page.wait("motionloom.state().plan.tracks.anna[0].id === 'go'")


def test_a_studio_killed_and_started_again_shows_what_was_made_before(
    page: pages.Page, chromium: Any, server: pages.Server
) -> None:
    page.settle(pages.LEARNING)
    server.stop(kill=True)
    place = server.folder / "shot.yaml"
    good = place.read_text()
    place.write_text(good.replace("by: 4.0", "by: go.end"))
    server.start()
    other = pages.Page.open(chromium, server)
    for one in (page, other):
        one.wait(f"{STATUS}.dataset.state === 'bad'")
        assert "made before the last edits" in one.page.inner_text(".caveat")
        assert one.page.locator(".notice").count() == 0
    other.page.close()
    place.write_text(good)
    page.settle(pages.LEARNING)
    assert page.page.is_hidden(".caveat")
