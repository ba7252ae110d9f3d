"""Every command and every option that is a file or folder: what others have there stays.

The cases are made from the command line itself, so that a new command is covered as it is added.
What commands read here cannot be read: a place in which nothing may be written is refused before.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.command_files import CHANGED, KEPT, Command, all_the_commands
from folders import state_of
from motionloom.cli.main import main
from motionloom.errors import InvalidInputError

COMMANDS = list(all_the_commands())
WRITERS = [one for one in COMMANDS if one.written or one.own.folders or one.name in KEPT]

SHOT = """shot: 1
library: clips
cast: {anna: {}, ben: {}}
tracks:
  anna: [{id: one, do: idle, for: 1}]
  ben: [{id: two, do: idle, for: 1}]
"""
POSE = "joints:\n  - {joint: Head, position: [0.0, 1.4, 0.1]}\n"
WISH = "duration: 1.0\nbody:\n  - {time: 0.0, position: [0, 0], facing: 0}\n"


@pytest.fixture(scope="module")
def callers() -> list[str]:
    """Modules that take the performer's clips by name, imported: a module that were imported first
    while they are replaced would keep the replacement after the test.
    """
    found = []
    by_name = re.compile(r"^from motionloom\.performer import .*\bperformer_clips", re.MULTILINE)
    for package in ("motionloom", "motionloom_evaluation"):
        spec = importlib.util.find_spec(package)
        source = Path(spec.origin).parent if spec and spec.origin else Path()
        for path in sorted(source.rglob("*.py")) if spec else ():
            if by_name.search(path.read_text()):
                parts = path.relative_to(source.parent).with_suffix("").parts
                found.append(".".join(parts).removesuffix(".__init__"))
                importlib.import_module(found[-1])
    return found


@pytest.fixture
def place(tmp_path, monkeypatch, callers) -> Path:
    """A folder with inputs that cannot be read, and a free place for outputs."""
    root = tmp_path / "w"
    for name in ("in/clips", "out", "outside/folder"):
        (root / name).mkdir(parents=True)
    (root / "in/shot.yaml").write_text(SHOT)
    (root / "in/wish.yaml").write_text(WISH)
    (root / "in/pose.yaml").write_text(POSE)
    for name in ("in/clips/c.bvh", "outside/precious.npz", "outside/folder/photo.npz"):
        (root / name).write_bytes(b"mine")
    monkeypatch.chdir(root)
    monkeypatch.setattr("motionloom.studio.run._serve", _unreadable)
    monkeypatch.setattr("motionloom.performer.demo_files.demo_files", _unreadable)
    for module in ("motionloom.performer", *callers):
        monkeypatch.setattr(importlib.import_module(module), "performer_clips", _unreadable)
    return root


def _unreadable(*_, **__):
    """Commands that read nothing end where their work begins."""
    raise InvalidInputError("in/a.bvh: cannot be read")


def call(words: list[str]) -> tuple[int, str]:
    """Exit code of a command, and what it says."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()) as said,
    ):
        code = main(words)
    return code, said.getvalue()


def put_inputs(root: Path, command: Command) -> None:
    """Files that a command reads; what is in them is nothing that it can read."""
    for value in command.inputs.values():
        for word in value.split():
            file = root / _file_in(word)
            if not file.suffix:
                file = root / "in/graph/head.json" if word == "in/graph" else file / "c.bvh"
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                file.write_bytes(b"cannot be read\n")


def _file_in(value: str) -> str:
    """The file that a value of an option names: ``NAME=FILE``, ``FILE@SECONDS`` or ``FILE:0``."""
    return next(part for part in re.split("[=@:]", value) if part.startswith("in"))


def _file(path: Path, root: Path) -> None:
    path.write_bytes(b"mine")


def _folder(path: Path, root: Path) -> None:
    path.mkdir()


def _full_folder(path: Path, root: Path) -> None:
    path.mkdir()
    (path / "take1.npz").write_bytes(b"mine")


def _link(path: Path, root: Path) -> None:
    path.symlink_to(root / "outside/precious.npz")


def _dangling(path: Path, root: Path) -> None:
    path.symlink_to(root / "nowhere")


