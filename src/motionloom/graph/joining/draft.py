"""A walk through the graph as a draft: laid down, joined, with what finishing needs to know."""

from __future__ import annotations

from motionloom.clips.analysis import AnalysedClips
from motionloom.clips.nearest import own_pose
from motionloom.clips.pieces import GraphWalk
from motionloom.constraints import ConstraintSet
from motionloom.edit.hold import show_poses
from motionloom.graph.joining.join import JoinOptions, join_pieces, lay_path
from motionloom.motion import GroundTransform
from motionloom.synthesis.generator import Draft


def make_draft(
    clips: AnalysedClips,
    path: GraphWalk,
    start: GroundTransform | None,
    constraints: ConstraintSet,
    options: JoinOptions | None = None,
) -> Draft:
    """Make a draft of a path.

    Parameters
    ----------
    clips : AnalysedClips
        The clips that the path is through, with their contacts.
    path : GraphWalk
        Pieces with as many frames in all as the constraints ask for.
    start : GroundTransform or None
        Where the first piece is laid down.
    constraints : ConstraintSet
        Frames of hard poses and key poses are kept.
    options : JoinOptions, optional
        How the pieces are joined.

    Returns
    -------
    Draft
        Hard poses and key poses are among its kept frames.

    Raises
    ------
    InvalidInputError
        When hard poses meet a method of joining that cannot keep them.
    """
    start = start or GroundTransform()
    kept = tuple(constraints.frame_of(c.time) for c in constraints.poses)
    laid = lay_path(clips, path, start)
    shown = {constraints.frame_of(c.time): c for c in constraints.key_poses}
    keys = [own_pose(clips.clip_set, c) for frame, c in shown.items() if frame not in kept]
    motion = show_poses(join_pieces(clips, path, start, laid, options, kept), keys, keep=kept)
    kept = (*kept, *(frame for frame in shown if frame not in kept))
    return Draft(
        motion=motion,
        contacts=laid.contacts,
        feet=laid.feet,
        seams=path.seams,
        kept_frames=kept,
        source_frames=path.frames(clips.clip_set),
    )
