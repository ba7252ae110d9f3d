"""Clips read from a place, as motions or as one clip set at one frame rate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from motionloom.errors import InvalidInputError
from motionloom.options import check_options, option_field
from motionloom.places import Place, distinct_names, find_place, tell_skipped
from motionloom.progress import Progress, Tell, as_warning, quiet, silent, warn, warn_about

if TYPE_CHECKING:
    from motionloom.clips.clip_set import ClipSet
    from motionloom.motion import Motion
    from motionloom.roles import Roles
    from motionloom.skeleton import Skeleton

#: What a user may have for clips: names of places, motions, or a set.
Clips: TypeAlias = (
    "str | PathLike[str] | Place | Motion | ClipSet | Sequence[str | PathLike[str] | Motion]"
)
#: Frames per second of a graph of files when none are asked for.
DEFAULT_FPS = 30.0


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How files of clips are read, and which clips are wanted.

    Parameters
    ----------
    fps : float, optional
        Frames per second of the set; the library's, else 30.
    roles : Roles or path-like, optional
        Table of roles, or the roles themselves.
    skeleton : Path, optional
        ASF skeleton of AMC files.
    unit : float or str, optional
        Unit of length of the files; else read or guessed.
    up : str, optional
        Up axis of the files: ``"x"``, ``"y"`` or ``"z"``; else read or guessed.
    rate : float, optional
        Frames per second of the files, where they say it wrongly or not.
    only, without : sequences of str
        Patterns of names of clips.
    mirror : bool
        Whether mirrored copies are wanted too.
    needed : callable, optional
        Whether a clip of some name must be there. Others are left out where their skeleton is not
        that of nearly all, which is told; all must have one skeleton when not given.

    Examples
    --------
    >>> ReadOptions(unit="cm", up="z").of_files["unit"]
    'cm'
    """

    fps: float | None = option_field(
        None, "Frames per second of the clips; else 30, or the library's.", above=0, maximum=10_000
    )
    roles: Path | str | object | None = option_field(
        None, "Table of roles, for odd skeletons.", unit="FILE", file="read", parse=Path
    )
    skeleton: Path | None = option_field(
        None,
        "Skeleton of AMC files (.asf), or body model of AMASS files (.npz).",
        unit="FILE",
        file="read",
    )
    unit: float | str | None = option_field(
        None,
        "Unit of length of the input: metres per unit, or mm, cm, m, in, ft; else read or guessed."
        " A unit that makes a body of no plausible height is refused, except with a '!' behind it.",
        unit="UNIT",
        parse=str,
    )
    up: str | None = option_field(
        None, "Up axis of the input: x, y or z; else read or guessed.", unit="AXIS", parse=str.lower
    )
    rate: float | None = option_field(
        None,
        "Frames per second of BVH or AMC input that says it wrongly or not.",
        unit="FPS",
        above=0,
        maximum=10_000,
    )
    only: Sequence[str] = option_field(
        (), "Only clips whose names match.", unit="PATTERN", repeats=True
    )
    without: Sequence[str] = option_field((), "Leave clips out.", unit="PATTERN", repeats=True)
    mirror: bool = option_field(
        False, "Add a mirrored copy of every clip, left and right exchanged."
    )
    needed: Callable[[str], bool] | None = None

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def companions(self) -> tuple[Path, ...]:
        """Files that are read beside the clips."""
        given = (self.roles, self.skeleton)
        return tuple(Path(one) for one in given if isinstance(one, (str, PathLike)))

    @property
    def of_files(self) -> dict[str, Any]:
        """What `motionloom.io.load` is told."""
        time = None if self.rate is None else 1.0 / self.rate
        return {"unit": self.unit, "up": self.up, "skeleton": self.skeleton, "frame_time": time}

    def read_roles(self, skeleton: Skeleton) -> Roles | None:
        """Roles of a skeleton's joints by the table; None without one, as they are found then."""
        from motionloom.io.roles_table import read_roles

        if isinstance(self.roles, (str, PathLike)):
            return read_roles(self.roles, skeleton)
        return cast("Roles | None", self.roles)


