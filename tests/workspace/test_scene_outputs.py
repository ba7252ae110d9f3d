from pathlib import Path

import pytest

from motionloom.constraints.scene import SceneConstraints
from motionloom.errors import InvalidInputError
from motionloom.workspace.scene_outputs import plan_outputs


def scene():
    body = {"body": [{"time": 1, "position": [0, 0]}]}
    return SceneConstraints.model_validate({"duration": 2, "characters": {"a": body, "b": body}})


def test_the_search_of_a_scene_is_not_kept_and_that_is_said_before_any_work(tmp_path: Path):
    outputs = plan_outputs(tmp_path / "new" / "scene.glb", scene())
    with pytest.raises(
        InvalidInputError, match=r"s\.npz: a search is kept for one motion, not for a scene"
    ):
        outputs.check([], kept=[tmp_path / "s.npz"])
    assert not any(tmp_path.iterdir())


def test_a_scene_needs_no_search_kept(tmp_path: Path):
    plan_outputs(tmp_path / "new" / "scene.glb", scene()).check([], kept=[None])
    assert not any(tmp_path.iterdir())
