"""Models compiled by MuJoCo from what matters of a file: bodies, joints and shapes.

MuJoCo opens no file itself: includes and meshes are read here, from the model's own folder only.
Sensors, actuators, textures and the rest are left out before MuJoCo parses.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from motionloom.errors import FormatError, MissingExtraError
from motionloom.io.files import read_bytes
from motionloom.robots.reading.nodes import Node, read_nodes

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
    root = read_nodes(path)
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
        raise next(filter(_is_nan, nodes), root).error("a number is nan; expected finite numbers")
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

    def make(tag: str, given: dict[str, str], *children: Node) -> Node:
        return Node(tag, given, root.path, root.line, list(children))

    ends = (make("parent", {"link": "world"}), make("child", {"link": bases[0]}))
    root.children.append(make("link", {"name": "world"}))
    root.children.append(make("joint", {"name": "floating base", "type": "floating"}, *ends))


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


def _is_nan(node: Node) -> bool:
    return any("nan" in value.lower().split() for value in node.given.values())


def _refusal(said: str, nodes: list[Node]) -> FormatError:
    """MuJoCo's sentence, with the file and the line of the element that it names."""
    line = re.search(r"line (\d+)", said)
    node = nodes[min(int(line[1]), len(nodes)) - 1] if line else nodes[0]
    reason = re.sub(r"^((XML )?Error: |Schema violation: )*", "", said).splitlines()[0]
    return node.error(f"MuJoCo refuses the model: {reason[:200]}")
