"""Files of models that were damaged or made up: one error, nothing else."""

import json
import warnings

import numpy as np
import pytest

from motionloom.errors import FormatError
from motionloom.inbetween import InbetweenOptions, fit_inbetween, load_inbetween, save_inbetween
from motionloom.inbetween.gaps import Gaps, Track


@pytest.fixture(scope="module")
def stored(walks, tmp_path_factory):
    """A small model's file, and a gap that it can fill."""
    options = InbetweenOptions(lengths=(5,), samples=20, landmarks=20)
    model = fit_inbetween(walks, options)
    path = tmp_path_factory.mktemp("stored") / "model.npz"
    save_inbetween(model, path)
    gaps = Gaps.cut(model.rig, Track.of(walks.motions[0], model.rig), np.array([20]), 5)
    return path, gaps


def _refused_or_sound(path, gaps):
    """Whether a file is refused; where it is not, what it fills gaps with are numbers."""
    try:
        model = load_inbetween(path)
    except FormatError:
        return True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a model that was made up may overflow
        filled = model.fill(gaps)
    assert filled.rotations.shape == (1, 5, gaps.rig.n_joints, 4)
    return False


def test_random_bytes_are_refused(stored, tmp_path):
    _, gaps = stored
    rng = np.random.default_rng(0)
    path = tmp_path / "noise.npz"
    for size in (0, 1, 4, 30, 1000, 50_000):
        for start in (b"", b"PK\x03\x04", b"\x93NUMPY\x01\x00"):
            path.write_bytes(start + rng.bytes(size))
            assert _refused_or_sound(path, gaps)


def test_damaged_files_are_refused_or_read(stored, tmp_path):
    whole, gaps = stored
    data = whole.read_bytes()
    rng = np.random.default_rng(1)
    path = tmp_path / "damaged.npz"
    refused = 0
    for case in range(60):
        broken = bytearray(data)
        at = int(rng.integers(0, len(data)))
        if case % 3 == 0:
            broken[at : at + 8] = rng.bytes(8)
        elif case % 3 == 1:
            del broken[at:]
        else:
            broken[at:at] = rng.bytes(5)
        path.write_bytes(bytes(broken))
        refused += _refused_or_sound(path, gaps)
    assert refused > 50


def _changes(array):
    yield array[..., :-1] if array.ndim else array
    yield np.concatenate([array, array])
    yield array.astype("S3")
    yield array[..., None]
    if array.dtype.kind == "f":
        yield np.full_like(array, np.nan)
        yield np.full_like(array, np.inf)
    else:
        most = np.iinfo(array.dtype).max
        yield np.full_like(array, most)
        yield np.full_like(array, most - 1)


def test_arrays_of_other_sizes_types_and_values_are_refused(stored, tmp_path):
    whole, gaps = stored
    with np.load(whole) as file:
        arrays = dict(file)
    path = tmp_path / "other.npz"
    for name in arrays:
        if name == "head":
            continue
        for changed in _changes(arrays[name]):
            np.savez(path, **(arrays | {name: changed}))
            # A phase space may have any number of dimensions.
            fewer = name.endswith("basis") and changed.shape[-1] < arrays[name].shape[-1]
            assert _refused_or_sound(path, gaps) or fewer, (name, changed.shape, changed.dtype)
        np.savez(path, **{other: a for other, a in arrays.items() if other != name})
        assert _refused_or_sound(path, gaps), name


def _places(value, place=()):
    """Places of all values in a document."""
    yield place
    items = value.items() if isinstance(value, dict) else []
    items = enumerate(value) if isinstance(value, list) else items
    for key, inner in items:
        yield from _places(inner, (*place, key))


def _with(value, place, new):
    if not place:
        return new
    copy = list(value) if isinstance(value, list) else dict(value)
    copy[place[0]] = _with(value[place[0]], place[1:], new)
    return copy


def test_facts_that_were_made_up_are_refused_or_harmless(stored, tmp_path):
    whole, gaps = stored
    with np.load(whole) as file:
        arrays = dict(file)
    head = json.loads(arrays.pop("head").item())
    path = tmp_path / "facts.npz"
    places = [p for p in _places(head) if len(p) < 4][::3]
    refused = 0
    for place in places:
        for new in (None, -1, 1e300, "x", [], {}):
            made_up = np.array(json.dumps(_with(head, place, new)).encode())
            np.savez(path, head=made_up, **arrays)
            refused += _refused_or_sound(path, gaps)
    assert refused > 5 * len(places)
