"""``motionloom edit``: what it writes, and what it says when it cannot."""

import json

import numpy as np
import pytest

from motionloom.cli.main import main
from motionloom.io import load_motion, save
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


def test_the_sheet_says_when_in_the_clip_it_begins(clip, ask, tmp_path, monkeypatch):
    noted = []

    def draw(motions, path, notes):
        noted.extend((notes, motions[0].n_frames))
        path.write_bytes(b"png")

    monkeypatch.setattr("motionloom.view.write_contact_sheet", draw)
    moved = "shift: [0, 0.01, 0], ease_in: 0.2, ease_out: 0.2"
    wish = f"joints:\n- {{time: 2.0, joint: right_hand, {moved}}}\n"
    out = str(tmp_path / "o.bvh")
    assert main(["edit", clip, "-c", ask(wish), "-o", out, "--png", str(tmp_path / "a.png")]) == 0
    (note,), shown = noted
    begin = float(note.split(" s is ")[1].split(" s of")[0])
    assert 1.0 < begin < 1.8
    assert shown * load_motion(clip).frame_time < 2.0


def test_what_is_out_of_reach_is_told_and_exits_with_1(clip, ask, tmp_path, capsys):
    far = "joints:\n- {time: 1.0, joint: right_hand, position: [0, 1.2, 4]}\n"
    assert main(["edit", clip, "-c", ask(far), "-o", str(tmp_path / "out.bvh")]) == 1
    said = capsys.readouterr()
    assert "not met: right_hand position at 1 s is missed by" in said.err
    assert "conflicts with the planted feet" in said.err
    # The report names it first.
    assert said.out.index("is missed by") < said.out.index("Goals")


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


def test_naturalness_is_told_beside_the_clip_s_where_captures_are_named(
    demo_folder, clip, ask, tmp_path, capsys
):
    captures = [str(demo_folder / "clips" / f"reach_right_{n}.bvh") for n in ("low", "high")]
    space = str(tmp_path / "nat.npz")

    def told(shift, *more):
        wish = ask(f"joints:\n- {{time: 1.5, joint: right_hand, shift: {shift}}}\n")
        argv = ["edit", clip, "-c", wish, "-o", str(tmp_path / "out.bvh"), "--json", "--force"]
        main([*argv, "--space", space, *more])
        natural = json.loads(capsys.readouterr().out)["natural"]
        return natural["captured poses that are less natural (%)"]

    against = [a for name in [*captures, clip] for a in ("--reference", name)]
    before, after = told([0, 0, 0], *against)
    assert before == pytest.approx(after, abs=1.0)
    # What was kept tells the same; nobody there reaches up and behind.
    again, odd = told([-0.2, 0.4, -0.6])
    assert odd < again - 5
    argv = ["edit", clip, "-c", ask(WISH), "-o", str(tmp_path / "a.bvh")]
    assert main([*argv, "--space", str(tmp_path / "none.npz")]) == 2


@pytest.mark.parametrize("ease", ["0", "inf"])
def test_easing_takes_a_finite_time_and_may_take_none(clip, ask, tmp_path, capsys, ease):
    out = tmp_path / "out.bvh"
    text = "joints:\n- {time: 1.0, joint: right_hand, shift: [0.01, 0.01, 0.0]}\n"
    code = main(["edit", clip, "-c", ask(text), "-o", str(out), "--ease", ease])
    if ease == "inf":
        assert code == 2
        assert "--ease: expected seconds of at least 0, got inf" in complaint(capsys)
        return
    before, after = load_motion(clip), load_motion(out)
    frame = round(1.0 / before.frame_time)
    changed = np.abs(after.rotations - before.rotations).max(axis=(1, 2)) > 1e-6
    assert np.flatnonzero(changed).tolist() == [frame]


def test_a_clip_of_one_frame_is_a_pose(clip, ask, tmp_path):
    one, out = tmp_path / "one.bvh", tmp_path / "out.bvh"
    save(load_motion(clip)[40:41], one)
    text = "joints:\n- {time: 0, joint: right_hand, shift: [0.02, 0.02, 0.0]}\n"
    assert main(["edit", str(one), "-c", ask(text), "-o", str(out)]) == 0
    moved = [forward_kinematics(load_motion(p)).positions[0] for p in (one, out)]
    hand = load_motion(one).skeleton.index("RightHand")
    np.testing.assert_allclose(moved[1][hand] - moved[0][hand], [0.02, 0.02, 0.0], atol=1e-4)


def test_two_wishes_of_one_effector_are_named(clip, ask, tmp_path, capsys):
    text = (
        "joints:\n- {time: 1, joint: right_hand, shift: [0, 0.1, 0]}\n"
        "- {time: 1, joint: RightHand, shift: [0, 0.2, 0]}\n"
    )
    assert main(["edit", clip, "-c", ask(text), "-o", str(tmp_path / "out.bvh")]) == 2
    assert "right_hand shift at 1 s and RightHand shift at 1 s" in complaint(capsys)


def test_a_page_is_html(clip, ask, tmp_path, capsys):
    argv = ["edit", clip, "-c", ask(WISH), "-o", str(tmp_path / "o.bvh"), "--html", "page.txt"]
    assert main(argv) == 2
    assert "page.txt: a page is written as HTML" in complaint(capsys)


def test_a_clip_is_put_on_a_slope_without_a_file(clip, tmp_path, capsys):
    out = tmp_path / "slope.bvh"
    assert main(["edit", clip, "--slope", "7", "-o", str(out)]) == 0
    assert "LeftFoot position on the slope" in capsys.readouterr().out
    assert main(["edit", clip, "-o", str(out), "--force"]) == 2
    assert "a constraint file (-c), or --slope" in complaint(capsys)
