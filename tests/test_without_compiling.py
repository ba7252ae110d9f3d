"""What small inputs go through instead of compiled code gives the same, bit by bit, and needs no
compiler.
"""

from __future__ import annotations

import subprocess
import sys

from motionloom import kinematics
from motionloom.io.bvh import write_bvh
from motionloom.performer import performer_clips


def test_kinematics_are_the_same_bit_by_bit(monkeypatch):
    motion = next(iter(performer_clips())).motion
    small = kinematics.forward_kinematics(motion)
    monkeypatch.setattr(kinematics, "_SMALL", 0)
    compiled = kinematics.forward_kinematics(motion)
    assert small.positions.tobytes() == compiled.positions.tobytes()
    assert small.rotations.tobytes() == compiled.rotations.tobytes()


def test_info_and_convert_of_a_small_file_import_no_compiler(tmp_path):
    write_bvh(next(iter(performer_clips())).motion, tmp_path / "a.bvh")
    script = (
        "import sys; from motionloom.cli.main import main; "
        "assert main(['info', 'a.bvh']) == 0; assert main(['convert', 'a.bvh', 'b.glb']) == 0; "
        "heavy = {'numba', 'scipy', 'matplotlib'} & sys.modules.keys(); assert not heavy, heavy"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
