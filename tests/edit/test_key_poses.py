"""Key poses: shown exactly, blended in and out, whether or not a clip has them."""

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.clips import analyse_clips
from motionloom.clips.nearest import nearest_frame, own_pose
from motionloom.constraints import BodyConstraint, ConstraintSet, KeyPose, read_constraints
from motionloom.edit.hold import show_poses
from motionloom.errors import FormatError, InvalidInputError, UnknownJointError
from motionloom.graph.generator import FittedGraph, GraphGeneratorOptions
from motionloom.graph.searching.search import SearchOptions
from motionloom.io import save
from motionloom.synthesis import SynthesisOptions, synthesize
from walkers import make_walker


def test_poses_are_shown_exactly_and_only_around_their_frames():
    walk = make_walker(120)
    names = walk.skeleton.names[1:]
    turn = rot.from_rotvec([0.3, 0.1, 0.0])
    wanted = {f: rot.multiply(walk.rotations[f, 1:], turn) for f in (40, 48)}
    poses = [KeyPose(time=f / walk.fps, joints=names, rotations=r) for f, r in wanted.items()]
    shown = show_poses(walk, poses, 0.5)
    for frame, rotations in wanted.items():
        assert rot.angle_between(shown.rotations[frame, 1:], rotations).max() < 1e-7
    np.testing.assert_allclose(shown.rotations[:25], walk.rotations[:25], atol=1e-12)
    np.testing.assert_allclose(shown.rotations[:, 0], walk.rotations[:, 0], atol=1e-12)
    steps = rot.angle_between(shown.rotations[1:], shown.rotations[:-1]).max()
    assert steps < rot.angle_between(walk.rotations[1:], walk.rotations[:-1]).max() + 0.15


def test_the_nearest_frame_of_a_captured_pose_is_that_frame(performed):
    clip = performed.motions[2]
    target = own_pose(performed, KeyPose.of(clip, 33, 1.0))
    assert nearest_frame(performed, target) == performed.starts[2] + 33
    among = np.ones(performed.n_frames, bool)
    among[performed.starts[2] + 33] = False
    assert nearest_frame(performed, target, among) != performed.starts[2] + 33


def test_a_pose_that_no_clip_has_is_shown(performed, graph):
    clip = performed.motions[performed.names.index("walk_1.1")]
    pose = clip.rotations[40].copy()
    elbow = performed.roles.joints["left_elbow"]
    pose[elbow] = rot.multiply(pose[elbow], rot.from_rotvec([np.radians(25), 0.0, 0.0]))
    key = KeyPose(time=2.0, joints=clip.skeleton.names, rotations=pose.tolist(), name="my pose")
    asked = ConstraintSet(
        duration=4.0, body=[BodyConstraint(time=0, position=(0, 0), facing=0)], key_poses=[key]
    )
    options = GraphGeneratorOptions(search=SearchOptions(iterations=60_000))
    fitted = FittedGraph(analyse_clips(performed), graph, options)
    made = synthesize(fitted, asked, SynthesisOptions(alternatives=1))
    (kept,) = made.report.kept
    assert (kept.kind, kept.what) == ("key_pose", "my pose, at 2.00 s")
    assert kept.value < 0.01
    assert not [p for p in made.report.problems if "my pose" in p]


def test_a_file_names_another_file_and_frame(tmp_path):
    walk = make_walker(20)
    save(walk, tmp_path / "crouch.bvh")
    (tmp_path / "wish.yaml").write_text(
        "duration: 2\nkey_poses:\n  - {time: 1.0, file: crouch.bvh, frame: 7}\n"
    )
    (key,) = read_constraints(tmp_path / "wish.yaml").key_poses
    assert key.name == "crouch, frame 7"
    assert rot.angle_between(np.array(key.rotations), walk.rotations[7]).max() < 1e-5


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            "{time: 1.0, file: crouch.bvh, frame: 99}",
            "wish.yaml:3: frame: expected a whole number from 0 to 19",
        ),
        ("{time: 1.0, file: none.bvh}", "no such file"),
        ("{time: 1.0, file: ../crouch.bvh}", "not in the folder of the constraint file"),
        ("{time: 1.0, file: crouch.bvh, joints: [a]}", "remove one"),
        (
            "{time: 1.0, joints: [a, b], rotations: [[1, 0, 0, 0]]}",
            "one rotation for each of the 2 joints",
        ),
        ("{time: 9.0, file: crouch.bvh}", "after the end"),
    ],
)
def test_wrong_key_poses_are_one_sentence(tmp_path, entry, message):
    save(make_walker(20), tmp_path / "crouch.bvh")
    (tmp_path / "wish.yaml").write_text(f"duration: 2\nkey_poses:\n  - {entry}\n")
    with pytest.raises(FormatError, match=message):
        read_constraints(tmp_path / "wish.yaml")


def test_joints_that_the_clips_do_not_have(performed):
    with pytest.raises(UnknownJointError):
        own_pose(performed, KeyPose(time=0, joints=["nose"], rotations=[(1, 0, 0, 0)]))
    root = performed.skeleton.names[performed.motions[0].root_joint]
    with pytest.raises(InvalidInputError, match="names none but"):
        own_pose(performed, KeyPose(time=0, joints=[root], rotations=[(1, 0, 0, 0)]))
