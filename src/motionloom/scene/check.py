"""Events on finished motions: which frames and joints they are about, how well they are met, what
may touch.

The last correction of a scene: joints that meet, such as hands, are brought exactly together,
half each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints.scene import Meeting, Tolerance
from motionloom.curves import minimum_jerk
from motionloom.edit.limbs import solve_limb
from motionloom.edit.reach import find_limb
from motionloom.motion import GroundTransform
from motionloom.polygons import segment_distance
from motionloom.posed_motion import PosedMotion
from motionloom.progress import breathe
from motionloom.reports import Report, Reported, Section, fields_of, shown, table_of
from motionloom.roles import Limb, Roles
from motionloom.rotations import wrap_angle
from motionloom.scene.placement import Relation, find_joint, find_relation, meeting_points
from motionloom.skeleton import Skeleton
from motionloom.synthesis.report import SynthesisReport
from motionloom.typing import Array, Bools, Ints

#: Radius of the flesh around a bone by the part that its upper joint plays, metres, for a body of
#: `_STATURE`.
_TRUNK = {"hips": 0.11, "spine": 0.11, "chest": 0.11, "neck": 0.06, "head": 0.085}
_ARM = {"shoulder": 0.045, "elbow": 0.038, "hand": 0.03}
_RADII = {**_TRUNK, **_ARM, "hip": 0.07, "knee": 0.05, "foot": 0.04, "toe": 0.03}
_STATURE = 1.7
#: Radius of bones from the trunk out to a shoulder or hip.
_YOKE = 0.07
#: Bones shorter than this (metres) are none.
_SHORTEST = 1e-3


@dataclass(frozen=True, eq=False)
class Capsules:
    """A body in motion as capsules.

    Parameters
    ----------
    starts, ends : array of shape (T, B, 3), metres
        Where each bone begins and ends, in every frame.
    radii : array of shape (B,), metres
        The same in all frames; scaled to the body's height.
    joints : int array of shape (B,)
        The joint that carries each bone.
    names : tuple of str
        Its name.
    """

    starts: Array
    ends: Array
    radii: Array
    joints: Ints
    names: tuple[str, ...]
    posed: PosedMotion

    def at(self, frames: Ints) -> Capsules:
        """Some frames of them."""
        return replace(self, starts=self.starts[frames], ends=self.ends[frames])


@dataclass(frozen=True)
class Overlap:
    """The deepest interpenetration of two bodies.

    Parameters
    ----------
    depth : float, metres
        0 when they never touch.
    frame : int
        Where it is deepest; the frame in which they are nearest otherwise.
    frames : int
        In how many frames they interpenetrate.
    bones : tuple of (str, str)
        Joints that carry the two bones.
    """

    depth: float
    frame: int
    frames: int
    bones: tuple[str, str]


def make_capsules(posed: PosedMotion) -> Capsules:
    """Wrap every bone of a motion's skeleton, in every frame, in a capsule.

    Parameters
    ----------
    posed : PosedMotion
        The motion.

    Returns
    -------
    Capsules
    """
    skeleton = posed.skeleton
    roles = posed.roles
    points = np.concatenate([posed.positions, posed.end_sites], axis=1)
    parents = np.concatenate([skeleton.parents, skeleton.end_parents])
    body = skeleton.descendants(roles.joints["hips"])
    tips = np.array([p for p in range(len(parents)) if parents[p] in body], int)
    owners = parents[tips]
    lengths = np.linalg.norm(points[0, tips] - points[0, owners], axis=-1)
    tips = tips[lengths > _SHORTEST]
    owners = owners[lengths > _SHORTEST]
    stature = float(np.median(np.ptp(points[:, tips, 1], axis=1)))
    part_of = _parts(skeleton, roles)
    radii = [
        _radius(part_of[j], part_of[p] if p < skeleton.n_joints else "")
        for j, p in zip(owners, tips, strict=True)
    ]
    names = tuple(skeleton.names[j] for j in owners)
    sizes = np.array(radii) * stature / _STATURE
    return Capsules(points[:, owners], points[:, tips], sizes, owners, names, posed)


def _parts(skeleton: Skeleton, roles: Roles) -> list[str]:
    """Part that every joint, or the nearest joint above it, plays (without its side)."""
    own = {j: role.removeprefix("left_").removeprefix("right_") for role, j in roles.joints.items()}
    parts: list[str] = []
    for j, parent in enumerate(skeleton.parents):
        parts.append(own.get(j, parts[parent] if parent >= 0 else "hips"))
    return parts


def _radius(part: str, far_part: str) -> float:
    if far_part in ("shoulder", "hip") and far_part != part:
        return _YOKE
    return _RADII.get(part, _RADII["hand"])


def find_overlap(a: Capsules, b: Capsules, allowed: Bools | None = None) -> Overlap:
    """Deepest interpenetration of two bodies.

    Parameters
    ----------
    a, b : Capsules
        With the same number of frames.
    allowed : bool array of shape (T, Ba, Bb), optional
        Pairs of bones that may touch.

    Returns
    -------
    Overlap
        The deepest of all frames and pairs of bones.
    """
    gap = np.concatenate([_gaps(a, b, rows) for rows in _chunks(len(a.starts))])
    if allowed is not None:
        gap = np.where(allowed, np.inf, gap)
    nearest = gap.reshape(len(gap), -1).min(axis=1)
    frame = int(nearest.argmin())
    i, j = np.unravel_index(int(gap[frame].argmin()), gap.shape[1:])
    depth = max(0.0, float(-nearest[frame]))
    return Overlap(depth, frame, int((nearest < 0).sum()), (a.names[i], b.names[j]))


#: Frames that are worked on at a time.
_CHUNK = 64


def _chunks(count: int) -> Iterator[slice]:
    for at in range(0, max(count, 1), _CHUNK):
        breathe()
        yield slice(at, at + _CHUNK)


def _gaps(a: Capsules, b: Capsules, rows: slice) -> Array:
    """How far every two capsules are apart in some frames; negative where they overlap."""
    first = np.stack([a.starts[rows], a.ends[rows]], axis=-2)
    second = np.stack([b.starts[rows], b.ends[rows]], axis=-2)
    between = segment_distance(first[:, :, None], second[:, None])
    return between - (a.radii[:, None] + b.radii)


#: Bodies that interpenetrate by more than this (metres) are called a problem.
DEPTH_LIMIT = 0.01


@dataclass(frozen=True)
class EventOutcome:
    """What became of one event.

    Parameters
    ----------
    name : str
        Of the event.
    time : float, seconds
        Begin of the event.
    between : tuple of (str, str)
        The two characters.
    spot : GroundTransform
        The middle between the two, facing from the first to the second.
    place : float, metres
        Error of where the second stands, seen from the first; the larger one where the event is
        held.
    facing : float, degrees
        Error of where the second faces, seen from the first.
    joints_before, joints_after : float or None, metres
        How far the joints that meet are from where they should be to each other, over the whole
        time of the event, before and after the last correction of both; None where none meet.
    tolerance : Tolerance
        What still counts as met.
    """

    name: str = field(metadata=shown("event"))
    time: float = field(metadata=shown("at", "s"))
    between: tuple[str, str] = field(metadata=shown("of"))
    spot: GroundTransform
    place: float = field(metadata=shown("apart", "mm", ".1f", 1000))
    facing: float = field(metadata=shown("facing", "deg"))
    joints_before: float | None = field(metadata=shown("joints before", "mm", ".1f", 1000))
    joints_after: float | None = field(metadata=shown("joints after", "mm", ".1f", 1000))
    tolerance: Tolerance

    @property
    def label(self) -> str:
        """The event as messages name it."""
        return f"{self.name} of {self.between[0]} and {self.between[1]} at {self.time:g} s"

    @property
    def missed(self) -> str:
        """The event and its problems."""
        return f"{self.label}: {' and '.join(self.problems)}"

    @property
    def problems(self) -> list[str]:
        """What is beyond the tolerance, in words."""
        missed = []
        if self.place > self.tolerance.place:
            missed.append(f"they stand {100 * self.place:.0f} cm wrong to each other")
        if self.facing > self.tolerance.facing:
            missed.append(f"they face {self.facing:.0f} degrees wrong")
        if self.joints_after is not None and self.joints_after > self.tolerance.joints:
            missed.append(f"the joints miss each other by {100 * self.joints_after:.0f} cm")
        return missed


@dataclass(frozen=True)
class PairOverlap:
    """Deepest interpenetration of two characters outside what their events allow.

    Parameters
    ----------
    between : tuple of (str, str)
        The two characters.
    depth : float, millimetres
        0 when they never touch.
    time : float, seconds
        When it is deepest.
    seconds : float
        How long they interpenetrate altogether.
    bones : tuple of (str, str)
        Joints that carry the two bones.
    """

    between: tuple[str, str] = field(metadata=shown("characters"))
    depth: float = field(metadata=shown("deepest", "mm", ".0f"))
    time: float = field(metadata=shown("at", "s"))
    seconds: float = field(metadata=shown("in all", "s"))
    bones: tuple[str, str] = field(metadata=shown("bones"))


@dataclass(frozen=True)
class SceneReport(Reported):
    """Report on a scene.

    Parameters
    ----------
    seed : int
        That the scene was asked for with.
    characters : mapping of str to SynthesisReport
        By character.
    events : tuple of EventOutcome
        In the order of the scene.
    overlaps : tuple of PairOverlap
        One per pair of characters.
    combinations : int
        Of the characters' alternatives, compared for interpenetration.
    rounds : int
        Rounds of searches; more than one where the first met no combination without
        interpenetration.
    """

    seed: int
    characters: Mapping[str, SynthesisReport]
    events: tuple[EventOutcome, ...]
    overlaps: tuple[PairOverlap, ...]
    combinations: int
    rounds: int

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not met: of every character, of the events, and interpenetration; one sentence
        each.
        """
        own = [
            f"{name}: {problem}"
            for name, report in self.characters.items()
            for problem in report.problems
        ]
        missed = [event.missed for event in self.events if event.problems]
        through = [
            f"{o.between[0]} and {o.between[1]} interpenetrate by {o.depth:.0f} mm at {o.time:.2f}"
            f" s ({o.bones[0]}, {o.bones[1]}); another seed, more time or another way may help"
            for o in self.overlaps
            if o.depth > 1000 * DEPTH_LIMIT
        ]
        return (*own, *missed, *through)

    def as_report(self) -> Report:
        """Events, interpenetration, then each character's own report."""
        characters = [report.as_part(name) for name, report in self.characters.items()]
        searched = f"Compared {self.combinations} combinations of alternatives"
        return self.compose(
            f"seed {self.seed}",
            table_of("Events", self.events),
            *(
                f"{e.label}: at ({e.spot.x:.2f}, {e.spot.z:.2f}), the second is at"
                f" {e.spot.heading:.0f} degrees"
                for e in self.events
            ),
            table_of("Interpenetration outside the events", self.overlaps, "overlaps"),
            f"{searched}, {self.rounds} round(s) of searches",
            Section("", characters, "characters"),
            data=fields_of(self, "characters", "events", "overlaps")
            | {"events": [_data_of(event) for event in self.events]},
        )


