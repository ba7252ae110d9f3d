"""Two clips and the gait between them: one motion."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.soles import fit_soles
from motionloom.constraints import ConstraintSet
from motionloom.edit.root import move_root
from motionloom.errors import InvalidInputError
from motionloom.gait.body import GaitBody
from motionloom.gait.imdr.bridge import Bridge, build_bridge
from motionloom.gait.imdr.ends import ClipEnd, find_end
from motionloom.gait.make import Walker
from motionloom.gait.path.tables.nodes import table_of
from motionloom.gait.path.tables.table import GaitTable
from motionloom.gait.path.way.asked import Knots, knots_of, route_of
from motionloom.gait.space.fit import fit_gait
from motionloom.gait.space.gather import body_of
from motionloom.gait.space.space import GaitSpace
from motionloom.motion import GroundTransform, Motion, concatenate
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles, find_roles
from motionloom.threads import one_thread

#: Kinds of constraints that count in a gap.
HONOURS = frozenset({"body", "paths"})
#: Gaps are between these, seconds.
SHORTEST, LONGEST = 0.2, 600.0
#: Bones of one person differ by less than this, metres.
SAME_BONES = 0.01
#: Grounds that differ by less than this, metres, are one that is not quite level.
SAME_GROUND = 0.1


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """One motion out of two clips.

    Parameters
    ----------
    motion : Motion
        The first clip, the gait between, the second clip.
    gap : pair of int
        First made frame, and the first frame of the second clip.
    bridge : Bridge
        What was made.
    before, behind : ClipEnd
        What the clips do beside the gap.
    notes : tuple of str
        What was guessed, one sentence each.
    """

    motion: Motion
    gap: tuple[int, int]
    bridge: Bridge
    before: ClipEnd
    behind: ClipEnd
    notes: tuple[str, ...] = ()

    def to_dict(self) -> Mapping[str, Any]:
        """Plain values by name."""
        speeds = self.bridge.woven.plan.way.speeds
        return {
            "frames": self.motion.n_frames,
            "fps": self.motion.fps,
            "gap": list(self.gap),
            "length": self.bridge.route.length,
            "speeds": [float(f(speeds)) for f in (_first, np.min, np.max, _last)],
            "pace": self.bridge.rate,
            "phase_distance": [
                None if end.match is None else end.match.distance
                for end in (self.before, self.behind)
            ],
            "drop": float(self.bridge.woven.drop.max()),
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), indent=1)

    def to_text(self) -> str:
        """A few lines for people."""
        first, last = self.gap
        speeds = self.bridge.woven.plan.way.speeds
        fps = self.motion.fps
        lines = [
            f"{self.motion.n_frames} frames at {fps:g} fps",
            f"gap: frames {first} to {last - 1} ({(last - first) / fps:.2f} s),"
            f" {self.bridge.route.length:.2f} m",
            f"speed: {speeds[0]:.2f} m/s before, {speeds.min():.2f} to {speeds.max():.2f} in it,"
            f" {speeds[-1]:.2f} behind",
            f"steps at {self.bridge.rate:.2f} x their usual pace",
            f"hips lowered by up to {100 * self.bridge.woven.drop.max():.1f} cm",
        ]
        for name, end in (("before", self.before), ("behind", self.behind)):
            lines.append(
                f"{name}: it stands"
                if end.match is None
                else f"{name}: in phase, joints {100 * end.match.distance:.1f} cm from the space's"
            )
        return "\n".join(lines)


@one_thread()
def reconstruct(
    start: Motion,
    end: Motion,
    constraints: ConstraintSet,
    space: GaitSpace | None = None,
    roles: Roles | None = None,
    walker: Walker | None = None,
) -> Reconstruction:
    """Fill the gap between two clips by gait along a path.

    The motion lasts as long as the constraints say: `start` plays from time 0, `end` until the last
    frame, and what is between is made. A body constraint within a clip's time, else a path that
    covers the moment beside the gap, says where that clip stands; else it stays where it is.

    Parameters
    ----------
    start, end : Motion
        Clips of one skeleton; they may walk, run or stand beside the gap.
    constraints : ConstraintSet
        Its duration, paths and body constraints count; at the clips' frame rate.
    space : GaitSpace, optional
        What cycles are asked of; learned from both clips when not given.
    roles : Roles, optional
        Which joint plays which part; found from the skeleton when not given.
    walker : Walker, optional
        Whose gait it is; the person with the clips' bones when not given.

    Returns
    -------
    Reconstruction

    Raises
    ------
    InvalidInputError
        When clips differ in joints or rate, or leave no time for a gap.
    """
    clips = [PosedMotion(motion, roles or find_roles(motion.skeleton)) for motion in (start, end)]
    seconds = _gap_seconds(start, end, constraints)
    if space is None:
        space = fit_gait([start, end], roles=roles)
    elif not space.body().skeleton.has_topology_of(start.skeleton):
        raise InvalidInputError(
            "this gait space is of another skeleton than the clips; fit one on clips like them"
        )
    body = body_of(clips, fit_soles(clips))
    table, notes = _table_for(space, body, walker)
    before, behind = _placed(clips, body, table, constraints, seconds)
    knots = _knots_within(constraints, start.duration, seconds)
    bridge = build_bridge(table, before, behind, knots, seconds)
    grounds, told = _grounds(before, behind)
    made = bridge.woven.posed.motion
    ramp = np.interp(np.arange(made.n_frames), [0, made.n_frames - 1], grounds)
    pieces = [
        _raised(before.posed.motion, grounds[0]),
        _raised(made, ramp).cut(1, made.n_frames - 1),
        _raised(behind.posed.motion, grounds[1]),
    ]
    motion = concatenate([_like(piece, before.posed.motion) for piece in pieces])
    notes = notes + told
    gap = (start.n_frames, start.n_frames + pieces[1].n_frames)
    return Reconstruction(motion, gap, bridge, before, behind, notes)


def _first(values: NDArray[np.float64]) -> float:
    return float(values[0])


def _last(values: NDArray[np.float64]) -> float:
    return float(values[-1])


def _gap_seconds(start: Motion, end: Motion, constraints: ConstraintSet) -> float:
    for clip in (start, end):
        if abs(clip.fps / constraints.fps - 1) > 1e-6:
            raise InvalidInputError(
                f"the constraints are at {constraints.fps:g} frames per second, the clip"
                f" {clip.name!r} at {clip.fps:g}; use one rate"
            )
        if clip.n_frames < 2:
            raise InvalidInputError(f"the clip {clip.name!r} needs two frames or more")
    if not start.skeleton.has_topology_of(end.skeleton):
        raise InvalidInputError(
            f"the clips {start.name!r} and {end.name!r} have different joints; bring one onto the"
            " other's skeleton",
            hint="retarget",
        )
    seconds = constraints.duration - start.duration - end.duration
    if not SHORTEST <= seconds <= LONGEST:
        raise InvalidInputError(
            f"the constraints last {constraints.duration:g} s, the clips {start.duration:g} and"
            f" {end.duration:g} s, which leaves {seconds:.2f} s for the gap; expected"
            f" {SHORTEST:g} to {LONGEST:g}: the duration is that of both clips and the gap"
        )
    return round(seconds * constraints.fps) / constraints.fps


def _table_for(
    space: GaitSpace, body: GaitBody, walker: Walker | None
) -> tuple[GaitTable, tuple[str, ...]]:
    walker = walker or Walker()
    notes: tuple[str, ...] = ()
    person = walker.person
    if person is None:
        person = _same_bones(space, body)
        if person is not None:
            notes = (f"the clips have the bones of {person!r}: it is that person's gait",)
    table = table_of(space, person, body.hip_height, walker.style, body=body)
    return table, notes


def _same_bones(space: GaitSpace, body: GaitBody) -> str | None:
    for person in space.persons:
        own = space.body(person).skeleton.offsets
        if own.shape == body.skeleton.offsets.shape and np.allclose(
            own[1:], body.skeleton.offsets[1:], atol=SAME_BONES
        ):
            return person
    return None


def _placed(
    clips: list[PosedMotion],
    body: GaitBody,
    table: GaitTable,
    constraints: ConstraintSet,
    seconds: float,
) -> tuple[ClipEnd, ClipEnd]:
    """Both clips where the constraints have them."""
    ends = [find_end(clips[0], body, table, True), find_end(clips[1], body, table, False)]
    begins = [0.0, clips[0].motion.duration + seconds]
    beside = [clips[0].motion.duration, begins[1]]
    placed = []
    for clip, end, begin, gap in zip(clips, ends, begins, beside, strict=True):
        moved = _move_asked(clip, end, constraints, begin, gap)
        if moved is not None:
            end = replace(end, posed=clip.transformed(moved), stand=moved.compose(end.stand))
        # Between the clips the ground is level: theirs are put to height 0 until all is made.
        level = _raised(end.posed.motion, -end.ground)
        placed.append(replace(end, posed=end.posed.with_motion(level)))
    return placed[0], placed[1]


def _move_asked(
    clip: PosedMotion, end: ClipEnd, constraints: ConstraintSet, begin: float, gap: float
) -> GroundTransform | None:
    """How a clip is moved to where it is asked for; None where nothing asks."""
    for c in constraints.body:
        if begin - 1e-6 <= c.time <= begin + clip.motion.duration + 1e-6:
            frame = min(round((c.time - begin) * clip.fps), clip.n_frames - 1)
            own = GroundTransform.of_body(clip.body[frame])
            return c.stand(own.angle).compose(own.inverse())
    knots = knots_of(constraints)
    if not constraints.paths or knots is None:
        return None
    if not knots.times[0] - 1e-6 <= gap <= knots.times[-1] + 1e-6:
        return None
    route = route_of(knots)
    there = route.at(float(np.interp(gap, knots.times, route.marks)))
    wanted = GroundTransform(float(there.angle), float(there.x), float(there.z))
    return wanted.compose(end.stand.inverse())


def _knots_within(constraints: ConstraintSet, begin: float, seconds: float) -> Knots | None:
    """Places asked for within the gap, at times from its begin."""
    knots = knots_of(constraints)
    if knots is None:
        return None
    times = knots.times - begin
    keep = (times > 0) & (times < seconds)
    return Knots(knots.points[keep], times[keep], knots.curve, knots.headings[keep])


def _like(motion: Motion, like: Motion) -> Motion:
    """A motion with the skeleton and translated joints of another."""
    local = replace(motion, skeleton=like.skeleton, name=like.name, source=like.source)
    wanted = tuple(sorted({*like.translated, *motion.translated}))
    if local.translated != wanted:
        local = local.with_translated(wanted)
    return replace(local, frame_time=like.frame_time)


def _grounds(before: ClipEnd, behind: ClipEnd) -> tuple[tuple[float, float], tuple[str, ...]]:
    """Heights of the ground under both clips in the result, metres."""
    first, last = before.ground, behind.ground
    if abs(first - last) <= SAME_GROUND:
        return (first, last), ()
    text = (
        f"the second clip's ground is {100 * (last - first):.0f} cm higher than the first one's; it"
        " is put on the same"
    )
    return (first, first), (text,)


def _raised(motion: Motion, height: float | NDArray[np.float64]) -> Motion:
    """A motion higher by so many metres, in all frames or in each of them."""
    up = np.zeros((motion.n_frames, 3))
    up[:, 1] = height
    return move_root(motion, up)
