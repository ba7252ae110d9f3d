"""Lines and datagrams, of any length."""

import io
import socket

import pytest

from motionloom.errors import InvalidInputError
from motionloom.fitting.live._session import MOST_BYTES, read_message
from motionloom.fitting.live.network import datagrams_of, lines_of, sender_to


def test_a_line_that_is_too_long_is_no_message_and_the_next_one_is():
    stream = io.BytesIO(b"end\n" + b"frame " * MOST_BYTES + b"\nend\n")
    lines = list(lines_of(stream))
    assert [read_message(line) is None for line in lines] == [False, True, False]
    assert max(map(len, lines)) <= MOST_BYTES + 1


def test_datagrams_arrive_as_they_were_sent():
    ports = []
    arriving = datagrams_of(0, ready=ports.append)
    assert next(arriving) == b""  # nothing came for half a second
    send = sender_to("127.0.0.1", ports[0])
    send("rate 120")
    send("end")
    assert [next(arriving), next(arriving)] == [b"rate 120", b"end"]
    arriving.close()


def test_it_listens_on_this_machine_only():
    ports = []
    arriving = datagrams_of(0, ready=ports.append)
    next(arriving)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.2", ports[0]))  # free: not all addresses are taken
    arriving.close()


def test_a_port_that_is_taken_is_refused_in_one_sentence():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(InvalidInputError, match=f"cannot listen on 127.0.0.1 port {port}"):
            next(datagrams_of(port))