def _data_of(event: EventOutcome) -> dict[str, Any]:
    spot = {"x": event.spot.x, "z": event.spot.z, "heading": event.spot.heading}
    more = {"tolerance": event.tolerance.model_dump(), "met": not event.problems, "spot": spot}
    return fields_of(event) | more


#: Whose turn it is to reach: what one limb is short of, the other makes up for.
_TURNS = (0, 1, 0, 1)

#: Bodies that are farther from each other than this, metres, do not touch.
_NEAR = 2.5
#: Before and after an event, what meets may touch for so long, seconds.
_AROUND = 0.6
#: Time over which the correction of joints that meet grows and fades, seconds.
_FADE = 0.4


@dataclass(frozen=True, eq=False)
class EventGeometry:
    """One event with everything found out about it.

    Parameters
    ----------
    event : Meeting
        As it was asked for.
    spot : GroundTransform
        Middle between the two, facing from the first to the second.
    relation : Relation
        How the two stand to each other.
    frames : tuple of (int, int)
        First and last frame.
    joints : tuple of (int, int)
        Pairs of joints that meet.
    points : tuple of tuple of arrays of shape (3,), metres
        Where the joint of the first and that of the second are wanted, for every pair.
    """

    event: Meeting
    spot: GroundTransform
    relation: Relation
    frames: tuple[int, int]
    joints: tuple[tuple[int, int], ...]
    points: tuple[tuple[Array, Array], ...]


