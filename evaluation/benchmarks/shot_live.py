"""How quickly an edited shot shows its new motion: previews beside making all of it anew.

Usage: python evaluation/benchmarks/shot_live.py [CLIPS...] [--seconds 10 60] [--budget 1.0]
[--drags 12] [--profile]

Without clips the built-in performer's are used. A shot of walks, waits, gaits, a clip and a reach
is made; then one thing after the other is dragged in small steps, as a mouse would, and every step
shown. Times are of the processor, medians and 95th percentiles over all steps.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.clips import make_clip_set
from motionloom.clips.analysis import AnalysedClips, analyse_clips
from motionloom.performer import performer_clips
from motionloom.places import find_place
from motionloom.reading import ReadOptions, read_clip_set
from motionloom.shot import Stage, make_shot, parse_shot
from motionloom.shot.live import LiveShot
from motionloom.shot.methods import Methods
from motionloom.shot.script.reading import ShotFile
from motionloom.workspace.shots import plan_of

FPS = 30.0
#: What one round of the shot holds, seconds.
ROUND = 10.0
Fields = dict[str, Any]


def write_shot(seconds: float, clip: str) -> Fields:
    """Fields of a shot that lasts about so long."""
    spans: list[Fields] = []
    for k in range(max(round(seconds / ROUND), 1)):
        z = 2.4 * (k + 1)
        spans += [
            {"id": f"go{k}", "do": "walk", "to": [0.6 * (-1) ** k, z], "facing": 0, "for": 4.0},
            {"id": f"wait{k}", "do": "idle", "for": 2.0},
            {"id": f"on{k}", "do": "gait", "path": [[0.0, z + 1.2], [0.0, z + 2.0]], "for": 2.5},
            {"id": f"show{k}", "do": "clip", "clip": clip, "to": 1.5},
            {
                "id": f"hand{k}",
                "do": "reach",
                "joint": "right_hand",
                "target": [0.6 * (-1) ** k - 0.25, 1.2, z + 0.35],
                "at": f"wait{k}.start+1",
                "hold": 0.3,
            },
        ]
    return {"shot": 1, "fps": FPS, "seed": 4, "cast": {"anna": {}}, "tracks": {"anna": spans}}


def drags(fields: Fields, count: int) -> Iterator[tuple[str, list[Fields]]]:
    """What is dragged, and the shot at every step of the way."""
    rounds = sum(span["do"] == "walk" for span in fields["tracks"]["anna"])
    middle = rounds // 2

    def way(name: str, change: Callable[[Fields, float], None]) -> list[Fields]:
        found = []
        for share in np.linspace(0, 1, count + 1)[1:]:
            edited = json.loads(json.dumps(fields))
            span = next(one for one in edited["tracks"]["anna"] if one["id"] == f"{name}{middle}")
            change(span, float(share))
            found.append(edited)
        return found

    def goal(span: Fields, share: float) -> None:
        span["to"] = [span["to"][0] + 0.5 * share, span["to"][1] + 0.2 * share]

    def hand(span: Fields, share: float) -> None:
        span["target"][1] += 0.2 * share

    def lively(span: Fields, share: float) -> None:
        span["liveliness"] = 1.0 + share

    def gait(span: Fields, share: float) -> None:
        span["path"][-1][0] += 0.5 * share

    def longer(span: Fields, share: float) -> None:
        span["for"] = 2.0 + 0.5 * share

    yield "goal of a walk", way("go", goal)
    yield "target of a hand", way("hand", hand)
    yield "liveliness", way("wait", lively)
    yield "way of a gait", way("on", gait)
    yield "length of a wait", way("wait", longer)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of the processor, and what came of the work."""
    began = time.thread_time()
    made = work()
    return time.thread_time() - began, made


def measure(clips: AnalysedClips, seconds: float, options: argparse.Namespace) -> list[str]:
    """Lines about a shot of some length."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shot.json"
        fields = write_shot(seconds, options.clip or clips.clip_set.names[0])

        def read(own: Fields) -> ShotFile:
            return parse_shot(json.dumps(own), path)

        file = read(fields)
        methods = Methods()

        def stages(file: ShotFile, progress: Any = None) -> dict[str, Stage]:
            return {"anna": Stage(file, clips, options.budget, methods=methods)}

        own = stages(file)
        plan = plan_of(file, own)
        make_shot(plan, own)  # compiles, and learns
        whole, _ = timed(lambda: make_shot(plan, own))
        live = LiveShot(None, stages)
        live.final(file)
        live.preview(file)
        lines = [f"{plan.duration:.0f} s of motion, made in {whole:.2f} s"]
        for what, steps in drags(fields, options.drags):
            files = [read(step) for step in steps]
            live.preview(files[0])
            if options.profile:
                profile(lambda files=files: [live.preview(one) for one in files])
            found = [timed(lambda one=one: live.preview(one)) for one in files]
            times = 1000 * np.array([t for t, _ in found])
            frames = np.mean([b - a for _, r in found for a, b in r.changed.values()] or [0])
            shown = live.preview(files[-1]).bent
            searching, _ = timed(lambda last=files[-1]: list(live.search(last, 0.3)))
            live.final(file)
            lines.append(
                f"  {what:<18} median {np.median(times):5.1f} ms, p95"
                f" {np.percentile(times, 95):5.1f} ms ({1000 * whole / np.median(times):4.0f} times"
                f" quicker than the whole); {frames:4.0f} frames new, {len(shown)} spans bent;"
                f" search of 0.3 s {searching:.2f} s"
            )
        return lines


def profile(work: Callable[[], Any]) -> None:
    """Say what takes long."""
    profiler = cProfile.Profile()
    profiler.runcall(work)
    pstats.Stats(profiler).sort_stats("cumtime").print_stats(40)


def main() -> None:
    """Make, drag, say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", nargs="*")
    parser.add_argument("--seconds", type=float, nargs="*", default=[10.0, 60.0])
    parser.add_argument("--budget", type=float, default=1.0)
    parser.add_argument("--drags", type=int, default=12)
    parser.add_argument("--clip", help="name of a clip of at least 1.5 s")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    if options.clips:
        clips = read_clip_set(find_place(options.clips), ReadOptions(fps=FPS))
    else:
        clips = make_clip_set([clip.motion for clip in performer_clips()], FPS)
    analysed = analyse_clips(clips)
    for seconds in options.seconds:
        print("\n".join(measure(analysed, seconds, options)), flush=True)


if __name__ == "__main__":
    main()
