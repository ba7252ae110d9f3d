"""Naturalness of whole clips: a report and a picture of the curves over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from motionloom.analysis.judge import ClipVerdict, Judge
from motionloom.analysis.oddness import MotionJudge, MotionVerdict, OddMoment
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.reports import Column, Report, Table, fields_of
from motionloom.spaces.pose_coordinates import RATE
from motionloom.spaces.pose_space import PoseSpace
from motionloom.view.canvas import new_canvas, write_canvas

MEASURES = ("gaussian", "mixture")
#: Most clips in one picture.
MOST_DRAWN = 40
#: Powers of ten that rarities are told up to.
MOST_TOLD = 3.0
#: Moments that are less rare (one clip of twenty) or hardly likelier in faulty clips are not told.
LEAST_TOLD, LEAST_EVIDENCE = 1.3, 1.0
#: Frames that are nearer to the captured median, in deviations, are not told.
LEAST_DEVIATIONS = 1.0
#: Half of the captured clips, in powers of ten.
_MOST_CLIPS = float(np.log10(2))


def judge_clips(
    judge: Judge,
    motions: Sequence[Motion],
    progress: Progress = silent,
    movement: MotionJudge | None = None,
) -> tuple[ClipVerdict, ...]:
    """Judge clips; one that is among the captures is judged by models that have not seen it.

    Parameters
    ----------
    judge : Judge
        A clip is among its captures when one has its name or exactly its poses.
    motions : sequence of Motion
        Motions of the skeleton of the pose space.
    progress : Progress
        Told of every clip.
    movement : MotionJudge, optional
        Judges how the clips move; without it only their poses are judged.

    Returns
    -------
    tuple of ClipVerdict
        In the order of the motions, at about the frame rate of the pose space.

    Raises
    ------
    InvalidInputError
        When a motion has no frames.
    """
    verdicts = []
    for i, motion in enumerate(motions):
        progress("judging clips", i, len(motions))
        if motion.n_frames == 0:
            raise InvalidInputError(f"{motion.name} has no frames, so there is nothing to judge")
        step = max(round(motion.fps / RATE), 1)
        poses = judge.space.coordinates.from_motion(motion)[::step]
        known = motion.name in judge.names
        trial = judge.names.index(motion.name) if known else _same_poses(judge.space, poses)
        times = np.arange(len(poses), dtype=np.float64) * (step * motion.frame_time)
        verdict = judge.judge(motion.name, poses, times, trial)
        if movement is not None:
            posed = PosedMotion(motion, judge.space.roles)
            capture = None if trial is None else judge.names[trial]
            verdict = replace(verdict, motion=movement.judge(posed, capture))
        verdicts.append(verdict)
    progress("judging clips", len(motions), len(motions))
    return tuple(verdicts)


def _same_poses(space: PoseSpace, poses: np.ndarray) -> int | None:
    for trial in np.unique(space.trial):
        own = space.poses[space.trial == trial]
        if own.shape == poses.shape and np.allclose(own, poses, atol=1e-6):
            return int(trial)
    return None


def report_verdicts(
    verdicts: Sequence[ClipVerdict],
    why: str = "",
    terms: Sequence[Mapping[str, float]] | None = None,
) -> Report:
    """Two judgements of each clip, and their worst moments and frames; the curves in JSON.

    Parameters
    ----------
    verdicts : sequence of ClipVerdict
        As `judge_clips` gives them.
    why : str
        Why motion is not judged, where it is not.
    terms : sequence of mapping of str to float, optional
        Further figures of every clip, by name with unit, such as balance; empty where a clip has
        none.
    """
    own = [{}] * len(verdicts) if terms is None else terms
    names = list(dict.fromkeys(name for one in own for name in one))
    pairs = list(zip(verdicts, own, strict=True))
    columns = [_CLIP, *(Column("", name, form=".1f") for name in names)]
    items = (
        Table(_LIKELIHOOD, _SCORES, [_scores(v) for v in verdicts]),
        Table("Odd pose or style, and odd motion", _ODD, [_odd(v) for v in verdicts]),
        f"motion is not judged: {why}" if why else "",
        _by_chance(verdicts),
        Table("Odd moments of the motion", _MOMENTS, [m for v in verdicts for m in _moments(v)]),
        Table("Physics", columns, [[v.name, *map(one.get, names)] for v, one in pairs if names]),
        "no clip has a body whose masses are known" if terms is not None and not names else "",
        Table("Worst frames", _FRAMES, [row for v in verdicts for row in _frames(v)]),
    )
    more = [{} if terms is None else {"terms": one} for one in own]
    rows = [_verdict_data(v) | extra for v, extra in zip(verdicts, more, strict=True)]
    return Report("Naturalness", items, data=rows)


_CLIP = Column("", "clip")
_LIKELIHOOD = (
    "Mean log-likelihood, and the share of captured poses that are less natural (mean over the"
    " clip)"
)
_SHARE = Column("", "less natural", "%", ".0f")
_GAUSSIAN, _MIXTURE = (Column("", name, form=".0f") for name in ("Gaussian", "mixture"))
_SCORES = (_CLIP, _GAUSSIAN, _SHARE, _MIXTURE, _SHARE, Column("", "captures"))
_ODD = (_CLIP, Column("", "pose or style"), Column("", "motion"))
_MOMENTS = (_CLIP, Column("", "moment"))
_FRAMES = (
    _CLIP,
    Column("", "time", "s"),
    Column("", "oddest part"),
    Column("", "deviations below the captured median", form=".1f"),
    _MIXTURE,
)


def _scores(v: ClipVerdict) -> list[Any]:
    """Likelihoods of a clip's poses."""
    means = [(getattr(v.scores, m).mean(), v.percentiles[m].mean()) for m in MEASURES]
    return [v.name, *means[0], *means[1], "own capture left out" if v.left_out else ""]


