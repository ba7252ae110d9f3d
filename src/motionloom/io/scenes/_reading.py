"""A scene of nodes as glTF, FBX and USD files hold it, and the motion that it shows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import fspath
from typing import Any, TypedDict

import numpy as np

from motionloom import rotations as rot
from motionloom.errors import FormatError
from motionloom.io.files import name_of
from motionloom.io.limits import MOST_JOINTS, Notes
from motionloom.io.scenes._nodes import unique_names
from motionloom.io.units import axes_to_y_up, check_unit, turn_quaternions, turn_vectors
from motionloom.motion import Motion, Source
from motionloom.skeleton import Skeleton, few
from motionloom.typing import Array, PathName

#: Name of the property or data in which our writers note what nodes cannot say.
NOTES = "motionloom"
#: What can be animated of a node.
PATHS = ("translation", "rotation", "scale")
#: Scales that differ by less than this between axes count as uniform.
_UNIFORM = 1e-3
#: A joint counts as moving in its parent from this many metres on.
_MOVES = 1e-5
#: An end site turns, radians, from here on.
_TURNS = 1e-4
#: Numbers beyond this cannot be positions of a body in any unit.
LARGEST = 1e9


@dataclass(frozen=True, eq=False)
class FileScene:
    """Bones of one skeleton of a file and the nodes above them; parents precede children, M in all.

    Parameters
    ----------
    names : sequence of str
        Need not be unique.
    parents : sequence of int
        -1 for the topmost.
    bones : sequence of bool
        Which become joints: the first of them and all below it.
    rest : mapping of str to array
        By path: ``"translation"`` (M, 3), ``"rotation"`` (M, 4), w x y z, and ``"scale"``, (M, 1)
        or (M, 3), in the parents, in the file's unit.
    tracks : mapping of str to mapping of int to array
        The same of nodes that move, by path and node, with a row for each frame, or one in all.
    n_frames : int
        Of the animation; 0 where there is none.
    frame_time : float, seconds
        Time between frames.
    notes : sequence of dict
        What our own writers noted of the nodes; empty where they did not.
    axes : array of shape (3, 3)
        From the file's axes to ours; it may mirror.
    unit : float, metres
        Length of the file's unit.
    unit_reason : str
        How that is known.
    take : str
        Name of the animation.
    warnings : sequence of str
        What had to be mended.
    skeletons : sequence of str
        Names of the file's skeletons, the largest first.
    numbers : sequence of int
        Of the nodes in the file, where names that several nodes share get them.
    """

    names: Sequence[str]
    parents: Sequence[int]
    bones: Sequence[bool]
    rest: Mapping[str, Array]
    tracks: Mapping[str, Mapping[int, Array]]
    n_frames: int
    frame_time: float
    notes: Sequence[dict[str, Any]]
    axes: Array = field(default_factory=lambda: np.eye(3))
    unit: float = 1.0
    unit_reason: str = "written in the file"
    take: str = ""
    warnings: Sequence[str] = ()
    skeletons: Sequence[str] = ()
    numbers: Sequence[int] = ()

    def at(self, path: str, node: int, *, moving: bool = True) -> Array:
        """Values (T, K) of a node over time, or (1, K) where it stays or `moving` is not wanted."""
        track = self.tracks[path].get(node) if moving and self.n_frames else None
        return self.rest[path][node][None] if track is None else track


def split_transforms(rows: Array) -> dict[str, Array]:
    """Places, rotations and scales of rows (..., 10) by path."""
    return dict(zip(PATHS, np.split(rows, (3, 7), axis=-1), strict=True))


def read_note(text: str) -> dict[str, Any]:
    """What our writer noted of a node, from JSON; nothing where it is not ours or was changed."""
    try:
        note = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return note if isinstance(note, dict) else {}


def check_number(names: Sequence[str], number: int, path: PathName) -> None:
    """Refuse the number of a skeleton that a file does not have.

    Raises
    ------
    FormatError
        When the file has fewer skeletons.
    """
    if not 0 <= number < len(names):
        raise FormatError(f"holds {len(names)} skeletons; there is no number {number}", path)


class SceneOptions(TypedDict, total=False):
    """How a scene's file is read.

    Parameters
    ----------
    unit : float or str, metres, optional
        Length of the file's unit, where it is known better than the file says.
    up : str, optional
        The file's up axis, likewise.
    strict : bool
        Refuse what would otherwise be mended with a warning.
    number : int, optional
        Of the skeleton, the largest first, as ``source.skeletons`` lists them; otherwise the first,
        with a warning about the others.
    """

    unit: float | str | None
    up: str | None
    strict: bool
    number: int | None


def motion_of_scene(
    scene: FileScene,
    path: PathName,
    file_format: str,
    *,
    unit: float | str | None = None,
    up: str | None = None,
    strict: bool = False,
    number: int | None = None,
) -> Motion:
    """The motion of a scene's bones; nodes above them are folded into the root.

    Where our own writers noted the joints' frames these are taken. Else at rest every joint's frame
    has the world's axes, whatever axes the nodes have.

    Parameters
    ----------
    scene : FileScene
        What a file holds.
    path : path-like
        The file.
    file_format : str
        Such as ``"fbx"``.
    unit, up, strict
        As of `load`.
    number : int, optional
        Of the skeleton that the scene has. Without it that is the first, and the others are warned
        about.

    Returns
    -------
    Motion
        In metres, +Y up.

    Raises
    ------
    FormatError
        When nodes have scales that no skeleton can have, or what is mended is refused.
    """
    notes = Notes(path, strict)
    for text in scene.warnings:
        notes.mended(text)
    skeletons = tuple(scene.skeletons) if len(scene.skeletons) > 1 else ()
    if number is None and skeletons:
        message = f"holds {len(skeletons)} skeletons; read the largest, {skeletons[0]!r}, and left"
        notes.mended(f"{message} out {few(skeletons[1:])}; 'motionloom view' shows all of them")
    axes = scene.axes if up is None else axes_to_y_up(up)
    metres = scene.unit if unit is None else check_unit(unit)
    first = next((note for note in scene.notes if "frames" in note), {})
    frames = scene.n_frames
    if not frames and first.get("frames") != 0:
        frames = 1
        notes.mended("has no animation of its skeleton; read the rest pose as one frame")
    body = _Body(scene, axes, metres, notes)
    slot = {node: j for j, node in enumerate(body.joints)}
    offsets = np.empty((len(slot), 3))
    rotations = np.empty((frames, len(slot), 4))
    moving: dict[int, Array] = {}
    for i, j in slot.items():
        rotations[:, j] = body.rotations(i)
        places = body.places(i)
        offsets[j] = body.offset(i) if body.told else _usual(places, body.offset(i))
        wanted = body.told[i]["translated"] if body.told else i == body.root
        if wanted or np.abs(places - offsets[j]).max() > _MOVES:
            moving[j] = np.broadcast_to(places, (frames, 3))
    numbers = [scene.numbers[i] for i in slot] if len(scene.numbers) else None
    time = first.get("frame_time")
    if not (type(time) is float and 0 < time < 1e6 and first.get("frames") == scene.n_frames):
        time = scene.frame_time
    reason = scene.unit_reason if unit is None else "told by the user"
    own_up = up or "xyz"[int(np.argmax(np.abs(axes[1])))]
    source = Source(file_format, fspath(path), metres, reason, own_up, warnings=notes.texts)
    names = unique_names([scene.names[i] for i in slot], numbers)
    parents = np.array([slot.get(scene.parents[i], -1) for i in slot])
    end_parents = np.array([slot[scene.parents[e]] for e in body.ends], int)
    end_offsets = np.array([body.offset(e) for e in body.ends]).reshape(-1, 3)
    return Motion(
        skeleton=Skeleton(names, parents, offsets, end_parents, end_offsets),
        rotations=rotations,
        translations=np.array([*moving.values()]).reshape(len(moving), frames, 3).swapaxes(0, 1),
        frame_time=time,
        translated=tuple(moving),
        name=str(first.get("name") or scene.take or name_of(path)),
        source=replace(source, skeletons=skeletons),
    )


class _Body:
    """Bones of a scene in metres and our axes: their own frames, and how they move."""

    def __init__(self, scene: FileScene, axes: Array, metres: float, notes: Notes) -> None:
        self.scene = scene
        self.axes = axes
        self.metres = metres
        self.root = int(np.argmax(scene.bones))
        self.told = _fitting_notes(scene) if np.linalg.det(axes) > 0 else {}
        # What was noted holds for the axes that the file declares; other ones turn all frames.
        self._turned = axes @ scene.axes.T if self.told else axes
        bones = np.flatnonzero(scene.bones).tolist()
        tips = set(bones).difference(scene.parents, [self.root])
        ends = {i for i in tips if scene.notes[i].get("end_site") is True and self._is_still(i)}
        place = {i: self.told[i]["place"] if self.told else i for i in bones}
        self.joints = sorted(set(bones) - ends, key=place.__getitem__)
        self.ends = sorted(ends, key=place.__getitem__)
        rest = _uniform(scene.rest["scale"], "the nodes", notes)
        self._resting_scales = {-1: np.ones(1)}
        self._scales = {-1: np.ones((1, 1))}
        self._frames = {-1: rot.identity()}
        for i, parent in enumerate(scene.parents):
            scale = rest[i][None]
            if scene.n_frames and i in scene.tracks["scale"]:
                what = f"the animation of {scene.names[i]!r}"
                scale = _uniform(scene.tracks["scale"][i], what, notes)
            self._resting_scales[i] = self._resting_scales[parent] * rest[i]
            self._scales[i] = self._scales[parent] * scale
            self._frames[i] = rot.multiply(self._frames[parent], scene.rest["rotation"][i])
        self._place, self._turn = self._follow(self._scales, moving=True)
        self._rest_place = self._follow(self._resting_scales, moving=False)[0][0]
        for i, note in self.told.items():
            self._frames[i] = rot.conjugate(note["frame"])

    def _follow(self, scales: Mapping[int, Array], *, moving: bool) -> tuple[Array, Array]:
        """World places (T, 3) and rotations (T, 4) of the root, in the file's unit and axes."""
        place = np.zeros((1, 3))
        turn = rot.identity(1)
        for i in [*np.flatnonzero(np.logical_not(self.scene.bones)).tolist(), self.root]:
            own = self.scene.at("translation", i, moving=moving)
            place = place + rot.rotate(turn, scales[self.scene.parents[i]] * own)
            turn = rot.multiply(turn, self.scene.at("rotation", i, moving=moving))
        return place, turn

    def _is_still(self, node: int) -> bool:
        """Whether a node does not move in its parent."""
        scene = self.scene
        turned = rot.angle_between(scene.at("rotation", node), scene.rest["rotation"][node])
        moved = np.abs(scene.at("translation", node) - scene.rest["translation"][node])
        return bool(turned.max() <= _TURNS and moved.max() * self.metres <= _MOVES)

    def rotations(self, node: int) -> Array:
        """Rotations (T, 4) of a bone's own frame in that of the bone above, or (1, 4) of it."""
        back = rot.conjugate(self._frames[node])
        if node == self.root:
            turns = rot.multiply(self._turn, back)
            declared = rot.from_matrix(self.scene.axes)
            return self._ours(rot.multiply(declared, turns) if self.told else turns)
        above = self._frames[self.scene.parents[node]]
        return self._ours(rot.multiply(rot.multiply(above, self.scene.at("rotation", node)), back))

    def _ours(self, turns: Array) -> Array:
        """Rotations in our axes, which may mirror the file's."""
        turned = turn_quaternions(self._turned, turns)
        return turned if np.linalg.det(self._turned) > 0 else rot.conjugate(turned)

    def places(self, node: int) -> Array:
        """Places (T, 3) of a bone in the frame of the bone above, or (1, 3) of it, metres."""
        if node == self.root:
            return self.metres * turn_vectors(self.axes, self._place)
        scales = self.metres * self._scales[self.scene.parents[node]]
        return self._in_frame(node, scales * self.scene.at("translation", node))

    def offset(self, node: int) -> Array:
        """Place of a bone at rest in the frame of the bone above, or of the root in the world."""
        scale = self.metres * self._resting_scales[self.scene.parents[node]]
        if self.told:
            return turn_vectors(self._turned, scale / self.scene.unit * self.told[node]["offset"])
        if node == self.root:
            return self.metres * turn_vectors(self.axes, self._rest_place)
        return self._in_frame(node, scale * self.scene.rest["translation"][node])

    def _in_frame(self, node: int, vectors: Array) -> Array:
        frame = self._frames[self.scene.parents[node]]
        return turn_vectors(self._turned, rot.rotate(frame, vectors))


