"""Writes the reference of the Python API from its docstrings: docs/reference/api.md and a page for
each package.

    python docs/build_reference.py           writes the pages
    python docs/build_reference.py --check   exits with 1 when a page is not what it would write

What is listed is what the packages name in ``__all__``, and for `MODULES` what is public in them.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, get_origin

import motionloom

FOLDER = Path(__file__).resolve().parent / "reference"
#: Packages with ``__all__``, in the order of the layers.
PACKAGES = (
    "io",
    "io.fbx",
    "io.usd",
    "io.amass",
    "constraints",
    "analysis",
    "analysis.faults",
    "analysis.moments",
    "analysis.oddness",
    "spaces",
    "spaces.motion_space",
    "view",
    "performer",
    "edit",
    "edit.retarget",
    "ik",
    "framewise",
    "clips",
    "library",
    "synthesis",
    "graph",
    "models",
    "fitting",
    "idle",
    "inbetween",
    "gait",
    "physics.body",
    "physics.dynamics",
    "physics.ground",
    "physics.plates",
    "physics.report",
    "physics.robots",
    "physics.correct",
    "physics.terrain",
    "robots",
    "scene",
    "shot",
    "workspace",
)
#: Modules without ``__all__``, whose public names are listed too.
MODULES = (
    "skeleton",
    "motion",
    "marker_motion",
    "roles",
    "kinematics",
    "posed_motion",
    "rotations",
    "coordinates",
    "euler_coordinates",
    "jacobians",
    "errors",
    "reports",
    "io.result",
    "jobs.synthesizing",
    "places",
    "reading",
)
#: Packages of the other distribution.
EVALUATION = ("motionloom_evaluation.critic",)
SECTIONS = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Notes", "Examples")
_NOTE = "<!-- Written by docs/build_reference.py from the docstrings; do not edit. -->"


@dataclass(frozen=True)
class Docstring:
    """A numpydoc docstring, taken apart.

    Parameters
    ----------
    text : str
        What stands before the first section.
    sections : dict of str to str
    """

    text: str
    sections: dict[str, str]

    @property
    def first(self) -> str:
        """The first paragraph, in one line."""
        return " ".join(self.text.split("\n\n")[0].split())


def parse(thing: Any) -> Docstring:
    """The docstring of an object, without what it would inherit from its base classes."""
    raw = inspect.cleandoc(thing.__doc__ or "")
    heads = rf"^({'|'.join(SECTIONS)})\n-+\n"
    text, *rest = re.split(heads, raw, flags=re.MULTILINE)
    return Docstring(
        text.strip(), {rest[i]: rest[i + 1].strip("\n") for i in range(0, len(rest), 2)}
    )


def pages() -> Iterator[tuple[Path, str]]:
    """All pages with their text."""
    yield FOLDER / "api.md", index_page()
    yield FOLDER / "api" / "motionloom.md", facade_page()
    for name in (*PACKAGES, *MODULES, *EVALUATION):
        yield FOLDER / "api" / f"{name}.md", package_page(name)


def index_page() -> str:
    """The page that lists the names of `motionloom` and all packages."""
    lines = [
        "# Python API",
        "",
        _NOTE,
        "",
        (
            "Which of these names stay, and what happens when one has to go: [stable"
            " names](stability.md)."
        ),
        "",
        "## From `motionloom` itself",
        "",
        "| name | what it is |",
        "| --- | --- |",
    ]
    for name, thing in facade():
        anchor = name.replace(".", "").lower()
        lines.append(f"| [`{name}`](api/motionloom.md#{anchor}) | {_cell(parse(thing).first)} |")
    lines += ["", "## Packages", "", "| package | what is in it |", "| --- | --- |"]
    lines += [_package_row(name) for name in PACKAGES]
    lines += ["", "## Modules", "", "| module | what is in it |", "| --- | --- |"]
    lines += [_package_row(name) for name in MODULES]
    lines += ["", "## Of motionloom-evaluation", "", "| package | what is in it |", "| --- | --- |"]
    lines += [_package_row(name) for name in EVALUATION]
    return "\n".join(lines) + "\n"


def facade() -> Iterator[tuple[str, Any]]:
    """The calls of `motionloom`, those of its modules with the module's name before them."""
    for name in sorted(set(motionloom.__all__) - {"__version__"}):
        thing = getattr(motionloom, name)
        if inspect.ismodule(thing):
            verbs = (verb for verb in dir(thing) if not verb.startswith("__"))
            yield from ((f"{name}.{verb}", getattr(thing, verb)) for verb in verbs)
        else:
            yield name, thing


def facade_page() -> str:
    """The page of `motionloom` itself."""
    lines = ["# motionloom", "", _NOTE, "", _prose(parse(motionloom).text), ""]
    for name, thing in facade():
        lines += _entry(name, thing)
    return "\n".join(lines).rstrip() + "\n"


def package_page(name: str) -> str:
    """The page of a package or module."""
    module = _module(name)
    lines = [f"# {module.__name__}", "", _NOTE, "", _prose(parse(module).text), ""]
    for public in names_of(module):
        lines += _entry(public, getattr(module, public))
    return "\n".join(lines).rstrip() + "\n"


def _module(name: str) -> ModuleType:
    """A package by its name, within motionloom where that is not said."""
    return importlib.import_module(name if name in EVALUATION else f"motionloom.{name}")


def names_of(module: ModuleType) -> list[str]:
    """Public names: ``__all__``, or else what is defined there."""
    if hasattr(module, "__all__"):
        return sorted(set(module.__all__) - set(vars(module).get("__verbs__", ())))
    return sorted(
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isroutine(value))
        and getattr(value, "__module__", "") == module.__name__
    )


