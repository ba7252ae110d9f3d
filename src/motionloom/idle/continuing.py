"""Waiting that goes on from any state of a body: where another motion ends.

Waiting on the body of somebody else, who was never recorded waiting.

How one body shows the motion of another: by how far its joints turn from where they usually are.

Joints go together by name where both bodies have the same, else by their roles. What is carried
over are changes of world rotations, so that neither bind poses nor bones need to be alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.plant import is_seated, plant_feet
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.idle.model import IdleModel
from motionloom.idle.streams.stream import IdleStream, IdleStreamOptions, begin_idle
from motionloom.kinematics import forward_kinematics
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.synthesis.streaming import ContinuedStream, StreamState, state_before
from motionloom.threads import one_thread
from motionloom.two_bones import unit
from motionloom.typing import Array

#: Arms that point as far away from another's as this do all that those do, and from this on no more
#: than so much of it, radians.
ALIKE, FOREIGN, LEAST = 0.5, 1.2, 0.25
#: Without these nobody stands like somebody else.
NEEDED = frozenset(
    {"hips", *(f"{side}_{part}" for side in ("left", "right") for part in ("hip", "knee", "foot"))}
)

FEET = ("left_foot", "right_foot")
#: How far hips shift to a side: this share of the way to the foot and so much, metres; and how far
#: ahead and back, metres. Near to that they slow down.
BORNE, ASIDE, AHEAD = 0.8, 0.02, 0.06


@dataclass(frozen=True, eq=False)
class WaitingIdle:
    """A person's way of waiting, for any body that stands; a `Streaming`.

    Parameters
    ----------
    model : IdleModel
        How they wait.
    options : IdleStreamOptions
        How lively.
    """

    model: IdleModel
    options: IdleStreamOptions = field(default_factory=IdleStreamOptions)

    def stream(self, state: StreamState, fps: float, seed: int = 0) -> ContinuedStream:
        """Wait from a state on, on feet that stay where they are; see `Streaming.stream`.

        Parameters
        ----------
        state : StreamState
            Where the body has a posture to rest in, the person's changes of posture are carried
            over to that; else it takes on the person's own, if its joints are the same.
        fps : float
            Frames per second.
        seed : int
            The same seed gives the same frames.

        Returns
        -------
        ContinuedStream

        Raises
        ------
        InvalidInputError
            When the body has no two legs, or does not stand on both.
        """
        posed = state.posed
        if not set(FEET) <= posed.roles.joints.keys() or posed.roles.kind != "human":
            raise InvalidInputError(
                "this body has no left and right leg that could be recognised; who waits stands on"
                " two legs"
            )
        model = self.model.standing()
        waits = IdleStream(model, fps, begin_idle(model, seed), self.options)
        carrier = _make_carrier(self.model, state)

        def shown(count: int) -> Motion:
            made = posed.with_motion(carrier.show(waits.frames(count)))
            return _balanced(_planted(made, posed), posed, carrier.rest).motion

        def settle(motion: Motion) -> Motion:
            return _planted(posed.with_motion(motion), posed).motion

        return ContinuedStream(state, shown, fps, settle)


def _planted(made: PosedMotion, state: PosedMotion, hips_stay: bool = False) -> PosedMotion:
    """On the feet of the state; who sits keeps the pelvis where it is borne."""
    feet = {foot: FootTrack.at_rest(state, foot, made.n_frames) for foot in FEET}
    return plant_feet(made, feet, counter_move=not (hips_stay or is_seated(state)))


def _balanced(made: PosedMotion, state: PosedMotion, rest: PosedMotion) -> PosedMotion:
    """Hips that shift no farther than these feet bear, however wide the person stood."""
    if is_seated(state):
        return made
    joints = state.roles.joints
    ankles = state.positions[0, [joints[foot] for foot in FEET]][:, ::2]
    across = ankles[0] - ankles[1]
    wide = float(np.linalg.norm(across))
    along = across / max(wide, 1e-9)
    axes = np.array([along, [-along[1], along[0]]])
    most = np.array([BORNE * 0.5 * wide + ASIDE, AHEAD])
    away = (made.hips - rest.hips)[:, ::2] @ axes.T
    kept = most * np.tanh(away / most)
    shift = np.zeros((made.n_frames, 3))
    shift[:, ::2] = (kept - away) @ axes
    return _planted(move_body(made, shift), state, hips_stay=True)


def _make_carrier(model: IdleModel, state: StreamState) -> Carrier:
    """What shows a person's way of waiting on the body of a state.

    Parameters
    ----------
    model : IdleModel
        How the person waits.
    state : StreamState
        Of the body; its rest is what it departs from.

    Returns
    -------
    Carrier

    Raises
    ------
    InvalidInputError
        When too few joints are known of both bodies.
    """
    space = model.space
    skeleton = space.coordinates.skeleton
    posed = state.posed
    joints = _joints_in_common(posed.skeleton, posed.roles, skeleton, space.roles)
    # The person's mean posture, seen from the stance.
    neutral = space.to_motion(np.zeros((1, space.n_components)), 1.0 / model.fps)
    rest = _own_posture(posed, joints, neutral) if state.rest is None else state.rest
    rested = _planted(posed.with_motion(rest), posed)
    facing = float(rested.facing[0])
    stood = PosedMotion(neutral, space.roles)
    return Carrier(
        joints=joints,
        reference=stood.rotations[0],
        rest=rested,
        facing=facing,
        shares=arm_shares(rested, facing, stood, joints),
    )


def _own_posture(posed: PosedMotion, joints: dict[int, int], neutral: Motion) -> Motion:
    """The person's mean posture on a body of the same joints, facing as it does; else its own."""
    motion = posed.motion
    if len(joints) < neutral.skeleton.n_joints:
        return motion
    rotations = motion.rotations.copy()
    for own, other in joints.items():
        rotations[:, own] = neutral.rotations[:, other]
    root = next(own for own, other in joints.items() if other == 0)
    parent = int(motion.skeleton.parents[root])
    above = posed.rotations[0, parent] if parent >= 0 else rot.identity()
    ahead = GroundTransform(float(posed.facing[0])).quaternion
    turned = rot.multiply(ahead, neutral.rotations[0, 0])
    rotations[0, root] = rot.multiply(rot.conjugate(above), turned)
    return replace(motion, rotations=rotations)


