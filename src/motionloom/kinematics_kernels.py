"""Forward kinematics in one compiled pass."""

from __future__ import annotations

from motionloom.compiling import full_kernel


@full_kernel()
def forward(
    parents, offsets, slots, rotations, translations, positions, world
):  # pragma: no cover - compiled
    """Fill `positions` and `world`; ``translations[:, slots[j]]`` are those of joint j, where that
    is not negative.
    """
    for t in range(rotations.shape[0]):
        for j in range(len(parents)):
            s = slots[j]
            if s >= 0:
                x, y, z = translations[t, s, 0], translations[t, s, 1], translations[t, s, 2]
            else:
                x, y, z = offsets[j, 0], offsets[j, 1], offsets[j, 2]
            q = rotations[t, j]
            bw, bx, by, bz = q[0], q[1], q[2], q[3]
            p = parents[j]
            if p < 0:
                positions[t, j, 0], positions[t, j, 1], positions[t, j, 2] = x, y, z
                world[t, j, 0], world[t, j, 1], world[t, j, 2], world[t, j, 3] = bw, bx, by, bz
                continue
            aw, ax, ay, az = world[t, p, 0], world[t, p, 1], world[t, p, 2], world[t, p, 3]
            # v + 2 w (u x v) + 2 u x (u x v)
            tx, ty, tz = 2 * (ay * z - az * y), 2 * (az * x - ax * z), 2 * (ax * y - ay * x)
            positions[t, j, 0] = positions[t, p, 0] + x + aw * tx + ay * tz - az * ty
            positions[t, j, 1] = positions[t, p, 1] + y + aw * ty + az * tx - ax * tz
            positions[t, j, 2] = positions[t, p, 2] + z + aw * tz + ax * ty - ay * tx
            world[t, j, 0] = aw * bw - ax * bx - ay * by - az * bz
            world[t, j, 1] = aw * bx + ax * bw + ay * bz - az * by
            world[t, j, 2] = aw * by - ax * bz + ay * bw + az * bx
            world[t, j, 3] = aw * bz + ax * by - ay * bx + az * bw
