"""Trials of one person become one skeleton; those of two persons do not."""

from dataclasses import replace

import pytest

from marked_bodies import trial
from motionloom.cli.main import main
from motionloom.errors import InvalidInputError
from motionloom.fitting import fit_person, group_by_person
from motionloom.io import load_motion, save


@pytest.fixture(scope="module")
def trials():
    whole = trial(50.0)
    return replace(whole[:45], name="one"), replace(whole[60:110], name="two")


def larger(markers, factor, name):
    return replace(markers, positions=factor * markers.positions, name=name)


def test_markers_that_are_alike_are_of_one_person(trials):
    one, two = trials
    tall = larger(two, 1.12, "tall")
    assert group_by_person([one, tall, two]) == ((0, 2), (1,))
    other = replace(two, labels=tuple(f"Ann:{label}" for label in two.labels))
    assert group_by_person([one, other]) == ((0, 1),)


def test_trials_of_one_person_share_one_model(trials):
    fits = fit_person(trials)
    assert [fitted.name for fitted in fits] == ["one", "two"]
    assert fits[0].motion.skeleton is fits[1].motion.skeleton
    assert all(fitted.tracked.rms < 0.008 for fitted in fits)
    with pytest.raises(InvalidInputError, match="at least one trial"):
        fit_person([])


def test_files_of_one_person_are_written_with_one_skeleton(trials, tmp_path, capsys):
    tall = larger(trials[1], 1.12, "tall")
    for markers in (*trials, tall):
        save(markers, tmp_path / f"{markers.name}.trc")
    files = [str(tmp_path / f"{name}.trc") for name in ("one", "two", "tall")]
    folder = tmp_path / "fitted"
    assert main(["fit", *files, "-o", str(folder)]) == 0
    said = capsys.readouterr().err
    assert "one, two: one skeleton" in said
    assert "tall: a skeleton of its own" in said
    made = {name: load_motion(folder / f"{name}.bvh").skeleton for name in ("one", "two", "tall")}
    assert made["one"].matches(made["two"])
    assert not made["one"].matches(made["tall"])
    assert main(["fit", *files, "--static", files[0], "-o", str(tmp_path / "other")]) == 2
    assert not (tmp_path / "other").exists()


def test_persons_said_to_be_one_are_fitted_as_one(trials, tmp_path, capsys):
    taller = larger(trials[1], 1.04, "taller")
    for markers in (trials[0], taller):
        save(markers, tmp_path / f"{markers.name}.trc")
    files = [str(tmp_path / "one.trc"), str(tmp_path / "taller.trc")]
    main(["fit", *files, "--one-person", "-o", str(tmp_path / "fitted")])
    assert "skeleton of its own" not in capsys.readouterr().err
    one, other = (load_motion(tmp_path / "fitted" / f"{n}.bvh") for n in ("one", "taller"))
    assert one.skeleton.matches(other.skeleton)
