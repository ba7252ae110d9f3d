"""Spans that lie over others: a hand brought to a point, a correction by physics.

How far a trunk leans when a hand is brought to a point, and whether bodies bend like that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.analysis.hinges import Hinge
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import ConstraintSet, JointConstraint
from motionloom.constraints.joints import find_joints
from motionloom.constraints.kinds.ground import Uneven, ground_heights
from motionloom.curves import minimum_jerk
from motionloom.declared import Range
from motionloom.edit.foot_tracks import FootTrack
from motionloom.edit.footlock import find_legs
from motionloom.edit.hip_height import sink_to_reach
from motionloom.edit.plant import plant_feet
from motionloom.edit.retarget import report_retargeting, retarget_motion
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.framewise import EditOptions, edit_clip
from motionloom.framewise.asked import EASE, goals_of
from motionloom.io.document import Path as FieldPath
from motionloom.io.kept import KeptFolder
from motionloom.io.stored import Fault
from motionloom.motion import GroundTransform
from motionloom.physics.correct import finish_by_physics
from motionloom.posed_motion import PosedMotion
from motionloom.roles import Roles
from motionloom.shot._keeping import KeptFrames, kept_or_made, key_of_layer
from motionloom.shot.joining import Joined
from motionloom.shot.plan.planned import ON_GROUND, PlannedSpan, point_of
from motionloom.shot.script.span_fields import GAZE, ReachSpan
from motionloom.shot.stage import AnotherBody, Stage, overwritten
from motionloom.typing import Array, Bools

#: So much of the motion before and behind a stretch is looked at with it, seconds.
AROUND = 1.0
#: The hand of somebody who stands accelerates no harder than this on its way to a point, metres per
#: second squared, but that takes at most so long, seconds.
CALM, LONGEST = 2.2, 1.4
#: The largest acceleration on the way of `minimum_jerk`, in lengths of the way over time squared.
PEAK = 10.0 / np.sqrt(3.0)
#: Hips that are slower stand, metres per second, over this time before and after, seconds.
STANDS, STANDS_FOR = 0.2, 0.2


@dataclass(frozen=True, eq=False)
class Reached:
    """A stretch in which joints are where they were asked to be.

    Parameters
    ----------
    motion : KeptFrames
        The motion.
    missed : tuple of float, metres or radians
        How far each is off.
    reasons : tuple of str
        Why; empty where it is there.
    """

    motion: KeptFrames
    missed: tuple[Annotated[float, Range(0)], ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """A joint that is wanted somewhere.

    Parameters
    ----------
    name : str
        Of the span that asks; empty for a meeting.
    where : tuple of str and int
        Its path in the file.
    joint : JointConstraint
        What it asks.
    """

    name: str
    where: FieldPath
    joint: JointConstraint

    @property
    def told(self) -> str:
        """What it is called in a report."""
        joint = self.joint
        name = joint.joint if joint.look_at is None else "gaze"
        if joint.end is None:
            return f"{name} at {joint.time:.2f} s"
        return f"{name} from {joint.time:.2f} to {joint.end:.2f} s"

    def far(self, missed: float) -> str:
        """How far off it is, in words."""
        if self.joint.look_at is not None:
            return f"{np.degrees(missed):.1f} degrees"
        return f"{1000 * missed:.1f} mm"

    def frames(self, fps: float) -> tuple[int, int]:
        """First and last frame in which it is there."""
        return round(self.joint.time * fps), round((self.joint.end or self.joint.time) * fps)

    @property
    def begin(self) -> float:
        """When the motion begins to change, seconds."""
        return self.joint.time - (self.joint.ease_in or EASE)

    @property
    def end(self) -> float:
        """When it is as before, seconds."""
        return (self.joint.end or self.joint.time) + (self.joint.ease_out or EASE)


def near_each_other(asked: Sequence[Asked]) -> list[tuple[Asked, ...]]:
    """Those that change the same stretch of a motion, together.

    Parameters
    ----------
    asked : sequence of Asked
        In any order.

    Returns
    -------
    list of tuple of Asked
        In the order of time.
    """
    groups: list[list[Asked]] = []
    end = -np.inf
    for one in sorted(asked, key=lambda one: one.begin):
        if one.begin > end:
            groups.append([])
        groups[-1].append(one)
        end = max(end, one.end)
    return [tuple(sorted(group, key=lambda one: one.joint.time)) for group in groups]


def unhurried(joint: JointConstraint, posed: PosedMotion) -> JointConstraint:
    """The same, with time for a far way where the body stands.

    On a way of length d that begins and ends at rest and takes T seconds a hand accelerates up to
    ``10 / sqrt(3) d / T^2`` (Flash and Hogan 1985, of the smoothest such way), so T grows with the
    root of d.

    Parameters
    ----------
    joint : JointConstraint
        Where it is wanted; eyes, and who walks, take as long as it says.
    posed : PosedMotion
        The motion.

    Returns
    -------
    JointConstraint
    """
    if joint.position is None:
        return joint
    places = posed.positions[:, find_joints([joint.joint], posed.skeleton, posed.roles)[0]]
    times = {}
    for name, time in (("ease_in", joint.time), ("ease_out", joint.end or joint.time)):
        frame = min(round(time * posed.fps), posed.n_frames - 1)
        least = getattr(joint, name) or EASE
        if _stands(posed, frame):
            far = float(np.linalg.norm(np.asarray(joint.position) - places[frame]))
            least = max(least, min(float(np.sqrt(PEAK * far / CALM)), LONGEST))
        times[name] = round(least, 3)
    return joint.model_copy(update=times)


def _stands(posed: PosedMotion, frame: int) -> bool:
    """Whether the hips stay where they are about a frame."""
    lag = round(STANDS_FOR * posed.fps)
    first, last = max(frame - lag, 0), min(frame + lag, posed.n_frames - 1)
    way = (posed.hips[last] - posed.hips[first])[[0, 2]]
    return float(np.hypot(*way)) * posed.fps < STANDS * max(last - first, 1)


def reach_for(
    stage: Stage, asked: Sequence[Asked], posed: PosedMotion, kept: KeptFolder | None = None
) -> tuple[PosedMotion, Reached]:
    """Bring joints to where they are wanted.

    Parameters
    ----------
    stage : Stage
        For its lines, and its progress.
    asked : sequence of Asked
        In the order of time.
    posed : PosedMotion
        The motion.
    kept : KeptFolder, optional
        Where the result is kept.

    Returns
    -------
    posed : PosedMotion
        The motion.
    reached : Reached
        How far joints are off.

    Raises
    ------
    FormatError
        When two ask for the same joint in a frame.
    """
    fps = posed.fps
    first = max(int(np.floor((min(one.begin for one in asked) - AROUND) * fps)), 0)
    stop = min(int(np.ceil((max(one.end for one in asked) + AROUND) * fps)) + 1, posed.n_frames)
    window = posed.cut(first, stop)
    joints = tuple(_earlier(one.joint, first / fps) for one in asked)
    facts = json.dumps([joint.model_dump(mode="json") for joint in joints])
    key = key_of_layer("reach", window, facts)
    make = partial(_reach, stage, asked, joints, window)
    found = kept_or_made(kept, key, Reached, make, partial(check_reached, window, len(asked)))
    return overwritten(posed, first, found.motion.on(window.motion)), found


def check_reached(window: PosedMotion, asked: int, found: Reached) -> None:
    """Refuse what was kept of other joints or another motion."""
    found.motion.check(window.motion, window.n_frames)
    if not len(found.missed) == len(found.reasons) == asked:
        raise Fault("it is of other joints")


def _earlier(joint: JointConstraint, shift: float) -> JointConstraint:
    """The same in a motion that begins later."""
    end = None if joint.end is None else joint.end - shift
    return joint.model_copy(update={"time": joint.time - shift, "end": end})


def _reach(
    stage: Stage, asked: Sequence[Asked], joints: tuple[JointConstraint, ...], window: PosedMotion
) -> Reached:
    fps = window.fps
    try:
        wanted = ConstraintSet(duration=(window.n_frames - 1) / fps, fps=fps, joints=joints)
        goals = goals_of(wanted, window)
        edited = edit_clip(window, goals, EditOptions(), stage.progress)
    except InvalidInputError as error:
        raise stage.file.fault(asked[0].where, str(error)) from None
    return Reached(
        KeptFrames.of(edited.after.motion),
        tuple(float(one.residual) for one in edited.outcomes),
        tuple(one.reason for one in edited.outcomes),
    )


#: As far as anybody bends forwards, backwards and to a side, degrees: normal ranges of the thoracic
#: and lumbar spine (American Academy of Orthopaedic Surgeons 1965: 80, 25 and 35 degrees). Who was
#: captured bending farther may do so.
MOST = {"forwards": 80.0, "backwards": 25.0, "sideways": 35.0}
#: Who leans no more than this beyond what they did without it, degrees, is not to blame.
ADDED = 5.0

#: A reach that is missed by more is a problem, metres.
MISSED = 0.01
#: A correction of a part is eased into over this time, seconds.
CORRECTION_EASE = 0.3
#: A hand goes to a near point, and back, in this time, seconds; see `unhurried` for a far one.
EASE_REACH = 0.7
#: Ground that feet do not come so near to is not walked on, metres.
NEAR = 0.3
#: So much before and behind a correction is looked at with it, seconds.
MARGIN = 0.5


@dataclass(frozen=True, eq=False)
class _Corrected:
    """A stretch that was corrected, what is said of it, and what it does not meet."""

    motion: KeptFrames
    said: tuple[str, ...]
    unmet: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Layered:
    """A motion with what lies over it, on the body that it has in the end.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    contacts : FootContacts
        When feet bear.
    hinges : mapping of str to Hinge
        How far knees and elbows may bend.
    rows, problems : tuple of (str, str)
        By span: how well it met what was asked, and what it did not meet.
    body : str
        How well it came over to another body; empty without one.
    notes : tuple of str
        What was guessed about that body, or left out.
    """

    posed: PosedMotion
    contacts: FootContacts
    hinges: Mapping[str, Hinge]
    rows: tuple[tuple[str, str], ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    body: str = ""
    notes: tuple[str, ...] = ()


def lay_under(
    stage: Stage, layers: Sequence[PlannedSpan], joined: Joined, kept: KeptFolder | None = None
) -> Layered:
    """Correct a motion, and carry it over to the body that there is in the end.

    Parameters
    ----------
    stage : Stage
        Of the character.
    layers : sequence of PlannedSpan
        Reaches, which are left for `lay_over`, and corrections.
    joined : Joined
        The motion below them.
    kept : KeptFolder, optional
        Where corrections are kept from one run to the next.

    Returns
    -------
    Layered
    """
    done = Layered(joined.posed, joined.contacts, stage.clips.hinges)
    for one in layers:
        is_for_ground = one.name == ON_GROUND and one.where == (ON_GROUND,)
        if one.kind == "correct" and not (is_for_ground and not _ground_under(stage, joined.posed)):
            done = _correct(stage, one, done, kept)
    return done if stage.body is None else _carry(stage.body, done)


def lay_over(
    stage: Stage,
    layers: Sequence[PlannedSpan],
    done: Layered,
    more: Sequence[JointConstraint] = (),
    kept: KeptFolder | None = None,
) -> Layered:
    """Lay all reaches over a motion; feet that are down stay.

    What hands and eyes are brought to is met by the body that there is in the end, on the ground
    that it is on then.

    Parameters
    ----------
    stage : Stage
        Of the character.
    layers : sequence of PlannedSpan
        Reaches, and corrections that have been done.
    done : Layered
        Of `lay_under`.
    more : sequence of JointConstraint
        What meetings ask for besides.
    kept : KeptFolder, optional
        Where what was laid over is kept from one run to the next.

    Returns
    -------
    Layered
    """
    asked_by = [
        Asked(one.name, one.where, unhurried(constraint_of(stage, one), done.posed))
        for one in layers
        if isinstance(one.span, ReachSpan)
    ]
    asked_by += [Asked("", ("meet",), joint) for joint in more]
    posed = done.posed
    rows = []
    problems = []
    for asked in near_each_other(asked_by):
        posed, made = reach_for(stage, asked, posed, kept)
        for one, missed, reason in zip(asked, made.missed, made.reasons, strict=True):
            if not one.name:
                continue
            text = f"{one.told}: {one.far(missed)} off"
            rows.append((one.name, text))
            if missed > MISSED:
                problems.append((one.name, f"{text}: {reason}"))
            bent = _bent_too_far(stage.clips.clip_set, done.posed, posed, one.frames(stage.fps))
            if bent:
                rows.append((one.name, f"note: {bent}"))
    return _with(done, posed, rows, problems)


def _carry(body: AnotherBody, done: Layered) -> Layered:
    """The same on another body."""
    made = retarget_motion(done.posed, body.own, body.target)
    report = report_retargeting([made], [body.own], body.target, body.name)
    row = report.rows[0]
    told = (
        f"on {body.name}, legs {body.ratio:.2f} times as long: feet creep"
        f" {row.contact_speed[0]:.2f} -> {row.contact_speed[1]:.2f} cm/s, limbs"
        f" {row.directions[0]:.1f} deg off (p99 {row.directions[1]:.1f}), deepest"
        f" {row.deepest[0]:.0f} -> {row.deepest[1]:.0f} mm, there and back {row.round_trip:.1f} mm"
    )
    motion = replace(made.motion, source=replace(body.source, path="", warnings=()))
    return replace(
        done,
        posed=made.posed.with_motion(motion),
        contacts=detect_contacts(made.posed, soles=body.target.soles, ground=0.0),
        hinges=made.hinges,
        body=told,
        notes=report.notes,
    )


def _with(
    done: Layered,
    posed: PosedMotion,
    rows: Sequence[tuple[str, str]],
    problems: Sequence[tuple[str, str]],
) -> Layered:
    """What was done, and more of it."""
    return replace(
        done, posed=posed, rows=(*done.rows, *rows), problems=(*done.problems, *problems)
    )


def constraint_of(stage: Stage, one: PlannedSpan) -> JointConstraint:
    """What a reach asks of its joint."""
    span = one.of(ReachSpan)
    point = point_of(stage.file, (*one.where, "target"), span.target)
    asked = {"joint": "head", "look_at": point}
    if span.joint != GAZE:
        asked = {"joint": span.joint, "position": point}
    return joint_at(one.keys[0], span.hold, EASE_REACH, asked)


def joint_at(time: float, hold: float, ease: float, asked: Mapping[str, Any]) -> JointConstraint:
    """What is asked of a joint from a time on, seconds, eased into and out of."""
    times = {"time": time, "to": time + hold if hold else None, "ease_in": ease, "ease_out": ease}
    return JointConstraint.model_validate({**times, **asked})


def _correct(stage: Stage, one: PlannedSpan, done: Layered, kept: KeptFolder | None) -> Layered:
    """Corrected from its begin to its end, and eased into at those that are not the motion's."""
    posed = done.posed
    margin = round(MARGIN * stage.fps)
    first = max(one.first - margin, 0)
    stop = min(one.last + margin + 1, posed.n_frames)
    window = posed.cut(first, stop)
    contacts = replace(done.contacts, down=done.contacts.down[first:stop])
    made = _corrected(stage, window, contacts, kept)
    share = _share(one, posed)[first:stop, None, None]
    before = window.motion
    way = made.motion.translations - before.translations
    near = window.with_motion(
        replace(
            before,
            rotations=_mixed(before.rotations, made.motion.rotations, share),
            translations=before.translations + share * way,
        )
    )
    if not _ground_under(stage, window):
        near = _as_they_stood(stage, window, near, contacts)
    shift = f" (times from {first / stage.fps:.2f} s on)" if first else ""
    rows = [(one.name, text + shift) for text in made.said]
    unmet = [(one.name, text) for text in made.unmet]
    return _with(done, overwritten(posed, first, near.motion), rows, unmet)


