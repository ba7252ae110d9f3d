"""``motionloom synthesize``: clips and a constraint file in, a new motion out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionloom.cli.clipsets import ReadWishes, find_graph, find_place, read_clip_set
from motionloom.cli.console import progress_bars, say, tell_skipped, warn, warn_about
from motionloom.cli.inputs import distinct_names, frame_time_of, make_folder_of
from motionloom.cli.options import Asf, Force, Graph, Html, Mirror, Only, Png, Rate, Seed, Unit, Up, Without
from motionloom.cli.outputs import Outputs, format_report
from motionloom.cli.scene import SceneOutputs
from motionloom.errors import InvalidInputError
from motionloom.progress import Progress

if TYPE_CHECKING:
    from motionloom.clips.clip_set import ClipSet
    from motionloom.constraints import ConstraintSet
    from motionloom.constraints.scene import SceneConstraints
    from motionloom.graph.generator import GraphGeneratorOptions
    from motionloom.motion import Motion
    from motionloom.scene.report import SceneReport
    from motionloom.synthesis.driver import SynthesisOptions
    from motionloom.synthesis.report import SynthesisReport

#: The generator that is used unless another is asked for.
GRAPH = "graph"


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
    trust_paths: Annotated[
        bool, typer.Option("--trust-paths", help="Let the constraint file name height maps outside of its folder.")
    ] = False,
    graph: Graph = None,
    only: Only = None,
    without: Without = None,
    mirror: Mirror = False,
    roles: Annotated[Path | None, typer.Option(metavar="FILE", help="Table of roles, for odd skeletons.")] = None,
    unit: Unit = None,
    up: Up = None,
    rate: Rate = None,
    skeleton: Asf = None,
    generator: Annotated[str, typer.Option(metavar="NAME", help="Method that makes the motion.")] = GRAPH,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Weave a motion out of CLIPS that meets a constraint file. Ctrl-C ends the search with the best found so far."""
    from motionloom.clips.labels import read_labels
    from motionloom.constraints import ConstraintSet
    from motionloom.constraints.files import names_in
    from motionloom.constraints.scene_files import read_any
    from motionloom.graph.searching.state_file import check_state_file
    from motionloom.io.owned import refuse_links
    from motionloom.io.registry import check_save
    from motionloom.synthesis.costs import load_costs
    from motionloom.synthesis.driver import SynthesisOptions

    asked = read_any(constraints, trust_paths=trust_paths)
    _refuse_unhonoured(asked, generator, constraints)
    if costs is not None:
        load_costs(costs)
    frame_time = frame_time_of(rate, "--rate")
    found = find_place(clips)
    scene = None if isinstance(asked, ConstraintSet) else SceneOutputs(output, asked, report, html, png)
    if scene is not None and alternatives > 1:
        raise InvalidInputError("of a scene one motion each is written; leave out --alternatives")
    outputs = Outputs(output, alternatives, report, html, png)
    given = [*found.files, constraints, *(p for p in (roles, skeleton, labels, costs) if p is not None)]
    (scene or outputs).check(given, force, kept=[state])
    if state is not None:
        refuse_links([state])
        check_state_file(state)
        make_folder_of(state)
    options = SynthesisOptions(
        seed=seed,
        budget=budget,
        alternatives=alternatives,
        generator=_generator_options(generator, find_graph(found, graph), blend, restarts, workers, state),
        labels=() if labels is None else read_labels(labels),
    )
    tell_skipped(found.skipped)
    with progress_bars() as progress:
        wishes = ReadWishes(
            asked.fps, roles, skeleton, unit, up, frame_time, tuple(only or ()), tuple(without or ()), mirror
        )
        clip_set = read_clip_set(found, wishes, progress)
        check_save(clip_set.motions[0], output, skeleton)
        with names_in(constraints):
            if isinstance(asked, ConstraintSet):
                made: SynthesisReport | SceneReport = _make_motion(
                    clip_set, asked, options, generator, outputs, skeleton, progress, force
                )
            else:
                assert scene is not None  # as a scene is asked for
                made = _make_scene(clip_set, asked, options, generator, scene, progress, force)
    print(format_report(made, as_json), end="")
    for problem in made.problems:
        say(f"not met: {problem}")
    return 1 if made.problems else 0


