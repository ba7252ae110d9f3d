"""The studio from its beginning, with a first shot for who has none, to its end."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import socket
import stat
import webbrowser
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import uvicorn
from filelock import FileLock, Timeout

from motionloom.errors import InvalidInputError
from motionloom.io.document import read_document
from motionloom.io.owned import lock_of, real_path, refuse_links
from motionloom.places import find_clips
from motionloom.progress import Tell, quiet
from motionloom.studio._bringing import CLIPS, free_name, names_beside
from motionloom.studio._document.files import Journal
from motionloom.studio._document.shot_document import ShotDocument
from motionloom.studio._session import Session
from motionloom.studio._solver import ProcessSolver
from motionloom.studio._web.guard import Gate, is_any, is_loopback
from motionloom.studio._web.protocol import MOST_MESSAGE, Clients
from motionloom.studio._web.server import make_app
from motionloom.workspace.shots import first_shot_on, library_beside
from motionloom.workspace.writing import Writer, check_outputs, make_folder_of

#: Name of the file, beside the journal.
FILE = "link.json"
#: More bytes than that are no link.
_MOST = 2_000


@dataclass(frozen=True)
class Link:
    """Where a studio can be found, and by whom.

    Parameters
    ----------
    shot : str
        Absolute path of the shot; a folder that was copied elsewhere says another one.
    port : int
        Where it listened.
    token : str
        In its link.
    """

    shot: str
    port: int
    token: str


def read_link(folder: Path, shot: Path) -> Link | None:
    """The link of the last studio on a shot.

    Parameters
    ----------
    folder : Path
        Of what the studio keeps.
    shot : Path
        Absolute path of the shot file.

    Returns
    -------
    Link or None
        None where there is none, where others could have read or written it, and where it is of
        another shot.
    """
    try:
        descriptor = os.open(folder / FILE, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as file:
            if not _is_private(os.fstat(descriptor)):
                return None
            told = json.loads(file.read(_MOST))
        link = Link(str(told["shot"]), int(told["port"]), str(told["token"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    is_ours = link.shot == str(shot) and 0 < link.port < 65536
    return link if is_ours else None


def keep_link(folder: Path, link: Link) -> None:
    """Keep a link where only this user can read it; that it cannot be kept is no fault."""
    place = folder / FILE
    part = folder / f".{FILE}.part"
    with suppress(OSError):
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(asdict(link), file)
        part.replace(place)


def _is_private(about: os.stat_result) -> bool:
    """Whether a file is this user's alone."""
    if not hasattr(os, "getuid"):
        return True
    others = stat.S_IRWXG | stat.S_IRWXO
    return about.st_uid == os.getuid() and not about.st_mode & others


#: What a shot is called when nobody names it, its character, and the folder of its clips.
NAME, WHO = "shot.yaml", "anna"


def begin(shot: Path | None, library: str | None, tell: Tell = quiet) -> Path:
    """Find the shot, or write a first one; a file that is there is never written over.

    Parameters
    ----------
    shot : Path, optional
        As the user named it.
    library : str, optional
        Clips of a new shot; the built-in performer's when not given.
    tell : callable
        Takes a line for everything that is made.

    Returns
    -------
    Path
        The shot file.

    Raises
    ------
    MotionloomError
        When clips are named for a shot that names its own, or nothing can be written.
    """
    path = Path(NAME) if shot is None else shot
    if path.exists() and library is None:
        read_document(path)
        if shot is None:
            tell(f"opening {path}, which is here")
        return path
    if path.exists() and shot is not None:
        raise InvalidInputError(
            f"{path}: is there and says itself where its clips are; name another file for a shot on"
            f" {library}, or open it without naming clips"
        )
    path = free_name(path)
    if path.suffix.lower() not in (".yaml", ".yml", ".json"):
        raise InvalidInputError(f"{path}: a shot is a YAML file; name one such as {NAME}")
    if library is not None:
        find_clips([library])
    check_outputs([path], [])
    make_folder_of(path)
    place = library or str(path.parent / _performer_clips(path.parent, tell))
    text, happens = first_shot_on(place, [WHO], path, tell)
    Writer(tell=quiet).write_text(path, text)
    tell(f"made {path}, a first shot on {library_beside(place, path)}: {WHO} {happens}")
    return path


def _performer_clips(folder: Path, tell: Tell) -> str:
    """Clips that lie beside the shot already, else the built-in performer's, written there."""
    from motionloom.io import save
    from motionloom.performer import performer_clips

    for place in names_beside(folder / CLIPS):
        if _holds_clips(place):
            return place.name
        if not (place.exists() or place.is_symlink()):
            break
    for clip in performer_clips(0):
        Writer().write(place / f"{clip.motion.name}.bvh", partial(save, clip.motion))
    tell(f"made {place}, clips of the built-in performer")
    return place.name


def _holds_clips(place: Path) -> bool:
    with suppress(InvalidInputError):
        return place.is_dir() and len(find_clips([str(place)]).files) > 1
    return False


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
    """A session of a shot with what is beside it.

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
        _serve(session, gate, listening, url if options.browser else None)
    finally:
        kept.release()


def _open_browser(url: str) -> None:
    """Open the browser; that there is none is no fault."""
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(url)


def _serve(session: Session, gate: Gate, listening: socket.socket, url: str | None) -> None:
    """Serve a session; the browser is opened at an address, if there is one."""

    async def begin(session: Session) -> None:
        pieces = session.folder / "pieces"
        await session.start(lambda tell: ProcessSolver(tell, pieces, session.budget))
        if url is not None:
            asyncio.get_running_loop().run_in_executor(None, _open_browser, url)

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
    if not options.port and last is not None:
        try:
            return _listen(options.host, last.port)
        except InvalidInputError:
            tell(
                f"port {last.port}, where the last studio on this shot was, is taken; a page that"
                " is still open does not find this one, so open the new link"
            )
    return _listen(options.host, options.port)


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
    if is_any(host):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
