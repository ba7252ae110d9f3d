"""A shot as files to take away, made by the same functions as on the command line."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

#: Files that hold the motion itself.
MOTIONS = ("glb", "bvh", "fbx", "usda")
#: What a report is called.
_SUFFIXES = {"report": ".txt"}


@dataclass(frozen=True)
class ExportJob:
    """A file that is asked for.

    Parameters
    ----------
    shot : Path
        The shot file.
    kind : str
        ``glb``, ``bvh``, ``fbx``, ``usda``, ``html``, ``report`` or ``png``.
    folder : Path
        Where to; it is empty.
    pieces : Path
        Where spans are kept.
    budget : float, seconds
        How long walks are searched for.
    """

    shot: Path
    kind: str
    folder: Path
    pieces: Path
    budget: float

    @property
    def is_motion(self) -> bool:
        """Whether it is a motion file."""
        return self.kind in MOTIONS

    @property
    def motion(self) -> Path:
        """Where the motion is written."""
        suffix = self.kind if self.is_motion else "glb"
        return self.folder / "motion" / f"{self.shot.stem}.{suffix}"

    @property
    def wanted(self) -> Path:
        """Where the file is written, if it is no motion."""
        return self.folder / f"{self.shot.stem}{_SUFFIXES.get(self.kind, f'.{self.kind}')}"


def export_shot(job: ExportJob) -> Path:
    """Make a shot as the command line makes it, and write one file of it.

    Parameters
    ----------
    job : ExportJob
        What is asked for.

    Returns
    -------
    Path
        The file; of several characters with a file each, an archive of them.

    Raises
    ------
    MotionloomError
        When it cannot be made.
    """
    from motionloom.io.kept import KeptFolder
    from motionloom.shot import make_shot, read_shot
    from motionloom.workspace.checks import check_outputs
    from motionloom.workspace.outputs import CastPaths, Files, shot_files
    from motionloom.workspace.shots import find_cast, open_stages, plan_of
    from motionloom.workspace.writing import Writer, save_report

    file = read_shot(job.shot)
    paths = CastPaths(job.motion, tuple(file.shot.cast))
    check_outputs([*paths.all, job.wanted], [], force=True)
    kept = KeptFolder(job.pieces)
    stages = open_stages(file, find_cast(file), budget=job.budget, learned=kept)
    made = make_shot(plan_of(file, stages), stages, kept)
    files: Files = {**shot_files(made, paths), "report": partial(save_report, made.report)}
    Writer(force=True).write_all(files, {job.kind: job.wanted})
    if not job.is_motion:
        return job.wanted
    if paths.has_scene or len(paths.cast) == 1:
        return job.motion
    return _archive([paths.of(who) for who in paths.cast], job.wanted.with_suffix(".zip"))


def _archive(files: list[Path], place: Path) -> Path:
    """An archive whose bytes depend on the files alone."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes())
    return place
