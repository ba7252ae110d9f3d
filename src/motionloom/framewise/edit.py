"""A clip edited frame by frame: every frame by itself serves strict layers of tasks.

After Le Callennec & Boulic (2006), whose editor Carvalho et al. (2007) compare motion models with:
tracks that ease in and out, feet above all, the centre of mass below. Every frame is the pose
nearest to the clip's own that serves its tasks, so that the edit is as smooth as the tracks are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.errors import InvalidInputError
from motionloom.framewise.balance import hold_over_support
from motionloom.framewise.body import ClipBody
from motionloom.framewise.goals import Goal, Track, build_track, own_track, reach_of
from motionloom.framewise.settle import FrameProblem, settle_all
from motionloom.ik.prioritized import LayeredResult
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent

Array = NDArray[np.float64]

#: Layers as the solver counts: planted feet, balance that is kept, goals from there on, balance
#: that is wished for.
FEET, KEPT, GOALS, WISHED = 1, 2, 2, 1000
#: Time over which the ways of joints are smoothed before frames are settled again, seconds.
SMOOTHING = 0.12
#: A goal is met within this, metres and radians.
TOLERANCE = 1e-3
#: Frames of a long goal at which it is tried what can be reached.
_TRIES = 5


@dataclass(frozen=True)
class EditOptions:
    """How a clip is edited.

    Parameters
    ----------
    feet : {"planted", "free"}
        Whether feet go on moving as in the clip, above all goals, unless they are goals themselves.
    balance : {"wished", "kept", "free"}
        Whether the centre of mass should, or has to, stay over what the feet stand on where it does
        so in the clip.
    smooth : int
        How often the ways of joints are smoothed and the frames settled again.
    """

    feet: Literal["planted", "free"] = "planted"
    balance: Literal["wished", "kept", "free"] = "wished"
    smooth: int = 1

    def __post_init__(self) -> None:
        if self.feet not in ("planted", "free") or self.balance not in ("wished", "kept", "free"):
            raise InvalidInputError(
                "feet must be 'planted' or 'free' and balance 'wished', 'kept' or 'free', got"
                f" {self.feet!r} and {self.balance!r}"
            )
        if self.smooth < 0:
            raise InvalidInputError(f"smooth must be at least 0, got {self.smooth}")


@dataclass(frozen=True)
class GoalOutcome:
    """How a goal came out.

    Parameters
    ----------
    goal : Goal
        What was asked.
    residual : float
        What it is missed by at worst while it is asked for; metres, radians for orientation and
        gaze.
    frame : int
        Where that is.
    reason : str
        ``"met"``, or why not, as `LayerOutcome` has it.
    """

    goal: Goal
    residual: float
    frame: int
    reason: str

    @property
    def met(self) -> bool:
        """Whether it is met."""
        return self.residual <= TOLERANCE


@dataclass(frozen=True, eq=False)
class ClipEdit:
    """An edited clip.

    Parameters
    ----------
    before, after : PosedMotion
        The clip and what became of it.
    frames : tuple of int
        First frame that was edited and the frame behind the last; all others are as they were.
    outcomes : tuple of GoalOutcome
        One for each goal, in the order given.
    unknowns : array of shape (N, A)
        How far joints were moved in each edited frame.
    iterations : int
        Steps of the solver, over all frames.
    notes : tuple of str
        What was left out, and why.
    """

    before: PosedMotion
    after: PosedMotion
    frames: tuple[int, int]
    outcomes: tuple[GoalOutcome, ...]
    unknowns: Array
    iterations: int
    notes: tuple[str, ...] = ()

    @property
    def motion(self) -> Motion:
        """The edited motion."""
        return self.after.motion


def edit_clip(
    posed: PosedMotion,
    goals: Sequence[Goal],
    options: EditOptions | None = None,
    progress: Progress = silent,
) -> ClipEdit:
    """Edit a clip so that its effectors do what goals say.

    Parameters
    ----------
    posed : PosedMotion
        The clip, of any skeleton.
    goals : sequence of Goal
        At least one.
    options : EditOptions, optional
        The defaults when not given.
    progress : Progress
        Told of every frame.

    Returns
    -------
    ClipEdit
        The clip's name, rate and source stay. Goals that cannot be reached are come as near to as
        can be.

    Raises
    ------
    InvalidInputError
        Without a goal, for frames or joints that there are not, for two goals of one effector in a
        frame, and for a centre of mass that is not known.
    """
    options = options or EditOptions()
    editor = _Editor(ClipBody.of(posed), tuple(goals), options, progress)
    editor.check()
    return editor.run()


@dataclass(frozen=True, eq=False)
class _Editor:
    body: ClipBody
    goals: tuple[Goal, ...]
    options: EditOptions
    progress: Progress

    @property
    def posed(self) -> PosedMotion:
        return self.body.posed

    @cached_property
    def frames(self) -> tuple[int, int]:
        return reach_of(self.goals, self.posed.fps, self.posed.n_frames)

    @cached_property
    def groups(self) -> list[list[int]]:
        """Indices of the goals of each effector, in the order of time."""
        groups: dict[tuple[object, ...], list[int]] = {}
        for k in sorted(range(len(self.goals)), key=lambda k: self.goals[k].first):
            groups.setdefault(self.goals[k].effector, []).append(k)
        return list(groups.values())

    @cached_property
    def contacts(self) -> FootContacts | None:
        try:
            return detect_contacts(self.posed)
        except InvalidInputError:
            return None

    def check(self) -> None:
        if not self.goals:
            raise InvalidInputError("an edit needs at least one goal")
        n = self.posed.n_frames
        joints = self.posed.skeleton.n_joints
        for goal in self.goals:
            if goal.last >= n or not 0 <= goal.joint < joints:
                raise InvalidInputError(
                    f"the clip has frames 0 to {n - 1} and joints 0 to {joints - 1}; a goal asks"
                    f" for frame {goal.last} of joint {goal.joint}"
                )
            if goal.kind == "mass" and self.body.masses is None:
                raise InvalidInputError(
                    "the centre of mass needs the joints of a human; name them in a roles table, or"
                    " leave it out"
                )
        for group in self.groups:
            for k, following in zip(group, group[1:], strict=False):
                if self.goals[following].first <= self.goals[k].last:
                    raise InvalidInputError(
                        f"two goals of one effector share frame {self.goals[following].first};"
                        " remove one of them"
                    )

    def run(self) -> ClipEdit:
        wanted = self.tracks()
        reasons, missed = self._try_goals(wanted)
        tracks = self.tracks(missed) if any(m.any() for m in missed.values()) else wanted
        none = np.zeros((self.frames[1] - self.frames[0], len(self.body.free)))
        found, used = self._settle(tracks, none, "editing")
        balance, notes = self._balance(found)
        if balance is not None:
            tracks = [*tracks, balance]
            found, more = self._settle(tracks, none, "balancing")
            used += more
        for _ in range(self.options.smooth):
            found, more = self._settle(tracks, self._smoothed(found), "smoothing")
            used += more
        after = self._posed_at(found)
        outcomes = tuple(
            self._outcome(goal, after, reason)
            for goal, reason in zip(self.goals, reasons, strict=True)
        )
        return ClipEdit(self.posed, after, self.frames, outcomes, found, used, notes)

    def tracks(self, missed: dict[int, Array] | None = None) -> list[Track]:
        """Feet first, then goals."""
        tracks = [self._goal_track(group, missed) for group in self.groups]
        if self.options.feet == "planted":
            tracks += self._feet()
        return tracks

    def _goal_track(self, group: list[int], missed: dict[int, Array] | None) -> Track:
        goals = [self.goals[k] for k in group]
        first = goals[0]
        own = own_track(self.posed, first, self.body.center_of_mass)
        layer = GOALS + first.layer
        frames = reach_of(goals, self.posed.fps, self.posed.n_frames)
        if self._is_foot(first):
            # A foot that is asked for stays planted before and after that, too.
            layer = FEET if first.layer == 1 else layer
            frames = self.frames
        lacks = None if missed is None else np.array([missed[k] for k in group])
        places = self.posed.positions[:, first.joint]
        return build_track(goals, own, places, self.posed.fps, frames, layer, lacks)

    def _is_foot(self, goal: Goal) -> bool:
        feet = [self.posed.roles.joints[f] for f in self.posed.roles.feet]
        return (
            self.options.feet == "planted"
            and goal.joint in feet
            and goal.kind in ("position", "orientation")
        )

    def _feet(self) -> list[Track]:
        """Feet as they move in the clip."""
        asked = {(g.kind, g.joint) for g in self.goals if self._is_foot(g)}
        tracks = []
        for role in self.posed.roles.feet:
            joint = self.posed.roles.joints[role]
            for kind in ("position", "orientation"):
                if (kind, joint) in asked:
                    continue
                value = (1.0, 0.0, 0.0, 0.0) if kind == "orientation" else (0.0, 0.0, 0.0)
                goal = Goal(kind, value, *(2 * (self.frames[0],)), joint=joint)  # type: ignore[arg-type]
                own = own_track(self.posed, goal)[slice(*self.frames)]
                tracks.append(Track((goal,), FEET, self.frames[0], own))
        return tracks

    def _settle(self, tracks: list[Track], prefer: Array, stage: str) -> tuple[Array, int]:
        total = self.frames[1] - self.frames[0]
        found = settle_all(
            self.body, tracks, self.frames, prefer, lambda i: self.progress(stage, i, total)
        )
        self.progress(stage, total, total)
        return found

    def _smoothed(self, found: Array) -> Array:
        """Ways of the unknowns with kinks taken out, still zero outside of the span."""
        half = max(round(0.5 * SMOOTHING * self.posed.fps), 1)
        kernel = np.hanning(2 * half + 3)[1:-1]
        open_ends = (self.frames[0] == 0, self.frames[1] == self.posed.n_frames)
        # An edit that reaches an end of the clip goes on there as it is.
        padded = np.concatenate(
            [
                np.repeat(found[:1] * open_ends[0], half, axis=0),
                found,
                np.repeat(found[-1:] * open_ends[1], half, axis=0),
            ]
        )
        smooth = scipy.ndimage.convolve1d(padded, kernel / kernel.sum(), axis=0, mode="nearest")
        return np.ascontiguousarray(smooth[half:-half])

    def _try_goals(self, tracks: list[Track]) -> tuple[list[str], dict[int, Array]]:
        """Why each goal cannot be met, and what it is missed by in the best pose, (3,)."""
        ordered = sorted(tracks, key=lambda track: track.layer)
        reasons = ["met"] * len(self.goals)
        missed = {k: np.zeros(3) for k in range(len(self.goals))}
        tried: dict[int, LayeredResult] = {}
        for k, goal in enumerate(self.goals):
            worst = 0.0
            for frame in _few(goal.first, goal.last):
                here = [t for t in ordered if t.start <= frame < t.stop]
                problem = FrameProblem.of(self.body, frame, here)
                if frame not in tried:
                    tried[frame] = problem.solve_strictly(TOLERANCE)
                result = tried[frame]
                at = next(i for i, t in enumerate(here) if goal in t.goals)
                if result.lengths[at] <= max(worst, TOLERANCE):
                    continue
                worst = float(result.lengths[at])
                layer = here[at].layer
                reasons[k] = next(o.reason for o in result.layers if o.layer == layer)
                missed[k] = self._missed(goal, here[at].task(frame).value, result.coordinates, frame)
        return [_in_words(reason) for reason in reasons], missed

    def _missed(self, goal: Goal, wanted: object, values: Array, frame: int) -> Array:
        """What a pose misses a goal by: metres, or a rotation vector in the world."""
        motion = self.body.to_motion(values[None], slice(frame, frame + 1)).cut(frame, frame + 1)
        pose = self.posed.with_motion(motion)
        mass = None if self.body.masses is None else self.body.masses @ pose.positions
        got = own_track(pose, goal, mass)[0]
        want = np.asarray(wanted)
        if goal.kind == "orientation":
            return rot.to_rotvec(rot.multiply(want, rot.conjugate(got)))
        if goal.kind == "gaze":
            ahead = want - pose.positions[0, goal.joint]
            ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
            across = np.cross(got, ahead)
            sine = float(np.linalg.norm(across))
            return across / max(sine, 1e-12) * np.arctan2(sine, got @ ahead)
        lacks = want - got
        if goal.kind == "mass":
            lacks = lacks * [axis in goal.axes for axis in "xyz"]
        return np.asarray(lacks, float)

    def _posed_at(self, found: Array) -> PosedMotion:
        frames = slice(*self.frames)
        moved = np.einsum("tda,ta->td", self.body.maps[frames], found)
        return self.posed.with_motion(
            self.body.to_motion(self.body.values[frames] + moved, frames)
        )

    def _outcome(self, goal: Goal, after: PosedMotion, reason: str) -> GoalOutcome:
        mass = None if self.body.masses is None else self.body.masses @ after.positions
        got = own_track(after, goal, mass)
        frames = np.arange(goal.first, goal.last + 1)
        value = np.asarray(goal.value)
        if goal.kind == "orientation":
            far = rot.angle_between(got[frames], value)
        elif goal.kind == "gaze":
            ahead = value - after.positions[frames, goal.joint]
            ahead /= np.maximum(np.linalg.norm(ahead, axis=-1, keepdims=True), 1e-9)
            sine = np.linalg.norm(np.cross(got[frames], ahead), axis=-1)
            far = np.arctan2(sine, np.sum(got[frames] * ahead, axis=-1))
        else:
            before = own_track(self.posed, goal, self.body.center_of_mass)[frames]
            lacks = value + (before if goal.shift else 0.0) - got[frames]
            if goal.kind == "mass":
                lacks = lacks * [axis in goal.axes for axis in "xyz"]
            far = np.linalg.norm(lacks, axis=-1)
        at = int(np.argmax(far))
        residual = float(far[at])
        if residual > TOLERANCE and reason == "met":
            reason = "the frames between do not leave room for it"
        return GoalOutcome(goal, residual, int(frames[at]), reason)

    def _balance(self, found: Array) -> tuple[Track | None, tuple[str, ...]]:
        """Where the centre of mass is asked to be, if the edit takes it off its support."""
        if self.options.balance == "free" or any(g.kind == "mass" for g in self.goals):
            return None, ()
        if self.body.masses is None or self.contacts is None:
            return None, ("balance is not looked after: the clip's joints do not say where it is",)
        place = hold_over_support(
            self.posed, self._posed_at(found), self.contacts, self.body.masses, self.frames
        )
        if place is None:
            return None, ()
        goal = Goal("mass", place[0], *(2 * (self.frames[0],)))
        layer = KEPT if self.options.balance == "kept" else WISHED
        return Track((goal,), layer, self.frames[0], place), ()


def _few(first: int, last: int) -> list[int]:
    """Some frames of a goal, both ends among them."""
    count = min(_TRIES, last - first + 1)
    return sorted({int(f) for f in np.linspace(first, last, count).round()})


def _in_words(reason: str) -> str:
    """Reasons of the solver in the words of an edit."""
    if reason == "the floor is in the way":
        return "at joint limits"
    if reason.startswith("conflicts with layer "):
        layer = int(reason.rsplit(" ", 1)[1])
        if layer <= FEET:
            return "conflicts with the planted feet"
        if layer == KEPT:
            return "conflicts with balance"
        return f"conflicts with priority {layer - GOALS}"
    return reason


