"""What a whole body may be asked for, its place among its coordinates: joints at places, turned or
looking somewhere, and its centre of mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from motionloom import rotations as rot
from motionloom.coordinates import Coordinates
from motionloom.errors import InvalidInputError
from motionloom.ik.problem import Target, joint_origin, make_aims
from motionloom.ik.rig import Aims, run_and_measure
from motionloom.jacobian_kernels import Rig, Stance, make_stance
from motionloom.jacobians import build_rig
from motionloom.typing import Array, Ints

Kind = Literal["position", "orientation", "gaze", "mass"]


@dataclass(frozen=True, eq=False)
class Task:
    """Something that a body shall do.

    Parameters
    ----------
    kind : {"position", "orientation", "gaze", "mass"}
        A joint's place, its rotation, the point that it looks at, or the centre of mass of the
        body.
    value : array of shape (3,) or (4,)
        A place, metres in the world; for an orientation a world rotation (w, x, y, z); for a gaze
        the point looked at.
    joint : int
        Index in the skeleton; means nothing for the centre of mass.
    local : array of shape (3,) or (4,)
        In the joint's frame: for a position the point that shall be there, metres; for an
        orientation the rotation (w, x, y, z) of what is held, such as a tool, unturned when not
        given; for a gaze the axis that looks, +Z when not given.
    axes : str
        Which of x, y and z are asked of the centre of mass.
    weight : float
        Importance among the tasks of its layer.
    layer : int
        1 is served first; others have what is left.

    Raises
    ------
    InvalidInputError
        When these do not fit together.

    Examples
    --------
    >>> Task("position", [0.0, 1.0, 0.3], joint=17).rows
    3
    """

    kind: Kind
    value: ArrayLike
    joint: int = 0
    local: ArrayLike | None = None
    axes: str = "xz"
    weight: float = 1.0
    layer: int = 1

    def __post_init__(self) -> None:
        turned = self.kind == "orientation"
        default = {"orientation": (1.0, 0.0, 0.0, 0.0), "gaze": (0.0, 0.0, 1.0)}
        local = default.get(self.kind, (0.0, 0.0, 0.0)) if self.local is None else self.local
        shape = (4,) if turned else (3,)
        value, own = np.array(self.value, float), np.array(local, float)
        fits = value.shape == own.shape == shape and np.isfinite([value, own]).all()
        if self.kind not in get_args(Kind) or not fits:
            raise InvalidInputError(
                f"a task of kind {self.kind!r} cannot have value {self.value!r} and local"
                f" {local!r}; kinds are position, orientation, gaze and mass"
            )
        unit = self.kind in ("orientation", "gaze")
        if unit and np.linalg.norm(own) < 1e-9:
            raise InvalidInputError(f"a task of kind {self.kind} needs a local axis or rotation")
        if not self.axes or not set(self.axes) <= set("xyz") or not self.weight > 0:
            raise InvalidInputError(
                f"a task needs axes of x, y and z and a weight above 0, got {self.axes!r} and"
                f" {self.weight}"
            )
        if self.layer < 1:
            raise InvalidInputError(f"a task's layer must be at least 1, got {self.layer}")
        object.__setattr__(self, "value", rot.normalize(value) if turned else value)
        object.__setattr__(self, "local", own / np.linalg.norm(own) if unit else own)

    @property
    def rows(self) -> int:
        """How many numbers it asks for.

        Examples
        --------
        >>> Task("position", [0.0, 1.0, 0.3], joint=17, axes="y").rows
        3
        """
        return self.as_target().rows

    def as_target(self) -> Target:
        """The same for solvers of poses."""
        value, local = np.asarray(self.value), np.asarray(self.local)
        counts = (self.weight, self.layer)
        if self.kind == "mass":
            asked = np.array([float(axis in self.axes) for axis in "xyz"])
            return Target(self.joint, "balance", value, asked, *counts)
        if self.kind == "orientation":
            # A tool is turned right when its joint is turned by this.
            value, local = rot.multiply(value, rot.conjugate(local)), joint_origin()
        return Target(self.joint, self.kind, value, local, *counts)


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton that can be asked for tasks, all of its coordinates free.

    Parameters
    ----------
    coordinates : Coordinates
        D numbers, the place of the body among them.
    masses : array of shape (J,), optional
        Mass that each joint moves, in any unit; needed by tasks of the centre of mass.
    centres : array of shape (J, 3), optional
        Where that mass is in the joint's frame, metres; halfway to the joints below it when not
        given.

    Raises
    ------
    InvalidInputError
        When masses or centres do not fit the joints.
    """

    coordinates: Coordinates
    masses: ArrayLike | None = None
    centres: ArrayLike | None = None

    def __post_init__(self) -> None:
        n = self.coordinates.skeleton.n_joints
        if self.masses is not None:
            masses = np.array(self.masses, float)
            if masses.shape != (n,) or not (masses >= 0).all() or not masses.sum() > 0:
                raise InvalidInputError(
                    f"masses must be {n} numbers of at least 0, one a joint, with a sum above 0"
                )
        if self.centres is not None and np.shape(self.centres) != (n, 3):
            raise InvalidInputError(f"centres must have shape ({n}, 3)")

    def measure(self, values: ArrayLike, tasks: Sequence[Task]) -> tuple[Array, Array]:
        """What tasks lack, and how the coordinates make it good.

        Parameters
        ----------
        values : array of shape (D,)
            Coordinates, metres or radians.
        tasks : sequence of Task
            R rows between them.

        Returns
        -------
        residual : array of shape (R,), metres
            Wanted less present; angles count a lever of 0.25 m.
        jacobian : array of shape (R, D)
            ``jacobian @ step`` is how much of it a step makes good.

        Raises
        ------
        InvalidInputError
            As `asked` does.

        Examples
        --------
        >>> from motionloom.coordinates import ExponentialCoordinates
        >>> residual, jacobian = Body(ExponentialCoordinates(arm)).measure(
        ...     np.zeros(12), [Task("position", [0.55, 0.1, 0.0], joint=2)]
        ... )
        >>> residual, jacobian.shape  # the hand is 0.1 m too low
        (array([0. , 0.1, 0. ]), (3, 12))
        """
        return self.asked(tasks).measure(np.asarray(values, float))

    def asked(self, tasks: Sequence[Task]) -> AskedBody:
        """The body with its tasks.

        Parameters
        ----------
        tasks : sequence of Task
            At least one.

        Returns
        -------
        AskedBody
            Measures them in any pose.

        Raises
        ------
        InvalidInputError
            Without a task, for a joint that there is not, and for the centre of mass of a body
            without masses.
        """
        n = self.coordinates.skeleton.n_joints
        if not tasks:
            raise InvalidInputError("a body needs at least one task")
        for task in tasks:
            if not 0 <= task.joint < n:
                raise InvalidInputError(f"the skeleton has joints 0 to {n - 1}, not {task.joint}")
            if task.kind == "mass" and self.masses is None:
                raise InvalidInputError(
                    "a task of the centre of mass needs a body with masses, one a joint"
                )
        return AskedBody(self, tuple(tasks))

    @cached_property
    def rig(self) -> Rig:
        """The coordinates as arrays, for compiled code."""
        return build_rig(self.coordinates, np.arange(self.coordinates.size))

    @cached_property
    def _mass(self) -> tuple[Array, Array]:
        """Share of the mass that each joint moves (J,), and where it is in its frame (J, 3)."""
        skeleton = self.coordinates.skeleton
        shares = np.array(np.zeros(skeleton.n_joints) if self.masses is None else self.masses)
        shares = shares / (shares.sum() or 1.0)
        if self.centres is not None:
            return shares, np.array(self.centres, float)
        centres = np.zeros((skeleton.n_joints, 3))
        for j, below in enumerate(skeleton.children):
            if below:
                centres[j] = 0.5 * skeleton.offsets[list(below)].mean(axis=0)
        return shares, centres


