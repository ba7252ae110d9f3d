"""A person who waits, streamed frame by frame at the clock's pace, listening to commands.

What may be asked of somebody who waits while they are streamed: one JSON object a datagram.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import Field, RootModel

from motionloom.errors import InvalidInputError, MissingExtraError, MotionloomError
from motionloom.idle.over.layers import Layer, make_layer
from motionloom.idle.streams.stream import IdleStream, IdleStreamOptions
from motionloom.io.stored import Facts, Fault, read_facts
from motionloom.motion import Motion
from motionloom.options import check_options, option_field
from motionloom.reports import Report, Reported, Row, rows_of, shown
from motionloom.roles import Roles
from motionloom.typing import Array

if TYPE_CHECKING:
    from pythonosc.osc_message import OscMessage

_LIMBS = {
    **{"shoulder": "UpperArm", "elbow": "LowerArm", "hand": "Hand"},
    **{"hip": "UpperLeg", "knee": "LowerLeg", "foot": "Foot", "toe": "Toes"},
}
#: Unity's names of humanoid bones by our roles.
BONES: Mapping[str, str] = {
    **{role: role.capitalize() for role in ("hips", "spine", "chest", "neck", "head")},
    **{f"{s}_{part}": s.capitalize() + _LIMBS[part] for s in ("left", "right") for part in _LIMBS},
}


class JsonProtocol:
    """One JSON object a frame, in metres and quaternions (w, x, y, z), +Y up, +Z forward.

    ``{"frame": n, "time": s, "root": [x, y, z], "rotations": {"Hips": [w, x, y, z], ...}}``, with
    rotations relative to the parents.

    Parameters
    ----------
    roles : Roles
        Not needed here.
    """

    def __init__(self, roles: Roles) -> None:
        del roles

    def encode(self, motion: Motion, frame: int, time: float) -> bytes:
        """A frame of a motion as one datagram.

        Parameters
        ----------
        motion : Motion
            Only its root has positions.
        frame : int
            Of the motion.
        time : float, seconds
            Since the stream began.

        Returns
        -------
        bytes
            UTF-8, ending in a line feed.
        """
        names = motion.skeleton.names
        turns = np.round(motion.rotations[frame], 6).tolist()
        message = {
            "frame": round(time * motion.fps),
            "time": round(time, 6),
            "root": np.round(motion.translations[frame, 0], 6).tolist(),
            "rotations": dict(zip(names, turns, strict=True)),
        }
        return (json.dumps(message, separators=(",", ":")) + "\n").encode()


class VmcProtocol:
    """One OSC bundle a frame: ``/VMC/Ext/OK``, ``T``, ``Root/Pos`` and ``Bone/Pos`` of each bone.

    Parameters
    ----------
    roles : Roles
        Joints without a role are not told.
    """

    def __init__(self, roles: Roles) -> None:
        try:
            from pythonosc import osc_bundle_builder, osc_message_builder
        except ImportError:
            raise MissingExtraError("python-osc", "live", "VMC") from None
        self._bundle = osc_bundle_builder.OscBundleBuilder
        self._now = osc_bundle_builder.IMMEDIATELY
        self._message = osc_message_builder.OscMessageBuilder
        self._bones = [(BONES[role], joint) for role, joint in roles.joints.items()]

    def encode(self, motion: Motion, frame: int, time: float) -> bytes:
        """A frame of a motion as one datagram.

        Parameters
        ----------
        motion : Motion
            Only its root has positions.
        frame : int
            Of the motion.
        time : float, seconds
            Since the stream began.

        Returns
        -------
        bytes
            An OSC bundle.
        """
        bundle = self._bundle(self._now)
        bundle.add_content(self._built("/VMC/Ext/OK", 1))
        bundle.add_content(self._built("/VMC/Ext/T", float(time)))
        still = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
        bundle.add_content(self._built("/VMC/Ext/Root/Pos", "root", *still))
        offsets = motion.skeleton.offsets
        for name, joint in self._bones:
            place = motion.translations[frame, 0] if joint == 0 else offsets[joint]
            values = (*unity_place(place), *unity_turn(motion.rotations[frame, joint]))
            bundle.add_content(self._built("/VMC/Ext/Bone/Pos", name, *values))
        return bundle.build().dgram

    def _built(self, address: str, *values: str | int | float) -> OscMessage:
        message = self._message(address=address)
        for value in values:
            kind = "s" if isinstance(value, str) else "i" if isinstance(value, int) else "f"
            message.add_arg(value, kind)
        return message.build()


def unity_place(place: Array) -> tuple[float, float, float]:
    """A place in Unity's left-handed space: what was to the left is -X."""
    x, y, z = (float(value) for value in place)
    return -x, y, z


