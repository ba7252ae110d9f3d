"""Kept files with one thing in them changed: used only where they are whole and of the right shape,
else made again, and that is said in one line.
"""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.moments import fit_moment_judge, load_moment_judge, save_moment_judge
from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import make_clip_set
from motionloom.code_version import code_version
from motionloom.inbetween.fit import InbetweenOptions, fit_band, gather_captures
from motionloom.inbetween.store import load_band, save_band
from motionloom.io.kept import KeptFolder
from motionloom.posed_motion import PosedMotion
from motionloom.shot import _keeping as keeping
from motionloom.shot import layers
from motionloom.shot._keeping import KeptFrames, load_piece, save_piece
from motionloom.shot.joining import Join
from motionloom.shot.stage import ClipShown, Piece, Place
from mutants import change_arrays, change_facts
from walkers import make_walker

#: Mutants of each kind of file; half of them are changed inside, half in their bytes.
MUTANTS = 400
KINDS = ("piece", "joined", "reach", "correct", "moments", "band", "rounded")


@dataclass(frozen=True)
class Case:
    """A kept file, how it is read, and whether what comes of that fits."""

    key: str
    save: Callable[[KeptFolder], None]
    load: Callable[[KeptFolder], Any]
    fits: Callable[[Any], bool]


@pytest.fixture(scope="module")
def clips():
    walks = [make_walker(240, phase=0.5 * i, vary=0.2, name=f"walk_{i}") for i in range(4)]
    rng = np.random.default_rng(0)
    wavering = [
        replace(m, translations=m.translations + rng.normal(0, 2e-3, m.translations.shape))
        for m in walks
    ]
    return analyse_clips(make_clip_set(wavering))


@pytest.fixture(scope="module")
def cases(clips) -> dict[str, Case]:
    motion = clips.clip_set.motions[0][:31]
    posed = PosedMotion(motion, clips.roles)
    contacts = detect_contacts(posed, soles=clips.soles)
    stage = SimpleNamespace(clips=clips)
    piece = Piece(motion, contacts, Place((1.0, 2.0), 30.0), ("a row",), (), ("a note",), True, 4)
    piece = replace(piece, clips=(ClipShown(0, 30, "walk_0", 0),))
    join = Join("a", "b", 15, 0.4, 1.1, 3.0, 0, 0.2)
    frames = KeptFrames(motion.rotations, motion.translations)

    return {
        "piece": Case(
            "k",
            lambda kept: save_piece(piece, kept, "k"),
            lambda kept: load_piece(stage, kept, "k", 31),
            lambda found: (
                same_shape(found.motion, motion)
                and found.contacts.down.shape == contacts.down.shape
                and all(isinstance(row, str) for row in (*found.rows, *found.notes))
                and all(0 <= one.first <= one.last < 31 for one in found.clips)
            ),
        ),
        "joined": Case(
            "k",
            lambda kept: kept.save(
                "k", keeping._KeptJoined(frames, contacts.down, (join,)), keeping._KeptJoined
            ),
            lambda kept: kept.load(
                "k", keeping._KeptJoined, lambda one: one.check(["a", "b"], piece, 31)
            ),
            lambda found: (
                same_shape(found.motion, motion)
                and found.down.shape == contacts.down.shape
                and len(found.joins) == 1
            ),
        ),
        "reach": Case(
            "k",
            lambda kept: kept.save("k", layers.Reached(frames, (0.1,), ("far",)), layers.Reached),
            lambda kept: kept.load(
                "k", layers.Reached, lambda one: layers.check_reached(posed, 1, one)
            ),
            lambda found: same_shape(found.motion, motion) and len(found.missed) == 1,
        ),
        "correct": Case(
            "k",
            lambda kept: kept.save(
                "k", layers._Corrected(frames, ("a", "b"), ()), layers._Corrected
            ),
            lambda kept: kept.load(
                "k", layers._Corrected, lambda one: one.motion.check(motion, 31)
            ),
            lambda found: same_shape(found.motion, motion),
        ),
        "moments": moments_case(clips, posed),
        "band": band_case(clips, compact=False),
        "rounded": band_case(clips, compact=True),
    }


