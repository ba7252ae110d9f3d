"""A tree of nodes as other programs keep it, at rest and moving, to a motion."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.io.scenes.unique_names import unique_names
from motionloom.motion import Motion, Source
from motionloom.skeleton import Skeleton

Array = NDArray[np.float64]

#: A joint counts as moving in its parent from this many metres on.
_MOVES = 1e-5
#: An end site turns, radians, from here on.
_TURNS = 1e-4


@dataclass(frozen=True, eq=False)
class ToldNode:
    """What our writers noted of a node.

    Parameters
    ----------
    offset : array of shape (3,), metres
        Of the joint or end site in the parent joint's own frame.
    frame : array of shape (4,)
        Turns the node's axes to those of the joint's own frame.
    end_site : bool
        Whether it is an end site.
    translated : bool
        Whether the motion says where the joint is.
    place : int
        Among all joints and end sites.
    """

    offset: Array
    frame: Array
    place: int
    end_site: bool = False
    translated: bool = False


@dataclass(frozen=True, eq=False)
class NodeTree:
    """Bones and the nodes above them; parents precede children, M in all.

    Parameters
    ----------
    names : tuple of str
        Need not be unique.
    parents : tuple of int
        -1 for the topmost.
    bones : tuple of bool
        Which become joints; all below the first of them do.
    rest_translations, rest_rotations, rest_scales : arrays of shape (M, 3), (M, 4) and (M,)
        In the parents, in the file's unit; scales are the same for all axes.
    translations, rotations, scales : dict of int to array of shape (T, 3), (T, 4) or (T,)
        Of nodes that move.
    n_frames : int
        Number of frames T.
    told : tuple of ToldNode or None
        What our own writers noted, per node.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    bones: tuple[bool, ...]
    rest_translations: Array
    rest_rotations: Array
    rest_scales: Array
    translations: dict[int, Array]
    rotations: dict[int, Array]
    scales: dict[int, Array]
    n_frames: int
    told: tuple[ToldNode | None, ...] = ()


@dataclass(frozen=True, eq=False)
class _World:
    """World places, rotations and scales of nodes; arrays (1, ...) of those that stay."""

    places: list[Array] = field(default_factory=list)
    turns: list[Array] = field(default_factory=list)
    scales: list[Array] = field(default_factory=list)


def motion_of_nodes(
    tree: NodeTree, axes: Array, unit: float, frame_time: float, name: str, source: Source
) -> Motion:
    """The motion of a tree's bones; nodes above them are folded into the root.

    Where our own writers noted the joints' frames these are taken. Else at rest every joint's frame
    has the world's axes, whatever axes the nodes have.

    Parameters
    ----------
    tree : NodeTree
        In the file's unit and axes.
    axes : array of shape (3, 3)
        Turns (or mirrors) the file's axes to ours.
    unit : float, metres
        Length of the file's unit.
    frame_time : float, seconds
        Time between frames.
    name : str
        Of the motion.
    source : Source
        The file.

    Returns
    -------
    Motion
        In metres, +Y up.
    """
    rest = _world_of(tree, moving=False)
    world = _world_of(tree, moving=True)
    told = _fitting_notes(tree, unit)
    ends = set() if told is None else {i for i, t in told.items() if t.end_site}
    joints = [i for i, bone in enumerate(tree.bones) if bone and i not in ends]
    tips = sorted(ends)
    if told is not None:
        joints.sort(key=lambda i: told[i].place)
        tips.sort(key=lambda i: told[i].place)
    slot = {node: j for j, node in enumerate(joints)}
    turns = _own_turns(tree, rest, world, axes, told)
    places = {i: unit * world.places[i] @ axes.T for i in [*joints, *ends]}
    resting = {i: unit * rest.places[i][0] @ axes.T for i in [*joints, *ends]}
    rotations = np.empty((tree.n_frames, len(joints), 4))
    offsets = np.empty((len(joints), 3))
    moving: dict[int, Array] = {}
    for j, i in enumerate(joints):
        above = tree.parents[i]
        if j == 0:
            rotations[:, j] = turns[i]
            local = places[i]
            offsets[j] = resting[i]
        else:
            up = rot.conjugate(turns[above])
            rotations[:, j] = rot.multiply(up, turns[i])
            local = rot.rotate(up, places[i] - places[above])
            offsets[j] = _offset_of(local, resting[i] - resting[above])
        if told is not None:
            offsets[j] = told[i].offset
            travels = told[i].translated
        else:
            travels = j == 0 or bool(np.abs(local - offsets[j]).max(initial=0.0) > _MOVES)
        if travels:
            moving[j] = np.broadcast_to(local, (tree.n_frames, 3))
    skeleton = Skeleton(
        names=unique_names([tree.names[i] for i in joints]),
        parents=np.array([-1, *(slot[tree.parents[i]] for i in joints[1:])]),
        offsets=offsets,
        end_parents=np.array([slot[tree.parents[e]] for e in tips], int),
        end_offsets=np.array([told[e].offset for e in tips] if told else []).reshape(-1, 3),
    )
    empty = np.zeros((tree.n_frames, 0, 3))
    return Motion(
        skeleton=skeleton,
        rotations=rotations,
        translations=np.stack(list(moving.values()), axis=1) if moving else empty,
        frame_time=frame_time,
        translated=tuple(moving),
        name=name,
        source=source,
    )


