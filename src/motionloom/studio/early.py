"""What is on the screen before anything is made: what was there last, or a clip as captured."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motionloom.errors import MotionloomError
from motionloom.studio.captured import captured_motions
from motionloom.studio.last import keep_last, load_last, stamp_of
from motionloom.studio.making import Making
from motionloom.studio.web.clients import Clients

#: What is shown is kept no more often than this, seconds.
BETWEEN = 0.5


@dataclass(eq=False)
class Early:
    """Shows what there is until something is made, and keeps that for the next time.

    Parameters
    ----------
    making : Making
        What is known of the making of the shot.
    clients : Clients
        The windows.
    folder : Path
        Of what the studio keeps beside the shot.
    """

    making: Making
    clients: Clients
    folder: Path
    _known: Any = None
    _due: Callable[[], None] | None = None
    _is_keeping: bool = False

    async def show(self) -> None:
        """Have somebody on the screen."""
        if not await self._show_last():
            await self._show_captured()

    async def look(self) -> None:
        """Show what another studio has kept since."""
        if self._state() != self._known:
            await self._show_last()

    def note(self) -> None:
        """Have what is shown kept for who opens the shot again, if it is what is written."""
        shown = self.making.shown
        document = self.making.document
        is_written = document.drag is None and shown.rev == document.rev
        if document.journal is None or not is_written:
            return
        text, plan, copy = document.text, self.making.plan, shown.kept()
        self._due = lambda: keep_last(self.folder, text, copy.all(), plan)

    async def keep(self) -> None:
        """Keep what was noted; of what is noted meanwhile the last."""
        if self._is_keeping:
            return
        self._is_keeping = True
        try:
            while self._due is not None:
                await asyncio.to_thread(self.keep_now)
                await asyncio.sleep(BETWEEN)
        finally:
            self._is_keeping = False

    def keep_now(self) -> None:
        """Keep what was noted and is not kept yet."""
        due, self._due = self._due, None
        if due is not None:
            with suppress(OSError, MotionloomError):  # it is made again then
                due()

    def _state(self) -> Any:
        """What decides what is shown of what was kept."""
        return stamp_of(self.folder), self.making.document.text

    async def _show_last(self) -> bool:
        """What was shown last, of this document or an older one; whether there is any."""
        self._known = self._state()
        document = self.making.document
        rev = document.rev
        last = await asyncio.to_thread(load_last, self.folder, document.text)
        if last is None or self.making.is_made:
            return self.making.is_made
        is_older = not last.is_same or rev != document.rev
        self.clients.tell(self.making.take_last(last.messages, is_older, last.plan))
        return True

    async def _show_captured(self) -> None:
        file = self.making.document.file
        if file is None:
            return
        with suppress(MotionloomError):
            for who, motion, roles in await asyncio.to_thread(lambda: list(captured_motions(file))):
                if not self.making.is_made:
                    self.clients.tell(self.making.shown.take_captured(who, motion, roles))
