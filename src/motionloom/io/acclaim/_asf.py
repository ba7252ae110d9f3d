"""Acclaim skeleton files (ASF): read, and how they become joints and degrees of freedom.

A bone turns at its start and ends at its tip, where its children start. The joint of a bone has the
bone's name and lies at its start; the tip of a bone without children becomes an end site.
Directions are in world axes of the rest pose, so at rest every joint frame is aligned with the
world and a bone with axis C and motion M turns by ``C M C^-1``. Rotations are about fixed axes in
the order written: ``dof rx ry rz`` means Rz Ry Rx.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from os import fspath

import numpy as np

from motionloom import rotations as rot
from motionloom.euler_coordinates import EulerCoordinates, EulerJoint
from motionloom.io.files import read_text
from motionloom.io.limits import MOST_ASF_WORDS, Notes, check_joints
from motionloom.io.units import turn_vectors
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, PathName

Y_UP = np.eye(3)
FREEDOMS = ("tx", "ty", "tz", "rx", "ry", "rz")


@dataclass(frozen=True)
class Bone:
    """One bone of an ASF file, in the file's units.

    Parameters
    ----------
    name : str
        Unique name.
    direction : tuple of 3 floats
        Unit vector from start to tip in the rest pose.
    length : float
        In the file's unit of length.
    axis : tuple of 3 floats
        Angles of the bone's own axes about fixed axes, in `axis_order`.
    axis_order : str
        Such as ``"XYZ"``: first about X.
    freedoms : tuple of str
        ``"rx"``, ``"ty"`` ... or ``"l"`` in the order of the numbers in an AMC file.
    limits : tuple of (float, float)
        Lower and upper limit of each freedom; empty when the file has none.
    """

    name: str
    direction: tuple[float, ...] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis_order: str = "XYZ"
    freedoms: tuple[str, ...] = ()
    limits: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class AsfSkeleton:
    """An ASF file as it is written.

    Parameters
    ----------
    path : str
        The file.
    length_unit : float
        The number after ``length`` in the units section; 1 when there is none.
    degrees : bool
        Whether angles are degrees.
    root : Bone
        The root; `axis` is its preset orientation and `position` its preset position.
    position : tuple of 3 floats
        Preset position of the root.
    bones : tuple of Bone
        All others, parents first, siblings in the order of the hierarchy.
    parents : tuple of int
        Index of each bone's parent in `bones`, -1 for the root.
    notes : tuple of str
        What was mended while reading.
    """

    path: str
    length_unit: float
    degrees: bool
    root: Bone
    position: tuple[float, ...]
    bones: tuple[Bone, ...]
    parents: tuple[int, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Bone]:
        """All bones, the root first."""
        return {bone.name: bone for bone in (self.root, *self.bones)}

    @property
    def radians_per_unit(self) -> float:
        """Radians in the file's unit of angle."""
        return float(np.pi / 180) if self.degrees else 1.0

    def skeleton(self, unit: float, axes: Array = Y_UP) -> Skeleton:
        """Joints of the bones, joint 0 being the root.

        Parameters
        ----------
        unit : float
            Metres per unit of length.
        axes : array of shape (3, 3), optional
            Turns the file's axes to ours; see `motionloom.io.units.axes_to_y_up`.

        Returns
        -------
        Skeleton
            In metres, with its axes turned; joint 0 is called ``"root"`` and joint i + 1 after bone
            i.
        """
        bones = [np.multiply(bone.length, bone.direction) for bone in self.bones]
        tips = np.array(bones).reshape(-1, 3)
        starts = [tips[p] if p >= 0 else np.zeros(3) for p in self.parents]
        inner = set(self.parents)
        leaves = [i for i in range(len(self.bones)) if i not in inner]
        return Skeleton(
            ("root", *(bone.name for bone in self.bones)),
            np.array([-1, *(p + 1 for p in self.parents)]),
            unit * turn_vectors(axes, np.array([self.position, *starts])),
            np.array(leaves, int) + 1,
            unit * turn_vectors(axes, tips[leaves]),
        )

    def coordinates(
        self, skeleton: Skeleton, unit: float, axes: Array = Y_UP, order: tuple[str, ...] = ()
    ) -> EulerCoordinates:
        """Degrees of freedom of a skeleton that `AsfSkeleton.skeleton` made.

        Parameters
        ----------
        skeleton : Skeleton
            Made with the same `unit` and `axes`.
        unit : float
            Metres per unit of length.
        axes : array of shape (3, 3), optional
            Turns the file's axes to ours; see `motionloom.io.units.axes_to_y_up`.
        order : tuple of str, optional
            Names of bones in the order of their coordinates; the others follow in the file's order.

        Returns
        -------
        EulerCoordinates
            In metres and radians, with the limits of the file.
        """
        bones = self.by_name
        index = {name: j for j, name in enumerate(skeleton.names)}
        names = list(dict.fromkeys([*order, *bones]))
        turn = rot.from_matrix(axes)
        axes_of = self._axes([bones[name] for name in names])
        is_root = np.array([bones[name] is self.root for name in names])[:, None]
        # The root's preset orientation comes before its motion; other bones turn in the frame of
        # their axis.
        before = np.where(is_root, rot.identity(), axes_of)
        after = np.where(is_root, axes_of, rot.conjugate(axes_of))
        before = rot.multiply(turn, before)
        after = rot.multiply(after, rot.conjugate(turn))
        for array in (before, after):
            array.setflags(write=False)
        freedoms = (
            self._freedoms(bones[n], index[n], skeleton.offsets[index[n]], unit, b, a)
            for n, b, a in zip(names, before, after, strict=True)
        )
        return EulerCoordinates(skeleton, tuple(f for f in freedoms if f.freedoms))

    def _axes(self, bones: list[Bone]) -> Array:
        """Own axes of bones as rotations (N, 4)."""
        axes = np.empty((len(bones), 4))
        for order in {bone.axis_order for bone in bones}:
            own = [i for i, bone in enumerate(bones) if bone.axis_order == order]
            angles = np.array([bones[i].axis for i in own])[:, ["XYZ".index(a) for a in order]]
            # Turns about fixed axes in some order are turns about carried axes in the reverse
            # order.
            axes[own] = rot.from_euler(self.radians_per_unit * angles[:, ::-1], order[::-1])
        return axes

    def _freedoms(
        self, bone: Bone, joint: int, origin: Array, unit: float, before: Array, after: Array
    ) -> EulerJoint:
        columns = [k for k, f in enumerate(bone.freedoms) if f in FREEDOMS]
        kept = tuple(bone.freedoms[k] for k in columns)
        scale = [self.radians_per_unit if f[0] == "r" else unit for f in kept]
        pairs = [bone.limits[k] for k in columns] if bone.limits else []
        lower, upper = (
            tuple(p[side] * s for p, s in zip(pairs, scale, strict=False)) for side in (0, 1)
        )
        order = "".join(f[1] for f in reversed(kept) if f[0] == "r").upper()
        return EulerJoint(joint, kept, order, lower, upper, before, after, origin)


