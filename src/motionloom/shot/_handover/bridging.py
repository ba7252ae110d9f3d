"""A gap between two pieces of motion filled: as bodies go over such gaps, on footsteps.

In-betweening says how the body poses itself. The hips go evenly from the one speed to the other,
and the feet where `footsteps` has them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.curves import hermite
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.footlock import find_legs
from motionloom.edit.hip_height import sink_to_reach
from motionloom.edit.plant import plant_feet
from motionloom.edit.root import move_body
from motionloom.motion import GroundTransform, Motion, concatenate
from motionloom.posed_motion import PosedMotion
from motionloom.shot._handover.footsteps import UP, FootShape, FootState, Gap, plan_footsteps
from motionloom.synthesis.bridges import Bridged
from motionloom.typing import Array, Bools

if TYPE_CHECKING:
    from motionloom.shot.stage import State

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
    away = np.abs(points[..., 1] - contacts.ground - rest).max(axis=1)
    moving = np.linalg.norm(np.gradient(points, axis=0), axis=-1).max(axis=1)
    all_down = contacts.down[:, own].all(axis=1)
    return away + moving + ~all_down


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


#: Speeds at the ends of a gap are taken over so many frames.
SPEED_FRAMES = 3
#: Share of its length that a leg may take.
EXTENSION = 0.998
#: The hips sink no faster than this, leg lengths per second.
SINK_SPEED = 0.6
#: So far sinking, leg lengths, and time off the usual, a share, are as much as a strain of 1.
SINK, OFF = 0.06, 0.4
#: A point of a standing foot bears up to this height above where it rests, leg lengths.
BEARS = 0.025


@dataclass(frozen=True, eq=False)
class Side:
    """What is known on one side of a gap.

    Parameters
    ----------
    posed : PosedMotion
        At least `SPEED_FRAMES` frames and one.
    contacts : FootContacts
        When its feet bear.
    """

    posed: PosedMotion
    contacts: FootContacts

    @classmethod
    def of_state(cls, state: State) -> Side:
        """Of what a span leaves behind; its feet bear as they do in the end."""
        down = np.repeat(state.down[None], state.tail.n_frames, axis=0)
        return cls(state.tail, FootContacts(state.soles, down, 0.0))

    @property
    def motion(self) -> Motion:
        """The motion."""
        return self.posed.motion

    @property
    def down(self) -> Bools:
        """Which points of the soles bear when."""
        return self.contacts.down

    def cut(self, start: int, stop: int) -> Side:
        """Frames ``start <= i < stop``."""
        down = self.down[start:stop]
        return Side(self.posed.cut(start, stop), replace(self.contacts, down=down))

    def velocity(self, frame: int) -> Array:
        """How fast the hips go over the ground at its first or last frame, shape (3,), m/s."""
        n = self.posed.n_frames
        reach = min(SPEED_FRAMES, n - 1)
        a, b = (0, reach) if frame == 0 else (n - 1 - reach, n - 1)
        if reach == 0:
            return np.zeros(3)
        moved: Array = (self.posed.hips[b] - self.posed.hips[a]) / reach * self.posed.fps
        return moved * [1.0, 0.0, 1.0]


@dataclass(frozen=True, eq=False)
class Filled:
    """A gap filled.

    Parameters
    ----------
    motion : Motion
        The missing frames.
    down : bool array of shape (T, P)
        Which points of the soles bear in them.
    strain : float
        How hard its steps are: 0 for such as are usual, 1 where hips sink by `SINK` or time is off
        by `OFF`, infinite where feet are as in-betweening has them.
    """

    motion: Motion
    down: Bools
    strain: float


def end_to_end(*parts: Side | Filled) -> tuple[Motion, Bools]:
    """One after the other: the motion, and which points of the soles bear."""
    motion = concatenate([one.motion for one in parts])
    return motion, np.concatenate([one.down for one in parts])


def carried(before: Side, behind: Side, seconds: float) -> Array:
    """Way of hips whose speed changes evenly over a gap, x and z, metres."""
    return 0.5 * seconds * (before.velocity(-1) + behind.velocity(0))[[0, 2]]


def fill_bridged(
    clips: AnalysedClips,
    feet: Feet | None,
    made: Bridged,
    sides: tuple[Side, Side],
    missing: int,
    most: float = np.inf,
) -> Filled:
    """Fill a gap, of which it is known how bodies go over it.

    Parameters
    ----------
    clips : AnalysedClips
        For soles and knees.
    feet : Feet or None
        Those of the body; None where it has not the two of a person.
    made : Bridged
        What the bridge says.
    sides : tuple of Side
        What is known before and behind it.
    missing : int
        Frames of the gap.
    most : float
        Footsteps that are harder are left to in-betweening; see `Filled.strain`.

    Returns
    -------
    Filled
    """
    before, behind = sides
    n = before.posed.n_frames
    posed = PosedMotion(made.motion, clips.roles).cut(n - 1, n + missing + 1)
    if feet is not None and most > 0:
        stepped = _on_footsteps(clips, feet, _evenly(posed, before, behind), sides)
        if stepped is not None and stepped.strain <= most:
            return stepped
    down = detect_contacts(posed, soles=clips.soles).down
    return Filled(posed.motion[1:-1], down[1:-1], np.inf)


def _evenly(posed: PosedMotion, before: Side, behind: Side) -> PosedMotion:
    """A gap whose hips go from the one speed to the other over the ground."""
    seconds = (posed.n_frames - 1) / posed.fps
    u = np.linspace(0.0, 1.0, posed.n_frames)
    v0, v1 = before.velocity(-1) * seconds, behind.velocity(0) * seconds
    way = hermite(posed.hips[[0, -1]], [v0, v1], u)
    return move_body(posed, (way - posed.hips) * [1.0, 0.0, 1.0])


def _on_footsteps(
    clips: AnalysedClips, feet: Feet, posed: PosedMotion, sides: tuple[Side, Side]
) -> Filled | None:
    """A gap whose feet follow footsteps; None without a plan."""
    before, behind = sides
    last = before.posed.n_frames - 1
    facing = GroundTransform(float(posed.body[-1, 2]))
    gap = Gap(
        start=feet.states(before.posed, before.contacts, last, max(last - 1, 0)),
        stop=feet.states(behind.posed, behind.contacts, 0, min(1, behind.posed.n_frames - 1)),
        shapes=feet.shapes,
        hips=posed.hips,
        fps=posed.fps,
        aside={foot: facing.apply(aside) for foot, aside in feet.aside.items()},
    )
    plan = plan_footsteps(gap)
    if plan is None:
        return None
    ways, off = plan
    legs = {foot: leg for foot, leg in find_legs(posed.roles).items() if foot in ways}
    ends = np.array([0, posed.n_frames - 1])
    most = SINK_SPEED * clips.soles.leg / posed.fps
    targets = {foot: way.places for foot, way in ways.items()}
    sink = sink_to_reach(posed, legs, targets, EXTENSION, clips.hinges, ends, most)
    lower = move_body(posed, -sink[:, None] * UP)
    stand = {foot: FootTrack(way.places, way.turns) for foot, way in ways.items()}
    planted = plant_feet(lower, stand, counter_move=False)
    down = np.zeros((posed.n_frames, len(clips.soles.points)), np.bool_)
    heights = clips.soles.positions(planted)[..., 1]
    for foot, way in ways.items():
        for i in clips.soles.of(foot):
            rest = clips.soles.points[i].rest + BEARS * clips.soles.leg
            down[:, i] = way.down & (heights[:, i] < rest)
    strain = float(sink.max()) / (SINK * clips.soles.leg) + off / OFF
    return Filled(planted.motion[1:-1], down[1:-1], strain)


def moved_to(side: Side, place: Array) -> Side:
    """A side whose hips, in its first frame, are at x and z of `place`, metres."""
    away = place - side.posed.hips[0, [0, 2]]
    moved = side.posed.transformed(GroundTransform(0.0, float(away[0]), float(away[1])))
    return replace(side, posed=moved)
