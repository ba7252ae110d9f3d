"""The vocabulary of meetings: when two of a shot are face to face, and what of them touches."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.constraints.scene import Encounter, Meeting
from motionloom.constraints.values import field_error
from motionloom.shot.script.times import When
from motionloom.shot.script.values import Place, entry


class Meet(Encounter):
    """Two characters stand in a given relation to each other at a time, and joints of them touch.

    Who comes to it by a walk without a place ends that walk where the meeting wants them.

    Parameters
    ----------
    time : float or str
        Seconds, a mark, or the begin or end of a span of somebody: ``anna.come.end+0.5``.
    position : str or tuple of (float, float), optional
        The middle between the two; follows from where they stand when not given.
    """

    time: When
    position: Place | None = entry("a mark, or a place [x, z]", "door")

    def at(self, seconds: float) -> Meeting:
        """The same at a known time, wherever that is.

        Parameters
        ----------
        seconds : float
            From the begin of the shot.

        Returns
        -------
        Meeting
        """
        facts = {name: getattr(self, name) for name in Encounter.model_fields}
        return Meeting(time=seconds, **facts)

    def check_between(self, index: int, cast: Sequence[str]) -> None:
        """Refuse who is not in the cast, and meetings that say too little.

        Parameters
        ----------
        index : int
            Of the meeting in the shot.
        cast : sequence of str
            Names of the characters.

        Raises
        ------
        PydanticCustomError
            Of the field.
        """
        for k, name in enumerate(self.between):
            if name not in cast:
                raise field_error(
                    ("meet", index, "between", k),
                    f"nobody in the cast is called {name!r}; use one of {', '.join(cast)}",
                )
        if self.between[0] == self.between[1]:
            raise field_error(
                ("meet", index, "between"),
                f"{self.between[0]} cannot meet itself; name two characters",
            )
        if self.distance is None and self.poses is None:
            raise field_error(
                ("meet", index, "distance"),
                "missing; expected a distance in metres, or poses that were captured together;"
                " write for example 'distance: 0.8'",
            )
