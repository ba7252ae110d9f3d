"""``motionloom shot``: one script over all methods."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from motionloom.cli.console import exit_code_of, progress_bars, say
from motionloom.cli.options import (
    Force,
    ResultBlock,
    RolesBlock,
    with_blocks,
)
from motionloom.errors import InvalidInputError
from motionloom.workspace.shots import ShotOutputs, find_cast, open_stages, plan_of
from motionloom.workspace.writing import Writer, format_report


class _MakeByDefault(TyperGroup):
    """``motionloom shot FILE`` is ``motionloom shot make FILE``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["make", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="shot",
    cls=_MakeByDefault,
    help="One script over all methods: shot FILE -o OUT makes it.",
    no_args_is_help=True,
)

ShotArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="Shot file (YAML or JSON); a constraint or scene file is one, too."
    ),
]
Library = Annotated[
    str | None,
    typer.Option(metavar="LIB|DIR", help="Clips of those for whom FILE names none."),
]
TrustPaths = Annotated[
    bool,
    typer.Option("--trust-paths", help="Let the file name height maps outside of its folder."),
]


@app.command()
@with_blocks
def make(
    file: ShotArgument,
    reading: RolesBlock,
    results: ResultBlock,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .glb, .fbx, .usda, .bvh."
        ),
    ],
    budget: Annotated[
        float, typer.Option(min=0.01, max=3600, help="Seconds for which a walk is searched for.")
    ] = 5.0,
    pieces: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where spans are kept for the next time; else beside OUT."
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Make every span anew, and keep none.")
    ] = False,
    library: Library = None,
    trust_paths: TrustPaths = False,
) -> int:
    """Make the shot of FILE; spans that have not changed since the last time are not made again."""
    from motionloom.shot import make_shot, read_shot

    shot = read_shot(file, trust_paths=trust_paths)
    places = find_cast(shot, library)
    outputs = ShotOutputs(output, tuple(shot.shot.cast), results.report, results.html, results.png)
    options = reading.to_options()
    clips = [path for place in places.values() for path in place.files]
    outputs.check([file, *clips, *options.companions], results.force)
    folder = pieces or output.with_name(f"{output.stem}.pieces")
    if folder.exists() and not folder.is_dir():
        raise InvalidInputError(f"{folder}: expected a folder for spans; name another one")
    with progress_bars() as progress:
        stages = open_stages(shot, places, options, budget, progress, say)
        plan = plan_of(shot, stages)
        made = make_shot(plan, stages, None if fresh else folder)
        outputs.write(made, Writer(results.force, say), progress)
    print(format_report(made.report, results.as_json), end="")
    return exit_code_of(made.report.problems)


@app.command()
@with_blocks
def check(
    file: ShotArgument,
    reading: RolesBlock,
    budget: Annotated[
        float, typer.Option(min=0.01, max=3600, help="Seconds for which a walk is searched for.")
    ] = 5.0,
    library: Library = None,
    trust_paths: TrustPaths = False,
) -> int:
    """Check FILE: say what each span uses, when it is, and about how long the work takes."""
    from motionloom.shot import read_shot
    from motionloom.shot.forecast import table_of

    shot = read_shot(file, trust_paths=trust_paths)
    places = find_cast(shot, library)
    with progress_bars() as progress:
        stages = open_stages(shot, places, reading.to_options(), budget, progress, say)
        plan = plan_of(shot, stages)
    print(table_of(plan, stages), end="")
    return 0


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Shot file to write (YAML).")],
    library: Annotated[
        str | None, typer.Option(metavar="LIB|DIR", help="Clips; asked for when not given.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who walks; asked for when not given.")
    ] = None,
    force: Force = False,
) -> int:
    """Ask a few questions and write a first shot: walk to a place, wait there, go on."""
    from motionloom.shot.first import first_shot
    from motionloom.workspace.checks import check_outputs, make_folder_of

    check_outputs([file], [], force)
    library = library or typer.prompt("Folder of clips, or library")
    name = name or typer.prompt("Name of the character", default="anna")
    text = first_shot(library, name)
    make_folder_of(file)
    Writer(force, say).write_text(file, text)
    print(f"now: motionloom shot {file} -o {file.with_suffix('.glb')}")
    return 0
