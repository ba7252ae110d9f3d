"""YAML or JSON text as plain values, each with its line; nothing in it can do harm.

A value has a path: names of fields and places in lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from motionloom.errors import FormatError
from motionloom.io.files import read_text
from motionloom.io.limits import MOST_CHARACTERS, MOST_DEPTH, MOST_ENTRIES, MOST_VALUES
from motionloom.typing import PathName

Path = tuple[str | int, ...]


def format_path(path: Path) -> str:
    """Path to a value as people write it: ``body[1].position``.

    Examples
    --------
    >>> format_path(("body", 1, "position"))
    'body[1].position'
    """
    return "".join(_steps(path)).lstrip(".")


def _steps(path: Path) -> Iterator[str]:
    for step in path:
        if isinstance(step, int):
            yield f"[{step}]"
        else:
            yield f".{step if len(step) <= 60 else step[:57] + '...'}"


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_WORDS: dict[str, bool | None] = dict.fromkeys(("", "~", "null"))
_WORDS |= {"true": True, "True": True, "false": False, "False": False}


@dataclass(frozen=True)
class Document:
    """Plain values and where they stand.

    Parameters
    ----------
    value : object
        Dictionaries, lists, strings, numbers, booleans and None.
    lines : dict of tuple to int
        Line, counted from 1, of every value by its path, such as ``("body", 0, "time")``.
    path : path-like
        The file.
    """

    value: Any
    lines: dict[Path, int]
    path: PathName = ""

    def value_at(self, path: Path) -> Any:
        """Value at a path that is among `lines`.

        Examples
        --------
        >>> parse_document("body: [{time: 2}]", "wish.yaml").value_at(("body", 0, "time"))
        2
        """
        value = self.value
        for step in path:
            value = value[step]
        return value

    def line_of(self, path: Path) -> int:
        r"""Line of the value at `path`, or of the nearest value around it.

        Examples
        --------
        >>> parse_document("fps: 30\nduration: 4", "wish.yaml").line_of(("duration",))
        2
        """
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 1)

    def fault(self, message: str, *path: str | int) -> FormatError:
        """An error about the value at a path, with its line."""
        return FormatError(message, self.path, self.line_of(path))


def read_document(path: PathName) -> Document:
    """Read a YAML or JSON file; see `parse_document`.

    Raises
    ------
    FormatError
        Also when it cannot be read, or is too long: then it is not read at all.

    Examples
    --------
    >>> read_document(demo / "constraints.yaml").value["duration"]
    10.0
    """
    return parse_document(read_text(path, most=4 * MOST_CHARACTERS), path)


def parse_document(text: str, path: PathName) -> Document:
    r"""Parse YAML 1.2 (and so JSON) into plain values.

    Plain words are read by the core schema of YAML 1.2: ``1e-3`` is a number, ``no`` and ``1:30``
    are text.

    Parameters
    ----------
    text : str
        The whole file.
    path : path-like
        Its name, for errors.

    Returns
    -------
    Document
        Values with their lines.

    Raises
    ------
    FormatError
        For a syntax error, an empty file, a key given twice, an anchor or tag, and for text that is
        too long or deep or holds too many values.

    Examples
    --------
    >>> document = parse_document("duration: 4\nbody:\n  - {time: 0}\n", "wish.yaml")
    >>> document.value
    {'duration': 4, 'body': [{'time': 0}]}
    >>> document.line_of(("body", 0, "time"))
    3
    """
    if len(text) > MOST_CHARACTERS:
        message = f"the file has {len(text)} characters; expected at most {MOST_CHARACTERS}"
        raise FormatError(message, path)
    # JSON may be indented with tabs, which YAML forbids; inside JSON strings a tab is always
    # escaped.
    text = text.replace("\t", " ") if text.lstrip("\ufeff \t\r\n").startswith(("{", "[")) else text
    builder = _Builder(path)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.add(event)
    except yaml.reader.ReaderError as error:
        told = f"not text that YAML or JSON may hold (character {error.character!r});"
        raise FormatError(f"{told} save the file as UTF-8 text", path) from None
    except yaml.MarkedYAMLError as error:
        line = None if error.problem_mark is None else error.problem_mark.line + 1
        what = " ".join(part for part in (error.context, error.problem) if part)
        message = f"not valid YAML or JSON: {what}; correct the text near this line"
        raise FormatError(message, path, line) from None
    if not builder.lines:
        raise FormatError("the file is empty; expected at least 'duration: SECONDS'", path)
    return Document(builder.value, builder.lines, path)


class _Builder:
    """Values from a stream of YAML events, without recursion."""

    def __init__(self, path: PathName) -> None:
        self.path = path
        self.value: Any = None
        self.lines: dict[Path, int] = {}
        self._open: list[dict[str, Any] | list[Any]] = []
        self._where: list[str | int] = []
        self._key: str | None = None
        self._documents = 0
        self._values = self._entries = self._line = 0

    def error(self, message: str) -> FormatError:
        return FormatError(message, self.path, self._line)

    def add(self, event: yaml.Event) -> None:
        self._line = 1 if event.start_mark is None else event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                message = "a second document ('---') begins; expected one document in a file"
                raise self.error(message)
        elif isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise self.error("anchors (&) and aliases (*) are not allowed; write the values out")
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            self._refuse_tag(event)
            self._begin({} if isinstance(event, yaml.MappingStartEvent) else [])
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self._open.pop()
            if self._where:
                self._where.pop()
        elif isinstance(event, yaml.ScalarEvent):
            self._refuse_tag(event)
            self._scalar(event)

    def _refuse_tag(self, event: Any) -> None:
        if event.tag is not None and event.tag != "!":
            raise self.error(f"the tag {event.tag[:60]!r} is not allowed; write the plain value")

    def _begin(self, value: dict[str, Any] | list[Any]) -> None:
        if self._open and isinstance(self._open[-1], dict) and self._key is None:
            raise self.error("a list or mapping stands where a field name was expected")
        if len(self._open) == MOST_DEPTH:
            raise self.error(f"brackets are nested deeper than {MOST_DEPTH}; constraints need 4")
        self._entries += isinstance(value, dict)
        if self._entries > MOST_ENTRIES:
            raise self.error(f"more than {MOST_ENTRIES} entries; part them among several files")
        key = self._store(value)
        if self._open:
            self._where.append(key)
        self._open.append(value)

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        inside = self._open[-1] if self._open else None
        if isinstance(inside, dict) and self._key is None:
            if event.value in inside:
                raise self.error(f"the field {event.value[:60]!r} is given twice; keep one")
            self._key = event.value
            self.lines[(*self._where, event.value)] = self._line
        else:
            self._store(event.value if event.style else _plain(event.value))

    def _store(self, value: Any) -> str | int:
        """Put a value into the innermost open list or mapping, and say under which key."""
        self._values += 1
        if self._values > MOST_VALUES:
            message = f"more than {MOST_VALUES} values; keep heights in a file of their own,"
            raise self.error(f"{message} and part other entries among several files")
        if not self._open:
            self.value = value
            self.lines[()] = self._line
            return 0
        inside = self._open[-1]
        if isinstance(inside, list):
            inside.append(value)
        elif self._key is not None:
            inside[self._key] = value
        key = len(inside) - 1 if self._key is None else self._key
        self._key = None
        self.lines.setdefault((*self._where, key), self._line)
        return key


def _plain(word: str) -> Any:
    """Value of an unquoted word."""
    if word in _WORDS:
        return _WORDS[word]
    if _INT.fullmatch(word):
        return int(word)
    number = _FLOAT.fullmatch(word.lower())
    return float(word.replace(".inf", "inf").replace(".nan", "nan")) if number else word
