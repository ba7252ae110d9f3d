"""What a robot should do: a captured motion's body parts, steps and contacts in a robot's world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts, contact_runs
from motionloom.analysis.soles import point_velocity
from motionloom.edit.retarget.frames import RoleFrames
from motionloom.edit.retarget.place import LOW, SLOW, find_contacts
from motionloom.errors import InvalidInputError
from motionloom.posed_motion import PosedMotion
from motionloom.robots._frames import RobotFrames
from motionloom.robots._parts import SIDES
from motionloom.typing import Array, Bools

#: From the library's axes (left, up, ahead) to those of robots (ahead, left, up).
TO_ROBOT = rot.from_matrix(np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
#: Parts whose axes are followed.
LIMBS = tuple(f"{side}_{part}" for side in SIDES for part in ("hip", "knee", "shoulder", "elbow"))
PARTS = ("hips", "chest", *LIMBS)
#: Besides feet these bear on the ground.
PADS = tuple(f"{side}_{part}" for side in SIDES for part in ("knee", "hand"))


def _to_robot(vectors: Array) -> Array:
    """Vectors (..., 3) of the library in a robot's world: left, up, ahead to ahead, left, up."""
    return np.asarray(vectors)[..., [2, 0, 1]]


def from_robot(vectors: Array) -> Array:
    """Vectors (..., 3) of a robot's world in the library's."""
    return np.asarray(vectors)[..., [1, 2, 0]]


@dataclass(frozen=True, eq=False)
class Source:
    """A captured motion as a robot sees it: its axes, its size.

    Parameters
    ----------
    fps : float
        Frames per second.
    parts : mapping of str to array of shape (T, 4)
        World turn of left, up and ahead of every part that both have.
    middle : array of shape (T, 3), metres
        Between the hips.
    ankles : mapping of str to array of shape (T, 3), metres
        By side; its height is that above where the ankle rests.
    feet : mapping of str to array of shape (T, 4)
        World turn of left, up and ahead of the feet, by side.
    heels, toes : mapping of str to bool array of shape (T,)
        Whether they bear on the ground, by side.
    pads : mapping of str to bool array of shape (T,)
        The same for knees and hands, by role.
    scale : float
        Length of the robot's leg in that of the captured person.
    """

    fps: float
    parts: Mapping[str, Array]
    middle: Array
    ankles: Mapping[str, Array]
    feet: Mapping[str, Array]
    heels: Mapping[str, Bools]
    toes: Mapping[str, Bools]
    pads: Mapping[str, Bools]
    scale: float

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.middle)

    def down(self, side: str) -> Bools:
        """Whether any part of a foot bears on the ground, shape (T,)."""
        return np.asarray(self.heels[side] | self.toes[side])


def make_source(posed: PosedMotion, frames: RoleFrames, robot: RobotFrames) -> Source:
    """See a motion as a robot does.

    Parameters
    ----------
    posed : PosedMotion
        A person's motion over level ground.
    frames : RoleFrames
        Of the person.
    robot : RobotFrames
        Of the robot.

    Returns
    -------
    Source

    Raises
    ------
    InvalidInputError
        When the motion is no person's.
    """
    missing = [part for part in ("hips", "left_hip", "right_hip") if part not in frames.joints]
    if posed.roles.kind != "human" or missing:
        raise InvalidInputError(
            "a robot follows a person with hips and two legs; name the joints in a roles table"
        )
    contacts = find_contacts(posed, frames.seen.soles)
    scale = robot.leg / frames.leg
    sized = _to_robot(posed.positions - [0.0, contacts.ground, 0.0]) * scale
    hips = [frames.roles.joints[f"{side}_hip"] for side in SIDES]
    roles = {side: f"{side}_foot" for side in SIDES}
    rests = {side: [0.0, 0.0, scale * frames.seen.ankles[role]] for side, role in roles.items()}
    parts = [part for part in PARTS if part in frames.joints and part in robot.links]
    feet = {side: frames.world(role, posed.rotations) for side, role in roles.items()}
    return Source(
        posed.fps,
        parts={part: rot.multiply(TO_ROBOT, _turned(part, posed, frames)) for part in parts},
        middle=sized[:, hips].mean(axis=1),
        ankles={s: sized[:, frames.roles.joints[role]] - rests[s] for s, role in roles.items()},
        feet={side: rot.multiply(TO_ROBOT, turns) for side, turns in feet.items()},
        heels={side: _down(contacts, side, "heel") for side in SIDES},
        toes={side: _down(contacts, side, "toe") for side in SIDES},
        pads=_pads(posed, frames, contacts.ground),
        scale=scale,
    )


def _turned(part: str, posed: PosedMotion, frames: RoleFrames) -> Array:
    """World turn of a part (T, 4): the trunk from its neutral pose, limbs by their hinges."""
    if part not in frames.seen.limbs:
        return frames.world(part, posed.rotations)
    return rot.multiply(posed.rotations[:, frames.joints[part]], frames.seen.limbs[part])


def _down(contacts: FootContacts, side: str, part: str) -> Bools:
    """One end of a sole; a foot of one point stands on all of it."""
    foot = f"{side}_foot"
    own = [i for i in contacts.soles.of(foot) if contacts.soles.points[i].part == part]
    return contacts.down[:, own[0]] if own else contacts.foot(foot)


def _pads(posed: PosedMotion, frames: RoleFrames, ground: float) -> dict[str, Bools]:
    """When knees and hands bear on the ground: low and slow, as for skeletons."""
    found = {}
    for role in PADS:
        joint = frames.roles.joint(role)
        if joint is None:
            continue
        places = posed.positions[:, joint]
        height = (places[:, 1] - ground) / frames.leg
        speed = np.linalg.norm(point_velocity(places, posed.fps), axis=-1) / frames.leg
        enters, stays = ((height < LOW[i]) & (speed < SLOW[i]) for i in range(2))
        found[role] = contact_runs(stays, enters, posed.fps)
    return found
