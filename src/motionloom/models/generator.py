"""Motion models as a generator: one action, known from takes, as a task asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from motionloom.clips.analysis import AnalysedClips, analyse_clips
from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.errors import SynthesisError
from motionloom.ik.tasks import Task
from motionloom.models._asked import Standing, gather, tasks_of
from motionloom.models._details import (
    ModelDetails,
    contacts_at,
    foot_slide,
    mean_ground,
    normalised_contacts,
    rarity_text,
    space_times,
)
from motionloom.models._edit import ModelEdit, edit_motion, show_motion
from motionloom.models.solving._rarity import FINE
from motionloom.models.solving.problem import MET, REACH, EditOptions
from motionloom.motion import GroundTransform
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.spaces.motion_space import (
    KeyRule,
    Keys,
    MotionSpace,
    MotionSpaceOptions,
    build_motion_space,
    find_keys,
    guess_rule,
)
from motionloom.spaces.motion_space.takes import warp
from motionloom.synthesis.generator import Draft, Reason
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

NAME = "model"
#: Kinds of constraints that it can honour.
HONOURS = frozenset({"body", "joints", "position", "orientation", "look_at"})
#: A motion may last this many times as long as the longest take, or as short as the shortest.
SLOWER, FASTER = 1.5, 0.67
#: Most motions for one constraint set.
MOST = 4
#: How often times of tasks are found anew from how long the motion's spans are.
ROUNDS = 3


@dataclass(frozen=True)
class ModelGeneratorOptions:
    """Options of motion models as a generator.

    Parameters
    ----------
    keys : Keys or KeyRule, optional
        Key postures of every clip, or how they are found; guessed when not given.
    space : MotionSpaceOptions
        How the model is built.
    edit : EditOptions
        How tasks are solved.
    """

    keys: Keys | KeyRule | None = None
    space: MotionSpaceOptions = field(default_factory=MotionSpaceOptions)
    edit: EditOptions = field(default_factory=lambda: EditOptions(local=REACH))


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A motion model that answers constraints.

    Parameters
    ----------
    clips : AnalysedClips
        The takes, with their contacts.
    space : MotionSpace
        What they know.
    times : array of shape (d, N), seconds
        When each take shows the normalised frames.
    options : EditOptions
        How tasks are solved.
    """

    clips: AnalysedClips
    space: MotionSpace
    times: Array
    options: EditOptions = field(default_factory=lambda: EditOptions(local=REACH))

    name = NAME
    honours = HONOURS
    score_meaning = (
        "smaller is better: centimetres from the nearest take, and 1 for every centimetre of a miss"
    )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the model is made of, and what to know about it."""
        space = self.space
        made = (
            f"motion model of {len(space.names)} takes: {space.n_components} eigen-motions hold"
            f" {100 * space.energy[space.n_components - 1]:.0f} % of how they vary"
        )
        return (made, *space.notes)

    @cached_property
    def down(self) -> Bools:
        """Which points of the soles stand in normalised frames, shape (N, P)."""
        return normalised_contacts(self.clips, self.times)

    @cached_property
    def standing(self) -> Standing:
        """Where the takes stand on average."""
        return Standing(self.space.placing, mean_ground(self.clips))

    def generate(
        self,
        constraints: ConstraintSet,
        *,
        seed: int = 0,
        budget: float = 5.0,
        count: int = 1,
        progress: Progress = silent,
    ) -> tuple[Draft, ...]:
        """Edit the mean motion, and the takes that come nearest; see `Fitted.generate`.

        Parameters
        ----------
        constraints : ConstraintSet
            At the frame rate of the clips.
        seed : int
            Of motions that nothing is asked of but how long they last.
        budget : float, seconds
            Does not count: all is done at once.
        count : int
            Most drafts returned.
        progress : Progress
            Told of every draft.

        Returns
        -------
        tuple of Draft
            The likeliest first; `Draft.details` is a `ModelDetails`.

        Raises
        ------
        SynthesisError
            When the action does not last so long or short.
        """
        self.check_duration(constraints.duration)
        count = min(count, MOST)
        first, standing, _ = self._placed_edit(constraints, np.zeros(self.space.n_components))
        drafts = [self.draft(first, standing)]
        for start in self._others(first, seed, count - 1):
            progress("editing", len(drafts), count)
            edit, standing, _ = self._placed_edit(constraints, start)
            drafts.append(self.draft(edit, standing))
        progress("editing", count, count)
        return tuple(drafts)

    def draft(self, edit: ModelEdit, standing: Standing) -> Draft:
        """An edit as a draft, in the world.

        Parameters
        ----------
        edit : ModelEdit
            The edit.
        standing : Standing
            Where it stands.
        """
        motion = standing.to_world(edit.motion)
        contacts = contacts_at(self.clips, self.down, edit.frames, motion.fps)
        slide = foot_slide(PosedMotion(motion, self.clips.roles), contacts)
        missed = sum(o.residual for o in edit.outcomes if not o.met)
        return Draft(
            motion,
            contacts=contacts,
            score=100.0 * (edit.nearness.distance + missed),
            stopped=f"{edit.iterations} iterations",
            notes=edit.notes + _grade_note(edit),
            details=ModelDetails(edit, standing, slide, soft=self.options.soft or 0.0),
        )

    def explain(
        self,
        constraints: ConstraintSet,
        errors: Sequence[ConstraintError],
        adherence: Sequence[Adherence],
    ) -> tuple[Reason, ...]:
        """Say which joints the model cannot bring to their places; see `Fitted.explain`."""
        missed = {e.index for e in errors if e.kind == "joint"}
        if not missed:
            return ()
        edit, _, tasks = self._placed_edit(constraints, np.zeros(self.space.n_components))
        return tuple(
            Reason("joint", i, reason)
            for i, reason in _reasons_by_constraint(tasks, edit).items()
            if i in missed and reason != MET
        )

    def check_duration(self, duration: float) -> None:
        """Check that the action may last so long.

        Parameters
        ----------
        duration : float, seconds
            Of a motion.

        Raises
        ------
        SynthesisError
            When it is much longer or shorter than takes, or no number.
        """
        lasts = self.times[:, -1] - self.times[:, 0]
        low = FASTER * float(lasts.min())
        high = SLOWER * float(lasts.max())
        if not low <= duration <= high:
            raise SynthesisError(
                f"these takes last {lasts.min():.2f} to {lasts.max():.2f} s, and"
                f" {duration:g} s are asked for; ask for {low:.2f} to {high:.2f} s"
            )

    def _placed_edit(
        self, constraints: ConstraintSet, start: Array
    ) -> tuple[ModelEdit, Standing, list[tuple[int, tuple[Task, ...]]]]:
        """An edit, where it stands and its tasks: how a body leans depends on what it reaches for,
        and where that is, seen from the body, on how it leans.
        """
        frames = self._frames(start, constraints)
        coefficients = start
        for _ in range(ROUNDS):
            at = 0.0
            if constraints.body:
                at = float(frames[constraints.frame_of(constraints.body[0].time)])
            standing = self.standing_at(constraints, at, coefficients)
            tasks = tasks_of(self.space, constraints, standing)
            edit = self._edit(constraints, tasks, start)
            if not constraints.body:
                break
            coefficients, frames = edit.coefficients, edit.frames
        return edit, standing, tasks

    def standing_at(
        self, constraints: ConstraintSet, frame: float, coefficients: Array
    ) -> Standing:
        """Where the model stands when one of its motions meets the first body constraint.

        Parameters
        ----------
        constraints : ConstraintSet
            Without a body constraint it stands as the takes do.
        frame : float
            Normalised frame at which it is met.
        coefficients : array of shape (K,)
            Of the motion.
        """
        if not constraints.body:
            return self.standing
        wanted = constraints.body[0]
        values = self.space.values_at(coefficients, [frame])
        motion = self.space.coordinates.to_motion(values, self.space.frame_time)
        body = GroundTransform.of_body(PosedMotion(motion, self.space.roles).body[0])
        facing = self.standing.placing.angle + body.angle
        if wanted.facing is not None:
            facing = np.radians(wanted.facing)
        x, z = wanted.position
        placing = GroundTransform(facing, x, z).compose(body.inverse())
        return Standing(placing, self.standing.ground)

    def _frames(self, coefficients: Array, constraints: ConstraintSet) -> Array:
        """Normalised frames that the frames of a motion show."""
        return self.space.shown_frames(coefficients, constraints.duration, 1.0 / constraints.fps)[
            : constraints.n_frames
        ]

    def _others(self, first: ModelEdit, seed: int, count: int) -> list[Array]:
        """Coefficients that further edits begin with: the takes nearest to the first; where nothing
        is asked motions that are as likely as takes.
        """
        takes = self.space.coefficients
        if first.outcomes:
            away = np.linalg.norm((takes - first.coefficients) * self.space.sigmas, axis=1)
            return list(takes[np.argsort(away)[:count]])
        return list(np.random.default_rng(seed).normal(size=(count, takes.shape[1])))

    def _edit(
        self,
        constraints: ConstraintSet,
        tasks: Sequence[tuple[int, tuple[Task, ...]]],
        start: Array,
    ) -> ModelEdit:
        frames = self._frames(start, constraints)
        if not tasks:
            return show_motion(self.space, start, frames, 1.0 / constraints.fps)
        at = [constraints.frame_of(c.time) for c in constraints.joints]
        for _ in range(ROUNDS):
            pairs = [(float(frames[at[i]]), task) for i, own in tasks for task in own]
            edit = edit_motion(
                self.space,
                gather(pairs),
                self.options,
                start=start,
                frame_time=1.0 / constraints.fps,
                frames=frames,
            )
            # How long spans are depends on the motion, and when tasks are due on that.
            later = self._frames(edit.coefficients, constraints)
            if np.abs(later - frames)[at].max() < 0.01:
                break
            frames = later
        return edit


class ModelGenerator:
    """Motion models with prioritized inverse kinematics (Carvalho, Boulic & Thalmann 2007)."""

    name = NAME
    honours = HONOURS

    def fit(
        self,
        clips: AnalysedClips,
        options: ModelGeneratorOptions | None = None,
        progress: Progress = silent,
    ) -> FittedModel:
        """Learn how the takes of one action vary: every clip is one.

        Parameters
        ----------
        clips : AnalysedClips
            At least three takes.
        options : ModelGeneratorOptions, optional
            Key postures, the model's and the solver's.
        progress : Progress
            Told of the model.

        Returns
        -------
        FittedModel

        Raises
        ------
        InvalidInputError
            When there are too few takes or they do not show the same key postures.
        """
        options = options or ModelGeneratorOptions()
        takes = clips.clip_set.motions
        roles = clips.roles
        progress("learning takes", 0, 1)
        keys = options.keys
        if not isinstance(keys, Keys):
            keys = find_keys(takes, keys or guess_rule(takes, roles), roles)
        space = build_motion_space(takes, keys, options.space, roles=roles)
        shown = np.arange(space.n_frames)
        times = np.array([warp(space.key_frames, own, shown) for own in keys.times])
        progress("learning takes", 1, 1)
        return FittedModel(clips, space, times, options.edit)


@one_thread()
def fitted_model(space: MotionSpace, options: EditOptions | None = None) -> FittedModel:
    """A motion model that was stored, ready for constraints: its takes are made of it again.

    Parameters
    ----------
    space : MotionSpace
        What the takes know.
    options : EditOptions, optional
        How tasks are solved.

    Returns
    -------
    FittedModel
    """
    lasts = space.timing.takes.sum(axis=1)
    rows = zip(space.coefficients, lasts, space.names, strict=True)
    made = (space.to_motion(own, duration, name=name) for own, duration, name in rows)
    takes = [take.transformed(space.placing) for take in made]
    clips = analyse_clips(make_clip_set(takes, roles=space.roles))
    return FittedModel(clips, space, space_times(space), options or EditOptions(local=REACH))


def _grade_note(edit: ModelEdit) -> tuple[str, ...]:
    notes = []
    met = all(o.met for o in edit.outcomes)
    if min(edit.asked.share, edit.whole.share) < FINE or not met:
        notes.append(f"what is asked for is {edit.grade}: {rarity_text(edit)}")
    near = edit.nearness
    if near.is_between:
        notes.append(
            f"no take is like this: it is {100 * near.distance:.1f} cm from the nearest one"
            f" ({near.take}), and most takes are within {100 * near.usual:.1f} cm of another, as"
            " where players or styles are pooled and the target lies between them; begin with a"
            f' take (--from "{near.take}"), or fit a model of takes that are alike'
        )
    return tuple(notes)


def _reasons_by_constraint(
    tasks: Sequence[tuple[int, tuple[Task, ...]]], edit: ModelEdit
) -> dict[int, str]:
    """The worst reason of every constraint's tasks."""
    of_task = {id(o.task): o.reason for o in edit.outcomes}
    found = {}
    for i, own in tasks:
        reasons = [of_task[id(task)] for task in own]
        found[i] = next((r for r in reasons if r != MET), MET)
    return found
