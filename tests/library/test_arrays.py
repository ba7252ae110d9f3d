"""Arrays on disk."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
import zarr
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from motionloom.library._arrays import CHUNK, DamageError, hash_array, read_array, write_arrays

LENGTHS = st.sampled_from([1, 2, 50, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 7])
SHAPES = st.tuples(LENGTHS, st.integers(0, 3)) | st.tuples(LENGTHS, st.integers(0, 2), st.just(3))


@settings(max_examples=25)
@given(
    shape=SHAPES,
    kind=st.sampled_from([np.float64, np.bool_]),
    zeros=st.booleans(),
    seed=st.integers(0, 99),
)
def test_what_is_read_is_what_was_written_and_what_zarr_reads(shape, kind, zeros, seed):
    array = (np.random.default_rng(seed).normal(size=shape) * (not zeros)).astype(kind)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "clip"
        files = write_arrays(folder, {"array": array})
        found = read_array(folder, "array", files["array"])
        by_zarr = zarr.open_array(folder / "array", mode="r")[...]
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert np.array_equal(found, array)
    assert np.array_equal(by_zarr, array)
    assert not found.flags.writeable


@given(
    hnp.arrays(np.float64, (4, 2), elements=st.floats(-1, 1)), st.integers(0, 7), st.floats(-1, 1)
)
def test_hashes_tell_values_apart(array, where, value):
    other = array.copy()
    other.flat[where] = value
    assert (hash_array(array) == hash_array(other)) == (array.tobytes() == other.tobytes())
    assert hash_array(array) != hash_array(array.reshape(2, 4))
    assert hash_array(array) == hash_array(np.asfortranarray(array))


@given(st.data())
@settings(max_examples=30)
def test_any_damaged_byte_is_noticed(data):
    array = np.linspace(0, 1, 300).reshape(100, 3)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "clip"
        files = write_arrays(folder, {"array": array})
        file = data.draw(
            st.sampled_from(sorted(p for p in (folder / "array").rglob("*") if p.is_file()))
        )
        content = bytearray(file.read_bytes())
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] ^= data.draw(st.integers(1, 255))
        file.write_bytes(content)
        with pytest.raises(DamageError, match="not those that were written"):
            read_array(folder, "array", files["array"])
