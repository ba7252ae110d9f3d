"""GLB files as other programs write them: what is understood, and what is refused with which
reason.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionloom.errors import FormatError
from motionloom.io._gltf import read_glb
from motionloom.kinematics import forward_kinematics


class GlbFile:
    """A GLB file written by hand, with whatever it should contain."""

    def __init__(self) -> None:
        self.document: dict = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}]}
        self.document.update(accessors=[], bufferViews=[])
        self.binary = b""

    def add(self, array: np.ndarray, kind: str, **more: object) -> int:
        code = {"f4": 5126, "i2": 5122, "u1": 5121}[array.dtype.str[1:]]
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": array.nbytes}
        self.document["bufferViews"].append(view)
        accessor = {
            "bufferView": len(self.document["bufferViews"]) - 1,
            "componentType": code,
            "count": len(array),
        }
        self.document["accessors"].append({**accessor, "type": kind, **more})
        self.binary += array.tobytes() + bytes(-array.nbytes % 4)
        return len(self.document["accessors"]) - 1

    def animate(self, *channels: tuple) -> None:
        """Channels as (node, path, times, values, interpolation)."""
        samplers, targets = [], []
        for node, path, times, output, interpolation in channels:
            kind = "VEC4" if path == "rotation" else "VEC3"
            normalized = {"normalized": True} if output.dtype.kind == "i" else {}
            sampler = {
                "input": self.add(np.array(times, "<f4"), "SCALAR"),
                "interpolation": interpolation,
            }
            samplers.append({**sampler, "output": self.add(output, kind, **normalized)})
            targets.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        self.document.setdefault("animations", []).append(
            {"name": "act", "samplers": samplers, "channels": targets}
        )

    def save(self, path: Path) -> Path:
        document = {**self.document, "buffers": [{"byteLength": len(self.binary)}]}
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<II", len(text), 0x4E4F534A) + text
        body += struct.pack("<II", len(self.binary), 0x004E4942) + self.binary
        path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body)
        return path


QUARTER = [0, 0, np.sqrt(0.5), np.sqrt(0.5)]  # a quarter turn about z, x y z w


def arm(**shoulder: object) -> GlbFile:
    """An armature in centimetres with Z up above a shoulder, an elbow 30 along its x and a hand 25
    further.
    """
    file = GlbFile()
    file.document["nodes"] = [
        {
            "name": "Armature",
            "rotation": [-np.sqrt(0.5), 0, 0, np.sqrt(0.5)],
            "scale": [0.01] * 3,
            "children": [1],
        },
        {
            "name": "shoulder",
            "translation": [0, 0, 140],
            "rotation": QUARTER,
            "children": [2],
            **shoulder,
        },
        {"name": "elbow", "translation": [30, 0, 0], "children": [3]},
        {"name": "hand", "translation": [25, 0, 0]},
    ]
    file.document["skins"] = [{"joints": [1, 2, 3]}]
    return file


def turns(*degrees: float) -> np.ndarray:
    return (
        Rotation.from_euler("z", np.array(degrees)[:, None], degrees=True).as_quat().astype("<f4")
    )


def test_nodes_above_the_skeleton_are_folded_into_its_root(tmp_path):
    file = arm()
    file.animate((2, "rotation", [0, 0.5, 1.0], turns(0, 45, 90), "LINEAR"))
    motion = read_glb(file.save(tmp_path / "arm.glb"))
    assert motion.skeleton.names == ("shoulder", "elbow", "hand")
    assert motion.frame_time == 0.5
    positions = forward_kinematics(motion).positions
    # The shoulder turns x to the armature's y, which is -z in the world.
    np.testing.assert_allclose(
        positions[0], [[0, 1.4, 0], [0, 1.4, -0.3], [0, 1.4, -0.55]], atol=1e-6
    )
    # At 90 degrees the forearm points along the armature's -x.
    np.testing.assert_allclose(positions[2, 2], [-0.25, 1.4, -0.3], atol=1e-6)


def test_at_rest_joint_frames_have_the_axes_of_the_world(tmp_path):
    file = arm()
    file.animate((2, "rotation", [0, 1], turns(0, 90), "LINEAR"))
    motion = read_glb(file.save(tmp_path / "arm.glb"))
    np.testing.assert_allclose(np.abs(motion.rotations[0, :, 0]), 1, atol=1e-6)
    np.testing.assert_allclose(
        motion.skeleton.offsets, [[0, 1.4, 0], [0, 0, -0.3], [0, 0, -0.25]], atol=1e-6
    )


def test_a_matrix_does_what_translation_rotation_and_scale_do(tmp_path):
    matrix = np.eye(4)
    matrix[:3, :3] = 0.01 * Rotation.from_euler("x", -90, degrees=True).as_matrix()
    plain, other = arm(), arm()
    other.document["nodes"][0] = {
        "name": "Armature",
        "matrix": matrix.T.ravel().tolist(),
        "children": [1],
    }
    poses = []
    for i, file in enumerate((plain, other)):
        file.animate((2, "rotation", [0, 1], turns(0, 90), "LINEAR"))
        poses.append(forward_kinematics(read_glb(file.save(tmp_path / f"{i}.glb"))).positions)
    np.testing.assert_allclose(poses[1], poses[0], atol=1e-7)


def test_steps_hold_and_normalized_integers_are_read(tmp_path):
    file = arm()
    rounded = np.round(turns(0, 90, 0, 0, 0) * 32767).astype("<i2")
    file.animate(
        (1, "rotation", [0, 0.1, 0.2, 0.3, 0.4], rounded, "LINEAR"),
        (2, "rotation", [0, 0.2, 0.4], turns(0, 90, 0), "STEP"),
    )
    motion = read_glb(file.save(tmp_path / "steps.glb"))
    assert motion.n_frames == 5
    assert motion.frame_time == 0.1
    bend = np.degrees(2 * np.arccos(np.clip(np.abs(motion.rotations[:, 1, 0]), 0, 1)))
    np.testing.assert_allclose(bend, [0, 0, 90, 90, 0], atol=1e-3)
    turn = np.degrees(2 * np.arccos(np.clip(np.abs(motion.rotations[:, 0, 0]), 0, 1)))
    np.testing.assert_allclose(
        turn, [90, 0, 90, 90, 90], atol=1e-2
    )  # relative to rest, a quarter turn away


def test_cubic_splines_follow_their_tangents(tmp_path):
    file = arm()
    # x(t) = 30 + 4 t^2 between keys at 0 and 1: end values and slopes of that parabola.
    keys = np.array([[0, 0, 0], [30, 0, 0], [0, 0, 0], [8, 0, 0], [34, 0, 0], [0, 0, 0]], "<f4")
    file.animate(
        (2, "translation", [0, 1], keys, "CUBICSPLINE"),
        (3, "rotation", [0, 0.25, 0.5, 0.75, 1], turns(0, 0, 0, 0, 0), "LINEAR"),
    )
    motion = read_glb(file.save(tmp_path / "spline.glb"))
    pose = forward_kinematics(motion).positions
    reach = np.linalg.norm(pose[:, 1] - pose[:, 0], axis=-1)
    np.testing.assert_allclose(reach, 0.30 + 0.04 * np.arange(5) ** 2 / 16, atol=1e-6)


def test_unevenly_spaced_keys_are_sampled_with_a_warning(tmp_path):
    file = arm()
    times = np.array([0, 1, 2, 3, 4, 8, 9, 20]) / 30
    file.animate((2, "rotation", times, turns(*(90 * times)), "LINEAR"))
    path = file.save(tmp_path / "uneven.glb")
    motion = read_glb(path)
    assert motion.n_frames == 21
    assert motion.frame_time == 1 / 30
    assert "unevenly spaced" in motion.source.warnings[0]
    bend = np.degrees(2 * np.arccos(np.clip(np.abs(motion.rotations[:, 1, 0]), 0, 1)))
    np.testing.assert_allclose(bend, 3 * np.arange(21), atol=0.02)
    with pytest.raises(FormatError, match="unevenly spaced"):
        read_glb(path, strict=True)


@pytest.mark.parametrize("fps", [24.0, 30000 / 1001, 59.94005994005994, 120.0])
def test_frame_rates_of_other_programs_are_exact(tmp_path, fps):
    file = arm()
    times = np.arange(200) / fps
    file.animate((2, "rotation", times, turns(*np.linspace(0, 90, 200)), "LINEAR"))
    motion = read_glb(file.save(tmp_path / "rate.glb"))
    assert motion.n_frames == 200
    assert motion.frame_time == pytest.approx(1 / fps, rel=1e-12)


def test_a_skeleton_without_animation_is_one_frame_with_a_warning(tmp_path):
    motion = read_glb(arm().save(tmp_path / "still.glb"))
    assert motion.n_frames == 1
    assert "no animation" in motion.source.warnings[0]


def test_unit_and_up_axis_as_told(tmp_path):
    file = arm()
    file.document["nodes"] = file.document["nodes"][1:]
    for node in file.document["nodes"]:
        node["children"] = [c - 1 for c in node.get("children", [])]
    file.document["skins"] = [{"joints": [0, 1, 2]}]
    file.animate((1, "rotation", [0, 1], turns(0, 90), "LINEAR"))
    motion = read_glb(file.save(tmp_path / "cm.glb"), unit=0.01, up="z")
    positions = forward_kinematics(motion).positions
    np.testing.assert_allclose(
        positions[0], [[0, 1.4, 0], [0, 1.4, -0.3], [0, 1.4, -0.55]], atol=1e-6
    )
    assert (motion.source.unit, motion.source.up) == (0.01, "z")


def spin(file: GlbFile, times: Sequence[float] = (0, 1), values: Any = None) -> None:
    keys = turns(0, 9) if values is None else values
    file.animate((2, "rotation", list(times), keys, "LINEAR"))


def spin_twice(file: GlbFile) -> None:
    file.animate(*[(2, "rotation", [0, 1], turns(0, 9), "LINEAR")] * 2)


def grow(file: GlbFile) -> None:
    file.animate((2, "scale", [0, 1], np.array([[1, 1, 1], [2, 2, 2]], "<f4"), "LINEAR"))


def add_a_root(file: GlbFile) -> None:
    file.document["nodes"].append({"name": "ik"})
    file.document["skins"] = [{"joints": [1, 2, 3, 4]}]


def change_a_spin(table: str, **entries: Any) -> Callable[[GlbFile], None]:
    """Animate, then change the first entry of one of the document's tables."""

    def change(file: GlbFile) -> None:
        spin(file)
        file.document[table][0].update(entries)

    return change


