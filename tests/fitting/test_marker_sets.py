"""Labels of markers, the sets that they belong to, and what is said where they say nothing."""

import pytest

from motionloom.errors import FormatError, InvalidInputError
from motionloom.fitting._body import prototype
from motionloom.fitting.marker_sets._places import places_of, plain, plain_labels
from motionloom.fitting.marker_sets._table import read_marker_table
from motionloom.fitting.marker_sets.recognise import marker_sets, recognise

SETS = {one.name: one for one in marker_sets()}


def labels_of(name: str) -> list[str]:
    return list(SETS[name].wanted.values())


@pytest.mark.parametrize("name", sorted(SETS))
def test_every_set_is_recognised_by_its_own_labels(name):
    found = recognise(labels_of(name))
    assert found.marker_set == name
    assert not found.missing
    assert not found.unknown


@pytest.mark.parametrize("name", sorted(SETS))
def test_places_of_sets_are_places_of_their_bodies(name):
    one = SETS[name]
    joints = prototype(one.body).names
    for place in {*one.core.values(), *one.extra.values()}:
        found = places_of(one.body)[place]
        assert found.joint in joints
        assert found.anchor == found.joint or (
            prototype(one.body).parents[joints.index(found.anchor)] == joints.index(found.joint)
        )


def test_sets_of_the_size_that_they_are_known_for():
    assert len(labels_of("cmu-41")) == 41
    assert len(labels_of("active-28")) == 28


@pytest.mark.parametrize(
    "dress",
    [
        lambda label: f"Subject 1:{label}",
        lambda label: f"{label}_trc",
        str.lower,
        lambda label: label.replace("L", "Left_", 1) if label.startswith("L") else label,
    ],
)
def test_prefixes_suffixes_and_sides_written_out_do_not_matter(dress):
    found = recognise([dress(label) for label in labels_of("cmu-41")])
    assert found.marker_set == "cmu-41"
    assert len(found.places) == 41


def test_left_and_right_places_are_mirror_images():
    places = places_of("human")
    for name, place in places.items():
        if name.startswith("left_") and "_left" not in name:
            other = places["right_" + name.removeprefix("left_")]
            assert other.at == (-place.at[0], *place.at[1:])
            assert other.joint == place.joint.replace("Left", "Right")


def test_computed_points_are_left_out_and_known_as_centres():
    labels = [*labels_of("plug-in-gait"), "LHJC", "RFEO", "LFEO", "CentreOfMass", "PELO", "PELA"]
    found = recognise(labels)
    assert set(found.virtual) == {"LHJC", "RFEO", "LFEO", "CentreOfMass", "PELO", "PELA"}
    assert labels[found.centres["left_hip"]] == "LHJC"
    assert labels[found.centres["right_knee"]] == "RFEO"


def test_an_origin_is_a_computed_point_only_with_its_axes():
    alone = recognise([*labels_of("plug-in-gait"), "LFOO"])
    assert not alone.virtual  # a marker on the foot
    with_axes = recognise([*labels_of("plug-in-gait"), "LFOO", "LFOA", "LFOL", "LFOP"])
    assert len(with_axes.virtual) == 4


def test_what_a_set_lacks_is_told_and_alternatives_count():
    labels = [label for label in labels_of("plug-in-gait") if label not in ("LPSI", "RPSI", "C7")]
    assert recognise(labels).missing == ("C7",)  # the sacrum stands for both PSI


def test_of_two_subjects_the_fuller_is_taken_and_said():
    two = [f"Ann:{label}" for label in labels_of("cmu-41")]
    two += [f"Bob:{label}" for label in labels_of("cmu-41")[:20]]
    found = recognise(two)
    assert all(two[i].startswith("Ann:") for i in found.places)
    assert "Bob" in found.notes[0]


def test_markers_without_names_are_refused_with_what_to_do():
    with pytest.raises(InvalidInputError, match=r"have no names.*a table.*left_knee_lateral"):
        recognise([f"Point {i}" for i in range(41)])


def test_labels_of_no_set_and_too_few_on_the_hips_are_refused():
    with pytest.raises(InvalidInputError, match="of no marker set that is known"):
        recognise(["RFT", "LFT", "RSKA", "LSKA", "PVA", "PVB", "PVC"])
    without = [label for label in labels_of("cmu-41") if "WT" not in label]
    with pytest.raises(InvalidInputError, match="0 markers on the hips are too few"):
        recognise(without)


def test_a_shared_ending_is_cut_off_only_where_nearly_all_have_it():
    assert plain_labels(["A_tr", "B_tr", "C_tr", "D_tr", "E_tr"]) == ["a", "b", "c", "d", "e"]
    assert plain_labels(["A_tr", "B", "C"]) == ["atr", "b", "c"]
    assert plain("Subject:Left_Knee") == "lknee"


def write(tmp_path, text):
    path = tmp_path / "table.yaml"
    path.write_text(text)
    return path


def test_a_users_table_tells_places_own_places_and_what_to_leave_out(tmp_path):
    path = write(
        tmp_path,
        "M1: left_knee_lateral\nM2: {on: LeftLeg, at: [0.03, -0.1, 0], loose: 0.02}\nM3: none\n",
    )
    table, body = read_marker_table(path)
    assert body is None
    found = recognise([*labels_of("cmu-41"), "M1", "M2", "M3"], table)
    by_label = dict(zip([*labels_of("cmu-41"), "M1", "M2", "M3"], range(44), strict=True))
    assert found.places[by_label["M1"]].name == "left_knee_lateral"
    assert found.places[by_label["M2"]].loose == (0.02, 0.02, 0.02)
    assert by_label["M3"] not in found.places


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("A: c7\nB: left_kne\n", 2, "left_knee"),
        ("A: c7\nB: {on: Knee}\n", 2, "no joint 'Knee'"),
        ("A: {on: Hips, at: [1, 2]}\n", 1, "three shares"),
        ("A: {on: Hips, loose: 5}\n", 1, "loose must be"),
        ("A: 7\n", 1, "expected the name of a place"),
        ("body: cat\n", 1, "human or dog"),
        ("- a\n", 1, "expected lines of 'LABEL: PLACE'"),
    ],
)
def test_errors_in_a_table_name_the_line(tmp_path, text, line, words):
    with pytest.raises(FormatError, match=words) as error:
        read_marker_table(write(tmp_path, text))
    assert error.value.line == line
