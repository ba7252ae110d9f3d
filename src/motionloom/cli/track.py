"""``motionloom track``: poses from markers as they arrive, and a replayer that sends them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from motionloom.cli.console import say
from motionloom.errors import InvalidInputError

if TYPE_CHECKING:
    from motionloom.fitting.live import LiveSession
    from motionloom.marker_motion import MarkerSequence

#: What is run when no command of the group is named.
_DEFAULT = "live"


class _LiveByDefault(TyperGroup):
    """A group of commands that tracks a live stream where none of them is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = [_DEFAULT, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="track",
    cls=_LiveByDefault,
    help="Poses from a live stream of markers; 'track MODEL' is 'track live MODEL'.",
    no_args_is_help=True,
)

_Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Network address; else this machine.")]
_Fps = Annotated[
    float | None, typer.Option(min=1, max=10_000, metavar="FPS", help="Frames per second.")
]


@app.command(_DEFAULT)
def live(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="Body with markers on it, from 'fit'.")
    ],
    udp: Annotated[
        int | None,
        typer.Option(
            min=0, max=65_535, metavar="PORT", help="Read datagrams; else standard input."
        ),
    ] = None,
    host: _Host = "127.0.0.1",
    fps: _Fps = None,
) -> int:
    """Read frames of markers as they arrive and write a line of JSON for each as it is solved."""
    from motionloom.fitting.live import LiveSession
    from motionloom.fitting.store import load_marker_model

    session = LiveSession(load_marker_model(model), fps)
    warm_up(session)
    print(session.head(), flush=True)
    try:
        for line in _messages(udp, host):
            answer = session.take(line) if line else None
            if answer is not None:
                sys.stdout.write(answer + "\n")
                sys.stdout.flush()
            if session.ended:
                break
    except KeyboardInterrupt:
        pass
    _say_counts(session)
    return 0 if session.counts["solved"] else 1


def warm_up(session: LiveSession) -> None:
    """Compile, or load what is compiled, before the first frame arrives."""
    import numpy as np

    from motionloom.fitting.tracking import MarkerTracker

    model = session.model
    tracker = MarkerTracker(model, 0.01)
    places = np.random.default_rng(0).normal(size=(len(model.labels), 3))
    for _ in range(3):
        tracker.update(places, np.ones(len(model.labels), bool))


def _messages(udp: int | None, host: str) -> Iterator[bytes]:
    from motionloom.fitting.live.network import datagrams_of, lines_of

    if udp is None:
        say("reading frames from standard input")
        return lines_of(sys.stdin.buffer)
    return datagrams_of(udp, host, lambda port: say(f"listening on {host} port {port}"))


def _say_counts(session: LiveSession) -> None:
    if session.guessed and session.tracker is not None:
        say(
            f"no rate was told: {1 / session.tracker.frame_time:.6g} frames per second, by the"
            " first two frames"
        )
    told = [f"{count} {what}" for what, count in session.counts.items() if count]
    say(f"frames: {', '.join(told) or 'none'}")


@app.command()
def replay(
    trial: Annotated[Path, typer.Argument(metavar="TRIAL", help="C3D or TRC file.")],
    udp: Annotated[
        int | None,
        typer.Option(min=1, max=65_535, metavar="PORT", help="Send datagrams; else write lines."),
    ] = None,
    host: _Host = "127.0.0.1",
    fps: _Fps = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.01, max=86_400, help="Repeat the trial so long; else once."),
    ] = None,
) -> int:
    """Send the frames of a trial at their own rate, as 'track' reads them."""
    from motionloom.fitting.live import replay_frames

    markers = _markers_of(trial)
    try:
        done = replay_frames(markers, _outlet(udp, host), fps=fps, seconds=seconds)
    except KeyboardInterrupt:
        return 1
    say(
        f"{done.frames} frames sent, {done.late} late; the latest {1000 * done.latest:.2f} ms after"
        " it was due"
    )
    return 0


def _markers_of(trial: Path) -> MarkerSequence:
    from motionloom.io import load
    from motionloom.marker_motion import MarkerSequence
    from motionloom.progress import warn_about

    markers = load(trial)
    if not isinstance(markers, MarkerSequence):
        raise InvalidInputError(f"{trial}: expected markers (C3D or TRC), found a motion")
    warn_about(((str(trial), text) for text in markers.source.warnings), say)
    return markers


def _outlet(udp: int | None, host: str) -> Callable[[str], object]:
    from motionloom.fitting.live.network import sender_to

    if udp is not None:
        return sender_to(host, udp)

    def write(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    return write
