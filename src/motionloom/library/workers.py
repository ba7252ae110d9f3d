"""Reading many files into a library, here or in several processes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from motionloom.edit.retarget import RoleFrames
from motionloom.errors import Hint, InvalidInputError, MotionloomError, SynthesisError
from motionloom.library.ingest import Order, fit_body, ingest
from motionloom.library.manifest import ClipEntry, Performer
from motionloom.library.writer import InWayError, Writer
from motionloom.processes import undisturbed, worker_pool
from motionloom.progress import Progress


@dataclass(frozen=True)
class Failure:
    """A file that could not become a clip, and why.

    Parameters
    ----------
    path : Path
        The file.
    message : str
        Why, in one sentence.
    blocked : bool
        Whether the reason is that something which is not ours is where the clip belongs.
    hint : Hint, optional
        What helps besides, as errors have it.
    """

    path: Path
    message: str
    blocked: bool = False
    hint: Hint | None = None


@dataclass(frozen=True)
class _Job:
    """All that a process needs to know to read one file."""

    order: Order
    library: Path
    fps: float
    performer: Performer
    folder: Path
    body: RoleFrames | None = None


def ingest_all(
    writer: Writer, orders: Sequence[Order], workers: int, strict: bool, progress: Progress
) -> tuple[list[ClipEntry], list[Failure]]:
    """Read files and put their clips into a library.

    Parameters
    ----------
    writer : Writer
        The library; nothing is read while it has no performer.
    orders : sequence of Order
        Files to read, each with the name of its clip.
    workers : int
        Processes that read files; one or fewer reads them in this process.
    strict : bool
        Stop at the first failure.
    progress : Progress
        Told how far the work is.

    Returns
    -------
    made : list of ClipEntry
        In the order of their names.
    failed : list of Failure
        Files that could not become clips; empty when `strict`.

    Raises
    ------
    InvalidInputError
        When `strict`, for the first file that failed.
    SynthesisError
        When a process died.
    """
    performer = writer.manifest.performer
    if not orders or performer is None:
        return [], []
    fps = writer.manifest.fps
    body = fit_body(writer) if any(order.options.retarget for order in orders) else None
    jobs = [_Job(order, writer.folder, fps, performer, writer.scratch(), body) for order in orders]
    made: list[ClipEntry] = []
    failed: list[Failure] = []
    # Closed at once when something fails, not when it is collected: no process may write after
    # this.
    with closing(_run(jobs, workers, in_order=strict)) as results:
        for i, (job, result) in enumerate(results):
            progress("adding clips", i, len(jobs))
            if isinstance(result, ClipEntry):
                try:
                    writer.put(result, job.folder)
                except InWayError as error:
                    result = Failure(job.order.path, str(error), blocked=True)
            if isinstance(result, ClipEntry):
                made.append(result)
            elif strict:
                raise InvalidInputError(result.message, hint=result.hint)
            else:
                failed.append(result)
    progress("adding clips", len(jobs), len(jobs))
    return sorted(made, key=lambda entry: entry.name), failed


def _run(
    jobs: Sequence[_Job], workers: int, in_order: bool
) -> Generator[tuple[_Job, ClipEntry | Failure], None, None]:
    """Every job with what came of it, as they finish or in order."""
    if min(workers, len(jobs)) <= 1:
        for job in jobs:
            yield job, _do(job)
        return
    try:
        with worker_pool(min(workers, len(jobs))) as pool:
            with undisturbed():
                futures = {pool.submit(_do, job): job for job in jobs}
            for future in futures if in_order else as_completed(futures):
                yield futures[future], future.result()
    except BrokenProcessPool:
        raise SynthesisError(
            "a process that was reading clips died, perhaps for want of memory; run the same"
            " command again to go on, with fewer workers"
        ) from None


def _do(job: _Job) -> ClipEntry | Failure:
    try:
        return ingest(job.order, job.library, job.fps, job.performer, job.folder, job.body)
    except MotionloomError as error:
        said = str(error)
        named = said if str(job.order.path) in said else f"{job.order.path}: {said}"
        return Failure(job.order.path, named, hint=error.hint)
    except OSError as error:
        message = (
            f"{job.order.path}: its clip cannot be written into {job.library}"
            f" ({error.strerror or error}); see to that, and run the same command again"
        )
        return Failure(job.order.path, message)
