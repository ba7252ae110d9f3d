"""Poses as datagrams: VMC over OSC, which engines receive, and plain JSON.

VMC (virtual motion capture) tells Unity's humanoid bones, in Unity's space: left-handed, +X right,
+Y up, +Z forward. Rotations are relative to the parent, none in a T-pose; so the rest pose of the
skeleton should be one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from motionloom.errors import MissingExtraError
from motionloom.motion import Motion
from motionloom.roles import Roles
from motionloom.typing import Array

if TYPE_CHECKING:
    from pythonosc.osc_message import OscMessage


#: Unity's names of humanoid bones by our roles.
BONES: Mapping[str, str] = MappingProxyType(
    {
        "hips": "Hips",
        "spine": "Spine",
        "chest": "Chest",
        "neck": "Neck",
        "head": "Head",
        **{
            f"{side}_{part}": f"{side.capitalize()}{bone}"
            for side in ("left", "right")
            for part, bone in (
                ("shoulder", "UpperArm"),
                ("elbow", "LowerArm"),
                ("hand", "Hand"),
                ("hip", "UpperLeg"),
                ("knee", "LowerLeg"),
                ("foot", "Foot"),
                ("toe", "Toes"),
            )
        },
    }
)


class JsonProtocol:
    """One JSON object a frame, in metres and quaternions (w, x, y, z), +Y up, +Z forward.

    ``{"frame": n, "time": s, "root": [x, y, z], "rotations": {"Hips": [w, x, y, z], ...}}``, with
    rotations relative to the parents.

    Parameters
    ----------
    roles : Roles
        Not needed here.
    """

    def __init__(self, roles: Roles) -> None:
        del roles

    def encode(self, motion: Motion, frame: int, time: float) -> bytes:
        """A frame of a motion as one datagram.

        Parameters
        ----------
        motion : Motion
            Only its root has positions.
        frame : int
            Of the motion.
        time : float, seconds
            Since the stream began.

        Returns
        -------
        bytes
            UTF-8, ending in a line feed.
        """
        names = motion.skeleton.names
        turns = np.round(motion.rotations[frame], 6).tolist()
        message = {
            "frame": round(time * motion.fps),
            "time": round(time, 6),
            "root": np.round(motion.translations[frame, 0], 6).tolist(),
            "rotations": dict(zip(names, turns, strict=True)),
        }
        return (json.dumps(message, separators=(",", ":")) + "\n").encode()


class VmcProtocol:
    """One OSC bundle a frame: ``/VMC/Ext/OK``, ``T``, ``Root/Pos`` and ``Bone/Pos`` of each bone.

    Parameters
    ----------
    roles : Roles
        Joints without a role are not told.
    """

    def __init__(self, roles: Roles) -> None:
        try:
            from pythonosc import osc_bundle_builder, osc_message_builder
        except ImportError:
            raise MissingExtraError("python-osc", "live", "VMC") from None
        self._bundle = osc_bundle_builder.OscBundleBuilder
        self._now = osc_bundle_builder.IMMEDIATELY
        self._message = osc_message_builder.OscMessageBuilder
        self._bones = [(BONES[role], joint) for role, joint in roles.joints.items()]

    def encode(self, motion: Motion, frame: int, time: float) -> bytes:
        """A frame of a motion as one datagram.

        Parameters
        ----------
        motion : Motion
            Only its root has positions.
        frame : int
            Of the motion.
        time : float, seconds
            Since the stream began.

        Returns
        -------
        bytes
            An OSC bundle.
        """
        bundle = self._bundle(self._now)
        bundle.add_content(self._built("/VMC/Ext/OK", 1))
        bundle.add_content(self._built("/VMC/Ext/T", float(time)))
        still = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
        bundle.add_content(self._built("/VMC/Ext/Root/Pos", "root", *still))
        offsets = motion.skeleton.offsets
        for name, joint in self._bones:
            place = motion.translations[frame, 0] if joint == 0 else offsets[joint]
            values = (*unity_place(place), *unity_turn(motion.rotations[frame, joint]))
            bundle.add_content(self._built("/VMC/Ext/Bone/Pos", name, *values))
        return bundle.build().dgram

    def _built(self, address: str, *values: str | int | float) -> OscMessage:
        message = self._message(address=address)
        for value in values:
            kind = "s" if isinstance(value, str) else "i" if isinstance(value, int) else "f"
            message.add_arg(value, kind)
        return message.build()


def unity_place(place: Array) -> tuple[float, float, float]:
    """A place in Unity's left-handed space: what was to the left is -X."""
    x, y, z = (float(value) for value in place)
    return -x, y, z


def unity_turn(quaternion: Array) -> tuple[float, float, float, float]:
    """A rotation (w, x, y, z) in Unity's space, as x, y, z, w."""
    w, x, y, z = (float(value) for value in quaternion)
    return x, -y, -z, w


#: How a frame becomes a datagram.
Protocol = JsonProtocol | VmcProtocol
#: Protocols by the names under which they are asked for.
PROTOCOLS: Mapping[str, type[Protocol]] = MappingProxyType(
    {"vmc": VmcProtocol, "json": JsonProtocol}
)
