"""What other programs expect of the files that are made for them.

Programs differ in units, axes, the order of Euler angles, and which formats they read at all. What
a file says of itself (FBX, glTF and USD do) needs no preset; BVH says nothing of unit and axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from motionloom.errors import InvalidInputError


@dataclass(frozen=True)
class Tool:
    """One program.

    Parameters
    ----------
    name : str
        As people call it.
    reads : tuple of str
        Suffixes that it reads without more, the best one first.
    options : mapping of str to mapping
        What `save` is told, by suffix.
    advice : str
        How to open the file there.
    other_advice : mapping of str to str
        The same for files of a suffix that are opened otherwise.
    """

    name: str
    reads: tuple[str, ...]
    options: Mapping[str, Mapping[str, Any]]
    advice: str
    other_advice: Mapping[str, str] = field(default_factory=dict)

    def of(self, suffix: str) -> dict[str, Any]:
        """Options of `save` for a file with a suffix."""
        return dict(self.options.get(suffix, {}))


_CENTIMETRES = {"unit": 0.01, "up": "y"}
_METRES = {"unit": 1.0, "up": "y"}

#: The programs that files can be made for. An order of angles is that of the channels, each about
#: an axis carried by those before: a program's own order read backwards, where it turns about
#: fixed axes.
TOOLS = {
    "blender": Tool(
        "Blender",
        (".glb", ".fbx", ".usda", ".bvh"),
        {".bvh": {**_METRES, "order": "ZYX"}, ".fbx": _CENTIMETRES, ".usda": _METRES},
        "File > Import; leave scale 1, forward -Z and up Y as they are there",
    ),
    "unreal": Tool(
        "Unreal Engine",
        (".fbx", ".glb"),
        {".bvh": {**_CENTIMETRES, "order": "YXZ"}, ".fbx": _CENTIMETRES},
        "import it as skeletal mesh with 'Import Animations' ticked and a new skeleton",
    ),
    "unity": Tool(
        "Unity",
        (".fbx",),
        {".bvh": {**_METRES, "order": "YXZ"}, ".fbx": _METRES},
        "drop it into Assets; under Rig choose Humanoid, which finds the T-pose of the file",
    ),
    "maya": Tool(
        "Maya",
        (".fbx", ".usda"),
        {".bvh": {**_CENTIMETRES, "order": "ZYX"}, ".fbx": _CENTIMETRES, ".usda": _CENTIMETRES},
        "File > Import; its joints have rotate order xyz and joint orients for the rest pose",
    ),
    "opensim": Tool(
        "OpenSim",
        (".mot", ".trc"),
        {".bvh": {**_METRES, "order": "ZXY"}, ".trc": {"unit": 0.001, "up": "y"}},
        "File > Load Motion, after a model whose coordinates have these names",
        {".trc": "File > Preview Experimental Data, or as the markers of inverse kinematics"},
    ),
}


def find_tool(name: str) -> Tool:
    """The program of a name.

    Raises
    ------
    InvalidInputError
        When there is no such program.
    """
    found = TOOLS.get(name.lower())
    if found is None:
        raise InvalidInputError(f"no program {name!r} is known here; use one of {', '.join(TOOLS)}")
    return found


def say_preset(tool: Tool, suffix: str, options: Mapping[str, Any]) -> str:
    """What was set for a program, in a sentence, and how to open the file there.

    Parameters
    ----------
    tool : Tool
        The program.
    suffix : str
        Of the file.
    options : mapping of str to object
        What `save` was told in the end.

    Returns
    -------
    str
        For people.
    """
    known = {name: value for name, value in options.items() if value is not None}
    up = str(known.get("up")).upper()
    phrases = {"unit": "1 unit = {unit:g} m", "up": f"{up} up"}
    phrases["order"] = "rotations in the order {order}"
    said = [phrase.format(**known) for name, phrase in phrases.items() if name in known]
    what = ", ".join(said) or f"nothing to set, {suffix} says all that it needs"
    if suffix not in tool.reads:
        best = " or ".join(tool.reads[:2])
        return f"for {tool.name}: {what}; it does not read {suffix} by itself, {best} it does"
    return f"for {tool.name}: {what}; {tool.other_advice.get(suffix, tool.advice)}"
