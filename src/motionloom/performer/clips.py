"""The default clips: small, seeded, and connected, as every clip starts and ends in one stance.

Gestures of a standing performer: shifting weight, and a swing with both arms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy

from motionloom.motion import GroundTransform
from motionloom.performer._body import SIGN, Performer, make_performer
from motionloom.performer._curves import pulse, ramp
from motionloom.performer._drive import Drive, Gesture, HandPath
from motionloom.performer._footsteps import LEFT, RIGHT, Step, walking_gait
from motionloom.performer._reaching import Reach
from motionloom.performer._routes import (
    plan_steps,
    running_steps,
    side_steps,
    spot_turn_steps,
    turning_steps,
    walking_steps,
)
from motionloom.performer.perform import ClipLabel, PerformerClip, perform
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Speed of everything that is not about speed, metres per second; sideways and on the spot.
_EASY, _SLOW = 1.1, 0.8
#: Word, sign (left is positive) and foot of each side.
_BOTH = (("left", 1.0, LEFT), ("right", -1.0, RIGHT))
#: Points for a left hand: to the left, up and ahead, shares of stature.
_POINTS = (
    ("front", (0.06, 0.78, 0.34)),
    ("high", (0.08, 0.92, 0.22)),
    ("side", (0.36, 0.70, 0.14)),
    ("across", (-0.10, 0.70, 0.30)),
    ("low", (0.12, 0.36, 0.24)),
)


@dataclass(frozen=True)
class Recipe:
    """What a clip is made of: arguments of `plan_steps` and `perform`."""

    name: str
    action: str
    style: str
    steps: tuple[Step, ...] = ()
    gestures: tuple[Gesture, ...] = ()
    first: int = RIGHT
    speed: float = 0.0
    lead_in: float = 0.3
    lead_out: float = 0.9

    def make(self, performer: Performer, fps: float, seed: int) -> PerformerClip:
        """Plan the steps and perform them with the gestures.

        Parameters
        ----------
        performer : Performer
            Who performs.
        fps : float
            Frames per second.
        seed : int
            Seed of postural sway and of the phase of breathing.

        Returns
        -------
        PerformerClip
            Motion, contacts, joint centres and markers.
        """
        plan = plan_steps(
            performer, self.steps, first=self.first, lead_in=self.lead_in, lead_out=self.lead_out
        )
        label = ClipLabel(self.name, self.action, self.style, self.speed)
        return perform(performer, plan, self.gestures, fps=fps, seed=seed, label=label)


@one_thread()
def performer_clips(
    seed: int = 0, fps: float = 30.0, *, performer: Performer | None = None
) -> tuple[PerformerClip, ...]:
    """Make the default clips: walks, curves, turns, side steps, a run, standing, reaches, a swing.

    They last 2.4 minutes.

    Parameters
    ----------
    seed : int
        Seed of sway and breathing; the same seed gives the same bytes.
    fps : float
        Frames per second.
    performer : Performer, optional
        Who performs; 1.75 m and 70 kg when not given.

    Returns
    -------
    tuple of PerformerClip
        In a fixed order, each with a name of its own.

    Examples
    --------
    >>> clips = performer_clips()
    >>> len(clips), sorted({clip.action for clip in clips})[:3]
    (24, ['reach', 'run', 'sidestep'])
    """
    body = make_performer() if performer is None else performer
    recipes = [*_walks(body), *_turns(body), *_others(body), *_reaches(body)]
    return tuple(recipe.make(body, fps, seed + i) for i, recipe in enumerate(recipes))


def _walks(body: Performer) -> Iterator[Recipe]:
    for k, (speed, count) in enumerate(((0.6, 5), (1.1, 5), (1.6, 5), (2.2, 5))):
        steps = tuple(walking_steps(body, speed, count))
        first = (RIGHT, LEFT)[k % 2]
        yield Recipe(f"walk_{speed:g}", "walk", f"{speed:g} m/s", steps, first=first, speed=speed)
    yield Recipe("run_3", "run", "3 m/s", tuple(running_steps(body, 3.0, 8)), speed=3.0)


def _turns(body: Performer) -> Iterator[Recipe]:
    for word, sign, foot in _BOTH:
        style = f"{word}, 18 degrees per step"
        steps = tuple(walking_steps(body, _EASY, 4, turn=sign * np.radians(18)))
        yield Recipe(f"curve_{word}", "turn", style, steps, first=1 - foot, speed=_EASY)
        for degrees, over in ((90, 3), (180, 5)):
            style = f"{word}, {degrees} degrees"
            steps = tuple(turning_steps(body, _EASY, sign * np.radians(degrees), over))
            yield Recipe(f"turn_{word}_{degrees}", "turn", style, steps, first=foot)
        style = f"{word}, 90 degrees on the spot"
        steps = tuple(spot_turn_steps(walking_gait(body, _SLOW), sign * np.radians(90), 2))
        yield Recipe(f"spot_{word}_90", "turn", style, steps, first=foot)


def _others(body: Performer) -> Iterator[Recipe]:
    gait = walking_gait(body, _SLOW)
    aside = 0.14 * body.height
    for word, sign, foot in _BOTH:
        steps = tuple(side_steps(body, gait, sign * aside, 2))
        yield Recipe(f"side_{word}", "sidestep", word, steps, first=foot)
    shifts = (WeightShift(0.3, 0.5, 0.8), WeightShift(2.6, 0.5, -0.8))
    yield Recipe("stand", "stand", "weight shifts", gestures=shifts, lead_in=4.5)
    out, back = side_steps(body, gait, -aside, 1)
    swing = Swing(1.7)
    yield Recipe("swing", "swing", "both arms", (out, replace(back, wait=swing.duration)), (swing,))


def _reaches(body: Performer) -> Iterator[Recipe]:
    for label, (x, y, z) in _POINTS:
        for word, sign, hand in _BOTH if label == "front" else _BOTH[1:]:
            reach = Reach(hand, (sign * x, y, z), 0.3)
            name, style = f"reach_{word}_{label}", f"{word}, {label}"
            yield Recipe(name, "reach", style, gestures=(reach,), lead_in=2.2)
    steps = tuple(walking_steps(body, _EASY, 1))
    landed = plan_steps(body, steps, lead_in=Recipe.lead_in).stances[-1].strike
    reach = Reach(RIGHT, (-0.06, 0.80, 0.33), landed + 0.15)
    yield Recipe("walk_reach", "reach", "right, after walking", steps, (reach,), lead_out=3.2)


@dataclass(frozen=True)
class WeightShift:
    """Stand on one leg more than on the other for a while, hip out, as people do when they wait.

    Parameters
    ----------
    start, hold : float, seconds
        When it begins, and how long it is held after 0.9 s of going there.
    to_left : float
        -1 wholly on the right foot, 1 on the left one.
    """

    start: float
    hold: float
    to_left: float

    def drive(self, performer: Performer, place: GroundTransform, times: Array) -> Drive:
        """Return what it adds at every time: shift and list of the pelvis, roll of the chest.

        Parameters
        ----------
        performer : Performer
            Who performs; the shift scales with the stature.
        place : GroundTransform
            Not used: the gesture is the same everywhere.
        times : array of shape (T,), seconds
            Of the whole clip.

        Returns
        -------
        Drive
            T frames.
        """
        up = self.start + 0.9
        w = self.to_left * pulse(times, self.start, up, up + self.hold, up + self.hold + 0.9)
        drive = Drive.none(len(times))
        drive.shift[:, 0] = 0.040 * performer.height * w
        drive.pelvis[:, 1] = np.radians(5.0) * w
        drive.trunk[:, 2] = np.radians(-2.0) * w
        return drive


#: Times (seconds after the start), pelvis turn, chest turn, pitch, roll (degrees), shift to the
#: left (share of stature) and the grip in the chest's frame (shares of stature; left, up, ahead) of
#: a right-handed full swing: address, top, impact, finish, hold. Rounded from the ranges that Hume,
#: Keogh & Reid (2005) review.
_SWING = np.array(
    [
        [0.0, 0, 0, 0, 0, 0.0, -0.02, -0.28, 0.16],
        [0.7, 0, 0, 30, 0, 0.0, 0.0, -0.235, 0.185],
        [1.2, 0, 0, 32, 0, 0.0, 0.0, -0.235, 0.185],
        [2.0, -42, -85, 28, 6, -0.035, -0.085, 0.03, 0.20],
        [2.36, 32, 8, 30, 8, 0.03, 0.0, -0.235, 0.185],
        [2.75, 62, 82, 12, 4, 0.05, 0.10, 0.06, 0.185],
        [3.3, 66, 88, 8, 2, 0.05, 0.115, 0.07, 0.17],
        [4.5, 0, 0, 0, 0, 0.0, -0.02, -0.28, 0.16],
    ]
)
#: Rows of the table.
_TOP, _IMPACT = 3, 4


@dataclass(frozen=True)
class Swing:
    """Swing both arms, hands together, as with a golf club.

    The pelvis leads the chest and the chest the arms (Putnam 1993; Hume et al. 2005).

    Parameters
    ----------
    start : float, seconds
        When the hands begin to come together.
    tempo : float
        1 as in the table; above 1 is slower.
    aim : tuple of float, metres
        How far the hands at impact are from where the table has them: left, up and ahead.
    turn, sway : float
        How far pelvis and chest turn back, and the weight shifts, as shares of the table's.
    """

    start: float
    tempo: float = 1.0
    aim: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: float = 1.0
    sway: float = 1.0

    @property
    def duration(self) -> float:
        """Seconds from hanging arms to hanging arms."""
        return float(_SWING[-1, 0]) * self.tempo + 0.3

    def drive(self, performer: Performer, place: GroundTransform, times: Array) -> Drive:
        """Return what it adds at every time, to pelvis, trunk, head and both hands.

        Parameters
        ----------
        performer : Performer
            Who performs; lengths scale with the stature.
        place : GroundTransform
            Not used: the hands move in the chest's frame.
        times : array of shape (T,), seconds
            Of the whole clip.

        Returns
        -------
        Drive
            T frames.
        """
        knots = _SWING[:, 0] * self.tempo + self.start
        h = performer.height
        table = _SWING[:, 1:].copy()
        table[_TOP, :2] *= self.turn
        table[:, 4] *= self.sway
        table[_IMPACT, 5:8] += np.array(self.aim) / h
        curve = scipy.interpolate.CubicSpline(knots, table, bc_type="clamped")(
            np.clip(times, knots[0], knots[-1])
        )
        curve[:, :4] = np.radians(curve[:, :4])
        end = float(knots[-1])
        drive = Drive.none(len(times))
        drive.pelvis[:, 0] = curve[:, 0]
        drive.trunk[:] = curve[:, 1:4]
        drive.shift[:, 0] = h * curve[:, 4]
        drive.drop[:] = 0.025 * h * pulse(times, self.start, knots[1], knots[4], knots[5])
        drive.head[:, 0] = 0.5 * curve[:, 1] * ramp(times, knots[4], knots[5])
        nod = pulse(times, self.start, knots[1], knots[4], knots[5] + 0.2)
        drive.head[:, 1] = np.radians(38.0) * nod
        weight = pulse(times, self.start, float(knots[1]), end - 0.9 * self.tempo, end + 0.2)
        apart = np.array([0.012, 0.022, 0.012])
        grips = [h * (curve[:, 5:8] + sign * apart) for sign in SIGN]
        hands = tuple(HandPath(s, weight, grip, on_chest=True) for s, grip in enumerate(grips))
        return replace(drive, hands=hands)
