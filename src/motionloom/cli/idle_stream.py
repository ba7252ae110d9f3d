"""``motionloom idle stream``: motion of a model, sent as it is made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import say
from motionloom.cli.idle_make import ModelFile, WaitingBlock
from motionloom.cli.options import with_blocks
from motionloom.errors import InvalidInputError


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


@with_blocks
def stream(model: ModelFile, waiting: WaitingBlock, live: LiveBlock) -> int:
    """Send idle motion as it is made, and listen to commands; Ctrl-C ends it."""
    from motionloom.idle.live import PROTOCOLS, IdleServer, ServerOptions
    from motionloom.idle.store import load_idle
    from motionloom.idle.streams.stream import IdleStream, IdleStreamOptions, begin_idle
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
