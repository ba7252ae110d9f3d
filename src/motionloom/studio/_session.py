"""One shot, whoever makes its motions, and the windows that show it.

All of it happens in one thread, that of the server's loop; what takes longer goes elsewhere and
comes back as an event.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import singledispatchmethod
from pathlib import Path
from typing import Any

from motionloom.errors import MotionloomError
from motionloom.places import MOTION_SUFFIXES
from motionloom.studio._bringing import Arrived, Uploads, bring, is_clip_of, uploaded_message
from motionloom.studio._document.changes import ConflictError, Op, parse_ops
from motionloom.studio._document.shot_document import ShotDocument
from motionloom.studio._early import Early
from motionloom.studio._events import Event, Idle, Job, Judged, Solved, Solver, StateOf
from motionloom.studio._exports import Exporting
from motionloom.studio._making import Making, note_message, problem_message
from motionloom.studio._shown import Message
from motionloom.studio._web import protocol
from motionloom.studio._web.protocol import MOST_FAULTS, Client, Clients
from motionloom.workspace.shots import first_shot_on

#: How often the file is looked at for what other programs write, seconds.
LOOK = 1.0
#: How long a window that was closed may stay away before another one writes, seconds.
AWAY = 3.0
#: Messages of windows that only look on.
_FOR_READERS = (protocol.Hello, protocol.View, protocol.Export)


@dataclass(eq=False)
class Session:
    """One studio.

    Parameters
    ----------
    document : ShotDocument
        The shot.
    clients : Clients
        The windows.
    folder : Path
        Of what the studio keeps beside the shot.
    budget : float, seconds
        How long walks are searched for, in exports.
    """

    document: ShotDocument
    clients: Clients
    folder: Path
    budget: float = 5.0
    making: Making = field(init=False)
    early: Early = field(init=False)
    exporting: Exporting = field(init=False)
    solver: Solver | None = None
    _uploads: Uploads = field(init=False)
    _loop: asyncio.AbstractEventLoop | None = None
    _tasks: set[asyncio.Future[Any]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.making = Making(self.document)
        self.early = Early(self.making, self.clients, self.folder)
        self.exporting = Exporting(self.making, self.clients, self.folder / "pieces", self.budget)
        self._uploads = Uploads(self.document.path.parent)

    # -- beginning and end

    async def start(self, make_solver: Callable[[Callable[[Event], None]], Solver]) -> None:
        """Begin to make motions, and to look at the file."""
        self._loop = asyncio.get_running_loop()
        self._later(self.early.show())
        self._later(self._look())
        if self.clients.reader_only:  # the studio that writes makes the motions, too
            self._take(StateOf("ready"))
            return
        self.solver = make_solver(self._from_elsewhere)
        self.solver.start()
        self._submit("preview")

    async def stop(self) -> None:
        """End; everything is saved already."""
        for task in list(self._tasks):
            task.cancel()
        if self.solver is not None:
            self.solver.close()
        await asyncio.to_thread(self.early.keep_now)
        self.exporting.close()
        self._uploads.close()

    def _from_elsewhere(self, event: Event) -> None:
        """An event, in another thread."""
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._take, event)

    def _take(self, event: Event) -> None:
        self.clients.tell(self.making.take(event))
        if isinstance(event, Solved | Judged | Idle) and event.rev == self.document.rev:
            self.early.note()
            self._later(self.early.keep())

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            if not self.document.saved:
                self.document.save()
                if self.document.saved:
                    self._tell_shot()
            if self.document.look_at_disk():
                self._changed()
                if self.document.is_valid:  # else what is wrong with it is told
                    self._tell_note("the file was changed by another program; here it is")
            if self.solver is None:
                await self.early.look()

    # -- windows

    def leave(self, client: Client) -> None:
        """A window is closed; drags of it are left, and another one writes unless it comes back."""
        self.clients.leave(client)
        if not client.reader:
            self._uploads.drop_all()
            if self.document.drag is not None:
                self.document.cancel()
                self._tell_shot()
            self._later(self._promote())

    async def _promote(self) -> None:
        await asyncio.sleep(AWAY)
        client = self.clients.promote()
        if client is not None and client.greeted:
            client.send(self._welcome(client))

    def catch_up(self, client: Client) -> None:
        """Tell a window all that there is, if it is too far behind to be told every step."""
        if client.behind:
            client.forget()
            self._greet(client)

    def _greet(self, client: Client) -> None:
        client.greeted = True
        welcome = self._welcome(client)
        for message in (welcome, self.making.shot_message(), *self.making.all()):
            client.send(message)

    def _welcome(self, client: Client) -> Message:
        from motionloom import __version__

        return {
            "type": "welcome",
            "protocol": protocol.PROTOCOL,
            "version": __version__,
            "file": self.document.path.name,
            "reader": client.reader,
            "writer": "studio" if self.clients.reader_only else "window",
            "kinds": list(MOTION_SUFFIXES),
            "limits": {
                "message": protocol.MOST_MESSAGE,
                "chunk": protocol.MOST_CHUNK,
                "upload": protocol.MOST_UPLOAD,
                "uploads": protocol.MOST_UPLOADS,
            },
        }

    def _tell(self, *messages: Message) -> None:
        self.clients.tell(messages)

    def _tell_shot(self) -> None:
        self._tell(self.making.shot_message())

    def _changed(self) -> None:
        """Say what the shot is now, and have it made."""
        self._tell_shot()
        self._submit("preview")

    def _tell_note(self, message: str) -> None:
        self._tell(note_message(message))

    # -- what windows say

    def handle(self, client: Client, data: bytes) -> bool:
        """Take a message; whether the window may stay.

        Parameters
        ----------
        client : Client
            Who says it.
        data : bytes
            As it came.

        Returns
        -------
        bool
        """
        try:
            message = protocol.read_message(data)
        except MotionloomError as error:
            client.faults += 1
            client.send(problem_message(str(error)))
            return client.faults < MOST_FAULTS
        if client.reader and not isinstance(message, _FOR_READERS):
            client.send(problem_message("another window writes; this one looks on"))
            return True
        try:
            self._do(message, client)
        except ConflictError as error:
            client.send(problem_message(str(error)))
            client.send(self.making.shot_message())
        except MotionloomError as error:
            more = {"id": message.id} if hasattr(message, "id") else {}
            client.send(problem_message(str(error), hint=error.hint, **more))
        return True

    @singledispatchmethod
    def _do(self, message: Any, client: Client) -> None:
        """Take a message of a kind."""

    @_do.register
    def _(self, message: protocol.Hello, client: Client) -> None:
        if message.protocol == protocol.PROTOCOL:
            self._greet(client)
            return
        spoken = f"this page speaks protocol {message.protocol} and the studio {protocol.PROTOCOL}"
        client.send(problem_message(f"{spoken}; load the page anew"))

    @_do.register
    def _(self, message: protocol.Edit, client: Client) -> None:
        ops = parse_ops(message.ops)
        rev = self.document.rev
        about = message.model_dump(include={"base_rev", "label", "drag", "transient"})
        try:
            self.document.edit(ops=ops, **about)
        finally:
            if self.document.rev != rev:
                self._changed()

    @_do.register
    def _(self, message: protocol.Move, client: Client) -> None:
        if self.document.move(-1 if message.type == "undo" else 1):
            self._submit("preview")
        self._tell_shot()

    @_do.register
    def _(self, message: protocol.Cancel, client: Client) -> None:
        rev = self.document.rev
        self.document.cancel(message.drag)
        if self.document.rev != rev:
            self._changed()

    @_do.register
    def _(self, message: protocol.Solve, client: Client) -> None:
        self._submit(message.quality)

    @_do.register
    def _(self, message: protocol.Alternatives, client: Client) -> None:
        file = self.document.file
        if file is not None and self.solver is not None:
            of_span = message.model_dump(include={"who", "span"})
            self.solver.submit(Job(self.document.rev, "alternatives", file, **of_span))

    @_do.register
    def _(self, message: protocol.Choose, client: Client) -> None:
        who, span, seed = message.who, message.span, int(message.item)
        index = self.making.index_of(who, span)
        if index is None or not self.making.has_offered(who, span, seed):
            raise ConflictError("there is no such other motion any more; ask for them again")
        old = self.document.value["tracks"][who][index].get("seed")
        ops = [Op("set", ("tracks", who, index, "seed"), seed, old)]
        self.document.edit(self.document.rev, ops, label=f"another motion of {span}")
        self._changed()

    @_do.register
    def _(self, message: protocol.New, client: Client) -> None:
        path = self.document.path
        place = path.parent / message.library
        library = os.path.relpath(place) if place.exists() else message.library
        text, _ = first_shot_on(library, message.names, path, self._tell_note)
        self.document.begin_anew(text)
        self._changed()

    @_do.register
    def _(self, message: protocol.Upload, client: Client) -> None:
        self._uploads.begin(message)

    @_do.register
    def _(self, message: protocol.Chunk, client: Client) -> None:
        arrived = self._uploads.take(message)
        if arrived is not None:
            self._later(self._bring(arrived, client))

    async def _bring(self, arrived: Arrived, client: Client) -> None:
        """Take a file that has come, and have the shot made with it if it uses it."""
        brought = await bring(arrived, self.document.path.parent, client)
        if brought is None:
            return
        file = self.document.file
        is_used = file is not None and is_clip_of(brought.place, file)
        self._tell(uploaded_message(arrived, brought, is_used))
        if is_used:
            if self.solver is not None:
                self.solver.reload()
            self._submit("preview")

    @_do.register
    def _(self, message: protocol.Export, client: Client) -> None:
        self._later(self.exporting.export(message.format, client))

    def _submit(self, kind: Any) -> None:
        """Have the shot made as it is now, if it can be."""
        document = self.document
        if self.solver is None or document.file is None or not self.making.can_be_made:
            return
        is_transient = document.drag is not None
        self.solver.submit(Job(document.rev, kind, document.file, is_transient))
