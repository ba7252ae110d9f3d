"""Records: what is saved comes back to the bit, and what is not a record ends in one sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, make_dataclass
from enum import Enum
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as some
from numpy.typing import NDArray

from motionloom.declared import Declared, Range, Shape, below
from motionloom.errors import FormatError, InvalidInputError
from motionloom.io.records import FileKind, kind_of, load, save
from motionloom.io.stored import Fault

Numbers = NDArray[np.float64]


class Side(Enum):
    """Left or right."""

    LEFT = 1
    RIGHT = 2


@dataclass(frozen=True, eq=False)
class Bones:
    """A tree of J joints."""

    names: Annotated[tuple[str, ...], Shape("J")]
    parents: Annotated[NDArray[np.int64], Shape("J"), below("J", -1)]
    offsets: Annotated[Numbers, Shape("J", 3), Range(-100, 100, "m")]


@dataclass(frozen=True, eq=False)
class Take:
    """N frames."""

    frames: Annotated[Numbers, Shape("N", "J")]
    side: Side = Side.LEFT
    weights: Annotated[Numbers, Shape("N")] | None = None
    doubts: tuple[str, ...] = field(default=(), metadata={"stored": False})


@dataclass(frozen=True, eq=False)
class Learned:
    """All that a record may hold."""

    bones: Bones
    takes: tuple[Take, ...]
    means: Mapping[str, Annotated[Numbers, Shape("J")]]
    kind: Literal["pca", "ppca"]
    what: Bones | Take
    pair: tuple[int, float]
    unit: float | str
    small: Annotated[Numbers, Shape("n"), np.dtype(np.float16)]
    limits: Annotated[Numbers, Shape("n"), Range(-np.inf, np.inf)]
    angle: Annotated[Any, Declared(float)]
    share: Annotated[float, Range(0, 1)] = 0.5
    notes: tuple[str, ...] = ()


def check(record: Learned) -> None:
    if "cursed" in record.notes:
        raise Fault("it is cursed")


LEARNED = FileKind(Learned, "learned thing", 3, "learn one with 'learn'", check)


def bones(parent: int = 1, offset: float = 0.25) -> Bones:
    return Bones(("a", "b", "c"), np.array([-1, 0, parent]), np.full((3, 3), offset))


def learned(**changes: Any) -> Learned:
    takes = tuple(Take(np.full((n, 3), n / 7), Side.RIGHT, np.ones(n)) for n in (2, 0, 5))
    given = {
        "bones": bones(),
        "takes": (*takes, Take(np.zeros((1, 3)), doubts=("hm",))),
        "means": {"a/b": np.arange(3.0), "*": np.ones(3)},
        "kind": "ppca",
        "what": Take(np.zeros((4, 3))),
        "pair": (np.int64(3), 2),
        "unit": "1!",
        "small": np.array([1.5, -2.0]),
        "limits": np.array([-np.inf, np.inf]),
        "angle": np.float64(0.1),
    }
    return Learned(**(given | changes))


def same(one: Any, other: Any) -> bool:
    """Whether two values are alike to the bit; fields that are not stored do not count."""
    if isinstance(one, np.ndarray):
        return (
            one.dtype == other.dtype
            and one.shape == other.shape
            and one.tobytes() == other.tobytes()
        )
    if is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, f.name), getattr(other, f.name))
            for f in fields(one)
            if f.name != "doubts"
        )
    if isinstance(one, Mapping):
        return [*one] == [*other] and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def test_a_record_comes_back(tmp_path):
    path = tmp_path / "a.npz"
    record = learned()
    save(path, record, LEARNED)
    again = load(path, LEARNED)
    assert same(record, again)
    assert again.takes[3].doubts == ()
    assert type(again.pair[0]) is int
    assert type(again.pair[1]) is float
    assert kind_of(path) == "learned thing"
    with np.load(path, allow_pickle=False) as file:
        assert file["bones/offsets"].shape == (3, 3)
        assert file["small"].dtype == np.float16
        assert file["takes/*/frames"].shape == (24,)


def test_the_same_record_gives_the_same_bytes(tmp_path):
    for name in "ab":
        save(tmp_path / name, learned(), LEARNED)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


# ------------------------------------------------------------------------------
# Any declared dataclass

TEXT = st.text(max_size=20)
PLAIN = {
    str: TEXT,
    bool: st.booleans(),
    int: st.integers(1 - (1 << 63), (1 << 63) - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
    Side: st.sampled_from(Side),
    Literal["a", "b"]: st.sampled_from(["a", "b"]),
}
DTYPES = [np.float64, np.float32, np.int64, np.int16, np.uint8, np.bool_]


@st.composite
def plain(draw):
    hint = draw(st.sampled_from([*PLAIN]))
    return hint, PLAIN[hint]


@st.composite
def arrays(draw):
    dtype = draw(st.sampled_from(DTYPES))
    rank = draw(st.integers(0, 3))
    hint = Annotated[NDArray[dtype], Shape(*"abc"[:rank])]
    sizes = st.tuples(*[st.integers(0, 3)] * rank)
    elements = some.from_dtype(np.dtype(dtype), allow_nan=False, allow_infinity=False)
    # Small letters are sizes of one dataclass, so each array gets one of its own.
    kind = make_dataclass("Own", [("values", hint)], frozen=True, eq=False)
    return kind, st.builds(kind, sizes.flatmap(lambda s: some.arrays(dtype, s, elements=elements)))


@st.composite
def nested(draw, inner):
    first, values = draw(inner)
    second, others = draw(inner)
    options = [
        (tuple[first, ...], st.lists(values, max_size=4).map(tuple)),
        (tuple[first, second], st.tuples(values, others)),
        (Mapping[str, first], st.dictionaries(TEXT, values, max_size=3)),
        (first | None, st.none() | values),
    ]
    if first in (str, bool) and second in (int, Side):
        options = [(first | second, values | others)]
    return draw(st.sampled_from(options))


@st.composite
def dataclasses(draw, inner):
    found = draw(st.lists(inner, min_size=1, max_size=4))
    kind = make_dataclass(
        "Made", [(f"x{i}", hint) for i, (hint, _) in enumerate(found)], frozen=True, eq=False
    )
    return kind, st.builds(kind, **{f"x{i}": values for i, (_, values) in enumerate(found)})


KINDS = st.recursive(
    plain() | arrays(), lambda inner: nested(inner) | dataclasses(inner), max_leaves=8
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("records")


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data())
def test_any_declared_dataclass_comes_back_to_the_bit(folder, data):
    kind, values = data.draw(dataclasses(KINDS))
    record = data.draw(values)
    path = folder / "any.npz"
    made = FileKind(kind, "thing", 1, "make it")
    save(path, record, made)
    assert same(record, load(path, made))


# ------------------------------------------------------------------------------
# Refusals


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"means": {"a": np.zeros(4)}}, "means/* has shape (4,), expected (3,)"),
        ({"share": 1.5}, "share holds 1.5, expected at most 1"),
        ({"small": np.array([1e6, 0])}, "small holds numbers that are not finite"),
        ({"limits": np.array([np.nan, 0])}, "limits holds numbers that are not finite"),
        ({"limits": np.zeros(3)}, "limits has shape (3,), expected (2,)"),
        ({"kind": "other"}, "kind is other, expected one of ('pca', 'ppca')"),
        ({"notes": ("x" * 10_001,)}, "expected text of usual length"),
        ({"notes": (1,)}, "notes/* is 1, expected str"),
        ({"notes": ("cursed",)}, "it is cursed"),
        ({"bones": bones(parent=3)}, "bones/parents holds 3, expected less than 3"),
        ({"bones": bones(offset=101.0)}, "101 m, expected at most 100 m"),
    ],
)
def test_what_cannot_be_loaded_is_not_saved(change, says, tmp_path):
    with pytest.raises(InvalidInputError) as caught:
        save(tmp_path / "a.npz", learned(**change), LEARNED)
    assert says in str(caught.value)
    assert not [*tmp_path.iterdir()]


def rewritten(path, **changes):
    with np.load(path) as file:
        members = dict(file)
    head = json.loads(members["head"].item())
    members["head"] = np.array(json.dumps(head | changes).encode())
    np.savez(path, **members)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": 2}, "this learned thing has version 2, expected 3; learn one with 'learn'"),
        ({"version": 2, "record": {}}, "has version 2, expected 3"),
        ({"motionloom": "gait space"}, "it is of the kind gait space); learn one with 'learn'"),
        ({"motionloom": None, "motionloom_gait": 1}, "another version of motionloom wrote this; "),
        ({"version": None}, "its head has other fields"),
        ({"record": {}}, "expected other fields"),
        ({"more": 1}, "its head has other fields"),
    ],
)
def test_files_of_another_kind_or_version_say_how_to_make_one(change, says, tmp_path):
    path = tmp_path / "a.npz"
    save(path, learned(), LEARNED)
    rewritten(path, **change)
    with pytest.raises(FormatError) as caught:
        load(path, LEARNED)
    assert says in str(caught.value)
    assert "learn one with 'learn'" in str(caught.value)


def test_other_files_are_of_no_kind(tmp_path):
    path = tmp_path / "a.npz"
    with pytest.raises(FormatError, match="no such file; learn one with 'learn'"):
        load(path, LEARNED)
    for content in (b"", b"PK\x03\x04", b"text"):
        path.write_bytes(content)
        assert kind_of(path) is None
        with pytest.raises(FormatError, match="not a learned thing"):
            load(path, LEARNED)
    np.savez(path, head=np.array([{}], object))
    assert kind_of(path) is None
    np.savez(path, a=np.zeros(3))
    with pytest.raises(FormatError, match="head is missing"):
        load(path, LEARNED)


def test_arrays_of_other_types_and_counts_are_refused(tmp_path):
    path = tmp_path / "a.npz"
    save(path, learned(), LEARNED)
    with np.load(path) as file:
        members = dict(file)
    changes = {
        "bones/offsets": members["bones/offsets"][None],
        "takes/*/frames": members["takes/*/frames"][:-1],
        "takes/*/weights": np.ones(9),
        "bones/parents": np.arange(3.0),
        "small": np.ones(2),
    }
    for name, array in changes.items():
        np.savez(path, **(members | {name: array}))
        with pytest.raises(FormatError, match=rf"{name.replace('*', '.')} (holds|has)"):
            load(path, LEARNED)
