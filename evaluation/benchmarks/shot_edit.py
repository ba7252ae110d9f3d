"""How long a shot of a minute takes after one of its spans was edited, beside all of it.

    python evaluation/benchmarks/shot_edit.py [SHOT.yaml] [--spans N]

Every span (or N of them, spread evenly) is given another seed, one after the other, and the shot is
made again with the pieces of the first run: in the same process, as the studio does, with the clips
read and what methods learn from them known. The whole counts from there, too. Shares are those of
seconds of one core, so that what else runs counts for nothing; what a clock on the wall said is
beside them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from motionloom.io.kept import KeptFolder
from motionloom.shot import Plan, ShotFile, Stage, make_shot, read_shot
from motionloom.shot.script import LAYERS
from motionloom.workspace.shots import find_cast, open_stages, plan_of

SHOT = Path(__file__).parents[2] / "examples" / "shots" / "minute.yaml"


def edits(file: ShotFile, stages: dict[str, Stage]) -> Iterator[tuple[str, str, Plan]]:
    """Who, which span, and the shot in which that has another seed."""
    for who, track in file.shot.tracks.items():
        for i, span in enumerate(track):
            if span.do in LAYERS:
                continue
            own = list(track)
            own[i] = span.model_copy(update={"seed": 1000 + i})
            tracks = {**file.shot.tracks, who: tuple(own)}
            changed = replace(file, shot=file.shot.model_copy(update={"tracks": tracks}))
            for stage in stages.values():
                stage.file = replace(changed, scale=stage.file.scale)
            yield who, span.id or span.do, plan_of(changed, stages)


def main() -> None:
    """Make, edit, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("shot", nargs="?", type=Path, default=SHOT)
    parser.add_argument("--spans", type=int, default=0)
    parser.add_argument("--budget", type=float, default=5.0)
    asked = parser.parse_args()
    file = read_shot(asked.shot)
    began = process_time()
    stages = open_stages(file, find_cast(file), budget=asked.budget)
    plan = plan_of(file, stages)
    opened = process_time() - began
    folder = Path(tempfile.mkdtemp())
    began = process_time()
    clock = perf_counter()
    made = make_shot(plan, stages, KeptFolder(folder))
    whole = process_time() - began
    whole_wall = perf_counter() - clock
    began = process_time()
    make_shot(plan, stages, KeptFolder(folder))
    again = process_time() - began
    print(
        f"{file.path.name}: {plan.duration:g} s of {len(plan.tracks)}, {made.report.kept[1]} spans"
    )
    print(
        f"clips opened in {opened:.1f} s, whole {whole:.2f} s ({whole_wall:.2f} s on the wall),"
        f" unchanged again {again:.2f} s"
    )
    todo = list(edits(file, stages))
    if asked.spans:
        todo = [todo[i] for i in np.linspace(0, len(todo) - 1, asked.spans).round().astype(int)]
    rows = []
    for who, name, changed in todo:
        for stage in stages.values():
            stage.file = replace(changed.file, scale=stage.file.scale)
        own = Path(tempfile.mkdtemp())
        shutil.copytree(folder, own, dirs_exist_ok=True)
        began = process_time()
        clock = perf_counter()
        report = make_shot(changed, stages, KeptFolder(own)).report
        seconds = process_time() - began
        wall = perf_counter() - clock
        kind = next(one.kind for one in changed.tracks[who] if one.name == name)
        kept, count = report.kept
        rows.append(
            {"who": who, "span": name, "kind": kind, "share": seconds / whole, "wall": wall}
        )
        print(
            f"  {who + '.' + name:<16}{kind:<9}{seconds:6.2f} s {100 * seconds / whole:5.1f} %"
            f"   {wall:6.2f} s on the wall, {count - kept} of {count} made anew"
        )
        shutil.rmtree(own)
    shutil.rmtree(folder)
    shares = np.array([row["share"] for row in rows])
    print(
        f"share of the whole: median {100 * np.median(shares):.1f} %, most {100 * shares.max():.1f}"
        f" %, {100 * np.mean(shares < 0.1):.0f} % of the edits under a tenth"
    )
    print(json.dumps({"whole": whole, "again": again, "edits": rows}))


if __name__ == "__main__":
    main()