def _world_of(tree: NodeTree, moving: bool) -> _World:
    world = _World()
    for i, parent in enumerate(tree.parents):
        place = tree.rest_translations[i][None]
        turn = tree.rest_rotations[i][None]
        scale = tree.rest_scales[i][None]
        if moving:
            place = tree.translations.get(i, place)
            turn = tree.rotations.get(i, turn)
            scale = tree.scales.get(i, scale)
        if parent >= 0:
            above = world.scales[parent]
            place = world.places[parent] + rot.rotate(world.turns[parent], above[:, None] * place)
            turn = rot.multiply(world.turns[parent], turn)
            scale = above * scale
        world.places.append(place)
        world.turns.append(turn)
        world.scales.append(scale)
    return world


def _own_turns(
    tree: NodeTree, rest: _World, world: _World, axes: Array, told: dict[int, ToldNode] | None
) -> dict[int, Array]:
    """World rotations, in our axes, of the bones' own frames."""
    mirrored = np.linalg.det(axes) < 0
    upright = rot.identity() if mirrored else rot.from_matrix(axes)
    turns = {}
    for i, bone in enumerate(tree.bones):
        if not bone:
            continue
        if told is not None:
            turns[i] = rot.multiply(upright, rot.multiply(world.turns[i], told[i].frame))
            continue
        turn = rot.multiply(world.turns[i], rot.conjugate(rest.turns[i]))
        vector = turn[:, 1:] @ axes.T
        turns[i] = np.concatenate([turn[:, :1], -vector if mirrored else vector], axis=1)
    return turns


def _offset_of(local: Array, resting: Array) -> Array:
    """Where a joint stays in its parent; at rest where it moves, or nearly stays there."""
    if not len(local) or np.abs(local - resting).max() <= _MOVES:
        return resting
    usual: Array = np.median(local, axis=0)
    return usual if np.abs(local - usual).max() <= _MOVES else resting


def _fitting_notes(tree: NodeTree, unit: float) -> dict[int, ToldNode] | None:
    """Our writers' notes of all bones; none where another program has changed the nodes since."""
    bones = [i for i, bone in enumerate(tree.bones) if bone]
    notes = dict(enumerate(tree.told))
    told = {i: note for i in bones if (note := notes.get(i)) is not None}
    if len(told) < len(bones):
        return None
    parents = {tree.parents[i] for i in bones}
    if any(t.end_site and (i in parents or _turns(tree, i)) for i, t in told.items()):
        return None
    for i in bones[1:]:
        above = tree.parents[i]
        if told[above].place >= told[i].place:
            return None
        wanted = rot.rotate(told[above].frame, told[i].offset)
        apart = np.abs(wanted - unit * tree.rest_translations[i]).max()
        if apart > _MOVES + 1e-6 * np.abs(wanted).max() and not told[i].translated:
            return None
    return told


def _turns(tree: NodeTree, node: int) -> bool:
    if node not in tree.rotations:
        return False
    turned = rot.angle_between(tree.rotations[node], tree.rest_rotations[node])
    return bool(turned.max(initial=0.0) > _TURNS)
