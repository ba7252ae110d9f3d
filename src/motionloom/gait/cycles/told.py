"""What a user tells about clips: whose they are, their style, and strikes found wrongly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from os import PathLike
from typing import Any

import numpy as np

from motionloom.errors import FormatError, InvalidInputError
from motionloom.gait.cycle import BEHAVIOURS
from motionloom.gait.cycles.tracks import SIDES, FootEvent
from motionloom.io.document import read_document

_TEXTS = ("clips", "person", "style", "behaviour")
_KINDS = {"strikes": "strike", "offs": "off"}
_EXAMPLE = "'gait:' and '  - {clips: \"35_*\", person: anna}'"


@dataclass(frozen=True)
class ToldClips:
    """What is told about the clips of one pattern; the first row that says something counts.

    Parameters
    ----------
    clips : str
        Pattern of the clips' names.
    person, style, behaviour : str
        Empty where not told.
    leave : bool
        No gait is looked for.
    events : mapping of str to mapping of str to tuple of float
        Times, seconds, by kind (``"strike"``, ``"off"``) and foot; they replace those found.
    """

    clips: str
    person: str = ""
    style: str = ""
    behaviour: str = ""
    leave: bool = False
    events: Mapping[str, Mapping[str, tuple[float, ...]]] = field(default_factory=dict)


def read_told(path: str | PathLike[str]) -> tuple[ToldClips, ...]:
    """Read a file about gait, YAML or JSON.

    It has ``gait:``, a list of ``{clips: PATTERN, person: NAME, style: NAME, behaviour: walk,
    leave: true, strikes: {left: [s, ...], right: [...]}, offs: {...}}``.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    tuple of ToldClips
        In the file's order.

    Raises
    ------
    FormatError
        In one sentence: file, line, what was read and what was expected.
    """
    document = read_document(path)
    rows = document.value.get("gait") if isinstance(document.value, dict) else None
    if not isinstance(rows, list) or not rows:
        raise FormatError(f"expected a list 'gait'; begin with {_EXAMPLE}", path, 1)
    told = []
    for i, row in enumerate(rows):
        try:
            told.append(_read_row(row))
        except ValueError as error:
            raise FormatError(f"gait[{i}]: {error}", path, document.line_of(("gait", i))) from None
    return tuple(told)


def _read_row(row: Any) -> ToldClips:
    known = {*_TEXTS, *_KINDS, "leave"}
    if not isinstance(row, dict) or "clips" not in row or not set(row) <= known:
        raise ValueError(
            "expected {clips: PATTERN} with person, style, behaviour, leave, strikes or offs, got"
            f" {str(row)[:80]}"
        )
    for key in _TEXTS:
        if key in row and not (isinstance(row[key], str) and row[key]):
            raise ValueError(f"{key} must be text, got {str(row[key])[:80]}; quote numbers")
    if row.get("behaviour", "walk") not in BEHAVIOURS:
        raise ValueError(f"behaviour must be walk or run, got {row['behaviour']!r}")
    if not isinstance(row.get("leave", False), bool):
        raise ValueError(f"leave must be true or false, got {str(row['leave'])[:80]}")
    texts = {key: row[key] for key in _TEXTS if key in row}
    events = {kind: _read_times(row[key], key) for key, kind in _KINDS.items() if key in row}
    return ToldClips(**texts, leave=row.get("leave", False), events=events)


def _read_times(value: Any, key: str) -> dict[str, tuple[float, ...]]:
    if not isinstance(value, dict) or not set(value) <= set(SIDES):
        raise ValueError(f"{key} must be times by foot, {{left: [s], right: [s]}}")
    for times in value.values():
        if not isinstance(times, list) or not all(
            type(t) in (int, float) and np.isfinite(t) for t in times
        ):
            raise ValueError(f"{key} must be lists of seconds, got {str(times)[:80]}")
    return {foot: tuple(sorted(map(float, times))) for foot, times in value.items()}


def told_of(name: str, told: Sequence[ToldClips]) -> ToldClips:
    """What is told about one clip, of all rows that are for it.

    Parameters
    ----------
    name : str
        The clip's name.
    told : sequence of ToldClips
        Rows; the first that says something counts.

    Returns
    -------
    ToldClips
        Empty where nothing is told.
    """
    rows = [row for row in told if fnmatchcase(name, row.clips)]
    texts = {
        key: next((value for row in rows if (value := getattr(row, key))), "")
        for key in ("person", "style", "behaviour")
    }
    events: dict[str, Mapping[str, tuple[float, ...]]] = {}
    for row in reversed(rows):
        events |= row.events
    return ToldClips(name, **texts, leave=any(row.leave for row in rows), events=events)


def corrected(events: Sequence[FootEvent], told: ToldClips) -> tuple[FootEvent, ...]:
    """Events with those of a kind and foot replaced where the user has told them.

    Parameters
    ----------
    events : sequence of FootEvent
        As found.
    told : ToldClips
        What is told.

    Returns
    -------
    tuple of FootEvent
        In order of time.
    """
    kept = [e for e in events if e.foot not in told.events.get(e.kind, {})]
    for kind, by_foot in told.events.items():
        kept += [FootEvent(t, foot, kind) for foot, times in by_foot.items() for t in times]
    return tuple(sorted(kept, key=lambda event: event.time))


def check_used(told: Sequence[ToldClips], names: Sequence[str]) -> None:
    """Refuse rows that are for no clip.

    Parameters
    ----------
    told : sequence of ToldClips
        Rows of a file.
    names : sequence of str
        Names of the clips.

    Raises
    ------
    InvalidInputError
        When a pattern matches no clip.
    """
    for row in told:
        if not any(fnmatchcase(name, row.clips) for name in names):
            raise InvalidInputError(
                f"no clip is called {row.clips!r}; clips there are: {', '.join(names[:5])}"
            )
