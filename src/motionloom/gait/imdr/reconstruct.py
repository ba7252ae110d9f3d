"""Two clips and the gait between them: one motion."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.analysis.soles import fit_soles, slow_frames
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence
from motionloom.constraints.kinds.table import row_of
from motionloom.constraints.path_curve import path_curve
from motionloom.edit.root import move_root
from motionloom.errors import InvalidInputError
from motionloom.gait.cycle import GaitBody
from motionloom.gait.imdr._bridge import Bridge, build_bridge
from motionloom.gait.imdr.ends import ClipEnd, find_end
from motionloom.gait.path._lay import sunk
from motionloom.gait.path.tables._mix import table_of
from motionloom.gait.path.tables.table import GaitTable, legs_of
from motionloom.gait.path.way._asked import Knots, knots_of, route_of
from motionloom.gait.report import measure_kept
from motionloom.gait.space.fit import fit_gait
from motionloom.gait.space.gather import body_of
from motionloom.gait.space.space import GaitSpace, Walker
from motionloom.motion import GroundTransform, Motion, concatenate
from motionloom.posed_motion import PosedMotion
from motionloom.reports import Report, Reported, Row
from motionloom.roles import Roles, find_roles
from motionloom.rotations import wrap_angle
from motionloom.synthesis.generator import Reason
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Kinds of constraints that count in a gap.
HONOURS = frozenset({"body", "paths"})
#: Gaps are between these, seconds.
SHORTEST, LONGEST = 0.2, 600.0
#: Bones of one person differ by less than this, metres.
SAME_BONES = 0.01
#: Feet that are flat and still for less than this in the clips, seconds, about a stance of a walk,
#: do not say how high soles and hips are.
STOOD = 0.5
#: Grounds that differ by less than this, metres, are one that is not quite level.
SAME_GROUND = 0.1
#: A clip that is moved farther than this without being asked for is a problem, metres.
MOVED = 0.05
#: Between its points the curve of a path is followed by further places this far apart, seconds: 0.3
#: to 1 m for people who go. This near to a gap's ends there are none: a clip may stand aside.
DENSE, EASED = 0.4, 0.5
CLIPS = ("first", "second")
_CM = ("cm", ".1f", 100)


@dataclass(frozen=True)
class ClipMove:
    """How a clip was moved as a whole.

    Parameters
    ----------
    clip : str
        ``"first"`` or ``"second"``.
    distance : float, metres
        How far its root was moved along the ground at most.
    up : float, metres
        How far it was raised; negative for lowered.
    turned : float, degrees
        About the vertical, positive to the left.
    cause : str
        What it was moved to.
    asked : bool
        Whether a body constraint says where it stands.
    """

    clip: str
    distance: float
    up: float
    turned: float
    cause: str
    asked: bool

    def __str__(self) -> str:
        amounts = [f"by {100 * self.distance:.0f} cm"] if self.distance > 0.005 else []
        amounts += [f"up by {100 * self.up:.0f} cm"] if abs(self.up) > 0.005 else []
        turned = f" and turned by {self.turned:.0f} degrees" if abs(self.turned) > 0.5 else ""
        return (
            f"the {self.clip} clip is moved {' and '.join(amounts) or 'by less than a cm'}{turned}:"
            f" {self.cause}"
        )


@dataclass(frozen=True, eq=False)
class Reconstruction(Reported):
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
    moves : tuple of ClipMove
        How clips were moved as a whole.
    kept : tuple of Adherence
        How paths are kept to.
    missed : tuple of Reason
        Paths and places that are not met.
    """

    motion: Motion
    gap: tuple[int, int]
    bridge: Bridge
    before: ClipEnd
    behind: ClipEnd
    notes: tuple[str, ...] = ()
    moves: tuple[ClipMove, ...] = ()
    kept: tuple[Adherence, ...] = ()
    missed: tuple[Reason, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it should be, a sentence each."""
        moved = [
            f"{move}; where that is meant, ask for its place by a body constraint within its time"
            for move in self.moves
            if not move.asked and max(move.distance, abs(move.up)) > MOVED
        ]
        return (*(one.text for one in self.missed), *moved, *sunk(self.bridge.woven))

    def as_report(self) -> Report:
        """The gap, speeds in it, its ends, and how paths and clips were kept to."""
        first, last = self.gap
        speeds = self.bridge.woven.plan.way.speeds
        fps = self.motion.fps
        quartet = [float(speeds[0]), float(speeds.min()), float(speeds.max()), float(speeds[-1])]
        return self.compose(
            f"{self.motion.n_frames} frames at {fps:g} fps",
            Row("", "gap, frames", [first, last - 1]),
            Row("", "gap", (last - first) / fps, "s"),
            Row("length", "path in it", self.bridge.route.length, "m"),
            Row("speeds", "speed before, least, largest, behind", quartet, "m/s"),
            Row("pace", "steps, times their usual pace", self.bridge.rate),
            Row("drop", "hips lowered by up to", float(self.bridge.woven.drop.max()), *_CM),
            _row_of_end("before the gap", self.before),
            _row_of_end("behind the gap", self.behind),
            *map(row_of, self.kept),
            *map(str, self.moves),
            data={
                "frames": self.motion.n_frames,
                "fps": fps,
                "gap": self.gap,
                "phase_distance": [
                    end.match and end.match.distance for end in (self.before, self.behind)
                ],
                "moves": self.moves,
                "kept": self.kept,
            },
        )


def _row_of_end(where: str, end: ClipEnd) -> Row:
    if end.match is None:
        return Row("", where, "it stands")
    return Row("", f"{where}, in phase: joints from the space's", end.match.distance, *_CM)


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
    body, notes = _body_for(clips, space)
    table, told = _table_for(space, body, walker or Walker())
    notes = notes + told
    before, behind, moves = _placed(clips, body, table, constraints, seconds)
    knots = _knots_within(constraints, start.duration, seconds)
    bridge = build_bridge(table, before, behind, knots, seconds)
    # Grounds of both clips that hardly differ are one that is not quite level.
    same = abs(before.ground - behind.ground) <= SAME_GROUND
    grounds = (before.ground, (behind if same else before).ground)
    made = bridge.woven.posed.motion
    ramp = np.interp(np.arange(made.n_frames), [0, made.n_frames - 1], grounds)
    pieces = [
        _raised(before.posed.motion, grounds[0]),
        _raised(made, ramp).cut(1, made.n_frames - 1),
        _raised(behind.posed.motion, grounds[1]),
    ]
    motion = concatenate([_like(piece, before.posed.motion) for piece in pieces])
    gap = (start.n_frames, start.n_frames + pieces[1].n_frames)
    up = grounds[1] - behind.ground
    if abs(up) >= 1e-9:
        cause = "its ground is put to the height of the first one's"
        moves.append(ClipMove(CLIPS[1], 0.0, up, 0.0, cause, asked=False))
    _, kept, missed = measure_kept(PosedMotion(motion, clips[0].roles), constraints)
    return Reconstruction(motion, gap, bridge, before, behind, notes, tuple(moves), kept, missed)


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


def _body_for(clips: list[PosedMotion], space: GaitSpace) -> tuple[GaitBody, tuple[str, ...]]:
    """The body of the clips; soles of feet that hardly stand in them are those of the space."""
    soles = fit_soles(clips)
    body = body_of(clips, soles)
    person = _same_bones(space, body)
    if person is None and min(_stood(clips, body, foot) for foot in legs_of(body)) >= STOOD:
        return body, ()
    known = space.body(person)
    known = known.scaled(known.hip_height * soles.leg / known.soles.leg)
    text = (
        f"a foot stands for less than {STOOD:g} s in the clips: how high soles and hips are is"
        " taken from the gait space"
    )
    notes = () if person is not None else (text,)
    return replace(body, soles=known.soles, hip_height=known.hip_height), notes


def _stood(clips: list[PosedMotion], body: GaitBody, foot: str) -> float:
    """Seconds for which a foot is flat on the ground and still."""
    leg = body.soles.leg
    ankle, *_, toe = (body.soles.points[i].joint for i in body.soles.of(foot) * 2)
    return sum(
        float((slow_frames(clip, ankle, leg) & slow_frames(clip, toe, leg)).mean())
        * clip.motion.duration
        for clip in clips
    )


def _table_for(
    space: GaitSpace, body: GaitBody, walker: Walker
) -> tuple[GaitTable, tuple[str, ...]]:
    known = None if walker.person else _same_bones(space, body)
    own = replace(walker, person=walker.person or known, hip_height=body.hip_height)
    notes = (f"the clips have the bones of {known!r}: it is that person's gait",)
    return table_of(space, own, body=body), notes if known else ()


def _same_bones(space: GaitSpace, body: GaitBody) -> str | None:
    bones = body.skeleton.offsets
    for person, known in space.bodies.items():
        own = known.skeleton.offsets
        if own.shape == bones.shape and np.allclose(own[1:], bones[1:], atol=SAME_BONES):
            return person
    return None


def _placed(
    clips: list[PosedMotion],
    body: GaitBody,
    table: GaitTable,
    constraints: ConstraintSet,
    seconds: float,
) -> tuple[ClipEnd, ClipEnd, list[ClipMove]]:
    """Both clips where the constraints have them, and how they were moved there."""
    first = clips[0].motion.duration
    placed, moves = [], []
    times = ((0.0, first), (first + seconds, first + seconds))
    for name, clip, (begin, gap) in zip(CLIPS, clips, times, strict=True):
        end = find_end(clip, body, table, last=name == CLIPS[0])
        found = _move_asked(clip, end, constraints, begin, gap)
        if found is not None:
            moved, cause = found
            place = end.posed.body[:, :2]
            end = replace(end, posed=clip.transformed(moved), stand=moved.compose(end.stand))
            distance = float(np.hypot(*(end.posed.body[:, :2] - place).T).max())
            turned = float(np.degrees(wrap_angle(moved.angle)))
            asked = cause.startswith("a body")
            moves.append(ClipMove(name, distance, 0.0, turned, cause, asked))
        # Between the clips the ground is level: theirs are put to height 0 until all is made.
        level = _raised(end.posed.motion, -end.ground)
        placed.append(replace(end, posed=end.posed.with_motion(level)))
    return placed[0], placed[1], moves


def _move_asked(
    clip: PosedMotion, end: ClipEnd, constraints: ConstraintSet, begin: float, gap: float
) -> tuple[GroundTransform, str] | None:
    """How a clip is moved to where it is asked for, and by what; None where nothing asks."""
    for c in constraints.body:
        if begin - 1e-6 <= c.time <= begin + clip.motion.duration + 1e-6:
            frame = min(round((c.time - begin) * clip.fps), clip.n_frames - 1)
            own = GroundTransform.of_body(clip.body[frame])
            cause = f"a body constraint at {c.time:g} s says where it stands"
            return c.stand(own.angle).compose(own.inverse()), cause
    knots = knots_of(constraints)
    on_way = knots and knots.times[0] - 1e-6 <= gap <= knots.times[-1] + 1e-6
    if not constraints.paths or knots is None or not on_way:
        return None
    route = route_of(knots)
    there = route.at(float(np.interp(gap, knots.times, route.marks)))
    wanted = GroundTransform(float(there.angle), float(there.x), float(there.z))
    cause = f"at {gap:.2f} s the path leads through [{wanted.x:.2f}, {wanted.z:.2f}]"
    return wanted.compose(end.stand.inverse()), cause


def _knots_within(constraints: ConstraintSet, begin: float, seconds: float) -> Knots | None:
    """Places asked for within the gap, at times from its begin."""
    knots = knots_of(constraints)
    if knots is None:
        return None
    if constraints.paths:
        knots = _along_curve(knots, begin + EASED, begin + seconds - EASED)
    times = knots.times - begin
    keep = (times > 0) & (times < seconds)
    return Knots(knots.points[keep], times[keep], knots.curve, knots.headings[keep])


def _along_curve(knots: Knots, first: float, last: float) -> Knots:
    """Knots of paths with further ones on their curve, between two times."""
    curve = path_curve(knots.points, knots.curve)
    begin = max(first, float(knots.times[0]))
    end = min(last, float(knots.times[-1]))
    more = np.linspace(begin, end, max(int((end - begin) / DENSE), 0) + 1)[1:-1]
    own = knots.times
    more = more[np.abs(more[:, None] - own).min(axis=1) > 0.75 * DENSE]
    times = np.sort(np.concatenate([own, more]))
    places = curve.at(np.interp(times, own, curve.marks)).ground
    return Knots(places, times, knots.curve, np.full(len(times), np.nan))


def _like(motion: Motion, like: Motion) -> Motion:
    """A motion with the skeleton and translated joints of another."""
    local = replace(motion, skeleton=like.skeleton, name=like.name, source=like.source)
    wanted = tuple(sorted({*like.translated, *motion.translated}))
    if local.translated != wanted:
        local = local.with_translated(wanted)
    return replace(local, frame_time=like.frame_time)


def _raised(motion: Motion, height: float | Array) -> Motion:
    """A motion higher by so many metres, in all frames or in each of them."""
    up = np.zeros((motion.n_frames, 3))
    up[:, 1] = height
    return move_root(motion, up)
