"""What the client's own tests measure it by: a motion as pages hold it, and what the library makes
of it. Written anew by ``python tests/view/test_client_fixture.py``.
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from motionloom import rotations as rot
from motionloom.kinematics import forward_kinematics
from motionloom.motion import Motion
from motionloom.view._body import build_skin
from motionloom.view.packing import pack_character, pack_motion
from motionloom.view.page import to_inline

PLACE = Path(__file__).resolve().parents[2] / "client" / "tests" / "fixtures" / "walker.json"
FRAMES = (0, 7, 8, 20)
#: Every how many vertices of the skin one is told.
STEP = 97


def skinned(motion: Motion, frame: int) -> np.ndarray:
    """Some vertices of the skin in a frame, by linear blend skinning, (V, 3) metres."""
    skin = build_skin(motion)
    world = forward_kinematics(motion)
    joints = skin.joints[::STEP]
    local = rot.rotate(
        rot.conjugate(skin.rotations[joints]),
        skin.vertices[::STEP, None] - skin.positions[joints],
    )
    places = rot.rotate(world.rotations[frame][joints], local) + world.positions[frame][joints]
    return (skin.weights[::STEP, :, None] * places).sum(axis=1)


def build_fixture(motion: Motion, contacts: dict[str, np.ndarray]) -> dict[str, Any]:
    """The walker as a page holds it, and positions in some frames."""
    world = forward_kinematics(motion)
    halves = rot.slerp(motion.rotations[7], motion.rotations[8], 0.5)
    inside = {
        "character": pack_character(motion, "walker", color="#0072b2"),
        "motion": pack_motion(motion, "walker", contacts=contacts),
    }
    return {
        **json.loads(to_inline(inside)),
        "frames": list(FRAMES),
        "positions": np.round(world.positions[list(FRAMES)], 5).tolist(),
        "between": np.round(halves, 8).tolist(),
        "step": STEP,
        "skin": [np.round(skinned(motion, frame), 5).tolist() for frame in FRAMES],
    }


def plain(value: Any) -> Any:
    """The fixture with bytes in place of gzip, which may differ from zlib to zlib."""
    if isinstance(value, dict) and "gz" in value:
        return np.frombuffer(gzip.decompress(base64.b64decode(value["gz"])), "u1").tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def test_the_fixture_is_what_the_library_writes(make_walker, make_contacts):
    walker = make_walker(21)
    now = build_fixture(walker, make_contacts(walker))
    kept = json.loads(PLACE.read_text())
    for name in ("positions", "between", "skin"):
        np.testing.assert_allclose(now[name], kept[name], atol=2e-5)
    assert plain(now["motion"]) == plain(kept["motion"])
    for name in ("names", "parents", "offsets", "roles", "sides"):
        assert plain(now["character"][name]) == plain(kept["character"][name])


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    from conftest import build_contacts, build_walker

    motion = build_walker(21)
    PLACE.write_text(json.dumps(build_fixture(motion, build_contacts(motion))) + "\n")
