"""Motions retargeted: poses carried over, body and feet placed, contacts held.

Poses carried over: every body part of the target is turned in the world as the source's is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.hinges import Hinge, widen_hinges
from motionloom.edit.footlock import FootLockOptions, lock_feet
from motionloom.edit.retarget import place as placing
from motionloom.edit.retarget.captured import CHAINS
from motionloom.edit.retarget.frames import RoleFrames, fit_role_frames
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.roles import Roles
from motionloom.threads import one_thread
from motionloom.typing import Array

#: How much farther than either was seen to a knee or elbow may bend, radians.
ROOM = float(np.radians(6.0))
#: Bones of one body differ by no more than what files round off, metres.
SAME_BONE = 1e-5
#: Feet are taken to their places at any speed: nothing else was to be kept, and where a file leaps
#: its feet leap too.
LOCK = FootLockOptions(speed=1e4)


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A motion on another body.

    Parameters
    ----------
    posed : PosedMotion
        The motion of the target.
    contacts : FootContacts
        Of the target's feet: those of the source that are held.
    supports : Supports
        What else of the target bears on the ground.
    source : PosedMotion
        The motion that it was made of.
    source_contacts : FootContacts
        Of the source's feet.
    hinges : mapping of str to Hinge
        How far knees and elbows of the target may bend, by the role of the limb's tip: as far as
        either body was seen to.
    notes : tuple of str
        What was guessed or could not be carried over, one sentence each.
    """

    posed: PosedMotion
    contacts: FootContacts
    supports: placing.Supports
    source: PosedMotion
    source_contacts: FootContacts
    hinges: dict[str, Hinge]
    notes: tuple[str, ...] = ()

    @property
    def motion(self) -> Motion:
        """The motion without its kinematics."""
        return self.posed.motion


@one_thread()
def retarget_motion(source: PosedMotion, own: RoleFrames, target: RoleFrames) -> Retargeted:
    """Carry a motion over to another body.

    Every body part is turned in the world as the source's is. The way of the hips is scaled by the
    length of the legs; feet, and knees and hands that bear on the ground, are put as high above it
    as the source's, scaled, and rest where the source's do.

    Parameters
    ----------
    source : PosedMotion
        The motion.
    own : RoleFrames
        Of its skeleton.
    target : RoleFrames
        Of the skeleton that it goes to.

    Returns
    -------
    Retargeted
        With as many frames as the source, above a ground at height 0.

    Raises
    ------
    InvalidInputError
        When one is a person and the other goes on four legs.

    Examples
    --------
    >>> from motionloom.edit.retarget.frames import fit_role_frames
    >>> frames = fit_role_frames([posed])
    >>> same = retarget_motion(posed, frames, frames)  # to its own body
    >>> bool(np.abs(same.posed.positions - posed.positions).max() < 0.01)
    True
    """
    _check_kinds(own.roles, target.roles)
    contacts = placing.find_contacts(source, own.seen.soles)
    hinges = widen_hinges(target.hinges, own.seen.hinges)
    supports = placing.find_supports(source, own, target, contacts.ground)
    if _is_same_body(own, target):
        return _unchanged(source, contacts, supports, hinges)
    carried = _carry_rotations(source, own, target)
    placed = placing.place_root(carried, source, own, target, contacts.ground)
    placed = placing.lower_body(placed, supports)
    # Bones of other proportions need a little more bend for the same reach.
    free = {role: replace(hinge, most=hinge.most + ROOM) for role, hinge in hinges.items()}
    legged = placing.place_legs(placed, source, own, target, free, contacts.ground)
    legged = placing.place_knees(placed, legged, supports)
    held = placing.contacts_for(contacts, target.soles)
    # A foot that rolls while it slides is at rest only after a second round.
    lock = lock_feet(legged, held, LOCK, hinges=free)
    lock = lock_feet(lock.posed, lock.contacts, LOCK, hinges=free)
    posed = placing.place_hands(lock.posed, supports, free)
    notes = _notes(own, target)
    return Retargeted(posed, lock.contacts, supports, source, contacts, hinges, notes)


def _is_same_body(own: RoleFrames, target: RoleFrames) -> bool:
    """Whether two bodies have the same bones and parts, so that nothing has to be carried over.

    Parameters
    ----------
    own, target : RoleFrames
        Of both skeletons.

    Returns
    -------
    bool
        Joints down to the hips have no bones: files keep the way of the body there.

    Examples
    --------
    >>> from motionloom.edit.retarget.frames import fit_role_frames
    >>> frames = fit_role_frames([walk])
    >>> _is_same_body(frames, frames)
    True
    """
    a, b = own.skeleton, target.skeleton
    if own.joints != target.joints or not a.has_topology_of(b):
        return False
    below = sorted(set(range(a.n_joints)) - set(a.chain(own.joints["hips"])))
    return bool(np.allclose(a.offsets[below], b.offsets[below], atol=SAME_BONE, rtol=0))


def _unchanged(
    source: PosedMotion,
    contacts: FootContacts,
    supports: placing.Supports,
    hinges: dict[str, Hinge],
) -> Retargeted:
    """The motion itself, above a ground at height 0."""
    down = np.array([0.0, -contacts.ground, 0.0])
    posed = move_body(source, np.broadcast_to(down, (source.n_frames, 3)))
    return Retargeted(posed, replace(contacts, ground=0.0), supports, source, contacts, hinges)


