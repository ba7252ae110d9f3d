"""Faults of a finished motion beside its clips, and which of them are problems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.faults import (
    Fault,
    find_bursts,
    find_cut_jumps,
    find_deep_bends,
    find_detours,
    find_fidgeting,
    find_floating,
    find_gait_switches,
    find_gestures,
    find_gliding,
    find_jumps,
    find_loops,
    find_pops,
)
from motionloom.analysis.faults.signals import frame_accelerations
from motionloom.analysis.gaits import GAITS
from motionloom.analysis.quality import Quality
from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import ConstraintSet
from motionloom.constraints.idle import NEAR, deeds_of, held_spans, idle_frames, spans_aside
from motionloom.constraints.kinds.avoid import HeightMap
from motionloom.posed_motion import PosedMotion

#: Most sentences about one kind of fault.
MOST = 2
#: A clean result skates no more than this many times its sources, and accelerates at seams no more
#: than this many times their 99th percentile.
SKATE_LIMIT, SEAM_LIMIT = 1.3, 2.0
#: Feet that creep no faster than this in the mean stand still to the eye, whatever the clips do;
#: centimetres per second.
LEAST_SKATE = 1.0

_REMEDY = "another seed, a larger budget or more clips may be cleaner"


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
    if not constraints.ground and not any(isinstance(a, HeightMap) for a in constraints.avoid):
        contacts = detect_contacts(posed, soles=clips.soles)
        faults += find_floating(posed, contacts, limits)
        faults += find_gliding(posed, contacts, limits)
        if idle_frames(constraints):
            faults += find_jumps(posed, contacts, limits, deeds)
            faults += find_cut_jumps(posed, contacts, deeds)
            faults += find_gestures(posed, limits, deeds)
            aside = deeds + held_spans(constraints.paths, constraints)
            faults += find_loops(posed, constraints.body, limits, aside)
    faults += find_fidgeting(posed, limits, deeds)
    if not constraints.ground:  # knees bend farther on stairs than in clips of level ground
        faults += find_deep_bends(posed, clips.hinges)
    faults += find_detours(posed, constraints.body, spans_aside(constraints))
    own = clips.clip_set
    shown = [] if source_frames is None else [own.names[k] for k in own.clip_of[source_frames]]
    faults += find_pops(posed, shown)
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
    asked = held_spans(constraints.style, constraints, NEAR)
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


def find_faults(
    quality: Quality, sources: Quality, seams: Sequence[int], fps: float
) -> tuple[str, ...]:
    """Say where a motion is not clean beside the clips it is made of.

    Parameters
    ----------
    quality, sources : Quality
        Of the motion and of the clips.
    seams : sequence of int
        Frames at which something new begins.
    fps : float
        Frames per second of the motion.

    Returns
    -------
    tuple of str
        One sentence for each fault.
    """
    faults = []
    skate = quality.skate_mean / sources.skate_mean if sources.skate_mean > 0 else 0.0
    if skate > SKATE_LIMIT and quality.skate_mean > LEAST_SKATE:
        faults.append(
            f"feet slide {skate:.2f} times as much as in the clips; another seed or more clips may"
            " be cleaner"
        )
    limit = SEAM_LIMIT * sources.acceleration_p99
    if len(seams) and sources.acceleration_p99 > 0 and quality.seam_acceleration > limit:
        worst = int(np.argmax(quality.seam_accelerations))
        times = quality.seam_acceleration / sources.acceleration_p99
        faults.append(
            f"the seam at {seams[worst] / fps:.2f} s shows: a joint accelerates {times:.2f} times"
            f" as much as in 99 % of the clips; {_REMEDY}"
        )
    return tuple(faults)


def seams_by_gait(
    posed: PosedMotion, seams: Sequence[int], clips: AnalysedClips
) -> tuple[tuple[str, int, int, float], ...]:
    """Seams beside the clips of the gait they are in; gaits without seams are left out.

    Parameters
    ----------
    posed : PosedMotion
    seams : sequence of int
        Frames at which something new begins.
    clips : AnalysedClips

    Returns
    -------
    tuple of (str, int, int, float)
        Gait, seams, those of them at which no joint accelerates more than the limit, and the limit:
        the 99.5th percentile of the clips' joints while they go so, m/s^2.
    """
    limits = clips.limits
    if posed.n_frames < 3 or not len(seams):
        return ()
    acceleration, gaits = frame_accelerations(posed, limits.leg)
    last = len(gaits) - 1
    gait = np.array([gaits[min(max(s - 1, 0), last)] for s in seams])
    most = np.array([acceleration[max(s - 2, 0) : s + 1].max(initial=0.0) for s in seams])
    return tuple(
        (
            GAITS[g],
            int((gait == g).sum()),
            int((most[gait == g] <= limits.acceleration[g]).sum()),
            limits.acceleration[g],
        )
        for g in range(len(GAITS))
        if (gait == g).any()
    )