#: Numbers beyond this cannot be lengths or angles of a body.
LARGEST = 1e6
_AS_BLANKS = str.maketrans("(),", "   ")
#: Line number and words of a line.
Row = tuple[int, list[str]]


def read_asf(path: PathName, *, strict: bool = False) -> AsfSkeleton:
    """Read an ASF file.

    Parameters
    ----------
    path : path-like
        The ASF file.
    strict : bool, optional
        Refuse what would only be noted.

    Returns
    -------
    AsfSkeleton
        In the file's units and axes.

    Raises
    ------
    FormatError
        When it is not an ASF file or does not describe one tree of bones; the message names the
        line.
    """
    notes = Notes(path, strict)
    sections = dict(_sections(read_text(path), notes))
    for needed in ("bonedata", "hierarchy"):
        if needed not in sections:
            raise notes.error(f"no :{needed} section; this is not an ASF skeleton file")
    length_unit, degrees = _read_units(sections.get("units", []), notes)
    root, position = _read_root(sections.get("root", []), notes)
    bones = _read_bones(sections["bonedata"], notes)
    order, parents = _read_hierarchy(sections["hierarchy"], bones, notes)
    in_order = tuple(bones[name] for name in order)
    units = length_unit, degrees
    return AsfSkeleton(fspath(path), *units, root, position, in_order, parents, notes.texts)


