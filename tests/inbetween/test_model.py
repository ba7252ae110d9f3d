"""What is learned: better than straight ways, mirrored exactly, of any length and rate, kept."""

from dataclasses import fields, replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.errors import FormatError, InvalidInputError
from motionloom.inbetween import (
    InbetweenOptions,
    fit,
    fit_inbetween,
    load_inbetween,
    save_inbetween,
)
from motionloom.inbetween._curves import symmetry_of
from motionloom.inbetween._features import Poses, describe_gaps, describe_layout
from motionloom.inbetween.fit import gather_captures
from motionloom.inbetween.gaps import Gaps, Track, go_straight
from motionloom.inbetween.model import curves_of
from motionloom.inbetween.store import fit_kept, parts_of
from motionloom.io.kept import KeptFolder

#: Where a body is moved to, metres.
MOVED = np.array([3.0, 0.0, -2.0])


def gaps_in(walks, model, missing, clip=1, step=11):
    track = Track.of(walks.motions[clip], model.rig)
    last = np.arange(12, track.n_frames - missing - 2, step)
    inside = last[:, None] + np.arange(1, missing + 1)
    truth = Track(track.rotations[inside], track.roots[inside])
    return Gaps.cut(model.rig, track, last, missing), truth


def miss(model, truth, found):
    places = [model.rig.positions(t.rotations, t.roots) for t in (truth, found)]
    return float(np.linalg.norm(places[0] - places[1], axis=-1).mean())


@pytest.mark.parametrize("missing", [5, 12, 30, 38])
def test_captured_gaps_are_filled_better_than_straight(walks, model, missing):
    gaps, truth = gaps_in(walks, model, missing)
    assert miss(model, truth, model.fill(gaps)) < 0.5 * miss(model, truth, go_straight(gaps))


def test_where_the_body_stands_and_faces_does_not_matter(walks, model):
    gaps, _ = gaps_in(walks, model, 15)
    turn = rot.yaw(2.0)
    moved = replace(
        gaps,
        rotations=rot.multiply(turn, gaps.rotations),
        roots=rot.rotate(turn, gaps.roots) + MOVED,
        end_rotations=rot.multiply(turn, gaps.end_rotations),
        end_roots=rot.rotate(turn, gaps.end_roots) + MOVED,
    )
    here, there = model.fill(gaps), model.fill(moved)
    assert rot.angle_between(rot.multiply(turn, here.rotations), there.rotations).max() < 1e-4
    np.testing.assert_allclose(rot.rotate(turn, here.roots) + MOVED, there.roots, atol=1e-4)


def test_mirrored_gaps_get_mirrored_features_and_fillings(walks, model):
    """The exchange of features and values is that of the mirrored motion itself."""
    symmetry = symmetry_of(walks.motions, model.rig)
    motion = walks.motions[3]
    image = symmetry.mirror(motion)
    last = np.array([20, 41])
    gaps, mirrored = (
        Gaps.cut(model.rig, Track.of(m, model.rig), last, 15) for m in (motion, image)
    )
    plain = describe_gaps(gaps, model.reference).astype(np.float32)
    assert plain.shape[1] == sum(block.size for block in describe_layout(model.rig))
    wanted = describe_gaps(mirrored, model.reference)
    np.testing.assert_allclose(model.mirroring.features.apply(plain), wanted, atol=2e-4)
    tracks = [Track.of(m, model.rig) for m in (motion, image)]
    inside = last[:, None] + np.arange(1, 16)
    curves = [
        curves_of(g, Track(t.rotations[inside], t.roots[inside])).reshape(2, -1)
        for g, t in zip((gaps, mirrored), tracks, strict=True)
    ]
    exchange = model.mirroring.values
    size = curves[0].shape[1]
    found = curves[0][:, exchange.order[:size]] * exchange.signs[:size]
    np.testing.assert_allclose(found, curves[1], atol=2e-4)


def test_curves_are_drawn_as_they_were_read(walks, model):
    gaps, truth = gaps_in(walks, model, 30)
    prediction = replace(model.predict(gaps), curves=curves_of(gaps, truth))
    drawn = prediction.draw(gaps)
    assert miss(model, truth, drawn) < 0.01


def test_a_model_is_kept_and_read_again(walks, model, tmp_path):
    save_inbetween(model, tmp_path / "model.npz")
    again = load_inbetween(tmp_path / "model.npz")
    gaps, _ = gaps_in(walks, model, 12)
    # The file holds what the model was learned from; features may differ in their last digit.
    np.testing.assert_allclose(again.fill(gaps).roots, model.fill(gaps).roots, atol=1e-5)
    np.testing.assert_allclose(again.fill(gaps).rotations, model.fill(gaps).rotations, atol=1e-5)
    for one, other in zip(model.bands, again.bands, strict=True):
        np.testing.assert_allclose(one.landmarks, other.landmarks, atol=1e-4)
        for half, own in one.coefficients.items():
            for field in fields(own):
                part = getattr(other.coefficients[half], field.name)
                np.testing.assert_array_equal(getattr(own, field.name), part)
    assert again.soles.points == model.soles.points


