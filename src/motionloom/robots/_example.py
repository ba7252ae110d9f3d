"""A plain humanoid of 29 hinges that comes with the library, to try things on."""

from __future__ import annotations

from importlib import resources

EXAMPLE = "humanoid29.xml"


def example_robot() -> str:
    """MJCF model of a plain humanoid: legs of six hinges, a waist of three, arms of seven.

    Returns
    -------
    str
        XML, for a file of your own.

    Examples
    --------
    >>> example_robot().startswith("<mujoco")
    True
    """
    return resources.files("motionloom.robots").joinpath(EXAMPLE).read_text()
