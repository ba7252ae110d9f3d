"""Who is not let in, and what is not answered."""

from __future__ import annotations

from pathlib import Path

import msgpack
import pytest
from starlette.websockets import WebSocketDisconnect
from studios import HOST, SOCKET, TOKEN, Studio, Window, open_studio

from motionloom.studio._web.guard import Gate, is_loopback
from motionloom.studio._web.protocol import MOST_MESSAGE

#: What another site in the same browser could send along.
FOREIGN = [
    ("host", "evil.example"),
    ("host", "evil.example:4567"),
    ("host", "127.0.0.1"),
    ("host", "127.0.0.1:4568"),
    ("host", "127.0.0.1.evil.example:4567"),
    ("host", "evil.example@127.0.0.1:4567"),
    ("host", "10.0.0.7:4567"),
    ("host", "0.0.0.0:4567"),
    ("host", "127.0.0.1:4567/x"),
    ("host", "[::1"),
    ("host", ""),
    ("origin", "http://evil.example"),
    ("origin", "http://evil.example:4567"),
    ("origin", "http://127.0.0.1:4568"),
    ("origin", "http://127.0.0.1"),
    ("origin", "http://localhost:4567"),
    ("origin", "null"),
    ("origin", "file://"),
    ("origin", f"ftp://{HOST}"),
    ("origin", "http://[bad"),
    ("origin", f"http://{HOST}.evil.example"),
]


@pytest.mark.parametrize(("name", "value"), FOREIGN)
def test_foreign_hosts_and_origins_are_refused(studio: Studio, name: str, value: str) -> None:
    headers = {**SOCKET, name: value}
    for path in ("/", "/studio.js", f"/?token={TOKEN}", "/exports/a/b"):
        answer = studio.client.get(path, headers=headers, follow_redirects=False)
        assert answer.status_code in (400, 403), path
        assert "set-cookie" not in answer.headers
    with pytest.raises(WebSocketDisconnect), studio.window(headers):
        pass


def test_a_socket_without_origin_is_refused(studio: Studio) -> None:
    with pytest.raises(WebSocketDisconnect), studio.window({}):
        pass


@pytest.mark.parametrize("cookie", [None, "", "x", TOKEN, "=;", "a=b; c"])
def test_nobody_comes_in_without_the_token(shot: Path, cookie: str | None) -> None:
    with open_studio(shot) as studio:
        more = {} if cookie is None else {"cookie": f"{studio.gate.cookie_name}={cookie}"}
        for path in ("/", "/studio.js", "/index.html", "/exports/a/b", "/socket"):
            answer = studio.client.get(path, headers=more)
            assert answer.status_code == 403
            assert "motionloom studio" in answer.text
        with pytest.raises(WebSocketDisconnect), studio.window({**SOCKET, **more}):
            pass


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "0", TOKEN.upper(), "ä", "%00"])
def test_a_wrong_token_is_refused(shot: Path, token: str) -> None:
    with open_studio(shot) as studio:
        answer = studio.client.get(f"/?token={token}", follow_redirects=False)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


def test_wrong_tokens_of_others_lock_nobody_out(shot: Path) -> None:
    # As a page on the web makes its visitors' browsers ask, for images.
    others = [
        {"sec-fetch-site": "cross-site", "sec-fetch-dest": "image"},
        {"origin": "http://evil.example"},
        {"host": "evil.example:4567"},
        {},
    ]
    with open_studio(shot) as studio:
        for i in range(300):
            answer = studio.client.get(f"/?token=guess{i}", headers=others[i % 4])
            assert answer.status_code in (400, 403)
        answer = studio.client.get(f"/?token={TOKEN}", follow_redirects=False)
        assert answer.status_code == 303
        cookie = {"cookie": answer.headers["set-cookie"].split(";")[0]}
        for _ in range(300):
            studio.client.get("/studio.js", headers={"cookie": f"{studio.gate.cookie_name}=x"})
        assert studio.client.get("/", headers=cookie).status_code == 200
        with studio.window({**SOCKET, **cookie}):
            pass


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_images_of_other_pages_do_not_use_up_the_limit(studio: Studio, site: str) -> None:
    # A page of another port of this machine sends the cookie with its requests.
    for dest in ("image", "iframe", "empty", "script"):
        headers = {"sec-fetch-site": site, "sec-fetch-dest": dest}
        for _ in range(60):
            assert studio.client.get("/studio.js", headers=headers).status_code == 403
    assert studio.client.get("/studio.js").status_code == 200
    link = {"sec-fetch-site": site, "sec-fetch-dest": "document"}
    assert studio.client.get("/", headers=link).status_code == 200


def test_the_token_is_given_for_a_cookie_that_other_sites_do_not_send(shot: Path) -> None:
    with open_studio(shot) as studio:
        answer = studio.client.get(f"/?token={TOKEN}", follow_redirects=False)
        assert answer.status_code == 303
        assert answer.headers["location"] == "/"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert TOKEN.lower() not in cookie


