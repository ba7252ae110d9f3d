"""Ten everyday poses on one rig: what targets are missed by, and a sheet to look at.

Targets are told in the height of the rig's hips, so that they mean the same on every body. All
begin at the standing pose with feet planted.

Run: python evaluation/benchmarks/everyday_poses.py CLIPS... --png SHEET.png [--method natural]
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.analysis.naturalness import fit_naturalness
from motionloom.constraints import ConstraintSet
from motionloom.ik.picture import project
from motionloom.ik.placing import place_pose, world_pose
from motionloom.ik.pose import PoseAnswer, find_pose
from motionloom.ik.start import Start, standing_start
from motionloom.io import load_motion
from motionloom.io.files import write_file
from motionloom.places import find_clips
from motionloom.spaces import PoseSpace, fit_pose_space
from motionloom.view.figure import build_figure
from motionloom.view.ink import TARGET_INK, draw_pose, fit, quiet
from motionloom_evaluation.bench.run import make_parser, start

#: Height of the hips (metres) that the lengths below are told for.
HIPS = 0.92


def everyday(places: dict[str, np.ndarray], scale: float) -> dict[str, list[dict[str, Any]]]:
    """Joint constraints by the pose's name; lengths in metres for hips at `HIPS`."""

    def at(joint: str, x: float, y: float, z: float) -> dict[str, Any]:
        return {"joint": joint, "position": [scale * v for v in (x, y, z)]}

    def moved(joint: str, x: float, y: float, z: float) -> dict[str, Any]:
        place = places[joint] + scale * np.array([x, y, z])
        return {"joint": joint, "position": place.tolist()}

    def look(x: float, y: float, z: float) -> dict[str, Any]:
        return {"joint": "head", "look_at": [scale * v for v in (x, y, z)]}

    head = places["head"] / scale
    knees = [
        places[f"{side}_knee"] + scale * np.array([0, 0.06, 0.2]) for side in ("left", "right")
    ]
    return {
        "both hands at a box .4 m high": [
            at("left_hand", 0.2, 0.4, 0.45),
            at("right_hand", -0.2, 0.4, 0.45),
            look(0.0, 0.3, 0.5),
        ],
        "one hand to the floor": [at("right_hand", -0.2, 0.06, 0.4)],
        "both hands to the floor": [
            at("left_hand", 0.15, 0.06, 0.4),
            at("right_hand", -0.15, 0.06, 0.4),
        ],
        "a step of .6 m": [moved("right_foot", 0.0, 0.0, 0.6)],
        "phone at the ear": [at("right_hand", head[0] - 0.14, head[1] + 0.02, head[2] + 0.06)],
        "a high shelf": [at("right_hand", -0.15, head[1] + 0.3, 0.4)],
        "pushing a wall": [at("left_hand", 0.2, 1.25, 0.5), at("right_hand", -0.2, 1.25, 0.5)],
        "looking behind": [look(2.0, 1.4, -1.2)],
        "a kick": [moved("right_foot", 0.0, 0.4, 0.6)],
        "hands on the knees": [
            {"joint": "left_hand", "position": (knees[0] - [0.0, 0.05 * scale, 0.0]).tolist()},
            {"joint": "right_hand", "position": (knees[1] - [0.0, 0.05 * scale, 0.0]).tolist()},
        ],
    }


def solve(space: PoseSpace, start: Start, method: str) -> dict[str, PoseAnswer]:
    world = world_pose(space, start.pose, start.placing)
    places = {role: world.positions[0, j] for role, j in space.roles.joints.items()}
    scale = float(places["hips"][1]) / HIPS
    model = fit_naturalness(space, mixtures=False)
    answers = {}
    for name, joints in everyday(places, scale).items():
        wish = ConstraintSet.model_validate(
            {"duration": 1.0, "joints": [{"time": 0.0, **joint} for joint in joints]}
        )
        answers[name] = find_pose(space, wish, start, method=method, naturalness=model)
    return answers


def draw(answers: dict[str, PoseAnswer], path: Path, title: str) -> None:
    """Each pose from the right and from ahead of its left, its targets marked."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    canvas = Figure(figsize=(20, 16), dpi=70, facecolor="white")
    canvas.suptitle(title, fontsize=16)
    views = ((90.0, 0.0), (-35.0, 15.0))
    for k, (name, answer) in enumerate(answers.items()):
        figure = build_figure(answer.to_motion(name))
        begin = answer.start
        before = build_figure(place_pose(answer.space, begin.pose, begin.placing))
        for v, view in enumerate(views):
            axes = canvas.add_subplot(4, 5, 10 * (k // 5) + 5 * v + k % 5 + 1)
            missed = max((o.error for o in answer.report.targets), default=0.0)
            quiet(axes, f"{name} ({1000 * missed:.0f})" if v == 0 else "")
            for a in np.linspace(-1, 1, 5):
                for ends in ([[a, 0, -1], [a, 0, 1]], [[-1, 0, a], [1, 0, a]]):
                    axes.plot(
                        *project(np.array(ends, float), *view).T, color="0.88", lw=1, zorder=0
                    )
            draw_pose(axes, before, 0, project(before.points[0], *view), width=1.2, alpha=0.2)
            draw_pose(axes, figure, 0, project(figure.points[0], *view), width=3.0)
            for target in answer.targets:
                place = answer.frame.to_world(target.value)
                axes.plot(*project(place, *view), "*", ms=14, mfc="none", mec=TARGET_INK, zorder=6)
            fit(axes, np.array([-1.1, -0.3]), np.array([1.1, 2.2]))
    data = BytesIO()
    FigureCanvasAgg(canvas).print_png(data)
    write_file(path, data.getvalue())


def main() -> None:
    parser = make_parser(__doc__, json=False)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--png", type=Path)
    parser.add_argument("--method", default="natural")
    options = start(parser, captures=False)
    motions = [load_motion(p) for p in find_clips(options.clips).files]
    space = fit_pose_space(motions)
    begin = standing_start(space, motions)
    answers = solve(space, begin, options.method)
    print(f"from {begin.name}")
    print(f"{'':<34}{'missed mm':>10}{'deg':>6}{'floor mm':>10}{'balance cm':>12}{'ms':>7}")
    for name, answer in answers.items():
        report = answer.report
        far = max((o.error for o in report.targets if not o.target.endswith("gaze")), default=0.0)
        turn = max((o.error for o in report.targets if o.target.endswith("gaze")), default=0.0)
        print(
            f"{name:<34}{1e3 * far:>10.1f}{np.degrees(turn):>6.1f}"
            f"{1e3 * (report.above_floor or 0.0):>10.1f}{1e2 * (report.off_balance or 0.0):>12.0f}"
            f"{report.milliseconds:>7.2f}"
        )
    if options.png is not None:
        draw(answers, options.png, f"{Path(options.clips[0]).parent.name}, {options.method}")


if __name__ == "__main__":
    main()
