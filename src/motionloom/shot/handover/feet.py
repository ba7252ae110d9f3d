"""Feet of a character: what they are like when they rest, and their state in a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.shot.handover.footsteps import FootShape, FootState
from motionloom.typing import Array

#: Feet of people.
FEET = ("left_foot", "right_foot")


@dataclass(frozen=True, eq=False)
class Feet:
    """Both feet of a character.

    Parameters
    ----------
    shapes : dict of str to FootShape
        By role.
    aside : dict of str to array of shape (3,), metres
        By role: from the hips to the ankle while the foot rests, facing +Z; only across counts.
    """

    shapes: dict[str, FootShape]
    aside: dict[str, Array]

    def states(
        self, posed: PosedMotion, contacts: FootContacts, frame: int, other: int
    ) -> dict[str, FootState]:
        """Feet in a frame, with the speed at which they come from or go to another.

        Parameters
        ----------
        posed : PosedMotion
            A motion.
        contacts : FootContacts
            When its feet bear.
        frame, other : int
            Frames of it.

        Returns
        -------
        dict of str to FootState
            By role.
        """
        states = {}
        lag = (frame - other) / posed.fps
        for foot in self.shapes:
            joint = posed.roles.joints[foot]
            places = posed.positions[:, joint]
            velocity = (places[frame] - places[other]) / lag if lag else np.zeros(3)
            down = bool(contacts.down[frame, list(contacts.soles.of(foot))].any())
            states[foot] = FootState(places[frame], posed.rotations[frame, joint], velocity, down)
        return states


def feet_of_clips(clips: AnalysedClips) -> Feet | None:
    """Feet of the body of some clips; None where it has not the two feet of a person.

    Parameters
    ----------
    clips : AnalysedClips
        Their contacts say when a foot rests.
    """
    roles = clips.roles
    if roles.kind != "human" or not set(FEET) <= roles.joints.keys() & set(clips.soles.feet):
        return None
    shapes = {}
    aside = {}
    posed = [PosedMotion(motion, roles) for motion in clips.clip_set.motions]
    for foot in FEET:
        own = list(clips.soles.of(foot))
        rest = np.array([clips.soles.points[i].rest for i in own])
        off = [
            _off_rest(one, contacts, own, rest)
            for one, contacts in zip(posed, clips.contacts, strict=True)
        ]
        best = int(np.argmin([one.min() for one in off]))
        frame = int(np.argmin(off[best]))
        shapes[foot] = _shape(posed[best], clips, foot, frame)
        body = GroundTransform.of_body(posed[best].body[frame])
        across = body.seen(posed[best].positions[frame, roles.joints[foot]])[0]
        aside[foot] = np.array([across, 0.0, 0.0])
    return Feet(shapes, aside)


def _off_rest(posed: PosedMotion, contacts: FootContacts, own: list[int], rest: Array) -> Array:
    """How far a foot is from resting flat, by frame; infinite where a point of it is up."""
    points = contacts.soles.positions(posed)[:, own]
    away: Array = np.abs(points[..., 1] - contacts.ground - rest).max(axis=1)
    moving = np.linalg.norm(np.gradient(points, axis=0), axis=-1).max(axis=1)
    all_down = contacts.down[:, own].all(axis=1)
    off: Array = np.where(all_down, away + moving, away + moving + 1.0)
    return off


def _shape(posed: PosedMotion, clips: AnalysedClips, foot: str, frame: int) -> FootShape:
    joint = posed.roles.joints[foot]
    own = list(clips.soles.of(foot))
    ankle = posed.positions[frame, joint]
    turn = posed.rotations[frame, joint]
    points = clips.soles.positions(posed.cut(frame, frame + 1))[0, own] - ankle
    # The point that is farthest from the ankle on the ground is the ball.
    ball = points[np.argmax(np.linalg.norm(points[:, [0, 2]], axis=1))]
    heading = float(np.arctan2(ball[0], ball[2]))
    return FootShape(
        turn=rot.multiply(rot.yaw(-heading), turn),
        height=float(-ball[1] + clips.soles.points[own[-1]].rest),
        ball=rot.rotate(rot.conjugate(turn), ball),
        leg=clips.soles.leg,
    )
