"""Waiting that goes on from any state of a body: where another motion ends."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.plant import Footing, is_seated, plant_feet
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.idle.bodies.carrying import Carrier, arm_shares, joints_in_common
from motionloom.idle.model import IdleModel
from motionloom.idle.streams.stream import IdleStream, IdleStreamOptions, begin_idle
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion
from motionloom.synthesis.streaming import ContinuedStream, StreamState

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
        standing = tuple(shift for shift in self.model.shifts if not shift.steps)
        model = replace(self.model, shifts=standing)
        waits = IdleStream(model, fps, begin_idle(model, seed), self.options)
        carrier = make_carrier(self.model, state)

        def shown(count: int) -> Motion:
            made = posed.with_motion(carrier.show(waits.frames(count)))
            return _balanced(_planted(made, posed), posed, carrier.rest).motion

        def settle(motion: Motion) -> Motion:
            return _planted(posed.with_motion(motion), posed).motion

        return ContinuedStream(state, shown, fps, settle)


def _planted(made: PosedMotion, state: PosedMotion) -> PosedMotion:
    """On the feet of the state; who sits keeps the pelvis where it is borne."""
    feet = {foot: Footing.of_frame(state, foot, made.n_frames) for foot in FEET}
    return plant_feet(made, feet, counter_move=not is_seated(state))


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
    feet = {foot: Footing.of_frame(state, foot, made.n_frames) for foot in FEET}
    return plant_feet(move_body(made, shift), feet, counter_move=False)


def make_carrier(model: IdleModel, state: StreamState) -> Carrier:
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
    joints = joints_in_common(posed.skeleton, posed.roles, skeleton, space.roles)
    neutral = _neutral(model)
    rest = state.rest
    if rest is None:
        rest = _own_posture(posed, joints, neutral)
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


def _neutral(model: IdleModel) -> Motion:
    """The person's mean posture, one frame, seen from the stance."""
    space = model.space
    zero = np.zeros((1, space.n_components))
    return space.to_motion(zero, 1.0 / model.fps)


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
