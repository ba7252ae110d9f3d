"""``motionloom pose``: what it writes, and what it says when it cannot."""

import json

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.cli.main import main
from motionloom.io import load_motion
from motionloom.kinematics import center_of_mass, forward_kinematics
from motionloom.roles import find_roles

pytestmark = pytest.mark.usefixtures("little_work")

REACH = """
body:
- {position: [0.5, 1.0], facing: 30}
joints:
- {joint: right_hand, position: [0.9, 1.25, 1.4]}
- {joint: head, look_at: [0.9, 1.25, 1.4], axis: [0, 0, 1]}
- {joint: left_foot, orientation: [0.9659258, 0, 0.2588190, 0]}
"""


@pytest.fixture
def clips(demo_folder):
    return str(demo_folder / "clips")


@pytest.fixture
def ask(tmp_path):
    """Writes a constraint file and returns its name."""

    def write(text, name="wish.yaml"):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


def only_line(capsys):
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if not line.startswith("warning: ")]
    assert len(lines) == 1, err
    return lines[0]


def test_hand_foot_and_gaze_are_where_the_file_says(clips, ask, tmp_path, capsys):
    argv = ["pose", clips, "-c", ask(REACH), "-o", str(tmp_path / "new" / "a.bvh")]
    argv += ["--report", str(tmp_path / "a.json"), "--png", str(tmp_path / "a.png")]
    assert main(argv) == 0
    assert "all reached" in capsys.readouterr().out
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    motion = load_motion(tmp_path / "new" / "a.bvh")
    assert motion.n_frames == 1
    pose, names = forward_kinematics(motion), list(motion.skeleton.names)
    place = dict(zip(names, pose.positions[0], strict=True))
    turn = dict(zip(names, pose.rotations[0], strict=True))
    goal = np.array([0.9, 1.25, 1.4])
    assert np.linalg.norm(place["RightHand"] - goal) < 0.0015
    assert np.allclose(place["Hips"][[0, 2]], [0.5, 1.0], atol=1e-4)
    left = place["LeftUpLeg"] - place["RightUpLeg"]
    assert np.degrees(np.arctan2(-left[2], left[0])) == pytest.approx(30, abs=0.05)
    sight = (goal - place["Head"]) / np.linalg.norm(goal - place["Head"])
    assert np.degrees(np.arccos(sight @ rot.rotate(turn["Head"], [0.0, 0.0, 1.0]))) < 0.5
    assert np.degrees(rot.angle_between(turn["LeftFoot"], rot.yaw(np.radians(30)))) < 0.5
    report = json.loads((tmp_path / "a.json").read_text())
    assert [t["target"] for t in report["targets"]] == [
        "RightHand position",
        "Head gaze",
        "LeftFoot orientation",
    ]
    assert report["beyond_limits"] == 0
    assert 0 <= report["mixture"]["percentile"] <= 100


def test_root_coordinates_are_those_of_the_world_seen_from_the_hips(clips, ask, tmp_path):
    inside = ask("frame: root\njoints:\n- {joint: right_hand, position: [-0.3, 0.3, 0.35]}\n")
    assert main(["pose", clips, "-c", inside, "-o", str(tmp_path / "a.bvh")]) == 0
    motion = load_motion(tmp_path / "a.bvh")
    pose = forward_kinematics(motion)
    hand = pose.positions[0, motion.skeleton.names.index("RightHand")] - pose.positions[0, 0]
    assert np.allclose(
        rot.rotate(rot.conjugate(pose.rotations[0, 0]), hand), [-0.3, 0.3, 0.35], atol=0.0015
    )


