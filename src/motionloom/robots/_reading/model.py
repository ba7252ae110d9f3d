"""Models compiled by MuJoCo from what matters of a file: bodies, joints and shapes.

MuJoCo opens no file itself: includes and meshes are read here, from the model's own folder only.
Sensors, actuators, textures and the rest are left out before MuJoCo parses.

XML read into plain nodes that know their file and line; entities and oversized trees refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

import numpy as np

from motionloom.errors import FormatError, MissingExtraError
from motionloom.io.files import read_bytes, read_text_bytes

#: Elements of one model, includes among them; the largest robots have some thousands.
MOST_NODES = 100_000
#: Elements within each other; a humanoid's hands are some 20 deep.
MOST_DEEP = 200
#: Files that include each other.
MOST_INCLUDED = 50
#: Bytes of a model without its meshes.
MOST_BYTES = 20_000_000


@dataclass(eq=False)
class Node:
    """One element of an XML file.

    Parameters
    ----------
    tag : str
        Its name.
    given : dict of str to str
        Its attributes.
    path : Path
        The file it stands in.
    line : int
        Counted from 1.
    children : list of Node
        In the order of the file.
    """

    tag: str
    given: dict[str, str]
    path: Path
    line: int
    children: list[Node] = field(default_factory=list)

    def named(self, tag: str) -> Iterator[Node]:
        """Children with a name."""
        return (child for child in self.children if child.tag == tag)

    def error(self, message: str) -> FormatError:
        """An error that names the file and the line."""
        return FormatError(f"<{self.tag}>: {message}", self.path, self.line)


class _Reader:
    """Reads one model; counts what has been read so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.nodes = 0
        self.included: set[Path] = set()

    def read(self, path: Path) -> Node:
        root = self._parse(path)
        self._resolve(root)
        return root

    def _parse(self, path: Path) -> Node:
        data = read_text_bytes(path, MOST_BYTES)
        above: list[Node] = []
        roots: list[Node] = []
        parser = expat.ParserCreate()

        def begin(tag: str, given: dict[str, str]) -> None:
            self.nodes += 1
            node = Node(tag, given, path, parser.CurrentLineNumber)
            if self.nodes > MOST_NODES or len(above) > MOST_DEEP:
                raise node.error(
                    f"the model has more than {MOST_NODES} elements, or more than {MOST_DEEP}"
                    " within each other; expected a robot"
                )
            (above[-1].children if above else roots).append(node)
            above.append(node)

        def refuse(*_: object) -> None:
            raise FormatError(
                "expected a model without a document type; remove the <!DOCTYPE ...> declaration",
                path,
                parser.CurrentLineNumber,
            )

        parser.StartElementHandler = begin
        parser.EndElementHandler = lambda _: above.pop()
        parser.StartDoctypeDeclHandler = refuse
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise FormatError(
                f"this is no XML: {reason}; expected an MJCF or URDF model", path, error.lineno
            ) from None
        return roots[0]

    def _resolve(self, node: Node) -> None:
        found: list[Node] = []
        for child in node.children:
            if child.tag == "include":
                found += self._include(child)
            else:
                self._resolve(child)
                found.append(child)
        node.children[:] = found

    def _include(self, node: Node) -> list[Node]:
        name = node.given.get("file", "")
        place = Path(os.path.realpath(self.folder / name))
        if not name or os.path.isabs(name) or not place.is_relative_to(self.folder.resolve()):
            raise node.error(
                f"includes {name!r}; only files in the model's own folder are read, so put it there"
            )
        if place in self.included or len(self.included) >= MOST_INCLUDED:
            raise node.error(
                f"includes {name!r} a second time, or more than {MOST_INCLUDED} files; MuJoCo"
                " allows each once"
            )
        self.included.add(place)
        return self.read(self.folder / name).children


