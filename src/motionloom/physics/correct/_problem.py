"""The problem of a correction: what may move, from where, and what must hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.soles import Soles
from motionloom.kinematics import WorldPose, tree_kinematics
from motionloom.motion import Motion
from motionloom.physics.body import Body
from motionloom.physics.body._limits import BendLimit
from motionloom.physics.correct import _wrongs as wrong
from motionloom.physics.correct._spans import Pins, make_pins
from motionloom.physics.dynamics import BodyState, Smoothing, differentiate, state_of
from motionloom.physics.dynamics._inverse import hanging_on
from motionloom.physics.dynamics.state import local_turns
from motionloom.physics.ground import Balance, GroundContacts, analyse_balance
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools, Ints

#: Poses are smoothed this much before forces are taken from them; the displacement is smooth.
BASE = Smoothing(poses=6.0, balance=0.0)
#: What is wrong within this time of an objection is left as it is, seconds.
NEAR = 0.1
#: Forces are looked at this often, frames per second.
FORCE_RATE = 30.0
#: Roles whose joints may turn, besides the hips and two joints of the spine.
LEGS = ("hip", "knee", "foot", "toe")


@dataclass(frozen=True, eq=False)
class Problem:
    """A motion that is to be corrected.

    Parameters
    ----------
    posed : PosedMotion
        The input.
    body : Body
        Its masses.
    contacts : GroundContacts
        When feet are down.
    ground : float, metres
        Height of the ground.
    active : int array of shape (A,)
        Links that may turn; the first is the one that also moves.
    places, turns : arrays of shape (T, 3) and (T, L, 4)
        The input's poses as links.
    offsets : array of shape (T, L, 3), metres
        The links' joints in their parents' frames in every frame.
    smooth : BodyState
        The same poses, smoothed.
    below : bool array of shape (L, L)
        Whether link j hangs on link i.
    locals_ : array of shape (P, 3), metres
        The soles' points in their links' frames.
    links : int array of shape (P,)
        Their links.
    pins : Pins
        What stands.
    wrongs : Wrongs
        What is wrong with the input.
    frames : int array of shape (N,)
        Frames whose forces are looked at.
    limits : tuple of BendLimit
        Ranges of joints, not narrower than the input's usual ones.
    allowed : array of shape (T,), metres
        How far outside the polygon the zero moment point may be.
    balance : Balance
        Of all of the input, as smooth as `smooth`.
    """

    posed: PosedMotion
    body: Body
    contacts: GroundContacts
    ground: float
    active: Ints
    places: Array
    turns: Array
    offsets: Array
    smooth: BodyState
    below: Bools
    locals_: Array
    links: Ints
    pins: Pins
    wrongs: wrong.Wrongs
    frames: NDArray[np.intp]
    limits: tuple[BendLimit, ...]
    allowed: Array
    balance: Balance

    @property
    def soles(self) -> Soles:
        """Points of the feet."""
        return self.contacts.soles

    @property
    def n_frames(self) -> int:
        """Number of frames T."""
        return len(self.places)

    @property
    def n_curves(self) -> int:
        """Number of displacement curves D: three moves and three turns of every active link."""
        return 3 + 3 * len(self.active)

    def cut(self, start: int, stop: int) -> Problem:
        """The same problem in frames ``start <= i < stop``."""
        kept = slice(start, stop)
        inside = self.frames[(self.frames >= start) & (self.frames < stop)] - start
        arrays = ("places", "turns", "offsets", "allowed")
        return replace(
            self,
            posed=self.posed.cut(start, stop),
            contacts=self.contacts.at(kept),
            smooth=self.smooth.at(kept),
            pins=self.pins.cut(start, stop),
            wrongs=self.wrongs.cut(start, stop),
            frames=inside,
            **{name: getattr(self, name)[kept] for name in arrays},
        )

    def _near(self, frames: Bools, span: tuple[int, int]) -> Bools:
        """Frames about some of a span; all of the span where nothing is wrong near these."""
        steps = max(1, round(NEAR * self.posed.fps))
        near = np.asarray(scipy.ndimage.binary_dilation(frames, iterations=steps), bool)
        if not (near & self.wrongs.any).any():
            near = np.zeros_like(frames)
            near[slice(*span)] = True
        return near

    def narrowed(self, frames: Bools, span: tuple[int, int]) -> Problem | None:
        """The same problem, with stances near some frames (T,) held in their core only.

        None where they are so already.
        """
        pins = self.pins.narrowed(self._near(frames, span), self.soles)
        if (pins.held == self.pins.held).all():
            return None
        return replace(self, pins=pins, wrongs=replace(self.wrongs, feet=pins.wrong))

    def without(self, frames: Bools, span: tuple[int, int]) -> Problem:
        """The same problem, with what is wrong near some frames (T,) of a span left as it is.

        Where nothing is wrong near them all of the span is left.
        """
        near = self._near(frames, span)
        pins = self.pins.without(near, self.soles.positions(self.posed), self.soles)
        wrongs = replace(self.wrongs.without(near), feet=pins.wrong)
        allowed = wrong.allowed_outside(self.balance, wrongs)
        return replace(self, pins=pins, wrongs=wrongs, allowed=allowed)

    def poses(self, curves: Array) -> tuple[Array, Array]:
        """Places (T, 3) and turns (T, L, 4) displaced by curves (T, D)."""
        return self.places + curves[:, :3], self._turned(self.turns, curves)

    def state(self, curves: Array) -> BodyState:
        """The smoothed state displaced by curves (T, D)."""
        turns = self._turned(self.smooth.turns, curves)
        return differentiate(self.smooth.places + curves[:, :3], turns, self.posed.fps)

    def _turned(self, turns: Array, curves: Array) -> Array:
        moved = turns.copy()
        vectors = curves[:, 3:].reshape(len(curves), -1, 3)
        moved[:, self.active] = rot.multiply(turns[:, self.active], rot.from_rotvec(vectors))
        return moved

    def world(self, places: Array, turns: Array) -> WorldPose:
        """World poses of the links."""
        return tree_kinematics(self.body.parents, self.offsets, places, turns)

    def points(self, world: WorldPose) -> Array:
        """World positions of the soles' points, (T, P, 3)."""
        turned = rot.rotate(world.rotations[:, self.links], self.locals_)
        return np.asarray(world.positions[:, self.links] + turned, float)

    def motion(self, curves: Array) -> Motion:
        """The motion displaced by curves (T, D)."""
        places, turns = self.poses(curves)
        motion = self.posed.motion
        root = int(self.body.joints[0])
        motion = motion.with_translated(sorted({*motion.translated, root}))
        rotations = motion.rotations.copy()
        rotations[:, self.body.joints[self.active]] = turns[:, self.active]
        translations = motion.translations.copy()
        above = int(motion.skeleton.parents[root])
        if above >= 0:
            back = rot.conjugate(self.posed.rotations[:, above])
            rotations[:, root] = rot.multiply(back, turns[:, 0])
            places = rot.rotate(back, places - self.posed.positions[:, above])
        translations[:, motion.translated.index(root)] = places
        return replace(motion, rotations=rotations, translations=translations)


