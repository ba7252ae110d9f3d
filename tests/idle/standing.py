"""Somebody who stands about, with known shifts: what is found can be compared with the truth."""

from dataclasses import dataclass

import numpy as np

from motionloom import rotations as rot
from motionloom.edit.footlock import find_legs
from motionloom.edit.limbs import solve_limb
from motionloom.motion import Motion
from motionloom.performer import make_performer
from motionloom.posed_motion import pose_motion
from motionloom.roles import find_roles

FPS = 30.0
#: How far the hips go to a side (metres), and how long that takes (seconds).
ASIDE, TAKES = 0.07, 1.2


@dataclass(frozen=True)
class Standing:
    """A recording and what happened in it."""

    motion: Motion
    #: Seconds at which a shift begins, and the balance behind it.
    shifts: tuple[tuple[float, str], ...]


def stand(seconds=60.0, shifts=((12.0, "left"), (30.0, "right"), (44.0, "both")), seed=0):
    """Stand on both feet, then shift; sway all the while."""
    skeleton = make_performer().skeleton
    roles = find_roles(skeleton)
    rng = np.random.default_rng(seed)
    n = round(seconds * FPS)
    times = np.arange(n) / FPS
    side = {"left": 1.0, "right": -1.0, "both": 0.0}
    across = np.zeros(n)
    before = 0.0
    for begin, category in shifts:
        u = np.clip((times - begin) / TAKES, 0.0, 1.0)
        across += (side[category] - before) * u * u * (3 - 2 * u)
        before = side[category]
    turned = np.zeros((n, skeleton.n_joints, 3))
    for name in ("hips", "spine", "neck", "left_shoulder", "right_elbow"):
        turned[:, roles.joints[name]] = 0.01 * sway(n, 3, rng)
    turned[:, roles.joints["spine"], 2] += 0.1 * across
    for knee in ("left_knee", "right_knee"):
        turned[:, roles.joints[knee], 0] = 0.1
    places = np.zeros((n, 1, 3))
    rest = pose_motion(still(skeleton), roles)
    ankle_joints = [roles.joints["left_foot"], roles.joints["right_foot"]]
    feet = rest.positions[:, ankle_joints]
    legs = rest.positions[0, roles.joints["hips"], 1] - feet[0, :, 1].mean()
    places[:, 0, 1] = -feet[0, :, 1].min() + rest.motion.translations[0, 0, 1] - 0.03 * legs
    places[:, 0, 0] = ASIDE * across
    places[:, 0] += [0.002, 0.0, 0.002] * sway(n, 3, rng)
    motion = Motion(skeleton, rot.from_rotvec(turned), places, 1 / FPS, (0,), "standing")
    bent = pose_motion(motion, roles)
    legs = find_legs(roles)
    local = {}
    for f, foot in enumerate(("left_foot", "right_foot")):
        ankle = np.tile(feet[0, f] * [1.0, 0.0, 1.0], (n, 1))
        flat = np.tile(rest.rotations[0, legs[foot].tip], (n, 1))
        local |= solve_limb(bent, legs[foot], ankle, flat)
    return Standing(bent.with_local(local).motion, tuple(shifts))


def still(skeleton):
    """One frame in the rest pose."""
    return Motion(
        skeleton, rot.identity(1, skeleton.n_joints), skeleton.offsets[None, :1], 1 / FPS, (0,)
    )


def sway(n, k, rng):
    """Smooth noise of deviation 1, shape (n, k)."""
    values = np.zeros((n + 200, k))
    for i in range(2, len(values)):
        values[i] = 1.9 * values[i - 1] - 0.905 * values[i - 2] + rng.standard_normal(k)
    values = values[200:]
    return values / values.std(axis=0)
