"""Where Blender has the bones of our files; skipped with a reason where it is not installed.

``MOTIONLOOM_BLENDER`` names a Python that has the package ``bpy``.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parent / "fbx" / "loaders" / "blender_imports.py"


@dataclass(frozen=True, eq=False)
class Import:
    """A motion's file, the importer of FBX to read it with, and where Blender exports it again."""

    motion: object
    file: Path
    importer: str = "old"
    exported: Path | None = None

    def order(self):
        """The job as Blender's script takes it."""
        names = self.motion.skeleton.names
        if self.file.suffix == ".usda":  # Names of USD have letters, digits and _ only.
            names = ["".join(c if c.isalnum() else "_" for c in name) for name in names]
        return {
            "file": str(self.file),
            "importer": self.importer,
            "names": list(names),
            "frames": self.motion.n_frames,
            "fps": self.motion.fps,
            "exported": str(self.exported or ""),
        }


def find_blender():
    """A Python that can import Blender."""
    python = os.environ.get("MOTIONLOOM_BLENDER") or (sys.executable if find_spec("bpy") else "")
    if not python:
        pytest.skip("needs Blender: a Python with bpy in MOTIONLOOM_BLENDER")
    return python


def import_in_blender(python, imports, folder):
    """The answers to all jobs, one process for all; ``rows`` are positions (T, J, 3)."""
    jobs = folder / "jobs.json"
    out = folder / "out.json"
    jobs.write_text(json.dumps([one.order() for one in imports]))
    command = [python, str(SCRIPT), str(jobs), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-1000:] + done.stdout[-1000:]
    answers = json.loads(out.read_text())
    return [{**answer, "rows": np.array(answer["rows"], float)} for answer in answers]
