"""What spans are made from, and what they hand over: clips and methods, a state, a piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from motionloom.analysis.contacts import FootContacts, detect_contacts
from motionloom.analysis.quality import joint_acceleration
from motionloom.analysis.soles import Soles
from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.clip_set import ClipSet
from motionloom.constraints import BodyConstraint, ConstraintSet
from motionloom.constraints.kinds.speeds import STILL
from motionloom.declared import Finite
from motionloom.edit.retarget import RoleFrames
from motionloom.inbetween.fit import InbetweenOptions
from motionloom.inbetween.generator import InbetweenGeneratorOptions
from motionloom.io.kept import KeptFolder
from motionloom.motion import GroundTransform, Motion, Source
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.shot._handover.bridging import Feet, feet_of_clips
from motionloom.shot.plan.planned import PlannedSpan
from motionloom.shot.script.reading import ShotFile
from motionloom.synthesis.bridges import Bridge
from motionloom.synthesis.driver import Synthesis, SynthesisOptions, synthesize
from motionloom.synthesis.generator import Draft, Fitted, find_generator
from motionloom.typing import Bools, Ints


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


@dataclass(eq=False)
class Methods:
    """Methods that have learned from the clips of a character; all its stages share them.

    Parameters
    ----------
    kept : KeptFolder, optional
        Where what takes long to learn stays for the next time.
    """

    kept: KeptFolder | None = None
    _fitted: dict[tuple[str, str], Fitted] = field(default_factory=dict, init=False, repr=False)

    def fit(
        self, generator: str, clips: AnalysedClips, options: Any = None, progress: Progress = silent
    ) -> Fitted:
        """A method that has learned from clips, with options of its own.

        Parameters
        ----------
        generator : str
            Its name.
        clips : AnalysedClips
            The same ones at every call.
        options : object, optional
            Of that method.
        progress : Progress
            Told how far learning is.

        Returns
        -------
        Fitted

        Raises
        ------
        MotionloomError
            When the clips are none to learn from.
        """
        key = (generator, repr(options))
        if key not in self._fitted:
            if self.kept is not None and isinstance(options, InbetweenGeneratorOptions):
                options = replace(options, kept=self.kept)
            self._fitted[key] = find_generator(generator).fit(clips, options, progress)
        return self._fitted[key]

    def has(self, generator: str, options: Any = None) -> bool:
        """Whether `fit` answers at once."""
        return (generator, repr(options)) in self._fitted

    def once(self, name: str, learn: Callable[[], Fitted]) -> Fitted:
        """What is learned otherwise than `fit` does it, once, under a name of its own."""
        key = (name, "")
        if key not in self._fitted:
            self._fitted[key] = learn()
        return self._fitted[key]


#: How filling gaps is learned: from fewer samples than where filling is all that is asked for, as
#: a shot is waited for.
BRIDGING = InbetweenGeneratorOptions(learning=InbetweenOptions(samples=1_500, landmarks=1_500))
#: What is handed over reaches back this far, seconds.
TAIL = 1.0
#: So often more a span that begins standing is searched for, where that has problems.
AGAIN = 4
#: Frames over which the speed of what is handed over is taken.
SPEED_FRAMES = 4
#: A body that is slower stands, metres per second.
STANDS = 0.2
#: Places are told to what makes a span rounded like this: metres, degrees. So a span stays as it
#: is when the one before it ends a hair elsewhere.
PLACE_STEP, FACING_STEP = 1e-3, 0.1


@dataclass(frozen=True)
class Place:
    """Where a body is and faces.

    Parameters
    ----------
    position : tuple of (float, float), metres
        x and z.
    facing : float, degrees
        From +Z towards +X.
    """

    position: tuple[Finite, Finite]
    facing: Finite
    #: Nobody has come here at any speed; see `State.pace`.
    pace: ClassVar[None] = None

    @property
    def place(self) -> Place:
        """Itself; see `State.place`."""
        return self

    @classmethod
    def of_body(cls, body: Sequence[float]) -> Place:
        """Place of a row of `PosedMotion.body`, rounded."""
        x, z = (round(round(float(v) / PLACE_STEP) * PLACE_STEP, 6) for v in body[:2])
        turned = round(float(np.degrees(body[2])) / FACING_STEP) * FACING_STEP
        return cls((x, z), round(turned, 6))

    @property
    def transform(self) -> GroundTransform:
        """From the origin, facing +Z, to here."""
        return GroundTransform(float(np.radians(self.facing)), *self.position)

    def body(self, time: float = 0.0) -> BodyConstraint:
        """That the body is here at a time."""
        return BodyConstraint(time=time, position=self.position, facing=self.facing)


@dataclass(frozen=True, eq=False)
class State:
    """What a span leaves behind.

    Parameters
    ----------
    tail : PosedMotion
        Its last frames; at least two.
    down : bool array of shape (P,)
        Which points of the soles bear in the last one.
    soles : Soles
        Those points.
    place : Place
        Where the body was asked to be at the end, or else is.
    """

    tail: PosedMotion
    down: Bools
    soles: Soles
    place: Place

    def stands_on(self, foot: str) -> bool:
        """Whether any point of a foot bears."""
        return bool(self.down[list(self.soles.of(foot))].any())

    @property
    def speed(self) -> float:
        """How fast the body goes over the ground, metres per second."""
        ground = self.tail.body[-1 - SPEED_FRAMES :, :2]
        way = ground[-1] - ground[0]
        return float(np.hypot(*way) / (len(ground) - 1) * self.tail.fps)

    @property
    def pace(self) -> float:
        """The speed as what follows is told it, metres per second: 0 for who sways on the spot."""
        return 0.0 if self.stands else round(self.speed, 2)

    @property
    def stands(self) -> bool:
        """Whether the body stands."""
        return self.speed < STANDS


@dataclass(frozen=True)
class ClipShown:
    """Frames of a clip that a span shows.

    Parameters
    ----------
    first, last : int
        Frames of the span, both included.
    clip : str
        Name of the clip.
    frame : int
        Frame of the clip that the first one shows.
    """

    first: int
    last: int
    clip: str
    frame: int


def _clips_shown(clips: ClipSet, draft: Draft) -> tuple[ClipShown, ...]:
    """Clips that a draft shows; none where it shows none.

    Parameters
    ----------
    clips : ClipSet
        That its frames are counted in.
    draft : Draft
        Of a method that has learned from them.

    Returns
    -------
    tuple of ClipShown
        A new one wherever the clip changes or time in it jumps.
    """
    frames = draft.source_frames
    if frames is None:
        return ()
    clip = clips.clip_of[frames]
    # Clips may be played somewhat faster or slower, and who waits may show one frame for long.
    step = np.diff(frames)
    begins = np.flatnonzero((np.diff(clip) != 0) | (step < 0) | (step > 3)) + 1
    return tuple(
        ClipShown(i, stop - 1, clips.names[clip[i]], int(frames[i] - clips.starts[clip[i]]))
        for i, stop in pairwise([0, *begins.tolist(), len(frames)])
    )


@dataclass(frozen=True, eq=False)
class Piece:
    """The motion of one span.

    Parameters
    ----------
    motion : Motion
        From its first frame to its last, in the world.
    contacts : FootContacts
        When feet bear.
    end : Place, optional
        Where it was asked to end.
    rows : tuple of str
        How well it met what was asked, a line each.
    problems : tuple of str
        What it did not meet.
    notes : tuple of str
        What was guessed or left out.
    bound : bool
        Whether it is where it was asked to be; else it may be moved as a whole.
    filled : int
        Frames at its begin that were filled in to get there from the state before.
    sources : tuple of (float, float), metres per second squared
        99th percentile of the joints' accelerations in the clip that its first frame shows, and in
        that of its last; 0 where it shows none.
    clips : tuple of ClipShown
        Clips that it shows, as its method made it.
    """

    motion: Motion
    contacts: FootContacts
    end: Place | None = None
    rows: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    bound: bool = False
    filled: int = 0
    sources: tuple[float, float] = (0.0, 0.0)
    clips: tuple[ClipShown, ...] = ()

    def cut(self, start: int, stop: int) -> Piece:
        """Frames ``start <= i < stop``."""
        return replace(
            self,
            motion=self.motion[start:stop],
            contacts=replace(self.contacts, down=self.contacts.down[start:stop]),
            filled=min(max(self.filled - start, 0), stop - start),
            sources=(
                self.sources[0] if start == 0 else 0.0,
                self.sources[1] if stop >= self.motion.n_frames else 0.0,
            ),
        )


#: Budget of what no longer search would make otherwise, seconds.
FINISHED = float("inf")


@dataclass(frozen=True, eq=False)
class Found:
    """What a span was made of.

    Parameters
    ----------
    draft : Draft
        As it was before it was bent.
    score : float
        How far it had to be bent; smaller is better.
    is_searched : bool
        Whether another search may find another.
    """

    draft: Draft
    score: float
    is_searched: bool = False


@dataclass(eq=False)
class Stage:
    """Clips of one character, and the methods that have learned from them so far.

    Parameters
    ----------
    file : ShotFile
        The shot.
    clips : AnalysedClips
        At the shot's frame rate.
    budget : float, seconds
        How long a walk is searched for.
    progress : Progress
        Told of everything.
    body : AnotherBody, optional
        What the finished motion is carried over to.
    methods : Methods
        What has learned from the clips so far.
    """

    file: ShotFile
    clips: AnalysedClips
    budget: float = 5.0
    progress: Progress = silent
    body: AnotherBody | None = None
    methods: Methods = field(default_factory=Methods)

    @cached_property
    def feet(self) -> Feet | None:
        """The feet of the clips' body."""
        return feet_of_clips(self.clips)

    def __post_init__(self) -> None:
        if self.body is not None:
            self.file = replace(self.file, scale=1.0 / self.body.ratio)

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self.file.shot.fps

    @property
    def last_body(self) -> ClipSet | Any:
        """What knows the joints of the body that there is in the end."""
        return self.clips.clip_set if self.body is None else self.body.target

    def start_of(self, who: str) -> Place:
        """Where a character begins."""
        start = self.file.shot.cast[who].start
        return Place(self.file.scaled(start.position), start.facing)

    def fitted(self, generator: str, options: Any = None) -> Fitted:
        """A method that has learned from the clips; see `Methods.fit`."""
        return self.methods.fit(generator, self.clips, options, self.progress)

    @property
    def bridge(self) -> Bridge | None:
        """What fills gaps between pieces; None where the clips are too few to learn it."""
        fitted = self.fitted("inbetween", BRIDGING)
        return fitted if isinstance(fitted, Bridge) else None

    def synthesize(
        self, fitted: Fitted, constraints: ConstraintSet, planned: PlannedSpan
    ) -> Synthesis:
        """The motion of a span, made by a generator.

        Few clips set off from a stand: what begins with one is searched for again with the next
        seeds until it has no faults, and else the best is taken. Who does not stand long enough is
        brought from the one stand to the other where spans are joined, and that is no fault.
        """
        made: list[Synthesis] = []
        for again in range(1 + AGAIN * _starts_standing(constraints)):
            options = SynthesisOptions(seed=planned.seed + again, budget=self.budget)
            made.append(synthesize(fitted, constraints, options, progress=self.progress))
            if not count_faults(made[-1]):
                return made[-1]
        return min(made, key=lambda one: (count_faults(one), one.report.score))

    def piece(
        self, fitted: Fitted, made: Synthesis, end: Place | None = None, *, bound: bool = False
    ) -> Piece:
        """What a generator made, as a piece."""
        report = made.report
        rows = tuple(
            f"{what} at {time:.2f} s: {1000 * after.position:.1f} mm off"
            for what, time, _, after, _ in report.constraints
        )
        return Piece(
            motion=made.motion,
            contacts=made.best.contacts,
            end=end,
            rows=rows,
            problems=report.problems,
            notes=report.notes,
            bound=bound or end is not None,
            sources=self._sources(made.best.draft.source_frames),
            clips=_clips_shown(fitted.clips.clip_set, made.best.draft),
        )

    def _sources(self, shown: Ints | None) -> tuple[float, float]:
        """How hard the clips move that are shown first and last; see `Piece.sources`."""
        clips = self.clips.clip_set
        if shown is None or max(shown[0], shown[-1]) >= len(clips.clip_of):
            return 0.0, 0.0
        posed = (self.posed(clips.motions[clips.clip_of[k]]) for k in (shown[0], shown[-1]))
        hard = [joint_acceleration(one.positions, one.fps) for one in posed]
        return float(np.percentile(hard[0], 99.0)), float(np.percentile(hard[1], 99.0))

    def searched(self, name: str, budget: float) -> tuple[Found | None, float]:
        """What a span was made of, and for how long that was searched for; no longer is of use.

        Parameters
        ----------
        name : str
            Of the span, which was just made.
        budget : float, seconds
            How long was to be searched.
        """
        return None, FINISHED

    def posed(self, motion: Motion) -> PosedMotion:
        """A motion with its kinematics."""
        return PosedMotion(motion, self.clips.roles)

    def contacts(self, motion: Motion) -> FootContacts:
        """Contacts of a motion that does not say."""
        return detect_contacts(self.posed(motion), soles=self.clips.soles)


