"""How feet go from foothold to foothold: captured steps, led over edges, put down forefoot first
where they go down a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.curves import gaussian_average, smooth_envelope
from motionloom.physics.terrain._footholds import Foothold, Heights
from motionloom.physics.terrain._stances import Sole
from motionloom.physics.terrain._swing import track as swings
from motionloom.posed_motion import PosedMotion
from motionloom.typing import Array, Bools, Ints

#: How swings are bent in time: later where they go up, earlier where they go down.
BENT = (1.0, 1.25, 1.6, 2.0, 2.6)


@dataclass(frozen=True, eq=False)
class FootPlan:
    """What one foot shall do.

    Parameters
    ----------
    ankles : array of shape (T, 3), metres
        World places of its joint.
    rotations : array of shape (T, 4)
        World rotations of that joint.
    toe_turn : array of shape (T,), radians
        By which toes turn up against the foot, where they have a joint.
    down : bool array of shape (T, P)
        Which points of its sole bear.
    held : bool array of shape (T, P)
        Which of them stand still.
    places : array of shape (T, P, 3), metres
        Where they do; what is not held does not count.
    """

    ankles: Array
    rotations: Array
    toe_turn: Array
    down: Bools
    held: Bools
    places: Array


def plan_foot(
    posed: PosedMotion,
    contacts: FootContacts,
    foot: str,
    holds: Sequence[Foothold],
    sole: Sole,
    heights: Heights,
) -> FootPlan:
    """Lead one foot over its footholds.

    Parameters
    ----------
    posed : PosedMotion
        The level motion.
    contacts : FootContacts
        Which points of its feet bear on level ground.
    foot : str
        Role of the foot.
    holds : sequence of Foothold
        Of this foot.
    sole : Sole
        Its outline.
    heights : callable
        Heights of the ground.

    Returns
    -------
    FootPlan
    """
    soles = contacts.soles
    own = list(soles.of(foot))
    points = soles.positions(posed)[:, own]
    joint = posed.roles.joints[foot]
    places = points[:, -1], points[:, 0], posed.positions[:, joint]
    rests = np.array([soles.points[i].rest for i in own])
    level = swings.Captured(*places, posed.rotations[:, joint], rests, soles.ground, posed.fps)
    level = level.standing_still(holds)
    phases = swings.find_phases(holds, posed.n_frames, posed.fps)
    half = max(1, round(swings.FADE * posed.fps / 2))
    level = level.calm(np.clip(smooth_envelope(phases.stepping, half), 0.0, 1.0))
    tracks = [swings.Track(level, holds, phases, sole, heights, bent) for bent in BENT]
    bent = np.array(BENT)[_least_effort(tracks, holds, posed.fps)]
    track = swings.Track(level, holds, phases, sole, heights, bent)
    turns = rot.multiply(track.turns, level.rotations)
    bears = _contacts(level, holds, phases, contacts.down[:, own])
    return FootPlan(track.ankle, turns, track.toe_turn, *bears)


def _least_effort(tracks: Sequence[swings.Track], holds: Sequence[Foothold], fps: float) -> Ints:
    """For every frame the track that goes through its swing with the least acceleration."""
    best = np.zeros(len(tracks[0].ball), np.int64)
    efforts = [
        np.sum((np.diff(gaussian_average(t.ball, 0.02 * fps), 2, axis=0) * fps**2) ** 2, axis=1)
        for t in tracks
    ]
    for a, b in pairwise(holds):
        swing = slice(a.stance.last + 1, b.stance.start)
        if a.level != b.level and swing.stop > swing.start:
            best[swing] = int(np.argmin([effort[swing].sum() for effort in efforts]))
    return best


def _contacts(
    level: swings.Captured, holds: Sequence[Foothold], phases: swings.Phases, bears: Bools
) -> tuple[Bools, Bools, Array]:
    """Which points of the sole bear, which stand, and where."""
    down, held = np.zeros((2, *bears.shape), bool)
    places = np.zeros((*bears.shape, 3))
    follows = round(swings.HEEL_FOLLOWS * level.fps)
    for hold in holds:
        s = hold.stance
        if s.start >= len(bears):
            continue
        run = slice(s.start, s.stop)
        down[run] = bears[run]
        held[s.first : s.last + 1, -1] = True
        if s.flat is not None:
            held[s.flat[0] : s.flat[1] + 1, 0] = True
        for bearing in (held, down) if phases.landing[s.start] > 0.5 else ():
            bearing[s.start : s.last + 1, -1] = True
            if down.shape[1] > 1:
                bearing[s.start : min(s.stop, s.start + follows), 0] = False
        flat = slice(s.flat[0], s.flat[1] + 1) if s.flat else slice(s.first, s.last + 1)
        heel = (level.heel - level.ball)[flat].mean(axis=0)
        own = [hold.ball + rot.rotate(rot.yaw(np.array(hold.turn)), heel)[[0, 2]], hold.ball]
        for i, place in enumerate(own[-down.shape[1] :]):
            places[run, i] = [place[0], hold.plane(place) + level.rests[i], place[1]]
    return down, held, places
