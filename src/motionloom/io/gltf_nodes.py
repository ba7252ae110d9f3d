"""The node tree of a glTF file: rest transforms, and which nodes are the bones of its skeleton."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import FormatError
from motionloom.io.glb import Glb

#: Scales that differ by less than this between axes count as uniform.
_UNIFORM = 1e-3
#: Numbers beyond this cannot be positions of a body in any unit.
LARGEST = 1e9


@dataclass(frozen=True, eq=False)
class ToldJoint:
    """What our writer noted about a joint or end site.

    Parameters
    ----------
    offset : array of shape (3,)
        In the parent joint's own frame.
    bone : array of shape (4,)
        Turns the joint's own frame to the node's; none for end sites.
    """

    offset: NDArray[np.float64]
    bone: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Nodes:
    """All nodes of the file, parents not necessarily before children.

    Parameters
    ----------
    names : tuple of str
    parents : tuple of int
        -1 for nodes without a parent.
    translations : array of shape (N, 3)
    rotations : array of shape (N, 4)
        Unit quaternions (w, x, y, z).
    scales : array of shape (N,)
        Uniform scale of each node.
    end_sites : frozenset of int
        Nodes marked as end sites by our writer.
    told : mapping of int to ToldJoint
        What our writer noted of joints' own frames and offsets, and of end sites' offsets.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    translations: NDArray[np.float64]
    rotations: NDArray[np.float64]
    scales: NDArray[np.float64]
    end_sites: frozenset[int]
    told: Mapping[int, ToldJoint]

    def chain(self, node: int) -> list[int]:
        """Nodes from the topmost down to `node`, both included."""
        path = []
        while node >= 0:
            path.append(node)
            node = self.parents[node]
        return path[::-1]


def read_nodes(glb: Glb) -> Nodes:
    """Read every node's parent and rest transform."""
    entries = [glb.item("nodes", i) for i in range(_length(glb, "nodes"))]
    if not entries:
        raise FormatError("has no nodes, so no skeleton", glb.path)
    parents = _parents(glb, entries)
    local = [_transform(glb, i, node) for i, node in enumerate(entries)]
    # JSON can hold halves of characters, which no text file can.
    names = tuple(
        str(node.get("name") or f"node{i}").encode(errors="backslashreplace").decode() for i, node in enumerate(entries)
    )
    ends = frozenset(i for i, node in enumerate(entries) if _extras(node).get("end_site") is True)
    translations, rotations, scales = (np.array(part, float) for part in zip(*local, strict=True))
    told = {i: joint for i, node in enumerate(entries) if (joint := _told_joint(_extras(node))) is not None}
    return Nodes(names, parents, translations, rotations, scales, ends, told)


def _told_joint(extras: dict[str, Any]) -> ToldJoint | None:
    offset, frame = extras.get("offset"), extras.get("frame", [0, 0, 0, 1])
    if not (_are_numbers(offset, 3) and _are_numbers(frame, 4)):
        return None
    turn = np.array(frame, float)
    if abs(np.linalg.norm(turn) - 1) > _UNIFORM:
        return None
    return ToldJoint(np.array(offset, float), rot.conjugate(to_wxyz(turn)))


def _are_numbers(values: Any, count: int) -> bool:
    good = isinstance(values, list) and len(values) == count
    return good and all(isinstance(v, int | float) and abs(v) < LARGEST for v in values)


def _extras(entry: dict[str, Any]) -> dict[str, Any]:
    extras = entry.get("extras")
    return extras if isinstance(extras, dict) else {}


def _length(glb: Glb, kind: str) -> int:
    entries = glb.document.get(kind, [])
    return len(entries) if isinstance(entries, list) else 0


def _parents(glb: Glb, entries: list[dict[str, Any]]) -> tuple[int, ...]:
    parents = [-1] * len(entries)
    for i, node in enumerate(entries):
        children = node.get("children", [])
        if not isinstance(children, list):
            raise FormatError(f"nodes[{i}].children must be a list", glb.path)
        for child in children:
            glb.item("nodes", child)
            if parents[child] != -1:
                raise FormatError(f"nodes[{child}] is the child of two nodes", glb.path)
            parents[child] = i
    # Walking down from the nodes without parents reaches every node unless some of them form a ring.
    reached = [i for i, p in enumerate(parents) if p == -1]
    for i in reached:
        reached.extend(entries[i].get("children", []))
    if len(reached) != len(entries):
        raise FormatError("has nodes that are their own ancestors", glb.path)
    return tuple(parents)


