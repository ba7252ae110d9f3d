"""Windows: one writes, the others look on; a slow one is told the newest, not everything."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from motionloom.studio._web.protocol import write_message

#: A window that is behind by so many messages is told all anew instead.
MOST_WAITING = 400
#: Messages per second that a window may send, and how many at once.
RATE, BURST = 300.0, 600.0
#: Messages that are none, until a window is closed.
MOST_FAULTS = 5
#: Most windows.
MOST_CLIENTS = 16


@dataclass(eq=False)
class Client:
    """One window."""

    reader: bool = True
    greeted: bool = False
    faults: int = 0
    behind: bool = False
    waiting: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    _left: float = BURST
    _when: float = field(default_factory=time.monotonic)

    def send(self, message: Mapping[str, Any]) -> None:
        """Say something, as soon as the window listens."""
        self.put(write_message(message))

    def put(self, data: bytes) -> None:
        """Say something that is packed already."""
        if self.waiting.qsize() >= MOST_WAITING:
            self.behind = True
        if not self.behind:
            self.waiting.put_nowait(data)

    def forget(self) -> None:
        """Forget what is waiting to be said."""
        while not self.waiting.empty():
            self.waiting.get_nowait()
            self.waiting.task_done()
        self.behind = False

    async def said(self) -> None:
        """Wait until the window has been told everything."""
        await self.waiting.join()

    def pause(self) -> float:
        """Seconds that the window's next message has to wait."""
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._when) * RATE) - 1.0
        self._when = now
        return max(0.0, -self._left / RATE)


@dataclass
class Clients:
    """All windows.

    Parameters
    ----------
    reader_only : bool
        Whether nobody writes, because another studio does.
    """

    reader_only: bool = False
    windows: list[Client] = field(default_factory=list)

    def join(self) -> Client:
        """A new window; the first one writes."""
        client = Client(reader=self.reader_only or self.writer is not None)
        self.windows.append(client)
        return client

    def leave(self, client: Client) -> None:
        """A window is closed."""
        if client in self.windows:
            self.windows.remove(client)

    @property
    def writer(self) -> Client | None:
        """The window that writes."""
        return next((one for one in self.windows if not one.reader), None)

    def promote(self) -> Client | None:
        """Let the oldest window write where none does; that window."""
        if self.reader_only or self.writer is not None or not self.windows:
            return None
        self.windows[0].reader = False
        return self.windows[0]

    def tell(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Say something to all that have said hello."""
        for message in messages:
            data = write_message(message)
            for client in self.windows:
                if client.greeted:
                    client.put(data)