def _odd(v: ClipVerdict) -> list[str]:
    """Two judgements of a clip."""
    poses = "not judged" if v.oddness is None else _verdict(v.odd, v.oddness)
    return [v.name, poses, _motion(v.motion)]


def _moments(v: ClipVerdict) -> list[list[str]]:
    """What is odd in a clip's motion."""
    worst = () if v.motion is None else v.motion.worst
    return [[v.name, _moment(m)] for m in worst if _is_told(m)]


def _is_told(moment: OddMoment) -> bool:
    """Whether a moment is rare, and so as faulty clips have it."""
    return moment.rarity > LEAST_TOLD and moment.evidence > LEAST_EVIDENCE


def _by_chance(verdicts: Sequence[ClipVerdict]) -> str:
    """How often a clip's motion can be called odd without a fault."""
    share = max((v.motion.by_chance for v in verdicts if v.motion is not None), default=None)
    if share is None:
        return ""
    return (
        f"motion: of a person or take that the captures lack, up to {100 * share:.0f} % of the"
        " clips may be called odd by chance"
    )


def _motion(verdict: MotionVerdict | None) -> str:
    if verdict is None:
        return "not judged"
    least, most = _one_of(verdict.low), _one_of(verdict.high)
    told = least != most and verdict.high >= _MOST_CLIPS
    between = f" (between {least} and {most})" if told else ""
    return _verdict(verdict.odd, verdict.oddness) + between


def _verdict(odd: bool, oddness: float) -> str:
    rare = f"{_one_of(oddness).replace('1 of', '1 captured clip of')} is"
    clips = "most captured clips are" if oddness < _MOST_CLIPS else rare
    return f"{'odd' if odd else 'not odd'}, {clips} as odd"


def _one_of(rarity: float) -> str:
    """How rare something is, for people; captures do not tell more than one of a thousand."""
    return f"1 of {float(f'{10**rarity:.2g}'):g}" if rarity < MOST_TOLD else "1 of over 1000"


def _moment(moment: OddMoment) -> str:
    clips = _one_of(moment.rarity).replace("1 of", "1 captured clip of")
    return f"{moment.check}: {moment.words}, {moment.when} ({clips} has such a moment)"


def _frames(v: ClipVerdict) -> list[list[Any]]:
    """The worst frames that are less natural than captured ones usually are."""
    told = [
        [v.name, f.time, f.segment.replace("_", " "), f.deviations, f.mixture]
        for f in v.worst
        if f.deviations >= LEAST_DEVIATIONS
    ]
    return told or [[v.name, None, "none: its poses are as natural as captured ones"]]


