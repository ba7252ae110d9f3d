"""XML read into plain nodes that know their file and line; entities and oversized trees refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from xml.parsers import expat

from motionloom.errors import FormatError
from motionloom.io.files import read_text_bytes

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


def read_nodes(path: str | PathLike[str]) -> Node:
    """Read an XML file and what it includes.

    Includes are looked for below the folder of the file, and nowhere else.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    Node
        Its root; an ``<include>`` is replaced by the children of the file that it names.

    Raises
    ------
    FormatError
        When a file is no XML, declares entities, is too large or includes what it must not.
    """
    reader = _Reader(Path(path).parent)
    return reader.read(Path(path))


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