def _loop(path: Path, root: Path) -> None:
    path.symlink_to(path)


def _folder_link(path: Path, root: Path) -> None:
    path.symlink_to(root / "outside/folder")


def _hard_link(path: Path, root: Path) -> None:
    os.link(root / "outside/precious.npz", path)


Put = Callable[[Path, Path], None]
IN_PLACE_OF_FILES: tuple[Put, ...] = (_file, _full_folder, _link, _dangling, _hard_link)
IN_PLACE_OF_FILES += (_loop, _folder_link, _folder)
#: Not in the way of those that put files into a folder.
TO_A_FOLDER = (_full_folder, _folder_link, _folder)
IN_PLACE_OF_FOLDERS: tuple[Put, ...] = (_file, _link, _dangling, _loop)


def assert_refused(root: Path, words: list[str], *named: str) -> None:
    """The command is refused in one sentence that names a place, and nothing has changed."""
    before = state_of(root)
    code, said = call(words)
    about = f"{' '.join(words)}: {code}: {said}"
    assert state_of(root) == before, about
    assert code in (1, 2), about
    assert said.count("\n") == 1, about
    assert "see: motionloom" not in said, f"this call is none: {about}"
    for one in named:
        assert one in said, about


def clean(root: Path) -> None:
    shutil.rmtree(root / "out")
    (root / "out").mkdir()


def ids(commands: list[Command]) -> list[str]:
    return [one.name.replace(" ", "-") for one in commands]


@pytest.mark.parametrize("command", COMMANDS, ids=ids(COMMANDS))
def test_it_is_said_of_every_file_whether_it_is_read_or_written(command):
    assert not command.unknown, (
        f"'motionloom {command.name}' takes the file or folder {command.unknown[0]}, of which"
        " tests/cli/command_files.py does not know what it is: add it to INPUTS where it is read;"
        " where it is written, to WRITTEN, or for this command alone to OWN, so that this test"
        " tries what happens when somebody's file is there"
    )


def test_there_are_hundreds_of_cases():
    assert sum(len(list(cases(command))) for command in WRITERS) > 600


@pytest.mark.parametrize("out", ["out", "out/new/deep"])
@pytest.mark.parametrize("command", WRITERS, ids=ids(WRITERS))
def test_with_free_places_it_comes_to_what_it_reads(command, out, place):
    """The calls below are refused for the places in them, and for nothing else.

    A folder that is missing is made when something is written into it, not before.
    """
    put_inputs(place, command)
    given = dict.fromkeys(command.own.folders, f"{out}/folder")
    for name, file in command.written.items():
        given |= _given(name, f"{out}/{file}")
    before = state_of(place)
    code, said = call(command.line(given))
    assert code in (1, 2), said
    assert "see: motionloom" not in said, said
    assert "out/" not in said, said
    assert state_of(place) == before


@pytest.mark.parametrize("command", WRITERS, ids=ids(WRITERS))
def test_what_others_have_in_the_way_stays(command, place):
    put_inputs(place, command)
    lost = []
    for prepare, words, named in cases(command):
        prepare(place)
        try:
            assert_refused(place, words, *named)
        except AssertionError as error:
            lost.append(f"{prepare.__name__}: {str(error).splitlines()[0]}")
        clean(place)
    assert not lost, "\n".join(lost)


Case = tuple[Callable[[Path], None], list[str], tuple[str, ...]]


def cases(command: Command) -> Iterator[Case]:
    """What may be in the way of each output of a command."""
    yield from _files_in_the_way(command)
    yield from _folders_in_the_way(command)
    yield from _kept_folders_in_the_way(command)
    yield from _outputs_that_are_inputs(command)
    yield from _outputs_that_are_the_same(command)


def _given(name: str, value: str) -> dict[str, str]:
    return {"out": value} if name == "paths" else {name: value}


def _files_in_the_way(command: Command) -> Iterator[Case]:
    for name, file in command.written.items():
        words = command.line(_given(name, f"out/{file}"))
        is_folder = name in command.own.into
        puts = [put for put in IN_PLACE_OF_FILES if not is_folder or put not in TO_A_FOLDER]
        for beside in (file, *command.own.sides.get(name, ())):
            for put in puts:
                yield _putting(put, f"out/{beside}"), words, (f"out/{beside}",)
        below = command.line(_given(name, f"out/file/{file}"))
        yield _putting(_file, "out/file"), below, ("out/file",)


