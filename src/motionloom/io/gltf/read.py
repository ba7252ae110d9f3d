"""Read the skeleton and animation of a binary glTF file, ours or another program's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import FormatError
from motionloom.io.files import name_of, read_bytes
from motionloom.io.gltf.animation import (
    Channel,
    Tracks,
    check_tracks,
    choose_times,
    find_tracks,
    read_channels,
    sample_together,
)
from motionloom.io.gltf.glb import Glb, parse_glb
from motionloom.io.gltf.nodes import (
    LARGEST,
    Nodes,
    find_bones,
    find_skeletons,
    read_nodes,
    read_rest,
    to_wxyz,
    uniform_scale,
)
from motionloom.io.limits import check_poses
from motionloom.io.scenes.several import check_number, say_left_out
from motionloom.io.scenes.unique_names import unique_names
from motionloom.io.units import axes_to_y_up, check_unit
from motionloom.motion import Motion, Source
from motionloom.skeleton import Skeleton

Array = NDArray[np.float64]
Channels = dict[tuple[int, str], Channel]
#: A translation channel of another program's file counts as movement from this many metres on.
_MOVES = 1e-5
#: Joints times frames that are worked on at once.
_AT_ONCE = 200_000


def read_glb(
    path: str | PathLike[str],
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
    glb = parse_glb(read_bytes(path), path)
    nodes = read_nodes(glb)
    skeletons = find_skeletons(glb, nodes)
    names = tuple(skeletons) if len(skeletons) > 1 else ()
    check_number(names or ("",), number or 0, path)
    joints = list(skeletons.values())[number or 0] if skeletons else set()
    animation, tracks, warnings = _choose_animation(glb, joints)
    if names and number is None:
        warnings.append(say_left_out(names))
    bones, above = find_bones(glb, nodes, joints or {node for node, _ in tracks})
    inside = {*bones, *above}
    tracks = {(node, path): sampler for (node, path), sampler in tracks.items() if node in inside}
    check_tracks(glb, tracks, len(inside))
    channels: Channels = {(c.node, c.path): c for c in read_channels(glb, tracks)}
    timing = _choose_timing(glb, list(channels.values()))
    check_poses(len(timing.times), len(inside), glb.size, path)
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
        skeletons=names,
    )
    return rig.motion(bones, above, str(animation.get("name") or name_of(path)), source)


def _choose_animation(glb: Glb, joints: set[int]) -> tuple[dict[str, Any], Tracks, list[str]]:
    """The first animation that moves joints, or else the first; its tracks, and warnings."""
    animations = glb.document.get("animations", [])
    if not isinstance(animations, list):
        raise FormatError("has animations that are not a list", glb.path)
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
        return _Timing(
            np.zeros(1),
            1 / 30,
            ["has no animation of its skeleton; read the rest pose as one frame"],
        )
    if told is not None:
        frame_time, frames = told
        keys = channels[0].times
        same = len(keys) == frames and all(
            c.times is keys or np.array_equal(c.times, keys) for c in channels
        )
        if same and np.allclose(keys, np.arange(frames) * frame_time, rtol=1e-6, atol=1e-9):
            return _Timing(keys, frame_time, [], ours=True)
    return _Timing(*choose_times(glb, channels))


def _told_timing(glb: Glb) -> tuple[float, int] | None:
    """Exact frame time and number of frames as our writer notes them, if it did."""
    asset = glb.document.get("asset")
    extras = asset.get("extras") if isinstance(asset, dict) else None
    if not isinstance(extras, dict):
        return None
    frame_time = extras.get("frame_time")
    frames = extras.get("frames")
    if isinstance(frame_time, float) and 0 < frame_time < 1e6 and type(frames) is int:
        return frame_time, frames
    return None


@dataclass(frozen=True, eq=False)
class _Carrier:
    """Nodes above the skeleton as one: how they move, (T, 3) and (T, 4) or one of it, and rest."""

    moving_t: Array
    moving_q: Array
    rest_t: Array
    rest_q: Array
    scale: float


@dataclass(frozen=True, eq=False)
class _Rig:
    """Everything needed to turn the file's nodes into a motion."""

    glb: Glb
    nodes: Nodes
    channels: Channels
    timing: _Timing
    unit: float
    upright: Array

    def local(self, node: int, rest: tuple[Array, Array, float]) -> tuple[Array, Array, float]:
        """Translations (T, 3) or (3,), rotations (T, 4) or (4,), and one scale of a node."""
        translation, rotation, scale = rest
        if (channel := self.channels.get((node, "translation"))) is not None:
            translation = self._placed([channel])[:, 0]
        if (channel := self.channels.get((node, "rotation"))) is not None:
            rotation = to_wxyz(channel.sample(self.timing.times))
        return translation, rotation, self._scale(node, scale)

    def _scale(self, node: int, rest: float) -> float:
        channel = self.channels.get((node, "scale"))
        if channel is None:
            return rest
        return uniform_scale(
            self.glb, f"the animation of nodes[{node}]", channel.sample(self.timing.times)
        )

    def _placed(self, channels: Sequence[Channel]) -> Array:
        """Translations (T, C, 3) of channels with the same times."""
        translations = sample_together(channels, self.timing.times)
        if np.abs(translations).max(initial=0.0) > LARGEST:
            far = channels[int(np.argmax(np.abs(translations).max(axis=(0, 2))))].node
            raise FormatError(
                f"the animation of nodes[{far}] holds translations that make no sense",
                self.glb.path,
            )
        return translations

    def _carrier(self, above: list[int]) -> _Carrier:
        """What the nodes above the skeleton do together."""
        rest = read_rest(self.glb, self.nodes, above)
        moving_t = np.zeros(3)
        moving_q = self.upright
        scale = self.unit
        rest_t = np.zeros(3)
        rest_q = self.upright
        for k, node in enumerate(above):
            t, q, s = self.local(
                node, (rest.translations[k], rest.rotations[k], float(rest.scales[k]))
            )
            moving_t = moving_t + rot.rotate(moving_q, scale * t)
            rest_t = rest_t + rot.rotate(rest_q, scale * rest.translations[k])
            moving_q = rot.multiply(moving_q, q)
            rest_q = rot.multiply(rest_q, rest.rotations[k])
            scale *= s
        return _Carrier(moving_t, moving_q, rest_t, rest_q, scale)

    def motion(self, bones: list[int], above: list[int], name: str, source: Source) -> Motion:
        """Assemble the motion: bones in world axes at rest, nodes above part of the first bone."""
        carrier = self._carrier(above)
        rest = read_rest(self.glb, self.nodes, bones)
        place = {bone: i for i, bone in enumerate(bones)}
        parents = [-1, *(place[self.nodes.parents[bone]] for bone in bones[1:])]
        scales = [self._scale(bone, s) for bone, s in zip(bones, rest.scales.tolist(), strict=True)]
        above_q, own_q, above_s = _rest_frames(parents, rest.rotations, scales, carrier)
        told = self._told_joints(bones, rest.translations)
        if told is None:
            offsets = rot.rotate(above_q, above_s[:, None] * rest.translations)
        else:
            # Joints' own frames, which have the world's axes while nothing turns, not the bones' at
            # rest.
            own_q = rot.multiply(carrier.rest_q, told[1])
            above_q = np.concatenate([np.atleast_2d(carrier.rest_q), own_q[parents[1:]]])
            offsets = rot.rotate(carrier.rest_q, above_s[:, None] * told[0])
        offsets[0] += carrier.rest_t
        ends = set(self._end_sites(bones))
        joints = [b for b in bones if b not in ends]
        slot = {joint: j for j, joint in enumerate(joints)}
        at = np.array([place[j] for j in joints])
        skeleton = Skeleton(
            names=unique_names([self.nodes.name(j) for j in joints], joints),
            parents=np.array([-1, *(slot[self.nodes.parents[j]] for j in joints[1:])]),
            offsets=offsets[at],
            end_parents=np.array([slot[self.nodes.parents[e]] for e in bones if e in ends], int),
            end_offsets=offsets[[place[e] for e in bones if e in ends]].reshape(-1, 3),
        )
        rotations = self._rotations(joints, above_q[at], own_q[at], rest.rotations[at], carrier)
        moved, translations = self._translations(
            joints, above_q[at], above_s[at], rest.translations[at], offsets[at], carrier
        )
        return Motion(
            skeleton=skeleton,
            rotations=rotations,
            translations=translations,
            frame_time=self.timing.frame_time,
            translated=moved,
            name=name,
            source=source,
        )

    def _told_joints(self, bones: list[int], translations: Array) -> tuple[Array, Array] | None:
        """Offsets (N, 3) and frames (N, 4) of all bones as our writer noted them; None where nodes
        have changed since.

        Parameters
        ----------
        bones : list of int
        translations : array of shape (N, 3)
            Of the nodes at rest.
        """
        if not self.timing.ours:
            return None
        told = {bone: joint for bone in bones if (joint := self.nodes.told(bone)) is not None}
        if len(told) < len(bones):
            return None
        offsets = np.stack([told[bone].offset for bone in bones])
        frames = np.stack([told[bone].bone for bone in bones])
        place = {bone: i for i, bone in enumerate(bones)}
        above = frames[[place[self.nodes.parents[bone]] for bone in bones[1:]]]
        apart = np.abs(rot.rotate(rot.conjugate(above), offsets[1:]) - translations[1:]).max(
            axis=-1
        )
        moved = np.array([(bone, "translation") in self.channels for bone in bones[1:]], bool)
        return None if np.any(apart[~moved] > _MOVES) else (offsets, frames)

    def _rotations(
        self, joints: list[int], above_q: Array, own_q: Array, rest_q: Array, carrier: _Carrier
    ) -> Array:
        """Rotations (T, J, 4) of joints whose own frames, and those above, are turned at rest."""
        n = len(self.timing.times)
        still = rot.multiply(rot.multiply(above_q, rest_q), rot.conjugate(own_q))
        rotations = np.empty((n, len(joints), 4))
        rotations[:] = still
        for js, channels in self._blocks(joints, "rotation"):
            turns = to_wxyz(sample_together(channels, self.timing.times))
            rotations[:, js] = rot.multiply(
                rot.multiply(above_q[js], turns), rot.conjugate(own_q[js])
            )
        _, root, _ = self.local(joints[0], (np.zeros(3), rest_q[0], 1.0))
        rotations[:, 0] = rot.multiply(
            rot.multiply(carrier.moving_q, root), rot.conjugate(own_q[0])
        )
        return rotations

    def _translations(
        self,
        joints: list[int],
        above_q: Array,
        above_s: Array,
        rest_t: Array,
        offsets: Array,
        carrier: _Carrier,
    ) -> tuple[tuple[int, ...], Array]:
        """Joints that move away from their offsets, and their translations (T, K, 3)."""
        n = len(self.timing.times)
        root = np.empty((n, 3))
        root[:] = carrier.moving_t + rot.rotate(
            carrier.moving_q, above_s[0] * self.local(joints[0], (rest_t[0], rest_t[0], 1.0))[0]
        )
        found = (
            {0: root} if not self.timing.ours or (joints[0], "translation") in self.channels else {}
        )
        for js, channels in self._blocks(joints, "translation"):
            moved = rot.rotate(above_q[js], above_s[js][:, None] * self._placed(channels))
            travels = self.timing.ours | (
                np.abs(moved - offsets[js]).max(axis=(0, 2), initial=0.0) > _MOVES
            )
            found.update((int(j), moved[:, k]) for k, j in enumerate(js) if travels[k] and j)
        order = sorted(found)
        return tuple(order), np.stack([found[j] for j in order], axis=1) if order else np.zeros(
            (n, 0, 3)
        )

    def _blocks(
        self, joints: list[int], path: str
    ) -> Iterator[tuple[NDArray[np.int64], list[Channel]]]:
        """Joints that have channels of a path with the same times, so many at once as do not take
        much memory.
        """
        groups: dict[tuple[int, str], list[int]] = {}
        for j, joint in enumerate(joints):
            if (channel := self.channels.get((joint, path))) is not None:
                groups.setdefault((id(channel.times), channel.interpolation), []).append(j)
        for group in groups.values():
            keys = len(self.channels[joints[group[0]], path].times)
            step = max(_AT_ONCE // max(len(self.timing.times), keys, 1), 1)
            for k in range(0, len(group), step):
                block = group[k : k + step]
                yield np.array(block), [self.channels[joints[j], path] for j in block]

    def _end_sites(self, bones: list[int]) -> list[int]:
        """Bones that our writer marked as end sites, where they still are tips that do not move."""
        parents = {self.nodes.parents[b] for b in bones}
        animated = {node for node, _ in self.channels}
        return [
            b
            for b in bones[1:]
            if self.nodes.is_end_site(b) and b not in parents and b not in animated
        ]


def _rest_frames(
    parents: list[int], rotations: Array, scales: list[float], carrier: _Carrier
) -> tuple[Array, Array, Array]:
    """World rotations at rest above each bone and of it, and the scale above it."""
    own: list[tuple[float, ...]] = []
    own_s: list[float] = []
    above: list[tuple[float, ...]] = []
    above_s: list[float] = []
    top = tuple(carrier.rest_q.tolist())
    for parent, (bw, bx, by, bz), scale in zip(parents, rotations.tolist(), scales, strict=True):
        aw, ax, ay, az = before = own[parent] if parent >= 0 else top
        above.append(before)
        above_s.append(own_s[parent] if parent >= 0 else carrier.scale)
        own_s.append(above_s[-1] * scale)
        own.append(
            (
                aw * bw - ax * bx - ay * by - az * bz,
                aw * bx + ax * bw + ay * bz - az * by,
                aw * by - ax * bz + ay * bw + az * bx,
                aw * bz + ax * by - ay * bx + az * bw,
            )
        )
    return np.array(above), np.array(own), np.array(above_s)
