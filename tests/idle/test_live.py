"""Idle motion on the wire: frames that others can read, commands, and garbage."""

import json
import socket
import threading
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionloom.errors import InvalidInputError
from motionloom.idle import IdleStream, begin_idle
from motionloom.idle.live import (
    BONES,
    IdleServer,
    JsonProtocol,
    ServerOptions,
    VmcProtocol,
    read_command,
    unity_place,
    unity_turn,
)
from motionloom.posed_motion import pose_motion
from motionloom.roles import ROLE_NAMES


@pytest.fixture
def inlet():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as port:
        port.bind(("127.0.0.1", 0))
        port.settimeout(5.0)
        yield port


def serve(model, inlet, gestures=None, fps=60.0):
    stream = IdleStream(model, fps, begin_idle(model, 1))
    options = ServerOptions(port=inlet.getsockname()[1])
    return IdleServer(stream, JsonProtocol(model.space.roles), options, gestures)


def test_every_frame_arrives_with_its_pose(model, inlet):
    server = serve(model, inlet)
    server.run(0.5)
    expected = IdleStream(model, 60.0, begin_idle(model, 1)).frames(30)
    for frame in range(30):
        message = json.loads(inlet.recv(65536))
        assert message["frame"] == frame
        turns = np.array([message["rotations"][name] for name in expected.skeleton.names])
        np.testing.assert_allclose(turns, expected.rotations[frame], atol=1e-6)
    assert server.counts.frames == 30


def test_commands_are_obeyed_and_garbage_is_counted(model, inlet, wave):
    server = serve(model, inlet, {"wave": wave})
    ports = []
    thread = threading.Thread(target=server.run, args=(20.0, ports.append))
    thread.start()
    inlet.recv(65536)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for text in (
            b"\xff\x00 no command",
            b'{"do": "play", "clip": "../../etc/passwd"}',
            b'{"do": "play", "clip": "wave", "joints": ["left_knee"]}',
            b'{"do": "play"}',
            b"x" * 9000,
            b'{"do": "play", "clip": "wave"}',
            b'{"do": "mood", "liveliness": 0.5}',
            b'{"do": "stop", "clip": "wave"}',
            b'{"do": "quit"}',
        ):
            out.sendto(text, ("127.0.0.1", ports[0]))
    thread.join(10.0)
    assert not thread.is_alive()
    assert (server.counts.commands, server.counts.ignored) == (4, 5)
    assert server.stream.options.liveliness == 0.5


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b'{"do": "sleep"}',
        b'{"do": "mood", "liveliness": 1e9}',
        b'{"do": "mood", "liveliness": NaN}',
        b'{"do": "play", "clip": "a", "path": "/"}',
        b'{"do": "play", "clip": ' + b'"a"' * 5000 + b"}",
    ],
)
def test_what_is_no_command_is_none(text):
    assert read_command(text) is None


def test_an_osc_library_reads_vmc(model):
    osc = pytest.importorskip("pythonosc.osc_bundle")
    motion = IdleStream(model, 60.0, begin_idle(model, 1)).frames(2)
    bundle = osc.OscBundle(VmcProtocol(model.space.roles).encode(motion, 1, 0.25))
    messages = {m.params[0] if m.address.endswith("Pos") else m.address: m for m in bundle}
    assert messages["/VMC/Ext/OK"].params == [1]
    assert messages["/VMC/Ext/T"].params == [0.25]
    assert set(messages) >= {BONES[role] for role in model.space.roles.joints}
    hips = messages["Hips"].params
    x, y, z = motion.translations[1, 0]
    np.testing.assert_allclose(hips[1:4], [-x, y, z], atol=1e-6)


def test_every_role_has_a_bone():
    assert set(BONES) == set(ROLE_NAMES)


def test_unity_sees_the_same_places_mirrored(model):
    """A point turned here and then brought over is the point brought over and then turned."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        turn = rng.standard_normal(4)
        turn /= np.linalg.norm(turn)
        point = rng.standard_normal(3)
        w, x, y, z = turn
        here = Rotation.from_quat([x, y, z, w]).apply(point)
        there = Rotation.from_quat(unity_turn(turn)).apply(unity_place(point))
        np.testing.assert_allclose(unity_place(here), there, atol=1e-12)


def test_a_port_that_is_taken_is_refused(model, inlet):
    stream = IdleStream(model, 60.0, begin_idle(model, 1))
    taken = inlet.getsockname()[1]
    server = IdleServer(stream, JsonProtocol(model.space.roles), ServerOptions(listen=taken))
    with pytest.raises(InvalidInputError, match="give another port"):
        server.run(0.1)
    with pytest.raises(InvalidInputError):
        ServerOptions(port=0)


def test_nobody_listening_does_not_stop_it(model):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as gone:
        gone.bind(("127.0.0.1", 0))
        port = gone.getsockname()[1]
    stream = IdleStream(model, 60.0, begin_idle(model, 1))
    counts = IdleServer(stream, JsonProtocol(model.space.roles), ServerOptions(port=port)).run(0.3)
    assert counts.frames == 18
    assert pose_motion(stream.frames(1)).n_frames == 1


@pytest.mark.parametrize("host", ["256.0.0.1 .", "a" * 70])
def test_a_host_without_address_is_refused_before_anything_is_sent(model, host):
    stream = IdleStream(model, 60.0, begin_idle(model, 1))
    server = IdleServer(stream, JsonProtocol(model.space.roles), ServerOptions(host=host))
    with pytest.raises(InvalidInputError, match="there is no machine"):
        server.run(0.1)
    assert server.counts.frames == 0


def test_a_gesture_of_another_skeleton_is_refused_at_once(model, inlet):
    clip = IdleStream(model, 60.0, begin_idle(model, 1)).frames(10)
    names = tuple(f"other_{name}" for name in clip.skeleton.names)
    other = replace(clip, skeleton=replace(clip.skeleton, names=names))
    with pytest.raises(InvalidInputError, match="has no joint"):
        serve(model, inlet, {"wave": other})