def test_a_kept_space_needs_no_clips_and_a_start_stays_where_it_is(
    clips, ask, tmp_path, demo_folder, capsys
):
    wish = ask("joints:\n- {joint: right_hand, position: [-0.3, 1.2, 0.35]}\n")
    kept = str(tmp_path / "s.npz")
    assert main(["pose", clips, "-c", wish, "-o", str(tmp_path / "a.bvh"), "--space", kept]) == 0
    capsys.readouterr()
    assert main(["pose", "-c", wish, "-o", str(tmp_path / "b.bvh"), "--space", kept, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == []
    walk = demo_folder / "clips" / "walk_1.1.bvh"
    captured = forward_kinematics(load_motion(walk))
    near = captured.positions[60, load_motion(walk).skeleton.names.index("RightHand")] + [
        0.0,
        0.1,
        0.0,
    ]
    wish = ask(f"joints:\n- {{joint: right_hand, position: {near.tolist()}}}\n", "near.yaml")
    argv = [
        "pose",
        "-c",
        wish,
        "--space",
        kept,
        "--start",
        f"{walk}:60",
        "-o",
        str(tmp_path / "c.bvh"),
    ]
    assert main(argv) == 0
    made = forward_kinematics(load_motion(tmp_path / "c.bvh"))
    # The hips go along with the hand by less than it moves, over feet that stay.
    moved = np.linalg.norm(made.positions[0] - captured.positions[60], axis=-1)
    names = load_motion(walk).skeleton.names
    assert moved[names.index("Hips")] < 0.1
    assert moved[[names.index(f"{side}Foot") for side in ("Left", "Right")]].max() < 0.002


def test_feet_stay_and_hips_come_down_for_a_low_target(clips, ask, tmp_path, capsys):
    wish = ask("joints:\n- {joint: right_hand, position: [-0.2, 0.45, 0.4]}\n")
    out = str(tmp_path / "low.bvh")
    argv = ["pose", clips, "-c", wish, "-o", out, "--json"]
    assert main(argv) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["above_floor"] > -0.001
    motion = load_motion(out)
    places = dict(zip(motion.skeleton.names, forward_kinematics(motion).positions[0], strict=True))
    assert np.allclose(places["RightHand"], [-0.2, 0.45, 0.4], atol=0.0015)
    assert places["Hips"][1] < 0.86
    assert abs(places["LeftFoot"][1] - places["RightFoot"][1]) < 0.03
    assert places["LeftFoot"][1] < 0.1


def test_balance_is_kept_where_that_is_asked(clips, ask, tmp_path, capsys):
    far = "{joint: right_hand, position: [-0.2, 1.0, 0.75]}"
    off = {}
    for balance in ("free", "kept"):
        wish = ask(f"balance: {balance}\njoints:\n- {far}\n", f"{balance}.yaml")
        main(["pose", clips, "-c", wish, "-o", str(tmp_path / f"{balance}.bvh"), "--json"])
        off[balance] = json.loads(capsys.readouterr().out)["off_balance"]
    assert off["kept"] <= 0.001
    assert off["kept"] < off["free"]


def test_out_of_reach_is_said_and_the_closest_pose_is_written(clips, ask, tmp_path, capsys):
    wish = ask("joints:\n- {joint: right_hand, position: [0, 1, 4]}\n")
    assert (
        main(["pose", clips, "-c", wish, "-o", str(tmp_path / "a.bvh"), "--method", "single"]) == 1
    )
    out, err = capsys.readouterr()
    assert "not reached" in out
    assert "not met: RightHand position misses by" in err
    assert load_motion(tmp_path / "a.bvh").n_frames == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "joints:\n- {joint: head, position: [0, 1, 0],\n   velocity: [1, 0, 0]}\n",
            "wish.yaml:3: velocity: a pose",
        ),
        (
            "avoid:\n- {shape: cylinder, center: [1, 1], radius: 0.3}\n",
            "wish.yaml:1: avoid: a pose cannot",
        ),
        ("joints: []\n", "wish.yaml:1: joints: a pose needs at least one"),
        (
            "joints:\n- {joint: hed, position: [0, 1, 0]}\n",
            "wish.yaml:2: unknown joint 'hed'; nearest: ",
        ),
        (
            "joints:\n- {joint: head, orientation: [0, 0, 0, 0]}\n",
            "wish.yaml:2: joints[0].orientation: all numbers",
        ),
        (
            "joints:\n- {joint: head, orientation: [1, 0, 0]}\n",
            "wish.yaml:2: joints[0].orientation",
        ),
        (
            "joints:\n- {joint: head, position: [0, 1, 0], axis: [0, 0, 1]}\n",
            "wish.yaml:2: joints[0].axis: an axis",
        ),
        ("frame: hips\njoints: []\n", "wish.yaml:1: frame: expected 'world' or 'root'"),
        (
            "duration: 2\nbody:\n- {position: [0, 0]}\n- {time: 1, position: [0, 0]}\njoints: []\n",
            "a pose has one place",
        ),
    ],
)
def test_wrong_constraint_files(clips, ask, tmp_path, capsys, text, expected):
    assert main(["pose", clips, "-c", ask(text), "-o", str(tmp_path / "a.bvh")]) == 2
    assert expected in only_line(capsys)
    assert [p.name for p in tmp_path.iterdir()] == ["wish.yaml"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--method", "magic"], "--method: expected one of natural"),
        (["--start", "none.bvh"], "none.bvh: there is no such file"),
        (["--space", "a.txt"], "name that ends in .npz"),
        (["--png", "a.jpg"], ".png"),
    ],
)
def test_wrong_options(clips, ask, tmp_path, capsys, options, expected):
    assert main(["pose", clips, "-c", ask(REACH), "-o", str(tmp_path / "a.bvh"), *options]) == 2
    assert expected.split(":")[0] in only_line(capsys)
    assert not (tmp_path / "a.bvh").exists()


