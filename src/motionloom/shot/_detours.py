"""Walks led around people: who walks through somebody is shown where that one is, and made anew."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, groupby
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from motionloom.constraints.kinds.avoid import Box, Cylinder
from motionloom.polygons import distance_outside
from motionloom.posed_motion import PosedMotion
from motionloom.scene.check import (
    DEPTH_LIMIT,
    EventGeometry,
    allowed_contacts,
    find_overlap,
    make_capsules,
)
from motionloom.shot.plan.planned import Plan
from motionloom.typing import Array

if TYPE_CHECKING:
    from motionloom.shot.stage import Piece, Stage


#: Methods that keep out of obstacles and know where they are to end.
WALKS = ("walk", "gait")
#: A person takes up so much of the ground, metres from the middle.
RADIUS = 0.35
#: And so much more where a detour around that was too narrow, metres.
WIDER = 0.15
#: Who walks takes up so much where they begin and end, metres from the middle.
ROOM = 0.3
#: What is smaller is not worth going around, metres.
LEAST = 0.1
#: Who is slower stands, metres per second.
STANDS = 0.3
#: Of who moves the way in this time before and behind is kept clear of, seconds.
AROUND = 0.5
#: Places are told rounded like this, metres and degrees: so a way around somebody stays as it is
#: when they stand a hair elsewhere.
PLACE_STEP, ANGLE_STEP = 0.1, 15.0
#: Bodies whose middles are farther apart than this do not touch while walking, metres.
NEAR = 1.3


@dataclass(frozen=True)
class Detour:
    """What somebody who walks keeps clear of besides the shot's obstacles.

    Parameters
    ----------
    other : str
        Who is there.
    obstacle : Cylinder or Box
        Where, in the metres of the shot.
    """

    other: str
    obstacle: Cylinder | Box


#: By character and name of a span: all of its detours.
Detours = Mapping[tuple[str, str], tuple[Detour, ...]]


@dataclass(frozen=True)
class Collisions:
    """Who walks through whom.

    Parameters
    ----------
    detours : mapping of (str, str) to tuple of Detour
        By character and span: what would have to be gone around.
    depths : tuple of float, metres
        How deep, for every span and every other.
    """

    detours: Detours
    depths: tuple[float, ...]


def find_collisions(
    plan: Plan,
    events: Sequence[EventGeometry],
    bodies: Mapping[str, PosedMotion],
    known: Detours | None = None,
) -> Collisions:
    """Find walks that lead through somebody.

    Of two who walk, the first in the cast goes first; who stands never gives way.

    Parameters
    ----------
    plan : Plan
        What happens when.
    events : sequence of EventGeometry
        Meetings: limbs that meet may touch.
    bodies : mapping of str to PosedMotion
        By character.
    known : mapping of (str, str) to tuple of Detour, optional
        What was gone around already.

    Returns
    -------
    Collisions
        Where a detour was too narrow, a wider one.
    """
    known = known or {}
    capsules = cache(lambda who: make_capsules(bodies[who]))
    detours: dict[tuple[str, str], tuple[Detour, ...]] = {}
    depths = []
    for pair in combinations(plan.tracks, 2):
        motions = (bodies[pair[0]], bodies[pair[1]])
        apart = np.hypot(*(motions[0].body[:, :2] - motions[1].body[:, :2]).T)
        runs = list(_runs(plan, pair, motions, np.flatnonzero(apart < NEAR)))
        if not runs:
            continue
        both = (capsules(pair[0]), capsules(pair[1]))
        allowed = allowed_contacts(events, pair, both)
        for who, span, frames in runs:
            found = find_overlap(both[0].at(frames), both[1].at(frames), allowed[frames])
            if found.depth <= DEPTH_LIMIT:
                continue
            depths.append(found.depth)
            other = pair[0] if who == pair[1] else pair[1]
            walks = (plan, who, span)
            tried = sum(one.other == other for one in known.get((who, span), ()))
            here = (bodies[who], bodies[other], int(frames[found.frame]))
            obstacle = _obstacle(walks, *here, RADIUS + WIDER * tried)
            if obstacle is not None:
                detours[who, span] = (*detours.get((who, span), ()), Detour(other, obstacle))
    return Collisions(detours, tuple(depths))


def with_detours(known: Detours, more: Detours) -> Detours:
    """Detours with further ones; the same where none is new."""
    every = dict(known)
    for which, own in more.items():
        before = every.get(which, ())
        every[which] = (*before, *(one for one in own if one not in before))
    return every


def stage_with(stage: Stage, detours: Sequence[Detour]) -> Stage:
    """A stage on which people stand as further obstacles; all that was learned stays known."""
    if not detours:
        return stage
    shot = stage.file.shot
    avoid = (*shot.avoid, *(one.obstacle for one in detours))
    own = copy.copy(stage)
    own.file = replace(stage.file, shot=shot.model_copy(update={"avoid": avoid}))
    return own


def told(piece: Piece, detours: Sequence[Detour], scale: float) -> Piece:
    """A piece that says whom it was led around; how near it came to them is told of both."""
    if not detours:
        return piece
    labels = tuple(_label(one.obstacle, scale) for one in detours)
    names = " and ".join(dict.fromkeys(one.other for one in detours))
    return replace(
        piece,
        rows=tuple(text for text in piece.rows if not text.startswith(labels)),
        problems=tuple(text for text in piece.problems if not text.startswith(labels)),
        notes=(*piece.notes, f"went around {names}"),
    )


def _label(obstacle: Cylinder | Box, scale: float) -> str:
    x, z = (scale * v for v in obstacle.center)
    return f"avoid {obstacle.shape} at {x:g} {z:g}"


def _runs(
    plan: Plan,
    pair: tuple[str, str],
    motions: tuple[PosedMotion, PosedMotion],
    near: NDArray[np.intp],
) -> Iterator[tuple[str, str, NDArray[np.intp]]]:
    """Who would have to give way, in which span, and in which frames."""
    speeds = [_speeds(one) for one in motions]

    def gives_way(frame: int) -> tuple[str, str]:
        for who, speed in ((pair[1], speeds[1]), (pair[0], speeds[0])):
            one = next((p for p in plan.tracks[who] if p.first <= frame < p.last), None)
            if one is not None and one.kind in WALKS and speed[frame] > STANDS:
                return who, one.name
        return "", ""

    ordered = sorted(((*gives_way(int(f)), int(f)) for f in near), key=lambda row: row[:2])
    for (who, span), rows in groupby(ordered, key=lambda row: row[:2]):
        if who:
            yield who, span, np.array([row[2] for row in rows])


def _speeds(posed: PosedMotion) -> Array:
    """How fast a body goes over the ground in every frame, metres per second."""
    return np.asarray(np.hypot(*np.gradient(posed.body[:, :2], axis=0).T) * posed.fps)


def _obstacle(
    walks: tuple[Plan, str, str], own: PosedMotion, other: PosedMotion, frame: int, widest: float
) -> Cylinder | Box | None:
    """What stands where somebody is, or goes in that moment; None where there is no room."""
    plan, who, span = walks
    planned = next(one for one in plan.tracks[who] if one.name == span)
    ends = [planned.first, planned.last]
    ends += [
        frame
        for met in plan.meetings
        if who in met.meet.between
        for frame in (met.first, met.last)
        if planned.first < frame < planned.last
    ]
    free = own.body[ends, :2]
    found = _swept(other, frame, widest)
    is_moving = _speeds(other)[frame] > STANDS
    if is_moving and distance_outside(found.outline, free).min() >= ROOM:
        return found
    center = _rounded(other.body[frame, :2])
    room = float(np.linalg.norm(free - center, axis=1).min()) - ROOM
    radius = min(widest, float(np.floor(room / 0.05) * 0.05))
    return None if radius < LEAST else Cylinder(center=center, radius=round(radius, 6))


def _swept(other: PosedMotion, frame: int, radius: float) -> Box:
    """The ground that somebody goes over around a moment."""
    reach = round(AROUND * other.fps)
    first, last = max(frame - reach, 0), min(frame + reach, other.n_frames - 1)
    way = other.body[last, :2] - other.body[first, :2]
    middle = 0.5 * (other.body[last, :2] + other.body[first, :2])
    angle = _step(float(np.degrees(np.arctan2(*way))), ANGLE_STEP)
    length = _step(float(np.hypot(*way)) + 2 * radius, PLACE_STEP)
    return Box(center=_rounded(middle), size=(round(2 * radius, 6), length), angle=angle)


def _rounded(place: Array) -> tuple[float, float]:
    """A place on the ground, as it is told."""
    return _step(float(place[0]), PLACE_STEP), _step(float(place[1]), PLACE_STEP)


def _step(value: float, step: float) -> float:
    """A number, rounded to a multiple of a step."""
    return round(round(value / step) * step, 6)
