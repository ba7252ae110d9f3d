"""The table of all kinds of constraints.

What a method cannot honour is refused, never ignored in silence.

What is asked of a pose as a whole: what places are relative to, and how the body stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING, Any

from motionloom.constraints.kinds._kind import Kind
from motionloom.constraints.kinds._style import COSTS, STYLE
from motionloom.constraints.kinds.avoid import AVOID
from motionloom.constraints.kinds.body import BODY
from motionloom.constraints.kinds.ground import GROUND
from motionloom.constraints.kinds.joints import (
    CENTER_OF_MASS,
    EASE,
    HOLD,
    JOINTS,
    LOOK_AT,
    ORIENTATION,
    POSITION,
    SHIFT,
    TOOL,
    VELOCITY,
)
from motionloom.constraints.kinds.marks import Mark
from motionloom.constraints.kinds.measures import Adherence, ConstraintError, Lookup, Shown
from motionloom.constraints.kinds.paths import PATHS
from motionloom.constraints.kinds.poses import KEY_POSES, POSES
from motionloom.constraints.kinds.speeds import SPEEDS, STILL
from motionloom.errors import InvalidInputError

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet


FRAME = Kind(
    "frame", advice="positions of a motion are always in the world; leave it out", hint=None
)
FEET = Kind("feet", advice="feet of a motion keep their contacts; leave it out", hint=None)
BALANCE = Kind("balance", advice="motions are not checked for it; leave it out", hint=None)
#: Kinds with lists of their own, of the whole pose, and of fields of other constraints.
_LISTED = [BODY, JOINTS, CENTER_OF_MASS, POSES, KEY_POSES, STILL, AVOID, GROUND]
_LISTED += [PATHS, SPEEDS, STYLE, COSTS]
_OF_WHOLE = (FRAME, FEET, BALANCE)
_OF_FIELDS = (HOLD, POSITION, VELOCITY, ORIENTATION, LOOK_AT, SHIFT, TOOL, EASE)
#: All kinds by name, in the order in which reports tell of them.
KINDS: dict[str, Kind] = {kind.name: kind for kind in (*_LISTED, *_OF_WHOLE, *_OF_FIELDS)}


def refuse_unhonoured(
    constraints: ConstraintSet, method: str, honours: Set[str], *, advice: str = ""
) -> None:
    """Refuse what a method cannot honour.

    Parameters
    ----------
    constraints : ConstraintSet
        What is asked for.
    method : str
        What cannot do it, such as ``"a pose"``.
    honours : set of str
        Kinds that it can.
    advice : str
        What to do instead; else that of the kind.

    Raises
    ------
    InvalidInputError
        For the first kind that is asked for and not honoured, in one sentence.

    Examples
    --------
    >>> from motionloom.constraints.constraint_set import ConstraintSet
    >>> wish = ConstraintSet(duration=4.0, still=[{"from": 1.0}])
    >>> refuse_unhonoured(wish, "a pose", {"joints"})
    Traceback (most recent call last):
    motionloom.errors.InvalidInputError: still: a pose cannot honour this; ...
    """
    for kind in KINDS.values():
        if kind.name not in honours and kind.is_in(constraints):
            fields = kind.fields or (kind.name,)
            raise InvalidInputError(
                f"{' and '.join(fields)}: {method} cannot honour this; {advice or kind.advice}",
                hint=None if advice else kind.hint,
                field=fields[0],
            )


def find_kind(item: str) -> Kind:
    """The kind of what rows and reasons call so.

    Parameters
    ----------
    item : str
        `Kind.item`, such as ``"pose"``.

    Examples
    --------
    >>> find_kind("path").name
    'paths'
    """
    return next(kind for kind in KINDS.values() if kind.item == item)


def _each(constraints: ConstraintSet, what: str) -> Iterator[tuple[Any, int, Any]]:
    """Every constraint of a set whose kind has a function, in the table's order: that function, the
    constraint's index in its list, and the constraint.

    Examples
    --------
    >>> from motionloom.constraints.constraint_set import ConstraintSet
    >>> wish = ConstraintSet(duration=4.0, body=[{"time": 0.0, "position": [0, 0]}])
    >>> [(index, one.time) for _, index, one in _each(wish, "error")]
    [(0, 0.0)]
    """
    for kind in KINDS.values():
        function = getattr(kind, what)
        if function is not None:
            yield from ((function, i, one) for i, one in enumerate(kind.of(constraints)))


def label_of(constraints: ConstraintSet, item: str, index: int) -> str:
    """How a constraint is called in sentences: ``body at 2.5 s``.

    Parameters
    ----------
    constraints : ConstraintSet
        The set that the constraint is of.
    item : str
        `Kind.item` of the constraint.
    index : int
        Which of its kind.

    Returns
    -------
    str
        Kind and number, such as ``frame 1``, where the kind has no label of its own.

    Examples
    --------
    >>> from motionloom.constraints.constraint_set import ConstraintSet
    >>> wish = ConstraintSet(duration=4.0, body=[{"time": 2.5, "position": [0, 1]}])
    >>> label_of(wish, "body", 0)
    'body at 2.5 s'
    """
    kind = find_kind(item)
    if kind.label is None:
        return f"{item} {index + 1}"
    return kind.label(kind.of(constraints)[index], constraints)


def check_found(constraints: ConstraintSet, lookup: Lookup) -> None:
    """Look up every name in constraints.

    Parameters
    ----------
    constraints : ConstraintSet
        They name joints, clips, labels and costs.
    lookup : Lookup
        Where these are looked up.

    Raises
    ------
    UnknownNameError
        For the first that is not there.
    """
    for check, _, constraint in _each(constraints, "check"):
        check(constraint, constraints, lookup)


def measure_errors(shown: Shown) -> tuple[ConstraintError, ...]:
    """How far a motion is from what is asked of the body and of joints at times.

    Returns
    -------
    tuple of ConstraintError
        One for each such constraint, in the table's order and each list's own.
    """
    return tuple(error(c, i, shown) for error, i, c in _each(shown.constraints, "error"))


def measure_adherence(shown: Shown) -> tuple[Adherence, ...]:
    """How well a finished motion keeps to everything else.

    Returns
    -------
    tuple of Adherence
        One for each such constraint, in the table's order and each list's own.
    """
    return tuple(measure(c, i, shown) for measure, i, c in _each(shown.constraints, "adherence"))


def row_of(adherence: Adherence) -> str:
    """The row of a report."""
    in_words = find_kind(adherence.kind).in_words
    if adherence.value is None:
        return f"{adherence.what}: never shown"
    return f"{adherence.what}: {in_words(adherence) if in_words else f'{adherence.value:.4g}'}"


def departure_of(adherence: Adherence) -> str:
    """How something is not kept to, behind its label; empty where it is."""
    departure = find_kind(adherence.kind).departure
    return departure(adherence) if departure else ""


def marks_of(constraints: ConstraintSet | None) -> tuple[Mark, ...]:
    """What pictures show of constraints; nothing without any."""
    if constraints is None:
        return ()
    shown = (marks(c, constraints) for marks, _, c in _each(constraints, "marks"))
    return tuple(mark for marks in shown for mark in marks)
