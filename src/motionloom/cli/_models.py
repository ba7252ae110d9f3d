"""``motionloom gait`` and ``model``: what walks, or takes of an action, show, and new ones."""

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
from motionloom.workspace.outputs import Files, motion_files, synthesis_files

if TYPE_CHECKING:
    from motionloom.gait.cycles.find import FoundGait
    from motionloom.spaces.motion_space.learning import MotionSpaceOptions


class GaitFitCommand(Reporting):
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


class GaitInfoCommand(Reporting):
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


class GaitMakeCommand(Showing):
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


class ModelFitCommand(Reporting):
    """Learn a model from CLIPS, takes of one action."""

    clips: Place = fields.clips()
    output: Path = fields.model_output()
    keys: Path | None = fields.read_file("Key postures of the takes, or how they are found.")
    tool: tuple[str, ...] = fields.several(
        "What a joint holds, metres in its frame.", "NAME=JOINT:x,y,z"
    )
    labels: Path | None = fields.read_file("Labels of takes: their styles.")
    learning: MotionSpaceOptions = fields.part(
        "motionloom.spaces.motion_space.learning", "kind", "components", "n_frames", "align"
    )
    reading: ReadOptions = fields.reading("only", "without", "roles")

    def make(self, progress: Progress) -> Result:
        """Learn it."""
        from motionloom.model import fit

        learned = fit(
            self.clips,
            **self.values_of("keys", "tool", "labels"),
            progress=progress,
            **vars(self.learning),
            **vars(self.reading),
        )
        return Result(learned.report, {"output": learned.save})


class ModelInfoCommand(Reporting):
    """Say what a MODEL is made of, how its takes vary and what it can reach."""

    model: Path = fields.argument("Model made by 'model fit'.", "MODEL")
    at: str | None = option_field(None, "Key posture or normalised frame.", unit="FRAME|KEY")
    joint: str | None = option_field(
        None, "Joint or role whose reach is shown; else what varies most."
    )
    png: Path | None = fields.picture("Draw it: energy, eigen-motions, what it reaches.")

    def make(self, progress: Progress) -> Result:
        """Read it."""
        from motionloom.constraints.joints import find_joints
        from motionloom.io.files import name_of
        from motionloom.models.overview import survey_model, write_model_picture
        from motionloom.spaces.motion_space import load_motion_space

        space = load_motion_space(self.model)
        joint = self.joint
        wanted = None if joint is None else find_joints((joint,), space.skeleton, space.roles)[0]
        overview = survey_model(space, wanted, self.at)
        title = name_of(self.model)
        return Result(overview, {"png": lambda path: write_model_picture(overview, path, title)})


class ModelEditCommand(Showing):
    """Make a new take with a MODEL: one posture as a constraint file says, the rest follows.

    Without --at the file's own times count, and it may ask for several postures.
    """

    model: Path = fields.argument("Model made by 'model fit'.", "MODEL")
    constraints: Path = fields.constraint_file()
    output: Path = fields.motion_output()
    at: str | None = option_field(None, "Key posture or normalised frame.", unit="FRAME|KEY")
    begin: str | None = option_field(
        None, "Take or style to edit; else the mean.", unit="NAME", name="--from"
    )
    seconds: float | None = option_field(
        None, "How long the new take lasts; else predicted.", unit="SECONDS"
    )
    soft: float | None = option_field(
        None,
        "The model may miss by about that, the arm does the rest.",
        unit="CM",
        above=0,
        maximum=100,
    )
    pure: bool = option_field(False, "Only what takes show, no displacement about the posture.")

    def check(self) -> None:
        """Refuse what is about one posture where none is named."""
        if self.at is None and (self.begin is not None or self.seconds is not None):
            raise InvalidInputError("--from and --seconds need --at KEY")

    def make(self, progress: Progress) -> Result:
        """Make the take."""
        from motionloom.model import make

        made = make(
            self.model,
            self.constraints,
            **self.values_of("at", "begin", "seconds"),
            soft=None if self.soft is None else self.soft / 100,
            pure=self.pure,
        )
        return Result(
            made.report, synthesis_files(made.details, made.asked, [self.output], progress)
        )
