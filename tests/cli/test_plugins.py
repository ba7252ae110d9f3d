"""What others wrote is found: in files that are named, and in installed packages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from motionloom import plugins
from motionloom.cli.main import main
from motionloom.constraints import forget_kind
from motionloom.constraints.kinds.table import KINDS
from motionloom.io import registry as formats
from motionloom.io import save
from motionloom.synthesis import faults, generator
from performed import performer_clips

DOCS = Path(__file__).parents[2] / "docs"

CHECK = """
from motionloom.analysis.faults.find import Fault
from motionloom.synthesis import register_check

def always(moved):
    return [Fault("toy", 0.5, 0.5, 2.0, 1.0, True, f"toy fault of {moved.posed.n_frames} frames")]

register_check("toy", always)
"""
FORMAT = """
import numpy as np
from motionloom.motion import Motion
from motionloom.io.bvh import read_bvh, write_bvh
from motionloom.io.registry import Format, register_format

def read(path, **options):
    return read_bvh(path, **{k: v for k, v in options.items() if k == "strict"})

def write(motion, path, skeleton=None, **options):
    write_bvh(motion, path)

TOY = Format("toy", ".toy", Motion, lambda head: False, read=read, write=write, has_rate=True)
"""
KIND = """
from pydantic import Field
from motionloom.constraints import Kind
from motionloom.constraints.kinds._kind import entries
from motionloom.constraints.values import Span
from motionloom.constraints.values import Number, Time

class Glow(Span):
    begin: Time = Field(alias="from")
    end: Time = Field(alias="to")
    value: Number = Field(description="a number", json_schema_extra={"example": 1.0})

