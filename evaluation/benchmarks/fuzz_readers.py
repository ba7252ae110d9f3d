"""Read thousands of damaged files per format: each must end in an error of ours or a motion, within
2 s and 500 MB.

    python evaluation/benchmarks/fuzz_readers.py [--mutants 2000] [--seed 0] [--only .bvh] [--json
    FILE]

Mutants are numbered; `--seed S --first N --mutants 1` makes one of them again. Starts from small
files of our own and, where ../shared/data exists, from real captures. Every reader runs in a
process of its own, which is ended when a file takes longer than ten times the limit, and whose
address space is bounded.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from motionloom_evaluation.bench.run import DATA, make_parser, start, write_json

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "io"))

SECONDS = 2.0
MEGABYTES = 500.0


def _memory() -> tuple[float, float]:
    """Megabytes this process holds now, and the most it has held since `_forget_peak`; NaN where
    unknown.
    """
    try:
        status = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return float("nan"), float("nan")
    held = {
        line.split(":")[0]: float(line.split()[1]) / 1024
        for line in status
        if line.startswith(("VmRSS", "VmHWM"))
    }
    return held["VmRSS"], held["VmHWM"]


def _forget_peak() -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _limit_address_space() -> None:
    """Turn an allocation beyond all bounds into a MemoryError, which counts as a failure, instead
    of a sick machine.
    """
    try:
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        return
    resource.setrlimit(resource.RLIMIT_AS, (used + int(4 * MEGABYTES * 2**20), -1))


def work(suffix: str, first: int, last: int, seed: int, pipe: Connection) -> None:
    """Try mutants `first` to `last` and send (number, outcome, seconds, megabytes) of each."""
    from fuzzing import make_cases, try_mutant

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        case = make_cases(place, DATA if DATA.is_dir() else None)[suffix]
        case.format.read(_undamaged(case, place))  # compiles and imports everything once
        pipe.send("ready")
        _limit_address_space()
        for number in range(first, last):
            _forget_peak()
            before, _ = _memory()
            start = time.perf_counter()
            outcome = try_mutant(case, number, seed, place)
            seconds = time.perf_counter() - start
            pipe.send((number, outcome, seconds, max(_memory()[1] - before, 0.0)))
    pipe.close()


def _undamaged(case, folder: Path) -> Path:
    files = case.seeds[0]
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder / next(iter(files))


def start_worker(suffix: str, first: int, last: int, seed: int) -> tuple[BaseProcess, Connection]:
    """A process that has read the undamaged file and sends results from now on."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    worker = context.Process(target=work, args=(suffix, first, last, seed, theirs))
    worker.start()
    theirs.close()
    try:
        if ours.poll(120.0) and ours.recv() == "ready":  # imports and compilation take their time
            return worker, ours
    except EOFError:
        pass
    worker.kill()
    raise SystemExit(f"{suffix}: the undamaged file cannot be read")


def fuzz(suffix: str, first: int, mutants: int, seed: int) -> dict:
    """Results of one reader."""
    outcomes: Counter[str] = Counter()
    failures: list[str] = []
    slowest = largest = 0.0
    number, last = first, first + mutants
    while number < last:
        worker, pipe = start_worker(suffix, number, last, seed)
        try:
            while number < last:
                if not pipe.poll(10 * SECONDS):
                    raise TimeoutError(f"ended after {10 * SECONDS:g} s")
                number, outcome, seconds, megabytes = pipe.recv()
                slowest, largest = max(slowest, seconds), max(largest, megabytes)
                if seconds > SECONDS:
                    outcome = f"took {seconds:.1f} s"
                if megabytes > MEGABYTES:
                    outcome = f"took {megabytes:.0f} MB"
                outcomes[outcome if outcome in ("read", "refused") else "failed"] += 1
                if outcome not in ("read", "refused"):
                    failures.append(f"{suffix} mutant {number} of seed {seed}: {outcome}")
                number += 1
        except (TimeoutError, EOFError) as error:
            outcomes["failed"] += 1
            failures.append(
                f"{suffix} mutant {number} of seed {seed}: {str(error) or 'the process died'}"
            )
            number += 1
            worker.kill()
        worker.join()
    counts = {name: outcomes[name] for name in ("read", "refused", "failed")}
    return {
        "format": suffix,
        "mutants": mutants,
        **counts,
        "slowest_s": slowest,
        "most_MB": largest,
        "failures": failures,
    }


def main() -> int:
    """Run, print the table, write its figures; 1 when anything failed."""
    from motionloom.io.registry import FORMATS

    parser = make_parser(__doc__)
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=[f.suffix for f in FORMATS])
    options = start(parser, captures=False)
    suffixes = [options.only] if options.only else [f.suffix for f in FORMATS]
    lines = [
        f"{'format':8}{'mutants':>8}{'read':>8}{'refused':>9}{'failed':>8}"
        f"{'slowest s':>11}{'most MB':>9}"
    ]
    print(lines[0])
    results = []
    for suffix in suffixes:
        r = fuzz(suffix, options.first, options.mutants, options.seed)
        results.append(r)
        lines.append(
            f"{suffix:8}{r['mutants']:8}{r['read']:8}{r['refused']:9}{r['failed']:8}{r['slowest_s']:11.2f}{r['most_MB']:9.0f}"
        )
        print(lines[-1], *r["failures"][:10], sep="\n  ")
    facts = {
        "seed": options.seed,
        "captures": DATA.is_dir(),
        "limits": [SECONDS, MEGABYTES],
        "results": results,
    }
    write_json(options.json, facts)
    return int(any(r["failed"] for r in results))


if __name__ == "__main__":
    sys.exit(main())
