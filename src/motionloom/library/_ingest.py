"""From a motion file to what a library keeps of it.

Clips of the same joints are resized to the library's skeleton; those of other skeletons are carried
over to its body.
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
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.clips.prepare import different_joint, label_of, prepare_clip
from motionloom.edit.bones import SAME_BONE, mean_bones
from motionloom.edit.retarget import RoleFrames, fit_role_frames, retarget_clips
from motionloom.edit.root import align_ground
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
    hash_files,
    load_options,
    path_from,
)
from motionloom.library.writer import InWayError, Writer
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.processes import undisturbed, worker_pool
from motionloom.progress import Progress
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array, Bools

#: Bones of arms and legs that point this far elsewhere at rest belong to another rest pose,
#: degrees. The legs and arms of captures with one rest pose agree within 0.1 degrees, whoever
#: performs.
_LIMB_TURN = 10.0
#: Other bones (where hips and shoulders sit) differ with the body, by up to 18 degrees between
#: captured performers.
_BONE_TURN = 45.0
#: Shorter bones have no direction, metres.
_SHORT = 0.01


@dataclass(frozen=True, eq=False)
class Resized:
    """A clip on the library's skeleton.

    Parameters
    ----------
    motion : Motion
        The clip with the library's bones.
    scale : float
        Leg length of the library's performer over that of the clip's; 1 for the same bones.
    raised : float, metres
        How far the clip was moved up, so that its feet are on the ground.
    notes : tuple of str
        What was done, one sentence; empty for the same bones.
    """

    motion: Motion
    scale: float = 1.0
    raised: float = 0.0
    notes: tuple[str, ...] = ()


def own_skeleton(motion: Motion) -> Skeleton:
    """The skeleton of a motion with its bones, kept as OFFSET lines or position channels."""
    bones = mean_bones(motion)
    offsets = np.where(np.any(bones != 0, axis=1, keepdims=True), bones, motion.skeleton.offsets)
    return replace(motion.skeleton, offsets=offsets)


def fit_to(motion: Motion, skeleton: Skeleton, roles: Roles) -> Resized:
    """Bring a clip to the skeleton of a library.

    A clip of the same bones stays as it is. In one of other bones every joint keeps its rotation
    and takes the library's bones, the way of the root is scaled by the ratio of the legs, and the
    body is moved up or down until the soles rest as high above the ground as those of the clip did,
    by the same ratio.

    Parameters
    ----------
    motion : Motion
        The clip, with the same joints as `skeleton`.
    skeleton : Skeleton
        From `own_skeleton`.
    roles : Roles
        Of `skeleton`.

    Returns
    -------
    Resized
        On `skeleton`, with the scale and the height that it was raised by.

    Raises
    ------
    InvalidInputError
        When joints differ, or the rest pose does.
    """
    odd = different_joint(skeleton, motion.skeleton)
    if odd:
        raise InvalidInputError(
            f"{label_of(motion)}: its skeleton is not the library's; the first joint that differs"
            f" is {odd} (library / file); retarget it, or make a library of its own for it",
            hint="retarget into library",
        )
    bones = mean_bones(motion)
    has_bone = np.any(bones != 0, axis=1)
    gap = np.where(has_bone, np.abs(bones - skeleton.offsets).max(axis=1), 0.0)
    if gap.max() <= SAME_BONE:
        return Resized(_on_skeleton(motion, skeleton))
    _check_rest_pose(motion, bones, skeleton, roles)
    scale = _length(skeleton.offsets, skeleton, roles) / _length(bones, skeleton, roles)
    resized = _resize(motion, has_bone, skeleton, scale)
    raised = _rise(motion, resized, roles, scale)
    note = (
        f"{label_of(motion)}: another performer (bone to {skeleton.names[int(gap.argmax())]!r}"
        f" differs by {gap.max() * 1000:.0f} mm); rotations kept, the way of the root scaled by"
        f" {scale:.3f} (leg lengths), moved up or down until the feet are on the ground"
    )
    return Resized(align_ground(resized, -raised), scale, raised, (note,))


def _on_skeleton(motion: Motion, skeleton: Skeleton) -> Motion:
    """The same world poses on another skeleton of the same bones; translations keep the rest."""
    elsewhere = np.abs(motion.skeleton.offsets - skeleton.offsets).max(axis=1) > SAME_BONE
    translated = tuple(sorted({*motion.translated, *np.flatnonzero(elsewhere).tolist()}))
    translations = motion.local_translations()[:, list(translated)]
    return replace(motion, skeleton=skeleton, translations=translations, translated=translated)


def _check_rest_pose(motion: Motion, bones: Array, skeleton: Skeleton, roles: Roles) -> None:
    """Refuse bones that point elsewhere at rest: the same rotations would be another pose."""
    ends = ("elbow", "hand", "knee", "foot")
    limbs = {j for role, j in roles.joints.items() if role.endswith(ends)}
    lengths = np.linalg.norm(bones, axis=1) * np.linalg.norm(skeleton.offsets, axis=1)
    cosine = np.sum(bones * skeleton.offsets, axis=1) / np.where(lengths > 0, lengths, 1.0)
    turn = np.where(lengths > _SHORT**2, np.degrees(np.arccos(np.clip(cosine, -1, 1))), 0.0)
    limit = np.array([_LIMB_TURN if j in limbs else _BONE_TURN for j in range(skeleton.n_joints)])
    worst = int(np.argmax(turn / limit))
    if turn[worst] > limit[worst]:
        raise InvalidInputError(
            f"{label_of(motion)}: its rest pose is not the library's (the bone to"
            f" {skeleton.names[worst]!r} points {turn[worst]:.0f} degrees elsewhere), so the same"
            " rotations would be another pose; retarget it, or make a library of its own for it",
            hint="retarget into library",
        )


def _length(bones: Array, skeleton: Skeleton, roles: Roles) -> float:
    """Length of the leg, the mean of both sides; of all bones where there is no leg. Metres."""
    lengths = np.linalg.norm(bones, axis=1)
    legs = []
    for side in ("left", "right"):
        hip = roles.joint(f"{side}_hip")
        foot = roles.joint(f"{side}_foot")
        if hip is not None and foot is not None:
            below = set(skeleton.descendants(hip)) - {hip}
            legs.append(float(lengths[[j for j in skeleton.chain(foot) if j in below]].sum()))
    return float(np.mean(legs)) if legs else float(lengths.sum())


def _resize(motion: Motion, has_bone: Bools, skeleton: Skeleton, scale: float) -> Motion:
    """The same rotations on other bones; joints that travel (root, sliding) do so by the ratio."""
    full = np.where(has_bone[:, None], skeleton.offsets, scale * motion.local_translations())
    travels = np.ptp(full, axis=0).max(axis=1) > 0
    elsewhere = np.abs(full[0] - skeleton.offsets).max(axis=1) > 1e-9
    translated = tuple(np.flatnonzero(travels | elsewhere).tolist())
    return replace(
        motion, skeleton=skeleton, translations=full[:, list(translated)], translated=translated
    )


def _rise(motion: Motion, resized: Motion, roles: Roles, scale: float) -> float:
    """How far up (metres) the resized clip goes so that its soles rest as the clip's did."""
    if not roles.feet:
        return 0.0
    wanted = _rests(fit_soles([PosedMotion(motion, roles)]))
    found = _rests(fit_soles([PosedMotion(resized, roles)]))
    shared = wanted.keys() & found.keys()
    rises = [scale * wanted[key] - found[key] for key in sorted(shared)]
    return float(np.median(rises)) if rises else 0.0


def _rests(soles: Soles) -> dict[tuple[str, str], float]:
    """World height at which every point of the soles rests, metres."""
    return {(p.foot, p.part): p.rest + soles.ground for p in soles.points}


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
