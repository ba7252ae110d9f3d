"""Gait spaces in files."""

import numpy as np
import pytest

from motionloom.errors import FormatError
from motionloom.gait.cycles.told import ToldClips
from motionloom.gait.space.fit import fit_gait
from motionloom.gait.store import load_gait, save_gait
from stored_files import rewrite


@pytest.fixture(scope="module")
def stored(gait_motions, tmp_path_factory):
    """A space with a style, and its file."""
    space = fit_gait(gait_motions, (ToldClips("walk_2.2", style="brisk"),))
    path = tmp_path_factory.mktemp("gait") / "m.npz"
    save_gait(space, path)
    return space, path


def test_a_space_comes_back(stored):
    space, path = stored
    again = load_gait(path)
    assert again.persons == space.persons
    assert again.styles == space.styles
    person = space.persons[0]
    assert vars(again.change(person)) == pytest.approx(vars(space.change(person)))
    person = space.persons[0]
    for asked in ({"speed": 1.3}, {"speed": 3.0}, {"speed": 1.3, "style": "brisk"}):
        own = space.cycle(person=person, rng=np.random.default_rng(1), **asked)
        other = again.cycle(person=person, rng=np.random.default_rng(1), **asked)
        assert np.abs(own.rotations - other.rotations).max() < 1e-5
        assert np.array_equal(own.contacts, other.contacts)
        assert own.duration == pytest.approx(other.duration, rel=1e-6)
    assert again.trust("walk", person) == space.trust("walk", person)
    assert np.array_equal(again.body(person).skeleton.offsets, space.body(person).skeleton.offsets)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda head, a: head["coordinates"].update(root=900), "root holds 900, expected less"),
        (
            lambda head, a: head["spaces"].update(fly=head["spaces"].pop("walk")),
            "unknown behaviour",
        ),
        (lambda head, a: head.update(bodies={}), "nobody"),
        (lambda head, a: head["bodies"]["person"]["soles"].update(points=[]), "other soles"),
        (lambda head, a: a.pop("spaces/*/line/takes/rows"), "missing"),
        (lambda head, a: a.update({"spaces/*/contacts": np.zeros(9, np.float32)}), "head says"),
        (lambda head, a: a["coordinates/reference"].__imul__(0.5), "length 1"),
        (lambda head, a: a["spaces/*/line/takes/pace"].__imul__(-1), "at least"),
    ],
)
def test_a_damaged_file_is_refused(stored, tmp_path, change, says):
    out = rewrite(stored[1], tmp_path / "bad.npz", change)
    with pytest.raises(FormatError, match=says):
        load_gait(out)


def test_another_file_is_refused(tmp_path):
    with pytest.raises(FormatError, match="gait fit"):
        load_gait(tmp_path / "none.npz")
    other = tmp_path / "other.npz"
    np.savez(other, a=np.zeros(3))
    with pytest.raises(FormatError, match="not a gait space"):
        load_gait(other)
