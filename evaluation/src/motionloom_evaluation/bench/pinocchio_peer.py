"""The same bodies as Pinocchio models, and the publications' steps with NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
#: Damping of a layer whose smallest singular value is below `SMALL`, metres per radian.
DAMPING, SMALL = 1e-2, 0.1


def ball_joint_model(
    parents: Sequence[int], offsets: Array, mass: float = 0.0
) -> tuple[Any, list[int]]:
    """Return a model with a free joint for every root and a ball joint for every other node.

    Parameters
    ----------
    parents : sequence of int
        Node above each node, before it in order; negative for a root.
    offsets : array of shape (J, 3), metres
        Where each node hangs in the frame of the one above it.
    mass : float, kilograms
        Of a sphere of unit inertia at each node; none at 0.

    Returns
    -------
    model : pinocchio.Model
    ids : list of int
        The model's joint of each node.

    Raises
    ------
    ImportError
        When Pinocchio is not installed (extra ``bench``).
    """
    import pinocchio as pin

    model = pin.Model()
    ids: list[int] = []
    for j, above in enumerate(parents):
        kind = pin.JointModelFreeFlyer() if above < 0 else pin.JointModelSpherical()
        at = pin.SE3(np.eye(3), np.zeros(3) if above < 0 else offsets[j])
        ids.append(model.addJoint(0 if above < 0 else ids[above], kind, at, f"node{j}"))
        if mass:
            inertia = pin.Inertia(mass, np.zeros(3), np.eye(3))
            model.appendBodyToJoint(ids[j], inertia, pin.SE3.Identity())
    return model, ids


def layered_step(layers: Iterable[tuple[Array, Array]], size: int) -> Array:
    """Return a step that serves layers in strict order, by singular values.

    Parameters
    ----------
    layers : iterable of (array of shape (R, P), array of shape (R,))
        Jacobian and what is lacking of each layer, the first one first.
    size : int
        P.
    """
    step = np.zeros(size)
    projector = np.eye(size)
    for jacobian, lacking in layers:
        u, s, v = np.linalg.svd(jacobian @ projector, full_matrices=False)
        damping = DAMPING if s[-1] < SMALL else 0.0
        step = step + v.T @ (s / (s * s + damping**2) * (u.T @ (lacking - jacobian @ step)))
        kept = v[s > 1e-6]
        projector = projector - kept.T @ kept
    return step
