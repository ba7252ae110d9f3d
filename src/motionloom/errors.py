"""The one family of errors; every message says what was wrong, where, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from typing import Literal

#: What helps besides the message, for a front end to say how it is asked for there.
Hint = (
    Literal["add to library", "create library", "repair library", "retarget into library"]
    | Literal["build graph", "build graph anew", "build graph mirrored", "correct on ground"]
    | Literal["edit clip", "fit partial", "force", "make motion", "make pose", "retarget", "start"]
    | Literal["give clips", "give costs", "give height", "give labels", "give marker table"]
    | Literal["give marker unit", "give mass", "give model", "give times", "trust paths"]
)


class MotionloomError(Exception):
    """Base of every error that motionloom raises on purpose.

    The command line prints the message, with what it has for the hint, and exits with `exit_code`.

    Parameters
    ----------
    message : str
        What was wrong, where, and what to do.
    hint : Hint, optional
        What of it a front end can say how to ask for.
    """

    exit_code = 2

    def __init__(self, message: str = "", *, hint: Hint | None = None) -> None:
        self.hint = hint
        super().__init__(message)

    def locate(self, where: str) -> None:
        """Begin the message with where it happened; kind, fields and traceback stay as they are.

        Parameters
        ----------
        where : str
            Such as a file, a line of it and the name of what stands there.

        Examples
        --------
        >>> error = MotionloomError("no clips are given; name a folder")
        >>> error.locate("shot.yaml:3")
        >>> print(error)
        shot.yaml:3: no clips are given; name a folder
        """
        self.args = (f"{where}: {self}",)

    def __reduce__(self) -> tuple[object, ...]:
        """As it is, whatever it was made of: errors of other processes are told here."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class FormatError(MotionloomError):
    """A file cannot be read as the format it claims to be.

    Parameters
    ----------
    message : str
        What was read, what was expected and what to do.
    path : path-like, optional
        The file.
    line : int, optional
        Line number, counted from 1.
    hint : Hint, optional
        As `MotionloomError` has it.

    Attributes
    ----------
    each : tuple of FormatError
        Where several things are wrong and the message only counts the others: all of them.

    Examples
    --------
    >>> print(FormatError("expected a number, got 'x'; correct it", "walk.bvh", 12))
    walk.bvh:12: expected a number, got 'x'; correct it
    """

    each: tuple[FormatError, ...] = ()

    def __init__(
        self,
        message: str,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        *,
        hint: Hint | None = None,
    ) -> None:
        self.message = message
        self.path = path
        self.line = line
        where = "" if path is None else f"{fspath(path)}:" + ("" if line is None else f"{line}:")
        super().__init__(f"{where} {message}".strip(), hint=hint)

    @classmethod
    def of_several(cls, faults: Sequence[FormatError]) -> FormatError:
        """One error for several mistakes: the first one, that counts the others.

        Parameters
        ----------
        faults : sequence of FormatError
            At least one.

        Returns
        -------
        FormatError
            The only one as it is; else with all of them in `each`.

        Examples
        --------
        >>> one = FormatError("expected a number", "walk.bvh", 12)
        >>> two = FormatError("expected a joint", "walk.bvh", 14)
        >>> print(FormatError.of_several([one, two]))
        walk.bvh:12: expected a number (1 more to correct)
        """
        first = faults[0]
        if len(faults) == 1:
            return first
        told = f"{first.message} ({len(faults) - 1} more to correct)"
        error = cls(told, first.path, first.line, hint=first.hint)
        error.each = tuple(faults)
        return error


class InvalidInputError(MotionloomError):
    """An argument, option or constraint that cannot be used as given.

    Parameters
    ----------
    message : str
        What was given and what to do.
    hint : Hint, optional
        As `MotionloomError` has it.
    field : str
        Of a constraint that is valid, but not for this method: its name in a constraint file.
    """

    def __init__(self, message: str = "", *, hint: Hint | None = None, field: str = "") -> None:
        self.field = field
        super().__init__(message, hint=hint)


class DiskFullError(InvalidInputError):
    """There is no room for a file: the disk or this user's quota is full, or the file too large."""

    exit_code = 1


class NotObservedError(InvalidInputError):
    """A recording does not show what was to be found from it, such as a limb without markers."""

    exit_code = 1


class UnknownNameError(InvalidInputError):
    """A constraint names a joint, clip, label or cost that does not exist.

    Parameters
    ----------
    name : str
        As it was given.
    message : str
        It lists the nearest names, or all.
    hint : Hint, optional
        As `MotionloomError` has it.

    Examples
    --------
    >>> raise UnknownNameError("tail", "no joint is called 'tail'")
    Traceback (most recent call last):
    motionloom.errors.UnknownNameError: no joint is called 'tail'
    """

    def __init__(self, name: str, message: str, *, hint: Hint | None = None) -> None:
        self.name = name
        super().__init__(message, hint=hint)


class UnknownJointError(UnknownNameError):
    """A joint name that the skeleton does not have; the nearest names are listed.

    Parameters
    ----------
    name : str
        As it was given.
    names : iterable of str
        Those there are.
    """

    def __init__(self, name: str, names: Iterable[str]) -> None:
        super().__init__(name, unknown("joint", name, names, "the skeleton has"))


def unknown(kind: str, name: str, names: Iterable[str], there: str) -> str:
    """Sentence that a name is not known, with those that are like it, else the first of all."""
    there_are = list(names)
    lower = {n.lower(): n for n in there_are}
    near = difflib.get_close_matches(name.lower(), list(lower), n=3, cutoff=0.4)
    known = ", ".join([lower[n] for n in near] or there_are[:40])
    none = "none; learn the gait of clips with styles"
    return f"unknown {kind} {name!r}; {'nearest' if near else there}: {known or none}"


class MissingExtraError(MotionloomError):
    """An optional dependency is not installed.

    Parameters
    ----------
    package : str
        The package that is missing.
    extra : str
        The extra of motionloom that installs it.
    purpose : str
        What needs it, as the beginning of a sentence.
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs {package}; install it with: pip install 'motionloom[{extra}]'"
        )


class SynthesisError(MotionloomError):
    """The input is fine but the wish could not be fulfilled."""

    exit_code = 1
