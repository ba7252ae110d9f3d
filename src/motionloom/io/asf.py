"""Acclaim skeleton files (ASF): what AMC motion files are read with.

A bone turns at its start and ends at its tip, where its children start. The joint of a bone has the bone's name and
lies at its start; the tip of a bone without children becomes an end site. Directions are in world axes of the rest
pose, so at rest every joint frame is aligned with the world and a bone with axis C and motion M turns by
``C M C^-1``. Rotations are about fixed axes in the order written: ``dof rx ry rz`` means Rz Ry Rx.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath

import numpy as np

from motionloom import rotations as rot
from motionloom.coordinates import Array
from motionloom.errors import FormatError
from motionloom.euler_coordinates import EulerCoordinates, EulerJoint
from motionloom.io.files import read_text
from motionloom.io.units import turn_vectors
from motionloom.skeleton import Skeleton

#: Numbers beyond this cannot be lengths or angles of a body.
LARGEST = 1e6
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
    warnings : tuple of str
        What was mended.
    """

    path: str
    length_unit: float
    degrees: bool
    root: Bone
    position: tuple[float, ...]
    bones: tuple[Bone, ...]
    parents: tuple[int, ...]
    warnings: tuple[str, ...] = ()

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
        """
        tips = np.array([np.multiply(bone.length, bone.direction) for bone in self.bones]).reshape(-1, 3)
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
        """Degrees of freedom of `skeleton`, which `self.skeleton(unit, axes)` made.

        `order` names bones in the order of their coordinates; the others follow in the file's order.
        """
        bones = {bone.name: bone for bone in (self.root, *self.bones)}
        index = {name: j for j, name in enumerate(skeleton.names)}
        names = list(dict.fromkeys([*order, *bones]))
        turn = rot.from_matrix(axes)
        freedoms = (self._freedoms(bones[n], index[n], skeleton.offsets[index[n]], unit, turn) for n in names)
        return EulerCoordinates(skeleton, tuple(f for f in freedoms if f.freedoms))

    def _freedoms(self, bone: Bone, joint: int, origin: Array, unit: float, turn: Array) -> EulerJoint:
        angles = np.array([bone.axis["XYZ".index(a)] for a in bone.axis_order]) * self.radians_per_unit
        # Turns about fixed axes in some order are turns about carried axes in the reverse order.
        axis = rot.from_euler(angles[::-1], bone.axis_order[::-1])
        columns = [k for k, f in enumerate(bone.freedoms) if f in FREEDOMS]
        kept = tuple(bone.freedoms[k] for k in columns)
        scale = [self.radians_per_unit if f[0] == "r" else unit for f in kept]
        pairs = [bone.limits[k] for k in columns] if bone.limits else []
        lower, upper = (tuple(p[side] * s for p, s in zip(pairs, scale, strict=False)) for side in (0, 1))
        order = "".join(f[1] for f in reversed(kept) if f[0] == "r").upper()
        # The root's preset orientation comes before its motion; other bones turn in the frame of their axis.
        before, after = (rot.identity(), axis) if bone is self.root else (axis, rot.conjugate(axis))
        before, after = rot.multiply(turn, before), rot.multiply(after, rot.conjugate(turn))
        return EulerJoint(joint, kept, order, lower, upper, before, after, origin)


class _Lines:
    """The lines of a file that say something, with their numbers; comments and brackets are gone."""

    def __init__(self, path: str | PathLike[str], text: str) -> None:
        self.path = fspath(path)
        self.rows: list[tuple[int, list[str]]] = []
        for number, line in enumerate(text.splitlines(), 1):
            tokens = line.partition("#")[0].replace("(", " ").replace(")", " ").replace(",", " ").split()
            if tokens:
                self.rows.append((number, tokens))

    def sections(self) -> Iterator[tuple[str, list[tuple[int, list[str]]]]]:
        """Keyword (lower case, without colon) and rows of every section; the first row holds what follows it."""
        keyword = ""
        rows: list[tuple[int, list[str]]] = []
        for number, tokens in self.rows:
            if tokens[0].startswith(":"):
                if keyword:
                    yield keyword, rows
                keyword, rows = tokens[0][1:].lower(), [(number, tokens[1:])]
            elif keyword:
                rows.append((number, tokens))
        if keyword:
            yield keyword, rows

    def fail(self, message: str, line: int | None = None) -> FormatError:
        """Return the error to raise."""
        return FormatError(message, self.path, line)

    def numbers(self, tokens: list[str], count: int, what: str, line: int) -> tuple[float, ...]:
        """Read exactly `count` plausible numbers."""
        if len(tokens) < count:
            raise self.fail(f"{what} needs {count} numbers, found {len(tokens)}", line)
        try:
            values = tuple(float(t) for t in tokens[:count])
        except ValueError:
            raise self.fail(f"{what} needs {count} numbers, found {' '.join(tokens[:count])!r}", line) from None
        if not all(abs(v) <= LARGEST for v in values):
            raise self.fail(f"{what} holds a number beyond {LARGEST:g}: {' '.join(tokens[:count])!r}", line)
        return values


def read_asf(path: str | PathLike[str]) -> AsfSkeleton:
    """Read an ASF file.

    Raises
    ------
    FormatError
        When it is not an ASF file or does not describe one tree of bones; the message names the line.
    """
    lines = _Lines(path, read_text(path))
    sections = dict(lines.sections())
    for needed in ("bonedata", "hierarchy"):
        if needed not in sections:
            raise lines.fail(f"no :{needed} section; this is not an ASF skeleton file")
    warnings: list[str] = []
    length_unit, degrees = _read_units(lines, sections.get("units", []), warnings)
    root, position = _read_root(lines, sections.get("root", []), warnings)
    bones = _read_bones(lines, sections["bonedata"], warnings)
    order, parents = _read_hierarchy(lines, sections["hierarchy"], bones, warnings)
    return AsfSkeleton(
        lines.path, length_unit, degrees, root, position, tuple(bones[n] for n in order), parents, tuple(warnings)
    )


def _read_units(lines: _Lines, rows: list[tuple[int, list[str]]], warnings: list[str]) -> tuple[float, bool]:
    length, degrees = 1.0, True
    words = {tokens[0].lower(): (line, tokens[1:]) for line, tokens in rows if tokens}
    if "length" in words:
        line, tokens = words["length"]
        (length,) = lines.numbers(tokens, 1, "units length", line)
        if length <= 0:
            raise lines.fail(f"units length must be positive, found {length:g}", line)
    else:
        warnings.append("the skeleton file gives no unit of length; taken as 1")
    if "angle" in words:
        line, tokens = words["angle"]
        word = tokens[0].lower() if tokens else ""
        if not word.startswith(("deg", "rad")):
            raise lines.fail(f"units angle must be deg or rad, found {word!r}", line)
        degrees = word.startswith("deg")
    else:
        warnings.append("the skeleton file gives no unit of angle; taken as degrees")
    return length, degrees


def _axis_order(lines: _Lines, token: str, line: int) -> str:
    order = token.upper()
    if sorted(order) != ["X", "Y", "Z"]:
        raise lines.fail(f"an axis order must hold X, Y and Z once each, found {token!r}", line)
    return order


def _freedoms(lines: _Lines, tokens: list[str], line: int) -> tuple[str, ...]:
    found = tuple(t.lower() for t in tokens)
    wrong = [t for t in found if t not in (*FREEDOMS, "l")]
    if wrong or len(set(found)) != len(found):
        raise lines.fail(f"degrees of freedom must be different ones of {' '.join(FREEDOMS)}, found {found}", line)
    return found


def _read_root(lines: _Lines, rows: list[tuple[int, list[str]]], warnings: list[str]) -> tuple[Bone, tuple[float, ...]]:
    freedoms: tuple[str, ...] = FREEDOMS
    axis_order = "XYZ"
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    orientation = position
    if not rows:
        warnings.append("no :root section; order TX TY TZ RX RY RZ taken")
    for line, tokens in rows:
        word = tokens[0].lower() if tokens else ""
        if word == "order":
            freedoms = _freedoms(lines, tokens[1:], line)
            if not freedoms or "l" in freedoms:
                raise lines.fail(
                    f"root order must name some of {' '.join(FREEDOMS)}, found {' '.join(tokens[1:])!r}", line
                )
        elif word == "axis":
            axis_order = _axis_order(lines, "".join(tokens[1:]), line)
        elif word == "position":
            position = lines.numbers(tokens[1:], 3, "root position", line)
        elif word == "orientation":
            orientation = lines.numbers(tokens[1:], 3, "root orientation", line)
    if any(orientation):
        warnings.append(f"the root has a preset orientation {orientation}; applied before its motion")
    return Bone("root", axis=orientation, axis_order=axis_order, freedoms=freedoms), position


def _read_bones(lines: _Lines, rows: list[tuple[int, list[str]]], warnings: list[str]) -> dict[str, Bone]:
    bones: dict[str, Bone] = {}
    fields: dict[str, list[str]] = {}
    where: dict[str, int] = {}
    word = ""
    for line, tokens in rows:
        key = tokens[0].lower() if tokens else ""
        if key == "begin":
            fields, where, word = {}, {"begin": line}, ""
        elif key == "end":
            bone = _bone(lines, fields, where, line, warnings)
            if bone.name in bones or bone.name == "root":
                raise lines.fail(f"bone {bone.name!r} is defined twice", line)
            bones[bone.name] = bone
            fields, word = {}, ""
        elif key[:1].isalpha() and "inf" not in key:
            word = key
            fields[word], where[word] = tokens[1:], line
        elif word == "limits":  # one pair a line
            fields[word] = fields[word] + tokens
    if not bones:
        raise lines.fail("the :bonedata section holds no bone", rows[0][0])
    if fields:
        raise lines.fail("the last bone has no 'end'; the file is cut short", where.get("begin"))
    return bones


def _bone(lines: _Lines, fields: dict[str, list[str]], where: dict[str, int], end: int, warnings: list[str]) -> Bone:
    if not fields.get("name"):
        raise lines.fail("a bone without a name", where.get("begin", end))
    name = " ".join(fields["name"])
    for needed in ("direction", "length"):
        if needed not in fields:
            raise lines.fail(f"bone {name!r} has no {needed}", end)
    direction = np.array(lines.numbers(fields["direction"], 3, f"direction of {name!r}", where["direction"]))
    (length,) = lines.numbers(fields["length"], 1, f"length of {name!r}", where["length"])
    norm = float(np.linalg.norm(direction))
    if norm == 0 and length != 0:
        raise lines.fail(f"bone {name!r} has a length but no direction", where["direction"])
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis_order = "XYZ"
    if "axis" in fields:
        axis = lines.numbers(fields["axis"], 3, f"axis of {name!r}", where["axis"])
        axis_order = _axis_order(lines, "".join(fields["axis"][3:]) or "XYZ", where["axis"])
    freedoms = _freedoms(lines, fields.get("dof", []), where.get("dof", end))
    if "l" in freedoms:
        warnings.append(f"line {where['dof']}: bone {name!r} changes its length; the changes are left out")
    limits: tuple[tuple[float, float], ...] = ()
    if fields.get("limits"):
        limits = _limits(lines, fields["limits"], name, len(freedoms), where["limits"])
    return Bone(name, tuple(direction / (norm or 1.0)), length, axis, axis_order, freedoms, limits)


def _limits(lines: _Lines, tokens: list[str], name: str, count: int, line: int) -> tuple[tuple[float, float], ...]:
    if len(tokens) != 2 * count:
        raise lines.fail(f"bone {name!r} has {count} degrees of freedom but {len(tokens)} limit numbers", line)
    try:
        values = [float(t) for t in tokens]
    except ValueError:
        raise lines.fail(f"limits of bone {name!r} must be numbers, found {' '.join(tokens)!r}", line) from None
    pairs = tuple(zip(values[::2], values[1::2], strict=True))
    if not all(low <= high for low, high in pairs):
        raise lines.fail(f"bone {name!r} has a lower limit above its upper limit: {' '.join(tokens)!r}", line)
    return pairs


def _read_hierarchy(
    lines: _Lines, rows: list[tuple[int, list[str]]], bones: dict[str, Bone], warnings: list[str]
) -> tuple[list[str], tuple[int, ...]]:
    """Names parents first, and the index of each one's parent (-1: the root)."""
    children: dict[str, list[str]] = {}
    parent_of: dict[str, str] = {}
    for line, tokens in rows:
        if not tokens or tokens[0].lower() in ("begin", "end"):
            continue
        for name in tokens:
            if name != "root" and name not in bones:
                raise lines.fail(f"the hierarchy names {name!r}, which is not a bone of :bonedata", line)
        for child in tokens[1:]:
            if child in parent_of or child == "root":
                raise lines.fail(f"bone {child!r} has two parents in the hierarchy", line)
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
        raise lines.fail(f"bones not connected to the root by the hierarchy: {', '.join(loose)}", rows[0][0])
    index = {name: i for i, name in enumerate(order)}
    return order, tuple(index.get(parent_of[name], -1) for name in order)
