"""A finished motion carried over to another body, whose size the shot has reckoned with before."""

from __future__ import annotations

from dataclasses import dataclass, replace

from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.analysis.hinges import Hinge
from motionloom.edit.retarget import RoleFrames, report_retargeting, retarget_motion
from motionloom.motion import Source
from motionloom.posed_motion import PosedMotion


@dataclass(frozen=True, eq=False)
class AnotherBody:
    """The body that a character has in the end.

    Parameters
    ----------
    name : str
        What it is called.
    own : RoleFrames
        How the body parts lie in the joints of the clips.
    target : RoleFrames
        And in its own.
    source : Source
        How its files look: unit, axes, channels.
    """

    name: str
    own: RoleFrames
    target: RoleFrames
    source: Source

    @property
    def ratio(self) -> float:
        """Length of its legs over that of the clips' body: so much farther it goes."""
        return self.target.leg / self.own.leg


@dataclass(frozen=True, eq=False)
class Carried:
    """A motion on another body.

    Parameters
    ----------
    posed : PosedMotion
        The motion.
    contacts : FootContacts
        When its feet bear on the ground, found anew.
    hinges : dict of str to Hinge
        How far its knees and elbows may bend.
    row : str
        How well it came over.
    notes : tuple of str
        What was guessed or left out.
    """

    posed: PosedMotion
    contacts: FootContacts
    hinges: dict[str, Hinge]
    row: str
    notes: tuple[str, ...]


def carry_over(body: AnotherBody, posed: PosedMotion) -> Carried:
    """Give a motion to another body.

    Parameters
    ----------
    body : AnotherBody
        The body.
    posed : PosedMotion
        Of the body that the clips are of.

    Returns
    -------
    Carried

    Raises
    ------
    InvalidInputError
        When one is a person and the other goes on four legs.
    """
    made = retarget_motion(posed, body.own, body.target)
    found = detect_contacts(made.posed, soles=body.target.soles, ground=0.0)
    report = report_retargeting([made], [body.own], body.target, body.name)
    row = report.rows[0]
    told = (
        f"on {body.name}, legs {body.ratio:.2f} times as long: feet creep"
        f" {row.contact_speed[0]:.2f} -> {row.contact_speed[1]:.2f} cm/s, limbs"
        f" {row.directions[0]:.1f} deg off (p99 {row.directions[1]:.1f}), deepest"
        f" {row.deepest[0]:.0f} -> {row.deepest[1]:.0f} mm, there and back {row.round_trip:.1f} mm"
    )
    motion = replace(made.motion, source=replace(body.source, path="", warnings=()))
    return Carried(made.posed.with_motion(motion), found, made.hinges, told, report.notes)
