"""A clip edited frame by frame: every frame by itself serves strict layers of tasks.

After Le Callennec & Boulic (2006), whose editor Carvalho et al. (2007) compare motion models with:
tracks that ease in and out, feet above all, the centre of mass below. Every frame is the pose
nearest to the clip's own that serves its tasks, so that the edit is as smooth as the tracks are.

The centre of mass over what the feet stand on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.curves import smooth_envelope
from motionloom.errors import InvalidInputError
from motionloom.framewise._body import ClipBody
from motionloom.framewise._goals import TOLERANCE, Goal, GoalOutcome, Track, missed_by, outcome_of
from motionloom.framewise._settle import AT_REST, FrameProblem, Settled, settle_all, settle_near
from motionloom.framewise._tracks import FEET, GOALS, KEPT, WISHED, Tracks, ways_between
from motionloom.motion import Motion
from motionloom.polygons import convex_hull, distance_outside
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, breathe, silent
from motionloom.threads import one_thread
from motionloom.typing import Array

#: Width of feet beside the points of their soles, metres.
SOLE = 0.03
#: Time over which a correction comes and goes, seconds.
_REACH = 0.25
#: How often a share is halved to find the edge of the support.
_HALVINGS = 7

#: Time in which the speed at the end of a goal dies away, seconds.
RUN_ON = 0.2
#: Share of a goal below which it is not asked for yet.
_ANY = 1e-6
#: What cannot be reached is given up by so much more than it must be, metres and radians, until
#: every frame comes to rest.
_SLACKS = (0.01, 0.03, 0.1, 0.3)


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
    """

    feet: Literal["planted", "free"] = "planted"
    balance: Literal["wished", "kept", "free"] = "wished"

    def __post_init__(self) -> None:
        if self.feet not in ("planted", "free") or self.balance not in ("wished", "kept", "free"):
            raise InvalidInputError(
                "feet must be 'planted' or 'free' and balance 'wished', 'kept' or 'free', got"
                f" {self.feet!r} and {self.balance!r}"
            )


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