def read_clip_set(
    place: Place,
    options: ReadOptions | None = None,
    progress: Progress = silent,
    tell: Tell = quiet,
) -> ClipSet:
    """Read the clips of a place as one set.

    Parameters
    ----------
    place : Place
        A library or files.
    options : ReadOptions, optional
        How they are read.
    progress : Progress
        Told of every file.
    tell : callable
        Takes a line for everything that was guessed or mended.

    Returns
    -------
    ClipSet

    Raises
    ------
    InvalidInputError
        When a library is at another frame rate than asked for, or a pattern matches no clip.

    Examples
    --------
    >>> read_clip_set(find_place([str(demo / "clips/stand.bvh")])).names
    ('stand',)
    """
    from motionloom.clips.choose import choose_clips
    from motionloom.clips.clip_set import make_clip_set
    from motionloom.library import open_library
    from motionloom.library.clip_set import clip_set_from_library

    options = options or ReadOptions()
    if place.library is not None:
        _refuse_told(place.library, options)
        library = open_library(place.library)
        if options.fps is not None and abs(options.fps / library.fps - 1) > 1e-4:
            raise InvalidInputError(
                f"{place.library}: this library is at {library.fps:g} frames per second, not"
                f" {options.fps:g}; ask for its rate, or create a library at yours"
            )
        names = choose_clips(library.names, options.only, options.without)
        return clip_set_from_library(library, names, progress, mirror=options.mirror)
    motions = read_files(place.files, options, progress, tell)
    if options.needed is not None:
        motions = _without_strays(motions, options.needed, tell)
    roles = options.read_roles(motions[0].skeleton)
    return make_clip_set(
        motions, options.fps or DEFAULT_FPS, roles, progress, mirror=options.mirror
    )


def _without_strays(
    motions: list[Motion], needed: Callable[[str], bool], tell: Tell
) -> list[Motion]:
    """Clips without those of another skeleton, unless one of these is needed."""
    from motionloom.clips.prepare import label_of
    from motionloom.clips.same_skeleton import skeletons_differ, without_strays

    kept, strays = without_strays(motions)
    if any(needed(one.name) for one in strays):
        return motions
    found = [
        f"{label_of(one)} is left out: it and {kept[0].name} {skeletons_differ(kept[0], one)};"
        " retarget it to use it"
        for one in strays
    ]
    warn(found, tell)
    return kept


def _refuse_told(library: Path, options: ReadOptions) -> None:
    """What is said of files is nothing to a library, which has read them."""
    told = {"unit of length": options.unit, "up axis": options.up, "frame rate": options.rate}
    for what, value in told.items():
        if value is not None:
            raise InvalidInputError(
                f"{library}: the {what} of files is told where they are added to the library; leave"
                " it out here, or add the clips again with it"
            )


def read_motions(
    place: Place,
    options: ReadOptions | None = None,
    progress: Progress = silent,
    tell: Tell = quiet,
) -> list[Motion]:
    """Read a place's motions, each at its file's or library's rate.

    Parameters
    ----------
    place : Place
        A library or files.
    options : ReadOptions, optional
        How they are read, and which are wanted; rate and mirrored copies do not count.
    progress : Progress
        Told of every file; not used for a library.
    tell : callable
        Takes a line for everything that was guessed or mended; not used for a library.

    Returns
    -------
    list of Motion
        Under names that all differ.

    Raises
    ------
    MotionloomError
        When a file cannot be read, a pattern matches no clip, or options of files are given for a
        library.

    Examples
    --------
    >>> len(read_motions(find_place([str(demo / "clips/walk_*.bvh")])))
    5
    """
    from motionloom.clips.choose import choose_clips
    from motionloom.library import open_library

    options = options or ReadOptions()
    if place.library is None:
        return read_files(place.files, options, progress, tell)
    _refuse_told(place.library, options)
    library = open_library(place.library)
    names = choose_clips(library.names, options.only, options.without)
    return [library.frames(name).motion for name in names]


def read_files(
    files: Sequence[Path],
    options: ReadOptions | None = None,
    progress: Progress = silent,
    tell: Tell = quiet,
) -> list[Motion]:
    """Read clips from files, under names that all differ.

    Of roles that had to be guessed nothing is told where a table says them.

    Parameters
    ----------
    files : sequence of Path
        In the order in which they are read.
    options : ReadOptions, optional
        How they are read, and which are wanted.
    progress : Progress
        Told of every file.
    tell : callable
        Takes a line for everything that was guessed or mended.

    Returns
    -------
    list of Motion
        In the order of the files, each at its own rate.

    Raises
    ------
    MotionloomError
        When a file cannot be read, or a pattern matches no clip.

    Examples
    --------
    >>> [motion.name for motion in read_files([demo / "clips/stand.bvh"])]
    ['stand']
    """
    from motionloom.clips.choose import choose_clips
    from motionloom.io import load_motion

    options = options or ReadOptions()
    motions = []
    for i, path in enumerate(files):
        progress("reading clips", i, len(files))
        motions.append(load_motion(path, **options.of_files))
    progress("reading clips", len(files), len(files))
    _tell_guesses(files, motions, options, tell)
    named = _with_distinct_names(files, motions, tell)
    chosen = set(choose_clips([m.name for m in named], options.only, options.without))
    return [m for m in named if m.name in chosen]


def _tell_guesses(
    files: Sequence[Path], motions: Sequence[Motion], options: ReadOptions, tell: Tell
) -> None:
    from motionloom.roles import DOUBT

    is_told = options.roles is not None
    rows = zip(files, motions, strict=True)
    guesses = [(str(path), text) for path, m in rows for text in m.source.warnings]
    warn_about((guess for guess in guesses if not (is_told and guess[1].startswith(DOUBT))), tell)