GLOW = Kind(name="glow", item="glow", model=Glow, field=entries("glows", "[]"), asks="nothing")
"""


@pytest.fixture(autouse=True)
def known_before(monkeypatch):
    """What a test registers is forgotten when it ends."""
    for module, name in ((faults, "_CHECKS"), (formats, "_others"), (generator, "_registered")):
        monkeypatch.setattr(module, name, dict(getattr(module, name)))
    monkeypatch.setattr(plugins, "_loaded", set())
    before = set(KINDS)
    yield
    for name in set(KINDS) - before:
        forget_kind(name)


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clips")
    for clip in performer_clips():
        if clip.motion.name in ("walk_1.1", "stand"):
            save(clip.motion, folder / f"{clip.motion.name}.bvh")
    return folder


def toy_generator():
    """The toy of the documentation, as it is printed there."""
    text = (DOCS / "architecture.md").read_text()
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]


def wish(folder):
    path = folder / "poses.yaml"
    path.write_text(
        "duration: 1.0\nposes:\n- {time: 0.0, clip: walk_1.1, frame: 40}\n"
        "- {time: 1.0, clip: stand, frame: 10}\n"
    )
    return str(path)


def package(folder, monkeypatch, group, name, value, text):
    """An installed package with one entry point."""
    (folder / "toy_package.py").write_text(text)
    info = folder / "toy_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "toy_package", raising=False)


def synthesize(clips, folder, *words, generator="keys"):
    output = folder / "out.bvh"
    asked = ["synthesize", str(clips), "-c", wish(folder), "--generator", generator]
    return main([*words, *asked, "-o", str(output), "--json"]), output


def test_the_documented_generator_runs_from_the_command_line(clips, tmp_path, capsys):
    (tmp_path / "keys.py").write_text(toy_generator())
    code, output = synthesize(clips, tmp_path, "--plugin", str(tmp_path / "keys.py"))
    report = json.loads(capsys.readouterr().out)
    assert code in (0, 1)
    assert output.exists()
    assert report["generator"] == "keys"
    assert report["score_meaning"] == "always 0: there is one answer"
    assert report["frames_wanted"] == 31


def test_a_new_process_needs_nothing_but_the_file(clips, tmp_path):
    (tmp_path / "keys.py").write_text(toy_generator())
    words = ["--plugin", "keys.py", "synthesize", str(clips), "-c", wish(tmp_path)]
    words += ["--generator", "keys", "-o", "out.bvh"]
    done = subprocess.run(
        [sys.executable, "-m", "motionloom", *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stderr
    assert "score of keys  0 (always 0: there is one answer)" in done.stdout
    assert (tmp_path / "out.bvh").exists()


def test_a_generator_that_does_not_explain_its_score_is_not_explained_by_another_s_unit(
    clips, tmp_path, capsys
):
    text = re.sub(r"    score_meaning = [^\n]*\n", "", toy_generator())
    (tmp_path / "keys.py").write_text(text)
    synthesize(clips, tmp_path, "--plugin", str(tmp_path / "keys.py"))
    meaning = json.loads(capsys.readouterr().out)["score_meaning"]
    assert meaning == "smaller is better; this generator does not say what it counts"


def test_generators_of_packages_are_found_by_name(clips, tmp_path, capsys, monkeypatch):
    text = toy_generator().replace("register_generator(KeysGenerator())", "")
    package(tmp_path, monkeypatch, plugins.GENERATORS, "keys", "toy_package:KeysGenerator", text)
    code, output = synthesize(clips, tmp_path)
    assert code in (0, 1)
    assert output.exists()
    capsys.readouterr()
    assert synthesize(clips, tmp_path, generator="kyes")[0] == 2
    assert "generators there are: gait, graph, idle, inbetween, keys, model" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize("from_package", [True, False])
def test_a_format_of_others_is_read_and_written(clips, tmp_path, monkeypatch, from_package):
    first = []
    if from_package:
        package(tmp_path, monkeypatch, plugins.FORMATS, "toy", "toy_package:TOY", FORMAT)
    else:
        (tmp_path / "toy.py").write_text(f"{FORMAT}\nregister_format(TOY)\n")
        first = ["--plugin", str(tmp_path / "toy.py")]
    there, back = tmp_path / "stand.toy", tmp_path / "back.bvh"
    assert main([*first, "convert", str(clips / "stand.bvh"), str(there)]) == 0
    assert main([*first, "convert", str(there), str(back)]) == 0
    assert back.read_text().startswith("HIERARCHY")


def test_a_kind_of_a_package_is_a_field_of_constraint_files(clips, tmp_path, monkeypatch, capsys):
    package(tmp_path, monkeypatch, plugins.KINDS, "glow", "toy_package:GLOW", KIND)
    asked = tmp_path / "glow.yaml"
    asked.write_text("duration: 1.0\nglow:\n- {from: 0.0, to: 0.5, value: 2}\n")
    output = str(tmp_path / "out.bvh")
    assert main(["synthesize", str(clips), "-c", str(asked), "-o", output]) == 2
    assert "glow: a motion cannot honour this" in capsys.readouterr().err
    # A generator that honours it gets it.
    poses = Path(wish(tmp_path))
    poses.write_text(poses.read_text() + "glow:\n- {from: 0.0, to: 0.5, value: 2}\n")
    toy = toy_generator().replace('frozenset({"poses"})', 'frozenset({"poses", "glow"})')
    (tmp_path / "keys.py").write_text(toy)
    words = ["synthesize", str(clips), "-c", str(poses), "--generator", "keys", "-o", output]
    assert main(["--plugin", str(tmp_path / "keys.py"), *words]) in (0, 1)
    capsys.readouterr()
    asked.write_text("duration: 1.0\nglow:\n- {from: 0.0, to: 0.5}\n")
    assert main(["synthesize", str(clips), "-c", str(asked), "-o", output]) == 2
    assert "glow" in capsys.readouterr().err


def test_what_a_check_of_others_finds_is_a_problem(clips, tmp_path, capsys):
    (tmp_path / "keys.py").write_text(toy_generator())
    (tmp_path / "toy.py").write_text(CHECK)
    both = ["--plugin", str(tmp_path / "keys.py"), "--plugin", str(tmp_path / "toy.py")]
    code, _ = synthesize(clips, tmp_path, *both)
    report = json.loads(capsys.readouterr().out)
    assert code == 1
    assert "toy fault of 31 frames" in report["problems"]
    (tmp_path / "toy.py").write_text(CHECK.replace('[Fault("toy"', '["toy"] or [Fault("toy"'))
    (tmp_path / "out.bvh").unlink()
    code, output = synthesize(clips, tmp_path, *both)
    assert (code, output.exists()) == (2, False)
    assert "the check 'toy' gave 'toy'; expected Faults" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = (", "not valid Python"),
        ("import nothing_like_that", "running it failed with ModuleNotFoundError"),
        ("x = 1\n\n1 / 0", "mine.py:3: running it failed with ZeroDivisionError"),
        ("raise SystemExit(0)", "running it failed with SystemExit"),
        ("x = 1", "it registers nothing; expected it to call register_generator"),
        ("import motionloom.synthesis as s; s.register_generator(3)", "3 is no generator"),
        ("import motionloom.synthesis as s; s.register_check('a', 3)", "3 is no check"),
        ("import motionloom.io.registry as r; r.register_format('.x')", "'.x' is no format"),
        ("import motionloom.constraints as c; c.register_kind(str)", "no kind of constraint"),
        (FORMAT.replace('".toy"', '".bvh"') + "register_format(TOY)", "take another"),
    ],
)
def test_a_file_that_is_no_plug_in_is_refused_in_one_sentence(tmp_path, capsys, text, said):
    (tmp_path / "mine.py").write_text(text)
    assert main(["--plugin", str(tmp_path / "mine.py"), "info", "none.bvh"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "mine.py" in error
    assert error.count("\n") == 1


def test_a_plug_in_that_is_not_there_is_named(capsys):
    assert main(["--plugin", "nowhere/mine.py", "info", "none.bvh"]) == 2
    error = capsys.readouterr().err
    assert "nowhere/mine.py" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("value", "text", "said"),
    [
        ("toy_package:Keys", "Keys = 3", "3 is no generator"),
        ("toy_package:Keys", "", "AttributeError"),
        ("toy_package:Keys", "import nothing_like_that", "ModuleNotFoundError"),
    ],
)
def test_a_package_s_fault_is_told_with_its_name(
    clips, tmp_path, capsys, monkeypatch, value, text, said
):
    package(tmp_path, monkeypatch, plugins.GENERATORS, "keys", value, text)
    code, output = synthesize(clips, tmp_path)
    error = capsys.readouterr().err
    assert (code, output.exists()) == (2, False)
    assert said in error
    assert "plug-in 'keys'" in error
    assert "toy-package" in error


def test_no_plug_in_is_loaded_from_a_folder_by_itself(clips, tmp_path, monkeypatch, capsys):
    (tmp_path / "keys.py").write_text(toy_generator())
    (tmp_path / "motionloom_plugins.py").write_text("raise SystemExit('run')")
    monkeypatch.chdir(tmp_path)
    assert synthesize(clips, tmp_path)[0] == 2
    assert "there is no generator 'keys'" in capsys.readouterr().err
