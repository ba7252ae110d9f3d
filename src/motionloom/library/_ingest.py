"""From a motion file to what a library keeps of it.

The body of a library: what clips of other skeletons are carried over to.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import detect_contacts
from motionloom.clips.prepare import prepare_clip
from motionloom.edit.retarget import RoleFrames, fit_role_frames, retarget_clips
from motionloom.errors import Hint, InvalidInputError, MotionloomError, SynthesisError
from motionloom.io.registry import load_motion
from motionloom.library._arrays import hash_array, write_arrays, write_attributes
from motionloom.library._library import Library
from motionloom.library.manifest import (
    ClipEntry,
    ClipFacts,
    Feet,
    Manifest,
    Performer,
    SourceFile,
    SourceOptions,
)
from motionloom.library.resize import Resized, fit_to, own_skeleton
from motionloom.library.sources import hash_files, load_options, path_from
from motionloom.library.writer import InWayError, Writer
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.processes import undisturbed, worker_pool
from motionloom.progress import Progress
from motionloom.roles import find_roles

#: So many of the library's clips are looked at, in the order of their names.
MOST_CLIPS = 20


@dataclass(frozen=True)
class Order:
    """One file that is to become a clip.

    Parameters
    ----------
    name : str
        Of the clip.
    path : Path
        The motion file.
    options : SourceOptions
        How it is read.
    """

    name: str
    path: Path
    options: SourceOptions


def find_performer(order: Order, library: Path, manifest: Manifest) -> Performer:
    """The skeleton that a library gets from its first clip.

    Parameters
    ----------
    order : Order
        The clip, which is read.
    library : Path
        The library's folder.
    manifest : Manifest
        Gives the frame rate and the table of roles.

    Returns
    -------
    Performer
        Skeleton with the clip's own bones, and its roles.

    Raises
    ------
    MotionloomError
        When the file cannot be read, or the library's table of roles does not fit it.
    """
    motion = load_motion(order.path, **load_options(library, order.options))
    prepared, _, _ = prepare_clip(motion, manifest.fps)
    skeleton = own_skeleton(prepared.motion)
    return Performer.of(skeleton, find_roles(skeleton, manifest.table), motion.source.channels)


def ingest(job: _Job) -> ClipEntry:
    """Read a file, bring it to the library's rate and skeleton, and write its arrays.

    Parameters
    ----------
    job : _Job
        The file, the library, and where to write.

    Returns
    -------
    ClipEntry
        What the manifest says of the clip, for `Writer.put`.

    Raises
    ------
    MotionloomError
        When the file cannot be read or its skeleton is another one.
    """
    order = job.order
    motion = load_motion(order.path, **load_options(job.library, order.options))
    roles = job.performer.to_roles()
    prepared, first_frame, notes = prepare_clip(motion, job.fps)
    ready = prepared.motion
    if order.options.retarget and job.body is not None:
        made = retarget_clips([ready], job.body)[0]
        another = f"retargeted from another skeleton of {ready.skeleton.n_joints} joints"
        ready = made.motion
        notes = (*notes, another, *made.notes)
    fitted = fit_to(ready, job.performer.to_skeleton(), roles)
    clip = _settled(fitted.motion)
    posed = PosedMotion(clip, roles)
    contacts = None
    with suppress(InvalidInputError):  # no feet, or no whole leg
        # By what this clip alone says: other clips of the library do not change them.
        contacts = detect_contacts(posed)
    arrays: dict[str, NDArray[Any]] = {
        "rotations": clip.rotations,
        "translations": clip.translations,
        "positions": posed.positions,
        "body": posed.body,
    }
    feet = None
    if contacts is not None:
        arrays["contacts"] = contacts.down
        soles, ground = contacts.soles, contacts.ground
        feet = Feet(points=soles.points, leg=soles.leg, sole_ground=soles.ground, ground=ground)
    values = {name: hash_array(array) for name, array in arrays.items()}
    facts = ClipFacts(values=values, files=write_arrays(job.folder, arrays), feet=feet)
    source = _source(order, job.library, motion, first_frame)
    entry = _entry(order, source, (*notes, *fitted.notes), fitted, clip, facts)
    write_attributes(job.folder, _attributes(entry, facts, job.fps, job.performer))
    return entry


def _settled(motion: Motion) -> Motion:
    """The motion with rotations that a motion takes as they are, so that what is read back is what
    was written.
    """
    for _ in range(8):
        again = replace(motion)
        if np.array_equal(again.rotations, motion.rotations):
            break
        motion = again
    return motion


def _source(order: Order, library: Path, motion: Motion, first_frame: int) -> SourceFile:
    asf = getattr(motion.source.extra.get("asf"), "path", None)
    skeleton = None if asf is None else Path(asf)
    return SourceFile(
        path=path_from(library, order.path),
        skeleton=None if skeleton is None else path_from(library, skeleton),
        hash=hash_files(order.path, skeleton),
        format=motion.source.format,
        frame_time=motion.frame_time,
        n_frames=motion.n_frames,
        first_frame=first_frame,
        unit=motion.source.unit,
        up=motion.source.up,
        options=order.options,
    )


def _entry(
    order: Order,
    source: SourceFile,
    changed: tuple[str, ...],
    fitted: Resized,
    clip: Motion,
    facts: ClipFacts,
) -> ClipEntry:
    whole = facts.hash(clip.translated)
    # File systems differ in what names they take and whether case counts: the hash tells clips
    # apart.
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", order.name)[:60]
    told = hashlib.sha256((order.name + whole).encode(errors="surrogateescape")).hexdigest()
    # Messages about a file begin with its path; in its own entry that says nothing. Names of files
    # may bring odd bytes into them.
    notes = [t.removeprefix(f"{order.path}: ") for t in (*clip.source.warnings, *changed)]
    return ClipEntry(
        name=order.name,
        folder=f"{plain}-{told[:12]}",
        n_frames=clip.n_frames,
        translated=clip.translated,
        hash=whole,
        source=source,
        scale=fitted.scale,
        raised=fitted.raised,
        notes=tuple(text.encode(errors="backslashreplace").decode() for text in notes),
    )


def _attributes(
    entry: ClipEntry, facts: ClipFacts, fps: float, performer: Performer
) -> dict[str, Any]:
    """What another program needs to make sense of the arrays, and the facts."""
    points = () if facts.feet is None else facts.feet.points
    turns = "quaternions w x y z relative to the parent joint"
    return {
        "name": entry.name,
        "fps": fps,
        "joints": list(performer.names),
        "translated": [performer.names[j] for j in entry.translated],
        "contacts": [f"{p.foot} {p.part}" for p in points],
        "units": f"metres, seconds, radians; +Y up, +Z forward; {turns}",
        "facts": facts.model_dump(mode="json"),
    }


def _fit_body(writer: Writer) -> RoleFrames:
    """How the body lies in the joints of a library's skeleton, by its own clips.

    Parameters
    ----------
    writer : Writer
        The library.

    Returns
    -------
    RoleFrames

    Raises
    ------
    InvalidInputError
        When it has no clip that was captured on its skeleton, or roles are missing.
    """
    writer.flush()  # clips that were just read are looked at too
    library = Library(writer.folder, writer.manifest.with_clips(writer.clips.values()))
    own = [n for n in library.names if not library.entry(n).source.options.retarget][:MOST_CLIPS]
    if not own:
        message = f"{writer.folder}: no clip was captured on the skeleton of this library, so none"
        raise InvalidInputError(f"{message} can be retargeted to it; add one of its own first")
    return fit_role_frames([library.frames(name).motion for name in own])


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
    """All that a process needs to know to read one file.

    Parameters
    ----------
    order : Order
        The file, how it is read and what the clip is called.
    library : Path
        The library's folder, from which paths of sources are told.
    fps : float
        Frames per second of the clip.
    performer : Performer
        The library's skeleton and roles.
    folder : Path
        Where to write; must not exist.
    body : RoleFrames, optional
        Of the library's skeleton, for clips that are retargeted to it.
    """

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
    body = _fit_body(writer) if any(order.options.retarget for order in orders) else None
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
        message = "a process that was reading clips died, perhaps for want of memory; run the same"
        raise SynthesisError(f"{message} command again to go on, with fewer workers") from None


def _do(job: _Job) -> ClipEntry | Failure:
    try:
        return ingest(job)
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