@dataclass(frozen=True, eq=False)
class AskedBody:
    """A body and its tasks, ready to be measured again and again.

    Parameters
    ----------
    body : Body
        The body.
    tasks : tuple of Task
        In the order of their rows.
    """

    body: Body
    tasks: tuple[Task, ...]

    @cached_property
    def rows(self) -> Ints:
        """Row that each task begins at, and the number of rows R, shape (K + 1,)."""
        return np.cumsum([0, *(t.rows for t in self.tasks)])

    @cached_property
    def layers(self) -> Ints:
        """Layer of each task, shape (K,)."""
        return np.array([t.layer for t in self.tasks], np.int64)

    @cached_property
    def weights(self) -> Array:
        """Weight of each task, shape (K,)."""
        return np.array([t.weight for t in self.tasks], float)

    def measure(self, values: Array) -> tuple[Array, Array]:
        """Residual (R,), metres, and Jacobian (R, D) at coordinates (D,)."""
        size = int(self.rows[-1])
        residual = np.zeros(size)
        jacobian = np.empty((size, self.body.coordinates.size))
        run_and_measure(self.body.rig, self.aims, self._stance, values, residual, jacobian)
        return residual, jacobian

    @cached_property
    def _stance(self) -> Stance:
        return make_stance(self.body.rig)

    @cached_property
    def aims(self) -> Aims:
        """The tasks as arrays, for compiled code."""
        return make_aims([task.as_target() for task in self.tasks], *self.body._mass)