_BODY = frozenset({"body", "frame", "replicate", "joint", "freejoint", "inertial", "geom"})
#: Elements that MuJoCo gets, by the element around them; all where that is not listed.
_KEPT = {
    "mujoco": {"default", "asset", "worldbody", "contact"},
    "default": {"default", "joint", "geom", "mesh"},
    "asset": {"mesh"},
    "contact": {"exclude"},
    "worldbody": _BODY - {"geom"},
    "body": _BODY,
    "frame": _BODY,
    "replicate": _BODY,
    "robot": {"link", "joint"},
    "link": {"inertial", "collision"},
}
#: Elements that make bodies and are not given to MuJoCo.
_MAKERS = {"attach", "composite", "flexcomp"}
#: Attributes that refer to what is left out.
_LEFT_OUT = {"assetdir", "content_type", "material", "meshdir", "strippath", "texturedir"}
#: Bodies stay as they are in the file, and those without a mass get the least one.
_COMPILER = {
    "balanceinertia": "true",
    "boundinertia": "1e-12",
    "boundmass": "1e-9",
    "discardvisual": "false",
    "fusestatic": "false",
}
#: Files of meshes that MuJoCo decodes.
_SUFFIXES = (".msh", ".obj", ".stl")
#: Bytes of the file of a mesh; those of robots have up to 20 MB.
_MOST_BYTES = 100_000_000
#: A tetrahedron of 1 mm for a mesh that cannot be read.
_STAND_IN = b"v 0 0 0\nv .001 0 0\nv 0 .001 0\nv 0 0 .001\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


@dataclass(frozen=True, eq=False)
class Compiled:
    """A model as MuJoCo has it.

    Parameters
    ----------
    root : Node
        Of the file, without what was left out.
    model : mujoco.MjModel
        Stand-ins of missing meshes touch nothing.
    missing : tuple of str
        Files of meshes that could not be read.
    left_out : int
        Shapes that could touch, if their meshes could be read.
    warnings : tuple of str
        MuJoCo's.
    """

    root: Node
    model: Any
    missing: tuple[str, ...]
    left_out: int
    warnings: tuple[str, ...]

    def error(self, message: str, name: str = "") -> FormatError:
        """An error that names the line of the element with a name, else of the root."""
        named = (node for node in _walk(self.root) if name and node.given.get("name") == name)
        return next(named, self.root).error(message)


def compile_model(path: Path) -> Compiled:
    """Compile an MJCF or URDF model.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    Compiled

    Raises
    ------
    FormatError
        When MuJoCo refuses it.
    MissingExtraError
        When MuJoCo is not installed.
    """
    try:
        import mujoco
    except ImportError:
        raise MissingExtraError("mujoco", "robots", "reading a robot's model") from None
    root = _Reader(path.parent).read(path)
    if root.tag not in ("mujoco", "robot"):
        raise root.error("expected <mujoco> or <robot>, the root of an MJCF or URDF model")
    compiler = _merge_compilers(root)
    folder = compiler.given.get("meshdir", compiler.given.get("assetdir", ""))
    _leave_out(root)
    compiler.given.update(_COMPILER)
    if root.tag == "robot":
        _float(root)
        compiler = Node("mujoco", {}, root.path, root.line, [compiler])
    root.children.append(compiler)
    assets, missing = _read_meshes(root, [path.parent / folder, path.parent])
    lines, nodes = _written(root)
    with mujoco_warnings() as warnings:
        try:
            model = mujoco.MjModel.from_xml_string("\n".join(lines), assets)
        except (ValueError, mujoco.FatalError, mujoco.UnexpectedError) as error:
            raise _refusal(str(error), nodes) from None
    if any("NaN" in warning for warning in warnings):
        wrong = (n for n in nodes if any("nan" in v.lower().split() for v in n.given.values()))
        raise next(wrong, root).error("a number is nan; expected finite numbers")
    left_out = 0
    for geom in np.flatnonzero(model.geom_dataid >= 0):
        if model.mesh(model.geom_dataid[geom]).name in missing:
            left_out += bool(model.geom_contype[geom] | model.geom_conaffinity[geom])
            model.geom_contype[geom] = model.geom_conaffinity[geom] = 0
    said = tuple(dict.fromkeys(" ".join(warning.split()) for warning in warnings))
    return Compiled(root, model, tuple(missing.values()), left_out, said)


@contextmanager
def mujoco_warnings() -> Iterator[list[str]]:
    """Collect MuJoCo's warnings, which it otherwise writes into a file in the current folder."""
    import mujoco

    found: list[str] = []
    mujoco.set_mju_user_warning(found.append)
    try:
        yield found
    finally:
        mujoco.set_mju_user_warning(None)


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _walk(child)


