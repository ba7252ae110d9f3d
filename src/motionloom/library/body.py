"""The body of a library: what clips of other skeletons are carried over to."""

from __future__ import annotations

from motionloom.edit.retarget import RoleFrames, fit_role_frames, retarget_clips
from motionloom.errors import InvalidInputError
from motionloom.library.library import Library
from motionloom.library.writer import Writer
from motionloom.motion import Motion

#: So many of the library's clips are looked at, in the order of their names.
MOST_CLIPS = 20


def fit_body(writer: Writer) -> RoleFrames:
    """How the body lies in the joints of a library's skeleton, by its own clips.

    Parameters
    ----------
    writer : Writer
        The library.

    Returns
    -------
    RoleFrames

    Raises
    ------
    InvalidInputError
        When it has no clip that was captured on its skeleton, or roles are missing.
    """
    writer.flush()  # clips that were just read are looked at too
    library = Library(writer.folder, writer.manifest.with_clips(writer.clips.values()))
    own = [n for n in library.names if not library.entry(n).source.options.retarget][:MOST_CLIPS]
    if not own:
        raise InvalidInputError(
            f"{writer.folder}: no clip was captured on the skeleton of this library, so none can be"
            " retargeted to it; add one of its own first"
        )
    return fit_role_frames([library.frames(name).motion for name in own])


def carry_over(motion: Motion, body: RoleFrames) -> tuple[Motion, tuple[str, ...]]:
    """A clip on the body of a library.

    Parameters
    ----------
    motion : Motion
        The clip, of any skeleton; how its body lies in it is read off this clip alone, so that it
        does not depend on others.
    body : RoleFrames
        Of the library.

    Returns
    -------
    motion : Motion
        With as many frames.
    notes : tuple of str
        What was done, guessed or left out, one sentence each.

    Raises
    ------
    InvalidInputError
        When roles are missing.
    """
    made = retarget_clips([motion], body)[0]
    note = f"retargeted from another skeleton of {motion.skeleton.n_joints} joints"
    return made.motion, (note, *made.notes)
