"""Plain motion matching: the measure that anything cleverer has to beat; called by
`critic_tasks.py`.

Ten frames at a time the clip frame is played whose feet, hips and next second are most like the
feet and hips of now and the next second of a curve through the body constraints. Jumps are
inertialized; feet are not locked, and nothing is bent to meet the constraints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicHermiteSpline

from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import ClipSet
from motionloom.clips.pieces import GraphWalk, Piece
from motionloom.constraints import ConstraintSet
from motionloom.graph.joining import JoinOptions, make_draft
from motionloom.motion import GroundTransform, Motion
from motionloom_evaluation.critic import Provenance, SourcePiece

Array = NDArray[np.float64]

#: Frames from one choice to the next, and how far ahead the body's way is compared.
STEP, AHEAD = 10, (10, 20, 30)
#: What place and facing ahead weigh, beside feet and hips at 1.
WAY = 1.5


@dataclass(frozen=True, eq=False)
class Database:
    """What clip frames that a second follows are compared by: state, way ahead, and their scale."""

    frames: NDArray[np.int64]
    states: Array
    ways: Array
    scale: Array


def into_body(body: Array, points: Array) -> Array:
    """Points (..., 2) on the ground as seen from bodies (..., 3) at x, z and facing."""
    away = points - body[..., :2]
    c = np.cos(body[..., 2])
    s = np.sin(body[..., 2])
    x = away[..., 0]
    z = away[..., 1]
    return np.stack([c * x - s * z, s * x + c * z], axis=-1)


def way_ahead(body: Array, ahead: Array) -> Array:
    """Places and facings ahead (..., K, 3) as seen from bodies (..., 3), flat."""
    places = into_body(body[..., None, :], ahead[..., :2])
    turn = ahead[..., 2] - body[..., None, 2]
    rows = np.concatenate([places, np.sin(turn)[..., None], np.cos(turn)[..., None]], axis=-1)
    return rows.reshape(*body.shape[:-1], -1)


def make_database(clips: ClipSet) -> Database:
    """Features of all frames."""
    feet = [clips.roles.joints[foot] for foot in clips.roles.feet]
    ends = zip(clips.starts[:-1], clips.starts[1:] - AHEAD[-1] - 1, strict=True)
    chosen = np.concatenate([np.arange(start, stop) for start, stop in ends])
    body = clips.body[chosen]
    later = clips.body[chosen[:, None] + AHEAD]
    parts = []
    for joint in (*feet, clips.roles.joints["hips"]):
        now = clips.positions[chosen, joint]
        step = clips.positions[chosen + 1, joint] - now
        velocity = into_body(np.column_stack([0 * body[:, :2], body[:, 2]]), step[:, [0, 2]])
        parts += [
            into_body(body, now[:, [0, 2]]),
            now[:, 1:2],
            velocity * clips.fps,
            step[:, 1:2] * clips.fps,
        ]
    states = np.concatenate(parts, axis=1)
    ways = way_ahead(body, later)
    scale = np.concatenate([states, ways], axis=1).std(axis=0) + 1e-3
    return Database(chosen, states, ways, scale)


def wanted_way(task: ConstraintSet, fps: float) -> Array:
    """Place and facing wanted in every frame and a second after, shape (T, 3)."""
    held = sorted(task.body, key=lambda c: c.time)
    times = np.array([c.time for c in held])
    places = np.array([c.position for c in held])
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) / np.diff(times)
    speeds = np.concatenate([speeds[:1], 0.5 * (speeds[1:] + speeds[:-1]), speeds[-1:]])
    rough = np.gradient(places, times, axis=0)
    facings = [c.facing for c in held]
    ways = np.degrees(np.arctan2(rough[:, 0], rough[:, 1]))
    angles = np.radians([w if f is None else f for f, w in zip(facings, ways, strict=True)])
    tangents = speeds[:, None] * np.column_stack([np.sin(angles), np.cos(angles)])
    curve = CubicHermiteSpline(times, places, tangents)
    own = np.arange(task.n_frames + AHEAD[-1] + 1) / fps
    inside = np.clip(own, times[0], times[-1])
    way = curve(inside) + (own - inside)[:, None] * tangents[-1]
    velocity = curve(inside, 1)
    return np.column_stack([way, np.unwrap(np.arctan2(velocity[:, 0], velocity[:, 1]))])


def match_task(clips: ClipSet, task: ConstraintSet, name: str) -> tuple[Motion, Provenance]:
    """A motion along the body constraints of a task, and what it is made of."""
    data = make_database(clips)
    wanted = wanted_way(task, clips.fps)
    x, z, angle = wanted[0]
    body = np.array([x, z, angle])
    pieces: list[Piece] = []
    state = None
    place = GroundTransform(angle, x, z)
    for begin in range(0, task.n_frames, STEP):
        ahead = way_ahead(body, wanted[begin + np.array(AHEAD)])
        cost = (WAY * (data.ways - ahead) / data.scale[data.states.shape[1] :]) ** 2
        total = cost.sum(axis=1)
        if state is not None:
            total += (((data.states - state) / data.scale[: data.states.shape[1]]) ** 2).sum(axis=1)
        row = int(total.argmin())
        clip = int(np.searchsorted(clips.starts, data.frames[row], side="right")) - 1
        first = int(data.frames[row] - clips.starts[clip])
        if pieces and (pieces[-1].clip, pieces[-1].stop) == (clip, first):
            pieces[-1] = replace(pieces[-1], stop=first + STEP)
        else:
            pieces.append(Piece(clip, first, first + STEP))
        # Near a clip's end the last of its states stands for those that follow.
        then = int(np.searchsorted(data.frames, data.frames[row] + STEP, side="right")) - 1
        state = data.states[then]
        here = GroundTransform(*(clips.body[data.frames[row]][[2, 0, 1]]))
        after = GroundTransform(*(clips.body[data.frames[row] + STEP][[2, 0, 1]]))
        place = place.compose(here.inverse()).compose(after)
        body = np.array([place.x, place.z, place.angle])
    return _join(clips, task, name, tuple(pieces), GroundTransform(angle, x, z))


def _join(
    clips: ClipSet, task: ConstraintSet, name: str, pieces: tuple[Piece, ...], at: GroundTransform
) -> tuple[Motion, Provenance]:
    x, z, angle = clips.body[clips.starts[pieces[0].clip] + pieces[0].start]
    start = at.compose(GroundTransform(angle, x, z).inverse())
    plain = task.model_copy(update={"joints": (), "poses": ()})
    draft = make_draft(
        analyse_clips(clips), GraphWalk(pieces), start, plain, JoinOptions("inertialize")
    )
    own = tuple(SourcePiece(clips.names[p.clip], p.start, p.stop) for p in pieces)
    return replace(draft.motion, name=name), Provenance(clips.fps, own)