def _sections(text: str, notes: Notes) -> Iterator[tuple[str, list[Row]]]:
    """Keyword (lower case, no colon) and rows of each section; row 1 is what follows the keyword.

    Comments are left out; brackets and commas are blanks.
    """
    keyword = ""
    rows: list[Row] = []
    count = 0
    for number, line in enumerate(StringIO(text), 1):
        tokens = line.partition("#")[0].translate(_AS_BLANKS).split()
        count += len(tokens)
        if count > MOST_ASF_WORDS:
            message = f"more than {MOST_ASF_WORDS} words; no skeleton needs so many"
            raise notes.error(message, number)
        if tokens and tokens[0].startswith(":"):
            if keyword:
                yield keyword, rows
            keyword = tokens[0][1:].lower()
            rows = [(number, tokens[1:])]
        elif tokens and keyword:
            rows.append((number, tokens))
    if keyword:
        yield keyword, rows


def shown(words: list[str]) -> str:
    """Words of a file as an error message shows them: quoted, and not at any length."""
    return repr(textwrap.shorten(" ".join(words[:80])[:400], 80, placeholder=" ..."))


def _numbers(
    tokens: list[str], count: int, what: str, line: int, notes: Notes
) -> tuple[float, ...]:
    """Read `count` plausible numbers."""
    if len(tokens) < count:
        raise notes.error(f"{what} needs {count} numbers, found {len(tokens)}", line)
    found = shown(tokens[:count])
    try:
        values = tuple(float(t) for t in tokens[:count])
    except ValueError:
        raise notes.error(f"{what} needs {count} numbers, found {found}", line) from None
    if not all(abs(v) <= LARGEST for v in values):
        raise notes.error(f"{what} holds a number beyond {LARGEST:g}: {found}", line)
    return values


def _read_units(rows: list[Row], notes: Notes) -> tuple[float, bool]:
    length = 1.0
    degrees = True
    words = {tokens[0].lower(): (line, tokens[1:]) for line, tokens in rows if tokens}
    if "length" in words:
        line, tokens = words["length"]
        (length,) = _numbers(tokens, 1, "units length", line, notes)
        if length < 1 / LARGEST:
            raise notes.error(f"units length must be positive and not tiny, found {length:g}", line)
    else:
        notes.mended("the skeleton file gives no unit of length; taken as 1")
    if "angle" in words:
        line, tokens = words["angle"]
        word = tokens[0].lower() if tokens else ""
        if not word.startswith(("deg", "rad")):
            raise notes.error(f"units angle must be deg or rad, found {shown([word])}", line)
        degrees = word.startswith("deg")
    else:
        notes.mended("the skeleton file gives no unit of angle; taken as degrees")
    return length, degrees


def _axis_order(token: str, line: int, notes: Notes) -> str:
    order = token.upper()
    if sorted(order) != ["X", "Y", "Z"]:
        message = f"an axis order must hold X, Y and Z once each, found {shown([token])}"
        raise notes.error(message, line)
    return order


def _freedoms(tokens: list[str], line: int, notes: Notes) -> tuple[str, ...]:
    found = tuple(t.lower() for t in tokens)
    if not set(found) <= {*FREEDOMS, "l"} or len(set(found)) != len(found):
        some = " ".join(FREEDOMS)
        message = f"degrees of freedom must be different ones of {some}, found {shown(tokens)}"
        raise notes.error(message, line)
    return found


def _read_root(rows: list[Row], notes: Notes) -> tuple[Bone, tuple[float, ...]]:
    freedoms: tuple[str, ...] = FREEDOMS
    axis_order = "XYZ"
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    orientation = position
    if not rows:
        notes.mended("no :root section; order TX TY TZ RX RY RZ taken")
    for line, tokens in rows:
        word = tokens[0].lower() if tokens else ""
        if word == "order":
            freedoms = _freedoms(tokens[1:], line, notes)
            if not freedoms or "l" in freedoms:
                found = f"{' '.join(FREEDOMS)}, found {shown(tokens[1:])}"
                raise notes.error(f"root order must name some of {found}", line)
        elif word == "axis":
            axis_order = _axis_order("".join(tokens[1:]), line, notes)
        elif word == "position":
            position = _numbers(tokens[1:], 3, "root position", line, notes)
        elif word == "orientation":
            orientation = _numbers(tokens[1:], 3, "root orientation", line, notes)
    if any(orientation):
        notes.guessed(f"the root has a preset orientation {orientation}; applied before its motion")
    return Bone("root", axis=orientation, axis_order=axis_order, freedoms=freedoms), position