def make_problem(
    posed: PosedMotion, body: Body, contacts: GroundContacts, ground: float | None = None
) -> Problem:
    """Set a correction up.

    Parameters
    ----------
    posed : PosedMotion
        The input.
    body : Body
        Its masses.
    contacts : GroundContacts
        When feet are down.
    ground : float, metres, optional
        Height of the ground; that of the contacts when not given.

    Returns
    -------
    Problem
    """
    soles = contacts.soles
    level = contacts.ground if ground is None else ground
    joints = body.joints
    links = np.array([body.link(p.joint) for p in soles.points])
    points = soles.positions(posed)
    pins = make_pins(points, contacts, level, posed.fps)
    step = max(1, round(posed.fps / FORCE_RATE))
    balance = analyse_balance(posed, body, BASE, contacts)
    limits = wrong.usual_ranges(posed, body)
    flights = wrong.find_flights(balance, points[..., 1] - pins.floor)
    wrongs = wrong.find_wrongs(posed, pins, points, balance, flights, limits)
    owners = joints[links]
    arms = points - posed.positions[:, owners]
    return Problem(
        posed=posed,
        body=body,
        contacts=contacts,
        ground=level,
        active=np.array(_active_links(posed, body, limits)),
        places=posed.positions[:, joints[0]],
        turns=local_turns(posed, body),
        offsets=posed.motion.local_translations()[:, joints],
        smooth=state_of(posed, body, BASE),
        below=hanging_on(body),
        locals_=rot.rotate(rot.conjugate(posed.rotations[:, owners]), arms).mean(axis=0),
        links=links,
        pins=pins,
        wrongs=wrongs,
        frames=np.arange(0, posed.n_frames, step),
        limits=limits,
        allowed=wrong.allowed_outside(balance, wrongs),
        balance=balance,
    )


def _active_links(posed: PosedMotion, body: Body, limits: Sequence[BendLimit]) -> list[int]:
    """The first link, the lowest and the highest of the spine, the legs, and what bends too far."""
    roles = body.roles
    wanted = [0]
    chest = roles.joint("chest")
    if chest is not None:
        spine = np.flatnonzero(hanging_on(body)[1:, body.link(chest)]) + 1
        wanted += [*spine[:1].tolist(), *spine[-1:].tolist()]
    joints = [roles.joint(f"{side}_{part}") for side in ("left", "right") for part in LEGS]
    wanted += [body.link(j) for j in joints if j is not None]
    wanted += [body.link(limit.joint) for limit in limits if wrong.beyond_range(posed, limit).any()]
    return list(dict.fromkeys(wanted))