def _ground_under(stage: Stage, posed: PosedMotion) -> tuple[Uneven, ...]:
    """The uneven ground that feet come near to; none where all of it lies beside the way."""
    ground = tuple(stage.file.shot.ground)
    feet = [joint for role, joint in posed.roles.joints.items() if "foot" in role or "toe" in role]
    places = posed.positions[:, feet or [0]][..., [0, 2]]
    around = [places + NEAR * np.array(way) for way in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))]
    return ground if ground and np.any(ground_heights(ground, np.stack(around))) else ()


def _corrected(
    stage: Stage, window: PosedMotion, contacts: FootContacts, kept: KeptFolder | None
) -> _Corrected:
    """A stretch corrected by physics and carried onto the ground, and what is said of it."""
    shot = stage.file.shot
    asked = ConstraintSet(
        duration=(window.n_frames - 1) / stage.fps,
        fps=stage.fps,
        avoid=shot.avoid,
        ground=_ground_under(stage, window),
    )
    key = key_of_layer("correct", window, contacts.down.tobytes(), asked.model_dump_json())

    def make() -> _Corrected:
        made, said, unmet = finish_by_physics(window, contacts, stage.clips, asked)
        return _Corrected(KeptFrames.of(made.motion), said, unmet)

    def check(found: _Corrected) -> None:
        found.motion.check(window.motion, window.n_frames)

    return kept_or_made(kept, key, _Corrected, make, check)


