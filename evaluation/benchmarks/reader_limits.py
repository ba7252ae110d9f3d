"""The worst files for each reader: each must be read or refused within 2 CPU seconds and 500 MB per
10 MB of file.

    python evaluation/benchmarks/reader_limits.py [--only bvh] [--out evaluation/benchmarks/results]

Every file is given to `motionloom info` (constraint files to `synthesize`, with clips that do not
exist) in a process of its own, which is ended after 60 CPU seconds or 8 GB. What the program costs
on a tiny file, which is nearly all imports, is measured first; CPU seconds and megabytes in the
table are beyond that.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from worst_files import (
    AMC,
    HEAD,
    ONE,
    Glb,
    amc_files,
    asf,
    bvh,
    bvh_files,
    c3d,
    c3d_files,
    chain_nodes,
    glb_files,
    heights_files,
    joint,
    nested,
    trc,
    trc_files,
    wide,
    wish_files,
)

SECONDS, MEGABYTES, PER = 2.0, 500.0, 10e6
MOST_SECONDS, MOST_MEMORY = 60, 8 * 2**30


@dataclass(frozen=True)
class Case:
    """A file and how it is given to the program."""

    kind: str
    what: str
    size: int
    arguments: list[str]
    output: Path | None = None


def conversions(folder: Path) -> Iterator[Case]:
    """The largest skeletons and motions that may be read, each written in every format that can
    hold it.
    """
    count, one = 9_990, f"CHANNELS {ONE}\n"
    full = "root 0 0 0 0 0 0\n" + "".join(f"b{i} 1\n" for i in range(count))
    nodes = Glb(chain_nodes(count), list(range(count)))
    frames = HEAD.replace("1", "110", 1) + ("1 " * (count + 1) + "\n") * 110
    sources = {
        "chain.bvh": bvh(nested(count), HEAD + "1\n"),
        "wide.bvh": bvh(wide(count, inside=one), frames),
        "bones.amc": AMC + "".join(f"{i}\n{full}" for i in range(1, 60)).encode(),
        "chain.glb": nodes.animate(list(range(count)), 100).to_bytes(),
    }
    (folder / "bones.asf").write_bytes(asf(count))
    for name, data in sources.items():
        (folder / name).write_bytes(data)
        for suffix in (".bvh", ".glb", *([".amc"] if name.endswith(".amc") else [])):
            output = folder / f"written{suffix}"
            arguments = ["convert", "--force", str(folder / name), str(output)]
            yield Case(
                "convert", f"{name} to {suffix}, {count} joints", len(data), arguments, output
            )


def plain_cases(folder: Path, suffix: str) -> Iterator[Case]:
    """Files of one format that stand for themselves."""
    files = {"bvh": bvh_files, "trc": trc_files, "c3d": c3d_files, "glb": glb_files}[suffix]
    path = folder / f"a.{suffix}"
    for what, data in files():
        path.write_bytes(data)
        yield Case(suffix, what, len(data), ["info", str(path)])


def amc_cases(folder: Path) -> Iterator[Case]:
    """Motions with their skeletons."""
    for what, motion, skeleton in amc_files():
        (folder / "a.amc").write_bytes(motion)
        (folder / "a.asf").write_bytes(skeleton)
        yield Case("amc", what, len(motion) + len(skeleton), ["info", str(folder / "a.amc")])


def synthesis(folder: Path) -> list[str]:
    """A command that reads ``wish.yaml``."""
    clips, wish, output = (str(folder / n) for n in ("none.bvh", "wish.yaml", "out.bvh"))
    return ["synthesize", clips, "-c", wish, "-o", output]


def wish_cases(folder: Path) -> Iterator[Case]:
    """Constraint files."""
    for what, data in wish_files():
        (folder / "wish.yaml").write_bytes(data)
        yield Case("wish", what, len(data), synthesis(folder))


def heights_cases(folder: Path) -> Iterator[Case]:
    """Height maps that a constraint file names."""
    for what, name, data in heights_files():
        (folder / name).write_bytes(data)
        (folder / "wish.yaml").write_text(
            f"duration: 2\navoid: [{{shape: heightmap, file: {name}}}]\n"
        )
        yield Case("heights", what, len(data), synthesis(folder))


def cases(folder: Path, only: str | None) -> Iterator[Case]:
    """Write one file after the other."""
    kinds: dict[str, Callable[[Path], Iterator[Case]]] = {
        **{suffix: partial(plain_cases, suffix=suffix) for suffix in ("bvh", "trc", "c3d", "glb")},
        "convert": conversions,
        "amc": amc_cases,
        "wish": wish_cases,
        "heights": heights_cases,
    }
    for kind, files in kinds.items():
        if only in (None, kind):
            yield from files(folder)


#: Runs the program in a small process of its own: what its parent holds would count as its memory.
RUNNER = """
import json, resource, subprocess, sys
seconds, memory = map(int, sys.argv[1:3])
def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
with open(sys.argv[3], "wb") as answer:
    pipes = {"stdout": answer, "stderr": subprocess.STDOUT}
    code = subprocess.run(sys.argv[4:], **pipes, preexec_fn=limit).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, code]))
