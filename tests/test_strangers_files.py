"""No command removes, replaces or follows what others have put into and around its folders.

Random files, folders and links, with names of our own formats among them, are put wherever a
command writes. After it all that was there is as it was, but for what motionloom itself had made. A
command may refuse, in one sentence."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import os
import pkgutil
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import motionloom
from folders import state_of
from motionloom.cli.main import main
from motionloom.io.files import PART, write_file
from motionloom.io.registry import save
from motionloom.io.written import FILE_NAME as RECORD
from motionloom.marker_motion import MarkerSequence
from walkers import make_walker

#: Cases in one test, and tests of each kind of command.
CASES = 8
CLIPS = ("walk_0", "walk_1", "walk_2")
HEX = "0123456789abcdef"
NAMES = [
    "library.json",
    "zarr.json",
    "clips",
    ".lock",
    ".scratch",
    f".scratch{PART}",
    f".journal{PART}",
    "graph",
    "rows",
    "head.json",
    "graph.npz",
    "rotations",
    "body",
    "c",
    "0",
    RECORD,
    "take1.part",
    f"take1{PART}",
    f".take1.bvh.a1b2c3d4{PART}x",
    ".library.json.abc.part",
    ".head.json.abc.part",
    "my_new_takes",
    "walk_0-0123456789ab",
    "0123456789abcdef01234567.npz",
    *(f"{hashlib.sha256(name.encode()).hexdigest()[:24]}.npz" for name in CLIPS),
    f"zarr.{HEX * 2}.partial",
    f"{HEX * 2}{PART}x",
    "notes.txt",
    ".hidden",
    "walk_0.bvh",
    os.fsdecode(b"t\xe4nzer.bvh"),
]


@dataclass(frozen=True)
class Kind:
    """A command to try.

    Parameters
    ----------
    prepare : callable
        Makes what is there before, below a folder; returns the folders that others put things into.
    arguments : callable
        Of the command, drawn at random.
    names : tuple of str
        More names of things that others have, such as those of its outputs.
    may_change : tuple of str
        Beginnings of the paths that motionloom made in `prepare` and may change.
    """

    prepare: Callable[[Path], list[str]]
    arguments: Callable[[random.Random], list[str]]
    names: tuple[str, ...] = ()
    may_change: tuple[str, ...] = ("lib/",)


def scatter(root: Path, places: list[str], names: list[str], rng: random.Random) -> None:
    """Put things of others into folders: files, folders, links of both kinds; or links in place of
    what is there.
    """
    for i in range(rng.randint(1, 6)):
        path = root / rng.choice(places) / rng.choice(names)
        own = root / f"outside/own-{i}"
        if (
            rng.random() < 0.2
            and path.parent.is_dir()
            and (there := sorted({*os.listdir(path.parent)} - {"in", "outside"}))
        ):
            path = path.parent / rng.choice(there)
        if path.parent.is_symlink() or not path.parent.is_dir():
            continue
        if os.path.lexists(path):
            if rng.random() < 0.3 and not path.is_symlink():
                path.rename(own)
                _link(path, own, rng)
            continue
        kind = rng.choice(["file", "file", "folder", "full", "link", "dangling", "loop", "hard"])
        content = rng.choice([b"mine", b"", b"{}", b'{"motionloom_library": 1}', rng.randbytes(40)])
        if kind == "file":
            path.write_bytes(content or b"-")
        elif kind == "folder":
            path.mkdir()
        elif kind == "full":
            (path / rng.choice(["sub", "c", "rotations"])).mkdir(parents=True)
            (path / rng.choice(["zarr.json", "walk.bvh", "notes.txt"])).write_bytes(content)
        elif kind == "hard":
            os.link(root / "outside/file.bvh", path)
        else:
            targets = {
                "link": [root / "outside", root / "outside/file.bvh", root / "lib", Path("..")]
            }
            path.symlink_to(
                rng.choice(targets.get(kind, [path if kind == "loop" else root / "nowhere"]))
            )


def _link(path: Path, own: Path, rng: random.Random) -> None:
    if own.is_file() and rng.random() < 0.3:
        os.link(own, path)
    else:
        path.symlink_to(own)


def is_nothing(path: str, state: tuple[str, str]) -> bool:
    """Whether nothing is lost with it: empty, and called like our temporary files or our record."""
    name = os.path.basename(path)
    empty = state in (("folder", ""), ("file", hashlib.sha256(b"").hexdigest()))
    return empty and name in (f".scratch{PART}", f".journal{PART}", RECORD)


def run_cases(
    kind: Kind, seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch, cases: int = CASES
) -> list[int]:
    """Try a kind of command in random surroundings; returns the exit codes."""
    rng, codes = random.Random(seed), []
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr("motionloom.library.writer.sync_file_system", lambda _: None)
    for case in range(cases):
        root = folder / f"case-{case}"
        (root / "outside/folder").mkdir(parents=True)
        (root / "outside/file.bvh").write_text("HIERARCHY\n")
        (root / "outside/folder/photo.npz").write_bytes(b"photo")
        places = kind.prepare(root)
        ours = state_of(root)
        scatter(root, places, [*NAMES, *kind.names], rng)
        before = state_of(root)
        monkeypatch.chdir(root)
        arguments = kind.arguments(rng)
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()) as said,
        ):
            code = main(arguments)
        about = f"seed {seed}, case {case}: {arguments}: {said.getvalue()}"
        assert code in (0, 1, 2), about
        codes.append(code)
        after = state_of(root)
        for path, state in before.items():
            mine = ours.get(path) == state and path.startswith(kind.may_change)
            if not mine and not is_nothing(path, state):
                assert after.get(path) == state, f"{path} is lost; {about}"
        monkeypatch.chdir(folder)
        shutil.rmtree(root)
    return codes


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Three short clips, a library of two of them with its graph, and the same without."""
    from motionloom.graph.storage.disk import build_on_disk
    from motionloom.library import add_clips, create_library, open_library
    from motionloom.library.clip_set import clip_set_from_library

    root = tmp_path_factory.mktemp("made")
    (root / "in").mkdir()
    for i, name in enumerate(CLIPS):
        save(make_walker(60 + i, phase=0.5 * i, vary=0.2), root / f"in/{name}.bvh")
    create_library(root / "lib")
    add_clips(root / "lib", [root / f"in/{name}.bvh" for name in CLIPS[:2]])
    shutil.copytree(root / "lib", root / "plain")
    build_on_disk(clip_set_from_library(open_library(root / "lib")), root / "lib/graph")
    (root / "in/wish.yaml").write_text(
        "duration: 1.0\nbody:\n  - {time: 0.0, position: [0, 0], facing: 0}\n"
    )
    start = "{duration: 1.0, body: [{time: 0.0, position: [0, 0], facing: 0}]}"
    (root / "in/scene.yaml").write_text(f"duration: 1.0\ncharacters:\n  a: {start}\n  b: {start}\n")
    return root


