"""What feet do in filled gaps, before and after they are locked, beside the captures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.quality import skate_speed
from motionloom.analysis.soles import Soles
from motionloom.inbetween.fill import Filled, FillOptions, Known, fill_gaps, to_motion
from motionloom.inbetween.fillers import make_filler
from motionloom.inbetween.gaps import CONTEXT, Track
from motionloom.inbetween.model import InbetweenModel
from motionloom.inbetween.rig import Rig
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion
from motionloom.reports import shown
from motionloom.rotations import unroll
from motionloom_evaluation.inbetweening.measures import NAMES, measure_errors
from motionloom_evaluation.inbetweening.protocol import Windows

Array = NDArray[np.float64]

#: Toes below this height count as low (metres), and those faster than this as skating (metres per
#: second), in the measures of a public benchmark (Kimodo, 2026).
LOW = 0.05
FAST = 0.2


@dataclass(frozen=True)
class FeetRow:
    """Feet in gaps of one length.

    Parameters
    ----------
    missing : int
        Frames.
    captured, raw, locked : float, centimetres per second
        Mean speed of points of the soles in contact: in the captures, in fillings, and after feet
        are locked.
    low_speed : tuple of (float, float), centimetres per second
        Mean speed of toes below 5 cm after locking, and in the captures.
    low_share : tuple of (float, float)
        Share of low toes that go faster than 20 cm/s after locking, and in the captures.
    changes : tuple of float
        Ratio of the three errors after locking to those before.
    """

    missing: int = field(metadata=shown("frames"))
    captured: float = field(metadata=shown("captured", "cm/s", ".1f"))
    raw: float = field(metadata=shown("raw", "cm/s", ".1f"))
    locked: float = field(metadata=shown("locked", "cm/s", ".1f"))
    low_speed: tuple[float, float] = field(metadata=shown("low toes, captured", "cm/s", ".1f"))
    low_share: tuple[float, float] = field(metadata=shown("skating, captured", "", ".3f"))
    changes: tuple[float, ...] = field(metadata=shown(f"{', '.join(NAMES)}, times", "", ".3f"))


def evaluate_feet(
    rig: Rig,
    model: InbetweenModel,
    windows: Windows,
    spread: Array,
    lengths: Sequence[int],
    count: int,
) -> tuple[FeetRow, ...]:
    """Look at the feet in some windows, spread evenly over all.

    Parameters
    ----------
    rig : Rig
        The body.
    model : InbetweenModel
        What fills the gaps.
    windows : Windows
        The captures.
    spread : array of shape (J, 3), metres
        What positions are divided by.
    lengths : sequence of int
        Missing frames.
    count : int
        Most windows that are looked at.

    Returns
    -------
    tuple of FeetRow
        None for a body without feet.
    """
    if model.soles is None or not count:
        return ()
    size = len(windows.clip)
    chosen = np.unique(np.linspace(0, size - 1, min(count, size)).astype(int))
    return tuple(_row(rig, model, windows, spread, n, chosen) for n in lengths)


def _row(
    rig: Rig,
    model: InbetweenModel,
    windows: Windows,
    spread: Array,
    missing: int,
    chosen: NDArray[np.int64],
) -> FeetRow:
    assert model.soles is not None
    speeds: dict[str, list[Array]] = {"captured": [], "raw": [], "locked": []}
    low: dict[str, list[Array]] = {"captured": [], "locked": []}
    tracks: dict[str, list[Track]] = {"captured": [], "raw": [], "locked": []}
    inside = slice(CONTEXT, CONTEXT + missing)
    for i in chosen:
        captured, raw, locked = _fill_window(rig, model, windows, int(i), missing)
        own = detect_contacts(captured, soles=model.soles).down
        start = captured.rotations[CONTEXT - 1]
        for name, posed, down in (
            ("captured", captured, own),
            ("raw", PosedMotion(raw.motion, rig.roles), _held(raw, own)),
            ("locked", PosedMotion(locked.motion, rig.roles), _held(locked, own)),
        ):
            points = model.soles.positions(posed)[inside]
            speeds[name].append(skate_speed(points, down[inside], posed.fps))
            if name != "raw":
                low[name].append(_low_speeds(posed, model.soles, inside))
            tracks[name].append(
                Track(_signed(start, posed.rotations[inside]), posed.positions[inside, rig.root])
            )
    means = {name: 100 * _mean(own) for name, own in speeds.items()}
    errors = {
        name: measure_errors(rig, _stack(tracks["captured"]), _stack(tracks[name]), spread).means()
        for name in ("raw", "locked")
    }
    return FeetRow(
        missing=missing,
        captured=means["captured"],
        raw=means["raw"],
        locked=means["locked"],
        low_speed=(100 * _mean(low["locked"]), 100 * _mean(low["captured"])),
        low_share=(_mean(_fast(low["locked"])), _mean(_fast(low["captured"]))),
        changes=tuple(errors["locked"][n] / errors["raw"][n] for n in NAMES),
    )


def _held(filled: Filled, own: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Contacts that a filling says it holds; those captured where it says nothing."""
    return own if filled.contacts is None else filled.contacts.down


