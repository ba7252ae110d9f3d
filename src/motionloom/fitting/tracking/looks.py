"""Looks: what the markers of many frames say, as kernels take it."""

from __future__ import annotations

from typing import NamedTuple

from motionloom.typing import Array


class Looks(NamedTuple):
    """What is known of every frame.

    Parameters
    ----------
    observed : array of shape (T, M, 3), metres
        Where markers were seen.
    trust : array of shape (T, M)
        Weight of each before its variance, 0 where it was not seen.
    holds : array of shape (T, K)
        Share of its weight that the rest pose has.
    """

    observed: Array
    trust: Array
    holds: Array
