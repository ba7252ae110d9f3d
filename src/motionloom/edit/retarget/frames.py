"""Anatomical frames: how the axes of a skeleton's joints lie in the body parts that they move.

Rest poses differ from rig to rig, and so do the axes of joints. Bodies do not: they have a neutral
pose (`neutral`), in which somebody stands upright with hanging arms. For every part a frame is read
off it, in the joint's own axes: x to the body's left, y up and z ahead. Two skeletons are in the
same pose when these frames are turned alike.

Frames of bodies whose rest pose says nothing, so that all their clips give the same.

Captures show how body parts lie in such joints only as well as somebody stood. Where bones lie
along the axes of their joints, as programs write them, four directions about a bone are possible,
and captures only say which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import rotations as rot
from motionloom.analysis.hinges import Hinge, fit_hinges
from motionloom.analysis.soles import Soles, fit_soles
from motionloom.edit.retarget import _neutral as upright
from motionloom.edit.retarget._samples import farthest_end, rest_clip, sample_clips
from motionloom.edit.retarget.captured import SIDES, Captured, basis, carrier_of, usual_hinge
from motionloom.errors import InvalidInputError
from motionloom.motion import Motion
from motionloom.posed_motion import PosedMotion, pose_motion
from motionloom.roles import Roles
from motionloom.skeleton import Skeleton
from motionloom.threads import one_thread
from motionloom.two_bones import unit
from motionloom.typing import Array

#: Heads are held by less than this on average in any clip, radians; other axes are a quarter turn.
MOST_HELD = float(np.radians(60.0))
#: Heights of ankles that no rest pose shows are whole steps of this share of a leg from those of
#: people, so that all clips of one body give the same: who stands shows them within .006.
STEP = 0.06
#: So many steps at most.
MOST_STEPS = 2

#: Parts of limbs that bend about hinges.
LIMBS = ("hip", "knee", "shoulder", "elbow")


@dataclass(frozen=True, eq=False)
class Seen:
    """What captures of a body showed of it: for reading other motion of the same person.

    Parameters
    ----------
    soles : Soles
        Where the feet met the ground.
    ankles : mapping of str to float, metres
        Height above the ground of every foot's joint while it stood, by the foot's role.
    hinges : mapping of str to Hinge
        Axes of knees and elbows and how far they bent, by the role of the limb's tip.
    frames : mapping of str to array of shape (4,)
        Of feet and toes, level while they stood; of collar bones, too, where no rest pose shows
        them: on average level.
    limbs : mapping of str to array of shape (4,)
        Frames of thighs, shanks and arms about the hinges that knees and elbows bent about, which
        robots have, too.
    """

    soles: Soles
    ankles: Mapping[str, float]
    hinges: Mapping[str, Hinge]
    frames: Mapping[str, Array]
    limbs: Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class RoleFrames:
    """How the body parts of one skeleton lie in its joints.

    Parameters
    ----------
    skeleton : Skeleton
        Whose joints they are.
    roles : Roles
        Which joint plays which part.
    joints : mapping of str to int
        Joint of every part: roles, ``left_clavicle`` and ``right_clavicle``, ``spine_1`` ... and
        ``neck_1`` ... for joints between hips, chest and head, and ``name:...`` for others that
        have no role.
    frames : mapping of str to array of shape (4,)
        For the same parts the quaternion that takes the body part's axes (left, up, ahead) to the
        joint's own, from the neutral pose.
    along : mapping of str to float
        How far up between hips and chest, or chest and head, a joint of spine or neck lies, from 0
        to 1.
    neutral : PosedMotion
        The neutral pose, one frame.
    hinges : mapping of str to Hinge
        Axes of knees and elbows and how far they may bend, by the role of the limb's tip.
    soles : Soles
        Where the feet meet the ground in the neutral pose.
    ankles : mapping of str to float, metres
        Height above the ground of every foot's joint in the neutral pose, by the foot's role.
    seen : Seen
        What the captures showed besides.
    guessed : tuple of str
        What neither skeleton nor captures show, one sentence each.
    """

    skeleton: Skeleton
    roles: Roles
    joints: Mapping[str, int]
    frames: Mapping[str, Array]
    along: Mapping[str, float]
    neutral: PosedMotion
    hinges: Mapping[str, Hinge]
    soles: Soles
    ankles: Mapping[str, float]
    seen: Seen
    guessed: tuple[str, ...] = ()

    @property
    def leg(self) -> float:
        """Length of a straight leg from hip to ankle, metres.

        Examples
        --------
        >>> round(fit_role_frames(walk.skeleton).leg, 2)  # metres, from hip to ankle
        0.86
        """
        return self.soles.leg

    @property
    def rest(self) -> Array:
        """Neutral rotation of every joint relative to its parent, shape (J, 4)."""
        return self.neutral.motion.rotations[0]

    @property
    def of_results(self) -> RoleFrames:
        """The same for reading motion that was made for this body, with its neutral soles."""
        frames = {part: self.frames[part] for part in self.seen.frames}
        return replace(
            self,
            seen=replace(
                self.seen, soles=self.soles, ankles=self.ankles, hinges=self.hinges, frames=frames
            ),
        )

    @property
    def as_captured(self) -> RoleFrames:
        """The same for giving the person of the captures their own motion back."""
        frames = {**self.frames, **self.seen.frames}
        return replace(self, soles=self.seen.soles, ankles=self.seen.ankles, frames=frames)

    def world(self, part: str, rotations: Array) -> Array:
        """World rotation of a body part in captures.

        Parameters
        ----------
        part : str
            One of `joints`.
        rotations : array of shape (T, J, 4)
            World rotations of the joints.

        Returns
        -------
        array of shape (T, 4)
            Of its axes: left, up, ahead.
        """
        frame = self.seen.frames.get(part, self.frames[part])
        return rot.multiply(rotations[:, self.joints[part]], frame)


@one_thread()
def fit_role_frames(
    clips: Sequence[Motion | PosedMotion] | Skeleton, roles: Roles | None = None
) -> RoleFrames:
    """Find the anatomical frames of a skeleton.

    Parameters
    ----------
    clips : sequence of Motion or PosedMotion, or Skeleton
        Motions of one skeleton; or a skeleton of which only the rest pose is known: someone who
        stands with arms aside, ahead or hanging.
    roles : Roles, optional
        Which joint plays which part; found from the skeleton when not given.

    Returns
    -------
    RoleFrames
        Of a skeleton whose rest pose stands, all but `seen` is the same whatever the clips show. Of
        others the clips say how axes lie about bones, and roughly how high ankles are.

    Raises
    ------
    InvalidInputError
        When there is no frame, the clips do not share a skeleton, legs are missing, or the rest
        pose of a skeleton is not that of somebody who stands.

    Examples
    --------
    >>> frames = fit_role_frames([walk])
    >>> round(frames.leg, 2), sorted(frames.frames)[:2]
    (0.86, ['chest', 'head'])
    """
    posed = _posed(clips, roles)
    samples = sample_clips(posed)
    roles = samples.roles
    skeleton = samples.clips[0].motion.mean_skeleton(roles.joints["hips"])
    captured = Captured(samples, fit_hinges(posed), fit_soles(posed), skeleton)
    captured.find()
    guessed: tuple[str, ...] | None = None
    # Nothing but captures says how a paw stands, or a foot whose bones are along no axes.
    known = roles.kind != "quadruped"
    if known and upright.stands_at_rest(skeleton, roles):
        neutral = upright.stand_upright(skeleton, roles)
    else:
        known = known and upright.lies_along_axes(skeleton)
        ankle = _ankle_height(captured) * captured.soles.leg
        settled, notes = _settle(captured, skeleton, ankle)
        neutral = upright.pose_of(skeleton, roles, captured.joints, settled, ankle)
        guessed = (*captured.guessed, *notes)
    frames = {p: rot.conjugate(neutral.rotations[0, j]) for p, j in captured.joints.items()}
    level = {
        part: captured.frames[part]
        for foot in captured.flat
        for part in (foot, foot.replace("foot", "toe"))
        if part in captured.frames
    }
    if guessed is not None:
        level |= {p: f for p, f in captured.frames.items() if p.endswith("clavicle")}
    limbs = {p: f for p, f in captured.frames.items() if p.endswith(LIMBS)}
    seen = Seen(captured.soles, captured.ankles, captured.hinges, level, limbs)
    soles = fit_soles([neutral])
    ankles = {
        foot: float(neutral.positions[0, roles.joints[foot], 1]) - soles.ground
        for foot in roles.feet
    }
    if not known:
        soles, ankles = captured.soles, captured.ankles
    return RoleFrames(
        skeleton=skeleton,
        roles=roles,
        joints=captured.joints,
        frames=frames,
        along=captured.along,
        neutral=neutral,
        hinges={role: _hinge(role, hinge, frames) for role, hinge in seen.hinges.items()},
        soles=soles,
        ankles=ankles,
        seen=seen,
        guessed=guessed or (),
    )


def _hinge(role: str, hinge: Hinge, frames: Mapping[str, Array]) -> Hinge:
    """Knee or elbow of the neutral body: about the part's left, as far as people's bend."""
    root = role.replace("foot", "hip").replace("hand", "shoulder")
    if root not in frames:
        return hinge
    # Elbows bend ahead and knees back: about axes to the right and to the left.
    sign = 1.0 if "hip" in root else -1.0
    return usual_hinge(hinge, rot.rotate(frames[root], np.array([sign, 0.0, 0.0])))


def _posed(
    clips: Sequence[Motion | PosedMotion] | Skeleton, roles: Roles | None
) -> list[PosedMotion]:
    if isinstance(clips, Skeleton):
        return [rest_clip(clips, roles)]
    posed = [
        c if isinstance(c, PosedMotion) else pose_motion(c, roles) for c in clips if c.n_frames
    ]
    if not posed:
        raise InvalidInputError("frames of body parts need a motion with at least one frame")
    for other in posed[1:]:
        if not other.skeleton.has_topology_of(posed[0].skeleton):
            raise InvalidInputError("frames of body parts need motions that share a skeleton")
    return posed


def _settle(
    captured: Captured, skeleton: Skeleton, ankle: float
) -> tuple[dict[str, Array], tuple[str, ...]]:
    """Frames that do not depend on what somebody did in a clip, as far as that can be; and what was
    guessed, one sentence each.
    """
    frames = dict(captured.frames)
    if not upright.lies_along_axes(skeleton):
        said = (
            "its rest pose does not stand and its bones lie along no axes of its joints, so how"
            " head, neck and back are held is taken from the clips"
        )
        return frames, (said,)
    if captured.roles.kind == "quadruped":
        return {p: _nearest(p, frame) for p, frame in frames.items()}, ()
    for part in ("hips", "chest"):
        if part in frames:
            frames[part] = upright.nearest_turn(frames[part])
    for part in (*captured.along, "head"):
        if part in frames:
            frames[part] = _as_below(frames[part], frames["chest"])
    for side in SIDES:
        _settle_side(captured, skeleton, side, frames, ankle)
    for part in frames:
        if part.startswith("name:"):
            frames[part] = frames[carrier_of(skeleton, captured.joints, part)]
    return frames, ()


def _nearest(part: str, frame: Array) -> Array:
    """A part of an animal as the axes of its joint lie; bones of limbs keep their direction."""
    limb = part.endswith(("hip", "knee", "shoulder", "elbow", "hand", "foot"))
    return _about_y(frame) if limb else upright.nearest_turn(frame)


def _as_below(frame: Array, chest: Array) -> Array:
    """Back, neck and head have the axes of the chest, unless they are clearly others.

    How somebody holds the head in a clip does not count.
    """
    held = rot.angle_between(frame, chest) < MOST_HELD
    return chest if held else upright.nearest_turn(frame)


def _ankle_height(captured: Captured) -> float:
    """Of both feet, in legs."""
    seen = list(captured.standing.values())
    if not seen:
        return upright.ANKLE
    steps = round((float(np.mean(seen)) / captured.soles.leg - upright.ANKLE) / STEP)
    return upright.ANKLE + STEP * min(max(steps, 0), MOST_STEPS)


def _about_y(frame: Array) -> Array:
    """Along its bone exactly, and about it as the joint's axes lie."""
    return upright.nearest_about(frame, "y", rot.rotate(frame, np.array([0.0, 1.0, 0.0])))