@one_thread()
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
class _Tried:
    """Frames tried one by one: why each goal is not met, the unknowns of the poses (A,) by frame,
    and what goals are missed by (3,) by goal and frame.
    """

    reasons: list[str]
    poses: dict[int, Array]
    missed: dict[tuple[int, int], Array]

    @property
    def is_short(self) -> bool:
        """Whether any goal is missed."""
        return any(m.any() for m in self.missed.values())


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
    def tracks(self) -> Tracks:
        return Tracks(self.body, self.goals, self.options.feet == "planted")

    @property
    def frames(self) -> tuple[int, int]:
        return self.tracks.frames

    @cached_property
    def contacts(self) -> FootContacts | None:
        return contacts_of(self.posed)

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
        for group in self.tracks.groups:
            for k, following in pairwise(group):
                if self.goals[following].first <= self.goals[k].last:
                    raise InvalidInputError(
                        f"{_called(self.goals[k])} and {_called(self.goals[following])} ask one"
                        f" effector for two things in frame {self.goals[following].first}; remove"
                        " one of them"
                    )

    def run(self) -> ClipEdit:
        reasons, found = self._edited(())
        used = found.steps
        balance, notes = self._balance(found.unknowns)
        if balance is not None:
            reasons, found = self._edited((balance,))
            used += found.steps
        after = self._posed_at(found.unknowns)
        outcomes = tuple(
            outcome_of(self.body, goal, after, reason)
            for goal, reason in zip(self.goals, reasons, strict=True)
        )
        return ClipEdit(self.posed, after, self.frames, outcomes, found.unknowns, used, notes)

    def _edited(self, more: tuple[Track, ...]) -> tuple[list[str], Settled]:
        """Why goals are not met, and all frames.

        What cannot be reached is given up by ever more until every frame comes to rest: limbs that
        are stretched to the last millimetre swing wildly from frame to frame.
        """
        tried = self._try_goals([*self.tracks.relaxed(self.tracks.build({})), *more])
        for slack in _SLACKS:
            missed = {key: _longer(m, slack) for key, m in tried.missed.items()}
            tracks = [*self.tracks.relaxed(self.tracks.build(missed)), *more]
            poses = self._try_goals(tracks).poses if tried.is_short else tried.poses
            ways = self._ways(tracks, poses)
            # What is only wished for comes in by the ways; frames need not agree about it.
            kept = [t for t in tracks if t.layer != WISHED]
            found = settle_all(self.body, kept, self.frames, ways, self.progress)
            if found.last < AT_REST or not tried.is_short:
                break
        return tried.reasons, found

    def _ways(self, tracks: list[Track], poses: dict[int, Array]) -> Array:
        """What frames settle near: the ways through all frames that goals are asked for in.

        Runs of such frames begin with the pose that was tried, and each frame follows from the one
        before.
        """
        held: dict[int, Array] = {}
        for frame in self.tracks.asked:
            breathe()
            near = held.get(frame - 1)
            held[frame] = poses[frame] if near is None else self.tracks.settled(tracks, frame, near)
        run_on = max(RUN_ON * self.posed.fps, 1.0)
        return ways_between(held, self.frames, len(self.body.free), run_on)

    def _try_goals(self, tracks: list[Track]) -> _Tried:
        """Poses that serve the goals one layer after the other, and how far they come."""
        ordered = sorted(tracks, key=lambda track: track.layer)
        tried = _Tried(["met"] * len(self.goals), {}, {})
        worst = np.zeros(len(self.goals))
        start = np.zeros(len(self.body.free))
        frames = self.tracks.tried
        for i, frame in enumerate(frames):
            self.progress("trying", i, len(frames))
            here = [t for t in ordered if t.asks(frame)]
            eased = [t for t in here if t.share(frame)[1] > _ANY]
            if not eased:
                tried.poses[frame] = start = np.zeros_like(start)
                continue
            # Through a long goal each pose follows from the one before.
            before = frames[i - 1] if i else -1
            goes_on = any(g.holds(frame) and g.holds(before) for g in self.goals)
            start = start if goes_on else np.zeros_like(start)
            problem = FrameProblem.of(self.body, frame, here)
            result = problem.solve_strictly(TOLERANCE, start)
            start = tried.poses[frame] = settle_near(problem, result.unknowns)
            for track in eased:
                goal, share = track.share(frame)
                k = next(n for n, g in enumerate(self.goals) if g is goal)
                length = result.lengths[here.index(track)]
                missed = np.zeros(3)
                if length > TOLERANCE:
                    wanted = track.task(frame).value
                    missed = missed_by(self.body, goal, wanted, result.coordinates, frame) / share
                if goal.holds(frame) and length > max(worst[k], TOLERANCE):
                    worst[k] = length
                    why = next(o.reason for o in result.layers if o.layer == track.layer)
                    tried.reasons[k] = _in_words(why)
                tried.missed[k, frame] = missed
        self.progress("trying", len(frames), len(frames))
        return tried

    def _posed_at(self, found: Array) -> PosedMotion:
        frames = slice(*self.frames)
        values = self.body.values[frames].copy()
        for i, frame in enumerate(range(*self.frames)):
            values[i] += self.body.map_at(frame) @ found[i]
        return self.posed.with_motion(self.body.to_motion(values, frames))

    def _balance(self, found: Array) -> tuple[Track | None, tuple[str, ...]]:
        """Where the centre of mass is asked to be, if the edit takes it off its support."""
        if self.options.balance == "free" or any(g.kind == "mass" for g in self.goals):
            return None, ()
        if self.body.masses is None or self.contacts is None:
            return None, ("balance is not looked after: the clip's joints do not say where it is",)
        place = _hold_over_support(
            self.posed, self._posed_at(found), self.contacts, self.body.masses, self.frames
        )
        if place is None:
            return None, ()
        goal = Goal("mass", place[0], *(2 * (self.frames[0],)))
        kept = self.options.balance == "kept"
        # On the way to a goal and back balance comes and goes with the poses that serve it.
        held = [kept or any(g.holds(frame) for g in self.goals) for frame in range(*self.frames)]
        layer = KEPT if kept else WISHED
        return Track((goal,), layer, self.frames[0], place, np.array(held)), ()


