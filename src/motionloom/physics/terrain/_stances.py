"""The way that a body goes on level ground, and its stances: when a foot stands, where, and how it
points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import scipy

from motionloom.analysis.soles import Soles, point_velocity
from motionloom.curves import gaussian_average, runs_of
from motionloom.motion import GroundTransform
from motionloom.physics.ground._contacts import GroundContacts
from motionloom.posed_motion import PosedMotion
from motionloom.rotations import wrap_angle
from motionloom.typing import Array, Bools

#: The way is the hips' track without what sways with steps, seconds.
SWAY = 0.5
#: Ways shorter than this in a frame say nothing of a direction, metres per second.
STANDING = 0.15
#: A foot that is up for less than this has not left the ground, seconds.
BLINK = 0.1
#: What bears is found this long before a foot comes down (beside force plates), seconds.
EARLY = 0.035
#: A point stands that is slower than this, leg lengths per second, and no more than this share of a
#: leg higher than it mostly is in the same stance.
STILL, LOW, LOWEST = 0.3, 0.02, 0.1
#: Half width of a sole as a share of its length.
HALF_WIDTH = 0.13


@dataclass(frozen=True, eq=False)
class Way:
    """A smooth way on the ground by its length.

    Parameters
    ----------
    lengths : array of shape (T,), metres
        How far the body has come in every frame; never falls.
    places : array of shape (T, 2), metres
        x and z there.
    headings : array of shape (T,), radians
        Where it leads, from +Z towards +X, continuous.
    """

    lengths: Array
    places: Array
    headings: Array

    def at(self, lengths: Array) -> GroundTransform:
        """Frames along the way; straight on beyond its ends."""
        x, z, angle = (
            np.interp(lengths, self.lengths, values) for values in (*self.places.T, self.headings)
        )
        beyond = lengths - np.clip(lengths, self.lengths[0], self.lengths[-1])
        return GroundTransform(angle, x + beyond * np.sin(angle), z + beyond * np.cos(angle))

    def nearest(self, place: Array, frame: int) -> float:
        """Length at which a place (2,) is beside the way, near where it is at a frame, metres."""
        here = self.at(np.array([self.lengths[frame]]))
        return float(self.lengths[frame] + here.seen(place[None])[0, 1])


def find_way(posed: PosedMotion) -> Way:
    """The way of a motion.

    Parameters
    ----------
    posed : PosedMotion
        The motion.

    Returns
    -------
    Way
    """
    places = gaussian_average(posed.body[:, :2], SWAY * posed.fps)
    steps = np.diff(places, axis=0)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(steps, axis=1) + 1e-9)])
    going = np.linalg.norm(steps, axis=1) * posed.fps > STANDING
    if going.any():
        known = np.flatnonzero(going)
        own = np.unwrap(np.arctan2(steps[known, 0], steps[known, 1]))
        headings = np.interp(np.arange(len(places)), known + 0.5, own)
    else:
        headings = np.full(len(places), posed.body[0, 2])
    headings = gaussian_average(headings, SWAY * posed.fps)
    # Turns of a whole circle say nothing.
    return Way(lengths, places, headings - headings[0] + wrap_angle(headings[0]))


@dataclass(frozen=True)
class Stance:
    """One stance of one foot on level ground.

    Parameters
    ----------
    foot : str
        Its role.
    start, stop : int
        Frames ``start <= i < stop`` in which it bears.
    first, last : int
        First and last frame in which its ball stands still.
    flat : tuple of (int, int), optional
        First and last frame in which its heel does, too.
    ball : tuple of (float, float), metres
        x and z of the ball of the foot while it stands.
    heading : float, radians
        Where the foot points.
    way : float, metres
        Length of the body's way beside the ball.
    aside : float, metres
        How far the ball is to the left of the way.
    """

    foot: str
    start: int
    stop: int
    first: int
    last: int
    flat: tuple[int, int] | None
    ball: tuple[float, float]
    heading: float
    way: float
    aside: float

    @property
    def middle(self) -> int:
        """Frame in its middle."""
        return (self.start + self.stop - 1) // 2


@dataclass(frozen=True)
class Sole:
    """The outline of a foot that lies flat, from the ball of the foot.

    Parameters
    ----------
    back, front : float, metres
        How far it reaches behind and ahead.
    half : float, metres
        Half its width.
    """

    back: float
    front: float
    half: float


def find_stances(posed: PosedMotion, contacts: GroundContacts, way: Way) -> tuple[Stance, ...]:
    """All stances in the order in which they begin.

    Parameters
    ----------
    posed : PosedMotion
        A motion on level ground.
    contacts : GroundContacts
        When its feet bear and stand.
    way : Way
        Of its body.

    Returns
    -------
    tuple of Stance
        One that a foot is on its way to when the motion ends begins behind its last frame.
    """
    points = contacts.soles.positions(posed)
    leg = contacts.soles.leg
    still = np.linalg.norm(point_velocity(points, posed.fps), axis=-1) < STILL * leg
    found = []
    for foot in contacts.soles.feet:
        own = list(contacts.soles.of(foot))
        bears = contacts.bearing.down[:, own].any(axis=1)
        wide = 2 * max(1, round(0.5 * BLINK * posed.fps)) + 1
        bears = scipy.ndimage.binary_closing(np.pad(bears, wide, mode="edge"), np.ones(wide, bool))
        runs = [slice(*ends) for ends in runs_of(bears[wide:-wide])]
        seen = [
            _stance(foot, run, points[run][:, own], still[run][:, own], leg, posed.fps, way)
            for run in runs
        ]
        found += seen + _unseen(seen, posed.n_frames, way)
    # Of the feet that stand when the motion begins, the first to leave came down first.
    return tuple(sorted(found, key=lambda s: (s.start, s.stop)))


def _unseen(own: list[Stance], n: int, way: Way) -> list[Stance]:
    """The stance that a foot is on its way to when the motion ends, as its steps before were."""
    if len(own) < 2 or own[-1].stop >= n:
        return []
    last = own[-1]
    steps = [(b.start - a.stop, b.way - a.way) for a, b in pairwise(own)]
    swing, stride = np.median(steps, axis=0).tolist()
    start = max(last.stop + round(swing), n + 1)
    here = way.at(np.array([last.way]))
    there = way.at(np.array([last.way + stride]))
    place = there.apply(here.seen(np.array([last.ball])))[0]
    turn = float(there.angle[0] - here.angle[0])
    unseen = replace(last, start=start, stop=start + 1, first=start, last=start, flat=None)
    ball = (float(place[0]), float(place[1]))
    heading = last.heading + turn
    return [replace(unseen, ball=ball, heading=heading, way=last.way + stride)]


def _stance(
    foot: str, run: slice, points: Array, still: Bools, leg: float, fps: float, way: Way
) -> Stance:
    """From what the points of a sole (N, P, 3) do while it bears."""
    # Where they stand is where they are lowest: captured floors are not quite level.
    lowest = np.quantile(points[..., 1], LOWEST, axis=0)
    low = points[..., 1] < lowest + LOW * leg
    stands = still & low
    ball = np.flatnonzero(stands[:, -1]).tolist() or [int(points[:, -1, 1].argmin())]
    first, last = ball[0], ball[-1]
    early = min(round(EARLY * fps), first) if run.start else 0
    flat = np.flatnonzero(stands.all(axis=1))
    middle = (first + last) // 2
    place = points[first : last + 1, -1][:, [0, 2]].mean(axis=0)
    ahead = points[:, -1] - points[:, 0]
    ahead = (ahead[flat] if len(flat) else ahead[middle : middle + 1]).mean(axis=0)
    here = way.at(np.array([way.lengths[run.start + middle]]))
    known = np.hypot(ahead[0], ahead[2]) > 1e-3
    heading = float(np.arctan2(ahead[0], ahead[2]) if known else here.angle[0])
    return Stance(
        foot=foot,
        start=run.start + early,
        stop=run.stop,
        first=run.start + first,
        last=run.start + last,
        flat=(run.start + int(flat[0]), run.start + int(flat[-1])) if len(flat) else None,
        ball=(float(place[0]), float(place[1])),
        heading=heading,
        way=way.nearest(place, run.start + middle),
        aside=float(here.seen(place[None])[0, 0]),
    )


def find_soles(posed: PosedMotion, soles: Soles, stances: tuple[Stance, ...]) -> dict[str, Sole]:
    """Outlines of the feet, read off the frames in which they stand.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    soles : Soles
        Points of its feet.
    stances : tuple of Stance
        Its stances.

    Returns
    -------
    dict of str to Sole
        By the roles of the feet.
    """
    points = soles.positions(posed)
    outlines = {}
    for foot in soles.feet:
        own = soles.of(foot)
        below = posed.skeleton.descendants(posed.roles.joints[foot])
        tips = np.flatnonzero(np.isin(posed.skeleton.end_parents, below))
        reach = np.concatenate([points[:, own], posed.end_sites[:, tips]], axis=1)
        spans = [
            _along(reach[(s.first + s.last) // 2], s)
            for s in stances
            if s.foot == foot and s.start < posed.n_frames
        ] or [np.zeros(1)]
        back = float(np.median([-along.min() for along in spans]))
        front = float(np.median([along.max() for along in spans]))
        outlines[foot] = Sole(back, front, HALF_WIDTH * (back + front))
    return outlines


def _along(points: Array, stance: Stance) -> Array:
    """How far points (K, 3) are ahead of the ball of a foot, along it."""
    ahead = np.array([np.sin(stance.heading), np.cos(stance.heading)])
    return np.asarray((points[:, [0, 2]] - stance.ball) @ ahead)
