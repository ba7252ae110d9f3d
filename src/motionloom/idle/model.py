"""IdleModel: how one person waits, learned from recordings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.hinges import fit_hinges
from motionloom.curves import smoothstep
from motionloom.declared import LENGTH, NORMALIZED, NUMBER, Positive, Range, Shape
from motionloom.errors import InvalidInputError
from motionloom.idle._variations import NoiseVariation, fit_noise
from motionloom.idle.learning.limits import MotionRange, join_ranges, measure_range
from motionloom.idle.learning.posture_space import PostureSpace, fit_posture_space
from motionloom.idle.learning.recording import Recording, moving_feet, seen_from, steady_tracks
from motionloom.idle.learning.spans import (
    CATEGORIES,
    Category,
    Shift,
    Span,
    compute_balance,
    find_spans,
)
from motionloom.motion import GroundTransform
from motionloom.progress import Progress, silent
from motionloom.skeleton import Skeleton, restore_read_only
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Recordings shorter than this give a warning, seconds.
SHORT = 60.0


@dataclass(frozen=True, eq=False)
class Rest:
    """A resting posture as it was recorded.

    Parameters
    ----------
    posture : array of shape (K,)
        Mean components, seen from the stance.
    category : str
        Where the balance is.
    stay : float, seconds
        How long it was kept.
    whole : bool
        Whether both its beginning and its end were recorded.
    feet : array of shape (2, 3), metres
        Places of both ankles, seen from the stance.
    turns : array of shape (2, 4)
        Rotations of both feet, seen from the stance.
    """

    posture: Annotated[Array, Shape("K"), NUMBER]
    category: Category
    stay: Positive
    whole: bool
    feet: Annotated[Array, Shape(2, 3), LENGTH]
    turns: Annotated[Array, Shape(2, 4), NORMALIZED]
    __setstate__ = restore_read_only


@dataclass(frozen=True, eq=False)
class IdleModel:
    """How one person waits.

    Parameters
    ----------
    space : PostureSpace
        Of the person's postures.
    fps : float
        Frames per second of what was learned.
    rests : tuple of Rest
        Resting postures.
    shifts : tuple of Shift
        Ways from one to another.
    transitions : array of shape (3, 3)
        Probability of each category after each, in the order of `CATEGORIES`; rows of categories
        that do not occur are 0.
    variations : NoiseVariation
        What the person does while resting.
    knees : array of shape (2, 3)
        Axes about which the left and the right knee bend, in the frames of the thighs.
    limits : MotionRange
        Extremes of the recordings, which what is made keeps to.
    person : str
        Whose.
    seconds : float
        Length of the recordings.
    notes : tuple of str
        What to know about it, one sentence each.
    """

    space: PostureSpace
    fps: Annotated[float, Range(1e-3, 10_000, "1/s")]
    rests: tuple[Rest, ...]
    shifts: tuple[Shift, ...]
    transitions: Annotated[Array, Shape(3, 3), Range(0, 1.001)]
    variations: NoiseVariation
    knees: Annotated[Array, Shape(2, 3), NORMALIZED]
    limits: MotionRange
    person: str = ""
    seconds: Annotated[float, Range(0, 1e9)] = 0.0
    notes: tuple[str, ...] = ()
    __setstate__ = restore_read_only

    def standing(self) -> IdleModel:
        """The same without shifts in which a foot steps."""
        return replace(self, shifts=tuple(shift for shift in self.shifts if not shift.steps))

    def stays(self, category: str) -> Array:
        """How long the person stays in a category's postures, shape (n,), seconds."""
        return np.array([rest.stay for rest in self.rests if rest.category == category])


@one_thread()
def find_rests(recording: Recording, space: PostureSpace) -> tuple[Span, ...]:
    """When somebody rests in a recording; see `find_spans`.

    Parameters
    ----------
    recording : Recording
        Somebody who stands about.
    space : PostureSpace
        Of the postures.

    Returns
    -------
    tuple of Span
    """
    motion = recording.seen_from_stances()
    moving = np.any(moving_feet(recording.posed, recording.leg), axis=1)
    which = recording.stance_of()
    # A rest is seen from one stance.
    moving[1:] |= np.diff(which) != 0
    return find_spans(space.to_components(motion), compute_balance(recording), moving, motion.fps)


@one_thread()
def fit_idle(
    recordings: Sequence[Recording],
    spans: Sequence[Sequence[Span]] | None = None,
    person: str = "",
    progress: Progress = silent,
) -> IdleModel:
    """Learn how a person waits.

    Parameters
    ----------
    recordings : sequence of Recording
        Of one skeleton and at one frame rate.
    spans : sequence of sequence of Span, optional
        When the person rests in each recording; found when not given.
    person : str
        Whose motion it is.
    progress : Progress
        Told of every recording.

    Returns
    -------
    IdleModel

    Raises
    ------
    InvalidInputError
        When the recordings do not fit each other, or nobody rests in them.
    """
    _check_alike(recordings)
    space = fit_posture_space(recordings)
    fps = recordings[0].posed.fps
    rests: list[Rest] = []
    shifts: list[Shift] = []
    still: list[Array] = []
    counts = np.zeros((len(CATEGORIES), len(CATEGORIES)))
    for i, recording in enumerate(recordings):
        progress("learning", i, len(recordings))
        found = spans[i] if spans is not None else find_rests(recording, space)
        postures = space.to_components(recording.seen_from_stances())
        rests += [_rest(recording, postures, span) for span in found]
        spans_of = [postures[span.first : span.stop] for span in found]
        still += [own - own.mean(axis=0) for own in spans_of]
        for before, after in itertools.pairwise(found):
            shifts.append(_shift(recording, space, before, after))
            counts[CATEGORIES.index(before.category), CATEGORIES.index(after.category)] += 1
    progress("learning", len(recordings), len(recordings))
    if not rests:
        raise InvalidInputError(
            "nobody rests in these recordings; idle motion is learned from people who stand"
        )
    hinges = fit_hinges([recording.posed for recording in recordings])
    seconds = sum(recording.posed.motion.duration for recording in recordings)
    return IdleModel(
        space=space,
        fps=fps,
        rests=tuple(rests),
        shifts=tuple(shifts),
        transitions=transition_chances(counts, rests),
        variations=fit_noise(still, fps),
        knees=np.array([hinges[foot].axis for foot in ("left_foot", "right_foot")]),
        limits=join_ranges(measure_range(recording.posed) for recording in recordings),
        person=person,
        seconds=seconds,
        notes=_notes(seconds, rests, shifts),
    )


