"""What only a motion model can say about a motion.

When feet bear on the ground in motions of a model, and how far they slide.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionloom.analysis.contacts import FootContacts, drop_short_contacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.constraints.kinds.measures import NEAR
from motionloom.curves import runs_of
from motionloom.models._asked import Standing
from motionloom.models._edit import ModelEdit, TaskOutcome
from motionloom.models.solving._rarity import Rarity
from motionloom.models.solving.problem import body_of
from motionloom.posed_motion import PosedMotion
from motionloom.reports import Column, Row, Section, Table
from motionloom.spaces.motion_space import MotionSpace
from motionloom.typing import Array, Bools

#: A place that is missed by more is a problem, metres: finished takes whose tasks can all be met
#: are within 2 mm (serves and reaches). Angles count a lever of 0.25 m: 3 degrees.
_MISSED, _ASTRAY = 5e-3, 0.013
#: Kinds of tasks that are angles.
_ANGLE = {"orientation": " on a lever of 25 cm", "gaze": " on a lever of 25 cm"}
_MM = ("mm", ".1f", 1000)
_TASK = (
    Column("joint", "joint"),
    Column("kind", "task"),
    Column("layer", "layer"),
    Column("frame", "frame", "", ".1f"),
    Column("residual", "missed by", "mm", factor=1000),
    Column("written", "as written", "mm", factor=1000),
    Column("sigmas", "from the takes", "standard deviations", ".1f"),
    Column("share_as_far", "takes as far", "%", ".1f", 100),
    Column("reason", "outcome"),
)
#: Smaller shares of takes are not worth a number, per cent.
_LEAST = 0.01


def rarity_text(edit: ModelEdit) -> str:
    """How far what is asked and the whole motion are from the takes, in words.

    Parameters
    ----------
    edit : ModelEdit
        The edit.
    """
    whole = f"the whole motion {_in_words(edit.whole)}"
    return f"what is asked for {_in_words(edit.asked)}; {whole}" if edit.outcomes else whole


def _in_words(rarity: Rarity) -> str:
    share = 100 * rarity.share
    shown = f"less than {_LEAST:g} %" if share < _LEAST else f"{share:.{0 if share >= 1 else 2}f} %"
    return (
        f"is {rarity.sigmas:.1f} standard deviations from the takes ({shown} of takes are as far)"
    )


@dataclass(frozen=True, eq=False)
class ModelDetails:
    """Where a motion lies among the takes, and how its tasks came out.

    Parameters
    ----------
    edit : ModelEdit
        How it was found.
    standing : Standing
        Where it stands.
    slide : float, metres
        How far feet slide while they stand, before the foot lock.
    slide_after : float, metres, optional
        After it.
    soft : float, metres
        What tasks may be missed by, one standard deviation.
    """

    edit: ModelEdit
    standing: Standing
    slide: float
    slide_after: float | None = None
    soft: float = 0.0

    def as_written(self, made: PosedMotion, contacts: FootContacts) -> ModelDetails:
        """The same, measured on the finished motion; see `WrittenDetails`.

        Parameters
        ----------
        made : PosedMotion
            The motion as it is written.
        contacts : FootContacts
            Those that finishing kept.
        """
        outcomes = tuple(replace(o, written=self._miss(o, made)) for o in self.edit.outcomes)
        return replace(
            self, edit=replace(self.edit, outcomes=outcomes), slide_after=foot_slide(made, contacts)
        )

    def _miss(self, outcome: TaskOutcome, made: PosedMotion) -> float:
        """What a motion misses a task by, in the measure of the solver."""
        space = self.edit.space
        at = int(np.abs(self.edit.frames - outcome.frame).argmin())
        pose = self.standing.from_world(made.motion.cut(at, at + 1))
        near = space.values_at(self.edit.coefficients, [outcome.frame])[0]
        values = space.coordinates.to_coordinates(pose, near)[0]
        residual, _ = body_of(space).measure(values, (outcome.task,))
        return float(np.linalg.norm(residual))

    @property
    def problems(self) -> tuple[str, ...]:
        """Tasks that the finished motion misses, though by less than constraints may be, a sentence
        each.
        """
        return tuple(
            f"{self._name_of(o)} {o.task.kind} is missed by {1000 * o.written:.0f} mm"
            f"{_ANGLE.get(o.task.kind, '')} as written: {self._reason(o)}"
            for o in self.edit.outcomes
            if o.written is not None and self._is_missed(o)
        )

    def _is_missed(self, outcome: TaskOutcome) -> bool:
        written = outcome.written or 0.0
        if outcome.task.kind in _ANGLE:
            return written > max(_ASTRAY, 3 * self.soft)
        return max(_MISSED, 3 * self.soft) < written <= NEAR

    def _reason(self, outcome: TaskOutcome) -> str:
        if not outcome.met:
            return outcome.reason
        return "the model meets it, but limbs do not where feet rest and other joints are asked for"

    def _name_of(self, outcome: TaskOutcome) -> str:
        if outcome.task.kind == "mass":
            return "centre of mass"
        return self.edit.space.skeleton.names[outcome.task.joint]

    def as_section(self) -> Section:
        """Distances from the takes, tasks, and how feet slide."""
        edit = self.edit
        near = edit.nearness
        tasks = [self._flat(outcome) for outcome in edit.outcomes]
        data = {
            "sigmas": edit.sigmas,
            "share_as_far": edit.asked.share,
            "whole_motion": edit.whole,
            "grade": edit.grade,
            "nearest_take": near,
            "coefficients": edit.coefficients,
        }
        return Section(
            f"Model of {len(edit.space.names)} takes: {edit.grade}",
            [
                rarity_text(edit),
                Row("", f"nearest take, {near.take}", near.distance, "cm", ".1f", 100),
                Row("", "nine in ten takes are from another", near.usual, "cm", ".1f", 100),
                Row("iterations", "iterations", edit.iterations),
                Row("foot_slide_before", "feet slide before the foot lock", self.slide, *_MM),
                Row("foot_slide_after", "feet slide after it", self.slide_after, *_MM),
                Table("Tasks", _TASK, tasks, "tasks"),
            ],
            data=data,
        )

    def _flat(self, outcome: TaskOutcome) -> list[Any]:
        """The values of `_TASK`."""
        task = outcome.task
        rarity = outcome.rarity
        joint = self.edit.space.skeleton.names[task.joint]
        misses = [outcome.residual, outcome.written, rarity.sigmas, rarity.share]
        return [joint, task.kind, task.layer, outcome.frame, *misses, outcome.reason]


def normalised_contacts(clips: AnalysedClips, times: Array) -> Bools:
    """Which points of the soles bear on the ground in most takes.

    Parameters
    ----------
    clips : AnalysedClips
        The takes, with their contacts.
    times : array of shape (d, N), seconds
        When each take shows the normalised frames.

    Returns
    -------
    bool array of shape (N, P)
    """
    shown = []
    for contacts, own in zip(clips.contacts, times, strict=True):
        frames = np.round(own * clips.clip_set.fps).astype(int)
        shown.append(contacts.down[np.clip(frames, 0, len(contacts.down) - 1)])
    return np.mean(shown, axis=0) > 0.5


def contacts_at(clips: AnalysedClips, down: Bools, frames: Array, fps: float) -> FootContacts:
    """Contacts of a motion on a ground at height 0.

    Parameters
    ----------
    clips : AnalysedClips
        Give the soles.
    down : bool array of shape (N, P)
        Of normalised frames.
    frames : array of shape (T,)
        Normalised frame that each frame shows.
    fps : float
        Frames per second of the motion.
    """
    own = down[np.clip(np.round(frames).astype(int), 0, len(down) - 1)]
    return FootContacts(clips.soles, drop_short_contacts(own, fps), 0.0)


def foot_slide(posed: PosedMotion, contacts: FootContacts) -> float:
    """Farthest that a point of the soles is from the middle of where it stands, metres."""
    points = contacts.soles.positions(posed)[..., [0, 2]]
    farthest = 0.0
    for p in range(points.shape[1]):
        for a, b in runs_of(contacts.down[:, p]):
            own = points[a:b, p]
            away = np.linalg.norm(own - own.mean(axis=0), axis=-1)
            farthest = max(farthest, float(away.max()))
    return farthest


def mean_ground(clips: AnalysedClips) -> float:
    """Height of the ground under the takes, metres."""
    return float(np.mean([contacts.ground for contacts in clips.contacts]))


def space_times(space: MotionSpace) -> Array:
    """When motions made of a model's own takes show normalised frames, shape (d, N), seconds."""
    durations = space.timing.takes.sum(axis=1)
    pairs = zip(space.coefficients, durations, strict=True)
    return np.array([space.times_of(own, float(duration)) for own, duration in pairs])
