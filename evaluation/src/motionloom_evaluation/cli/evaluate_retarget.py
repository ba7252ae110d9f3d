"""``motionloom evaluate retarget``: clips of each body on each other body, measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.errors import MotionloomError
from motionloom.places import find_clips
from motionloom.reading import ReadOptions, read_files
from motionloom.workspace.writing import check_outputs
from motionloom_evaluation.cli.options import (
    Force,
    ReportAsJson,
    ReportFile,
    RolesBlock,
    with_blocks,
)
from motionloom_evaluation.cli.reports import give_report

if TYPE_CHECKING:
    from motionloom_evaluation.retarget.evaluation import Performer


@with_blocks
def evaluate_retarget(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="CLIPS...",
            help="Clips of one body each: a file, folder or pattern; two or more.",
        ),
    ],
    reading: RolesBlock,
    seconds: Annotated[
        float, typer.Option(min=1, help="About how much of each body's clips is retargeted.")
    ] = 60.0,
    fps: Annotated[
        float, typer.Option(min=5, max=1000, help="Clips faster than this are thinned to it.")
    ] = 30.0,
    copied: Annotated[
        bool, typer.Option(help="Copy rotations from joint to joint too, to compare.")
    ] = True,
    output: ReportFile = None,
    force: Force = False,
    as_json: ReportAsJson = False,
) -> int:
    """Retarget clips of each body to each other body, beside rotations copied joint by joint."""
    from motionloom_evaluation.retarget.evaluation import evaluate_retargeting

    options = reading.to_options()
    found = {place: find_clips([place]).files for place in places}
    inputs = [path for files in found.values() for path in files]
    check_outputs([output], [*inputs, *options.companions], force)
    performers = [_performer(place, files, options, fps) for place, files in found.items()]
    performers = _with_roles(performers, options)
    with progress_bars() as progress:
        result = evaluate_retargeting(performers, seconds=seconds, copied=copied, progress=progress)
    give_report(result, output, as_json=as_json, force=force)
    return 0


def _performer(place: str, files: tuple[Path, ...], options: ReadOptions, fps: float) -> Performer:
    from motionloom.clips.prepare import without_calibration_pose
    from motionloom.edit.retarget import group_by_skeleton
    from motionloom.posed_motion import pose_motion
    from motionloom_evaluation.retarget.evaluation import Performer

    motions = [
        without_calibration_pose(pose_motion(motion))[0].motion
        for motion in read_files(files, options)
    ]
    clips = [motion.every(max(1, round(motion.fps / fps))) for motion in motions]
    largest = max(group_by_skeleton(clips), key=len)
    if len(largest) < len(clips):
        say(
            f"{place}: clips of several skeletons; those {len(largest)} of {len(clips)} with the"
            f" skeleton of {clips[largest[0]].name} are taken"
        )
    kept = tuple(clips[i] for i in largest)
    return Performer(Path(place).stem, kept)


def _with_roles(performers: list[Performer], options: ReadOptions) -> list[Performer]:
    """Bodies with the roles of a table, those whose joints it names; one at least."""
    told = []
    refusals = []
    for performer in performers:
        try:
            told.append(replace(performer, roles=options.read_roles(performer.clips[0].skeleton)))
        except MotionloomError as error:
            told.append(performer)
            refusals.append(error)
    if len(refusals) == len(performers):
        raise refusals[0]
    return told