@dataclass(frozen=True, eq=False)
class Carrier:
    """Shows motion of one body on another.

    Parameters
    ----------
    joints : mapping of int to int
        Joint of the body that shows it, to the one that it is taken from.
    reference : array of shape (J, 4)
        World rotations of the other body in the posture that counts as none, seen from its stance.
    rest : PosedMotion
        One frame: how the showing body stands then.
    facing : float, radians
        Where it faces.
    shares : mapping of int to float
        Joints of the showing body that turn by less than the other's, by this share of it.
    """

    joints: Mapping[int, int]
    reference: Array
    rest: PosedMotion
    facing: float
    shares: Mapping[int, float] = field(default_factory=dict)

    def show(self, motion: Motion) -> Motion:
        """The motion on this body, its root where it rests.

        Parameters
        ----------
        motion : Motion
            Of the other body, seen from its stance.

        Returns
        -------
        Motion
            Feet have still to be planted.
        """
        away = rot.multiply(forward_kinematics(motion).rotations, rot.conjugate(self.reference))
        ahead = GroundTransform(self.facing).quaternion
        away = rot.multiply(rot.multiply(ahead, away), rot.conjugate(ahead))
        own = self.rest.motion
        n = motion.n_frames
        local = np.repeat(own.rotations, n, axis=0)
        world = np.repeat(self.rest.rotations, n, axis=0)
        for joint, parent in enumerate(own.skeleton.parents.tolist()):
            above = world[:, parent] if parent >= 0 else rot.identity(n)
            if joint in self.joints:
                change = away[:, self.joints[joint]]
                if joint in self.shares:
                    change = rot.from_rotvec(self.shares[joint] * rot.to_rotvec(change))
                turned = rot.multiply(change, self.rest.rotations[0, joint])
                local[:, joint] = rot.multiply(rot.conjugate(above), turned)
            world[:, joint] = rot.multiply(above, local[:, joint])
        places = np.repeat(own.translations, n, axis=0)
        return replace(
            own, rotations=local, translations=places, frame_time=motion.frame_time, name=""
        )


def arm_shares(
    rest: PosedMotion, facing: float, neutral: PosedMotion, joints: Mapping[int, int]
) -> dict[int, float]:
    """How much of what another's arms do suits arms that are held otherwise.

    What hanging arms do makes raised ones run into each other.

    Parameters
    ----------
    rest : PosedMotion
        How the showing body stands, one frame.
    facing : float, radians
        Where it faces.
    neutral : PosedMotion
        The other, facing along +Z, one frame.
    joints : mapping of int to int
        Of the showing body, to those of the other.

    Returns
    -------
    dict of int to float
        For the joints of arms that are held otherwise: `LEAST` where a bone points more than
        `FOREIGN` away from where the other's does, more the nearer it is.
    """
    ahead = GroundTransform(facing).quaternion
    shares: dict[int, float] = {}
    for side in ("left", "right"):
        share = 1.0
        for part in ("shoulder", "elbow", "hand"):
            own = rest.roles.joint(f"{side}_{part}")
            if own is None or own not in joints:
                continue
            here = _bone(rest, own)
            there = _bone(neutral, joints[own])
            if here is not None and there is not None:
                apart = np.arccos(np.clip(here @ rot.rotate(ahead, there), -1.0, 1.0))
                near = np.clip((FOREIGN - apart) / (FOREIGN - ALIKE), 0.0, 1.0)
                share = min(share, LEAST + (1.0 - LEAST) * float(near))
            if share < 1.0:
                shares[own] = share
    return shares


