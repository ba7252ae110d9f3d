"""What a generator of motion is: the contract between a method and everything that is done around
it.

A generator learns from clips (`Generator.fit`) and then answers constraints with drafts
(`Fitted.generate`). Refusing what it cannot honour, checking names, finishing, measuring,
explaining and reporting are the driver's work, written once for all generators.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, runtime_checkable

from motionloom.analysis.contacts import FootContacts
from motionloom.clips.analysis import AnalysedClips
from motionloom.constraints import ConstraintSet
from motionloom.constraints.kinds.measures import Adherence, ConstraintError
from motionloom.edit.foot_tracks import FootTrack
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.plugins import GENERATORS, load_plugins, names_of, note_registered
from motionloom.posed_motion import PosedMotion
from motionloom.progress import Progress, silent
from motionloom.reports import Section
from motionloom.typing import Array, Ints


class Details(Protocol):
    """What only one generator can say about a motion."""

    def as_section(self) -> Section:
        """A part of the report; without a key, its data stand in the report's own."""


@runtime_checkable
class WrittenDetails(Details, Protocol):
    """Details that say something about the finished motion, too."""

    def as_written(self, made: PosedMotion, contacts: FootContacts) -> WrittenDetails:
        """The same, measured on the finished motion.

        Parameters
        ----------
        made : PosedMotion
            The motion as it is written.
        contacts : FootContacts
            Those that finishing kept.
        """

    @property
    def problems(self) -> tuple[str, ...]:
        """What the finished motion misses, a sentence each, beyond what constraints say."""


@dataclass(frozen=True, eq=False)
class Draft:
    """A motion as a generator made it, before it is finished; nothing else is handed on.

    Parameters
    ----------
    motion : Motion
        On a ground at height 0, with as many frames as were asked for.
    contacts : FootContacts, optional
        When the feet shall rest; detected when not given.
    feet : mapping of str to FootTrack, optional
        How the feet moved when they were captured, by their roles, above a ground at height 0; they
        rest in contact when not given.
    seams : tuple of int
        Frames at which something new begins.
    kept_frames : tuple of int
        Frames whose pose finishing must not change.
    source_frames : int array of shape (T,), optional
        Frame of the clip set (counted through all clips) that every frame shows; not given when it
        shows none.
    styles : mapping of str to array of shape (T,), optional
        By label, how much of that style every frame has, from 0 to 1; of those who make motion
        instead of showing frames of clips.
    errors : tuple of ConstraintError, optional
        Errors as found; measured on `motion` when not given.
    score : float
        Smaller is better; comparable among the drafts of one generator for one constraint set.
    stopped : str
        Why the generator stopped.
    notes : tuple of str
        What was left out or guessed, one sentence each.
    details : Details, optional
        What only this generator can say; `WrittenDetails` are measured again when it is finished.
    """

    motion: Motion
    contacts: FootContacts | None = None
    feet: Mapping[str, FootTrack] | None = None
    seams: tuple[int, ...] = ()
    kept_frames: tuple[int, ...] = ()
    source_frames: Ints | None = None
    styles: Mapping[str, Array] | None = None
    errors: tuple[ConstraintError, ...] | None = None
    score: float = 0.0
    stopped: str = "done"
    notes: tuple[str, ...] = ()
    details: Details | None = None


