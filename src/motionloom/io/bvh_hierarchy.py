"""The HIERARCHY section of a BVH file, as it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from motionloom.io.files import decode
from motionloom.io.notes import Notes
from motionloom.io.number_table import LARGEST, read_numbers

#: More joints than any body has; beyond this a file is damaged.
MOST_JOINTS = 20_000
_KEYWORD = re.compile(r"(?i)(HIERARCHY|ROOT|JOINT|END|OFFSET|CHANNELS|\{|\})$")
_CHANNEL = re.compile(r"(?i)([xyz])_?(position|rotation|translation)$")
_MOTION = re.compile(rb"(?im)(?:^|\})[ \t]*(MOTION)[ \t]*:?[ \t]*(?=$|Frame)")


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
    parents : int array of shape (J,)
    offsets : array of shape (J, 3)
    channels : tuple of tuple of str
        Per joint, in file order: ``"Xposition"`` ... ``"Zrotation"``.
    end_parents : int array of shape (E,)
        Ascending.
    end_offsets : array of shape (E, 3)
    """

    names: tuple[str, ...]
    parents: NDArray[np.int64]
    offsets: NDArray[np.float64]
    channels: tuple[tuple[str, ...], ...]
    end_parents: NDArray[np.int64]
    end_offsets: NDArray[np.float64]

    @property
    def n_channels(self) -> int:
        """Numbers in a frame."""
        return sum(map(len, self.channels))


def split_sections(data: bytes, notes: Notes) -> tuple[str, bytes, int]:
    """Cut a BVH file into the part before MOTION, the part after it, and the line on which the latter starts.

    Raises
    ------
    FormatError
        When it has no HIERARCHY.
    """
    found = _MOTION.search(data)
    start, stop = (found.start(1), found.end()) if found else (len(data), len(data))
    head = decode(data[:start])
    if not re.search(r"(?im)^[ \t]*(HIERARCHY|ROOT)\b", head):
        if found and not head.strip():
            raise notes.error(
                "the file starts with MOTION; its HIERARCHY section is missing, without which the numbers have no "
                "meaning. Put the HIERARCHY of a file of the same skeleton in front",
                1,
            )
        raise notes.error("expected HIERARCHY and ROOT, found neither; this is not a BVH file", 1)
    if not found:
        notes.mended("no MOTION section; read as a skeleton without frames", data.count(b"\n") + 1)
    return head, data[stop:], data.count(b"\n", 0, stop) + 1


