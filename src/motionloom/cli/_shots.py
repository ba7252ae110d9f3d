"""``motionloom shot`` and ``studio``: one script over all methods, made or edited in a browser."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from motionloom.cli import _fields as fields
from motionloom.cli._command import Command, Result, Showing, Writing
from motionloom.cli.console import say
from motionloom.errors import MissingExtraError
from motionloom.io.files import write_file
from motionloom.options import option_field
from motionloom.places import Place
from motionloom.progress import Progress
from motionloom.reading import ReadOptions
from motionloom.workspace.outputs import CastPaths, shot_files
from motionloom.workspace.shots import find_cast, open_stages
from motionloom.workspace.writing import check_kept_folder

if TYPE_CHECKING:
    from motionloom.shot import ShotFile


class _OfShot(Command):
    """A command that reads a shot file."""

    file: Path = fields.argument(
        "Shot file (YAML or JSON); a constraint or scene file is one, too.", "FILE"
    )
    budget: float = option_field(
        5.0, "How long a walk is searched for.", unit="SECONDS", minimum=0.01, maximum=3600
    )
    library: str | None = option_field(
        None, "Clips of those for whom FILE names none.", unit="LIB|DIR"
    )
    trust_paths: bool = option_field(False, "Let the file name height maps outside of its folder.")
    reading: ReadOptions = fields.reading("only", "without", "roles")

    @cached_property
    def shot(self) -> ShotFile:
        """The file."""
        from motionloom.shot import read_shot

        return read_shot(self.file, trust_paths=self.trust_paths)

    @cached_property
    def places(self) -> dict[str, Place]:
        """Where the clips of each character are."""
        return find_cast(self.shot, self.library)

    def inputs(self) -> Iterable[Path]:
        """Files that are read."""
        clips = [path for place in self.places.values() for path in place.files]
        return [*super().inputs(), *clips]


class ShotMakeCommand(_OfShot, Showing):
    """Make the shot of FILE; spans that have not changed since the last time are not made again."""

    output: Path = fields.motion_output(".glb, .fbx, .usda, .bvh")
    pieces: Path | None = option_field(
        None, "Where spans are kept for the next time; else beside OUT.", unit="DIR", file="beside"
    )
    fresh: bool = option_field(False, "Make every span anew, and keep none.")

    @property
    def _paths(self) -> CastPaths:
        return CastPaths(self.output, tuple(self.shot.shot.cast))

    @property
    def _folder(self) -> Path:
        return self.pieces or self.output.with_name(f"{self.output.stem}.pieces")

    def outputs(self) -> Iterable[Path]:
        """Files that are written."""
        beside = (self.report, self.html, self.png)
        written = [*self._paths.all, *(path for path in beside if path is not None)]
        if not self.fresh:
            check_kept_folder(self._folder, written)
        return written

    def make(self, progress: Progress) -> Result:
        """Make it."""
        from motionloom.jobs.shots import shot

        made = shot(
            self.shot,
            library=self.library,
            budget=self.budget,
            pieces=None if self.fresh else self._folder,
            progress=progress,
            **vars(self.reading),
        )
        kept, all_of_them = made.report.kept
        if kept:
            say(f"{kept} of {all_of_them} spans are as before, kept in {self._folder}")
        return Result(made.report, shot_files(made.details, self._paths, progress))


class ShotCheckCommand(_OfShot):
    """Check FILE: say what each span uses, when it is, about how long the work takes, and what of
    it is plainly impossible.
    """

    def make(self, progress: Progress) -> Result:
        """Check it."""
        from motionloom.shot.plan.checking import plan_of, report_plan

        stages = open_stages(self.shot, self.places, self.reading, self.budget, progress, say)
        plan = plan_of(self.shot, stages)
        return Result(report_plan(plan, stages))


class ShotNewCommand(Writing):
    """Ask a few questions and write a first shot: one walks to a place, waits there and goes on;
    two meet and shake hands.
    """

    file: Path = fields.argument("Shot file to write (YAML).", "FILE", file="written")
    library: str | None = option_field(None, "Clips; asked for when not given.", unit="LIB|DIR")
    name: tuple[str, ...] = fields.several(
        "Who is in it; asked for when not given. Repeatable.", "NAME"
    )

    def make(self, progress: Progress) -> Result:
        """Write it."""
        from motionloom.workspace.shots import first_shot_on

        library = self.library or typer.prompt("Folder of clips, or library")
        names = self.name
        if not names:
            names = typer.prompt("Who is in it (one name or two)", default="anna").split(",")
        text, _ = first_shot_on(library, [one.strip() for one in names], self.file, say)
        after = f"now: motionloom shot {self.file} -o {self.file.with_suffix('.glb')}\n"
        return Result(files={"file": partial(write_file, content=text)}, text=after)


class StudioCommand(Command):
    """Edit a shot in the browser; every edit is saved, and the motion made again at once."""

    shot: Path | None = fields.argument(
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
            from motionloom.studio.run import StudioOptions, begin, run_studio
        except ImportError as error:
            raise MissingExtraError(str(error.name), "studio", "the studio") from None
        shot = begin(self.shot, self.library, say)
        options = StudioOptions(self.host, self.port, self.token, not self.no_browser, self.budget)
        with suppress(KeyboardInterrupt):
            run_studio(shot, options, say)
        say(f"closed; everything is in {shot}")
        return 0
