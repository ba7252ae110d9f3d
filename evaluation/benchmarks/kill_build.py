"""Kill (-9) `motionloom graph build` at random moments: it must go on every time, and end in the
same bytes.

python evaluation/benchmarks/kill_build.py CLIPS... [--kills 20] [--seed 0]
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


def start(clips: list[str], folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "motionloom", "graph", "build", *clips, "-o", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def digest(folder: Path) -> str:
    """Hash over the names and bytes of every file."""
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        whole.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


def wait(
    run: subprocess.Popen[bytes], folder: Path, rng: random.Random, turn: int, seconds: float
) -> None:
    """Wait for a random moment: twice while rows are written, then anywhere in the build."""
    if turn == 2:
        time.sleep(rng.uniform(0.1, 1.0) * seconds)
        return
    before = rows_in(folder)
    more = rng.randint(1, 30)
    while rows_in(folder) < before + more and run.poll() is None:
        time.sleep(0.001)
    time.sleep(rng.uniform(0.0, 0.02))


def rows_in(folder: Path) -> int:
    """How many rows of transitions have been written."""
    return len(list((folder / "rows").glob("*.npz"))) if folder.exists() else 0


def finish(clips: list[str], folder: Path, expected: str) -> bool:
    """Let a killed build go on to its end; whether it ends in the expected bytes."""
    run = start(clips, folder)
    _, errors = run.communicate()
    same = run.returncode == 0 and digest(folder) == expected
    last = "" if same else errors.decode().splitlines()[-1:]
    print(f"  complete: {'the same bytes' if same else f'OTHER BYTES {last}'}")
    return same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="kill-build-") as scratch:
        whole = Path(scratch) / "whole"
        start(options.clips, whole).wait()  # compiles
        began = time.monotonic()
        start(options.clips, Path(scratch) / "timed").wait()
        seconds, expected = time.monotonic() - began, digest(whole)
        print(f"an undisturbed build takes {seconds:.1f} s")
        good = True
        k = 0
        while k < options.kills:
            # Two builds in three are killed again and again, the third is let go on.
            folder = Path(scratch) / f"killed{k // 3}"
            run = start(options.clips, folder)
            wait(run, folder, rng, k % 3, seconds)
            run.kill()
            run.communicate()
            if (
                run.returncode != -signal.SIGKILL
            ):  # it was done before; the next one begins from nothing
                shutil.rmtree(folder)
                continue
            k += 1
            print(f"kill {k}: {rows_in(folder)} rows there", flush=True)
            if k % 3 == 0 or k == options.kills:
                good &= finish(options.clips, folder, expected)
    print("all in the same bytes" if good else "NOT all in the same bytes")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
