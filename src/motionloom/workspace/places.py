"""The motion graph on disk beside the clips that a user names."""

from __future__ import annotations

from pathlib import Path

from motionloom.places import Place
from motionloom.progress import Tell, quiet


def find_graph(place: Place, named: Path | None = None, tell: Tell = quiet) -> Path | None:
    """Folder of the graph on disk for a place's clips; None when a graph has to be made.

    Parameters
    ----------
    place : Place
        Where the clips are.
    named : Path, optional
        The folder, where it is not that beside the library.
    tell : callable
        Takes the line that says which graph is used.

    Returns
    -------
    Path or None
        A folder that is named comes back whether or not a graph is in it.
    """
    from motionloom.graph.storage.disk import HEAD

    folder = named or place.graph
    if folder is None or (named is None and not (folder / HEAD).exists()):
        return None
    tell(f"using the motion graph in {folder}")
    return folder
