"""World positions, roles, facing and the path of the body."""

import numpy as np

from motionloom.performer import performer_clips
from motionloom.posed_motion import pose_motion

motion = next(clip.motion for clip in performer_clips() if clip.action == "walk")
posed = pose_motion(motion)

hand = posed.positions[:, posed.roles.joint("right_hand")]
print(
    f"the right hand is between {hand[:, 1].min():.2f} and {hand[:, 1].max():.2f} m above the"
    " ground"
)

x, z, facing = posed.body.T
length = np.hypot(np.diff(x), np.diff(z)).sum()
print(f"the body walks {length:.2f} m and turns {np.degrees(facing[-1] - facing[0]):+.0f} degrees")
