"""Colours that tell characters of a scene apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: 8-bit red, green and blue of the first character, the second ...; told apart by the colour-blind
#: too (Okabe and Ito 2008, Color Universal Design).
CHARACTER_COLORS = (
    (0, 114, 178),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (230, 159, 0),
    (90, 90, 96),
)
#: How much darker the left and lighter the right of the body is.
_LEFT, _RIGHT = 0.72, 0.35


def character_colors(index: int) -> NDArray[np.uint8]:
    """Colours (3, 3) of a character's middle, its left (darker) and its right (lighter)."""
    color = np.array(CHARACTER_COLORS[index % len(CHARACTER_COLORS)], float)
    return np.array([color, _LEFT * color, color + _RIGHT * (255 - color)]).round().astype(np.uint8)
