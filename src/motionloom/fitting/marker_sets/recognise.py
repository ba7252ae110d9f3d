"""Which marker set a file has, and on which segment each of its markers sits.

What a marker file holds, for people and for JSON: which set, what is missing, gaps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from motionloom.curves import runs_of
from motionloom.errors import InvalidInputError
from motionloom.fitting.marker_sets import _places as naming
from motionloom.fitting.marker_sets._places import Place, places_of
from motionloom.marker_motion import MarkerSequence
from motionloom.reports import Row
from motionloom.skeleton import few

#: Markers, and markers on the hips, below which nothing can be fitted.
FEWEST = 6
FEWEST_ON_ROOT = 3
#: What a label of a set that is missing counts against that set.
_MISSING = 0.3


@dataclass(frozen=True)
class MarkerSet:
    """A convention of where markers sit and what they are called.

    Parameters
    ----------
    name : str
        Of its data file, such as ``"cmu-41"``.
    title : str
        For people.
    body : str
        ``"human"`` or ``"dog"``.
    core, extra : mapping of str to str
        Names of places by plain label: what every file has, and what some add.
    shown : mapping of str to str
        Labels as people write them, by plain label.
    centres : bool
        Whether its points are no markers but computed joint centres.
    alternatives : mapping of str to tuple of str
        Places that need not be there where others are.
    """

    name: str
    title: str
    body: str
    core: Mapping[str, str]
    extra: Mapping[str, str]
    shown: Mapping[str, str]
    centres: bool = False
    alternatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def place_of(self, word: str) -> str | None:
        """Name of the place that a plain label stands for."""
        return self.core.get(word) or self.extra.get(word)

    @property
    def wanted(self) -> dict[str, str]:
        """First label of each of its core places, by place."""
        found: dict[str, str] = {}
        for word, place in self.core.items():
            found.setdefault(place, self.shown[word])
        return found


@dataclass(frozen=True)
class Recognised:
    """What the labels of a file say.

    Parameters
    ----------
    marker_set : str
        Name of the set; ``"table"`` where a user's table told all.
    title : str
        For people.
    body : str
        ``"human"`` or ``"dog"``.
    places : mapping of int to Place
        Place of each marker that is used, by its number in the file.
    missing : tuple of str
        Labels of the set that the file does not have.
    centres : mapping of str to int
        Computed joint centres in the file, by joint: ``"left_hip"``; a reference, not fitted to.
    virtual, unknown : tuple of str
        Labels that are left out: computed points, and those that say nothing.
    notes : tuple of str
        What was decided.
    """

    marker_set: str
    title: str
    body: str
    places: Mapping[int, Place]
    missing: tuple[str, ...] = ()
    centres: Mapping[str, int] = field(default_factory=dict)
    virtual: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def marker_sets() -> tuple[MarkerSet, ...]:
    """All marker sets that come with the package."""
    folder = files("motionloom.fitting.marker_sets").joinpath("data")
    names = sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir())
    others = ("body-", "places-", "virtual")
    return tuple(_read_set(name) for name in names if not name.startswith(others))


def _read_set(name: str) -> MarkerSet:
    data = naming.read_data(name)
    shown: dict[str, str] = {}
    parts: tuple[dict[str, str], ...] = ({}, {})
    for found, part in zip(parts, ("labels", "extra"), strict=True):
        for row, place in data.get(part, {}).items():
            for (word, side), written in zip(naming.sided(row), _written(row), strict=True):
                found[word] = _whole(data["body"], place, side)
                shown[word] = written
    return MarkerSet(
        name=name,
        title=data["title"],
        body=data["body"],
        core=parts[0],
        extra=parts[1],
        shown=shown,
        centres=bool(data.get("centres")),
        alternatives={k: tuple(v) for k, v in data.get("alternatives", {}).items()},
    )


def _whole(body: str, place: str, side: str) -> str:
    """Name of a place with its side, where the place has one and is not named with it."""
    row = naming.read_data(f"places-{body}").get(place, {})
    return f"{side}_{place}" if row.get("sided") else place


def _written(row: str) -> list[str]:
    """The labels of a row as people write them, in the order of `sided`."""
    sides = [(word, "LR" if "{s}" in word else " ") for word in row.split()]
    return [word.replace("{s}", s) for word, both in sides for s in both]


def recognise(
    labels: Sequence[str], table: Mapping[str, Place | None] | None = None, body: str | None = None
) -> Recognised:
    """Find the marker set of a file and the place of each of its markers.

    Parameters
    ----------
    labels : sequence of str
        As the file has them; a subject's name before a colon does not count.
    table : mapping of str to Place or None, optional
        What the user says of some labels, with None for those to leave out; it wins.
    body : str, optional
        ``"human"`` or ``"dog"`` where the user says so; else that of the set.

    Returns
    -------
    Recognised

    Raises
    ------
    InvalidInputError
        When too few labels say where their markers sit; the sentence says what to provide.
    """
    table = table or {}
    words = naming.mark_quartets(naming.plain_labels(labels))
    subject, notes = _choose_subject(labels, words)
    whose = [subject if subject is None else naming.subject_of(label) for label in labels]
    own = {i: word for i, word in enumerate(words) if whose[i] == subject}
    told = {i: table[labels[i]] for i in own if labels[i] in table}
    free = {i: w for i, w in own.items() if i not in told}
    best = _best_set(free.values(), body)
    places = {i: place for i, place in told.items() if place is not None}
    if best is not None:
        places |= _places(best, free)
    virtual = [i for i, w in free.items() if i not in places and naming.is_virtual(w)]
    unknown = [i for i, w in free.items() if i not in places and not naming.is_virtual(w)]
    named = best is not None and len(places) > len(told)
    found = Recognised(
        marker_set=best.name if named and best else "table",
        title=best.title if named and best else "the user's table",
        body=body or (best.body if best else "human"),
        places=dict(sorted(places.items())),
        missing=_missing(best, places) if named and best else (),
        centres={c: i for i in virtual if (c := naming.centre_of(own[i])) is not None},
        virtual=tuple(labels[i] for i in virtual),
        unknown=tuple(labels[i] for i in unknown),
        notes=notes,
    )
    _check(found, labels, words)
    return found


def _choose_subject(
    labels: Sequence[str], words: Sequence[str]
) -> tuple[str | None, tuple[str, ...]]:
    """The subject with most known labels, where a file has several."""
    known = {word for s in marker_sets() for word in (*s.core, *s.extra)}
    whose = [naming.subject_of(label) for label in labels]
    count = Counter(whose[i] for i, word in enumerate(words) if word in known)
    people = [s for s in dict.fromkeys(whose) if count[s] >= FEWEST]
    if len(people) < 2:
        return None, ()
    chosen = max(people, key=lambda subject: count[subject])
    others = ", ".join(s or "no name" for s in people if s != chosen)
    return chosen, (
        f"markers of {chosen or 'the subject without name'} are fitted; those of {others} are not",
    )


def _best_set(words: Iterable[str], body: str | None) -> MarkerSet | None:
    known = set(words)
    sets = [s for s in marker_sets() if body is None or s.body == body]
    count = {s.name: sum(s.place_of(word) is not None for word in known) for s in sets}

    def score(one: MarkerSet) -> float:
        have = {one.core[word] for word in known if word in one.core}
        return count[one.name] - _MISSING * (len(set(one.core.values())) - len(have))

    real = [s for s in sets if not s.centres and count[s.name] >= FEWEST]
    return max(real or [s for s in sets if s.centres], key=score, default=None)


def _places(best: MarkerSet, words: Mapping[int, str]) -> dict[int, Place]:
    """Places by the chosen set; by others where these agree and the chosen one is silent."""
    known = places_of(best.body)
    others = [s for s in marker_sets() if s.body == best.body and not s.centres]
    found: dict[int, Place] = {}
    for i, word in words.items():
        name = best.place_of(word)
        if name is None and not best.centres:
            names = {n for s in others if (n := s.place_of(word)) is not None}
            name = names.pop() if len(names) == 1 and not naming.is_virtual(word) else None
        if name is not None:
            found[i] = known[name]
    return found


def _missing(best: MarkerSet, places: Mapping[int, Place]) -> tuple[str, ...]:
    have = {place.name for place in places.values()}
    spared = {p for p, others in best.alternatives.items() if have.issuperset(others)}
    return tuple(label for p, label in best.wanted.items() if p not in have | spared)


def _check(found: Recognised, labels: Sequence[str], words: Sequence[str]) -> None:
    root = sum(place.joint == "Hips" for place in found.places.values())
    if len(found.places) >= FEWEST and root >= FEWEST_ON_ROOT:
        return
    wanted = (
        "give each a name of a known marker set, or a table with a line"
        " 'LABEL: PLACE' for each, such as 'M12: left_knee_lateral'"
    )
    if sum(map(naming.is_nameless, words)) > len(words) / 2:
        message = (
            f"the {len(labels)} markers have no names ({few(labels, 3)}), which do not say where on"
            " the body they sit"
        )
    elif len(found.places) >= FEWEST:
        unknown = [label for i, label in enumerate(labels) if i not in found.places]
        message = (
            f"{root} markers on the hips are too few (of {found.title}); at least"
            f" {FEWEST_ON_ROOT} are needed, such as LASI, RASI and SACR, and of no place that is"
            f" known are {few(unknown, 6)}"
        )
    else:
        message = (
            f"the labels of {len(labels)} markers ({few(labels, 6)}) are of no marker set that is"
            f" known: {len(found.places)} say where on the body they sit"
        )
    raise InvalidInputError(f"{message}; {wanted}", hint="give marker table")


def describe_markers(markers: MarkerSequence) -> dict[str, Any]:
    """Facts about a file's markers.

    Parameters
    ----------
    markers : MarkerSequence
        As it was read.

    Returns
    -------
    dict
        Of plain values: ``set`` (its name, or None), ``title``, ``body``, ``used`` (labels that say
        where a marker sits), ``missing`` (labels of the set that the file does not have),
        ``computed`` and ``unknown`` (labels left out), ``gaps`` (of the used markers: how many,
        how many frames all together, and the longest in seconds), ``refused`` (why nothing can be
        fitted, or None).
    """
    found, refused = None, None
    try:
        found = recognise(markers.labels)
    except InvalidInputError as error:
        refused = str(error)
    used = list(found.places if found else range(len(markers.labels)))
    return {
        "set": found and found.marker_set,
        "title": found and found.title,
        "body": found and found.body,
        "used": [markers.labels[i] for i in found.places] if found else [],
        "missing": list(found.missing) if found else [],
        "computed": list(found.virtual) if found else [],
        "unknown": list(found.unknown) if found else [],
        "gaps": _gaps(markers, used),
        "refused": refused,
    }


def _gaps(markers: MarkerSequence, used: list[int]) -> dict[str, Any]:
    """Gaps of the used markers."""
    missing = ((markers.labels[m], runs_of(~markers.valid[:, m])) for m in used)
    gaps = [(stop - start, label) for label, runs in missing for start, stop in runs]
    longest, label = max(gaps, key=lambda gap: gap[0], default=(0, None))
    return {
        "count": len(gaps),
        "frames": sum(length for length, _ in gaps),
        "longest": float(longest * markers.frame_time),
        "longest_of": label,
    }


def rows_of_markers(facts: dict[str, Any]) -> list[Row]:
    """Facts of `describe_markers` as rows of a report."""
    refused = facts["refused"]
    known = f"{facts['set']} ({facts['title']}), {len(facts['used'])} markers are used"
    rows = [("set", f"none: {refused}" if refused else known)]
    rows += [] if refused else [("missing", few(facts["missing"], 12) or "none")]
    left = ((facts[key], kind) for key, kind in _KINDS.items())
    rows += [("left out", f"{len(own)} {kind}: {few(own)}") for own, kind in left if own]
    return [Row("", name, text) for name, text in (*rows, ("gaps", _in_words(facts["gaps"])))]


_KINDS = {"computed": "computed points", "unknown": "labels that say nothing"}


def _in_words(gaps: dict[str, Any]) -> str:
    if not gaps["count"]:
        return "none"
    return (
        f"{gaps['count']} among the used markers, {gaps['frames']} frames all together, the longest"
        f" {gaps['longest']:.2f} s of {gaps['longest_of']}"
    )