class DraftsOnDemand(Sequence[Draft]):
    """Drafts that are made when they are looked at: where the first will do, the others are spare.

    Parameters
    ----------
    makers : sequence of callable
        Make one each, best first.
    """

    def __init__(self, makers: Sequence[Callable[[], Draft]]) -> None:
        self._makers = tuple(cache(make) for make in makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __getitem__(self, index: Any) -> Any:
        chosen = self._makers[index]
        return tuple(make() for make in chosen) if isinstance(index, slice) else chosen()


@dataclass(frozen=True)
class Reason:
    """A constraint that is not met, and why.

    Parameters
    ----------
    kind : str
        `Kind.item` of the constraint, such as ``"body"`` or ``"still"``.
    index : int
        Which of its kind in the constraint set.
    text : str
        The reason; in a report, what is missed and by how much before it.
    """

    kind: str
    index: int
    text: str


class Fitted(Protocol):
    """A generator that has learned from clips."""

    @property
    def name(self) -> str:
        """Name of the generator."""

    @property
    def honours(self) -> frozenset[str]:
        """Kinds of constraints that it can honour; see `motionloom.constraints.kinds.table`."""

    @property
    def clips(self) -> AnalysedClips:
        """What it has learned from."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or guessed while it learned, one sentence each."""

    @property
    def score_meaning(self) -> str:
        """What `Draft.score` counts, with its unit, as reports explain it."""

    def generate(
        self,
        constraints: ConstraintSet,
        *,
        seed: int = 0,
        budget: float = 5.0,
        count: int = 1,
        progress: Progress = silent,
    ) -> Sequence[Draft]:
        """Make drafts that answer constraints, best first.

        Parameters
        ----------
        constraints : ConstraintSet
            Only of kinds that it honours.
        seed : int
            The same seed gives the same drafts.
        budget : float, seconds
            About how long to search; counted so that the result does not depend on the machine.
        count : int
            Most drafts returned.
        progress : Progress
            Told of how far the search is.

        Returns
        -------
        sequence of Draft
            At least one; see `DraftsOnDemand`.

        Raises
        ------
        SynthesisError
            When no motion can be made.
        """

    def explain(
        self,
        constraints: ConstraintSet,
        errors: Sequence[ConstraintError],
        adherence: Sequence[Adherence],
    ) -> tuple[Reason, ...]:
        """Say why constraints are missed; at most one reason for each, none where nothing is known.

        Parameters
        ----------
        constraints : ConstraintSet
            What was asked for.
        errors : sequence of ConstraintError
            Of the constraints that are missed.
        adherence : sequence of Adherence
            Of what was asked over time and is not kept to.

        Returns
        -------
        tuple of Reason
        """


class Generator(Protocol):
    """A method that makes motions out of what it learns from clips."""

    @property
    def name(self) -> str:
        """By which it is asked for."""

    @property
    def honours(self) -> frozenset[str]:
        """Kinds of constraints that it can honour."""

    def fit(self, clips: AnalysedClips, options: Any = None, progress: Progress = silent) -> Fitted:
        """Learn from clips.

        Parameters
        ----------
        clips : AnalysedClips
            Clips, with contacts and quality.
        options : object, optional
            The generator's own.
        progress : Progress
            Told of how far the work is.

        Returns
        -------
        Fitted
        """


#: Modules and classes of the generators of this package; they are imported when asked for.
_HOMES = {
    "graph": ("motionloom.graph.generator", "GraphGenerator"),
    "model": ("motionloom.models.generator", "ModelGenerator"),
    "inbetween": ("motionloom.inbetween.generator", "InbetweenGenerator"),
    "idle": ("motionloom.idle.generator", "IdleGenerator"),
    "gait": ("motionloom.gait.generator", "GaitGenerator"),
}
_registered: dict[str, Generator] = {}


def register_generator(generator: Generator) -> None:
    """Make a generator known by its name; a later one of the same name replaces it.

    Parameters
    ----------
    generator : Generator
        It knows its own name.

    Raises
    ------
    InvalidInputError
        When it has no name, no kinds that it honours, or no `fit`.
    """
    name = getattr(generator, "name", None)
    honours = getattr(generator, "honours", None)
    sets = isinstance(honours, (set, frozenset)) and all(isinstance(k, str) for k in honours)
    if not (isinstance(name, str) and name and sets and callable(getattr(generator, "fit", None))):
        raise InvalidInputError(
            f"{generator!r:.60} is no generator; expected a name (text), honours (a frozenset of"
            " names of kinds) and fit(clips, options, progress)"
        )
    _registered[name] = generator
    note_registered(f"generator {name}")


def _register_plugin(name: str, thing: Any) -> None:
    """What an entry point leads to: a generator, or a class of one."""
    generator = thing() if isinstance(thing, type) else thing
    register_generator(generator)
    if generator.name != name:
        raise InvalidInputError(
            f"the generator calls itself {generator.name!r}; expected the entry point's name"
        )


def find_generator(name: str) -> Generator:
    """The generator of a name: of this package, registered, or of an installed plug-in.

    Raises
    ------
    InvalidInputError
        When there is none; it lists those there are. Also when a plug-in of that name cannot be
        loaded.

    Examples
    --------
    >>> "joints" in find_generator("graph").honours
    True
    """
    if name not in _registered and name in _HOMES:
        module, kind = _HOMES[name]
        _registered[name] = getattr(importlib.import_module(module), kind)()
    if name not in _registered:
        load_plugins(GENERATORS, _register_plugin, name)
    if name not in _registered:
        known = ", ".join(sorted({*_registered, *_HOMES, *names_of(GENERATORS)}))
        raise InvalidInputError(f"there is no generator {name!r}; generators there are: {known}")
    return _registered[name]