def parse_hierarchy(text: str, notes: Notes) -> BvhHierarchy:
    """Parse the part of a BVH file before MOTION.

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
    text: str
    notes: Notes
    nodes: list[_Node] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    tokens: list[tuple[int, str]] = field(default_factory=list)
    at: int = 0

    def run(self) -> None:
        for line, content in enumerate(self.text.split("\n"), 1):
            spaced = content.replace("{", " { ").replace("}", " } ")
            self.tokens += [(line, token) for token in spaced.split()]
        while self.at < len(self.tokens):
            line, token = self.tokens[self.at]
            self.at += 1
            self.statement(token.upper(), token, line)
        if self.open:
            missing = len(self.open)
            last = self.tokens[-1][0]
            self.notes.mended(f"{missing} closing brace{'s' * (missing > 1)} missing at the end of HIERARCHY", last)

    def statement(self, keyword: str, token: str, line: int) -> None:
        if keyword in ("ROOT", "JOINT"):
            self.start_joint(keyword, line)
        elif keyword in ("END", "ENDSITE", "END_SITE"):
            self.rest_of_line(line)
            self.start(_Node("", self.parent(token, line), line, is_end=True))
        elif keyword == "}":
            if self.open:
                self.open.pop()
            else:
                self.notes.mended("a closing brace without an opening one; left out", line)
        elif keyword == "OFFSET":
            self.node(token, line).offset = self.offset(line)
        elif keyword == "CHANNELS":
            self.node(token, line).channels = self.channels(line)
        elif keyword != "HIERARCHY":
            self.rest_of_line(line)
            self.notes.mended(f"expected a keyword such as JOINT or OFFSET, found {token[:40]!r}; left out", line)

    def start_joint(self, keyword: str, line: int) -> None:
        name = self.rest_of_line(line)
        if not name:
            name = f"joint{len(self.nodes)}"
            self.notes.mended(f"a joint without a name; called {name!r}", line)
        if keyword == "ROOT" and self.nodes:
            raise self.notes.error(
                f"a second ROOT, {name!r}; a file with several skeletons cannot be read: keep one ROOT a file", line
            )
        if not self.nodes:
            if keyword == "JOINT":
                self.notes.mended(f"the first joint, {name!r}, is called JOINT instead of ROOT", line)
            self.start(_Node(name, -1, line))
        else:
            self.start(_Node(name, self.parent(keyword, line), line))

    def parent(self, token: str, line: int) -> int:
        """The open block, which becomes a parent."""
        self.node(token, line).has_children = True
        return self.open[-1]

    def node(self, token: str, line: int) -> _Node:
        if not self.open:
            raise self.notes.error(f"{token} outside the braces of the ROOT; are there too many closing braces?", line)
        return self.nodes[self.open[-1]]

    def start(self, node: _Node) -> None:
        if len(self.nodes) >= MOST_JOINTS:
            raise self.notes.error(f"more than {MOST_JOINTS} joints; no body has that many", node.line)
        self.nodes.append(node)
        self.open.append(len(self.nodes) - 1)
        if self.at < len(self.tokens) and self.tokens[self.at][1] == "{":
            self.at += 1
        else:
            self.notes.mended("expected an opening brace", node.line)

    def rest_of_line(self, line: int) -> str:
        """Words up to a brace or the end of the line: names may hold spaces."""
        words = []
        while self.at < len(self.tokens) and self.tokens[self.at][0] == line and self.tokens[self.at][1] not in "{}":
            words.append(self.tokens[self.at][1])
            self.at += 1
        return " ".join(words)

    def words_to_keyword(self) -> list[str]:
        words = []
        while self.at < len(self.tokens) and not _KEYWORD.match(self.tokens[self.at][1]):
            words.append(self.tokens[self.at][1])
            self.at += 1
        return words

    def offset(self, line: int) -> tuple[float, float, float]:
        words = " ".join(self.words_to_keyword())
        values, glued = read_numbers(words)
        if values is None or len(values) < 3:
            raise self.notes.error(f"OFFSET needs three numbers up to {LARGEST:g}, found {words[:60]!r}", line)
        if len(values) > 3:
            self.notes.mended(f"OFFSET has {len(values)} numbers; the first three are taken", line)
        if glued:
            self.notes.mended(f"numbers run together in {words[:60]!r}; split", line)
        return values[0], values[1], values[2]

    def channels(self, line: int) -> tuple[str, ...]:
        words = self.words_to_keyword()
        declared = words.pop(0) if words and words[0].isdigit() else ""
        names = []
        for word in words:
            match = _CHANNEL.match(word)
            if not match:
                raise self.notes.error(
                    f"unknown channel {word[:40]!r}; expected Xposition, Yposition, Zposition, Xrotation, Yrotation or "
                    "Zrotation",
                    line,
                )
            names.append(match[1].upper() + ("rotation" if match[2].lower() == "rotation" else "position"))
        if declared.lstrip("0") != (str(len(names)) if names else ""):
            self.notes.mended(f"CHANNELS says {declared or 'no number'}, names {len(names)}; the names count", line)
        self.check_channels(names, line)
        return tuple(names)

    def check_channels(self, names: list[str], line: int) -> None:
        positions = [n for n in names if n.endswith("position")]
        turns = [n[0] for n in names if n.endswith("rotation")]
        if len(set(positions)) < len(positions):
            raise self.notes.error("a joint has the same position channel twice", line)
        if len(turns) > 3 or any(a == b for a, b in pairwise(turns)):
            raise self.notes.error(f"rotations {' '.join(turns)}; expected up to three, no axis twice in a row", line)


def _build(nodes: list[_Node], notes: Notes) -> BvhHierarchy:
    if not nodes:
        raise notes.error("HIERARCHY holds no joint", 1)
    index: dict[int, int] = {}  # node -> joint
    names: dict[str, None] = {}
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
            notes.mended(f"an end site with channels or joints; read as a joint called {node.name!r}", node.line)
        names[_unused(node, names, notes)] = None
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


def _unused(node: _Node, names: dict[str, None], notes: Notes) -> str:
    if node.name not in names:
        return node.name
    number = len(names)  # the joint's index is unique, and most likely no other name ends in it
    while f"{node.name}_{number}" in names:
        number += 1
    notes.mended(f"a second joint called {node.name!r}; renamed {node.name}_{number}", node.line)
    return f"{node.name}_{number}"
