"""Bodies and states that tests of physics share."""

import numpy as np

from motionloom import rotations as rot
from motionloom.motion import Motion
from motionloom.performer._body import make_performer
from motionloom.physics.body import make_body
from motionloom.physics.dynamics import BodyState
from motionloom.posed_motion import pose_motion


def standing(n_frames=30, fps=60.0, height=1.75):
    """The performer in its rest pose: arms out, feet on the ground."""
    skeleton = make_performer(height).skeleton
    places = np.repeat(skeleton.offsets[None, :1], n_frames, axis=0)
    turns = rot.identity(n_frames, skeleton.n_joints)
    return pose_motion(Motion(skeleton, turns, places, 1 / fps))


def performer_body(height=1.75, mass=70.0):
    return make_body(standing(height=height), height, mass)


def random_state(body, n_frames=5, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    links = (n_frames, body.n_links)
    return BodyState(
        places=rng.normal(size=(n_frames, 3)),
        velocities=scale * rng.normal(size=(n_frames, 3)),
        accelerations=scale * 5 * rng.normal(size=(n_frames, 3)),
        turns=rot.normalize(rng.normal(size=(*links, 4))),
        spins=scale * 4 * rng.normal(size=(*links, 3)),
        spin_rates=scale * 40 * rng.normal(size=(*links, 3)),
    )
