"""The studio from its beginning to its end."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from filelock import FileLock, Timeout

from motionloom.errors import InvalidInputError
from motionloom.io.owned import lock_of, real_path, refuse_links
from motionloom.progress import Tell, quiet
from motionloom.studio._document.journal import Journal
from motionloom.studio._document.shot_document import ShotDocument
from motionloom.studio._events import Event, Solver
from motionloom.studio._link import Link, keep_link, read_link
from motionloom.studio._session import Session
from motionloom.studio._solver import ProcessSolver
from motionloom.studio._web.clients import Clients
from motionloom.studio._web.guard import Gate, is_loopback
from motionloom.studio._web.protocol import MOST_MESSAGE
from motionloom.studio._web.server import make_app


@dataclass(frozen=True)
class StudioOptions:
    """How a studio is opened.

    Parameters
    ----------
    host : str
        Address to listen on.
    port : int
        Port; 0 for that of the last studio on the shot, or any that is free.
    token : str
        In the link; when empty that of the last studio on the shot, or made at random.
    browser : bool
        Whether the browser is opened.
    budget : float, seconds
        How long walks are searched for, in the end and in exports.
    """

    host: str = "127.0.0.1"
    port: int = 0
    token: str = ""
    browser: bool = True
    budget: float = 5.0


@dataclass(frozen=True)
class Kept:
    """What a studio keeps beside its shot, in a folder of the shot's name.

    Parameters
    ----------
    folder : Path
        Of the journal, the lock and the spans.
    lock : FileLock or None
        Held by who writes; None for who only looks on.
    """

    folder: Path
    lock: FileLock | None

    @classmethod
    def of(cls, shot: Path) -> Kept:
        """Take the folder of a shot, if no other studio has it.

        Raises
        ------
        InvalidInputError
            When something else is in its place.
        """
        folder = shot.with_name(f"{shot.stem}.studio")
        refuse_links([folder])
        if folder.exists() and not folder.is_dir():
            raise InvalidInputError(
                f"{folder}: expected a folder for undo and spans; move this file elsewhere"
            )
        try:
            folder.mkdir(exist_ok=True)
            lock = lock_of(folder / "lock")
            lock.acquire(timeout=0)
        except Timeout:
            return cls(folder, None)
        except OSError as error:
            raise InvalidInputError(
                f"{folder}: cannot be written to ({error.strerror or error}); copy the shot to a"
                " folder of yours"
            ) from None
        return cls(folder, lock)

    @property
    def journal(self) -> Journal | None:
        """Where edits are noted; None for who only looks on."""
        return None if self.lock is None else Journal(self.folder / "journal.jsonl")

    def release(self) -> None:
        """Let another studio write."""
        if self.lock is not None:
            self.lock.release()


def open_session(shot: Path, kept: Kept, budget: float = 5.0) -> Session:
    """A session of a shot.

    Parameters
    ----------
    shot : Path
        The shot file.
    kept : Kept
        What is beside it.
    budget : float, seconds
        How long walks are searched for, in exports.

    Returns
    -------
    Session

    Raises
    ------
    MotionloomError
        When the file is no YAML, or what is beside it is not ours.
    """
    document = ShotDocument(shot, kept.journal)
    return Session(document, Clients(reader_only=kept.lock is None), kept.folder, budget)


def run_studio(shot: Path, options: StudioOptions, tell: Tell = quiet) -> None:
    """Serve a shot until somebody ends it.

    Parameters
    ----------
    shot : Path
        The shot file.
    options : StudioOptions
        Where and how.
    tell : callable
        Takes the link, and what else is to be said.

    Raises
    ------
    MotionloomError
        When the address cannot be had, or the shot cannot be read.
    """
    if options.token:
        _check_token(options.token)
    shot = real_path(shot)  # a link stays one, and what it leads to is written
    kept = Kept.of(shot)
    try:
        last = None if kept.lock is None else read_link(kept.folder, shot)
        token = options.token or _token_of(last)
        session = open_session(shot, kept, options.budget)
        listening = _listen_again(options, last, tell)
        port = listening.getsockname()[1]
        if kept.lock is not None:
            keep_link(kept.folder, Link(str(shot), port, token))
        gate = Gate(token, port, options.host)
        if kept.lock is None:
            tell(f"{shot} is open in another studio, which writes it; this one looks on")
        if not is_loopback(options.host):
            tell(
                f"warning: {options.host} can be reached from other machines; whoever sees the link"
                " can edit this shot and send files to its folder, unencrypted"
            )
        url = f"http://{_shown_host(options.host)}:{port}/?token={token}"
        tell(f"studio: {url}")
        _serve(session, gate, listening, _browser_opener(url) if options.browser else None)
    finally:
        kept.release()


def _browser_opener(url: str) -> Callable[[], None]:
    """Opens the browser; that there is none is no fault."""

    def open_browser() -> None:
        with suppress(webbrowser.Error, OSError):
            webbrowser.open(url)

    return open_browser


def _serve(
    session: Session, gate: Gate, listening: socket.socket, begun: Callable[[], None] | None
) -> None:
    async def begin(session: Session) -> None:
        def make_solver(tell: Callable[[Event], None]) -> Solver:
            return ProcessSolver(tell, session.folder / "pieces", session.budget)

        await session.start(make_solver)
        if begun is not None:
            asyncio.get_running_loop().run_in_executor(None, begun)

    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        make_app(session, gate, begin),
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MOST_MESSAGE,
        ws_per_message_deflate=False,  # it takes longer than this machine takes to hand bytes on
        ws_ping_interval=10.0,
        ws_ping_timeout=20.0,
        server_header=False,
        date_header=False,
        proxy_headers=False,  # no limit of connections: strangers without the token could reach it
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _token_of(last: Link | None) -> str:
    """The token of the last studio on the shot, or one made at random."""
    if last is not None:
        with suppress(InvalidInputError):
            _check_token(last.token)
            return last.token
    return secrets.token_urlsafe(24)


def _listen_again(options: StudioOptions, last: Link | None, tell: Tell) -> socket.socket:
    """A socket where the last studio on the shot listened, unless another port is asked for."""
    if options.port or last is None:
        return _listen(options.host, options.port)
    try:
        return _listen(options.host, last.port)
    except InvalidInputError:
        tell(
            f"port {last.port}, where the last studio on this shot was, is taken; a page that is"
            " still open does not find this one, so open the new link"
        )
        return _listen(options.host, 0)


def _check_token(token: str) -> None:
    is_safe = len(token) <= 200 and all(c.isascii() and (c.isalnum() or c in "-_") for c in token)
    if not is_safe or len(token) < 16:
        raise InvalidInputError(
            "a token has 16 to 200 letters, digits, '-' and '_', so that nobody guesses it; leave"
            " it out to have one made"
        )


def _listen(host: str, port: int) -> socket.socket:
    """A socket that nobody is connected to yet."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        if hasattr(socket, "SO_REUSEADDR") and hasattr(socket, "AF_UNIX"):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)  # who follows the link at once waits, and is not refused
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InvalidInputError(
            f"cannot listen on {host}, port {port}: {why}; choose another port, or 0 for any"
        ) from None
    return listening


def _shown_host(host: str) -> str:
    if host in ("0.0.0.0", "::", ""):
        return "127.0.0.1"
    try:
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    except ValueError:
        return host