@one_thread()
def retarget_clips(clips: Sequence[Motion], target: RoleFrames) -> tuple[Retargeted, ...]:
    """Carry clips of one skeleton over to another body.

    Parameters
    ----------
    clips : sequence of Motion
        Clips of one skeleton, whose anatomical frames are read off all of them together.
    target : RoleFrames
        Of the skeleton that they go to; see `fit_role_frames`.

    Returns
    -------
    tuple of Retargeted
        In the order of the clips.

    Raises
    ------
    InvalidInputError
        As of `fit_role_frames` and `retarget_motion`.

    Examples
    --------
    >>> from motionloom.edit.reroot import scaled
    >>> from motionloom.edit.retarget.frames import fit_role_frames
    >>> made = retarget_clips([walk], fit_role_frames([scaled(walk, 0.8)]))
    >>> hips = walk.skeleton.index("Hips")
    >>> ratio = made[0].posed.positions[:, hips, 1].mean() / posed.positions[:, hips, 1].mean()
    >>> round(float(ratio), 1)
    0.8
    """
    posed = [pose_motion(clip) for clip in clips]
    own = fit_role_frames(posed)
    return tuple(retarget_motion(clip, own, target) for clip in posed)


def group_by_skeleton(clips: Sequence[Motion]) -> list[list[int]]:
    """Which clips share a skeleton.

    Parameters
    ----------
    clips : sequence of Motion
        Clips of any skeletons; bones that differ by less than a millimetre are the same.

    Returns
    -------
    list of list of int
        Indices of clips, group by group, in order.

    Examples
    --------
    >>> from motionloom.edit.reroot import scaled
    >>> group_by_skeleton([walk, scaled(walk, 0.8), walk[:10]])
    [[0, 2], [1]]
    """
    groups: list[list[int]] = []
    for i, clip in enumerate(clips):
        same = (g for g in groups if clip.skeleton.matches(clips[g[0]].skeleton, 1e-3))
        found = next(same, [])
        found.append(i)
        groups += [found] if found == [i] else []
    return groups


def _check_kinds(own: Roles, target: Roles) -> None:
    if (own.kind == "quadruped") != (target.kind == "quadruped"):
        raise InvalidInputError(
            f"motion of a {own.kind} cannot be carried over to a {target.kind}: only people to"
            " people, and animals on four legs to their like; a table of roles can say which kind"
            " a skeleton is"
        )


def _notes(own: RoleFrames, target: RoleFrames) -> tuple[str, ...]:
    missing, left = (
        [role for role in a.roles.joints if role in a.joints and role not in b.joints]
        for a, b in ((target, own), (own, target))
    )
    return (
        *(f"of the source, {text}" for text in own.guessed),
        *(f"of the target, {text}" for text in target.guessed),
        *_listed("the source has no {}, so that of the target keeps its neutral pose", missing),
        *_listed("the target has no {}, so what it does in the source is left out", left),
    )


def _listed(sentence: str, roles: Sequence[str]) -> tuple[str, ...]:
    words = ", ".join(role.replace("_", " ") for role in roles)
    return (sentence.format(words),) if roles else ()


def _carry_rotations(source: PosedMotion, own: RoleFrames, target: RoleFrames) -> PosedMotion:
    """Give a skeleton the poses of a motion of another.

    Parameters
    ----------
    source : PosedMotion
        The motion, T frames.
    own : RoleFrames
        Of the source's skeleton.
    target : RoleFrames
        Of the skeleton that gets the poses.

    Returns
    -------
    PosedMotion
        Of the target's skeleton, with its hips at the origin. Joints that play no part in the
        source keep the rotation relative to their parent that they have in the neutral pose.
    """
    world = {
        joint: rot.multiply(turned, rot.conjugate(target.frames[part]))
        for part, joint in target.joints.items()
        if (turned := _part_rotation(part, source, own, target)) is not None
    }
    skeleton = target.skeleton
    hips = target.joints["hips"]
    above = set(skeleton.chain(hips)[:-1])
    local = np.empty((source.n_frames, skeleton.n_joints, 4))
    turns: list[Array] = []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        carrier = turns[parent] if parent >= 0 else rot.identity(source.n_frames)
        if joint in world:
            local[:, joint] = rot.multiply(rot.conjugate(carrier), world[joint])
        else:
            local[:, joint] = rot.identity() if joint in above else target.rest[joint]
        turns.append(rot.multiply(carrier, local[:, joint]))
    translated = (0,) if hips == 0 else (0, hips)
    places = np.broadcast_to(skeleton.offsets[list(translated)], (len(local), len(translated), 3))
    motion = Motion(skeleton, local, places, source.motion.frame_time, translated=translated)
    return PosedMotion(replace(motion, name=source.motion.name), target.roles)


def _part_rotation(
    part: str, source: PosedMotion, own: RoleFrames, target: RoleFrames
) -> Array | None:
    """How a body part of the target shall be turned in the world.

    Parameters
    ----------
    part : str
        One of the target's parts.
    source : PosedMotion
        The motion.
    own, target : RoleFrames
        Of both skeletons.

    Returns
    -------
    array of shape (T, 4), or None
        None where the source has nothing like it.
    """
    if part in target.along:
        return _along(part.rpartition("_")[0], target.along[part], source, own)
    return own.world(part, source.rotations) if part in own.joints else None


def _along(chain: str, share: float, source: PosedMotion, own: RoleFrames) -> Array | None:
    """Rotation of the source's spine or neck at a share of the way up."""
    low, high = CHAINS[chain]
    if low not in own.joints or high not in own.joints:
        return None
    inner = [part for part in own.along if part.startswith(f"{chain}_")]
    places = [0.0, *(own.along[part] for part in inner), 1.0]
    at = float(np.interp(share, places, np.arange(len(places))))
    k = min(int(at), len(inner))
    below, above = (own.world(p, source.rotations) for p in [low, *inner, high][k : k + 2])
    return rot.slerp(below, above, np.full(source.n_frames, at - k))
