"""Spans of time in constraints of a pose."""

import pytest

from motionloom.constraints.files import names_in, read_constraints
from motionloom.errors import FormatError
from motionloom.ik.targets import check_pose_constraints


@pytest.mark.parametrize("kind", ["joints", "body"])
def test_a_span_is_refused_by_the_fields_it_is_written_with(tmp_path, kind):
    place = {"joints": "joint: RightHand, position: [0, 1, 0]", "body": "position: [0, 0]"}
    file = tmp_path / "pose.yaml"
    file.write_text(f"{kind}:\n  - {{from: 1, to: 9, {place[kind]}}}\n")
    told = pytest.raises(FormatError, match=r"pose\.yaml:2: from and to: .* give a time instead")
    with told, names_in(file):
        check_pose_constraints(read_constraints(file, still=True))