def _called(goal: Goal) -> str:
    return goal.name or f"a {goal.kind} of joint {goal.joint}"


def _longer(vector: Array, by: float) -> Array:
    """A vector that is longer by some length; zero stays zero."""
    length = float(np.linalg.norm(vector))
    return vector * (1.0 + by / length) if length > 0 else vector


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


def _hold_over_support(
    before: PosedMotion,
    after: PosedMotion,
    contacts: FootContacts,
    masses: Array,
    frames: tuple[int, int],
) -> Array | None:
    """Where the centre of mass should be so that an edit does not take it off its support.

    Parameters
    ----------
    before, after : PosedMotion
        The clip and its edit.
    contacts : FootContacts
        What the feet stand on in the clip.
    masses : array of shape (J,)
        Share of each joint's place in the centre of mass.
    frames : tuple of int
        First frame of the edit and the frame behind its last.

    Returns
    -------
    array of shape (N, 3), metres, or None
        Between where it was and where it came to; it may be outside as far as it was in the clip,
        which moves. None where nothing is to be done.
    """
    start, came = (masses @ posed.positions[slice(*frames)] for posed in (before, after))
    shares = np.ones(len(start))
    for i, corners in _supports(after, contacts, frames):
        shares[i] = _share_inside(corners, start[i, [0, 2]], came[i, [0, 2]])
    if shares.min() >= 1.0:
        return None
    half = max(round(_REACH * before.fps), 1)
    back = np.minimum(smooth_envelope(1.0 - shares, half), 1.0)
    return start + (1.0 - back)[:, None] * (came - start)


def off_support(
    posed: PosedMotion, contacts: FootContacts, masses: Array, frames: tuple[int, int]
) -> Array:
    """How far the centre of mass is outside of the feet that stand, shape (N,), metres.

    Below 0 inside, and 0 where none stands.
    """
    mass = masses @ posed.positions[slice(*frames)]
    far = np.zeros(len(mass))
    for i, corners in _supports(posed, contacts, frames):
        far[i] = distance_outside(corners, mass[i, [0, 2]])
    return far


def contacts_of(posed: PosedMotion) -> FootContacts | None:
    """Contacts of a clip; None for a body without feet."""
    try:
        return detect_contacts(posed)
    except InvalidInputError:
        return None


def _supports(
    posed: PosedMotion, contacts: FootContacts, frames: tuple[int, int]
) -> Iterator[tuple[int, Array]]:
    """What the body stands on in the frames of a span, counted from its first, where it stands."""
    points = contacts.soles.positions(posed)
    for i, frame in enumerate(range(*frames)):
        if contacts.down[frame].any():
            yield i, support(points[frame, contacts.down[frame]])


def support(points: Array) -> Array:
    """Corners (M, 2) of what points (P, 3) of soles stand on, as wide as feet are, metres."""
    around = np.arange(8) * np.pi / 4
    ring = SOLE * np.stack([np.cos(around), np.sin(around)], axis=-1)
    wide = (points[:, None, [0, 2]] + ring).reshape(-1, 2)
    return convex_hull(wide)


def _share_inside(corners: Array, start: Array, came: Array) -> float:
    """How much of the way may be gone without leaving the support farther than at the start."""
    allowed = max(float(distance_outside(corners, start)), 0.0) + 1e-9
    if distance_outside(corners, came) <= allowed:
        return 1.0
    low = 0.0
    high = 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if distance_outside(corners, start + middle * (came - start)) <= allowed:
            low = middle
        else:
            high = middle
    return low
