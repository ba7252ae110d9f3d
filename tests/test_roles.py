import numpy as np
import pytest

from motionloom.constraints import ConstraintSet, JointConstraint, check_joints
from motionloom.errors import InvalidInputError, UnknownJointError
from motionloom.io.registry import load_motion
from motionloom.roles import find_roles
from motionloom.skeleton import Skeleton

#: Parent of every part of a plain body.
TREE = {
    "hips": None,
    "spine": "hips",
    "neck": "spine",
    "head": "neck",
    **{
        f"{s}_{part}": over
        for s in ("left", "right")
        for part, over in (("clavicle", "spine"), ("hip", "hips"))
    },
    **{
        f"{s}_{part}": f"{s}_{over}"
        for s in ("left", "right")
        for part, over in (
            ("shoulder", "clavicle"), ("elbow", "shoulder"), ("hand", "elbow"),
            ("knee", "hip"), ("foot", "knee"), ("toe", "foot"),
        )
    },
}  # fmt: skip
PLAIN = {"hips": "Hips", "spine": "Spine", "neck": "Neck", "head": "Head"}
LIMBS = ("clavicle", "shoulder", "elbow", "hand", "hip", "knee", "foot", "toe")


def both(pattern: str, words: str) -> dict[str, str]:
    """Names of both sides' `LIMBS`: the pattern with a side and the word of each part."""
    return {
        f"{side}_{part}": pattern.format(
            word, side=side, Side=side.title(), s=side[0], S=side[0].upper()
        )
        for side in ("left", "right")
        for part, word in zip(LIMBS, words.split(), strict=True)
    }


BIPED = {part: f"Bip01 {part.title()}" for part in ("spine", "neck", "head")}
STYLES = {
    "words": PLAIN | both("{Side}{}", "Shoulder Arm ForeArm Hand UpLeg Leg Foot ToeBase"),
    "suffixes": PLAIN
    | both("{}_{S}", "Shoulder UpperArm LowerArm Hand UpperLeg LowerLeg Foot Toes"),
    "biped": {"hips": "Bip01 Pelvis"}
    | BIPED
    | both("Bip01 {S} {}", "Clavicle UpperArm Forearm Hand Thigh Calf Foot Toe0"),
    "bones": {"hips": "root", "spine": "thorax", "neck": "lowerneck", "head": "head"}
    | both("{s}{}", "clavicle humerus radius wrist femur tibia foot toes"),
    "anatomy": PLAIN | both("{Side}{}", "Collar Shoulder Elbow Wrist Hip Knee Ankle Toe"),
}
STYLES["namespace"] = {part: f"mixamorig:{name}" for part, name in STYLES["words"].items()}


def skeleton_of(names):
    parts = list(TREE)
    ordered = sorted(parts, key=lambda p: (depth(p), p))
    parents = [-1 if TREE[p] is None else ordered.index(TREE[p]) for p in ordered]
    return Skeleton(tuple(names[p] for p in ordered), np.array(parents), np.ones((len(ordered), 3)))


def depth(part):
    return 0 if TREE[part] is None else 1 + depth(TREE[part])


@pytest.mark.parametrize("style", STYLES)
def test_every_habit_of_naming(style):
    names = STYLES[style]
    skeleton = skeleton_of(names)
    roles = find_roles(skeleton)
    found = {role: skeleton.names[j] for role, j in roles.joints.items()}
    expected = {p: n for p, n in names.items() if not p.endswith("clavicle")} | {
        "chest": names["spine"]
    }
    assert found == expected
    assert roles.kind == "human"


def body_of(tree):
    names = tuple(tree)
    parents = np.array([-1 if above is None else names.index(above) for above in tree.values()])
    return Skeleton(names, parents, np.ones((len(names), 3)))


#: Of a capture whose arms end at the elbow, and whose head is called face.
WITHOUT_HANDS = {
    "pelvis": None,
    "spine": "pelvis",
    "neck": "spine",
    "face": "neck",
    **{
        f"{part}.{side}": f"{above}.{side}" if own else above
        for side in ("L", "R")
        for part, above, own in (
            ("shoulder", "spine", False), ("upper_arm", "shoulder", True),
            ("forearm", "upper_arm", True), ("thigh", "pelvis", False),
            ("shin", "thigh", True), ("foot", "shin", True),
        )
    },
}  # fmt: skip


def test_arms_that_end_at_the_elbow_and_a_head_called_face():
    skeleton = body_of(WITHOUT_HANDS)
    roles = find_roles(skeleton)
    found = {role: skeleton.names[j] for role, j in roles.joints.items()}
    for side, letter in (("left", "L"), ("right", "R")):
        assert found[f"{side}_shoulder"] == f"upper_arm.{letter}"
        assert found[f"{side}_elbow"] == f"forearm.{letter}"
        assert f"{side}_hand" not in found
    assert found["neck"] == "neck"
    assert found["head"] == "face"
    assert found["chest"] == "spine"
    assert roles.doubts == ()


def test_a_face_beside_a_head_is_no_head():
    skeleton = body_of({**WITHOUT_HANDS, "head": "face"})
    roles = find_roles(skeleton)
    assert skeleton.names[roles.joints["head"]] == "head"


def test_a_collar_bone_alone_is_no_arm():
    tree = {n: above for n, above in WITHOUT_HANDS.items() if not n.startswith("upper_arm")}
    tree = {n: ("spine" if n.startswith("forearm") else above) for n, above in tree.items()}
    assert "left_elbow" not in find_roles(body_of(tree)).joints


