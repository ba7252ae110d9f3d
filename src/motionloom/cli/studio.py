"""``motionloom studio``: a shot edited in the browser."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.console import say
from motionloom.errors import MissingExtraError


def studio(
    shot: Annotated[
        Path | None,
        typer.Argument(metavar="[SHOT]", help="Shot file (YAML); made where there is none."),
    ] = None,
    library: Annotated[
        str | None,
        typer.Option(metavar="LIB|DIR", help="Clips of a new shot; else the built-in performer's."),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            min=0,
            max=65535,
            show_default=False,
            help="Port; else the shot's last, or a free one.",
        ),
    ] = 0,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; this machine's only.")
    ] = "127.0.0.1",
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the link, and open no browser.")
    ] = False,
    token: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="Token of the link; else the shot's last, or random.",
        ),
    ] = "",
    budget: Annotated[
        float, typer.Option(min=0.01, max=3600, help="Seconds for which a walk is searched for.")
    ] = 5.0,
) -> int:
    """Edit a shot in the browser; every edit is saved, and the motion made again at once."""
    try:
        from motionloom.studio.begin import begin
        from motionloom.studio.run import StudioOptions, run_studio
    except ImportError as error:
        raise MissingExtraError(str(error.name), "studio", "the studio") from None
    begun = begin(shot, library, say)
    options = StudioOptions(host, port, token, not no_browser, budget)
    with suppress(KeyboardInterrupt):
        run_studio(begun.path, options, say)
    say(f"closed; everything is in {begun.path}")
    return 0
