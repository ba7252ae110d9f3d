"""What the studio says while a shot cannot be made, and of files that cannot be brought."""

from __future__ import annotations

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
