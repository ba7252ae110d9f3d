"""``motionloom shot``: one script over all methods."""

from __future__ import annotations

from dataclasses import dataclass
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
from motionloom.io.kept import KeptFolder
from motionloom.progress import warn
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


@dataclass(frozen=True, kw_only=True)
class SearchBlock:
    """What a shot is made of, and how long is searched."""

    budget: Annotated[
        float, typer.Option(min=0.01, max=3600, help="Seconds for which a walk is searched for.")
    ] = 5.0
    library: Annotated[
        str | None,
        typer.Option(metavar="LIB|DIR", help="Clips of those for whom FILE names none."),
    ] = None
    trust_paths: Annotated[
        bool,
        typer.Option("--trust-paths", help="Let the file name height maps outside of its folder."),
    ] = False


@app.command()
@with_blocks
def make(
    file: ShotArgument,
    reading: RolesBlock,
    results: ResultBlock,
    search: SearchBlock,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .glb, .fbx, .usda, .bvh."
        ),
    ],
    pieces: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where spans are kept for the next time; else beside OUT."
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Make every span anew, and keep none.")
    ] = False,
) -> int:
    """Make the shot of FILE; spans that have not changed since the last time are not made again."""
    from motionloom.shot import make_shot, read_shot, with_naturalness

    shot = read_shot(file, trust_paths=search.trust_paths)
    places = find_cast(shot, search.library)
    outputs = ShotOutputs(output, tuple(shot.shot.cast), results.report, results.html, results.png)
    options = reading.to_options()
    clips = [path for place in places.values() for path in place.files]
    folder = pieces or output.with_name(f"{output.stem}.pieces")
    inputs = [file, *clips, *options.companions]
    outputs.check(inputs, results.force, None if fresh else folder)
    with progress_bars() as progress:
        kept_in = None if fresh else KeptFolder(folder, tell=lambda line: warn([line], say))
        stages = open_stages(shot, places, options, search.budget, progress, say, kept_in)
        plan = plan_of(shot, stages)
        made = with_naturalness(make_shot(plan, stages, kept_in), stages)
        outputs.write(made, Writer(results.force, say), progress)
    kept, all_of_them = made.report.kept
    if kept:
        say(f"{kept} of {all_of_them} spans are as before, kept in {folder}")
    print(format_report(made.report, results.as_json), end="")
    return exit_code_of(made.report.problems)


@app.command()
@with_blocks
def check(file: ShotArgument, reading: RolesBlock, search: SearchBlock) -> int:
    """Check FILE: say what each span uses, when it is, about how long the work takes, and what of
    it is plainly impossible.
    """
    from motionloom.shot import read_shot
    from motionloom.shot.plan.feasible import doubts_of
    from motionloom.shot.plan.forecast import table_of

    shot = read_shot(file, trust_paths=search.trust_paths)
    places = find_cast(shot, search.library)
    with progress_bars() as progress:
        stages = open_stages(shot, places, reading.to_options(), search.budget, progress, say)
        plan = plan_of(shot, stages)
    print(table_of(plan, stages), end="")
    return exit_code_of(doubts_of(plan, stages))


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Shot file to write (YAML).")],
    library: Annotated[
        str | None, typer.Option(metavar="LIB|DIR", help="Clips; asked for when not given.")
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Who is in it; asked for when not given. Repeatable."),
    ] = None,
    force: Force = False,
) -> int:
    """Ask a few questions and write a first shot: one walks to a place, waits there and goes on;
    two meet and shake hands.
    """
    from motionloom.workspace.checks import check_outputs
    from motionloom.workspace.first_shots import first_shot_on

    check_outputs([file], [], force)
    library = library or typer.prompt("Folder of clips, or library")
    names = name or typer.prompt("Who is in it (one name or two)", default="anna").split(",")
    text, _ = first_shot_on(library, [one.strip() for one in names], file, say)
    Writer(force, say).write_text(file, text)
    print(f"now: motionloom shot {file} -o {file.with_suffix('.glb')}")
    return 0
