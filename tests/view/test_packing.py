"""What page and studio are told: bytes that give the motion back, a body that fits its joints."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.constraints import ConstraintSet
from motionloom.kinematics import forward_kinematics
from motionloom.view.packing import (
    pack_character,
    pack_motion,
    pack_rotations,
    pack_targets,
)


def floats(data: bytes, *shape: int) -> np.ndarray:
    return np.frombuffer(data, "<f4").reshape(*shape).astype(float)


def unpack_rotations(counts):
    return rot.normalize(np.asarray(counts, float))


def test_turns_survive_within_five_thousandths_of_a_degree():
    turns = rot.normalize(np.random.default_rng(0).normal(size=(5000, 3, 4)))
    back = unpack_rotations(pack_rotations(turns))
    assert np.degrees(rot.angle_between(back, turns)).max() < 0.005


def test_turns_do_not_jump_in_sign(walker):
    jumping = walker.rotations * np.where(np.arange(walker.n_frames) % 2, -1, 1)[:, None, None]
    counts = pack_rotations(jumping).astype(int)
    assert np.abs(np.diff(counts, axis=0)).max() < 8000


def test_a_motion_comes_back(walker, contacts):
    packed = pack_motion(walker, "anna", contacts=contacts, first=10, total=200, rev=7)
    n, joints = walker.n_frames, walker.skeleton.n_joints
    assert (packed["who"], packed["first"], packed["n"], packed["total"]) == ("anna", 10, n, 200)
    counts = np.frombuffer(packed["quats"], "<i2").reshape(n, joints, 4)
    back = replace(
        walker,
        rotations=unpack_rotations(counts),
        translations=floats(packed["root"], n, 1, 3),
    )
    truth = forward_kinematics(walker).positions
    np.testing.assert_allclose(forward_kinematics(back).positions, truth, atol=2e-4)
    down = np.frombuffer(packed["contacts"]["left_foot"], "u1")
    np.testing.assert_array_equal(down, contacts["left_foot"])


def test_joints_that_move_in_their_parents_are_told(walker):
    moving = walker.with_translated((0, 3))
    packed = pack_motion(moving, "a")
    assert packed["moved"] == [3]
    moves = floats(packed["moves"], walker.n_frames, 1, 3)
    np.testing.assert_allclose(moves[:, 0], np.broadcast_to(walker.skeleton.offsets[3], (61, 3)))


def test_a_character_has_a_closed_skin_that_its_joints_carry(walker):
    packed = pack_character(walker, "anna", color="#336699", name="Anna")
    skin = packed["skin"]
    vertices = floats(skin["vertices"], -1, 3)
    faces = np.frombuffer(skin["faces"], "<u4").reshape(-1, 3)
    weights = floats(skin["weights"], -1, 4)
    joints = np.frombuffer(skin["joints"], "<u2").reshape(-1, 4)
    assert faces.max() == len(vertices) - 1
    assert joints.max() < walker.skeleton.n_joints
    assert len(joints) == len(weights) == len(vertices)
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
    assert np.frombuffer(packed["sides"], "i1").tolist().count(1) == 6
    # As tall as a person with these bones, standing on the ground.
    assert abs(vertices[:, 1].min()) < 0.03
    assert 1.5 < vertices[:, 1].max() < 1.9


def test_the_skin_looks_outwards(walker):
    """By its volume: faces that look inwards would take away from it."""
    skin = pack_character(walker, "a", color="#000000")["skin"]
    corners = floats(skin["vertices"], -1, 3)[np.frombuffer(skin["faces"], "<u4").reshape(-1, 3)]
    volume = np.einsum("fi,fi->f", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert 0.04 < volume < 0.12


@pytest.mark.parametrize("kind", ["cylinder", "box", "heightmap", "slope", "stairs"])
def test_solids_keep_the_fields_of_a_constraint_file(kind):
    fields = {
        "cylinder": {"center": [1.0, 2.0], "radius": 0.5, "top": 1.0},
        "box": {"center": [1.0, 2.0], "size": [1.0, 0.5], "angle": 30.0},
        "heightmap": {"heights": [[0.0, 0.1], [0.0, 0.2]], "origin": [0.0, 1.0], "cell": 0.5},
        "slope": {"start": [0.0, 1.0], "heading": 20.0, "steepness": 8.0, "length": 4.0},
        "stairs": {"start": [0.0, 1.0], "heading": 0.0, "rise": 0.17, "tread": 0.3, "steps": 4},
    }[kind]
    where = "avoid" if kind in ("cylinder", "box", "heightmap") else "ground"
    wish = ConstraintSet.model_validate({"duration": 2.0, where: [{"shape": kind, **fields}]})
    assert pack_targets(wish, "a") == [{"kind": kind, **fields, "who": "a"}]


def test_targets_are_rings_points_and_paths(targets):
    drawn = pack_targets(targets)
    assert [mark["kind"] for mark in drawn] == ["ring", "ring", "point"]
    assert drawn[1]["facing"] == 20.0
    assert drawn[1]["position"] == [0.3, 2.0]
    assert drawn[2]["joint"] == "right_hand"
    json.dumps(drawn)
    assert pack_targets(None) == []
