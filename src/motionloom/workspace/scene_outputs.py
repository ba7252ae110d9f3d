"""What is written of a scene with several characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.errors import InvalidInputError
from motionloom.io.registry import SCENE_SUFFIXES
from motionloom.progress import Progress, silent
from motionloom.workspace.checks import check_outputs, check_page, check_png
from motionloom.workspace.moments import happenings_of, moments_of
from motionloom.workspace.motion_outputs import Outputs
from motionloom.workspace.writing import Writer

if TYPE_CHECKING:
    from motionloom.clips.clip_set import ClipSet
    from motionloom.constraints import ConstraintSet
    from motionloom.constraints.scene import SceneConstraints
    from motionloom.scene.report import SceneReport
    from motionloom.scene.solve import Scene
    from motionloom.synthesis.driver import SynthesisOptions


@dataclass(frozen=True)
class SceneOutputs:
    """Where the results of a scene go.

    Parameters
    ----------
    motion : Path
        A ``.glb``, ``.fbx`` or ``.usda`` is one file with all characters, with a BVH file of each
        beside it; other formats are one file each: ``OUT-alice.bvh``, ``OUT-bob.bvh``.
    constraints : SceneConstraints
        What is asked for.
    report, html, png : Path, optional
        As `Outputs` has them.
    """

    motion: Path
    constraints: SceneConstraints
    report: Path | None = None
    html: Path | None = None
    png: Path | None = None

    @property
    def is_whole(self) -> bool:
        """Whether one file holds all characters."""
        return self.motion.suffix.lower() in SCENE_SUFFIXES

    def of(self, character: str) -> Path:
        """The file of one character."""
        suffix = ".bvh" if self.is_whole else self.motion.suffix
        return self.motion.with_name(f"{self.motion.stem}-{character}{suffix}")

    def check(
        self, inputs: Iterable[Path], force: bool = False, kept: Iterable[Path | None] = ()
    ) -> None:
        """Refuse before any work what could not be written, or would overwrite what is not ours.

        Parameters
        ----------
        inputs, force, kept
            As `check_outputs` has them; nothing can be kept of a scene.

        Raises
        ------
        MotionloomError
            In one sentence.
        """
        from motionloom.io.registry import find_writer

        find_writer(self.motion)
        if self.motion.suffix.lower() in (".amc", ".mot"):
            raise InvalidInputError(
                f"{self.motion}: a scene is written as .glb, .fbx, .usda or .bvh; choose one"
            )
        for path in kept:
            if path is not None:
                raise InvalidInputError(
                    f"{path}: a search is kept for one motion, not for a scene of several; leave"
                    " it out"
                )
        check_png(self.png)
        check_page(self.html)
        check_outputs(self._all(), inputs, force)

    def _all(self) -> Iterator[Path]:
        if self.is_whole:
            yield self.motion
        yield from (self.of(name) for name in self.constraints.characters)
        yield from (p for p in (self.report, self.html, self.png) if p is not None)

    def make(
        self,
        clips: ClipSet,
        options: SynthesisOptions,
        generator: str,
        writer: Writer,
        progress: Progress = silent,
        skeleton: Path | None = None,
    ) -> SceneReport:
        """Solve the scene, one generator for all, and write it.

        Parameters
        ----------
        clips : ClipSet
            Clips of all characters.
        options : SynthesisOptions
            Their budget is that of each character's search.
        generator : str
            Name of the method.
        writer : Writer
            Writes the files.
        progress : Progress
            Told of every stage.
        skeleton : Path, optional
            Not used, as no scene is written as AMC; here for the signature of `Outputs.make`.

        Returns
        -------
        SceneReport
            As it was written, where a report is wanted.

        Raises
        ------
        MotionloomError
            When no motion can be made, or a file cannot be written.
        """
        from motionloom.scene.solve import fit_cast, synthesize_scene
        from motionloom.synthesis.measure import check_names

        for character in self.constraints.characters.values():
            check_names(character, clips, options.labels)
        cast = fit_cast(clips, self.constraints, options, progress=progress, generator=generator)
        scene = synthesize_scene(cast, self.constraints, options, None, progress)
        self.write(scene, writer, progress)
        return scene.report

    def write(self, scene: Scene, writer: Writer, progress: Progress = silent) -> None:
        """Write everything, the motions first.

        Parameters
        ----------
        scene : Scene
            The motions, their contacts and the report.
        writer : Writer
            Writes the files.
        progress : Progress
            Told of the drawing.

        Raises
        ------
        MotionloomError
            When a file cannot be written.
        """
        from motionloom.io import save
        from motionloom.io.files import name_of
        from motionloom.io.registry import save_scene

        title = name_of(self.motion)
        if self.is_whole:
            writer.write(self.motion, lambda place: save_scene(scene.motions, place, title))
        for name, motion in scene.motions.items():
            writer.write(self.of(name), partial(save, motion))
        if self.report is not None:
            writer.write_report(self.report, scene.report)
        if self.png is not None:
            progress("drawing", 0, 1)
            writer.write(self.png, lambda place: self._draw(scene, place, title))
            progress("drawing", 1, 1)
        if self.html is not None:
            from motionloom.view.page import write_scene_page

            feet = {name: contacts.by_foot() for name, contacts in scene.contacts.items()}
            writer.write(
                self.html,
                lambda place: write_scene_page(
                    scene.motions,
                    place,
                    contacts=feet,
                    happenings=happenings_of(scene.report.events),
                    title=title,
                    progress=progress,
                ),
            )

    def _draw(self, scene: Scene, place: Path, title: str) -> None:
        from motionloom.view.scene_sheet import write_scene_sheet

        moments = moments_of(scene.report.events, scene.report.overlaps)
        write_scene_sheet(scene.motions, place, moments=moments, title=title, notes=_notes(scene))


def plan_outputs(
    motion: Path,
    asked: ConstraintSet | SceneConstraints,
    count: int | None = None,
    report: Path | None = None,
    html: Path | None = None,
    png: Path | None = None,
) -> Outputs | SceneOutputs:
    """Where the results of what is asked for go: of one motion or of a scene.

    Parameters
    ----------
    motion : Path
        See `Outputs` and `SceneOutputs`.
    asked : ConstraintSet or SceneConstraints
        As `motionloom.constraints.scene_files.read_any` gives it.
    count : int, optional
        Most motions that are written; 1 when not given.
    report, html, png : Path, optional
        Where these go; none is written where none is given.

    Returns
    -------
    Outputs or SceneOutputs
        By what is asked for.

    Raises
    ------
    InvalidInputError
        When several motions are wanted of a scene.
    """
    from motionloom.constraints import ConstraintSet

    if isinstance(asked, ConstraintSet):
        return Outputs(motion, asked, count or 1, report, html, png)
    if count is not None and count > 1:
        raise InvalidInputError(
            "of a scene one motion each is written, so there are no alternatives; ask for one"
        )
    return SceneOutputs(motion, asked, report, html, png)


def _notes(scene: Scene) -> list[str]:
    notes = [f"seed {scene.report.seed}"]
    for e in scene.report.events:
        joints = "" if e.joints_after is None else f", joints {1000 * e.joints_after:.1f} mm"
        notes.append(
            f"{e.name} at {e.time:g} s: apart {1000 * e.place:.1f} mm, facing {e.facing:.1f}"
            f" deg{joints}"
        )
    deepest = max((o.depth for o in scene.report.overlaps), default=0.0)
    return [*notes, f"interpenetration {deepest:.0f} mm"]
