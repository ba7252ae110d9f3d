"""``motionloom edit``: what it writes, and what it says when it cannot."""

import json

import numpy as np
import pytest

from motionloom import load_motion
from motionloom.cli.main import main
from motionloom.kinematics import forward_kinematics

WISH = """
joints:
- {time: 1.5, joint: right_hand, position: [-0.25, 1.35, 0.45], ease_in: 0.5}
- {from: 1.2, to: 1.4, joint: head, look_at: [0.5, 1.2, 2.0], priority: 2}
"""


@pytest.fixture
def clip(demo_folder):
    return str(demo_folder / "clips" / "reach_right_front.bvh")


@pytest.fixture
def ask(tmp_path):
    """Writes a constraint file and returns its name."""

    def write(text, name="wish.yaml"):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


def complaint(capsys):
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if not line.startswith("warning: ")]
    assert len(lines) == 1, err
    return lines[0]


def test_the_edited_clip_is_like_the_file_it_came_from(clip, ask, tmp_path, capsys):
    out, report = tmp_path / "new" / "out.bvh", tmp_path / "r.json"
    argv = ["edit", clip, "-c", ask(WISH), "-o", str(out), "--report", str(report)]
    assert main([*argv, "--png", str(tmp_path / "a.png")]) == 0
    text = capsys.readouterr().out
    assert "right_hand position at 1.5 s" in text
    assert "feet slide" in text
    before, after = load_motion(clip), load_motion(out)
    assert after.frame_time == before.frame_time
    assert after.source.channels == before.source.channels
    assert after.source.unit == before.source.unit
    frame = round(1.5 / before.frame_time)
    hand = forward_kinematics(after).positions[frame, after.skeleton.index("RightHand")]
    np.testing.assert_allclose(hand, [-0.25, 1.35, 0.45], atol=2e-4)
    np.testing.assert_allclose(after.rotations[-1], before.rotations[-1], atol=1e-5)
    data = json.loads(report.read_text())
    assert [g["reason"] for g in data["goals"]] == ["met", "met"]
    assert data["problems"] == []
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_what_is_out_of_reach_is_told_and_exits_with_1(clip, ask, tmp_path, capsys):
    far = "joints:\n- {time: 1.0, joint: right_hand, position: [0, 1.2, 4]}\n"
    assert main(["edit", clip, "-c", ask(far), "-o", str(tmp_path / "out.bvh")]) == 1
    err = capsys.readouterr().err
    assert "not met: right_hand position at 1 s is missed by" in err
    assert "conflicts with the planted feet" in err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("joints:\n- {time: 99, joint: right_hand, position: [0, 1, 0]}\n", "wish.yaml:2:"),
        ("joints:\n- {time: 1, joint: right_hnad, position: [0, 1, 0]}\n", "wish.yaml:2:"),
        ("body:\n- {time: 1, position: [0, 1]}\n", "an edit cannot honour this"),
        ("joints:\n- {time: 1, joint: head, velocity: [0, 1, 0]}\n", "an edit cannot honour this"),
        ("fps: 77\njoints:\n- {time: 1, joint: head, position: [0, 1, 0]}\n", "wish.yaml:1: fps"),
        ("duration: 99\njoints: []\n", "wish.yaml:1: duration: the clip lasts"),
        ("feet: free\n", "at least one constraint"),
        ("joints:\n- {time: 1, joint: head, shift: [0, 1, 0], position: [0, 0, 0]}\n", "shift"),
        ("center_of_mass:\n- {time: 1, position: [0, 1, 0], ease_in: -2}\n", "ease_in"),
    ],
)
def test_files_that_an_edit_cannot_use_get_one_sentence(clip, ask, tmp_path, capsys, text, says):
    out = tmp_path / "out.bvh"
    assert main(["edit", clip, "-c", ask(text), "-o", str(out)]) == 2
    assert says in complaint(capsys)
    assert not out.exists()


def test_other_commands_refuse_what_only_edits_can_do(demo_folder, ask, tmp_path, capsys):
    text = "joints:\n- {joint: right_hand, shift: [0, 0.1, 0]}\n"
    argv = ["pose", str(demo_folder / "clips"), "-c", ask(text), "-o", str(tmp_path / "a.bvh")]
    assert main(argv) == 2
    assert "motionloom edit" in complaint(capsys)
