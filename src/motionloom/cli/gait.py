"""``motionloom gait``: walks and runs as a space of cycles at any speed, and motion made of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.command import Reporting, Result, Showing
from motionloom.cli.console import say
from motionloom.cli.fields import (
    argument,
    clips,
    model_output,
    motion_output,
    picture,
    read_file,
    reading,
)
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions, read_motions
from motionloom.workspace.outputs import motion_files

if TYPE_CHECKING:
    from motionloom.constraints import ConstraintSet
    from motionloom.gait.cycles.find import FoundGait
    from motionloom.gait.make import MadeGait, Walker

#: Hips are this share of a person's stature above the ground (Drillis & Contini 1966).
HIP_SHARE = 0.53


class FitGait(Reporting):
    """Learn a gait space from walks and runs, of one person or more."""

    clips: Place = clips()
    output: Path = model_output("Gait space to write.")
    told: Path | None = read_file(
        "YAML: whose clips they are, their styles, strikes that were found wrongly."
    )
    png: Path | None = picture("Draw the strikes, offs and strides of every clip.")
    reading: ReadOptions = reading("only", "without", "roles")

    def make(self, progress: Progress) -> Result:
        """Learn it."""
        from motionloom.gait.cycles.told import read_told
        from motionloom.gait.overview.survey import survey_gait
        from motionloom.gait.space.fit import learn_gait
        from motionloom.gait.space.gather import gather_examples
        from motionloom.gait.store import save_gait

        rows = () if self.told is None else read_told(self.told)
        motions = read_motions(self.clips, self.reading, progress, say)
        roles = self.reading.read_roles(motions[0].skeleton)
        found = gather_examples(motions, rows, roles, progress=progress)
        space = learn_gait(found)
        files = {"output": partial(save_gait, space), "png": partial(_draw_found, found.found)}
        return Result(survey_gait(space), files, space.notes)


def _draw_found(found: Mapping[str, FoundGait], path: Path) -> None:
    from motionloom.gait.cycles.picture import write_found_picture

    left = write_found_picture(found, path)
    if left:
        say(f"{left} clips are not in the picture")


class ShowGait(Reporting):
    """Say what a MODEL holds: energy, speeds, persons, frequency laws, styles."""

    model: Path = argument("Gait space of 'gait fit'.", "MODEL")
    png: Path | None = picture("Draw it: coefficients, frequency, transition and poses over speed.")

    def make(self, progress: Progress) -> Result:
        """Read it."""
        from motionloom.gait.overview.picture import write_gait_picture
        from motionloom.gait.overview.survey import survey_gait
        from motionloom.gait.store import load_gait
        from motionloom.io.files import name_of

        overview = survey_gait(load_gait(self.model))
        title = name_of(self.model)
        return Result(overview, {"png": lambda path: write_gait_picture(overview, path, title)})


class MakeGait(Showing):
    """Walk or run: at a speed, or along the paths of a constraint file.

    A way that no gait can follow is refused, with the nearest speed or radius that one can.
    """

    model: Path = argument("Gait space of 'gait fit'.", "MODEL")
    speed: float | None = option_field(None, "Straight ahead at this speed.", unit="M/S")
    seconds: float | None = option_field(None, "For so long.", unit="SECONDS")
    constraints: Path | None = read_file(
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
    output: Path = motion_output()

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
        from motionloom.gait.make import Walker
        from motionloom.gait.report import report_gait

        hips = None if self.height is None else HIP_SHARE * self.height
        made, asked = self._walk(Walker(self.person, hips, self.style, self.seed))
        motion = made.woven.posed.motion
        contacts = [contacts_of(made.woven).by_foot()]
        files = motion_files([motion], [self.output], progress, contacts=contacts, targets=asked)
        return Result(report_gait(made, asked), files)

    def _walk(self, walker: Walker) -> tuple[MadeGait, ConstraintSet | None]:
        from motionloom.constraints.files import names_in, read_constraints
        from motionloom.constraints.kinds.table import refuse_unhonoured
        from motionloom.gait.make import HONOURED, make_at_speed, make_for
        from motionloom.gait.store import load_gait

        space = load_gait(self.model)
        if self.constraints is None:
            assert self.speed is not None
            assert self.seconds is not None
            fps = 30.0 if self.fps is None else self.fps
            return make_at_speed(space, self.speed, self.seconds, fps, walker), None
        asked = read_constraints(self.constraints)
        with names_in(self.constraints):
            refuse_unhonoured(asked, "'gait make'", HONOURED)
            return make_for(space, asked, walker), asked
