"""GLB files: valid by the glTF 2.0 rules, true to the motion, and read back; mutants read or are
refused.
"""

from __future__ import annotations

import contextlib
import json
import struct
import time
from pathlib import Path

import numpy as np
import pygltflib
import pytest
from scipy.spatial.transform import Rotation

from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.io._gltf import read_glb, write_glb
from motionloom.io.scenes._writing import build_bone_mesh
from motionloom.io.scenes.rest_pose import find_rest_pose
from motionloom.kinematics import end_site_positions, forward_kinematics
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton


def make_motion(
    n_frames: int = 40, frame_time: float = 1001 / 30000, seed: int = 0, scale: float = 1.0
) -> Motion:
    """Tumbling limbs: two branches, end sites, and a second joint with translations."""
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(
        names=("hips", "mixamorig:Spine", "Left Leg", "knee.L", "arm", "hand"),
        parents=np.array([-1, 0, 0, 2, 1, 4]),
        offsets=np.array(
            [
                [0, 0.9, 0],
                [0, 0.2, 0.01],
                [0.1, -0.05, 0],
                [0, -0.4, 0],
                [0.3, 0, 0],
                [0.25, 0, 0.02],
            ]
        ),
        end_parents=np.array([3, 5]),
        end_offsets=np.array([[0, -0.4, 0.1], [0.1, 0, 0]]),
    )
    turns = np.cumsum(rng.normal(0, 0.2, (n_frames, 6, 3)), axis=0)
    quats = (
        Rotation.from_rotvec(turns.reshape(-1, 3))
        .as_quat(scalar_first=True)
        .reshape(n_frames, 6, 4)
    )
    moves = (
        np.cumsum(rng.normal(0, 0.05 * scale, (n_frames, 2, 3)), axis=0) + skeleton.offsets[[0, 4]]
    )
    return Motion(skeleton, quats, moves, frame_time, translated=(0, 4), name="tumble")


def world(motion: Motion) -> np.ndarray:
    pose = forward_kinematics(motion)
    return np.concatenate([pose.positions, end_site_positions(motion, pose)], axis=1)


@pytest.fixture
def written(tmp_path: Path) -> tuple[Motion, Path]:
    motion = make_motion()
    write_glb(motion, tmp_path / "tumble.glb")
    return motion, tmp_path / "tumble.glb"


# --- what is written, seen through an independent reader

_DTYPES = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def values(gltf: pygltflib.GLTF2, index: int) -> np.ndarray:
    accessor = gltf.accessors[index]
    view = gltf.bufferViews[accessor.bufferView]
    flat = np.frombuffer(
        gltf.binary_blob(),
        _DTYPES[accessor.componentType],
        accessor.count * _WIDTHS[accessor.type],
        view.byteOffset,
    )
    return flat.reshape(accessor.count, -1)


def node_positions(gltf: pygltflib.GLTF2, frame: int | None) -> dict[str, np.ndarray]:
    """World matrices of all nodes, by multiplying 4 x 4 matrices down the tree; at rest where
    `frame` is None.
    """
    moved: dict[tuple[int, str], np.ndarray] = {}
    if frame is not None:
        animation = gltf.animations[0]
        for channel in animation.channels:
            output = values(gltf, animation.samplers[channel.sampler].output)
            moved[channel.target.node, channel.target.path] = output[frame]
    found: dict[str, np.ndarray] = {}

    def walk(index: int, above: np.ndarray) -> None:
        node = gltf.nodes[index]
        local = np.eye(4)
        local[:3, 3] = moved.get((index, "translation"), node.translation or (0, 0, 0))
        turn = moved.get((index, "rotation"), node.rotation or (0, 0, 0, 1))
        local[:3, :3] = Rotation.from_quat(turn).as_matrix()
        found[node.name] = above @ local
        for child in node.children or []:
            walk(child, found[node.name])

    for root in gltf.scenes[gltf.scene].nodes:
        walk(root, np.eye(4))
    return found


def test_an_independent_reader_finds_every_joint_where_the_motion_has_it(written):
    motion, path = written
    gltf, truth = pygltflib.GLTF2().load(path), world(motion)
    for frame in (0, 17, motion.n_frames - 1):
        found = node_positions(gltf, frame)
        for j, name in enumerate(motion.skeleton.names):
            np.testing.assert_allclose(found[name][:3, 3], truth[frame, j], atol=2e-6)
        np.testing.assert_allclose(found["knee.L_end"][:3, 3], truth[frame, 6], atol=2e-6)


