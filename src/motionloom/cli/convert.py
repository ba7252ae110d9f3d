"""``motionloom convert``: motions or markers from one format and frame rate to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionloom.cli.console import progress_bars, say
from motionloom.cli.hints import sentence_of
from motionloom.cli.options import (
    FileBlock,
    Force,
    OutUnit,
    OutUp,
    Rest,
    Strict,
    frame_time_of,
    given,
    with_blocks,
)
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.places import distinct_names, find_readable
from motionloom.progress import warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.checks import check_outputs
from motionloom.workspace.writing import Writer

if TYPE_CHECKING:
    from motionloom.io.tools import Tool
    from motionloom.marker_motion import MarkerSequence
    from motionloom.motion import Motion, Source


_SEE = "see: motionloom convert --help"


@dataclass(frozen=True, kw_only=True)
class OutBlock:
    """How files are written."""

    out_unit: OutUnit = None
    out_up: OutUp = None
    rest: Rest = None
    tool: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="TOOL",
            help=(
                "Unit, up axis and order of rotations that a program expects where OUT's are not"
                " told: blender, unreal, unity, maya or opensim."
            ),
        ),
    ] = None
    scale: Annotated[
        float | None,
        typer.Option(metavar="FACTOR", help="Make body and path so many times as large."),
    ] = None
    root: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=(
                "Root joint: one of the skeleton's, without what does not hang on it, or a new one"
                " on the ground below the body, which carries path and facing."
            ),
        ),
    ] = None

    def to_options(self) -> _Written:
        """Options of the library."""
        from motionloom.io.limits import MOST_SCALE
        from motionloom.io.tools import find_tool
        from motionloom.io.units import check_unit

        unit = None if self.out_unit is None else check_unit(self.out_unit)
        told = {"unit": unit, "up": self.out_up, "rest": self.rest}
        tool = None if self.tool is None else find_tool(self.tool)
        if self.scale is not None and not 1 / MOST_SCALE <= self.scale <= MOST_SCALE:
            raise InvalidInputError(
                f"--scale: expected a number above 0, from {1 / MOST_SCALE:g} to {MOST_SCALE:g},"
                f" got {self.scale:g}"
            )
        return _Written(given(**told), tool, self.scale, self.root)


@dataclass(frozen=True)
class _Written:
    """What is done to what was read, and how it is written."""

    told: Mapping[str, Any]
    tool: Tool | None
    scale: float | None
    root: str | None

    def options(self, output: Path) -> dict[str, Any]:
        """Options of `save`: the program's, except where others were told."""
        preset = {} if self.tool is None else self.tool.of(output.suffix.lower())
        return {**preset, **self.told}

    def edited(self, data: Motion | MarkerSequence) -> Motion | MarkerSequence:
        """What is written of what was read."""
        if self.scale is None and self.root is None:
            return data
        from motionloom.edit.reroot import scaled, with_root
        from motionloom.motion import Motion

        if not isinstance(data, Motion):
            raise InvalidInputError(
                f"{data.source.path}: --scale and --root are for motions of a skeleton, and this"
                " holds markers; leave them out"
            )
        motion = data if self.scale is None else scaled(data, self.scale)
        return motion if self.root is None else with_root(motion, self.root)

    def tell_root(self, data: Motion | MarkerSequence) -> None:
        """Say which of the two things that a name of a root can mean it meant."""
        if self.root is None:
            return
        from motionloom.edit.reroot import say_root
        from motionloom.motion import Motion

        if isinstance(data, Motion):
            say(say_root(data))

    def tell(self, suffixes: Iterable[str]) -> None:
        """Say what was set for a program, once for each format."""
        from motionloom.io.tools import say_preset

        if self.tool is not None:
            for suffix in dict.fromkeys(suffixes):
                say(say_preset(self.tool, suffix, self.options(Path(f"out{suffix}"))))


@with_blocks
def convert(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="IN... OUT",
            help=(
                "File to read and file to write, whose suffix says the format; or files, folders or"
                " patterns to "
                "read and a folder to write them to, told by a '/' at its end."
            ),
        ),
    ],
    reading: FileBlock,
    writing: OutBlock,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="SUFFIX", help="Format in a folder, such as .glb; else that of IN."
        ),
    ] = None,
    fps: Annotated[
        float | None, typer.Option(help="Resample to this many frames per second, 1 at least.")
    ] = None,
    strict: Strict = False,
    force: Force = False,
) -> int:
    """Convert files, by the suffix of OUT.

    Motions: .bvh, .fbx, .glb, .usda, .amc, and .mot for OpenSim; markers: .trc. Files that cannot
    be converted are told and the others converted; the exit code says whether all were.
    """
    if len(paths) < 2:
        raise InvalidInputError(
            f"{paths[0]}: nothing was named to write to; give OUT after the files to read; {_SEE}"
        )
    job = _Job(reading.to_options(), strict, writing.to_options(), _new_time(fps), force)
    *places, last = paths
    if last.endswith(("/", "\\")) or Path(last).is_dir():
        return _convert_all(places, Path(last), to, job)
    if to is not None:
        raise InvalidInputError(
            f"{last}: --to is for a folder, told by a '/' at its end; a file's suffix says its"
            " format"
        )
    if len(places) > 1 or Path(places[0]).is_dir():
        raise InvalidInputError(
            f"{last}: several files are read, so name a folder to write them to: {last}/; {_SEE}"
        )
    return _convert_one(Path(places[0]), Path(last), job)


