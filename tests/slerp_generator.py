"""A toy generator: key poses of clips, and straight ways between them."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from motionloom.clips import AnalysedClips
from motionloom.motion import Motion
from motionloom.synthesis import Draft, register_generator

NAME = "slerp"
HONOURS = frozenset({"body", "poses"})


@dataclass(frozen=True)
class FittedSlerp:
    """It learns nothing but what there is."""

    clips: AnalysedClips
    name = NAME
    honours = HONOURS
    notes = ("key poses are joined by the shortest rotations",)

    def generate(self, constraints, *, seed=0, budget=5.0, count=1, progress=None):
        clips = self.clips.clip_set
        wanted = {
            constraints.frame_of(c.time): clips.frame_of_file(c.clip, c.frame)
            for c in constraints.poses
        }
        wanted = wanted or {0: seed % clips.n_frames}
        keys = sorted(wanted)
        frames = np.arange(constraints.n_frames)
        shown = [self._frame(wanted[k]) for k in keys]
        between = np.clip(frames, keys[0], keys[-1])
        poses = np.stack([m.rotations[0] for m in shown])
        rotations = np.stack(
            [_slerp(keys, joint, between) for joint in poses.swapaxes(0, 1)], axis=1
        )
        positions = np.stack([m.translations[0] for m in shown])
        flat = positions.reshape(len(keys), -1)
        moved = np.stack([np.interp(frames, keys, column) for column in flat.T], axis=1)
        first = shown[0]
        motion = replace(
            first,
            rotations=rotations,
            translations=moved.reshape(len(frames), *positions.shape[1:]),
        )
        source = np.array(
            [wanted[keys[int(np.argmin(np.abs(np.array(keys) - n)))]] for n in frames]
        )
        draft = Draft(
            replace(motion, name=""),
            kept_frames=tuple(keys),
            source_frames=source,
            score=float(seed),
        )
        return (draft,)

    def explain(self, constraints, errors, adherence):
        return ()

    def _frame(self, index) -> Motion:
        clips = self.clips.clip_set
        clip = int(clips.clip_of[index])
        own = int(index - clips.starts[clip])
        return clips.motions[clip].cut(own, own + 1)


def _slerp(keys, quaternions, frames):
    if len(keys) == 1:
        return np.repeat(np.asarray(quaternions), len(frames), axis=0)
    turns = Slerp(keys, Rotation.from_quat(quaternions, scalar_first=True))
    return turns(frames).as_quat(scalar_first=True)


class SlerpGenerator:
    """See `FittedSlerp`."""

    name = NAME
    honours = HONOURS

    def fit(self, clips, options=None, progress=None):
        return FittedSlerp(clips)


register_generator(SlerpGenerator())
