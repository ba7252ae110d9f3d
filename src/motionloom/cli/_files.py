"""``motionloom info``, ``convert`` and ``view``: what files are, other formats, and pictures."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from motionloom.cli import _fields as fields
from motionloom.cli._command import Command, Result, Writing
from motionloom.cli.console import say, sentence_of
from motionloom.errors import InvalidInputError, MotionloomError
from motionloom.io.limits import MOST_SCALE
from motionloom.io.tools import find_tool, say_preset
from motionloom.options import option_field
from motionloom.places import distinct_names, find_readable
from motionloom.progress import Progress, warn_about
from motionloom.reading import ReadOptions
from motionloom.reports import Report, Row, Section
from motionloom.workspace.outputs import Files, view_files
from motionloom.workspace.writing import Writer

if TYPE_CHECKING:
    from motionloom.marker_motion import MarkerSequence
    from motionloom.motion import Motion, Source

    Data = Motion | MarkerSequence
    Loaded = Mapping[str, Motion | MarkerSequence]


def _unit(text: str) -> float:
    from motionloom.io.units import check_unit

    return check_unit(text)


class InfoCommand(Command):
    """Show what files are: unit and why, up axis, rate, joints, channel orders, roles, warnings."""

    files: tuple[str, ...] = fields.argument(
        "Motion or marker files, folders or patterns.", "FILE...", repeats=True
    )
    as_json: bool = option_field(
        False, "Print JSON: a list with one entry per file.", name="--json"
    )
    strict: bool = fields.strict()
    reading: ReadOptions = fields.reading()

    def make(self, progress: Progress) -> Result:
        """Look at every file."""
        from motionloom.io.registry import readable_formats

        entries, sections, code = [], [], 0
        for path in find_readable(self.files, (f.suffix for f in readable_formats())):
            try:
                facts, rows = self._look(path)
            except MotionloomError as error:
                code = max(code, error.exit_code)
                entries.append({"path": path, "error": str(error)})
                say(f"motionloom: {sentence_of(error)}")
                continue
            entries.append({"path": path, **facts})
            sections.append(Section(path, rows))
        return Result(Report("", sections, data=entries), code=code)

    def _look(self, path: str) -> tuple[dict[str, Any], list[Row]]:
        from motionloom.io import load
        from motionloom.io.describe import describe, rows_of_facts
        from motionloom.marker_motion import MarkerSequence

        data = load(path, **self.reading.of_files, strict=self.strict)
        facts = describe(data)
        rows = rows_of_facts(facts)
        if not isinstance(data, MarkerSequence):
            return facts, rows
        # The fitting of markers needs SciPy, which motions do not.
        from motionloom.fitting.marker_sets.recognise import describe_markers, rows_of_markers

        of_set = describe_markers(data)
        return {**facts, "marker_set": of_set}, rows + rows_of_markers(of_set)


_SEE = "see: motionloom convert --help"


class ConvertCommand(Writing):
    """Convert files, by the suffix of OUT.

    Motions: .bvh, .fbx, .glb, .usda, .amc, and .mot for OpenSim; markers: .trc. Files that cannot
    be converted are told and the others converted; the exit code says whether all were.
    """

    paths: tuple[str, ...] = fields.argument(
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
        parse=find_tool,
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
    strict: bool = fields.strict()
    reading: ReadOptions = fields.reading()

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
        suffix = self.format and f".{self.format.removeprefix('.').lower()}"
        writable = [f.suffix for f in known_formats() if f.write is not None]
        if self.format is not None and suffix not in writable:
            raise InvalidInputError(
                f"--format: expected one of {', '.join(writable)}, got {self.format!r}"
            )
        sources = [Path(p) for p in find_readable(places, [f.suffix for f in readable_formats()])]
        names = distinct_names(sources, [p.stem for p in sources])
        written = (f"{n}{suffix or p.suffix.lower()}" for n, p in zip(names, sources, strict=True))
        return list(zip(sources, map(Path(last).joinpath, written), strict=True))

    def inputs(self) -> Iterable[Path]:
        """Files that are read."""
        return [*(source for source, _ in self._jobs), *super().inputs()]

    def outputs(self) -> Iterable[Path]:
        """Files that are written."""
        return [output for _, output in self._jobs]

    def make(self, progress: Progress) -> Result:
        """Convert them; those that cannot be are told, and the others converted."""
        converted: list[tuple[Path, Source]] = []
        many = len(self._jobs)
        for i, (source, output) in enumerate(self._jobs):
            progress("converting", i, many)
            try:
                data = self._read(source, output)
            except MotionloomError as error:
                if not self._is_folder:
                    raise
                say(f"motionloom: {sentence_of(error)}")
                continue
            if not converted:
                self._tell_once(data)
            self._write(data, output)
            converted.append((source, data.source))
        progress("converting", many, many)
        warn_about(((str(path), text) for path, one in converted for text in one.warnings), say)
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

        data = load(source, **self.reading.of_files, strict=self.strict)
        if self.scale is not None or self.root is not None:
            data = self._edited(data)
        check_save(data, output, self.reading.skeleton, **self._options(output))
        return data

    def _edited(self, data: Data) -> Motion:
        from motionloom.edit.reroot import scaled, with_root
        from motionloom.motion import Motion

        if not isinstance(data, Motion):
            raise InvalidInputError(
                f"{data.source.path}: --scale and --root are for motions of a skeleton, and this"
                " holds markers; leave them out"
            )
        motion = data if self.scale is None else scaled(data, self.scale)
        return motion if self.root is None else with_root(motion, self.root)

    def _write(self, data: Data, output: Path) -> None:
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
        told = f": {format_count(data.n_frames)} at {data.fps:g} fps"
        Writer(self.force, say).write(output, how, told)

    def _tell_once(self, data: Any) -> None:
        """Say which of two things a name of a root meant; what is set for a program, by format."""
        if self.root is not None:
            from motionloom.edit.reroot import say_root

            say(say_root(data))
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


#: What is written, by suffix.
_KINDS = {".png": "png", ".html": "html", ".htm": "html"}


_view = fields.ending_in(
    tuple(_KINDS), "a view is a page (.html) or a contact sheet (.png); give such a name"
)


class ViewCommand(Writing):
    """Look at motions: a page in the browser (opened without outputs), a sheet (PNG), or both."""

    files: tuple[Path, ...] = fields.argument(
        "Motions or markers to look at.", "FILE...", repeats=True
    )
    output: tuple[Path, ...] = fields.output(
        "Page (.html) or contact sheet (.png) to write; may be repeated.",
        default=(),
        repeats=True,
        parse=fields.each(_view),
    )
    reading: ReadOptions = fields.reading()

    def make(self, progress: Progress) -> Result:
        """Draw them."""
        from motionloom.io.registry import load_all

        loaded = [load_all(path, **self.reading.of_files) for path in self.files]
        _warn(loaded)
        writers = _writers(loaded, progress)
        if not self.output:
            page = Path(tempfile.mkdtemp(prefix="motionloom-")) / "motion.html"
            return Result(files={page: partial(_show, writers["html"])})
        return Result(files={path: writers[_KINDS[path.suffix.lower()]] for path in self.output})


def _show(write: Any, page: Path) -> None:
    import webbrowser

    write(page)
    webbrowser.open(page.resolve().as_uri())


def _warn(loaded: Sequence[Loaded]) -> None:
    """Say what was mended on reading, once a file, and which characters stand side by side."""
    from motionloom.skeleton import few

    sources = [data.source for one in loaded for data in one.values()]
    warn_about(dict.fromkeys((one.path, text) for one in sources for text in one.warnings), say)
    if len(loaded) > 1:
        several = [(next(iter(one.values())).source.path, list(one)) for one in loaded]
        apart = "are shown side by side; view this file alone to see where they are"
        warn_about(((path, f"{few(names)} {apart}") for path, names in several if names[1:]), say)


def _writers(loaded: Sequence[Loaded], progress: Progress) -> Files:
    """What writes the sheet and the page: characters of one file together, else side by side."""
    from motionloom.analysis.contacts import find_foot_contacts
    from motionloom.motion import Motion
    from motionloom.view.page import write_scene_page
    from motionloom.view.scene_sheet import write_scene_sheet

    characters = loaded[0]
    if len(loaded) == 1 and _is_scene(characters):
        found = {name: find_foot_contacts(motion) for name, motion in characters.items()}
        steps = {name: down for name, down in found.items() if down is not None}
        title = next(iter(characters.values())).name
        return {
            "png": partial(write_scene_sheet, characters, title=title),
            "html": partial(write_scene_page, characters, contacts=steps, progress=progress),
        }
    shown = [data for one in loaded for data in one.values()]
    downs = [find_foot_contacts(data) if isinstance(data, Motion) else None for data in shown]
    return view_files(shown, None, progress, contacts=downs)


def _is_scene(characters: Loaded) -> TypeGuard[Mapping[str, Motion]]:
    """Whether several motions of equal frames can play together."""
    from motionloom.motion import Motion

    alike = {(type(one), one.frame_time, one.n_frames) for one in characters.values()}
    return len(characters) > 1 and len(alike) == 1 and next(iter(alike))[0] is Motion
