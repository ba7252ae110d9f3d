"""The examples run as they are, in an empty folder with the demo's files beside."""

import runpy
import shutil
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))
#: What an example leaves behind.
WRITTEN = {
    "01_synthesize.py": ["walk.bvh", "walk.png"],
    "02_read_and_convert.py": ["clip.bvh", "first-second-at-60.glb"],
    "05_picture.py": ["demo.png"],
}


@pytest.mark.usefixtures("little_work")
@pytest.mark.parametrize("script", EXAMPLES, ids=lambda p: p.name)
def test_example_runs(script, tmp_path, monkeypatch, demo_folder, capsys):
    shutil.copytree(demo_folder, tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name="__main__")
    for name in WRITTEN.get(script.name, []):
        assert (tmp_path / name).stat().st_size > 1000
    assert WRITTEN.get(script.name) or capsys.readouterr().out.strip()


def test_examples_are_numbered_through():
    assert [int(p.name[:2]) for p in EXAMPLES] == list(range(1, len(EXAMPLES) + 1))
