"""What three.js and Blender read of our files; skipped with a reason where they are not installed.

``MOTIONLOOM_THREE`` names the folder of the npm package ``three``, ``MOTIONLOOM_BLENDER`` a Python
that has the package ``bpy``.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from blender import Import, find_blender, import_in_blender

from motionloom.io.fbx import read_fbx, write_fbx
from motionloom.io.usd import write_usda
from motionloom.kinematics import forward_kinematics
from performed import performer_clips

LOADERS = Path(__file__).parent / "loaders"
#: Metres that other programs may be off.
NEAR = 5e-4


@pytest.fixture(scope="module")
def three():
    """Folder of three.js."""
    folder = os.environ.get("MOTIONLOOM_THREE", "")
    if shutil.which("node") is None or not Path(folder, "build/three.module.js").is_file():
        pytest.skip("needs node, and the folder of three.js in MOTIONLOOM_THREE")
    return folder


@pytest.fixture(scope="module")
def blender():
    """A Python that can import Blender."""
    return find_blender()


@pytest.fixture(scope="module")
def motion():
    return performer_clips()[0].motion[:60]


def _run(command, out):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300)
    assert out.exists(), done.stderr[-1000:] + done.stdout[-1000:]
    found = json.loads(out.read_text())
    return np.array(found["rows"], float), found


@pytest.mark.parametrize("up", ["y", "z"])
def test_three(three, motion, tmp_path, up):
    path, out = tmp_path / "m.fbx", tmp_path / "out.json"
    write_fbx(motion, path, up=up)
    names = json.dumps(motion.skeleton.names)
    script = LOADERS / "three_positions.mjs"
    frames = str(motion.n_frames)
    command = ["node", script, three, path, repr(motion.frame_time), frames, names, out]
    rows, found = _run(command, out)
    assert found["skinned"] == motion.skeleton.n_joints
    # It turns a file with Z up upright itself, and leaves centimetres.
    assert np.abs(rows / 100 - forward_kinematics(motion).positions).max() < NEAR


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("importer", ["old", "new"])
def test_blender(blender, motion, tmp_path, up, importer):
    path = tmp_path / "m.fbx"
    write_fbx(motion, path, up=up)
    (found,) = import_in_blender(blender, [Import(motion, path, importer)], tmp_path)
    assert np.abs(found["rows"] - forward_kinematics(motion).positions).max() < NEAR
    assert found["fps"] == pytest.approx(motion.fps)
    assert found["vertices"] > 0


@pytest.mark.parametrize("up", ["y", "z"])
def test_blender_reads_usd(blender, motion, tmp_path, up):
    path = tmp_path / "m.usda"
    write_usda(motion, path, up=up)
    (found,) = import_in_blender(blender, [Import(motion, path)], tmp_path)
    assert np.abs(found["rows"] - forward_kinematics(motion).positions).max() < NEAR


def test_what_blender_exports_is_read(blender, motion, tmp_path):
    pytest.importorskip("ufbx", reason="FBX is read by ufbx, which is not installed")
    path, made = tmp_path / "m.fbx", tmp_path / "made.fbx"
    write_fbx(motion, path)
    imports = [Import(motion, path, exported=made)]
    (answer,) = import_in_blender(blender, imports, tmp_path)
    again = read_fbx(made)
    own = [again.skeleton.index(name) for name in motion.skeleton.names]
    found = forward_kinematics(again).positions[:, own]
    assert again.n_frames == motion.n_frames
    assert again.frame_time == pytest.approx(motion.frame_time, rel=1e-6)
    assert np.abs(found - answer["rows"]).max() < NEAR
    assert np.abs(found - forward_kinematics(motion).positions).max() < NEAR
