"""Labels of markers as files have them: prefixes, sides and separators taken out.

The package's own data files: bodies, places on them, marker sets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from motionloom.io.document import parse_document


@lru_cache(maxsize=32)
def read_data(name: str) -> dict[str, Any]:
    """One of the package's YAML files, by name without its ending; not to be changed."""
    file = files("motionloom.fitting.marker_sets").joinpath("data", f"{name}.yaml")
    found: dict[str, Any] = parse_document(file.read_text("utf-8"), f"{name}.yaml").value
    return found


_SEPARATORS = re.compile(r"[\s._\-*]+")
#: Labels that programs make up for what nobody has named.
NAMELESS = re.compile(r"(point|channel|marker|unlabel+ed|unnamed|traj|m|u|c)?\d+")
#: Share of the labels from which an ending that all of them have is no part of the name.
_SHARED = 0.8


def plain(label: str) -> str:
    """A label in lower case without the subject's name, separators, or sides written out."""
    word = _SEPARATORS.sub("", re.split(r"[:|]", label)[-1].lower())
    for side in ("left", "right"):
        if word.startswith(side) and len(word) > len(side):
            return side[0] + word[len(side) :]
    return word


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
    known = set(words)
    return [
        f"{word}!" if word[-1:] == "o" and {word[:-1] + c for c in "alp"} <= known else word
        for word in words
    ]


def sided(pattern: str) -> list[tuple[str, str]]:
    """Plain labels that a row of a data file stands for, each with its side (or nothing)."""
    found = []
    for word in pattern.split():
        sides = ("left", "right") if "{s}" in word else ("",)
        found += [(plain(word.replace("{s}", side[:1])), side) for side in sides]
    return found


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
