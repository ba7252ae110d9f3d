"""What a file turned out to be: plain facts about a motion or markers, for people and for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from motionloom.euler_coordinates import EulerCoordinates
from motionloom.io.units import body_height
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.reports import Row
from motionloom.roles import find_roles


def describe(data: Motion | MarkerSequence) -> dict[str, Any]:
    """Facts about a motion or markers.

    Parameters
    ----------
    data : Motion or MarkerSequence
        As `load` returns it.

    Returns
    -------
    dict
        Of plain values only. Always: ``kind`` (``"motion"`` or ``"markers"``), ``format``,
        ``frames``, ``frame_time`` (seconds, exact), ``fps``, ``duration`` (seconds), ``unit``
        (``metres`` and ``reason``), ``up``, ``warnings``. For a motion also ``height`` (metres or
        None), ``joints`` (``name``, ``parent``, ``channels`` in file order) and ``roles`` (``kind``
        and role names with joint names); for markers ``markers`` (``label`` and ``seen``, the share
        of frames in which it was seen), ``events`` and ``analog``.

    Examples
    --------
    >>> facts = describe(walk)
    >>> facts["frames"], facts["roles"]["kind"]
    (232, 'human')
    """
    source = data.source
    facts: dict[str, Any] = {
        "kind": "motion" if isinstance(data, Motion) else "markers",
        "format": source.format,
        "frames": data.n_frames,
        "frame_time": data.frame_time,
        "fps": data.fps,
        "duration": data.duration,
        "unit": {"metres": source.unit, "reason": source.unit_reason},
        "up": source.up,
    }
    facts |= _of_motion(data) if isinstance(data, Motion) else _of_markers(data)
    return {**facts, "warnings": list(source.warnings)}


def _of_motion(motion: Motion) -> dict[str, Any]:
    skeleton = motion.skeleton
    height, _ = body_height(skeleton)
    roles = find_roles(skeleton)
    channels = motion.source.channels or _freedoms(motion)
    named = {role: skeleton.names[j] for role, j in roles.joints.items()}
    joints = [
        {"name": name, "parent": skeleton.names[p] if p >= 0 else None, "channels": list(own)}
        for name, p, own in zip(skeleton.names, skeleton.parents, channels, strict=True)
    ]
    found = {"kind": roles.kind, "joints": named}
    return {"height": float(height) or None, "joints": joints, "roles": found}


def _freedoms(motion: Motion) -> tuple[tuple[str, ...], ...]:
    """Degrees of freedom of every joint of an AMC file, none elsewhere."""
    coordinates = motion.source.extra.get("coordinates")
    own = coordinates.freedoms if isinstance(coordinates, EulerCoordinates) else ()
    known = {j.joint: j.freedoms for j in own}
    return tuple(known.get(j, ()) for j in range(motion.skeleton.n_joints))


def _of_markers(markers: MarkerSequence) -> dict[str, Any]:
    seen = markers.valid.mean(axis=0) if markers.n_frames else [0.0] * len(markers.labels)
    named = zip(markers.labels, seen, strict=True)
    analog = markers.analog
    events = [{"time": e.time, "label": e.label, "context": e.context} for e in markers.events]
    channels = None
    if analog is not None:
        channels = {"channels": list(analog.labels), "fps": 1 / analog.frame_time}
    return {
        "markers": [{"label": name, "seen": float(share)} for name, share in named],
        "events": events,
        "analog": channels,
        "force_plates": len(markers.force_plates),
    }


def rows_of_facts(facts: dict[str, Any]) -> list[Row]:
    """Facts of `describe` as rows of a report."""
    rate = f"{facts['fps']:.6g} fps (frame time {facts['frame_time']!r} s)"
    unit = f"1 unit = {facts['unit']['metres']:.6g} m"
    rows = [
        ("what", f"{facts['format'].upper()} {facts['kind']}"),
        ("length", f"{format_count(facts['frames'])} at {rate}, {facts['duration']:.3f} s"),
        ("unit", f"{unit} ({facts['unit']['reason']})" if facts["unit"]["reason"] else unit),
        ("up axis", facts["up"].upper()),
        *(_motion_rows(facts) if facts["kind"] == "motion" else _marker_rows(facts)),
        *(("warning", text) for text in facts["warnings"]),
    ]
    return [Row("", name, text) for name, text in rows]


def format_count(frames: int) -> str:
    """A number of frames as text.

    Examples
    --------
    >>> format_count(1)
    '1 frame'
    """
    return "1 frame" if frames == 1 else f"{frames} frames"


def _motion_rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    joints = facts["joints"]
    roles = facts["roles"]
    height = "unknown" if facts["height"] is None else f"{facts['height']:.2f} m"
    named = ", ".join(f"{role} = {joint}" for role, joint in roles["joints"].items())
    return [
        ("joints", f"{len(joints)}, height {height}"),
        *(("channels", row) for row in _channel_rows(joints)),
        ("roles", f"{roles['kind']}: {named or 'none found'}"),
    ]


def _channel_rows(joints: Sequence[dict[str, Any]]) -> list[str]:
    """Joints grouped by their channels, in file order."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for joint in joints:
        groups.setdefault(tuple(joint["channels"]), []).append(joint["name"])
    if set(groups) == {()}:
        return []
    return [f"{' '.join(own) or 'none'}: {_few(names)}" for own, names in groups.items()]


def _few(names: Sequence[str], most: int = 4) -> str:
    if len(names) <= most:
        return ", ".join(names)
    return f"{len(names)} joints ({', '.join(names[:3])} ...)"


def _marker_rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    labels = [m["label"] for m in facts["markers"]]
    analog = facts["analog"]
    gaps = [m["label"] for m in facts["markers"] if m["seen"] < 1]
    rows = [("markers", f"{len(labels)}: {', '.join(labels)}" if labels else "none")]
    if gaps:
        some = f"{', '.join(gaps[:8])}{' ...' if len(gaps) > 8 else ''}"
        rows.append(("gaps", f"in {len(gaps)} markers ({some})"))
    rows += [("event", f"{e['time']:.3f} s {e['context']} {e['label']}") for e in facts["events"]]
    if analog is not None:
        plates = f", {facts['force_plates']} force plates" if facts["force_plates"] else ""
        channels = f"{len(analog['channels'])} channels at {analog['fps']:.6g} Hz"
        rows.append(("analog", channels + plates))
    return rows