def _package_row(name: str) -> str:
    module = _module(name)
    return f"| [`{name}`](api/{name}.md) | {_cell(parse(module).first)} |"


def _entry(name: str, thing: Any) -> list[str]:
    lines = [f"## {name}", ""]
    if inspect.isclass(thing):
        lines += _class(name, thing)
    elif get_origin(thing) is not None:
        # What an alias is annotated with prints addresses.
        lines += [f"Type: `{getattr(thing, '__origin__', thing)}`.", ""]
    elif callable(thing):
        lines += [f"`{name}{_signature(thing)}`", "", *_body(parse(thing))]
    else:
        lines += [
            f"`{type(thing).__name__}`, such as {', '.join(f'`{v}`' for v in list(thing)[:3])}.",
            "",
        ]
    return lines


def _class(name: str, thing: type) -> list[str]:
    signature = f"`{name}{_fields(thing)}`"
    bases = [base.__name__ for base in thing.__bases__ if issubclass(base, Exception)]
    lines = [
        signature + (f" (a kind of {' and '.join(bases)})" if bases else ""),
        "",
        *_body(parse(thing)),
    ]
    for member, value in sorted(vars(thing).items()):
        if member.startswith("_") or not _function_of(value) or not _function_of(value).__doc__:
            continue
        lines += _member(member, value)
    return lines


def _member(name: str, value: Any) -> list[str]:
    doc = parse(_function_of(value))
    if isinstance(value, property) or hasattr(value, "attrname"):
        return [f"- **`.{name}`** {_prose(doc.text)}", ""]
    lines = [f"- **`.{name}{_signature(_function_of(value))}`** {_prose(doc.text)}", ""]
    for section in ("Parameters", "Returns", "Raises"):
        if section in doc.sections:
            lines += [f"  {line}".rstrip() for line in _section(section, doc.sections[section])]
    return lines


def _function_of(value: Any) -> Any:
    if isinstance(value, property):
        return value.fget
    if isinstance(value, (classmethod, staticmethod)):
        return value.__func__
    if hasattr(value, "attrname"):  # a cached property
        return value.func
    return value if inspect.isfunction(value) else None


def _body(doc: Docstring) -> list[str]:
    lines = [_prose(doc.text), ""]
    for section, text in doc.sections.items():
        lines += _section(section, text)
    return lines


def _section(name: str, text: str) -> list[str]:
    if name == "Examples":
        return ["*Examples*", "", "```text", text, "```", ""]
    if name == "Notes":
        return ["*Notes*", "", _prose(text), ""]
    lines = [f"*{name}*", ""]
    for row in re.split(r"\n(?=\S)", text):
        head, *rest = row.split("\n")
        what, colon, kind = head.partition(" : ")
        about = " ".join(" ".join(rest).split())
        label = f"`{what}`" + (f" ({_prose(kind)})" if colon else "")
        lines.append(f"- {label}: {_prose(about)}" if about else f"- {label}")
    return [*lines, ""]


def _prose(text: str) -> str:
    """Markdown of a docstring's text: code in single backticks."""
    return re.sub(r"``([^`]*)``", r"`\1`", text)


def _cell(text: str) -> str:
    return _prose(text).replace("|", "\\|")


def _fields(thing: type) -> str:
    """How a class is called."""
    models = getattr(thing, "model_fields", None)
    if models is not None:
        needed = [name for name, field in models.items() if field.is_required()]
        given = [
            f"{name}={_default(field.get_default(call_default_factory=True))}"
            for name, field in models.items()
            if not field.is_required()
        ]
        return f"({', '.join(['*', *needed, *given])})"
    if is_dataclass(thing):
        parts = []
        for field in fields(thing):
            if not field.init:
                continue
            factory = field.default_factory
            default = field.default if factory is MISSING else factory
            parts.append(field.name if default is MISSING else f"{field.name}={_default(default)}")
        return f"({', '.join(parts)})"
    if "__init__" in vars(thing) and not getattr(thing, "_is_protocol", False):
        return _signature(thing.__init__)
    return ""


def _signature(function: Any) -> str:
    """Names and defaults; types stand with the parameters."""
    function = getattr(function, "py_func", function)
    parts = []
    bare = False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not bare:
            parts.append("*")
            bare = True
        name = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(
            parameter.kind, ""
        ) + parameter.name
        bare = bare or parameter.kind is parameter.VAR_POSITIONAL
        if parameter.default is not parameter.empty:
            name += f"={_default(parameter.default)}"
        parts.append(name)
    return f"({', '.join(parts)})"


def _default(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, (tuple, list, dict)) and all(not _is_long(v) for v in value):
        return repr(value)
    return (
        f"{value.__name__}()"
        if inspect.isclass(value)
        else getattr(value, "__name__", f"{type(value).__name__}()")
    )


def _is_long(value: Any) -> bool:
    return not (value is None or isinstance(value, (bool, int, float, str)))


def main() -> int:
    """Write the pages, or compare them."""
    wanted = dict(pages())
    there = {FOLDER / "api.md", *(FOLDER / "api").glob("*.md")}
    if "--check" in sys.argv[1:]:
        wrong = [p for p, text in wanted.items() if not p.exists() or p.read_text() != text]
        wrong += sorted(there - set(wanted))
        for path in wrong:
            print(f"{path}: not what the docstrings say; run: python docs/build_reference.py")
        return 1 if wrong else 0
    (FOLDER / "api").mkdir(exist_ok=True)
    for path in there - set(wanted):
        path.unlink()
    for path, text in wanted.items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
