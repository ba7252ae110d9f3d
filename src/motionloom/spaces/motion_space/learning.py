"""How a motion space is learned from takes.

How far each number of a pose moves the body: what makes radians and metres comparable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from motionloom.coordinates import ExponentialCoordinates
from motionloom.errors import InvalidInputError
from motionloom.jacobians import compute_world_axes
from motionloom.motion import GroundTransform, Motion
from motionloom.options import check_options, option_field
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import few
from motionloom.spaces.motion_space._space import Kind, MotionSpace, project
from motionloom.spaces.motion_space.takes import Keys, NormalisedTakes, fit_timing, normalise_takes
from motionloom.spaces.pca import PCA, count_components
from motionloom.typing import Array

#: Turns that carry nothing count as if they moved the body by this, metres per radian.
LEAST = 0.01

#: Fewer takes than this say nothing about how an action varies.
FEWEST = 3
#: Below this many takes a model is made with a warning.
FEW = 8
#: Takes that vary by less differ by rounding only, metres.
_SAME = 1e-6
#: A take that lasts as many times as long as the others, or as short, is probably another action.
_ODD = 3.0


@dataclass(frozen=True)
class MotionSpaceOptions:
    """How a motion space is built.

    Parameters
    ----------
    kind : {"pca", "ppca"}
        Whether what is left out is dropped or kept as noise.
    components : int or float, optional
        How many eigen-motions, or the share of the variance that they keep at least; as many as the
        takes allow, one less than there are, when not given.
    n_frames : int, optional
        Frames of a normalised take; those of a take of mean length when not given.
    align : bool
        Whether takes are moved on the ground so that they begin at one place.

    Raises
    ------
    InvalidInputError
        When the kind or metric is unknown or the unit is not above 0.
    """

    kind: Kind = option_field(
        "pca", "pca, or ppca: what is left out is noise.", choices=get_args(Kind)
    )
    components: int | float | None = option_field(
        None,
        "Eigen-motions, or a share of the variance below 1; else all.",
        above=0,
        parse=lambda count: int(count) if count >= 1 and count % 1 == 0 else count,
    )
    n_frames: int | None = option_field(
        None, "Frames of a normalised take.", minimum=2, maximum=2000, name="frames"
    )
    align: bool = option_field(True, "Leave takes where they were captured.", name="in-place")

    def __post_init__(self) -> None:
        check_options(self)


def build_motion_space(
    takes: Sequence[Motion],
    keys: Keys,
    options: MotionSpaceOptions | None = None,
    *,
    styles: Sequence[str] = (),
    roles: Roles | None = None,
) -> MotionSpace:
    """Learn how the takes of one action vary.

    Parameters
    ----------
    takes : sequence of Motion
        Of one set of joints.
    keys : Keys
        Key postures of every take.
    options : MotionSpaceOptions, optional
        The defaults when not given.
    styles : sequence of str
        Of every take, where several styles are pooled.
    roles : Roles, optional
        Found from the skeleton when not given.

    Returns
    -------
    MotionSpace

    Raises
    ------
    InvalidInputError
        For fewer than three takes, other joints, key postures that do not fit, or more components
        than takes allow.
    """
    options = options or MotionSpaceOptions()
    if len(takes) < FEWEST:
        raise InvalidInputError(
            f"a motion model needs at least {FEWEST} takes of one action, got {len(takes)}; eight"
            " or more are better"
        )
    roles = roles or find_roles(takes[0].skeleton)
    normalised = normalise_takes(
        takes, keys, n_frames=options.n_frames, align=options.align, roles=roles
    )
    return learn_motion_space(takes, keys, normalised, options, styles=styles, roles=roles)


def learn_motion_space(
    takes: Sequence[Motion],
    keys: Keys,
    normalised: NormalisedTakes,
    options: MotionSpaceOptions,
    *,
    styles: Sequence[str] = (),
    roles: Roles,
) -> MotionSpace:
    """Learn from takes that are normalised already; see `build_motion_space`."""
    coordinates = normalised.coordinates
    rows = normalised.rows
    d, n, size = rows.shape
    scale = lever_scale(coordinates, rows.mean(axis=0))
    weights = np.tile(scale, n)
    pca = PCA.fit(rows.reshape(d, -1), weights=weights)
    spectrum = pca.explained_variance_
    if np.sqrt(spectrum.sum()) < _SAME:
        raise InvalidInputError("the takes do not differ, so there is nothing to learn from them")
    count = count_components(spectrum, options.components)
    if count is None:
        raise InvalidInputError(
            f"{len(spectrum) + 1} takes allow 1 to {len(spectrum)} eigen-motions, or a share of the"
            f" variance below 1, got {options.components}"
        )
    noise = float(spectrum[count:].sum()) / (n * size - count)
    told = noise if options.kind == "ppca" else 0.0
    sigmas = np.sqrt(spectrum[:count] - told)
    mean = pca.mean_.reshape(n, size)
    components = (pca.components_[:count] / weights).reshape(-1, n, size)
    coefficients = project((rows - mean) * scale**2, components, sigmas, told)
    return MotionSpace(
        coordinates=coordinates,
        scale=scale,
        key_names=keys.names,
        key_frames=normalised.frames,
        frame_time=takes[0].frame_time,
        mean=mean,
        components=components,
        sigmas=sigmas,
        spectrum=spectrum,
        kind=options.kind,
        noise_variance=noise,
        timing=fit_timing(normalised.frames, np.diff(keys.times, axis=1), coefficients),
        coefficients=coefficients,
        names=tuple(take.name or f"take {i}" for i, take in enumerate(takes)),
        styles=tuple(styles),
        placing=_middle(normalised.placings),
        aligned=options.align,
        roles=roles,
        notes=_notes(takes, normalised),
    )


def _middle(placings: Sequence[GroundTransform]) -> GroundTransform:
    angle = float(np.angle(np.mean([np.exp(1j * p.angle) for p in placings])))
    x, z = (float(np.mean([getattr(p, axis) for p in placings])) for axis in "xz")
    return GroundTransform(angle, x, z)


def _notes(takes: Sequence[Motion], normalised: NormalisedTakes) -> tuple[str, ...]:
    notes = []
    if len(takes) < FEW:
        notes.append(
            f"only {len(takes)} takes: what is beyond them is a guess; eight to twelve are better"
        )
    lasts = np.array([take.duration for take in takes])
    middle = float(np.median(lasts))
    odd = np.flatnonzero((lasts < middle / _ODD) | (lasts > middle * _ODD)).tolist()
    if len(odd):
        names = few([f"{takes[i].name or f'take {i}'} ({lasts[i]:.2f} s)" for i in odd])
        notes.append(
            f"{names}: much shorter or longer than the other takes ({middle:.2f} s); leave out what"
            " is another action or cut short"
        )
    turns = normalised.coordinates.rotational
    vectors = normalised.rows[..., turns].reshape(*normalised.rows.shape[:2], -1, 3)
    largest = np.linalg.norm(vectors, axis=-1).max(axis=(0, 1))
    wide = np.flatnonzero(largest > np.pi)
    if len(wide):
        names = ", ".join(normalised.coordinates.skeleton.names[j] for j in wide[:3])
        notes.append(
            f"{names} turns by more than half a turn about its mean rotation, where rotation"
            " vectors are no longer even"
        )
    return tuple(notes)


def lever_scale(coordinates: ExponentialCoordinates, poses: Array) -> Array:
    """Root mean square of how far the joints of the body move with each number.

    Parameters
    ----------
    coordinates : ExponentialCoordinates
        The D numbers.
    poses : array of shape (N, D)
        Poses that it is measured in.

    Returns
    -------
    array of shape (D,)
        Metres per metre or radian; end sites count as joints.
    """
    skeleton = coordinates.skeleton
    axes = compute_world_axes(coordinates, poses[:: max(len(poses) // 16, 1)])
    squares = np.zeros(coordinates.size)
    points = [(j, np.zeros(3)) for j in range(skeleton.n_joints)]
    ends = zip(skeleton.end_parents, skeleton.end_offsets, strict=True)
    points += [(int(j), np.asarray(offset)) for j, offset in ends]
    for joint, local in points:
        jacobian = axes.position_jacobian(joint, local)
        squares += (jacobian**2).sum(axis=1).mean(axis=0)
    scale: Array = np.sqrt(squares / len(points))
    return np.maximum(scale, LEAST)