def lay_out(
    event: Meeting,
    spot: GroundTransform,
    frames: tuple[int, int],
    clips: Mapping[str, ClipSet],
    stands: tuple[Relation, Relation] | None = None,
) -> EventGeometry:
    """Find joints and relations of an event.

    Parameters
    ----------
    event : Meeting
        The event.
    spot : GroundTransform
        Middle between the two, facing from the first to the second.
    frames : tuple of (int, int)
        First and last frame of it.
    clips : mapping of str to ClipSet
        Clips of every character.
    stands : tuple of (Relation, Relation), optional
        How the two are to stand to each other, and how they do; as they are to when not given.

    Returns
    -------
    EventGeometry

    Raises
    ------
    UnknownNameError
        For a joint that a skeleton does not have, or a pose's clip or frame that does not exist.
    """
    first, second = (clips[name] for name in event.between)
    wanted, seen = stands or (find_relation(event, clips),) * 2
    return EventGeometry(
        event,
        spot,
        wanted,
        frames,
        tuple((find_joint(first, m.first), find_joint(second, m.second)) for m in event.joints),
        tuple(meeting_points(event, m, seen, spot, clips) for m in event.joints),
    )


def meet_joints(
    motions: Mapping[str, PosedMotion], events: Sequence[EventGeometry], fps: float
) -> dict[str, PosedMotion]:
    """Bring the joints of all events together, half by each of the two characters.

    Parameters
    ----------
    motions : mapping of str to PosedMotion
        By character, all with the same frames.
    events : sequence of EventGeometry
        In the order in which they are corrected.
    fps : float
        Frames per second of the motions.

    Returns
    -------
    dict of str to PosedMotion
        All characters; who meets nobody's joints is unchanged.
    """
    out = dict(motions)
    for e in events:
        a, b = e.event.between
        for joints, points in zip(e.joints, e.points, strict=True):
            out[a], out[b] = bring_together(
                (out[a], out[b]), joints, points, e.frames, round(_FADE * fps)
            )
    return out