def test_neither_clips_nor_a_space(ask, tmp_path, capsys):
    assert main(["pose", "-c", ask(REACH), "-o", str(tmp_path / "a.bvh")]) == 2
    assert "no clips were given" in only_line(capsys)


def test_motions_refuse_what_is_for_poses(clips, ask, tmp_path, capsys):
    wish = ask("duration: 3\njoints:\n- {time: 1, joint: head, look_at: [0, 1, 0]}\n")
    assert main(["synthesize", clips, "-c", wish, "-o", str(tmp_path / "a.bvh")]) == 2
    assert "wish.yaml:3: look_at: a motion cannot honour this" in only_line(capsys)


def test_the_tip_of_a_tool_is_where_the_file_says_and_turned_so(clips, ask, tmp_path, capsys):
    tip, held = np.array([0.05, 0.1, 0.2]), [0.8660254, 0.5, 0.0, 0.0]
    wish = ask(
        "joints:\n- {joint: right_hand, position: [-0.3, 1.1, 0.5], orientation: [1, 0, 0, 0],"
        f" tool: {{offset: {tip.tolist()}, orientation: {held}}}}}\n"
    )
    argv = ["pose", clips, "-c", wish, "-o", str(tmp_path / "a.bvh")]
    assert main([*argv, "--png", str(tmp_path / "a.png")]) == 0, capsys.readouterr()
    motion = load_motion(tmp_path / "a.bvh")
    pose, hand = forward_kinematics(motion), find_roles(motion.skeleton).joints["right_hand"]
    turn = pose.rotations[0, hand]
    np.testing.assert_allclose(
        pose.positions[0, hand] + rot.rotate(turn, tip), [-0.3, 1.1, 0.5], atol=2e-3
    )
    assert rot.angle_between(rot.multiply(turn, held), rot.identity()) < np.radians(0.5)


@pytest.mark.parametrize("axes", ["xz", "y", "xyz"])
def test_the_centre_of_mass_is_where_the_file_says(clips, ask, tmp_path, capsys, axes):
    wish = ask(f"center_of_mass: [{{position: [0.04, 0.8, 0.05], axes: {axes}}}]\n")
    argv = ["pose", clips, "-c", wish, "-o", str(tmp_path / "a.bvh")]
    argv += ["--png", str(tmp_path / "a.png")]
    assert main(argv) == 0, capsys.readouterr()
    assert "centre of mass position" in capsys.readouterr().out
    motion = load_motion(tmp_path / "a.bvh")
    places = forward_kinematics(motion).positions
    mass = center_of_mass(places, find_roles(motion.skeleton))[0]
    asked = [a in axes for a in "xyz"]
    np.testing.assert_allclose(mass[asked], np.array([0.04, 0.8, 0.05])[asked], atol=2e-3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("joints:\n- joint: head\n  position: [0, 1, 0]\n  tool: {}\n", "wish.yaml:4: "),
        (
            "joints:\n- joint: head\n  look_at: [0, 1, 0]\n  tool:\n    offset: [0, 0, 1]\n",
            "wish.yaml:5: ",
        ),
        ("center_of_mass:\n- position: [0, 1, 0]\n  axes: x\n", "wish.yaml:3: "),
        ("center_of_mass:\n- axes: xz\n", "wish.yaml:2: "),
        ("frame: root\ncenter_of_mass: [{position: [0, 1, 0]}]\n", "wish.yaml:2: center_of_mass: "),
    ],
)
def test_tools_and_masses_that_mean_nothing_are_refused_with_their_line(
    clips, ask, tmp_path, capsys, text, said
):
    assert main(["pose", clips, "-c", ask(text), "-o", str(tmp_path / "a.bvh")]) == 2
    assert said in only_line(capsys)


@pytest.mark.parametrize(
    "field",
    ["center_of_mass: [{time: 1, position: [0, 1, 0]}]", "joints:\n- {time: 1, joint: head, TOOL}"],
)
def test_motions_refuse_tools_and_masses(clips, ask, tmp_path, capsys, field):
    field = field.replace("TOOL", "position: [0, 1, 0], tool: {offset: [0, 0, 1]}")
    argv = ["synthesize", clips, "-c", ask(f"duration: 3\n{field}\n"), "-o"]
    assert main([*argv, str(tmp_path / "a.bvh")]) == 2
    assert "a motion cannot honour this" in only_line(capsys)
