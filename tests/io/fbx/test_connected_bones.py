"""No bone of ours is taken for connected where it moves: Blender would ignore its translation."""

from dataclasses import replace

import numpy as np
import pytest
from blender import Import, find_blender, import_in_blender
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import rotations as rot
from motionloom.io import load_motion, save
from motionloom.io.scenes._writing import build_scene
from motionloom.io.tools import find_tool
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton
from performed import performer_clips
from random_bodies import random_motion

#: Metres that Blender may be off.
NEAR = 1e-4
#: Blender's shortest bone, and the distance within which bones are connected, units of the file.
SHORTEST, CONNECTS = 0.01, 1e-4
#: Files for Blender, and the importers that read them.
PRESETS = [
    *((tool, ".fbx", importer) for tool in ("blender", "unreal", "maya") for importer in "on"),
    ("blender", ".glb", "o"),
    ("blender", ".usda", "o"),
    ("maya", ".usda", "o"),
]
#: One file of every rig, from the folder of captures.
FAMILIES = (
    "bandai_namco/dataset-2_walk_normal_001.bvh",
    "bandai_namco/dataset-2_walk-turn-left_active_001.bvh",
    "cmu_bvh/**/02_01.bvh",
    "cmu_bvh/**/16_*.bvh",
    "cmu_asf_amc/**/16_*.amc",
    "cmu_asf_amc/**/49_*.amc",
    "lafan1/*.bvh",
    "lafan1_60fps/run*.bvh",
    "dog/*.bvh",
    "idle/person000_genuine.bvh",
    "idle/person014_acted.bvh",
    "tennis/*.bvh",
    "speeds/*.bvh",
    "gait_c3d/*.bvh",
)


def tails(rig, unit):
    """Where Blender's importers end the bones of nodes, shape (N, 3), metres."""
    lengths = np.full(len(rig.names), SHORTEST * unit)
    for i in range(len(rig.names)):
        below = np.linalg.norm(rig.translations[rig.parents == i], axis=1)
        lengths[i] = max(lengths[i], below.mean() if len(below) else 0.0)
    return rig.world_positions + lengths[:, None] * rot.rotate(rig.world_rotations, [0, 1, 0])


def connected(motion, unit, rest=None):
    """Names of joints that move in their parents and begin where their parents' bones end."""
    rig = build_scene(motion, rest=rest).characters[0]
    heads = rig.world_positions
    apart = np.linalg.norm(heads - tails(rig, unit)[rig.parents], axis=1)
    return [rig.names[j] for j in rig.pose.moving if j and apart[j] < CONNECTS * unit]


def still_root_above_moving_hips():
    """A walk whose travel is on the hips, with a root joint that stays below them."""
    walk = performer_clips()[0].motion[:40]
    hips = walk.skeleton
    body = Skeleton(
        ("root", *hips.names),
        np.array([-1, *(hips.parents + 1)]),
        np.concatenate([np.zeros((1, 3)), [[0.0, 0.9, 0.0]], hips.offsets[1:]]),
        hips.end_parents + 1,
        hips.end_offsets,
    )
    still = np.broadcast_to(rot.identity(), (walk.n_frames, 1, 4))
    rotations = np.concatenate([still, walk.rotations], axis=1)
    return Motion(body, rotations, walk.translations, walk.frame_time, (1,), name="rooted")


def translation_on_a_limb():
    """A walk whose forearms slide along their upper arms by up to 5 cm."""
    walk = performer_clips()[0].motion[:40]
    moving = [walk.skeleton.index(f"{side}ForeArm") for side in ("Left", "Right")]
    motion = walk.with_translated((0, *moving))
    slide = 0.05 * np.sin(np.linspace(0, 2 * np.pi, walk.n_frames))[:, None, None]
    along = motion.translations[:, 1:]
    along = along + slide * along / np.linalg.norm(along, axis=-1, keepdims=True)
    return replace(motion, translations=np.concatenate([motion.translations[:, :1], along], axis=1))