def _share(one: PlannedSpan, posed: PosedMotion) -> Array:
    """How much of a correction each frame takes."""
    frames = np.arange(posed.n_frames)
    reach = max(round(CORRECTION_EASE * posed.fps), 1)
    rise = np.ones(posed.n_frames) if one.first == 0 else minimum_jerk((frames - one.first) / reach)
    is_last = one.last == posed.n_frames - 1
    fall = np.ones(posed.n_frames) if is_last else minimum_jerk((one.last - frames) / reach)
    return np.minimum(rise, fall)


def _bent_too_far(
    clips: ClipSet, before: PosedMotion, after: PosedMotion, frames: tuple[int, int]
) -> str:
    """Say how a body bends that reaches for something, if no body does.

    Parameters
    ----------
    clips : ClipSet
        How far people bend in them.
    before, after : PosedMotion
        Without the reach, and with it.
    frames : tuple of (int, int)
        First and last frame in which the joint is there.

    Returns
    -------
    str
        What is wrong and what to do; empty where nothing is.
    """
    part = slice(frames[0], frames[1] + 1)
    old = _leans(before.positions[part], before.body[part], before.roles)
    # Hips that turn to a point turn the trunk with them: directions are those of before.
    new = _leans(after.positions[part], before.body[part], after.roles)
    captured = _leans(clips.positions, clips.body, clips.roles)
    for way, most in MOST.items():
        limit = max(most, captured[way])
        if new[way] > max(limit, old[way] + ADDED):
            return (
                f"the trunk bends {new[way]:.0f} degrees {way} for it, and people bend {limit:.0f};"
                " let the feet come nearer or turn to it, or bring the target nearer"
            )
    return ""


