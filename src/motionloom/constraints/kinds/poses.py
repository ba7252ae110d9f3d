"""Poses that are shown exactly at a time: frames of clips, and poses of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from pydantic import Field, model_validator

from motionloom import rotations as rot
from motionloom.constraints.kinds._kind import Kind, entries
from motionloom.constraints.kinds.marks import Point
from motionloom.constraints.kinds.measures import Adherence, Shown
from motionloom.constraints.values import Model, Name, Quaternion, Time, expects, field_error
from motionloom.io.limits import MOST_JOINTS

if TYPE_CHECKING:
    from motionloom.motion import Motion


class PoseConstraint(Model):
    """A frame of a clip that is shown at a time, exactly.

    Parameters
    ----------
    time : float, seconds
        From the begin of the motion.
    clip : str
        Name of the clip: its file's name without the suffix.
    frame : int
        Counted from 0 in the clip's file, at the file's own rate.
    """

    time: Time
    clip: Name = expects("the name of a clip", "walk_3")
    frame: Annotated[int, Field(strict=True, ge=0, le=100_000_000)] = expects(
        "a frame of the clip, counted from 0", 40
    )


def _adherence(c: PoseConstraint, index: int, shown: Shown) -> Adherence:
    """Frames late, and the largest rotation of a joint from the pose in degrees; None where that
    frame of the clip is never shown.

    Joints above the one that carries the body, and its own heading, are free.
    """
    assert shown.rotations is not None  # only finished motions are measured for poses
    frame = shown.constraints.frame_of(c.time)
    wanted, called, joints, rotations = shown.lookup.clip_pose(c.clip, c.frame)
    late: float | None = 0.0
    if shown.source_frames is not None:
        when = np.flatnonzero(shown.source_frames == wanted)
        late = float(when[np.argmin(np.abs(when - frame))] - frame) if len(when) else None
    turned = rot.angle_between(shown.rotations[frame, joints], rotations)
    what = f"pose {called}, asked for at {frame / shown.constraints.fps:.2f} s"
    return Adherence("pose", index, what, late, float(np.degrees(turned.max())))


def _in_words(a: Adherence) -> str:
    return f"shown {a.value:g} frames late, joints turned up to {a.more:.3f} deg from it"


def _departure(a: Adherence) -> str:
    if a.value is None:
        return "is never shown"
    when = "late" if a.value > 0 else "early"
    return f"is shown {abs(a.value):.0f} frames too {when}" if a.value else ""


POSES = Kind(
    name="poses",
    item="pose",
    model=PoseConstraint,
    field=entries("a list of poses", "[{time: 5.0, clip: walk_3, frame: 40}]"),
    advice="leave it out; what a single pose has of captured ones is its start",
    hint="start",
    alone=lambda c: "poses",
    label=lambda c, _: f"pose at {c.time:g} s ({c.clip}, frame {c.frame})",
    check=lambda c, _, lookup: lookup.clip_pose(c.clip, c.frame),
    adherence=_adherence,
    in_words=_in_words,
    departure=_departure,
    marks=lambda c, _: (Point(c.time, text=f"frame {c.frame} of {c.clip}"),),
    asks="deed",
    aside="then",
    retimed=True,
)


#: A key pose is shown when no joint is turned further from it than this, degrees.
TURNED = 2.0


class KeyPose(Model):
    """A pose that is shown at a time; where the body stands and faces stays free.

    In a file it is given by a motion file and a frame of it: ``{time: 3.0, file: crouch.bvh, frame:
    0}``.

    Parameters
    ----------
    time : float, seconds
        From the begin of the motion.
    joints : tuple of str
        Names of joints, or roles; others are free, and so are those above the hips.
    rotations : tuple of (float, float, float, float)
        Rotation w, x, y, z of each joint relative to its parent.
    name : str
        As it is called in messages.
    """

    time: Time
    joints: tuple[Name, ...] = expects(
        "names of joints", ["LeftArm"], min_length=1, max_length=MOST_JOINTS
    )
    rotations: tuple[Quaternion, ...] = expects(
        "a rotation [w, x, y, z] for each joint", [[1.0, 0.0, 0.0, 0.0]], max_length=MOST_JOINTS
    )
    name: Annotated[str, Field(max_length=300)] = "key pose"

    @classmethod
    def of(cls, motion: Motion, frame: int, time: float, name: str = "") -> Self:
        """The pose of a motion in one of its frames.

        Parameters
        ----------
        motion : Motion
            All its joints are in the pose.
        frame : int
            Counted from 0.
        time : float, seconds
            When it is to be shown.
        name : str
            The motion's and the frame's when not given.

        Returns
        -------
        KeyPose

        Examples
        --------
        >>> key = KeyPose.of(walk, frame=20, time=1.0)
        >>> key.time, len(key.rotations) == walk.skeleton.n_joints
        (1.0, True)
        """
        called = name or f"{motion.name or 'key pose'}, frame {frame}"
        names, turns = motion.skeleton.names, motion.rotations[frame].tolist()
        return cls(time=time, joints=names, rotations=turns, name=called)

    @model_validator(mode="after")
    def _check_rotations(self) -> Self:
        if len(self.rotations) != len(self.joints):
            raise field_error(
                ("rotations",),
                f"expected one rotation for each of the {len(self.joints)} joints, got"
                f" {len(self.rotations)}",
            )
        if any(max(map(abs, r)) < 1e-6 for r in self.rotations):
            raise field_error(
                ("rotations",),
                "a rotation of zeros only is none; write [1, 0, 0, 0] for no rotation",
            )
        return self


def _fill(pose: dict[str, Any], files: Any) -> dict[str, Any]:
    """A pose with the joints and rotations of a frame of its file."""
    if "rotations" in pose or "joints" in pose:
        raise files.fault(
            "a key pose has either joints and rotations or a file; remove one", "file"
        )
    motion = files.motion(pose["file"])
    frame = pose.get("frame", 0)
    if type(frame) is not int or not 0 <= frame < motion.n_frames:
        raise files.fault(
            f"frame: expected a whole number from 0 to {motion.n_frames - 1}, got"
            f" {str(frame)[:60]!r}",
            "frame",
        )
    own = {key: item for key, item in pose.items() if key not in ("file", "frame")}
    return {
        "joints": list(motion.skeleton.names),
        "rotations": motion.rotations[frame].tolist(),
        "name": f"{motion.name}, frame {frame}",
        **own,
    }


def _key_pose_adherence(c: KeyPose, index: int, shown: Shown) -> Adherence:
    """The largest rotation of a joint from the pose, degrees."""
    assert shown.rotations is not None  # only finished motions are measured for poses
    joints, rotations = shown.lookup.own_pose(c)
    frame = shown.constraints.frame_of(c.time)
    off = rot.angle_between(shown.rotations[frame, joints], rotations)
    return KEY_POSES.measured(c, index, shown, float(np.degrees(off.max())))


def _key_pose_departure(a: Adherence) -> str:
    return f"is missed by {a.value:.0f} degrees" if (a.value or 0.0) > TURNED else ""


KEY_POSES = Kind(
    name="key_poses",
    item="key_pose",
    model=KeyPose,
    field=entries("a list of poses out of files", "[{time: 3.0, file: crouch.bvh, frame: 0}]"),
    fill=_fill,
    alone=lambda c: "key poses",
    label=lambda c, _: f"{c.name}, at {c.time:.2f} s",
    check=lambda c, _, lookup: lookup.own_pose(c),
    adherence=_key_pose_adherence,
    in_words=lambda a: f"joints turned up to {a.value:.3f} deg from it",
    departure=_key_pose_departure,
    marks=lambda c, _: (Point(c.time, text=c.name),),
    asks="deed",
    aside="then",
    retimed=True,
)
