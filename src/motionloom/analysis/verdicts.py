"""Naturalness of whole clips: table, JSON and a picture of the curves over time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO
from os import PathLike

import numpy as np

from motionloom.analysis.judge import ClipVerdict, Judge
from motionloom.errors import InvalidInputError
from motionloom.io.files import write_file
from motionloom.motion import Motion
from motionloom.progress import Progress, silent
from motionloom.spaces.pose_space import PoseSpace

MEASURES = ("gaussian", "mixture")
#: Most clips in one picture.
MOST_DRAWN = 40


def judge_clips(
    judge: Judge, motions: Sequence[Motion], progress: Progress = silent
) -> tuple[ClipVerdict, ...]:
    """Judge clips; one that is among the captures is judged by models that have not seen it.

    Parameters
    ----------
    judge : Judge
        A clip is among its captures when one has its name or exactly its poses.
    motions : sequence of Motion
    progress : Progress
    """
    verdicts = []
    for i, motion in enumerate(motions):
        progress("judging clips", i, len(motions))
        if motion.n_frames == 0:
            raise InvalidInputError(f"{motion.name} has no frames, so there is nothing to judge")
        step = max(round(motion.fps / judge.space.options.fps), 1)
        poses = judge.space.coordinates.from_motion(motion)[::step]
        trial = (
            judge.names.index(motion.name)
            if motion.name in judge.names
            else _same_poses(judge.space, poses)
        )
        times = np.arange(len(poses), dtype=np.float64) * (step * motion.frame_time)
        verdicts.append(judge.judge(motion.name, poses, times, trial))
    progress("judging clips", len(motions), len(motions))
    return tuple(verdicts)


def _same_poses(space: PoseSpace, poses: np.ndarray) -> int | None:
    for trial in np.unique(space.trial):
        own = space.poses[space.trial == trial]
        if own.shape == poses.shape and np.allclose(own, poses, atol=1e-6):
            return int(trial)
    return None


def format_verdicts(verdicts: Sequence[ClipVerdict]) -> str:
    """Table of clips, and the worst frames of each."""
    width = max(len(v.name) for v in verdicts) + 2
    lines = [
        (
            "mean log-likelihood, and the share of captured poses that are less natural (mean over"
            " the clip)"
        ),
        f"{'':<{width}}{'Gaussian':>10}{'mixture':>18}",
    ]
    for v in verdicts:
        cells = [
            f"{getattr(v.scores, m).mean():.0f} ({v.percentiles[m].mean():.0f} %)" for m in MEASURES
        ]
        note = "   own capture left out" if v.left_out else ""
        lines.append(f"{v.name:<{width}}" + "".join(f"{c:>16}" for c in cells) + note)
    lines += ["", "worst frames"]
    for v in verdicts:
        for f in v.worst:
            lines.append(
                f"{v.name:<{width}}{f.time:>8.2f} s   {f.segment} is oddest, {f.deviations:.1f}"
                f" deviations below the captured median (mixture {f.mixture:.0f})"
            )
    return "\n".join(lines) + "\n"


def verdicts_to_json(verdicts: Sequence[ClipVerdict]) -> str:
    """All figures, with the curves."""
    rows = [
        {
            "name": v.name,
            "left_out": v.left_out,
            "mean": {m: float(getattr(v.scores, m).mean()) for m in MEASURES},
            "percentile": {m: float(v.percentiles[m].mean()) for m in MEASURES},
            "worst": [vars(f) for f in v.worst],
            "times": np.round(v.times, 6).tolist(),
            "curves": {m: np.round(getattr(v.scores, m), 3).tolist() for m in MEASURES},
            "segments": {name: np.round(s, 3).tolist() for name, s in v.scores.segments.items()},
        }
        for v in verdicts
    ]
    return json.dumps(rows, indent=1) + "\n"


def write_curves(judge: Judge, verdicts: Sequence[ClipVerdict], path: str | PathLike[str]) -> None:
    """Write a PNG: a row a clip, scores over time, the middle half of the captured poses as a band,
    worst frames.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    if len(verdicts) > MOST_DRAWN:
        raise InvalidInputError(
            f"a picture holds at most {MOST_DRAWN} clips, got {len(verdicts)}; name fewer"
        )
    canvas = Canvas(figsize=(11, 0.6 + 1.9 * len(verdicts)), dpi=100, facecolor="white")
    grid = canvas.subplots(len(verdicts), 1, squeeze=False)
    band = np.percentile(judge.reference.mixture, [25, 50, 75])
    for axes, v in zip(grid[:, 0], verdicts, strict=True):
        axes.axhspan(band[0], band[2], color="0.92", lw=0)
        axes.axhline(band[1], color="0.75", lw=1)
        axes.plot(v.times, v.scores.mixture, color="#1f77b4", lw=1.3)
        low = min(float(v.scores.mixture.min()), band[0])
        high = max(float(v.scores.mixture.max()), band[2])
        for f in v.worst:
            axes.plot(f.time, f.mixture, "o", ms=5, color="#c81e5a")
            axes.annotate(
                f.segment,
                (f.time, f.mixture),
                (4, -11),
                textcoords="offset points",
                fontsize=8,
                color="#c81e5a",
            )
        axes.set_ylim(low - 0.18 * (high - low), high + 0.05 * (high - low))
        axes.set_ylabel("mixture", fontsize=9)
        percent = v.percentiles["mixture"].mean()
        axes.set_title(
            f"{v.name}: above {percent:.0f} % of captured poses",
            fontsize=10,
            loc="left",
            parse_math=False,
        )
        axes.tick_params(labelsize=8)
    grid[-1, 0].set_xlabel(
        "seconds; band: the middle half of the captured poses, each by models that have not seen"
        " its capture"
    )
    canvas.tight_layout()
    data = BytesIO()
    FigureCanvasAgg(canvas).print_png(data, metadata={"Software": None})
    write_file(path, data.getvalue())