def test_a_file_is_much_smaller_than_what_it_stands_for(model, tmp_path):
    save_inbetween(model, tmp_path / "model.npz")
    whole = sum(
        band.landmarks.size + sum(own.values.size for own in band.coefficients.values())
        for band in model.bands
    )
    # In half precision it would take two bytes for each number.
    assert (tmp_path / "model.npz").stat().st_size < 0.3 * 2 * whole


def test_poses_are_stored_once_and_only_those_that_landmarks_need(walks):
    options = InbetweenOptions(lengths=(5, 15), samples=12, landmarks=12)
    model = fit_inbetween(walks, options)
    assert len(model.poses.frames) <= 2 * 12 * 5
    for band in model.bands:
        assert model.poses.holds(band.last, band.missing)
        features = model.poses.describe(model.rig, model.reference, band.last, band.missing)
        np.testing.assert_array_equal(band.scale.apply(features.astype(float)), band.landmarks)
        assert not model.poses.holds(band.last + np.uint32(10**6), band.missing)


def test_older_files_are_refused_with_the_command_that_makes_them_again(tmp_path):
    np.savez(tmp_path / "old.npz", head=np.array('{"motionloom_inbetween": 2}'))
    with pytest.raises(FormatError, match=r"another version.*'motionloom inbetween fit"):
        load_inbetween(tmp_path / "old.npz")


def test_a_model_that_could_not_be_read_is_not_learned():
    with pytest.raises(InvalidInputError, match="at most 37500 landmarks"):
        InbetweenOptions(landmarks=50_000, samples=50_000)


def test_files_that_are_no_models_are_refused(model, tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        load_inbetween(tmp_path / "none.npz")
    np.savez(tmp_path / "other.npz", head=np.array('{"motionloom": 3}'))
    with pytest.raises(FormatError, match="not a model"):
        load_inbetween(tmp_path / "other.npz")
    save_inbetween(model, tmp_path / "model.npz")
    data = (tmp_path / "model.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(data[: len(data) // 2])
    with pytest.raises(FormatError):
        load_inbetween(tmp_path / "cut.npz")


def test_learning_that_was_stopped_goes_on(walks, tmp_path, monkeypatch):
    options = InbetweenOptions(lengths=(5, 10), samples=60, landmarks=60)
    output = tmp_path / "model.npz"
    fitted = []

    def stop_at_second(captures, job):
        if fitted:
            raise KeyboardInterrupt
        fitted.append(job)
        return fit_band(captures, job)

    from motionloom.inbetween.fit import fit_band

    monkeypatch.setattr(fit, "fit_band", stop_at_second)
    with pytest.raises(KeyboardInterrupt):
        fit_kept(walks, options, parts_of(output))
    parts = tmp_path / "model.npz.parts"
    assert [path.name.split("-")[2] for path in parts.glob("inbetween-*")] == ["5.kept"]
    done = []

    def note(captures, job):
        done.append(job)
        return fit_band(captures, job)

    monkeypatch.setattr(fit, "fit_band", note)
    model = fit_kept(walks, options, parts_of(output))
    assert done == [10]
    assert [band.missing for band in model.bands] == [5, 10]
    assert len(list(parts.glob("inbetween-*"))) == 2
    parts_of(output).clear()
    assert not parts.exists()


def test_samples_are_spread_over_all_clips_and_bounded(walks):
    options = InbetweenOptions(lengths=(15,), samples=50, landmarks=20, mirror=False)
    model = fit_inbetween(walks, options)
    assert model.bands[0].landmarks.shape[0] == 20
    assert model.mirroring is None


def test_clips_that_are_too_short_are_refused(walks):
    short = replace(
        gather_captures(walks), poses=(Poses.of(Track(np.ones((12, 1, 4)), np.ones((12, 3)))),)
    )
    with pytest.raises(InvalidInputError, match="at least"):
        fit_inbetween(short, InbetweenOptions(lengths=(5,)))


@pytest.mark.parametrize(
    "told", [{"lengths": ()}, {"lengths": (9, 5)}, {"samples": 1}, {"ridge": 0.0}]
)
def test_options_that_make_no_sense_are_refused(told):
    with pytest.raises(InvalidInputError):
        InbetweenOptions(**told)


def test_what_was_learned_once_is_taken_from_the_folder_bit_by_bit(walks, tmp_path, monkeypatch):
    options = InbetweenOptions(lengths=(5, 10), samples=60, landmarks=60)
    first = fit_kept(walks, options, KeptFolder(tmp_path))
    monkeypatch.setattr(fit, "fit_band", None)
    again = fit_kept(walks, options, KeptFolder(tmp_path))
    for one, other in zip(first.bands, again.bands, strict=True):
        np.testing.assert_array_equal(one.landmarks, other.landmarks)
        for half, coefficients in one.coefficients.items():
            np.testing.assert_array_equal(coefficients.values, other.coefficients[half].values)
