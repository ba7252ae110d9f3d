"""The package as a whole: what it exports, what importing it loads, and its layers."""

import ast
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import motionloom
import motionloom.graph

ROOT = Path(__file__).resolve().parents[1]
#: Too heavy or optional to load before they are needed.
HEAVY = {
    "numpy",
    "scipy",
    "numba",
    "pydantic",
    "yaml",
    "matplotlib",
    "mujoco",
    "pygltflib",
    "rich",
}


def loaded_by(statement, heavy=HEAVY):
    """Heavy modules that a fresh Python has loaded after `statement`."""
    code = f"{statement}\nimport sys\nprint(*sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_dir_shows_the_facade_and_nothing_else():
    shown = {name for name in dir(motionloom) if not name.startswith("__")}
    jobs = {"load", "save", "synthesize", "edit", "pose", "retarget", "inbetween", "shot"}
    assert shown == jobs | {"gait", "idle", "model", "markers", "physics"}
    assert sorted(motionloom.__all__) == sorted({*shown, "__version__"})
    assert all(callable(getattr(motionloom, name)) for name in jobs)


@pytest.mark.parametrize(
    ("method", "verbs"),
    [
        ("gait", {"fit", "make", "stream"}),
        ("idle", {"fit", "make", "stream"}),
        ("model", {"fit", "make"}),
        ("markers", {"fit", "track"}),
        ("physics", {"report", "correct"}),
    ],
)
def test_each_learned_method_shows_its_verbs(method, verbs):
    module = getattr(motionloom, method)
    assert {name for name in dir(module) if not name.startswith("__")} == verbs
    assert all(callable(getattr(module, verb)) for verb in verbs)


@pytest.mark.parametrize(
    ("package", "verb", "name"),
    [
        ("motionloom", "edit", "lock_feet"),
        ("motionloom", "shot", "make_shot"),
        ("motionloom", "inbetween", "fill_gaps"),
        ("motionloom.physics", "report", "make_report"),
        ("motionloom.physics", "correct", "correct_motion"),
        ("motionloom.gait", "make", "MadeGait"),
    ],
)
def test_a_verb_wins_over_the_folder_of_its_name(package, verb, name):
    """In either order of loading, and what is in the folder can be imported all the same."""
    code = f"""
import importlib
folder = importlib.import_module("{package}.{verb}")
from {package}.{verb} import {name}
from {package} import {verb}
assert {verb}.__module__ != folder.__name__ and {verb}.__name__ == "{verb}", {verb}
assert folder.{name} is {name}
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_public_name_of_the_graph_resolves():
    for name in motionloom.graph.__all__:
        assert getattr(motionloom.graph, name) is not None
    assert set(motionloom.graph.__all__) <= set(dir(motionloom.graph))
    assert sorted(motionloom.graph.__all__) == sorted(motionloom.graph._HOMES)


def test_type_checkers_see_the_names_that_are_exported():
    package = motionloom.graph
    homes = names_for_type_checkers(package)
    assert homes == {name: f"{package.__name__}.{home}" for name, home in package._HOMES.items()}
    facade = names_for_type_checkers(motionloom)
    methods = {n: f"motionloom.{n}" for n in facade if facade[n] == "motionloom"}
    assert facade | methods == motionloom._VERBS


def names_for_type_checkers(package):
    tree = ast.parse(Path(package.__file__).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {a.name: n.module for n in block.body if isinstance(n, ast.ImportFrom) for a in n.names}


@pytest.mark.parametrize("package", [motionloom, motionloom.graph])
def test_unknown_names_are_refused(package):
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = package.nonsense


def test_building_a_graph_loads_nothing_that_searches_one_and_little_of_scipy():
    heavy = {
        "motionloom.graph.generator",
        "motionloom.graph.searching",
        "motionloom.synthesis",
        "scipy.interpolate",
        "scipy.ndimage",
        "scipy.optimize",
        "scipy.spatial",
        "scipy.special",
    }
    assert loaded_by("import motionloom.graph.storage.disk", heavy) == set()
    assert loaded_by("import motionloom.graph.generator", heavy) > {"motionloom.synthesis"}


def test_version_is_that_of_the_distribution():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert motionloom.__version__ == project["version"]


def test_importing_the_package_loads_nothing_heavy():
    assert loaded_by("import motionloom") == set()


def test_help_does_not_load_what_only_work_needs():
    loaded = loaded_by("from motionloom.cli.main import main; main(['--version'])")
    assert loaded.isdisjoint({"numba", "scipy", "matplotlib", "mujoco", "pygltflib"})


def test_reading_does_not_load_viewers():
    assert loaded_by("import motionloom; motionloom.load").isdisjoint({"matplotlib", "mujoco"})


def test_layers():
    linter = shutil.which("lint-imports", path=str(Path(sys.executable).parent)) or shutil.which(
        "lint-imports"
    )
    if linter is None:
        pytest.skip("import-linter is not installed")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_every_module_is_in_the_layers():
    listed = (ROOT / "pyproject.toml").read_text().split("layers = [")[1].split("]")[0]
    modules = {
        p.stem
        for p in (ROOT / "src" / "motionloom").iterdir()
        if p.suffix == ".py" or (p / "__init__.py").exists()
    }
    for module in modules - {"__init__", "__main__"}:
        assert f" {module} " in listed.replace('"', " "), module
