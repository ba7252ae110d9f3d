"""From a path through the graph to a finished motion: smooth at the seams, exact at the constraints, feet locked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.quality import Quality, compute_quality
from motionloom.clips.analysis import ClipSources
from motionloom.clips.pieces import Path
from motionloom.constraints import ConstraintSet, check_joints
from motionloom.edit.blend import cross_fade
from motionloom.edit.displacement import spread_jumps
from motionloom.edit.footlock import FootLock, FootLockOptions, lock_feet
from motionloom.edit.inertialize import inertialize
from motionloom.edit.lean import lean_to_targets
from motionloom.edit.reach import Target, reach_targets
from motionloom.errors import InvalidInputError
from motionloom.graph.finishing.lay import LaidPath, lay_overlaps, lay_path
from motionloom.graph.scoring.objective import compute_errors
from motionloom.kinematics import forward_kinematics
from motionloom.motion import GroundTransform, Motion
from motionloom.synthesis.errors import ConstraintError
from motionloom.synthesis.spread import BendLimits, measure_errors, spread_errors, spread_heights

#: How long each method takes beside a seam by itself, seconds.
SPANS = {"displacement": 0.5, "crossfade": 0.3, "inertialize": 0.4}


@dataclass(frozen=True)
class AssembleOptions:
    """How a path becomes a motion.

    Parameters
    ----------
    method : str
        How pieces are joined: ``"displacement"`` spreads each jump over the frames around it (Arikan & Forsyth 2002),
        ``"crossfade"`` plays both clips around it, aligned in time, and fades from one to the other,
        ``"inertialize"`` lets the jump and the change of speed die away after it.
    span : float or None, seconds
        Time on both sides of a seam that this takes (for ``"inertialize"`` after it); None for the method's own,
        `SPANS`.
    bend : BendLimits
        How much of a body constraint's error may be spread; the rest is left and reported.
    footlock : FootLockOptions or None
        None leaves the feet as smoothing left them.
    reach : float, seconds
        Least time over which a limb's correction towards a joint's target grows and fades.
    lean : float, seconds
        The same for the trunk's.
    """

    method: str = "displacement"
    span: float | None = None
    bend: BendLimits = field(default_factory=BendLimits)
    footlock: FootLockOptions | None = field(default_factory=FootLockOptions)
    reach: float = 0.8
    lean: float = 0.8

    def __post_init__(self) -> None:
        if self.method not in SPANS:
            raise InvalidInputError(f"pieces are joined by one of {', '.join(SPANS)}, got {self.method!r}")


@dataclass(frozen=True, eq=False)
class Assembly:
    """A finished motion and its diagnosis.

    Parameters
    ----------
    motion : Motion
    seams : tuple of int
        Frames at which a new piece begins.
    contacts : FootContacts
        Those of the sources, carried along, as far as the foot lock held them.
    errors_before, errors_after : tuple of ConstraintError
        Of the pieces as laid down, and of the finished motion; body constraints first.
    quality : Quality
    largest_correction : float, metres
        How far the foot lock moved a foot at most.
    fastest_correction : float, metres per second
        How fast that changed at most.
    largest_drop : float, metres
        How far the hips sank for it at most.
    released : int
        Contacts that were let go because they would have needed too much.
    """

    motion: Motion
    seams: tuple[int, ...]
    contacts: FootContacts
    errors_before: tuple[ConstraintError, ...]
    errors_after: tuple[ConstraintError, ...]
    quality: Quality
    largest_correction: float
    fastest_correction: float
    largest_drop: float
    released: int


def assemble(
    sources: ClipSources,
    path: Path,
    start: GroundTransform | None,
    constraints: ConstraintSet,
    options: AssembleOptions | None = None,
) -> Assembly:
    """Make a motion of a path.

    Parameters
    ----------
    sources : ClipSources
    path : Path
    start : GroundTransform or None
        Where the first piece is laid down.
    constraints : ConstraintSet
        Frames of hard poses stay as they were captured, but for where the body stands and faces.
    options : AssembleOptions, optional

    Returns
    -------
    Assembly

    Raises
    ------
    InvalidInputError
        When the path has another number of frames than the constraints ask for, or hard poses meet a method that
        cannot keep them.
    """
    options = options or AssembleOptions()
    if path.n_frames != constraints.n_frames:
        raise InvalidInputError(
            f"the constraints ask for {constraints.n_frames} frames, but the path has {path.n_frames}"
        )
    keep = [constraints.frame_of(c.time) for c in constraints.poses]
    if keep and options.method != "displacement":
        raise InvalidInputError(f"poses asked for exactly need the method 'displacement', not {options.method!r}")
    roles = sources.clips.roles
    laid = lay_path(sources, path, start)
    motion = spread_errors(join_pieces(sources, path, start, laid, options, keep), roles, constraints, options.bend)
    if constraints.joints:
        leant = lean_to_targets(motion, roles, _targets(motion, constraints, sources), options.lean, keep)
        # Who leans turns the shoulders a little, and with them the facing.
        leant = spread_errors(leant, roles, constraints, options.bend)
        motion = spread_heights(leant, roles, constraints, keep)
    lock = FootLock(motion, laid.contacts, 0.0, 0.0, 0.0, 0)
    if options.footlock is not None:
        lock = lock_feet(motion, laid.contacts, roles, options.footlock, laid.heights, sources.hinges, keep)
    # Knees keep their captured range; arms may stretch as clips without any reaching never do.
    knees = {foot: hinge for foot, hinge in sources.hinges.items() if foot in roles.feet}
    targets = _targets(motion, constraints, sources)
    motion = reach_targets(lock.motion, roles, targets, options.reach, hinges=knees, keep=keep)
    pose = forward_kinematics(motion)
    return Assembly(
        motion,
        path.seams,
        lock.contacts,
        compute_errors(sources.clips, constraints, path, start or GroundTransform()),
        measure_errors(motion, pose, roles, constraints),
        compute_quality(motion, lock.contacts, path.seams, pose, sources.hinges),
        lock.largest_correction,
        lock.fastest_correction,
        lock.largest_drop,
        lock.released,
    )


def join_pieces(
    sources: ClipSources,
    path: Path,
    start: GroundTransform | None,
    laid: LaidPath,
    options: AssembleOptions,
    keep: Sequence[int] = (),
) -> Motion:
    """Make one continuous motion of the pieces of a laid path, by the method of the options."""
    span = SPANS[options.method] if options.span is None else options.span
    if options.method == "crossfade":
        return cross_fade(laid.motion, lay_overlaps(sources, path, start, span))
    if options.method == "inertialize":
        return inertialize(laid.motion, laid.seams, span)
    return spread_jumps(laid.motion, laid.seams, span, keep=keep)


def _targets(motion: Motion, constraints: ConstraintSet, sources: ClipSources) -> list[Target]:
    joints = check_joints(constraints, motion.skeleton, sources.clips.roles)
    own = forward_kinematics(motion).positions if constraints.joints else np.zeros(0)
    targets = []
    for c, joint in zip(constraints.joints, joints, strict=True):
        frame = constraints.frame_of(c.time)
        place = own[frame, joint] if c.position is None else np.array(c.position)
        targets.append(Target(frame, joint, place, None if c.velocity is None else np.array(c.velocity)))
    return targets
