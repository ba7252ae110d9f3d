"""The animation of a glTF file: channels, their keys, and their values at any times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom import rotations as rot
from motionloom.errors import FormatError
from motionloom.io.glb import Glb
from motionloom.io.gltf_nodes import check_unit_length

_KINDS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
#: Rates that key times are rounded to when they agree within what 32-bit times can say.
_NTSC = 1000 / 1001
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
    path : str
        ``"translation"``, ``"rotation"`` or ``"scale"``.
    times : array of shape (K,), seconds
        Strictly increasing key times.
    values : array of shape (K, 3) or (K, 4), or (K, 3, ...) for cubic splines
        Values at the keys as the file has them (quaternions x y z w); for splines in-tangent, value, out-tangent.
    interpolation : str
        ``"LINEAR"``, ``"STEP"`` or ``"CUBICSPLINE"``.
    """

    node: int
    path: str
    times: NDArray[np.float64]
    values: NDArray[np.float64]
    interpolation: str

    def sample(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values at times of shape (T,), held before the first and after the last key."""
        if len(self.times) == 1:
            only = self.values[:, 1] if self.interpolation == "CUBICSPLINE" else self.values
            return np.repeat(only, len(at), axis=0)
        at = np.clip(at, self.times[0], self.times[-1])
        i = np.clip(np.searchsorted(self.times, at, side="right") - 1, 0, len(self.times) - 2)
        step = self.times[i + 1] - self.times[i]
        f = ((at - self.times[i]) / step)[:, None]
        if self.interpolation == "CUBICSPLINE":
            (_, p, m), (n, q, _) = self.values[i].swapaxes(0, 1), self.values[i + 1].swapaxes(0, 1)
            m, n = m * step[:, None], n * step[:, None]
            return (1 + 2 * f) * (1 - f) ** 2 * p + f * (1 - f) ** 2 * m + f**2 * (3 - 2 * f) * q + f**2 * (f - 1) * n
        a, b = self.values[i], self.values[i + 1]
        if self.interpolation == "STEP":
            return np.where(f < 1, a, b)
        if self.path == "rotation":
            return rot.slerp(a, b, f[:, 0])  # the same for x y z w as for w x y z
        return a + (b - a) * f


def read_channels(glb: Glb, animation: dict[str, Any]) -> list[Channel]:
    """Read the channels that move, turn or scale nodes; others (morph weights, pointers) are left out."""
    channels, samplers = animation.get("channels"), animation.get("samplers")
    if not isinstance(channels, list) or not isinstance(samplers, list):
        raise FormatError("has an animation without channels or samplers", glb.path)
    found: dict[tuple[int, str], Channel] = {}
    for channel in channels:
        target = channel.get("target") if isinstance(channel, dict) else None
        if not isinstance(target, dict):
            raise FormatError("has an animation channel without a target", glb.path)
        path, node = target.get("path"), target.get("node")
        if path not in ("translation", "rotation", "scale") or node is None:
            continue
        glb.item("nodes", node)
        if (node, path) in found:
            raise FormatError(f"animates the {path} of nodes[{node}] twice", glb.path)
        index = channel.get("sampler")
        if type(index) is not int or not 0 <= index < len(samplers) or not isinstance(samplers[index], dict):
            raise FormatError(f"has a channel with sampler {index!r}, which the animation does not have", glb.path)
        found[node, path] = _channel(glb, node, path, samplers[index])
    return list(found.values())


def _channel(glb: Glb, node: int, path: str, sampler: dict[str, Any]) -> Channel:
    where = f"the {path} of nodes[{node}]"
    interpolation = sampler.get("interpolation", "LINEAR")
    if interpolation not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise FormatError(f"has unknown interpolation {interpolation!r} for {where}", glb.path)
    times = glb.accessor(sampler.get("input"), "SCALAR")
    values = glb.accessor(sampler.get("output"), _KINDS[path])
    if np.any(np.diff(times) <= 0) or times[0] < 0 or times[-1] > _LONGEST:
        raise FormatError(f"has key times that do not increase, or make no sense, for {where}", glb.path)
    per_key = 3 if interpolation == "CUBICSPLINE" else 1
    if len(values) != per_key * len(times):
        raise FormatError(f"has {len(times)} key times but {len(values)} values for {where}", glb.path)
    if per_key == 3:
        values = values.reshape(len(times), 3, -1)
    if path == "rotation":
        check_unit_length(glb, where, values[:, 1] if per_key == 3 else values)
    return Channel(node, path, times, values, interpolation)


def choose_times(glb: Glb, channels: list[Channel]) -> tuple[NDArray[np.float64], float, list[str]]:
    """Times to sample at, the frame time, and warnings: the keys themselves where they are evenly spaced."""
    keys = max((c.times for c in channels), key=len)
    first, last = min(c.times[0] for c in channels), max(c.times[-1] for c in channels)
    if first == last:
        return np.array([first]), 1 / 30, ["has a single key, so its frame rate is unknown; took 30 per second"]
    # 32-bit times near `last` are only known this well.
    known = 2.0**-23 * max(last, 1e-3)
    even = (last - first) / (len(keys) - 1) if len(keys) > 1 else last - first
    if np.abs(keys - (first + even * np.arange(len(keys)))).max() <= 4 * known + 1e-4 * even:
        frame_time = _rounded(even, known / max(len(keys) - 1, 1))
        return first + (last - first) * np.arange(len(keys)) / max(len(keys) - 1, 1), frame_time, []
    frame_time = _rounded(float(np.median(np.diff(keys))), 4 * known)
    frames = (last - first) / frame_time
    if frames > _SPARSEST * len(keys) + 1000:
        raise FormatError(f"has keys too unevenly spaced to sample ({len(keys)} keys in {last - first:g} s)", glb.path)
    times = first + frame_time * np.arange(int(frames + 1e-3) + 1)
    return times, frame_time, [f"has unevenly spaced keys; sampled at {1 / frame_time:g} frames per second"]


def _rounded(frame_time: float, tolerance: float) -> float:
    """The whole or NTSC frame rate that this is within tolerance, else the time as it is."""
    fps = 1 / frame_time
    for rate in (float(round(fps)), round(fps / _NTSC) * _NTSC):
        if rate > 0 and abs(1 / rate - frame_time) <= tolerance + 1e-12:
            return 1 / rate
    return frame_time
