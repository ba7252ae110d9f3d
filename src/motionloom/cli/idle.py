"""``motionloom idle``: how a person waits, learned from recordings, and motion without end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.options import (
    Force,
    Html,
    Places,
    Png,
    ReportAsJson,
    RolesBlock,
    Seed,
    with_blocks,
)
from motionloom.errors import InvalidInputError
from motionloom.workspace.checks import check_outputs, check_page, check_png, make_folder_of
from motionloom.workspace.clips import read_motions
from motionloom.workspace.places import find_place
from motionloom.workspace.tell import warn
from motionloom.workspace.writing import Writer, format_report

app = typer.Typer(
    name="idle",
    help="Learn how a person waits, and make idle motion that never repeats.",
    no_args_is_help=True,
)

ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL.npz", help="What 'idle fit' has learned.")
]


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
    from motionloom.idle.fitting import learn_idle
    from motionloom.idle.overview import IdleOverview
    from motionloom.idle.span_files import read_spans, write_spans
    from motionloom.idle.store import save_idle

    if output.suffix.lower() != ".npz":
        raise InvalidInputError(f"{output}: expected a name that ends in .npz")
    place = find_place(places)
    options = reading.to_options()
    beside = [path for path in (spans, *options.companions) if path is not None]
    check_outputs([output, save_spans], [*place.files, *beside], force)
    for path in (output, save_spans):
        if path is not None:
            make_folder_of(path)
    with progress_bars() as progress:
        motions = read_motions(place, options, progress, say)
        told = None if spans is None else read_spans(spans, motions)
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
        make_folder_of(png)
        title = learned.person or name_of(model)
        Writer(force, say).write(png, lambda path: write_idle_picture(learned, path, title))
    print(format_report(IdleOverview(learned), as_json), end="")
    return 0


@dataclass(frozen=True, kw_only=True)
class WaitingBlock:
    """How somebody waits."""

    fps: Annotated[float, typer.Option(min=1, max=240, help="Frames per second.")] = 60.0
    seed: Seed = 0
    liveliness: Annotated[
        float, typer.Option(min=0, max=10, help="Factor on small variations.")
    ] = 1.0
    restlessness: Annotated[
        float, typer.Option(min=0.01, max=100, help="Factor on how often the posture shifts.")
    ] = 1.0


@dataclass(frozen=True, kw_only=True)
class MadeBlock:
    """What is written besides the motion, and how."""

    html: Html = None
    png: Png = None
    force: Force = False
    as_json: ReportAsJson = False


@app.command()
@with_blocks
def make(
    model: ModelFile,
    seconds: Annotated[float, typer.Option(min=0.1, max=36_000, help="How long the motion lasts.")],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .glb, .fbx, .usda."
        ),
    ],
    waiting: WaitingBlock,
    results: MadeBlock,
    layer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLIP@SECONDS", help="A gesture over it, at a time; may be given repeatedly."
        ),
    ] = None,
    look: Annotated[
        list[str] | None,
        typer.Option(
            metavar="X,Y,Z@SECONDS",
            help="Look at a point from a time on, 'away@SECONDS' no longer; repeatedly.",
        ),
    ] = None,
) -> int:
    """Make idle motion: feet where they stand, never the same twice."""
    from motionloom.idle.making import make_idle
    from motionloom.idle.store import load_idle
    from motionloom.idle.stream import IdleStreamOptions
    from motionloom.io import load_motion, save
    from motionloom.io.files import name_of
    from motionloom.io.registry import check_save, find_writer
    from motionloom.view import write_contact_sheet, write_page

    find_writer(output)
    if output.suffix.lower() == ".amc":
        raise InvalidInputError(
            f"{output}: idle motion is written as .bvh, .glb, .fbx or .usda; name one"
        )
    check_png(results.png)
    check_page(results.html)
    outputs = [path for path in (output, results.html, results.png) if path is not None]
    gestures = [_split_layer(text) for text in layer or ()]
    looks = [_split_look(text) for text in look or ()]
    check_outputs(outputs, [model, *(path for path, _ in gestures)], results.force)
    learned = load_idle(model)
    clips = [(load_motion(path), at) for path, at in gestures]
    options = IdleStreamOptions(waiting.liveliness, waiting.restlessness)
    with progress_bars() as progress:
        made = make_idle(
            learned, seconds, waiting.fps, waiting.seed, options, clips, progress, looks
        )
    check_save(made.motion, output)
    for path in outputs:
        make_folder_of(path)
    writer = Writer(results.force, say)
    writer.write(output, lambda path: save(made.motion, path))
    title = name_of(output)
    if results.png is not None:
        writer.write(results.png, lambda path: write_contact_sheet(made.motion, path, title=title))
    if results.html is not None:
        writer.write(results.html, lambda path: write_page(made.motion, path, title=title))
    print(format_report(made, results.as_json), end="")
    return 0


def _split_layer(text: str) -> tuple[Path, float]:
    """``CLIP@SECONDS``, taken apart at the last ``@``."""
    path, at, seconds = text.rpartition("@")
    try:
        time = float(seconds)
    except ValueError:
        time = -1.0
    if not at or not path or not 0.0 <= time <= 36_000.0:
        raise InvalidInputError(
            f"--layer {text}: expected a file and when it begins, such as wave.bvh@12.5"
        )
    return Path(path), time


def _split_look(text: str) -> tuple[tuple[float, ...] | None, float]:
    """``X,Y,Z@SECONDS`` or ``away@SECONDS``."""
    where, _, seconds = text.rpartition("@")
    try:
        time = float(seconds)
        point = None if where == "away" else tuple(float(part) for part in where.split(","))
    except ValueError:
        time, point = -1.0, None
    right = point is None or (len(point) == 3 and all(abs(x) <= 1000.0 for x in point))
    if not (right and 0.0 <= time <= 36_000.0):
        raise InvalidInputError(
            f"--look {text}: expected a point in metres and from when on, such as 0.5,1.6,2@3.5, or"
            " away@8"
        )
    return point, time


@dataclass(frozen=True, kw_only=True)
class LiveBlock:
    """Where poses go and commands come from."""

    protocol: Annotated[str, typer.Option(help="vmc (Unity, Unreal, Blender) or json.")] = "vmc"
    host: Annotated[str, typer.Option(help="Address that poses go to.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(min=1, max=65535, help="UDP port they go to.")] = 39539
    listen: Annotated[
        int, typer.Option(min=0, max=65535, help="UDP port for commands; 0 is any that is free.")
    ] = 39540
    bind: Annotated[
        str, typer.Option(help="Address that commands are taken at: this machine unless told.")
    ] = "127.0.0.1"
    clip: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE", help="A gesture that commands may play by its name."),
    ] = None
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="For so long; else until it is stopped.")
    ] = None


@app.command()
@with_blocks
def stream(model: ModelFile, waiting: WaitingBlock, live: LiveBlock) -> int:
    """Send idle motion as it is made, and listen to commands; Ctrl-C ends it."""
    from motionloom.idle.live import PROTOCOLS, IdleServer, ServerOptions
    from motionloom.idle.store import load_idle
    from motionloom.idle.stream import IdleStream, IdleStreamOptions, begin_idle
    from motionloom.io import load_motion

    if live.protocol not in PROTOCOLS:
        raise InvalidInputError(
            f"--protocol {live.protocol}: expected one of {', '.join(PROTOCOLS)}"
        )
    files = dict(_split_clip(text) for text in live.clip or ())
    options = ServerOptions(live.host, live.port, live.listen, live.bind)
    learned = load_idle(model)
    gestures = {name: load_motion(path) for name, path in files.items()}
    protocol = PROTOCOLS[live.protocol](learned.space.roles)
    lively = IdleStreamOptions(waiting.liveliness, waiting.restlessness)
    waits = IdleStream(learned, waiting.fps, begin_idle(learned, waiting.seed), lively)
    server = IdleServer(waits, protocol, options, gestures)
    begin = f"{live.protocol} to {live.host} port {live.port}, commands at {live.bind} port"
    try:
        server.run(live.seconds, lambda port: say(f"{begin} {port}; Ctrl-C ends it"))
    finally:
        # Ctrl-C is how a stream without end is ended: what it did is told then, too.
        if server.counts.frames:
            print(server.counts.to_text(), end="")
    return 0


def _split_clip(text: str) -> tuple[str, Path]:
    name, sign, path = text.partition("=")
    if not (name and sign and path):
        raise InvalidInputError(f"--clip {text}: expected NAME=FILE, such as wave=wave.bvh")
    return name, Path(path)
