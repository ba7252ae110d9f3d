"""Names of joints as motion capture and animation programs write them, and the roles found from
them.
"""

import re

import numpy as np
import pytest

from motionloom.joint_names import read_joint_names
from motionloom.roles import ROLE_NAMES, find_roles
from motionloom.skeleton import Skeleton

#: Per convention: chains of joints, each from a joint that is there already, ``{s}`` for either
#: side; the two side markers; and the joints that play neck, head and the left limbs (top, middle,
#: end of the arm; then of the leg).
CONVENTIONS = {
    "MotionBuilder": (
        [
            (
                "Character1_Reference Character1_Hips Character1_Spine Character1_Spine1"
                " Character1_Spine2 Character1_Neck Character1_Head"
            ),
            (
                "Character1_Spine2 Character1_{s}Shoulder Character1_{s}Arm Character1_{s}ForeArm"
                " Character1_{s}Hand Character1_{s}HandThumb1 Character1_{s}HandThumb2"
            ),
            "Character1_{s}Hand Character1_{s}HandIndex1",
            (
                "Character1_Hips Character1_{s}UpLeg Character1_{s}Leg Character1_{s}Foot"
                " Character1_{s}ToeBase"
            ),
        ],
        ("Left", "Right"),
        (
            "Character1_Hips Character1_Neck Character1_Head Character1_{s}Arm"
            " Character1_{s}ForeArm Character1_{s}Hand Character1_{s}UpLeg Character1_{s}Leg"
            " Character1_{s}Foot"
        ),
    ),
    "an actor before each name": (
        [
            "Bob_Hips Bob_Spine Bob_Spine1 Bob_Neck Bob_Head",
            "Bob_Spine1 Bob_{s}Shoulder Bob_{s}Arm Bob_{s}ForeArm Bob_{s}Hand",
            "Bob_Hips Bob_{s}UpLeg Bob_{s}Leg Bob_{s}Foot Bob_{s}ToeBase",
        ],
        ("Left", "Right"),
        (
            "Bob_Hips Bob_Neck Bob_Head Bob_{s}Arm Bob_{s}ForeArm Bob_{s}Hand Bob_{s}UpLeg"
            " Bob_{s}Leg Bob_{s}Foot"
        ),
    ),
    "an actor without separator": (
        [
            "BobHips BobSpine BobSpine1 BobNeck BobHead",
            "BobSpine1 Bob{s}Shoulder Bob{s}Arm Bob{s}ForeArm Bob{s}Hand",
            "BobHips Bob{s}UpLeg Bob{s}Leg Bob{s}Foot Bob{s}ToeBase",
        ],
        ("Left", "Right"),
        (
            "BobHips BobNeck BobHead Bob{s}Arm Bob{s}ForeArm Bob{s}Hand Bob{s}UpLeg Bob{s}Leg"
            " Bob{s}Foot"
        ),
    ),
    "Motive": (
        [
            "Skeleton1_Hip Skeleton1_Ab Skeleton1_Chest Skeleton1_Neck Skeleton1_Head",
            (
                "Skeleton1_Chest Skeleton1_{s}Shoulder Skeleton1_{s}UArm Skeleton1_{s}FArm"
                " Skeleton1_{s}Hand"
            ),
            "Skeleton1_Hip Skeleton1_{s}Thigh Skeleton1_{s}Shin Skeleton1_{s}Foot Skeleton1_{s}Toe",
        ],
        ("L", "R"),
        (
            "Skeleton1_Hip Skeleton1_Neck Skeleton1_Head Skeleton1_{s}UArm Skeleton1_{s}FArm"
            " Skeleton1_{s}Hand Skeleton1_{s}Thigh Skeleton1_{s}Shin Skeleton1_{s}Foot"
        ),
    ),
    "a prefix for joints": (
        [
            "jnt_root jnt_hips jnt_spine_01 jnt_spine_02 jnt_neck jnt_head",
            "jnt_spine_02 jnt_clavicle_{s} jnt_upperarm_{s} jnt_forearm_{s} jnt_hand_{s}",
            "jnt_hips jnt_thigh_{s} jnt_calf_{s} jnt_foot_{s} jnt_toe_{s}",
        ],
        ("l", "r"),
        (
            "jnt_hips jnt_neck jnt_head jnt_upperarm_{s} jnt_forearm_{s} jnt_hand_{s} jnt_thigh_{s}"
            " jnt_calf_{s} jnt_foot_{s}"
        ),
    ),
    "a suffix for joints": (
        [
            "hips_jnt spine_jnt chest_jnt neck_jnt head_jnt",
            "chest_jnt {s}_clavicle_jnt {s}_arm_jnt {s}_elbow_jnt {s}_wrist_jnt",
            "hips_jnt {s}_hip_jnt {s}_knee_jnt {s}_ankle_jnt {s}_toe_jnt",
        ],
        ("L", "R"),
        (
            "hips_jnt neck_jnt head_jnt {s}_arm_jnt {s}_elbow_jnt {s}_wrist_jnt {s}_hip_jnt"
            " {s}_knee_jnt {s}_ankle_jnt"
        ),
    ),
    "VRM": (
        [
            (
                "Root J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_UpperChest J_Bip_C_Neck"
                " J_Bip_C_Head"
            ),
            *(f"J_Bip_C_Head J_Sec_Hair1_{i:02} J_Sec_Hair2_{i:02}" for i in range(30)),
            "J_Bip_C_Head J_Adj_{s}_FaceEye",
            "J_Bip_C_UpperChest J_Sec_{s}_Bust1",
            (
                "J_Bip_C_UpperChest J_Bip_{s}_Shoulder J_Bip_{s}_UpperArm J_Bip_{s}_LowerArm"
                " J_Bip_{s}_Hand J_Bip_{s}_Index1"
            ),
            "J_Bip_C_Hips J_Bip_{s}_UpperLeg J_Bip_{s}_LowerLeg J_Bip_{s}_Foot J_Bip_{s}_ToeBase",
        ],
        ("L", "R"),
        (
            "J_Bip_C_Hips J_Bip_C_Neck J_Bip_C_Head J_Bip_{s}_UpperArm J_Bip_{s}_LowerArm"
            " J_Bip_{s}_Hand J_Bip_{s}_UpperLeg J_Bip_{s}_LowerLeg J_Bip_{s}_Foot"
        ),
    ),
    "SMPL": (
        [
            "m_avg_root m_avg_Pelvis m_avg_Spine1 m_avg_Spine2 m_avg_Spine3 m_avg_Neck m_avg_Head",
            (
                "m_avg_Spine3 m_avg_{s}_Collar m_avg_{s}_Shoulder m_avg_{s}_Elbow m_avg_{s}_Wrist"
                " m_avg_{s}_Hand"
            ),
            "m_avg_Pelvis m_avg_{s}_Hip m_avg_{s}_Knee m_avg_{s}_Ankle m_avg_{s}_Foot",
        ],
        ("L", "R"),
        (
            "m_avg_Pelvis m_avg_Neck m_avg_Head m_avg_{s}_Shoulder m_avg_{s}_Elbow m_avg_{s}_Wrist"
            " m_avg_{s}_Hip m_avg_{s}_Knee m_avg_{s}_Ankle"
        ),
    ),
    "SMPL-X": (
        [
            "root pelvis spine1 spine2 spine3 neck head jaw",
            "spine3 {s}_collar {s}_shoulder {s}_elbow {s}_wrist {s}_index1 {s}_index2",
            "pelvis {s}_hip {s}_knee {s}_ankle {s}_foot",
        ],
        ("left", "right"),
        "pelvis neck head {s}_shoulder {s}_elbow {s}_wrist {s}_hip {s}_knee {s}_ankle",
    ),
    "Character Creator": (
        [
            (
                "RL_BoneRoot CC_Base_Hip CC_Base_Waist CC_Base_Spine01 CC_Base_Spine02"
                " CC_Base_NeckTwist01 CC_Base_NeckTwist02 CC_Base_Head CC_Base_JawRoot"
            ),
            "CC_Base_Hip CC_Base_Pelvis",
            (
                "CC_Base_Spine02 CC_Base_{s}_Clavicle CC_Base_{s}_Upperarm CC_Base_{s}_Forearm"
                " CC_Base_{s}_Hand"
            ),
            "CC_Base_{s}_Upperarm CC_Base_{s}_UpperarmTwist01",
            "CC_Base_{s}_Forearm CC_Base_{s}_ForearmTwist01",
            (
                "CC_Base_Pelvis CC_Base_{s}_Thigh CC_Base_{s}_Calf CC_Base_{s}_Foot"
                " CC_Base_{s}_ToeBase CC_Base_{s}_BigToe1"
            ),
            "CC_Base_{s}_Foot CC_Base_{s}_ToeBaseShareBone",
            "CC_Base_{s}_Thigh CC_Base_{s}_ThighTwist01",
            "CC_Base_{s}_Calf CC_Base_{s}_CalfTwist01",
        ],
        ("L", "R"),
        (
            "CC_Base_Hip CC_Base_NeckTwist01 CC_Base_Head CC_Base_{s}_Upperarm CC_Base_{s}_Forearm"
            " CC_Base_{s}_Hand CC_Base_{s}_Thigh CC_Base_{s}_Calf CC_Base_{s}_Foot"
        ),
    ),
    "Talking With Hands": (
        [
            "body_world b_root b_spine0 b_spine1 b_spine2 b_spine3 b_neck0 b_head",
            (
                "b_spine3 b_{s}_shoulder p_{s}_scap b_{s}_arm b_{s}_arm_twist b_{s}_forearm"
                " b_{s}_wrist_twist b_{s}_wrist"
            ),
            "b_root b_{s}_upleg b_{s}_leg b_{s}_foot_twist b_{s}_foot b_{s}_toe",
        ],
        ("l", "r"),
        (
            "b_root b_neck0 b_head b_{s}_arm b_{s}_forearm b_{s}_wrist b_{s}_upleg b_{s}_leg"
            " b_{s}_foot"
        ),
    ),
    "Source": (
        [
            (
                "ValveBiped.Bip01_Pelvis ValveBiped.Bip01_Spine ValveBiped.Bip01_Spine1"
                " ValveBiped.Bip01_Spine2 ValveBiped.Bip01_Spine4 ValveBiped.Bip01_Neck1"
                " ValveBiped.Bip01_Head1 ValveBiped.forward"
            ),
            (
                "ValveBiped.Bip01_Spine4 ValveBiped.Bip01_{s}_Clavicle"
                " ValveBiped.Bip01_{s}_UpperArm ValveBiped.Bip01_{s}_Forearm"
                " ValveBiped.Bip01_{s}_Hand ValveBiped.Bip01_{s}_Finger0"
            ),
            (
                "ValveBiped.Bip01_Pelvis ValveBiped.Bip01_{s}_Thigh ValveBiped.Bip01_{s}_Calf"
                " ValveBiped.Bip01_{s}_Foot ValveBiped.Bip01_{s}_Toe0"
            ),
        ],
        ("L", "R"),
        (
            "ValveBiped.Bip01_Pelvis ValveBiped.Bip01_Neck1 ValveBiped.Bip01_Head1"
            " ValveBiped.Bip01_{s}_UpperArm ValveBiped.Bip01_{s}_Forearm ValveBiped.Bip01_{s}_Hand"
            " ValveBiped.Bip01_{s}_Thigh ValveBiped.Bip01_{s}_Calf ValveBiped.Bip01_{s}_Foot"
        ),
    ),
    "MikuMikuDance": (
        [
            "全ての親 センター グルーブ 腰 上半身 上半身2 首 頭 両目",
            "腰 下半身",
            "上半身2 {s}肩P {s}肩 {s}肩C {s}腕 {s}腕捩 {s}ひじ {s}手捩 {s}手首 {s}人指１",
            "下半身 腰キャンセル{s} {s}足 {s}ひざ {s}足首 {s}つま先",
            "腰キャンセル{s} {s}足D {s}ひざD {s}足首D {s}足先EX",
            "全ての親 {s}足IK親 {s}足ＩＫ {s}つま先ＩＫ",
        ],
        ("左", "右"),
        "腰 首 頭 {s}腕 {s}ひじ {s}手首 {s}足 {s}ひざ {s}足首",
    ),
    "MikuMikuDance, plain": (
        [
            "全ての親 センター 上半身 首 頭",
            "上半身 {s}肩 {s}腕 {s}ひじ {s}手首",
            "センター {s}足 {s}ひざ {s}足首 {s}つま先",
        ],
        ("左", "右"),
        "センター 首 頭 {s}腕 {s}ひじ {s}手首 {s}足 {s}ひざ {s}足首",
    ),
    "Rigify": (
        [
            (
                "root DEF-spine DEF-spine.001 DEF-spine.002 DEF-spine.003 DEF-spine.004"
                " DEF-spine.005 DEF-spine.006"
            ),
            (
                "DEF-spine.003 DEF-shoulder.{s} DEF-upper_arm.{s} DEF-upper_arm.{s}.001"
                " DEF-forearm.{s} DEF-forearm.{s}.001 DEF-hand.{s} DEF-thumb.01.{s}"
            ),
            "DEF-spine.003 DEF-breast.{s}",
            "DEF-spine DEF-pelvis.{s}",
            (
                "DEF-spine DEF-thigh.{s} DEF-thigh.{s}.001 DEF-shin.{s} DEF-shin.{s}.001"
                " DEF-foot.{s} DEF-toe.{s}"
            ),
        ],
        ("L", "R"),
        (
            "DEF-spine DEF-spine.004 DEF-spine.006 DEF-upper_arm.{s} DEF-forearm.{s} DEF-hand.{s}"
            " DEF-thigh.{s} DEF-shin.{s} DEF-foot.{s}"
        ),
    ),
    "Advanced Skeleton": (
        [
            "Root_M Spine1_M Spine2_M Chest_M Neck_M Head_M Jaw_M",
            (
                "Chest_M Scapula_{s} Shoulder_{s} ShoulderPart1_{s} Elbow_{s} ElbowPart1_{s}"
                " Wrist_{s} IndexFinger1_{s}"
            ),
            "Root_M Hip_{s} HipPart1_{s} Knee_{s} KneePart1_{s} Ankle_{s} Toes_{s} ToesEnd_{s}",
        ],
        ("L", "R"),
        "Root_M Neck_M Head_M Shoulder_{s} Elbow_{s} Wrist_{s} Hip_{s} Knee_{s} Ankle_{s}",
    ),
    "mixamo without colon": (
        [
            (
                "mixamorigHips mixamorigSpine mixamorigSpine1 mixamorigSpine2 mixamorigNeck"
                " mixamorigHead mixamorigHeadTop_End"
            ),
            (
                "mixamorigSpine2 mixamorig{s}Shoulder mixamorig{s}Arm mixamorig{s}ForeArm"
                " mixamorig{s}Hand mixamorig{s}HandIndex1"
            ),
            (
                "mixamorigHips mixamorig{s}UpLeg mixamorig{s}Leg mixamorig{s}Foot"
                " mixamorig{s}ToeBase mixamorig{s}Toe_End"
            ),
        ],
        ("Left", "Right"),
        (
            "mixamorigHips mixamorigNeck mixamorigHead mixamorig{s}Arm mixamorig{s}ForeArm"
            " mixamorig{s}Hand mixamorig{s}UpLeg mixamorig{s}Leg mixamorig{s}Foot"
        ),
    ),
    "Unreal": (
        [
            "root pelvis spine_01 spine_02 spine_03 neck_01 head",
            "spine_03 clavicle_{s} upperarm_{s} lowerarm_{s} hand_{s} index_01_{s} index_02_{s}",
            "upperarm_{s} upperarm_twist_01_{s}",
            "lowerarm_{s} lowerarm_twist_01_{s}",
            "pelvis thigh_{s} calf_{s} foot_{s} ball_{s}",
            "thigh_{s} thigh_twist_01_{s}",
            "root ik_foot_root ik_foot_{s}",
        ],
        ("l", "r"),
        "pelvis neck_01 head upperarm_{s} lowerarm_{s} hand_{s} thigh_{s} calf_{s} foot_{s}",
    ),
    "Daz": (
        [
            "hip abdomenLower abdomenUpper chestLower chestUpper neckLower neckUpper head lowerJaw",
            "hip pelvis",
            (
                "chestUpper {s}Collar {s}ShldrBend {s}ShldrTwist {s}ForearmBend {s}ForearmTwist"
                " {s}Hand {s}Thumb1"
            ),
            "pelvis {s}ThighBend {s}ThighTwist {s}Shin {s}Foot {s}Metatarsals {s}Toe",
        ],
        ("l", "r"),
        "hip neckLower head {s}ShldrBend {s}ForearmBend {s}Hand {s}ThighBend {s}Shin {s}Foot",
    ),
    "Xsens": (
        [
            "Hips Chest Chest2 Chest3 Chest4 Neck Head",
            "Chest4 {s}Collar {s}Shoulder {s}Elbow {s}Wrist",
            "Hips {s}Hip {s}Knee {s}Ankle {s}Toe",
        ],
        ("Left", "Right"),
        "Hips Neck Head {s}Shoulder {s}Elbow {s}Wrist {s}Hip {s}Knee {s}Ankle",
    ),
    "Rokoko": (
        [
            "Root Hips Spine1 Spine2 Spine3 Spine4 Neck Head",
            "Spine4 {s}Shoulder {s}Arm {s}ForeArm {s}Hand {s}Finger1Metacarpal",
            "Hips {s}Thigh {s}Shin {s}Foot {s}Toe",
        ],
        ("Left", "Right"),
        "Hips Neck Head {s}Arm {s}ForeArm {s}Hand {s}Thigh {s}Shin {s}Foot",
    ),
    "Sketchfab, numbered": (
        [
            "Hips_01 Spine_02 Chest_03 Neck_04 Head_05",
            "Chest_03 {s}Shoulder_06 {s}Arm_07 {s}ForeArm_08 {s}Hand_09",
            "Hips_01 {s}UpLeg_010 {s}Leg_011 {s}Foot_012 {s}Toe_013",
        ],
        ("Left", "Right"),
        (
            "Hips_01 Neck_04 Head_05 {s}Arm_07 {s}ForeArm_08 {s}Hand_09 {s}UpLeg_010 {s}Leg_011"
            " {s}Foot_012"
        ),
    ),
}
CHAINS, MARKERS, LAST = CONVENTIONS["Rokoko"]
CONVENTIONS["namespace"] = (
    [re.sub(r"(\S+)", r"Anna:\1", c) for c in CHAINS],
    MARKERS,
    re.sub(r"(\S+)", r"Anna:\1", LAST),
)
#: Roles in the order in which a convention lists its joints.
LISTED = (
    "hips",
    "neck",
    "head",
    "{s}_shoulder",
    "{s}_elbow",
    "{s}_hand",
    "{s}_hip",
    "{s}_knee",
    "{s}_foot",
)


