"""Units of length and up axes of files: what they probably are, and how to convert them.

Inside, lengths are metres and +Y is up. A file with another up axis is turned by one fixed rotation
C:

========== =================================== ==================================
up axis    skeleton files (BVH)                marker files (C3D, TRC)
========== =================================== ==================================
``"y"``    (x, y, z)                           (x, y, z)
``"z"``    (x, z, -y), a quarter turn about X  (y, z, x), so that X forward is +Z
``"x"``    (-y, x, z), a quarter turn about Z  (z, x, y)
========== =================================== ==================================

Turning a skeleton means conjugating everything: positions and offsets become ``C p``, rotations ``C
R C^-1``; joint frames that were aligned with the file's world at rest are then aligned with ours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionloom.errors import InvalidInputError
from motionloom.roles import Roles, find_roles
from motionloom.skeleton import Skeleton
from motionloom.typing import Array

_SKELETON_AXES = {
    "x": ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "y": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "z": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)),
}
_MARKER_AXES = {
    "x": ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "y": _SKELETON_AXES["y"],
    "z": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
}

#: Metres of the units that files use. The last is that of the CMU collection: an inch divided by
#: 0.45.
UNITS = {"metre": 1.0, "centimetre": 0.01, "millimetre": 0.001, "inch": 0.0254}
UNITS |= {"0.45-inch unit of CMU": 0.0254 / 0.45}
#: Metres of the unit names that files and people use.
UNIT_NAMES = {
    **dict.fromkeys(("mm", "millimeter", "millimeters", "millimetre", "millimetres"), 0.001),
    **dict.fromkeys(("cm", "centimeter", "centimeters", "centimetre", "centimetres"), 0.01),
    **dict.fromkeys(("dm", "decimeter", "decimeters", "decimetre", "decimetres"), 0.1),
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres"), 1.0),
    **dict.fromkeys(("in", "inch", "inches"), UNITS["inch"]),
    **dict.fromkeys(("ft", "foot", "feet"), 12 * UNITS["inch"]),
}
#: Heights (metres) that a guess may give without a doubt; those of a quadruped are from hind paw to
#: nose.
PLAUSIBLE_HEIGHT = {"human": (1.2, 2.3), "quadruped": (0.3, 4.0)}
TYPICAL_HEIGHT = 1.7
#: No file is in larger units (metres), nor in smaller ones than the inverse.
_MOST_METRES = 1e9
#: How a warning about a guess that is not sure begins.
UNCLEAR = "unit of length unclear"
#: Skeletons beyond this are no bodies; looking for their roles would only take long.
MOST_BODY_JOINTS = 500


def check_unit(unit: float | str) -> float:
    """Metres of a unit: a positive number or a name of `UNIT_NAMES`; a ``!`` behind is ignored.

    Raises
    ------
    InvalidInputError
        When it is neither.

    Examples
    --------
    >>> check_unit("cm"), check_unit(0.0254)
    (0.01, 0.0254)
    """
    text = unit.strip().removesuffix("!").lower() if isinstance(unit, str) else unit
    try:
        metres = UNIT_NAMES[text] if isinstance(text, str) and text in UNIT_NAMES else float(text)
    except ValueError:
        metres = np.nan
    if not 1 / _MOST_METRES <= metres <= _MOST_METRES:
        most = f" (from {1 / _MOST_METRES:g} to {_MOST_METRES:g} m)" if 0 < metres < np.inf else ""
        message = "unit must be a positive number of metres or one of mm, cm, dm, m, in, ft"
        raise InvalidInputError(f"{message}{most}, got {unit}")
    return float(metres)


def is_insisted(unit: float | str | None) -> bool:
    """Whether a unit was told with a ``!``: it is then taken even where no body has such a size.

    Examples
    --------
    >>> is_insisted("1!"), is_insisted("m")
    (True, False)
    """
    return isinstance(unit, str) and unit.strip().endswith("!")


def axes_to_y_up(up: str, *, markers: bool = False) -> Array:
    """Rotation matrix (3, 3) from a file with the up axis `up` to ours.

    Parameters
    ----------
    up : str
        ``"x"``, ``"y"`` or ``"z"``.
    markers : bool, optional
        Use the convention of marker files; see the table above.

    Returns
    -------
    array of shape (3, 3)
        A column vector v of the file becomes ``axes @ v``.

    Raises
    ------
    InvalidInputError
        When `up` is not one of the three.

    Examples
    --------
    >>> axes_to_y_up("z") @ [0.0, 0.0, 1.0]  # what was up is up
    array([0., 1., 0.])
    """
    table = _MARKER_AXES if markers else _SKELETON_AXES
    if up not in table:
        raise InvalidInputError(f"the up axis must be x, y or z, got {up!r}")
    return np.array(table[up])


def turn_vectors(axes: Array, vectors: ArrayLike) -> Array:
    """Turn vectors by a matrix from `axes_to_y_up`; exact, as it only swaps and negates numbers.

    Parameters
    ----------
    axes : array of shape (3, 3)
        The matrix C.
    vectors : array of shape (..., 3)
        Vectors v of any unit.

    Returns
    -------
    array of shape (..., 3)
        ``C v``, in the unit of `vectors`.

    Examples
    --------
    >>> turn_vectors(axes_to_y_up("z"), [[0.0, 0.0, 1.8]]) + 0.0
    array([[0. , 1.8, 0. ]])
    """
    vectors = np.asarray(vectors, float)
    columns = np.argmax(np.abs(axes), axis=1)
    signs = axes[np.arange(3), columns]
    return np.asarray(vectors[..., columns] * signs)


def turn_quaternions(axes: Array, quaternions: ArrayLike) -> Array:
    """Express rotations in other axes: the vector part turns, the angle stays.

    Parameters
    ----------
    axes : array of shape (3, 3)
        The matrix C, from `axes_to_y_up`.
    quaternions : array of shape (..., 4)
        Rotations R as unit quaternions (w, x, y, z).

    Returns
    -------
    array of shape (..., 4)
        ``C R C^-1``.
    """
    q = np.asarray(quaternions, float)
    return np.concatenate([q[..., :1], turn_vectors(axes, q[..., 1:])], axis=-1)


def guess_unit(height: float, kind: str = "human") -> tuple[float, str, bool]:
    """Unit of length that makes a body of `height` file units as tall as bodies are.

    Parameters
    ----------
    height : float
        Standing height in the file's unit.
    kind : str
        ``"human"``, or anything else for a body whose height says little: then only metres,
        centimetres and millimetres are considered.

    Returns
    -------
    unit : float, metres
        Length of the file's unit.
    reason : str
        A sentence part such as ``"body height 176.2 units is 1.76 m if a unit is a centimetre"``.
    sure : bool
        Whether the height is plausible.

    Examples
    --------
    >>> guess_unit(178.0)[:2]  # a person of 178 units: centimetres
    (0.01, 'body height 178 units is 1.78 m if a unit is a centimetre')
    """
    if not (np.isfinite(height) and height > 0):
        return 1.0, "the body has no extent; a unit is taken as a metre", False
    names = [n for n in UNITS if kind == "human" or n.endswith("metre")]
    lengths = {n: height * UNITS[n] for n in names}
    low, high = PLAUSIBLE_HEIGHT.get(kind, (0.0, 0.0))
    likely = [n for n in names if low <= lengths[n] <= high]
    # A height that no unit makes a person's is a child's, a giant's or an animal's: then only the
    # plain units.
    pool = likely or [n for n in names if n.endswith("metre")]
    best = min(pool, key=lambda n: abs(np.log(lengths[n] / TYPICAL_HEIGHT)))
    article = "an" if best[0] in "aeiou" else "a"
    reason = (
        f"body height {height:.4g} units is {lengths[best]:.3g} m if a unit is {article} {best}"
    )
    return UNITS[best], reason, bool(likely)


def body_height(skeleton: Skeleton) -> tuple[float, str]:
    """Standing height and kind of a skeleton, from the lengths of its bones, whatever its pose.

    The way from an ankle over the hips to the tip of the head; where no feet and head are found,
    the longest way from the root to a tip.

    Returns
    -------
    height : float
        In the unit of the skeleton.
    kind : str
        ``"human"``, ``"quadruped"`` or ``"other"``, as `find_roles` has it.

    Examples
    --------
    >>> height, kind = body_height(walk.skeleton)
    >>> round(height, 1), kind
    (1.8, 'human')
    """
    length = np.linalg.norm(skeleton.offsets, axis=-1)
    length[0] = 0.0
    down = np.array(length)  # length of the way from the root to each joint
    for j in range(1, skeleton.n_joints):
        down[j] += down[skeleton.parents[j]]
    tips = np.array(down)
    for e, j in enumerate(skeleton.end_parents):
        tips[j] = max(tips[j], down[j] + float(np.linalg.norm(skeleton.end_offsets[e])))
    if skeleton.n_joints > MOST_BODY_JOINTS:
        return float(tips.max()), "other"
    roles = find_roles(skeleton)
    feet, head = joints_of_person(roles)
    hips = roles.joint("hips")
    if not feet or head is None or hips is None:
        return float(tips.max()), "other" if roles.kind == "human" else roles.kind
    height = max(down[f] for f in feet) + down[head] - 2 * down[hips]
    crown = max(tips[j] for j in skeleton.descendants(head)) - down[head]
    # Bones that lean sideways make up for what is below the ankle; a head without a tip lacks its
    # crown.
    return float(height + max(crown, 0.08 * height)), roles.kind


def joints_of_person(roles: Roles) -> tuple[list[int], int | None]:
    """Feet and head of a body, as far as they are known."""
    feet = (roles.joint(f"{side}_foot") for side in ("left", "right"))
    return [foot for foot in feet if foot is not None], roles.joint("head")


def guess_up(skeleton: Skeleton, positions: ArrayLike) -> tuple[str, str]:
    """Up axis of a body from where its joints are.

    Z when, in the median over the poses, a person's head is above the feet along Z, at least 1.5
    times as far as along Y, and the body stands near the plane z = 0; else Y, as nearly all
    skeleton files have it.

    Parameters
    ----------
    skeleton : Skeleton
        Its roles tell head and feet.
    positions : array of shape (N, J, 3)
        World positions of the joints in some poses, in the file's axes and unit.

    Returns
    -------
    up : str
        ``"y"`` or ``"z"``.
    reason : str
        Part of a sentence.

    Examples
    --------
    >>> guess_up(walk.skeleton, posed.positions)[0]
    'y'
    """
    positions = np.asarray(positions, float)
    if not len(positions) or skeleton.n_joints > MOST_BODY_JOINTS:
        return "y", "nothing to judge by"
    roles = find_roles(skeleton)
    feet, head = joints_of_person(roles)
    if roles.kind != "human" or head is None or not feet:
        return "y", "no person's head and feet found"
    rise = np.median(positions[:, head] - positions[:, feet].mean(axis=1), axis=0)
    lowest = float(np.median(positions[..., 2].min(axis=-1)))
    if rise[2] > 1.5 * abs(rise[1]) and abs(lowest) < 0.3 * rise[2]:
        z, y = (f"{height:.4g}" for height in rise[[2, 1]])
        return "z", f"the head is {z} units above the feet along Z and {y} along Y"
    return "y", f"the head is {rise[1]:.4g} units above the feet along Y and {rise[2]:.4g} along Z"
