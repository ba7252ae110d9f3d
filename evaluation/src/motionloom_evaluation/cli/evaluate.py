"""``motionloom evaluate``: how well methods do on given clips, beside published figures."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.errors import InvalidInputError
from motionloom.places import find_place
from motionloom.reading import read_clip_set, read_motions
from motionloom.workspace.writing import Writer, check_outputs, save_report
from motionloom_evaluation.cli.options import (
    ClipBlock,
    Force,
    GraphBlock,
    ReportAsJson,
    ReportFile,
    Seed,
    given,
    with_blocks,
)
from motionloom_evaluation.cli.reports import Report, give_report

if TYPE_CHECKING:
    from motionloom_evaluation.inbetweening.evaluation import InbetweeningOptions
    from motionloom_evaluation.motion_models.evaluation import ModelEvaluationOptions
    from motionloom_evaluation.natural_spaces.evaluation import EvaluationOptions

#: What every evaluation leaves in its folder, beside pictures.
_TEXT = "report.txt"
_DATA = "report.json"

app = typer.Typer(
    name="evaluate",
    help="Measure methods on given clips, beside published figures.",
    no_args_is_help=True,
)


@app.callback()
def _group() -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class EvaluationBlock:
    """How much is measured."""

    targets: Annotated[
        int, typer.Option(min=3, max=10_000, help="Targets for each of the five groups.")
    ] = 100
    splits: Annotated[
        int, typer.Option(min=1, max=50, help="Splits of the clips, with seeds SEED, SEED + 1 ...")
    ] = 2
    seed: Seed = 0
    workers: Annotated[
        int, typer.Option(min=1, metavar="M", help="Processes that share the splits.")
    ] = 1
    quick: Annotated[
        bool, typer.Option("--quick", help="Few targets, one split, two methods: to see it run.")
    ] = False

    def to_options(self) -> EvaluationOptions:
        """Options of the library."""
        from motionloom_evaluation.natural_spaces.evaluation import EvaluationOptions

        if self.quick:
            return replace(EvaluationOptions.quick(self.seed), workers=self.workers)
        return EvaluationOptions(self.targets, self.splits, self.seed, workers=self.workers)


def _write_folder(
    folder: Path, result: Report, draw: Callable[[str], list[Path]], force: bool
) -> None:
    """Save a report as text and data, and the pictures that are drawn into some folder."""
    from motionloom.io.files import write_file

    writer = Writer(force, say)
    for name in (_TEXT, _DATA):
        writer.write(folder / name, partial(save_report, result))
    with tempfile.TemporaryDirectory() as drawn:
        for picture in draw(drawn):
            content = picture.read_bytes()
            writer.write(folder / picture.name, partial(write_file, content=content))


@app.command("natural-spaces")
@with_blocks
def natural_spaces(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="LIB|CLIPS...", help="A library, or clips; at least four, of one skeleton."
        ),
    ],
    reading: ClipBlock,
    measuring: EvaluationBlock,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="FOLDER",
            help="Folder for report.txt, report.json and pictures.",
        ),
    ] = Path("natural-spaces"),
    force: Force = False,
) -> int:
    """Accuracy and naturalness of every pose solver, and more about pose spaces (takes minutes)."""
    from motionloom_evaluation.natural_spaces.evaluation import evaluate_natural_spaces
    from motionloom_evaluation.natural_spaces.pictures import PICTURES, write_pictures

    place = find_place(places)
    read_options = reading.to_options()
    names = (_TEXT, _DATA, *PICTURES)
    inputs = [*place.files, *read_options.companions]
    check_outputs([output / name for name in names], inputs, force)
    with progress_bars() as progress:
        motions = read_motions(place, read_options, progress, say)
        result = evaluate_natural_spaces(motions, measuring.to_options(), progress)
    _write_folder(output, result, partial(write_pictures, result), force)
    print(result.to_text(), end="")
    return 0


@dataclass(frozen=True, kw_only=True)
class GapsBlock:
    """What is measured of in-betweening."""

    split: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|lafan1",
            help=(
                "YAML with two lists of patterns, train and test; or lafan1 for the published"
                " split. Else each capture is tested in turn."
            ),
        ),
    ] = None
    lengths: Annotated[
        list[int] | None,
        typer.Option(
            "--length", min=1, max=45, metavar="N", help="Missing frames; else 5 15 30 45."
        ),
    ] = None
    samples: Annotated[
        int | None, typer.Option(min=10, max=50_000, help="Gaps learned from; else 5000.")
    ] = None
    feet: Annotated[
        int, typer.Option(min=0, max=10_000, help="Windows whose feet are looked at.")
    ] = 40
    pieces: Annotated[
        int, typer.Option(min=0, max=10_000, help="Pieces in the thesis' test of phase spaces.")
    ] = 60
    controls: Annotated[
        int,
        typer.Option(
            min=0,
            max=10_000,
            help="Motions with key poses, effectors and way-points of each split.",
        ),
    ] = 0
    thesis: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=100,
            metavar="PARTS",
            help="Only the thesis' test, on all captures, each held out in one of so many parts.",
        ),
    ] = None
    seed: Seed = 0

    def to_options(self) -> InbetweeningOptions:
        """Options of the library."""
        from motionloom.inbetween import InbetweenOptions
        from motionloom_evaluation.inbetweening.evaluation import InbetweeningOptions

        told = given(samples=self.samples, landmarks=self.samples)
        lengths = given(lengths=tuple(self.lengths) if self.lengths else None)
        return InbetweeningOptions(
            model=InbetweenOptions(**told),
            feet=self.feet,
            pieces=self.pieces,
            controls=self.controls,
            seed=self.seed,
            **lengths,
        )


@app.command("inbetweening")
@with_blocks
def inbetweening(
    places: Annotated[
        list[str],
        typer.Argument(metavar="LIB|CLIPS...", help="A library, or captures of one skeleton."),
    ],
    reading: GraphBlock,
    measuring: GapsBlock,
    output: ReportFile = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Errors of filled gaps as the LaFAN1 benchmark measures them, beside published ones."""
    from motionloom_evaluation.inbetweening.evaluation import evaluate_inbetweening
    from motionloom_evaluation.inbetweening.splits import make_splits
    from motionloom_evaluation.inbetweening.thesis import evaluate_thesis_on_all

    if measuring.thesis is not None and measuring.split is not None:
        raise InvalidInputError(
            "the thesis' test holds out every capture in turn and takes no split; leave one of"
            " --thesis and --split out"
        )
    place = find_place(places)
    read_options = reading.to_options()
    inputs = [*place.files, *read_options.companions]
    if measuring.split is not None:
        inputs.append(Path(measuring.split))
    check_outputs([output], inputs, force)
    with progress_bars() as progress:
        clips = read_clip_set(place, read_options, progress, say)
        options = measuring.to_options()
        result: Report
        if measuring.thesis is not None:
            result = evaluate_thesis_on_all(
                clips, measuring.thesis, options.model, progress=progress
            )
        else:
            splits = make_splits(clips.names, measuring.split)
            result = evaluate_inbetweening(clips, splits, options, progress)
    give_report(result, output, as_json=as_json, force=force)
    return 0


