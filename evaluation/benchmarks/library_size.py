"""How long a library takes to make, open and read, and how large it is.

python evaluation/benchmarks/library_size.py CLIPS... [--workers 2]
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter

from motionloom.library import add_clips, check_library, create_library, open_library
from motionloom.library.clip_set import clip_set_from_library
from motionloom.places import find_clips
from motionloom_evaluation.bench.run import make_parser, start


def main() -> None:
    parser = make_parser(__doc__, json=False)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--workers", type=int, default=2)
    options = start(parser, captures=False)
    files = find_clips(options.clips).files
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "library"
        create_library(folder)
        steps = {
            "add": lambda: add_clips(folder, files, workers=options.workers),
            "add again, nothing changed": lambda: add_clips(folder, files),
            "open": lambda: open_library(folder),
            "clip set": lambda: clip_set_from_library(open_library(folder)),
            "check": lambda: check_library(folder),
        }
        times = {}
        for name, step in steps.items():
            began = perf_counter()
            step()
            times[name] = perf_counter() - began
        library = open_library(folder)
        sizes = [p.stat().st_size for p in folder.rglob("*") if p.is_file()]
        source = sum(file.stat().st_size for file in files)
        print(
            f"{len(library)} clips, {library.n_frames} frames, {library.skeleton.n_joints} joints"
        )
        print(f"{sum(sizes) / 1e6:.1f} MB in {len(sizes)} files, from {source / 1e6:.1f} MB")
        for name, seconds in times.items():
            print(f"{name:<28} {seconds:8.3f} s {1000 * seconds / len(library):8.2f} ms per clip")


if __name__ == "__main__":
    main()
