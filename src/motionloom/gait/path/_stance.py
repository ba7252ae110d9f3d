"""How a foot rolls over the place where it stands, and how it gets from there to the next.

A foot's track is told relative to its footprint: flat it stands there; before, it turns about its
heel, and afterwards about its toes, so that it slides at no speed and however speed changes. In
the air it follows the captured way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy

from motionloom import rotations as rot
from motionloom.curves import gaussian_average, minimum_jerk
from motionloom.gait.cycle import GaitBody, GaitCycle
from motionloom.kinematics import WorldPose
from motionloom.roles import Limb
from motionloom.typing import Array, Bools

#: Samples of a stance, and of each of the swings around it.
PIECE = 40
#: Samples of a track: swing, stance, swing, and the last moment.
TRACK = 3 * PIECE + 1
#: A foot's weight goes over from heel to toe while their heights differ by about this, metres.
ROLLS = 0.008
#: A stance is found to be no shorter and no longer than this share of a cycle.
LEAST_STANCE, MOST_STANCE = 0.2, 0.8
#: A foot rolls off when heel and toe joint are this much higher than under the body, metres; it
#: stands for at least this share of its stance.
ROLLED_OFF, LEAST_BORNE = 0.012, 0.7
#: A foot in the air is at least this high above where it rests, in the middle of its swing, metres.
CLEARANCE = 0.012
#: In this part of its swing a foot goes over from the footprint it left to the one it comes to.
OVER = (0.1, 0.9)


@dataclass(frozen=True, eq=False)
class Footing:
    """One foot over a cycle, as it was captured.

    Parameters
    ----------
    strike : float
        Phase at which it begins to stand.
    stance : float
        Share of the cycle that it stands.
    ankle : array of shape (N, 3), metres
        Relative to the uniform place of the root on the ground.
    rotations : array of shape (N, 4)
        Of the ankle's joint, relative to the travel.
    points : array of shape (N, 2, 3), metres
        Heel and toe relative to the ankle.
    rests : array of shape (2,), metres
        Heights at which these rest.
    """

    strike: float
    stance: float
    ankle: Array
    rotations: Array
    points: Array
    rests: Array


def footing_of(cycle: GaitCycle, world: WorldPose, body: GaitBody, foot: str, leg: Limb) -> Footing:
    """A foot's way through a cycle.

    Parameters
    ----------
    cycle : GaitCycle
        The cycle.
    world : WorldPose
        Its kinematics, the root at its deviations.
    body : GaitBody
        With the soles.
    foot : str
        The foot's role.
    leg : Limb
        Its leg.

    Returns
    -------
    Footing
    """
    own = body.soles.of(foot)
    ends = [own[0], own[-1]]
    ankle = world.positions[:, leg.tip]
    down = np.any(cycle.contacts[:, list(own)], axis=1)
    strike, stance = _stance_of(down, foot, cycle)
    made = Footing(
        strike=strike,
        stance=stance,
        ankle=ankle,
        rotations=world.rotations[:, leg.tip],
        points=body.soles.positions(world)[:, ends] - ankle[:, None],
        rests=np.array([body.soles.points[i].rest for i in ends]),
    )
    return replace(made, stance=stance * _borne(made))


def ground_under(foot: Footing) -> float:
    """How much higher than it rests a foot stands in the middle of its stance, metres."""
    shares = np.linspace(0.3, 0.6, 12)
    return float(np.median(_lowest(foot, foot.strike + shares * foot.stance)))


def _lowest(foot: Footing, phases: Array) -> Array:
    """Height of the lower of heel and toe above where they rest, at phases (K,)."""
    heights = _at(foot.ankle, phases)[:, None, 1] + _at(foot.points, phases)[..., 1] - foot.rests
    return np.asarray(heights.min(axis=1))


def _borne(foot: Footing) -> float:
    """Share of its stance after which a foot only rolls off over the tips of its toes.

    The joint of the toes rises then: to hold it down would pull the leg out of the hip.
    """
    shares = np.linspace(0.5, 1.0, 51)
    up = _lowest(foot, foot.strike + shares * foot.stance) - ground_under(foot) > ROLLED_OFF
    first = int(up.argmax()) if up.any() else len(shares) - 1
    return float(max(shares[first], LEAST_BORNE))


def _stance_of(down: Bools, foot: str, cycle: GaitCycle) -> tuple[float, float]:
    """Begin and share of the longest contact of a cycle that closes."""
    n = len(down)
    usual = 0.62 if cycle.behaviour == "walk" else 0.35
    begin = 0.0 if foot.startswith("left") else 0.5
    if not down.any() or down.all():
        return begin, usual
    first = int(np.flatnonzero(~down)[0])
    labels, count = scipy.ndimage.label(np.roll(down, -first))
    sizes = np.bincount(labels, minlength=count + 1)
    sizes[0] = 0
    longest = int(sizes.argmax())
    strike = (int(np.flatnonzero(labels == longest)[0]) + first) % n / n
    share = float(np.clip(sizes[longest] / n, LEAST_STANCE, MOST_STANCE))
    # Left about 0, right about a half: never a whole cycle away from there.
    return begin + (strike - begin + 0.5) % 1.0 - 0.5, share


def foot_tracks(foot: Footing, cycle: GaitCycle) -> dict[str, Array]:
    """The foot around one of its stances, planted.

    Parameters
    ----------
    foot : Footing
        Over the cycle.
    cycle : GaitCycle
        For its length.

    Returns
    -------
    dict of str to array
        What a node of a `GaitTable` holds of one foot, by the table's names: ``flats``, ``tracks``,
        ``turns``, ``soles`` and ``flat_soles``.
    """
    phases = _phases(foot)
    turns, points, ankle = (_at(x, phases) for x in (foot.rotations, foot.points, foot.ankle))
    turns = rot.unroll(rot.normalize(turns))
    middle = TRACK // 2
    away = phases - phases[middle]
    captured = ankle.copy()
    captured[:, 2] += away * cycle.length
    origin = captured[middle] * [1.0, 0.0, 1.0]
    captured -= origin
    stance = slice(PIECE, 2 * PIECE + 1)
    planted = roll(points, points[middle], foot.rests)
    track = captured.copy()
    track[stance] = planted[stance]
    _fade(track, captured, planted)
    track = gaussian_average(track, 1.0)
    _clear(track, points, foot.rests)
    soles = rot.rotate(rot.conjugate(turns)[:, None], points)
    return {
        "flats": origin[[0, 2]],
        "tracks": track,
        "turns": turns,
        "soles": soles,
        "flat_soles": points[middle],
    }


def _phases(foot: Footing) -> Array:
    """Phases of the samples of a track."""
    strike = foot.strike
    off = strike + foot.stance
    before = np.linspace(off - 1.0, strike, PIECE, endpoint=False)
    standing = np.linspace(strike, off, PIECE, endpoint=False)
    return np.concatenate([before, standing, np.linspace(off, strike + 1.0, PIECE + 1)])


def _at(values: Array, phases: Array) -> Array:
    """Values (N, ...) of a cycle at phases, linear between samples."""
    closed = np.concatenate([values, values[:1]])
    if values.shape[-1] == 4:
        closed = rot.unroll(closed)
    line = scipy.interpolate.make_interp_spline(np.linspace(0.0, 1.0, len(closed)), closed, 1)
    return np.asarray(line(phases % 1.0), float)


def roll(points: Array, flat: Array, rests: Array) -> Array:
    """Places of the ankle while its foot turns about heel or toe, whichever is lower.

    Parameters
    ----------
    points : array of shape (T, 2, 3), metres
        Heel and toe relative to the ankle.
    flat : array of shape (T, 2, 3) or (2, 3), metres
        The same where the foot is flat.
    rests : array of shape (2,), metres
        Heights at which they rest.

    Returns
    -------
    array of shape (T, 3), metres
        Relative to the flat ankle on the ground.
    """
    heights = points[..., 1] - rests
    lean = np.clip((heights[:, 1] - heights[:, 0]) / ROLLS, -30.0, 30.0)
    heel = (1.0 / (1.0 + np.exp(-lean)))[:, None]
    away = flat - points
    ankle: Array = heel * away[..., 0, :] + (1.0 - heel) * away[..., 1, :]
    ankle[:, 1] = -heights.min(axis=1)
    return ankle


def _fade(track: Array, captured: Array, planted: Array) -> None:
    """Let what planting changed at strike and off die away in the air, on both sides."""
    left = 1.0 - minimum_jerk(np.linspace(0.0, 1.0, PIECE + 1))
    at_strike = planted[PIECE] - captured[PIECE]
    at_off = planted[2 * PIECE] - captured[2 * PIECE]
    track[: PIECE + 1] = captured[: PIECE + 1] + left[::-1, None] * at_strike
    track[2 * PIECE :] = captured[2 * PIECE :] + left[:, None] * at_off


def _clear(track: Array, points: Array, rests: Array) -> None:
    """Lift a foot in the air that is lower than it clears the ground."""
    u = np.linspace(0.0, 1.0, PIECE + 1)
    least = CLEARANCE * np.sin(np.pi * u) ** 2
    heights = (points[..., 1] - rests).min(axis=1) + track[:, 1]
    for piece in (slice(0, PIECE + 1), slice(2 * PIECE, 3 * PIECE + 1)):
        track[piece, 1] += np.maximum(least - heights[piece], 0.0)
    standing = slice(PIECE, 2 * PIECE + 1)
    track[standing, 1] -= heights[standing]
