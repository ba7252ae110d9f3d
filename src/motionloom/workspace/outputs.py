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
    from motionloom.scene.report import EventOutcome, PairOverlap
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
    notes = [f"seed {report.seed}"]
    for e in report.events:
        notes.append(
            f"{e.name} at {e.time:g} s: apart {1000 * e.place:.1f} mm, facing {e.facing:.1f}"
            f" deg{_joints(e)}"
        )
    deepest = max((o.depth for o in report.overlaps), default=0.0)
    notes.append(f"interpenetration {deepest:.0f} mm")
    draw = partial(_draw_scene, made.motions, moments_of(report.events, report.overlaps), notes)
    page = _scene_page(made, report.events, paths.motion, progress)
    return _cast_files(made.motions, paths) | _with_progress(draw, paths.motion, progress) | page


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
    draw = partial(_draw_shot, made)
    page = _scene_page(made, made.report.meetings, paths.motion, progress, targets=made.asked)
    return _cast_files(made.motions, paths) | _with_progress(draw, paths.motion, progress) | page


def _joints(event: EventOutcome) -> str:
    after = event.joints_after
    return "" if after is None else f", joints {1000 * after:.1f} mm"


def _cast_files(motions: Mapping[str, Motion], paths: CastPaths) -> Files:
    from motionloom.io import save
    from motionloom.io.files import name_of
    from motionloom.io.registry import save_scene

    files: Files = {}
    if paths.has_scene:
        title = name_of(paths.motion)
        files[paths.motion] = lambda path: save_scene(motions, path, title)
    return files | {paths.of(who): partial(save, motion) for who, motion in motions.items()}


def _with_progress(draw: Callable[[str, Path], object], motion: Path, progress: Progress) -> Files:
    from motionloom.io.files import name_of

    def write(path: Path) -> None:
        progress("drawing", 0, 1)
        draw(name_of(motion), path)
        progress("drawing", 1, 1)

    return {"png": write}


def _scene_page(
    made: Scene | MadeShot,
    events: Iterable[EventOutcome],
    motion: Path,
    progress: Progress,
    **shown: Any,
) -> Files:
    """The page of several characters, with what is marked of their meetings."""

    def write(path: Path) -> None:
        from motionloom.io.files import name_of
        from motionloom.view.page import Happening, write_scene_page

        spots = [(one, (float(one.spot.x), float(one.spot.z))) for one in events]
        write_scene_page(
            made.motions,
            path,
            contacts={who: contacts.by_foot() for who, contacts in made.contacts.items()},
            happenings=[Happening(one.label, one.time, spot) for one, spot in spots],
            title=name_of(motion),
            progress=progress,
            **shown,
        )

    return {"html": write}


def _draw_scene(
    motions: Mapping[str, Motion],
    moments: Sequence[Moment],
    notes: Sequence[str],
    title: str,
    path: Path,
) -> None:
    from motionloom.view.scene_sheet import write_scene_sheet

    write_scene_sheet(motions, path, moments=moments, title=title, notes=notes)


def _draw_shot(made: MadeShot, title: str, path: Path) -> None:
    """A sheet of everybody: of one alone, or of several in one world at the times that count."""
    from motionloom.view import write_contact_sheet

    report = made.report
    notes = [f"seed {report.seed}"]
    if len(made.motions) == 1:
        ((who, motion),) = made.motions.items()
        contacts = made.contacts[who].by_foot()
        targets = made.asked.get(who)
        write_contact_sheet(
            motion, path, contacts=contacts, targets=targets, title=title, notes=notes
        )
        return
    for one in report.meetings:
        notes.append(
            f"{one.label}: {1000 * one.place:.0f} mm, {one.facing:.1f} deg off{_joints(one)}"
        )
    moments = moments_of(report.meetings, report.overlaps)
    _draw_scene(made.motions, moments, notes, title, path)


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
