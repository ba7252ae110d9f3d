"""``motionloom fit``: markers into a moving skeleton."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.options import (
    FileBlock,
    Force,
    Html,
    Png,
    ReportAsJson,
    SaveReport,
    with_blocks,
)
from motionloom.errors import InvalidInputError
from motionloom.progress import warn
from motionloom.workspace.checks import check_outputs, check_png
from motionloom.workspace.writing import Writer, format_report

if TYPE_CHECKING:
    from motionloom.fitting import CalibrationOptions, FittedTrial
    from motionloom.marker_motion import MarkerSequence
    from motionloom.progress import Progress

#: What is written of a trial besides motions, by suffix.
_MODEL = ".npz"
_ANGLES = ".mot"
_MARKERS = ".trc"


@dataclass(frozen=True, kw_only=True)
class CalibrationBlock:
    """How a model is found."""

    static: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Trial of the same person standing still, used as well."),
    ] = None
    model: Annotated[
        Path | None,
        typer.Option(metavar="MODEL.npz", help="Model to use; else one is found from the trial."),
    ] = None
    markers: Annotated[
        Path | None,
        typer.Option(metavar="TABLE", help="YAML: what labels stand for, LABEL: PLACE."),
    ] = None
    method: Annotated[str, typer.Option(metavar="NAME", help="joint, rule or functional.")] = (
        "joint"
    )
    stature: Annotated[
        float | None,
        typer.Option(metavar="METRES", help="The person's height, where it is known."),
    ] = None
    asymmetric: Annotated[
        bool, typer.Option("--asymmetric", help="Left and right need not be as long.")
    ] = False

    def to_options(self) -> CalibrationOptions:
        """Options of the library."""
        from motionloom.fitting import CalibrationOptions, read_marker_table

        table, body = read_marker_table(self.markers) if self.markers is not None else ({}, None)
        return CalibrationOptions(
            method=self.method,
            symmetric=not self.asymmetric,
            size=self.stature,
            body=body,
            table=table,
        )

    person: Annotated[
        bool,
        typer.Option(
            "--person", help="All trials are of one person; else those whose markers are alike."
        ),
    ] = False
    partial: Annotated[
        bool,
        typer.Option("--partial", help="Fit the rest where limbs have no markers, and say which."),
    ] = False

    @property
    def files(self) -> list[Path]:
        """Files that are read."""
        return [p for p in (self.static, self.model, self.markers) if p is not None]


@dataclass(frozen=True, kw_only=True)
class FitResultsBlock:
    """What is written besides, and how."""

    report: SaveReport = None
    html: Html = None
    png: Png = None
    force: Force = False
    as_json: ReportAsJson = False


@with_blocks
def fit(
    trials: Annotated[
        list[Path], typer.Argument(metavar="TRIAL...", help="Marker files, .c3d or .trc.")
    ],
    finding: CalibrationBlock,
    reading: FileBlock,
    results: FitResultsBlock,
    output: Annotated[
        list[Path],
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help=(
                "What to write, once or more: a motion (.bvh, .glb, .fbx), joint angles for OpenSim"
                " (.mot), fitted markers (.trc), the model (.npz); of several trials a folder"
                " for motions in BVH."
            ),
        ),
    ],
) -> int:
    """Fit a skeleton to trials of markers, and say how well it goes."""
    jobs = _jobs(trials, output)
    check_png(results.png)
    _check_several(trials, results)
    options = reading.to_options()
    outputs = [path for paths in jobs for path in paths]
    check_outputs(
        [*outputs, results.report, results.html, results.png],
        [*trials, *finding.files, *options.companions],
        results.force,
    )
    markers = [_read(trial, options.of_files) for trial in trials]
    with progress_bars() as progress:
        fits = _fit_all(markers, finding, options.of_files, progress)
    for fitted, paths in zip(fits, jobs, strict=True):
        _write(fitted, paths, results)
        print(format_report(fitted, results.as_json), end="")
    return exit_code_of(
        f"{trial}: {problem}"
        for trial, fitted in zip(trials, fits, strict=True)
        for problem in fitted.problems
    )


def _read(path: Path, told: dict[str, Any]) -> MarkerSequence:
    """Markers of a file, with what reading it warns of said."""
    from motionloom.io import load_markers

    markers = load_markers(path, **told)
    warn((f"{path}: {text}" for text in markers.source.warnings), say)
    return markers


def _fit_all(
    markers: list[MarkerSequence],
    finding: CalibrationBlock,
    told: dict[str, Any],
    progress: Progress,
) -> list[FittedTrial]:
    """Fit all trials: with the model that is given, or with one model for each person."""
    from motionloom.fitting import fit_markers, fit_person, load_marker_model

    static = None if finding.static is None else _read(finding.static, told)
    kept = finding.partial
    if finding.model is not None:
        model = load_marker_model(finding.model)
        return [
            fit_markers(one, static=static, model=model, partial=kept, progress=progress)
            for one in markers
        ]
    options = finding.to_options()
    found: dict[int, FittedTrial] = {}
    for group in _persons(markers, finding, options):
        own = [markers[i] for i in group]
        fits = fit_person(own, options, static=static, partial=kept, progress=progress)
        found |= dict(zip(group, fits, strict=True))
    return [found[i] for i in range(len(markers))]


def _persons(
    markers: list[MarkerSequence], finding: CalibrationBlock, options: CalibrationOptions
) -> tuple[tuple[int, ...], ...]:
    """Indices of the trials of each person; what was decided is said."""
    from motionloom.fitting import group_by_person

    if finding.person or len(markers) == 1:
        return (tuple(range(len(markers))),)
    groups = group_by_person(markers, options)
    if finding.static is not None and len(groups) > 1:
        raise InvalidInputError(
            f"{finding.static} is of one person, and the trials are of {len(groups)} by their"
            " markers; fit the trials of each person with their own static trial, or say that they"
            " are of one (--person)"
        )
    for group in groups:
        names = ", ".join(markers[i].name for i in group)
        alike = "one skeleton, as the markers are alike"
        say(f"{names}: {alike if len(group) > 1 else 'a skeleton of its own'}")
    if len(groups) > 1:
        say("--person makes one skeleton of all trials, where they are of one person")
    return groups


def _check_several(trials: list[Path], results: FitResultsBlock) -> None:
    if len(trials) > 1 and any((results.report, results.html, results.png)):
        raise InvalidInputError(
            "--report, --html and --png are of one trial; fit the trials one by one for these"
        )


def _jobs(trials: list[Path], output: list[Path]) -> list[list[Path]]:
    """Files to write for each trial."""
    from motionloom.io.registry import find_writer

    if len(trials) > 1:
        if len(output) > 1 or output[0].suffix:
            raise InvalidInputError(
                f"{output[0]}: of {len(trials)} trials expected one folder to write into, a name"
                " without suffix"
            )
        names = [trial.stem for trial in trials]
        if len(set(names)) < len(names):
            raise InvalidInputError("two trials have the same name; fit them one by one")
        return [[output[0] / f"{name}.bvh"] for name in names]
    for path in output:
        if path.suffix.lower() not in (_MODEL, _ANGLES, _MARKERS):
            find_writer(path)
    return [output]


def _write(fitted: FittedTrial, paths: list[Path], results: FitResultsBlock) -> None:
    writer = Writer(results.force, say)
    for path in paths:
        writer.write(path, _writing(fitted, path.suffix.lower()))
    if results.report is not None:
        writer.write_report(results.report, fitted)
    tracked = fitted.tracked
    if results.png is not None:
        from motionloom.fitting.picture import write_fit_sheet

        writer.write(results.png, lambda place: write_fit_sheet(tracked, fitted.markers, place))
    if results.html is not None:
        from motionloom.fitting.picture import write_fit_page

        writer.write(results.html, lambda place: write_fit_page(tracked, fitted.markers, place))


def _writing(fitted: FittedTrial, suffix: str) -> Callable[[Path], object]:
    """What writes one kind of file."""
    if suffix == _MODEL:
        from motionloom.fitting import save_marker_model

        return lambda place: save_marker_model(fitted.model, place)
    if suffix == _ANGLES:
        from motionloom.io.opensim.angles import opensim_angles
        from motionloom.io.opensim.mot import write_mot

        angles = opensim_angles(fitted.motion, fitted.model.roles, fitted.unknown_joints)
        return partial(write_mot, angles)
    from motionloom.io.registry import save

    data: Any = fitted.tracked.fitted_markers() if suffix == _MARKERS else fitted.motion
    return partial(save, data)
