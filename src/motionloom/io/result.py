"""What a job hands back: motions with a report, or a learned model, ready to be saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeVar

from motionloom.errors import InvalidInputError
from motionloom.io.files import name_of
from motionloom.io.registry import SCENE_SUFFIXES, save, save_scene
from motionloom.motion import Motion
from motionloom.typing import PathName

T = TypeVar("T")
#: Format of the motions that are saved in a folder.
_IN_FOLDER = ".bvh"


@dataclass(frozen=True, eq=False)
class Result:
    """Motions that a job made, and their report.

    Parameters
    ----------
    motions : mapping of str to Motion
        By the name of the clip or character.
    report : object
        With ``to_text()``, ``to_json()`` and ``problems``.
    details : object
        Everything that the method found, such as alternatives and contacts.
    asked : object
        The constraints that the motion was made for, where there are some.
    write : callable
        Writes one of the motions into a file.

    Examples
    --------
    >>> result = ml.retarget(demo / "clips/reach_right_low.bvh", to="performer:1.6")
    >>> result.problems, list(result.motions)
    ((), ['reach_right_low'])
    """

    motions: Mapping[str, Motion]
    report: Any
    details: Any = None
    asked: Any = None
    write: Callable[..., None] = save

    @property
    def motion(self) -> Motion:
        """The motion, where there is one.

        Raises
        ------
        InvalidInputError
            When there are several.

        Examples
        --------
        >>> Result({"anna": walk, "ben": walk}, report=None).motion
        Traceback (most recent call last):
        motionloom.errors.InvalidInputError: there are 2 motions (anna, ben); ...
        """
        if len(self.motions) != 1:
            message = f"there are {len(self.motions)} motions ({', '.join(self.motions)});"
            raise InvalidInputError(f"{message} take one of 'motions' by its name")
        return next(iter(self.motions.values()))

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it should be, one sentence each; none for a clean result."""
        return tuple(getattr(self.report, "problems", ()))

    def save(self, path: PathName, **options: Any) -> None:
        """Save the motion, or all of several.

        Parameters
        ----------
        path : path-like
            A file, whose suffix names the format. Several motions go into one scene (``.glb``,
            ``.fbx``, ``.usda``), or as BVH files into a folder, a name without suffix.
        **options
            Of the format, as `motionloom.save` has them; none for several motions.

        Raises
        ------
        InvalidInputError
            When the format cannot hold the motions, or the file cannot be written.

        Examples
        --------
        >>> Result({"walk": walk}, report=None).save("walk.glb")
        >>> Result({"anna": walk, "ben": walk}, report=None).save("both")  # a folder
        >>> from pathlib import Path
        >>> sorted(path.name for path in Path("both").iterdir())
        ['anna.bvh', 'ben.bvh']
        """
        place = Path(fspath(path))
        if len(self.motions) == 1:
            self.write(self.motion, place, **options)
        elif place.suffix.lower() in SCENE_SUFFIXES:
            save_scene(self.motions, place, name_of(place))
        elif place.suffix:
            raise InvalidInputError(
                f"{place}: {len(self.motions)} motions are saved as {', '.join(SCENE_SUFFIXES)}, or"
                " in a folder, a name without suffix; name one"
            )
        else:
            place.mkdir(parents=True, exist_ok=True)
            for name, motion in self.motions.items():
                self.write(motion, place / f"{name}{_IN_FOLDER}", **options)

    def __repr__(self) -> str:
        problems = self.problems
        said = f"{len(problems)} problems; the first: {problems[0]}" if problems else "no problems"
        shown = "\n  ".join(repr(motion) for motion in self.motions.values())
        return f"<{type(self).__name__}: {said}\n  {shown}>"

    def _repr_html_(self) -> str:
        return "".join(motion._repr_html_() for motion in self.motions.values())


@dataclass(frozen=True, eq=False)
class Learned:
    """A model that was learned from clips or markers.

    Parameters
    ----------
    model : object
        What was learned.
    report : object
        What it holds, with ``to_text()`` and ``to_json()``.
    write : callable
        Writes the model to a path.
    notes : tuple of str
        What was guessed or left out, one sentence each.
    details : object
        What was found on the way, such as the strides of each clip.
    """

    model: Any
    report: Any
    write: Callable[[Any, Path], None]
    notes: tuple[str, ...] = ()
    details: Any = None

    def save(self, path: PathName) -> None:
        """Save the model; `make` and the command line take the file.

        Parameters
        ----------
        path : path-like
            A name that ends in ``.npz``.

        Raises
        ------
        InvalidInputError
            When the name has another ending, or the file cannot be written.
        """
        if Path(path).suffix.lower() != ".npz":
            raise InvalidInputError(f"{fspath(path)}: expected a name that ends in .npz")
        self.write(self.model, Path(path))

    def __repr__(self) -> str:
        return f"<Learned {type(self.model).__name__}\n{self.report.to_text()}>"


def model_of(given: Any, load: Callable[[PathName], T], kind: type[T]) -> T:
    """A model as it is, or loaded from the file that it is named by.

    Parameters
    ----------
    given : path-like, Learned or object
        What a user has.
    load : callable
        Reads a file of such a model.
    kind : type
        Of the model.

    Returns
    -------
    object
        The model itself.

    Raises
    ------
    InvalidInputError
        When it is something else.
    MotionloomError
        When the file cannot be read.

    Examples
    --------
    >>> model_of("reaches.npz", load=lambda path: f"read from {path}", kind=str)
    'read from reaches.npz'
    """
    if isinstance(given, (str, PathLike)):
        return load(given)
    model = given.model if isinstance(given, Learned) else given
    if not isinstance(model, kind):
        message = f"expected a {kind.__name__}, what was learned, or the name of its file, got"
        raise InvalidInputError(f"{message} {model!r:.60}")
    return model
