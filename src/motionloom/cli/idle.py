"""``motionloom idle``: how a person waits, learned from recordings, and motion without end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.idle_make import ModelFile, make
from motionloom.cli.idle_stream import stream
from motionloom.cli.options import (
    Force,
    Places,
    ReportAsJson,
    RolesBlock,
    with_blocks,
)
from motionloom.errors import InvalidInputError
from motionloom.places import find_place
from motionloom.progress import warn
from motionloom.reading import read_motions
from motionloom.workspace.checks import check_outputs, check_png
from motionloom.workspace.writing import Writer, format_report

app = typer.Typer(
    name="idle",
    help="Learn how a person waits, and make idle motion that never repeats.",
    no_args_is_help=True,
)
app.command()(make)
app.command()(stream)


@app.command()
@with_blocks
def fit(
    places: Places,
    reading: RolesBlock,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="MODEL.npz", help="Model to write.")
    ],
    spans: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="YAML: when the person rests; else found."),
    ] = None,
    save_spans: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Write the resting spans, to be corrected."),
    ] = None,
    person: Annotated[str, typer.Option(help="Name of the person.")] = "",
    force: Force = False,
) -> int:
    """Learn from recordings of somebody standing about how they wait."""
    from motionloom.idle.learning.fitting import learn_idle
    from motionloom.idle.learning.span_files import read_span_file, write_spans
    from motionloom.idle.overview import IdleOverview
    from motionloom.idle.store import save_idle

    if output.suffix.lower() != ".npz":
        raise InvalidInputError(f"{output}: expected a name that ends in .npz")
    place = find_place(places)
    options = reading.to_options()
    beside = [path for path in (spans, *options.companions) if path is not None]
    check_outputs([output, save_spans], [*place.files, *beside], force)
    asked = None if spans is None else read_span_file(spans)
    with progress_bars() as progress:
        motions = read_motions(place, options, progress, say)
        told = None if asked is None else asked.spans_of(motions)
        roles = options.read_roles(motions[0].skeleton)
        learned = learn_idle(motions, roles, told, person=person, progress=progress)
    writer = Writer(force, say)
    writer.write(output, lambda path: save_idle(learned.model, path))
    if save_spans is not None:
        rate = learned.model.fps
        writer.write(save_spans, lambda path: write_spans(learned.spans, rate, path))
    warn(learned.notes, say)
    print(IdleOverview(learned.model).to_text(), end="")
    return 0


@app.command()
def info(
    model: ModelFile,
    png: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Draw it: postures, stays, what follows, energy."),
    ] = None,
    as_json: ReportAsJson = False,
    force: Force = False,
) -> int:
    """Say how the person of a MODEL waits: balance, stays, shifts."""
    from motionloom.idle.overview import IdleOverview
    from motionloom.idle.picture import write_idle_picture
    from motionloom.idle.store import load_idle
    from motionloom.io.files import name_of

    check_png(png)
    check_outputs([png], [model], force)
    learned = load_idle(model)
    if png is not None:
        title = learned.person or name_of(model)
        Writer(force, say).write(png, lambda path: write_idle_picture(learned, path, title))
    print(format_report(IdleOverview(learned), as_json), end="")
    return 0


@app.command()
def mix(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL.npz[:SHARE]...", help="Persons, and how much of each; else as much."
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="MODEL.npz", help="Model to write.")
    ],
    height: Annotated[
        float | None,
        typer.Option(metavar="METRES", help="Of the body; else that of the first person."),
    ] = None,
    person: Annotated[str, typer.Option(help="Name of the person.")] = "",
    force: Force = False,
) -> int:
    """Mix persons, such as ada.npz:0.7 bea.npz:0.3; equal shares of many are nobody's in
    particular, for somebody without a recording.
    """
    from motionloom.idle.bodies.resizing import set_height
    from motionloom.idle.mixing import mix_idle
    from motionloom.idle.overview import IdleOverview
    from motionloom.idle.store import load_idle, save_idle

    if output.suffix.lower() != ".npz":
        raise InvalidInputError(f"{output}: expected a name that ends in .npz")
    parts = [_split_share(text) for text in models]
    check_outputs([output], [path for path, _ in parts], force)
    mixed = mix_idle([load_idle(path) for path, _ in parts], [share for _, share in parts], person)
    if height is not None:
        mixed = set_height(mixed, height)
    Writer(force, say).write(output, lambda path: save_idle(mixed, path))
    print(IdleOverview(mixed).to_text(), end="")
    return 0


def _split_share(text: str) -> tuple[Path, float]:
    """``MODEL.npz:SHARE``; all shares are alike where none is told."""
    path, sign, share = text.rpartition(":")
    if not sign or share.lower().endswith(".npz"):
        return Path(text), 1.0
    try:
        amount = float(share)
    except ValueError:
        amount = -1.0
    if not (path and 0.0 <= amount < float("inf")):
        raise InvalidInputError(f"{text}: expected a model and how much of it, such as ada.npz:0.7")
    return Path(path), amount
