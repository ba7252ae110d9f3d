"""What ufbx reads of an FBX file, as arrays. Runs in a process of its own, see `apart`.

ufbx 0.0.5 frees what a wrapper shows when the wrapper goes, and crashes when another one is asked
for it. So every wrapper is kept until all is read, and nothing of ufbx leaves this module.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from motionloom.errors import FormatError
from motionloom.io.files import read_bytes
from motionloom.io.limits import MOST_NODES, check_joints, check_name, check_nodes, check_poses
from motionloom.io.scenes._nodes import depth_first, unique_names
from motionloom.io.scenes._reading import (
    NOTES,
    FileScene,
    check_number,
    choose_times,
    nearest_frame_time,
    read_note,
    split_transforms,
)
from motionloom.typing import Array

#: Scene frame rates that make sense.
_SLOWEST, _FASTEST = 1.0, 10_000.0
#: Nodes that carry no body, by what hangs on them.
_FURNITURE = frozenset({"MESH", "LIGHT", "CAMERA", "NURBS_SURFACE", "NURBS_CURVE"})
#: What is not read of a file, and how deep its nodes may lie.
_LEAN: dict[str, Any] = {"ignore_embedded": True, "load_external_files": False}
_LEAN |= {"skip_skin_vertices": True, "skip_mesh_parts": True, "node_depth_limit": 1000}
#: An animation of ufbx, and the key lists of each node that it moves.
_Take = tuple[Any, dict[int, list[Any]]]


class _Keeper:
    """Holds wrappers of ufbx, and the nodes among them by number."""

    def __init__(self, path: str) -> None:
        import ufbx

        self.path = path
        self._kept: list[Any] = []
        inherit = ufbx.InheritModeHandling.COMPENSATE
        try:
            scene = ufbx.load_memory(read_bytes(path), inherit_mode_handling=inherit, **_LEAN)
            self.scene = self.hold(scene)
        except ufbx.UfbxError as error:
            text = " ".join(str(error).split()) or type(error).__name__
            message = f"cannot be read as FBX: {text[:200]}; is it damaged? export it again"
            raise FormatError(message, path) from None

    def hold(self, thing: Any) -> Any:
        """Keep a wrapper."""
        self._kept.append(thing)
        return thing

    def all(self, things: Iterable[Any]) -> list[Any]:
        """Keep every wrapper of a list, and the list."""
        self.hold(things)
        found = [self.hold(thing) for thing in things]
        self.hold(found)
        return found


def extract(path: str, number: int = 0) -> FileScene:
    """Bones of a skeleton of an FBX file, the nodes above them, and how they move.

    Parameters
    ----------
    path : str
        The file.
    number : int, optional
        Of the skeleton, the one with the most nodes first.

    Returns
    -------
    FileScene
        In the file's unit and axes.

    Raises
    ------
    FormatError
        When it is no FBX file, or holds no skeleton.
    ImportError
        When ufbx is not installed.
    """
    keeper = _Keeper(path)
    scene = keeper.scene
    nodes = keeper.all(scene.nodes)
    check_nodes(len(nodes), path)
    by_id = {n.element_id: i for i, n in enumerate(nodes)}
    parents = [_parent(keeper, n, by_id) for n in nodes]
    warnings = [" ".join(str(w.description).split()) for w in keeper.all(scene.metadata.warnings)]
    takes = _find_takes(keeper, by_id)
    animated = set(takes[0][1]) if takes else set()
    trees = _find_trees(keeper, nodes, parents, by_id, animated)
    skeletons = unique_names([_name_of(tree, nodes, parents) for tree in trees])
    check_number(skeletons, number, path)
    bones = trees[number]
    stack, curves = _choose_take(takes, bones, warnings)
    check_joints(len(bones), path)
    above = {above for bone in bones for above in _path_up(bone, parents)}
    wanted = depth_first(above, parents)
    place = {node: i for i, node in enumerate(wanted)}
    for i in wanted:
        check_name(nodes[i].name, path)
    times, frame_time = _choose_times(keeper, stack, {i: curves[i] for i in curves if i in place})
    moving = [i for i in wanted if i in curves] if stack is not None else []
    size = len(read_bytes(path))
    check_poses(len(times), max(len(wanted), 1), size, path)
    settings = keeper.hold(scene.settings)
    axes, told_axes = _axes(keeper.hold(settings.axes))
    if not told_axes:
        warnings.append("the file does not say its axes; Y is taken for up")
    unit = float(settings.unit_meters)
    moves = split_transforms(_sample(keeper, stack, [nodes[i] for i in moving], times))
    slots = list(enumerate(place[i] for i in moving))
    tracks = {what: {i: values[:, k] for k, i in slots} for what, values in moves.items()}
    return FileScene(
        names=[nodes[i].name or f"node{i}" for i in wanted],
        parents=[place.get(parents[i], -1) for i in wanted],
        bones=[i in bones for i in wanted],
        notes=[_note(keeper, nodes[i]) for i in wanted],
        rest=split_transforms(_rows(keeper, (nodes[i].local_transform for i in wanted))),
        tracks=tracks,
        axes=axes,
        unit=unit if np.isfinite(unit) and unit > 0 else 0.01,
        n_frames=len(times),
        frame_time=frame_time,
        take="" if stack is None else stack.name,
        warnings=warnings[:100],
        skeletons=skeletons,
    )


def _parent(keeper: _Keeper, node: Any, by_id: dict[int, int]) -> int:
    above = node.parent
    return -1 if above is None else by_id[keeper.hold(above).element_id]


def _find_takes(keeper: _Keeper, by_id: dict[int, int]) -> list[_Take]:
    """The animations that move nodes, and the curves of each node that they move."""
    stacks = keeper.all(keeper.scene.anim_stacks)
    return [(stack, curves) for stack in stacks if (curves := _curves(keeper, stack, by_id))]


def _choose_take(takes: list[_Take], bones: set[int], warnings: list[str]) -> _Take:
    """The first animation that moves bones, or else the first of all."""
    chosen = next((take for take in takes if bones & take[1].keys()), (takes or [(None, {})])[0])
    if len(takes) > 1:
        warnings.append(f"holds {len(takes)} animations; read {chosen[0].name!r}")
    return chosen


def _curves(keeper: _Keeper, stack: Any, by_id: dict[int, int]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    props = [p for layer in keeper.all(stack.layers) for p in keeper.all(layer.anim_props)]
    for prop in props:
        node = by_id.get(keeper.hold(prop.element).element_id)
        if node is None or not prop.prop_name.startswith("Lcl "):
            continue
        value = keeper.hold(prop.anim_value)
        own = [keeper.hold(c) for c in keeper.hold(value.curves) if c is not None]
        keys = [keeper.hold(c.keyframes) for c in own]
        found.setdefault(node, []).extend(k for k in keys if len(k))
    return {node: keys for node, keys in found.items() if keys}


def _find_trees(
    keeper: _Keeper, nodes: list[Any], parents: list[int], by_id: dict[int, int], animated: set[int]
) -> list[set[int]]:
    """Trees of limb nodes, or else of animated nodes, with all nodes between them.

    The largest stands first.
    """
    carriers = {
        by_id[keeper.hold(bone).element_id]
        for cluster in keeper.all(keeper.scene.skin_clusters)
        if (bone := cluster.bone_node) is not None
    }
    kinds = [node.attrib_type.name for node in nodes]
    limbs = carriers | {i for i, kind in enumerate(kinds) if kind == "BONE"}
    candidates = limbs or {i for i in animated if kinds[i] not in _FURNITURE}
    candidates = {i for i in candidates if parents[i] >= 0}  # the scene's own root is none
    if not candidates:
        none = "holds no skeleton: no limb nodes and nothing that moves"
        raise FormatError(f"{none}; export the armature with its animation", keeper.path)
    groups: dict[int, set[int]] = {}
    for i in sorted(candidates):
        path = _path_up(i, parents)
        top = max(k for k, node in enumerate(path) if node in candidates)
        groups.setdefault(path[top], set()).update(path[: top + 1])
    return sorted(groups.values(), key=lambda tree: -len(tree))


def _name_of(tree: set[int], nodes: list[Any], parents: list[int]) -> str:
    """What a skeleton is called: its namespace, the node above it, or its topmost node."""
    top = next(i for i in sorted(tree) if parents[i] not in tree)
    namespace = str(nodes[top].name).rpartition(":")[0]
    above = str(nodes[parents[top]].name) if parents[top] >= 0 else ""
    return namespace or above or str(nodes[top].name) or f"node{top}"


def _path_up(node: int, parents: list[int]) -> list[int]:
    path: list[int] = []
    while node >= 0 and len(path) <= MOST_NODES:
        path.append(node)
        node = parents[node]
    return path


def _choose_times(keeper: _Keeper, stack: Any, curves: dict[int, list[Any]]) -> tuple[Array, float]:
    """When to sample, and the time between frames.

    Even keys at the scene's rate or above are the frames; others are sampled at the scene's rate.
    """
    fps = float(keeper.hold(keeper.scene.settings).frames_per_second)
    usual = 1 / fps if _SLOWEST <= fps <= _FASTEST else 1 / 30
    if stack is None or not curves:
        return np.zeros(0), nearest_frame_time(usual)
    lists = [keys for own in curves.values() for keys in own]
    first = min(keys[0].time for keys in lists)
    last = max(keys[len(keys) - 1].time for keys in lists)
    begin, end = float(stack.time_begin), float(stack.time_end)
    if end > begin and begin < last and end > first:
        first, last = max(first, begin), min(last, end)
    busiest = np.array([key.time for key in max(lists, key=len)])
    return choose_times(busiest, first, last, usual, keeper.path)


def _axes(told: Any) -> tuple[Array, bool]:
    """Matrix from the file's axes to ours, and whether the file says them."""
    rows = np.zeros((3, 3))
    for row, axis in zip(rows, (told.right, told.up, told.front), strict=True):
        number = int(axis)
        if number < 6:
            row[number // 2] = -1.0 if number % 2 else 1.0
    known = abs(np.linalg.det(rows)) == 1
    return (rows if known else np.eye(3)), known


def _note(keeper: _Keeper, node: Any) -> dict[str, Any]:
    found = keeper.hold(node.props).find_prop(NOTES)
    return read_note("" if found is None else str(keeper.hold(found).value_str))


def _rows(keeper: _Keeper, transforms: Iterable[Any]) -> Array:
    """Place, rotation (w x y z) and scale of transforms, shape (N, 10)."""
    rows = np.array([(*t.translation, *t.rotation, *t.scale) for t in transforms], float)
    rows = rows.reshape(-1, 10)[:, [0, 1, 2, 6, 3, 4, 5, 7, 8, 9]]
    if not np.isfinite(rows).all() or np.abs(rows).max(initial=0.0) > 1e9:
        raise FormatError("holds transforms that make no sense", keeper.path)
    return rows


def _sample(keeper: _Keeper, stack: Any, nodes: list[Any], times: Array) -> Array:
    """Transforms of nodes at times, shape (T, A, 10)."""
    moves = np.empty((len(times), len(nodes), 10))
    if stack is None:
        return moves
    animation = keeper.hold(stack.anim)
    for k, node in enumerate(nodes):
        evaluate = node.evaluate_transform
        moves[:, k] = _rows(keeper, (evaluate(animation, t) for t in times.tolist()))
    return moves