def _read_bones(rows: list[Row], notes: Notes) -> dict[str, Bone]:
    bones: dict[str, Bone] = {}
    fields: dict[str, Row] = {}
    begin: int | None = None
    word = ""
    for line, tokens in rows:
        key = tokens[0].lower() if tokens else ""
        if key == "end":
            bone = _bone(fields, begin or line, line, notes)
            if bone.name in bones or bone.name == "root":
                raise notes.error(f"bone {bone.name!r} is defined twice", line)
            bones[bone.name] = bone
            check_joints(len(bones) + 1, notes.path, line)
        if key in ("begin", "end"):
            fields = {}
            begin = line if key == "begin" else begin
            word = ""
        elif key[:1].isalpha() and "inf" not in key:
            word = key
            fields[word] = line, tokens[1:]  # a list of its own, as it may grow
        elif word == "limits":  # one pair a line
            fields[word][1].extend(tokens)
    if not bones:
        raise notes.error("the :bonedata section holds no bone", rows[0][0])
    if fields:
        raise notes.error("the last bone has no 'end'; the file is cut short", begin)
    return bones


def _bone(fields: dict[str, Row], begin: int, end: int, notes: Notes) -> Bone:
    words = fields.get("name", (begin, []))[1]
    if not words:
        raise notes.error("a bone without a name", begin)
    name = " ".join(words)[:80]
    for needed in ("direction", "length"):
        if needed not in fields:
            raise notes.error(f"bone {name!r} has no {needed}", end)

    def numbers(word: str, count: int) -> tuple[float, ...]:
        line, tokens = fields[word]
        return _numbers(tokens, count, f"{word} of {name!r}", line, notes)

    direction = np.array(numbers("direction", 3))
    (length,) = numbers("length", 1)
    norm = float(np.linalg.norm(direction))
    if norm == 0 and length != 0:
        raise notes.error(f"bone {name!r} has a length but no direction", fields["direction"][0])
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis_order = "XYZ"
    if "axis" in fields:
        line, tokens = fields["axis"]
        axis = numbers("axis", 3)
        axis_order = _axis_order("".join(tokens[3:]) or "XYZ", line, notes)
    line, tokens = fields.get("dof", (end, []))
    freedoms = _freedoms(tokens, line, notes)
    if "l" in freedoms:
        notes.mended(f"bone {name!r} changes its length; the changes are left out", line)
    line, tokens = fields.get("limits", (end, []))
    limits = _limits(tokens, name, len(freedoms), line, notes) if tokens else ()
    return Bone(name, tuple(direction / (norm or 1.0)), length, axis, axis_order, freedoms, limits)


def _limits(
    tokens: list[str], name: str, count: int, line: int, notes: Notes
) -> tuple[tuple[float, float], ...]:
    if len(tokens) != 2 * count:
        message = f"bone {name!r} has {count} degrees of freedom but {len(tokens)} limit numbers"
        raise notes.error(message, line)
    try:
        values = [float(t) for t in tokens]
    except ValueError:
        message = f"limits of bone {name!r} must be numbers, found {shown(tokens)}"
        raise notes.error(message, line) from None
    pairs = tuple(zip(values[::2], values[1::2], strict=True))
    if not all(low <= high for low, high in pairs):
        message = f"bone {name!r} has a lower limit above its upper limit: {shown(tokens)}"
        raise notes.error(message, line)
    return pairs


def _read_hierarchy(
    rows: list[Row], bones: dict[str, Bone], notes: Notes
) -> tuple[list[str], tuple[int, ...]]:
    """Names parents first, and the index of each one's parent (-1: the root)."""
    children: dict[str, list[str]] = {}
    parent_of: dict[str, str] = {}
    for line, tokens in rows:
        if not tokens or tokens[0].lower() in ("begin", "end"):
            continue
        unknown = [name for name in tokens if name != "root" and name not in bones]
        if unknown:
            message = f"the hierarchy names {shown(unknown[:1])}, which is not a bone of :bonedata"
            raise notes.error(message, line)
        for child in tokens[1:]:
            if child in parent_of or child == "root":
                raise notes.error(f"bone {child!r} has two parents in the hierarchy", line)
            parent_of[child] = tokens[0]
            children.setdefault(tokens[0], []).append(child)
    order: list[str] = []
    stack = list(reversed(children.get("root", [])))
    while stack:
        name = stack.pop()
        order.append(name)
        stack.extend(reversed(children.get(name, [])))
    connected = set(order)
    loose = [name for name in bones if name not in connected]
    if loose:
        message = f"bones not connected to the root by the hierarchy: {shown(loose)}"
        raise notes.error(message, rows[0][0])
    index = {name: i for i, name in enumerate(order)}
    return order, tuple(index.get(parent_of[name], -1) for name in order)