def _folders_in_the_way(command: Command) -> Iterator[Case]:
    for name, files in command.own.folders.items():
        words = command.line({name: "out/folder"})
        for put in (_file, _dangling, _loop, _link):
            yield _putting(put, "out/folder"), words, ("out/folder",)
        for file in files:
            for put in (_file, _link, _full_folder, _dangling, _hard_link):
                yield _putting(put, f"out/folder/{file}"), words, ("out/folder",)


def _kept_folders_in_the_way(command: Command) -> Iterator[Case]:
    for name, folder in KEPT.get(command.name, {}).items():
        words = command.line({name: f"out/{folder}"})
        for put in (*IN_PLACE_OF_FOLDERS, _folder_link):
            yield _putting(put, f"out/{folder}"), words, (f"out/{folder}",)
        below = command.line({name: f"out/file/{folder}"})
        yield _putting(_file, "out/file"), below, ("out/file",)
        for output, file in command.written.items():
            both = {name: f"out/{file}", output: f"out/{file}"}
            yield _nothing, command.line(both), (f"out/{file}",)
            both = {name: f"out/{file}/in", output: f"out/{file}"}
            yield _nothing, command.line(both), (f"out/{file}",)
    for output, folder in command.own.kept.items():
        words = command.line({output: f"out/{command.written[output]}"})
        for put in (*IN_PLACE_OF_FOLDERS, _folder_link):
            yield _putting(put, f"out/{folder}"), words, (f"out/{folder}",)


def _outputs_that_are_inputs(command: Command) -> Iterator[Case]:
    """Each output is each input; with --force, too, where that is the command's."""
    for name, file in command.written.items():
        suffix = Path(file).suffix
        for own, value in command.inputs.items():
            read = _file_in(value.split()[0])
            if name == own or not Path(read).suffix:
                continue
            # Which files may have another suffix than the output is of no account here.
            is_any = name == "--report"
            named = ("input",) if is_any or Path(read).suffix == suffix else ()
            words = command.line({own: value, **_given(name, read)})
            yield _nothing, words, named if not command.has_force else ()
            if command.has_force:
                yield _nothing, [*words, "--force"], named


def _outputs_that_are_the_same(command: Command) -> Iterator[Case]:
    names = list(command.written.items())
    for name, file in names:
        for other, _ in names:
            if other != name and other in ("--report", "--output", "--state", "--save-spans"):
                given = {**_given(name, f"out/{file}"), **_given(other, f"out/{file}")}
                yield _nothing, command.line(given), (f"out/{file}",)


def _nothing(root: Path) -> None:
    """Nothing is in the way."""


def _putting(put: Put, name: str) -> Callable[[Path], None]:
    def prepare(root: Path) -> None:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        put(root / name, root)

    prepare.__name__ = f"{put.__name__} at {name}"
    return prepare


@pytest.mark.parametrize("name", [name for name in CHANGED if name != "studio"])
def test_somebody_elses_file_is_no_library_or_shot(name, place):
    (command,) = (one for one in COMMANDS if one.name == name)
    put_inputs(place, command)
    (own,) = CHANGED[name]
    for put in (_file, _link, _dangling, _loop):
        put(place / "out/lib", place)
        assert_refused(place, command.line({own: "out/lib"}), "out/lib")
        clean(place)


@pytest.mark.parametrize("put", [_file, _link, _dangling, _loop, _folder_link])
@pytest.mark.parametrize("name", ["lib.studio", "lib.studio/lock", "lib.studio/journal.jsonl"])
def test_a_studio_keeps_nothing_where_something_else_is(put, name, place):
    (place / "out/lib.yaml").write_text(SHOT)
    (place / "out" / name).parent.mkdir(exist_ok=True)
    put(place / "out" / name, place)
    before = state_of(place)
    code, _ = call(["studio", "out/lib.yaml", "--no-browser", "--library", "in"])
    assert code == 2
    after = state_of(place)
    assert {path: after.get(path) for path in before} == before