"""


def measure(arguments: list[str], folder: Path) -> tuple[float, float, int, str]:
    """CPU seconds, peak megabytes, exit code and first line of what the program answers."""
    answer = folder / "answer"
    runner = [sys.executable, "-c", RUNNER, str(MOST_SECONDS), str(MOST_MEMORY), str(answer)]
    ran = subprocess.run(
        [*runner, sys.executable, "-m", "motionloom", *arguments],
        stdout=subprocess.PIPE,
        check=True,
    )
    seconds, megabytes, code = json.loads(ran.stdout)
    with answer.open("rb") as stream:
        head = stream.read(4000).decode(errors="replace").replace(
            str(folder), "."
        ).splitlines() or [""]
    line = next((text for text in head if text.startswith("motionloom:")), head[0]).removeprefix(
        "motionloom: "
    )
    return seconds, megabytes, code, line[:150]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="bvh, amc, trc, c3d, glb, convert, wish or heights")
    parser.add_argument("--out", type=Path, help="folder for reader_limits.txt")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiny = {
            "bvh": bvh(joint(ONE), HEAD + "1\n"),
            "trc": trc(1, "1\t0\t1\t2\t3\n"),
            "c3d": c3d(1, 0, 0, 1, bytes(16)),
        }
        base: dict[str, tuple[float, float]] = {}
        for suffix, data in tiny.items():
            (folder / f"a.{suffix}").write_bytes(data)
            # The least of several: other work on the machine only adds.
            runs = [measure(["info", str(folder / f"a.{suffix}")], folder) for _ in range(4)]
            base[suffix] = min(run[0] for run in runs), min(run[1] for run in runs)
        print(f"a tiny BVH file: {base['bvh'][0]:.2f} CPU s, {base['bvh'][1]:.0f} MB", flush=True)
        for case in cases(folder, options.only):
            seconds, megabytes, code, line = measure(case.arguments, folder)
            own, held = base.get(case.kind, base["bvh"])
            seconds, megabytes = max(seconds - own, 0.0), max(megabytes - held, 0.0)
            written = (
                case.output.stat().st_size
                if case.output is not None and case.output.is_file()
                else 0
            )
            share = max((case.size + written) / PER, 1.0)
            good = (
                code in (0, 1, 2) and seconds <= SECONDS * share and megabytes <= MEGABYTES * share
            )
            row = (
                f"{case.kind:8}{case.what:52}{case.size / 1e6:6.1f} MB{seconds:8.2f}"
                f" s{megabytes:7.0f} MB{code:4}  "
            )
            rows.append(("   " if good else "!! ") + row + line)
            print(rows[-1], flush=True)
    print(
        f"{sum(row.startswith('!!') for row in rows)} of {len(rows)} files cost more than they may"
    )
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        text = (
            f"a tiny BVH file: {base['bvh'][0]:.2f} CPU s, {base['bvh'][1]:.0f} MB, taken off"
            " below\n"
        )
        (options.out / "reader_limits.txt").write_text(text + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
