"""Exports as windows ask for them, and are told how they went."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from motionloom.errors import FormatError, MotionloomError
from motionloom.studio.events import Progressed
from motionloom.studio.exports.downloads import Downloads
from motionloom.studio.exports.export_shot import ExportJob
from motionloom.studio.exports.process import Exporter
from motionloom.studio.making import Making, problem_message, progress_message
from motionloom.studio.web.clients import Client, Clients


@dataclass(eq=False)
class Exporting:
    """Makes files of a shot that windows can fetch.

    Parameters
    ----------
    making : Making
        What is known of the making of the shot.
    clients : Clients
        The windows; all are told how far it is.
    pieces : Path
        Where spans are kept.
    budget : float, seconds
        How long walks are searched for.
    downloads : Downloads
        Files that wait.
    """

    making: Making
    clients: Clients
    pieces: Path
    budget: float
    downloads: Downloads = field(default_factory=Downloads)
    _exporter: Exporter = field(default_factory=Exporter)

    async def export(self, kind: str, client: Client) -> None:
        """Make a file, and tell who asked for it where it waits, or why there is none."""
        if not self.making.can_be_made:
            client.send(problem_message("first mend what is wrong with the shot", format=kind))
            return
        document = self.making.document
        self._tell(0)
        folder = self.downloads.folder()
        try:
            job = ExportJob(document.path, kind, folder, self.pieces, self.budget)
            place = await self._exporter.export(job)
        except MotionloomError as error:
            text = error.message if isinstance(error, FormatError) else str(error)
            line = error.line if isinstance(error, FormatError) else None
            client.send(problem_message(text, line=line, hint=error.hint, format=kind))
            return
        finally:
            self._tell(1)
        url = self.downloads.add(place)
        client.send({"type": "exported", "format": kind, "url": url, "name": place.name})

    def _tell(self, done: int) -> None:
        rev = self.making.document.rev
        self.clients.tell([progress_message(Progressed(rev, "exporting", "", done, 1))])

    def close(self) -> None:
        """End the process, and remove files that wait."""
        self._exporter.close()
        self.downloads.close()
