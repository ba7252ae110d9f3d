"""Build the wheel with its compiled kernels, so that the first motion compiles nothing.

    python tools/build_wheel.py dist
    python tools/build_wheel.py dist --python python3.11 --python python3.12 --python python3.13

Every Python installs the wheel without kernels into an environment of its own and runs the commands
of tools/frozen.yaml, whose numbers must come out as recorded. What numba kept then goes into the
wheel, for x86-64 machines from about 2013 on (level v3). Other machines, and other versions of
numba, compile for themselves as before.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Build it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, help="folder of the wheel")
    parser.add_argument("--python", action="append", help="an interpreter; this one when not given")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        plain = _build(ROOT, work / "plain")
        source = work / "source"
        shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        for number, python in enumerate(asked.python or [sys.executable]):
            _compile(python, plain, work / str(number), source / "src" / "motionloom" / "_kernels")
        print(_build(source, asked.out.resolve()))
    return 0


def _build(source: Path, out: Path) -> Path:
    """The wheel of a source tree."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, str(source)]
        subprocess.run(pip, check=True)
        made = next(Path(folder).glob("*.whl"))
        out.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(made, out))


def _compile(python: str, wheel: Path, work: Path, kernels: Path) -> None:
    """Run the commands with one Python and gather what was compiled."""
    subprocess.run([python, "-m", "venv", str(work / "venv")], check=True)
    python = str(work / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python")
    pip = [python, "-m", "pip", "install", "-q", f"motionloom[all,usd,cluster] @ {wheel.as_uri()}"]
    subprocess.run(pip, check=True)
    where = "import motionloom.compiling._keeping as k; print(*k.LEVEL, k.SHIPPED.parent)"
    name, features, folder = subprocess.check_output([python, "-c", where], text=True).split(" ", 2)
    surroundings = os.environ | {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
    surroundings.pop("NUMBA_CACHE_DIR", None)
    subprocess.run([python, str(ROOT / "tools" / "frozen.py")], check=True, env=surroundings)
    package = Path(folder.strip())
    kept = [*package.rglob("*.nbi"), *package.rglob("*.nbc")]
    for file in kept:
        place = kernels / file.parent.parent.relative_to(package) / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)
    print(f"{python}: {len(kept)} files of compiled kernels")


if __name__ == "__main__":
    sys.exit(main())