def _uniform(scales: Array, what: str, notes: Notes) -> Array:
    """One scale (N, 1) of those (N, K) along the axes."""
    if (scales <= 0).any():
        message = f"{what} have scales that are 0 or mirror;"
        raise FormatError(f"{message} apply them in the program that wrote the file", notes.path)
    usual: Array = scales.mean(axis=1, keepdims=True)
    if np.any(np.ptp(scales, axis=1, keepdims=True) > _UNIFORM * usual):
        notes.mended(f"{what} have scales that differ between axes; read as their mean")
    return usual


def _usual(places: Array, resting: Array) -> Array:
    """Where a joint (T, 3) stays in its parent; at rest where it moves, or nearly stays there."""
    usual: Array = np.median(places, axis=0)
    stays = np.abs(places - usual).max() <= _MOVES < np.abs(places - resting).max()
    return usual if stays else resting


def _fitting_notes(scene: FileScene) -> dict[int, dict[str, Any]]:
    """Notes of all bones, checked; none where another program has changed the nodes since."""
    bones = np.flatnonzero(scene.bones).tolist()
    told = {i: note for i in bones if (note := _checked(scene.notes[i])) is not None}
    if len(told) < len(bones):
        return {}
    for i in bones[1:]:
        above = told[scene.parents[i]]
        wanted = rot.rotate(above["frame"], told[i]["offset"])
        apart = np.abs(wanted - scene.unit * scene.rest["translation"][i]).max()
        far = apart > _MOVES + 1e-6 * np.abs(wanted).max() and not told[i]["translated"]
        if far or above["place"] >= told[i]["place"]:
            return {}
    return told


