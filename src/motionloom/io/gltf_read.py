"""Read the skeleton and animation of a binary glTF file, ours or another program's."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import FormatError
from motionloom.io.files import name_of, read_bytes
from motionloom.io.glb import Glb, parse_glb
from motionloom.io.gltf_animation import Channel, choose_times, read_channels
from motionloom.io.gltf_nodes import LARGEST, Nodes, ToldJoint, find_bones, read_nodes, to_wxyz, uniform_scale
from motionloom.io.units import axes_to_y_up, check_unit
from motionloom.motion import Motion, Source
from motionloom.skeleton import Skeleton

Array = NDArray[np.float64]
Channels = dict[tuple[int, str], Channel]
#: A translation channel of another program's file counts as movement from this many metres on.
_MOVES = 1e-5


def read_glb(
    path: str | PathLike[str], *, unit: float | str | None = None, up: str | None = None, strict: bool = False
) -> Motion:
    """Read a GLB file's skeleton and first animation.

    The bones are the joints of its largest skin, or its animated nodes. Nodes above them are folded into the root.
    Our own files give back the skeleton and rotations that were written. Of others, at rest (the nodes' own
    transforms) every joint frame of the result has the world's axes, whatever axes the file's bones have: joints
    move as in the file, while local rotations may differ.

    Parameters
    ----------
    path : path-like
    unit : float, optional
        Metres per unit of the file; 1 when not given, as glTF says.
    up : {"y", "z", "x"}, optional
        The file's up axis, for files that break glTF's rule of +Y up.
    strict : bool
        Refuse what would otherwise be a warning.

    Raises
    ------
    FormatError
        When the file is not a GLB file, is damaged, or moves bones in ways a skeleton cannot (uneven scale, several
        roots, compressed data).
    """
    glb = parse_glb(read_bytes(path), path)
    nodes = read_nodes(glb)
    animation, warnings = _first_animation(glb)
    channels: Channels = {(c.node, c.path): c for c in read_channels(glb, animation)}
    bones, above = find_bones(glb, nodes, {node for node, _ in channels})
    inside = {*bones, *above}
    timing = _choose_timing(glb, [c for c in channels.values() if c.node in inside])
    warnings += timing.warnings
    if strict and warnings:
        raise FormatError(warnings[0], path)
    upright = rot.from_matrix(axes_to_y_up(up or "y"))
    rig = _Rig(glb, nodes, channels, timing, 1.0 if unit is None else check_unit(unit), upright)
    source = Source(
        format="glb",
        path=fspath(path),
        unit=rig.unit,
        unit_reason="glTF is in metres" if unit is None else "given by the user",
        up=up or "y",
        warnings=tuple(warnings),
    )
    return rig.motion(bones, above, str(animation.get("name") or name_of(path)), source)


def _first_animation(glb: Glb) -> tuple[dict[str, Any], list[str]]:
    animations = glb.document.get("animations", [])
    if not isinstance(animations, list):
        raise FormatError("has animations that are not a list", glb.path)
    if not animations:
        return {"channels": [], "samplers": []}, []
    first = glb.item("animations", 0)
    if len(animations) == 1:
        return first, []
    return first, [f"holds {len(animations)} animations; read the first, {first.get('name')!r}"]


@dataclass(frozen=True, eq=False)
class _Timing:
    """When to sample, and whether our own writer made the file."""

    times: Array
    frame_time: float
    warnings: list[str]
    ours: bool = False


def _choose_timing(glb: Glb, channels: list[Channel]) -> _Timing:
    told = _told_timing(glb)
    if not channels:
        if told is not None and told[1] == 0:
            return _Timing(np.zeros(0), told[0], [], ours=True)
        return _Timing(np.zeros(1), 1 / 30, ["has no animation of its skeleton; read the rest pose as one frame"])
    if told is not None:
        frame_time, frames = told
        keys = channels[0].times
        same = len(keys) == frames and all(np.array_equal(c.times, keys) for c in channels)
        if same and np.allclose(keys, np.arange(frames) * frame_time, rtol=1e-6, atol=1e-9):
            return _Timing(keys, frame_time, [], ours=True)
    return _Timing(*choose_times(glb, channels))


def _told_timing(glb: Glb) -> tuple[float, int] | None:
    """Exact frame time and number of frames as our writer notes them, if it did."""
    asset = glb.document.get("asset")
    extras = asset.get("extras") if isinstance(asset, dict) else None
    if not isinstance(extras, dict):
        return None
    frame_time, frames = extras.get("frame_time"), extras.get("frames")
    if isinstance(frame_time, float) and 0 < frame_time < 1e6 and type(frames) is int:
        return frame_time, frames
    return None


@dataclass(frozen=True, eq=False)
class _Rig:
    """Everything needed to turn the file's nodes into a motion."""

    glb: Glb
    nodes: Nodes
    channels: Channels
    timing: _Timing
    unit: float
    upright: Array

    def local(self, node: int) -> tuple[Array, Array, float]:
        """Translations (T, 3), rotations (T, 4) and the one scale of a node over time."""
        n = len(self.timing.times)
        where = f"the animation of nodes[{node}]"
        translation = np.tile(self.nodes.translations[node], (n, 1))
        rotation = np.tile(self.nodes.rotations[node], (n, 1))
        scale = float(self.nodes.scales[node])
        if (channel := self.channels.get((node, "translation"))) is not None:
            translation = channel.sample(self.timing.times)
            if np.abs(translation).max() > LARGEST:
                raise FormatError(f"{where} holds translations that make no sense", self.glb.path)
        if (channel := self.channels.get((node, "rotation"))) is not None:
            rotation = to_wxyz(channel.sample(self.timing.times))
        if (channel := self.channels.get((node, "scale"))) is not None:
            scale = uniform_scale(self.glb, where, channel.sample(self.timing.times))
        return translation, rotation, scale

    def motion(self, bones: list[int], above: list[int], name: str, source: Source) -> Motion:
        """Assemble the motion: bones in the world's axes at rest, the nodes above folded into the first bone."""
        ends = self._end_sites(bones)
        told = self._told_joints(bones)
        joints = [b for b in bones if b not in ends]
        carried_t, carried_q, scale = np.zeros(3), self.upright, self.unit
        rest_t, rest_q = np.zeros(3), self.upright
        for node in above:
            t, q, s = self.local(node)
            carried_t = carried_t + rot.rotate(carried_q, scale * t)
            rest_t = rest_t + rot.rotate(rest_q, scale * self.nodes.translations[node])
            carried_q, rest_q = rot.multiply(carried_q, q), rot.multiply(rest_q, self.nodes.rotations[node])
            scale *= s
        # World rotation at rest and scale of what hangs below each bone.
        frames: dict[int, tuple[Array, float]] = {-1: (rest_q, scale)}
        offsets, translations, rotations = [], [], []
        for bone in bones:
            parent = self.nodes.parents[bone] if bone != bones[0] else -1
            t, q, s = self.local(bone)
            above_q, above_s = frames[parent]
            own = rot.multiply(above_q, self.nodes.rotations[bone])
            offset = self.nodes.translations[bone]
            if bone in told:
                # The joint's own frame, which has the world's axes while nothing turns, not the bone's at rest.
                own, offset = rot.multiply(rest_q, told[bone].bone), told[bone].offset
            frames[bone] = (own, above_s * s)
            moving_q = carried_q if parent == -1 else above_q
            base, rest = (carried_t, rest_t) if parent == -1 else (0.0, 0.0)
            offsets.append(rest + rot.rotate(rest_q if bone in told else above_q, above_s * offset))
            translations.append(base + rot.rotate(moving_q, above_s * t))
            rotations.append(rot.multiply(rot.multiply(moving_q, q), rot.conjugate(frames[bone][0])))
        place = {bone: i for i, bone in enumerate(bones)}
        slot = {joint: j for j, joint in enumerate(joints)}
        skeleton = Skeleton(
            names=self._unique_names(joints),
            parents=np.array([-1, *(slot[self.nodes.parents[j]] for j in joints[1:])]),
            offsets=np.array([offsets[place[j]] for j in joints]),
            end_parents=np.array([slot[self.nodes.parents[e]] for e in ends], int),
            end_offsets=np.array([offsets[place[e]] for e in ends]).reshape(-1, 3),
        )
        moved = [j for j in joints if self._moves(j, translations[place[j]] - offsets[place[j]], j == joints[0])]
        n = len(self.timing.times)
        return Motion(
            skeleton=skeleton,
            rotations=np.stack([rotations[place[j]] for j in joints], axis=1).reshape(n, len(joints), 4),
            translations=np.array([translations[place[j]] for j in moved]).reshape(len(moved), n, 3).swapaxes(0, 1),
            frame_time=self.timing.frame_time,
            translated=tuple(slot[j] for j in moved),
            name=name,
            source=source,
        )

    def _told_joints(self, bones: list[int]) -> dict[int, ToldJoint]:
        """What our writer noted of all bones; nothing where the nodes have been changed since."""
        told = self.nodes.told
        if not self.timing.ours or not all(bone in told for bone in bones):
            return {}
        moved = {node for node, path in self.channels if path == "translation"}
        for bone in bones[1:]:
            above = rot.conjugate(told[self.nodes.parents[bone]].bone)
            apart = rot.rotate(above, told[bone].offset) - self.nodes.translations[bone]
            if bone not in moved and np.abs(apart).max() > _MOVES:
                return {}
        return {bone: told[bone] for bone in bones}

    def _end_sites(self, bones: list[int]) -> list[int]:
        """Bones that our writer marked as end sites, where they still are tips that do not move."""
        parents = {self.nodes.parents[b] for b in bones}
        animated = {node for node, _ in self.channels}
        return [b for b in bones[1:] if b in self.nodes.end_sites and b not in parents and b not in animated]

    def _moves(self, joint: int, travel: Array, is_root: bool) -> bool:
        """Whether a joint's translations are part of the motion."""
        if self.timing.ours:
            return (joint, "translation") in self.channels
        return is_root or bool(np.abs(travel).max(initial=0.0) > _MOVES)

    def _unique_names(self, joints: list[int]) -> tuple[str, ...]:
        """Names of joints; a name that several nodes share gets the node's number appended."""
        names = [self.nodes.names[j] for j in joints]
        return tuple(f"{name}.{j}" if names.count(name) > 1 else name for name, j in zip(names, joints, strict=True))
