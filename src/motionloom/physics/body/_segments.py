"""Where a body's segments lie on its joints, read from its poses.

A skeleton's rest pose need not be a standing one, so that places are means over frames, seen from
the joint that carries the segment.

A user's own masses: a table with the layout in which anthropometric tables are published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from types import MappingProxyType
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import FormatError, InvalidInputError
from motionloom.posed_motion import PosedMotion
from motionloom.two_bones import unit
from motionloom.typing import Array

SIDES = ("left", "right")
#: Winter's limb segments: name, role of the joint that carries it, role of its far end, mass as a
#: share of the body's and the centre's place along it (Winter 2009, table 4.1).
LIMBS = (
    ("thigh", "hip", "knee", 0.1000, 0.433),
    ("shank", "knee", "foot", 0.0465, 0.433),
    ("foot", "foot", "toe", 0.0145, 0.500),
    ("upper_arm", "shoulder", "elbow", 0.0280, 0.436),
    ("forearm", "elbow", "hand", 0.0160, 0.430),
    ("hand", "hand", "", 0.0060, 0.506),
)
#: Shares of the trunk (greater trochanter to shoulder), of the part of it that the pelvis moves
#: whatever joints there are, of the head with the neck, and of the neck alone.
TRUNK = 0.497
PELVIS = 0.142
HEAD_AND_NECK = 0.081
NECK = 0.015
#: The trunk's centre lies behind the line from hip to shoulder joints by this share of stature: the
#: joints are those of limbs that hang in front of it. Found on one person who stands over plates.
BEHIND = 0.02
#: Lengths as shares of stature where the skeleton has no joint to tell (Drillis & Contini 1966).
HAND_LENGTH = 0.108
HEAD_LENGTH = 0.118
FOOT_AHEAD = 0.112
#: Widths of the trunk at the hips and at the shoulders, shares of stature.
HIPS_WIDTH = 0.191
SHOULDERS_WIDTH = 0.259
#: Thigh and shank together, as a share of stature.
LEG = 0.491

#: Segments that a table may have.
KINDS = (*(row[0] for row in LIMBS), "trunk", "head", "neck")


@dataclass(frozen=True)
class SegmentRow:
    """What a table says of one kind of segment; what it does not say stays Winter's.

    Parameters
    ----------
    share : float, optional
        Of the body's mass, for one side; of the trunk for all of it.
    along : float, optional
        Where the centre lies from the upper (nearer) end to the far one, 0 to 1; not of the trunk.
    gyration : tuple of float, optional
        Radii of gyration about the axes across (to the side), depth (ahead) and along, as shares
        of the segment's length; not of the trunk.
    """

    share: float | None = None
    along: float | None = None
    gyration: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class MassTable:
    """Masses of segments by kind.

    Parameters
    ----------
    rows : mapping of str to SegmentRow
        By kind of segment (``"thigh"``, ``"trunk"`` ...).
    """

    rows: Mapping[str, SegmentRow] = field(default_factory=lambda: MappingProxyType({}))

    def row(self, kind: str) -> SegmentRow:
        """Row of a kind, empty where the table has none."""
        return self.rows.get(kind, SegmentRow())


def read_mass_table(path: str | PathLike[str]) -> MassTable:
    """Read a user's table of masses.

    Parameters
    ----------
    path : path-like
        YAML: by kind of segment ``share``, ``along`` and ``gyration`` (three numbers).

    Returns
    -------
    MassTable

    Raises
    ------
    FormatError
        When it is no such table.
    """
    from motionloom.io.document import read_document

    found = read_document(path).value
    if not isinstance(found, dict) or not found:
        raise FormatError("expected a table of segments, such as 'thigh: {share: 0.1}'", path)
    rows = {kind: _read_row(path, kind, row) for kind, row in found.items()}
    return MassTable(MappingProxyType(rows))


def _read_row(path: str | PathLike[str], kind: Any, row: Any) -> SegmentRow:
    if kind not in KINDS:
        raise FormatError(f"{kind!r} is no segment; known are {', '.join(KINDS)}", path)
    if not isinstance(row, dict) or not row.keys() <= {"share", "along", "gyration"}:
        raise FormatError(f"{kind}: expected share, along or gyration, got {row!r}", path)
    share = _number(path, f"{kind}: share", row.get("share"))
    along = _number(path, f"{kind}: along", row.get("along"))
    gyration = row.get("gyration")
    if gyration is None:
        return SegmentRow(share, along)
    if not isinstance(gyration, list) or len(gyration) != 3:
        raise FormatError(f"{kind}: gyration needs three numbers, got {gyration!r}", path)
    radii = [_number(path, f"{kind}: gyration", radius) for radius in gyration]
    across, ahead, length = (float(radius or 0.0) for radius in radii)
    return SegmentRow(share, along, (across, ahead, length))


def _number(path: str | PathLike[str], what: str, value: Any) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= 1:
        raise FormatError(f"{what} must be a share between 0 and 1, got {value!r}", path)
    return float(value)


@dataclass(frozen=True, eq=False)
class Segment:
    """A piece of the body that moves with one joint.

    Parameters
    ----------
    name : str
        ``"left_thigh"``, ``"trunk_0"`` ...
    kind : str
        The same without side and number: what a table of masses calls it.
    joint : int
        Joint of the skeleton that carries it.
    share : float
        Of the body's mass (Winter 2009).
    along : float
        Where its centre lies between its ends.
    start, end : array of shape (3,), metres
        Its ends in the joint's frame.
    side : array of shape (3,)
        Unit vector to the body's left, in the joint's frame.
    width : float, metres
        Of a box; 0 for a limb.
    """

    name: str
    kind: str
    joint: int
    share: float
    along: float
    start: Array
    end: Array
    side: Array
    width: float = 0.0

    @property
    def length(self) -> float:
        """Between its ends, metres."""
        return float(np.linalg.norm(self.end - self.start))


@dataclass(frozen=True, eq=False)
class _Seen:
    """Mean places of points as the joints see them."""

    posed: PosedMotion
    height: float

    def joint(self, role: str) -> int:
        """Joint of a role."""
        joint = self.posed.roles.joint(role)
        if joint is None:
            raise InvalidInputError(
                f"a body's masses need a joint for {role}, and no joint was found that plays it;"
                " name it in a roles table"
            )
        return joint

    def place(self, role: str) -> Array:
        """World positions of a role's joint, (T, 3)."""
        return self.posed.positions[:, self.joint(role)]

    def middle(self, part: str) -> Array:
        """Between the left and the right of a part, (T, 3)."""
        return 0.5 * (self.place(f"left_{part}") + self.place(f"right_{part}"))

    def across(self, part: str) -> Array:
        """From the right to the left of a part, unit vectors (T, 3)."""
        return unit(self.place(f"left_{part}") - self.place(f"right_{part}"))

    def from_joint(self, joint: int, points: Array) -> Array:
        """Mean of world points (T, 3) in a joint's frame, (3,)."""
        return self._turned_back(joint, points - self.posed.positions[:, joint])

    def direction(self, joint: int, vectors: Array) -> Array:
        """Mean direction of world vectors (T, 3) in a joint's frame."""
        return unit(self._turned_back(joint, vectors))

    def _turned_back(self, joint: int, vectors: Array) -> Array:
        """Mean of world vectors (T, 3) in a joint's frame, (3,)."""
        turned = rot.rotate(rot.conjugate(self.posed.rotations[:, joint]), vectors)
        return np.asarray(turned.mean(axis=0))


