"""What tests of readers and writers share: damage to files (`mutations`, `fuzzing`), and a tiny
ASF/AMC pair.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
FILES = Path(__file__).parent / "files"


@pytest.fixture
def make_acclaim(tmp_path):
    """Write an ASF/AMC pair, by default the tiny one with pieces replaced, and return the path of
    the AMC.
    """

    def write(asf=None, amc=None, changes=(), newline="\n"):
        asf = (FILES / "tiny.asf").read_text() if asf is None else asf
        amc = (FILES / "tiny_01.amc").read_text() if amc is None else amc
        for old, new in changes:
            assert (old in asf) != (old in amc)
            asf, amc = asf.replace(old, new), amc.replace(old, new)
        (tmp_path / "tiny.asf").write_bytes(asf.replace("\n", newline).encode())
        (tmp_path / "tiny_01.amc").write_bytes(amc.replace("\n", newline).encode())
        return tmp_path / "tiny_01.amc"

    return write
