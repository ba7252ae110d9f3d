"""Read a motion, look at what the file is, take a part of it, change the frame rate, and write
another format.
"""

import motionloom as ml
from motionloom.performer import performer_clips

ml.save(performer_clips()[0].motion, "clip.bvh")

motion = ml.load("clip.bvh")
print(
    f"{motion.name}: {motion.n_frames} frames at {motion.fps:g} fps, {motion.skeleton.n_joints}"
    " joints"
)
print(f"1 unit of the file = {motion.source.unit:g} m ({motion.source.unit_reason})")

second = motion.cut(0, 30).resample(1 / 60)
ml.save(second, "first-second-at-60.glb")
