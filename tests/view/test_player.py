"""What a notebook shows of a motion: a player in a frame of its own, small, self-contained and
escaped.
"""

from __future__ import annotations

import base64
import html
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from motionloom.kinematics import forward_kinematics
from motionloom.skeleton import Skeleton
from motionloom.view._player import build_player


def page_of(player: str) -> str:
    """The document inside the frame, as a browser takes it from the attribute."""
    return html.unescape(re.search(r'srcdoc="([^"]*)"', player).group(1))


def data_of(player: str) -> dict:
    return json.loads(re.search(r"const D=(\{.*?\}),raw=", page_of(player)).group(1))


def test_the_joints_are_where_the_motion_has_them(walker):
    data = data_of(walker._repr_html_())
    counts = np.frombuffer(base64.b64decode(data["points"]), "<i2").reshape(
        data["frames"], data["n"], 3
    )
    truth = forward_kinematics(walker).positions
    np.testing.assert_allclose(
        data["grain"] * counts[:, : walker.skeleton.n_joints], truth, atol=2e-4
    )
    assert (data["fps"], data["frames"], data["step"]) == (
        pytest.approx(walker.fps),
        walker.n_frames,
        1,
    )


def test_ten_seconds_stay_below_300_kb_at_any_rate_and_long_ones_too(make_walker):
    for n_frames, fps in ((300, 30), (1200, 120), (36000, 120)):
        assert len(build_player(make_walker(n_frames, fps=fps))) < 300_000


def test_what_is_left_out_is_said(make_walker):
    assert "shown" not in build_player(make_walker(600))
    assert re.search(r"first \d+\.\d s shown", build_player(make_walker(36000, fps=120)))


def test_names_are_escaped(walker):
    """A name can neither end an attribute nor begin an element, and none gets into the script."""
    evil = '"><script>alert(1)</script>'
    names = (f"</script>{evil}", *walker.skeleton.names[1:])
    old = walker.skeleton
    skeleton = Skeleton(names, old.parents, old.offsets, old.end_parents, old.end_offsets)
    player = build_player(replace(walker, skeleton=skeleton, name=evil))
    outside = re.sub(r'srcdoc="[^"]*"', "", player)
    assert "<script" not in outside
    assert "alert" not in page_of(player)
    assert player.count("<iframe") == player.count("</iframe>") == 1


def test_players_share_nothing_with_the_page_or_each_other(walker):
    """Each lives in a sandboxed frame: no id that could be there twice, no address, no storage."""
    player = build_player(walker)
    assert 'sandbox="allow-scripts"' in player
    assert "id=" not in re.sub(r'srcdoc="[^"]*"', "", player)
    assert "http" not in player
    assert build_player(walker) == player


def test_motions_of_no_and_of_one_frame(walker):
    assert "0 frames" in build_player(walker[:0])
    assert data_of(build_player(walker[3:4]))["frames"] == 1
