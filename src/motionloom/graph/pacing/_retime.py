"""Constraints at the times of the search, and drafts brought back to the times asked for.

Whether walks that are slowed far came out as walks, and near to what was asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import ConstraintError
from motionloom.constraints.kinds.table import KINDS
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.steps import scale_steps, scale_sway
from motionloom.graph.pacing.plan import PLAIN, TimeMap
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.synthesis.generator import Draft
from motionloom.typing import Array


def retime_constraints(constraints: ConstraintSet, times: TimeMap) -> ConstraintSet:
    """The constraints at the times at which they are searched.

    Parameters
    ----------
    constraints : ConstraintSet
    times : TimeMap
        Of `plan_pace`.

    Returns
    -------
    ConstraintSet
        Velocities of joints are those before the motion is warped; places are farther apart where
        steps become shorter.
    """
    fps = constraints.fps
    duration = float(times.shown[-1]) / fps

    def at(time: float) -> float:
        return float(times.shown[constraints.frame_of(time)]) / fps

    def between(time: float) -> float:
        shown = np.interp(time * fps, np.arange(len(times.shown)), times.shown)
        return min(float(shown) / fps, duration)

    frames, shifts = _searched_elsewhere(constraints, times)

    def moved(entry: Any) -> Any:
        update: dict[str, Any] = {}
        if getattr(entry, "position", None) is not None:
            first = constraints.frame_of(entry.time)
            shift = shifts[max(int(np.searchsorted(frames, first, side="right")) - 1, 0)]
            update["position"] = _shifted(entry.position, shift)
        for name in ("time", "begin", "end"):
            own = getattr(entry, name, None)
            if own is not None:
                update[name] = at(own) if hasattr(entry, "time") else between(own)
        if getattr(entry, "times", None) is not None:
            update["times"] = tuple(between(t) for t in entry.times)
        if getattr(entry, "velocity", None) is not None:
            rate = times.rates[constraints.frame_of(entry.time)]
            update["velocity"] = tuple(v / rate for v in entry.velocity)
        return entry.model_copy(update=update)

    lists = {
        kind.name: tuple(moved(entry) for entry in kind.of(constraints))
        for kind in KINDS.values()
        if kind.retimed
    }
    return constraints.model_copy(update={"duration": duration, **lists})


def _searched_elsewhere(constraints: ConstraintSet, times: TimeMap) -> tuple[list[int], Array]:
    """How far from where they were asked for body constraints are searched: their first and last
    frames, and shifts along x and z, metres.

    Where steps are shorter in the end, the search goes farther.
    """
    frames = [0]
    shifts = [np.zeros(2)]
    for a, b in pairwise(constraints.body):
        first = constraints.frames_of(a)[-1]
        leg = next((leg for leg in times.legs if leg.begin == first / constraints.fps), None)
        longer = 0.0 if leg is None else 1.0 / leg.steps - 1.0
        frames += [first, constraints.frames_of(b)[0]]
        shifts += [shifts[-1], shifts[-1] + longer * np.subtract(b.position, a.position)]
    return frames, np.array(shifts)


def _shifted(position: tuple[float, ...], shift: Array) -> tuple[float, ...]:
    """A place (x, z) or (x, y, z) moved on the ground."""
    x, *height, z = position
    return (x + float(shift[0]), *height, z + float(shift[1]))


def retime_draft(draft: Draft, constraints: ConstraintSet, times: TimeMap, roles: Roles) -> Draft:
    """A draft of retimed constraints at the times, and the places, asked for.

    Parameters
    ----------
    draft : Draft
        Of the constraints as `retime_constraints` makes them.
    constraints : ConstraintSet
        As they were asked for.
    times : TimeMap
    roles : Roles
        Which joint plays which part of the body.

    Returns
    -------
    Draft
    """
    nearest = times.nearest
    contacts = draft.contacts
    retimed = replace(
        draft,
        motion=replace(
            draft.motion,
            rotations=_sample_rotations(draft.motion.rotations, times.shown),
            translations=_sample(draft.motion.translations, times.shown),
        ),
        contacts=None if contacts is None else replace(contacts, down=contacts.down[nearest]),
        feet=None if draft.feet is None else _retime_feet(draft.feet, times),
        seams=tuple(times.frame_from(frame) for frame in draft.seams),
        kept_frames=tuple(times.frame_of(frame) for frame in draft.kept_frames),
        source_frames=None if draft.source_frames is None else draft.source_frames[nearest],
        errors=None if draft.errors is None else _retime_errors(draft.errors, constraints, times),
    )
    return retimed if np.all(times.steps == 1) else _scale_steps(retimed, constraints, times, roles)


def _scale_steps(draft: Draft, constraints: ConstraintSet, times: TimeMap, roles: Roles) -> Draft:
    frames, shifts = _searched_elsewhere(constraints, times)
    posed = PosedMotion(draft.motion, roles)
    swayed = scale_sway(posed, times.rates, times.steps)
    # Where the body is asked for it is as far off as it was found.
    shifts = -shifts - (swayed.hips - posed.hips)[frames][:, [0, 2]]
    moved, tracks = scale_steps(swayed, draft.feet or {}, times.steps, frames, shifts)
    return replace(draft, motion=moved.motion, feet=None if draft.feet is None else tracks)


def _retime_feet(feet: Mapping[str, FootTrack], times: TimeMap) -> dict[str, FootTrack]:
    return {
        foot: FootTrack(
            _sample(track.places, times.shown), _sample_rotations(track.rotations, times.shown)
        )
        for foot, track in feet.items()
    }


def _retime_errors(
    errors: Sequence[ConstraintError], constraints: ConstraintSet, times: TimeMap
) -> tuple[ConstraintError, ...]:
    """Errors in the frames asked for; those of velocities grow with the pace."""
    asked = [*constraints.body, *constraints.joints]
    found = []
    for error, constraint in zip(errors, asked, strict=True):
        frame = constraints.frames_of(constraint)[0]
        velocity = error.velocity
        if velocity is not None:
            velocity *= float(times.rates[frame])
        found.append(replace(error, frame=frame, velocity=velocity))
    return tuple(found)


def _sample_rotations(rotations: Array, at: Array) -> Array:
    """Rotations (T, ..., 4) at frames that need not be whole."""
    return rot.normalize(_sample(rot.unroll(rotations), at))


def _sample(values: Array, at: Array) -> Array:
    """Values (T, ...) at frames that need not be whole, on a smooth curve through all of them.

    Straight lines would show: their slope jumps in every frame.
    """
    slopes = np.gradient(values, axis=0)
    curve = scipy.interpolate.CubicHermiteSpline(np.arange(len(values)), values, slopes)
    return curve(at)


#: A body found this near, metres and degrees, has arrived: the rest is bent.
NEAR, TURNED = 0.25, 15.0
#: Nobody who walks is off the ground for longer, seconds.
FLIGHT = 0.15


def has_strolls(times: TimeMap | None) -> bool:
    """Whether any leg is slowed farther than every gait may be."""
    return times is not None and any(leg.pace < 1.0 / PLAIN for leg in times.legs)


def doubt_of(draft: Draft, times: TimeMap | None, fps: float) -> tuple[float, int]:
    """How little a draft is to be trusted to answer what was asked by walking slowly.

    Parameters
    ----------
    draft : Draft
        With errors and contacts as found, at the times asked for.
    times : TimeMap or None
        What was slowed.
    fps : float
        Frames per second of the motion.

    Returns
    -------
    miss : float
        How many times too far from where it should be the body is at most; 1 where it has arrived.
    flights : int
        Frames in which it flies in legs that are slowed far: a jump or a run in slow motion.
    """
    miss = 1.0
    for error in draft.errors or ():
        if error.kind == "body":
            miss = max(miss, error.position / NEAR, (error.facing or 0.0) / TURNED)
    if times is None or draft.contacts is None:
        return miss, 0
    flies = np.zeros(len(times.shown), bool)
    for leg in times.legs:
        if leg.pace < 1.0 / PLAIN:
            span = slice(round(leg.begin * fps), round(leg.end * fps) + 1)
            flies[span] = ~draft.contacts.down[span].any(axis=1)
    longest = round(FLIGHT * fps)
    return miss, int(scipy.ndimage.binary_opening(flies, np.ones(longest + 1, bool)).sum())
