"""Fields of options: meaning, unit and range, stated once for the library and the command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeVar

from motionloom.errors import InvalidInputError

T = TypeVar("T")
#: Key of an `Option` in the metadata of a dataclass field.
_KEY = "motionloom.option"


@dataclass(frozen=True, kw_only=True)
class Option:
    """What the value of an option means, and which values it takes.

    Parameters
    ----------
    help : str
        One sentence.
    unit : str
        Unit or shape of the value, such as ``SECONDS``.
    minimum, maximum : float, optional
        Range of a number, ends included.
    above : float, optional
        A number must be larger than this.
    choices : iterable of str
        The names that are known; any when empty.
    name : str
        Name of the option, where it is not that of the field. The option of a Boolean field
        whose default is true sets it to false, and needs such a name.
    parse : callable, optional
        Makes the value of what is typed: one text, or a list of texts where `repeats`.
    file : {"", "read", "written", "kept", "beside"}
        Whether the value names files that are read or written, or files that are read if they are
        there and brought up to date in the end. The runner leaves those "beside" to the command.
    repeats : bool
        Whether it is typed several times, or an argument takes several values.
    is_argument : bool
        Whether it is typed without its name.
    """

    help: str
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    choices: Iterable[str] = ()
    name: str = ""
    parse: Callable[[Any], Any] | None = None
    file: Literal["", "read", "written", "kept", "beside"] = ""
    repeats: bool = False
    is_argument: bool = False

    def check(self, name: str, value: Any) -> None:
        """Refuse a value out of the range; None passes.

        Raises
        ------
        InvalidInputError
            With the name, what was expected and what was given.
        """
        if value is None:
            return
        if self.choices and value not in self.choices:
            known = ", ".join(self.choices)
            raise InvalidInputError(f"{name}: expected one of {known}, got {value!r}")
        if self.range and not self._holds(value):
            what = self.unit.lower() or "a number"
            raise InvalidInputError(f"{name}: expected {what} {self.range}, got {value:g}")

    def _holds(self, value: float) -> bool:
        least = -math.inf if self.minimum is None else self.minimum
        most = math.inf if self.maximum is None else self.maximum
        is_above = self.above is None or value > self.above
        return math.isfinite(value) and is_above and least <= value <= most

    @property
    def range(self) -> str:
        """The range in words, such as "from 0 to 1"; empty without one."""
        if self.minimum is not None and self.maximum is not None:
            return f"from {self.minimum:g} to {self.maximum:g}"
        words = {"above": self.above, "of at least": self.minimum, "of at most": self.maximum}
        return " and ".join(f"{how} {end:g}" for how, end in words.items() if end is not None)


def option_field(default: Any, help: str, **about: Any) -> Any:
    """Make a dataclass field that is an option.

    Parameters
    ----------
    default : object
        Its default; `dataclasses.MISSING` where it has to be given.
    help, about
        As `Option` has them.

    Returns
    -------
    dataclasses.Field
    """
    return field(default=default, metadata={_KEY: Option(help=help, **about)})


def options_of(cls: Any) -> dict[str, Option]:
    """What the fields of a dataclass, or of an instance, mean; fields without it are left out."""
    return {f.name: f.metadata[_KEY] for f in fields(cls) if _KEY in f.metadata}


def check_options(options: Any) -> None:
    """Refuse options out of their ranges; for ``__post_init__``.

    Parameters
    ----------
    options : dataclass instance
        With fields of `option_field`.

    Raises
    ------
    InvalidInputError
        Naming the field.
    """
    for name, option in options_of(options).items():
        option.check(name, getattr(options, name))


def take_options(cls: type[T], given: dict[str, Any]) -> T:
    """Make options of what is given for their fields; the rest stays.

    Parameters
    ----------
    cls : type
        A dataclass.
    given : dict
        Values by name; those of fields of `cls` are taken out.

    Returns
    -------
    object
        Of the class.

    Raises
    ------
    InvalidInputError
        When a value is out of its range.
    """
    names = [f.name for f in fields(cls) if f.name in given]  # type: ignore[arg-type]
    return cls(**{name: given.pop(name) for name in names})
