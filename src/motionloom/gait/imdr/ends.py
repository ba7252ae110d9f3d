"""What a clip does where a gap begins or ends: how fast it goes, whereto, in which phase.

Where in its cycle a clip is: a gait table's poses laid over the clip's last or first moments.

A constant pace comes first; then the pace may change within narrow bounds. Free dynamic time
warping ([Xiao2009]_, section 5.3.3) would match a pose here and a pose there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.gait.cycle import GaitBody
from motionloom.gait.cycles.tracks import SIDES
from motionloom.gait.path.tables.table import GaitTable, legs_of, world_of
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array

#: Paces that are tried, shares of the usual one.
PACES = np.linspace(0.8, 1.25, 10)
#: The pace from frame to frame stays within these shares of the constant one that fits best.
SLOPES = (0.75, 1.0, 1.35)
#: Samples of a cycle that phases are looked for at.
FINE = 200
#: A changing pace has to fit better than the constant one by this share.
BETTER = 0.9


@dataclass(frozen=True, eq=False)
class PhaseMatch:
    """Phases of a clip's frames.

    Parameters
    ----------
    phases : array of shape (W,)
        Of the frames that were looked at, ascending.
    distance : float, metres
        Mean distance of joints.
    """

    phases: Array
    distance: float


def match_phases(
    table: GaitTable, joints: Array, speed: float, fps: float, legs: NDArray[np.intp]
) -> PhaseMatch:
    """Find the phases at which a table looks most like some frames.

    Parameters
    ----------
    table : GaitTable
        The gait over speed.
    joints : array of shape (W, J, 3), metres
        Joints of the frames relative to the root, seen along the travel.
    speed : float, metres per second
        Of the travel.
    fps : float
        Frames per second.
    legs : int array
        Joints that count.

    Returns
    -------
    PhaseMatch
    """
    cost = _costs(table, joints, speed, legs)
    usual = FINE / fps / float(table.mixed(table.durations, np.array([speed]))[0])
    phases, pace, distance = _constant(cost, usual)
    warped = _limited(cost, phases, pace * usual)
    better = float(_read(cost, warped).mean())
    if better < BETTER * distance:
        phases, distance = warped, better
    return PhaseMatch(phases / FINE, distance)


def _costs(table: GaitTable, joints: Array, speed: float, legs: NDArray[np.intp]) -> Array:
    """Mean distance of joints of every frame from every sample of the cycle, shape (W, FINE)."""
    cycle = table.mixed(table.rotations, np.array([speed]))[0]
    world = world_of(table.body, rot.normalize(cycle), np.zeros((len(cycle), 3)))
    at = np.arange(FINE) / FINE * len(cycle)
    before = at.astype(int)
    part = (at - before)[:, None, None]
    places = world.positions[:, legs]
    shown = (1 - part) * places[before] + part * places[(before + 1) % len(cycle)]
    return np.asarray(np.linalg.norm(joints[:, None, legs] - shown, axis=-1).mean(axis=-1))


def _constant(cost: Array, usual: float) -> tuple[Array, float, float]:
    """Phases (samples) at the constant pace that fits best."""
    frames = np.arange(len(cost))
    best: tuple[Array, float, float] | None = None
    for pace in PACES:
        phases = np.arange(FINE)[:, None] + pace * usual * frames
        means = _read(cost, phases).mean(axis=1)
        k = int(means.argmin())
        # A usual pace is preferred where others fit hardly better.
        better = best is None or abs(pace - 1.0) > abs(best[1] - 1.0)
        bar = np.inf if best is None else best[2] * (0.98 if better else 1.02)
        if means[k] < bar:
            best = (phases[k], float(pace), float(means[k]))
    assert best is not None
    return best


def _read(cost: Array, phases: Array) -> Array:
    """Costs (..., W) of frames at phases (..., W), in samples, linear between them."""
    before = np.floor(phases).astype(int)
    part = phases - before
    rows = np.arange(len(cost))
    return (1 - part) * cost[rows, before % FINE] + part * cost[rows, (before + 1) % FINE]


def _limited(cost: Array, near: Array, step: float) -> Array:
    """Phases whose pace changes within `SLOPES`, by dynamic programming around constant ones."""
    reach = round(0.08 * FINE)
    moves = np.unique([max(1, round(step * share)) for share in SLOPES])
    start = np.floor(near[0]) + np.arange(-reach, reach + 1)
    width = len(start) + int(moves[-1]) * (len(cost) - 1)
    total = np.full(width, np.inf)
    total[: len(start)] = cost[0, start.astype(int) % FINE]
    came = np.zeros((len(cost), width), int)
    base = int(start[0])
    samples = (base + np.arange(width)) % FINE
    for frame in range(1, len(cost)):
        shifted = np.full((len(moves), width), np.inf)
        for i, move in enumerate(moves):
            shifted[i, move:] = total[: width - move]
        choice = shifted.argmin(axis=0)
        came[frame] = moves[choice]
        total = shifted.min(axis=0) + cost[frame, samples]
    path = [int(total.argmin())]
    for frame in range(len(cost) - 1, 0, -1):
        path.append(path[-1] - int(came[frame, path[-1]]))
    return base + np.array(path[::-1], float)


#: Speed and direction of a clip's end are those of its last moments, of a whole cycle if there is
#: one, seconds.
CYCLE = 1.0
#: Where speed differs by more than this, metres per second, between a cycle and the last moments,
#: seconds, the clip starts or stops: a walk at one speed hardly does.
CHANGES, MOMENT = 0.3, 0.3
#: Slower than this a clip stands, metres per second.
STANDS = 0.25
#: Phases are matched over this time, seconds.
WINDOW = 0.4


@dataclass(frozen=True, eq=False)
class ClipEnd:
    """A clip's last moments, or its first.

    Parameters
    ----------
    posed : PosedMotion
        The clip.
    contacts : FootContacts
        Its contacts.
    frame : int
        Its frame beside the gap.
    speed : float, metres per second
        Of its travel; 0 where it stands.
    stand : GroundTransform
        Where its root is at that frame, and where it travels, or faces where it stands.
    match : PhaseMatch or None
        Its phases near the gap, the one beside it last or first; None where it stands.
    """

    posed: PosedMotion
    contacts: FootContacts
    frame: int
    speed: float
    stand: GroundTransform
    match: PhaseMatch | None

    @property
    def ground(self) -> float:
        """Height of its ground, metres."""
        return self.contacts.ground

    def standing_feet(self) -> tuple[bool, bool]:
        """Whether the left and the right foot are on the ground at that frame."""
        left, right = (bool(self.contacts.foot(f"{side}_foot")[self.frame]) for side in SIDES)
        return left, right


def find_end(posed: PosedMotion, body: GaitBody, table: GaitTable, last: bool) -> ClipEnd:
    """Look at a clip's end.

    Parameters
    ----------
    posed : PosedMotion
        The clip.
    body : GaitBody
        Of its person.
    table : GaitTable
        The gait over speed on that body.
    last : bool
        Whether its last moments count, before a gap, or its first, behind one.

    Returns
    -------
    ClipEnd
    """
    contacts = detect_contacts(posed, soles=body.soles)
    frame = posed.n_frames - 1 if last else 0
    root = posed.positions[:, body.root]
    velocity = _velocity(root[:, [0, 2]], posed.fps, last)
    speed = float(np.hypot(*velocity))
    # Who has a foot in the air is about to go where it faces.
    heading = float(posed.facing[frame] if speed < STANDS else np.arctan2(*velocity))
    stand = GroundTransform(heading, *map(float, root[frame, [0, 2]]))
    stood = ClipEnd(posed, contacts, frame, 0.0, stand, None)
    if speed < STANDS and all(stood.standing_feet()):
        return stood
    speed = max(speed, STANDS)
    count = min(posed.n_frames, max(2, round(WINDOW * posed.fps)))
    own = slice(posed.n_frames - count, posed.n_frames) if last else slice(0, count)
    joints = rot.rotate(rot.yaw(-heading), posed.positions[own] - root[own, None])
    match = match_phases(table, joints, speed, posed.fps, _told_by(body))
    return replace(stood, speed=speed, match=match)


def _told_by(body: GaitBody) -> NDArray[np.intp]:
    """Joints that tell the phase: those of the legs, and the arms' where there are any."""
    legs = [j for leg in legs_of(body).values() for j in (leg.middle, leg.tip)]
    arms = [body.roles.joint(f"{side}_{part}") for side in SIDES for part in ("elbow", "hand")]
    return np.array([*legs, *(j for j in arms if j is not None)])


def _velocity(places: Array, fps: float, last: bool) -> Array:
    """Velocity (2,) at an end: over a cycle; where a clip starts or stops, of its last moments."""
    whole = _travel(places, fps, last, CYCLE)
    moment = _travel(places, fps, last, MOMENT)
    changes = abs(np.hypot(*whole) - np.hypot(*moment)) > CHANGES
    return moment if changes else whole


def _travel(places: Array, fps: float, last: bool, seconds: float) -> Array:
    """Mean velocity (2,) over so long at an end; over less where there is less."""
    count = min(len(places) - 1, max(1, round(seconds * fps)))
    if count < 1:
        return np.zeros(2)
    own = places[-count - 1 :] if last else places[: count + 1]
    times = np.arange(len(own)) / fps
    # A straight line through the places sways less than the difference of two of them.
    times = times - times.mean()
    return np.asarray(times @ (own - own.mean(axis=0)) / (times @ times))