def _numbers(glb: Glb, where: str, values: Any, count: int) -> NDArray[np.float64]:
    if not _are_numbers(values, count):
        raise FormatError(f"{where} must be {count} numbers, got {str(values)[:60]}", glb.path)
    return np.array(values, float)


def _transform(glb: Glb, i: int, node: dict[str, Any]) -> tuple[NDArray, NDArray, float]:
    """Translation, rotation and uniform scale of a node."""
    where = f"nodes[{i}]"
    if "matrix" in node:
        matrix = _numbers(glb, f"{where}.matrix", node["matrix"], 16).reshape(4, 4).T
        scale = uniform_scale(glb, where, np.linalg.norm(matrix[:3, :3], axis=0))
        turn = matrix[:3, :3] / scale
        if not np.allclose(turn.T @ turn, np.eye(3), atol=10 * _UNIFORM) or np.linalg.det(turn) < 0:
            raise FormatError(f"{where}.matrix shears or mirrors, which a skeleton cannot", glb.path)
        return matrix[:3, 3], rot.from_matrix(turn), scale
    translation = _numbers(glb, f"{where}.translation", node.get("translation", [0, 0, 0]), 3)
    quaternion = _numbers(glb, f"{where}.rotation", node.get("rotation", [0, 0, 0, 1]), 4)
    scale = uniform_scale(glb, where, _numbers(glb, f"{where}.scale", node.get("scale", [1, 1, 1]), 3))
    check_unit_length(glb, f"{where}.rotation", quaternion)
    return translation, to_wxyz(quaternion), scale


def to_wxyz(xyzw: NDArray[np.float64]) -> NDArray[np.float64]:
    """Quaternions of a glTF file (x, y, z, w) as unit (w, x, y, z)."""
    return rot.normalize(xyzw)[..., [3, 0, 1, 2]]


def check_unit_length(glb: Glb, where: str, quaternions: NDArray[np.float64]) -> None:
    """Refuse quaternions that are not nearly of unit length, whatever order their numbers have."""
    if np.any(np.abs(np.linalg.norm(quaternions, axis=-1) - 1) > 0.1):
        raise FormatError(f"holds quaternions that are not of unit length in {where}", glb.path)


def uniform_scale(glb: Glb, where: str, scale: NDArray[np.float64]) -> float:
    """One factor for scales of shape (..., 3) that neither change nor differ between axes."""
    lowest, highest = float(scale.min()), float(scale.max())
    if lowest < 1e-6 or highest > lowest * (1 + _UNIFORM):
        raise FormatError(
            f"{where} has a scale that differs between axes, changes or is not positive ({lowest:g} to {highest:g}); "
            "apply the scale before exporting",
            glb.path,
        )
    return (lowest + highest) / 2 if highest != lowest else lowest


def find_bones(glb: Glb, nodes: Nodes, animated: set[int]) -> tuple[list[int], list[int]]:
    """Bones, parents first, and the nodes above the topmost bone.

    The bones are the joints of the largest skin, or without skins the animated nodes, with all nodes between them.
    """
    joints = max((_skin_joints(glb, i) for i in range(_length(glb, "skins"))), key=len, default=set()) or animated
    if not joints:
        raise FormatError("has neither a skin nor an animation, so no skeleton to read", glb.path)
    chains = {joint: nodes.chain(joint) for joint in joints}
    shared = next(iter(chains.values()))
    for chain in chains.values():
        shared = [a for a, b in zip(shared, chain, strict=False) if a == b]
    if not shared:
        tops = sorted({nodes.names[chain[0]] for chain in chains.values()})
        raise FormatError(
            f"has joints below several topmost nodes ({', '.join(tops[:5])}); give them one root", glb.path
        )
    # A joint may itself be above all others; else their nearest common node serves as the root.
    top = next((node for node in shared if node in joints), shared[-1])
    above = shared[: shared.index(top)]
    bones = sorted({node for chain in chains.values() for node in chain[len(above) :]})
    if all(nodes.parents[node] < node for node in bones):
        return bones, above
    return sorted(bones, key=nodes.chain), above


def _skin_joints(glb: Glb, index: int) -> set[int]:
    joints = glb.item("skins", index).get("joints", [])
    if not isinstance(joints, list):
        raise FormatError(f"skins[{index}].joints must be a list", glb.path)
    for joint in joints:
        glb.item("nodes", joint)
    return set(joints)
