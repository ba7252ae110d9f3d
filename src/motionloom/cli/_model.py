"""``motionloom model``: takes of one action as a model, what it knows, and new takes from it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli import _fields as fields
from motionloom.cli._command import Reporting, Result, Showing
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions
from motionloom.workspace.outputs import synthesis_files

if TYPE_CHECKING:
    from motionloom.spaces.motion_space.learning import MotionSpaceOptions


class FitModel(Reporting):
    """Learn a model from CLIPS, takes of one action."""

    clips: Place = fields.clips()
    output: Path = fields.model_output()
    keys: Path | None = fields.read_file("Key postures of the takes, or how they are found.")
    tool: tuple[str, ...] = option_field(
        (), "What a joint holds, metres in its frame.", unit="NAME=JOINT:x,y,z", repeats=True
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


class ShowModel(Reporting):
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


class EditModel(Showing):
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
