"""What a reader had to mend or guess, for `Source.warnings`; in strict mode mending is refused."""

from __future__ import annotations

from motionloom.errors import FormatError
from motionloom.io.limits import MOST_MENDED
from motionloom.typing import PathName


class Notes:
    """Collects the warnings of one file.

    Parameters
    ----------
    path : path-like
        The file.
    strict : bool
        Whether `mended` raises instead of noting. Guesses (unit, up axis) break no rule of a format
        and never raise.
    """

    def __init__(self, path: PathName, strict: bool = False) -> None:
        self.path = path
        self.strict = strict
        self._texts: list[str] = []
        self._mended = 0

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything noted so far."""
        return tuple(self._texts)

    def mended(self, message: str, line: int | None = None) -> None:
        """Note that the file breaks its format and how that was read.

        Parameters
        ----------
        message : str
            What is wrong and how it was read.
        line : int, optional
            Line of the file, counted from 1.

        Raises
        ------
        FormatError
            In strict mode, or for one mistake too many.

        Examples
        --------
        >>> notes = Notes("walk.bvh")
        >>> notes.mended("a joint without a name is called joint_3", line=12)
        >>> notes.texts
        ('line 12: a joint without a name is called joint_3',)
        """
        if self.strict:
            raise FormatError(f"{message} (refused because strict)", self.path, line)
        self._mended += 1
        if self._mended > MOST_MENDED:
            told = f"more than {MOST_MENDED} mistakes, here: {message[:200]}; the file is damaged,"
            raise FormatError(f"{told} export it again", self.path, line)
        self._texts.append(message if line is None else f"line {line}: {message}")

    def guessed(self, message: str) -> None:
        """Note a guess about something the format does not say.

        Examples
        --------
        >>> notes = Notes("walk.bvh")
        >>> notes.guessed("1 unit is taken as 1 cm")
        >>> notes.texts
        ('1 unit is taken as 1 cm',)
        """
        self._texts.append(message)

    def error(self, message: str, line: int | None = None) -> FormatError:
        """Error about the file, to be raised.

        Parameters
        ----------
        message : str
            What is wrong and what to do.
        line : int, optional
            Line of the file, counted from 1.

        Returns
        -------
        FormatError
            Names the file and the line.

        Examples
        --------
        >>> print(Notes("walk.bvh").error("expected a number", line=4))
        walk.bvh:4: expected a number
        """
        return FormatError(message, self.path, line)