@pytest.mark.parametrize("unit", [1.0, 0.01])
@pytest.mark.parametrize("rest", ["file", "first", None])
@pytest.mark.parametrize("make", [still_root_above_moving_hips, translation_on_a_limb])
def test_no_moving_joint_begins_where_its_parent_ends(make, rest, unit):
    motion = make()
    assert build_scene(motion, rest=rest).characters[0].pose.moving
    assert connected(motion, unit, rest) == []


@settings(max_examples=50)
@given(seed=st.integers(0, 10_000), size=st.sampled_from([1e-5, 1e-4, 0.01, 1.0]))
def test_no_joint_of_any_tree_does(seed, size):
    motion = random_motion(seed, 7, 4, translated=(0, 1, 2, 4, 6))
    body = motion.skeleton
    small = replace(body, offsets=size * body.offsets, end_offsets=size * body.end_offsets)
    for unit in (1.0, 0.01):
        assert connected(replace(motion, skeleton=small), unit) == []


def test_joints_in_a_fan_are_all_passed():
    # Three joints that move, each where a bone would point that is tilted past the one before.
    angles = np.radians([0.0, 5.0, 10.0])
    fan = np.stack([np.zeros(3), np.cos(angles), np.sin(angles)], axis=1)
    body = Skeleton(
        ("root", "a", "b", "c"), np.array([-1, 0, 0, 0]), np.concatenate([np.zeros((1, 3)), fan])
    )
    still = np.broadcast_to(rot.identity(), (2, 4, 4))
    moved = np.stack([body.offsets, body.offsets + 0.1])
    motion = Motion(body, still, moved, 1 / 30, (0, 1, 2, 3))
    assert connected(motion, 1.0, "file") == []


def test_bones_whose_joints_stay_point_to_them():
    motion = performer_clips()[0].motion[:40]
    rig = build_scene(motion).characters[0]
    for j in range(motion.skeleton.n_joints):
        below = np.flatnonzero(rig.parents == j)
        if len(below) == 1:
            along = rig.translations[below[0]]
            np.testing.assert_allclose(along, [0, np.linalg.norm(along), 0], atol=1e-9)


# --- Blender itself


@pytest.fixture(scope="module")
def blender():
    """A Python that can import Blender."""
    return find_blender()


def _imports(motion, stem, folder):
    made = []
    for tool, suffix, importer in PRESETS:
        path = folder / f"{stem}-{tool}{suffix}"
        save(motion, path, **find_tool(tool).of(suffix))
        back = folder / f"{path.name}-{importer}.fbx" if tool == "blender" else None
        made.append(Import(motion, path, {"o": "old", "n": "new"}[importer], back))
    return made


def _check(blender, motions, folder):
    """Positions in Blender, and in what Blender exports, of all presets and importers."""
    imports = [one for stem, m in motions.items() for one in _imports(m, stem, folder)]
    answers = import_in_blender(blender, imports, folder)
    off = {}
    for one, answer in zip(imports, answers, strict=True):
        truth = forward_kinematics(one.motion).positions
        off[one.file.name, one.importer] = np.abs(answer["rows"] - truth).max()
        if one.exported and one.file.suffix != ".usda":  # Its names are others there.
            again = load_motion(one.exported)
            own = [again.skeleton.index(name) for name in one.motion.skeleton.names]
            back = forward_kinematics(again).positions[:, own]
            off[one.exported.name, "back"] = np.abs(back - truth).max()
    assert {what: f"{metres:.6f}" for what, metres in off.items() if not metres < NEAR} == {}


def test_moving_joints_move_in_blender(blender, tmp_path):
    pytest.importorskip("ufbx", reason="FBX is read by ufbx, which is not installed")
    made = {"root": still_root_above_moving_hips(), "limb": translation_on_a_limb()}
    made = {stem: motion[15:25] for stem, motion in made.items()}
    _check(blender, made, tmp_path)


@pytest.mark.slow
def test_every_rig_of_the_captures_moves_in_blender(blender, shared_data, tmp_path):
    pytest.importorskip("ufbx", reason="FBX is read by ufbx, which is not installed")
    motions = {}
    for pattern in FAMILIES:
        path = min(shared_data.glob(pattern))
        whole = load_motion(path)
        half = whole.n_frames // 2
        motions[path.stem] = whole[half : half + 24]
    _check(blender, motions, tmp_path)
