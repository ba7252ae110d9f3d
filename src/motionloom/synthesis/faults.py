"""Faults of a finished motion's movement beside its clips, and which of them are problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.faults import (
    Fault,
    Waypoint,
    find_bursts,
    find_detours,
    find_fidgeting,
    find_floating,
    find_gait_switches,
    find_gestures,
    find_gliding,
    find_jumps,
    find_loops,
)
from motionloom.analysis.faults.signals import frame_accelerations
from motionloom.analysis.gaits import GAITS
from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import ConstraintSet
from motionloom.constraints.idle import NEAR, Spans, deeds_of, idle_frames, spans_of
from motionloom.constraints.kinds.avoid import HeightMap
from motionloom.posed_motion import PosedMotion

#: Most sentences about one kind of fault.
MOST = 2


@dataclass(frozen=True)
class GaitSeams:
    """Seams within one gait, beside the clips of that gait.

    Parameters
    ----------
    gait : str
    seams : int
    within : int
        Seams at which no joint accelerates more than the limit.
    limit : float, metres per second squared
        99.5th percentile of the clips' joints while they go so.
    """

    gait: str
    seams: int
    within: int
    limit: float


def find_movement_faults(
    posed: PosedMotion,
    clips: AnalysedClips,
    constraints: ConstraintSet,
    source_frames: NDArray[np.int64] | None = None,
) -> tuple[Fault, ...]:
    """Find what an animator would send back or look at twice, in the order of time.

    Parameters
    ----------
    posed : PosedMotion
        The finished motion.
    clips : AnalysedClips
        What it was made of.
    constraints : ConstraintSet
        What was asked for: what leads aside, or moves a limb, is no fault.
    source_frames : int array of shape (T,), optional
        Frame of the clip set that every frame shows.
    """
    limits = clips.limits
    if posed.n_frames < 2:
        return ()
    faults = [*find_bursts(posed, limits), *find_gait_switches(posed, limits)]
    deeds = deeds_of(constraints)
    if not any(isinstance(a, HeightMap) for a in constraints.avoid):
        contacts = detect_contacts(posed, soles=clips.soles)
        faults += find_floating(posed, contacts, limits)
        faults += find_gliding(posed, contacts, limits)
        if idle_frames(constraints):
            faults += find_jumps(posed, contacts, limits, deeds)
            faults += find_gestures(posed, limits, deeds)
            aside = deeds + spans_of(constraints.paths, constraints)
            faults += find_loops(posed, _waypoints(constraints), limits, aside)
    faults += find_fidgeting(posed, limits, deeds)
    faults += find_detours(posed, _waypoints(constraints), _leading_aside(constraints))
    if source_frames is not None:
        faults += find_style_switches(source_frames, clips.clip_set, constraints)
    return tuple(sorted(faults, key=lambda f: (f.begin, f.kind)))


def find_style_switches(
    source_frames: NDArray[np.int64], clips: ClipSet, constraints: ConstraintSet
) -> tuple[Fault, ...]:
    """Where a motion goes from frames with some labels to frames that have only others, though no
    style is asked for there; never grave.

    Parameters
    ----------
    source_frames : int array of shape (T,)
        Frame of the clip set that every frame shows.
    clips : ClipSet
    constraints : ConstraintSet
    """
    if not clips.labels:
        return ()
    names = list(clips.labels)
    has = np.array([clips.labels[n][source_frames] for n in names])
    both = (has[:, 1:] & has[:, :-1]).any(axis=0)
    switch = ~both & has[:, 1:].any(axis=0) & has[:, :-1].any(axis=0)
    asked = spans_of(constraints.style, constraints, NEAR)
    faults = []
    for frame in np.flatnonzero(switch) + 1:
        time = frame / clips.fps
        if any(begin <= time <= end for begin, end in asked):
            continue
        old, new = (
            " and ".join(repr(n) for n, h in zip(names, has[:, k], strict=True) if h)
            for k in (frame - 1, frame)
        )
        text = f"at {time:.2f} s the style goes from {old} to {new} in one step; no clip has both"
        faults.append(Fault("style switch", time, time, 1.0, 0.0, False, text))
    return tuple(faults)


def sentences_of(faults: Sequence[Fault], grave: bool) -> tuple[str, ...]:
    """Sentences about grave or other faults: of every kind the worst, in the order of time, and how
    many more there are.

    Parameters
    ----------
    faults : sequence of Fault
    grave : bool
    """
    own = [f for f in faults if f.grave == grave]
    told = []
    for kind in dict.fromkeys(f.kind for f in own):
        same = sorted((f for f in own if f.kind == kind), key=lambda f: -f.excess)
        shown = sorted(same[:MOST], key=lambda f: f.begin)
        more = f" (and {len(same) - MOST} more of this kind)" if len(same) > MOST else ""
        told += [(f.begin, f.text + (more if f is shown[-1] else "")) for f in shown]
    return tuple(text for _, text in sorted(told, key=lambda t: t[0]))


def seams_by_gait(
    posed: PosedMotion, seams: Sequence[int], clips: AnalysedClips
) -> tuple[GaitSeams, ...]:
    """Seams beside the clips of the gait they are in; gaits without seams are left out.

    Parameters
    ----------
    posed : PosedMotion
    seams : sequence of int
        Frames at which something new begins.
    clips : AnalysedClips
    """
    limits = clips.limits
    if posed.n_frames < 3 or not len(seams):
        return ()
    acceleration, gaits = frame_accelerations(posed, limits.leg)
    last = len(gaits) - 1
    gait = np.array([gaits[min(max(s - 1, 0), last)] for s in seams])
    most = np.array([acceleration[max(s - 2, 0) : s + 1].max(initial=0.0) for s in seams])
    return tuple(
        GaitSeams(
            gait=GAITS[g],
            seams=int((gait == g).sum()),
            within=int((most[gait == g] <= limits.acceleration[g]).sum()),
            limit=limits.acceleration[g],
        )
        for g in range(len(GAITS))
        if (gait == g).any()
    )


def _waypoints(constraints: ConstraintSet) -> list[Waypoint]:
    """Where the body is asked to be; of a span its begin and its end."""
    found = []
    for c in constraints.body:
        if c.position is None:
            continue
        facing = None if c.facing is None else float(np.radians(c.facing))
        x, z = c.position
        found += [
            Waypoint(time, (x, z), facing)
            for time in dict.fromkeys((c.time, c.time if c.end is None else c.end))
        ]
    return found


def _leading_aside(constraints: ConstraintSet) -> Spans:
    whole = [(0.0, constraints.duration)] if constraints.avoid or constraints.costs else []
    asked = (*constraints.joints, *constraints.poses, *constraints.key_poses, *constraints.paths)
    return whole + spans_of(asked, constraints)
