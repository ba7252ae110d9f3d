"""A script of spans in, motions of everybody in it out."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from motionloom.constraints.files import in_mapping
from motionloom.errors import InvalidInputError
from motionloom.io.document import Document
from motionloom.io.kept import KeptFolder
from motionloom.io.result import Result
from motionloom.progress import Progress, as_warning, silent, warn
from motionloom.reading import ReadOptions
from motionloom.shot import ShotFile, make_shot, read_shot, with_naturalness
from motionloom.shot.plan.checking import plan_of
from motionloom.shot.script.reading import make_shot_file
from motionloom.workspace.shots import find_cast, open_stages


def shot(
    script: Mapping[str, Any] | ShotFile | str | PathLike[str],
    *,
    library: str | PathLike[str] | None = None,
    budget: float = 5.0,
    pieces: str | PathLike[str] | None = None,
    trust_paths: bool = False,
    progress: Progress = silent,
    **reading: Any,
) -> Result:
    """Make a shot: each span of the script by the method that it names, joined into one motion.

    Parameters
    ----------
    script : mapping, ShotFile or path-like
        A shot file, or the fields of one (``shot``, ``cast``, ``tracks``); a constraint or scene
        file is a shot, too. Names in a mapping are relative to the working folder.
    library : path-like, optional
        Library or folder of clips of those for whom the script names none.
    budget : float, seconds
        How long each walk is searched for.
    pieces : path-like, optional
        Folder in which spans are kept; those that have not changed are not made again. None are
        kept when not given.
    trust_paths : bool
        Let the script name height maps outside of its folder.
    progress : Progress
        Told of every span.
    **reading
        Fields of `motionloom.reading.ReadOptions`: `roles`, `only`, `without`, `unit` ...

    Returns
    -------
    Result
        With a motion for each character; `details` is the `MadeShot`.

    Raises
    ------
    FormatError
        When the script is wrong; the sentence has file, line and field.
    MotionloomError
        When a span cannot be made; the sentence begins with its line and name.

    Examples
    --------
    >>> script = {
    ...     "shot": 1,
    ...     "cast": {"anna": {"library": str(demo / "clips")}},
    ...     "tracks": {"anna": [{"do": "clip", "clip": "stand", "to": 1.0}]},
    ... }
    >>> result = ml.shot(script)
    >>> result.motions["anna"].duration, result.problems
    (1.0, ())
    """
    if isinstance(script, Mapping):
        if "tracks" not in script:
            raise InvalidInputError("tracks: a shot has tracks; constraints are for synthesize")
        with in_mapping():
            file = make_shot_file(Document(dict(script), {}), Path("shot"), trust_paths=trust_paths)
    elif isinstance(script, ShotFile):
        file = script
    else:
        file = read_shot(script, trust_paths=trust_paths)
    kept: KeptFolder | None = None
    if pieces is not None:
        kept = KeptFolder(Path(pieces), tell=lambda line: warn([line], as_warning))
    places = find_cast(file, None if library is None else fspath(library))
    stages = open_stages(file, places, ReadOptions(**reading), budget, progress, as_warning, kept)
    made = with_naturalness(make_shot(plan_of(file, stages), stages, kept), stages)
    return Result(made.motions, made.report, made)