@dataclass(frozen=True, kw_only=True)
class ActionBlock:
    """What takes show, and how much is measured."""

    effector: Annotated[
        str, typer.Option(metavar="JOINT", help="Name or role of the joint that hits.")
    ] = "right_hand"
    rule: Annotated[
        str,
        typer.Option(
            help="How keys are found: 'hold' (goes, stays, returns) or 'speed' (is fastest)."
        ),
    ] = "hold"
    tool: Annotated[
        float,
        typer.Option(metavar="METRES", help="How far beyond the joint the point is that hits."),
    ] = 0.0
    strokes: Annotated[
        bool, typer.Option("--strokes", help="Cut recordings at the effector's peaks of speed.")
    ] = False
    style: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART", help="Part of clips' names that tells a style, for local models."
        ),
    ] = None
    takes: Annotated[
        int, typer.Option(min=1, max=1000, help="Most takes that are left out one by one.")
    ] = 40
    swings: Annotated[
        int,
        typer.Option(
            min=0, max=100, help="Swings of the built-in performer for slopes; 0 for none."
        ),
    ] = 16
    seed: Seed = 0

    def to_options(self) -> ModelEvaluationOptions:
        """Options of the library."""
        from motionloom_evaluation.motion_models.evaluation import ModelEvaluationOptions
        from motionloom_evaluation.motion_models.study import Action

        action = Action(self.effector, self.rule, self.tool, self.strokes)
        return ModelEvaluationOptions(
            action=action,
            styles=tuple(self.style or ()),
            left_out=self.takes,
            beside=min(self.takes, 6),
            swings=self.swings,
            seed=self.seed,
        )


@app.command("motion-models")
@with_blocks
def motion_models(
    places: Annotated[
        list[str],
        typer.Argument(metavar="LIB|CLIPS...", help="Takes of one action, eight at least."),
    ],
    reading: ClipBlock,
    measuring: ActionBlock,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="FOLDER",
            help="Folder for report.txt, report.json and pictures.",
        ),
    ] = Path("motion-models"),
    force: Force = False,
) -> int:
    """Convergence, extrapolation, takes left out and slopes: motion models beside other methods."""
    from motionloom_evaluation.motion_models.evaluation import evaluate_motion_models
    from motionloom_evaluation.motion_models.pictures import PICTURES, write_pictures

    place = find_place(places)
    read_options = reading.to_options()
    names = (_TEXT, _DATA, *PICTURES)
    inputs = [*place.files, *read_options.companions]
    check_outputs([output / name for name in names], inputs, force)
    with progress_bars() as progress:
        motions = read_motions(place, read_options, progress, say)
        result = evaluate_motion_models(motions, measuring.to_options(), progress)
    _write_folder(output, result, partial(write_pictures, result), force)
    print(result.to_text(), end="")
    return 0
