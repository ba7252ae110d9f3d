"""Styles on the way: which one is asked for when, eased in and out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.curves import smoothstep
from motionloom.typing import Array

#: A style comes and goes over this time, about a cycle, half of it within its span; seconds.
EASE_TIME = 1.2


@dataclass(frozen=True)
class StyleSpan:
    """A style from a time to another.

    Parameters
    ----------
    begin, end : float, seconds
        When.
    style : str
        One of the space's.
    """

    begin: float
    end: float
    style: str


def style_shares(spans: Sequence[StyleSpan], n_frames: int, fps: float) -> dict[str, Array]:
    """How much of every style there is in every frame.

    Parameters
    ----------
    spans : sequence of StyleSpan
        They may overlap: styles that together ask for more than all of a body share it.
    n_frames : int
        Frames T of the motion.
    fps : float
        Frames per second.

    Returns
    -------
    dict of str to array of shape (T,)
        By style, from 0 to 1; what is left is the ordinary way.
    """
    now = np.arange(n_frames) / fps
    last = now[-1] if n_frames else 0.0
    shares: dict[str, Array] = {}
    for span in spans:
        risen = smoothstep((now - span.begin) / EASE_TIME + 0.5) if span.begin > 0 else 1.0
        gone = smoothstep((now - span.end) / EASE_TIME + 0.5) if span.end < last - 1e-9 else 0.0
        own = np.clip(risen - gone, 0.0, 1.0) * np.ones(n_frames)
        shares[span.style] = np.maximum(shares.get(span.style, 0.0), own)
    total = np.maximum(np.sum(list(shares.values()), axis=0), 1.0)
    return {style: own / total for style, own in shares.items()}
