"""Idle motion live: poses as they are made, to engines and tools, and commands from them."""

from motionloom.idle.live._protocols import PROTOCOLS, JsonProtocol, Protocol, VmcProtocol
from motionloom.idle.live.server import (
    Command,
    IdleServer,
    ServerCounts,
    ServerOptions,
    read_command,
)

__all__ = [
    "PROTOCOLS",
    "Command",
    "IdleServer",
    "JsonProtocol",
    "Protocol",
    "ServerCounts",
    "ServerOptions",
    "VmcProtocol",
    "read_command",
]
