"""``motionloom studio``: a shot edited in the browser."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from motionloom.cli._command import Command
from motionloom.cli._fields import argument
from motionloom.cli.console import say
from motionloom.errors import MissingExtraError
from motionloom.options import option_field
from motionloom.progress import Progress


class OpenStudio(Command):
    """Edit a shot in the browser; every edit is saved, and the motion made again at once."""

    shot: Path | None = argument(
        "Shot file (YAML); made where there is none.", "[SHOT]", None, file="beside"
    )
    library: str | None = option_field(
        None, "Clips of a new shot; else the built-in performer's.", unit="LIB|DIR"
    )
    port: int = option_field(
        0, "Port; else, as with 0, the shot's last or a free one.", minimum=0, maximum=65535
    )
    host: str = option_field(
        "127.0.0.1", "Address to listen on; this machine's only.", unit="ADDRESS"
    )
    no_browser: bool = option_field(False, "Print the link, and open no browser.")
    token: str = option_field(
        "", "Token of the link; else the shot's last, or random.", unit="TEXT"
    )
    budget: float = option_field(
        5.0, "How long a walk is searched for.", unit="SECONDS", minimum=0.01, maximum=3600
    )

    def make(self, progress: Progress) -> int:
        """Serve it."""
        try:
            from motionloom.studio.begin import begin
            from motionloom.studio.run import StudioOptions, run_studio
        except ImportError as error:
            raise MissingExtraError(str(error.name), "studio", "the studio") from None
        shot = begin(self.shot, self.library, say)
        options = StudioOptions(self.host, self.port, self.token, not self.no_browser, self.budget)
        with suppress(KeyboardInterrupt):
            run_studio(shot, options, say)
        say(f"closed; everything is in {shot}")
        return 0
