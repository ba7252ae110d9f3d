"""Tables of roles as users write them."""

import numpy as np
import pytest

from motionloom.errors import FormatError
from motionloom.io.roles_table import read_roles
from motionloom.skeleton import Skeleton


@pytest.fixture
def odd():
    """Three joints whose names say nothing."""
    return Skeleton(("base", "a1", "a2"), np.array([-1, 0, 1]), np.zeros((3, 3)))


def test_a_table_names_what_cannot_be_found(tmp_path, odd):
    table = tmp_path / "roles.yaml"
    table.write_text("left_foot: a2\nkind: other\nforward: {joint: base, axis: [0, 0, 1]}\n")
    roles = read_roles(table, odd)
    assert (roles.joint("left_foot"), roles.kind, roles.forward) == (
        2,
        "other",
        (0, (0.0, 0.0, 1.0)),
    )


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("kind: other\nleft_fot: a2\n", 2, "unknown role 'left_fot'"),
        ("left_foot: a3\n", 1, "nearest: a2, a1"),
        ("kind: robot\n", 1, "kind must be"),
        ("forward: up\n", 1, "forward must be"),
        ("- a\n", 1, "left_foot: LeftAnkle"),
    ],
)
def test_wrong_tables(tmp_path, odd, text, line, expected):
    table = tmp_path / "roles.yaml"
    table.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_roles(table, odd)
    assert str(caught.value).startswith(f"{table}:{line}: ")
    assert expected in str(caught.value)