def _checked(note: Mapping[str, Any]) -> dict[str, Any] | None:
    """The note of a joint or end site as numbers; nothing where it makes no sense.

    ``offset``, metres, is in the parent joint's own frame; ``frame`` turns the node's axes to those
    of the joint's own frame; ``place`` is among all joints and end sites.
    """
    offset = numbers_of(note.get("offset"), 3)
    frame = numbers_of(note.get("frame", [1, 0, 0, 0]), 4)
    place = note.get("place")
    if offset is None or frame is None or abs(np.linalg.norm(frame) - 1) > _UNIFORM:
        return None
    if type(place) is not int or not 0 <= place < MOST_JOINTS:
        return None
    translated = note.get("translated") is True
    return {"offset": offset, "frame": frame, "place": place, "translated": translated}


def numbers_of(values: Any, count: int) -> Array | None:
    """So many numbers of a list out of JSON; None where it is not that."""
    if not isinstance(values, list) or len(values) != count:
        return None
    good = all(type(v) in (int, float) and abs(v) < LARGEST for v in values)
    return np.array(values, float) if good else None


#: Key times this near to even steps, as a share of a step, are even.
_EVEN = 1e-3
#: Frames beyond this many are no motion.
_MOST = 1e7

_NTSC = 1000 / 1001
#: How far, relatively, a frame rate may be from one that people use.
_NEAR = 1e-7