def skeleton_of(chains, sides, offsets=None):
    """Skeleton of the joints in `chains`; every bone of length 1 where `offsets` does not say
    otherwise.
    """
    parents = {}
    for chain in (chain.format(s=side) for chain in chains for side in sides):
        first, *others = chain.split()
        parents.setdefault(first, None)
        for above, name in zip([first, *others], others, strict=False):
            parents.setdefault(name, above)
    names = tuple(parents)
    offsets = offsets or {}
    at = np.array([offsets.get(name, [0.0, 1.0, 0.0]) for name in names])
    return Skeleton(
        names, np.array([-1 if p is None else names.index(p) for p in parents.values()]), at
    )


def found_in(skeleton, table=None):
    roles = find_roles(skeleton, table)
    return roles, {role: skeleton.names[j] for role, j in roles.joints.items()}


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_seventeen_roles_in_every_convention(convention):
    chains, sides, listed = CONVENTIONS[convention]
    roles, found = found_in(skeleton_of(chains, sides))
    for word, marker in zip(("left", "right"), sides, strict=True):
        expected = {
            r.format(s=word): name.format(s=marker)
            for r, name in zip(LISTED, listed.split(), strict=True)
        }
        assert {role: found.get(role) for role in expected} == expected
    assert roles.kind == "human"
    assert len({r for r in ROLE_NAMES if not r.endswith("toe")} & found.keys()) == 17
    assert roles.doubts == ()


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_counterparts_differ_in_nothing_but_the_side(convention):
    chains, sides, _ = CONVENTIONS[convention]
    names = skeleton_of(chains, sides).names
    read = read_joint_names(names)
    left, right = ({n.rest for n in read if n.side == side} for side in ("left", "right"))
    assert left == right
    assert len(left) == sum(
        "{s}" in name for name in {n for chain in chains for n in chain.split()}
    )