def _with_distinct_names(
    files: Sequence[Path], motions: Sequence[Motion], tell: Tell
) -> list[Motion]:
    names = distinct_names(files, [m.name for m in motions])
    rows = list(zip(files, motions, names, strict=True))
    renamed = [f"{path} is called {name}" for path, m, name in rows if m.name != name]
    if renamed:
        more = " ..." if len(renamed) > 3 else ""
        warn([f"clips of one name: {'; '.join(renamed[:3])}{more}"], tell)
    return [m if m.name == name else replace(m, name=name) for _, m, name in rows]


def motions_of(
    clips: Clips, options: ReadOptions | None = None, progress: Progress = silent
) -> list[Motion]:
    """Clips as motions, whether they are loaded or named.

    What was guessed or mended while files were read comes as Python warnings.

    Parameters
    ----------
    clips : path-like, Motion, ClipSet, Place, or sequence of path-like and Motion
        Files, folders, patterns, a library, or what was loaded.
    options : ReadOptions, optional
        How files are read.
    progress : Progress
        Told of every file.

    Returns
    -------
    list of Motion
        First those that were read.

    Raises
    ------
    MotionloomError
        When a file cannot be read, or nothing was named.

    Examples
    --------
    >>> [motion.name for motion in motions_of(demo / "clips/stand.bvh")]
    ['stand']
    """
    from motionloom.clips.clip_set import ClipSet

    if isinstance(clips, ClipSet):
        return list(clips.motions)
    if options is not None and (options.fps is not None or options.mirror):
        raise InvalidInputError("fps and mirror are of sets of clips; leave them out")
    loaded, place = _named(clips)
    read = [] if place is None else read_motions(place, options, progress, as_warning)
    return [*read, *loaded]


def motion_of(
    clip: Clips, options: ReadOptions | None = None, progress: Progress = silent
) -> Motion:
    """One motion, whether it is loaded or named.

    Parameters
    ----------
    clip, options, progress
        As of `motions_of`.

    Returns
    -------
    Motion

    Raises
    ------
    MotionloomError
        When it cannot be read, has no frames, or there are several.
    """
    motions = motions_of(clip, options, progress)
    name = clip.library or clip.files[0] if isinstance(clip, Place) else clip
    named = f"{name}: " if isinstance(name, (str, PathLike)) else ""
    if len(motions) != 1:
        raise InvalidInputError(f"{named}expected one motion, got {len(motions)}")
    if not motions[0].n_frames:
        raise InvalidInputError(f"{named}the motion has no frames")
    return motions[0]


def clip_set_of(
    clips: Clips, options: ReadOptions | None = None, progress: Progress = silent
) -> ClipSet:
    """Clips as one set, whether they are loaded or named.

    Parameters
    ----------
    clips : path-like, Motion, ClipSet, or sequence of path-like and Motion
        As of `motions_of`.
    options : ReadOptions, optional
        Rate of the set, and how files are read.
    progress : Progress
        Told of every file and clip.

    Returns
    -------
    ClipSet
        A clip set as it is.

    Raises
    ------
    MotionloomError
        As of `read_clip_set`.

    Examples
    --------
    >>> clips = clip_set_of(demo / "clips/walk_*.bvh", ReadOptions(fps=15.0))
    >>> clips.fps, clips.n_clips
    (15.0, 5)
    """
    from motionloom.clips.clip_set import ClipSet, make_clip_set

    options = options or ReadOptions()
    if isinstance(clips, ClipSet):
        if options.roles is not None or options.mirror:
            raise InvalidInputError(
                "a clip set has its roles and mirrored copies; leave roles and mirror out"
            )
        return clips
    loaded, place = _named(clips)
    if place is not None and not loaded:
        return read_clip_set(place, options, progress, as_warning)
    motions = motions_of(clips, replace(options, fps=None, mirror=False), progress)
    roles = options.read_roles(motions[0].skeleton)
    return make_clip_set(motions, options.fps, roles, progress, mirror=options.mirror)


def _named(clips: Any) -> tuple[list[Motion], Place | None]:
    """Motions that are loaded, and the place of those that are named."""
    from motionloom.motion import Motion

    if isinstance(clips, Place):
        return [], clips
    several = isinstance(clips, Iterable) and not isinstance(clips, (str, PathLike, Motion))
    given = list(clips) if several else [clips]
    loaded = [one for one in given if isinstance(one, Motion)]
    names = [fspath(one) for one in given if isinstance(one, (str, PathLike))]
    if len(loaded) + len(names) < len(given) or not given:
        raise InvalidInputError(
            "expected motions, or names of files, folders or a library; got"
            f" {'none' if not given else repr(given)[:60]}"
        )
    if not names:
        return loaded, None
    place = find_place(names)
    tell_skipped(place.skipped, as_warning)
    return loaded, place
