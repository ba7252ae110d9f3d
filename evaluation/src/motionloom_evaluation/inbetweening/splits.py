"""Which captures are learned from and which are tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path

import yaml

from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.files import read_text

#: The published split: all of subject 5 is tested.
LAFAN1 = "lafan1"
_LAFAN1_TEST = "*subject5*"


@dataclass(frozen=True)
class Split:
    """Names of captures.

    Parameters
    ----------
    train : tuple of str
        Learned from.
    test : tuple of str
        Tested.

    Raises
    ------
    InvalidInputError
        When a part is empty, or a capture is in both.
    """

    train: tuple[str, ...]
    test: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.train or not self.test:
            raise InvalidInputError(
                "a split needs captures to learn from and captures to test; both must match some"
            )
        both = sorted({*self.train} & {*self.test})
        if both:
            raise InvalidInputError(
                f"a capture must not be learned from and tested: {', '.join(both[:3])}"
            )

    def in_words(self) -> str:
        """One line for people."""
        few = ", ".join(self.test[:3]) + (" ..." if len(self.test) > 3 else "")
        return f"tested on {few}; learned from {len(self.train)} captures"


def make_splits(names: Sequence[str], wanted: str | PathLike[str] | None = None) -> list[Split]:
    """Splits of captures.

    Parameters
    ----------
    names : sequence of str
        Names of all captures.
    wanted : str or path-like, optional
        ``"lafan1"`` for the published split; or a YAML file with two lists of patterns of names,
        ``train`` and ``test``; each capture is tested in turn when not given.

    Returns
    -------
    list of Split

    Raises
    ------
    InvalidInputError
        When there are not two captures, or patterns match none.
    FormatError
        When the file is no such file.
    """
    if wanted is None:
        if len(names) < 2:
            raise InvalidInputError("testing each capture in turn needs at least two of them")
        return [Split(tuple(n for n in names if n != test), (test,)) for test in names]
    if str(wanted) == LAFAN1 and not Path(LAFAN1).is_file():
        test = _matching(names, [_LAFAN1_TEST])
        if not test:
            raise InvalidInputError(
                f"the published split tests captures called {_LAFAN1_TEST}, and there is none;"
                " give LaFAN1's takes by their own names, or a file with a split"
            )
        return [Split(tuple(n for n in names if n not in test), test)]
    lists = _read(Path(wanted))
    for part, patterns in zip(("train", "test"), lists, strict=True):
        if not _matching(names, patterns):
            raise InvalidInputError(
                f"{wanted}: no capture matches {part} ({', '.join(patterns)[:100] or 'empty'});"
                f" captures there are: {_few(names)}"
            )
    return [Split(*(_matching(names, patterns) for patterns in lists))]


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" ..." if len(names) > 5 else "")


def _matching(names: Sequence[str], patterns: Sequence[str]) -> tuple[str, ...]:
    return tuple(n for n in names if any(fnmatchcase(n, pattern) for pattern in patterns))


def _read(path: Path) -> tuple[list[str], list[str]]:
    expected = "expected 'train' and 'test', each a list of patterns of names of captures"
    try:
        told = yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        reason = str(error).splitlines()[0]
        raise FormatError(f"this is no split ({reason}); {expected}", path) from None
    if not isinstance(told, dict) or set(told) != {"train", "test"}:
        raise FormatError(f"this is no split; {expected}", path)
    lists = [told["train"], told["test"]]
    if not all(isinstance(own, list) and all(isinstance(n, str) for n in own) for own in lists):
        raise FormatError(f"this is no split; {expected}", path)
    return lists[0], lists[1]
