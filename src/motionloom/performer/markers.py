"""The performer's 41 markers: Plug-in Gait's full body and both fifth metatarsal heads."""

from __future__ import annotations

import numpy as np

from motionloom import rotations as rot
from motionloom.kinematics import forward_kinematics
from motionloom.marker_motion import MarkerSequence
from motionloom.motion import Motion
from motionloom.performer._body import SIDES, SIGN, Performer

#: Label, joint it moves with, and place in that joint's frame at rest (T-pose; left, up, forward),
#: shares of stature.
_MIDDLE = (
    ("C7", "Spine2", (0.0, 0.082, -0.038)),
    ("T10", "Spine1", (0.0, 0.040, -0.062)),
    ("CLAV", "Spine2", (0.0, 0.055, 0.042)),
    ("STRN", "Spine2", (0.0, -0.015, 0.066)),
    ("RBAK", "Spine2", (-0.045, 0.030, -0.058)),
)
#: The same for one side of the body, given for the left; the right one is its mirror image.
_SIDED = (
    ("FHD", "Head", (0.042, 0.050, 0.054)),
    ("BHD", "Head", (0.040, 0.052, -0.050)),
    ("SHO", "{}Shoulder", (0.082, 0.028, 0.0)),
    ("UPA", "{}Arm", (0.095, 0.0, -0.026)),
    ("ELB", "{}ForeArm", (0.0, 0.0, -0.024)),
    ("FRM", "{}ForeArm", (0.075, 0.0, -0.022)),
    ("WRA", "{}Hand", (0.0, 0.004, 0.020)),
    ("WRB", "{}Hand", (0.0, 0.004, -0.020)),
    ("FIN", "{}Hand", (0.045, 0.010, 0.0)),
    ("ASI", "Hips", (0.072, 0.040, 0.045)),
    ("PSI", "Hips", (0.028, 0.048, -0.062)),
    ("THI", "{}UpLeg", (0.050, -0.130, 0.006)),
    ("KNE", "{}Leg", (0.033, 0.0, 0.0)),
    ("TIB", "{}Leg", (0.032, -0.120, 0.004)),
    ("ANK", "{}Foot", (0.022, 0.0, 0.0)),
    ("HEE", "{}Foot", (0.0, -0.016, -0.036)),
    ("TOE", "{}Foot", (-0.012, -0.020, 0.072)),
    ("MT5", "{}Foot", (0.026, -0.026, 0.064)),
)


def marker_layout(performer: Performer) -> dict[str, tuple[str, np.ndarray]]:
    """Joint and place (metres, in the joint's frame) of every marker, by label.

    Examples
    --------
    >>> from motionloom.performer._body import make_performer
    >>> marker_layout(make_performer())["LKNE"][0]
    'LeftLeg'
    """
    layout = {label: (joint, np.array(place) * performer.height) for label, joint, place in _MIDDLE}
    for side, sign in zip(SIDES, SIGN, strict=True):
        for label, joint, place in _SIDED:
            mirrored = np.array(place) * performer.height * [sign, 1.0, 1.0]
            layout[side[0] + label] = (joint.format(side), mirrored)
    return layout


def place_markers(performer: Performer, motion: Motion) -> MarkerSequence:
    """Markers stuck to the performer's segments: all seen, no noise, no skin movement.

    Parameters
    ----------
    performer : Performer
        Gives the places of the markers, which scale with stature.
    motion : Motion
        Of the performer's skeleton.

    Returns
    -------
    MarkerSequence
        41 markers, frame by frame with the motion.

    Examples
    --------
    >>> from motionloom.performer._body import make_performer
    >>> markers = place_markers(make_performer(), walk)
    >>> markers.n_frames == walk.n_frames, bool(markers.valid.all())
    (True, True)
    """
    layout = marker_layout(performer)
    joints = [motion.skeleton.index(joint) for joint, _ in layout.values()]
    places = np.array([place for _, place in layout.values()])
    pose = forward_kinematics(motion)
    positions = pose.positions[:, joints] + rot.rotate(pose.rotations[:, joints], places)
    seen = np.ones(positions.shape[:2], bool)
    return MarkerSequence(tuple(layout), positions, seen, motion.frame_time, name=motion.name)
