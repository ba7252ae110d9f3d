"""Swings edited to slopes are training data; steeper slopes are asked of the models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.framewise import ClipEdit, edit_clip
from motionloom.framewise.asked import slope_goals, slope_turn
from motionloom.models import EditOptions, KeyTasks, ModelEdit, edit_motion
from motionloom.motion import Motion
from motionloom.posed_motion import pose_motion
from motionloom.progress import Progress, silent
from motionloom.reports import Section, shown, table_of
from motionloom.spaces.motion_space import Keys, MotionSpace, MotionSpaceOptions
from motionloom_evaluation.motion_models.study import Study

Array = NDArray[np.float64]

#: Slopes of the training data, and those asked for, degrees.
TRAINED = tuple(0.5 * k for k in range(1, 11))
ASKED = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0)
FLAT, UP, DOWN, ALL = "flat", "up", "down", "global"
#: Eigen-motions that are kept, as published.
KEPT = 15
#: What feet and hit point may be missed by at the key posture, metres, and how soft tasks may be
#: made to stay within it: softer ones leave the motion likelier.
WITHIN = 2e-3
SOFT = (1.5e-3, 1.2e-3, 1.0e-3, 0.9e-3, 0.8e-3, 0.75e-3, 0.7e-3, 0.6e-3, 0.5e-3, 0.35e-3, 0.25e-3)


@dataclass(frozen=True)
class SlopeRow:
    """One slope asked of one model.

    Parameters
    ----------
    model : str
        ``"flat"``, ``"up"``, ``"down"`` or ``"global"``.
    degrees : float
        Slope; below 0 it falls.
    at_key : float, millimetres
        What the worst task at the key posture is missed by.
    any_frame : float, millimetres
        How far a foot is from its place on the slope in the worst frame.
    sigmas : float
        Standard deviations from the mean.
    grade : str
        What the model says of it.
    iterations : int
        Steps.
    soft : float, millimetres
        What tasks were allowed to be missed by, one standard deviation.
    hard : tuple of float
        `at_key` and `sigmas` where tasks are met exactly, layer by layer.
    """

    model: str = field(metadata=shown("model"))
    degrees: float = field(metadata=shown("slope", "degrees", "+.1f"))
    at_key: float = field(metadata=shown("at key", "mm"))
    any_frame: float = field(metadata=shown("any frame", "mm"))
    sigmas: float = field(metadata=shown("sigmas"))
    grade: str = field(metadata=shown("grade"))
    iterations: int
    soft: float = field(metadata=shown("soft", "mm"))
    hard: tuple[float, float] = field(metadata=shown("hard: at key (mm), sigmas"))


@dataclass(frozen=True, eq=False)
class SlopeStudy:
    """Models of swings on slopes, and what is asked of them.

    Parameters
    ----------
    spaces : mapping of str to MotionSpace
        By style.
    rows : tuple of SlopeRow
        All slopes of all models.
    edits : tuple of (float, ModelEdit)
        Of the global model, by slope.
    jerk : float
        99th percentile of the jerk of the training swings on slopes, as a ratio to the flat ones.
    """

    study: Study
    spaces: dict[str, MotionSpace]
    rows: tuple[SlopeRow, ...]
    edits: tuple[tuple[float, ModelEdit], ...]
    jerk: float


def tilt_take(take: Motion, degrees: float) -> ClipEdit:
    """A take edited frame by frame to a slope: only the feet are asked for, as published."""
    posed = pose_motion(take)
    return edit_clip(posed, slope_goals(posed, degrees))


def slope_takes(takes: Sequence[Motion], sign: float, progress: Progress = silent) -> list[Motion]:
    """Every take on one of the trained slopes, which follow each other."""
    found = []
    for i, take in enumerate(takes):
        progress("slopes", i, len(takes))
        degrees = sign * TRAINED[i % len(TRAINED)]
        edited = tilt_take(take, degrees).motion
        found.append(replace(edited, name=f"{take.name} {degrees:+g}"))
    progress("slopes", len(takes), len(takes))
    return found


def study_slopes(
    flat: Study,
    asked: Sequence[float] = ASKED,
    options: MotionSpaceOptions | None = None,
    progress: Progress = silent,
) -> SlopeStudy:
    """Train on takes on slopes of up to 5 degrees, and ask for others.

    Parameters
    ----------
    flat : Study
        Takes on flat ground whose feet stay where they are; not aligned.
    asked : sequence of float, degrees
        Slopes, up and down.
    options : MotionSpaceOptions, optional
        Of the models.
    progress : Progress
        Told of every take.

    Returns
    -------
    SlopeStudy
    """
    options = options or MotionSpaceOptions(components=KEPT)
    up = slope_takes(flat.takes, 1.0, progress)
    down = slope_takes(flat.takes, -1.0, progress)
    d = flat.size
    study = Study(
        (*flat.takes, *up, *down),
        # An edit keeps the timing, so that key postures stay where they were found.
        Keys(flat.keys.names, np.tile(flat.keys.times, (3, 1))),
        replace(flat.action, align=False),
        (FLAT,) * d + (UP,) * d + (DOWN,) * d,
        flat.hit_key,
    )
    spaces = {
        style: study.space([i for i in range(3 * d) if study.styles[i] == style], options)
        for style in (FLAT, UP, DOWN)
    }
    spaces[ALL] = study.space(range(3 * d), options)
    rows = []
    edits = []
    for model, space in spaces.items():
        for degrees in asked:
            for sign in _signs(model, degrees):
                row, edit = ask_slope(study, space, model, sign * degrees)
                rows.append(row)
                if model == ALL:
                    edits.append((sign * degrees, edit))
    return SlopeStudy(study, spaces, tuple(rows), tuple(edits), _jerk_ratio(study, d))


def _signs(model: str, degrees: float) -> tuple[float, ...]:
    if model == UP or degrees == 0:
        return (1.0,)
    return (-1.0,) if model == DOWN else (1.0, -1.0)


def ask_slope(
    study: Study, space: MotionSpace, model: str, degrees: float
) -> tuple[SlopeRow, ModelEdit]:
    """Ask a model for the feet on a slope, and below them for the same hit point on it."""
    flat = [i for i, s in enumerate(study.styles or [FLAT] * study.size) if s == FLAT]
    rows = study.normalised.rows[flat]
    mean = rows.mean(axis=0)
    feet = study.feet_tasks(mean[study.hit_frame], degrees)
    hit = study.hit_points[flat].mean(axis=0)
    middle = _middle_of(study, mean)
    point = middle + rot.rotate(slope_turn(degrees), hit - middle)
    tasks = [*feet, study.hit_task(point, layer=2)]
    asked = [KeyTasks(study.hit_key, tasks)]
    hard = edit_motion(space, asked, EditOptions(pull="mean"))
    edit = hard
    soft = 0.0
    for soft in SOFT:
        edit = edit_motion(space, asked, EditOptions(pull="mean", soft=soft))
        if _at_key(edit) < WITHIN:
            break
    positions = study.positions(space.inverse_transform(edit.coefficients))
    worst = max(
        float(np.linalg.norm(positions[:, t.joint] - np.asarray(t.value), axis=-1).max())
        for t in feet
    )
    row = SlopeRow(
        model=model,
        degrees=degrees,
        at_key=1e3 * _at_key(edit),
        any_frame=1e3 * worst,
        sigmas=edit.whole.sigmas,
        grade=edit.grade,
        iterations=edit.iterations,
        soft=1e3 * soft,
        hard=(1e3 * _at_key(hard), hard.whole.sigmas),
    )
    return row, edit


def _at_key(edit: ModelEdit) -> float:
    return max(o.residual for o in edit.outcomes)


def _middle_of(study: Study, row: Array) -> Array:
    at = study.positions(row[None, study.hit_frame])[0]
    middle: Array = at[study.feet()[:2]].mean(axis=0) * [1.0, 0.0, 1.0]
    return middle


def _jerk_ratio(study: Study, d: int) -> float:
    jerk = np.linalg.norm(np.diff(study.all_positions, 3, axis=1), axis=-1)
    return float(np.quantile(jerk[d:], 0.99) / max(np.quantile(jerk[:d], 0.99), 1e-12))


def slopes_section(result: SlopeStudy) -> Section:
    """The table, steepest last."""
    return Section(
        "Slopes: trained on 0.5-5 degrees up and down",
        (
            f"jerk of the edited training swings beside the flat ones: {result.jerk:.2f}",
            table_of("Feet and hit point as soft as 2 mm at the key allow, and hard", result.rows),
        ),
    )