def _signed(start: Array, rotations: Array) -> Array:
    """Rotations (n, J, 4) with the signs with which they go on from those before (J, 4)."""
    return unroll(np.concatenate([start[None], rotations]))[1:]


def _fill_window(
    rig: Rig, model: InbetweenModel, windows: Windows, index: int, missing: int
) -> tuple[PosedMotion, Filled, Filled]:
    """A captured window, and the same filled without and with locked feet."""
    end = CONTEXT + missing
    whole = window_motion(rig, model, windows, index, end + 10)
    known = [Known(0, whole.cut(0, CONTEXT)), Known(end, whole.cut(end, end + 1))]
    filler = make_filler("kernel", model)
    raw = fill_gaps(known, filler, model, FillOptions(footlock=None))[0]
    locked = fill_gaps(known, filler, model)[0]
    return PosedMotion(whole, rig.roles), raw, locked


def window_motion(
    rig: Rig, model: InbetweenModel, windows: Windows, index: int, stop: int
) -> Motion:
    """The first frames of a window as a motion.

    Parameters
    ----------
    rig : Rig
        The body.
    model : InbetweenModel
        For its frame rate.
    windows : Windows
        The captures.
    index : int
        Which window.
    stop : int
        Frames.

    Returns
    -------
    Motion
    """
    track = Track(windows.track.rotations[index, :stop], windows.track.roots[index, :stop])
    skeleton = rig.skeleton
    first = Motion(
        skeleton,
        rig.local_rotations(track.rotations[:1]),
        track.roots[:1, None],
        1.0 / model.fps,
        (0,),
    )
    return to_motion(rig, track, [Known(0, first)])


def _low_speeds(posed: PosedMotion, soles: Soles, inside: slice) -> Array:
    """Speeds of toes that are low in a frame and the next, metres per second."""
    toes = [i for i, p in enumerate(soles.points) if p.part == "toe"]
    points = soles.positions(posed)[inside][:, toes]
    heights = points[..., 1] - soles.ground
    is_low = (heights[:-1] < LOW) & (heights[1:] < LOW)
    speed: Array = np.linalg.norm(np.diff(points, axis=0), axis=-1)[is_low] * posed.fps
    return speed


def _fast(speeds: Sequence[Array]) -> list[Array]:
    return [(own > FAST).astype(float) for own in speeds]


def _mean(values: Sequence[Array]) -> float:
    pooled = np.concatenate(values)
    return float(pooled.mean()) if len(pooled) else 0.0


def _stack(tracks: Sequence[Track]) -> Track:
    return Track(np.stack([t.rotations for t in tracks]), np.stack([t.roots for t in tracks]))