def with_clips(made, root):
    shutil.copytree(made / "in", root / "in")
    (root / "out").mkdir()


def creating(made):
    def prepare(root):
        with_clips(made, root)
        (root / "lib").mkdir()
        return ["lib", "lib/clips", "."]

    def arguments(rng):
        return [
            "library",
            "create",
            "lib",
            *rng.choice([[], [], ["in/walk_0.bvh"], ["lib"], ["lib/clips"]]),
        ]

    return Kind(prepare, arguments, may_change=("-",))


def changing(made):
    def prepare(root):
        with_clips(made, root)
        shutil.copytree(made / "plain", root / "lib")
        clips = [f"lib/clips/{p.name}" for p in (root / "lib/clips").iterdir() if p.is_dir()]
        chunk = next((root / "lib/clips").glob("walk_1-*/body/c/0/0"))
        chunk.write_bytes(b"damaged")
        return [
            "lib",
            "lib",
            "lib/clips",
            "lib/clips",
            *clips,
            *(f"{clip}/rotations" for clip in clips),
        ]

    def arguments(rng):
        return rng.choice(
            [
                ["library", "add", "lib", "in/walk_0.bvh"],
                ["library", "add", "lib", "in/walk_2.bvh"],
                ["library", "add", "lib", "in/walk_0.bvh", "--unit", "0.9"],
                ["library", "add", "lib", "lib"],
                ["library", "remove", "lib", "walk_0"],
                ["library", "remove", "lib", "*"],
                ["library", "check", "lib", "--repair"],
            ]
        )

    return Kind(prepare, arguments, tuple(p.name for p in (made / "lib/clips").iterdir()))


def building(made):
    def prepare(root):
        with_clips(made, root)
        shutil.copytree(made / "lib", root / "lib")
        shutil.copytree(made / "lib/graph", root / "out/g")
        return ["lib", "lib/graph", "lib/graph", "lib/graph/rows", "out", "out/g", "out/g/rows"]

    def arguments(rng):
        where = rng.choice(
            [["lib"], ["lib", "-o", "out/g"], ["lib", "-o", "out/h"], ["lib", "-o", "out"]]
        )
        less = rng.choice([[], ["--only", "walk_0"]])
        return ["graph", "build", *where, *less, *rng.choice([[], ["--force"]])]

    names = ("g", "h", *3 * ("head.json", "graph.npz"))
    return Kind(prepare, arguments, names, may_change=("lib/graph/", "out/g/"))


def writing_files(made, commands, outputs):
    def prepare(root):
        with_clips(made, root)
        return ["out", "out", "."]

    return Kind(prepare, lambda rng: rng.choice(commands).split(), outputs, may_change=("-",))