#: A body whose skin hangs on joints of its own, as motions for simulated muscles have it.
WITH_SKIN = [
    "Character1_Hips Character1_Spine Character1_Spine1 Character1_Neck Character1_Head",
    (
        "Character1_Spine1 Character1_{s}Shoulder Character1_{s}Arm Character1_{s}ForeArm"
        " Character1_{s}Hand"
    ),
    "Character1_{s}ForeArm {s1}_Radius",
    "Character1_{s}Arm {s1}_Humerus",
    "Character1_{s}Shoulder {s1}_Shoulder",
    "Character1_Neck Neck",
    "Character1_Spine1 Torso",
    "Character1_Spine Spine",
    (
        "Character1_Hips Character1_{s}UpLeg Character1_{s}Leg Character1_{s}Foot"
        " Character1_{s}ToeBase"
    ),
    "Character1_{s}Foot {s1}_Foot",
    "Character1_{s}Leg {s1}_Tibia",
    "Character1_{s}UpLeg {s1}_Femur",
    "Character1_Hips Pelvis",
]


def test_a_joint_without_a_name_is_no_error():
    assert len(read_joint_names(["", "Hips", "LeftFoot"])) == 3


def test_joints_of_the_skin_do_not_shift_a_limb():
    chains = [
        chain.replace("{s1}", side[0]).replace("{s}", side)
        for chain in WITH_SKIN
        for side in ("Left", "Right")
    ]
    roles, found = found_in(skeleton_of(chains, ("",)))
    assert (found["left_hip"], found["left_knee"]) == ("Character1_LeftUpLeg", "Character1_LeftLeg")
    assert (found["left_foot"], found["left_hand"]) == (
        "Character1_LeftFoot",
        "Character1_LeftHand",
    )
    assert (found["left_toe"], found["neck"]) == ("Character1_LeftToeBase", "Character1_Neck")
    assert len(found) == 19
    assert roles.doubts == ()