def estimate_height(posed: PosedMotion) -> float:
    """Stature from the length of the legs, metres (Drillis & Contini 1966)."""
    seen = _Seen(posed, 0.0)
    bones = [
        np.linalg.norm(seen.place(f"{side}_{a}") - seen.place(f"{side}_{b}"), axis=-1).mean()
        for side in SIDES
        for a, b in (("hip", "knee"), ("knee", "foot"))
    ]
    return float(np.sum(bones) / 2 / LEG)


def find_segments(posed: PosedMotion, height: float) -> tuple[Segment, ...]:
    """The segments of a human body on its joints.

    Parameters
    ----------
    posed : PosedMotion
        The body in motion.
    height : float, metres
        Stature, for lengths that no joint tells.

    Returns
    -------
    tuple of Segment
        Trunk, neck and head, limbs; their shares add up to 1.

    Raises
    ------
    InvalidInputError
        When it is no human, or a joint has no role.
    """
    if posed.roles.kind != "human":
        raise InvalidInputError(
            f"masses are known for people only, and this is a {posed.roles.kind} body"
        )
    if not posed.n_frames:
        raise InvalidInputError("a body's segments are read from its poses, and there is no frame")
    seen = _Seen(posed, height)
    limbs = [limb for side in SIDES for limb in _limbs(seen, side)]
    return (*_trunk(seen), *_head(seen), *limbs)


