"""Kill (-9) `motionloom library add` at random moments: the library must reopen, and end in the
same bytes.

python evaluation/benchmarks/kill_library.py CLIPS... [--kills 20] [--workers 2] [--seed 0]
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from motionloom.library import check_library, create_library, open_library
from motionloom_evaluation.bench.run import make_parser, start


def add(library: Path, clips: list[str], workers: int) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "motionloom",
        "library",
        "add",
        str(library),
        *clips,
        "--workers",
        str(workers),
    ]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def digest(library: Path) -> str:
    """Hash over the names and bytes of every file and the names of every folder."""
    whole = hashlib.sha256()
    for path in sorted(library.rglob("*")):
        whole.update(str(path.relative_to(library)).encode())
        whole.update(path.read_bytes() if path.is_file() else b"/")
    return whole.hexdigest()


def finish(folder: Path, options: argparse.Namespace, expected: str) -> bool:
    """Let the killed library be completed, and say whether its bytes are other ones."""
    add(folder / "killed", options.clips, options.workers).wait()
    other = digest(folder / "killed") != expected
    print(f"complete: {'OTHER BYTES' if other else 'the same bytes'}")
    if other:
        shutil.copytree(folder / "killed", folder / f"other-{time.monotonic_ns()}")
    return other


def main() -> int:
    parser = make_parser(__doc__, json=False)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = start(parser, captures=False)
    rng = random.Random(options.seed)
    folder = Path(tempfile.mkdtemp(prefix="kill-library-"))
    create_library(folder / "whole")
    began = time.monotonic()
    add(folder / "whole", options.clips, options.workers).wait()
    whole = time.monotonic() - began
    expected = digest(folder / "whole")
    print(f"undisturbed: {len(open_library(folder / 'whole'))} clips in {whole:.1f} s")

    bad = 0
    create_library(folder / "killed")
    for i in range(options.kills):
        # Begun anew once it is complete, so that kills fall on every part of the work.
        if len(open_library(folder / "killed")) == len(open_library(folder / "whole")):
            bad += finish(folder, options, expected)
            shutil.rmtree(folder / "killed")
            create_library(folder / "killed")
        process = add(folder / "killed", options.clips, options.workers)
        moment = rng.uniform(0.0, whole)
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
        opened = open_library(folder / "killed")
        problems = check_library(folder / "killed")
        left = len(list((folder / "killed/clips").iterdir())) - 1 - len(opened)
        bad += bool(problems)
        print(
            f"kill {i + 1:>2} after {moment:5.2f} s: {len(opened):>4} clips, {left} not listed,"
            f" {len(problems)} bad"
        )
    bad += finish(folder, options, expected)
    print(f"{bad} times with problems" + (f", see {folder}" if bad else ""))
    if not bad:
        shutil.rmtree(folder)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