@pytest.fixture
def quick(monkeypatch, made):
    """Searching, fitting and drawing prove nothing here: what would be written is written, in
    short.
    """

    # A module that is imported while something is replaced would keep the replacement.
    for module in pkgutil.walk_packages(motionloom.__path__, "motionloom."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)

    def draw(position):
        return lambda *arguments, **_: write_file(arguments[position], "drawn")

    text = SimpleNamespace(to_json=lambda: "{}\n", to_text=lambda: "figures\n", problems=())
    clip = make_walker(40)
    figures = SimpleNamespace(skate_mean=1.0, seam_acceleration=1.0, acceleration_p99=1.0)
    finished = SimpleNamespace(motion=clip, contacts=SimpleNamespace(by_foot=dict), quality=figures)
    report = SimpleNamespace(**vars(text), seed=0, sources=figures, rows=())
    synthesis = SimpleNamespace(finished=(finished, finished), motion=clip, report=report)

    def make(_clips, _asked, options, **_):
        state = getattr(getattr(options.generator, "search", None), "state_file", None)
        if state is not None:
            if state.exists():
                from motionloom.errors import FormatError

                raise FormatError("this is not the state of a search", state)
            write_file(state, "state")
        return synthesis

    monkeypatch.setattr("motionloom.synthesis.driver.synthesize", make)
    monkeypatch.setattr("motionloom.scene.solve.fit_cast", lambda *_, **__: {})
    scene = SimpleNamespace(
        motions={"a": clip, "b": clip},
        contacts={},
        report=SimpleNamespace(**vars(synthesis.report), events=(), overlaps=()),
    )
    monkeypatch.setattr("motionloom.scene.solve.synthesize_scene", lambda *_: scene)
    monkeypatch.setattr("motionloom.view.write_page", draw(1))
    monkeypatch.setattr("motionloom.view.write_contact_sheet", draw(1))
    monkeypatch.setattr("motionloom.view.scene_sheet.write_scene_sheet", draw(1))
    monkeypatch.setattr("motionloom.view.page.write_scene_page", draw(1))
    monkeypatch.setattr("motionloom.studio.run._serve", lambda *_: None)
    markers = MarkerSequence(("LFHD",), np.zeros((2, 1, 3)), np.ones((2, 1), bool), 0.1)
    files = {"clips/walk.bvh": partial(save, clip), "markers.trc": partial(save, markers)}
    monkeypatch.setattr("motionloom.performer.demo_files.demo_files", lambda _: dict(files))


LINES = {
    "convert": [
        "convert in/walk_0.bvh out/a.bvh",
        "convert in/walk_0.bvh out/a.glb",
        "convert in/walk_0.bvh out/a.fbx",
        "convert in/walk_0.bvh out/a.usda",
        "convert in/walk_0.bvh out/a.mot",
        "convert in/walk_1.bvh a.bvh",
    ],
    "synthesize": [
        "synthesize in/walk_0.bvh -c in/wish.yaml -o out/a.bvh --alternatives 2"
        " --report out/a.json --png out/a.png",
        "synthesize in/walk_0.bvh -c in/wish.yaml -o out/a.bvh --state out/s.npz --html out/a.html",
        "synthesize in/walk_0.bvh -c in/scene.yaml -o out/a.glb"
        " --report out/a.json --html out/a.html --png out/a.png",
    ],
    "demo": ["demo -o out"],
    "studio": [
        "studio out/shot.yaml --library in --no-browser",
        "studio out/shot.yaml --no-browser",
        "studio out/new/shot.yaml --no-browser",
    ],
}
OUTPUTS = (
    *(
        "a.bvh",
        "a-2.bvh",
        "walk_1.bvh",
        "walk_0.png",
        "walk_0.html",
        "a.xml",
        "a-a.bvh",
        "a-b.bvh",
        "a.glb",
        "a.csv",
        "walk_1.npz",
        "a.fbx",
        "a.usda",
        "a.mot",
        "a.json",
        "a.html",
        "a.png",
        "s.npz",
        "clips",
        "report.txt",
        "shot.yaml",
        "shot.studio",
        "shot.studio/lock",
        "shot.studio/journal.jsonl",
    ),
    *(
        "report.json",
        "constraints.yaml",
        "scene.yaml",
        "markers.trc",
        "motion.bvh",
        "motion.glb",
        "motion.html",
        "motion.png",
    ),
)


@pytest.mark.parametrize("seed", range(16))
def test_create(made, seed, tmp_path, monkeypatch):
    run_cases(creating(made), seed, tmp_path, monkeypatch)


@pytest.mark.parametrize("seed", range(16))
def test_add_remove_and_repair(made, seed, tmp_path, monkeypatch):
    run_cases(changing(made), seed, tmp_path, monkeypatch)


@pytest.mark.parametrize("seed", range(10))
def test_graph_build(made, seed, tmp_path, monkeypatch):
    run_cases(building(made), seed, tmp_path, monkeypatch)


@pytest.mark.parametrize("command", LINES)
@pytest.mark.parametrize("seed", range(3))
def test_files_that_commands_write(made, quick, command, seed, tmp_path, monkeypatch):
    kind = writing_files(made, LINES[command], OUTPUTS)
    codes = run_cases(kind, seed, tmp_path, monkeypatch)
    assert 0 in codes
