"""``motionloom track``: poses from markers as they arrive, and a replayer that sends them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli._command import Command
from motionloom.cli._fields import argument
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.progress import Progress

if TYPE_CHECKING:
    from motionloom.fitting.live import LiveSession
    from motionloom.marker_motion import MarkerSequence


class _Networked(Command):
    """A command that sends or receives frames."""

    host: str = option_field("127.0.0.1", "Network address.", unit="ADDRESS")
    fps: float | None = option_field(
        None, "Frames per second.", unit="FPS", minimum=1, maximum=10_000
    )


class TrackLive(_Networked):
    """Read frames of markers as they arrive and write a line of JSON for each as it is solved."""

    model: Path = argument("Body with markers on it, from 'fit'.", "MODEL")
    udp: int | None = option_field(
        None, "Read datagrams; else standard input.", unit="PORT", minimum=0, maximum=65_535
    )

    def make(self, progress: Progress) -> int:
        """Track them."""
        from motionloom.fitting.live import LiveSession
        from motionloom.fitting.marker_model import load_marker_model

        session = LiveSession(load_marker_model(self.model), self.fps)
        warm_up(session)
        print(session.head(), flush=True)
        try:
            for line in _messages(self.udp, self.host):
                answer = session.take(line) if line else None
                if answer is not None:
                    _write_line(answer)
                if session.ended:
                    break
        except KeyboardInterrupt:
            pass
        _say_counts(session)
        return 0 if session.counts["solved"] else 1


def _write_line(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


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


class ReplayMarkers(_Networked):
    """Send the frames of a trial at their own rate, as 'track' reads them."""

    trial: Path = argument("C3D or TRC file.", "TRIAL")
    udp: int | None = option_field(
        None, "Send datagrams; else write lines.", unit="PORT", minimum=1, maximum=65_535
    )
    seconds: float | None = option_field(
        None, "Repeat the trial so long; else once.", unit="SECONDS", minimum=0.01, maximum=86_400
    )

    def make(self, progress: Progress) -> int:
        """Send them."""
        from motionloom.fitting.live import replay_frames

        markers = _markers_of(self.trial)
        outlet = _outlet(self.udp, self.host)
        try:
            done = replay_frames(markers, outlet, fps=self.fps, seconds=self.seconds)
        except KeyboardInterrupt:
            return 1
        say(
            f"{done.frames} frames sent, {done.late} late; the latest {1000 * done.latest:.2f} ms"
            " after it was due"
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

    return _write_line if udp is None else sender_to(host, udp)
