"""Fault: something in a motion that the clips do not show, with when, how much and how much they
show.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Fault:
    """Something that an animator would send back, or look at twice.

    Parameters
    ----------
    kind : str
        ``"burst"``, ``"gait switch"``, ``"floating"``, ``"gliding"``, ``"fidgeting"``,
        ``"detour"``, ``"jump"``, ``"gesture"``, ``"loop"``, ``"style switch"``, ``"deep bend"``
        or ``"pop"``.
    begin, end : float, seconds
    value : float
        What was measured, in the unit that the text names.
    limit : float
        The clips' own.
    grave : bool
        Whether the limit is passed by so wide a margin that no captured clip does it; else it is
        worth a look.
    text : str
        One sentence.
    """

    kind: str
    begin: float
    end: float
    value: float
    limit: float
    grave: bool
    text: str

    @property
    def excess(self) -> float:
        """How many times the limit was measured."""
        return self.value / self.limit if self.limit > 0 else np.inf