BREAKING: dict[str, Callable[[GlbFile], object]] = {
    "two animations of one property": spin_twice,
    "keys out of order": lambda file: spin(file, (0, 2, 1), turns(0, 9, 9)),
    "missing values": lambda file: spin(file, (0, 1, 2)),
    "zero quaternions": lambda file: spin(file, values=np.zeros((2, 4), "<f4")),
    "growing": grow,
    "flattened": lambda file: file.document["nodes"][1].update(scale=[1, 0.5, 1]),
    "ring": lambda file: file.document["nodes"][3].update(children=[1]),
    "no such child": lambda file: file.document["nodes"][3].update(children=[77]),
    "several roots": add_a_root,
    "nothing to read": lambda file: file.document.pop("skins"),
    "keys past the end": change_a_spin("accessors", count=9),
    "compressed": change_a_spin("bufferViews", extensions={"EXT_meshopt_compression": {}}),
    "sparse": change_a_spin("accessors", sparse={}),
}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("two animations of one property", "animates the rotation of nodes\\[2\\] twice"),
        ("keys out of order", "do not increase"),
        ("missing values", "3 key times but 2 values"),
        ("zero quaternions", "not of unit length"),
        ("growing", "apply the scale"),
        ("flattened", "apply the scale"),
        ("ring", "child of two nodes"),
        ("no such child", "nodes\\[77\\], which the file does not have"),
        ("several roots", "give them one root"),
        ("nothing to read", "neither a skin nor an animation"),
        ("keys past the end", "truncated"),
        ("compressed", "compressed"),
        ("sparse", "without sparse accessors"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(tmp_path, name, message):
    file = arm()
    BREAKING[name](file)
    path = file.save(tmp_path / "broken.glb")
    with pytest.raises(FormatError, match=message) as caught:
        read_glb(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"HIERARCHY\nROOT Hips\n{\n}\n", "does not begin with 'glTF'"),
        (b'{"asset": {"version": "2.0"}}', "export it as binary"),
        (struct.pack("<IIII", 0x46546C67, 1, 20, 0) + bytes(4), "version 1"),
        (struct.pack("<IIII", 0x46546C67, 2, 999, 0) + bytes(4), "truncated"),
    ],
)
def test_files_that_are_no_glb(tmp_path, data, message):
    (tmp_path / "x.glb").write_bytes(data)
    with pytest.raises(FormatError, match=message):
        read_glb(tmp_path / "x.glb")
