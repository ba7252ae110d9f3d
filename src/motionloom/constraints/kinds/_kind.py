"""What a kind of constraint is: everything that is known about it, in one record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from motionloom.constraints.kinds.measures import Adherence, ConstraintError, Lookup, Shown
from motionloom.constraints.values import expects
from motionloom.errors import Hint, InvalidInputError

if TYPE_CHECKING:
    from motionloom.constraints.constraint_set import ConstraintSet
    from motionloom.constraints.kinds.marks import Mark


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of constraint.

    Functions get a constraint first, and where it says so its index in its list.

    Parameters
    ----------
    name : str
        Its field in a constraint file.
    item : str
        What one of them is called in rows of reports and reasons; empty for a kind without a list.
    model : type, optional
        Of the entries of its list, a `Model` or a union of such. None for kinds that are about
        fields of other constraints.
    field : object, optional
        Of its list, as `entries` makes it.
    fields : tuple of str
        How files ask for it, when that is not by a field of its name.
    is_asked : callable, optional
        ``is_asked(constraints)``: whether a constraint set asks for it; when not given, whether the
        set has a field of its name that is not empty.
    advice : str
        What to do where a method cannot honour it.
    hint : Hint, optional
        What the command line adds to that.
    fill : callable, optional
        ``fill(entry, files)``: an entry that names a ``file``, with what that file holds in its
        place; `files` reads ``heights(name)`` and ``motion(name)``, and makes errors with a line by
        ``fault(message, field)``.
    alone : callable, optional
        ``alone(constraint)``: of what at most one constraint may fall on a frame. Such constraints
        have a `time`, and their list is kept in its order.
    label : callable, optional
        ``label(constraint, constraints)``: how it is called in sentences.
    check : callable, optional
        ``check(constraint, constraints, lookup)`` raises where it names something that is not
        there.
    error : callable, optional
        ``error(constraint, index, shown)``: how far a motion is from it, for what is asked of the
        body or a joint at a time, which finishing brings nearer.
    adherence : callable, optional
        ``adherence(constraint, index, shown)``: how well a motion keeps to it, for all else.
    in_words : callable, optional
        ``in_words(adherence)``: the row of a report.
    departure : callable, optional
        ``departure(adherence)``: how it is not kept to, behind its label; empty where it is.
    marks : callable, optional
        ``marks(constraint, constraints)``: what pictures show of it.
    asks : {"way", "deed", "nothing"}, optional
        What one asks for: ``"way"``, where the body goes, stays or keeps out of; ``"deed"``, what
        it does there with a limb, a pose or a style; ``"nothing"`` of either. While nothing but the
        way is asked, jumps, gestures and loops are faults. Kinds with a list of their own say it;
        where one does not, these are not looked for, and reports say so.
    aside : {"never", "then", "always"}
        Whether it may lead off the direct way: never, in its own time, or all along.
    retimed : bool
        Whether its times may be moved while a motion is searched at another pace.
    """

    name: str
    item: str = ""
    model: Any = None
    field: Any = None
    fields: tuple[str, ...] = ()
    is_asked: Callable[[ConstraintSet], bool] | None = None
    advice: str = "leave it out, or ask for a motion"
    hint: Hint | None = "make motion"
    fill: Callable[[dict[str, Any], Any], dict[str, Any]] | None = None
    alone: Callable[[Any], str] | None = None
    label: Callable[[Any, ConstraintSet], str] | None = None
    check: Callable[[Any, ConstraintSet, Lookup], object] | None = None
    error: Callable[[Any, int, Shown], ConstraintError] | None = None
    adherence: Callable[[Any, int, Shown], Adherence] | None = None
    in_words: Callable[[Adherence], str] | None = None
    departure: Callable[[Adherence], str] | None = None
    marks: Callable[[Any, ConstraintSet], tuple[Mark, ...]] | None = None
    asks: Literal["way", "deed", "nothing"] | None = None
    aside: Literal["never", "then", "always"] = "never"
    retimed: bool = False

    def __post_init__(self) -> None:
        if self.asks not in (None, "way", "deed", "nothing"):
            raise InvalidInputError(
                f"the kind {self.name!r} asks for way, deed or nothing, not for {self.asks!r}"
            )
        if self.aside not in ("never", "then", "always"):
            raise InvalidInputError(
                f"the kind {self.name!r} leads aside never, then or always, not {self.aside!r}"
            )

    def of(self, constraints: ConstraintSet) -> tuple[Any, ...]:
        """The constraints of this kind in a set."""
        return getattr(constraints, self.name) if self.model is not None else ()

    def is_in(self, constraints: ConstraintSet) -> bool:
        """Whether a constraint set asks for it.

        Examples
        --------
        >>> from motionloom.constraints.constraint_set import ConstraintSet
        >>> from motionloom.constraints.kinds.table import find_kind
        >>> find_kind("body").is_in(ConstraintSet(duration=1.0))
        False
        """
        if self.is_asked is not None:
            return self.is_asked(constraints)
        return getattr(constraints, self.name) not in (None, ())

    def measured(
        self, constraint: Any, index: int, shown: Shown, value: float | None, more: float = 0.0
    ) -> Adherence:
        """How well a motion keeps to one of them, called by its label."""
        assert self.label is not None
        what = self.label(constraint, shown.constraints)
        return Adherence(self.item, index, what, value, more)


def entries(description: str, example: str) -> Any:
    """The field of a kind's list in a constraint set, empty when not given.

    Parameters
    ----------
    description : str
        What is expected, for messages.
    example : str
        As a file has it.

    Returns
    -------
    object
        A pydantic field.
    """
    return expects(description, example, ())