def _leans(positions: Array, body: Array, roles: Roles) -> dict[str, float]:
    """Most degrees by which the trunk leans, by the way it leans."""
    top = roles.joints.get("neck", roles.joints.get("head"))
    hips = roles.joints.get("hips")
    if top is None or hips is None:
        return dict.fromkeys(MOST, 0.0)
    body = body * [0.0, 0.0, 1.0]  # only where it faces
    across, up, ahead = GroundTransform.of_body(body).seen(positions[:, top] - positions[:, hips]).T
    far = np.hypot(across, ahead)
    tilt = np.degrees(np.arctan2(far, up)) / np.maximum(far, 1e-9)
    pitch = tilt * ahead
    leans = {"forwards": pitch, "backwards": -pitch, "sideways": tilt * np.abs(across)}
    return {way: float(far.max(initial=0.0)) for way, far in leans.items()}


#: A foot in the air is as it was made again in this time, seconds.
FOOT_EASE = 0.15
#: Share of its length that a leg may take.
EXTENSION = 0.9995
#: The hips sink no faster than this, leg lengths per second.
SINK_SPEED = 0.6
UP = np.array([0.0, 1.0, 0.0])


def _as_they_stood(
    stage: Stage, before: PosedMotion, made: PosedMotion, contacts: FootContacts
) -> PosedMotion:
    """Put feet that bear back to where they were.

    Parameters
    ----------
    stage : Stage
        For soles and knees.
    before : PosedMotion
        The motion as it was, T frames.
    made : PosedMotion
        What was made of it.
    contacts : FootContacts
        When its feet bear.

    Returns
    -------
    PosedMotion
        Like `made`; in the air feet ease from the one to the other.
    """
    legs = find_legs(made.roles)
    feet = {}
    local: dict[int, Array] = {}
    own = made.motion.rotations
    old = before.motion.rotations
    for foot, leg in legs.items():
        down = contacts.by_foot()[foot]
        share = _share_of_foot(down, made.fps)[:, None]
        way = before.positions[:, leg.tip] - made.positions[:, leg.tip]
        turns = _mixed(made.rotations[:, leg.tip], before.rotations[:, leg.tip], share)
        feet[foot] = FootTrack(made.positions[:, leg.tip] + share * way, turns)
        for joint in set(made.skeleton.descendants(leg.tip)) - {leg.tip}:
            local[joint] = _mixed(own[:, joint], old[:, joint], share)
    most = SINK_SPEED * contacts.soles.leg / made.fps
    targets = {foot: one.places for foot, one in feet.items()}
    none = np.zeros(0, np.intp)
    sink = sink_to_reach(made, legs, targets, EXTENSION, stage.clips.hinges, none, most)
    lower = move_body(made, -sink[:, None] * UP)
    return plant_feet(lower.with_local(local), feet, counter_move=False)


def _share_of_foot(down: Bools, fps: float) -> Array:
    """How much of a foot is as it was, shape (T,): all of it where it bears."""
    frames = np.flatnonzero(down)
    if not len(frames):
        return np.zeros(len(down))
    away = np.abs(np.arange(len(down))[:, None] - frames).min(axis=1)
    return minimum_jerk(1.0 - away / max(FOOT_EASE * fps, 1.0))


def _mixed(one: Array, other: Array, share: Array) -> Array:
    """Rotations (T, ..., 4) on the way from one to another, by shares (T, ..., 1)."""
    turn = rot.to_rotvec(rot.multiply(rot.conjugate(one), other))
    return rot.multiply(one, rot.from_rotvec(share * turn))
