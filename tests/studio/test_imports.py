"""The studio's packages are loaded by the studio alone."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
import motionloom, motionloom.cli._app
mine = ("starlette", "uvicorn", "msgpack", "ruamel", "websockets")
assert not [name for name in sys.modules if name.split(".")[0] in mine]
import motionloom.studio.run
heavy = ("motionloom.shot.making", "motionloom.graph", "motionloom.idle", "matplotlib", "numba")
assert not [name for name in sys.modules if name in heavy], heavy
"""


def test_the_page_waits_for_nothing_that_makes_motions() -> None:
    subprocess.run([sys.executable, "-c", CODE], check=True)
