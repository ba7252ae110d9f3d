"""Markers to a marker model: skeleton, places of the markers, and how sure they are.

How surely a fit knows where each joint's centre is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.errors import InvalidInputError
from motionloom.fitting._body import Prototype
from motionloom.fitting.calibration import _centres as centring
from motionloom.fitting.calibration import _posing as posing
from motionloom.fitting.calibration import _result as results
from motionloom.fitting.calibration import _solve as solving
from motionloom.fitting.calibration._start import choose_frames, guess_size, rough_poses
from motionloom.fitting.marker_model import MarkerModel
from motionloom.fitting.marker_sets._places import Place
from motionloom.marker_motion import MarkerSequence
from motionloom.options import check_options, option_field
from motionloom.threads import one_thread
from motionloom.typing import Array, Bools

#: Frames over which a joint's variance is averaged.
_FRAMES = 8

METHODS = ("joint", "rule", "functional")
#: Share of the size by which a guess of it may be wrong (standard deviation), and by which one that
#: the user told may.
_GUESSED = 0.10
_TOLD = 0.005
#: Frames of a static trial: all show the same.
_STATIC_FRAMES = 6
#: Noise (metres) below which no marker is trusted to lie.
_LEAST_SCATTER = 0.001
#: Root mean square (metres) from which markers are of no body.
_NO_BODY = 0.15
#: Standard deviations from which a length is far from what goes with the size.
_FAR_OUT = 4.0


@dataclass(frozen=True)
class CalibrationOptions:
    """How a model is found.

    Parameters
    ----------
    method : str
        ``"joint"``: skeleton, places of markers and poses together (the default, and the most
        exact); ``"rule"``: joint centres by a constant from a group of markers; ``"functional"``:
        by spheres and axes that markers move on.
    symmetric : bool
        Whether left and right are as long.
    frames : int
        Most frames that are used of a trial.
    size : float, metres, optional
        The body's size (a person's stature) where it is known.
    body : str, optional
        ``"human"`` or ``"dog"``; else that of the marker set.
    table : mapping of str to Place or None
        What the user says of labels.
    """

    method: str = option_field("joint", "How a model is found.", unit="NAME", choices=METHODS)
    symmetric: bool = option_field(True, "Left and right need not be as long.", name="asymmetric")
    frames: int = 40
    size: float | None = option_field(
        None,
        "The person's height, where it is known.",
        unit="METRES",
        minimum=0.1,
        maximum=3,
        name="height",
    )
    body: str | None = None
    table: Mapping[str, Place | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_options(self)
        if self.frames < 1:
            raise InvalidInputError(f"at least one frame is needed, got {self.frames}")


@one_thread()
def calibrate(
    markers: MarkerSequence | Sequence[MarkerSequence],
    options: CalibrationOptions | None = None,
    *,
    static: MarkerSequence | None = None,
) -> results.Calibration:
    """Find a skeleton, and where on it the markers sit.

    Parameters
    ----------
    markers : MarkerSequence, or a sequence of these
        A trial in which the person moves, or several of the same person with the same markers; the
        more each joint turns, the better.
    options : CalibrationOptions, optional
        How it is found.
    static : MarkerSequence, optional
        A trial of the same person standing still, with the same markers and perhaps more.

    Returns
    -------
    Calibration

    Raises
    ------
    InvalidInputError
        When labels do not say where markers sit, or too little is seen.
    """
    options = options or CalibrationOptions()
    moving = [markers] if isinstance(markers, MarkerSequence) else list(markers)
    if not moving:
        raise InvalidInputError("a body is found from at least one trial, got none")
    trials = moving if static is None else [*moving, static]
    placed = centring.place_markers(trials, options.table, options.body, options.symmetric)
    positions, seen = _chosen(placed, options, len(moving))
    data = _data(placed, positions, seen, options)
    state = _begin(placed.layout, data)
    if options.method == "joint":
        state = solving.minimise(placed.layout, data, state, solving.Effort())
        return _result(placed, placed.layout, data, state, options)
    find = centring.rule_centres if options.method == "rule" else centring.functional_centres
    centres = find(placed, data, state)
    layout, state = centring.fit_to_centres(placed, data, state, centres)
    return _result(placed, layout, data, state, options, centres)


def _chosen(
    placed: centring.Placed, options: CalibrationOptions, n_moving: int
) -> tuple[Array, Bools]:
    """Frames of all trials that are fitted to; the first `n_moving` of these are not static."""
    few = min(_STATIC_FRAMES, options.frames)
    each = max(few, -(-options.frames // n_moving))
    chosen = []
    for i, (places, known) in enumerate(zip(placed.positions, placed.seen, strict=True)):
        frames = choose_frames(places, known, each if i < n_moving else few)
        chosen.append((places[frames], known[frames]))
    positions, seen = zip(*chosen, strict=True)
    return np.concatenate(positions), np.concatenate(seen)


def _data(
    placed: centring.Placed, positions: Array, seen: Bools, options: CalibrationOptions
) -> solving.Data:
    if options.size is not None:
        return solving.Data(positions, seen, options.size, _TOLD * options.size)
    guess = guess_size(placed.layout, positions, seen, placed.body.sizes)
    return solving.Data(positions, seen, guess, _GUESSED * guess)


def _begin(layout: posing.Layout, data: solving.Data) -> posing.State:
    """Rough poses of the prototype, made better with the lengths as they are."""
    values = np.zeros(len(layout.lengths.directions))
    values[0] = data.size
    poses = rough_poses(layout, data.positions, data.seen, data.size)
    state = posing.State(values, np.zeros((layout.n_markers, 3)), poses)
    return solving.minimise(
        layout, data, state, solving.Effort(steps=12, enough=1e-3, shared=False, outlier=0.2)
    )


def _result(
    placed: centring.Placed,
    layout: posing.Layout,
    data: solving.Data,
    state: posing.State,
    options: CalibrationOptions,
    centres: Mapping[int, Array] | None = None,
) -> results.Calibration:
    posed = posing.run(layout, state)
    square = np.sum((posed.markers - data.positions) ** 2, axis=-1) * data.seen
    own = np.sqrt(square.sum(axis=0) / np.maximum(data.seen.sum(axis=0), 1))
    size = float(state.values[0])
    offsets = layout.lengths.offsets(state.values)
    offsets[0] = placed.body.shares[0] * size
    skeleton = placed.body.skeleton(size, offsets)
    rms = float(np.sqrt(square.sum() / max(data.seen.sum(), 1)))
    if rms > _NO_BODY:
        raise InvalidInputError(
            f"the markers lie {100 * rms:.0f} cm (rms) from a body of {size:.2f} m, the nearest"
            " that was found; look at the unit and at the labels",
            hint="give marker unit",
        )
    recognised = placed.recognised[0]
    model = MarkerModel(
        skeleton=skeleton,
        roles=placed.body.roles,
        labels=placed.labels,
        joints=layout.joints,
        offsets=posing.marker_places(layout, state),
        scatter=np.maximum(own / np.sqrt(3), _LEAST_SCATTER),
        marker_set=recognised.marker_set,
        spread=placed.body.spread,
    )
    confidence = {} if centres is not None else _joint_confidence(placed, layout, data, state)
    rows = _length_rows(placed, posed.places, size, centres)
    return results.Calibration(
        model=model,
        method=options.method,
        body=placed.body.kind,
        size=size,
        lengths=rows,
        confidence=confidence,
        rms=rms,
        marker_rms=dict(zip(placed.labels, map(float, own), strict=True)),
        frames=len(data.seen),
        missing=recognised.missing,
        left_out=recognised.virtual + recognised.unknown,
        notes=(*recognised.notes, *_length_notes(rows, size)),
        doubts=tuple(_doubts(placed.body, rows, size)),
        misplaced=results.misplaced_markers(placed.labels, np.sqrt(square), data.seen),
    )


def _length_rows(
    placed: centring.Placed, places: Array, size: float, centres: Mapping[int, Array] | None
) -> tuple[results.LengthRow, ...]:
    body = placed.body
    carrying = set(placed.layout.joints.tolist())
    rows = []
    for one in body.proportions:
        a, b = (body.index(name) for name in one.ends)
        if not all(carrying & {joint, int(body.parents[joint])} for joint in (a, b)):
            continue  # no marker sits on the segment of the joint, or on the one above it
        apart = np.linalg.norm(places[:, a] - places[:, b], axis=-1)
        if centres is not None and {a, b} <= centres.keys():
            apart = np.linalg.norm(centres[a] - centres[b], axis=-1)
            apart = apart[np.isfinite(apart)]
        length = float(np.mean(apart))
        varies = float(np.std(apart)) if len(apart) and centres is not None else 0.0
        expected, differs = one.share * size, one.differs * size
        far = (length - expected) / differs
        out = abs(far) > results.OUT_OF_RANGE
        rows.append(results.LengthRow(one.name, length, expected, differs, varies, far, out))
    return tuple(rows)


def _doubts(body: Prototype, rows: tuple[results.LengthRow, ...], size: float) -> Iterator[str]:
    low, high = body.sizes
    if not low <= size <= high:
        yield f"a {body.kind} of {size:.2f} m is outside {low:g}-{high:g} m: look at the unit"
    far = [row for row in rows if abs(row.deviation) > _FAR_OUT]
    if len(far) > len(rows) / 2:
        yield (
            f"{len(far)} of {len(rows)} lengths are far from what goes with the size: are left and"
            " right exchanged in the labels, or an axis mirrored?"
        )


def _length_notes(rows: tuple[results.LengthRow, ...], size: float) -> Iterator[str]:
    for row in rows:
        if row.out_of_range:
            where = "above" if row.deviation > 0 else "below"
            far = f"{abs(row.deviation):.1f} standard deviations {where} what goes with"
            told = f"{row.name}: {100 * row.length:.1f} cm is {far}"
            yield f"{told} {size:.2f} m ({100 * row.expected:.1f} cm)"


def _joint_confidence(
    placed: centring.Placed, layout: posing.Layout, data: solving.Data, state: posing.State
) -> dict[str, float]:
    """Standard deviation of the world place of joints that turn or end one that does, metres.

    It follows from the normal equations at the solution, with priors and the noise that was
    assumed: lengths, marker places and poses are all uncertain together. It is the root of the
    mean variance of the three coordinates, averaged over frames.

    Parameters
    ----------
    layout : Layout
        The body and its markers.
    data : Data
        What was fitted to.
    state : State
        The solution.
    """
    posed = posing.run(layout, state)
    normal = solving.normal_equations(layout, data, state, posed, solving.Effort())
    block, _, answers, _ = solving.eliminate(normal)
    covariance = np.linalg.inv(block)
    some = np.unique(np.linspace(0, len(data.seen) - 1, _FRAMES).astype(int))
    shown = posing.Posed(posed.places[some], posed.turns[some], posed.markers[some])
    inverse = np.linalg.inv(normal.pose[some] + 1e-6 * np.eye(layout.freedom))[:, None]
    moved = posing.joint_pose_jacobian(layout, shown)
    longer = posing.joint_length_jacobian(layout, shown)
    shared = -moved @ answers[some][:, None]
    shared[..., : longer.shape[-1]] += longer
    spread = moved @ inverse @ moved.swapaxes(2, 3) + shared @ covariance @ shared.swapaxes(2, 3)
    sure = np.sqrt(np.trace(spread, axis1=2, axis2=3).mean(axis=0) / 3)
    known = layout.turning | ((layout.parents >= 0) & layout.turning[layout.parents])
    return {placed.body.names[j]: float(sure[j]) for j in np.flatnonzero(known)}
