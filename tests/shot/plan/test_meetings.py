"""Meetings: who is sent where, what is refused, and that hands touch."""

import numpy as np
import pytest

from motionloom.errors import MotionloomError
from motionloom.io.kept import KeptFolder
from motionloom.posed_motion import PosedMotion
from motionloom.shot import make_shot

TEXT = """\
shot: 1
fps: 30
seed: 3
library: clips
marks:
  middle: {position: [1.0, 2.0]}
cast:
  anna: {}
  ben: {start: {position: [0.0, 0.85], facing: 180}}
tracks:
  anna:
    - {id: wait, do: idle, for: 4.0}
  ben:
    - {id: stay, do: idle, until: anna.wait.end}
meet:
  - {time: 2.0, hold: 0.3, between: [anna, ben], distance: 0.85, joints: [JOINTS]}
""".replace("JOINTS", "{first: right_hand, second: right_hand, gap: 0.18}")
POSE = "{clip: stand, frame: 1}"
WALKS = (
    (
        "{id: wait, do: idle, for: 4.0}",
        "{id: come, do: walk, for: 2.0}\n    - {do: idle, for: 2.0}",
    ),
    ("until: anna.wait.end", "until: 4.0"),
    ("[0.0, 0.85]", "[0.0, 4.0]"),
)


def changed(*pairs):
    text = TEXT
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def test_two_who_stand_face_to_face_shake_hands(planned, analysed, tmp_path):
    plan, stages = planned(TEXT)
    made = make_shot(plan, stages, KeptFolder(tmp_path))
    assert made.report.problems == ()
    hands = []
    for who in ("anna", "ben"):
        posed = PosedMotion(made.motions[who], analysed.roles)
        hands.append(posed.positions[60:70, analysed.roles.joints["right_hand"]])
    apart = np.linalg.norm(hands[1] - hands[0], axis=1)
    np.testing.assert_allclose(apart, 0.18, atol=2e-3)
    (met,) = made.report.meetings
    assert met.place < 0.05
    again = make_shot(plan, stages, KeptFolder(tmp_path))
    assert again.motions["anna"].rotations.tobytes() == made.motions["anna"].rotations.tobytes()


def test_who_walks_without_a_place_is_sent_there(planned):
    plan, _ = planned(changed(*WALKS))
    walk = plan.tracks["anna"][0].span
    # Ben stands at z = 4 and looks back; she ends 0.85 m before him and looks at him.
    np.testing.assert_allclose(walk.to, [0.0, 3.15], atol=1e-9)
    assert walk.facing == pytest.approx(0.0, abs=1e-9)


def test_a_meeting_in_the_middle_of_a_walk_is_passed(planned):
    plan, _ = planned(changed(*WALKS, ("time: 2.0", "time: 1.5")))
    rows = plan.tracks["anna"][0].span.constraints["body"]
    assert [row["time"] for row in rows] == pytest.approx([1.5, 1.8])
    np.testing.assert_allclose(rows[0]["position"], [0.0, 3.15], atol=1e-9)


@pytest.mark.parametrize(
    ("pairs", "line", "said"),
    [
        ([("distance: 0.85, ", "")], 16, "meet[0].distance: missing"),
        ([("[anna, ben]", "[anna, bob]")], 16, "nobody in the cast is called 'bob'"),
        ([("[anna, ben]", "[ben, ben]")], 16, "ben cannot meet itself"),
        ([("distance: 0.85", "distance: 1.5")], 16, "stand 0.85 m apart there"),
        ([("facing: 180", "facing: 90")], 16, "ben faces 90 degrees there"),
        ([("time: 2.0", "time: 5.0")], 16, "the shot lasts from 0 to 4.00 s"),
        ([("hold: 0.3", "hold: 3")], 16, "meet[0].hold"),
        ([("time: 2.0", "time: ben.come.end")], 16, "no span and event are called ben.come.end"),
        ([("second: right_hand", "second: right_hnd")], 16, "unknown joint 'right_hnd'"),
        ([("distance: 0.85", "distance: 0.85, position: door")], 16, "no mark with a position"),
        (
            [("{id: wait, do: idle, for: 4.0}", "{id: wait, do: gait, for: 4.0}")],
            16,
            "where anna stands by then is not known",
        ),
        (
            [
                (
                    "gap: 0.18}]",
                    "gap: 0.18}], poses: [{clip: stand, frame: 1}, {clip: stand, frame: 1}]",
                )
            ],
            16,
            "poses are shown by who walks then",
        ),
    ],
)
def test_bad_meetings_are_refused_with_their_line(planned, pairs, line, said):
    with pytest.raises(MotionloomError) as caught:
        planned(changed(*pairs))
    assert f"shot.yaml:{line}:" in str(caught.value)
    assert said in str(caught.value)
