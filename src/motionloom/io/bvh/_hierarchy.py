"""The HIERARCHY section of a BVH file, as it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from motionloom.errors import FormatError
from motionloom.io.files import decode
from motionloom.io.limits import MOST_WORDS, Notes, check_joints, check_name
from motionloom.io.number_table import LARGEST, read_numbers
from motionloom.typing import Array, Ints

_KEYWORD = re.compile(r"(?i)(HIERARCHY|ROOT|JOINT|END|OFFSET|CHANNELS|\{|\})$")
_CHANNEL = re.compile(r"(?i)([xyz])_?(position|rotation|translation)$")
_MOTION = re.compile(rb"(?m)MOTION[ \t]*+:?[ \t]*+(?=$|FRAME)")
_TOKEN = re.compile(r"\s*+([{}]|[^{}\s]++)")
_REST_OF_LINE = re.compile(r"[^{}\n]*+")


@dataclass
class _Node:
    """One block in braces while it is read."""

    name: str
    parent: int
    line: int
    is_end: bool = False
    offset: tuple[float, float, float] | None = None
    channels: tuple[str, ...] = ()
    has_children: bool = False


@dataclass(frozen=True)
class BvhHierarchy:
    """Joints in file order, lengths in the file's unit and axes.

    Parameters
    ----------
    names : tuple of str
        Joint names, unique.
    parents : int array of shape (J,)
        Index of each joint's parent, -1 for the root.
    offsets : array of shape (J, 3)
        OFFSET of each joint, in its parent's frame.
    channels : tuple of tuple of str
        Per joint, in file order: ``"Xposition"`` ... ``"Zrotation"``.
    end_parents : int array of shape (E,)
        Ascending.
    end_offsets : array of shape (E, 3)
        OFFSET of each end site, in its joint's frame.
    """

    names: tuple[str, ...]
    parents: Ints
    offsets: Array
    channels: tuple[tuple[str, ...], ...]
    end_parents: Ints
    end_offsets: Array

    @property
    def n_channels(self) -> int:
        """Numbers in a frame."""
        return sum(map(len, self.channels))


def split_sections(data: bytes, notes: Notes) -> tuple[str, bytes, int]:
    """Cut a BVH file into the parts before and after MOTION.

    Parameters
    ----------
    data : bytes
        The file, lines ended by line feeds.
    notes : Notes
        Takes what was mended; refuses mending when strict.

    Returns
    -------
    head : str
        What comes before MOTION.
    body : bytes
        What comes after it; empty without the word.
    first_line : int
        Line of the file on which `body` starts, counted from 1.

    Raises
    ------
    FormatError
        When it has no HIERARCHY.
    """
    found = _find_motion(data)
    start, stop = found or (len(data), len(data))
    head = decode(data[:start])
    if not re.search(r"(?im)^[ \t]*+(HIERARCHY|ROOT)\b", head):
        if found and not head.strip():
            message = (
                "the file starts with MOTION; its HIERARCHY section is missing, without which the"
                " numbers have no meaning. Put the HIERARCHY of a file of the same skeleton in"
                " front"
            )
            raise notes.error(message, 1)
        raise notes.error("expected HIERARCHY and ROOT, found neither; this is not a BVH file", 1)
    if not found:
        notes.mended("no MOTION section; read as a skeleton without frames", data.count(b"\n") + 1)
    return head, data[stop:], data.count(b"\n", 0, stop) + 1


def _find_motion(data: bytes) -> tuple[int, int] | None:
    """Where MOTION begins and what belongs to it ends: at a line's start, or behind a brace."""
    for found in _MOTION.finditer(data.upper()):
        before = found.start() - 1
        while before >= 0 and data[before] in b" \t":
            before -= 1
        if before < 0 or data[before] in b"\n}":
            return found.span()
    return None


