"""What small inputs go through instead of compiled code gives the same, bit by bit, and needs no
compiler.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from motionloom import kinematics
from motionloom.io import number_table
from motionloom.io.bvh import write_bvh
from motionloom.performer import performer_clips


def test_kinematics_are_the_same_bit_by_bit(monkeypatch):
    motion = next(iter(performer_clips())).motion
    small = kinematics.forward_kinematics(motion)
    monkeypatch.setattr(kinematics, "_SMALL", 0)
    compiled = kinematics.forward_kinematics(motion)
    assert small.positions.tobytes() == compiled.positions.tobytes()
    assert small.rotations.tobytes() == compiled.rotations.tobytes()


@pytest.mark.parametrize(
    "text",
    [
        b"  1.5 -2\t+3.25\r\n\n-0.123456789 12345.678901 .5\n 7. 0 -0\n9",
        b"1\nroot 0.1 -7.95139e-016\n lfoot nan e5 -3e+2 \n\n2\nroot x_1 4\n1e9 1 x\n",
    ],
)
def test_numbers_are_the_same_bit_by_bit(monkeypatch, text):
    small = number_table._parse_plain(text)
    assert small is not None
    monkeypatch.setattr(number_table, "_SMALL", 0)
    compiled = number_table.parse_rows(text)
    for field in ("values", "starts", "lines", "offsets", "bad"):
        assert getattr(small, field).tobytes() == getattr(compiled, field).tobytes(), field


def test_what_is_not_plain_is_left_to_the_compiled_pass():
    for text in (
        b"",
        b"x nan",
        b"1 -nan",
        b"1_000",
        b"1e23",
        b"1.5e-22",
        b"1e",
        b"- 1",
        b"1.2.3",
        b"1234567890.123456",
        b"99999999999",
        b"1\xa02",
    ):
        assert number_table._parse_plain(text) is None


def test_many_blocks_with_names_are_left_to_the_compiled_pass(monkeypatch):
    monkeypatch.setattr(number_table, "_parse_plain", lambda data: pytest.fail("not compiled"))
    monkeypatch.setattr(number_table._Named, "seen", number_table._PAID)
    assert number_table.parse_rows(b"root 1\n").bad.tolist() == [True]


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