PLAIN = [
    "Hips Spine Chest Neck Head",
    "Chest {s}Shoulder {s}Arm {s}ForeArm {s}Hand",
    "Hips {s}UpLeg {s}Leg {s}Foot {s}Toe",
]
SIDES = ("Left", "Right")


def test_names_that_are_one_joint_off_are_told():
    """The ankles have names that say nothing, and a foot hangs below them: hip and knee would move
    down by one.
    """
    chains = [*PLAIN[:2], "Hips {s}Thigh {s}Shin {s}Tarsus {s}Foot"]
    bones = {
        f"{side}{name}": [0, -length, 0]
        for side in SIDES
        for name, length in (("Tarsus", 0.45), ("Foot", 0.08))
    }
    roles, found = found_in(skeleton_of(chains, SIDES, bones))
    assert found["left_knee"] == "LeftTarsus"
    (sentence,) = roles.doubts
    assert "left_knee = LeftTarsus" in sentence
    assert "5.6 times as long as the lower" in sentence


def test_a_joint_that_sounds_like_another_part_is_told():
    """The knee plays the hip here, as a joint without telling name lies between it and the foot."""
    roles, found = found_in(
        skeleton_of([*PLAIN[:2], "Hips {s}Thing {s}Leg {s}Stump {s}Foot"], SIDES)
    )
    assert found["left_hip"] == "LeftLeg"
    assert any("'LeftLeg' sounds like the knee" in text for text in roles.doubts)