def parse_hierarchy(text: str, notes: Notes) -> BvhHierarchy:
    """Parse the part of a BVH file before MOTION.

    Parameters
    ----------
    text : str
        As `split_sections` returns it.
    notes : Notes
        Takes what was mended; refuses mending when strict.

    Returns
    -------
    BvhHierarchy
        Names are unique; repeated ones get a number.

    Raises
    ------
    FormatError
        When it does not describe one tree of joints.
    """
    parser = _Parser(text, notes)
    parser.run()
    return _build(parser.nodes, notes)


@dataclass
class _Parser:
    """Goes through the text once, word by word."""

    text: str
    notes: Notes
    nodes: list[_Node] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    at: int = 0
    line: int = 1
    began: int = 1  # line of the statement

    def run(self) -> None:
        while token := self.take():
            self.began = self.line
            self.statement(token.upper(), token)
        if self.open:
            missing = f"{len(self.open)} closing brace{'s' * (len(self.open) > 1)} missing"
            last = 1 + self.text.count("\n", 0, len(self.text.rstrip()))
            self.notes.mended(f"{missing} at the end of HIERARCHY", last)

    def mend(self, message: str) -> None:
        self.notes.mended(message, self.began)

    def error(self, message: str) -> FormatError:
        return self.notes.error(message, self.began)

    def take(self) -> str:
        """The next word or brace; empty at the end."""
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            return ""
        self.line += self.text.count("\n", self.at, found.start(1))
        self.at = found.end()
        return found[1]

    def statement(self, keyword: str, token: str) -> None:
        if keyword in ("ROOT", "JOINT"):
            self.start_joint(keyword)
        elif keyword in ("END", "ENDSITE", "END_SITE"):
            self.rest_of_line()
            self.start(_Node("", self.parent(token), self.began, is_end=True))
        elif keyword == "}" and self.open:
            self.open.pop()
        elif keyword == "}":
            self.mend("a closing brace without an opening one; left out")
        elif keyword == "OFFSET":
            node = self.node(token)
            if node.offset is not None:
                self.mend("a second OFFSET in one joint; the last counts")
            node.offset = self.offset()
        elif keyword == "CHANNELS":
            node = self.node(token)
            if node.channels:
                self.mend("second CHANNELS in one joint; the last count")
            node.channels = self.channels()
        elif keyword != "HIERARCHY":
            self.rest_of_line()
            self.mend(f"expected a keyword such as JOINT or OFFSET, found {token[:40]!r}; left out")

    def start_joint(self, keyword: str) -> None:
        name = self.rest_of_line()
        check_name(name, self.notes.path, self.began)
        if not name:
            name = f"joint{len(self.nodes)}"
            self.mend(f"a joint without a name; called {name!r}")
        if keyword == "ROOT" and self.nodes:
            message = f"a second ROOT, {name!r}; a file with several skeletons cannot be read:"
            raise self.error(f"{message} keep one ROOT a file")
        if keyword == "JOINT" and not self.nodes:
            self.mend(f"the first joint, {name!r}, is called JOINT instead of ROOT")
        self.start(_Node(name, self.parent(keyword) if self.nodes else -1, self.began))

    def parent(self, token: str) -> int:
        """The open block, which becomes a parent."""
        self.node(token).has_children = True
        return self.open[-1]

    def node(self, token: str) -> _Node:
        if not self.open:
            message = f"{token} outside the braces of the ROOT; are there too many closing braces?"
            raise self.error(message)
        return self.nodes[self.open[-1]]

    def start(self, node: _Node) -> None:
        check_joints(len(self.nodes) + 1, self.notes.path, node.line)
        self.nodes.append(node)
        self.open.append(len(self.nodes) - 1)
        found = _TOKEN.match(self.text, self.at)
        if found is not None and found[1] == "{":
            self.take()
        else:
            self.mend("expected an opening brace")

    def rest_of_line(self) -> str:
        """Words up to a brace or the end of the line: names may hold spaces."""
        found = _REST_OF_LINE.match(self.text, self.at)
        assert found is not None  # as it may be empty
        self.at = found.end()
        return " ".join(found[0].split())

    def words_to_keyword(self, keyword: str) -> list[str]:
        words: list[str] = []
        while (found := _TOKEN.match(self.text, self.at)) and not _KEYWORD.match(found[1]):
            if len(words) == MOST_WORDS:
                message = f"more than {MOST_WORDS} words after {keyword};"
                raise self.error(f"{message} is the next keyword missing?")
            words.append(self.take())
        return words

    def offset(self) -> tuple[float, float, float]:
        words = " ".join(self.words_to_keyword("OFFSET"))
        values, glued = read_numbers(words)
        if values is None or len(values) < 3:
            raise self.error(f"OFFSET needs three numbers up to {LARGEST:g}, found {words[:60]!r}")
        if len(values) > 3:
            self.mend(f"OFFSET has {len(values)} numbers; the first three are taken")
        if glued:
            self.mend(f"numbers run together in {words[:60]!r}; split")
        return values[0], values[1], values[2]

    def channels(self) -> tuple[str, ...]:
        words = self.words_to_keyword("CHANNELS")
        declared = words.pop(0) if words and words[0].isdigit() else ""
        names = []
        for word in words:
            match = _CHANNEL.match(word)
            if not match:
                message = f"unknown channel {word[:40]!r}; expected Xposition, Yposition,"
                raise self.error(f"{message} Zposition, Xrotation, Yrotation or Zrotation")
            kind = "rotation" if match[2].lower() == "rotation" else "position"
            names.append(match[1].upper() + kind)
        if declared.lstrip("0") != (str(len(names)) if names else ""):
            told = f"CHANNELS says {declared or 'no number'}, names {len(names)}"
            self.mend(f"{told}; the names count")
        self.check_channels(names)
        return tuple(names)

    def check_channels(self, names: list[str]) -> None:
        positions = [n for n in names if n.endswith("position")]
        turns = [n[0] for n in names if n.endswith("rotation")]
        if len(set(positions)) < len(positions):
            raise self.error("a joint has the same position channel twice")
        if len(turns) > 3 or any(a == b for a, b in pairwise(turns)):
            message = f"rotations {' '.join(turns)}; expected up to three, no axis twice in a row"
            raise self.error(message)