def test_all_answers_have_the_headers_that_keep_others_out(studio: Studio) -> None:
    for path in ("/", "/studio.js", "/nothing", "/exports/a/b"):
        headers = studio.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert f"connect-src 'self' ws://{HOST};" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/shot.yaml",
        "/../shot.yaml",
        "/..%2fshot.yaml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/bundle.json",
        "/clips/stand.bvh",
        "/studio.js/../../page.py",
        "//etc/passwd",
        "/exports/../shot.yaml",
        "/exports/a/..%2f..%2fshot.yaml",
        "/socket",
        "/docs",
        "/%00",
    ],
)
def test_no_other_file_is_served(studio: Studio, path: str) -> None:
    assert studio.client.get(path).status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_is_taken_by_requests(studio: Studio, method: str) -> None:
    assert studio.client.request(method, "/", content=b"x").status_code == 405


def test_the_page_is_served(studio: Studio) -> None:
    page = studio.client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "studio.js" in page.text
    script = studio.client.get("/studio.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert studio.client.get("/style.css").headers["content-type"].startswith("text/css")


def test_too_many_requests_have_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("motionloom.studio._web.guard.time.monotonic", lambda: now)
    gate = Gate(TOKEN, 4567)
    assert not any(gate.is_too_fast() for _ in range(200))
    assert gate.is_too_fast()
    now = 102.0
    assert not gate.is_too_fast()


def test_another_protocol_is_refused(studio: Studio) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        studio.client.websocket_connect(
            f"ws://{HOST}/socket", subprotocols=["other"], headers=dict(SOCKET)
        ),
    ):
        pass


MALFORMED = [
    b"",
    b"\xc1",
    b"text",
    b"\x81\xa4type",
    msgpack.packb([1, 2]),
    msgpack.packb({"type": "nothing"}),
    msgpack.packb({"kind": "hello"}),
    msgpack.packb({"type": ["hello"]}),
    msgpack.packb({"type": "hello", "protocol": "1"}),
    msgpack.packb({"type": "hello", "protocol": 1, "more": 1}),
    msgpack.packb({"type": "edit", "base_rev": 1}),
    msgpack.packb({"type": "edit", "base_rev": -1, "ops": []}),
    msgpack.packb({"type": "edit", "base_rev": 1.5, "ops": []}),
    msgpack.packb({"type": "export", "format": "exe"}),
    msgpack.packb({"type": "upload", "id": "a", "name": "x.bvh", "size": 3, "sha256": "zz"}),
    msgpack.packb({"type": "chunk", "id": "a", "offset": 0, "data": "text"}),
    msgpack.packb({"type": "choose", "who": "anna", "span": "go", "item": "../1"}),
    msgpack.packb({1: 2}),
    msgpack.packb({"type": "undo"}) + b"\x00",
    b"\x91" * 3000,
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xd4\x01\x02",
]


@pytest.mark.parametrize("data", MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_no_message_is_answered_in_one_sentence(window: Window, data: bytes) -> None:
    window.socket.send_bytes(data)
    answer = window.hear_until("problem")
    assert "message" in answer["message"]
    assert len(answer["message"]) < 500
    window.say("undo")
    assert window.hear_until("shot")["can_undo"] is False


def test_who_goes_on_sending_nonsense_is_shut_out(window: Window) -> None:
    for _ in range(5):
        window.socket.send_bytes(b"\xc1")
    for _ in range(5):
        window.hear_until("problem")
    with pytest.raises(WebSocketDisconnect) as closed:
        window.hear_until("nothing")
    assert closed.value.code == 1008


def test_a_message_that_is_too_large_ends_it(window: Window) -> None:
    window.socket.send_bytes(b"x" * (MOST_MESSAGE + 1))
    with pytest.raises(WebSocketDisconnect) as closed:
        window.hear_until("nothing")
    assert closed.value.code == 1009


def test_text_is_no_message(window: Window) -> None:
    window.socket.send_text('{"type": "undo"}')
    assert "not a message" in window.hear_until("problem")["message"]


def test_the_address_says_who_can_reach_it() -> None:
    assert all(is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "127.1.2.3"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "192.168.1.5", "host.example"))


def test_a_studio_for_all_addresses_takes_addresses_but_no_names() -> None:
    gate = Gate(TOKEN, 80, "0.0.0.0")
    assert gate.is_own_host("192.168.1.5")
    assert gate.is_own_host("localhost:80")
    assert not gate.is_own_host("evil.example")
    assert not gate.is_own_host("192.168.1.5:81")


def test_a_studio_started_again_with_its_token_knows_the_browser() -> None:
    assert Gate(TOKEN, 4567).cookie == Gate(TOKEN, 4567).cookie
    assert Gate(TOKEN, 4567).cookie != Gate(TOKEN + "x", 4567).cookie