def check_event(
    e: EventGeometry, before: Mapping[str, PosedMotion], after: Mapping[str, PosedMotion]
) -> EventOutcome:
    """Measure an event on finished motions.

    Parameters
    ----------
    e : EventGeometry
        The event.
    before, after : mapping of str to PosedMotion
        Motions of the characters before and after joints that meet were brought together.

    Returns
    -------
    EventOutcome
        Place and facing are those of `after`.
    """
    bodies = [after[name].body for name in e.event.between]
    wanted = _seen_from_first(*e.relation.stands(e.spot))
    stands = [[GroundTransform.of_body(body[f]) for body in bodies] for f in e.frames]
    seen = [_seen_from_first(first, second) for first, second in stands]
    a, b = e.event.between
    missed = [_joint_errors(e, (m[a], m[b])) for m in (before, after)]
    return EventOutcome(
        name=e.event.name,
        time=e.event.time,
        between=e.event.between,
        spot=e.spot,
        place=max(float(np.hypot(*(s.ground - wanted.ground))) for s in seen),
        facing=max(float(np.degrees(abs(wrap_angle(s.angle - wanted.angle)))) for s in seen),
        joints_before=max(missed[0], default=None),
        joints_after=max(missed[1], default=None),
        tolerance=e.event.tolerance,
    )


