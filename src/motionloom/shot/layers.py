"""Spans that lie over others: a hand brought to a point, a correction by physics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts
from motionloom.analysis.hinges import Hinge
from motionloom.constraints import ConstraintSet, JointConstraint
from motionloom.framewise.goals import smooth_step
from motionloom.physics.correct import make_finisher
from motionloom.posed_motion import PosedMotion
from motionloom.shot.another import AnotherBody, carry_over
from motionloom.shot.plan import PlannedSpan, point_of
from motionloom.shot.reaching import Asked, near_each_other, reach_for
from motionloom.shot.script import ReachSpan
from motionloom.shot.stage import Stage

#: A reach that is missed by more is a problem, metres.
MISSED = 0.01
#: A correction of a part is eased into over this time, seconds.
EASE = 0.3


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
    stage: Stage, layers: Sequence[PlannedSpan], posed: PosedMotion, contacts: FootContacts
) -> Layered:
    """Correct a motion, and carry it over to the body that there is in the end.

    Parameters
    ----------
    stage : Stage
        Of the character.
    layers : sequence of PlannedSpan
        Reaches, which are left for `lay_over`, and corrections.
    posed : PosedMotion
        Joined.
    contacts : FootContacts
        Its contacts.

    Returns
    -------
    Layered
    """
    done = Layered(posed, contacts, stage.clips.hinges)
    for one in layers:
        if one.kind == "correct":
            done = _correct(stage, one, done)
    return done if stage.body is None else _carry(stage.body, done)


def lay_over(
    stage: Stage,
    layers: Sequence[PlannedSpan],
    done: Layered,
    more: Sequence[JointConstraint] = (),
    folder: Path | None = None,
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
    folder : Path, optional
        Where what was laid over is kept from one run to the next.

    Returns
    -------
    Layered
    """
    reaches = [one for one in layers if isinstance(one.span, ReachSpan)]
    return _reach(stage, reaches, more, done, folder) if reaches or more else done


def _carry(body: AnotherBody, done: Layered) -> Layered:
    made = carry_over(body, done.posed)
    return replace(
        done,
        posed=made.posed,
        contacts=made.contacts,
        hinges=made.hinges,
        body=made.row,
        notes=made.notes,
    )


def _reach(
    stage: Stage,
    reaches: Sequence[PlannedSpan],
    more: Sequence[JointConstraint],
    done: Layered,
    folder: Path | None,
) -> Layered:
    asked_by = [Asked(one.name, one.where, constraint_of(stage, one)) for one in reaches]
    asked_by += [Asked("", ("meet",), joint) for joint in more]
    posed = done.posed
    rows = []
    problems = []
    for asked in near_each_other(asked_by):
        made = reach_for(stage, asked, posed, folder)
        posed = made.posed
        for one, goal, missed, reason in zip(
            asked, made.goals, made.missed, made.reasons, strict=True
        ):
            if not one.name:
                continue
            text = f"{goal} {100 * missed:.2f} cm off at {one.joint.time:.2f} s"
            rows.append((one.name, text))
            if missed > MISSED:
                problems.append((one.name, f"{text}: {reason}"))
    return replace(
        done,
        posed=posed,
        rows=(*done.rows, *rows),
        problems=(*done.problems, *problems),
    )


def constraint_of(stage: Stage, one: PlannedSpan) -> JointConstraint:
    """What a reach asks of its joint."""
    span = one.span
    assert isinstance(span, ReachSpan)
    point = point_of(stage.file, (*one.where, "target"), span.target)
    end = one.keys[0] + span.hold if span.hold else None
    facts = {"time": one.keys[0], "to": end, "joint": span.joint, "position": point}
    return JointConstraint.model_validate(facts)


def _correct(stage: Stage, one: PlannedSpan, done: Layered) -> Layered:
    """Corrected from its begin to its end, and eased into at those that are not the motion's."""
    fps = stage.fps
    shot = stage.file.shot
    duration = (done.posed.n_frames - 1) / fps
    asked = ConstraintSet(duration=duration, fps=fps, avoid=shot.avoid, ground=shot.ground)
    corrected, said = make_finisher()(done.posed, done.contacts, stage.clips, asked)
    share = _share(one, done.posed)
    before = done.posed.motion
    after = corrected.motion
    turn = rot.to_rotvec(rot.multiply(rot.conjugate(before.rotations), after.rotations))
    mixed = replace(
        before,
        rotations=rot.multiply(before.rotations, rot.from_rotvec(share[:, None, None] * turn)),
        translations=before.translations
        + share[:, None, None] * (after.translations - before.translations),
    )
    rows = tuple((one.name, text) for text in said)
    return replace(done, posed=done.posed.with_motion(mixed), rows=(*done.rows, *rows))


def _share(one: PlannedSpan, posed: PosedMotion) -> NDArray[np.float64]:
    """How much of a correction each frame takes."""
    frames = np.arange(posed.n_frames)
    reach = max(round(EASE * posed.fps), 1)
    rise = np.ones(posed.n_frames) if one.first == 0 else smooth_step((frames - one.first) / reach)
    is_last = one.last == posed.n_frames - 1
    fall = np.ones(posed.n_frames) if is_last else smooth_step((one.last - frames) / reach)
    return np.minimum(rise, fall)