def test_collar_bones_that_hang_on_the_neck():
    arm = [
        f"Bip01 {side} {part}"
        for side in "LR"
        for part in ("Clavicle", "UpperArm", "Forearm", "Hand")
    ]
    names = (
        "Bip01",
        "Bip01 Pelvis",
        "Bip01 Spine",
        "Bip01 Spine1",
        "Bip01 Neck",
        "Bip01 Head",
        *arm,
    )
    parents = np.array([-1, 0, 1, 2, 3, 4, 4, 6, 7, 8, 4, 10, 11, 12])
    roles = find_roles(Skeleton(names, parents, np.ones((len(names), 3))))
    assert {
        role: names[roles.joints[role]] for role in ("chest", "neck", "left_shoulder", "right_hand")
    } == {
        "chest": "Bip01 Spine1",
        "neck": "Bip01 Neck",
        "left_shoulder": "Bip01 L UpperArm",
        "right_hand": "Bip01 R Hand",
    }


def test_a_table_overrides_what_was_found():
    skeleton = skeleton_of(STYLES["words"])
    roles = find_roles(skeleton, {"left_hand": "RightHand", "kind": "other"})
    assert skeleton.names[roles.joints["left_hand"]] == "RightHand"
    assert roles.kind == "other"
    assert roles.joint("left_toe") is not None
    assert find_roles(Skeleton(("a",), np.array([-1]), np.zeros((1, 3)))).joint("left_toe") is None


@pytest.mark.parametrize(
    ("table", "error", "sentence"),
    [
        ({"left_hand": "LeftHnad"}, UnknownJointError, "nearest: LeftHand"),
        ({"left_paw": "LeftHand"}, InvalidInputError, "unknown role 'left_paw'"),
        (
            {"hips": ["Hips"]},
            InvalidInputError,
            r"hips must be the name of a joint, got \['Hips'\]",
        ),
        ({"kind": "fish"}, InvalidInputError, "kind must be"),
        ({"forward": "Hips"}, InvalidInputError, "forward must be"),
        ({"forward": {"joint": "Hips", "axis": [0, 0]}}, InvalidInputError, "forward must be"),
        ({"forward": {"joint": "Hips", "axis": [0, 0, 0]}}, InvalidInputError, "not all zero"),
    ],
)
def test_a_wrong_table_is_refused(table, error, sentence):
    with pytest.raises(error, match=sentence):
        find_roles(skeleton_of(STYLES["words"]), table)


HUMAN = {"hips", "spine", "chest", "neck", "head"} | {
    f"{s}_{p}"
    for s in ("left", "right")
    for p in ("shoulder", "elbow", "hand", "hip", "knee", "foot")
}


@pytest.mark.parametrize(
    ("file", "kind", "some"),
    [
        (
            "cmu_bvh/01/01_01.bvh",
            "human",
            {"chest": "Spine1", "left_hand": "LeftHand", "left_shoulder": "LeftArm"},
        ),
        (
            "cmu_asf_amc/16/16_15.amc",
            "human",
            {"chest": "thorax", "left_hand": "lwrist", "hips": "root"},
        ),
        (
            "bandai_namco/dataset-2_walk_normal_001.bvh",
            "human",
            {"hips": "Hips", "right_toe": "Toes_R"},
        ),
        (
            "lafan1_60fps/run2_subject4_run2_filtered.bvh",
            "human",
            {"hips": "Hips", "left_toe": "LeftToe"},
        ),
        (
            "odd/bvh_python_test_mocapbank.bvh",
            "human",
            {"left_foot": "LeftAnkle", "left_shoulder": "LeftShoulder"},
        ),
        (
            "odd/bvh_toolbox_walk01.bvh",
            "human",
            {"left_foot": "LeftFoot", "left_elbow": "LeftForeArm"},
        ),
        ("odd/pybvh_bvh_test3.bvh", "human", {"left_hand": "LeftHand", "left_toe": "LeftForeFoot"}),
        (
            "odd/ganimator_idle1.bvh",
            "quadruped",
            {"chest": "Bip01_Spine2", "left_foot": "Bip01_L_Foot"},
        ),
        (
            "dog/D1_007_KAN01_001.bvh",
            "quadruped",
            {"left_hand": "LeftHand", "left_foot": "LeftFoot"},
        ),
    ],
)
def test_roles_of_real_captures(shared_data, file, kind, some):
    skeleton = load_motion(shared_data / file).skeleton
    roles = find_roles(skeleton)
    assert roles.kind == kind
    assert roles.joints.keys() >= HUMAN
    assert {role: skeleton.names[roles.joints[role]] for role in some} == some


def test_feet_of_a_quadruped_are_four(shared_data):
    roles = find_roles(load_motion(shared_data / "dog/D1_007_KAN01_001.bvh").skeleton)
    assert set(roles.feet) == {"left_hand", "right_hand", "left_foot", "right_foot"}


def test_paws_have_names_of_their_own(shared_data):
    skeleton = load_motion(shared_data / "dog/D1_007_KAN01_001.bvh").skeleton
    roles = find_roles(skeleton)
    wish = ConstraintSet(
        duration=2, joints=[JointConstraint(time=1, joint="left_front_paw", position=(0, 0.1, 1))]
    )
    assert check_joints(wish, skeleton, roles) == (roles.joints["left_hand"],)
    assert roles.named["right_hind_foot"] == roles.joints["right_foot"]
    assert "left_front_paw" not in find_roles(skeleton_of(STYLES["words"])).named
