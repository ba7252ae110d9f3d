"""Labels of markers as files have them, and places on a body where markers sit.

Prefixes, sides and separators are taken out of labels. The package's own data files hold bodies,
places on them and marker sets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from motionloom.io.document import parse_document


@lru_cache(maxsize=32)
def read_data(name: str) -> dict[str, Any]:
    """One of the package's YAML files, by name without its ending; not to be changed."""
    file = files("motionloom.fitting.marker_sets").joinpath("data", f"{name}.yaml")
    return parse_document(file.read_text("utf-8"), f"{name}.yaml").value


_SEPARATORS = re.compile(r"[\s._\-*]+")
#: Labels that programs make up for what nobody has named.
NAMELESS = re.compile(r"(point|channel|marker|unlabel+ed|unnamed|traj|m|u|c)?\d+")
#: Share of the labels from which an ending that all of them have is no part of the name.
_SHARED = 0.8


def plain(label: str) -> str:
    """A label in lower case without the subject's name, separators, or sides written out."""
    word = _SEPARATORS.sub("", re.split(r"[:|]", label)[-1].lower())
    return re.sub(r"^(l)eft(?=.)|^(r)ight(?=.)", r"\1\2", word)


def subject_of(label: str) -> str:
    """What stands before the last colon of a label: the subject's name, or nothing."""
    return re.split(r"[:|][^:|]*$", label)[0] if re.search(r"[:|]", label) else ""


def plain_labels(labels: Sequence[str]) -> list[str]:
    """All labels of a file, plain; an ending such as ``_trc`` that nearly all share is cut off."""
    own = [re.split(r"[:|]", label)[-1] for label in labels]
    ends = Counter(m.group() for label in own if (m := re.search(r"[._\-][A-Za-z]{2,}$", label)))
    shared = [end for end, n in ends.items() if n >= max(5, _SHARED * len(own))]
    cut = [label.removesuffix(shared[0]) for label in own] if shared else own
    return [plain(label) for label in cut]


def mark_quartets(words: Sequence[str]) -> list[str]:
    """Plain labels, with a mark on origins of computed frames: four labels that differ in their
    end, o, a, l and p. On its own such an origin's label can be that of a marker.
    """
    whole = {w for w in words if w[-1:] == "o" and {w[:-1] + c for c in "alp"} <= set(words)}
    return [f"{word}!" if word in whole else word for word in words]


def sided(pattern: str) -> list[tuple[str, str]]:
    """Plain labels that a row of a data file stands for, each with its side (or nothing)."""
    words = [(w, ("left", "right") if "{s}" in w else ("",)) for w in pattern.split()]
    return [(plain(w.replace("{s}", side[:1])), side) for w, sides in words for side in sides]


@lru_cache(maxsize=1)
def _centres() -> dict[str, str]:
    rows = read_data("virtual")["centres"].items()
    return {label: f"{side}_{part}" for row, part in rows for label, side in sided(row)}


@lru_cache(maxsize=1)
def _virtual() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in read_data("virtual")["patterns"]))


def centre_of(word: str) -> str | None:
    """Joint whose centre a plain label names: ``"left_hip"`` for ``lhjc``; None for others."""
    return _centres().get(word.rstrip("!"))


def is_virtual(word: str) -> bool:
    """Whether a plain label names a point that a program computed."""
    return word.endswith("!") or word in _centres() or _virtual().fullmatch(word) is not None


def is_nameless(word: str) -> bool:
    """Whether a plain label is only a number, or a made-up word with one."""
    return NAMELESS.fullmatch(word) is not None


#: Standard deviation (metres) of a marker about its place where nothing else is said.
LOOSE = 0.008
#: Sides of a body, and what its left side is multiplied with to be that side.
SIDES = {"Left": 1.0, "Right": -1.0}

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Place:
    """Where on a body a marker sits.

    Parameters
    ----------
    name : str
        Such as ``"left_knee_lateral"``.
    joint : str
        Joint whose segment carries it.
    anchor : str
        Joint from which `at` is measured: the same one, or one of its children.
    at : tuple of float
        Left, up and ahead in shares of the body's size, body at rest.
    loose : tuple of float, metres
        Standard deviation about that place.
    """

    name: str
    joint: str
    anchor: str
    at: Triple
    loose: Triple = (LOOSE, LOOSE, LOOSE)


def spread_out(loose: float | list[float] | tuple[float, ...] | None) -> Triple:
    """A standard deviation for all three axes, or one for each."""
    several = loose if isinstance(loose, (list, tuple)) else 3 * [LOOSE if loose is None else loose]
    x, y, z = map(float, several)
    return (x, y, z)


@lru_cache(maxsize=8)
def places_of(body: str) -> Mapping[str, Place]:
    """All named places of a body, both sides: ``"left_asis"``, ``"c7"`` ...

    Examples
    --------
    >>> len(places_of("human")) > 40
    True
    """
    joints = read_data(f"body-{body}")["joints"]
    found = {}
    for name, row in read_data(f"places-{body}").items():
        for side, sign in sides_of(row).items():
            x, y, z = map(float, row["at"])
            whole = f"{side.lower()}_{name}" if side else name
            found[whole] = Place(
                name=whole,
                joint=on_side(joints, side, row["on"]),
                anchor=on_side(joints, side, row.get("from", row["on"])),
                at=(x if row.get("unmirrored") else sign * x, y, z),
                loose=spread_out(row.get("loose")),
            )
    return found


def sides_of(row: Mapping[str, Any]) -> Mapping[str, float]:
    """`SIDES` of what a body has on both sides, else one without a name."""
    return SIDES if row.get("sided") else {"": 1.0}


def on_side(joints: Mapping[str, Any], side: str, name: str) -> str:
    """Name of a joint on a side, where it has one."""
    return side + name if joints.get(name, {}).get("sided") else name