def _check_alike(recordings: Sequence[Recording]) -> None:
    if not recordings:
        raise InvalidInputError("idle motion is learned from at least one recording")
    poses = [recording.posed for recording in recordings]
    check_alike(
        [(posed.motion.name, posed.skeleton, posed.fps) for posed in poses],
        ("learn from recordings of one skeleton", "resample one"),
    )


def check_alike(given: Sequence[tuple[str, Skeleton, float]], remedies: tuple[str, str]) -> None:
    """Refuse other joints or another rate than the first's: names, skeletons, frames per second."""
    first, skeleton, fps = given[0]
    for name, other, rate in given[1:]:
        if not other.has_topology_of(skeleton):
            raise InvalidInputError(f"{name} has other joints than {first}; {remedies[0]}")
        if abs(rate / fps - 1.0) > 1e-3:
            raise InvalidInputError(
                f"{name} has {rate:g} frames per second and {first} {fps:g}; {remedies[1]}"
            )


def _rest(recording: Recording, postures: Array, span: Span) -> Rest:
    middle = (span.first + span.stop) // 2
    stance = recording.stances[int(recording.stance_of()[middle])]
    return Rest(
        posture=postures[span.first : span.stop].mean(axis=0),
        category=span.category,
        stay=(span.stop - span.first) / recording.posed.fps,
        whole=span.first > 0 and span.stop < recording.n_frames,
        feet=stance.feet,
        turns=stance.turns,
    )


def _shift(recording: Recording, space: PostureSpace, before: Span, after: Span) -> Shift:
    """What lies between two rests, with a frame of each; feet are seen from the first's stance."""
    which = recording.stance_of()
    first = before.stop - 1
    stop = after.first + 1
    old = recording.stances[int(which[first])].place
    new = recording.stances[int(which[stop - 1])].place
    posed = recording.posed.cut(first, stop)
    feet = turns = None
    moved = GroundTransform()
    if new is not old:
        joints = list(recording.feet)
        on_way = moving_feet(recording.posed, recording.leg)[first:stop]
        feet = steady_tracks(old.seen(posed.positions[:, joints]), on_way)
        back = rot.multiply(rot.conjugate(old.quaternion), posed.rotations[:, joints])
        turns = rot.normalize(steady_tracks(rot.unroll(back), on_way))
        moved = old.inverse().compose(new)
    between = place_on_way(old, moved, smoothstep(np.linspace(0.0, 1.0, stop - first)))
    postures = space.to_components(seen_from(posed.motion, between))
    return Shift(
        postures=postures,
        begin=before.category,
        end=after.category,
        feet=feet,
        turns=turns,
        moved=moved,
    )


def place_on_way(place: GroundTransform, moved: GroundTransform, share: Array) -> GroundTransform:
    """Places between a stance and the next one, which is seen from it, with arrays like `share`."""
    part = GroundTransform(*(share * v for v in (moved.angle, moved.x, moved.z)))
    return place.compose(part)


def transition_chances(counts: Array, rests: Sequence[Rest]) -> Array:
    """Probability of each category of balance after each.

    Parameters
    ----------
    counts : array of shape (3, 3)
        How often each followed each, in the order of `CATEGORIES`.
    rests : sequence of Rest
        Only their categories can be reached.

    Returns
    -------
    array of shape (3, 3)
        From a category that nothing followed, as where the recording ends, on to the others as
        often as they were come to; where there is no other, it stays.
    """
    present = np.array([any(rest.category == c for rest in rests) for c in CATEGORIES])
    counts = counts * present[:, None] * present[None, :]
    come_to = counts.sum(axis=0)
    for c in np.flatnonzero(present & (counts.sum(axis=1) == 0)):
        counts[c] = np.where(np.arange(len(CATEGORIES)) == c, 0.0, come_to)
        if not counts[c].any():
            others = present & (np.arange(len(CATEGORIES)) != c)
            counts[c] = others if others.any() else present
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300))


def _notes(seconds: float, rests: Sequence[Rest], shifts: Sequence[Shift]) -> tuple[str, ...]:
    notes = []
    if seconds < SHORT:
        notes.append(
            f"{seconds:.0f} s of recording show little of how somebody waits; two minutes do"
        )
    if not shifts:
        notes.append("nobody shifts from one posture to another here; the posture stays")
    steps = sum(shift.steps for shift in shifts)
    if steps:
        notes.append(f"a foot steps in {steps} of {len(shifts)} shifts")
    return tuple(notes)
