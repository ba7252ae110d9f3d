"""Clips and constraints in, a new motion out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from motionloom.clips.labels import find_unused
from motionloom.constraints import ConstraintSet
from motionloom.constraints.files import constraints_of, in_mapping, names_in
from motionloom.constraints.scene import SceneConstraints
from motionloom.constraints.scene_files import check_scene, read_any
from motionloom.errors import InvalidInputError
from motionloom.io.document import Document
from motionloom.io.result import Result
from motionloom.jobs.options import GRAPH, SynthesizeOptions
from motionloom.options import take_options
from motionloom.progress import Progress, as_warning, silent, warn
from motionloom.reading import Clips, ReadOptions, clip_set_of
from motionloom.synthesis.driver import Synthesis
from motionloom.synthesis.driver import synthesize as weave
from motionloom.synthesis.generator import Fitted

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Asked = ConstraintSet | SceneConstraints


def synthesize(
    clips: Clips | Fitted,
    constraints: Asked | Mapping[str, Any] | str | PathLike[str],
    *,
    generator: str = GRAPH,
    progress: Progress = silent,
    **options: Any,
) -> Result:
    """Make a motion out of clips that meets constraints.

    Parameters
    ----------
    clips : path-like, Motion, ClipSet, Fitted, or sequence of path-like and Motion
        Clips of one skeleton: files, folders, patterns, a library, or what is loaded. What
        `motionloom.synthesis.fit_generator` made of them saves learning again.
    constraints : ConstraintSet, SceneConstraints, mapping or path-like
        What the motion is to meet: a file, or the fields of one. With ``characters`` it is a scene
        of several.
    generator : str
        Method: ``"graph"``, ``"inbetween"``, ``"gait"``, ``"model"``, ``"idle"``, or a plug-in's.
    progress : Progress
        Told of every stage; Ctrl-C ends the search with the best motion found so far.
    **options
        Fields of `motionloom.jobs.options.SynthesizeOptions`: `seed`, `budget` (seconds of search),
        `alternatives`, `labels`, `mirror`, `physics`, `idle`, `gait`, `bridge`, `graph`, `blend`,
        `restarts`, `workers`, `own_pace` ...; and of `motionloom.reading.ReadOptions`: `roles`,
        `only`, `without`, `unit` ...

    Returns
    -------
    Result
        Of a scene with a motion for each character; `details` is the `Synthesis` or `Scene`.

    Raises
    ------
    FormatError
        When a file cannot be read; the sentence has its line.
    InvalidInputError
        When the clips do not share a skeleton, or the generator cannot honour a constraint.
    UnknownNameError
        When a constraint names a joint, clip, label or cost that does not exist.
    SynthesisError
        When no motion of that duration can be made of the clips.

    Notes
    -----
    The motion graph is that of Kovar, Gleicher & Pighin (2002); other generators name theirs.

    Examples
    --------
    >>> wish = {
    ...     "duration": 3.0,
    ...     "body": [{"time": 0.0, "position": [0, 0]}, {"time": 3.0, "position": [0, 2.5]}],
    ... }
    >>> result = ml.synthesize(demo / "clips", wish, seed=1, budget=0.5)
    >>> result.motion.duration, result.problems
    (3.0, ())
    >>> result.save("ahead.bvh")
    """
    how = take_options(SynthesizeOptions, options)
    reading = ReadOptions(**options, mirror=how.mirror)
    wanted = how.to_options(generator)
    asked = _asked(constraints)
    with names_in(constraints):
        if _is_fitted(clips):
            if options or wanted.labels or wanted.mirror:
                raise InvalidInputError(
                    "what is fitted has its roles, labels and mirrored copies; leave them out"
                )
            ready: Any = clips
        else:
            ready = clip_set_of(clips, replace(reading, fps=asked.fps), progress)
            if not (reading.only or reading.without):
                named = how.labels if isinstance(how.labels, (str, PathLike)) else "labels"
                unused = find_unused(wanted.labels, ready.names)
                where = fspath(named)
                warn((f"{where}: no clip is called {name!r}" for name in unused), as_warning)
        if isinstance(asked, SceneConstraints):
            return _scene(ready, asked, wanted, progress, generator)
        made: Synthesis = weave(ready, asked, wanted, progress=progress, generator=generator)
    return Result({made.motion.name or "motion": made.motion}, made.report, made, asked)


def _is_fitted(clips: Clips | Fitted) -> TypeIs[Fitted]:
    return hasattr(clips, "generate")


def _asked(given: Asked | Mapping[str, Any] | str | PathLike[str]) -> Asked:
    if isinstance(given, (str, PathLike)):
        return read_any(given)
    if isinstance(given, SceneConstraints):
        return given
    if isinstance(given, Mapping) and "characters" in given:
        with in_mapping():
            return check_scene(Document(dict(given), {}), "scene")
    return constraints_of(given)


def _scene(
    clips: Any, asked: SceneConstraints, options: Any, progress: Progress, generator: str
) -> Result:
    from motionloom.scene import fit_cast, synthesize_scene
    from motionloom.synthesis.measure import check_names

    if _is_fitted(clips):
        cast = dict.fromkeys(asked.characters, clips)
    else:
        for character in asked.characters.values():
            check_names(character, clips, options.labels)
        cast = fit_cast(clips, asked, options, None, progress, generator=generator)
    made = synthesize_scene(cast, asked, options, None, progress)
    return Result(made.motions, made.report, made, asked)
