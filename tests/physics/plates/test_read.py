"""Force plates read from tables and made-up C3D content."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from motionloom.errors import FormatError
from motionloom.marker_motion import Analog, MarkerSequence
from motionloom.physics.plates import read_plates
from motionloom.physics.plates.read import plates_of

HEADER = "nColumns=10\nDataType=double\nendheader\n"
NAMES = "time " + " ".join(f"f_{k}{a}" for k in ("v", "p", "m") for a in "xyz")


def test_table_of_reactions_is_read(tmp_path):
    path = tmp_path / "grf.mot"
    rows = "\n".join(f"{0.5 + 0.01 * i} 1 700 2 0.1 0 0.2 0 3 0" for i in range(5))
    path.write_text(HEADER + NAMES + "\n" + rows + "\n")
    plates = read_plates(path)
    assert plates.times[0] == 0.0
    np.testing.assert_allclose(plates.wrenches[2, 0, :3], [1, 700, 2])
    moment = np.cross([0.1, 0, 0.2], [1, 700, 2]) + np.array([0, 3, 0])
    np.testing.assert_allclose(plates.at([0.0, 0.01, 0.02])[1, 0, 3:], moment)
    assert np.isnan(plates.at([0.0, 0.5])[1]).all()


@pytest.mark.parametrize("side", ["", "r_", "plate_2_"])
def test_moments_may_be_called_torques(tmp_path, side):
    path = tmp_path / "grf.mot"
    names = [f"ground_force_{side}{k}{a}" for k in "vp" for a in "xyz"]
    names += [f"ground_torque_{side}{a}" for a in "xyz"]
    row = "0.0 1 700 2 0.1 0 0.2 0 3 0\n"
    path.write_text(HEADER + " ".join(["time", *names]) + "\n" + row + row.replace("0.0", "0.1", 1))
    moment = np.cross([0.1, 0, 0.2], [1, 700, 2]) + np.array([0, 3, 0])
    np.testing.assert_allclose(read_plates(path).wrenches[0, 0, 3:], moment)


def test_the_reactions_of_opensims_own_walk_are_read(shared_data):
    plates = read_plates(shared_data / "markers/rajagopal/grf_walk.mot")
    assert plates.wrenches.shape[1] == 2
    assert 650 < np.median(plates.wrenches[:, :, 1].sum(axis=1)) < 850


@pytest.mark.parametrize(
    ("group", "name", "told", "mass"),
    [
        ("PROCESSING", "BODYMASS", 56.8, 56.8),
        ("SUBJECTS", "MASS", 70.0, 70.0),
        ("PROCESSING", "BODYMASS", 1.0, None),
        ("POINT", "MASS", 70.0, None),
    ],
)
def test_the_body_mass_of_a_c3d_file_is_kept(group, name, told, mass):
    trial = _plate_trial()
    extra = {"parameters": {group: {name: np.array([told])}}}
    found = plates_of(replace(trial, source=replace(trial.source, extra=extra)))
    assert found.mass == mass


@pytest.mark.parametrize(
    "text",
    [
        "time a\n0 1\n",
        HEADER + "time f_vx f_vy\n0 1 2\n",
        HEADER + NAMES + "\n0 1 2\n",
        HEADER + NAMES + "\n0 1 2 3 4 5 6 7 8 x\n",
        HEADER + NAMES + "\n0 1 2 3 4 5 6 7 8 nan\n",
        HEADER,
    ],
)
def test_bad_tables_are_refused(tmp_path, text):
    path = tmp_path / "grf.mot"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"grf\.mot"):
        read_plates(path)


def _plate_trial(kind=2, sign=1.0):
    """A push of (10, -700, 20) on a plate at (0.3, 0, 0.1), as a C3D file would hold it."""
    corners = np.array([[0.5, 0, 0.4], [0, 0, 0.4], [0, 0, -0.2], [0.5, 0, -0.2]])
    middle = corners.mean(axis=0)
    along, down = np.array([1.0, 0, 0]), np.array([0, -1.0, 0])
    frame = np.stack([along, np.cross(down, along), down], axis=-1)
    sensor = middle - np.array([0, 0.04, 0])
    push = np.array([10.0, -700.0, 20.0])
    moment = np.cross(np.array([0.3, 0, 0.1]) - sensor, push)
    values = sign * np.concatenate([push @ frame, 1000 * moment @ frame])
    units = ("N", "N", "N", "Nmm", "Nmm", "Nmm")
    analog = Analog(tuple("abcdef"), np.tile(values, (20, 1)), 0.001, units)
    plate = {"type": kind, "corners": corners, "origin": np.array([0, 0, 0.04])}
    return MarkerSequence(
        ("m",),
        np.zeros((2, 1, 3)),
        np.ones((2, 1), bool),
        0.01,
        analog=analog,
        force_plates=(MappingProxyType({**plate, "channels": (0, 1, 2, 3, 4, 5)}),),
    )


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_plate_of_type_2_gives_force_and_place(sign):
    wrench = plates_of(_plate_trial(sign=sign)).wrenches[0, 0]
    np.testing.assert_allclose(wrench[:3], [-10, 700, -20], atol=1e-9)
    np.testing.assert_allclose(wrench[3:], np.cross([0.3, 0, 0.1], wrench[:3]), atol=1e-6)


def test_other_types_are_refused_by_number():
    with pytest.raises(FormatError, match="plate 1 is of type 3"):
        plates_of(_plate_trial(kind=3))