def test_a_head_that_no_name_tells_is_found_and_told():
    roles, found = found_in(skeleton_of(["Hips Spine Chest up1 up2 up3", *PLAIN[1:]], SIDES))
    assert (found["neck"], found["head"]) == ("up1", "up3")
    assert any("neck = up1, head = up3" in text for text in roles.doubts)
    told, _ = found_in(
        skeleton_of(["Hips Spine Chest up1 up2 up3", *PLAIN[1:]], SIDES),
        {"neck": "up2", "head": "up3"},
    )
    assert told.doubts == ()


def test_limbs_of_one_side_only_are_told():
    roles, _ = found_in(
        skeleton_of(
            [*PLAIN[:1], "Chest LeftShoulder LeftArm LeftForeArm LeftHand", PLAIN[2]], SIDES
        )
    )
    assert any("a left arm was found and none on the other side" in text for text in roles.doubts)


def test_a_body_without_arms_is_told_only_where_there_is_more_than_legs():
    trunk = "Hips Spine Chest Neck Head a b c"
    assert any(
        "no arms" in text for text in found_in(skeleton_of([trunk, PLAIN[2]], SIDES))[0].doubts
    )
    assert found_in(skeleton_of(["Hips Spine", PLAIN[2]], SIDES))[0].doubts == ()