def _bone(posed: PosedMotion, joint: int) -> Array | None:
    """Where the bone below a joint points, or None at the end of a limb that has no end site."""
    skeleton = posed.skeleton
    below = [posed.positions[0, j] for j in skeleton.children[joint]]
    below += [posed.end_sites[0, e] for e in np.flatnonzero(skeleton.end_parents == joint)]
    ways = [place - posed.positions[0, joint] for place in below]
    longest = max(ways, key=lambda way: float(np.linalg.norm(way)), default=None)
    return None if longest is None or not longest.any() else unit(longest)


def _joints_in_common(
    skeleton: Skeleton, roles: Roles, other: Skeleton, other_roles: Roles
) -> dict[int, int]:
    """Joints of a body, and those of another that play their parts.

    Parameters
    ----------
    skeleton, roles
        Of the body.
    other, other_roles
        Of the other.

    Returns
    -------
    dict of int to int
        By name where the body has all joints of the other, else by role.

    Raises
    ------
    InvalidInputError
        When one of them lacks hips, or a hip, knee or foot.
    """
    if set(other.names) <= set(skeleton.names):
        return {skeleton.index(name): j for j, name in enumerate(other.names)}
    shared = roles.joints.keys() & other_roles.joints.keys()
    missing = sorted(NEEDED - shared)
    if missing:
        raise InvalidInputError(
            f"waiting cannot be carried over from one skeleton to the other: {', '.join(missing)}"
            " is not known of both; name these joints in a roles table"
        )
    return {roles.joints[role]: other_roles.joints[role] for role in sorted(shared)}


#: Somebody stands in a frame where no joint is faster than this, metres per second.
STANDING = 0.5


def find_standing(posed: PosedMotion) -> int:
    """The frame of a motion in which it stands with arms hanging down.

    Parameters
    ----------
    posed : PosedMotion
        Somebody with two legs.

    Returns
    -------
    int

    Raises
    ------
    InvalidInputError
        When nobody stands in it.
    """
    if posed.n_frames == 1:
        return 0
    moved = np.diff(posed.positions, axis=0, prepend=posed.positions[:1])
    moved[0] = moved[1]
    speeds = np.linalg.norm(moved, axis=-1).max(axis=1) * posed.fps
    quiet = np.flatnonzero(speeds < STANDING)
    if not len(quiet):
        raise InvalidInputError(
            f"nobody stands in {posed.motion.name or 'the clip'}; the body is taken from a moment"
            " in which it stands, so give a clip that has one"
        )
    arms = [j for role, j in posed.roles.joints.items() if role.endswith(("elbow", "hand"))]
    if not arms:
        return int(quiet[np.argmin(speeds[quiet])])
    return int(quiet[np.argmin(posed.positions[quiet][:, arms, 1].sum(axis=1))])


@one_thread()
def wait_on_body(
    model: IdleModel,
    body: PosedMotion,
    seconds: float,
    fps: float = 60.0,
    seed: int = 0,
    options: IdleStreamOptions | None = None,
) -> Motion:
    """Idle motion on another body: how the person's joints turn, carried over by name or role.

    Parameters
    ----------
    model : IdleModel
        How somebody waits.
    body : PosedMotion
        Somebody who stands at some moment: posture, feet and bones are those of that moment.
    seconds : float
        How long.
    fps : float
        Frames per second.
    seed : int
        The same seed gives the same motion.
    options : IdleStreamOptions, optional
        How lively.

    Returns
    -------
    Motion

    Raises
    ------
    InvalidInputError
        When nobody stands in the clip, or its joints are not known.
    """
    standing = find_standing(body)
    moment = body.cut(standing, standing + 1)
    state = state_before(moment, 0, FEET, moment.motion)
    stream = WaitingIdle(model, options or IdleStreamOptions()).stream(state, fps, seed)
    return stream.frames(max(1, round(seconds * fps)))
