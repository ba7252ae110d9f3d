"""Key files: YAML or JSON that says when takes show which key postures, or how they are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.io.document import Document, read_document
from motionloom.motion import Motion
from motionloom.roles import Roles
from motionloom.spaces.motion_space._key_rules import KeyRule, check_lengths, cut_strokes, find_keys
from motionloom.spaces.motion_space.takes import Keys

_FIELDS = {"keys", "takes", "find", "cut"}
_RULE = {"kind", "joint", "share"}
_CUT = {"joint", "before", "after", "share"}


@dataclass(frozen=True)
class KeyFile:
    """What a key file says.

    Parameters
    ----------
    path : str
        The file.
    names : tuple of str
        Key postures, where takes give their times.
    times : mapping of str to tuple of float, seconds
        Of every take, by the name of its clip.
    rule : KeyRule, optional
        How they are found otherwise.
    cut : mapping of str to object, optional
        How recordings are cut into takes first; see `cut_strokes`.
    """

    path: str
    names: tuple[str, ...] = ()
    times: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    rule: KeyRule | None = None
    cut: Mapping[str, Any] | None = None

    def takes_of(self, motions: Sequence[Motion], roles: Roles | None = None) -> list[Motion]:
        """Recordings cut into takes, where the file says so.

        Parameters
        ----------
        motions : sequence of Motion
            As they were read.
        roles : Roles, optional
            Found from the skeleton when not given.

        Returns
        -------
        list of Motion

        Raises
        ------
        UnknownJointError
            When there is no such joint.
        InvalidInputError
            When the recordings show no stroke that can be cut.
        """
        check_lengths(motions)
        if self.cut is None:
            return list(motions)
        told = dict(self.cut)
        effector = told.pop("joint")
        takes = [c for m in motions for c in cut_strokes(m, effector, roles=roles, **told)]
        if motions and not takes:
            raise InvalidInputError(
                f"{self.path}: cut: {_named(motions)} shows no stroke of {effector!r} with as much"
                " time before and after it; cut less, or leave the recording out"
            )
        return takes

    def keys_of(self, takes: Sequence[Motion], roles: Roles | None = None) -> Keys:
        """Key postures of takes.

        Parameters
        ----------
        takes : sequence of Motion
            All named in the file, where it gives times.
        roles : Roles, optional
            Found from the skeleton when not given.

        Returns
        -------
        Keys

        Raises
        ------
        InvalidInputError
            When a take is not in the file, or does not show what is looked for.
        """
        if self.rule is not None:
            return find_keys(takes, self.rule, roles)
        for take in takes:
            if take.name not in self.times:
                raise InvalidInputError(
                    f"{self.path}: no key postures of the take {take.name!r}; add a line"
                    f" '{take.name}: [{', '.join('0.0' for _ in self.names)}]' under 'takes', or"
                    " leave the take out"
                )
        return Keys(self.names, np.array([self.times[take.name] for take in takes]))


def read_key_file(path: str | PathLike[str]) -> KeyFile:
    """Read a key file.

    It has ``keys:``, a list of names, and ``takes:``, seconds of each by the clips' names; or
    ``find: {kind: hold, joint: right_hand}``. Either may come with
    ``cut: {joint: right_hand, before: 1.0, after: 0.6}``, which cuts recordings into takes first.

    Parameters
    ----------
    path : path-like
        YAML or JSON.

    Returns
    -------
    KeyFile

    Raises
    ------
    FormatError
        In one sentence: file, line, what was read and what was expected.
    """
    document = read_document(path)
    value = document.value
    known = isinstance(value, dict) and value.keys() <= _FIELDS
    if not known or not ("find" in value or {"keys", "takes"} <= value.keys()):
        raise document.fault(
            "expected 'keys' and 'takes', or 'find'; write for example 'find: {kind: hold, joint:"
            " right_hand}'"
        )
    cut = _read_cut(document)
    if "find" in value and ("keys" in value or "takes" in value):
        raise document.fault(
            "expected either 'find', or 'keys' and 'takes', got both; remove one of them", "find"
        )
    if "find" in value:
        return KeyFile(str(path), rule=_read_rule(document), cut=cut)
    names = value["keys"]
    if not _are_names(names):
        raise document.fault(
            f"keys: expected a list of names, two or more and all different, got {str(names)[:80]}",
            "keys",
        )
    return KeyFile(str(path), tuple(names), _read_times(document, len(names)), cut=cut)


def _read_times(document: Document, count: int) -> dict[str, tuple[float, ...]]:
    rows = document.value["takes"]
    if not isinstance(rows, dict) or not rows:
        raise document.fault("takes: expected lines of 'NAME: [seconds, ...]'", "takes")
    for name, row in rows.items():
        if not _are_numbers(row, count):
            raise document.fault(
                f"takes: expected {count} ascending times in seconds for {name!r}, one for each"
                f" name under 'keys', got {str(row)[:80]}",
                "takes",
                name,
            )
    return {name: tuple(map(float, row)) for name, row in rows.items()}


def _named(motions: Sequence[Motion]) -> str:
    more = f" and {len(motions) - 1} more" if len(motions) > 1 else ""
    return f"{motions[0].name or 'a recording'}{more}"


def _are_names(names: Any) -> bool:
    told = isinstance(names, list) and all(isinstance(n, str) and n for n in names)
    return told and len(set(names)) == len(names) >= 2


def _are_numbers(row: Any, count: int) -> bool:
    if not isinstance(row, list) or [type(t) in (int, float) for t in row] != [True] * count:
        return False
    return all(a < b for a, b in pairwise(row)) and row[0] >= 0 and row[-1] < float("inf")


def _read_rule(document: Document) -> KeyRule:
    told = document.value["find"]
    if not isinstance(told, dict) or not {"kind", "joint"} <= told.keys() <= _RULE:
        raise document.fault(
            f"find: expected {{kind: hold, joint: NAME}} and perhaps share, got {str(told)[:80]}",
            "find",
        )
    try:
        return KeyRule(str(told["kind"]), str(told["joint"]), float(told.get("share", 0.9)))
    except (InvalidInputError, TypeError, ValueError) as error:
        raise document.fault(f"find: {error}", "find") from None


def _read_cut(document: Document) -> dict[str, Any] | None:
    told = document.value.get("cut")
    if told is None:
        return None
    known = isinstance(told, dict) and {"joint"} <= told.keys() <= _CUT
    numbers = [v for k, v in told.items() if k != "joint"] if known else []
    if not known or not all(isinstance(v, (int, float)) and 0 < v < np.inf for v in numbers):
        raise document.fault(
            "cut: expected {joint: NAME, before: SECONDS, after: SECONDS} and perhaps share, got"
            f" {str(told)[:80]}",
            "cut",
        )
    return {k: str(v) if k == "joint" else float(v) for k, v in told.items()}