def _settle_side(
    captured: Captured, skeleton: Skeleton, side: str, frames: dict[str, Array], ankle: float
) -> None:
    for part in ("hip", "knee", "shoulder", "elbow"):
        if f"{side}_{part}" in frames:
            frames[f"{side}_{part}"] = _about_y(frames[f"{side}_{part}"])
    if f"{side}_hand" in frames:
        frames[f"{side}_hand"] = frames[f"{side}_elbow"]
    clavicle = f"{side}_clavicle"
    if clavicle in frames:
        bone = skeleton.offsets[captured.roles.joints[f"{side}_shoulder"]]
        if np.linalg.norm(bone) > 0:
            left = bone if side == "left" else -bone
            frames[clavicle] = upright.nearest_about(frames[clavicle], "x", left)
    if f"{side}_knee" in frames:
        _settle_foot(captured, skeleton, side, frames, ankle)


def _settle_foot(
    captured: Captured, skeleton: Skeleton, side: str, frames: dict[str, Array], ankle: float
) -> None:
    """A foot whose ball is as far below the ankle as people's, and a level toe."""
    foot, toe = f"{side}_foot", f"{side}_toe"
    shank = frames[f"{side}_knee"]
    left = rot.rotate(shank, np.array([1.0, 0.0, 0.0]))
    if toe not in frames:
        frames[foot] = shank
        return
    bone = skeleton.offsets[captured.joints[toe]]
    if not upright.is_along_axis(bone):
        # Such a foot is drawn as it stands.
        frames[foot], frames[toe] = (
            upright.nearest_turn(frames[foot]),
            upright.nearest_turn(frames[toe]),
        )
        return
    length = float(np.linalg.norm(bone))
    level = basis(bone, left, "zx")
    down = np.arcsin(
        np.clip(min(upright.ANKLE * captured.soles.leg, ankle) / max(length, 1e-9), 0.0, 0.9)
    )
    frames[foot] = rot.multiply(level, rot.from_rotvec(np.array([-down, 0.0, 0.0])))
    tip = farthest_end(skeleton, captured.joints[toe])
    ahead = tip if np.linalg.norm(tip) > 0.01 * length else bone
    frames[toe] = basis(unit(ahead), left, "zx")