def _build(nodes: list[_Node], notes: Notes) -> BvhHierarchy:
    if not nodes:
        raise notes.error("HIERARCHY holds no joint", 1)
    index: dict[int, int] = {}  # node -> joint
    names: dict[str, int] = {}
    joints: list[_Node] = []
    ends: list[_Node] = []
    for i, node in enumerate(nodes):
        if node.offset is None:
            notes.mended(f"{node.name or 'an end site'} has no OFFSET; taken as 0 0 0", node.line)
        if node.is_end and not (node.channels or node.has_children):
            ends.append(node)
            continue
        if node.is_end:
            node.name = f"{joints[index[node.parent]].name}_end"
            check_name(node.name, notes.path, node.line)
            read_as = f"read as a joint called {node.name!r}"
            notes.mended(f"an end site with channels or joints; {read_as}", node.line)
        names[_unused(node, names, notes)] = 0
        index[i] = len(joints)
        joints.append(node)
    ends.sort(key=lambda node: index[node.parent])
    return BvhHierarchy(
        tuple(names),
        np.array([index.get(node.parent, -1) for node in joints]),
        np.array([node.offset or (0.0, 0.0, 0.0) for node in joints], float),
        tuple(node.channels for node in joints),
        np.array([index[node.parent] for node in ends], int),
        np.array([node.offset or (0.0, 0.0, 0.0) for node in ends], float).reshape(-1, 3),
    )


def _unused(node: _Node, names: dict[str, int], notes: Notes) -> str:
    """Name of a joint, with a number where it is taken; `names` keeps up to where the numbers of
    each are taken.
    """
    if node.name not in names:
        return node.name
    # The joint's index is unique, and most likely no other name ends in it.
    number = max(len(names), names[node.name])
    while f"{node.name}_{number}" in names:
        number += 1
    names[node.name] = number + 1
    notes.mended(f"a second joint called {node.name!r}; renamed {node.name}_{number}", node.line)
    return f"{node.name}_{number}"
