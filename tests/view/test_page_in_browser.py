"""The page in a real browser: it plays, draws what it should, complains about nothing and asks for
nothing.

Headless Chromium is spoken to through its DevTools protocol, over the websockets package that viser
needs anyway."""

from __future__ import annotations

import base64
import io
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

pytest.importorskip("viser", reason="the page is recorded by viser (extra 'studio')")

from websockets.sync.client import ClientConnection, connect

from motionloom.view import write_page

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = """
--headless --no-sandbox --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --use-gl=angle --use-angle=swiftshader
--enable-unsafe-swiftshader --window-size=640,660 --remote-debugging-port=0
"""
#: Seconds to wait for anything; a page takes about 3 on an idle machine and much longer on a busy
#: one.
PATIENCE = 120

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on this machine to open the page in"
)


class Tab:
    """One tab of the browser, with what its page asked for and complained about."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._sent = socket, 0
        self.asked: list[str] = []
        self.complaints: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a DevTools method and note the events that come before its answer."""
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while (message := json.loads(self._socket.recv(timeout=PATIENCE))).get("id") != self._sent:
            self._note(message["method"], message["params"])
        return message["result"]

    def _note(self, event: str, params: dict[str, Any]) -> None:
        if event == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"]["text"])
        elif event == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.complaints.append(str(params["args"]))
        elif event == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.complaints.append(params["entry"]["text"])

    def wait_for(self, script: str) -> Any:
        """Ask until a JavaScript expression is true, and return it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = self.call("Runtime.evaluate", expression=script, returnByValue=True)[
                "result"
            ].get("value")
            if value:
                return value
            time.sleep(0.2)
        raise AssertionError(f"never true within {PATIENCE} s: {script}")

    def picture(self) -> np.ndarray:
        """What the tab shows, as (H, W, 3) from 0 to 255."""
        data = base64.b64decode(self.call("Page.captureScreenshot")["data"])
        return 255 * imread(io.BytesIO(data))[..., :3]


@contextmanager
def open_page(page: Path, profile: Path) -> Iterator[Tab]:
    command = [CHROMIUM, *FLAGS.split(), f"--user-data-dir={profile}", "about:blank"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as browser:
        try:
            port_file = profile / "DevToolsActivePort"
            end = time.monotonic() + PATIENCE
            while (
                not (port_file.exists() and port_file.read_text().count("\n"))
                and time.monotonic() < end
            ):
                time.sleep(0.1)
            port = int(port_file.read_text().split()[0])
            with urllib.request.urlopen(
                f"http://127.0.0.1:{port}/json/list", timeout=PATIENCE
            ) as answer:
                target = next(t for t in json.load(answer) if t["type"] == "page")
            with connect(target["webSocketDebuggerUrl"], max_size=None, proxy=None) as socket:
                tab = Tab(socket)
                tab.call("Page.navigate", url=page.resolve().as_uri())
                yield tab
        finally:
            browser.terminate()


@pytest.fixture(scope="module")
def walk(tmp_path_factory, make_walker, make_contacts, targets):
    """A page that has played for a while: the tab and its picture."""
    folder = tmp_path_factory.mktemp("page")
    walker = make_walker()
    write_page(
        walker,
        folder / "walk.html",
        contacts=make_contacts(walker),
        targets=targets,
        title="A walk",
    )
    with open_page(folder / "walk.html", folder / "profile") as tab:
        shown = "parseFloat(document.querySelector('input')?.value)"
        first = tab.wait_for(f"{shown} > 0 && {shown}")
        tab.wait_for(f"{shown} != {first}")
        yield tab, faded_in(tab)


def faded_in(tab: Tab) -> np.ndarray:
    """The first picture that is no paler than the one before: the scene fades in."""
    picture, before = tab.picture(), -1.0
    end = time.monotonic() + PATIENCE
    while (color := float(np.ptp(picture, axis=-1)[140:].max())) > before or color < 50:
        assert time.monotonic() < end, "the scene stayed pale or empty"
        time.sleep(0.3)
        picture, before = tab.picture(), color
    return picture


def share(picture: np.ndarray, hue: str) -> float:
    """Share of the dots of the scene, below title and notices, that are clearly of a hue."""
    r, g, b = np.moveaxis(picture[140:-45], -1, 0)
    rules = {
        "blue": (b > r + 50) & (b > g + 20),
        "orange": (r > b + 50) & (g > b + 15) & (r > g + 15),
        "pink": (r > g + 70) & (b > g + 10),
    }
    return float(rules[hue].mean())


def test_figure_targets_and_ground_are_drawn(walk):
    _, picture = walk
    for hue, least in (("blue", 0.002), ("orange", 0.002), ("pink", 0.001)):
        assert least < share(picture, hue) < 0.1, hue
    # The ground's grid and the white around it: neither blank nor full.
    assert 0.5 < np.mean(picture.min(axis=-1) > 250) < 0.97


def test_title_and_legend_are_shown(walk):
    tab, _ = walk
    assert tab.wait_for("document.title") == "A walk"
    assert tab.wait_for("document.body.innerText.includes('2.0 s at 30 fps')")


def test_the_page_complains_about_nothing_and_asks_for_nothing(walk):
    tab, _ = walk
    assert tab.complaints == []
    assert [url for url in tab.asked if not url.startswith(("file:", "data:", "blob:"))] == []


FRAME = "(document.getElementById('ml-frame').textContent.match(/^frame (\\d+) [/] 60$/) || [])[1]"


def press(tab: Tab, key: str) -> None:
    tab.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key)


def test_frames_are_stepped_by_buttons_and_arrow_keys(walk):
    tab, _ = walk
    press(tab, "Home")
    tab.wait_for(f"{FRAME} == '0'")
    press(tab, "ArrowRight")
    tab.wait_for(f"{FRAME} == '1'")
    tab.call(
        "Runtime.evaluate", expression="document.querySelectorAll('#ml-tools button')[1].click()"
    )
    tab.wait_for(f"{FRAME} == '2'")
    press(tab, "ArrowLeft")
    tab.wait_for(f"{FRAME} == '1'")
    press(tab, "End")
    tab.wait_for(f"{FRAME} == '60'")
    # The figure is where the last frame has it: 2 m on.
    tab.wait_for(f"Math.abs({HIPS} - 2) < 0.01")


#: Distance of the hips, and of what the camera looks at, from the origin on the ground: the client
#: turns the world.
HIPS = """(() => { let p = null; window.__viserMutable.nodeRefFromName['/figure0/joints'].traverse(
  o => { if (o.getPositionAt && !p) p = o.localToWorld(o.getPositionAt(0).clone()); });
  return Math.hypot(p.x, p.z); })()"""
TARGET = """(() => { const p = window.__viserMutable.cameraControl.getTarget(
  window.__viserMutable.camera.position.clone()); return Math.hypot(p.x, p.z); })()"""


def test_the_camera_follows_when_asked(walk):
    tab, _ = walk
    press(tab, "End")
    tab.wait_for(f"Math.abs({HIPS} - 2) < 0.01 && Math.abs({TARGET} - 2) > 0.5")
    tab.call("Runtime.evaluate", expression="document.getElementById('ml-follow').click()")
    tab.wait_for(f"Math.abs({TARGET} - 2) < 0.01")
    press(tab, "Home")
    tab.wait_for(f"{TARGET} < 0.01")
    tab.call("Runtime.evaluate", expression="document.getElementById('ml-follow').click()")


def test_joints_have_names_when_asked(walk):
    tab, _ = walk
    seen = (
        "[...document.querySelectorAll('.ml-name')].filter(e => e.style.display == 'block').map(e"
        " => e.textContent)"
    )
    tab.call("Runtime.evaluate", expression="document.getElementById('ml-names').click()")
    assert tab.wait_for(f"{seen}.length == 16 && {seen}.join()").startswith(
        "Hips,Spine,Neck,Head,LeftUpLeg"
    )
    tab.call("Runtime.evaluate", expression="document.getElementById('ml-names').click()")


def test_curves_have_a_cursor_that_moves(walk):
    tab, _ = walk
    red = """(() => { const c = document.getElementById('ml-curves'), w = c.width, h = c.height,
      d = c.getContext('2d').getImageData(0, 0, w, h).data, n = new Array(w).fill(0);
      for (let i = 0; i < w * h; i++)
        if (d[4*i] > d[4*i+1] + 80 && d[4*i+2] > d[4*i+1] + 10) n[i % w]++;
      return n.indexOf(Math.max(...n)) / w; })()"""
    press(tab, "Home")
    tab.wait_for(f"{red} < 0.1")
    press(tab, "End")
    tab.wait_for(f"{red} > 0.9")


def test_a_page_that_does_complain_and_ask_is_found_out(tmp_path):
    """The check above can fail."""
    page = tmp_path / "bad.html"
    page.write_text(
        '<img src="http://127.0.0.1:9/logo.png"><script>console.error("no"); undefined.x</script>'
    )
    with open_page(page, tmp_path / "profile") as tab:
        tab.wait_for("document.readyState == 'complete'")
    assert "http://127.0.0.1:9/logo.png" in tab.asked
    assert len(tab.complaints) >= 2


def test_several_players_of_a_notebook_run_on_one_page(tmp_path, make_walker):
    page = tmp_path / "notebook.html"
    players = [make_walker(40, name=name)._repr_html_() for name in ("first", "<b>second")]
    page.write_text(f"<!doctype html><body>{''.join(players)}", encoding="utf-8")
    with open_page(page, tmp_path / "profile") as tab:
        tab.wait_for("document.querySelectorAll('iframe').length == 2")
        tab.wait_for("document.body.innerText.includes('<b>second')")
        end = time.monotonic() + PATIENCE
        # Frames without access to their page can only be looked at.
        while min(np.mean(part.min(axis=-1) < 200) for part in halves(tab.picture())) < 0.002:
            assert time.monotonic() < end, "a player stayed empty"
            time.sleep(0.3)
        before = halves(tab.picture())
        while any(np.array_equal(a, b) for a, b in zip(before, halves(tab.picture()), strict=True)):
            assert time.monotonic() < end, "a player stood still"
            time.sleep(0.3)
        assert tab.complaints == []
        assert [
            url for url in tab.asked if not url.startswith(("file:", "data:", "blob:", "about:"))
        ] == []


def halves(picture: np.ndarray) -> list[np.ndarray]:
    middle = len(picture) // 2
    return [picture[:middle], picture[middle:]]
