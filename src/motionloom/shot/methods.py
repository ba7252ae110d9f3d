"""Methods that have learned from clips, each once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from motionloom.clips.analysis import AnalysedClips
from motionloom.inbetween.generator import InbetweenGeneratorOptions
from motionloom.io.kept import KeptFolder
from motionloom.progress import Progress, silent
from motionloom.synthesis.generator import Fitted, find_generator


@dataclass(eq=False)
class Methods:
    """Methods that have learned from the clips of a character; all its stages share them.

    Parameters
    ----------
    kept : KeptFolder, optional
        Where what takes long to learn stays for the next time.
    """

    kept: KeptFolder | None = None
    _fitted: dict[tuple[str, str], Fitted] = field(default_factory=dict, init=False, repr=False)

    def fit(
        self,
        generator: str,
        clips: AnalysedClips,
        options: Any = None,
        progress: Progress = silent,
    ) -> Fitted:
        """A method that has learned from clips, with options of its own.

        Parameters
        ----------
        generator : str
            Its name.
        clips : AnalysedClips
            The same ones at every call.
        options : object, optional
            Of that method.
        progress : Progress
            Told how far learning is.

        Returns
        -------
        Fitted

        Raises
        ------
        MotionloomError
            When the clips are none to learn from.
        """
        key = (generator, repr(options))
        if key not in self._fitted:
            method = find_generator(generator)
            self._fitted[key] = method.fit(clips, self._with_folder(options), progress)
        return self._fitted[key]

    def has(self, generator: str, options: Any = None) -> bool:
        """Whether `fit` answers at once."""
        return (generator, repr(options)) in self._fitted

    def once(self, name: str, learn: Callable[[], Fitted]) -> Fitted:
        """What is learned otherwise than `fit` does it, once, under a name of its own."""
        key = (name, "")
        if key not in self._fitted:
            self._fitted[key] = learn()
        return self._fitted[key]

    def _with_folder(self, options: Any) -> Any:
        """Options with the folder where what is learned stays."""
        if self.kept is None or not isinstance(options, InbetweenGeneratorOptions):
            return options
        return replace(options, kept=self.kept)
