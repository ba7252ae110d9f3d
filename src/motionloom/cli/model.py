"""``motionloom model``: takes of one action as a model, what it knows, and new takes from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.options import (
    Constraints,
    Force,
    Places,
    ReportAsJson,
    ResultBlock,
    RolesBlock,
    with_blocks,
)
from motionloom.errors import InvalidInputError
from motionloom.places import find_place, tell_skipped
from motionloom.progress import warn
from motionloom.reading import read_motions
from motionloom.workspace.checks import check_outputs, check_png
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from motionloom.spaces.motion_space import MotionSpace, MotionSpaceOptions

app = typer.Typer(
    name="model",
    help="Motion models: takes of one action, and new takes that do it elsewhere.",
    no_args_is_help=True,
)

ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="Model made by 'model fit'.")]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="FRAME|KEY", help="Key posture or normalised frame."),
]


@dataclass(frozen=True, kw_only=True)
class LearningBlock:
    """How a model is learned."""

    kind: Annotated[str, typer.Option(help="pca, or ppca: what is left out is noise.")] = "pca"
    keys: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Key postures of the takes, or how they are found."),
    ] = None
    components: Annotated[
        float | None,
        typer.Option(help="Eigen-motions, or a share of the variance below 1; else all."),
    ] = None
    frames: Annotated[
        int | None, typer.Option(min=2, max=2000, help="Frames of a normalised take.")
    ] = None
    tool: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=JOINT:x,y,z", help="What a joint holds, metres in its frame."),
    ] = None
    styles: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Labels of takes: their styles.")
    ] = None
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Leave takes where they were captured.")
    ] = False

    def to_options(self) -> MotionSpaceOptions:
        """Options of the library."""
        from motionloom.spaces.motion_space import MotionSpaceOptions

        if self.kind not in ("pca", "ppca"):
            raise InvalidInputError(f"--kind: expected pca or ppca, got {self.kind!r}")
        count = self.components
        whole = None if count is None else int(count) if count >= 1 and count % 1 == 0 else count
        return MotionSpaceOptions(
            kind="pca" if self.kind == "pca" else "ppca",
            components=whole,
            n_frames=self.frames,
            align=not self.in_place,
        )

    @property
    def files(self) -> list[Path]:
        """Files that are read beside the clips."""
        return [path for path in (self.keys, self.styles) if path is not None]


@app.command()
@with_blocks
def fit(
    clips: Places,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="MODEL", help="Model to write: .npz.")
    ],
    learning: LearningBlock,
    reading: RolesBlock,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Learn a model from CLIPS, takes of one action."""
    from motionloom.models.learn import learn_model
    from motionloom.models.overview import survey_model
    from motionloom.models.tools import read_tool
    from motionloom.spaces.motion_space import read_key_file, save_motion_space

    _check_model_name(output)
    options = learning.to_options()
    tools = [read_tool(text) for text in learning.tool or ()]
    read_options = reading.to_options()
    place = find_place(clips)
    check_outputs([output], [*place.files, *learning.files, *read_options.companions], force)
    key_file = None if learning.keys is None else read_key_file(learning.keys)
    tell_skipped(place.skipped, say)
    with progress_bars() as progress:
        motions = read_motions(place, read_options, progress, say)
        roles = read_options.read_roles(motions[0].skeleton)
        space = learn_model(
            motions,
            key_file,
            options,
            tools=tools,
            styles=learning.styles,
            roles=roles,
        )
    warn(space.notes, say)
    Writer(force, say).write(output, lambda path: save_motion_space(space, path))
    print(format_report(survey_model(space), as_json), end="")
    return 0