def unity_turn(quaternion: Array) -> tuple[float, float, float, float]:
    """A rotation (w, x, y, z) in Unity's space, as x, y, z, w."""
    w, x, y, z = (float(value) for value in quaternion)
    return x, -y, -z, w


#: How a frame becomes a datagram.
Protocol = JsonProtocol | VmcProtocol
#: Protocols by the names under which they are asked for.
PROTOCOLS: Mapping[str, type[Protocol]] = {"vmc": VmcProtocol, "json": JsonProtocol}


#: Longest datagram that is read, bytes.
MOST_BYTES = 4096
_Metres = Annotated[float, Field(ge=-1000.0, le=1000.0)]
_Name = Annotated[str, Field(min_length=1, max_length=100)]

#: This machine only.
LOOPBACK = "127.0.0.1"
#: Frames are made for so many seconds in one go; commands are obeyed from the next one on.
AHEAD = 0.1
#: Most commands that are looked at between two frames.
_MOST_COMMANDS = 32
#: Most gestures that play at a time.
MOST_LAYERS = 16


@dataclass(frozen=True)
class ServerOptions:
    """Where poses go and commands come from.

    Parameters
    ----------
    host : str
        Address that poses go to; commands are taken from it too.
    port : int
        UDP port that poses go to; 39539 is where VMC is received.
    listen : int
        UDP port that commands come in on; 0 for any that is free.
    bind : str
        Address to listen on: this machine only unless told.
    """

    host: str = option_field(LOOPBACK, "Address that poses go to.", unit="ADDRESS")
    port: int = option_field(39539, "UDP port that they go to.", minimum=1, maximum=65535)
    listen: int = option_field(
        0, "UDP port for commands; 0 is any that is free.", minimum=0, maximum=65535
    )
    bind: str = option_field(LOOPBACK, "Address that commands are taken at.", unit="ADDRESS")

    def __post_init__(self) -> None:
        check_options(self)


@dataclass
class ServerCounts(Reported):
    """What happened while it ran.

    Parameters
    ----------
    frames : int
        Frames that were sent.
    late : int
        Frames that were sent after the next one was due.
    commands, ignored : int
        Datagrams that were commands, and that were none or asked for what is not there.
    lateness : list of float, seconds
        Of every frame, behind when it was due.
    """

    frames: int = field(default=0, metadata=shown("frames"))
    late: int = field(default=0, metadata=shown("frames late"))
    commands: int = field(default=0, metadata=shown("commands"))
    ignored: int = field(default=0, metadata=shown("datagrams ignored"))
    lateness: list[float] = field(default_factory=list)

    def as_report(self) -> Report:
        """Counts, and how far frames were behind."""
        late = np.quantile(self.lateness or [0.0], (0.5, 0.99))
        behind = Row("", "behind (median, 99 %)", late, "ms", factor=1e3)
        return self.compose("Idle motion sent", *rows_of(self), behind)


