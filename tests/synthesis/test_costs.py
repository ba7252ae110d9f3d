"""Costs that a user wrote, and what is said about wrong ones."""

import numpy as np
import pytest

from motionloom.errors import FormatError, InvalidInputError, UnknownNameError
from motionloom.synthesis.costs import (
    frame_costs,
    kind_of_cost,
    load_costs,
    path_cost,
    register_cost,
)


@pytest.fixture(scope="module")
def clips(performed):
    return performed


def test_a_file_registers_its_costs_and_a_later_one_replaces_them(tmp_path, clips):
    file = tmp_path / "mine.py"
    code = "from motionloom.synthesis.costs import register_cost\n\n"
    code += "@register_cost('test_file')\ndef f(clips, *, a=1.0):\n"
    file.write_text(code + "    return a * clips.positions[:, 0, 1]\n")
    load_costs(file)
    np.testing.assert_allclose(
        frame_costs("test_file", clips, {"a": 2.0}), 2 * clips.positions[:, 0, 1]
    )
    file.write_text(code + "    return 0 * clips.positions[:, 0, 1]\n")
    load_costs(file)
    assert not frame_costs("test_file", clips, {}).any()


def test_costs_made_in_a_file_see_what_the_file_imports(tmp_path, clips):
    (tmp_path / "mine.py").write_text(
        "import numpy as np\nfrom motionloom.synthesis.costs import register_cost\n"
        "LIMIT = 0.5\n\n@register_cost('test_globals')\ndef f(clips):\n"
        "    return np.full(clips.n_frames, LIMIT)\n"
    )
    load_costs(tmp_path / "mine.py")
    assert (frame_costs("test_globals", clips, {}) == 0.5).all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(:\n", r"mine.py:1: not valid Python"),
        (
            "x = 1\nimport nowhere_at_all\n",
            r"running it failed with ModuleNotFoundError.*mend the file",
        ),
        ("raise SystemExit(3)\n", r"running it failed with SystemExit"),
        (
            "from motionloom.synthesis.costs import register_cost\nregister_cost('a', 'odd')\n",
            r"'frame' or 'path', got 'odd'",
        ),
    ],
)
def test_files_that_do_not_run(tmp_path, text, expected):
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(FormatError, match=expected):
        load_costs(tmp_path / "mine.py")


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda clips: np.zeros(3), r"must give \d+ finite numbers.*it gave shape \(3,\)"),
        (lambda clips: np.full(clips.n_frames, np.nan), "finite numbers"),
        (lambda clips: "much", "must give numbers, it gave 'much'"),
        (lambda clips: 1 / 0, "failed with ZeroDivisionError: division by zero; mend the function"),
        (lambda: 0, "does not take the parameters"),
    ],
)
def test_wrong_costs_of_frames(clips, function, expected):
    register_cost("test_wrong")(function)
    with pytest.raises(InvalidInputError, match=expected):
        frame_costs("test_wrong", clips, {})


@pytest.mark.parametrize("value", [np.zeros(2), None, float("inf"), "1"])
def test_wrong_costs_of_paths(clips, value):
    register_cost("test_wrong", "path")(lambda clips, path, start: value)
    with pytest.raises(InvalidInputError, match="one finite number"):
        path_cost("test_wrong", {}, clips, None, None)


def test_an_unknown_cost_lists_those_there_are():
    register_cost("test_known")(lambda clips: 0)
    with pytest.raises(UnknownNameError, match="test_known"):
        kind_of_cost("test_unknown")