def _joint_errors(e: EventGeometry, motions: tuple[PosedMotion, PosedMotion]) -> list[float]:
    """For every pair of joints that meet: how far at most they are from that during the event,
    metres.
    """
    during = slice(e.frames[0], e.frames[1] + 1)
    return [
        float(joint_distance(motions, joints, second - first)[during].max())
        for joints, (first, second) in zip(e.joints, e.points, strict=True)
    ]


def _seen_from_first(first: GroundTransform, second: GroundTransform) -> GroundTransform:
    """Where the second stands and faces in the frame of the first."""
    return first.inverse().compose(second)


def allowed_contacts(
    events: Sequence[EventGeometry], pair: tuple[str, str], bodies: tuple[Capsules, Capsules]
) -> Bools:
    """Which bones of two characters may touch when.

    Parameters
    ----------
    events : sequence of EventGeometry
        Events of all characters.
    pair : tuple of (str, str)
        Who the two are.
    bodies : tuple of (Capsules, Capsules)
        Both bodies; all motions of a character have the same bones.

    Returns
    -------
    bool array of shape (T, A, B)
        Around an event the limbs whose joints meet, or, with contact "bodies", all of both bodies.
    """
    posed = bodies[0].posed
    allowed = np.zeros((posed.n_frames, len(bodies[0].radii), len(bodies[1].radii)), bool)
    for e in events:
        if set(e.event.between) != set(pair):
            continue
        around = round(_AROUND * posed.fps)
        during = slice(max(e.frames[0] - around, 0), e.frames[1] + around + 1)
        if e.event.contact == "bodies":
            allowed[during] = True
            continue
        swapped = e.event.between[0] != pair[0]
        for joints in e.joints:
            own = joints[::-1] if swapped else joints
            limbs = [_limb_bones(body, joint) for body, joint in zip(bodies, own, strict=True)]
            allowed[during] |= limbs[0][:, None] & limbs[1]
    return allowed


def _limb_bones(body: Capsules, joint: int) -> Bools:
    """Bones (B,) of the limb that a joint belongs to; without a limb those that leave the joint."""
    limb = find_limb(body.posed, joint)
    top = joint if limb is None else limb.root
    return np.isin(body.joints, list(body.posed.skeleton.descendants(top)))


def measure_overlaps(
    events: Sequence[EventGeometry], motions: Mapping[str, PosedMotion]
) -> tuple[PairOverlap, ...]:
    """How deep characters are in each other, looked for in frames in which they are near.

    Parameters
    ----------
    events : sequence of EventGeometry
        What they allow does not count.
    motions : mapping of str to PosedMotion
        By character.

    Returns
    -------
    tuple of PairOverlap
        One for every two characters.
    """
    several = motions if len(motions) > 1 else {}
    bodies = {who: make_capsules(posed) for who, posed in several.items()}
    pairs = combinations(bodies, 2)
    return tuple(_overlap(events, (a, b), (bodies[a], bodies[b])) for a, b in pairs)


def _overlap(
    events: Sequence[EventGeometry], pair: tuple[str, str], bodies: tuple[Capsules, Capsules]
) -> PairOverlap:
    first, second = (one.posed for one in bodies)
    near = np.flatnonzero(np.hypot(*(first.body[:, :2] - second.body[:, :2]).T) < _NEAR)
    if not len(near):
        return PairOverlap(pair, 0.0, 0.0, 0.0, ("", ""))
    allowed = allowed_contacts(events, pair, bodies)[near]
    found = find_overlap(bodies[0].at(near), bodies[1].at(near), allowed)
    time, seconds = float(near[found.frame]) / first.fps, found.frames / first.fps
    return PairOverlap(pair, 1000 * found.depth, time, seconds, found.bones)


