"""Frozen behaviour: numbers of a fixed list of commands, compared within a tolerance.

    python tools/frozen.py                 run every task and compare with tools/frozen.json
    python tools/frozen.py --write         run every task and record what it gives now
    python tools/frozen.py gait idle       only these groups

A task is a command of tools/frozen.yaml. Its numbers are the exit status, those of every JSON file
that it writes, and a summary of every motion. Before a redesign the numbers are recorded; after it
a difference is a fault, or is explained in the commit that records the new ones. Tasks on real
captures are left out, with a word, where the captures are absent.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import io
import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

HERE = Path(__file__).resolve().parent
TASKS, RECORD = HERE / "frozen.yaml", HERE / "frozen.json"
CAPTURES = HERE.parents[1] / "shared" / "data"
#: Relative difference up to which two numbers are the same, and the least that counts: a
#: millimetre, a thousandth of a second, a tenth of a per cent.
RELATIVE, LEAST = 0.02, 1e-3
#: Keys of reports that say how long something took on this machine, or where files are.
_OF_THE_MACHINE = (
    *("seconds_of", "milliseconds", "cpu", "elapsed", "times", "took"),
    *("version", "date"),
)
#: Items of a list that are compared one by one; of the others only the number counts.
LISTED = 8
_MOTIONS = {".bvh", ".glb", ".fbx", ".usda"}

Numbers = dict[str, float]


def run_group(group: Mapping[str, Any]) -> Iterator[tuple[str, Numbers]]:
    """Run the commands of a group one after the other in the current folder."""
    for name, text in group.get("files", {}).items():
        Path(name).write_text(text)
    for command in group["commands"]:
        before = _written()
        status, printed = _run(command.replace("CAPTURES", str(CAPTURES)))
        new = sorted(path for path, stamp in _written().items() if before.get(path) != stamp)
        numbers = {"exit status": float(status)}
        if "--json" in command and printed:
            numbers |= dict(_leaves(json.loads(printed), "printed"))
        for path in new:
            numbers |= {f"{path}: {key}": value for key, value in numbers_of(path).items()}
        yield command, numbers


def numbers_of(path: Path) -> Numbers:
    """Return the numbers of a file: a JSON file's own, or a summary of a motion."""
    if path.suffix == ".json" and path.name != "zarr.json":
        return dict(_leaves(json.loads(path.read_text()), ""))
    if path.suffix in _MOTIONS:
        return _summary(path)
    return {}


def differences(kept: Numbers, now: Numbers) -> list[str]:
    """Say which numbers are not the same, within the tolerance."""
    said = [f"{key}: gone" for key in kept if key not in now]
    said += [f"{key}: new" for key in now if key not in kept]
    for key in kept.keys() & now.keys():
        old, new = kept[key], now[key]
        if abs(new - old) > RELATIVE * max(abs(old), abs(new)) + LEAST:
            said.append(f"{key}: {old:.6g} -> {new:.6g}")
    return sorted(said)


def main(arguments: list[str]) -> int:
    """Run the groups, then compare or record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    groups = yaml.safe_load(TASKS.read_text())
    if unknown := set(options.groups) - set(groups):
        parser.error(f"no group {min(unknown)!r}; there are {', '.join(groups)}")
    wanted = [name for name in groups if not options.groups or name in options.groups]
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    changed = 0
    for name in wanted:
        if groups[name].get("captures") and not CAPTURES.is_dir():
            print(f"{name}: left out, the real captures are not on this machine")
            continue
        with _folder():
            found = dict(run_group(groups[name]))
        changed += 0 if options.write else _compare(name, record.get(name, {}), found)
        record[name] = found
        if options.write:
            RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
    return 1 if changed else 0


def _compare(name: str, kept: Mapping[str, Numbers], found: Mapping[str, Numbers]) -> int:
    count = 0
    for command, numbers in found.items():
        said = differences(kept.get(command, {}), numbers)
        count += len(said)
        print(f"{name}: {'the same' if not said else 'DIFFERS'}: {command}")
        for line in said:
            print(f"    {line}")
    return count


def _run(command: str) -> tuple[int, str]:
    """Run a command of motionloom in this process: its exit status, and what it prints."""
    from motionloom.cli.main import main as motionloom

    words = shlex.split(command)
    assert words[0] == "motionloom", command
    printed, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        status = motionloom(words[1:])
    if status not in (0, 1):
        print(f"{command}: exit status {status}\n{said.getvalue()}", file=sys.stderr)
    return status, printed.getvalue()


def _written() -> dict[Path, tuple[int, int]]:
    found = (path for path in Path().rglob("*") if path.is_file() and path.parts[0] != "demo")
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in found}


def _leaves(value: Any, key: str) -> Iterator[tuple[str, float]]:
    """Numbers of a JSON value by their path; keys about the machine are left out."""
    if any(word in key.rpartition(".")[2] for word in _OF_THE_MACHINE):
        return
    if isinstance(value, bool | int | float):
        yield key, float(value)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list):
        yield f"{key}.length", float(len(value))
        for i, item in enumerate(value[:LISTED]):
            yield from _leaves(item, f"{key}.{i}")


def _summary(path: Path) -> Numbers:
    """What a motion does, in a dozen numbers: metres and seconds."""
    from motionloom.io import load_motion
    from motionloom.kinematics import forward_kinematics

    motion = load_motion(path)
    points = forward_kinematics(motion).positions  # (T, J, 3)
    steps = np.linalg.norm(np.diff(points[:, 0], axis=0), axis=-1)
    speeds = np.linalg.norm(np.diff(points, axis=0), axis=-1) * motion.fps
    changes = np.linalg.norm(np.diff(points, n=2, axis=0), axis=-1) * motion.fps**2
    return {
        "frames": float(len(points)),
        "joints": float(points.shape[1]),
        "frames per second": float(motion.fps),
        **{f"start {axis}": float(points[0, 0, i]) for i, axis in enumerate("xyz")},
        **{f"end {axis}": float(points[-1, 0, i]) for i, axis in enumerate("xyz")},
        "path": float(steps.sum()),
        "lowest point": float(points[..., 1].min()),
        "mean height": float(points[..., 1].mean()),
        "mean speed": float(speeds.mean()) if speeds.size else 0.0,
        "acceleration, 99th percentile": float(np.percentile(changes, 99)) if changes.size else 0.0,
    }


@contextlib.contextmanager
def _folder() -> Iterator[None]:
    """A temporary working folder with what `motionloom demo --out demo` writes."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        shutil.copytree(_demo(), "demo")
        try:
            yield
        finally:
            os.chdir(before)


@cache
def _demo() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="frozen-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _run(f"motionloom demo --out {shlex.quote(str(folder / 'demo'))}")
    return folder / "demo"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
