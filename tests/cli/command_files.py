"""Which files every command reads and writes; what a test of all commands needs to call them.

Whoever adds an option or an argument that is a file or folder says here what it is: a name in
`INPUTS` where it is read, in `WRITTEN` (or for one command in `OWN`) where it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from motionloom.cli._app import all_commands

#: What is read, by option or argument: where it is in a test. None of these can be read, so no
#: command comes farther than to its first file.
INPUTS = {
    **dict.fromkeys(("clips", "clip", "files", "places", "results", "start", "pieces"), "in/a.bvh"),
    **dict.fromkeys(("end", "--reference", "--with", "--others", "--made", "--body"), "in/b.bvh"),
    **dict.fromkeys(("trials", "trial", "--static"), "in/a.trc"),
    **dict.fromkeys(("model", "models", "--model", "--gait", "--bridge-model"), "in/model.npz"),
    "--skeleton": "in/a.asf",
    "--roles": "in/roles.yaml",
    "--to-roles": "in/to-roles.yaml",
    "--constraints": "in/wish.yaml",
    "--labels": "in/labels.yaml",
    "--markers": "in/markers.yaml",
    "--idle": "in/idle.npz",
    "--costs": "in/costs.py",
    "--to": "in/b.bvh",
    "--told": "in/told.yaml",
    "--events": "in/events.csv",
    "--layer": "in/b.bvh@1.0",
    "--per-minute": "in/b.bvh=2",
    "--gestures": "in/b.bvh",
    "--spans": "in/spans.yaml",
    "--times": "in/times.yaml",
    "--speeds": "in/speed.yaml",
    "--keys": "in/keys.yaml",
    "--styles": "in/styles.yaml",
    "--masses": "in/masses.yaml",
    "--ground": "in/ground.yaml",
    "--plates": "in/plates.mot",
    "--split": "in/split.yaml",
    "--robot": "in/robot.xml",
    "--library": "in",
    "--clip": "wave=in/b.bvh",
    "--graph": "in/graph",
}
#: What is written, whatever the command.
WRITTEN = {"--report": "a.json", "--html": "a.html", "--png": "a.png", "--output": "a.bvh"}
#: Options that hold a folder in which results are kept from one run to the next.
KEPT = {"shot make": {"--pieces": "a.own"}}
#: Libraries and shots that a command changes where they are.
CHANGED = {
    "library create": {"library"},
    "library add": {"library"},
    "library remove": {"library"},
    "library check": {"library"},
    "library list": {"library"},
    "studio": {"shot"},
}


@dataclass(frozen=True)
class Own:
    """What one command reads and writes otherwise than `INPUTS` and `WRITTEN` say.

    Parameters
    ----------
    written : mapping of str to str
        By option or argument: the name of a file.
    folders : mapping of str to tuple of str
        By option: what is written into the folder.
    inputs : mapping of str to str
        What is read.
    sides : mapping of str to tuple of str
        By output: names of the other files that are written with it.
    kept : mapping of str to str
        By output: name of a folder beside it in which results are kept.
    needed : tuple of str
        Options and arguments that it needs, although not in every case.
    into : tuple of str
        Outputs that may be folders that are there, into which files are put.
    more : str
        What else the command is called with.
    """

    written: Mapping[str, str] = field(default_factory=dict)
    folders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    sides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kept: Mapping[str, str] = field(default_factory=dict)
    needed: tuple[str, ...] = ()
    into: tuple[str, ...] = ()
    more: str = ""


_MODEL = {"--output": "a.npz"}
_FIGURES = {"--output": "a.json"}
OWN = {
    "convert": Own({"paths": "a.bvh"}, inputs={"paths": "in/a.bvh"}, into=("paths",)),
    "retarget": Own(into=("--output",)),
    "synthesize": Own(
        {"--state": "s.npz"},
        sides={"--output": ("a-2.bvh",)},
        more="--alternatives 2",
    ),
    "pose": Own(
        {"--space": "s.npz"},
        needed=("clips",),
        inputs={"--constraints": "in/pose.yaml", "--start": "in/b.bvh:0"},
    ),
    "library remove": Own(more="walk"),
    "edit": Own({"--space": "s.npz"}, needed=("--constraints", "--reference")),
    "naturalness": Own({**_FIGURES, "--space": "s.npz"}, needed=("--reference",)),
    "compare": Own({"--output": "a.png", "--report": "a.json"}),
    "demo": Own(
        folders={"--output": ("constraints.yaml", "motion.bvh", "motion.glb", "markers.trc")}
    ),
    "gait fit": Own(_MODEL),
    "gait make": Own(needed=("--constraints",)),
    "graph build": Own(folders={"--output": ("head.json", "graph.npz")}),
    "graph report": Own(_FIGURES),
    "idle fit": Own({**_MODEL, "--save-spans": "spans-out.yaml"}),
    "idle make": Own(more="--seconds 2"),
    "idle mix": Own(_MODEL),
    "inbetween fit": Own(_MODEL, kept={"--output": "a.npz.parts"}),
    "inbetween fill": Own(
        inputs={"pieces": "in/a.bvh in/b.bvh"},
        sides={"--output": ("a-2.bvh",)},
        more="--frames 5 --alternatives 2",
    ),
    "model fit": Own(_MODEL),
    "view": Own({"--output": "a.html"}),
    "physics report": Own({**_FIGURES, "--npz": "p.npz", "--mjcf": "p.xml"}),
    "shot make": Own(
        {"--output": "a.glb"},
        inputs={"file": "in/shot.yaml"},
        sides={"--output": ("a-anna.bvh", "a-ben.bvh")},
        kept={"--output": "a.pieces"},
    ),
    "shot check": Own(inputs={"file": "in/shot.yaml"}),
    "shot new": Own({"file": "a.yaml"}, more="--name anna"),
    "evaluate natural-spaces": Own(folders={"--output": ("report.txt", "report.json")}),
    "evaluate motion-models": Own(folders={"--output": ("report.txt", "report.json")}),
    "evaluate inbetweening": Own(_FIGURES),
    "evaluate gait-ways": Own(_FIGURES),
    "evaluate gait-gaps": Own(_FIGURES),
    "evaluate gait": Own(_FIGURES),
    "evaluate physics": Own(_FIGURES, inputs={"files": "in/a.c3d"}),
    "evaluate idle": Own(_FIGURES, folders={"--sheets": ("a.png",)}),
    "evaluate markers": Own(_FIGURES, inputs={"files": "in/a.c3d"}),
    "evaluate robots": Own(_FIGURES),
    "evaluate retarget": Own(_FIGURES),
}
#: A text value of an option that says so is a place, too.
_PLACES = re.compile(r"FILE|DIR|FOLDER|OUT|MODEL|LIB|CLIP|TARGET|TRIAL|RESULT|PIECE|START")


@dataclass(frozen=True)
class Place:
    """An option or argument that is a file or folder.

    Parameters
    ----------
    name : str
        Of the option with its hyphens, or of the argument.
    required : bool
        Whether the command needs it.
    """

    name: str
    required: bool

    def words(self, value: str) -> list[str]:
        """What is typed."""
        return [self.name, value] if self.name.startswith("-") else value.split()


@dataclass(frozen=True)
class Command:
    """A command with all files and folders that it takes.

    Parameters
    ----------
    name : str
        As it is typed.
    places : tuple of Place
        In the order of its parameters.
    has_force : bool
        Whether files of others may be replaced on request.
    """

    name: str
    places: tuple[Place, ...]
    has_force: bool

    @property
    def own(self) -> Own:
        """What it reads and writes otherwise than all commands."""
        return OWN.get(self.name, Own())

    @property
    def written(self) -> dict[str, str]:
        """Names of files that it writes, by option or argument."""
        known = {**WRITTEN, **self.own.written}
        names = [place.name for place in self.places if place.name not in self.own.folders]
        return {name: known[name] for name in names if name in known}

    @property
    def inputs(self) -> dict[str, str]:
        """What it reads, by option or argument."""
        known = {**INPUTS, **self.own.inputs}
        written = self.written if self.name != "convert" else {}
        return {p.name: known[p.name] for p in self.places if p.name in known.keys() - written}

    @property
    def unknown(self) -> list[str]:
        """Options and arguments that are files or folders, and of which nothing is said here."""
        known = {*self.written, *self.inputs, *self.own.folders}
        known |= KEPT.get(self.name, {}).keys() | CHANGED.get(self.name, set())
        return [place.name for place in self.places if place.name not in known]

    def line(self, given: Mapping[str, str]) -> list[str]:
        """Arguments of a call.

        Parameters
        ----------
        given : mapping of str to str
            Values of options and arguments; inputs and outputs that are required and not among
            them are as in `inputs` and `written`.

        Returns
        -------
        list of str
        """
        typed = [*self.name.split()]
        for place in self.places:
            if place.name in given and place.name not in self.inputs:
                typed += place.words(given[place.name])
            elif place.name in given or (place.required and place.name in self.inputs):
                typed += place.words(given.get(place.name, self.inputs[place.name]))
                if self.name == "convert" and place.name == "paths":
                    typed.append(given.get("out", "out/free.bvh"))
            elif place.required:
                typed += place.words(f"out/free{_suffix(self.written.get(place.name, ''))}")
        return [*typed, *self.own.more.split()]


def _suffix(name: str) -> str:
    return name[name.rfind(".") :] if "." in name else ""


def all_the_commands() -> Iterator[Command]:
    """Every command of motionloom, as the command line itself knows it."""
    yield from _below(all_commands(), ())


def _below(node: Any, names: tuple[str, ...]) -> Iterator[Command]:
    node = getattr(node, "loaded", node)  # a command of an installed package
    if hasattr(node, "commands"):
        for name, below in node.commands.items():
            yield from _below(below, (*names, name))
        return
    places = tuple(
        Place(name, bool(parameter.required) or name in OWN.get(" ".join(names), Own()).needed)
        for parameter in node.params
        if is_place(parameter) and (name := name_of(parameter))
    )
    has_force = any("--force" in parameter.opts for parameter in node.params)
    yield Command(" ".join(names), places, has_force)


def name_of(parameter: Any) -> str:
    """Longest name of an option; name of an argument."""
    return str(max(parameter.opts, key=len))


def is_place(parameter: Any) -> bool:
    """Whether a parameter is a file or folder."""
    kind = (
        str(getattr(parameter.type_descriptor, "annotation", ""))
        if hasattr(parameter, "type_descriptor")
        else ""
    )
    is_text = "str" in kind and bool(_PLACES.search(parameter.metavar or ""))
    return "Path" in kind or is_text
