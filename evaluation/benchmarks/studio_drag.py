"""How soon a drag in the studio shows its motion, with a real mouse in headless Chromium.

    python evaluation/benchmarks/studio_drag.py [--drags 40] [--long 600] [--plain]

Starts `motionloom studio` in an empty folder, drags a checkpoint's ring and a hand's key, and
prints how long it takes from the event of the mouse to the picture of the new motion (the client
measures it). Then opens a long clip, and counts the bytes that come while it plays.

The browser of the tests has all of the page drawn by software that stands in for a graphics card,
lanes and forms too, which is harder than what happens without a card; with `--plain` Chromium draws
as it does by itself there: only the view by that software.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from studio.browser import pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SHOT = """\
shot: 1
fps: 30
library: clips
marks:
  door: {position: [1.5, 2.5], facing: 90}
cast:
  anna: {clips: [stand, walk_1.1, walk_1.6, curve_left, turn_left_90]}
tracks:
  anna:
    - {id: go, do: walk, to: door, by: 5.0}
    - {id: wait, do: idle, for: 3.0}
    - {id: hand, do: reach, joint: right_hand, target: [1.9, 1.1, 2.5], at: wait.start+1.5}
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drags", type=int, default=40)
    parser.add_argument(
        "--long", type=float, default=600.0, help="seconds of the long clip; 0: none"
    )
    parser.add_argument("--sheets", type=Path, help="folder for pictures of the page")
    parser.add_argument("--plain", action="store_true", help="draw as without a graphics card")
    options = parser.parse_args()
    if options.plain:
        pages.ARGUMENTS = ("--no-sandbox", "--enable-unsafe-swiftshader")
    reason = pages.why_not()
    if reason:
        sys.exit(reason)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder, pages.browser() as chromium:
        place = Path(folder)
        write_clips(place / "clips")
        with pages.studio(place, SHOT) as server:
            begin = time.perf_counter()
            page = pages.Page.open(chromium, server)
            print(f"motion of the shot on the screen after {time.perf_counter() - begin:.1f} s")
            page.settle(pages.LEARNING)
            page.pause()
            page.page.evaluate("motionloom.seek(100)")
            drags(page, "place/tracks/anna/0/to", options.drags)
            told("checkpoint", page)
            page.settle()
            page.page.evaluate("motionloom.seek(195)")
            drags(page, "point/tracks/anna/2", options.drags)
            told("hand key", page)
            page.page.close()
        if options.long:
            open_long(chromium, place / "long", options.long)
    print(f"load {os.getloadavg()[0]:.1f}")


def write_clips(folder: Path) -> None:
    """The built-in performer's clips."""
    from motionloom.io import save
    from motionloom.performer import performer_clips

    folder.mkdir()
    for clip in performer_clips(0):
        save(clip.motion, folder / f"{clip.motion.name}.bvh")


def drags(page: pages.Page, handle: str, count: int) -> None:
    """Drag something to and fro; the client measures every answered move."""
    rng = random.Random(7)
    page.page.evaluate("performance.clearMeasures()")
    for _ in range(count):
        start = page.handle(handle)
        by = (rng.uniform(20, 50) * rng.choice((-1, 1)), rng.uniform(-15, 15))
        page.drag(start, by, steps=4, release=False)
        page.page.wait_for_timeout(600)
        page.press("Escape")
        page.page.mouse.up()
        page.page.wait_for_timeout(150)


def told(what: str, page: pages.Page) -> None:
    """One row: until the motion has come, and until it is drawn."""
    row = []
    for name in ("drag-to-answer", "drag-to-motion"):
        found = page.page.evaluate(
            f"performance.getEntriesByName({name!r}).map((one) => one.duration)"
        )
        median, high = np.percentile(found or [np.nan], [50, 95])
        row.append(f"{name} {median:.0f} ms, 95 % within {high:.0f} ms")
    print(f"{what}: {len(found)} answers; {'; '.join(row)}")


def open_long(chromium: Browser, folder: Path, seconds: float) -> None:
    """Open a clip of many minutes, and count what comes while it plays."""
    from motionloom.io import load, save
    from motionloom.performer import performer_clips

    folder.mkdir()
    clip = next(one.motion for one in performer_clips(0) if one.motion.name == "stand")
    times = -(-int(seconds) // int(clip.duration))
    (folder / "clips").mkdir()
    joined = type(clip)(
        clip.skeleton,
        np.concatenate([clip.rotations] * times),
        np.concatenate([clip.translations] * times),
        clip.frame_time,
        name="long",
    )
    save(joined, folder / "clips" / "long.bvh")
    assert load(folder / "clips" / "long.bvh").n_frames == joined.n_frames
    text = (
        "shot: 1\nlibrary: clips\ncast: {anna: {}}\n"
        f"tracks: {{anna: [{{id: all, do: clip, clip: long, to: {joined.duration - 1:.0f}}}]}}\n"
    )
    with pages.studio(folder, text) as server:
        first = pages.Page.open(chromium, server)
        first.settle(pages.LEARNING)
        first.page.close()
        page = chromium.new_page(bypass_csp=True)
        got = [0]
        page.on(
            "websocket",
            lambda one: one.on(
                "framereceived", lambda data: got.__setitem__(0, got[0] + len(data))
            ),
        )
        begin = time.perf_counter()
        page.goto(server.url)
        page.wait_for_function("performance.getEntriesByName('first-motion').length > 0")
        opened = time.perf_counter() - begin
        page.wait_for_timeout(3000)
        before = got[0]
        page.wait_for_timeout(5000)
        playing = page.evaluate("motionloom.state().isPlaying")
        print(
            f"{joined.duration / 60:.0f} minutes: open after {opened:.1f} s, {before / 1e6:.1f} MB;"
            f" {got[0] - before} bytes in 5 s while it plays ({playing})"
        )


if __name__ == "__main__":
    main()
