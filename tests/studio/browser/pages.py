"""A studio that runs as a user starts it, and a browser with a real mouse."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHROMIUM = "/usr/bin/chromium"
#: Drawing without a graphics card.
ARGUMENTS = (
    *("--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader"),
    "--enable-unsafe-swiftshader",
)
TOKEN = "token-of-the-browser-tests"
#: Something takes longer than this only where it does not come at all, seconds.
PATIENCE = 60.0
#: All is learned from the clips, and made for the first time, within this time, seconds.
LEARNING = 240.0


def why_not() -> str:
    """Why there are no tests in a browser here; empty where there are."""
    if not Path(CHROMIUM).exists():
        return f"no browser at {CHROMIUM}"
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    return ""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass
class Server:
    """`motionloom studio` in a process of its own."""

    folder: Path
    shot: str
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it is, with its token."""
        return f"http://127.0.0.1:{self.port}/?token={TOKEN}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "motionloom", "studio", self.shot, "--no-browser"]
        options = ["--port", str(self.port), "--token", TOKEN, "--budget", "1"]
        log = (self.folder / "studio.log").open("ab")
        self.process = subprocess.Popen(
            [*command, *options], cwd=self.folder, stdout=log, stderr=log, start_new_session=True
        )
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=2).close()
                return
            time.sleep(0.2)
        raise AssertionError((self.folder / "studio.log").read_text())

    def stop(self, kill: bool = False) -> None:
        """End it, as Ctrl+C does, or as a power cut."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL if kill else signal.SIGINT)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(15)
        self.process = None


@contextmanager
def studio(folder: Path, text: str, clips: Path | None = None) -> Iterator[Server]:
    """A studio on a shot of its own.

    Parameters
    ----------
    folder : Path
        Empty.
    text : str
        The shot.
    clips : Path, optional
        Copied beside it.
    """
    if clips is not None:
        shutil.copytree(clips, folder / "clips")
    (folder / "shot.yaml").write_text(text)
    server = Server(folder, "shot.yaml", free_port())
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        try:
            yield one
        finally:
            one.close()


@dataclass
class Page:
    """A page of the studio, and what a user does there."""

    page: Any
    errors: list[str]

    @classmethod
    def open(cls, browser: Any, server: Server, **options: Any) -> Page:
        """Open the studio, and wait until a motion of the shot is shown."""
        size = options.pop("viewport", {"width": 1280, "height": 720})
        page = browser.new_page(viewport=size, bypass_csp=True, **options)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(server.url)
        one = cls(page, errors)
        one.wait("motionloom.state().plan !== null")
        one.wait("performance.getEntriesByName('first-motion').length > 0")
        return one

    def wait(self, what: str, patience: float = PATIENCE) -> None:
        """Wait until something is true in the page."""
        self.page.wait_for_function(f"window.motionloom && ({what})", timeout=1000 * patience)

    def state(self) -> dict[str, Any]:
        """What the studio knows."""
        state: dict[str, Any] = self.page.evaluate("motionloom.state()")
        return state

    def settle(self, patience: float = PATIENCE) -> None:
        """Wait until everything that was asked for is made, and saved."""
        self.wait("motionloom.state().isSettled", patience)

    def save(self) -> None:
        """Wait until everything that was done is in the file."""
        self.page.wait_for_timeout(50)
        self.wait("motionloom.state().isSaved")

    def handle(self, name: str) -> tuple[float, float]:
        """Where a handle of the view is once the camera is still, pixels."""
        self.wait(f"motionloom.handles().some((one) => one.id.includes({name!r}))")
        return self._still(f"motionloom.handles().find((one) => one.id.includes({name!r}))")

    def ground(self, x: float, z: float) -> tuple[float, float]:
        """Where a place on the ground is once the camera is still, pixels."""
        return self._still(f"motionloom.ground({x}, {z})")

    def _still(self, what: str) -> tuple[float, float]:
        """Where something is when two pictures show it at the same place."""
        drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        before = None
        while True:
            self.page.evaluate(drawn)
            seen = self.page.evaluate(what)
            now = (seen["x"], seen["y"])
            if now == before:
                return now
            before = now

    def drag(
        self,
        start: tuple[float, float],
        by: tuple[float, float],
        steps: int = 8,
        release: bool = True,
    ) -> None:
        """Drag with the mouse."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for i in range(1, steps + 1):
            self.page.mouse.move(start[0] + by[0] * i / steps, start[1] + by[1] * i / steps)
            self.page.wait_for_timeout(30)
        if release:
            self.page.mouse.up()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def pause(self) -> None:
        """Stop playing."""
        self.press("k")
        self.wait("!motionloom.state().isPlaying")

    def joint(self, who: str, role: str) -> tuple[float, ...]:
        """Where a joint is on the frame that is shown, metres."""
        return tuple(self.page.evaluate(f"motionloom.joint({who!r}, {role!r})"))
