"""What may be asked of somebody who waits while they are streamed: one JSON object a datagram."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel

from motionloom.io.stored import Facts, Fault, read_facts

#: Longest datagram that is read, bytes.
MOST_BYTES = 4096
_Metres = Annotated[float, Field(ge=-1000.0, le=1000.0)]
_Name = Annotated[str, Field(min_length=1, max_length=100)]


class Play(Facts):
    """``{"do": "play", "clip": NAME}``: a gesture that the stream was started with."""

    do: Literal["play"]
    clip: _Name
    joints: Annotated[tuple[_Name, ...], Field(max_length=100)] | None = None
    priority: Annotated[int, Field(ge=-1000, le=1000)] = 0
    ease: Annotated[float, Field(ge=0.0, le=10.0)] | None = None


class Stop(Facts):
    """``{"do": "stop", "clip": NAME}``: let a gesture go."""

    do: Literal["stop"]
    clip: _Name
    ease: Annotated[float, Field(ge=0.0, le=10.0)] | None = None


class Mood(Facts):
    """``{"do": "mood", "liveliness": 0.5, "restlessness": 2}``: from the next rest on."""

    do: Literal["mood"]
    liveliness: Annotated[float, Field(ge=0.0, le=10.0)] = 1.0
    restlessness: Annotated[float, Field(ge=0.01, le=100.0)] = 1.0


class Look(Facts):
    """``{"do": "look", "at": [x, y, z]}``: at a point, metres; without one as the person waits."""

    do: Literal["look"]
    at: tuple[_Metres, _Metres, _Metres] | None = None


class Quit(Facts):
    """``{"do": "quit"}``: end the stream."""

    do: Literal["quit"]


Command = Play | Stop | Mood | Look | Quit


class _Datagram(RootModel[Annotated[Command, Field(discriminator="do")]]):
    """What a datagram holds."""


def read_command(datagram: bytes) -> Command | None:
    """A command out of a datagram, None where it is none.

    Parameters
    ----------
    datagram : bytes
        From the network: anything.

    Returns
    -------
    Play, Stop, Mood, Look, Quit or None
    """
    if len(datagram) > MOST_BYTES:
        return None
    try:
        return read_facts(_Datagram, datagram).root
    except Fault:
        return None
