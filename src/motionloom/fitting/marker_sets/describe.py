"""What a marker file holds, for people and for JSON: which set, what is missing, gaps."""

from __future__ import annotations

from typing import Any

from motionloom.curves import runs_of
from motionloom.errors import InvalidInputError
from motionloom.fitting.marker_sets.recognise import recognise
from motionloom.marker_motion import MarkerSequence
from motionloom.reports import Row
from motionloom.skeleton import few


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
    try:
        found = recognise(markers.labels)
    except InvalidInputError as error:
        used = list(range(len(markers.labels)))
        facts = dict.fromkeys(("set", "title", "body"))
        empty: dict[str, Any] = {"used": [], "missing": [], "computed": [], "unknown": []}
        return {**facts, **empty, "gaps": _gaps(markers, used), "refused": str(error)}
    return {
        "set": found.marker_set,
        "title": found.title,
        "body": found.body,
        "used": [markers.labels[i] for i in found.places],
        "missing": list(found.missing),
        "computed": list(found.virtual),
        "unknown": list(found.unknown),
        "gaps": _gaps(markers, list(found.places)),
        "refused": None,
    }


def _gaps(markers: MarkerSequence, used: list[int]) -> dict[str, Any]:
    """Gaps of the used markers."""
    gaps = [
        (stop - start, markers.labels[marker])
        for marker in used
        for start, stop in runs_of(~markers.valid[:, marker])
    ]
    longest, label = max(gaps, key=lambda gap: gap[0], default=(0, None))
    return {
        "count": len(gaps),
        "frames": sum(length for length, _ in gaps),
        "longest": float(longest * markers.frame_time),
        "longest_of": label,
    }


def rows_of_markers(facts: dict[str, Any]) -> list[Row]:
    """Facts of `describe_markers` as rows of a report."""
    rows = []
    if facts["refused"]:
        rows.append(("set", f"none: {facts['refused']}"))
    else:
        rows.append(
            ("set", f"{facts['set']} ({facts['title']}), {len(facts['used'])} markers are used")
        )
        rows.append(("missing", few(facts["missing"], 12) or "none"))
    for key in ("computed", "unknown"):
        if facts[key]:
            rows.append(("left out", f"{len(facts[key])} {_KINDS[key]}: {few(facts[key])}"))
    rows.append(("gaps", _in_words(facts["gaps"])))
    return [Row("", name, text) for name, text in rows]


_KINDS = {"computed": "computed points", "unknown": "labels that say nothing"}


def _in_words(gaps: dict[str, Any]) -> str:
    if not gaps["count"]:
        return "none"
    return (
        f"{gaps['count']} among the used markers, {gaps['frames']} frames all together, the longest"
        f" {gaps['longest']:.2f} s of {gaps['longest_of']}"
    )
