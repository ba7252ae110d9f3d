"""What is exported is what the command line writes, and other programs read it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from studios import Studio, Window, make_project, open_studio

from motionloom.cli.main import main
from motionloom.io import load_motion
from motionloom.shot import read_shot

pytestmark = pytest.mark.slow
TEXT = """\
shot: 1
fps: 30
library: clips
cast:
  anna: {}
  ben: {start: {position: [1.5, 0], facing: 90}}
tracks:
  anna: [{id: go, do: clip, clip: walk_1.1, to: 1.0}]
  ben: [{id: stay, do: clip, clip: stand, to: 1.0}]
"""
FORMATS = ("glb", "fbx", "usda", "bvh", "html", "report")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio on a shot of two, who need nothing that is learned."""
    shot = make_project(tmp_path_factory.mktemp("exports") / "own")
    shot.write_text(TEXT)
    with open_studio(shot) as one:
        one.log_in()
        yield one


@pytest.fixture(scope="module")
def exported(studio: Studio) -> dict[str, tuple[str, bytes]]:
    """Name and bytes of every format."""
    with studio.window() as window:
        window.greet()
        return {kind: fetched(studio, window, kind) for kind in FORMATS}


@pytest.fixture(scope="module")
def written(studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what the command line writes."""
    out: Path = tmp_path_factory.mktemp("written")
    more = ["--report", str(out / "shot.txt"), "--html", str(out / "shot.html")]
    for suffix in ("glb", "fbx", "usda"):
        command = ["shot", str(studio.shot), "-o", str(out / f"shot.{suffix}")]
        assert main([*command, *(more if suffix == "glb" else [])]) == 0
    return out


def fetched(studio: Studio, window: Window, kind: str) -> tuple[str, bytes]:
    window.say("export", format=kind)
    told = window.hear_until("exported", format=kind)
    answer = studio.client.get(f"/{told['url']}")
    assert answer.status_code == 200
    return told["name"], answer.content


@pytest.mark.parametrize("kind", ["glb", "fbx", "usda", "html"])
def test_the_bytes_are_those_of_the_command_line(
    exported: dict[str, tuple[str, bytes]], written: Path, kind: str
) -> None:
    name, content = exported[kind]
    assert content == (written / name).read_bytes()


def test_the_report_is_that_of_the_command_line(
    exported: dict[str, tuple[str, bytes]], written: Path
) -> None:
    name, content = exported["report"]
    texts = (content.decode(), (written / name).read_text())
    ours, theirs = ([_without_kept(line) for line in text.splitlines()] for text in texts)
    assert ours == theirs


def _without_kept(line: str) -> list[str]:
    """The words of a line but the last of a span: whether it was kept differs from run to run."""
    words = line.split()
    return words[:-1] if words[-1:] in (["yes"], ["no"]) else words


def test_several_characters_are_an_archive_of_bvh_files(
    exported: dict[str, tuple[str, bytes]], written: Path
) -> None:
    name, content = exported["bvh"]
    assert name == "shot.zip"
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.namelist() == ["shot-anna.bvh", "shot-ben.bvh"]
        for one in archive.namelist():
            assert archive.read(one) == (written / one).read_bytes()


def test_another_reader_finds_both_in_the_usd_file(
    exported: dict[str, tuple[str, bytes]], tmp_path: Path
) -> None:
    usd = pytest.importorskip("pxr.Usd")
    skel = pytest.importorskip("pxr.UsdSkel")
    place = tmp_path / "shot.usda"
    place.write_bytes(exported["usda"][1])
    stage = usd.Stage.Open(str(place))
    prims = list(stage.Traverse())
    animations = [skel.Animation(one) for one in prims if one.IsA(skel.Animation)]
    assert len([one for one in prims if one.IsA(skel.Skeleton)]) == 2
    assert [len(one.GetRotationsAttr().GetTimeSamples()) for one in animations] == [31, 31]


def test_another_reader_finds_both_in_the_gltf_file(
    exported: dict[str, tuple[str, bytes]],
) -> None:
    gltf: Any = pytest.importorskip("pygltflib")
    found = gltf.GLTF2.load_from_bytes(exported["glb"][1])
    times = found.accessors[found.animations[0].samplers[0].input]
    assert len(found.skins) == 2
    assert times.count == 31
    np.testing.assert_allclose(times.max, [1.0], atol=1e-6)


def test_the_fbx_file_is_read_back(exported: dict[str, tuple[str, bytes]], tmp_path: Path) -> None:
    place = tmp_path / "shot.fbx"
    place.write_bytes(exported["fbx"][1])
    assert load_motion(place).n_frames == 31


def test_what_cannot_be_exported_is_told_with_the_line_of_the_file(studio: Studio) -> None:
    line = TEXT.splitlines().index("  anna: [{id: go, do: clip, clip: walk_1.1, to: 1.0}]") + 1
    with studio.window() as window:
        window.greet()
        rev = studio.session.document.rev
        op = {"op": "set", "path": ["tracks", "anna", 0, "clip"], "value": "run", "old": "walk_1.1"}
        window.edit(rev, op)
        assert read_shot(studio.shot).shot.tracks["anna"][0].clip == "run"
        window.say("export", format="bvh")
        problem = window.hear_until("problem")
        window.say("undo")
        window.hear_until("shot")
    assert "run" in problem["message"]
    assert problem["line"] == line