def moments_case(clips, posed) -> Case:
    judge = fit_moment_judge([PosedMotion(m, clips.roles) for m in clips.clip_set.motions])
    joints = clips.clip_set.skeleton.n_joints

    def fits(found):
        with np.errstate(all="ignore"):  # one that was made up may overflow
            return found.judge(posed).values.shape == judge.judge(posed).values.shape

    return Case(
        "moments-k",
        lambda kept: save_moment_judge(judge, kept, "k"),
        lambda kept: load_moment_judge(kept, "k", clips.roles, joints),
        fits,
    )


def band_case(clips, compact: bool) -> Case:
    options = InbetweenOptions(lengths=(5,), samples=20, landmarks=20, compact=compact)
    captures = gather_captures(clips.clip_set, options)
    band = fit_band(captures, 5)

    def fits(found):
        return {name: own.values.shape[1] for name, own in found.coefficients.items()} == {
            name: own.values.shape[1] for name, own in band.coefficients.items()
        } and all(len(own.values) == len(found.landmarks) for own in found.coefficients.values())

    return Case(
        "k",
        lambda kept: save_band(band, kept, "k"),
        lambda kept: load_band(kept, "k", 5, captures),
        fits,
    )


def same_shape(found, motion) -> bool:
    return (
        found.rotations.shape == motion.rotations.shape
        and found.translations.shape == motion.translations.shape
        and bool(np.isfinite(found.rotations).all())
    )


def changed_inside(rng, content: bytes) -> tuple[dict[str, np.ndarray], str]:
    """Arrays and facts, one of them changed."""
    with np.load(io.BytesIO(content)) as file:
        arrays = dict(file)
    head = arrays.pop("head").item().decode()
    if arrays and rng.random() < 0.6:
        change_arrays(rng, arrays)
    else:
        head = change_facts(rng, json.loads(head))
    return arrays, head


def change_bytes(rng, path: Path) -> None:
    """Some bytes of a file are others, are missing, or are there besides."""
    content = bytearray(path.read_bytes())
    at = int(rng.integers(len(content)))
    kind = rng.integers(3)
    if kind == 0:
        content[at] ^= int(rng.integers(1, 256))
    elif kind == 1:
        del content[at:]
    else:
        content[at:at] = rng.bytes(int(rng.integers(1, 9)))
    path.write_bytes(content)


@pytest.mark.parametrize("kind", KINDS)
def test_mutants_are_made_again_or_fit(cases, kind, tmp_path, monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _: None)
    case = cases[kind]
    said: list[str] = []
    kept = KeptFolder(tmp_path, tell=said.append)
    case.save(kept)
    assert case.fits(case.load(kept))
    assert not said
    content = kept.load_bytes(case.key)
    rng = np.random.default_rng(KINDS.index(kind))
    refused = 0
    for mutant in range(MUTANTS):
        said.clear()
        kept = KeptFolder(tmp_path, tell=said.append)
        kept.save_bytes(case.key, content)
        if mutant % 2:
            change_bytes(rng, tmp_path / f"{case.key}.kept")
        else:
            arrays, head = changed_inside(rng, content)
            stream = io.BytesIO()
            np.savez(stream, **arrays, head=np.array(head.encode()))
            kept.save_bytes(case.key, stream.getvalue())
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = case.load(kept)
        refused += found is None
        about = f"mutant {mutant}"
        assert found is None or case.fits(found), about
        is_of_this_code = code_version().encode() in (tmp_path / f"{case.key}.kept").read_bytes()
        assert (found is None) == (bool(said) or not is_of_this_code), about
        assert all(line.isprintable() and len(line) < 1000 for line in said), about
        (tmp_path / f"{case.key}.kept").unlink()
    assert refused > MUTANTS * 0.6
