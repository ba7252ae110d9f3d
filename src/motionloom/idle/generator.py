"""Waiting as a generator: somebody stands at one place, as they do in the clips, for so long."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.errors import InvalidInputError, SynthesisError
from motionloom.idle._making import stay_about
from motionloom.idle.continuing import WaitingIdle
from motionloom.idle.learning.recording import Recording, prepare_recording
from motionloom.idle.model import IdleModel, fit_idle
from motionloom.idle.streams.stream import IdleStream, IdleStreamOptions, begin_idle
from motionloom.kinematics import chain_kinematics
from motionloom.motion import GroundTransform, Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.progress import Progress, silent
from motionloom.reports import Section, rows_of, shown
from motionloom.synthesis.generator import Draft, Reason
from motionloom.synthesis.streaming import ContinuedStream, StreamState

NAME = "idle"
#: Kinds of constraints that it can honour.
HONOURS = frozenset({"body", "still"})
#: Places this near to each other are one, metres, and facings, degrees: who shifts their weight
#: moves and turns by as much.
SAME_PLACE, SAME_FACING = 0.2, 20.0
#: In a clip of somebody who waits no joint goes faster than this (metres per second) for this share
#: of the time; who reaches, walks or plays goes faster.
CALM, CALM_SHARE = 0.5, 0.75
#: Most motions for one constraint set.
MOST = 4


@dataclass(frozen=True)
class IdleGeneratorOptions:
    """Options of waiting as a generator.

    Parameters
    ----------
    waiting : IdleStreamOptions
        How lively somebody waits.
    """

    waiting: IdleStreamOptions = field(default_factory=IdleStreamOptions)


@dataclass(frozen=True)
class IdleDetails:
    """What waiting says about a motion.

    Parameters
    ----------
    seed : int
        What it was made with.
    rests : int
        Resting postures that are known.
    shifts : int
        Ways from one to another; without those in which a foot steps where they would lead away.
    """

    seed: int = field(metadata=shown("seed"))
    rests: int = field(metadata=shown("postures known"))
    shifts: int = field(metadata=shown("shifts known"))

    def as_section(self) -> Section:
        """What is known, and the seed."""
        return Section("Waiting", rows_of(self), data=self)


@dataclass(frozen=True, eq=False)
class FittedIdle:
    """How somebody waits, ready to answer constraints.

    Parameters
    ----------
    clips : AnalysedClips
        The clips.
    model : IdleModel
        With shifts in which a foot steps, where the person stepped.
    notes : tuple of str
        What was left out or guessed, one sentence each.
    waiting : IdleStreamOptions
        How lively.
    """

    clips: AnalysedClips
    model: IdleModel
    notes: tuple[str, ...]
    waiting: IdleStreamOptions = field(default_factory=IdleStreamOptions)

    name = NAME
    honours = HONOURS
    score_meaning = "smaller is better: metres to the farthest place that is asked for"

    def generate(
        self,
        constraints: ConstraintSet,
        *,
        seed: int = 0,
        budget: float = 5.0,
        count: int = 1,
        progress: Progress = silent,
    ) -> tuple[Draft, ...]:
        """Wait at the place asked for; see `Fitted.generate`.

        Parameters
        ----------
        constraints : ConstraintSet
            Its body constraints ask for one place.
        seed : int
            The same seed gives the same motions.
        budget : float, seconds
            Does not count: nothing is searched.
        count : int
            Most drafts returned.
        progress : Progress
            Told of every draft.

        Returns
        -------
        tuple of Draft
            The one that is nearest to the place comes first; `Draft.details` is an `IdleDetails`.

        Raises
        ------
        SynthesisError
            When the body is asked to be at several places, or to face several ways.
        """
        _check_one_place(constraints.body)
        count = min(count, MOST)
        drafts = []
        for i in range(count):
            progress("waiting", i, count)
            drafts.append(self._draft(constraints, seed + i))
        progress("waiting", count, count)
        return tuple(sorted(drafts, key=lambda draft: draft.score))

    def explain(
        self,
        constraints: ConstraintSet,
        errors: Sequence[ConstraintError],
        adherence: Sequence[Adherence],
    ) -> tuple[Reason, ...]:
        """No reason is known; see `Fitted.explain`."""
        return ()

    def stream(self, state: StreamState, fps: float, seed: int = 0) -> ContinuedStream:
        """Wait from a state on; see `Streaming.stream`.

        Parameters
        ----------
        state : StreamState
            Of a body that stands on two legs.
        fps : float
            Frames per second.
        seed : int
            The same seed gives the same frames.

        Returns
        -------
        ContinuedStream
        """
        return WaitingIdle(self.model, self.waiting).stream(state, fps, seed)

    def _draft(self, constraints: ConstraintSet, seed: int) -> Draft:
        """Somebody steps as they did, unless that leads away from a place asked for."""
        model = self.model
        placed = self._made(model, constraints, seed)
        if _farthest(placed, constraints) > SAME_PLACE:
            model = model.standing()
            placed = self._made(model, constraints, seed)
        motion = _with_all_joints(placed.motion, self.clips.clip_set)
        details = IdleDetails(seed, len(model.rests), len(model.shifts))
        return Draft(motion, score=_farthest(placed, constraints), details=details)

    def _made(self, model: IdleModel, constraints: ConstraintSet, seed: int) -> PosedMotion:
        stream = IdleStream(model, constraints.fps, begin_idle(model, seed), self.waiting)
        made = stream.frames(constraints.n_frames)
        posed = stay_about(pose_motion(made, model.space.roles))
        return posed.transformed(_to_place(posed, constraints))


def _check_one_place(body: Sequence[BodyConstraint]) -> None:
    """Check that somebody who stays where they are can meet body constraints.

    Parameters
    ----------
    body : sequence of BodyConstraint
        In the order of time.

    Raises
    ------
    SynthesisError
        When two of them are apart.
    """
    for a, b in itertools.combinations(body, 2):
        apart = float(np.hypot(*np.subtract(a.position, b.position)))
        told = f"the body constraints at {a.time:g} s and {b.time:g} s"
        if apart > SAME_PLACE:
            raise SynthesisError(
                f"{told} are {apart:.2f} m apart, and who waits stays within {SAME_PLACE:g} m; ask"
                " for one place, or use the motion graph"
            )
        if a.facing is None or b.facing is None:
            continue
        turned = float(np.degrees(abs(rot.wrap_angle(np.radians(a.facing - b.facing)))))
        if turned > SAME_FACING:
            raise SynthesisError(
                f"{told} face {turned:.0f} degrees apart, and who waits turns by"
                f" {SAME_FACING:g} degrees at most; ask for one facing, or use the motion graph"
            )


def _to_place(posed: PosedMotion, constraints: ConstraintSet) -> GroundTransform:
    """Where a motion goes so that its body is at the places asked for, on average."""
    body = constraints.body
    frames = [constraints.frame_of(c.time) for c in body]
    if not body:
        return GroundTransform()
    known = [(f, c.facing) for f, c in zip(frames, body, strict=True) if c.facing is not None]
    off = np.array([np.radians(facing) - posed.body[f, 2] for f, facing in known])
    turn = float(np.arctan2(np.sin(off).sum(), np.cos(off).sum()))
    hips = GroundTransform(turn).apply(posed.body[frames, :2]).mean(axis=0)
    x, z = np.mean([c.position for c in body], axis=0) - hips
    return GroundTransform(turn, float(x), float(z))


def _farthest(posed: PosedMotion, constraints: ConstraintSet) -> float:
    """Farthest that the body is from a place asked for, metres."""
    away = [
        float(np.hypot(*(posed.body[constraints.frame_of(c.time), :2] - c.position)))
        for c in constraints.body
    ]
    return max(away, default=0.0)


def _with_all_joints(motion: Motion, clips: ClipSet) -> Motion:
    """A motion on the skeleton of clips: joints that do not move with the body stay as they are."""
    pattern = clips.motions[0].cut(0, 1)
    own = [pattern.skeleton.index(name) for name in motion.skeleton.names]
    n = motion.n_frames
    rotations = np.repeat(pattern.rotations, n, axis=0)
    rotations[:, own] = motion.rotations
    places = motion.translations[:, 0]
    root = own[0]
    if pattern.skeleton.parents[root] >= 0:
        above = chain_kinematics(pattern, root)
        back = rot.conjugate(above.rotations[:, -2])
        rotations[:, root] = rot.multiply(back, rotations[:, root])
        places = rot.rotate(back, places - above.positions[:, -2])
    whole = pattern.with_translated(sorted({*pattern.translated, root}))
    translations = np.repeat(whole.translations, n, axis=0)
    for slot, joint in enumerate(whole.translated):
        if joint in own:
            translations[:, slot] = motion.skeleton.offsets[own.index(joint)]
    translations[:, whole.translated.index(root)] = places
    return replace(
        whole,
        rotations=rotations,
        translations=translations,
        frame_time=motion.frame_time,
        name=motion.name,
    )


class IdleGenerator:
    """Waiting, learned from those of the clips in which somebody stands about."""

    name = NAME
    honours = HONOURS

    def fit(
        self,
        clips: AnalysedClips,
        options: IdleGeneratorOptions | None = None,
        progress: Progress = silent,
    ) -> FittedIdle:
        """Learn how somebody waits.

        Parameters
        ----------
        clips : AnalysedClips
            Some of them show somebody who waits; the others are left out.
        options : IdleGeneratorOptions, optional
            How lively it is.
        progress : Progress
            Told of clips.

        Returns
        -------
        FittedIdle

        Raises
        ------
        SynthesisError
            When nobody waits in any of the clips.
        """
        options = options or IdleGeneratorOptions()
        recordings, left_out = _recordings(clips.clip_set)
        model = fit_idle(recordings, progress=progress)
        return FittedIdle(clips, model, (*model.notes, *left_out), options.waiting)


def _recordings(clips: ClipSet) -> tuple[list[Recording], tuple[str, ...]]:
    """Clips that can be learned from, and a sentence about the others."""
    recordings: list[Recording] = []
    reasons: dict[str, str] = {}
    for motion in clips.motions:
        try:
            # Roles of the clips hold where all of their joints are kept.
            recording = prepare_recording(motion, clips.roles if motion.root_joint == 0 else None)
        except InvalidInputError as error:
            reasons[motion.name] = str(error)
            continue
        if is_waiting(recording):
            recordings.append(recording)
        else:
            reasons[motion.name] = f"{motion.name} moves too much for somebody who waits"
    if not recordings:
        first = next(iter(reasons.values()), "there are no clips")
        raise SynthesisError(f"waiting cannot be learned from these clips: {first}")
    if not reasons:
        return recordings, ()
    many = f"nobody waits in {len(reasons)} of {clips.n_clips} clips, which are left out"
    return recordings, (many,)


def is_waiting(recording: Recording) -> bool:
    """Whether somebody waits in a clip: most of the time nothing moves fast.

    Parameters
    ----------
    recording : Recording
        Somebody who stands at times.
    """
    posed = recording.posed
    speeds = np.linalg.norm(np.diff(posed.positions, axis=0), axis=-1).max(axis=1) * posed.fps
    return bool(np.quantile(speeds, CALM_SHARE) <= CALM)
