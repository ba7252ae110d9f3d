"""Read the skeleton and animation of a binary glTF file, ours or another program's."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any, Unpack

import numpy as np

from motionloom import rotations as rot
from motionloom.io._gltf.glb import (
    Glb,
    check_unit_length,
    find_bones,
    find_skeletons,
    parse_glb,
    read_nodes,
    read_rest,
    to_wxyz,
    uniform_scale,
)
from motionloom.io.files import read_bytes
from motionloom.io.limits import MOST_KEY_BYTES, MOST_TIMINGS, check_poses
from motionloom.io.scenes._reading import (
    LARGEST,
    PATHS,
    FileScene,
    SceneOptions,
    check_number,
    even_step,
    even_times,
    motion_of_scene,
    nearest_frame_time,
)
from motionloom.motion import Motion
from motionloom.typing import Array, PathName


def read_glb(path: PathName, **options: Unpack[SceneOptions]) -> Motion:
    """Read a GLB file's skeleton and the first animation that moves it.

    The bones are the joints of its largest skin, or its animated nodes. Nodes above them are folded
    into the root. Our own files give back the skeleton and rotations that were written. Of others,
    at rest (the nodes' own transforms) every joint frame of the result has the world's axes,
    whatever axes the file's bones have: joints move as in the file, while local rotations may
    differ.

    Parameters
    ----------
    path : path-like
        The GLB file.
    **options
        Of `motionloom.io.scenes._reading.SceneOptions`: `unit`, `up`, `strict` and `number`.

    Returns
    -------
    Motion
        In metres, +Y up, sampled at the keys where they are evenly spaced.

    Raises
    ------
    FormatError
        When the file is not a GLB file, is damaged, or moves bones in ways a skeleton cannot
        (uneven scale, several roots, compressed data).
    """
    scene = _read_scene(parse_glb(read_bytes(path), path), options.get("number") or 0)
    return motion_of_scene(scene, path, "glb", **options)


def _read_scene(glb: Glb, number: int) -> FileScene:
    nodes = read_nodes(glb)
    skeletons = find_skeletons(glb, nodes)
    check_number(list(skeletons) or ["the only one"], number, glb.path)
    joints = list(skeletons.values())[number] if skeletons else set()
    animation, tracks, warnings = _choose_animation(glb, joints)
    bones, above = find_bones(glb, nodes, joints or {node for node, _ in tracks})
    wanted = [*above, *bones]
    slot = {node: i for i, node in enumerate(wanted)}
    tracks = {(node, path): sampler for (node, path), sampler in tracks.items() if node in slot}
    check_tracks(glb, tracks, len(wanted))
    channels = read_channels(glb, tracks)
    exact = _exact_frame_time(glb, channels)
    times = channels[0].times if channels else np.zeros(0)
    frame_time = exact or 1 / 30
    if channels and not exact:
        times, frame_time, uneven = choose_times(glb, channels)
        warnings += uneven
    check_poses(max(len(times), 1), len(wanted), glb.size, glb.path)
    rest = read_rest(glb, nodes, wanted)
    sampled: dict[str, dict[int, Array]] = {"translation": {}, "rotation": {}, "scale": {}}
    for channel in channels:
        values = _sample(glb, channel, times)
        if channel.path == "scale":
            rest["scale"][slot[channel.node]] = values
        else:
            sampled[channel.path][slot[channel.node]] = values
    notes = [nodes.note(node) for node in bones]
    if exact:
        for place, (node, note) in enumerate(zip(bones, notes, strict=True)):
            note |= {"place": place, "translated": (node, "translation") in tracks}
        notes[0] |= {"frames": len(times), "frame_time": exact}
    return FileScene(
        names=[nodes.name(node) for node in wanted],
        parents=[slot.get(nodes.parents[node], -1) for node in wanted],
        bones=[False] * len(above) + [True] * len(bones),
        rest=rest,
        tracks=sampled,
        n_frames=len(times),
        frame_time=frame_time,
        notes=[*[{}] * len(above), *notes],
        unit_reason="glTF is in metres",
        take=str(animation.get("name") or ""),
        warnings=warnings,
        skeletons=list(skeletons),
        numbers=wanted,
    )


def _sample(glb: Glb, channel: Channel, times: Array) -> Array:
    """Values (T, K) of a channel at times, rotations as w x y z; or one scale for all."""
    values = channel.sample(times)
    if channel.path == "rotation":
        return to_wxyz(values)
    where = f"the animation of nodes[{channel.node}]"
    if channel.path == "scale":
        return np.array([uniform_scale(glb, where, values)])
    if np.abs(values).max() > LARGEST:
        raise glb.error(f"{where} holds translations that make no sense")
    return values


def _exact_frame_time(glb: Glb, channels: list[Channel]) -> float:
    """The frame time that our writer noted, where the keys still are those frames; else 0."""
    asset = glb.document.get("asset")
    extras = asset.get("extras") if isinstance(asset, dict) else None
    told = extras if isinstance(extras, dict) else {}
    frame_time, frames = told.get("frame_time"), told.get("frames")
    if not (isinstance(frame_time, float) and 0 < frame_time < 1e6 and type(frames) is int):
        return 0.0
    keys = channels[0].times if channels else np.zeros(0)
    same = len(keys) == frames and all(np.array_equal(c.times, keys) for c in channels)
    if same and np.allclose(keys, np.arange(frames) * frame_time, rtol=1e-6, atol=1e-9):
        return frame_time
    return 0.0


def _choose_animation(glb: Glb, joints: set[int]) -> tuple[dict[str, Any], Tracks, list[str]]:
    """The first animation that moves joints, or else the first; its tracks, and warnings."""
    animations = glb.document.get("animations", [])
    if not isinstance(animations, list):
        raise glb.error("has animations that are not a list")
    if not animations:
        return {}, {}, []
    items = (glb.item("animations", i) for i in range(len(animations)))
    every = ((item, find_tracks(glb, item)) for item in items)
    first = next(every)
    moving = (one for one in chain([first], every) if any(node in joints for node, _ in one[1]))
    chosen, tracks = next(moving, first) if joints else first
    told = f"holds {len(animations)} animations; read {chosen.get('name')!r}"
    return chosen, tracks, [told] if len(animations) > 1 else []


_KINDS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
#: Frames may outnumber the keys of the busiest channel by this factor where keys are uneven.
_SPARSEST = 8
#: Key times beyond this many seconds are no motion capture.
_LONGEST = 1e6


@dataclass(frozen=True, eq=False)
class Channel:
    """One animated property of one node.

    Parameters
    ----------
    node : int
        Index of the node.
    path : str
        ``"translation"``, ``"rotation"`` or ``"scale"``.
    times : array of shape (K,), seconds
        Strictly increasing key times.
    values : array of shape (K, 3) or (K, 4), or (K, 3, ...) for cubic splines
        Values at the keys as the file has them (quaternions x y z w); for splines in-tangent,
        value, out-tangent.
    interpolation : str
        ``"LINEAR"``, ``"STEP"`` or ``"CUBICSPLINE"``.
    """

    node: int
    path: str
    times: Array
    values: Array
    interpolation: str

    def sample(self, at: Array) -> Array:
        """Values at times, held before the first and after the last key.

        Parameters
        ----------
        at : array of shape (T,), seconds
            When to sample.

        Returns
        -------
        array of shape (T, 3), or (T, 4) for rotations
            In the file's unit, quaternions x y z w; those of cubic splines are not of unit length.
        """
        spline = self.interpolation == "CUBICSPLINE"
        times = self.times
        if len(times) == 1:
            return np.repeat(self.values[:, 1] if spline else self.values, len(at), axis=0)
        at = np.clip(at, times[0], times[-1])
        i = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
        step = (times[i + 1] - times[i])[:, None]
        f = (at - times[i])[:, None] / step
        a = self.values[i]
        b = self.values[i + 1]
        if spline:
            rise, fall = f * (1 - f) ** 2, f**2 * (f - 1)
            ends = a[:, 1] + f**2 * (3 - 2 * f) * (b[:, 1] - a[:, 1])
            return ends + step * (rise * a[:, 2] + fall * b[:, 0])
        if self.interpolation == "STEP":
            return np.where(f < 1, a, b)
        if self.path == "rotation":
            return rot.slerp(a, b, f[:, 0])  # the same for x y z w as for w x y z
        return a + (b - a) * f


#: Sampler of each animated property: (node, path) -> sampler.
Tracks = dict[tuple[int, str], dict[str, Any]]


def find_tracks(glb: Glb, animation: dict[str, Any]) -> Tracks:
    """What moves, turns or scales nodes; no others (morph weights, pointers). No key is read.

    Parameters
    ----------
    glb : Glb
        The file.
    animation : dict
        Entry of its list of animations.

    Returns
    -------
    dict of (int, str) to dict
        Sampler by node and path (``"translation"``, ``"rotation"`` or ``"scale"``).

    Raises
    ------
    FormatError
        When a channel has no target, names a node or sampler that is not there, or animates what
        another one does.
    """
    channels = animation.get("channels")
    samplers = animation.get("samplers")
    if not isinstance(channels, list) or not isinstance(samplers, list):
        raise glb.error("has an animation without channels or samplers")
    found: Tracks = {}
    for channel in channels:
        target = channel.get("target") if isinstance(channel, dict) else None
        if not isinstance(target, dict):
            raise glb.error("has an animation channel without a target")
        path = target.get("path")
        node = target.get("node")
        if path not in PATHS or node is None:
            continue
        glb.item("nodes", node)
        if (node, path) in found:
            raise glb.error(f"animates the {path} of nodes[{node}] twice")
        index = channel.get("sampler")
        known = type(index) is int and 0 <= index < len(samplers)
        if not known or not isinstance(samplers[index], dict):
            message = f"has a channel with sampler {str(index)[:20]},"
            raise glb.error(f"{message} which the animation does not have")
        found[node, path] = samplers[index]
    return found


def check_tracks(glb: Glb, tracks: Tracks, n_joints: int) -> None:
    """Refuse tracks that would become far more than the file holds, before their keys are read.

    Parameters
    ----------
    glb : Glb
        The file.
    tracks : dict of (int, str) to dict
        What `find_tracks` returns.
    n_joints : int
        Nodes that will have a pose in every frame.

    Raises
    ------
    FormatError
        When there are too many lists of key times, frames or bytes of keys for a file of this
        length.
    """
    inputs = {_index(sampler.get("input")) for sampler in tracks.values()}
    outputs = {_index(sampler.get("output")) for sampler in tracks.values()}
    if len(inputs) > MOST_TIMINGS:
        raise glb.error(f"has {len(inputs)} lists of key times; expected at most {MOST_TIMINGS}")
    sizes = {i: glb.size_of(i) for i in inputs | outputs}
    check_poses(max((sizes[i][0] for i in inputs), default=0), n_joints, glb.size, glb.path)
    read = sum(size for _, size in sizes.values())
    if read > MOST_KEY_BYTES * glb.size:
        message = f"has keys of {read} bytes in a file of {glb.size};"
        raise glb.error(f"{message} its accessors overlap or claim too much")


def _index(value: Any) -> int:
    """Number of an accessor, or one that no file has."""
    return value if type(value) is int else -1


def read_channels(glb: Glb, tracks: Tracks) -> list[Channel]:
    """Read the keys of tracks; what several share is read once.

    Parameters
    ----------
    glb : Glb
        The file.
    tracks : dict of (int, str) to dict
        What `find_tracks` returns.

    Returns
    -------
    list of Channel
        In the order of `tracks`.

    Raises
    ------
    FormatError
        When keys are damaged, do not increase in time, are no unit quaternions where those belong,
        or their interpolation is unknown.
    """
    reader = _KeyReader(glb)
    return [reader.channel(node, path, sampler) for (node, path), sampler in tracks.items()]


class _KeyReader:
    """Keys of a file, each accessor read and checked once."""

    def __init__(self, glb: Glb) -> None:
        self.glb = glb
        self.known: dict[tuple[int, str, int], Array] = {}

    def channel(self, node: int, path: str, sampler: dict[str, Any]) -> Channel:
        where = f"the {path} of nodes[{node}]"
        interpolation = sampler.get("interpolation", "LINEAR")
        if interpolation not in ("LINEAR", "STEP", "CUBICSPLINE"):
            message = f"has unknown interpolation {str(interpolation)[:40]!r} for {where}"
            raise self.glb.error(message)
        per_key = 3 if interpolation == "CUBICSPLINE" else 1
        times = self._keys(sampler.get("input"), "", 1, where)
        values = self._keys(sampler.get("output"), path, per_key, where)
        if len(values) != len(times):
            message = f"has {len(times)} key times but {len(values) * per_key} values for {where}"
            raise self.glb.error(message)
        return Channel(node, path, times, values, interpolation)

    def _keys(self, index: Any, path: str, per_key: int, where: str) -> Array:
        """Values of a path, or times where there is none."""
        key = _index(index), path, per_key
        if key not in self.known:
            values = self.glb.accessor(index, _KINDS.get(path, "SCALAR"))
            self.known[key] = self._checked(values, path, per_key, where)
        return self.known[key]

    def _checked(self, values: Array, path: str, per_key: int, where: str) -> Array:
        if not path and (np.any(np.diff(values) <= 0) or values[0] < 0 or values[-1] > _LONGEST):
            message = f"has key times that do not increase, or make no sense, for {where}"
            raise self.glb.error(message)
        if len(values) % per_key:
            raise self.glb.error(f"has {len(values)} values in groups of three for {where}")
        if per_key == 3:
            values = values.reshape(-1, 3, values.shape[-1])
        if path == "rotation":
            check_unit_length(self.glb, where, values[:, 1] if per_key == 3 else values)
        return values


def choose_times(glb: Glb, channels: list[Channel]) -> tuple[Array, float, list[str]]:
    """Times to sample at: the keys where they are even, else steps of the median gap.

    Parameters
    ----------
    glb : Glb
        The file.
    channels : list of Channel
        At least one; the one with most keys decides.

    Returns
    -------
    times : array of shape (T,), seconds
        Evenly spaced, from the first key of all channels.
    frame_time : float, seconds
        Time between them; that of a whole or NTSC rate where 32-bit times cannot tell it apart.
    warnings : list of str
        For uneven keys or a single one.

    Raises
    ------
    FormatError
        When keys are too unevenly spaced to sample.
    """
    keys = max((c.times for c in channels), key=len)
    first = min(c.times[0] for c in channels)
    last = max(c.times[-1] for c in channels)
    if first == last:
        told = "has a single key, so its frame rate is unknown; took 30 per second"
        return np.array([first]), 1 / 30, [told]
    # 32-bit times near `last` are only known this well.
    known = 2.0**-23 * max(last, 1e-3)
    if step := even_step(keys, 4 * known):
        return even_times(first, last, step), nearest_frame_time(step, known / (last - first)), []
    step = float(np.median(np.diff(keys))) if len(keys) > 1 else last - first
    if (last - first) / step > _SPARSEST * len(keys) + 1000:
        message = f"has keys too unevenly spaced to sample ({len(keys)} keys in {last - first:g} s)"
        raise glb.error(message)
    step = nearest_frame_time(step, 4 * known / step)
    told = f"has unevenly spaced keys; sampled at {1 / step:g} frames per second"
    return even_times(first, last, step), step, [told]
