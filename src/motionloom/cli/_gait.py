"""``motionloom gait``: walks and runs as a space of cycles at any speed, and motion made of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli import _fields as fields
from motionloom.cli._command import Reporting, Result, Showing
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions
from motionloom.workspace.outputs import Files, motion_files

if TYPE_CHECKING:
    from motionloom.gait.cycles.find import FoundGait


class FitGait(Reporting):
    """Learn a gait space from walks and runs, of one person or more."""

    clips: Place = fields.clips()
    output: Path = fields.model_output("Gait space to write.")
    told: Path | None = fields.read_file(
        "YAML: whose clips they are, their styles, strikes that were found wrongly."
    )
    png: Path | None = fields.picture("Draw the strikes, offs and strides of every clip.")
    reading: ReadOptions = fields.reading("only", "without", "roles")

    def make(self, progress: Progress) -> Result:
        """Learn it."""
        from motionloom.gait.verbs import fit

        learned = fit(self.clips, told=self.told, progress=progress, **vars(self.reading))
        files: Files = {"output": learned.save, "png": partial(_draw_found, learned.details)}
        return Result(learned.report, files)


def _draw_found(found: Mapping[str, FoundGait], path: Path) -> None:
    from motionloom.gait.picture import write_found_picture

    left = write_found_picture(found, path)
    if left:
        say(f"{left} clips are not in the picture")


class ShowGait(Reporting):
    """Say what a MODEL holds: energy, speeds, persons, frequency laws, styles."""

    model: Path = fields.argument("Gait space of 'gait fit'.", "MODEL")
    png: Path | None = fields.picture(
        "Draw it: coefficients, frequency, transition and poses over speed."
    )

    def make(self, progress: Progress) -> Result:
        """Read it."""
        from motionloom.gait.picture import write_gait_picture
        from motionloom.gait.store import load_gait
        from motionloom.gait.survey import survey_gait
        from motionloom.io.files import name_of

        overview = survey_gait(load_gait(self.model))
        title = name_of(self.model)
        return Result(overview, {"png": lambda path: write_gait_picture(overview, path, title)})


class MakeGait(Showing):
    """Walk or run: at a speed, or along the paths of a constraint file.

    A way that no gait can follow is refused, with the nearest speed or radius that one can.
    """

    model: Path = fields.argument("Gait space of 'gait fit'.", "MODEL")
    speed: float | None = option_field(None, "Straight ahead at this speed.", unit="M/S")
    seconds: float | None = option_field(None, "For so long.", unit="SECONDS")
    constraints: Path | None = fields.read_file(
        "Along its paths and body constraints.", name="-c --constraints"
    )
    fps: float | None = option_field(
        None, "Frames per second with --speed; else 30. A file has its own."
    )
    person: str | None = option_field(None, "One of the model's; else anybody's.", unit="NAME")
    height: float | None = option_field(
        None, "Stature of a body of another size.", unit="METRES", minimum=0.5, maximum=3.0
    )
    style: str | None = option_field(None, "One of the model's styles.", unit="NAME")
    seed: int | None = option_field(
        None, "Strides differ, drawn with this seed; else they are alike.", minimum=0
    )
    output: Path = fields.motion_output()

    def check(self) -> None:
        """Refuse a way that is said twice, or not at all."""
        if self.constraints is None and (self.speed is None or self.seconds is None):
            raise InvalidInputError(
                "gait make needs --speed and --seconds, or --constraints: where it leads and when"
            )
        said = (self.speed, self.seconds, self.fps)
        if self.constraints is not None and any(one is not None for one in said):
            raise InvalidInputError(
                "a constraint file has its own times and frames per second; leave --speed,"
                " --seconds and --fps out"
            )

    def make(self, progress: Progress) -> Result:
        """Make the gait."""
        from motionloom.gait.generator import contacts_of
        from motionloom.gait.verbs import make

        made = make(
            self.model,
            self.constraints,
            **self.values_of("speed", "seconds", "fps", "person", "height", "style", "seed"),
        )
        shown: Any = {"contacts": [contacts_of(made.details.woven).by_foot()]}
        files = motion_files([made.motion], [self.output], progress, targets=made.asked, **shown)
        return Result(made.report, files)
