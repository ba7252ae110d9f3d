"""Where hands, feet, elbows, neck and head are together: PCA of places from the root (FE7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from motionloom.kinematics import forward_kinematics
from motionloom.spaces.pca import PCA
from motionloom.spaces.pose_space import PoseSpace

Array = NDArray[np.float64]

ROLES = (
    "left_hand",
    "right_hand",
    "left_foot",
    "right_foot",
    "left_elbow",
    "right_elbow",
    "neck",
    "head",
)
#: Share of the variance that the space keeps.
KEPT = 0.95


@dataclass(frozen=True, eq=False)
class EffectorSpace:
    """A space of E places.

    Parameters
    ----------
    joints : int array of shape (E,)
        Joints whose places count.
    pca : PCA
        Of the places of all joints in root coordinates, (E * 3,) metres.
    """

    joints: NDArray[np.int64]
    pca: PCA

    def estimate(self, places: Array, wanted: dict[int, Array]) -> Array:
        """Where the joints are likely to be when some of them are to be elsewhere.

        Solves ``(T G^t G T^t + I) db = T G^t (target - current)`` (equation 4-35 of the thesis), G
        picking the wanted joints.

        Parameters
        ----------
        places : array of shape (E, 3)
            Where they are now.
        wanted : dict of int to array of shape (3,)
            Places by joint.

        Returns
        -------
        array of shape (E, 3), metres
        """
        chosen = [e for e, joint in enumerate(self.joints) if int(joint) in wanted]
        rows = (3 * np.array(chosen)[:, None] + np.arange(3)).ravel()
        picked = self.pca.components_[:, rows]
        lacking = np.concatenate([wanted[int(self.joints[e])] - places[e] for e in chosen])
        change = np.linalg.solve(picked @ picked.T + np.eye(len(picked)), picked @ lacking)
        return self.pca.inverse_transform(self.pca.transform(places.ravel()) + change).reshape(
            -1, 3
        )


def fit_effector_space(space: PoseSpace) -> EffectorSpace:
    """Learn the effector space of a pose space's captures."""
    joints = np.array([space.roles.joints[r] for r in ROLES if r in space.roles.joints], np.int64)
    world = forward_kinematics(space.coordinates.to_motion(space.poses)).positions
    places = world[:, joints] - world[:, space.coordinates.root, None]
    return EffectorSpace(joints, PCA.fit(places.reshape(len(places), -1), KEPT))