def _merge_compilers(root: Node) -> Node:
    """All that the compilers of a model say; the last one that says something holds."""
    merged = Node("compiler", {}, root.path, root.line)
    for node in _walk(root):
        if node.tag == "compiler":
            merged = replace(node, given=merged.given | node.given)
    return merged


def _leave_out(node: Node) -> None:
    for child in node.children:
        if child.tag in _MAKERS:
            raise child.error("is not read; save the model out of MuJoCo as plain bodies")
    kept = _KEPT.get(node.tag)
    node.children[:] = [child for child in node.children if kept is None or child.tag in kept]
    for name in _LEFT_OUT & node.given.keys():
        del node.given[name]
    for child in node.children:
        _leave_out(child)


def _float(root: Node) -> None:
    """Let the base of a URDF model float, unless it has a world that the base is fixed to."""
    below = {
        child.given.get("link") for joint in root.named("joint") for child in joint.named("child")
    }
    names = [link.given.get("name", "") for link in root.named("link")]
    bases = [name for name in names if name not in below]
    if len(bases) != 1 or bases[0] == "world":
        return

    make = partial(Node, path=root.path, line=root.line)
    ends = [make("parent", {"link": "world"}), make("child", {"link": bases[0]})]
    root.children.append(make("link", {"name": "world"}))
    joint = {"name": "floating base", "type": "floating"}
    root.children.append(make("joint", joint, children=ends))


def _read_meshes(root: Node, folders: list[Path]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Contents of meshes by new names of their files; files that cannot be read by mesh."""
    assets: dict[str, bytes] = {}
    missing: dict[str, str] = {}
    for number, node in enumerate(_walk(root)):
        key = "filename" if root.tag == "robot" else "file"
        if node.tag != "mesh" or key not in node.given:
            continue
        name = node.given[key]
        file = _find_mesh(name, folders, root.tag == "robot")
        suffix = ".obj" if file is None else file.suffix.lower()
        node.given[key] = f"{number}{suffix}"
        assets[node.given[key]] = _STAND_IN if file is None else read_bytes(file, most=_MOST_BYTES)
        if key == "file":
            node.given.setdefault("name", PurePosixPath(name).stem)
        if file is None:
            node.given["scale"] = "1 1 1"
            missing[node.given.get("name", str(number))] = name
    return assets, missing


def _find_mesh(name: str, folders: list[Path], package: bool) -> Path | None:
    """File of a mesh in the model's folder; the names of packages before it are passed over."""
    parts = PurePosixPath(name.split("://")[-1].replace("\\", "/")).parts
    own = os.path.realpath(folders[-1])
    for first in range(len(parts) if package else 1):
        for folder in folders:
            file = Path(os.path.realpath(folder.joinpath(*parts[first:])))
            known = file.is_relative_to(own) and file.suffix.lower() in _SUFFIXES
            if known and os.path.isfile(file):
                return file
    return None


def _written(root: Node) -> tuple[list[str], list[Node]]:
    """The model as XML, an element a line, and the element of each line."""
    lines: list[str] = []
    nodes: list[Node] = []

    def write(node: Node) -> None:
        given = "".join(f" {name}={quoteattr(value)}" for name, value in node.given.items())
        if "%" in given:  # MuJoCo 4.0 takes it for a format of C, and ends the process
            raise node.error("an attribute has a '%', which MuJoCo does not read; rename it")
        lines.append(f"<{node.tag}{given}>")
        nodes.append(node)
        for child in node.children:
            write(child)
        lines[-1] += f"</{node.tag}>"

    write(root)
    return lines, nodes


def _refusal(said: str, nodes: list[Node]) -> FormatError:
    """MuJoCo's sentence, with the file and the line of the element that it names."""
    line = re.search(r"line (\d+)", said)
    node = nodes[min(int(line[1]), len(nodes)) - 1] if line else nodes[0]
    reason = re.sub(r"^((XML )?Error: |Schema violation: )*", "", said).splitlines()[0]
    return node.error(f"MuJoCo refuses the model: {reason[:200]}")
