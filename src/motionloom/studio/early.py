"""What is on the screen before anything is made: what was there last, or a clip as captured."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motionloom.errors import MotionloomError
from motionloom.studio.captured import captured_motions
from motionloom.studio.last import keep_last, load_last, stamp_of
from motionloom.studio.making import Making
from motionloom.studio.web.clients import Clients


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
    _stamp: Any = None

    async def show(self) -> None:
        """Have somebody on the screen."""
        if not await self._show_last():
            await self._show_captured()

    async def look(self) -> None:
        """Show what another studio has kept since."""
        if stamp_of(self.folder) != self._stamp:
            await self._show_last()

    async def keep(self) -> None:
        """Keep what is shown for who opens the shot again."""
        shown = self.making.shown
        document = self.making.document
        if document.journal is None or shown.report is None:
            return
        with suppress(OSError, MotionloomError):  # it is made again then
            messages = list(shown.all())
            await asyncio.to_thread(keep_last, self.folder, document.text, messages)

    async def _show_last(self) -> bool:
        """What was shown last of the document as it is; whether there is that."""
        self._stamp = stamp_of(self.folder)
        document = self.making.document
        rev = document.rev
        messages = await asyncio.to_thread(load_last, self.folder, document.text)
        if not messages or self.making.is_made or rev != document.rev:
            return False
        self.clients.tell(self.making.shown.take_last(messages, rev))
        return True

    async def _show_captured(self) -> None:
        file = self.making.document.file
        if file is None:
            return
        with suppress(MotionloomError):
            for who, motion, roles in await asyncio.to_thread(lambda: list(captured_motions(file))):
                if not self.making.is_made:
                    self.clients.tell(self.making.shown.take_captured(who, motion, roles))