def _limbs(seen: _Seen, side: str) -> Iterator[Segment]:
    for kind, near, far, share, along in LIMBS:
        if kind == "hand" and seen.posed.roles.joint(f"{side}_hand") is None:
            continue
        joint = seen.joint(f"{side}_{near}")
        if kind == "hand":
            end = _hand_end(seen, side, joint)
        elif kind == "foot":
            end = _foot_end(seen, side, joint)
        else:
            end = seen.from_joint(joint, seen.place(f"{side}_{far}"))
        part = "shoulder" if near in ("shoulder", "elbow", "hand") else "hip"
        aside = seen.direction(joint, seen.across(part))
        width = 0.04 * seen.height if kind in ("hand", "foot") else 0.0
        name, start = f"{side}_{kind}", np.zeros(3)
        yield Segment(name, kind, joint, share, along, start, end=end, side=aside, width=width)


def _hand_end(seen: _Seen, side: str, hand: int) -> Array:
    """Finger tips, straight on from the forearm."""
    ahead = seen.direction(hand, seen.place(f"{side}_hand") - seen.place(f"{side}_elbow"))
    return HAND_LENGTH * seen.height * ahead


def _foot_end(seen: _Seen, side: str, foot: int) -> Array:
    """The toe joint; without one the farthest end site, or a place ahead and below."""
    toe = seen.posed.roles.joint(f"{side}_toe")
    if toe is not None and toe != foot:
        return seen.from_joint(foot, seen.posed.positions[:, toe])
    skeleton = seen.posed.skeleton
    tips = skeleton.end_offsets[skeleton.end_parents == foot]
    if len(tips) and np.linalg.norm(tips, axis=-1).max() > 0.02 * seen.height:
        return np.asarray(max(tips, key=np.linalg.norm), float)
    ahead = np.cross(seen.across("hip"), [0.0, 1.0, 0.0])
    return FOOT_AHEAD * seen.height * seen.direction(foot, unit(ahead) - [0.0, 0.3, 0.0])


def _head(seen: _Seen) -> Iterator[Segment]:
    head = seen.joint("head")
    neck = seen.joint("neck")
    up = unit(seen.place("head") - seen.place("neck"))
    if head == neck or not up.any():
        up = unit(seen.middle("shoulder") - seen.middle("hip"))
    top = seen.place("head") + HEAD_LENGTH * seen.height * up
    parts = {"head": (head, top, HEAD_AND_NECK - NECK * (head != neck))}
    if head != neck:
        parts["neck"] = (neck, seen.place("head"), NECK)
    for name, (joint, end, share) in parts.items():
        tip = seen.from_joint(joint, end)
        aside = seen.direction(joint, seen.across("shoulder"))
        yield Segment(name, name, joint, share, 0.5, np.zeros(3), end=tip, side=aside)


def _trunk(seen: _Seen) -> Iterator[Segment]:
    """The trunk, even along the line from hips to shoulders, cut where the spine's joints lie.

    What lies lower than the pelvis' share moves with the hips, wherever the next joint is.
    """
    low = seen.middle("hip")
    line = seen.middle("shoulder") - low
    joints = _spine(seen)
    length = np.maximum(np.sum(line * line, axis=-1), 1e-9)
    cuts = [0.0]
    for joint in joints[1:]:
        along = np.sum((seen.posed.positions[:, joint] - low) * line, axis=-1) / length
        cuts.append(float(np.clip(along.mean(), max(cuts[-1], PELVIS / TRUNK), 1.0)))
    cuts.append(1.0)
    for k, joint in enumerate(joints):
        span = cuts[k + 1] - cuts[k]
        if span <= 1e-6:
            continue
        middle = 0.5 * (cuts[k] + cuts[k + 1])
        width = HIPS_WIDTH + (SHOULDERS_WIDTH - HIPS_WIDTH) * middle
        start = seen.from_joint(joint, low + cuts[k] * line)
        end = seen.from_joint(joint, low + cuts[k + 1] * line)
        side = seen.direction(joint, seen.across("hip") + seen.across("shoulder"))
        back = BEHIND * seen.height * unit(np.cross(end - start, side))
        own = (f"trunk_{k}", "trunk", joint, TRUNK * span, 0.5, start + back, end + back)
        yield Segment(*own, side=side, width=width * seen.height)


def _spine(seen: _Seen) -> list[int]:
    """Joints from the hips up to the one that carries the shoulders and the neck."""
    skeleton = seen.posed.skeleton
    roles = seen.posed.roles
    hips = seen.joint("hips")
    top = roles.joint("chest")
    chain = skeleton.chain(top if top is not None else seen.joint("neck"))
    above = chain[chain.index(hips) :] if hips in chain else (hips, *chain)
    return [j for j in above if j != roles.joint("neck")]