def nearest_frame_time(frame_time: float, near: float = _NEAR) -> float:
    """The frame time of the rate that people use, where it is that but for rounding.

    Parameters
    ----------
    frame_time : float, seconds
        As times of a file say it.
    near : float, optional
        How far, relatively, it may be off.

    Returns
    -------
    float, seconds
        Of a rate with at most two decimals, of an NTSC rate, or what it was to 12 decimals.

    Examples
    --------
    >>> round(1 / nearest_frame_time(0.0333333), 6)
    30.00003
    """
    rate = 1 / frame_time
    for exact in (round(rate), round(rate / _NTSC) * _NTSC, round(rate, 2)):
        if exact > 0 and abs(rate - exact) <= near * rate:
            return 1 / exact
    return round(frame_time, 12) or frame_time


def choose_times(
    keys: Array, first: float, last: float, usual: float, path: PathName
) -> tuple[Array, float]:
    """When to sample curves between `first` and `last`, and the time between frames.

    Even keys at the scene's rate or above are the frames; others are sampled at the scene's rate.

    Parameters
    ----------
    keys : array of shape (K,), seconds
        Key times of the busiest curve.
    first, last : float, seconds
        What is wanted.
    usual : float, seconds
        Frame time of the scene.
    path : path-like
        The file, for errors.

    Returns
    -------
    times : array of shape (T,), seconds
        Ascending, at even steps.
    frame_time : float, seconds
        The step.

    Raises
    ------
    FormatError
        When the times make no sense.
    """
    step = even_step(keys)
    frame_time = usual if step is None or step > usual * (1 + _EVEN) else step
    if not (np.isfinite([first, last]).all() and 0 <= last - first < _MOST * frame_time):
        raise FormatError("has key times that make no sense", path)
    return even_times(first, last, frame_time), nearest_frame_time(frame_time)


def even_times(first: float, last: float, step: float) -> Array:
    """Times (T,) from the first to the last, as many as fit."""
    return np.asarray(first + step * np.arange(int((last - first) / step + _EVEN) + 1), float)


def even_step(times: Array, known: float = 0.0) -> float | None:
    """Seconds between times (K,) that are even but for `known` seconds; None where they are not."""
    if len(times) < 2 or not np.isfinite(times).all():
        return None
    step = float((times[-1] - times[0]) / (len(times) - 1))
    uneven = np.abs(times - times[0] - step * np.arange(len(times))).max() > _EVEN * step + known
    return None if uneven or not step > 0 else step