def _new_time(fps: float | None) -> float | None:
    new_time = frame_time_of(fps, "--fps")
    if new_time is not None and new_time > 1:
        raise InvalidInputError(f"--fps: expected at least 1 frame per second, got {fps:g}")
    return new_time


@dataclass(frozen=True)
class _Job:
    """How files are read and written."""

    read: ReadOptions
    strict: bool
    write: _Written
    new_time: float | None
    force: bool

    def load(self, path: Path) -> Motion | MarkerSequence:
        from motionloom.io.registry import load

        return self.write.edited(load(path, **self.read.of_files, strict=self.strict))

    def check(self, data: Motion | MarkerSequence, output: Path) -> None:
        from motionloom.io.registry import check_save

        check_save(data, output, self.read.skeleton, **self.write.options(output))

    def save(self, data: Motion | MarkerSequence, output: Path) -> None:
        from motionloom.io.describe import format_count
        from motionloom.io.registry import save

        if self.new_time is not None:
            data = data.resample(self.new_time)
        more = f": {format_count(data.n_frames)} at {data.fps:g} fps"
        self._tell_axis(data, output)
        options = self.write.options(output)
        how = partial(save, data, skeleton=self.read.skeleton, **options)
        Writer(self.force, say).write(output, how, more)

    def _tell_axis(self, data: Motion | MarkerSequence, output: Path) -> None:
        """A TRC file does not say its axes, and who reads it takes Y for up."""
        up = self.write.options(output).get("up") or data.source.up
        if output.suffix.lower() == ".trc" and up != "y":
            say(
                f"{output}: {up.upper()} is up, which a TRC file cannot say and most programs do"
                " not expect; --out-up y turns it"
            )


def _convert_one(source: Path, output: Path, job: _Job) -> int:
    check_outputs([output], [source, *job.read.companions], job.force)
    data = job.load(source)
    job.check(data, output)
    warn_about(((str(source), text) for text in data.source.warnings), say)
    _tell_units([(source, data.source)])
    job.write.tell_root(data)
    job.write.tell([output.suffix.lower()])
    job.save(data, output)
    return 0


def _convert_all(places: Sequence[str], folder: Path, to: str | None, job: _Job) -> int:
    """Convert files into a folder; those that cannot be are told, and the others converted."""
    from motionloom.io.registry import known_formats, readable_formats

    suffix = None if to is None else f".{to.removeprefix('.').lower()}"
    writable = [f.suffix for f in known_formats() if f.write is not None]
    if suffix is not None and suffix not in writable:
        raise InvalidInputError(f"--to: expected one of {', '.join(writable)}, got {to!r}")
    sources = [Path(p) for p in find_readable(places, [f.suffix for f in readable_formats()])]
    names = distinct_names(sources, [p.stem for p in sources])
    outputs = [
        folder / f"{n}{suffix or p.suffix.lower()}" for n, p in zip(names, sources, strict=True)
    ]
    check_outputs(outputs, [*sources, *job.read.companions], job.force)
    warnings: list[tuple[str, str]] = []
    converted: list[tuple[Path, Source]] = []
    failed = 0
    job.write.tell(output.suffix.lower() for output in outputs)
    with progress_bars() as progress:
        for i, (source, output) in enumerate(zip(sources, outputs, strict=True)):
            progress("converting", i, len(sources))
            try:
                data = job.load(source)
                job.check(data, output)
            except MotionloomError as error:
                say(f"motionloom: {sentence_of(error)}")
                failed = 1
                continue
            warnings += [(str(source), text) for text in data.source.warnings]
            if not converted:
                job.write.tell_root(data)
            job.save(data, output)
            converted.append((source, data.source))
        progress("converting", len(sources), len(sources))
    warn_about(warnings, say)
    _tell_units(converted)
    if len(sources) > 1:
        say(f"converted {len(converted)} of {len(sources)} files")
    return failed


def _tell_units(files: Sequence[tuple[Path, Source]]) -> None:
    """Say unit and up axis of files and where they are from, once for those that share them."""
    alike: dict[tuple[str, str], list[tuple[Path, Source]]] = {}
    for path, source in files:
        alike.setdefault((f"{source.unit:.6g}", source.up.upper()), []).append((path, source))
    for (unit, up), group in alike.items():
        path, first = group[0]
        more = f" and {len(group) - 1} more" if len(group) > 1 else ""
        say(f"{path}{more}: 1 unit = {unit} m ({first.unit_reason}), {up} up")
