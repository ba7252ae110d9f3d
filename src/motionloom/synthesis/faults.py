"""Faults of a finished motion beside its clips, and which of them are problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.analysis.faults.find import (
    Fault,
    find_bursts,
    find_deep_bends,
    find_fidgeting,
    find_floating,
    find_gait_switches,
    find_gliding,
    find_pops,
)
from motionloom.analysis.faults.limits import MovementLimits
from motionloom.analysis.faults.signals import frame_accelerations
from motionloom.analysis.faults.unasked import (
    find_cut_jumps,
    find_detours,
    find_gestures,
    find_jumps,
    find_loops,
)
from motionloom.analysis.gaits import GAITS
from motionloom.analysis.quality import Quality
from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import ConstraintSet
from motionloom.constraints.idle import (
    NEAR,
    Spans,
    deeds_of,
    held_spans,
    idle_frames,
    spans_aside,
)
from motionloom.constraints.kinds.avoid import HeightMap
from motionloom.errors import InvalidInputError
from motionloom.plugins import CHECKS as PLUGINS
from motionloom.plugins import load_plugins, note_registered
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Ints

#: Most sentences about one kind of fault.
MOST = 2
#: A clean result skates no more than this many times its sources, and accelerates at seams no more
#: than this many times their 99th percentile.
SKATE_LIMIT, SEAM_LIMIT = 1.3, 2.0
#: Feet that creep no faster than this in the mean stand still to the eye, whatever the clips do;
#: centimetres per second.
LEAST_SKATE = 1.0

_REMEDY = "another seed, a larger budget or more clips may be cleaner"


@dataclass(frozen=True, eq=False)
class Moved:
    """A finished motion as checks see it.

    Parameters
    ----------
    posed : PosedMotion
        The finished motion.
    clips : AnalysedClips
        What it was made of; `clips.limits` is what these do at most.
    constraints : ConstraintSet
        What was asked for: what leads aside, or moves a limb, is no fault.
    source_frames : int array of shape (T,), optional
        Frame of the clip set that every frame shows.
    """

    posed: PosedMotion
    clips: AnalysedClips
    constraints: ConstraintSet
    source_frames: Ints | None = None

    @cached_property
    def limits(self) -> MovementLimits:
        """What the clips do at most."""
        return self.clips.limits

    @cached_property
    def contacts(self) -> FootContacts:
        """When feet bear on the ground, as found in the motion."""
        return detect_contacts(self.posed, soles=self.clips.soles)

    @cached_property
    def deeds(self) -> Spans:
        """Spans in which a limb, a pose or a style is asked for."""
        return deeds_of(self.constraints)

    @property
    def is_level(self) -> bool:
        """Whether the ground is."""
        uneven = any(isinstance(a, HeightMap) for a in self.constraints.avoid)
        return not self.constraints.ground and not uneven

    @property
    def is_idle(self) -> bool:
        """Whether there is a time in which nothing but the way is asked, on level ground."""
        return self.is_level and bool(idle_frames(self.constraints))


#: Looks for one kind of fault in a motion.
Check = Callable[[Moved], Iterable[Fault]]


def _loops(m: Moved) -> Iterable[Fault]:
    aside = m.deeds + held_spans(m.constraints.paths, m.constraints)
    return find_loops(m.posed, m.constraints.body, m.limits, aside)


def _pops(m: Moved) -> Iterable[Fault]:
    own = m.clips.clip_set
    frames = m.source_frames
    shown = [] if frames is None else [own.names[k] for k in own.clip_of[frames]]
    return find_pops(m.posed, shown)


def _style_switches(m: Moved) -> Iterable[Fault]:
    if m.source_frames is None:
        return ()
    return find_style_switches(m.source_frames, m.clips.clip_set, m.constraints)


def _deep_bends(m: Moved) -> Iterable[Fault]:
    # Knees bend farther on stairs than in clips of level ground.
    return () if m.constraints.ground else find_deep_bends(m.posed, m.clips.hinges)


#: All checks by name; those of others come behind.
_CHECKS: dict[str, Check] = {
    "burst": lambda m: find_bursts(m.posed, m.limits),
    "gait switch": lambda m: find_gait_switches(m.posed, m.limits),
    "floating": lambda m: find_floating(m.posed, m.contacts, m.limits) if m.is_level else (),
    "gliding": lambda m: find_gliding(m.posed, m.contacts, m.limits) if m.is_level else (),
    "jump": lambda m: find_jumps(m.posed, m.contacts, m.limits, m.deeds) if m.is_idle else (),
    "cut jump": lambda m: find_cut_jumps(m.posed, m.contacts, m.deeds) if m.is_idle else (),
    "gesture": lambda m: find_gestures(m.posed, m.limits, m.deeds) if m.is_idle else (),
    "loop": lambda m: _loops(m) if m.is_idle else (),
    "fidgeting": lambda m: find_fidgeting(m.posed, m.limits, m.deeds),
    "deep bend": _deep_bends,
    "detour": lambda m: find_detours(m.posed, m.constraints.body, spans_aside(m.constraints)),
    "pop": _pops,
    "style switch": _style_switches,
}


def register_check(name: str, check: Check) -> None:
    """Make a check known by its name; a later one of the same name replaces it.

    Parameters
    ----------
    name : str
        Of what it looks for.
    check : callable
        ``check(moved)`` gives the faults that it finds in a `Moved`; grave ones are problems.

    Raises
    ------
    InvalidInputError
        When it has no name, or cannot be called.
    """
    if not (isinstance(name, str) and name and callable(check)):
        raise InvalidInputError(
            f"{check!r:.60} is no check; expected a name and a function of a motionloom.synthesis"
            " Moved that gives Faults"
        )
    _CHECKS[name] = check
    note_registered(f"check {name}")


def find_movement_faults(
    posed: PosedMotion,
    clips: AnalysedClips,
    constraints: ConstraintSet,
    source_frames: Ints | None = None,
) -> tuple[Fault, ...]:
    """Find what an animator would send back or look at twice, in the order of time.

    Parameters
    ----------
    posed, clips, constraints, source_frames
        As of `Moved`.

    Raises
    ------
    InvalidInputError
        When a check of others fails, or gives something else than faults.
    """
    if posed.n_frames < 2:
        return ()
    load_plugins(PLUGINS, register_check)
    moved = Moved(posed, clips, constraints, source_frames)
    faults = [fault for name, check in _CHECKS.items() for fault in _found(name, check, moved)]
    return tuple(sorted(faults, key=lambda f: (f.begin, f.kind)))


def _found(name: str, check: Check, moved: Moved) -> tuple[Fault, ...]:
    if getattr(check, "__module__", "").startswith("motionloom."):
        return tuple(check(moved))
    try:
        found = tuple(check(moved))
    except Exception as error:  # whatever somebody's check does, it is that check's error
        raise InvalidInputError(
            f"the check {name!r} failed with {type(error).__name__}: {error}; mend it"
        ) from error
    wrong = next((f for f in found if not isinstance(f, Fault)), None)
    if wrong is not None:
        raise InvalidInputError(f"the check {name!r} gave {wrong!r:.60}; expected Faults")
    return found


def find_style_switches(
    source_frames: Ints, clips: ClipSet, constraints: ConstraintSet
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
