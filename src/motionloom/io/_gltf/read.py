"""Read the skeleton and animation of a binary glTF file, ours or another program's."""

from __future__ import annotations

from typing import Any

import numpy as np

from motionloom.io._gltf.animation import (
    Channel,
    Tracks,
    check_tracks,
    choose_times,
    find_tracks,
    read_channels,
)
from motionloom.io._gltf.glb import Glb, parse_glb
from motionloom.io._gltf.nodes import (
    find_bones,
    find_skeletons,
    read_nodes,
    read_rest,
    to_wxyz,
    uniform_scale,
)
from motionloom.io.files import read_bytes
from motionloom.io.limits import check_poses
from motionloom.io.scenes._reading import LARGEST, FileScene, check_number, motion_of_scene
from motionloom.motion import Motion
from motionloom.typing import Array, PathName


def read_glb(
    path: PathName,
    *,
    unit: float | str | None = None,
    up: str | None = None,
    strict: bool = False,
    number: int | None = None,
) -> Motion:
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
    unit : float, optional
        Metres per unit of the file; 1 when not given, as glTF says.
    up : {"y", "z", "x"}, optional
        The file's up axis, for files that break glTF's rule of +Y up.
    strict : bool
        Refuse what would otherwise be a warning.
    number : int, optional
        Of the skeleton, the largest first, as ``source.skeletons`` lists them; otherwise the first,
        with a warning about the others.

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
    scene = _read_scene(parse_glb(read_bytes(path), path), number or 0)
    return motion_of_scene(scene, path, "glb", unit=unit, up=up, strict=strict, number=number)


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
    frame_time = told.get("frame_time")
    frames = told.get("frames")
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
    chosen = glb.item("animations", 0)
    tracks = find_tracks(glb, chosen)
    for i in range(1, len(animations)):
        if not joints or any(node in joints for node, _ in tracks):
            break
        other = glb.item("animations", i)
        moved = find_tracks(glb, other)
        if any(node in joints for node, _ in moved):
            chosen = other
            tracks = moved
    if len(animations) == 1:
        return chosen, tracks, []
    return chosen, tracks, [f"holds {len(animations)} animations; read {chosen.get('name')!r}"]