class IdleServer:
    """Sends frames when they are due.

    Parameters
    ----------
    stream : IdleStream
        Who waits.
    protocol : Protocol
        How frames become datagrams.
    options : ServerOptions, optional
        Where they go.
    gestures : mapping of str to Motion, optional
        Clips that commands may name; no other file is ever opened.

    Raises
    ------
    InvalidInputError
        When a clip is of another skeleton.
    """

    def __init__(
        self,
        stream: IdleStream,
        protocol: Protocol,
        options: ServerOptions | None = None,
        gestures: Mapping[str, Motion] | None = None,
    ) -> None:
        self.stream = stream
        self.protocol = protocol
        self.options = options or ServerOptions()
        self.gestures = dict(gestures or {})
        for clip in self.gestures.values():
            # One that cannot be played is refused now, not ignored when a command asks for it.
            make_layer(clip, stream.model.space, stream.fps, 0)
        self.counts = ServerCounts()
        self._playing: dict[str, Layer] = {}
        self._going = True

    def run(
        self, seconds: float | None = None, ready: Callable[[int], object] | None = None
    ) -> ServerCounts:
        """Stream until told to quit.

        Parameters
        ----------
        seconds : float, optional
            For so long at most.
        ready : function, optional
            Told the port that commands come in on, once it is open.

        Returns
        -------
        ServerCounts

        Raises
        ------
        InvalidInputError
            When a port cannot be opened, or the host has no address.
        """
        self._to = (self._find_host(), self.options.port)
        with self._open() as port:
            if ready is not None:
                ready(port.getsockname()[1])
            self._stream(port, seconds)
        return self.counts

    def _find_host(self) -> str:
        """Address of the host, looked up once: a look-up for each frame would hold them up."""
        try:
            return socket.gethostbyname(self.options.host)
        except (OSError, UnicodeError):
            raise InvalidInputError(
                f"there is no machine {self.options.host!r}; give a name or an IPv4 address"
                " that poses go to"
            ) from None

    def _open(self) -> socket.socket:
        port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            port.bind((self.options.bind, self.options.listen))
        except OSError as error:
            port.close()
            raise InvalidInputError(
                f"cannot listen on {self.options.bind} port {self.options.listen}:"
                f" {error.strerror}; give another port"
            ) from None
        port.setblocking(False)
        return port

    def _stream(self, port: socket.socket, seconds: float | None) -> None:
        rate = self.stream.fps
        block = max(1, round(AHEAD * rate))
        made = self.stream.frames(block)
        begun = time.perf_counter()
        while self._going and (seconds is None or self.counts.frames < seconds * rate):
            for i in range(block):
                self._send_when_due(port, made, i, begun + self.counts.frames / rate)
            self._obey(port)
            made = self.stream.frames(block)

    def _send_when_due(self, port: socket.socket, made: Motion, i: int, due: float) -> None:
        data = self.protocol.encode(made, i, self.counts.frames / self.stream.fps)
        wait = due - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        # Where nobody listens at the moment, the stream goes on for when they do.
        with suppress(OSError):
            port.sendto(data, self._to)
        behind = time.perf_counter() - due
        self.counts.lateness.append(behind)
        self.counts.late += behind > 1.0 / self.stream.fps
        self.counts.frames += 1

    def _obey(self, port: socket.socket) -> None:
        for _ in range(_MOST_COMMANDS):
            try:
                datagram, _ = port.recvfrom(MOST_BYTES + 1)
            except OSError:
                return
            obeyed = self._do(datagram)
            self.counts.commands += obeyed
            self.counts.ignored += not obeyed

    def _do(self, datagram: bytes) -> bool:
        """Whether a datagram was a command that could be obeyed."""
        command = read_command(datagram)
        try:
            return command is not None and self._follow(command)
        except MotionloomError:
            return False

    def _follow(self, command: Command) -> bool:
        match command:
            case Quit():
                self._going = False
            case Mood():
                self.stream.options = IdleStreamOptions(command.liveliness, command.restlessness)
            case Look():
                self.stream.look_at(command.at)
            case Play():
                return self._play(command)
            case Stop():
                layer = self._playing.pop(command.clip, None)
                if layer is None:
                    return False
                self.stream.stop(layer, command.ease)
        return True

    def _play(self, command: Play) -> bool:
        clip = self.gestures.get(command.clip)
        playing = {n: layer for n, layer in self._playing.items() if layer.end > self.stream.frame}
        if clip is None or len(playing) >= MOST_LAYERS:
            return False
        priority, ease = command.priority, command.ease
        layer = self.stream.play(clip, command.joints, priority=priority, ease=ease)
        self._playing = {**playing, command.clip: layer}
        return True


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
