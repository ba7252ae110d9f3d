"""The path of one foot over its footholds: captured steps, led over edges.

Where a foot is between its footholds, frame by frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.curves import gaussian_average, minimum_jerk, smooth_envelope
from motionloom.edit.banded import bands, solve
from motionloom.edit.limbs import swing_between
from motionloom.motion import GroundTransform
from motionloom.physics.terrain._footholds import Foothold, Heights
from motionloom.physics.terrain._stances import Sole
from motionloom.two_bones import unit
from motionloom.typing import Array, Ints

#: Weight of a bound that is broken, against one place's.
WALL = 1e2
#: Most rounds in which bounds are found to be broken or not, and of those that let go in bulk.
ROUNDS, BULK = 240, 20


def curve_above(
    lowest: Array, place: Array, bend: float, base: Array | None = None, share: Array | None = None
) -> Array:
    """Smoothest curve near 0 that is nowhere below a bound.

    Least squares of the curve and of its second differences; where the bound is broken it pulls,
    and which frames those are is found in rounds (an active set).

    Parameters
    ----------
    lowest : array of shape (T,)
        The bound; minus infinity where there is none.
    place : array of shape (T,)
        Weight of the curve's own square in every frame.
    bend : float
        Weight of its second differences.
    base : array of shape (T,), optional
        What the curve is added to: with it, the sum is made smooth where `share` says so.
    share : array of shape (T,), optional
        How far the base counts in every frame, 0 to 1.

    Returns
    -------
    array of shape (T,)
        In the unit of `lowest`; 0 where 0 is nowhere below and no base counts.
    """
    curve = np.zeros(len(lowest))
    held = lowest > 0
    wanted: Array = np.where(np.isfinite(lowest), lowest, 0.0)
    none = np.zeros(len(lowest) - 1)
    pull = np.zeros(len(lowest))
    if base is not None and share is not None:
        turned = bend * share[1:-1] * np.diff(base, 2)
        for i, part in enumerate((1.0, -2.0, 1.0)):
            pull[i : len(pull) - 2 + i] -= part * turned
    for k in range(ROUNDS if held.any() or np.any(pull) else 0):
        wall = WALL * (1.0 + bend) * held
        curve = solve(bands(place + wall, none, bend), wall * wanted + pull)
        # What would hold down is let go: at first all of it, then the worst alone, in the end
        # nothing, or it might go on for ever.
        down = held & (curve >= lowest + 1e-9)
        if k >= BULK and down.any():
            worst = int(np.argmax(np.where(down, curve - wanted, -np.inf)))
            down = (np.arange(len(held)) == worst) & (k < ROUNDS - BULK)
        now = (lowest > curve) | (held & ~down)
        if np.array_equal(now, held):
            break
        held = now
    return curve


#: Edges of this height make a step of stairs, metres; lower ones partly.
FULL_STEP = 0.10
#: Heels are lifted less at the end of stances on stairs, by these shares up and down.
LESS_UP, LESS_DOWN = 0.15, 0.5
#: How long stances usually last, seconds.
USUAL_STANCE = 0.6


@dataclass(frozen=True, eq=False)
class Phases:
    """Where a foot is between its footholds, frame by frame.

    Parameters
    ----------
    before, behind : int arrays of shape (T,)
        Footholds that it comes from and goes to; the same one in a stance.
    share : array of shape (T,)
        Of the time of a swing, 0 in stances.
    stepping : array of shape (T,)
        1 in swings over edges, less over lower ones.
    falling : array of shape (T,)
        The same of swings that end lower only.
    landing, leaving : arrays of shape (T,)
        How far a foot is about to come down from, or to leave for, a step of stairs.
    since : array of shape (T,), seconds
        Since the foot came down.
    """

    before: Ints
    behind: Ints
    share: Array
    stepping: Array
    falling: Array
    landing: Array
    leaving: Array
    since: Array


def find_phases(holds: Sequence[Foothold], n: int, fps: float) -> Phases:
    """Phases of one foot.

    Parameters
    ----------
    holds : sequence of Foothold
        Of this foot, in their order.
    n : int
        Frames of the motion.
    fps : float
        Frames per second.

    Returns
    -------
    Phases
    """
    rows = [*np.zeros((2, n), np.int64), *np.zeros((5, n)), np.full(n, np.inf)]
    p = Phases(*rows)
    for k, hold in enumerate(holds):
        s = hold.stance
        run = slice(s.start, s.stop)
        p.since[s.start :] = np.arange(max(n - s.start, 0)) / fps
        p.before[s.start :] = p.behind[s.start :] = k
        # The middle third belongs to coming and to going in turn; of a stance that the motion's end
        # cuts short nothing is known.
        long = max(s.stop - s.start, round(USUAL_STANCE * fps) if s.stop == n else 1)
        turn = minimum_jerk(3.0 * (np.arange(s.stop - s.start) + 0.5) / long - 1.0)
        if k:
            w, fall, less = _stepping(holds[k - 1], hold)
            p.landing[run] = w * (1.0 - turn[: max(n - s.start, 0)])
            p.falling[run] = w * fall
            swing = slice(holds[k - 1].stance.last + 1, s.start)
            swung = np.arange(1.0, swing.stop - swing.start + 1) / (swing.stop - swing.start + 1)
            share = swung[: n - swing.start]
            p.before[swing] = k - 1
            p.share[swing] = share
            p.since[swing] = np.inf
            p.stepping[swing] = w
            p.falling[swing] = w * fall
            p.landing[swing] = w * minimum_jerk((share - 0.4) / 0.55)
            p.leaving[swing] = less * (1.0 - minimum_jerk((share - 0.1) / 0.6))
            p.behind[swing] = k
        if k + 1 < len(holds):
            p.leaving[run] = _stepping(hold, holds[k + 1])[2] * turn
    return p


def _stepping(a: Foothold, b: Foothold) -> tuple[float, float, float]:
    """How far a swing is over an edge, 0 to 1, whether it ends lower, and how flat heels stay."""
    if a.level == b.level:
        return 0.0, 0.0, 0.0
    rise = b.height - a.height
    over = float(minimum_jerk(abs(rise) / FULL_STEP))
    return over, float(rise < 0), over * (LESS_DOWN if rise < 0 else LESS_UP)


#: Toes point down this far when the forefoot comes down first, radians (15 degrees, as captured).
POINTED = np.radians(15.0)
#: The same where it comes up a step, radians (3 to 7 degrees captured).
POINTED_UP = np.radians(5.0)
#: The heel follows within this time, seconds (0.13 to 0.18 captured, 0.06 to 0.10 upstairs).
HEEL_FOLLOWS = 0.15
#: Room between soles and edges in the middle of a swing, metres, above and before or behind.
CLEAR, BESIDE = 0.03, 0.025
#: Feet are drawn back this far from a riser that they are lifted over, metres.
DRAWN_BACK = 0.06
#: Time over which feet come to where they are held, seconds.
FADE = 0.10
#: Weight of a frame in which a foot is not lifted, and of one in which it may be.
STILL, FREE = 1e6, 0.02
#: The same in a swing over an edge, whose captured height means nothing.
STEPPING = 1e-4
#: Time over which lifting bends, seconds.
BEND = 0.07
#: Feet of captures turn to and fro within this time, seconds.
JITTER = 0.025
#: Shorter swings say nothing of how far they have come, metres.
SHORT = 0.25
#: Bound that nothing reaches.
NONE = -np.inf


@dataclass(frozen=True, eq=False)
class Captured:
    """A foot on level ground, from which its plan is made.

    Parameters
    ----------
    ball, heel, ankle : array of shape (T, 3), metres
        Where they are.
    rotations : array of shape (T, 4)
        World rotations of the foot.
    rests : array
        Heights above the ground at which points of the sole rest, heel first, ball last, metres.
    ground : float, metres
        Height of the level ground.
    fps : float
        Frames per second.
    """

    ball: Array
    heel: Array
    ankle: Array
    rotations: Array
    rests: Array
    ground: float
    fps: float

    @property
    def pitch(self) -> Array:
        """How far toes point up, radians, 0 where the foot lies flat."""
        bone = self.ball - self.heel
        rise = bone[:, 1] - (self.rests[-1] - self.rests[0])
        length = np.maximum(np.linalg.norm(bone, axis=1), 1e-6)
        return np.asarray(np.arcsin(np.clip(rise / length, -1.0, 1.0)))

    @property
    def height(self) -> Array:
        """How high the ball is above where it rests, metres."""
        return np.asarray(self.ball[:, 1] - self.ground - self.rests[-1])

    def standing_still(self, holds: Sequence[Foothold]) -> Captured:
        """The same foot flat and without turning where it stands so."""
        rotations = self.rotations
        half = max(1, round(FADE * self.fps / 2))
        pitch = self.pitch
        for hold in holds:
            flat = hold.stance.flat
            if flat is None:
                continue
            run = slice(flat[0], flat[1] + 1)
            held = np.zeros(len(rotations))
            held[run] = 1.0
            heading = hold.stance.heading
            across = np.array([-np.cos(heading), 0.0, np.sin(heading)])
            back = rot.from_rotvec(-pitch[run].mean() * across)
            mean = rot.multiply(back, rot.mean(self.rotations[run]))
            share = np.clip(smooth_envelope(held, half), 0.0, 1.0)
            rotations = rot.slerp(rotations, np.broadcast_to(mean, rotations.shape), share)
        return self._turned(rotations)

    def calm(self, share: Array) -> Captured:
        """The same foot without the jitter of captured ankles, as far as `share` (T,) says."""
        slow = rot.normalize(gaussian_average(rot.unroll(self.rotations), JITTER * self.fps))
        return self._turned(rot.slerp(self.rotations, slow, share))

    def _turned(self, rotations: Array) -> Captured:
        """The foot turned about its ball."""
        turned = rot.multiply(rotations, rot.conjugate(self.rotations))
        return replace(
            self,
            heel=self.ball + rot.rotate(turned, self.heel - self.ball),
            ankle=self.ball + rot.rotate(turned, self.ankle - self.ball),
            rotations=rotations,
        )


@dataclass(eq=False)
class Track:
    """Path of one foot, for one way of bending its swings in time.

    Parameters
    ----------
    level : Captured
        The foot as it went on level ground.
    holds : sequence of Foothold
        Where it stands, in the order of time.
    phases : Phases
        Where it is between them, frame by frame.
    sole : Sole
        Outline and points of the foot.
    heights : Heights
        Of the ground.
    bent : array of shape (T,) or float
        How swings are bent in time.
    """

    level: Captured
    holds: Sequence[Foothold]
    phases: Phases
    sole: Sole
    heights: Heights
    bent: Array | float

    def __post_init__(self) -> None:
        p = self.phases
        level = self.level
        self.when = self._bent_time()
        frames = np.arange(len(self.when))
        flat = np.stack([np.interp(self.when, frames, level.ball[:, i]) for i in (0, 2)], axis=-1)
        self.share = self._progress(flat)
        first = self._moved(flat, p.before)
        places = first + self.share[:, None] * (self._moved(flat, p.behind) - first)
        places -= self._drawn_back()
        pin = self._pinned()
        own = np.array([h.ball for h in self.holds])
        places += pin[:, None] * (own[np.where(p.share < 0.5, p.before, p.behind)] - places)
        self.turns, self.toe_turn = self._turns(pin)
        ground = self._ground_height(places, own)
        height = ground + level.rests[-1] + level.height * (1.0 - pin)
        ball = np.stack([places[:, 0], height, places[:, 1]], axis=-1)
        self.lift = self._lifted(ball, pin)
        self.ball = ball + self.lift[:, None] * [0.0, 1.0, 0.0]
        self.ankle = self.ball + rot.rotate(self.turns, level.ankle - level.ball)

    def _drawn_back(self) -> Array:
        """How far feet are drawn back when they are lifted over a riser before them, (T, 2)."""
        p = self.phases
        balls = np.array([h.ball for h in self.holds])
        way = unit(balls[p.behind] - balls[p.before])
        rises = p.stepping * (p.falling == 0)
        back = minimum_jerk(p.share / 0.15) * (1.0 - minimum_jerk((p.share - 0.15) / 0.3))
        return np.asarray((DRAWN_BACK * rises * back)[:, None] * way)

    def _bent_time(self) -> Array:
        """Frame of the capture whose place on the ground is shown in every frame."""
        p = self.phases
        frames = np.arange(len(p.share), dtype=float)
        bent = 1.0 + (np.asarray(self.bent) - 1.0) * p.stepping
        later = np.where(p.falling > 0, 1 - (1 - p.share) ** bent, p.share**bent)
        swing = p.share > 0
        starts = np.array([h.stance.last + 1 for h in self.holds])
        ends = np.array([h.stance.start for h in self.holds])
        length = (ends[p.behind] - starts[p.before] + 1.0) * swing
        return np.asarray(frames + (later - p.share) * length)

    def _progress(self, flat: Array) -> Array:
        """How far the ball of the foot has come between its footholds, (T,), 0 to 1."""
        p = self.phases
        balls = np.array([h.stance.ball for h in self.holds])
        a = balls[p.before]
        way = balls[p.behind] - a
        size = np.sum(way * way, axis=1)
        far = size > SHORT**2
        along = np.where(far, np.sum((flat - a) * way, axis=1) / np.where(far, size, 1.0), 0.0)
        along = np.where(far, np.clip(along, 0.0, 1.0), minimum_jerk(p.share))
        return np.where(p.share > 0, along, 0.0)

    def _moved(self, flat: Array, which: Ints) -> Array:
        """Captured places (T, 2) as a foothold takes them along."""
        turns = np.array([h.turn for h in self.holds])[which]
        was = np.array([h.stance.ball for h in self.holds])[which]
        now = np.array([h.ball for h in self.holds])[which]
        return GroundTransform(turns, *now.T).apply(flat - was)

    def _pinned(self) -> Array:
        """How far the ball is held on its foothold, (T,), 1 where it stands."""
        p = self.phases
        n = len(p.share)
        half = max(1, round(FADE * self.level.fps / 2))
        pin = np.zeros(n)
        for k, hold in enumerate(self.holds):
            s = hold.stance
            if s.start >= n:
                continue
            lands = bool(k and p.landing[s.start] > 0.5)
            held = np.zeros(n)
            held[s.start if lands else s.first : s.last + 1] = 1.0
            pin = np.maximum(pin, smooth_envelope(held, half))
        return np.clip(pin, 0.0, 1.0)

    def _turns(self, pin: Array) -> tuple[Array, Array]:
        """World rotations (T, 4) that are added to the foot's, and turns of toes (T,)."""
        p = self.phases
        level = self.level
        pitch = level.pitch
        lands = POINTED_UP + (POINTED - POINTED_UP) * (p.falling > 0)
        since = np.where(np.isinf(p.since), 0.0, p.since)
        lands = lands * (1.0 - minimum_jerk(since / HEEL_FOLLOWS))
        change = p.landing * (-lands - pitch) - p.leaving * np.minimum(pitch, 0.0)
        # A heel does not sink while the ball of the foot is held on the ground.
        change -= pin * np.maximum(pitch + change, 0.0)
        heading = np.array([h.stance.heading + h.turn for h in self.holds])
        turning = rot.wrap_angle(heading[p.behind] - heading[p.before])
        angle = heading[p.before] + self.share * turning
        across = np.stack([-np.cos(angle), 0 * angle, np.sin(angle)], axis=-1)
        rows = np.array([[*h.slope, h.turn] for h in self.holds])
        own = rows[p.before] + self.share[:, None] * (rows[p.behind] - rows[p.before])
        up = unit(np.stack([-own[:, 0], np.ones(len(own)), -own[:, 1]], axis=-1))
        tilt = swing_between(np.broadcast_to([0.0, 1.0, 0.0], up.shape), up)
        pitched = rot.multiply(rot.from_rotvec(change[:, None] * across), rot.yaw(own[:, 2]))
        turned = rot.multiply(tilt, pitched)
        # Toes stay flat on the ground while the foot points down on them.
        toes = np.where(p.landing > 0, p.landing * lands, 0.0)
        return turned, toes

    def _ground_height(self, places: Array, own: Array) -> Array:
        """Height of the ground that the ball refers to, (T,)."""
        p = self.phases
        near = np.clip(places - own[p.before], -0.12, 0.12)
        far = np.clip(places - own[p.behind], -0.12, 0.12)
        heights = np.array([h.height for h in self.holds])
        slopes = np.array([h.slope for h in self.holds])
        a = heights[p.before] + np.sum(near * slopes[p.before], axis=1)
        b = heights[p.behind] + np.sum(far * slopes[p.behind], axis=1)
        share = (1.0 - p.stepping) * self.share + p.stepping * minimum_jerk(p.share)
        return np.asarray(a + share * (b - a))

    def _lifted(self, ball: Array, pin: Array) -> Array:
        """How far the foot is lifted over what it would touch, (T,), metres."""
        p = self.phases
        level = self.level
        free = (p.share > 0) | (pin < 0.95)
        middle = np.minimum(minimum_jerk(p.share / 0.2), minimum_jerk((1.0 - p.share) / 0.2))
        heel = rot.rotate(self.turns, level.heel - level.ball)
        need = np.full(len(ball), NONE)
        ahead = -unit(heel * [1.0, 0.0, 1.0])
        rest = level.rests
        length = max(self.sole.back, 1e-6)
        for at in np.linspace(-1.0, self.sole.front / length, 7):
            # Behind the ball the sole is straight to the heel; ahead of it toes bend up.
            place = ball - at * heel if at <= 0 else ball + at * length * ahead
            bottom = place[:, 1] - (rest[-1] + min(at, 0.0) * (rest[-1] - rest[0]))
            beside = BESIDE * middle[:, None] * ahead
            over = [self.heights((place + k * beside)[:, [0, 2]]) for k in (-1.0, 0.0, 1.0)]
            need = np.maximum(need, np.max(over, axis=0) + CLEAR * middle * p.stepping - bottom)
        need = np.where(free & np.isfinite(need), need, NONE)
        place = np.where(free, np.where(p.stepping > 0, STEPPING, FREE), STILL)
        share = scipy.ndimage.maximum_filter1d(p.stepping, 3)
        return curve_above(need, place, (BEND * level.fps) ** 4, ball[:, 1], share)