def _starts_standing(constraints: ConstraintSet) -> bool:
    """Whether somebody is to stand in the beginning."""
    return any(one.begin == 0 for one in constraints.still)


def count_faults(made: Synthesis) -> int:
    """How many problems a span has, but for one who does not stand long enough.

    Parameters
    ----------
    made : Synthesis
        Of its motion.

    Returns
    -------
    int
    """
    report = made.report
    return len([one for one in report.missed if one.kind != STILL.item]) + len(report.faults)


def overwritten(posed: PosedMotion, first: int, part: Motion) -> PosedMotion:
    """A motion some of whose frames, from the first on, are those of another."""
    own = slice(first, first + part.n_frames)
    motion = posed.motion
    rotations, translations = motion.rotations.copy(), motion.translations.copy()
    rotations[own], translations[own] = part.rotations, part.translations
    return posed.with_motion(replace(motion, rotations=rotations, translations=translations))


def state_of(stage: Stage, piece: Piece) -> State:
    """What a piece leaves behind."""
    motion = piece.motion
    first = max(0, motion.n_frames - 1 - round(TAIL * motion.fps))
    tail = stage.posed(motion[first:])
    place = piece.end or Place.of_body(tail.body[-1])
    return State(tail, piece.contacts.down[-1], piece.contacts.soles, place)
