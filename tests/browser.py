"""The system's Chromium with WebGL in software, for tests of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader"]
FLAGS += ["--enable-unsafe-swiftshader", "--disable-background-networking"]
#: Milliseconds to wait for anything; a page takes about 2000 on an idle machine and much longer on
#: a busy one.
PATIENCE = 120_000
NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str:
    """Path of the browser; the test is skipped where there is none."""
    pytest.importorskip("playwright", reason="playwright is not installed to drive a browser")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium on this machine to open the page in")
    return found


class Tab:
    """A page of the browser, with what it asked for and complained about."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._note)

    def _note(self, message: Any) -> None:
        if message.type in ("error", "assert"):
            self.complaints.append(message.text)

    def open(self, path: Path) -> None:
        """Open a file."""
        self.page.goto(path.resolve().as_uri())

    def wait_for(self, script: str) -> Any:
        """Ask until a JavaScript expression is true, and return it."""
        return self.page.wait_for_function(f"() => {script}", timeout=PATIENCE).json_value()

    def press(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)

    @property
    def foreign(self) -> list[str]:
        """What was asked of anything but the file."""
        own = ("file:", "data:", "blob:", "about:")
        return [url for url in self.asked if not url.startswith(own)]


class Browser:
    """A browser whose pages are told of as tabs."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser

    @contextmanager
    def tab(self, width: int = 1280, height: int = 720) -> Iterator[Tab]:
        """An empty page that shares nothing with others."""
        context = self._browser.new_context(viewport={"width": width, "height": height})
        try:
            yield Tab(context.new_page())
        finally:
            context.close()


@contextmanager
def open_browser() -> Iterator[Browser]:
    """A browser. Only one may be open at a time, and no event loop run beside it.

    So it belongs into a fixture of a module.
    """
    chromium = find_chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            yield Browser(browser)
        finally:
            browser.close()
