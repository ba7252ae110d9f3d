"""Who may talk to the studio: this machine's browser, from the studio's own page, with the token.

Another page in the same browser could otherwise send requests here: it is kept out by the names of
host and origin, by a cookie that no other site's requests carry, and by the token that only
whoever started the command has seen.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Requests of the session within a second, after which the rest have to wait.
_MOST_REQUESTS = 200
#: What a browser says of requests that another page makes.
_OTHER_PAGES = ("cross-site", "same-site")
#: Names of this machine on itself.
LOOPBACK = ("127.0.0.1", "localhost", "::1")

_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " connect-src 'self' {socket}; worker-src 'self' blob:; object-src 'none'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
)
_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass
class Gate:
    """What is asked of a request before anything is done.

    Requests without the token or the cookie are refused and count for nothing: limits that they
    reached would lock out the user. A token is too long to be guessed by trying.

    Parameters
    ----------
    token : str
        In the link that the command prints.
    port : int
        Where the studio listens.
    host : str
        The address that it listens on.
    """

    token: str
    port: int
    host: str = "127.0.0.1"
    _came: list[float] = field(default_factory=list)

    @property
    def cookie_name(self) -> str:
        """Cookies are shared by all ports of a host, so the name tells the studio."""
        return f"motionloom_{self.port}"

    @property
    def cookie(self) -> str:
        """What the browser shows instead of the token; a studio started again with it knows it."""
        return hmac.new(self.token.encode(), b"motionloom studio", hashlib.sha256).hexdigest()

    def is_own_host(self, told: str) -> bool:
        """Whether the ``Host`` header names this studio, and not a page that was led here."""
        name, port = _host_and_port(told)
        if port != self.port:
            return False
        if name in (*LOOPBACK, self.host.lower()):
            return True
        return is_any(self.host) and _is_address(name)

    def is_own_origin(self, origin: str, host: str) -> bool:
        """Whether a request comes from a page of this studio."""
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()

    def has_cookie(self, headers: Headers) -> bool:
        """Whether a request shows what the token was given for."""
        return any(
            hmac.compare_digest(value.encode(), self.cookie.encode())
            for value in _cookies(headers, self.cookie_name)
        )

    def is_token(self, told: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(told.encode(), self.token.encode())

    def is_too_fast(self) -> bool:
        """Count a request of the session; whether it made too many in the last second."""
        now = time.monotonic()
        self._came = [*(moment for moment in self._came if now - moment < 1.0), now]
        return len(self._came) > _MOST_REQUESTS

    def refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Why a request is refused: status and sentence; None when it is not."""
        refused = self._stranger(scope, headers)
        if refused is None and self.has_cookie(headers) and self.is_too_fast():
            return 429, "too many requests; wait a second"
        return refused

    def _stranger(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Why a request is not one of the studio's own page; None when it is."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.is_own_host(hosts[0]):
            return 400, "this is not the address of the studio; open the link that it printed"
        is_socket = scope["type"] == "websocket"
        origins = headers.getlist("origin")
        if is_socket and not origins:
            return 403, "refused: no origin"
        if any(not self.is_own_origin(origin, hosts[0]) for origin in origins):
            return 403, "refused: another page asks"
        if _is_of_other_page(headers):
            return 403, "refused: another page asks"
        if is_socket or not _told_token(scope):
            return None if self.has_cookie(headers) else (403, _NO_TOKEN)
        return None

    def policy(self, host: str) -> str:
        """The Content-Security-Policy of the page."""
        return _POLICY.format(socket=f"ws://{host}" if self.is_own_host(host) else "")


def _is_of_other_page(headers: Headers) -> bool:
    """Whether a browser says that another page asks, and not to go from there to the studio.

    A page of another port of this machine has no other site: its requests show the cookie.
    """
    is_other = headers.get("sec-fetch-site") in _OTHER_PAGES
    return is_other and headers.get("sec-fetch-dest") != "document"


_NO_TOKEN = "open the link with its token that 'motionloom studio' printed"


def _told_token(scope: Scope) -> str | None:
    if scope["path"] != "/" or scope["type"] != "http":
        return None
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"), max_num_fields=20)
    told = query.get("token")
    return None if told is None else told[0]


def _cookies(headers: Headers, name: str) -> Iterator[str]:
    for line in headers.getlist("cookie"):
        with suppress(CookieError, KeyError):
            yield SimpleCookie(line)[name].value


def _host_and_port(told: str) -> tuple[str, int]:
    """Name and port of a ``Host`` header; port 0 where it cannot be read."""
    try:
        parts = urlsplit(f"//{told}")
        if parts.username is not None or parts.path or parts.query or parts.fragment:
            return "", 0
        return (parts.hostname or "").lower(), parts.port or 80
    except ValueError:
        return "", 0


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_any(host: str) -> bool:
    """Whether a studio listens on all addresses of the machine."""
    return host in ("0.0.0.0", "::", "")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


@dataclass(frozen=True)
class Guard:
    """Lets through what `Gate` lets through, and puts the headers on all that goes out.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    gate : Gate
        The rules.
    """

    app: ASGIApp
    gate: Gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on, a request."""
        answer: ASGIApp | None = None
        if scope["type"] != "lifespan":
            headers = Headers(scope=scope)
            refused = self.gate.refusal(scope, headers)
            if scope["type"] == "websocket":
                answer = None if refused is None else _refuse_socket
            else:
                send = self._with_headers(send, headers.get("host", ""))
                answer = self._answer(scope, refused)
        await (answer or self.app)(scope, receive, send)

    def _answer(self, scope: Scope, refused: tuple[int, str] | None) -> Response | None:
        """What is answered here; None for what is handed on."""
        if refused is not None:
            return PlainTextResponse(f"{refused[1]}\n", refused[0])
        token = _told_token(scope)
        if token is None:
            return None
        if not self.gate.is_token(token):
            return PlainTextResponse(f"wrong token; {_NO_TOKEN}\n", 403)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            self.gate.cookie_name, self.gate.cookie, httponly=True, samesite="strict", path="/"
        )
        return answer

    def _with_headers(self, send: Send, host: str) -> Send:
        more = {**_ALWAYS, "Content-Security-Policy": self.gate.policy(host)}

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(more)
            await send(message)

        return sending


async def _refuse_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a socket before it is open: the browser is told 403."""
    await receive()
    await send({"type": "websocket.close", "code": 1008})
