"""The windows that give woven motion away, worst first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.typing import Array
from motionloom_evaluation.critic.classifiers import Verdict, area_under_curve
from motionloom_evaluation.critic.windows import STATISTICS, STILL, Track, Windows, statistics


@dataclass(frozen=True)
class Giveaway:
    """A window that looks woven.

    Parameters
    ----------
    motion : str
        Name of the woven motion.
    begin, end : float, seconds
        In the woven motion.
    part : str
        Part of the body that gives it away.
    joint, statistic : str
        What of it is farthest from captured windows, such as the least speed of a toe.
    value : float, metres per second
        The statistic of that joint's speed in this window.
    captured : tuple of (float, float), metres per second
        5th and 95th percentile of the captured windows.
    score : float
        How much it looks woven: 0 as a captured window, 1 beyond nine tenths of these.
    near_seam : bool or None
        None where seams are not known.
    """

    motion: str
    begin: float
    end: float
    part: str
    joint: str
    statistic: str
    value: float
    captured: tuple[float, float]
    score: float
    near_seam: bool | None


def find_giveaways(
    woven: Windows,
    captured: Windows,
    tracks: Sequence[Track],
    verdicts: Mapping[str, Verdict],
    parts: Mapping[str, tuple[int, ...]],
    most: int,
) -> tuple[Giveaway, ...]:
    """Name the windows that look woven, none of which overlaps another.

    Parameters
    ----------
    woven, captured : Windows
        In the order of the verdicts' scores.
    tracks : sequence of Track
        The woven motions.
    verdicts : mapping of str to Verdict
        By part. A part counts as much as it tells woven from captured at all.
    parts : mapping of str to tuple of int
        Joints by part.
    most : int
        Windows that are named, at most; 1 or more.

    Returns
    -------
    tuple of Giveaway
        Worst first.
    """
    length = woven.velocities.shape[1]
    names = [name for name in parts if name != "all" and name in verdicts]
    trust = [max(2 * verdicts[name].auc["boosted"].mean - 1, 0.0) for name in names]
    scores = np.array([verdicts[name].scores[: len(woven)] for name in names])
    scores = scores * np.array(trust)[:, None]
    worst = scores.max(axis=0)
    taken: list[int] = []
    for row in np.argsort(-worst, kind="stable").tolist():
        overlaps = any(
            woven.motions[row] == woven.motions[k]
            and abs(int(woven.starts[row] - woven.starts[k])) < length
            for k in taken
        )
        if not overlaps and worst[row] > 0:
            taken.append(row)
        if len(taken) == most:
            break
    tells = {name: _single_figures(woven, captured, parts[name]) for name in names}
    return tuple(
        _giveaway(
            row, names[int(scores[:, row].argmax())], woven, captured, tracks, parts, tells, worst
        )
        for row in taken
    )


def _single_figures(woven: Windows, captured: Windows, joints: Sequence[int]) -> Array:
    """How well each single statistic tells woven from captured, 0 (not at all) to 1."""
    values = np.concatenate([statistics(woven, joints), statistics(captured, joints)])
    labels = np.repeat([1, 0], [len(woven), len(captured)])
    return np.array([abs(2 * area_under_curve(column, labels) - 1) for column in values.T])


def _giveaway(
    row: int,
    part: str,
    woven: Windows,
    captured: Windows,
    tracks: Sequence[Track],
    parts: Mapping[str, tuple[int, ...]],
    tells: Mapping[str, Array],
    worst: Array,
) -> Giveaway:
    joints = parts[part]
    own = statistics(woven.chosen(np.array([row])), joints)[0]
    others = statistics(captured, joints)
    # On a scale of ratios a speed far too small is as odd as one far too large.
    log = np.log(np.maximum(others, STILL))
    away = np.abs(np.log(np.maximum(own, STILL)) - log.mean(axis=0))
    away = away / np.maximum(log.std(axis=0), 0.05)
    column = int((away * tells[part]).argmax())
    motion = tracks[int(woven.motions[row])].motion
    begin = int(woven.starts[row]) * motion.frame_time
    low, high = np.quantile(others[:, column], [0.05, 0.95])
    near = int(woven.near[row])
    return Giveaway(
        motion=motion.name,
        begin=begin,
        end=begin + woven.velocities.shape[1] * motion.frame_time,
        part=part,
        joint=motion.skeleton.names[joints[column // len(STATISTICS)]],
        statistic=STATISTICS[column % len(STATISTICS)],
        value=float(own[column]),
        captured=(float(low), float(high)),
        score=float(worst[row]),
        near_seam=None if near < 0 else bool(near),
    )
