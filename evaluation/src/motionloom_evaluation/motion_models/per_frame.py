"""The motion model beside the per-frame editor: time, jerk, slide of the feet, error."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.errors import InvalidInputError
from motionloom.framewise import Goal, edit_clip
from motionloom.framewise.report import slide_of
from motionloom.ik.tasks import Task
from motionloom.models import KeyTasks, edit_motion
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, silent
from motionloom.reports import shown
from motionloom.spaces.motion_space import MotionSpaceOptions
from motionloom_evaluation.motion_models.convergence import LAYERED, ONE
from motionloom_evaluation.motion_models.study import Study

Array = NDArray[np.float64]

#: How often the quicker method is run for its time.
_REPEATS = 20


@dataclass(frozen=True)
class BesideRow:
    """One method in one case, means over takes.

    Parameters
    ----------
    case, method : str
        Which.
    milliseconds : float
        Processor time of an edit.
    missed : float, millimetres
        What the hit point is missed by, worst take.
    jerk : float
        99th percentile, as a ratio to that of the takes.
    near_hit : float
        Largest jerk within 0.2 s of the hit, as a ratio to that of the takes there.
    slide : float, centimetres
        How far the feet slide beyond what the takes do; not a number without feet.
    """

    case: str = field(metadata=shown("case"))
    method: str = field(metadata=shown("method"))
    milliseconds: float = field(metadata=shown("time", "ms"))
    missed: float = field(metadata=shown("missed", "mm"))
    jerk: float = field(metadata=shown("jerk, times the takes'"))
    near_hit: float = field(metadata=shown("at the hit, times"))
    slide: float = field(metadata=shown("slide", "cm"))


def compare_per_frame(
    study: Study, count: int = 6, seed: int = 0, progress: Progress = silent
) -> tuple[BesideRow, ...]:
    """Ask both methods for the hit points of takes left out.

    Parameters
    ----------
    study : Study
        The takes.
    count : int
        Takes.
    seed : int
        Of their choice.
    progress : Progress
        Told of every take.

    Returns
    -------
    tuple of BesideRow
        Two methods, with the hit point alone and below planted feet.
    """
    chosen = np.random.default_rng(seed).permutation(study.size)[:count].tolist()
    scores: dict[tuple[str, str], list[list[float]]] = {}
    usual = _usual(study)
    for i, k in enumerate(chosen):
        progress("per-frame edits", i, len(chosen))
        known = study.of_takes([t for t in range(study.size) if t != k])
        point = known.hit_point(known.row_of(study.takes[k], study.keys.times[k]))
        nearest = int(np.argmin(np.linalg.norm(known.hit_points - point, axis=1)))
        start = known.motion(known.normalised.rows[nearest])
        contacts = _contacts(known, start)
        for case in (ONE, LAYERED):
            for method, make in _methods(known, nearest, point, case).items():
                made, spent = make()
                scores.setdefault((case, method), []).append(
                    [1e3 * spent, *_measured(known, made, point, usual, (start, contacts))]
                )
    progress("per-frame edits", len(chosen), len(chosen))
    return tuple(_row(case, method, values) for (case, method), values in scores.items())


def _row(case: str, method: str, values: list[list[float]]) -> BesideRow:
    array = np.array(values)
    time_spent, _, jerk, near, slide = array.mean(axis=0)
    return BesideRow(
        case=case,
        method=method,
        milliseconds=time_spent,
        missed=float(array[:, 1].max()),
        jerk=jerk,
        near_hit=near,
        slide=slide,
    )


def _methods(
    study: Study, nearest: int, point: Array, case: str
) -> dict[str, Callable[[], tuple[Motion, float]]]:
    space = study.space(range(study.size), MotionSpaceOptions())
    row = study.normalised.rows[nearest]
    start = study.motion(row)
    tasks: list[Task] = [study.hit_task(point, layer=2)]
    if case == LAYERED:
        tasks = [*study.feet_tasks(row[study.hit_frame]), *tasks]
    at = study.hit_frame
    goal = Goal("position", point, at, at, joint=study.joint, local=study.local)

    def by_model() -> tuple[Motion, float]:
        begin = space.transform(row)
        asked = [KeyTasks(study.hit_key, tasks)]
        edit = edit_motion(space, asked, start=begin)
        began = time.process_time()
        for _ in range(_REPEATS):
            edit = edit_motion(space, asked, start=begin)
        spent = (time.process_time() - began) / _REPEATS
        return study.motion(space.inverse_transform(edit.coefficients)), spent

    def by_frames() -> tuple[Motion, float]:
        posed = pose_motion(start, study.roles)
        began = time.process_time()
        edited = edit_clip(posed, [goal]).motion
        return edited, time.process_time() - began

    return {"motion model": by_model, "per frame": by_frames}


def _contacts(study: Study, motion: Motion) -> FootContacts | None:
    try:
        return detect_contacts(pose_motion(motion, study.roles))
    except InvalidInputError:
        return None


def _usual(study: Study) -> tuple[float, float]:
    """Jerk of the takes: 99th percentile of all, and the largest near the hit, on average."""
    jerk = _jerk(study.all_positions)
    return float(np.quantile(jerk, 0.99)), float(
        jerk[:, _near(study, jerk.shape[1])].max(axis=(1, 2)).mean()
    )


def _near(study: Study, size: int) -> slice:
    half = round(0.2 / study.takes[0].frame_time)
    return slice(max(study.hit_frame - half, 0), min(study.hit_frame + half, size))


def _jerk(positions: Array) -> Array:
    jerk: Array = np.linalg.norm(np.diff(positions, 3, axis=-3), axis=-1)
    return jerk


def _measured(
    study: Study,
    motion: Motion,
    point: Array,
    usual: tuple[float, float],
    begun: tuple[Motion, FootContacts | None],
) -> list[float]:
    posed: PosedMotion = pose_motion(motion, study.roles)
    row = study.normalised.coordinates.to_coordinates(motion)
    jerk = _jerk(posed.positions)
    start, contacts = begun
    slide = np.nan
    if contacts is not None:
        before = slide_of(pose_motion(start, study.roles), contacts)
        slide = 100 * (slide_of(posed, contacts) - before)
    return [
        1e3 * float(np.linalg.norm(study.hit_point(row) - point)),
        float(np.quantile(jerk, 0.99)) / usual[0],
        float(jerk[_near(study, len(jerk))].max()) / usual[1],
        slide,
    ]
