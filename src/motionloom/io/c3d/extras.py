"""What C3D files hold beside markers: events, force plates and results of gait models."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionloom.io.c3d.layout import C3dLayout
from motionloom.io.c3d.parameters import Parameters, count, dec_floats
from motionloom.io.markers.space import MarkerSpace
from motionloom.io.notes import Notes
from motionloom.marker_motion import Event
from motionloom.typing import Array, Bools

#: POINT parameters that list the labels of what is stored like a point but is none, and the
#: parameter of its unit.
OUTPUTS = {
    "ANGLES": "ANGLE_UNITS",
    "FORCES": "FORCE_UNITS",
    "MOMENTS": "MOMENT_UNITS",
    "POWERS": "POWER_UNITS",
    "SCALARS": "SCALAR_UNITS",
}


def split_outputs(
    labels: Sequence[str],
    values: Array,
    valid: Bools,
    parameters: Parameters,
) -> tuple[list[int], Mapping[str, Mapping[str, Any]]]:
    """Tell markers from results of gait models.

    Parameters
    ----------
    labels : sequence of str
        Names of the N points.
    values : array of shape (T, N, 3)
        All points, in the file's unit and axes.
    valid : bool array of shape (T, N)
        Whether each is there.
    parameters : mapping of str to mapping
        What `read_parameters` returns; its POINT group lists the results.

    Returns
    -------
    markers : list of int
        Which points are markers.
    outputs : mapping
        By kind (``"ANGLES"`` ...): ``labels``, ``values`` (T, K, 3) in the file's unit and axes,
        ``valid`` (T, K) and ``unit``.
    """
    point = parameters.get("POINT", {})
    outputs: dict[str, Mapping[str, Any]] = {}
    claimed: set[int] = set()
    for kind, unit_name in OUTPUTS.items():
        listed = set().union(
            *(
                v
                for n, v in point.items()
                if n.rstrip("0123456789") == kind and isinstance(v, tuple)
            )
        )
        found = [
            i for i, label in enumerate(labels) if label and label in listed and i not in claimed
        ]
        if not found:
            continue
        claimed.update(found)
        unit = point.get(unit_name)
        outputs[kind] = {
            "labels": tuple(labels[i] for i in found),
            "values": _frozen(np.where(valid[:, found, None], values[:, found], 0.0)),
            "valid": _frozen(valid[:, found]),
            "unit": unit[0] if isinstance(unit, tuple) and unit else "",
        }
    return [i for i in range(len(labels)) if i not in claimed], outputs


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array = np.array(array)
    array.setflags(write=False)
    return array


def read_events(raw: bytes, layout: C3dLayout, notes: Notes) -> tuple[Event, ...]:
    """Events by time; the time of the first frame is 0.

    Those of the EVENT group, else those that older programs put into the header.

    Parameters
    ----------
    raw : bytes
        The whole file.
    layout : C3dLayout
        Of the file, as `read_layout` returns it.
    notes : Notes
        Takes what was mended; refuses mending when strict.

    Returns
    -------
    tuple of Event
        By time; events without a time are left out.
    """
    group = layout.parameters.get("EVENT", {})
    start = (layout.first_frame - 1) / layout.rate
    times = group.get("TIMES")
    events: list[Event] = []
    if isinstance(times, np.ndarray) and times.ndim >= 1 and times.size:
        # Each time is minutes and seconds; a single event may be written without the second
        # dimension.
        times = times.reshape(2, -1) if times.ndim == 1 and times.size == 2 else times
        seconds = 60 * times[0] + times[1] if times.ndim == 2 and len(times) == 2 else times.ravel()
        used = min(len(seconds), count(layout.parameters, "EVENT", "USED") or len(seconds))
        texts = [(*_texts(group, name), *[""] * used)[:used] for name in ("LABELS", "CONTEXTS")]
        events = [
            Event(float(t) - start, *text) for t, *text in zip(seconds[:used], *texts, strict=True)
        ]
    else:
        events = [Event(t - start, label) for t, label in _header_events(raw, layout)]
    good = [e for e in events if np.isfinite(e.time) and abs(e.time) < 1e7]
    if len(good) < len(events):
        notes.mended(f"{len(events) - len(good)} events have no time; they are left out")
    return tuple(sorted(good, key=lambda e: e.time))


def _texts(group: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = group.get(name)
    return value if isinstance(value, tuple) else ()


def _header_events(raw: bytes, layout: C3dLayout) -> list[tuple[float, str]]:
    """Up to 18 events in the header: times, whether they are on, and labels of four letters."""
    key, n = struct.unpack_from(layout.order + "2H", raw, 2 * 149)
    if key != 12345 or n > 18:
        return []
    data = raw[2 * 152 : 2 * 152 + 4 * n]
    times = (dec_floats(data) if layout.dec else np.frombuffer(data, layout.order + "f4")).astype(
        float
    )
    labels = [
        raw[2 * 198 + 4 * i : 2 * 198 + 4 * i + 4].decode("latin-1").strip("\0 ") for i in range(n)
    ]
    return list(zip(times.tolist(), labels, strict=True))


def read_force_plates(
    layout: C3dLayout, space: MarkerSpace, notes: Notes
) -> tuple[Mapping[str, Any], ...]:
    """Force plates of the file.

    Parameters
    ----------
    layout : C3dLayout
        Of the file, as `read_layout` returns it.
    space : MarkerSpace
        Unit and axes of the file's markers.
    notes : Notes
        Takes what was mended; refuses mending when strict.

    Returns
    -------
    tuple of mapping
        Each has ``type`` (int), ``corners`` (4, 3) in metres, +Y up, ``origin`` (3,) in metres and
        the plate's own axes, ``channels`` (indices into the analog channels) and, where the file
        has one, ``calibration`` (a matrix). Plates without corners are left out.
    """
    group = layout.parameters.get("FORCE_PLATFORM", {})
    used = count(layout.parameters, "FORCE_PLATFORM", "USED") or 0
    plates: list[Mapping[str, Any]] = []
    for i in range(min(used, 64)):
        corners, origin, channels, kind, matrix = (
            _plate(group, name, i, used)
            for name in ("CORNERS", "ORIGIN", "CHANNEL", "TYPE", "CAL_MATRIX")
        )
        if corners is None or corners.shape != (3, 4) or not np.isfinite(corners).all():
            notes.mended(f"force plate {i + 1} has no corners; it is left out")
            continue
        plate: dict[str, Any] = {"type": int(kind) if kind is not None and kind.ndim == 0 else 0}
        plate["corners"] = _frozen(space.to_metres(corners.T))
        plate["origin"] = _frozen(
            origin * space.unit if origin is not None and origin.shape == (3,) else np.zeros(3)
        )
        plate["channels"] = (
            tuple(int(c) - 1 for c in channels.ravel() if 1 <= c <= layout.n_channels)
            if channels is not None
            else ()
        )
        if matrix is not None and matrix.ndim == 2:
            plate["calibration"] = _frozen(matrix)
        plates.append(plate)
    return tuple(plates)


def _plate(group: Mapping[str, Any], name: str, i: int, used: int) -> NDArray[Any] | None:
    """Values of plate `i`: the last index, which a file with one plate may leave out."""
    value = group.get(name)
    if not isinstance(value, np.ndarray) or not value.size:
        return None
    if (
        used == 1
        and value.ndim
        == {"CORNERS": 2, "ORIGIN": 1, "CHANNEL": 1, "TYPE": 0, "CAL_MATRIX": 2}[name]
    ):
        return value
    return value[..., i] if value.ndim and i < value.shape[-1] else None