def _verdict_data(v: ClipVerdict) -> dict[str, Any]:
    """All figures of a clip, with the curves."""
    return {
        "name": v.name,
        "left_out": v.left_out,
        "odd_pose": None if v.oddness is None else {"odd": v.odd, "oddness": v.oddness},
        "odd_motion": _motion_data(v.motion),
        "mean": {m: getattr(v.scores, m).mean() for m in MEASURES},
        "percentile": {m: v.percentiles[m].mean() for m in MEASURES},
        "worst": v.worst,
        "times": v.times.round(6),
        "curves": {m: getattr(v.scores, m).round(3) for m in MEASURES},
        "segments": {name: s.round(3) for name, s in v.scores.segments.items()},
    }


def _motion_data(verdict: MotionVerdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    of_lists = {"interval": [verdict.low, verdict.high], "times": verdict.times.round(6)}
    checks = {name: c.round(3) for name, c in verdict.curves.items()}
    figures = fields_of(verdict, "low", "high", "curves", "scores")
    return {**figures, **of_lists, "checks": checks}


def write_curves(judge: Judge, verdicts: Sequence[ClipVerdict], path: str | PathLike[str]) -> None:
    """Write a PNG: a row a clip, mixture scores over time, worst frames marked.

    A band shows the middle half of the captured poses' scores. Where motion was judged, a strip
    below shows every check along time: the darker, the rarer.

    Parameters
    ----------
    judge : Judge
        Its captured poses make the band.
    verdicts : sequence of ClipVerdict
        One to `MOST_DRAWN` clips.
    path : path-like
        The file; one that is there is replaced.

    Raises
    ------
    InvalidInputError
        When there are more than `MOST_DRAWN` clips.
    """
    if len(verdicts) > MOST_DRAWN:
        raise InvalidInputError(
            f"a picture holds at most {MOST_DRAWN} clips, got {len(verdicts)}; name fewer"
        )
    rows = sum(1 if v.motion is None else 2 for v in verdicts)
    canvas = new_canvas(11, 0.6 + 1.9 * rows)
    grid = iter(canvas.subplots(rows, 1, squeeze=False)[:, 0])
    band = np.percentile(judge.reference.mixture, [25, 50, 75])
    for v in verdicts:
        axes = next(grid)
        axes.axhspan(band[0], band[2], color="0.92", lw=0)
        axes.axhline(band[1], color="0.75", lw=1)
        axes.plot(v.times, v.scores.mixture, color="#1f77b4", lw=1.3)
        low = min(float(v.scores.mixture.min()), band[0])
        high = max(float(v.scores.mixture.max()), band[2])
        for f in v.worst:
            axes.plot(f.time, f.mixture, "o", ms=5, color="#c81e5a")
            axes.annotate(f.segment, (f.time, f.mixture), (4, -11), **_BESIDE)
        axes.set_ylim(low - 0.18 * (high - low), high + 0.05 * (high - low))
        axes.set_ylabel("mixture", fontsize=9)
        percent = v.percentiles["mixture"].mean()
        title = f"{v.name}: above {percent:.0f} % of captured poses"
        axes.set_title(title, fontsize=10, loc="left", parse_math=False)
        axes.tick_params(labelsize=8)
        if v.motion is not None:
            axes.set_xlim(v.times[0], v.times[-1])
            axes = next(grid)
            _draw_checks(axes, v.motion, float(v.times[-1]))
    axes.set_xlabel(
        "seconds; band: the middle half of the captured poses, each by models that have not seen"
        " its capture"
    )
    canvas.tight_layout()
    write_canvas(canvas, path)


#: How a frame's part of the body is written beside its mark.
_BESIDE = {"textcoords": "offset points", "fontsize": 8, "color": "#c81e5a"}


def _draw_checks(axes: Any, verdict: MotionVerdict, end: float) -> None:
    """A strip a check along time, what is odd marked."""
    names = list(verdict.curves)
    table = np.array([verdict.curves[name] for name in names])
    half = 0.5 * float(np.diff(verdict.times[:2]).sum()) if len(verdict.times) > 1 else 0.05
    extent = (verdict.times[0] - half, verdict.times[-1] + half, len(names) - 0.5, -0.5)
    colours = {"cmap": "magma_r", "vmin": 0, "vmax": MOST_TOLD}
    axes.imshow(table, aspect="auto", extent=extent, interpolation="nearest", **colours)
    for m in filter(_is_told, verdict.worst):
        axes.plot(m.time, names.index(m.check), "o", ms=4, mfc="none", mec="#1f77b4")
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlim(0.0, max(end, 1e-6))
    axes.set_title(f"motion: {_motion(verdict)}", fontsize=9, loc="left", parse_math=False)
