import numpy as np
import pytest

from motionloom.errors import InvalidInputError, UnknownJointError
from motionloom.skeleton import Skeleton
from random_bodies import random_skeleton


def chain(names=("hips", "spine", "head"), parents=(-1, 0, 1)):
    return Skeleton(names, np.array(parents), np.zeros((len(names), 3)))


def test_arrays_are_read_only_copies():
    offsets = np.zeros((3, 3))
    skeleton = Skeleton(("a", "b", "c"), np.array([-1, 0, 0]), offsets)
    offsets[1] = 5.0
    assert np.all(skeleton.offsets == 0.0)
    with pytest.raises(ValueError, match="read-only"):
        skeleton.offsets[0] = 1.0


@pytest.mark.parametrize(
    ("names", "parents", "sentence"),
    [
        ((), (), "at least one joint"),
        (("a", "a"), (-1, 0), "given more than once: a"),
        (("a", "b"), (-1, 1), "parents must precede"),
        (("a", "b"), (-1, -1), "parents must precede"),
        (("a", "b"), (0, 0), "parents must precede"),
        (("a", "b"), (-1, 0, 1), "parents of shape"),
    ],
)
def test_what_is_not_one_tree_is_refused(names, parents, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        Skeleton(names, np.array(parents, int), np.zeros((len(names), 3)))


def test_end_sites_must_sit_on_joints():
    with pytest.raises(InvalidInputError, match="end_parents"):
        Skeleton(("a",), np.array([-1]), np.zeros((1, 3)), np.array([1]), np.zeros((1, 3)))
    with pytest.raises(InvalidInputError, match="end_offsets"):
        Skeleton(("a",), np.array([-1]), np.zeros((1, 3)), np.array([0]), np.zeros((2, 3)))


def test_unknown_joint_lists_the_nearest():
    with pytest.raises(UnknownJointError, match="nearest: spine"):
        chain().index("Spin")


@pytest.mark.parametrize("seed", range(5))
def test_tree_walks_agree(seed):
    skeleton = random_skeleton(np.random.default_rng(seed), joints=12)
    for j in range(12):
        assert skeleton.chain(j)[0] == 0
        assert skeleton.chain(j)[-1] == j
        below = [k for k in range(12) if j in skeleton.chain(k)]
        assert list(skeleton.descendants(j)) == below
        assert all(skeleton.parents[c] == j for c in skeleton.children[j])


def test_matching_looks_at_bones_and_topology_at_names_only():
    a = chain()
    longer = Skeleton(a.names, a.parents, a.offsets + 0.01)
    assert a.has_topology_of(longer)
    assert not a.matches(longer)
    assert a.matches(longer, tolerance=0.02)
    assert not a.has_topology_of(chain(parents=(-1, 0, 0)))