def _refuse_unhonoured(asked: ConstraintSet | SceneConstraints, generator: str, file: Path) -> None:
    """Refuse before any work what the generator cannot honour."""
    from motionloom.constraints import ConstraintSet
    from motionloom.constraints.files import names_in
    from motionloom.constraints.kinds import refuse_unhonoured
    from motionloom.synthesis.generator import find_generator

    honours = find_generator(generator).honours
    with names_in(file):
        for one in (asked,) if isinstance(asked, ConstraintSet) else asked.characters.values():
            refuse_unhonoured(one, "a motion" if generator == GRAPH else f"the generator {generator!r}", honours)


def _generator_options(
    generator: str, folder: Path | None, blend: str, restarts: int, workers: int, state: Path | None
) -> GraphGeneratorOptions | None:
    """Options of the motion graph; other generators have none on the command line."""
    if generator != GRAPH:
        return None
    from motionloom.graph.generator import GraphGeneratorOptions
    from motionloom.graph.joining.join import JoinOptions
    from motionloom.graph.searching.search import SearchOptions

    search = SearchOptions(restarts=restarts, workers=workers, state_file=state)
    return GraphGeneratorOptions(folder=folder, search=search, join=JoinOptions(method=blend))


def _make_motion(
    clips: ClipSet,
    asked: ConstraintSet,
    options: SynthesisOptions,
    generator: str,
    outputs: Outputs,
    skeleton: Path | None,
    progress: Progress,
    force: bool,
) -> SynthesisReport:
    from motionloom.synthesis.driver import synthesize as make

    result = make(clips, asked, options, progress=progress, generator=generator)
    outputs.write(result, asked, progress, skeleton, force)
    return result.report


def _make_scene(
    clips: ClipSet,
    asked: SceneConstraints,
    options: SynthesisOptions,
    generator: str,
    outputs: SceneOutputs,
    progress: Progress,
    force: bool,
) -> SceneReport:
    from motionloom.scene.solve import fit_cast
    from motionloom.synthesis.names import check_names

    for character in asked.characters.values():
        check_names(character, clips, options.labels)
    cast = fit_cast(clips, asked, options, progress=progress, generator=generator)
    return outputs.make(cast, options, progress, force)


def read_clips(
    files: Sequence[Path],
    progress: Progress,
    *,
    unit: float | str | None = None,
    up: str | None = None,
    skeleton: Path | None = None,
    frame_time: float | None = None,
    roles_told: bool = False,
) -> list[Motion]:
    """Read clips and print what had to be guessed; of roles nothing where a table tells them."""
    from motionloom.io import load_motion
    from motionloom.roles import DOUBT

    motions = []
    for i, path in enumerate(files):
        progress("reading clips", i, len(files))
        motions.append(load_motion(path, unit=unit, up=up, skeleton=skeleton, frame_time=frame_time))
    progress("reading clips", len(files), len(files))
    warn_about(
        (str(path), text)
        for path, m in zip(files, motions, strict=True)
        for text in m.source.warnings
        if not (roles_told and text.startswith(DOUBT))
    )
    names = distinct_names(files, [m.name for m in motions])
    renamed = [
        f"{path} is called {name}" for path, m, name in zip(files, motions, names, strict=True) if m.name != name
    ]
    if renamed:
        warn([f"clips of one name: {'; '.join(renamed[:3])}{' ...' if len(renamed) > 3 else ''}"])
    return [m if m.name == name else replace(m, name=name) for m, name in zip(motions, names, strict=True)]
