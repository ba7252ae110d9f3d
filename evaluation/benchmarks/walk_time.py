"""How long somebody who stands needs to a place: measured, beside what the studio gives them.

    python evaluation/benchmarks/walk_time.py [CLIPS] [--places N] [--seed S]

Places lie in any direction, one to six metres away. Each is walked to from a stand to a stand, in
ever longer times; what counts is the shortest without a problem. Printed is what remains of it when
the way's time at WALKING is taken off, by the turn, and what the studio gives to a click on the
ground (`timeTo` in `client/src/editor/doc/changes.ts`).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np

from motionloom.io.kept import KeptFolder
from motionloom.shot import Stage, make_shot, read_shot
from motionloom.workspace.shots import find_cast, open_stages, plan_of

#: As the client has them: metres per second, and seconds.
WALKING, TURNING, STOPPING = 1.15, 2.2, 1.0
#: What is tried besides the way's own time, seconds.
BESIDES = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
TEXT = """\
shot: 1
fps: 30
seed: {seed}
library: {clips}
cast: {{anna: {{}}}}
tracks:
  anna:
    - {{id: wait, do: idle, for: 2.0}}
    - {{id: go, do: walk, to: [{x:.3f}, {z:.3f}], for: {seconds:.3f}}}
    - {{id: end, do: idle, for: 1.0}}
"""


def problems_of(
    folder: Path, stages: dict[str, Stage], facts: dict[str, object]
) -> tuple[tuple[str, ...], dict[str, Stage]]:
    """What is wrong with a walk."""
    path = folder / "shot.yaml"
    path.write_text(TEXT.format(**facts))
    file = read_shot(path)
    stages = stages or open_stages(file, find_cast(file))
    stages["anna"].file = file
    made = make_shot(plan_of(file, stages), stages, KeptFolder(folder / "pieces"))
    return made.report.problems, stages


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("clips", nargs="?", type=Path, default=Path("demo/clips"))
    parser.add_argument("--places", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    folder = Path(tempfile.mkdtemp())
    stages: dict[str, Stage] = {}
    rows = []
    for k in range(asked.places):
        far = float(rng.uniform(1, 6))
        angle = float(rng.uniform(-180, 180))
        x, z = far * np.sin(np.radians(angle)), far * np.cos(np.radians(angle))
        turn = abs(angle) / 180
        given = round(far / WALKING + TURNING * turn + STOPPING, 1)
        needed = None
        clips = json.dumps(str(asked.clips.absolute()))
        facts: dict[str, object] = {"clips": clips, "x": x, "z": z, "seed": asked.seed + k}
        told: list[str] = []
        for besides in BESIDES:
            seconds = max(1.0, far / WALKING + besides)
            found, stages = problems_of(folder, stages, {**facts, "seconds": seconds})
            if not found:
                needed = besides
                break
            told.append(found[0][:70])
        rows.append((far, turn, needed))
        print(
            f"{far:4.1f} m, {angle:5.0f} degrees: the studio gives {given:4.1f} s; besides the"
            f" way's {far / WALKING:4.1f} s are needed {needed} s   {told}",
            flush=True,
        )
    met = [row for row in rows if row[2] is not None]
    left = [row[2] for row in met]
    print(f"{len(met)} of {len(rows)} reached; besides the way: median {np.median(left):.1f} s")
    for least, most in ((0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1.01)):
        own = [row[2] for row in met if least <= row[1] < most]
        if own:
            print(
                f"turns of {180 * least:.0f} to {180 * most:.0f} degrees: {len(own)} places,"
                f" median {np.median(own):.1f} s, 90 % within {np.percentile(own, 90):.1f} s"
            )


if __name__ == "__main__":
    main()