def test_inverse_bind_matrices_undo_the_rest_pose(written):
    _, path = written
    gltf = pygltflib.GLTF2().load(path)
    at_rest, skin = node_positions(gltf, None), gltf.skins[0]
    inverse = values(gltf, skin.inverseBindMatrices).reshape(-1, 4, 4).transpose(0, 2, 1)
    for joint, matrix in zip(skin.joints, inverse, strict=True):
        np.testing.assert_allclose(at_rest[gltf.nodes[joint].name] @ matrix, np.eye(4), atol=1e-6)


def test_the_file_obeys_the_rules_of_gltf(written):
    motion, path = written
    data, gltf = path.read_bytes(), pygltflib.GLTF2().load(path)
    assert struct.unpack_from("<III", data) == (0x46546C67, 2, len(data))
    assert len(data) % 4 == 0
    for i, accessor in enumerate(gltf.accessors):
        assert gltf.bufferViews[accessor.bufferView].byteOffset % 4 == 0
        rows = values(gltf, i)
        np.testing.assert_array_equal(rows.min(axis=0), np.array(accessor.min, rows.dtype))
        np.testing.assert_array_equal(rows.max(axis=0), np.array(accessor.max, rows.dtype))
    sampler_inputs = {s.input for s in gltf.animations[0].samplers}
    assert len(sampler_inputs) == 1
    times = values(gltf, sampler_inputs.pop())[:, 0]
    assert times[0] == 0
    assert np.all(np.diff(times) > 0)
    np.testing.assert_allclose(times, motion.times, rtol=1e-7)
    targets = {(c.target.node, c.target.path) for c in gltf.animations[0].channels}
    assert targets == {(j, "rotation") for j in range(6)} | {(0, "translation"), (4, "translation")}
    attributes = gltf.meshes[0].primitives[0].attributes
    assert values(gltf, attributes.JOINTS_0).max() < len(gltf.skins[0].joints)
    np.testing.assert_array_equal(values(gltf, attributes.WEIGHTS_0).sum(axis=1), 1.0)
    np.testing.assert_allclose(
        np.linalg.norm(values(gltf, attributes.NORMAL), axis=1), 1.0, atol=1e-6
    )


def test_trimesh_opens_the_mesh(written):
    trimesh = pytest.importorskip("trimesh")
    motion, path = written
    mesh = trimesh.load(path, force="mesh")
    top = find_rest_pose(motion).positions[:, 1].max()
    assert len(mesh.faces) == 8 * 7  # five bones between joints and two end sites
    assert mesh.bounds[1, 1] == pytest.approx(top, abs=0.05)


# --- the mesh


def test_mesh_faces_look_outwards_and_hug_their_bones():
    motion = make_motion()
    rest = find_rest_pose(motion, "first")
    mesh = build_bone_mesh(motion.skeleton, rest.positions, rest.ends)
    corners = mesh.positions.reshape(-1, 8, 3, 3)  # bones, faces, corners
    centres = corners.mean(axis=(1, 2))
    outward = corners.mean(axis=2) - centres[:, None]
    assert np.all(np.sum(outward * mesh.normals.reshape(-1, 8, 3, 3)[:, :, 0], axis=-1) > 0)
    assert np.linalg.norm(mesh.positions - rest.positions[mesh.joints], axis=1).max() < 0.46


def test_joints_without_bones_still_carry_a_diamond():
    lonely = Skeleton(("a", "b"), np.array([-1, 0]), np.zeros((2, 3)))
    mesh = build_bone_mesh(lonely, np.zeros((2, 3)), np.zeros((0, 3)))
    assert set(mesh.joints) == {0, 1}
    assert np.isfinite(mesh.normals).all()


# --- round trip


def test_round_trip(written):
    motion, path = written
    again = read_glb(path)
    np.testing.assert_allclose(world(again), world(motion), atol=2e-6)
    assert again.skeleton.names == motion.skeleton.names
    np.testing.assert_array_equal(again.skeleton.parents, motion.skeleton.parents)
    np.testing.assert_array_equal(again.skeleton.offsets, motion.skeleton.offsets)
    np.testing.assert_array_equal(again.skeleton.end_parents, motion.skeleton.end_parents)
    np.testing.assert_array_equal(again.skeleton.end_offsets, motion.skeleton.end_offsets)
    assert again.frame_time == motion.frame_time
    assert (again.translated, again.name) == (motion.translated, "tumble")
    assert again.source.format == "glb"
    assert again.source.warnings == ()


