"""``motionloom synthesize``: clips and a constraint file in, a new motion out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.clipsets import ReadWishes, find_graph, find_place, read_clip_set
from motionloom.cli.console import progress_bars, say, warn_about
from motionloom.cli.inputs import frame_time_of, make_folder_of
from motionloom.cli.options import Asf, Force, Graph, Html, Mirror, Only, Png, Rate, Seed, Unit, Up, Without
from motionloom.cli.outputs import Outputs, format_report
from motionloom.cli.scene import SceneOutputs
from motionloom.errors import InvalidInputError
from motionloom.progress import Progress

if TYPE_CHECKING:
    from motionloom.graph.diagnosis.report import SynthesisReport
    from motionloom.graph.scene.report import SceneReport
    from motionloom.motion import Motion


def synthesize(
    clips: Annotated[
        list[str], typer.Argument(metavar="LIB|CLIPS...", help="A library, or clips: files, folders or patterns.")
    ],
    constraints: Annotated[Path, typer.Option("--constraints", "-c", metavar="FILE", help="Constraint file.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="OUT", help="Motion to write: .bvh, .glb, .amc.")],
    seed: Seed = 0,
    budget: Annotated[float, typer.Option(metavar="SECONDS", help="How long to search.")] = 5.0,
    alternatives: Annotated[int, typer.Option(min=1, max=20, help="Most motions to write: OUT, OUT-2 ...")] = 1,
    restarts: Annotated[
        int, typer.Option("--seeds", min=1, metavar="N", help="Independent searches, each with the whole budget.")
    ] = 1,
    workers: Annotated[int, typer.Option(min=1, metavar="M", help="Processes that share the searches.")] = 1,
    state: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="Go on from this state if it exists, and keep it up to date."),
    ] = None,
    blend: Annotated[
        str, typer.Option(metavar="METHOD", help="How pieces are joined: displacement, crossfade or inertialize.")
    ] = "displacement",
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Save the report, .json or text.")] = None,
    html: Html = None,
    png: Png = None,
    labels: Annotated[Path | None, typer.Option(metavar="FILE", help="Labels of clips, for styles.")] = None,
    costs: Annotated[
        Path | None, typer.Option(metavar="FILE.py", help="Python file that registers costs; it is executed.")
    ] = None,
    graph: Graph = None,
    only: Only = None,
    without: Without = None,
    mirror: Mirror = False,
    roles: Annotated[Path | None, typer.Option(metavar="FILE", help="Table of roles, for odd skeletons.")] = None,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Weave a motion out of CLIPS that meets a constraint file. Ctrl-C ends the search with the best found so far."""
    from motionloom.constraints import ConstraintSet
    from motionloom.constraints.files import names_in
    from motionloom.constraints.honoured import MOTION_REFUSES, refuse
    from motionloom.constraints.scene_files import read_any
    from motionloom.graph.finishing.assemble import AssembleOptions
    from motionloom.graph.scoring.costs import load_costs
    from motionloom.graph.scoring.names import check_names
    from motionloom.graph.scoring.styles import read_labels
    from motionloom.graph.searching.search import SearchOptions
    from motionloom.graph.synthesize import SynthesisOptions, prepare_clip_set
    from motionloom.graph.synthesize import synthesize as weave
    from motionloom.io.owned import refuse_links
    from motionloom.io.registry import check_save

    wish = read_any(constraints)
    with names_in(constraints):
        for asked in (wish,) if isinstance(wish, ConstraintSet) else wish.characters.values():
            refuse(asked, "a motion", MOTION_REFUSES)
    if costs is not None:
        load_costs(costs)
    options = SynthesisOptions(
        search=SearchOptions(
            seed=seed, budget=budget, alternatives=alternatives, restarts=restarts, workers=workers, state_file=state
        ),
        assemble=AssembleOptions(method=blend),
        labels=() if labels is None else read_labels(labels),
    )
    frame_time = frame_time_of(rate, "--rate")
    found = find_place(clips)
    outputs = Outputs(output, alternatives, report, html, png)
    scene = None if isinstance(wish, ConstraintSet) else SceneOutputs(output, wish, report, html, png)
    if scene is not None and alternatives > 1:
        raise InvalidInputError("of a scene one motion each is written; leave out --alternatives")
    if scene is not None and graph is not None:
        raise InvalidInputError("every character of a scene has a graph of its own clips; leave out --graph")
    # The state is kept by the search itself: it is read first, and refused where it is not one.
    kept = (roles, skeleton, labels, costs, state)
    (scene or outputs).check([*found.files, constraints, *(p for p in kept if p is not None)], force)
    if state is not None:
        refuse_links([state])
        make_folder_of(state)
    if found.skipped:
        say(f"left out {len(found.skipped)} files that are no motions of a skeleton, such as {found.skipped[0]}")
    with progress_bars() as progress:
        wishes = ReadWishes(
            wish.fps, roles, skeleton, unit, up, frame_time, tuple(only or ()), tuple(without or ()), mirror
        )
        clip_set = read_clip_set(found, wishes, progress)
        check_save(clip_set.motions[0], output, skeleton)
        with names_in(constraints):
            for asked in (wish,) if isinstance(wish, ConstraintSet) else wish.characters.values():
                check_names(asked, clip_set, options.labels)
        if isinstance(wish, ConstraintSet):
            prepared = prepare_clip_set(clip_set, find_graph(found, graph), options, progress)
            result = weave(prepared, wish, options, progress=progress)
            outputs.write(result, wish, progress, skeleton)
            made: SynthesisReport | SceneReport = result.report
        else:
            assert scene is not None  # as wish is no set of one character
            with names_in(constraints):
                made = scene.make(clip_set.motions, options, clip_set.roles, progress)
    print(format_report(made, as_json), end="")
    for problem in made.problems:
        say(f"not met: {problem}")
    return 1 if made.problems else 0


def read_clips(
    files: Sequence[Path],
    progress: Progress,
    *,
    unit: float | None = None,
    up: str | None = None,
    skeleton: Path | None = None,
    frame_time: float | None = None,
) -> list[Motion]:
    """Read clips and print what had to be guessed."""
    from motionloom.io import load_motion

    motions = []
    for i, path in enumerate(files):
        progress("reading clips", i, len(files))
        motions.append(load_motion(path, unit=unit, up=up, skeleton=skeleton, frame_time=frame_time))
    progress("reading clips", len(files), len(files))
    warn_about((str(path), text) for path, m in zip(files, motions, strict=True) for text in m.source.warnings)
    return motions
