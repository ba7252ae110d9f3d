"""What is written of motions that were made: the motions, a contact sheet and a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.errors import InvalidInputError
from motionloom.progress import Progress, silent

if TYPE_CHECKING:
    from motionloom.analysis.quality import Quality
    from motionloom.constraints import ConstraintSet
    from motionloom.motion import Motion
    from motionloom.scene.check import EventOutcome, PairOverlap
    from motionloom.scene.solve import Scene
    from motionloom.shot import MadeShot
    from motionloom.synthesis.driver import Synthesis
    from motionloom.synthesis.report import SynthesisReport
    from motionloom.view.scene_sheet import Moment

#: What writes each file: by its path, or by the name of the option that has its path.
Files = dict[Any, Callable[[Path], object]]


def motion_files(
    motions: Sequence[Motion],
    paths: Sequence[Path],
    progress: Progress = silent,
    skeleton: Path | None = None,
    notes: Sequence[Any] = (),
    **shown: Any,
) -> Files:
    """Say what writes motions, a contact sheet of them and a page.

    Parameters
    ----------
    motions : sequence of Motion
        What was made.
    paths : sequence of Path
        Where each goes; pictures call it by that name.
    progress : Progress
        Told of the drawing.
    skeleton : Path, optional
        The ASF file that an AMC file belongs to.
    notes : sequence
        What the contact sheet says.
    **shown
        What both show besides, such as ``contacts`` and ``targets``.

    Returns
    -------
    dict
        Writers: of the motions by path, of the pictures as ``"png"`` and ``"html"``.

    Raises
    ------
    InvalidInputError
        When a format cannot hold the motions.
    """
    from motionloom.io.files import name_of
    from motionloom.io.registry import check_save, save

    check_save(motions[0], paths[0], skeleton)
    files: Files = {}
    named = []
    for motion, path in zip(motions, paths, strict=False):
        files[path] = partial(save, motion, skeleton=skeleton)
        named.append(replace(motion, name=name_of(path)))
    title = name_of(paths[0])
    return files | view_files(named, title, progress, notes, **shown)


def view_files(
    motions: Sequence[Any],
    title: str | None = None,
    progress: Progress = silent,
    notes: Sequence[Any] = (),
    **shown: Any,
) -> Files:
    """Say what writes a contact sheet of motions and a page.

    Parameters
    ----------
    motions : sequence of Motion or MarkerSequence
        What is shown.
    title : str, optional
        Of the page.
    progress : Progress
        Told of the drawing.
    notes : sequence
        What the contact sheet says.
    **shown
        What both show besides, such as ``contacts`` and ``targets``.

    Returns
    -------
    dict
        Writers, ``"png"`` and ``"html"``.
    """

    def draw(path: Path) -> None:
        from motionloom.view import write_contact_sheet

        progress("drawing", 0, 1)
        write_contact_sheet(motions, path, notes=notes, **shown)
        progress("drawing", 1, 1)

    def write_page(path: Path) -> None:
        from motionloom.view import write_page

        write_page(motions, path, title=title, progress=progress, **shown)

    return {"png": draw, "html": write_page}


def synthesis_files(
    made: Synthesis,
    asked: ConstraintSet,
    paths: Sequence[Path],
    progress: Progress = silent,
    skeleton: Path | None = None,
) -> Files:
    """Say what writes the motions of a synthesis; see `motion_files`.

    Parameters
    ----------
    made : Synthesis
        The motions, their contacts and the report.
    asked : ConstraintSet
        What was asked for.
    paths, progress, skeleton
        As `motion_files` has them.

    Returns
    -------
    dict
    """
    return motion_files(
        [one.motion for one in made.finished],
        paths,
        progress,
        skeleton,
        [[_verdict(made.report, one.quality)] for one in made.finished],
        contacts=[one.contacts.by_foot() for one in made.finished],
        targets=asked,
    )


def _verdict(report: SynthesisReport, quality: Quality) -> str:
    skate = _ratio(quality.skate_mean, report.sources.skate_mean)
    seam = _ratio(quality.seam_acceleration, report.sources.acceleration_p99)
    return (
        f"seed {report.seed}   skate {skate:.2f} x the clips' mean"
        f"   seams {seam:.2f} x the clips' 99th percentile"
    )


def _ratio(value: float, usual: float) -> float:
    return value / usual if usual > 0 else 0.0


@dataclass(frozen=True)
class CastPaths:
    """Where the motions of characters go.

    Parameters
    ----------
    motion : Path
        Of one character its motion; of several a ``.glb``, ``.fbx`` or ``.usda`` with all of them
        and a BVH file of each beside it, or a file of each: ``OUT-anna.bvh``.
    cast : tuple of str
        Names of the characters.

    Raises
    ------
    InvalidInputError
        When the format cannot hold them.
    """

    motion: Path
    cast: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.cast) > 1 and self.motion.suffix.lower() in (".amc", ".mot"):
            raise InvalidInputError(
                f"{self.motion}: motions of several are written as .glb, .fbx, .usda or .bvh;"
                " choose one"
            )

    @property
    def has_scene(self) -> bool:
        """Whether one file holds several characters."""
        from motionloom.io.registry import SCENE_SUFFIXES

        return len(self.cast) > 1 and self.motion.suffix.lower() in SCENE_SUFFIXES

    def of(self, who: str) -> Path:
        """The file of one character."""
        if len(self.cast) == 1:
            return self.motion
        suffix = ".bvh" if self.has_scene else self.motion.suffix
        return self.motion.with_name(f"{self.motion.stem}-{who}{suffix}")

    @property
    def all(self) -> list[Path]:
        """Every file."""
        return [self.motion] * self.has_scene + [self.of(who) for who in self.cast]


def scene_files(made: Scene, paths: CastPaths, progress: Progress = silent) -> Files:
    """Say what writes a scene: the motions, a contact sheet and a page.

    Parameters
    ----------
    made : Scene
        The motions, their contacts and the report.
    paths : CastPaths
        Where the motions go.
    progress : Progress
        Told of the drawing.

    Returns
    -------
    dict
        As `motion_files` has it.
    """
    report = made.report
    of_events = [
        f"{e.name} at {e.time:g} s: apart {1000 * e.place:.1f} mm, facing {e.facing:.1f}"
        f" deg{_joints(e)}"
        for e in report.events
    ]
    deepest = max((o.depth for o in report.overlaps), default=0.0)
    notes = [f"seed {report.seed}", *of_events, f"interpenetration {deepest:.0f} mm"]
    return _files_of_cast(made, report.events, notes, paths, progress)


def shot_files(made: MadeShot, paths: CastPaths, progress: Progress = silent) -> Files:
    """Say what writes a shot: the motions, a contact sheet and a page.

    Parameters
    ----------
    made : MadeShot
        The motions, their contacts and the report.
    paths : CastPaths
        Where the motions go.
    progress : Progress
        Told of the drawing.

    Returns
    -------
    dict
        As `motion_files` has it.
    """
    report = made.report
    of_meetings = (
        f"{one.label}: {1000 * one.place:.0f} mm, {one.facing:.1f} deg off{_joints(one)}"
        for one in report.meetings
    )
    notes = [f"seed {report.seed}", *of_meetings]
    return _files_of_cast(made, report.meetings, notes, paths, progress, made.asked)


def _joints(event: EventOutcome) -> str:
    after = event.joints_after
    return "" if after is None else f", joints {1000 * after:.1f} mm"


def _files_of_cast(
    made: Scene | MadeShot,
    events: Sequence[EventOutcome],
    notes: Sequence[str],
    paths: CastPaths,
    progress: Progress,
    targets: Mapping[str, ConstraintSet] | None = None,
) -> Files:
    """The motions, a sheet of everybody and a page; a shot's only character has a sheet alone."""
    from motionloom.io import save
    from motionloom.io.files import name_of
    from motionloom.io.registry import save_scene

    motions = made.motions
    title = name_of(paths.motion)
    contacts = {who: own.by_foot() for who, own in made.contacts.items()}

    def draw(path: Path) -> None:
        from motionloom.view import write_contact_sheet
        from motionloom.view.scene_sheet import write_scene_sheet

        progress("drawing", 0, 1)
        if targets is not None and len(motions) == 1:
            ((who, motion),) = motions.items()
            about: Any = {"contacts": contacts[who], "targets": targets.get(who)}
            write_contact_sheet(motion, path, title=title, notes=notes, **about)
        else:
            moments = moments_of(events, made.report.overlaps)
            write_scene_sheet(motions, path, moments=moments, title=title, notes=notes)
        progress("drawing", 1, 1)

    def write_page(path: Path) -> None:
        from motionloom.view.page import Happening, write_scene_page

        happenings = [
            Happening(one.label, one.time, (float(one.spot.x), float(one.spot.z))) for one in events
        ]
        about: Any = {"contacts": contacts, "targets": targets, "title": title}
        write_scene_page(motions, path, happenings=happenings, progress=progress, **about)

    files: Files = {"png": draw, "html": write_page}
    if paths.has_scene:
        files[paths.motion] = lambda path: save_scene(motions, path, title)
    return files | {paths.of(who): partial(save, motion) for who, motion in motions.items()}


def moments_of(events: Iterable[EventOutcome], overlaps: Iterable[PairOverlap]) -> list[Moment]:
    """When two are deepest in each other, or nearest, and what happens between them.

    Parameters
    ----------
    events : iterable of EventOutcome
        Meetings.
    overlaps : iterable of PairOverlap
        Of every two characters.

    Returns
    -------
    list of Moment
        Those of overlaps first, the deepest of them at the front.
    """
    from motionloom.view.scene_sheet import Moment

    near = sorted((one for one in overlaps if any(one.bones)), key=lambda one: -one.depth)
    deepest = [
        Moment(one.time, one.between, f"deepest, {one.depth:.0f} mm" if one.depth else "nearest")
        for one in near
    ]
    return [*deepest, *(Moment(one.time, one.between, one.name) for one in events)]
