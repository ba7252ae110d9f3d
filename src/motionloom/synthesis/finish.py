"""From a draft to a finished motion: exact at the constraints, feet locked, measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.analysis.faults.find import Fault
from motionloom.analysis.quality import Quality, compute_quality
from motionloom.analysis.soles import Soles
from motionloom.clips.analysis import AnalysedClips
from motionloom.constraints import ConstraintSet, check_joints
from motionloom.constraints.kinds.ground import ground_heights
from motionloom.constraints.kinds.measures import ConstraintError
from motionloom.edit.footlock import FootLock, FootLockOptions, lock_feet
from motionloom.edit.hold import hold_body
from motionloom.edit.posture import meet_targets
from motionloom.edit.reach import Target
from motionloom.edit.reach_sets import beyond_reach
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.faults import find_movement_faults
from motionloom.synthesis.generator import Draft, WrittenDetails
from motionloom.synthesis.measure import errors_of
from motionloom.synthesis.spread import SHIFT, TURN, spread_errors, spread_heights
from motionloom.synthesis.waiting import WaitingOptions, fill_waits

#: Takes a finished motion, its contacts, the clips and what was asked for; gives it changed, what
#: is said of that, and what it misses.
Processor = Callable[
    [PosedMotion, FootContacts, AnalysedClips, ConstraintSet],
    tuple[PosedMotion, tuple[str, ...], tuple[str, ...]],
]

#: Measures motions of one skeleton, with soles calibrated on its clips: further terms of quality.
MeasureTerms = Callable[[Sequence[PosedMotion], Soles], Mapping[str, float]]


@dataclass(frozen=True)
class FinishOptions:
    """How a draft is finished.

    Parameters
    ----------
    shift : float, metres per second
        How far the body may be moved to meet a body constraint, for each second since the
        constraint before; the rest of an error is left and reported.
    turn : float, degrees per second
        How far it may be turned.
    footlock : FootLockOptions or None
        None leaves the feet as the generator left them.
    waiting : WaitingOptions, optional
        Who fills the time in which the body only stands; it stays as it was found when not given.
    processor : callable, optional
        What is done to the motion at the very end, such as a correction by physics; errors and
        quality are measured after it.
    terms : callable, optional
        Measures further terms of quality, such as balance, of the finished motion and of the
        clips, where the ground is level.
    faults : bool
        Whether it is looked for where the motion moves as no clip does.
    """

    shift: float = SHIFT
    turn: float = TURN
    footlock: FootLockOptions | None = field(default_factory=FootLockOptions)
    waiting: WaitingOptions | None = None
    processor: Processor | None = None
    terms: MeasureTerms | None = None
    faults: bool = True

    def __post_init__(self) -> None:
        if min(self.shift, self.turn) < 0:
            raise InvalidInputError("limits of bending must not be negative")


@dataclass(frozen=True, eq=False)
class Finished:
    """A finished motion and its diagnosis.

    Parameters
    ----------
    posed : PosedMotion
        The motion with its kinematics.
    draft : Draft
        What it was made of.
    lock : FootLock
        What locking the feet did, and the contacts that it held.
    errors_before, errors_after : tuple of ConstraintError
        Of the draft, and of the finished motion; body constraints first.
    quality : Quality
        Of the finished motion.
    beyond_reach : tuple of (float or None), metres
        Of every joint constraint: how far its target is, as found, from what the hand reaches
        without strain; None where no hand has a target.
    movement : tuple of Fault
        What an animator would send back or look at twice.
    processed : tuple of str
        What a processor says of what it did.
    unmet : tuple of str
        What a processor misses, a sentence each.
    """

    posed: PosedMotion
    draft: Draft
    lock: FootLock
    errors_before: tuple[ConstraintError, ...]
    errors_after: tuple[ConstraintError, ...]
    quality: Quality
    beyond_reach: tuple[float | None, ...]
    movement: tuple[Fault, ...]
    processed: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()

    @property
    def motion(self) -> Motion:
        """The motion without its kinematics."""
        return self.posed.motion

    @property
    def contacts(self) -> FootContacts:
        """Those of the draft, as far as the foot lock held them."""
        return self.lock.contacts

    @property
    def seams(self) -> tuple[int, ...]:
        """Frames at which something new begins."""
        return self.draft.seams


def finish(
    draft: Draft,
    clips: AnalysedClips,
    constraints: ConstraintSet,
    options: FinishOptions | None = None,
) -> Finished:
    """Make a draft exact at the constraints and lock its feet.

    The order matters: the path is bent to the body constraints and steps towards joints' targets
    first, and feet are locked on what came of it. Then hips, trunk and arms go the rest of the way
    to the targets, over feet that stay.

    Parameters
    ----------
    draft : Draft
        Its kept frames stay as they are, but for where the body stands and faces.
    clips : AnalysedClips
        What the draft was made of.
    constraints : ConstraintSet
        What the motion is to meet.
    options : FinishOptions, optional
        Limits and times of every step.

    Returns
    -------
    Finished

    Raises
    ------
    InvalidInputError
        When the draft has another number of frames than the constraints ask for.
    """
    options = options or FinishOptions()
    if draft.motion.n_frames != constraints.n_frames:
        raise InvalidInputError(
            f"the constraints ask for {constraints.n_frames} frames, but the draft has"
            f" {draft.motion.n_frames}"
        )
    drafted = PosedMotion(draft.motion, clips.roles)
    met = _meet_constraints(drafted, draft, constraints, options)
    lock = _lock(met, _rise_feet(draft, drafted, met), clips, constraints, options)
    made = _reach(lock.posed, draft, clips, constraints)
    made, said, unmet = _process(made, lock.contacts, draft, clips, constraints, options)
    floor = partial(ground_heights, constraints.ground) if constraints.ground else None
    quality = compute_quality(made, lock.contacts, draft.seams, clips.hinges, floor)
    # Such terms are of level ground; what takes a motion onto another says its balance there.
    if options.terms is not None and floor is None:
        quality = replace(quality, terms=options.terms([made], clips.soles))
    before = errors_of(drafted, constraints) if draft.errors is None else draft.errors
    return Finished(
        posed=made,
        draft=_as_written(draft, made, lock.contacts),
        lock=lock,
        errors_before=before,
        errors_after=errors_of(made, constraints),
        quality=quality,
        beyond_reach=_beyond_reach(drafted, constraints),
        movement=find_movement_faults(made, clips, constraints, draft.source_frames)
        if options.faults
        else (),
        processed=said,
        unmet=unmet,
    )


def _as_written(draft: Draft, made: PosedMotion, contacts: FootContacts) -> Draft:
    """The draft, its details measured on the finished motion."""
    if not isinstance(draft.details, WrittenDetails):
        return draft
    return replace(draft, details=draft.details.as_written(made, contacts))


def _process(
    made: PosedMotion,
    contacts: FootContacts,
    draft: Draft,
    clips: AnalysedClips,
    constraints: ConstraintSet,
    options: FinishOptions,
) -> tuple[PosedMotion, tuple[str, ...], tuple[str, ...]]:
    """What is done to the motion at the very end, what is said of that, and what it misses."""
    said: tuple[str, ...] = ()
    if options.waiting is not None:
        made, said = fill_waits(made, contacts, constraints, options.waiting, draft.kept_frames)
    if options.processor is None:
        return made, said, ()
    made, more, unmet = options.processor(made, contacts, clips, constraints)
    return made, (*said, *more), unmet


def _meet_constraints(
    posed: PosedMotion, draft: Draft, constraints: ConstraintSet, options: FinishOptions
) -> PosedMotion:
    stood = _spread(posed, constraints, options)
    if not constraints.joints:
        return stood
    # Steps towards joints' targets bend the path anew.
    stood = _spread(stood, constraints, options)
    return spread_heights(stood, constraints, draft.contacts, draft.kept_frames)


def _spread(posed: PosedMotion, constraints: ConstraintSet, options: FinishOptions) -> PosedMotion:
    """Bring the body to its places, and keep it there where it is held."""
    bent = spread_errors(posed, constraints, options.shift, options.turn)
    holds = [c for c in constraints.body if c.end is not None]
    return hold_body(bent, holds) if holds else bent


def _reach(
    posed: PosedMotion, draft: Draft, clips: AnalysedClips, constraints: ConstraintSet
) -> PosedMotion:
    """Bring joints to their targets: legs, then hips, trunk and shoulders so far as arms need it,
    then arms.
    """
    # Knees keep their captured range; arms may stretch as clips without any reaching never do.
    knees = {foot: hinge for foot, hinge in clips.hinges.items() if foot in clips.roles.feet}
    return meet_targets(
        posed,
        _targets(posed, constraints),
        moves_body=[c.position is not None for c in constraints.joints],
        hinges=knees,
        keep=draft.kept_frames,
        stay=[frame for c in constraints.body for frame in constraints.frames_of(c)],
    )


def _beyond_reach(posed: PosedMotion, constraints: ConstraintSet) -> tuple[float | None, ...]:
    joints = check_joints(constraints, posed.skeleton, posed.roles)
    return tuple(
        None
        if c.position is None
        else beyond_reach(posed, constraints.frame_of(c.time), joint, c.position)
        for c, joint in zip(constraints.joints, joints, strict=True)
    )


def _rise_feet(draft: Draft, before: PosedMotion, after: PosedMotion) -> Draft:
    """The draft with its captured feet as much higher in the air as the body is now."""
    if draft.feet is None or draft.contacts is None:
        return draft
    rise = after.hips[:, 1] - before.hips[:, 1]
    if not np.any(np.abs(rise) > 1e-9):
        return draft
    soles = draft.contacts.soles
    feet = {
        foot: track.raised(rise * ~np.any(draft.contacts.down[:, list(soles.of(foot))], axis=1))
        for foot, track in draft.feet.items()
    }
    return replace(draft, feet=feet)


def _lock(
    posed: PosedMotion,
    draft: Draft,
    clips: AnalysedClips,
    constraints: ConstraintSet,
    options: FinishOptions,
) -> FootLock:
    contacts = draft.contacts
    if contacts is None:
        contacts = detect_contacts(posed, soles=clips.soles)
    if options.footlock is None:
        return FootLock(posed, contacts)
    return lock_feet(
        posed,
        contacts,
        options.footlock,
        captured=draft.feet,
        lowest=None if draft.feet is None else clips.lowest,
        hinges=clips.hinges,
        keep=draft.kept_frames,
        stay=_placed_frames(constraints),
    )


def _placed_frames(constraints: ConstraintSet) -> list[int]:
    """Frames at which the body or a joint is asked for."""
    asked = (*constraints.body, *constraints.joints)
    return [frame for c in asked for frame in constraints.frames_of(c)]


def _targets(posed: PosedMotion, constraints: ConstraintSet) -> list[Target]:
    """Targets of joints, over the frames for which they are held."""
    joints = check_joints(constraints, posed.skeleton, posed.roles)
    targets = []
    for c, joint in zip(constraints.joints, joints, strict=True):
        frames = constraints.frames_of(c)
        own = posed.positions[frames[0], joint]
        position = own if c.position is None else np.array(c.position)
        velocity = None if c.velocity is None else np.array(c.velocity)
        last = None if c.position is None else frames[-1]
        targets.append(Target(frames[0], joint, position, velocity, last, c.priority))
    return targets
