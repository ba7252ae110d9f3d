"""Fields of commands that many have: what is read, what is written, options of the library."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, field
from pathlib import Path
from typing import Any

from motionloom.errors import InvalidInputError
from motionloom.options import option_field
from motionloom.places import find_clips, find_place

#: Key in the metadata of a field: module of a dataclass of the library, and which of its fields.
PART = "motionloom.part"


def _motion_path(path: Path) -> Path:
    from motionloom.io.registry import find_writer

    find_writer(path)
    return path


def ending_in(suffixes: tuple[str, ...], refusal: str) -> Callable[[Path], Path]:
    """Make what refuses a path, by its sentence, whose name does not end in a suffix."""

    def check(path: Path) -> Path:
        if path.suffix.lower() not in suffixes:
            raise InvalidInputError(f"{path}: {refusal}")
        return path

    return check


def each(parse: Callable[[Any], Any]) -> Callable[[Iterable[Any]], tuple[Any, ...]]:
    """Make what parses every value of an option that repeats."""
    return lambda values: tuple(map(parse, values))


def part(module: str, *names: str) -> Any:
    """Make a field whose value is an options dataclass of the library.

    Parameters
    ----------
    module : str
        Where that is, imported when the options are looked at; the annotation of the field is its
        name.
    *names : str
        The fields of it that are options of the command; the others keep their defaults.

    Returns
    -------
    dataclasses.Field
    """
    return field(metadata={PART: (module, names)})


def reading(*more: str) -> Any:
    """Make a field of `ReadOptions`: how files are read, and `more` of its fields."""
    return part("motionloom.reading", "unit", "up", "rate", "skeleton", *more)


def argument(help: str, unit: str, default: Any = MISSING, **about: Any) -> Any:
    """Make a field that is typed without a name; a file that is read, unless it is said."""
    return option_field(default, help, unit=unit, is_argument=True, **{"file": "read", **about})


def clips(
    help: str = "A library, or clips: files, folders or patterns.",
    unit: str = "LIB|CLIPS...",
    default: Any = MISSING,
) -> Any:
    """Make an argument that names clips; its value is a `Place`."""
    return argument(help, unit, default, repeats=True, parse=find_place)


def clip_files(
    help: str = "Clips: files, folders or patterns.", unit: str = "CLIPS...", default: Any = MISSING
) -> Any:
    """Make an argument that names clips one by one; its value is a `Place`."""
    return argument(help, unit, default, repeats=True, parse=find_clips, file="beside")


def several(help: str, unit: str, parse: Callable[[str], Any] | None = None, file: str = "") -> Any:
    """Make an option that may be repeated; `parse` makes each of its values."""
    split = None if parse is None else each(parse)
    return option_field((), help, unit=unit, repeats=True, parse=split, file=file)


def read_file(help: str, unit: str = "FILE", **about: Any) -> Any:
    """Make an option that is a file that is read, if any."""
    return option_field(None, help, unit=unit, file="read", **about)


def written_file(help: str, unit: str = "OUT") -> Any:
    """Make an option that is a file that is written, if any."""
    return option_field(None, help, unit=unit, file="written")


def motion_output(formats: str = ".bvh, .glb, .fbx, .usda", what: str = "Motion") -> Any:
    """Make the option of the motion that is written."""
    return output(f"{what} to write: {formats}.", parse=_motion_path)


def model_output(help: str = "Model to write.") -> Any:
    """Make the option of the model that is written."""
    parse = ending_in((".npz",), "expected a name that ends in .npz")
    return output(help, unit="MODEL.npz", parse=parse)


def output(help: str, unit: str = "OUT", default: Any = MISSING, **about: Any) -> Any:
    """Make the option of what a command makes."""
    names = "-o --output"
    return option_field(default, help, unit=unit, name=names, **{"file": "written", **about})


def picture(help: str = "Write a contact sheet: poses, path, feet, speeds.") -> Any:
    """Make the option of a picture."""
    parse = ending_in((".png",), "pictures are written as PNG; give a name that ends in .png")
    return option_field(None, help, unit="OUT", file="written", parse=parse)


def page(help: str = "Write a page that plays in a browser, from disk.") -> Any:
    """Make the option of a page."""
    parse = ending_in((".html", ".htm"), "a page is written as HTML; give a name ending in .html")
    return option_field(None, help, unit="OUT", file="written", parse=parse)


def constraint_file() -> Any:
    """Make the option of the constraint file."""
    names = "-c --constraints"
    return option_field(MISSING, "Constraint file.", unit="FILE", name=names, file="read")


def seed() -> Any:
    """Make the option of the seed."""
    return option_field(0, "The same seed gives the same result.", minimum=0)


def strict() -> Any:
    """Make the option that refuses guesses."""
    return option_field(False, "Refuse an input that needs any guess or mending.")


def references(help: str) -> Any:
    """Make the option of captured clips; its value is a `Place`."""
    return option_field(None, help, unit="LIB|CLIPS", repeats=True, parse=find_place, file="read")


def space_file(help: str, file: str = "kept") -> Any:
    """Make the option of a pose space that is kept."""
    return option_field(None, help, unit="FILE.npz", file=file)


def graph_folder() -> Any:
    """Make the option of a motion graph on disk."""
    help = "Motion graph made by 'graph build -o'; else the library's."
    return option_field(None, help, unit="FOLDER", file="beside")