def bring_together(
    motions: tuple[PosedMotion, PosedMotion],
    joints: tuple[int, int],
    points: tuple[Array, Array],
    frames: tuple[int, int],
    fade: int,
) -> tuple[PosedMotion, PosedMotion]:
    """Move two limbs so that their joints meet.

    Joints that meet for a moment keep their own ways and meet halfway between them; joints that
    stay together do so at their points.

    Parameters
    ----------
    motions : tuple of (PosedMotion, PosedMotion)
        With the same frames.
    joints : tuple of (int, int)
        A joint that is part of no limb stays, and the other comes all the way.
    points : tuple of arrays of shape (3,), metres
        Where the joint of the first and that of the second is wanted; what counts first is that
        they are as far from each other as these.
    frames : tuple of (int, int)
        First and last frame in which they are together.
    fade : int
        Frames before and after over which the correction grows and fades.

    Returns
    -------
    tuple of (PosedMotion, PosedMotion)
        Limbs that do not reach come as near as they can.
    """
    limbs = [find_limb(m, j) for m, j in zip(motions, joints, strict=True)]
    ends = [m.positions[:, j] for m, j in zip(motions, joints, strict=True)]
    share = plateau(motions[0].n_frames, frames, fade)[:, None]
    half = 0.5 * (ends[1] - ends[0] - (points[1] - points[0]))
    ways = [half, -half]
    if frames[0] != frames[1]:
        ways = [point - end for point, end in zip(points, ends, strict=True)]
    goals = [end + share * way for end, way in zip(ends, ways, strict=True)]
    between = goals[1] - goals[0]
    made = list(motions)
    for k in _TURNS:
        limb = limbs[k]
        if limb is not None:
            made[k] = _reach_gently(motions[k], limb, goals[k], share)
        # The other goes to where it is right beside what this one came to.
        at = made[k].positions[:, joints[k]]
        goals[1 - k] = at + between if k == 0 else at - between
    return made[0], made[1]


def _reach_gently(posed: PosedMotion, limb: Limb, goal: Array, share: Array) -> PosedMotion:
    """Reach for goals (T, 3); a limb that bends a little the wrong way is set right near the event
    only.
    """
    gate = (1.0 - (1.0 - share) ** 4)[:, 0]
    local = {}
    for joint, solved in solve_limb(posed, limb, goal).items():
        own = posed.motion.rotations[:, joint]
        local[joint] = np.where(share > 0, rot.slerp(own, solved, gate), own)
    return posed.with_local(local)


def joint_distance(
    motions: tuple[PosedMotion, PosedMotion], joints: tuple[int, int], apart: Array
) -> Array:
    """How far two joints are from having a wanted offset, in every frame.

    Parameters
    ----------
    motions : tuple of (PosedMotion, PosedMotion)
        With the same frames.
    joints : tuple of (int, int)
        One of each motion.
    apart : array of shape (3,), metres
        Wanted way from the first to the second, in the world.

    Returns
    -------
    array of shape (T,), metres
    """
    ends = [m.positions[:, j] for m, j in zip(motions, joints, strict=True)]
    return np.linalg.norm(ends[1] - ends[0] - apart, axis=-1)


def plateau(n: int, frames: tuple[int, int], fade: int) -> Array:
    """1 from the first to the last frame, falling smoothly to 0 over `fade` frames beside them."""
    at = np.arange(n)
    away = np.maximum(np.maximum(frames[0] - at, at - frames[1]), 0)
    return minimum_jerk(1.0 - away / max(fade, 1))
