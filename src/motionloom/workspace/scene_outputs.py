"""What `motionloom synthesize` writes of a scene with several characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.console import tell_written
from motionloom.cli.inputs import check_outputs, check_png, make_folder_of, output_place
from motionloom.cli.outputs import check_page, format_report
from motionloom.errors import InvalidInputError
from motionloom.progress import Progress, silent

if TYPE_CHECKING:
    from motionloom.constraints.scene import SceneConstraints
    from motionloom.scene.report import SceneReport
    from motionloom.scene.solve import Scene
    from motionloom.synthesis.driver import SynthesisOptions
    from motionloom.synthesis.generator import Fitted


@dataclass(frozen=True)
class SceneOutputs:
    """Where the results of a scene go.

    Parameters
    ----------
    motion : Path
        A ``.glb`` is one file with all characters, with a BVH file of each beside it; other formats are one file each:
        ``OUT-alice.bvh``, ``OUT-bob.bvh``.
    wish : SceneConstraints
    report, html, png : Path, optional
    """

    motion: Path
    wish: SceneConstraints
    report: Path | None = None
    html: Path | None = None
    png: Path | None = None

    @property
    def is_whole(self) -> bool:
        """Whether one file holds all characters."""
        return self.motion.suffix.lower() == ".glb"

    def of(self, character: str) -> Path:
        """The file of one character."""
        suffix = ".bvh" if self.is_whole else self.motion.suffix
        return self.motion.with_name(f"{self.motion.stem}-{character}{suffix}")

    def check(self, inputs: Iterable[Path], force: bool = False, kept: Iterable[Path | None] = ()) -> None:
        """Refuse before any work what could not be written in the end, and what would overwrite what is not ours.

        Raises
        ------
        MotionloomError
            In one sentence.
        """
        from motionloom.io.registry import find_writer

        find_writer(self.motion)
        if self.motion.suffix.lower() == ".amc":
            raise InvalidInputError(f"{self.motion}: a scene is written as .glb or .bvh; choose one of them")
        check_png(self.png)
        check_page(self.html)
        check_outputs(self._all(), inputs, force, kept)
        for path in self._all():
            make_folder_of(path)

    def _all(self) -> Iterator[Path]:
        if self.is_whole:
            yield self.motion
        yield from (self.of(name) for name in self.wish.characters)
        yield from (p for p in (self.report, self.html, self.png) if p is not None)

    def make(
        self, cast: Mapping[str, Fitted], options: SynthesisOptions, progress: Progress, force: bool = False
    ) -> SceneReport:
        """Solve the scene with a generator for every character, and write everything."""
        from motionloom.scene.solve import synthesize_scene

        scene = synthesize_scene(cast, self.wish, options, None, progress)
        self.write(scene, progress, force)
        return scene.report

    def write(self, scene: Scene, progress: Progress = silent, force: bool = False) -> None:
        """Write everything, the motions first."""
        from motionloom.io import save
        from motionloom.io.files import name_of, write_file
        from motionloom.io.gltf import write_scene_glb

        title = name_of(self.motion)
        if self.is_whole:
            place = output_place(self.motion, force)
            write_scene_glb(scene.motions, place, title)
            tell_written(place)
        for name, motion in scene.motions.items():
            place = output_place(self.of(name), force)
            save(motion, place)
            tell_written(place)
        if self.report is not None:
            place = output_place(self.report, force)
            write_file(place, format_report(scene.report, as_json=self.report.suffix.lower() == ".json"))
            tell_written(place)
        if self.png is not None:
            from motionloom.view.scene_sheet import write_scene_sheet

            progress("drawing", 0, 1)
            moments = [time for event in self.wish.events for time in event.times]
            place = output_place(self.png, force)
            write_scene_sheet(scene.motions, place, moments=moments, title=title, notes=_notes(scene))
            progress("drawing", 1, 1)
            tell_written(place)
        if self.html is not None:
            from motionloom.view.page import write_scene_page

            downs = {name: contacts.by_foot() for name, contacts in scene.contacts.items()}
            place = output_place(self.html, force)
            write_scene_page(scene.motions, place, contacts=downs, title=title, progress=progress)
            tell_written(place)


def _notes(scene: Scene) -> list[str]:
    notes = [f"seed {scene.report.seed}"]
    for e in scene.report.events:
        joints = "" if e.joints_after is None else f", joints {1000 * e.joints_after:.1f} mm"
        notes.append(f"{e.name} at {e.time:g} s: apart {1000 * e.place:.1f} mm, facing {e.facing:.1f} deg{joints}")
    deepest = max((o.depth for o in scene.report.overlaps), default=0.0)
    return [*notes, f"interpenetration {deepest:.0f} mm"]