@app.command()
def info(
    model: ModelFile,
    at: At = None,
    joint: Annotated[
        str | None, typer.Option(help="Joint or role whose reach is shown; else what varies most.")
    ] = None,
    png: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Draw it: energy, eigen-motions, what it reaches."),
    ] = None,
    as_json: ReportAsJson = False,
    force: Force = False,
) -> int:
    """Say what a MODEL is made of, how its takes vary and what it can reach."""
    from motionloom.constraints.joints import find_joints
    from motionloom.io.files import name_of
    from motionloom.models.overview import survey_model
    from motionloom.models.overview.picture import write_model_picture
    from motionloom.spaces.motion_space import load_motion_space

    check_png(png)
    check_outputs([png], [model], force)
    space = load_motion_space(model)
    wanted = None if joint is None else find_joints((joint,), space.skeleton, space.roles)[0]
    overview = survey_model(space, wanted, None if at is None else _frame_or_key(space, at))
    if png is not None:
        title = name_of(model)
        Writer(force, say).write(png, lambda path: write_model_picture(overview, path, title))
    print(format_report(overview, as_json), end="")
    return 0


@dataclass(frozen=True, kw_only=True)
class EditingBlock:
    """How a new take is made."""

    at: At = None
    begin: Annotated[
        str | None,
        typer.Option("--from", metavar="NAME", help="Take or style to edit; else the mean."),
    ] = None
    duration: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Of the new take; else predicted.")
    ] = None
    soft: Annotated[
        float | None,
        typer.Option(metavar="CM", help="The model may miss by about that, the arm does the rest."),
    ] = None
    pure: Annotated[
        bool,
        typer.Option("--pure", help="Only what takes show, no displacement about the posture."),
    ] = False


@app.command()
@with_blocks
def edit(
    model: ModelFile,
    constraints: Constraints,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .glb, .fbx, .usda."
        ),
    ],
    editing: EditingBlock,
    results: ResultBlock,
) -> int:
    """Make a new take with a MODEL: one posture as a constraint file says, the rest follows.

    Without --at the file's own times count, and it may ask for several postures.
    """
    from motionloom.constraints.files import names_in, read_constraints
    from motionloom.models import EditOptions, fitted_model
    from motionloom.models.solving.problem import REACH, SOFTEST
    from motionloom.models.take import edit_take
    from motionloom.spaces.motion_space import load_motion_space
    from motionloom.synthesis.driver import synthesize
    from motionloom.workspace.motion_outputs import Outputs

    if editing.soft is not None and not 0 < editing.soft <= 100 * SOFTEST:
        raise InvalidInputError(
            f"--soft: expected centimetres above 0, at most {100 * SOFTEST:g}, got {editing.soft:g}"
        )
    asked = read_constraints(constraints, still=editing.at is not None)
    outputs = Outputs(output, asked, 1, results.report, results.html, results.png)
    outputs.check([model, constraints], results.force)
    space = load_motion_space(model)
    at, start = _where_to_begin(space, editing)
    options = EditOptions(
        soft=None if editing.soft is None else editing.soft / 100,
        local=None if editing.pure else REACH,
    )
    with progress_bars() as progress, names_in(constraints):
        fitted = fitted_model(space, options)
        if at is None:
            made, dated = synthesize(fitted, asked), asked
        else:
            made, dated = edit_take(fitted, asked, at, start=start, duration=editing.duration)
        shown = Outputs(output, dated, 1, results.report, results.html, results.png)
        shown.write(made, Writer(results.force, say), progress)
    print(format_report(made.report, results.as_json), end="")
    return exit_code_of(made.report.problems)


def _where_to_begin(
    space: MotionSpace, editing: EditingBlock
) -> tuple[float | None, ArrayLike | None]:
    """The edited frame and the coefficients that are edited, where these are given."""
    from motionloom.models.take import start_of

    if editing.at is None:
        if editing.begin is not None or editing.duration is not None:
            raise InvalidInputError("--from and --duration need --at KEY")
        return None, None
    at = space.frame_of(_frame_or_key(space, editing.at))
    return at, None if editing.begin is None else start_of(space, editing.begin)


def _frame_or_key(space: MotionSpace, text: str) -> str | float:
    if text in space.key_names:
        return text
    try:
        return float(text)
    except ValueError:
        return text


def _check_model_name(path: Path) -> None:
    if path.suffix.lower() != ".npz":
        raise InvalidInputError(
            f"{path}: a motion model is kept as .npz; give a name that ends in .npz"
        )