@pytest.mark.parametrize("n_frames", [0, 1, 2])
def test_motions_of_few_frames(tmp_path, n_frames):
    motion = make_motion(n_frames)
    write_glb(motion, tmp_path / "short.glb")
    again = read_glb(tmp_path / "short.glb")
    assert again.rotations.shape == motion.rotations.shape
    assert again.frame_time == motion.frame_time
    np.testing.assert_allclose(world(again), world(motion), atol=2e-6)


def test_same_motion_same_bytes(tmp_path):
    for name in ("a.glb", "b.glb"):
        write_glb(make_motion(), tmp_path / name)
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()


def test_an_hour_at_120_fps_keeps_its_frame_time(tmp_path):
    bone = Skeleton(("hips",), np.array([-1]), np.array([[0, 1.0, 0]]))
    n = 3600 * 120
    quats = np.broadcast_to([1.0, 0, 0, 0], (n, 1, 4))
    motion = Motion(bone, quats, np.zeros((n, 1, 3)), 1 / 120)
    write_glb(motion, tmp_path / "hour.glb")
    again = read_glb(tmp_path / "hour.glb")
    assert again.n_frames == n
    assert again.frame_time == 1 / 120


def test_times_that_32_bit_floats_cannot_tell_apart_are_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="cannot tell apart"):
        write_glb(make_motion(3, frame_time=1e-46), tmp_path / "long.glb")
    assert not (tmp_path / "long.glb").exists()


def test_positions_too_large_for_32_bit_floats_are_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="too large"):
        write_glb(make_motion(scale=1e39), tmp_path / "huge.glb")


REAL = [
    "cmu_bvh/16/16_15.bvh",
    "bandai_namco/dataset-2_raise-up-right-hand_active_001.bvh",
    "dog/D1_007_KAN01_001.bvh",
    "lafan1_60fps",
]


@pytest.mark.parametrize("name", REAL)
def test_real_captures_keep_their_joint_positions(shared_data, tmp_path, name):
    from motionloom.io.bvh import read_bvh

    source = shared_data / name
    motion = read_bvh(source if source.is_file() else min(source.glob("*.bvh")))
    write_glb(motion, tmp_path / "real.glb")
    again = read_glb(tmp_path / "real.glb")
    assert again.frame_time == motion.frame_time
    np.testing.assert_allclose(world(again), world(motion), atol=1e-4 / 10)


# --- mutants


def mutate_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(data)
    for at in rng.integers(0, len(changed), rng.integers(1, 9)):
        changed[at] = rng.integers(256)
    if rng.random() < 0.2:
        del changed[rng.integers(len(changed)) :]
    return bytes(changed)


def mutate_document(data: bytes, rng: np.random.Generator) -> bytes:
    """Drop, swap or replace entries of the JSON, which bytes flipped at random hardly reach."""
    size = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + size])
    for _ in range(rng.integers(1, 4)):
        parent, key = None, None
        node = document
        while (
            isinstance(node, dict | list) and len(node) and (parent is None or rng.random() < 0.85)
        ):
            keys = list(node) if isinstance(node, dict) else range(len(node))
            parent, key = node, keys[rng.integers(len(keys))]
            node = parent[key]
        if parent is None or rng.random() < 0.2:
            continue
        odd = [
            None,
            True,
            -1,
            0,
            1,
            7,
            1e30,
            -0.5,
            2**40,
            "x",
            [],
            {},
            [1, 2],
            [0.0, 1.0, "y"],
            float("nan"),
            5121,
        ]
        if rng.random() < 0.25:
            del parent[key]
        else:
            parent[key] = odd[rng.integers(len(odd))]
    text = json.dumps(document).encode()
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + data[20 + size :]
    return struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body


@pytest.mark.parametrize("mutate", [mutate_bytes, mutate_document])
def test_mutants_read_or_are_refused(tmp_path, mutate):
    write_glb(make_motion(12), tmp_path / "whole.glb")
    whole = (tmp_path / "whole.glb").read_bytes()
    rng = np.random.default_rng(20)
    read = 0
    for _ in range(1000):
        (tmp_path / "mutant.glb").write_bytes(mutate(whole, rng))
        started = time.perf_counter()
        with contextlib.suppress(MotionloomError):
            read += read_glb(tmp_path / "mutant.glb").n_frames > 0
        assert time.perf_counter() - started < 2
    assert 50 < read < 950  # neither all harmless nor all fatal
