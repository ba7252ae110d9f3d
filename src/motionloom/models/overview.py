"""What a motion model is made of, how its takes vary, and what it can reach.

What a model can reach: where a joint comes to within some standard deviations.

A motion model as one picture: energy, strongest eigen-motions, and what it reaches.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from motionloom.jacobians import compute_world_axes
from motionloom.polygons import convex_hull
from motionloom.reports import Column, Report, Reported, Row, Section, Table
from motionloom.spaces.motion_space import MotionSpace
from motionloom.typing import Array
from motionloom.view.canvas import label, new_canvas, write_canvas, write_head
from motionloom.view.figure import Figure, build_figure
from motionloom.view.ink import draw_pose, fit, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Directions that a shell is made of.
_DIRECTIONS = 400

_SHELLS = {3: "#fde3cf", 2: "#f9b98a", 1: "#e2681c"}
#: Columns of a point that are drawn, and the sign of the first: from the front, side and above.
_VIEWS = {"from the front": (0, 1, 1.0), "from the right": (2, 1, 1.0), "from above": (0, 2, -1.0)}
#: How many eigen-motions are drawn.
_DRAWN = 3


def write_model_picture(
    overview: ModelOverview, path: str | PathLike[str], title: str = "motion model"
) -> None:
    """Draw a motion model as a PNG file.

    Parameters
    ----------
    overview : ModelOverview
        As `survey_model` gives it.
    path : path-like
        PNG file.
    title : str
        Heading.
    """
    space = overview.space
    canvas = new_canvas(15, 9)
    rows = canvas.add_gridspec(
        2, 3, left=0.05, right=0.98, top=0.88, bottom=0.06, hspace=0.25, wspace=0.15
    )
    _draw_energy(canvas.add_subplot(rows[0, 0]), overview)
    _draw_eigen_motions(canvas.add_subplot(rows[0, 1:]), overview)
    for k, (name, view) in enumerate(_VIEWS.items()):
        _draw_region(canvas.add_subplot(rows[1, k]), overview, name, view)
    joint = space.skeleton.names[overview.region.joint]
    facts = (
        f"{len(space.names)} takes, {space.n_components} eigen-motions; below: where {joint} comes"
        f" to at frame {overview.region.frame:g} within 1, 2 and 3 standard deviations (orange),"
        " and in the takes (dots)"
    )
    write_head(canvas, title, facts)
    write_canvas(canvas, path)


def _draw_energy(axes: Axes, overview: ModelOverview) -> None:
    energy = 100 * overview.space.energy
    count = np.arange(1, len(energy) + 1)
    axes.plot(count, energy, marker="o", ms=3, color="#2b6cb0")
    axes.axvline(overview.space.n_components, color="0.6", lw=1, ls=":")
    axes.set_ylim(0, 102)
    label(axes, "share of how takes vary that they hold (%)", "eigen-motions")


def _draw_eigen_motions(axes: Axes, overview: ModelOverview) -> None:
    """The mean pose with both ends of the strongest eigen-motions, side by side."""
    space = overview.space
    quiet(axes, "strongest eigen-motions: 2 standard deviations down (pale) and up, mean between")
    width = 1.1
    low = np.array([np.inf, np.inf])
    high = -low
    for k in range(min(_DRAWN, space.n_components)):
        for sign in (-2.0, 0.0, 2.0):
            own = np.zeros(space.n_components)
            own[k] = sign
            values = space.values_at(own, [overview.region.frame])
            figure = build_figure(space.coordinates.to_motion(values, space.frame_time))
            flat = _flat(figure.points[0], _VIEWS["from the front"])
            flat[:, 0] += (3.0 * k + 0.4 * sign + 0.8) * width
            draw_pose(axes, figure, 0, flat, width=2.2, alpha=0.45 if sign < 0 else 1.0)
            low = np.minimum(low, flat.min(axis=0))
            high = np.maximum(high, flat.max(axis=0))
    fit(axes, low - 0.1, high + 0.1)


def _draw_region(
    axes: Axes, overview: ModelOverview, name: str, view: tuple[int, int, float]
) -> None:
    region = overview.region
    quiet(axes, name)
    figure = _mean_pose(overview)
    body = _flat(figure.points[0], view)
    for sigma, color in _SHELLS.items():
        _fill(axes, _flat(region.shells[sigma], view), color)
    draw_pose(axes, figure, 0, body, width=2.5)
    across, up = _flat(region.takes, view).T
    axes.scatter(across, up, s=5, color="black", zorder=10)
    spread = np.concatenate([body, _flat(region.shells[3], view)])
    fit(axes, spread.min(axis=0) - 0.1, spread.max(axis=0) + 0.1)


def _fill(axes: Axes, flat: Array, color: str) -> None:
    if np.ptp(flat, axis=0).min() < 1e-6:
        return  # it does not move that way
    axes.fill(*convex_hull(flat).T, color=color, zorder=0)


def _mean_pose(overview: ModelOverview) -> Figure:
    space = overview.space
    values = space.values_at(np.zeros(space.n_components), [overview.region.frame])
    return build_figure(space.coordinates.to_motion(values, space.frame_time))


def _flat(points: Array, view: tuple[int, int, float]) -> Array:
    across, up, sign = view
    return np.stack([sign * points[..., across], points[..., up]], axis=-1)


@dataclass(frozen=True, eq=False)
class ReachableRegion:
    """Where a joint comes to at one normalised time.

    Parameters
    ----------
    joint : int
        The joint.
    frame : float
        Normalised frame.
    takes : array of shape (d, 3), metres
        Where it is in the takes, in the model's own place.
    middle : array of shape (3,), metres
        Where it is in the mean motion.
    spread : array of shape (3,), metres
        Standard deviations along the region's own axes, the largest first.
    shells : mapping of int to array of shape (M, 3), metres
        Where it comes to by the likeliest motions that are 1, 2 and 3 standard deviations away.
    """

    joint: int
    frame: float
    takes: Array
    middle: Array
    spread: Array
    shells: dict[int, Array]


def reachable_region(space: MotionSpace, joint: int, at: str | float) -> ReachableRegion:
    """Where a joint comes to at one normalised time.

    Parameters
    ----------
    space : MotionSpace
        The model.
    joint : int
        The joint.
    at : str or float
        A key posture or a normalised frame.

    Returns
    -------
    ReachableRegion
        Its shells are exact for the motions that change most for the least; others reach no
        farther, but for how joints bend.
    """
    frame = space.frame_of(at)
    poses = space.eigen_poses(frame)
    matrix = np.asarray(poses.matrix)
    jacobian = compute_world_axes(space.coordinates, poses.offset[None]).position_jacobian(joint)[0]
    _, spread, ways = np.linalg.svd(jacobian @ matrix, full_matrices=False)
    around = _sphere(_DIRECTIONS)[:, : len(ways)] @ ways

    def places(coefficients: Array) -> Array:
        values = poses.offset + coefficients @ matrix.T
        return compute_world_axes(space.coordinates, values).positions[:, joint]

    middle = places(np.zeros((1, space.n_components)))[0]
    shells = {sigma: places(sigma * around) for sigma in (1, 2, 3)}
    wide = np.pad(spread, (0, 3 - len(spread)))
    return ReachableRegion(joint, frame, places(space.coefficients), middle, wide, shells)


def _farthest_joint(space: MotionSpace, at: str | float) -> int:
    """The tip of the body, or a tool, whose place takes vary most at one time."""
    poses = space.eigen_poses(at)
    values = poses.offset + space.coefficients @ np.asarray(poses.matrix).T
    places = compute_world_axes(space.coordinates, values).positions
    spread = places.std(axis=0).sum(axis=-1)
    tips = [j for j in range(space.skeleton.n_joints) if not space.skeleton.children[j]]
    ends = [j for role, j in space.roles.joints.items() if role.endswith(("hand", "foot"))]
    return max({*tips, *ends}, key=lambda j: float(spread[j]))


def _sphere(count: int) -> Array:
    """Unit vectors spread evenly, shape (count, 3): a spiral of equal areas (Saff & Kuijlaars)."""
    i = np.arange(count) + 0.5
    z = 1.0 - 2.0 * i / count
    turn = np.pi * (1.0 + 5.0**0.5) * i
    flat = np.sqrt(1.0 - z**2)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), z], axis=-1)


#: Numbers of eigen-motions whose share is told.
_TOLD = (1, 2, 3, 5, 8, 12, 15, 20, 30)


@dataclass(frozen=True, eq=False)
class ModelOverview(Reported):
    """A motion model for people.

    Parameters
    ----------
    space : MotionSpace
        The model.
    region : ReachableRegion
        Where the joint comes to that is asked about.
    """

    space: MotionSpace
    region: ReachableRegion

    @property
    def lasts(self) -> tuple[float, float, float]:
        """How long the mean, the shortest and the longest take lasts, seconds."""
        durations = self.space.timing.takes.sum(axis=1)
        mean = self.space.timing.spans(np.zeros(self.space.n_components)).sum()
        return float(mean), float(durations.min()), float(durations.max())

    @property
    def timing_error(self) -> float:
        """How far the spans of takes that are left out are missed, as a share."""
        return float(np.sqrt(np.mean(self.space.timing.error**2)))

    def as_report(self) -> Report:
        """What the model is made of, how long it lasts, its energy and its reach."""
        space = self.space
        region = self.region
        mean, shortest, longest = self.lasts
        joint = space.skeleton.names[region.joint]
        noise = None
        if space.kind == "ppca":
            noise = 100 * np.sqrt(space.noise_variance * space.mean.size)
        energy = [(k, space.energy[k - 1]) for k in _TOLD if k <= len(space.energy)]
        shares = (Column("", "eigen-motions"), Column("", "hold", "%", ".1f", 100))
        return Report(
            f"Motion model ({space.kind}) of {len(space.names)} takes",
            [
                Row("", "takes of styles", Counter(space.styles) or None),
                Row("frames", "frames", space.n_frames),
                Row("numbers", "numbers a frame", space.coordinates.size),
                Row("components", "eigen-motions", space.n_components),
                Row("", "noise, root mean square over all joints", noise, "cm"),
                Row("", "key postures (frame)", space.keys_in_words()),
                Row("", "lasts", mean, "s", sentence=f"(takes {shortest:.2f} to {longest:.2f} s)"),
                Row(
                    "timing_error", "spans are predicted within", self.timing_error, "%", ".0f", 100
                ),
                Row("", "root", "at one place, facing +Z" if space.aligned else "as captured"),
                Table("Energy", shares, energy),
                Section(
                    f"Reach of {joint} at frame {region.frame:g}",
                    [Row("", "standard deviations", tuple(region.spread), "cm", ".1f", 100)],
                ),
            ],
            data={
                "kind": space.kind,
                "takes": space.names,
                "styles": space.styles,
                "noise_variance": space.noise_variance,
                "keys": dict(zip(space.key_names, space.key_frames.tolist(), strict=True)),
                "duration": {"mean": mean, "shortest": shortest, "longest": longest},
                "energy": space.energy,
                "sigmas": space.sigmas,
                "reach": {
                    "joint": joint,
                    "frame": region.frame,
                    "mean": region.middle,
                    "spread": region.spread,
                },
            },
            notes=space.notes,
        )


def survey_model(
    space: MotionSpace, joint: int | None = None, at: str | float | None = None
) -> ModelOverview:
    """Look at a model.

    Parameters
    ----------
    space : MotionSpace
        The model.
    joint : int, optional
        Whose reach is looked at; that which varies most when not given.
    at : str or float, optional
        When; the middle key posture when not given.

    Returns
    -------
    ModelOverview
    """
    when = space.key_names[len(space.key_names) // 2] if at is None else at
    if joint is None:
        joint = _farthest_joint(space, when)
    return ModelOverview(space, reachable_region(space, joint, when))
