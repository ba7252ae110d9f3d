"""``motionloom convert``: motions or markers from one format and frame rate to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli._command import Result, Writing
from motionloom.cli._fields import argument, reading, strict
from motionloom.cli._hints import sentence_of
from motionloom.cli.console import say
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.io.limits import MOST_SCALE
from motionloom.options import option_field
from motionloom.places import distinct_names, find_readable
from motionloom.progress import Progress, warn_about
from motionloom.reading import ReadOptions
from motionloom.workspace.writing import Writer

if TYPE_CHECKING:
    from motionloom.io.tools import Tool
    from motionloom.marker_motion import MarkerSequence
    from motionloom.motion import Motion, Source

    Data = Motion | MarkerSequence

_SEE = "see: motionloom convert --help"


def _unit(text: str) -> float:
    from motionloom.io.units import check_unit

    return check_unit(text)


def _tool(name: str) -> Tool:
    from motionloom.io.tools import find_tool

    return find_tool(name)


class Convert(Writing):
    """Convert files, by the suffix of OUT.

    Motions: .bvh, .fbx, .glb, .usda, .amc, and .mot for OpenSim; markers: .trc. Files that cannot
    be converted are told and the others converted; the exit code says whether all were.
    """

    paths: tuple[str, ...] = argument(
        "File to read and file to write, whose suffix says the format; or files, folders or"
        " patterns to read and a folder to write them to, told by a '/' at its end.",
        "IN... OUT",
        repeats=True,
        file="beside",
    )
    out_unit: float | str | None = option_field(
        None,
        "Unit of length in BVH, FBX, USD or TRC output: metres per unit, or mm, cm, m, in, ft; else"
        " that of the input, in FBX cm, in USD m.",
        unit="UNIT",
        parse=_unit,
    )
    out_up: str | None = option_field(
        None,
        "Up axis of BVH, FBX, USD or TRC output: x, y or z; else the input's, or Y.",
        unit="AXIS",
        parse=str.lower,
    )
    rest: str | None = option_field(
        None,
        "Rest pose of GLB, FBX or USD output: standing (a T-pose; usual for humans), file or first"
        " (frame).",
        unit="POSE",
        parse=str.lower,
    )
    tool: Any = option_field(
        None,
        "Unit, up axis and order of rotations that a program expects where OUT's are not told:"
        " blender, unreal, unity, maya or opensim.",
        unit="TOOL",
        name="--for",
        parse=_tool,
    )
    scale: float | None = option_field(
        None,
        "Make body and path so many times as large.",
        unit="FACTOR",
        minimum=1 / MOST_SCALE,
        maximum=MOST_SCALE,
    )
    root: str | None = option_field(
        None,
        "Root joint: one of the skeleton's, without what does not hang on it, or a new one on the"
        " ground below the body, which carries path and facing.",
        unit="NAME",
    )
    format: str | None = option_field(
        None, "Format in a folder, such as .glb; else that of IN.", unit="SUFFIX"
    )
    fps: float | None = option_field(
        None, "Resample to this many frames per second.", unit="FPS", minimum=1, maximum=10_000
    )
    strict: bool = strict()
    reading: ReadOptions = reading()

    def check(self) -> None:
        """Refuse what is not one file to one, or several to a folder."""
        if len(self.paths) < 2:
            raise InvalidInputError(
                f"{self.paths[0]}: nothing was named to write to; give OUT after the files to read;"
                f" {_SEE}"
            )
        if self._is_folder:
            return
        *places, last = self.paths
        if self.format is not None:
            raise InvalidInputError(
                f"{last}: --format is for a folder, told by a '/' at its end; a file's suffix says"
                " its format"
            )
        if len(places) > 1 or Path(places[0]).is_dir():
            raise InvalidInputError(
                f"{last}: several files are read, so name a folder to write them to: {last}/;"
                f" {_SEE}"
            )

    @property
    def _is_folder(self) -> bool:
        return self.paths[-1].endswith(("/", "\\")) or Path(self.paths[-1]).is_dir()

    @cached_property
    def _jobs(self) -> list[tuple[Path, Path]]:
        """Each file that is read, and where it is written."""
        from motionloom.io.registry import known_formats, readable_formats

        *places, last = self.paths
        if not self._is_folder:
            return [(Path(places[0]), Path(last))]
        suffix = None if self.format is None else f".{self.format.removeprefix('.').lower()}"
        writable = [f.suffix for f in known_formats() if f.write is not None]
        if suffix is not None and suffix not in writable:
            raise InvalidInputError(
                f"--format: expected one of {', '.join(writable)}, got {self.format!r}"
            )
        sources = [Path(p) for p in find_readable(places, [f.suffix for f in readable_formats()])]
        names = distinct_names(sources, [p.stem for p in sources])
        folder = Path(last)
        return [
            (path, folder / f"{name}{suffix or path.suffix.lower()}")
            for name, path in zip(names, sources, strict=True)
        ]

    def inputs(self) -> Iterable[Path]:
        """Files that are read."""
        return [*(source for source, _ in self._jobs), *super().inputs()]

    def outputs(self) -> Iterable[Path]:
        """Files that are written."""
        return [output for _, output in self._jobs]

    def make(self, progress: Progress) -> Result:
        """Convert them; those that cannot be are told, and the others converted."""
        warnings: list[tuple[str, str]] = []
        converted: list[tuple[Path, Source]] = []
        writer = Writer(self.force, say)
        many = len(self._jobs)
        if self._is_folder:
            self._tell_tool()
        for i, (source, output) in enumerate(self._jobs):
            progress("converting", i, many)
            try:
                data = self._read(source, output)
            except MotionloomError as error:
                if not self._is_folder:
                    raise
                say(f"motionloom: {sentence_of(error)}")
                continue
            warnings += [(str(source), text) for text in data.source.warnings]
            if not converted:
                self._tell_root(data)
            if not self._is_folder:
                self._tell_tool()
            self._write(data, output, writer)
            converted.append((source, data.source))
        progress("converting", many, many)
        warn_about(warnings, say)
        _tell_units(converted)
        if many > 1:
            say(f"converted {len(converted)} of {many} files")
        return Result(code=int(len(converted) < many))

    def _options(self, output: Path) -> dict[str, Any]:
        """Options of `save`: the program's, except where others were told."""
        preset = {} if self.tool is None else self.tool.of(output.suffix.lower())
        told = {"unit": self.out_unit, "up": self.out_up, "rest": self.rest}
        return {**preset, **{name: value for name, value in told.items() if value is not None}}

    def _read(self, source: Path, output: Path) -> Data:
        """What is written of a file."""
        from motionloom.io.registry import check_save, load

        data = self._edited(load(source, **self.reading.of_files, strict=self.strict))
        check_save(data, output, self.reading.skeleton, **self._options(output))
        return data

    def _edited(self, data: Data) -> Data:
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

    def _write(self, data: Data, output: Path, writer: Writer) -> None:
        from motionloom.io.describe import format_count
        from motionloom.io.registry import save

        if self.fps is not None:
            data = data.resample(1.0 / self.fps)
        options = self._options(output)
        # A TRC file does not say its axes, and who reads it takes Y for up.
        up = options.get("up") or data.source.up
        if output.suffix.lower() == ".trc" and up != "y":
            say(
                f"{output}: {up.upper()} is up, which a TRC file cannot say and most programs do"
                " not expect; --out-up y turns it"
            )
        how = partial(save, data, skeleton=self.reading.skeleton, **options)
        writer.write(output, how, f": {format_count(data.n_frames)} at {data.fps:g} fps")

    def _tell_root(self, data: Data) -> None:
        """Say which of the two things that a name of a root can mean it meant."""
        from motionloom.motion import Motion

        if self.root is not None and isinstance(data, Motion):
            from motionloom.edit.reroot import say_root

            say(say_root(data))

    def _tell_tool(self) -> None:
        """Say what was set for a program, once for each format."""
        from motionloom.io.tools import say_preset

        if self.tool is not None:
            for suffix in dict.fromkeys(output.suffix.lower() for _, output in self._jobs):
                say(say_preset(self.tool, suffix, self._options(Path(f"out{suffix}"))))


def _tell_units(files: Sequence[tuple[Path, Source]]) -> None:
    """Say unit and up axis of files and where they are from, once for those that share them."""
    alike: dict[tuple[str, str], list[tuple[Path, Source]]] = {}
    for path, source in files:
        alike.setdefault((f"{source.unit:.6g}", source.up.upper()), []).append((path, source))
    for (unit, up), group in alike.items():
        path, first = group[0]
        more = f" and {len(group) - 1} more" if len(group) > 1 else ""
        say(f"{path}{more}: 1 unit = {unit} m ({first.unit_reason}), {up} up")
